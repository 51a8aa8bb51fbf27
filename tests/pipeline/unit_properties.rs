//! What holds of units whatever policies, models and hosts try: CANON and pins are not moved, the budget is never exceeded, and
//! a plan that is made twice changes once.

use credence::Error;
use credence::trust::{TrustAudit, Zone};
use credence::unit::{
    ArchiveReason, Authority, Change, DemotionReason, Earned, Evidence, Mover, Objection, UnitPlan,
    UnitSettings,
};
use proptest::prelude::*;

use super::support::*;
use super::units::{id, moved, stocked};

/// The units 1 to 5 are in the working set, 6 and 7 are not; there are five places.
const STATEMENTS: u128 = 7;
const BUDGET: u32 = 5;

/// Something that somebody tries.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    mover: u8,
    what: u8,
    unit: u128,
    number: u16,
    hours: i64,
}

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let one = (0..3_u8, 0..12_u8, 1..=STATEMENTS, 0..1000_u16, 0..400_i64);
    let attempt =
        one.prop_map(|(mover, what, unit, number, hours)| Attempt { mover, what, unit, number, hours });
    prop::collection::vec(attempt, 1..40)
}

fn plan(attempt: Attempt, plan: &UnitPlan<'_>) -> Result<Change, Objection> {
    let (unit, why) = (id(attempt.unit), "because");
    let reasons =
        [DemotionReason::ConflictEvidence, DemotionReason::TrustDegradation, DemotionReason::RankDecay];
    let reason = reasons[usize::from(attempt.number) % 3];
    let score = f64::from(attempt.number) / 1000.0;
    let audit = || TrustAudit {
        score,
        zone: Zone::Review,
        ceiling: if score < 0.5 { Earned::Provisional } else { Earned::Reliable },
        profile: "BALANCED".into(),
        signals: Vec::new(),
        trigger: "attempt".into(),
        at: plan.now,
    };
    match attempt.what {
        0 => plan.promote(unit, Some(audit()), why),
        1 => plan.revive(unit, why),
        2 => plan.evict(unit, why),
        3 => plan.sleep(unit, why),
        4 => plan.archive(unit, ArchiveReason::ConflictReplacement, Some(id(7)), why),
        5 => plan.archive(unit, ArchiveReason::ProactiveMaintenance, None, why),
        6 => plan.demote(unit, reason, why),
        7 => plan.set_activation(unit, attempt.number.into(), why),
        8 => plan.assess(unit, audit(), why),
        9 => plan.reinforce(
            unit,
            Evidence::source(format!("V{}", attempt.number), plan.now),
            || Some(audit()),
            why,
        ),
        10 => plan.canonize(unit, why),
        _ => plan.decanonize(unit, why),
    }
}

async fn attempted(memory: &TestMemory, attempt: Attempt) -> Result<Change, Error> {
    let mover = [Mover::Policy("a policy"), Mover::Model, Mover::Host][usize::from(attempt.mover)];
    moved(memory, mover, |planning| plan(attempt, planning)).await
}

async fn began() -> TestMemory {
    let memory = stocked(STATEMENTS, UnitSettings { budget: BUDGET, ..UnitSettings::default() }).await;
    for n in 1..=5 {
        memory.add_to_working_set(id(n)).await.unwrap();
    }
    memory.canonize_unit(id(1), "").await.unwrap();
    memory.pin(id(2), true).await.unwrap();
    memory
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn canon_and_pins_are_moved_by_no_policy_and_the_budget_holds(attempts in attempts()) {
        run(async {
            let memory = began().await;
            let canon = memory.unit(id(1)).unwrap();
            for attempt in attempts {
                let before = memory.unit(id(2)).unwrap();
                memory.ports().clock.advance_ms(attempt.hours * 3_600_000);
                drop(attempted(&memory, attempt).await);
                memory.settle_units().await.unwrap();
                let one = memory.unit(id(1)).unwrap();
                assert_eq!((one.authority, one.unit.canon()), (Authority::Canon, canon.unit.canon()));
                assert!(one.is_active());
                let two = memory.unit(id(2)).unwrap();
                assert!(two.is_active() && two.authority >= before.authority && two.activation >= before.activation);
                assert!(memory.working_set().len() <= BUDGET as usize);
                for n in 2..=STATEMENTS {
                    assert!(memory.unit(id(n)).is_none_or(|view| view.authority < Authority::Canon));
                }
            }
        });
    }

    #[test]
    fn a_plan_that_is_made_twice_changes_once(attempts in attempts()) {
        run(async {
            let memory = began().await;
            for attempt in attempts {
                memory.ports().clock.advance_ms(attempt.hours * 3_600_000);
                drop(attempted(&memory, attempt).await);
                let seq = memory.state().seq();
                // Lowering again is another level, by the same right as the first.
                if attempt.what != 6 {
                    let again = attempted(&memory, attempt).await;
                    assert!(again.is_err() || !again.is_ok_and(|change| change.is_something()));
                    assert_eq!(memory.state().seq(), seq);
                }
                memory.settle_units().await.unwrap();
                let seq = memory.state().seq();
                assert!(memory.settle_units().await.unwrap().changes.is_empty());
                assert_eq!(memory.state().seq(), seq);
            }
        });
    }
}
