//! Opening where it cannot be done, giving way to other tabs, and what the origin stores.

use credence::history::{Journal, JournalError};
use credence_browser::journal::{
    BrowserJournal, DATABASE_VERSION, IndexedDbJournal, Persistence, delete_database, request_persistence,
    storage_estimate,
};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{OPEN, Replaced, context, filled, fresh_name, javascript, pause, saying, stored};

fn throwing(name: &str) -> Replaced {
    let throw = format!("() => {{ throw new DOMException('not here', '{name}'); }}");
    Replaced::new("IDBFactory.prototype", "open", &throw)
}

#[wasm_bindgen_test]
async fn case_41_a_browser_that_refuses_gets_a_journal_in_memory_and_the_reason() {
    let refusals: [fn() -> Replaced; 4] = [
        || throwing("SecurityError"),
        || throwing("InvalidStateError"),
        || Replaced::new("globalThis", "indexedDB", "undefined"),
        || Replaced::new("globalThis", "indexedDB", "null"),
    ];
    for refuse in refusals {
        let refused = refuse();
        let error = IndexedDbJournal::open(&fresh_name()).await.err();
        assert!(matches!(error, Some(JournalError::Unavailable { .. })), "{error:?}");
        let opened = BrowserJournal::open(&fresh_name()).await.unwrap();
        assert!(matches!(opened.journal, BrowserJournal::Memory(_)));
        assert_eq!(opened.persistence, Persistence::Volatile { reason: error.unwrap() });
        filled(&opened.journal, "a", 2).await;
        drop(refused);
        assert_eq!(stored(&opened.journal, "a").await.len(), 2);
    }
}

/// Makes requests to open fail later, with this exception, as Firefox's private windows did.
fn failing_later(name: &str) -> Replaced {
    let fail = format!(
        "() => {{
            const request = new EventTarget();
            Object.setPrototypeOf(request, IDBOpenDBRequest.prototype);
            const error = new DOMException('not now', '{name}');
            Object.defineProperties(request, {{
                readyState: {{ value: 'done' }}, error: {{ value: error }},
                onsuccess: {{ writable: true }}, onerror: {{ writable: true }},
                onblocked: {{ writable: true }}, onupgradeneeded: {{ writable: true }},
            }});
            return request;
        }}"
    );
    Replaced::new("IDBFactory.prototype", "open", &fail)
}

#[wasm_bindgen_test]
async fn a_refusal_that_comes_later_is_told_by_its_name() {
    for (name, code) in [
        ("InvalidStateError", "store-unavailable"),
        ("QuotaExceededError", "store-quota"),
        ("UnknownError", "store-failed"),
    ] {
        let _failing = failing_later(name);
        let error = IndexedDbJournal::open(&fresh_name()).await.err().unwrap();
        assert_eq!(error.code(), code, "{error}");
        let opened = BrowserJournal::open(&fresh_name()).await.unwrap();
        assert_eq!(opened.persistence, Persistence::Volatile { reason: error });
    }
}

#[wasm_bindgen_test]
async fn an_ordinary_browser_keeps_what_it_is_given() {
    let opened = BrowserJournal::open(&fresh_name()).await.unwrap();
    assert_eq!(opened.persistence, Persistence::Durable);
    assert!(matches!(opened.journal, BrowserJournal::IndexedDb(_)));
}

#[wasm_bindgen_test]
async fn a_newer_schema_is_refused_with_its_number_and_left_alone() {
    let database = fresh_name();
    javascript(&format!("{OPEN} db.close()"), &database, DATABASE_VERSION + 6).await;
    let newer = JournalError::NewerSchema { found: DATABASE_VERSION + 6, supported: DATABASE_VERSION };
    assert_eq!(IndexedDbJournal::open(&database).await.err(), Some(newer.clone()));
    assert_eq!(BrowserJournal::open(&database).await.err(), Some(newer));
    let version =
        javascript(&format!("{OPEN} db.close(); return db.version"), &database, JsValue::UNDEFINED).await;
    assert_eq!(version.as_f64(), Some(f64::from(DATABASE_VERSION + 6)));
}

#[wasm_bindgen_test]
async fn a_foreign_database_is_refused() {
    let database = fresh_name();
    javascript(&format!("{OPEN} db.close()"), &database, DATABASE_VERSION).await;
    let refused = BrowserJournal::open(&database).await.err();
    assert!(
        matches!(&refused, Some(JournalError::Corrupt { at, .. }) if at.contains(&database)),
        "{refused:?}"
    );
}

