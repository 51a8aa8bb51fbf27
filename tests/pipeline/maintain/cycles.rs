//! Cycles: when one is due, that one runs at a time, and how a session meets what was known.

use super::*;

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
