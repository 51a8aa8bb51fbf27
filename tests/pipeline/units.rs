//! The working set: how units enter, rise, fall, sleep, wake and leave, who may move them, and what is told of it.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use credence::Error;
use credence::config::Config;
use credence::conversation::Speaker;
use credence::event::{Direction, Event, UnitEvent};
use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::PropositionId;
use credence::promotion::PromotionReport;
use credence::proposition::{Extractor, Locator, Proposition, ProvenanceEntry};
use credence::scale::{Confidence, Decay};
use credence::testing::TestPorts;
use credence::trust::{TrustAudit, Zone};
use credence::unit::{
    Activation, ArchiveReason, Authority, AuthorityReason, Change, DemotionReason, Did, Dormancy,
    DormancyReason, Earned, Evidence, InvariantKind, InvariantRule, Mover, Objection, Standing, Strength,
    Tier, UnitPlan, UnitSettings,
};
use uuid::Uuid;

use super::support::*;

const HOUR: i64 = 3_600_000;

pub(super) fn id(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(n))
}

/// A memory that holds first-hand statements `1..=n`, none of them a unit.
pub(super) async fn stocked(n: u128, settings: UnitSettings) -> TestMemory {
    let config = Config { unit: settings, ..Config::default() };
    let memory = credence::Memory::open(TestPorts::offline(), context(), config).await.unwrap();
    let now = memory.now().at;
    let statements: Vec<Proposition> = (1..=n)
        .map(|n| {
            let confidence = Confidence::clamped(0.9);
            let text = format!("Harbour {n} is open.");
            let mut p = Proposition::new(id(n), &text, confidence, Extractor::Rules, now).unwrap();
            p.decay = Decay::clamped(1.0);
            p.provenance = vec![ProvenanceEntry::at(Locator::connector("conversation", "V1", None).unwrap())];
            p
        })
        .collect();
    memory.save(&statements, Actor::Host).await.unwrap();
    memory
}

/// The same, with all of them units of which nobody has judged the trust.
pub(super) async fn staffed(n: u128, settings: UnitSettings) -> TestMemory {
    let memory = stocked(n, settings).await;
    for n in 1..=n {
        policy(&memory, |plan| plan.promote(id(n), None, "put in")).await.unwrap();
    }
    memory
}

/// Plans as a policy and commits; what the guard refuses writes nothing.
pub(super) async fn policy<T>(
    memory: &TestMemory,
    plan: impl Fn(&UnitPlan<'_>) -> Result<T, Objection>,
) -> Result<T, Error> {
    moved(memory, Mover::Policy("the test"), plan).await
}

pub(super) async fn moved<T>(
    memory: &TestMemory,
    mover: Mover<'_>,
    plan: impl Fn(&UnitPlan<'_>) -> Result<T, Objection>,
) -> Result<T, Error> {
    let (config, context, now) = (memory.config(), memory.context().clone(), memory.now().at);
    let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, "test");
    let planned = memory.change(info, |state, scope| {
        Ok(plan(&UnitPlan { state, scope, config: &config, context: &context, now, mover })?)
    });
    planned.await.map(|(value, _)| value)
}

/// As many new independent sources as asked for, and what the last of them did.
pub(super) async fn reinforced(memory: &TestMemory, n: u128, sources: usize) -> Change {
    let (known, at) = (memory.unit(id(n)).unwrap().unit.evidence().len(), memory.now().at);
    let mut last = None;
    for source in known..known + sources {
        let evidence = || Evidence::source(format!("V{source}"), at);
        last = Some(policy(memory, |plan| plan.reinforce(id(n), evidence(), || None, "said")).await.unwrap());
    }
    last.unwrap()
}

fn audit(score: f64, ceiling: Earned, trigger: &str, memory: &TestMemory) -> TrustAudit {
    TrustAudit {
        score,
        zone: Zone::AutoPromote,
        ceiling,
        profile: "BALANCED".into(),
        signals: Vec::new(),
        trigger: trigger.into(),
        at: memory.now().at,
    }
}

pub(super) fn authority(memory: &TestMemory, n: u128) -> Authority {
    memory.unit(id(n)).unwrap().authority
}

pub(super) fn rank(memory: &TestMemory, n: u128) -> u16 {
    memory.unit(id(n)).unwrap().activation.get()
}

/// Everything that was told of units while `act` ran.
pub(super) async fn told<T>(memory: &TestMemory, act: impl Future<Output = T>) -> (T, Vec<UnitEvent>) {
    let heard: Rc<RefCell<Vec<UnitEvent>>> = Rc::default();
    let ears = heard.clone();
    let subscription = memory.subscribe(move |event| {
        if let Event::Unit { event, .. } = event {
            ears.borrow_mut().push(event.clone());
        }
    });
    let done = act.await;
    drop(subscription);
    let heard = heard.borrow().clone();
    (done, heard)
}

pub(super) fn must(kind: InvariantKind) -> InvariantRule {
    InvariantRule {
        id: "rule".into(),
        kind,
        strength: Strength::Must,
        context_id: None,
        unit_text_pattern: None,
        minimum_authority: Authority::Provisional,
        minimum_count: 0,
    }
}

pub(super) fn rule_of(result: &Result<impl std::fmt::Debug, Error>) -> &str {
    match result {
        Err(Error::Refused(objection)) => &objection.rule,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn core_8_a_new_unit() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let view = memory.unit(id(1)).unwrap();
        assert_eq!(
            (view.tier, view.activation.get(), view.authority),
            (Tier::Warm, 500, Authority::Provisional)
        );
        assert_eq!(view.unit.trust(), None);
    });
}

