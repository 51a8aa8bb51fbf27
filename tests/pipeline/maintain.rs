//! Maintenance as a whole: runs over real memories, their reports, and that everything they do can be taken back.

use credence::config::Config;
use credence::error::Error;
use credence::history::Actor;
use credence::id::{EntityId, PropositionId, TurnId};
use credence::inbox::InboxKind;
use credence::llm::{Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::maintenance::{
    Consolidation, CustomMark, MaintenanceConfig, MaintenanceOptions, MarkOutcome, Pass, RunReport,
    RunTrigger,
};
use credence::operation::SynthesisOptions;
use credence::proposition::{Extractor, Mention, MentionRole, Proposition, Status};
use credence::scale::{Confidence, Decay};
use credence::testing::TestPorts;
use credence::time::{DAY_MS, Timestamp};
use futures::FutureExt;
use uuid::Uuid;

use super::support::*;

fn id(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(1000 + n))
}

fn fact(memory: &TestMemory, n: u128, text: &str, confidence: f64) -> Proposition {
    let now = memory.now().at;
    let mut fact =
        Proposition::new(id(n), text, Confidence::new(confidence).unwrap(), Extractor::Person, now).unwrap();
    fact.grounding = vec![TurnId::new(Uuid::from_u128(n))];
    fact
}

fn about(mut fact: Proposition, span: &str, entity: u128) -> Proposition {
    let mut mention = Mention::new(span, "Person", MentionRole::Subject);
    mention.entity = Some(EntityId::new(Uuid::from_u128(entity)));
    fact.mentions.push(mention);
    fact
}

async fn save(memory: &TestMemory, facts: &[Proposition]) {
    memory.save(facts, Actor::Host).await.unwrap();
}

fn set(memory: &TestMemory, change: impl FnOnce(&mut MaintenanceConfig)) {
    let mut config: Config = memory.config();
    change(&mut config.maintenance);
    memory.set_config(config).unwrap();
}

async fn maintain(memory: &TestMemory, passes: &[Pass], dry_run: bool) -> RunReport {
    let passes = Some(passes.iter().copied().collect());
    let options = MaintenanceOptions { dry_run, passes, custom: vec![] };
    (*memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap()).clone()
}

async fn cycle(memory: &TestMemory) -> RunReport {
    (*memory.consolidate_now(&Cancel::new(), &mut |_| {}).await.unwrap()).clone()
}

fn stored(memory: &TestMemory, n: u128) -> Proposition {
    memory.state().proposition(id(n)).cloned().unwrap()
}

fn statuses(memory: &TestMemory) -> Vec<(PropositionId, Status)> {
    memory.state().propositions().map(|p| (p.id, p.status)).collect()
}

fn everything(memory: &TestMemory) -> Vec<Proposition> {
    memory.state().propositions().cloned().collect()
}

fn model(memory: &TestMemory) -> &ScriptedModel {
    &memory.ports().chat
}

async fn with_model() -> TestMemory {
    open(TestPorts::with(ScriptedModel::new())).await
}

#[test]
fn duplicates_become_one_that_rests_on_all_evidence() {
    run(async {
        let memory = offline().await;
        let mut strong = fact(&memory, 1, "Mara is a vegetarian.", 0.9);
        strong.reinforce_count = 2;
        let weak = fact(&memory, 2, "mara is vegetarian", 0.6);
        let near = [
            fact(&memory, 3, "Mara has 2 cats.", 0.9),
            fact(&memory, 4, "Mara has 3 cats.", 0.9),
            fact(&memory, 5, "Mara likes tea.", 0.9),
            fact(&memory, 6, "Mara likes coffee.", 0.9),
        ];
        save(&memory, &[vec![strong, weak], near.to_vec()].concat()).await;
        let seq = memory.state().seq();
        let report = maintain(&memory, &[Pass::Duplicates], false).await;
        assert_eq!(memory.state().seq(), seq + 1, "one commit for all of it");
        let marks = &report.pass(Pass::Duplicates).unwrap().marks;
        assert_eq!(marks.len(), 1);
        assert_eq!(
            (marks[0].proposition, marks[0].survivor, marks[0].key.as_str()),
            (id(2), Some(id(1)), "duplicate")
        );
        assert_eq!(marks[0].outcome, MarkOutcome::Transitioned { to: Status::Stale });
        let survivor = stored(&memory, 1);
        assert_eq!((survivor.grounding.len(), survivor.reinforce_count), (2, 3));
        assert_eq!(survivor.temporal.supersedes, [id(2)]);
        assert_eq!(survivor.confidence.get(), 0.9, "a sweep makes nothing surer");
        assert_eq!(live(&memory).len(), 5);
        assert_eq!(memory.runs()[0], report);
    });
}

