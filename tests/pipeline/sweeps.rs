//! Sweeps over the working set: what they change, what they may not, and when they come by themselves.

use std::cell::Cell;
use std::rc::Rc;

use super::support::*;
use credence::config::Config;
use credence::conversation::Speaker;
use credence::event::{Event, UnitEvent};
use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::{ConversationId, PropositionId, TurnId};
use credence::llm::{Cancel, Role, scripted::ScriptedModel};
use credence::proposition::{Extractor, Proposition, Status};
use credence::scale::{Confidence, Decay};
use credence::testing::TestPorts;
use credence::time::DAY_MS;
use credence::unit::{
    Activation, ArchiveReason, Authority, Earned, InvariantKind, InvariantRule, Standing, Strength, Unit,
};
use credence::upkeep::{MaintenanceMode, PreFilter, SweepKind, SweepReport, SweepStep, SweepTrigger};
use uuid::Uuid;

pub(super) fn id(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(1000 + n))
}

/// Stores a statement and makes it a unit, whatever promotion would say.
async fn unit(memory: &TestMemory, n: u128, text: &str, activation: i64) {
    let now = memory.now().at;
    let confidence = Confidence::new(0.9).unwrap();
    let mut fact = Proposition::new(id(n), text, confidence, Extractor::Person, now).unwrap();
    fact.grounding = vec![TurnId::new(Uuid::from_u128(n))];
    fact.decay = Decay::new(1.0).unwrap();
    memory.save(&[fact], Actor::Host).await.unwrap();
    let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "test");
    let planned = memory.change(info, |state, scope| {
        let activation = Activation::clamped(activation);
        scope.put(state, Unit::promoted(id(n), activation, Earned::Reliable, None, now), "");
        Ok(())
    });
    planned.await.unwrap();
}

/// So many user turns pass.
pub(super) async fn pass(memory: &TestMemory, turns: u32) -> ConversationId {
    let chat = memory.start_conversation("Chat").await.unwrap();
    for _ in 0..turns {
        memory.say(chat, Speaker::User, "Hm.").await.unwrap();
    }
    chat
}

pub(super) fn set(memory: &TestMemory, change: impl FnOnce(&mut Config)) {
    let mut config = memory.config();
    change(&mut config);
    memory.set_config(config).unwrap();
}

/// A full budget is full pressure.
fn press(config: &mut Config, budget: u32) {
    config.unit.budget = budget;
    let pressure = &mut config.pressure;
    (pressure.budget_weight, pressure.conflict_weight) = (1.0, 0.0);
    (pressure.decay_weight, pressure.compaction_weight) = (0.0, 0.0);
}

pub(super) async fn sweep(memory: &TestMemory, kind: SweepKind) -> SweepReport {
    memory.sweep(kind, false, &Cancel::new()).await.unwrap()
}

fn activation(memory: &TestMemory, n: u128) -> u16 {
    memory.unit(id(n)).unwrap().activation.get()
}

fn is_active(memory: &TestMemory, n: u128) -> bool {
    memory.working_set().iter().any(|view| view.id() == id(n))
}

fn rule(kind: InvariantKind, strength: Strength) -> InvariantRule {
    InvariantRule {
        id: "keep-nia".into(),
        kind,
        strength,
        context_id: None,
        unit_text_pattern: Some("Nia".into()),
        minimum_authority: Authority::Provisional,
        minimum_count: 0,
    }
}

#[test]
fn core_219_refresh_moves_activation_within_its_bounds() {
    run(async {
        let memory = offline().await;
        set(&memory, |c| c.maintenance.proactive.hard_prune_threshold = 0.01);
        unit(&memory, 1, "Nia lives in Bonn.", 120).await;
        pass(&memory, 10).await;
        unit(&memory, 2, "Pia likes tea.", 870).await;
        let report = sweep(&memory, SweepKind::Light).await;
        assert_eq!((activation(&memory, 1), activation(&memory, 2)), (100, 900));
        assert_eq!((report.changed(SweepStep::Refresh), report.pruned(), report.left), (2, 0, 2));
        assert_eq!(memory.sweeps()[0], report, "it is in the log, with its effects");
        let head = memory.log().commits().last().unwrap().clone();
        memory.undo(head.id, None).await.unwrap();
        assert_eq!((activation(&memory, 1), activation(&memory, 2)), (120, 870));
        assert!(memory.sweeps().is_empty());
    });
}