#[test]
fn core_30_33_reinforcing_below_a_threshold() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let asked = Rc::new(RefCell::new(0));
        let at = memory.now().at;
        let (change, told) = told(&memory, async {
            policy(&memory, |plan| {
                let trust = || {
                    *asked.borrow_mut() += 1;
                    None
                };
                plan.reinforce(id(1), Evidence::source("V2", at), trust, "said again")
            })
            .await
            .unwrap()
        })
        .await;
        let (from, to) = (Activation::clamped(500), Activation::clamped(550));
        assert_eq!(change.did, Did::Reinforced { from, to, count: 1, authority: None });
        assert_eq!(told, [UnitEvent::Reinforced { unit: id(1), previous: from, activation: to, count: 1 }]);
        assert_eq!(*asked.borrow(), 0, "trust is asked when a raise depends on it");
    });
}

#[test]
fn core_31_32_35_36_levels_by_evidence_and_ceiling() {
    run(async {
        let memory = staffed(3, UnitSettings::default()).await;
        reinforced(&memory, 1, 2).await;
        assert_eq!(authority(&memory, 1), Authority::Provisional);
        reinforced(&memory, 1, 1).await;
        assert_eq!(authority(&memory, 1), Authority::Unreliable);
        reinforced(&memory, 1, 3).await;
        assert_eq!(authority(&memory, 1), Authority::Unreliable);
        memory.set_activation(id(1), 500).await.unwrap();
        let asked = Rc::new(RefCell::new(0));
        let fresh = audit(0.9, Earned::Reliable, "reinforcement", &memory);
        let evidence = Evidence::source("seventh", memory.now().at);
        let change = policy(&memory, |plan| {
            let trust = || {
                *asked.borrow_mut() += 1;
                Some(fresh.clone())
            };
            plan.reinforce(id(1), evidence.clone(), trust, "said")
        })
        .await
        .unwrap();
        let authority_now = Some((Authority::Unreliable, Authority::Reliable));
        let (from, to) = (Activation::clamped(500), Activation::clamped(550));
        assert_eq!(change.did, Did::Reinforced { from, to, count: 7, authority: authority_now });
        assert_eq!(*asked.borrow(), 1);
        // A trust ceiling of UNRELIABLE caps the very raise that asked for it.
        reinforced(&memory, 2, 6).await;
        let capped = audit(0.7, Earned::Unreliable, "reinforcement", &memory);
        let change =
            policy(&memory, |plan| plan.reinforce(id(2), evidence.clone(), || Some(capped.clone()), "said"))
                .await
                .unwrap();
        assert!(matches!(change.did, Did::Reinforced { count: 7, authority: None, .. }), "{change:?}");
        assert_eq!(change.warnings[0].rule, "A3c");
        assert_eq!(authority(&memory, 2), Authority::Unreliable);
        // CANON is above all evidence.
        memory.canonize_unit(id(3), "").await.unwrap();
        reinforced(&memory, 3, 20).await;
        assert_eq!((authority(&memory, 3), rank(&memory, 3)), (Authority::Canon, 900));
    });
}