#[test]
fn a_run_can_be_undone_with_statuses_and_evidence() {
    run(async {
        let memory = offline().await;
        let mut faded = fact(&memory, 3, "Pia is tired.", 0.9);
        faded.decay = Decay::new(0.9).unwrap();
        save(
            &memory,
            &[
                fact(&memory, 1, "Nia lives in Bonn.", 0.9),
                fact(&memory, 2, "Nia lives in Bonn now.", 0.8),
                faded,
            ],
        )
        .await;
        memory.ports().clock.advance_ms(5 * DAY_MS);
        let before = everything(&memory);
        let report = cycle(&memory).await;
        assert!(report.transitioned() >= 2, "{report:?}");
        assert_ne!(everything(&memory), before);
        let head = memory.state().head().unwrap();
        let undone = memory.undo(head.id, None).await.unwrap();
        assert!(undone.conflicts.is_empty());
        assert_eq!(everything(&memory), before);
        assert!(memory.runs().is_empty(), "the report goes with what it reports");
    });
}

#[test]
fn a_dry_run_writes_its_report_alone_and_collecting_nothing_at_all() {
    run(async {
        let memory = offline().await;
        save(
            &memory,
            &[fact(&memory, 1, "Nia lives in Bonn.", 0.9), fact(&memory, 2, "Nia lives in Bonn.", 0.05)],
        )
        .await;
        let (before, seq) = (everything(&memory), memory.state().seq());
        let custom = [CustomMark::new(id(1), "source-gone", "its mailbox was deleted")];
        let marks = memory.collect(&custom);
        assert_eq!(memory.state().seq(), seq);
        let keys: Vec<&str> = marks.iter().map(|mark| mark.key.as_str()).collect();
        assert_eq!(keys, ["duplicate", "stale", "source-gone"]);
        assert!(marks.iter().all(|mark| mark.outcome == MarkOutcome::Marked));

        let options = MaintenanceOptions { dry_run: true, passes: None, custom: custom.to_vec() };
        let report = memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap();
        assert_eq!((memory.state().seq(), everything(&memory)), (seq + 1, before.clone()));
        assert!(report.dry && !report.cycle && report.marks().count() == 2);
        assert!(report.marks().all(|mark| mark.outcome == MarkOutcome::Marked));

        let live = memory
            .maintain(&MaintenanceOptions { dry_run: false, ..options }, &Cancel::new(), &mut |_| {})
            .await
            .unwrap();
        assert!(live.marks().any(|mark| mark.key == "source-gone"
            && mark.outcome == MarkOutcome::Transitioned { to: Status::Stale }));
        assert_eq!(memory.runs().len(), 2);
    });
}

/// A second live run finds nothing to do, whatever the first one met.
#[test]
fn a_second_run_changes_nothing() {
    const TEXTS: [&str; 9] = [
        "Nia lives in Bonn.",
        "Nia lives in Bonn now.",
        "Nia lives in Oslo.",
        "Pia loves techno.",
        "Pia hates techno.",
        "用户喜欢茶",
        "用户喜欢茶。",
        "Mara is a vegetarian.",
        "mara is vegetarian",
    ];
    run(async {
        let mut seed: u64 = 7;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..40 {
            let memory = offline().await;
            let facts: Vec<Proposition> = (0..12)
                .map(|n| {
                    let text = TEXTS[random(9) as usize];
                    let mut fact = fact(&memory, n, text, random(101) as f64 / 100.0);
                    fact.decay = Decay::new(random(11) as f64 / 100.0).unwrap();
                    fact.pinned = random(6) == 0;
                    fact.reinforce_count = random(4) as u32;
                    fact.grounding = vec![TurnId::new(Uuid::from_u128(u128::from(random(5))))];
                    fact
                })
                .collect();
            save(&memory, &facts).await;
            memory.ports().clock.advance_ms(random(40) as i64 * DAY_MS);
            let first = cycle(&memory).await;
            let after = everything(&memory);
            let second = cycle(&memory).await;
            let texts = |all: &[Proposition]| {
                all.iter().map(|p| (p.id, p.text.clone(), p.status)).collect::<Vec<_>>()
            };
            assert_eq!(
                texts(&everything(&memory)),
                texts(&after),
                "round {round}: {first:#?} then {second:#?}"
            );
            assert_eq!(everything(&memory), after);
            assert_eq!(second.transitioned(), 0);
            let turns = |facts: &[Proposition]| {
                facts
                    .iter()
                    .filter(|p| p.status.is_live() || p.pinned)
                    .flat_map(|p| p.grounding.clone())
                    .count()
            };
            assert!(turns(&after) > 0, "somebody still stands");
        }
    });
}

