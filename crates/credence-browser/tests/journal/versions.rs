//! A database of every schema version that was ever released, made here by plain JavaScript exactly as that release left
//! it, and opened by this release. Never edit one: it is what people have on their disks.

use credence::history::{Cause, Journal, JournalError, Purpose};
use credence::id::UseId;
use credence_browser::journal::{DATABASE_VERSION, IndexedDbJournal};
use uuid::Uuid;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{OPEN, context, fresh_name, javascript, saying, stored};

/// Makes the stores and rows of version 1 in an upgrade of `db`.
const V1: &str = r#"
    db.createObjectStore('commits', { keyPath: ['context', 'seq'] }).add({
        context: 'home', seq: 1, id: 'C00000000000000000000000000000001', at: 1000, cause: 'forget',
        body: '{"schema":1,"id":"C00000000000000000000000000000001","context":"home","seq":1,"at":1000,"clock":1000,' +
            '"cause":"forget","actor":"person","reason":"by hand","ids":{"conversation":"V1"},"revisions":[' +
            '{"id":1,"record":"P00000000000000000000000000000002","content_id":"0123456789abcdef0123456789abcdef",' +
            '"value":null,"why":"asked to"}]}',
    });
    db.createObjectStore('heads', { keyPath: 'context' })
        .add({ context: 'home', id: 'C00000000000000000000000000000001', seq: 1 });
    const uses = db.createObjectStore('uses', { keyPath: ['context', 'id'] });
    uses.createIndex('time', ['context', 'at']);
    uses.add({
        context: 'home', id: 'U00000000000000000000000000000003', at: 2000,
        body: '{"id":"U00000000000000000000000000000003","context":"home","commit":null,"seq":0,"at":2000,' +
            '"purpose":"search","step":"s","query":"q","items":[],"left_out":[]}',
    });
    db.createObjectStore('vectors')
        .add(new Float32Array([0.6, 0.8]), ['home', 'space', '0123456789abcdef0123456789abcdef']);
"#;

/// Makes the database of a version.
async fn made_by_hand(version: u32, stores: &str) -> String {
    let database = fresh_name();
    let make = format!(
        "await new Promise((done, fail) => {{
            const request = indexedDB.open(database, argument);
            request.onupgradeneeded = () => {{ const db = request.result; {stores} }};
            request.onsuccess = () => {{ request.result.close(); done(); }};
            request.onerror = () => fail(request.error);
        }})"
    );
    javascript(&make, &database, version).await;
    database
}

/// The stores of a database, with their keys and indexes.
async fn schema(database: &str) -> String {
    let look = format!(
        "{OPEN} const transaction = db.transaction(Array.from(db.objectStoreNames)); db.close();
        const path = key => Array.isArray(key) ? `[${{key}}]` : `${{key}}`;
        return Array.from(db.objectStoreNames, name => {{
            const store = transaction.objectStore(name);
            const indexes = Array.from(store.indexNames, index => ` ${{index}} ${{path(store.index(index).keyPath)}}`);
            return `${{name}} ${{path(store.keyPath)}}${{indexes.join('')}}`;
        }}).join('; ')"
    );
    javascript(&look, database, wasm_bindgen::JsValue::UNDEFINED).await.as_string().unwrap()
}

#[wasm_bindgen_test]
async fn a_database_of_version_1_opens_with_everything_in_it() {
    let database = made_by_hand(1, V1).await;
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    let commits = stored(&journal, "home").await;
    assert_eq!((commits.len(), commits[0].cause, commits[0].reason.as_str()), (1, Cause::Forget, "by hand"));
    assert_eq!(journal.contexts().await.unwrap()[0].head, commits[0].id);
    let used = journal.use_record(&context("home"), UseId::new(Uuid::from_u128(3))).await.unwrap().unwrap();
    assert_eq!((used.purpose, used.at.0), (Purpose::Search, 2000));
    assert_eq!(journal.uses(&context("home")).await.unwrap(), [used]);
    assert_eq!(journal.vectors(&context("home"), "space").await.unwrap()[0].vector, [0.6, 0.8]);
    let log = credence::history::Log::replay(commits).unwrap();
    assert_eq!(journal.append(&saying(&log, "home", "and on it goes")).await, Ok(()));
    assert_eq!(journal.inspect(&context("home")).await, Ok(vec![]));
    assert_eq!(journal.set_aside(&context("home")).await, Ok(vec![]));
    assert_eq!(journal.noted(&context("home"), "backup").await, Ok(None));
}

/// Adds what version 2 brought to the stores and rows of version 1.
const V2: &str = r#"
    db.createObjectStore('set_aside', { keyPath: ['context', 'seq', 'place'] }).add({
        context: 'home', seq: 1, place: 0, store: 'uses', key: 'U1', detail: 'torn', raw: '{',
        row: { context: 'home', id: 'U1', at: 5, body: '{' },
    });
    db.createObjectStore('meta', { keyPath: ['context', 'name'] })
        .add({ context: 'home', name: 'backup', value: '{}' });
"#;

#[wasm_bindgen_test]
async fn a_database_of_version_2_opens_with_everything_in_it() {
    let database = made_by_hand(2, &format!("{V1}{V2}")).await;
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    assert_eq!(stored(&journal, "home").await.len(), 1);
    let aside = journal.set_aside(&context("home")).await.unwrap();
    assert_eq!((aside.len(), aside[0].key.as_str(), aside[0].raw.as_deref()), (1, "U1", Some("{")));
    assert_eq!(journal.noted(&context("home"), "backup").await, Ok(Some("{}".to_owned())));
}

#[wasm_bindgen_test]
async fn a_tab_of_version_1_that_stays_open_is_named_and_one_that_gives_way_is_not_waited_for() {
    let polite = made_by_hand(1, V1).await;
    let gives_way = format!("{OPEN} db.onversionchange = () => db.close()");
    javascript(&gives_way, &polite, 1).await;
    assert!(IndexedDbJournal::open(&polite).await.is_ok());
    let held = made_by_hand(1, V1).await;
    javascript(&format!("{OPEN} globalThis.stubborn = db"), &held, 1).await;
    let refused = IndexedDbJournal::open(&held).await.err();
    assert_eq!(refused, Some(JournalError::Blocked));
    javascript("globalThis.stubborn.close(); delete globalThis.stubborn", &held, 1).await;
    let journal = IndexedDbJournal::open(&held).await.unwrap();
    assert_eq!(stored(&journal, "home").await.len(), 1);
}

#[wasm_bindgen_test]
async fn an_upgraded_database_has_the_stores_of_a_new_one() {
    let new = fresh_name();
    drop(IndexedDbJournal::open(&new).await.unwrap());
    let upgraded = made_by_hand(1, V1).await;
    drop(IndexedDbJournal::open(&upgraded).await.unwrap());
    assert_eq!(schema(&upgraded).await, schema(&new).await);
    let second = made_by_hand(2, &format!("{V1}{V2}")).await;
    assert_eq!(schema(&second).await, schema(&new).await);
    assert_eq!(DATABASE_VERSION, 2, "a new version needs its database here");
}