#[test]
fn prop_maintenance_proactive_rank_boost_amount_and_maintenance_proactive_rank_penalty_amount() {
    run(async {
        let memory = offline().await;
        set(&memory, |c| {
            let proactive = &mut c.maintenance.proactive;
            (proactive.rank_boost_amount, proactive.rank_penalty_amount) = (20, 200);
        });
        unit(&memory, 1, "Nia lives in Bonn.", 340).await;
        pass(&memory, 10).await;
        unit(&memory, 2, "Pia likes tea.", 800).await;
        sweep(&memory, SweepKind::Light).await;
        assert_eq!((activation(&memory, 1), activation(&memory, 2)), (140, 820));
    });
}

#[test]
fn core_220_protected_units_pay_nothing_and_stay() {
    run(async {
        let memory = offline().await;
        for (n, text) in [(1, "Nia lives in Bonn."), (2, "Pia likes tea."), (3, "Ben sails.")] {
            unit(&memory, n, text, 110).await;
        }
        memory.pin(id(1), true).await.unwrap();
        memory.canonize_unit(id(2), "").await.unwrap();
        let before = (activation(&memory, 1), activation(&memory, 2));
        pass(&memory, 20).await;
        set(&memory, |c| press(c, 3));
        let report = sweep(&memory, SweepKind::Full).await;
        assert_eq!((activation(&memory, 1), activation(&memory, 2)), before);
        assert_eq!((report.pruned(), report.blocked.len(), report.left), (1, 0, 2), "{}", report.summary());
        assert_eq!(memory.unit(id(2)).unwrap().authority, Authority::Canon);
        assert!(!is_active(&memory, 3));
        let third = memory.unit(id(3)).unwrap();
        assert!(matches!(
            third.unit.standing(),
            Standing::Archived { reason: ArchiveReason::ProactiveMaintenance, .. }
        ));
        assert_eq!(third.proposition.status, Status::Active, "the statement is believed as before");
    });
}

#[test]
fn core_222_warnings_are_counted_and_what_a_rule_stops_is_not_done() {
    run(async {
        for (strength, summary) in [
            (
                Strength::Should,
                "audited=1 refreshed=1 merged=0 proposed=0 pruned=1 blocked=0 violations=1 left=0",
            ),
            (
                Strength::Must,
                "audited=1 refreshed=1 merged=0 proposed=0 pruned=0 blocked=1 violations=0 left=1",
            ),
        ] {
            let memory = offline().await;
            set(&memory, |c| {
                c.unit.invariants.rules = vec![rule(InvariantKind::ArchiveProhibition, strength)]
            });
            unit(&memory, 1, "Nia lives in Bonn.", 150).await;
            pass(&memory, 10).await;
            let told = Rc::new(Cell::new(0));
            let counts = told.clone();
            let _listening = memory.subscribe(move |event| {
                if let Event::Unit { event: UnitEvent::InvariantViolation { violation }, .. } = event {
                    assert_eq!(violation.strength, strength);
                    counts.set(counts.get() + 1);
                }
            });
            let report = sweep(&memory, SweepKind::Light).await;
            assert_eq!(report.summary(), summary);
            assert_eq!(is_active(&memory, 1), strength == Strength::Must);
            assert_eq!(told.get(), 1, "the rule that was met is told");
        }
    });
}

#[test]
fn core_218_under_pressure_a_unit_pays_first_and_leaves_when_it_has_nothing_left() {
    run(async {
        let memory = offline().await;
        set(&memory, |c| {
            press(c, 1);
            c.maintenance.proactive.hard_prune_threshold = 0.01;
        });
        unit(&memory, 1, "Nia lives in Bonn.", 200).await;
        pass(&memory, 10).await;
        let first = sweep(&memory, SweepKind::Light).await;
        assert_eq!(
            (activation(&memory, 1), first.pruned()),
            (100, 0),
            "refresh, and the penalty of pressure"
        );
        let second = sweep(&memory, SweepKind::Light).await;
        assert_eq!((is_active(&memory, 1), second.pruned()), (false, 1));
        let calm = offline().await;
        unit(&calm, 1, "Nia lives in Bonn.", 200).await;
        pass(&calm, 10).await;
        sweep(&calm, SweepKind::Light).await;
        assert_eq!(activation(&calm, 1), 150, "without pressure it pays once");
    });
}

