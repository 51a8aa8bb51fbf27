//! Runs that a person leads: paused, acted on, put aside and gone on with, stopped; and what goes wrong on the way.

use credence::Memory;
use credence::history::{Journal, JournalError, Record};
use credence::id::PropositionId;
use credence::inbox::Verdict;
use credence::testing::FlakyJournal;
use credence::unit::{InvariantKind, InvariantRule, Strength};

use super::super::{Manipulation, Phase, RunClock, RunIds, RunPorts, config_of, context_of, go_on};
use super::*;
use crate::run::{DiffKind, RunStatus};

/// Plays with somebody who watches.
fn watched(
    scenario: &Scenario,
    host: &OfflineHost,
    control: &Control,
    mut watch: impl FnMut(&Control, &Progress<'_>),
) -> RunRecord {
    let mut sink = |progress: Progress<'_>| watch(control, &progress);
    let settings = settings(scenario, 2);
    block_on(play(scenario, &condition("FULL_AWMU"), &settings, host, control, &mut sink)).unwrap()
}

fn after(progress: &Progress<'_>, wanted: u32) -> bool {
    matches!(progress, Progress::Turn { turn, .. } if turn.turn == wanted)
}

fn bytes(record: &RunRecord) -> String {
    serde_json::to_string(record).unwrap()
}

#[test]
fn what_happens_is_told_in_order() {
    let scenario = story();
    let mut told = Vec::new();
    watched(&scenario, &simulated(&scenario, 2), &Control::new(), |_, progress| {
        told.push(match progress {
            Progress::SettingUp { .. } => "setup".to_owned(),
            Progress::Asked { turn, .. } => format!("asked {turn}"),
            Progress::Text { turn, .. } => format!("text {turn}"),
            Progress::Replied { turn, .. } => format!("replied {turn}"),
            Progress::Turn { turn, run } => {
                assert_eq!(run.status, RunStatus::Unfinished);
                format!("turn {}", turn.turn)
            }
            Progress::Ended { .. } => "ended".to_owned(),
            other => format!("{other:?}"),
        });
    });
    let turns =
        (0..=7).flat_map(|turn| ["asked", "text", "replied", "turn"].map(|what| format!("{what} {turn}")));
    let expected: Vec<String> =
        ["setup".to_owned()].into_iter().chain(turns).chain(["ended".to_owned()]).collect();
    assert_eq!(told, expected);
}

#[test]
fn a_run_that_is_put_aside_goes_on_to_the_same_bytes() {
    let scenario = story();
    let whole = run_on(&scenario, &condition("FULL_AWMU"), &settings(&scenario, 2), &simulated(&scenario, 2))
        .unwrap();
    for stop in 0..7 {
        let host = simulated(&scenario, 2);
        let part = watched(&scenario, &host, &Control::new(), |control, progress| {
            if after(progress, stop) {
                control.put_aside();
            }
        });
        assert_eq!((part.status.clone(), part.turns.len()), (RunStatus::Unfinished, stop as usize + 1));
        assert!(part.scores.is_empty() && part.ended.is_none());
        // As a host would find it after a reload: the record from its text, the memory in the journal.
        let kept: RunRecord = serde_json::from_str(&bytes(&part)).unwrap();
        let later = Host { cast: simulated(&scenario, 2).cast, ..host };
        let done = block_on(go_on(&scenario, kept, &later, &Control::new(), &mut |_| {})).unwrap();
        assert_eq!(bytes(&done), bytes(&whole), "stopped behind turn {stop}");
    }
}

#[test]
fn a_turn_that_was_broken_off_is_played_again() {
    let scenario = story();
    let whole = run_on(&scenario, &condition("FULL_AWMU"), &settings(&scenario, 2), &simulated(&scenario, 2))
        .unwrap();
    let host = simulated(&scenario, 2);
    let mut kept = None;
    {
        // The page is closed while the reply to turn 5 is read.
        let control = Control::new();
        let mut sink = |progress: Progress<'_>| match progress {
            Progress::Turn { turn, run } if turn.turn == 4 => kept = Some(run.clone()),
            Progress::Replied { turn: 5, .. } => panic!("closed"),
            _ => {}
        };
        let settings = settings(&scenario, 2);
        let run = std::panic::AssertUnwindSafe(|| {
            block_on(play(&scenario, &condition("FULL_AWMU"), &settings, &host, &control, &mut sink))
        });
        assert!(std::panic::catch_unwind(run).is_err());
    }
    let later = Host { cast: simulated(&scenario, 2).cast, ..host };
    let done = block_on(go_on(&scenario, kept.unwrap(), &later, &Control::new(), &mut |_| {})).unwrap();
    assert_eq!(bytes(&done), bytes(&whole));
}