#[test]
fn core_34_a_must_rule_holds_a_raise_back_only_if_it_forbids_raising() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let rule =
            InvariantRule { minimum_authority: Authority::Unreliable, ..must(InvariantKind::AuthorityFloor) };
        memory.register_invariant(rule).unwrap();
        let change = reinforced(&memory, 1, 3).await;
        assert!(change.warnings.is_empty());
        assert_eq!((authority(&memory, 1), rank(&memory, 1)), (Authority::Unreliable, 650));
        let lowered = policy(&memory, |plan| plan.demote(id(1), DemotionReason::RankDecay, "")).await;
        assert_eq!(rule_of(&lowered), "rule");
    });
}

#[test]
fn core_37_38_the_trail_of_trust() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        reinforced(&memory, 1, 2).await;
        let fresh = audit(0.9, Earned::Reliable, "reinforcement", &memory);
        let evidence = Evidence::source("third", memory.now().at);
        policy(&memory, |plan| plan.reinforce(id(1), evidence.clone(), || Some(fresh.clone()), "said"))
            .await
            .unwrap();
        let kept = memory.unit(id(1)).unwrap().unit.trust().cloned().unwrap();
        assert_eq!((kept.trigger.as_str(), kept.score), ("reinforcement", 0.9));
        let explicit = audit(0.85, Earned::Reliable, "explicit", &memory);
        policy(&memory, |plan| plan.assess(id(1), explicit.clone(), "asked")).await.unwrap();
        let trail = memory.trust_trail(id(1));
        let triggers: Vec<&str> = trail.iter().map(|step| step.audit.trigger.as_str()).collect();
        assert_eq!(triggers, ["reinforcement", "explicit"]);
        assert_eq!(trail[1].authority, Authority::Unreliable);
    });
}

#[test]
fn core_39_the_trail_is_history_so_it_is_each_units_own_and_nothing_clears_it() {
    run(async {
        let memory = stocked(2, UnitSettings::default()).await;
        for (n, trigger) in [(1, "one"), (2, "two")] {
            let fresh = audit(0.9, Earned::Reliable, trigger, &memory);
            policy(&memory, |plan| plan.promote(id(n), Some(fresh.clone()), "sure")).await.unwrap();
        }
        memory.archive_unit(id(1), "").await.unwrap();
        memory.forget(id(2)).await.unwrap();
        let trail = |n| memory.trust_trail(id(n)).into_iter().map(|step| step.audit.trigger);
        assert_eq!(
            (trail(1).collect::<Vec<_>>(), trail(2).collect::<Vec<_>>()),
            (vec!["one".into()], vec!["two".into()])
        );
    });
}

#[test]
fn core_40_a_missed_level_is_made_up_for() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        reinforced(&memory, 1, 2).await;
        let doubted = audit(0.9, Earned::Provisional, "reinforcement", &memory);
        let evidence = Evidence::source("third", memory.now().at);
        policy(&memory, |plan| plan.reinforce(id(1), evidence.clone(), || Some(doubted.clone()), "said"))
            .await
            .unwrap();
        assert_eq!(authority(&memory, 1), Authority::Provisional);
        let fresh = audit(0.9, Earned::Reliable, "reinforcement", &memory);
        let evidence = Evidence::source("fourth", memory.now().at);
        let (_, told) = told(&memory, async {
            policy(&memory, |plan| plan.reinforce(id(1), evidence.clone(), || Some(fresh.clone()), "said"))
                .await
        })
        .await;
        let raised = UnitEvent::AuthorityChanged {
            unit: id(1),
            previous: Authority::Provisional,
            authority: Authority::Unreliable,
            direction: Direction::Promoted,
            reason: Some(AuthorityReason::Reinforcement),
        };
        assert_eq!(told[0], raised);
        assert!(matches!(told[1], UnitEvent::Reinforced { count: 4, .. }));
    });
}

