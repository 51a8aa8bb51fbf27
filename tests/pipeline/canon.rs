//! CANON through the inbox: anybody may ask, a person alone decides.

use credence::Error;
use credence::config::Config;
use credence::id::PropositionId;
use credence::inbox::{Asker, CanonAnswer, InboxItem, InboxKind, Verdict};
use credence::testing::TestPorts;
use credence::unit::Authority;

use super::promotion::{offered, says, trusting, with};
use super::support::*;

fn status(memory: &TestMemory, n: u128) -> Authority {
    memory.state().unit(says(n, "x", 0.9).id).unwrap().authority()
}

async fn one_unit(change: impl FnOnce(&mut Config)) -> (TestMemory, PropositionId) {
    let both = |config: &mut Config| {
        trusting(config);
        change(config);
    };
    let memory = with(both, TestPorts::offline()).await;
    let king = says(1, "The king is alive.", 0.9);
    offered(&memory, std::slice::from_ref(&king)).await;
    (memory, king.id)
}

#[test]
fn core_196_a_wish_waits_and_the_same_wish_is_the_same_question() {
    run(async {
        let (memory, id) = one_unit(|_| {}).await;
        let first = memory.request_canon(id, Asker::Host, "seed").await.unwrap();
        let CanonAnswer::Pending { question } = first.clone() else { panic!("{first:?}") };
        let item = memory.state().inbox_item(question).cloned().unwrap();
        assert_eq!((item.kind, item.decision, item.closed), (InboxKind::Canonization, None, None));
        assert_eq!(memory.request_canon(id, Asker::Host, "again").await.unwrap(), first);
        assert_eq!(memory.inbox().len(), 1);
        let missing = memory.request_canon(says(9, "x", 0.9).id, Asker::Person, "").await;
        assert!(matches!(missing, Err(Error::NotFound { .. })));
    });
}

#[test]
fn core_197_approved_rejected_and_stale() {
    run(async {
        let ask =
            async |memory: &TestMemory, id| match memory.request_canon(id, Asker::Host, "").await.unwrap() {
                CanonAnswer::Pending { question } => question,
                other => panic!("{other:?}"),
            };
        let (memory, id) = one_unit(|_| {}).await;
        let question = ask(&memory, id).await;
        memory.decide(question, Verdict::Reject).await.unwrap();
        assert_eq!(status(&memory, 1), Authority::Provisional);
        let question = ask(&memory, id).await;
        memory.decide(question, Verdict::Accept).await.unwrap();
        assert_eq!(status(&memory, 1), Authority::Canon);
        let canon = memory.state().unit(id).unwrap().canon().cloned().unwrap();
        assert_eq!(canon.question(), Some(question));

        let (memory, id) = one_unit(|_| {}).await;
        let question = ask(&memory, id).await;
        memory.request_canon(id, Asker::Person, "").await.unwrap();
        assert_eq!(status(&memory, 1), Authority::Canon, "the person was faster");
        let late = memory.decide(question, Verdict::Accept).await;
        let item = memory.state().inbox_item(question).cloned().unwrap();
        match late {
            Ok(decided) => assert!(decided.effect.contains("stale"), "{}", decided.effect),
            Err(error) => assert!(matches!(error, Error::Invalid { .. }), "{error}"),
        }
        assert!(!item.is_open());
    });
}

#[test]
fn core_198_a_persons_own_wish_is_its_approval_one_way_alone() {
    run(async {
        let (memory, id) = one_unit(|_| {}).await;
        assert_eq!(memory.request_canon(id, Asker::Person, "mine").await.unwrap(), CanonAnswer::Approved);
        assert_eq!(status(&memory, 1), Authority::Canon);
        let answered: Vec<InboxItem> = memory.state().inbox_items().cloned().collect();
        assert!(answered.iter().all(|item| item.decision.is_some()), "written as approved");
        let back = memory.request_decanon(id, Asker::Person, "").await.unwrap();
        assert!(matches!(back, CanonAnswer::Pending { .. }), "{back:?}");
        assert_eq!(status(&memory, 1), Authority::Canon);
        memory.decide(memory.inbox()[0].id, Verdict::Accept).await.unwrap();
        assert_eq!(status(&memory, 1), Authority::Reliable);
    });
}

#[test]
fn prop_unit_auto_approve_promotions_off_makes_a_persons_wish_wait_and_on_approves_nobody_elses() {
    run(async {
        let (memory, id) = one_unit(|config| config.unit.auto_approve_promotions = false).await;
        let waits = memory.request_canon(id, Asker::Person, "").await.unwrap();
        assert!(matches!(waits, CanonAnswer::Pending { .. }));
        let (memory, id) = one_unit(|_| {}).await;
        let sweep = Asker::Policy { name: "a sweep".into() };
        for asker in [Asker::Host, Asker::Model, sweep] {
            let waits = memory.request_canon(id, asker, "").await.unwrap();
            assert!(matches!(waits, CanonAnswer::Pending { .. }));
        }
        assert_eq!(status(&memory, 1), Authority::Provisional);
    });
}

#[test]
fn prop_unit_canonization_gate_enabled_off_lets_a_person_act_at_once_and_nobody_else() {
    run(async {
        let (memory, id) = one_unit(|config| config.unit.canonization_gate_enabled = false).await;
        assert_eq!(memory.request_canon(id, Asker::Person, "").await.unwrap(), CanonAnswer::Approved);
        assert!(memory.state().inbox_items().next().is_none(), "no question is written");
        assert_eq!(memory.request_decanon(id, Asker::Person, "").await.unwrap(), CanonAnswer::Approved);
        assert_eq!(status(&memory, 1), Authority::Reliable);
        let waits = memory.request_canon(id, Asker::Host, "").await.unwrap();
        assert!(matches!(waits, CanonAnswer::Pending { .. }));
    });
}
