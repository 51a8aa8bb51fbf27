//! What a sweep proposes as CANON: RELIABLE units that have stood long and well. It asks; a person alone answers.

use super::promotion::says;
use super::support::*;
use super::sweeps::{id, pass, set, sweep};
use credence::history::{Actor, Cause, ScopeInfo};
use credence::inbox::{InboxItem, InboxKind, Verdict};
use credence::llm::Cancel;
use credence::proposition::Proposition;
use credence::testing::TestPorts;
use credence::unit::{Authority, Change, Evidence, Mover, Objection, SeedUnit, UnitPlan};
use credence::upkeep::{ProactiveSettings, SweepKind};

/// One act of a rule on units.
async fn by_rule(memory: &TestMemory, act: impl Fn(&UnitPlan<'_>) -> Result<Change, Objection>) {
    let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "test");
    let done = memory.change(info, |state, scope| {
        let (config, now, context) = (memory.config(), memory.now().at, memory.context());
        let plan = UnitPlan { state, scope, config: &config, context, now, mover: Mover::Policy("test") };
        assert!(act(&plan)?.is_something());
        Ok(())
    });
    done.await.unwrap();
}

/// The next source says the same as unit 1.
async fn another_source(memory: &TestMemory) {
    let known = memory.unit(id(1)).unwrap().unit.evidence().len();
    by_rule(memory, |plan| {
        plan.reinforce(id(1), Evidence::source(format!("source {known}"), plan.now), || None, "test")
    })
    .await;
}

/// Unit 1 as a new context begins with it, and so many turns later so many sources that say the same.
async fn stood(ports: TestPorts, turns: u32, sources: u32) -> TestMemory {
    let memory = open(ports).await;
    let (text, authority) = ("Nia lives in Bonn.".into(), Authority::Reliable);
    let seed = SeedUnit { text, authority, rank: 700, pinned: false };
    let statement = Proposition { id: id(1), ..says(1, &seed.text, 0.9) };
    memory.save(&[statement], Actor::Host).await.unwrap();
    by_rule(&memory, |plan| plan.seed(id(1), &seed)).await;
    pass(&memory, turns).await;
    for _ in 0..sources {
        another_source(&memory).await;
    }
    memory
}

async fn reliable(turns: u32, sources: u32) -> TestMemory {
    stood(TestPorts::offline(), turns, sources).await
}

fn questions(memory: &TestMemory) -> Vec<InboxItem> {
    memory.inbox().into_iter().filter(|item| item.kind == InboxKind::Canonization).collect()
}

/// Whether a sweep proposes unit 1.
async fn proposes(memory: &TestMemory) -> bool {
    let before = questions(memory).len();
    let report = sweep(memory, SweepKind::Light).await;
    assert_eq!(report.proposed.len(), questions(memory).len() - before, "{}", report.summary());
    !report.proposed.is_empty()
}

#[test]
fn core_221_who_has_stood_long_and_well_is_proposed_and_a_person_decides() {
    run(async {
        let memory = reliable(22, 20).await;
        let report = sweep(&memory, SweepKind::Light).await;
        let [question] = questions(&memory).try_into().unwrap();
        assert_eq!(report.proposed, [question.id]);
        assert!(question.why.contains("maintenance sweep: 20 pieces of evidence"), "{}", question.why);
        assert!(memory.config().unit.auto_approve_promotions, "which approves no rule's wish");
        assert_eq!(memory.unit(id(1)).unwrap().authority, Authority::Reliable);
        memory.decide(question.id, Verdict::Accept).await.unwrap();
        assert_eq!(memory.unit(id(1)).unwrap().authority, Authority::Canon);
        assert!(!proposes(&memory).await, "it is CANON already");
    });
}

#[test]
fn core_221_too_little_evidence_or_authority_is_not_proposed() {
    run(async {
        assert!(!proposes(&reliable(22, 5).await).await);
        // With the same evidence behind it, but lowered since.
        for (steps, authority) in [(1, Authority::Unreliable), (2, Authority::Provisional)] {
            let memory = reliable(22, 20).await;
            for _ in 0..steps {
                memory.demote_unit(id(1)).await.unwrap();
            }
            let view = memory.unit(id(1)).unwrap();
            assert_eq!((view.authority, view.unit.evidence().len()), (authority, 20));
            assert!(!proposes(&memory).await, "{authority:?}");
        }
    });
}

