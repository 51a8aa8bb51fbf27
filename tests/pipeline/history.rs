//! History through the handle: grouping, racing writers, undo, export, determinism.

use std::collections::BTreeSet;

use credence::bundle::Bundle;
use credence::conversation::Speaker;
use credence::error::Error;
use credence::history::{Actor, Cause, JournalError, RecordId, ScopeInfo};
use credence::id::PropositionId;
use credence::memory::{Edit, RevertOptions};
use credence::proposition::{Extractor, Proposition, PropositionQuery, Status};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use uuid::Uuid;

use super::support::*;

fn fact(run: u128, n: u128) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(run * 1000 + n + 1));
    let text = format!("run {run} fact {n}");
    Proposition::new(id, &text, Confidence::MAX, Extractor::Person, Default::default()).unwrap()
}

/// Rule 4: eight concurrent runs of six facts are eight commits, and none mixes two runs.
#[test]
fn hist_4_eight_concurrent_runs_are_eight_commits() {
    run(async {
        let memory = offline().await;
        let ingest = async |number: u128| {
            let scope =
                memory.scope(ScopeInfo::new(Cause::Import, Actor::Host, "run").with_id("run", number));
            for n in 0..6 {
                // Yield between facts, so that the runs really interleave.
                let mut yielded = false;
                std::future::poll_fn(|cx| {
                    if std::mem::replace(&mut yielded, true) {
                        return std::task::Poll::Ready(());
                    }
                    cx.waker().wake_by_ref();
                    std::task::Poll::Pending
                })
                .await;
                let inner = scope.nested(ScopeInfo::new(Cause::Manual, Actor::Person, "one fact"));
                inner.put(&memory.state(), fact(number, n), "");
                assert!(memory.commit(&inner).await.unwrap().is_none(), "an inner scope joins its outer one");
            }
            memory.commit(&scope).await.unwrap().unwrap()
        };
        futures::future::join_all((0..8).map(ingest)).await;
        let log = memory.log();
        assert_eq!(log.commits().len(), 8);
        for commit in log.commits() {
            let run = &commit.ids["run"];
            let texts: BTreeSet<String> = commit
                .revisions
                .iter()
                .map(|r| format!("{:?}", r.value).contains(&format!("run {run} fact")).to_string())
                .collect();
            assert_eq!((commit.revisions.len(), texts), (6, BTreeSet::from(["true".to_owned()])));
        }
    });
}

#[test]
fn two_writers_on_one_store_lose_nothing() {
    run(async {
        let ports = TestPorts::offline();
        let other = open(ports.sibling()).await;
        let memory = open(ports).await;
        let talk = memory.start_conversation("").await.unwrap();
        other.refresh().await.unwrap();
        for n in 0..50 {
            let (ours, theirs) = (format!("ours {n}"), format!("theirs {n}"));
            let (a, b) = futures::join!(
                memory.say(talk, Speaker::User, &ours),
                other.say(talk, Speaker::User, &theirs)
            );
            a.unwrap();
            b.unwrap();
        }
        memory.refresh().await.unwrap();
        other.refresh().await.unwrap();
        let turns: Vec<u32> = memory.state().turns(talk).map(|turn| turn.index).collect();
        assert_eq!(turns, (0..100).collect::<Vec<u32>>(), "every turn, each in a place of its own");
        assert_eq!(memory.state().seq(), other.state().seq());
    });
}

#[test]
fn a_change_decided_on_a_moved_record_is_decided_again_or_refused() {
    run(async {
        let ports = TestPorts::offline();
        let other = open(ports.sibling()).await;
        let memory = open(ports).await;
        memory.remember("The lamp is green.").await.unwrap();
        other.refresh().await.unwrap();
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        let stale = memory.scope(ScopeInfo::new(Cause::Manual, Actor::Host, "late"));
        stale.remove(&memory.state(), RecordId::Proposition(id), "");
        other.edit(id, &Edit { text: Some("The lamp is blue.".into()), ..Edit::default() }).await.unwrap();
        assert!(
            matches!(memory.commit(&stale).await, Err(Error::Conflict { .. })),
            "decided on what is gone"
        );
        memory.pin(id, true).await.unwrap();
        let lamp = memory.state().proposition(id).unwrap().clone();
        assert!(lamp.pinned && lamp.text == "The lamp is blue.", "{lamp:?}");
    });
}