#[test]
fn core_41_42_promotion() {
    run(async {
        let memory = stocked(7, UnitSettings::default()).await;
        let capped = audit(0.7, Earned::Unreliable, "promotion", &memory);
        let (_, told) = told(&memory, async {
            policy(&memory, |plan| plan.promote(id(7), Some(capped.clone()), "sure enough")).await.unwrap()
        })
        .await;
        let view = memory.unit(id(7)).unwrap();
        assert_eq!((view.authority, view.tier), (Authority::Provisional, Tier::Warm));
        assert_eq!(view.unit.ceiling(), Earned::Unreliable);
        assert_eq!(told, [UnitEvent::Promoted { unit: id(7), activation: Activation::clamped(500) }]);
    });
}

#[test]
fn core_43_the_least_activated_gives_its_place_and_sleeps() {
    run(async {
        let memory = staffed(20, UnitSettings::default()).await;
        memory.save(&[extra(&memory, 21)], Actor::Host).await.unwrap();
        memory.set_activation(id(4), 150).await.unwrap();
        let (act, told) = told(&memory, memory.add_to_working_set(id(21))).await;
        assert_eq!(act.unwrap().displaced.len(), 1);
        let evicted = UnitEvent::Evicted { unit: id(4), activation: Activation::clamped(150) };
        assert_eq!(told[1], evicted, "after Promoted");
        assert!(matches!(told[0], UnitEvent::Promoted { unit, .. } if unit == id(21)));
        assert_eq!(told.len(), 2, "no lineage: {told:?}");
        let reason = DormancyReason::BudgetEviction;
        assert!(
            matches!(memory.unit(id(4)).unwrap().unit.standing(), Standing::Dormant { reason: r, .. } if *r == reason)
        );
        assert_eq!(memory.working_set().len(), 20);
    });
}

pub(super) fn extra(memory: &TestMemory, n: u128) -> Proposition {
    let confidence = Confidence::clamped(0.9);
    Proposition::new(id(n), &format!("Pier {n} is closed."), confidence, Extractor::Rules, memory.now().at)
        .unwrap()
}

#[test]
fn core_45_a_protected_unit_keeps_its_place() {
    run(async {
        let memory = stocked(3, UnitSettings { budget: 2, ..UnitSettings::default() }).await;
        for n in 1..=2 {
            memory.add_to_working_set(id(n)).await.unwrap();
        }
        memory.set_activation(id(1), 100).await.unwrap();
        memory.set_activation(id(2), 150).await.unwrap();
        let rule = InvariantRule {
            unit_text_pattern: Some("HARBOUR 1".into()),
            ..must(InvariantKind::EvictionImmunity)
        };
        memory.register_invariant(rule.clone()).unwrap();
        memory.add_to_working_set(id(3)).await.unwrap();
        let active: Vec<PropositionId> = memory.working_set().iter().map(|view| view.id()).collect();
        assert_eq!(active, [id(3), id(1)]);
        // Where nobody may leave, nobody enters.
        memory.register_invariant(InvariantRule { unit_text_pattern: None, ..rule }).unwrap();
        let refused = memory.add_to_working_set(id(2)).await;
        assert_eq!(rule_of(&refused), "rule");
        assert_eq!(memory.working_set().len(), 2);
    });
}