#[test]
fn two_units_that_say_the_same_become_one_with_the_evidence_of_both() {
    run(async {
        let memory = offline().await;
        unit(&memory, 1, "Nia lives in Bonn.", 500).await;
        unit(&memory, 2, "Nia lives in Bonn now.", 600).await;
        unit(&memory, 3, "Nia lives in Rome.", 550).await;
        memory.confirm_unit(id(1)).await.unwrap();
        let report = sweep(&memory, SweepKind::Light).await;
        assert_eq!(report.merged, [(id(1), id(2))]);
        let stays = memory.unit(id(2)).unwrap();
        assert_eq!(stays.unit.evidence().len(), 1, "the confirmation came along");
        assert_eq!(stays.proposition.grounding.len(), 2);
        assert!(stays.proposition.temporal.supersedes.contains(&id(1)));
        let goes = memory.unit(id(1)).unwrap();
        assert!(
            matches!(goes.unit.standing(), Standing::Archived { successor: Some(next), .. } if *next == id(2))
        );
        assert_eq!(goes.proposition.status, Status::Superseded);
        assert!(is_active(&memory, 3), "another value is another statement");
        let again = sweep(&memory, SweepKind::Light).await;
        assert!(again.merged.is_empty());
    });
}

#[test]
fn prop_maintenance_proactive_pre_filter_scores_what_stands_against_more_authority() {
    run(async {
        for (filter, kind, stays) in [
            (PreFilter::Rules, SweepKind::Full, false),
            (PreFilter::Rules, SweepKind::Light, true),
            (PreFilter::Off, SweepKind::Full, true),
        ] {
            let memory = offline().await;
            set(&memory, |c| c.maintenance.proactive.pre_filter = filter);
            unit(&memory, 1, "Nia likes tea.", 500).await;
            unit(&memory, 2, "Nia does not like tea.", 800).await;
            memory.canonize_unit(id(1), "").await.unwrap();
            let report = sweep(&memory, kind).await;
            assert_eq!(is_active(&memory, 2), stays, "{}", report.summary());
            assert!(is_active(&memory, 1));
        }
        let equal = offline().await;
        unit(&equal, 1, "Nia likes tea.", 500).await;
        unit(&equal, 2, "Nia does not like tea.", 800).await;
        let report = sweep(&equal, SweepKind::Full).await;
        assert_eq!((report.pruned(), report.left), (0, 2));
        assert!(report.notes[0].contains("cannot both hold"), "{:?}", report.notes);
    });
}

#[test]
fn prop_maintenance_proactive_llm_audit_enabled_asks_once_about_what_is_open() {
    run(async {
        let scripted = || {
            let reply =
                "```json\n{\"units\": [{\"unit\": 1, \"score\": 0.05}, {\"unit\": 2, \"score\": 3}]}\n```";
            ScriptedModel::new().reply(Role::Revise, reply)
        };
        let filled = async |memory: &TestMemory, on: bool| {
            set(memory, |c| c.maintenance.proactive.llm_audit_enabled = on);
            unit(memory, 1, "Nia lives in Bonn.", 450).await;
            unit(memory, 2, "Pia likes tea.", 440).await;
        };
        let memory = open(TestPorts::with(scripted())).await;
        filled(&memory, true).await;
        let report = sweep(&memory, SweepKind::Full).await;
        assert_eq!((report.calls, report.pruned()), (1, 1), "{:?}", report.notes);
        assert!(!is_active(&memory, 1));
        assert_eq!(activation(&memory, 2), 490, "a score above 1 is 1");
        let light = open(TestPorts::with(scripted())).await;
        filled(&light, true).await;
        assert_eq!(sweep(&light, SweepKind::Light).await.calls, 0);
        let off = open(TestPorts::with(scripted())).await;
        filled(&off, false).await;
        assert_eq!(sweep(&off, SweepKind::Full).await.calls, 0);
        let broken =
            open(TestPorts::with(ScriptedModel::new().reply(Role::Revise, "no").reply(Role::Revise, "no")))
                .await;
        filled(&broken, true).await;
        let report = sweep(&broken, SweepKind::Full).await;
        assert!(report.left == 2 && report.notes.iter().any(|n| n.contains("the rules' scores stand")));
    });
}

