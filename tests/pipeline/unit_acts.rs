//! What a person does to units, what no one else may, and what a context begins with.

use credence::Error;
use credence::config::Config;
use credence::event::UnitEvent;
use credence::history::{Actor, Cause, RecordId, ScopeInfo};
use credence::inbox::InboxKind;
use credence::llm::Cancel;
use credence::proposition::Status;
use credence::testing::TestPorts;
use credence::unit::{
    ArchiveReason, Authority, ChatSeed, DemotionReason, Did, InvariantKind, InvariantRule, SeedUnit,
    Standing, Strength, Unit, UnitSettings,
};

use super::support::*;
use super::units::*;

#[test]
fn what_sleeps_wakes_when_it_matters_and_there_is_room() {
    run(async {
        let memory = staffed(3, UnitSettings { budget: 3, ..UnitSettings::default() }).await;
        for n in 1..=2 {
            policy(&memory, |plan| plan.evict(id(n), "room")).await.unwrap();
        }
        let woke = memory.wake_units(&[id(3), id(1), id(99)], "it answers a question").await.unwrap();
        assert_eq!(woke.iter().map(|change| change.unit).collect::<Vec<_>>(), [id(1)]);
        memory.save(&[extra(&memory, 4)], Actor::Host).await.unwrap();
        memory.add_to_working_set(id(4)).await.unwrap();
        assert!(memory.wake_units(&[id(2)], "it answers a question").await.unwrap().is_empty());
        assert_eq!(memory.working_set().len(), 3);
    });
}

#[test]
fn a_commit_that_moves_canon_without_a_person_is_refused() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        let plain = memory.unit(id(2)).unwrap().unit;
        memory.canonize_unit(id(1), "").await.unwrap();
        let canon = memory.unit(id(1)).unwrap().unit;
        let mut forged = serde_json::to_value(&plain).unwrap();
        forged["canon"] = serde_json::json!({"at": 0});
        let mut stripped = serde_json::to_value(&canon).unwrap();
        stripped.as_object_mut().unwrap().remove("canon");
        let mut retired = serde_json::to_value(&canon).unwrap();
        retired["standing"] = serde_json::json!({"state": "archived", "at": 0, "reason": "MANUAL"});
        for (json, actor) in
            [forged, stripped, retired].iter().flat_map(|json| [(json, Actor::Engine), (json, Actor::Host)])
        {
            let unit: Unit = serde_json::from_value(json.clone()).unwrap();
            let info = ScopeInfo::new(Cause::Maintenance, actor, "test");
            let refused = memory.change(info, |state, scope| {
                scope.put(state, unit.clone(), "");
                Ok(())
            });
            assert!(matches!(refused.await, Err(Error::Invalid { what: "commit", .. })), "{json}");
        }
        assert_eq!(
            (authority(&memory, 1), authority(&memory, 2)),
            (Authority::Canon, Authority::Provisional)
        );
    });
}

#[test]
fn a_question_wakes_the_unit_that_it_is_about() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["My name is Mara. I live in Kleve."]).await;
        let home = memory
            .propositions(&Default::default())
            .into_iter()
            .find(|view| view.proposition.text.contains("Kleve"))
            .unwrap()
            .proposition
            .id;
        memory.add_to_working_set(home).await.unwrap();
        policy(&memory, |plan| plan.evict(home, "room")).await.unwrap();
        let talk = memory.start_conversation("").await.unwrap();
        for (question, awake) in [("How do I boil an egg?", false), ("Where do I live?", true)] {
            user_says(&memory, talk, question).await;
            memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            assert_eq!(memory.unit(home).unwrap().is_active(), awake, "{question}");
        }
    });
}

fn seeds() -> ChatSeed {
    let seed = |text: &str, authority, rank, pinned| SeedUnit { text: text.into(), authority, rank, pinned };
    ChatSeed {
        enabled: true,
        units: vec![
            seed("The story is set in Oslo.", Authority::Reliable, 700, true),
            seed("Nia is the hero.", Authority::Canon, 600, false),
            seed("It may rain.", Authority::Provisional, 300, false),
        ],
    }
}