#[test]
fn what_cannot_go_on_says_why() {
    let scenario = story();
    let host = simulated(&scenario, 2);
    let part = watched(&scenario, &host, &Control::new(), |control, progress| {
        if after(progress, 2) {
            control.put_aside();
        }
    });
    let refused = |scenario: &Scenario, record: RunRecord, host: &OfflineHost| {
        refusals(block_on(go_on(scenario, record, host, &Control::new(), &mut |_| {}))).remove(0)
    };
    let other = Scenario { setting: "Elsewhere.".into(), ..story() };
    assert!(refused(&other, part.clone(), &host).contains("are others than it was begun with"));
    let over = RunRecord { status: RunStatus::Cancelled, ..part.clone() };
    assert!(refused(&scenario, over, &host).contains("it is over"));
    assert!(refused(&scenario, part, &simulated(&scenario, 2)).contains("is not here any more"));
}

#[test]
fn a_cancelled_run_is_scored_as_far_as_it_came() {
    let scenario = story();
    let control = Control::new();
    let record = watched(&scenario, &simulated(&scenario, 2), &control, |control, progress| {
        if after(progress, 5) {
            control.cancel();
        }
    });
    assert_eq!((record.status, record.turns.len()), (RunStatus::Cancelled, 6));
    assert!(record.scores.contains_key("oracle") && record.ended.is_some());
    assert_eq!(control.phase(), Phase::Completed);
}

#[test]
fn a_person_acts_on_a_paused_run_and_the_record_says_so() {
    let scenario = story();
    let mut phases = Vec::new();
    let mut captain: Option<PropositionId> = None;
    let record =
        watched(&scenario, &simulated(&scenario, 2), &Control::new(), |control, progress| match progress {
            Progress::Turn { turn, .. } if turn.turn == 3 => {
                captain =
                    turn.units_after.iter().find(|u| u.proposition.text.contains("Orla")).map(|u| u.id());
                control.pause();
            }
            Progress::Phase { phase, units } => {
                phases.push(*phase);
                if *phase == Phase::Paused {
                    assert!(!units.is_empty());
                    let id = captain.unwrap();
                    control.act(Manipulation::Confirm { id });
                    control.act(Manipulation::Archive { id });
                    control.act(Manipulation::Archive { id: PropositionId::new(uuid::Uuid::from_u128(9)) });
                    control.act(Manipulation::Add { text: "The moat is dry.".into() });
                }
            }
            Progress::Intervened { intervention, .. } if intervention.what.starts_with("added") => {
                control.resume()
            }
            _ => {}
        });
    assert_eq!(phases, [Phase::Paused, Phase::Running]);
    let acts: Vec<(u32, &str, bool)> =
        record.interventions.iter().map(|act| (act.turn, act.what.as_str(), act.refused.is_some())).collect();
    let taken_out = "taken out of the working set";
    assert_eq!(
        acts,
        [
            (4, "confirmed", false),
            (4, taken_out, false),
            (4, taken_out, true),
            (4, "added: The moat is dry.", false)
        ]
    );
    assert!(record.interventions.iter().all(|act| act.commit.is_empty() == act.refused.is_some()));
    let events = &turn(&record, 4).events;
    let of = |words: &str| events.iter().find(|event| event.text.contains(words)).unwrap();
    assert_eq!((of("Orla").kind, of("Orla").because.cause.as_str()), (DiffKind::Archived, "manual"));
    assert_eq!((of("moat").kind, of("moat").because.cause.as_str()), (DiffKind::Created, "manual"));
    assert_eq!(record.status, RunStatus::Complete);
}