#[test]
fn core_46_47_48_lowering() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        reinforced(&memory, 1, 7).await;
        assert_eq!(authority(&memory, 1), Authority::Reliable);
        let before = rank(&memory, 1);
        let (_, events) = told(&memory, memory.demote_unit(id(1))).await;
        let lowered = UnitEvent::AuthorityChanged {
            unit: id(1),
            previous: Authority::Reliable,
            authority: Authority::Unreliable,
            direction: Direction::Demoted,
            reason: Some(AuthorityReason::Manual),
        };
        assert_eq!(events, [lowered]);
        assert_eq!(rank(&memory, 1), before, "activation stays");
        let (_, events) = told(&memory, async {
            policy(&memory, |plan| plan.demote(id(2), DemotionReason::ConflictEvidence, "opposed"))
                .await
                .unwrap()
        })
        .await;
        assert_eq!(events, [UnitEvent::Archived { unit: id(2), reason: ArchiveReason::ConflictReplacement }]);
        let view = memory.unit(id(2)).unwrap();
        assert!(matches!(view.unit.standing(), Standing::Archived { successor: None, .. }));
        assert_eq!(view.authority, Authority::Provisional);
        assert_eq!(rule_of(&memory.demote_unit(id(99)).await), "standing");
    });
}

#[test]
fn core_53_what_fades_sleeps_and_is_not_archived() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let (_, events) =
            told(&memory, async { policy(&memory, |plan| plan.sleep(id(1), "faded")).await }).await;
        assert_eq!(events, [UnitEvent::Dormant { unit: id(1), activation: Activation::clamped(500) }]);
        assert_eq!(live(&memory), ["Harbour 1 is open."], "and what it says is believed as before");
    });
}

#[test]
fn core_54_58_61_a_successor_is_named_with_its_reason() {
    run(async {
        let memory = staffed(5, UnitSettings::default()).await;
        let cases = [
            (1, ArchiveReason::ConflictReplacement, "CONFLICT_REPLACEMENT"),
            (2, ArchiveReason::Revision, "USER_REVISION"),
            (3, ArchiveReason::Manual, "MANUAL"),
            (4, ArchiveReason::ProactiveMaintenance, "MANUAL"),
        ];
        for (n, reason, word) in cases {
            let (_, events) = told(&memory, async {
                policy(&memory, |plan| plan.archive(id(n), reason, Some(id(5)), "replaced")).await.unwrap()
            })
            .await;
            let [UnitEvent::Archived { .. }, UnitEvent::Superseded { predecessor, successor, reason }] =
                events.as_slice()
            else {
                panic!("{events:?}")
            };
            assert_eq!((*predecessor, *successor), (id(n), id(5)));
            assert_eq!(serde_json::to_value(reason).unwrap(), word);
        }
    });
}

#[test]
fn core_55_a_revision_makes_up_no_score() {
    run(async {
        let memory = stocked(2, UnitSettings::default()).await;
        let fresh = audit(0.9, Earned::Reliable, "promotion", &memory);
        policy(&memory, |plan| plan.promote(id(1), Some(fresh.clone()), "sure")).await.unwrap();
        policy(&memory, |plan| plan.archive(id(1), ArchiveReason::Revision, Some(id(2)), "moved on"))
            .await
            .unwrap();
        assert_eq!(memory.trust_trail(id(1)).len(), 1);
        let standing = memory.unit(id(1)).unwrap().unit.standing().clone();
        let at = memory.now().at;
        let (reason, successor) = (ArchiveReason::Revision, Some(id(2)));
        assert_eq!(standing, Standing::Archived { at, reason, successor }, "the record is the trail");
    });
}

#[test]
fn core_59_60_conflicts_are_told_from_the_report_of_a_promotion() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        let opposed = |n: u128, outcome: &str| serde_json::json!({"with": id(n), "confidence": 0.9, "kind": "contradiction", "outcome": outcome, "why": ""});
        let candidate = |n: u128, conflicts: Vec<serde_json::Value>| {
            serde_json::json!({
                "proposition": id(n), "text": "Harbour 1 is closed.", "confidence": 0.9, "gates": [],
                "fate": "disputed", "reason": "", "conflicts": conflicts,
            })
        };
        let candidates =
            [candidate(7, vec![opposed(1, "KEEP_EXISTING"), opposed(2, "COEXIST")]), candidate(8, vec![])];
        let report: PromotionReport = serde_json::from_value(serde_json::json!({
            "id": "G00000000000000000000000000000001", "at": 0, "candidates": candidates,
        }))
        .unwrap();
        let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "test");
        let (_, events) = told(&memory, async {
            memory
                .change(info, |state, scope| {
                    scope.put(state, report.clone(), "");
                    Ok(())
                })
                .await
        })
        .await;
        let resolved =
            |n, outcome: &str| UnitEvent::ConflictResolved { unit: id(n), outcome: outcome.into() };
        let detected = UnitEvent::ConflictDetected {
            incoming: "Harbour 1 is closed.".into(),
            units: vec![id(1), id(2)],
        };
        assert_eq!(events, [detected, resolved(1, "KEEP_EXISTING"), resolved(2, "COEXIST")]);
    });
}

