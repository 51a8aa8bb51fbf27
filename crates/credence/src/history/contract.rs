//! The contract of a journal, as tests that every adapter runs. Each case takes a fresh, empty journal; the adapter says
//! how a case runs (natively under `block_on`, in a browser under its own test runner) with [`crate::journal_contract`].

use std::rc::Rc;

use uuid::Uuid;

use super::*;
use crate::id::{CommitId, ContextId, PropositionId, UseId};
use crate::proposition::{Extractor, Proposition};
use crate::scale::Confidence;
use crate::time::Timestamp;

/// Runs every contract case: `journal_contract!(runner, async-expression-making-a-journal)`, where
/// `runner!(name, async_block)` declares one test.
#[macro_export]
macro_rules! journal_contract {
    ($run:ident, $make:expr) => {
        $crate::journal_contract!(@each $run, $make, [
            an_unknown_context_is_empty,
            commits_come_back_in_order_and_whole,
            reading_after_a_seq_gives_the_rest,
            a_commit_that_does_not_follow_changes_nothing,
            a_commit_with_a_foreign_parent_changes_nothing,
            contexts_are_kept_apart_and_listed,
            use_records_come_back_oldest_first,
            vectors_are_kept_by_space_and_text,
            erasing_takes_one_context_and_all_of_it,
            every_text_survives,
            a_large_commit_is_one_commit,
            the_head_is_the_newest_commit,
            a_rewrite_changes_all_of_it_and_appends,
            a_rewrite_that_does_not_follow_changes_nothing,
            a_whole_memory_is_stored_at_once,
            a_whole_memory_takes_no_ones_place_unasked
        ]);
    };
    (@each $run:ident, $make:expr, [$($case:ident),*]) => {
        $( $run!($case, async { $crate::history::contract::$case(&$make.await).await }); )*
    };
}

fn context(name: &str) -> ContextId {
    ContextId::new(name).unwrap_or_else(|e| panic!("{e}"))
}

fn proposition(n: u128, text: &str) -> Proposition {
    Proposition::new(
        PropositionId::new(Uuid::from_u128(n)),
        text,
        Confidence::clamped(0.7),
        Extractor::Person,
        Timestamp(5),
    )
    .unwrap_or_else(|e| panic!("{e}"))
}

/// A commit of these texts on `log`, pushed there too.
pub fn commit(log: &mut Log, name: &str, texts: &[&str]) -> Rc<Commit> {
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, "contract").with_id("case", name));
    let base = u128::from(log.state().last_revision().0);
    for (n, text) in texts.iter().enumerate() {
        scope.put(log.state(), proposition(base + n as u128 + 1, text), "");
    }
    let id = CommitId::new(Uuid::from_u128(0xC0_0000 + u128::from(log.state().seq())));
    let made = scope.to_commit(log.state(), &context(name), id, Timestamp(10));
    let made = made.unwrap_or_else(|| panic!("a commit needs changes"));
    log.push(made).unwrap_or_else(|e| panic!("{e}"))
}

async fn stored(journal: &impl Journal, name: &str) -> Vec<Commit> {
    journal.read(&context(name), 0).await.unwrap_or_else(|e| panic!("{e}"))
}

async fn append(journal: &impl Journal, commit: &Commit) {
    journal.append(commit).await.unwrap_or_else(|e| panic!("{e}"));
}

/// Nothing is no error.
pub async fn an_unknown_context_is_empty(journal: &impl Journal) {
    assert!(stored(journal, "nobody").await.is_empty());
    assert_eq!(journal.contexts().await, Ok(vec![]));
    assert_eq!(journal.uses(&context("nobody")).await, Ok(vec![]));
    assert_eq!(journal.erase(&context("nobody")).await, Ok(()));
}

/// What was appended is what is read.
pub async fn commits_come_back_in_order_and_whole(journal: &impl Journal) {
    let mut log = Log::default();
    for text in ["one", "two", "three"] {
        append(journal, &commit(&mut log, "a", &[text, "and more"])).await;
    }
    let expected: Vec<Commit> = log.commits().iter().map(|c| Commit::clone(c)).collect();
    assert_eq!(stored(journal, "a").await, expected);
    let folded = Log::replay(stored(journal, "a").await).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(folded.state().propositions().count(), 6);
}

/// Catching up costs only what is new.
pub async fn reading_after_a_seq_gives_the_rest(journal: &impl Journal) {
    let mut log = Log::default();
    for n in 0..12 {
        append(journal, &commit(&mut log, "a", &[&format!("text {n}")])).await;
    }
    let rest = journal.read(&context("a"), 9).await.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rest.iter().map(|c| c.seq).collect::<Vec<_>>(), [10, 11, 12]);
    assert_eq!(journal.read(&context("a"), 12).await, Ok(vec![]));
}