#[test]
fn a_question_of_the_runs_memory_is_answered_in_a_pause() {
    let mut scenario = story();
    scenario.turns[2] = line(TurnKind::Establish, "The north gate of Harrowkeep is open.");
    let mut context = None;
    let host = simulated(&scenario, 2);
    let record = watched(&scenario, &host, &Control::new(), |control, progress| match progress {
        Progress::SettingUp { run } => context = Some(context_of(&run.id).unwrap()),
        Progress::Turn { turn, .. } if turn.turn == 4 => control.pause(),
        Progress::Phase { phase: Phase::Paused, .. } => {
            // As a page does: the memory is read from its journal.
            let log = block_on_nested(host.journal.read(context.as_ref().unwrap(), 0)).unwrap();
            let mut items = BTreeMap::new();
            for revision in log.iter().flat_map(|commit| &commit.revisions) {
                if let Some(Record::Inbox(item)) = &revision.value {
                    items.insert(item.id, item.clone());
                }
            }
            let open =
                items.values().find(|item| item.is_open()).expect("what stands against CANON asks a person");
            control.act(Manipulation::Decide { question: open.id, verdict: Verdict::Reject });
            control.act(Manipulation::Decide { question: open.id, verdict: Verdict::Accept });
        }
        Progress::Intervened { intervention, .. } if intervention.refused.is_some() => control.resume(),
        _ => {}
    });
    let [done, again] = record.interventions.as_slice() else { panic!("{:?}", record.interventions) };
    assert!(done.what.starts_with("answered no: ") && done.what.len() > 20, "{}", done.what);
    assert!(done.refused.is_none() && !done.commit.is_empty());
    assert!(again.refused.as_ref().is_some_and(|why| why.contains("answered already")), "{again:?}");
    assert_eq!(record.status, RunStatus::Complete);
}

#[test]
fn rules_and_what_met_them_are_kept_with_the_run() {
    let rule = |id: &str, kind, strength| InvariantRule {
        id: id.into(),
        kind,
        strength,
        context_id: None,
        unit_text_pattern: Some("garrison".into()),
        minimum_authority: Authority::Reliable,
        minimum_count: 0,
    };
    let rules = vec![
        rule("stays", InvariantKind::ArchiveProhibition, Strength::Must),
        rule("level", InvariantKind::AuthorityFloor, Strength::Should),
    ];
    let scenario = Scenario { invariants: rules.clone(), ..story() };
    let mut captain: Option<PropositionId> = None;
    let host = simulated(&scenario, 2);
    let record = watched(&scenario, &host, &Control::new(), |control, progress| match progress {
        Progress::SettingUp { run } => assert_eq!(run.rules, rules, "known before the first turn"),
        Progress::Turn { turn, .. } if turn.turn == 3 => {
            captain = turn.units_after.iter().find(|u| u.proposition.text.contains("Orla")).map(|u| u.id());
            control.pause();
        }
        Progress::Phase { phase: Phase::Paused, .. } => {
            control.act(Manipulation::Archive { id: captain.unwrap() });
            control.act(Manipulation::Demote { id: captain.unwrap() });
        }
        Progress::Intervened { intervention, .. } if intervention.refused.is_none() => control.resume(),
        _ => {}
    });
    let met: Vec<(&str, Strength, bool)> = record
        .interventions
        .iter()
        .flat_map(|act| act.met.iter().map(|one| (one.rule.as_str(), one.strength, act.refused.is_some())))
        .collect();
    assert_eq!(met, [("stays", Strength::Must, true), ("level", Strength::Should, false)]);
    assert_eq!(record.rules, rules);
    assert!(run(&story(), "FULL_AWMU", 2).rules.is_empty());
}

#[test]
fn who_looks_at_the_memory_from_outside_sees_what_the_run_saw() {
    let scenario = story();
    let host = simulated(&scenario, 2);
    let record = watched(&scenario, &host, &Control::new(), |_, _| {});
    let clock = RunClock::new(Rc::new(AtOnce));
    clock.set(7, 0);
    let ports = RunPorts {
        journal: host.journal.clone(),
        chat: Rc::new(NoModel),
        embedder: host.embedder.clone(),
        clock,
        ids: RunIds::new(1),
    };
    let config = config_of(&scenario, &record, &base_config()).unwrap();
    let memory = block_on(Memory::open(ports, context_of(&record.id).unwrap(), config)).unwrap();
    let last = record.turns.last().unwrap();
    assert_eq!((memory.state().seq(), &memory.working_set()), (last.seq, &last.units_after));
    let mut odd = record.clone();
    odd.settings.max_turns = 0;
    assert!(config_of(&scenario, &odd, &base_config()).is_err(), "what cannot be played has no settings");
}