/// No evidence is lost: every turn of an absorbed statement is on what stands for it.
#[test]
fn evidence_always_arrives_at_what_stands() {
    run(async {
        let memory = offline().await;
        let facts: Vec<Proposition> =
            (1..=6).map(|n| fact(&memory, n, "Mara is a vegetarian.", 0.5 + n as f64 / 100.0)).collect();
        save(&memory, &facts).await;
        cycle(&memory).await;
        let standing: Vec<Proposition> =
            everything(&memory).into_iter().filter(|p| p.status == Status::Active).collect();
        assert_eq!(standing.len(), 1);
        assert_eq!(standing[0].grounding.len(), 6);
        assert_eq!(standing[0].reinforce_count, 5);
    });
}

#[test]
fn dice_133_removal_is_a_choice_and_stays_in_history() {
    run(async {
        let memory = offline().await;
        let mut old = fact(&memory, 1, "Pia is tired.", 0.5);
        old.decay = Decay::new(0.5).unwrap();
        save(&memory, &[old]).await;
        memory.ports().clock.advance_ms(365 * DAY_MS);
        let mut fresh = fact(&memory, 2, "Mara lives in Oslo.", 0.9);
        fresh.decay = Decay::new(0.01).unwrap();
        save(&memory, &[fresh]).await;
        set(&memory, |m| {
            (m.retire_below, m.revive_above, m.hard_delete, m.delete_below) = (0.3, 0.4, true, 0.3)
        });
        let report = maintain(&memory, &[Pass::DecaySweep], false).await;
        assert_eq!(report.pass(Pass::DecaySweep).unwrap().marks[0].outcome, MarkOutcome::HardDeleted);
        assert!(memory.state().proposition(id(1)).is_none());
        assert_eq!(stored(&memory, 2).status, Status::Active);
        let seq = memory.state().seq();
        let past = memory.log().view_at(seq - 1).unwrap();
        assert!(past.proposition(id(1)).is_some(), "the log still knows it");
    });
}

#[test]
fn what_faded_comes_back_when_it_is_believed_again_and_only_then() {
    run(async {
        let memory = offline().await;
        let mut faded = fact(&memory, 1, "Pia plays chess.", 0.9);
        faded.decay = Decay::new(0.2).unwrap();
        let twin = [fact(&memory, 2, "Nia lives in Bonn.", 0.9), fact(&memory, 3, "Nia lives in Bonn.", 0.8)];
        let by_hand = fact(&memory, 4, "Mara owns a kayak.", 0.9);
        let mut later = fact(&memory, 5, "Mara lives in Bergen.", 0.9);
        later.temporal.valid_from = Some(memory.now().at.plus_ms(90 * DAY_MS));
        save(&memory, &[vec![faded, by_hand, later], twin.to_vec()].concat()).await;
        let edit = credence::memory::Edit { status: Some(Status::Stale), ..Default::default() };
        memory.edit(id(4), &edit).await.unwrap();
        memory.ports().clock.advance_ms(10 * DAY_MS);
        let report = cycle(&memory).await;
        assert_eq!(stored(&memory, 1).status, Status::Stale);
        assert_eq!(stored(&memory, 5).status, Status::Active, "its time has not come: {report:?}");
        assert_eq!(
            stored(&memory, 1).content_revised,
            Timestamp(memory.now().at.0 - 10 * DAY_MS),
            "the clock stays"
        );

        let surer = credence::memory::Edit { confidence: Some(0.95), ..Default::default() };
        memory.edit(id(1), &surer).await.unwrap();
        set(&memory, |m| m.revive = false);
        maintain(&memory, &[Pass::DecaySweep], false).await;
        assert_eq!(stored(&memory, 1).status, Status::Stale, "a sweep of ACTIVE alone");
        set(&memory, |m| m.revive = true);
        let report = maintain(&memory, &[Pass::DecaySweep], false).await;
        let marks: Vec<(&str, PropositionId)> =
            report.marks().map(|m| (m.key.as_str(), m.proposition)).collect();
        assert_eq!(marks, [("revived", id(1))], "no duplicate, and nothing that a person retired");
        assert_eq!(stored(&memory, 1).status, Status::Active);
    });
}

