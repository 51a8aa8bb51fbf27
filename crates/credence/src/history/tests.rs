//! The rules of history, tested on a log without a store.

use std::collections::BTreeSet;
use std::rc::Rc;

use uuid::Uuid;

use super::*;
use crate::id::{CommitId, ContextId, PropositionId, RevisionId};
use crate::proposition::{Extractor, Proposition, Status};
use crate::scale::Confidence;
use crate::time::Timestamp;

fn p(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(n))
}

fn statement(n: u128, text: &str) -> Proposition {
    Proposition::new(p(n), text, Confidence::clamped(0.9), Extractor::Person, Timestamp(1)).unwrap()
}

fn commit(log: &mut Log, clock: i64, changes: &[(u128, Option<&str>)]) -> u64 {
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, "test"));
    for (id, text) in changes {
        match text {
            Some(text) => scope.put(log.state(), statement(*id, text), ""),
            None => scope.remove(log.state(), RecordId::Proposition(p(*id)), ""),
        }
    }
    let context = ContextId::new("test").unwrap();
    let id = CommitId::new(Uuid::from_u128(1000 + log.state().seq() as u128));
    let commit = scope.to_commit(log.state(), &context, id, Timestamp(clock)).unwrap();
    log.push(commit).unwrap().seq
}

fn view(state: &State) -> Vec<(u128, u64)> {
    let live = state.revisions().filter(|revision| revision.value.is_some());
    live.map(|revision| match revision.record {
        RecordId::Proposition(id) => (id.uuid().as_u128(), revision.id.0),
        other => panic!("unexpected {other}"),
    })
    .collect()
}

/// The worked example of the specification, to the letter.
#[test]
fn hist_1_worked_example() {
    let mut log = Log::default();
    commit(&mut log, 10, &[(1, Some("one")), (2, Some("two")), (3, Some("three"))]);
    commit(&mut log, 20, &[(2, Some("two, changed")), (4, Some("four"))]);
    assert_eq!(view(&log.view_at(1).unwrap()), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(view(&log.view_at(2).unwrap()), [(1, 1), (2, 4), (3, 3), (4, 5)]);
    let delta = log.delta(1, 2).unwrap();
    let change = |n, kind, before, after| Change {
        record: RecordId::Proposition(p(n)),
        kind,
        before,
        after: RevisionId(after),
    };
    assert_eq!(
        delta.changes,
        [change(2, ChangeKind::Changed, Some(RevisionId(2)), 4), change(4, ChangeKind::Added, None, 5)]
    );
    assert_eq!(
        view(&log.view_at(1).unwrap()),
        [(1, 1), (2, 2), (3, 3)],
        "the earlier view is still the same"
    );
    assert!(view(&log.view_at(0).unwrap()).is_empty());
    assert_eq!(log.view_at(3).err(), Some(HistoryError::NoSuchCommit { seq: 3, last: 2 }));
}

#[test]
fn hist_5_seq_decides_when_the_clock_jumps_back() {
    let mut log = Log::default();
    commit(&mut log, 100_000, &[(1, Some("before"))]);
    commit(&mut log, 70_000, &[(1, Some("after the clock went 30 s back"))]);
    let second = log.commit_at(2).unwrap();
    assert_eq!((second.at, second.clock), (Timestamp(100_000), Timestamp(70_000)));
    assert_eq!(log.seq_at(Timestamp(100_000)), 2);
    assert_eq!(log.seq_at(Timestamp(99_999)), 0);
    assert_eq!(log.state().proposition(p(1)).unwrap().text, "after the clock went 30 s back");
}

#[test]
fn hist_6_a_returning_belief_keeps_its_content_id() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("tea"))]);
    commit(&mut log, 2, &[(1, Some("coffee"))]);
    commit(&mut log, 3, &[(1, Some("tea"))]);
    let now = log.state().revision(RecordId::Proposition(p(1))).unwrap().clone();
    assert_eq!(now.id, RevisionId(3), "a new revision");
    let same = log.same_content(now.record, &now.content_id);
    assert_eq!(same, [RevisionId(1), RevisionId(3)]);
}

#[test]
fn hist_7_status_changes_are_changes_and_removals_are_removals() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("a")), (2, Some("b"))]);
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
    let stale = statement(1, "a").with_status(Status::Stale, Timestamp(2)).unwrap();
    scope.put(log.state(), stale, "");
    scope.remove(log.state(), RecordId::Proposition(p(2)), "");
    let context = ContextId::new("test").unwrap();
    let made =
        scope.to_commit(log.state(), &context, CommitId::new(Uuid::from_u128(9)), Timestamp(2)).unwrap();
    log.push(made).unwrap();
    let kinds: Vec<_> = log.delta(1, 2).unwrap().changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Changed, ChangeKind::Removed]);
    assert!(log.state().proposition(p(2)).is_none());
    assert_eq!(log.history(RecordId::Proposition(p(2))).count(), 2, "its history stays");
    commit(&mut log, 3, &[(2, Some("b again"))]);
    let back = &log.delta(2, 3).unwrap().changes[0];
    assert_eq!((back.kind, back.before), (ChangeKind::Added, None));
    assert!(log.delta(0, 2).unwrap().changes.iter().all(|c| c.record != RecordId::Proposition(p(2))));
}

