//! Damaged rows: what is read in spite of them, and how a repair moves them out of the way.

use credence::history::{Cause, Commit, ContentId, Damage, Journal, JournalError, Log, StoredVector};
use credence_browser::journal::IndexedDbJournal;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{aborting, context, filled, fresh_name, saying, stored, tamper};

/// A database with five commits of `a` and two of `b`, after `change`.
async fn damaged(change: &str) -> (String, IndexedDbJournal) {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    filled(&journal, "a", 5).await;
    filled(&journal, "b", 2).await;
    let vector = StoredVector { text: ContentId::of_text("x"), vector: vec![1.0] };
    journal.save_vectors(&context("a"), "space", &[vector]).await.unwrap();
    tamper(&database, change).await;
    (database, journal)
}

/// The commit that ends a repair of what is stored now.
async fn closing(journal: &IndexedDbJournal) -> Commit {
    let log = Log::replay(stored(journal, "a").await).unwrap();
    Commit { cause: Cause::Repair, ..saying(&log, "a", "repaired") }
}

fn places(damages: &[Damage]) -> Vec<String> {
    damages.iter().map(|damage| format!("{}[{}]", damage.store, damage.key)).collect()
}

/// Repairs, and checks that everything is sound then and everything damaged is kept.
async fn repaired(journal: &IndexedDbJournal, expected: &[&str]) -> Vec<Damage> {
    let damages = journal.inspect(&context("a")).await.unwrap();
    assert_eq!(places(&damages), expected);
    journal.repair(&closing(journal).await, &damages).await.unwrap();
    assert_eq!(journal.inspect(&context("a")).await, Ok(vec![]));
    assert_eq!(journal.inspect(&context("b")).await, Ok(vec![]));
    assert_eq!(journal.set_aside(&context("a")).await.unwrap(), damages);
    let log = Log::replay(stored(journal, "a").await).unwrap();
    assert_eq!(journal.append(&saying(&log, "a", "and on it goes")).await, Ok(()));
    damages
}

#[wasm_bindgen_test]
async fn what_is_sound_opens_around_what_is_not() {
    for (row, told) in [
        ("{ context: 'a', seq: 2, body: '{' }", "EOF"),
        ("{ context: 'a', seq: 2 }", "no text"),
        ("{ context: 'a', seq: 2, body: 7 }", "no text"),
        ("{ context: 'a', seq: 2, body: '{\\\"schema\\\":1}' }", "missing field"),
    ] {
        let (_, journal) = damaged(&format!("transaction.objectStore('commits').put({row})")).await;
        let log = Log::replay(stored(&journal, "a").await).unwrap();
        assert_eq!(log.state().propositions().count(), 4);
        let unreadable: Vec<(u64, &str)> = log.unreadable().collect();
        assert!(matches!(unreadable[..], [(2, why)] if why.contains(told)), "{unreadable:?}");
        let rest = journal.read(&context("a"), 2).await.unwrap();
        assert_eq!(rest.iter().map(|commit| commit.seq).collect::<Vec<_>>(), [3, 4, 5]);
        let from_it = journal.read(&context("a"), 1).await.unwrap();
        assert_eq!(from_it[0].parent, log.commits()[1].parent, "it follows the one before");
        let damages = repaired(&journal, &["commits[2]"]).await;
        assert!(damages[0].raw.is_some());
    }
}

#[wasm_bindgen_test]
async fn missing_commits_have_a_place() {
    for missing in [[1, 1], [2, 3], [4, 5]] {
        let [from, to] = missing;
        let range = format!("IDBKeyRange.bound(['a', {from}], ['a', {to}])");
        let (_, journal) = damaged(&format!("transaction.objectStore('commits').delete({range})")).await;
        let head = journal.head(&context("a")).await.unwrap().unwrap();
        let log = Log::replay(stored(&journal, "a").await).unwrap();
        assert_eq!(log.state().head().map(|it| (it.id, it.seq)), Some((head.head, 5)));
        assert_eq!(log.unreadable().count(), to - from + 1);
        let expected: Vec<String> = (from..=to).map(|seq| format!("commits[{seq}]")).collect();
        let damages = repaired(&journal, &expected.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert_eq!(damages[0].raw, None);
    }
}

#[wasm_bindgen_test]
async fn a_log_whose_end_is_unknown_ends_with_its_commits() {
    for change in [
        "transaction.objectStore('heads').delete('a')",
        "transaction.objectStore('heads').put({ context: 'a', id: 'nonsense', seq: 1 })",
    ] {
        let (_, journal) = damaged(change).await;
        let listed = journal.contexts().await.unwrap();
        assert_eq!(
            listed.iter().map(|it| (it.context.as_str(), it.seq)).collect::<Vec<_>>(),
            [("a", 5), ("b", 2)]
        );
        let log = Log::replay(stored(&journal, "a").await).unwrap();
        assert_eq!(journal.append(&saying(&log, "a", "goes on")).await, Ok(()), "{change}");
        assert_eq!(journal.inspect(&context("a")).await, Ok(vec![]), "which wrote the row anew");
    }
    let wrong = "transaction.objectStore('heads').put({ context: 'a', id: 'C00000000000000000000000000000009', seq: 5 })";
    repaired(&damaged(wrong).await.1, &["heads[a]"]).await;
}

#[wasm_bindgen_test]
async fn rows_of_other_stores_and_strays_are_moved_too() {
    let (_, journal) = damaged(
        "transaction.objectStore('commits').put({ context: 'a', seq: 6, body: '' });
        transaction.objectStore('commits').put({ context: 'a', seq: 'x', body: '' });
        transaction.objectStore('uses').put({ context: 'a', id: 'U1', at: 1, body: 'nonsense' });
        transaction.objectStore('uses').put({ context: 'a', id: 'U2', body: 'without a time' });
        transaction.objectStore('vectors').put('nonsense', ['a', 'space', 'text'])",
    )
    .await;
    let expected = ["commits[6]", "commits[x]", "uses[U1]", "uses[U2]", "vectors[[\"space\",\"text\"]]"];
    repaired(&journal, &expected).await;
    assert_eq!(journal.uses(&context("a")).await, Ok(vec![]));
    assert_eq!(journal.vectors(&context("a"), "space").await.unwrap().len(), 1);
    assert_eq!(stored(&journal, "a").await.len(), 7);
}

#[wasm_bindgen_test]
async fn a_repair_that_does_not_follow_or_breaks_off_changes_nothing() {
    let (database, journal) =
        damaged("transaction.objectStore('commits').put({ context: 'a', seq: 2, body: '' })").await;
    let damages = journal.inspect(&context("a")).await.unwrap();
    let late = closing(&journal).await;
    let log = Log::replay(stored(&journal, "a").await).unwrap();
    journal.append(&saying(&log, "a", "meanwhile")).await.unwrap();
    assert!(matches!(journal.repair(&late, &damages).await, Err(JournalError::Stale { found: 6, .. })));
    let broken = aborting("null");
    assert!(journal.repair(&closing(&journal).await, &damages).await.is_err());
    drop(broken);
    assert_eq!(journal.inspect(&context("a")).await.unwrap(), damages);
    assert_eq!(journal.set_aside(&context("a")).await, Ok(vec![]));
    journal.repair(&closing(&journal).await, &damages).await.unwrap();
    drop(journal);
    let again = IndexedDbJournal::open(&database).await.unwrap();
    assert_eq!(again.set_aside(&context("a")).await.unwrap(), damages);
    again.erase(&context("a")).await.unwrap();
    assert_eq!(again.set_aside(&context("a")).await, Ok(vec![]), "it is part of the memory");
}