/// Two writers on one head: the second is told so.
pub async fn a_commit_that_does_not_follow_changes_nothing(journal: &impl Journal) {
    let mut ours = Log::default();
    append(journal, &commit(&mut ours, "a", &["base"])).await;
    let mut theirs = ours.clone();
    append(journal, &commit(&mut theirs, "a", &["theirs"])).await;
    let late = commit(&mut ours, "a", &["ours"]);
    let stale = JournalError::Stale { context: context("a"), expected: 1, found: 2 };
    assert_eq!(journal.append(&late).await, Err(stale));
    let mut ahead = Commit::clone(&late);
    ahead.seq = 7;
    assert!(matches!(journal.append(&ahead).await, Err(JournalError::Stale { .. })));
    assert_eq!(stored(journal, "a").await.len(), 2);
    assert_eq!(stored(journal, "a").await[1].revisions, theirs.commits()[1].revisions);
}

/// The right place on the wrong history is wrong.
pub async fn a_commit_with_a_foreign_parent_changes_nothing(journal: &impl Journal) {
    let mut log = Log::default();
    append(journal, &commit(&mut log, "a", &["base"])).await;
    let mut foreign = Commit::clone(&commit(&mut log, "a", &["next"]));
    foreign.parent = Some(CommitId::new(Uuid::from_u128(0xBAD)));
    assert!(matches!(journal.append(&foreign).await, Err(JournalError::Stale { .. })));
    assert_eq!(stored(journal, "a").await.len(), 1);
}

/// Names that are prefixes of one another do not mix.
pub async fn contexts_are_kept_apart_and_listed(journal: &impl Journal) {
    let (mut a, mut ab) = (Log::default(), Log::default());
    append(journal, &commit(&mut ab, "ab", &["x"])).await;
    append(journal, &commit(&mut a, "a", &["y"])).await;
    append(journal, &commit(&mut a, "a", &["z"])).await;
    let listed = journal.contexts().await.unwrap_or_else(|e| panic!("{e}"));
    let seen: Vec<_> = listed.iter().map(|s| (s.context.as_str(), s.seq)).collect();
    assert_eq!(seen, [("a", 2), ("ab", 1)]);
    assert_eq!(stored(journal, "ab").await.len(), 1);
}

fn use_record(name: &str, n: u128, at: i64) -> UseRecord {
    UseRecord {
        id: UseId::new(Uuid::from_u128(n)),
        context: context(name),
        commit: None,
        seq: 0,
        at: Timestamp(at),
        purpose: Purpose::Search,
        step: "s".into(),
        query: "q".into(),
        items: vec![UseItem {
            rank: 1,
            proposition: PropositionId::new(Uuid::from_u128(1)),
            revision: crate::id::RevisionId(3),
            score: 0.25,
            why: "words".into(),
            unit: None,
            always: None,
        }],
        left_out: vec![("below the relevance gate".into(), 4)],
        withheld: Vec::new(),
        assembly: None,
        execution: None,
    }
}

/// Use records are found by id and in order of time.
pub async fn use_records_come_back_oldest_first(journal: &impl Journal) {
    for record in
        [use_record("a", 9, 10), use_record("a", 3, 30), use_record("a", 5, 20), use_record("b", 1, 1)]
    {
        journal.append_use(&record).await.unwrap_or_else(|e| panic!("{e}"));
    }
    let uses = journal.uses(&context("a")).await.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(uses.iter().map(|u| u.at.0).collect::<Vec<_>>(), [10, 20, 30]);
    let id = UseId::new(Uuid::from_u128(5));
    assert_eq!(journal.use_record(&context("a"), id).await, Ok(Some(use_record("a", 5, 20))));
    assert_eq!(journal.use_record(&context("b"), id).await, Ok(None));
}

/// Vectors keep their bits and their space.
pub async fn vectors_are_kept_by_space_and_text(journal: &impl Journal) {
    let vector = |text: &str, x: f32| StoredVector {
        text: ContentId::of_text(text),
        vector: vec![x, -0.1, f32::MIN_POSITIVE],
    };
    let save = async |space: &str, vectors: &[StoredVector]| {
        journal.save_vectors(&context("a"), space, vectors).await.unwrap_or_else(|e| panic!("{e}"));
    };
    save("one", &[vector("x", 0.3), vector("y", 0.4)]).await;
    save("two", &[vector("x", 0.5)]).await;
    save("one", &[vector("y", 0.6)]).await;
    let mut kept = journal.vectors(&context("a"), "one").await.unwrap_or_else(|e| panic!("{e}"));
    kept.sort_by(|a, b| a.vector[0].total_cmp(&b.vector[0]));
    assert_eq!(kept, [vector("x", 0.3), vector("y", 0.6)]);
    assert_eq!(journal.vectors(&context("b"), "one").await, Ok(vec![]));
}