#[test]
fn a_sweep_asks_once_and_after_a_no_only_with_new_evidence() {
    run(async {
        let ports = TestPorts::offline();
        let memory = stood(ports.sibling(), 22, 20).await;
        assert!(proposes(&memory).await);
        assert!(!proposes(&memory).await, "while it waits");
        another_source(&memory).await;
        assert!(!proposes(&memory).await, "it still waits");
        ports.clock.advance_ms(1000);
        memory.decide(questions(&memory)[0].id, Verdict::Reject).await.unwrap();
        assert!(!proposes(&memory).await, "a person said no");
        ports.clock.advance_ms(1000);
        another_source(&memory).await;
        assert!(proposes(&memory).await, "something has come to light since");
        memory.decide(questions(&memory)[0].id, Verdict::Accept).await.unwrap();
        ports.clock.advance_ms(1000);
        memory.decanonize_unit(id(1), "").await.unwrap();
        assert_eq!(memory.unit(id(1)).unwrap().authority, Authority::Reliable);
        assert!(!proposes(&memory).await, "a person took it back");
        ports.clock.advance_ms(1000);
        another_source(&memory).await;
        assert!(proposes(&memory).await);
    });
}

#[test]
fn a_proposal_goes_with_its_sweep() {
    run(async {
        let memory = reliable(22, 20).await;
        let dry = memory.sweep(SweepKind::Light, true, &Cancel::new()).await.unwrap();
        assert!(dry.proposed.is_empty() && questions(&memory).is_empty());
        assert_eq!(dry.notes, ["CANON would be proposed for 1"]);
        assert!(proposes(&memory).await);
        let head = memory.log().commits().last().unwrap().clone();
        memory.undo(head.id, None).await.unwrap();
        assert!(questions(&memory).is_empty());
        set(&memory, |c| {
            let proactive = &mut c.maintenance.proactive;
            (proactive.hard_prune_threshold, proactive.soft_prune_threshold) = (0.999, 1.0);
            // At the peak of attention nothing is pruned.
            c.attention.enabled = false;
        });
        pass(&memory, 1).await;
        assert!(!proposes(&memory).await, "what leaves is not asked about");
        assert!(memory.working_set().is_empty());
    });
}

#[test]
fn prop_maintenance_proactive_candidacy_min_reinforcements_counts_evidence() {
    run(async {
        for (sources, least, is_proposed) in [(10, 10, true), (9, 10, false), (9, 9, true)] {
            let memory = reliable(22, sources).await;
            set(&memory, |c| c.maintenance.proactive.candidacy_min_reinforcements = least);
            assert_eq!(proposes(&memory).await, is_proposed, "{sources} of {least}");
        }
        assert_eq!(ProactiveSettings::default().candidacy_min_reinforcements, 10);
    });
}

#[test]
fn prop_maintenance_proactive_candidacy_min_audit_score_bounds_the_score() {
    run(async {
        // Five turns of ten without a use: 1 - 0.165 at the most.
        for (least, is_proposed) in [(0.8, true), (0.84, false)] {
            let memory = reliable(22, 10).await;
            pass(&memory, 5).await;
            set(&memory, |c| c.maintenance.proactive.candidacy_min_audit_score = least);
            assert_eq!(proposes(&memory).await, is_proposed, "{least}");
        }
        assert_eq!(ProactiveSettings::default().candidacy_min_audit_score, 0.8);
    });
}

#[test]
fn prop_maintenance_proactive_candidacy_min_age_counts_turns_since_the_promotion() {
    run(async {
        for (turns, least, is_proposed) in [(5, 5, true), (4, 5, false), (4, 4, true)] {
            let memory = reliable(turns, 10).await;
            set(&memory, |c| c.maintenance.proactive.candidacy_min_age = least);
            assert_eq!(proposes(&memory).await, is_proposed, "{turns} of {least}");
        }
        assert_eq!(ProactiveSettings::default().candidacy_min_age, 5);
    });
}