#[test]
fn acts_of_a_pause_are_there_when_a_run_goes_on() {
    let scenario = story();
    let control = Control::new();
    let host = simulated(&scenario, 2);
    let mut kept = None;
    let part = watched(&scenario, &host, &control, |control, progress| match progress {
        Progress::Phase { phase: Phase::Paused, .. } => {
            control.act(Manipulation::Add { text: "The moat is dry.".into() })
        }
        Progress::Intervened { run, .. } => {
            kept = Some(RunRecord::clone(run));
            control.put_aside();
        }
        progress if after(progress, 3) => control.pause(),
        _ => {}
    });
    assert_eq!((part.status.clone(), part.interventions.len()), (RunStatus::Unfinished, 1));
    assert_eq!(kept.as_ref(), Some(&part), "a page that is closed here has kept it already");
    let later = Host { cast: simulated(&scenario, 2).cast, ..host };
    let done = block_on(go_on(&scenario, part, &later, &Control::new(), &mut |_| {})).unwrap();
    assert!(turn(&done, 4).units_before.iter().any(|unit| unit.proposition.text.contains("moat")));
    assert!(turn(&done, 4).events.iter().any(|event| event.text.contains("moat")));
}

#[test]
fn injection_is_switched_from_turn_to_turn() {
    let scenario = story();
    let record = watched(&scenario, &simulated(&scenario, 2), &Control::new(), |control, progress| {
        if after(progress, 3) || after(progress, 5) {
            control.set_injection(after(progress, 5));
        }
    });
    let on: Vec<bool> = record.turns.iter().map(|turn| turn.injection).collect();
    assert_eq!(on, [true, true, true, true, false, false, true, true]);
    let has = |at| system(&record, at).contains("<memory>");
    assert_eq!([3, 4, 5, 6].map(has), [true, false, false, true]);
}

#[test]
fn one_control_leads_one_run_at_a_time() {
    let scenario = story();
    let control = Control::new();
    let (settings, full) = (settings(&scenario, 2), condition("FULL_AWMU"));
    let host = simulated(&scenario, 2);
    let mut second = None;
    let mut sink = |progress: Progress<'_>| {
        if after(&progress, 1) {
            let busy = block_on_nested(play(&scenario, &full, &settings, &host, &control, &mut |_| {}));
            second = Some(matches!(busy, Err(RunError::Busy)));
        }
    };
    block_on(play(&scenario, &full, &settings, &host, &control, &mut sink)).unwrap();
    assert_eq!(second, Some(true));
}

/// Polls once a future that is ready at once; an executor cannot be entered from within another.
fn block_on_nested<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

fn flaky(scenario: &Scenario) -> Host<FlakyJournal, NoModel, WordsAlone> {
    let OfflineHost { cast, embedder, rest, base, templates, .. } = simulated(scenario, 2);
    Host { journal: Rc::new(FlakyJournal::default()), cast, embedder, rest, base, templates }
}

#[test]
fn sim_49_a_run_whose_store_fails_keeps_its_turns_and_the_next_one_plays() {
    let scenario = story();
    let host = flaky(&scenario);
    let journal = host.journal.clone();
    let (settings, full) = (settings(&scenario, 2), condition("FULL_AWMU"));
    let mut sink = |progress: Progress<'_>| {
        if after(&progress, 3) {
            journal.fail_next(JournalError::QuotaExceeded);
        }
    };
    let failed = block_on(play(&scenario, &full, &settings, &host, &Control::new(), &mut sink)).unwrap();
    let RunStatus::Failed { reason } = &failed.status else { panic!("{:?}", failed.status) };
    assert!(!reason.is_empty());
    assert_eq!(failed.turns.len(), 4, "the turns before it are kept");
    for _ in 0..2 {
        let record =
            block_on(play(&scenario, &full, &settings, &host, &Control::new(), &mut |_| {})).unwrap();
        assert_eq!((record.status, record.turns.len()), (RunStatus::Complete, 8));
    }
}

#[test]
fn sim_50_what_a_turn_brings_is_stored_whole_or_not_at_all_and_read_again() {
    let scenario = story();
    let host = flaky(&scenario);
    let journal = host.journal.clone();
    let mut sink = |progress: Progress<'_>| {
        if matches!(progress, Progress::Replied { turn: 2, .. }) {
            journal.fail_next(JournalError::QuotaExceeded);
        }
    };
    let settings = settings(&scenario, 2);
    let record =
        block_on(play(&scenario, &condition("FULL_AWMU"), &settings, &host, &Control::new(), &mut sink))
            .unwrap();
    let second = turn(&record, 2);
    assert!(second.trace.extracted.is_empty() && second.trace.promoted.is_empty());
    assert!(second.trace.notes[0].starts_with("the turn was not read"), "{:?}", second.trace.notes);
    assert!(
        turn(&record, 3).trace.extracted.iter().any(|text| text.contains("silver")),
        "and the next turn reads it"
    );
}