#[test]
fn hist_2_a_refused_write_changes_nothing_and_can_be_repeated() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        memory.ports().journal.fail_next(JournalError::QuotaExceeded);
        let failed = memory.say(talk, Speaker::User, "I live in Kleve.").await;
        assert_eq!(failed.unwrap_err().code(), "store-quota");
        assert_eq!((memory.state().turns(talk).count(), memory.state().seq()), (0, 1));
        user_says(&memory, talk, "I live in Kleve.").await;
        memory.ports().journal.fail_after_next(JournalError::Backend { detail: "the tab died".into() });
        assert!(memory.say(talk, Speaker::User, "I have a cat.").await.is_err());
        memory.refresh().await.unwrap();
        assert_eq!(memory.state().turns(talk).count(), 2, "what became durable is there, whole");
    });
}

#[test]
fn case_42_a_full_store_loses_nothing_and_can_be_exported() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve."]).await;
        let (before, seq) = (memory.export().await.unwrap(), memory.state().seq());
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        let full = || memory.ports().journal.fail_next(JournalError::QuotaExceeded);
        full();
        let refused = memory.remember("I have a cat.").await.unwrap_err();
        assert!(refused.to_string().contains("nothing was lost") && refused.to_string().contains("export"));
        full();
        assert_eq!(memory.pin(id, true).await.unwrap_err().code(), "store-quota");
        full();
        let target = credence::erasure::ErasureTarget::Proposition { id };
        assert_eq!(
            memory.erase(&target).await.unwrap_err().code(),
            "store-quota",
            "rewriting is whole or nothing"
        );
        assert_eq!(memory.state().seq(), seq);
        let after = memory.export().await.unwrap();
        assert_eq!(after.contexts, before.contexts, "what was there is there, and leaves as a file");
        memory.pin(id, true).await.unwrap();
        assert!(memory.state().proposition(id).unwrap().pinned, "with room again it goes on");
    });
}

#[test]
fn undo_restores_exactly_one_commit_and_reports_what_moved_on() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "Pia hates techno."]).await;
        let analysed = |commit: &&std::rc::Rc<credence::history::Commit>| commit.cause == Cause::Extraction;
        let last = memory.log().commits().iter().rfind(analysed).unwrap().clone();
        let facts: Vec<RecordId> = last
            .revisions
            .iter()
            .map(|r| r.record)
            .filter(|r| matches!(r, RecordId::Proposition(_)))
            .collect();
        let undone = memory.undo(last.id, Some(&facts)).await.unwrap();
        let restored = undone.restored.iter().filter(|r| matches!(r, RecordId::Proposition(_))).count();
        assert_eq!((restored, undone.conflicts.len()), (2, 0));
        assert_eq!(live(&memory), ["Pia loves techno."]);
        assert_eq!(
            memory.undo(last.id, Some(&facts)).await.unwrap().restored.len(),
            0,
            "undone once is undone"
        );
        let redo = memory.undo(undone.commit.unwrap(), None).await.unwrap();
        let restored = redo.restored.iter().filter(|r| matches!(r, RecordId::Proposition(_))).count();
        assert_eq!(restored, 2, "an undo can be undone");
        assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno."]);
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        let revisions = memory.history(id);
        assert!(revisions[0].same_as.is_some(), "the belief came back: {revisions:#?}");
    });
}

