//! Failures in the middle of a write, and rows that something else has spoilt.

use credence::history::{Journal, JournalError};
use credence_browser::journal::IndexedDbJournal;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{Replaced, context, filled, fresh, fresh_name, saying, stored, tamper};

/// Makes the `nth` write of the next transaction fail as a full disk does.
fn full_disk_at(nth: u32) -> [Replaced; 2] {
    let write = format!(
        "function (...row) {{
            globalThis.writes = (globalThis.writes ?? 0) + 1;
            if (globalThis.writes === {nth}) throw new DOMException('no space', 'QuotaExceededError');
            return real.apply(this, row);
        }}"
    );
    ["put", "add"].map(|name| Replaced::new("IDBObjectStore.prototype", name, &write))
}

#[wasm_bindgen_test]
async fn a_full_disk_leaves_what_was_there() {
    for nth in [1, 2] {
        let journal = fresh().await;
        let log = filled(&journal, "a", 2).await;
        let next = saying(&log, "a", "too much");
        let _count = Replaced::new("globalThis", "writes", "0");
        let full = full_disk_at(nth);
        assert_eq!(journal.append(&next).await, Err(JournalError::QuotaExceeded), "at write {nth}");
        drop(full);
        assert_eq!(stored(&journal, "a").await.len(), 2);
        assert_eq!(journal.contexts().await.unwrap()[0].seq, 2);
        assert_eq!(journal.append(&next).await, Ok(()), "once there is space");
        assert_eq!(stored(&journal, "a").await[2], next);
    }
}

/// Replaces the commit of a transaction by its abort, with this as the cause that the browser gives.
fn aborting(error: &str) -> Replaced {
    let abort = format!(
        "function () {{ Object.defineProperty(this, 'error', {{ value: {error} }}); this.abort(); }}"
    );
    Replaced::new("IDBTransaction.prototype", "commit", &abort)
}

#[wasm_bindgen_test]
async fn an_aborted_transaction_leaves_nothing() {
    let journal = fresh().await;
    let log = filled(&journal, "a", 1).await;
    let next = saying(&log, "a", "half");
    let full = aborting("new DOMException('no space', 'QuotaExceededError')");
    assert_eq!(journal.append(&next).await, Err(JournalError::QuotaExceeded));
    drop(full);
    let plain = aborting("null");
    assert!(matches!(journal.append(&next).await, Err(JournalError::Backend { .. })));
    drop(plain);
    assert_eq!(stored(&journal, "a").await.len(), 1);
    assert_eq!(journal.append(&next).await, Ok(()));
}

#[wasm_bindgen_test]
async fn erasing_is_whole_or_not_at_all() {
    let journal = fresh().await;
    filled(&journal, "a", 3).await;
    let failing = aborting("null");
    assert!(matches!(journal.erase(&context("a")).await, Err(JournalError::Backend { .. })));
    drop(failing);
    assert_eq!(stored(&journal, "a").await.len(), 3);
}

#[wasm_bindgen_test]
async fn a_row_in_the_way_moves_no_head() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    let log = filled(&journal, "a", 1).await;
    tamper(&database, "transaction.objectStore('commits').put({ context: 'a', seq: 2, body: '' })").await;
    let refused = journal.append(&saying(&log, "a", "two")).await.unwrap_err();
    assert!(
        matches!(&refused, JournalError::Backend { detail } if detail.contains("ConstraintError")),
        "{refused}"
    );
    assert_eq!(journal.contexts().await.unwrap()[0].seq, 1);
}

/// The error of reading a log of three after `change`.
async fn reading_after(change: &str) -> (String, String) {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    filled(&journal, "a", 3).await;
    tamper(&database, change).await;
    match journal.read(&context("a"), 0).await {
        Err(JournalError::Corrupt { at, detail }) => (at, detail),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn an_unreadable_commit_is_named() {
    let broken = |row: &str| format!("transaction.objectStore('commits').put({row})");
    for row in [
        "{ context: 'a', seq: 2, body: '{' }",
        "{ context: 'a', seq: 2 }",
        "{ context: 'a', seq: 2, body: 7 }",
    ] {
        let (at, detail) = reading_after(&broken(row)).await;
        assert_eq!(at, "commits[a, 2]");
        assert!(!detail.is_empty());
    }
}

#[wasm_bindgen_test]
async fn a_missing_commit_is_named() {
    let (at, detail) = reading_after("transaction.objectStore('commits').delete(['a', 2])").await;
    assert_eq!(at, "commits[a, 2]");
    assert!(detail.contains("commit 3"), "{detail}");
}

#[wasm_bindgen_test]
async fn a_commit_of_a_later_form_is_refused_politely() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    filled(&journal, "a", 1).await;
    let body = r#"JSON.stringify({ schema: 99, everything: 'else is different' })"#;
    tamper(
        &database,
        &format!("transaction.objectStore('commits').put({{ context: 'a', seq: 1, body: {body} }})"),
    )
    .await;
    let refused = journal.read(&context("a"), 0).await;
    assert_eq!(
        refused,
        Err(JournalError::NewerSchema { found: 99, supported: credence::history::SCHEMA_VERSION })
    );
}

#[wasm_bindgen_test]
async fn other_unreadable_rows_are_named() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    let at = |result: Result<(), JournalError>| match result {
        Err(JournalError::Corrupt { at, .. }) => at,
        other => panic!("{other:?}"),
    };
    tamper(
        &database,
        "transaction.objectStore('heads').put({ context: 'a', id: 'nonsense', seq: 1 });
        transaction.objectStore('uses').put({ context: 'a', id: 'U1', at: 1, body: 'nonsense' });
        transaction.objectStore('vectors').put('nonsense', ['a', 'space', 'text'])",
    )
    .await;
    assert_eq!(at(journal.contexts().await.map(drop)), "heads[a]");
    assert_eq!(at(journal.uses(&context("a")).await.map(drop)), "uses[a, U1]");
    assert_eq!(at(journal.vectors(&context("a"), "space").await.map(drop)), "vectors[a, space, text]");
    let first = saying(&credence::history::Log::default(), "a", "x");
    assert_eq!(at(journal.append(&first).await), "heads[a]");
}