#[test]
fn dice_127_the_weaker_of_two_opposites_is_retired_and_a_pinned_one_is_asked_about() {
    run(async {
        let pair = |memory: &TestMemory, old: f64, new: f64| {
            [
                about(fact(memory, 1, "Pia loves techno.", old), "Pia", 7),
                about(fact(memory, 2, "Pia hates techno.", new), "Pia", 7),
            ]
        };
        for (old, new, retired, stays) in [(0.9, 0.3, 2, 1), (0.3, 0.9, 1, 2), (0.8, 0.8, 1, 2)] {
            let memory = offline().await;
            save(&memory, &pair(&memory, old, new)).await;
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            assert_eq!(stored(&memory, retired).status, Status::Contradicted, "{old} / {new}");
            assert_eq!((stored(&memory, stays).status, report.transitioned()), (Status::Active, 1));
            assert_eq!(stored(&memory, stays).temporal.contradicts, [id(retired)]);
        }
        let memory = offline().await;
        let mut facts = pair(&memory, 0.2, 0.9);
        facts[0].pinned = true;
        save(&memory, &facts).await;
        for round in 0..2 {
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            assert_eq!(
                (report.transitioned(), statuses(&memory)),
                (0, vec![(id(1), Status::Active), (id(2), Status::Active)])
            );
            let items: Vec<_> = memory.state().inbox_items().cloned().collect();
            assert_eq!(
                (items.len(), items[0].kind),
                (1, InboxKind::PinnedConflict),
                "round {round}: asked once"
            );
            assert!(items[0].is_between(id(2), id(1)), "{}", items[0].question);
        }
    });
}

#[test]
fn a_changed_value_is_superseded_however_sure_it_was() {
    run(async {
        let memory = offline().await;
        let mut old = about(fact(&memory, 1, "Nia lives in Oslo.", 0.95), "Nia", 7);
        old.temporal.observed_at = Some(Timestamp(100));
        let mut new = about(fact(&memory, 2, "Nia lives in Bergen.", 0.6), "Nia", 7);
        new.temporal.observed_at = Some(Timestamp(200));
        let other = about(fact(&memory, 3, "Nia lives in Rome.", 0.9), "Nia", 8);
        save(&memory, &[old, new, other]).await;
        maintain(&memory, &[Pass::ContradictionResolution], false).await;
        let old = stored(&memory, 1);
        assert_eq!((old.status, old.temporal.valid_to), (Status::Superseded, Some(Timestamp(200))));
        assert_eq!(stored(&memory, 2).temporal.supersedes, [id(1)]);
        assert_eq!(stored(&memory, 3).status, Status::Active, "another Nia");
    });
}