#[test]
fn a_reopened_memory_is_the_same_memory() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        tell(&memory, &["My name is Mara. I live in Kleve.", "I hate figs.", "I love figs."]).await;
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        memory.forget(id).await.unwrap();
        let again = open(sibling).await;
        assert_eq!(
            memory.propositions(&PropositionQuery::default()),
            again.propositions(&PropositionQuery::default())
        );
        assert_eq!(memory.entities(), again.entities());
        let (a, b) = (memory.export().await.unwrap(), again.export().await.unwrap());
        assert_eq!(a, b);
        assert_eq!(Bundle::read(&a.to_json().unwrap()).unwrap(), a, "what is written can be read");
        assert!(again.proposition(id).unwrap().removed, "a forgotten fact still has its history");
    });
}

#[test]
fn the_same_inputs_make_the_same_bytes() {
    let bytes = || {
        run(async {
            let memory = offline().await;
            tell(
                &memory,
                &[
                    "My name is Mara, I live in Kleve and I work at Acme.",
                    "My sister Ana is a vet.",
                    "I can't stand figs.",
                ],
            )
            .await;
            memory.export().await.unwrap().to_json().unwrap()
        })
    };
    assert_eq!(bytes(), bytes());
}

/// Rule 12: several commits go back in one, and what else changed the same record is told.
#[test]
fn hist_12_commits_are_reverted_together_and_a_change_in_between_is_a_conflict() {
    run(async {
        let memory = offline().await;
        memory.remember("The lamp is green.").await.unwrap();
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        let mut commits = Vec::new();
        for text in ["The lamp is blue.", "The lamp is red.", "The lamp is black."] {
            let edit = Edit { text: Some(text.into()), ..Edit::default() };
            commits.push(memory.edit(id, &edit).await.unwrap().unwrap().id);
        }
        let text = |memory: &TestMemory| memory.state().proposition(id).unwrap().text.clone();
        let preview = memory.preview_revert(Actor::Person, &[commits[0], commits[2]], None).unwrap();
        assert_eq!((preview.restoring.len(), preview.conflicts[0].by.len()), (1, 1));
        assert!(preview.conflicts[0].by_person && preview.refused.is_none());
        let undone = memory.revert(&[commits[2], commits[0]], None).await.unwrap();
        assert_eq!((text(&memory).as_str(), undone.conflicts.len()), ("The lamp is red.", 1));
        memory.undo(undone.commit.unwrap(), None).await.unwrap();
        let undone = memory.revert(&commits, None).await.unwrap();
        assert_eq!(undone.conflicts.len(), 1, "the undo in between is another's change of it");
    });
}

#[test]
fn hist_12_a_memory_goes_back_to_a_commit_without_what_people_changed_or_said() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve.", "I hate figs."]).await;
        let (then, seq) = (live(&memory), memory.state().seq());
        let figs = memory.propositions(&PropositionQuery::live())[1].proposition.id;
        tell(&memory, &["I live in Bonn now."]).await;
        let turns = memory.state().all_turns().count();
        let preview = memory.preview_revert_to(Actor::Person, seq, Default::default()).unwrap();
        assert!(preview.conflicts.is_empty() && !preview.restoring.is_empty());
        memory.revert_to(Actor::Person, seq, Default::default()).await.unwrap();
        assert_eq!(
            (live(&memory), memory.state().all_turns().count()),
            (then.clone(), turns),
            "what was said stays"
        );
        memory.pin(figs, true).await.unwrap();
        let undone = memory.revert_to(Actor::Person, seq, Default::default()).await.unwrap();
        assert_eq!(undone.conflicts, [RecordId::Proposition(figs)], "a person's act is reported and stays");
        let options = RevertOptions { turns: true, over_persons: true };
        memory.revert_to(Actor::Person, seq, options).await.unwrap();
        assert!(!memory.state().proposition(figs).unwrap().pinned);
        assert_eq!((live(&memory), memory.state().all_turns().count()), (then, turns - 1));
    });
}