/// Erasing leaves nothing of one context and everything of the others; the name can be used again.
pub async fn erasing_takes_one_context_and_all_of_it(journal: &impl Journal) {
    let (mut a, mut b) = (Log::default(), Log::default());
    append(journal, &commit(&mut a, "a", &["x"])).await;
    append(journal, &commit(&mut b, "b", &["y"])).await;
    journal.append_use(&use_record("a", 1, 1)).await.unwrap_or_else(|e| panic!("{e}"));
    let vectors = [StoredVector { text: ContentId::of_text("x"), vector: vec![1.0] }];
    journal.save_vectors(&context("a"), "s", &vectors).await.unwrap_or_else(|e| panic!("{e}"));
    journal.erase(&context("a")).await.unwrap_or_else(|e| panic!("{e}"));
    assert!(stored(journal, "a").await.is_empty());
    assert_eq!(journal.uses(&context("a")).await, Ok(vec![]));
    assert_eq!(journal.vectors(&context("a"), "s").await, Ok(vec![]));
    assert_eq!(stored(journal, "b").await.len(), 1);
    append(journal, &commit(&mut Log::default(), "a", &["again"])).await;
    assert_eq!(stored(journal, "a").await.len(), 1);
}

/// No script, control character or length is special.
pub async fn every_text_survives(journal: &impl Journal) {
    let long = "長い ".repeat(20_000);
    let texts = ["北京🌍 \u{202e}rtl", "quote \" slash \\ tab \t line\nfeed", "\u{fffd}\u{1}", long.as_str()];
    let mut log = Log::default();
    append(journal, &commit(&mut log, "texts", &texts)).await;
    assert_eq!(stored(journal, "texts").await[0], *log.commits()[0]);
}

/// A commit is one unit whatever its size.
pub async fn a_large_commit_is_one_commit(journal: &impl Journal) {
    let texts: Vec<String> = (0..1500).map(|n| format!("statement number {n} of a large commit")).collect();
    let mut log = Log::default();
    append(journal, &commit(&mut log, "large", &texts.iter().map(String::as_str).collect::<Vec<_>>())).await;
    let read = stored(journal, "large").await;
    assert_eq!((read.len(), read[0].revisions.len()), (1, 1500));
}

/// Cheap to ask, and right after every kind of write.
pub async fn the_head_is_the_newest_commit(journal: &impl Journal) {
    assert_eq!(journal.head(&context("a")).await, Ok(None));
    let mut log = Log::default();
    append(journal, &commit(&mut log, "a", &["x"])).await;
    let last = commit(&mut log, "a", &["y"]);
    append(journal, &last).await;
    let head = ContextSummary { context: context("a"), head: last.id, seq: 2 };
    assert_eq!(journal.head(&context("a")).await, Ok(Some(head)));
}

/// The commit that ends a rewriting of `log`, not pushed.
fn rewriting(log: &Log, name: &str) -> Commit {
    Commit {
        seq: log.state().seq() + 1,
        parent: log.state().head().map(|head| head.id),
        id: CommitId::new(Uuid::from_u128(0xE0_0000)),
        cause: Cause::Erasure,
        context: context(name),
        revisions: Vec::new(),
        ..Commit::clone(&log.commits()[0])
    }
}

async fn prepared(journal: &impl Journal) -> Log {
    let mut log = Log::default();
    for text in ["secret", "other"] {
        append(journal, &commit(&mut log, "a", &[text])).await;
    }
    for n in [1, 2] {
        journal.append_use(&use_record("a", n, n as i64)).await.unwrap_or_else(|e| panic!("{e}"));
    }
    for space in ["one", "two"] {
        let vectors = ["secret", "other"]
            .map(|text| StoredVector { text: ContentId::of_text(text), vector: vec![0.6, 0.8] });
        journal.save_vectors(&context("a"), space, &vectors).await.unwrap_or_else(|e| panic!("{e}"));
    }
    log
}