#[test]
fn a_model_judges_what_words_leave_open_in_one_call_for_two_passes() {
    run(async {
        let memory = with_model().await;
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
                about(fact(&memory, 3, "Pia eats breakfast at the office every day.", 0.9), "Pia", 7),
                about(fact(&memory, 4, "Pia eats her breakfast every day in the office.", 0.8), "Pia", 7),
                about(fact(&memory, 5, "Pia eats 2 eggs every day.", 0.8), "Pia", 7),
                about(fact(&memory, 6, "Pia eats 3 eggs every day.", 0.8), "Pia", 7),
            ],
        )
        .await;
        let answer = |request: &credence::llm::ChatRequest| {
            // Every shown pair is judged by the two texts that it shows.
            let mut items: Vec<String> = Vec::new();
            let (mut item, mut new) = (0, String::new());
            for line in request.messages[1].text.lines() {
                let line = line.trim();
                if let Some(rest) = line.strip_prefix("Item ") {
                    item = rest.split('.').next().unwrap().parse().unwrap();
                    new = rest.to_owned();
                } else if let Some(rest) = line.strip_prefix("Stored ") {
                    let number: usize = rest.split(':').next().unwrap().parse().unwrap();
                    let both = |a: &str| new.contains(a) && rest.contains(a);
                    let relation = if both("breakfast") || both("eggs") {
                        "IDENTICAL"
                    } else if new.contains("animal") && rest.contains("meat") {
                        "CONTRADICTORY"
                    } else {
                        "UNRELATED"
                    };
                    items.push(format!(r#"{{"item":{item},"relations":[{{"stored":{number},"relation":"{relation}","similarity":0.9,"reason":"so it reads"}}]}}"#));
                }
            }
            format!(r#"{{"items":[{}]}}"#, items.join(","))
        };
        let memory = {
            let model = ScriptedModel::new().respond_with(move |_, request| Ok(answer(request)));
            let again = open(TestPorts::with(model)).await;
            save(&again, &everything(&memory)).await;
            again
        };
        maintain(&memory, &[Pass::Duplicates, Pass::ContradictionResolution], true).await;
        let report = cycle(&memory).await;
        assert_eq!((report.calls, model(&memory).calls(Role::Revise)), (1, 2), "one dry, one live");
        assert!(report.prompt_tokens > 0);
        assert_eq!(stored(&memory, 1).status, Status::Contradicted, "{report:?}");
        assert_eq!(stored(&memory, 4).status, Status::Stale, "{report:?}");
        assert_eq!(stored(&memory, 3).grounding.len(), 2);
        assert_eq!((stored(&memory, 5).status, stored(&memory, 6).status), (Status::Active, Status::Active));
        let notes = &report.pass(Pass::Duplicates).unwrap().notes;
        assert!(
            notes.iter().any(|note| note.contains("numbers differ")),
            "a model cannot unite 2 and 3: {notes:?}"
        );
        memory.ports().clock.advance_ms(1);
        cycle(&memory).await;
        memory.ports().clock.advance_ms(1);
        let again = cycle(&memory).await;
        assert_eq!(again.calls, 0, "what was judged is not judged again: {again:?}");
    });
}

#[test]
fn what_one_call_does_not_take_waits_for_the_next_run() {
    run(async {
        let nothing = ScriptedModel::new().respond_with(|_, request| {
            let items = request.messages[1].text.matches("Item ").count();
            assert_eq!(items, 1, "one pair a call");
            Ok(r#"{"items":[{"item":1,"relations":[{"stored":1,"relation":"UNRELATED","similarity":0.1,"reason":""}]}]}"#.into())
        });
        let memory = open(TestPorts::with(nothing)).await;
        let facts = ["eats meat", "eats no animal products", "eats rice with beans"];
        let facts: Vec<Proposition> = (1..)
            .zip(facts)
            .map(|(n, what)| about(fact(&memory, n, &format!("Pia {what} every day."), 0.8), "Pia", 7))
            .collect();
        save(&memory, &facts).await;
        set(&memory, |m| m.judge_pairs = 1);
        let mut asked = Vec::new();
        for _ in 0..4 {
            memory.ports().clock.advance_ms(1);
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            asked.extend(report.judged.iter().copied());
            assert_eq!(report.calls as usize, report.judged.len());
        }
        asked.sort();
        assert_eq!(asked, [(id(1), id(2)), (id(1), id(3)), (id(2), id(3))], "each pair once");
    });
}

#[test]
fn a_failing_model_fails_its_passes_alone() {
    run(async {
        let model = ScriptedModel::new().error(Role::Revise, ModelError::Timeout { after_ms: 5 });
        let memory = open(TestPorts::with(model)).await;
        let mut faded = fact(&memory, 3, "Pia is tired today.", 0.9);
        faded.decay = Decay::new(0.9).unwrap();
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
                faded,
                about(fact(&memory, 4, "Bo loves techno.", 0.5), "Bo", 8),
                about(fact(&memory, 5, "Bo hates techno.", 0.9), "Bo", 8),
            ],
        )
        .await;
        memory.ports().clock.advance_ms(9 * DAY_MS);
        let report = cycle(&memory).await;
        let failed = report.pass(Pass::ContradictionResolution).unwrap();
        assert!(failed.error.as_ref().unwrap().contains("5 ms"), "{failed:?}");
        assert_eq!(stored(&memory, 4).status, Status::Contradicted, "rules went on");
        assert_eq!(stored(&memory, 3).status, Status::Stale, "so did the sweep");
        assert_eq!(stored(&memory, 1).status, Status::Active);
    });
}

#[test]
fn without_a_model_open_pairs_wait_visibly() {
    run(async {
        let memory = offline().await;
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
            ],
        )
        .await;
        let report = cycle(&memory).await;
        let skipped = report.pass(Pass::ContradictionResolution).unwrap().skipped.clone().unwrap();
        assert!(skipped.starts_with("no model is connected: 1 near pair"), "{skipped}");
        assert_eq!(report.transitioned(), 0);
    });
}