#[wasm_bindgen_test]
async fn a_newer_tab_takes_the_database_over() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    let log = filled(&journal, "a", 1).await;
    // Fails when it is blocked.
    javascript(&format!("{OPEN} db.close()"), &database, DATABASE_VERSION + 1).await;
    assert_eq!(journal.append(&saying(&log, "a", "late")).await, Err(JournalError::Superseded));
    assert_eq!(journal.read(&context("a"), 0).await, Err(JournalError::Superseded));
    assert_eq!(journal.contexts().await, Err(JournalError::Superseded));
}

#[wasm_bindgen_test]
async fn a_dropped_journal_blocks_nobody() {
    let database = fresh_name();
    drop(IndexedDbJournal::open(&database).await.unwrap());
    // Fails when it is blocked.
    javascript(&format!("{OPEN} db.close()"), &database, DATABASE_VERSION + 1).await;
}

#[wasm_bindgen_test]
async fn a_tab_that_does_not_give_way_is_named_within_seconds_and_the_upgrade_still_runs() {
    let database = fresh_name();
    drop(IndexedDbJournal::open(&database).await.unwrap());
    let _held = Replaced::new("globalThis", "held", "null");
    javascript(&format!("{OPEN} globalThis.held = db"), &database, DATABASE_VERSION).await;
    // The next release, as far as the browser sees it.
    let next = format!("function (name) {{ return real.call(this, name, {}); }}", DATABASE_VERSION + 1);
    let upgrading = Replaced::new("IDBFactory.prototype", "open", &next);
    let begun = js_sys::Date::now();
    assert_eq!(BrowserJournal::open(&database).await.err(), Some(JournalError::Blocked));
    assert!(js_sys::Date::now() - begun < 9_000.0);
    drop(upgrading);
    javascript("globalThis.held.close()", "", JsValue::UNDEFINED).await;
    pause(500).await;
    // The abandoned request has run and closed its connection: nothing blocks the version after it.
    let stores = format!("{OPEN} db.close(); return db.objectStoreNames.length");
    assert_eq!(javascript(&stores, &database, DATABASE_VERSION + 2).await.as_f64(), Some(6.0));
}

#[wasm_bindgen_test]
async fn deleting_takes_an_open_database_and_says_so() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    filled(&journal, "a", 1).await;
    assert_eq!(delete_database(&database).await, Ok(()));
    let gone = journal.contexts().await;
    assert!(
        matches!(&gone, Err(JournalError::Unavailable { detail }) if detail.contains("deleted")),
        "{gone:?}"
    );
    let again = IndexedDbJournal::open(&database).await.unwrap();
    assert_eq!(again.contexts().await, Ok(vec![]));
    assert_eq!(delete_database(&fresh_name()).await, Ok(()), "what is not there");
}

#[wasm_bindgen_test]
async fn the_origin_tells_its_storage_where_it_can() {
    let estimate = storage_estimate().await.unwrap();
    assert!(estimate.quota > estimate.usage && estimate.usage >= 0.0, "{estimate:?}");
    let granted = Replaced::new("navigator", "storage", "{ persist: async () => true }");
    assert!(request_persistence().await);
    drop(granted);
    let _without = Replaced::new("navigator", "storage", "undefined");
    assert_eq!(storage_estimate().await, None);
    assert!(!request_persistence().await);
}

/// Deletes a database as the browser does when it finds its store damaged: past everything of ours.
async fn lost(database: &str) {
    let lose = "const request = indexedDB.deleteDatabase(database);
        await new Promise((done, fail) => { request.onsuccess = done; request.onerror = fail; });";
    javascript(lose, database, JsValue::UNDEFINED).await;
}

#[wasm_bindgen_test]
async fn a_store_that_the_browser_emptied_is_told_once() {
    let database = fresh_name();
    let emptied = async || BrowserJournal::open(&database).await.unwrap().emptied;
    let holding = async || {
        let opened = BrowserJournal::open(&database).await.unwrap();
        filled(&opened.journal, "a", 2).await;
        opened.emptied
    };
    assert!(!emptied().await && !holding().await, "new and full");
    lost(&database).await;
    assert!(emptied().await);
    assert!(!emptied().await, "once");
    // What a person deleted is not missed: a memory, the last one, or the database.
    assert!(!holding().await);
    BrowserJournal::open(&database).await.unwrap().journal.erase(&context("a")).await.unwrap();
    lost(&database).await;
    assert!(!emptied().await);
    assert!(!holding().await);
    delete_database(&database).await.unwrap();
    assert!(!emptied().await);
}