#[test]
fn core_56_57_no_predecessor_no_link_and_no_rule_is_forced() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        let (refused, events) = told(&memory, async {
            policy(&memory, |plan| plan.archive(id(9), ArchiveReason::Revision, Some(id(1)), "")).await
        })
        .await;
        assert_eq!((rule_of(&refused), events.len()), ("standing", 0));
        memory.register_invariant(must(InvariantKind::ArchiveProhibition)).unwrap();
        let refused =
            policy(&memory, |plan| plan.archive(id(1), ArchiveReason::Revision, Some(id(2)), "")).await;
        assert_eq!(rule_of(&refused), "rule");
        assert!(memory.unit(id(1)).unwrap().is_active());
    });
}

#[test]
fn a_unit_sleeps_when_it_fades_and_wakes_with_the_authority_it_had() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        reinforced(&memory, 1, 3).await;
        memory.pin(id(2), true).await.unwrap();
        memory.ports().clock.advance_ms(24 * 365 * HOUR);
        let settled = memory.settle_units().await.unwrap();
        assert_eq!(settled.changes.len(), 2, "lowered, then asleep: {settled:?}");
        assert!(memory.settle_units().await.unwrap().changes.is_empty(), "settling twice settles once");
        let active: Vec<PropositionId> = memory.working_set().iter().map(|view| view.id()).collect();
        assert_eq!(active, [id(2)]);
        assert_eq!(memory.propositions(&Default::default()).len(), 2);
        let act = memory.revive_unit(id(1)).await.unwrap();
        assert_eq!(act.change.did, Did::Revived { activation: Activation::clamped(500) });
        assert_eq!(memory.unit(id(1)).unwrap().unit.evidence().len(), 3);
    });
}

#[test]
fn core_29_by_default_authority_follows_activation() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        reinforced(&memory, 1, 7).await;
        memory.set_activation(id(1), 380).await.unwrap();
        memory.settle_units().await.unwrap();
        assert_eq!(authority(&memory, 1), Authority::Unreliable);
        let step = *memory.unit(id(1)).unwrap().unit.last_step().unwrap();
        assert_eq!((step.from, step.reason), (Authority::Reliable, AuthorityReason::RankDecay));
    });
}

#[test]
fn prop_unit_initial_rank_unit_min_rank_unit_max_rank_unit_budget_bound_the_working_set() {
    run(async {
        let settings =
            UnitSettings { initial_rank: 300, min_rank: 200, max_rank: 700, budget: 2, ..Default::default() };
        let memory = staffed(2, settings).await;
        assert_eq!(rank(&memory, 1), 300);
        memory.set_activation(id(1), 900).await.unwrap();
        memory.set_activation(id(2), 100).await.unwrap();
        assert_eq!((rank(&memory, 1), rank(&memory, 2)), (700, 200));
        let full = stocked(3, UnitSettings { budget: 2, ..UnitSettings::default() }).await;
        for n in 1..=2 {
            policy(&full, |plan| plan.promote(id(n), None, "")).await.unwrap();
        }
        let refused = policy(&full, |plan| plan.promote(id(3), None, "")).await;
        assert_eq!(rule_of(&refused), "A1");
    });
}