#[test]
fn dice_128_growth_makes_a_cycle_due_and_accumulates() {
    run(async {
        let memory = offline().await;
        let tick = async |memory: &TestMemory| memory.consolidate(&Cancel::new(), &mut |_| {}).await.unwrap();
        assert_eq!(tick(&memory).await, Consolidation::Off, "nothing starts by itself unless asked to");
        set(&memory, |m| m.automatic = true);
        let mut ran = Vec::new();
        for step in 1..=5_u128 {
            for n in 0..3 {
                let text = format!("Fact number {} is true.", step * 3 + n);
                save(&memory, &[fact(&memory, step * 3 + n, &text, 0.9)]).await;
            }
            match tick(&memory).await {
                Consolidation::Ran(report) => {
                    assert_eq!((report.trigger, report.cycle), (RunTrigger::Growth, true));
                    ran.push(step * 3);
                }
                Consolidation::NotDue { growth, needed } => {
                    assert_eq!((u128::from(growth), needed), ((step * 3) % 12, 10));
                }
                Consolidation::Off => panic!("it is on"),
            }
        }
        assert_eq!(ran, [12]);
        // A run of single passes is no cycle: the growth goes on counting.
        maintain(&memory, &[Pass::DecaySweep], false).await;
        assert_eq!(memory.growth(), 3);
    });
}

#[test]
fn one_run_at_a_time_and_a_cancelled_one_writes_nothing() {
    run(async {
        let memory = offline().await;
        save(&memory, &[fact(&memory, 1, "Nia lives in Bonn.", 0.01)]).await;
        let (seq, other) = (memory.state().seq(), memory.clone());
        let mut steps = Vec::new();
        let options = MaintenanceOptions::default();
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let outcome = memory
            .maintain(&options, &cancel, &mut |step| {
                steps.push(step);
                let second = other.consolidate_now(&Cancel::new(), &mut |_| {}).now_or_never();
                assert_eq!(second, Some(Err(Error::MaintenanceBusy)));
                stop.cancel();
            })
            .await;
        assert_eq!(outcome, Err(Error::Cancelled));
        assert_eq!(memory.state().seq(), seq);
        assert!(!steps.is_empty());
        cycle(&memory).await;
        assert_eq!(stored(&memory, 1).status, Status::Stale, "and the next one runs");
    });
}

/// Dice 6.7 with stored session facts.
#[test]
fn a_session_meets_what_was_known() {
    run(async {
        let memory = offline().await;
        save(&memory, &[about(fact(&memory, 1, "Mara is a vegetarian.", 0.6), "Mara", 7)]).await;
        maintain(&memory, &[Pass::SessionConsolidation], false).await;
        memory.ports().clock.advance_ms(DAY_MS);
        save(
            &memory,
            &[
                about(fact(&memory, 2, "Mara is a vegetarian", 0.7), "Mara", 7),
                about(fact(&memory, 3, "Mara is a vegetarian who likes fish.", 0.7), "Mara", 7),
                about(fact(&memory, 4, "Mara may have a sister.", 0.3), "Mara", 7),
            ],
        )
        .await;
        maintain(&memory, &[Pass::SessionConsolidation], false).await;
        let known = stored(&memory, 1);
        assert!((known.confidence.get() - 0.7).abs() < 1e-9 && known.grounding.len() == 2, "{known:?}");
        assert_eq!(stored(&memory, 2).status, Status::Superseded);
        assert_eq!(stored(&memory, 3).status, Status::Active, "another detail is another statement");
        assert_eq!(stored(&memory, 4).status, Status::Active, "doubt alone discards nothing");

        memory.ports().clock.advance_ms(DAY_MS);
        set(&memory, |m| m.discard_below = 0.6);
        let merging = about(fact(&memory, 5, "Mara is now also a vegetarian.", 0.9), "Mara", 7);
        save(&memory, &[merging, about(fact(&memory, 6, "Mara may have a brother.", 0.3), "Mara", 7)]).await;
        let report = maintain(&memory, &[Pass::SessionConsolidation], false).await;
        let added = report.marks().find(|mark| mark.outcome == MarkOutcome::Written).unwrap().proposition;
        let third = memory.state().proposition(added).cloned().unwrap();
        assert!((third.confidence.get() - 0.8).abs() < 1e-9, "the mean of both: {third:?}");
        assert_eq!((third.text.as_str(), third.grounding.len()), ("Mara is now also a vegetarian.", 3));
        assert_eq!(third.temporal.supersedes, [id(1), id(2), id(5)]);
        assert_eq!(
            (stored(&memory, 1).status, stored(&memory, 5).status),
            (Status::Superseded, Status::Superseded)
        );
        assert_eq!(stored(&memory, 6).status, Status::Stale, "where the settings ask for it");
        assert_eq!(stored(&memory, 4).status, Status::Active, "only what is new is discarded");
    });
}