#[test]
fn a_scope_is_reentrant_and_writes_one_revision_a_record() {
    let log = Log::default();
    let outer = Scope::new(ScopeInfo::new(Cause::Extraction, Actor::Engine, "outer").with_id("run", 1));
    outer.put(log.state(), statement(1, "first"), "said");
    let inner = outer.nested(ScopeInfo::new(Cause::Manual, Actor::Person, "inner").with_id("turn", 7));
    inner.put(log.state(), statement(1, "second"), "revised");
    inner.put(log.state(), statement(2, "other"), "");
    assert!(outer.is_outer() && !inner.is_outer());
    let context = ContextId::new("test").unwrap();
    let made =
        outer.to_commit(log.state(), &context, CommitId::new(Uuid::from_u128(1)), Timestamp(1)).unwrap();
    assert_eq!(made.revisions.len(), 2);
    assert_eq!(made.revisions[0].why, "said; revised");
    assert_eq!((made.cause, made.reason.as_str()), (Cause::Extraction, "outer"));
    assert_eq!(made.ids.keys().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(["run", "turn"]));
    match outer.get(log.state(), RecordId::Proposition(p(1))) {
        Some(Record::Proposition(now)) => assert_eq!(now.text, "second", "a scope reads its own plan"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_changed_is_no_commit_and_a_moved_base_is_a_conflict() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("a"))]);
    let context = ContextId::new("test").unwrap();
    let same = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
    same.put(log.state(), statement(1, "a"), "");
    assert_eq!(same.to_commit(log.state(), &context, CommitId::new(Uuid::from_u128(2)), Timestamp(2)), None);
    let late = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
    late.put(log.state(), statement(1, "b"), "");
    assert!(late.conflicts(log.state()).is_empty());
    commit(&mut log, 3, &[(1, Some("c"))]);
    assert_eq!(late.conflicts(log.state()), [RecordId::Proposition(p(1))]);
}

#[test]
fn a_log_refuses_what_does_not_follow() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("a"))]);
    let again = Commit::clone(log.commit_at(1).unwrap());
    assert!(matches!(log.push(again.clone()), Err(JournalError::Corrupt { .. })));
    let mut newer = again;
    newer.schema = SCHEMA_VERSION + 1;
    assert!(matches!(log.push(newer), Err(JournalError::NewerSchema { .. })));
    assert_eq!(log.state().seq(), 1);
}

#[test]
fn commits_survive_json_and_unknown_members() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("a"))]);
    let made = Rc::clone(log.commit_at(1).unwrap());
    let mut json = serde_json::to_value(&*made).unwrap();
    json["revisions"][0]["value"]["value"]["of_a_later_release"] = 1.into();
    assert_eq!(serde_json::from_value::<Commit>(json).unwrap(), *made);
}

/// Every view that is read off the index is the one that folding the commits up to it gives.
#[test]
fn a_view_is_the_fold_up_to_it() {
    let mut log = Log::default();
    for n in 0..40_u128 {
        let (a, b) = (n % 7 + 1, n % 5 + 10);
        let word = format!("text {n}");
        let change = if n % 6 == 5 { (a, None) } else { (a, Some(word.as_str())) };
        commit(&mut log, n as i64, &[change, (b, Some(&format!("other {n}")))]);
    }
    for seq in 1..=40 {
        let folded = Log::replay(log.commits()[..seq].iter().map(|c| Commit::clone(c)).collect()).unwrap();
        let read = log.view_at(seq as u64).unwrap();
        let revisions = |state: &State| state.revisions().cloned().collect::<Vec<_>>();
        assert_eq!(revisions(&read), revisions(folded.state()), "after commit {seq}");
        assert_eq!(
            (read.head(), read.last_revision()),
            (folded.state().head(), folded.state().last_revision())
        );
    }
}

#[test]
fn hist_8_a_view_at_a_kept_commit_stays_and_an_earlier_one_says_why_not() {
    let mut log = Log::default();
    commit(&mut log, 1, &[(1, Some("a"))]);
    commit(&mut log, 2, &[(1, Some("b"))]);
    commit(&mut log, 3, &[(1, Some("c")), (2, Some("x"))]);
    let before = view(&log.view_at(3).unwrap());
    let mut commits: Vec<Commit> = log.commits().iter().map(|c| Commit::clone(c)).collect();
    for commit in &mut commits[..2] {
        commit.revisions.clear();
        commit.rewritten = Some(Rewritten { dropped: 1, horizon: 3, unreadable: None });
    }
    let compacted = Log::replay(commits).unwrap();
    assert_eq!(view(&compacted.view_at(3).unwrap()), before);
    let error = compacted.view_at(2).err();
    assert_eq!(error, Some(HistoryError::Compacted { seq: 2, horizon: 3 }));
    assert!(error.unwrap().to_string().contains("history was compacted here"));
    assert_eq!(compacted.delta(1, 3).err(), Some(HistoryError::Compacted { seq: 1, horizon: 3 }));
    let kinds: Vec<_> = compacted.delta(0, 3).unwrap().changes.iter().map(|c| (c.kind, c.before)).collect();
    assert_eq!(kinds, [(ChangeKind::Added, None), (ChangeKind::Added, None)]);
}

#[test]
fn a_commit_that_cannot_be_read_keeps_its_place_and_is_told() {
    let mut log = Log::default();
    for text in ["a", "b", "c"] {
        commit(&mut log, 1, &[(1, Some(text))]);
    }
    let mut commits: Vec<Commit> = log.commits().iter().map(|c| Commit::clone(c)).collect();
    let lost = &commits[1];
    commits[1] =
        Commit::unreadable(lost.context.clone(), 2, lost.id, lost.parent, lost.at, "its text ends early");
    let opened = Log::replay(commits).unwrap();
    assert_eq!(opened.unreadable().collect::<Vec<_>>(), [(2, "its text ends early")]);
    assert_eq!(opened.state().proposition(p(1)).unwrap().text, "c");
    assert_eq!(opened.view_at(2).unwrap().proposition(p(1)).unwrap().text, "a", "as it was before");
}