#[test]
fn attention_bears_on_a_sweep() {
    run(async {
        let ports = TestPorts::offline();
        let memory = open(ports.sibling()).await;
        set(&memory, |c| {
            c.attention.max_expected_events_per_window = 1;
            let proactive = &mut c.maintenance.proactive;
            (proactive.hard_prune_threshold, proactive.soft_prune_threshold) = (0.95, 0.96);
        });
        unit(&memory, 1, "Nia lives in Bonn.", 700).await;
        let hot = sweep(&memory, SweepKind::Light).await;
        assert_eq!((hot.pruned(), is_active(&memory, 1)), (0, true), "at its peak it is not pruned");
        set(&memory, |c| c.maintenance.proactive = Default::default());
        let now = activation(&memory, 1);
        ports.clock.advance_ms(300_001);
        let cool = sweep(&memory, SweepKind::Light).await;
        assert!(cool.audited[0].score < hot.audited[0].score && cool.audited[0].why.contains("dropped"));
        assert!(activation(&memory, 1) <= now, "what counts as unused gains nothing");
    });
}

#[test]
fn a_dry_sweep_writes_its_report_alone() {
    run(async {
        let memory = offline().await;
        unit(&memory, 1, "Nia lives in Bonn.", 150).await;
        pass(&memory, 10).await;
        let report = memory.sweep(SweepKind::Light, true, &Cancel::new()).await.unwrap();
        assert_eq!((report.pruned(), is_active(&memory, 1), activation(&memory, 1)), (1, true, 150));
        assert_eq!(memory.log().commits().last().unwrap().revisions.len(), 1);
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(memory.sweep(SweepKind::Light, false, &cancel).await.is_err());
        assert_eq!(memory.sweeps().len(), 1);
    });
}

#[test]
fn prop_maintenance_mode_decides_what_happens_after_a_turn() {
    run(async {
        for (mode, settles, sweeps) in [
            (MaintenanceMode::Reactive, true, false),
            (MaintenanceMode::Proactive, false, true),
            (MaintenanceMode::Hybrid, true, true),
        ] {
            let ports = TestPorts::offline();
            let memory = open(ports.sibling()).await;
            set(&memory, |c| {
                press(c, 2);
                c.maintenance.mode = mode;
            });
            unit(&memory, 1, "Nia lives in Bonn.", 500).await;
            unit(&memory, 2, "Pia likes tea.", 500).await;
            ports.clock.advance_ms(365 * DAY_MS);
            let chat = pass(&memory, 1).await;
            analyse(&memory, chat).await;
            let slept = |n| matches!(memory.unit(id(n)).unwrap().unit.standing(), Standing::Dormant { .. });
            assert_eq!(slept(1), settles, "{mode:?}");
            // What fell asleep has taken the pressure with it.
            assert_eq!(memory.sweeps().len(), usize::from(sweeps && !settles), "{mode:?}");
            if let [report] = memory.sweeps().as_slice() {
                assert_eq!((report.trigger, report.kind), (SweepTrigger::Pressure, SweepKind::Full));
                analyse(&memory, pass(&memory, 1).await).await;
                assert_eq!(memory.sweeps().len(), 1, "and not again so soon");
            }
        }
    });
}

#[test]
fn a_memory_without_units_is_left_alone() {
    run(async {
        let memory = offline().await;
        set(&memory, |c| c.maintenance.mode = MaintenanceMode::Hybrid);
        pass(&memory, 2).await;
        let before = memory.state().seq();
        let kept = memory.keep_up(&Cancel::new()).await.unwrap();
        assert!(kept.sweep.is_none() && kept.settled.changes.is_empty());
        assert_eq!(memory.state().seq(), before);
    });
}

#[test]
fn prop_tiered_storage_enabled_keeps_cold_units_out_of_the_prompt() {
    run(async {
        let memory = offline().await;
        unit(&memory, 1, "Nia lives in Bonn.", 200).await;
        unit(&memory, 2, "Nia plays the harp.", 800).await;
        let chat = memory.start_conversation("Chat").await.unwrap();
        let prompt = async |memory: &TestMemory| {
            memory.preview(chat, "What do you know of Nia?").await.unwrap().system().to_owned()
        };
        assert!(prompt(&memory).await.contains("Bonn"));
        set(&memory, |c| c.tiered_storage.enabled = true);
        let tiered = prompt(&memory).await;
        assert!(tiered.contains("harp") && !tiered.contains("Bonn"), "{tiered}");
        assert_eq!(memory.served_units().cold, [id(1)]);
    });
}