#[test]
fn prop_unit_chat_seed_enabled_unit_chat_seed_units_begin_a_new_context_and_no_other() {
    run(async {
        let config =
            Config { unit: UnitSettings { chat_seed: seeds(), ..Default::default() }, ..Config::default() };
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = credence::Memory::open(ports, context(), config.clone()).await.unwrap();
        let set: Vec<(String, Authority, u16, bool)> = memory
            .working_set()
            .into_iter()
            .map(|v| (v.proposition.text, v.authority, v.activation.get(), v.proposition.pinned))
            .collect();
        let row = |text: &str, authority, rank, pinned| (text.to_owned(), authority, rank, pinned);
        let expected = [
            row("The story is set in Oslo.", Authority::Reliable, 700, true),
            row("Nia is the hero.", Authority::Reliable, 600, false),
            row("It may rain.", Authority::Provisional, 300, false),
        ];
        assert_eq!(set, expected, "settings are no person: what they want CANON begins as RELIABLE");
        let asked: Vec<InboxKind> = memory.inbox().into_iter().map(|item| item.kind).collect();
        assert_eq!(asked, [InboxKind::Canonization], "and a person is asked");
        let seq = memory.state().seq();
        let again = credence::Memory::open(sibling, context(), config.clone()).await.unwrap();
        assert_eq!(again.state().seq(), seq, "a context begins once");
        let off = Config {
            unit: UnitSettings { chat_seed: ChatSeed { enabled: false, ..seeds() }, ..Default::default() },
            ..config
        };
        let empty = credence::Memory::open(TestPorts::offline(), context(), off).await.unwrap();
        assert_eq!(empty.state().seq(), 0);
    });
}

#[test]
fn a_unit_goes_with_its_statement_and_comes_back_with_it() {
    run(async {
        let memory = staffed(3, UnitSettings::default()).await;
        let forgotten = memory.forget(id(1)).await.unwrap().unwrap();
        assert!(memory.unit(id(1)).is_none() && memory.state().unit(id(1)).is_none());
        memory.undo(forgotten.id, None).await.unwrap();
        assert!(memory.unit(id(1)).unwrap().is_active());
        let edit = credence::memory::Edit { status: Some(Status::Superseded), ..Default::default() };
        let retired = memory.edit(id(2), &edit).await.unwrap().unwrap();
        let standing = memory.unit(id(2)).unwrap().unit.standing().clone();
        assert!(matches!(standing, Standing::Archived { reason: ArchiveReason::Revision, .. }));
        memory.undo(retired.id, Some(&[RecordId::Proposition(id(2))])).await.unwrap();
        assert!(memory.unit(id(2)).unwrap().is_active(), "one truth, undone as one");
        assert_eq!(memory.working_set().len(), 3);
    });
}

#[test]
fn a_person_confirms_once_and_acts_can_be_undone() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let act = memory.confirm_unit(id(1)).await.unwrap();
        assert!(matches!(act.change.did, Did::Reinforced { count: 1, .. }));
        assert_eq!(memory.confirm_unit(id(1)).await.unwrap().commit, None, "the same person again");
        memory.undo(act.commit.unwrap(), None).await.unwrap();
        assert_eq!((rank(&memory, 1), memory.unit(id(1)).unwrap().unit.evidence().len()), (500, 0));
    });
}

#[test]
fn core_50_canon_is_taken_back_by_a_person() {
    run(async {
        let settings = UnitSettings { canonization_gate_enabled: false, ..UnitSettings::default() };
        let memory = staffed(1, settings).await;
        memory.canonize_unit(id(1), "I know it").await.unwrap();
        assert_eq!(memory.unit(id(1)).unwrap().unit.canon().unwrap().note(), "I know it");
        let refused = policy(&memory, |plan| plan.demote(id(1), DemotionReason::Manual, "")).await;
        assert_eq!(rule_of(&refused), "A3b");
        memory.demote_unit(id(1)).await.unwrap();
        assert_eq!(authority(&memory, 1), Authority::Reliable);
    });
}

