//! Retention: what a policy drops, what it never touches, and how questions to what is gone are answered.

use credence::config::Config;
use credence::error::Error;
use credence::history::{Actor, Cause, HistoryError, Keep, RecordId};
use credence::id::PropositionId;
use credence::memory::Edit;
use credence::proposition::PropositionQuery;
use credence::testing::TestPorts;
use credence::time::DAY_MS;
use proptest::prelude::*;
use serde_json::json;

use super::support::*;

async fn worded(memory: &TestMemory, id: PropositionId, text: &str) {
    memory.edit(id, &Edit { text: Some(text.into()), ..Edit::default() }).await.unwrap();
}

/// A memory with one statement that was worded again and again, a day apart, and its id.
async fn lamp(ports: TestPorts, wordings: usize) -> (TestMemory, PropositionId) {
    let memory = open(ports).await;
    memory.remember("The lamp is green.").await.unwrap();
    let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
    for n in 0..wordings {
        memory.ports().clock.advance_ms(DAY_MS);
        worded(&memory, id, &format!("The lamp has colour {n}.")).await;
    }
    (memory, id)
}

fn views(memory: &TestMemory, from: u64) -> Vec<String> {
    let log = memory.log();
    let last = log.commits().iter().rfind(|commit| commit.cause != Cause::Retention).unwrap().seq;
    let view = |seq| format!("{:?}", log.view_at(seq).unwrap().revisions().collect::<Vec<_>>());
    (from.max(1)..=last).map(view).collect()
}

#[test]
fn hist_8_compacting_keeps_every_view_from_the_horizon_on_and_refuses_earlier_ones() {
    run(async {
        let (memory, id) = lamp(TestPorts::offline(), 6).await;
        let policy = Keep::Days { days: 2 };
        let preview = memory.preview_compaction(policy).unwrap();
        assert!(preview.revisions > 0 && preview.bytes > 0 && preview.commit.is_none(), "{preview:?}");
        let (before, seq) = (views(&memory, preview.horizon), memory.state().seq());
        let recorded_then = memory.log().commits()[1].at;
        let done = memory.compact_history(Actor::Person, policy).await.unwrap();
        assert_eq!(
            (done.horizon, done.revisions, done.bytes),
            (preview.horizon, preview.revisions, preview.bytes)
        );
        assert_eq!(views(&memory, done.horizon), before, "no view that is kept changes");
        {
            let log = memory.log();
            assert_eq!((log.state().seq(), log.horizon()), (seq + 1, done.horizon));
            assert!(
                log.commits().iter().enumerate().all(|(n, commit)| commit.seq == n as u64 + 1),
                "no envelope goes"
            );
            let refused = log.view_at(done.horizon - 1).unwrap_err();
            assert!(
                matches!(refused, HistoryError::Compacted { .. })
                    && refused.to_string().contains("compacted")
            );
        }
        let now = memory.now().at;
        assert!(memory.as_of(now, recorded_then).is_err(), "never a wrong view");
        assert!(memory.working_set_as_of(now, recorded_then).is_err());
        assert!(memory.as_of(now, now).is_ok());
        assert!(memory.history(id).len() < 7, "what was overwritten before the horizon is gone");
        assert!(
            memory.compact_history(Actor::Person, policy).await.unwrap().commit.is_none(),
            "and once is enough"
        );
    });
}

#[test]
fn hist_12_an_undo_whose_earlier_revision_was_compacted_says_so() {
    run(async {
        let (memory, id) = lamp(TestPorts::offline(), 3).await;
        let commits: Vec<_> =
            memory.log().history(RecordId::Proposition(id)).map(|step| step.commit.id).collect();
        memory.ports().clock.advance_ms(5 * DAY_MS);
        memory.compact_history(Actor::Person, Keep::Days { days: 1 }).await.unwrap();
        let last = *commits.last().unwrap();
        let preview = memory.preview_undo(Actor::Person, last, None).unwrap();
        assert_eq!((preview.restoring.len(), preview.lost.as_slice()), (0, &[RecordId::Proposition(id)][..]));
        let undone = memory.undo(last, None).await.unwrap();
        let live = memory.state().proposition(id).cloned();
        assert_eq!(undone.lost, [RecordId::Proposition(id)]);
        assert_eq!(live.unwrap().text, "The lamp has colour 2.", "what is not known any more is not guessed");
        let revert = memory.revert_to(Actor::Person, 1, Default::default()).await.unwrap_err();
        assert!(matches!(revert, Error::History(HistoryError::Compacted { .. })), "{revert}");
    });
}

#[test]
fn prop_history_keep_keep_revisions_and_keep_days_compact_by_themselves() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let all = ports.sibling();
        lamp(ports, 30).await;
        let untouched = open(all).await;
        assert_eq!(untouched.log().horizon(), 0, "by default everything is kept");
        let mut config = Config::default();
        config.set_property("history.keep", json!("revisions")).unwrap();
        config.set_property("history.keep-revisions", json!(5)).unwrap();
        let memory = credence::Memory::open(sibling, context(), config).await.unwrap();
        let log = memory.log();
        let last = log.commits().last().unwrap();
        assert_eq!((last.cause, last.actor), (Cause::Retention, Actor::Engine));
        let behind: usize =
            log.commits().iter().filter(|c| c.seq > log.horizon()).map(|c| c.revisions.len()).sum();
        assert!(behind <= 5 && log.horizon() > 20, "{behind} {}", log.horizon());
        drop(log);
        let mut by_days = memory.config();
        by_days.set_property("history.keep", json!("days")).unwrap();
        by_days.set_property("history.keep-days", json!(2)).unwrap();
        let horizon = by_days.history.keep().horizon(&memory.log(), memory.now().at);
        assert!(horizon > 0 && horizon < memory.state().seq());
        assert!(by_days.set_property("history.keep-days", json!(0)).unwrap_err().contains("1 to 36500"));
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Whatever was done, and whatever is kept: views from the horizon on are the same bytes, and the memory reads back.
    #[test]
    fn no_view_that_is_kept_ever_changes(acts in prop::collection::vec((0_usize..3, 0_u32..4), 1..16), kept in 1_u32..30) {
        run(async {
            let ports = TestPorts::offline();
            let sibling = ports.sibling();
            let memory = open(ports).await;
            for (act, n) in acts {
                let known: Vec<PropositionId> = memory.state().propositions().map(|p| p.id).collect();
                match (act, known.get(n as usize)) {
                    (1, Some(id)) => worded(&memory, *id, &format!("The lamp {n} hums in key {}.", memory.state().seq())).await,
                    (2, Some(id)) => { memory.forget(*id).await.unwrap(); }
                    _ => { memory.remember(&format!("The lamp {n} is of colour {}.", memory.state().seq())).await.unwrap(); }
                }
            }
            let policy = Keep::Revisions { revisions: kept };
            let preview = memory.preview_compaction(policy).unwrap();
            let before = views(&memory, preview.horizon);
            memory.compact_history(Actor::Host, policy).await.unwrap();
            assert_eq!(views(&memory, preview.horizon), before);
            let again = open(sibling).await;
            assert_eq!(views(&again, preview.horizon), before);
        });
    }
}