/// Commits, use records and vectors go in one step with the commit that says so.
pub async fn a_rewrite_changes_all_of_it_and_appends(journal: &impl Journal) {
    let log = prepared(journal).await;
    assert_eq!(journal.spaces(&context("a")).await, Ok(vec!["one".to_owned(), "two".to_owned()]));
    let mut cut = Commit::clone(&log.commits()[0]);
    cut.revisions =
        vec![Rc::new(Revision { value: None, erased: true, ..Revision::clone(&cut.revisions[0]) })];
    let mut shorter = use_record("a", 1, 1);
    shorter.query = "cut".into();
    let rewrite = Rewrite {
        appended: rewriting(&log, "a"),
        commits: vec![cut.clone()],
        uses: vec![shorter.clone()],
        dropped_uses: vec![UseId::new(Uuid::from_u128(2))],
        dropped_vectors: vec![ContentId::of_text("secret")],
    };
    journal.rewrite(&rewrite).await.unwrap_or_else(|e| panic!("{e}"));
    let after = stored(journal, "a").await;
    assert_eq!(after, [cut, Commit::clone(&log.commits()[1]), rewrite.appended.clone()]);
    assert_eq!(journal.uses(&context("a")).await, Ok(vec![shorter]));
    for space in ["one", "two"] {
        let vectors = journal.vectors(&context("a"), space).await.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(vectors.iter().map(|v| v.text.clone()).collect::<Vec<_>>(), [ContentId::of_text("other")]);
    }
    let folded = Log::replay(after).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(folded.state().propositions().count(), 1);
}

/// Decided on an older head, it touches nothing.
pub async fn a_rewrite_that_does_not_follow_changes_nothing(journal: &impl Journal) {
    let mut log = prepared(journal).await;
    let appended = rewriting(&log, "a");
    append(journal, &commit(&mut log, "a", &["meanwhile"])).await;
    let rewrite = Rewrite {
        appended,
        commits: vec![Commit { revisions: Vec::new(), ..Commit::clone(&log.commits()[0]) }],
        uses: Vec::new(),
        dropped_uses: vec![UseId::new(Uuid::from_u128(1))],
        dropped_vectors: vec![ContentId::of_text("secret")],
    };
    let stale = JournalError::Stale { context: context("a"), expected: 2, found: 3 };
    assert_eq!(journal.rewrite(&rewrite).await, Err(stale));
    let expected: Vec<Commit> = log.commits().iter().map(|c| Commit::clone(c)).collect();
    assert_eq!(stored(journal, "a").await, expected);
    assert_eq!(journal.uses(&context("a")).await.map(|uses| uses.len()), Ok(2));
    assert_eq!(journal.vectors(&context("a"), "one").await.map(|vectors| vectors.len()), Ok(2));
}

/// What one memory holds can be another's, whole.
pub async fn a_whole_memory_is_stored_at_once(journal: &impl Journal) {
    let mut log = Log::default();
    for text in ["one", "two"] {
        commit(&mut log, "b", &[text]);
    }
    let vectors = vec![StoredVector { text: ContentId::of_text("one"), vector: vec![1.0] }];
    let contents = Contents {
        commits: log.commits().iter().map(|c| Commit::clone(c)).collect(),
        uses: vec![use_record("b", 1, 1)],
        vectors: [("s".to_owned(), vectors.clone())].into(),
    };
    journal.replace(&context("b"), 0, &contents).await.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(stored(journal, "b").await, contents.commits);
    assert_eq!(journal.uses(&context("b")).await, Ok(contents.uses.clone()));
    assert_eq!(journal.vectors(&context("b"), "s").await, Ok(vectors));
    append(journal, &commit(&mut log, "b", &["three"])).await;
    assert_eq!(journal.head(&context("b")).await.map(|head| head.map(|head| head.seq)), Ok(Some(3)));
}

/// A name that is taken keeps what it has, unless its very head was named; then nothing of it is left.
pub async fn a_whole_memory_takes_no_ones_place_unasked(journal: &impl Journal) {
    let mut log = prepared(journal).await;
    let mut other = Log::default();
    commit(&mut other, "a", &["new"]);
    let contents = Contents {
        commits: other.commits().iter().map(|c| Commit::clone(c)).collect(),
        ..Contents::default()
    };
    append(journal, &commit(&mut log, "a", &["third"])).await;
    let stale = |expected| JournalError::Stale { context: context("a"), expected, found: 3 };
    assert_eq!(journal.replace(&context("a"), 0, &contents).await, Err(stale(0)));
    assert_eq!(journal.replace(&context("a"), 2, &contents).await, Err(stale(2)));
    assert_eq!(stored(journal, "a").await.len(), 3);
    journal.replace(&context("a"), 3, &contents).await.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(stored(journal, "a").await, contents.commits);
    assert_eq!(journal.uses(&context("a")).await, Ok(vec![]));
    assert_eq!(journal.spaces(&context("a")).await, Ok(vec![]));
}