#[test]
fn core_51_52_archiving_meets_the_rules() {
    run(async {
        let memory = staffed(3, UnitSettings::default()).await;
        let rule = must(InvariantKind::ArchiveProhibition);
        memory.register_invariant(rule.clone()).unwrap();
        let (refused, events) = told(&memory, memory.archive_unit(id(1), "")).await;
        assert_eq!(rule_of(&refused), "rule");
        assert!(matches!(events.as_slice(), [UnitEvent::InvariantViolation { .. }]));
        assert!(memory.unit(id(1)).unwrap().is_active());
        memory.register_invariant(InvariantRule { strength: Strength::Should, ..rule }).unwrap();
        let (act, events) = told(&memory, memory.archive_unit(id(1), "old")).await;
        assert_eq!(act.unwrap().change.warnings.len(), 1);
        let archived = UnitEvent::Archived { unit: id(1), reason: ArchiveReason::Manual };
        assert!(events.contains(&archived) && events.len() == 2, "{events:?}");
    });
}

#[test]
fn prop_unit_invariants_enabled_unit_invariants_rules_stop_what_they_forbid() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        memory.register_invariant(must(InvariantKind::ArchiveProhibition)).unwrap();
        assert_eq!(rule_of(&memory.archive_unit(id(1), "").await), "rule");
        let mut config = memory.config();
        config.unit.invariants.enabled = false;
        memory.set_config(config).unwrap();
        assert!(memory.archive_unit(id(1), "").await.is_ok());
    });
}

#[test]
fn prop_unit_lifecycle_events_enabled_switches_what_is_told() {
    run(async {
        let silent = UnitSettings { lifecycle_events_enabled: false, ..UnitSettings::default() };
        for (settings, count) in [(silent, 0), (UnitSettings::default(), 1)] {
            let memory = stocked(1, settings).await;
            let (_, told) = told(&memory, memory.add_to_working_set(id(1))).await;
            assert_eq!(told.len(), count);
        }
    });
}

#[test]
fn promoting_again_does_not_reset_what_was_earned() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        reinforced(&memory, 1, 7).await;
        policy(&memory, |plan| plan.evict(id(1), "room")).await.unwrap();
        let again =
            || async { policy(&memory, |plan| plan.promote(id(1), None, "said again")).await.unwrap() };
        assert!(matches!(again().await.did, Did::Revived { .. }));
        assert_eq!(authority(&memory, 1), Authority::Reliable);
        assert_eq!(again().await.did, Did::Nothing, "promoting twice promotes once");
        // What a person took out no policy brings back.
        memory.archive_unit(id(1), "").await.unwrap();
        let refused = policy(&memory, |plan| plan.revive(id(1), "relevant")).await;
        assert_eq!(rule_of(&refused), "standing");
        assert!(memory.revive_unit(id(1)).await.is_ok());
    });
}

#[test]
fn core_44_without_events_nothing_at_all_is_told() {
    run(async {
        let settings = UnitSettings { lifecycle_events_enabled: false, ..UnitSettings::default() };
        let memory = staffed(2, settings).await;
        memory.register_invariant(must(InvariantKind::ArchiveProhibition)).unwrap();
        let (_, told) = told(&memory, async {
            memory.confirm_unit(id(1)).await.unwrap();
            memory.canonize_unit(id(1), "").await.unwrap();
            assert_eq!(rule_of(&memory.archive_unit(id(2), "").await), "rule");
            memory.forget(id(2)).await.unwrap();
        })
        .await;
        assert!(told.is_empty(), "{told:?}");
    });
}

#[test]
fn core_49_what_wants_canon_lowered_is_refused_and_files_no_request() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        memory.canonize_unit(id(1), "").await.unwrap();
        let seq = memory.state().seq();
        for reason in
            [DemotionReason::Manual, DemotionReason::ConflictEvidence, DemotionReason::TrustDegradation]
        {
            let refused = policy(&memory, |plan| plan.demote(id(1), reason, "attacked")).await;
            assert_eq!(rule_of(&refused), "A3b");
        }
        assert_eq!((authority(&memory, 1), memory.state().seq()), (Authority::Canon, seq));
        assert!(memory.inbox().is_empty(), "an attack is no reason to ask a person anew each time");
    });
}