#[test]
fn forgetting_takes_duplicates_along_and_retires_what_rests_on_it() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        set(&memory, |m| m.abstract_retires = false);
        let twin = about(fact(&memory, 6, "alice writes songs", 0.5), "Alice", 7);
        save(&memory, &[twin]).await;
        maintain(&memory, &[Pass::Duplicates, Pass::Abstraction], false).await;
        assert_eq!(stored(&memory, 6).status, Status::Stale);
        let before = everything(&memory);
        assert_eq!(before.iter().filter(|p| p.level == 1 && p.status == Status::Active).count(), 2);
        let commit = memory.forget(id(3)).await.unwrap().unwrap();
        assert!(memory.state().proposition(id(3)).is_none() && memory.state().proposition(id(6)).is_none());
        let above = everything(&memory).into_iter().filter(|p| p.level == 1).map(|p| p.status);
        assert_eq!(above.collect::<Vec<_>>(), [Status::Stale, Status::Stale], "both rest on it");
        assert!(commit.revisions.iter().all(|revision| revision.why.contains("forgotten")));
        let tidied = cycle(&memory).await;
        assert!(
            everything(&memory).iter().all(|p| p.level == 0 || p.status == Status::Stale),
            "they do not come back"
        );
        assert_eq!(tidied.transitioned(), 0);
        memory.undo(commit.id, None).await.unwrap();
        assert_eq!(everything(&memory), before);
    });
}

const ALICE: [&str; 5] = [
    "Alice plays the harp.",
    "Alice sings in a choir.",
    "Alice writes songs.",
    "Alice teaches music.",
    "Alice collects drums.",
];

/// Facts about one entity, with a model that answers abstraction calls.
async fn many(texts: &[&str], reply: &str) -> TestMemory {
    let memory = open(TestPorts::with(ScriptedModel::new().reply(Role::Extract, reply))).await;
    let facts: Vec<Proposition> = (1..)
        .zip(texts)
        .map(|(n, text)| {
            let mut fact = about(fact(&memory, n, text, 0.9), "Alice", 7);
            fact.decay = Decay::new(0.001 * n as f64).unwrap();
            fact
        })
        .collect();
    save(&memory, &facts).await;
    set(&memory, |m| m.abstract_retires = true);
    memory.ports().clock.advance_ms(DAY_MS);
    memory
}

const TWO: &str = r#"{"statements":[
    {"group":1,"text":"Alice lives for music.","confidence":0.8,"reason":"all of it","sources":[1,2,3]},
    {"group":1,"text":"Alice shares what she knows.","confidence":0.7,"reason":"r","sources":[3,4,5]},
    {"group":1,"text":"Alice met Ivo in 2019.","confidence":0.7,"reason":"r","sources":[1,2]},
    {"group":1,"text":"Alice is busy.","confidence":0.7,"reason":"r","sources":[9]}]}"#;

#[test]
fn dice_124_five_facts_get_abstractions_above_them() {
    run(async {
        let memory = many(&ALICE[..4], TWO).await;
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.calls, report.transitioned()), (0, 0), "four are too few");

        let memory = many(&ALICE, TWO).await;
        let before: Vec<Timestamp> = everything(&memory).iter().map(|p| p.content_revised).collect();
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(report.calls, 1);
        let made = memory.state().head().unwrap().id;
        for n in 1..=5 {
            let source = stored(&memory, n);
            assert_eq!((source.status, source.content_revised), (Status::Superseded, before[n as usize - 1]));
        }
        let above: Vec<Proposition> = everything(&memory).into_iter().filter(|p| p.level == 1).collect();
        assert_eq!(above.len(), 2);
        assert_eq!(above[0].source_ids, [id(1), id(2), id(3)]);
        assert!((above[0].decay.get() - 0.002).abs() < 1e-9);
        assert_eq!(
            above[0].mentions[0].entity,
            stored(&memory, 1).mentions[0].entity,
            "about what they are about"
        );
        let covers = report.marks().find(|mark| mark.proposition == id(5)).unwrap();
        assert_eq!((covers.key.as_str(), covers.survivor), ("covered", Some(above[1].id)));
        let notes = report.pass(Pass::Abstraction).unwrap().notes.join("\n");
        assert!(notes.contains("do not say 2019") && notes.contains("no source"), "{notes}");
        // A run on its own output finds nothing.
        let again = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((again.calls, again.transitioned()), (0, 0));
        let undone = memory.undo(made, None).await.unwrap();
        assert!(undone.conflicts.is_empty());
        assert_eq!(live(&memory).len(), 5);
    });
}

