//! Failures in the middle of a write, and rows that something else has spoilt.

use credence::history::{Journal, JournalError};
use credence_browser::journal::IndexedDbJournal;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{Replaced, aborting, context, filled, fresh, fresh_name, saying, stored, tamper};

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
async fn case_42_a_full_disk_leaves_what_was_there() {
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
    tamper(
        &database,
        "transaction.objectStore('uses').put({ context: 'a', id: 'U1', at: 1, body: 'nonsense' });
        transaction.objectStore('vectors').put('nonsense', ['a', 'space', 'text'])",
    )
    .await;
    let unread = journal.uses(&context("a")).await;
    assert!(matches!(&unread, Err(JournalError::Corrupt { at, .. }) if at == "uses[a, U1]"), "{unread:?}");
    assert_eq!(journal.vectors(&context("a"), "space").await, Ok(vec![]), "it is computed again");
}