#[test]
fn prop_unit_demote_threshold_lowers_when_trust_falls_below_it_and_once() {
    run(async {
        let memory = staffed(3, UnitSettings::default()).await;
        for n in 1..=3 {
            reinforced(&memory, n, 7).await;
        }
        memory.pin(id(3), true).await.unwrap();
        let fallen = |trigger: &str| audit(0.55, Earned::Reliable, trigger, &memory);
        let assess = |n, audit: TrustAudit| {
            let memory = &memory;
            async move { policy(memory, |plan| plan.assess(id(n), audit.clone(), "asked")).await.unwrap() }
        };
        assess(1, fallen("first")).await;
        assert_eq!(authority(&memory, 1), Authority::Unreliable);
        assess(1, fallen("second")).await;
        assert_eq!(authority(&memory, 1), Authority::Unreliable, "an unchanged score lowers once");
        let mut config = memory.config();
        config.unit.demote_threshold = 0.5;
        memory.set_config(config).unwrap();
        assess(2, fallen("first")).await;
        assert_eq!(authority(&memory, 2), Authority::Reliable);
        let held = assess(3, audit(0.1, Earned::Provisional, "first", &memory)).await;
        assert_eq!((held.warnings[0].rule.as_str(), authority(&memory, 3)), ("A3d", Authority::Reliable));
    });
}

#[test]
fn prop_unit_dormancy_decay_rate_revival_threshold_and_dormancy_turns_put_to_sleep_by_turns() {
    run(async {
        let dormancy = Dormancy { decay_rate: 0.1, revival_threshold: 0.3, dormancy_turns: 2 };
        let memory = staffed(3, UnitSettings { dormancy, ..UnitSettings::default() }).await;
        memory.canonize_unit(id(2), "").await.unwrap();
        memory.pin(id(3), true).await.unwrap();
        let talk = memory.start_conversation("").await.unwrap();
        let mut seen = Vec::new();
        for turn in 0..6 {
            memory.ports().clock.advance_ms(1000);
            memory.say(talk, Speaker::User, &format!("Turn {turn}.")).await.unwrap();
            memory.settle_units().await.unwrap();
            memory.settle_units().await.unwrap();
            let view = memory.unit(id(1)).unwrap();
            seen.push((view.activation.get(), view.unit.is_active()));
        }
        // One turn without use is nothing yet; then a tenth a turn, until 340 and below.
        assert_eq!(seen[..4], [(500, true), (450, true), (405, true), (364, true)]);
        assert!(!seen[4].1, "{seen:?}");
        assert!(memory.unit(id(2)).unwrap().is_active() && memory.unit(id(3)).unwrap().is_active());
    });
}

#[test]
fn where_nothing_moves_evidence_is_counted_and_time_takes_nothing() {
    run(async {
        let still = UnitSettings { activation_moves: false, ..UnitSettings::default() };
        let memory = staffed(1, still).await;
        let change = reinforced(&memory, 1, 3).await;
        assert!(matches!(change.did, Did::Reinforced { count: 3, .. }), "{change:?}");
        memory.ports().clock.advance_ms(10_000 * HOUR);
        let view = memory.unit(id(1)).unwrap();
        assert_eq!((view.activation.get(), view.authority), (500, Authority::Unreliable));
        assert_eq!(memory.settle_units().await.unwrap().changes, [], "nothing falls asleep");
        let moved = policy(&memory, |plan| plan.set_activation(id(1), 700, "a policy")).await.unwrap();
        assert_eq!(moved.did, Did::Nothing, "{moved:?}");
        memory.set_activation(id(1), 700).await.unwrap();
        assert_eq!(memory.unit(id(1)).unwrap().activation.get(), 700, "a person's act does");
    });
}

#[test]
fn where_authority_does_not_rise_evidence_moves_activation_alone() {
    run(async {
        let flat = UnitSettings { authority_rises: false, ..UnitSettings::default() };
        let memory = staffed(1, flat).await;
        reinforced(&memory, 1, 7).await;
        let view = memory.unit(id(1)).unwrap();
        assert_eq!((view.activation.get(), view.authority), (850, Authority::Provisional));
        assert_eq!(view.unit.evidence().len(), 7);
    });
}