#[test]
fn dice_125_a_pinned_source_stays() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        memory.pin(id(3), true).await.unwrap();
        let pinned = stored(&memory, 3);
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.transitioned(), stored(&memory, 3)), (4, pinned));
    });
}

#[test]
fn dice_126_above_the_highest_level_nothing_is_abstracted() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        let raised: Vec<Proposition> = everything(&memory)
            .into_iter()
            .map(|p| Proposition { level: 3, source_ids: vec![p.id], ..p })
            .collect();
        save(&memory, &raised).await;
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.transitioned(), live(&memory).len()), (0, 5));
        assert_eq!(report.calls, 0, "no call for what could not be kept");
    });
}

#[test]
fn by_default_an_abstraction_stands_beside_what_it_covers() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        set(&memory, |m| *m = MaintenanceConfig::default());
        let report = cycle(&memory).await;
        assert!(report.pass(Pass::Abstraction).is_none(), "off unless asked for");
        maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(live(&memory).len(), 7, "five precise ones and two above");
        let again = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(again.calls, 0, "what is covered is not abstracted again");
        memory.ports().chat.set_offline(true);
        set(&memory, |m| m.abstract_from = 2);
        let skipped = maintain(&memory, &[Pass::Abstraction], false).await;
        let skipped = skipped.pass(Pass::Abstraction).unwrap().skipped.clone();
        assert_eq!(skipped.as_deref(), Some("no model is connected"));
    });
}

#[test]
fn abstract_and_contrast_as_acts_of_a_person() {
    run(async {
        let reply = r#"{"abstractions":[{"text":"Alice makes music.","confidence":1,"reasoning":"r","sourceIndices":[1,2]},
            {"text":"Alice plays the harp","confidence":1,"sourceIndices":[1]}]}"#;
        let memory = many(&ALICE, reply).await;
        let options = SynthesisOptions::default();
        let few = memory.abstract_statements(&[id(1), id(1)], &options, &Cancel::new()).await;
        assert!(matches!(few, Err(Error::Invalid { what: "ids", .. })), "{few:?}");
        let unknown = memory.abstract_statements(&[id(1), id(99)], &options, &Cancel::new()).await;
        assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        let made = memory.abstract_statements(&[id(1), id(2)], &options, &Cancel::new()).await.unwrap();
        assert_eq!((made.statements.len(), made.dropped.len(), made.calls), (1, 1, 1));
        assert!(made.dropped[0].why.contains("repeats"));
        assert_eq!(memory.state().proposition(made.statements[0].id), made.statements.first());
        assert_eq!(stored(&memory, 1).status, Status::Active, "its sources stay");
        memory.undo(made.commit.unwrap(), None).await.unwrap();
        assert!(memory.state().proposition(made.statements[0].id).is_none());

        model(&memory).then_reply(
            Role::Extract,
            r#"{"statements":[{"text":"Alice plays the harp alone and sings in a choir.","confidence":0.8,"reason":"r","sources_a":[1],"sources_b":[1]},
                {"text":"Alice is musical.","confidence":0.8,"reason":"r","sources_a":[1],"sources_b":[7]}]}"#,
        );
        let dry = SynthesisOptions { dry_run: true, ..SynthesisOptions::default() };
        let seq = memory.state().seq();
        let made = memory.contrast(&[id(1)], &[id(2)], &dry, &Cancel::new()).await.unwrap();
        assert_eq!((made.commit, memory.state().seq()), (None, seq));
        assert_eq!(made.statements[0].source_ids, [id(1), id(2)]);
        assert!(made.dropped[0].why.contains("one side"));
        assert!(memory.contrast(&[id(1)], &[], &dry, &Cancel::new()).await.is_err());
        memory.ports().chat.set_offline(true);
        let offline = memory.contrast(&[id(1)], &[id(2)], &dry, &Cancel::new()).await;
        assert_eq!(offline, Err(Error::Model(ModelError::NotConnected)));
    });
}
