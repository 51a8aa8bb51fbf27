//! What the journal costs beside IndexedDB itself: the same records, put and read by plain JavaScript in the same page.

use std::rc::Rc;

use credence::history::{Actor, Cause, Commit, Journal, JournalError, Log, Scope, ScopeInfo};
use credence::id::{CommitId, ContextId, PropositionId};
use credence::ports::{Clock, Ids};
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use indexed_db_futures::SerialiseToJs;
use js_sys::{Array, Function, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::{IndexedDbJournal, delete_database};
use crate::{BrowserClock, BrowserIds};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// Medians, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figures {
    /// Appending one commit of [`PER_COMMIT`] new propositions.
    pub commit: f64,
    /// Putting the same propositions, one record each, in one bare transaction of the same durability.
    pub bare_put: f64,
    /// The same with relaxed durability: what being sure of the disk costs.
    pub bare_put_relaxed: f64,
    /// Reading and replaying a context of so many such commits.
    pub open: f64,
    /// Of that, reading it from the store: what is left is the fold.
    pub read: f64,
    /// `getAll` of the same propositions from a bare store.
    pub bare_get: f64,
}

/// Propositions in a commit.
pub const PER_COMMIT: usize = 100;
/// How often a commit is timed.
pub const TIMED: usize = 100;

/// Bare IndexedDB: `put(database, records, durability)` and `get(database)`, each a promise of the milliseconds it took.
const BARE: &str = r#"
const opened = new Promise((done, fail) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("records", { keyPath: "id" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
});
if (action === "put") {
    return opened.then(db => new Promise((done, fail) => {
        const begun = performance.now();
        const transaction = db.transaction("records", "readwrite", { durability });
        const store = transaction.objectStore("records");
        for (const record of records) store.put(record);
        transaction.oncomplete = () => { const took = performance.now() - begun; db.close(); done(took); };
        transaction.onerror = () => fail(transaction.error);
        transaction.commit();
    }));
}
return opened.then(db => new Promise((done, fail) => {
    const begun = performance.now();
    const request = db.transaction("records").objectStore("records").getAll();
    request.onsuccess = () => {
        const took = performance.now() - begun;
        db.close();
        if (request.result.length !== records) fail(new Error("found " + request.result.length));
        done(took);
    };
    request.onerror = () => fail(request.error);
}));
"#;

async fn bare(action: &str, name: &str, records: &JsValue, durability: &str) -> Result<f64, JournalError> {
    let body = Function::new_with_args("action, name, records, durability", BARE);
    let arguments = Array::of4(&action.into(), &name.into(), records, &durability.into());
    let failed = |thrown: JsValue| JournalError::Backend { detail: crate::global::words(&thrown) };
    let promise: Promise = body.apply(&JsValue::UNDEFINED, &arguments).map_err(failed)?.unchecked_into();
    JsFuture::from(promise).await.map_err(failed).map(|took| took.as_f64().unwrap_or(f64::NAN))
}

/// A commit of `count` new propositions of everyday length.
fn commit(log: &mut Log, context: &ContextId, count: usize) -> Result<Rc<Commit>, JournalError> {
    let now = BrowserClock.now().at;
    let scope = Scope::new(ScopeInfo::new(Cause::Import, Actor::Person, "benchmark"));
    for _ in 0..count {
        let id = PropositionId::new(BrowserIds.next());
        let text = format!(
            "Statement {id} says that Alice moved to Lisbon in spring and works at the harbour office."
        );
        let made = Proposition::new(id, &text, Confidence::clamped(0.8), Extractor::Person, now);
        let proposition = made.map_err(|e| JournalError::Backend { detail: e.to_string() })?;
        scope.put(log.state(), proposition, "said so");
    }
    let id = CommitId::new(BrowserIds.next());
    let commit = scope.to_commit(log.state(), context, id, now);
    log.push(commit.ok_or_else(|| JournalError::Backend { detail: "an empty commit".to_owned() })?)
}

/// The propositions of a commit as the plain objects that a store of records would hold.
fn records(commit: &Commit) -> Result<Array, JournalError> {
    let failed = |e: indexed_db_futures::error::Error| JournalError::Backend { detail: e.to_string() };
    let propositions = commit.revisions.iter().filter_map(|revision| match &revision.value {
        Some(credence::history::Record::Proposition(proposition)) => Some(proposition),
        _ => None,
    });
    propositions.map(|proposition| proposition.serialise_to_js().map_err(failed)).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Measures in databases of its own, named after `name`, which it deletes again. `commits`: how many the context has that is opened; `rounds`:
/// how often opening is timed; commits are timed [`TIMED`] times at most. Ours and the bare ones take turns, so that a busy machine hits both.
///
/// # Errors
/// Whatever the store reports.
pub async fn measure(name: &str, commits: usize, rounds: usize) -> Result<Figures, JournalError> {
    let (ours, strict, relaxed) =
        (format!("{name}-ours"), format!("{name}-strict"), format!("{name}-relaxed"));
    let context = ContextId::new("bench").map_err(|e| JournalError::Backend { detail: e.to_string() })?;
    let journal = IndexedDbJournal::open(&ours).await?;
    let mut log = Log::default();
    let (mut appends, mut puts, mut relaxed_puts) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..commits {
        let made = commit(&mut log, &context, PER_COMMIT)?;
        let records = records(&made)?;
        let begun = milliseconds();
        journal.append(&made).await?;
        let took = milliseconds() - begun;
        // Beyond those that are timed the bare store is only filled, and need not be sure of the disk.
        if n < TIMED {
            appends.push(took);
            puts.push(bare("put", &strict, &records, "strict").await?);
            relaxed_puts.push(bare("put", &relaxed, &records, "relaxed").await?);
        } else {
            bare("put", &strict, &records, "relaxed").await?;
        }
    }
    drop(log);
    let (mut opens, mut reads, mut gets) = (Vec::new(), Vec::new(), Vec::new());
    let expected = JsValue::from_f64((commits * PER_COMMIT) as f64);
    for _ in 0..rounds {
        let begun = milliseconds();
        let stored = journal.read(&context, 0).await?;
        reads.push(milliseconds() - begun);
        let read = Log::replay(stored)?;
        opens.push(milliseconds() - begun);
        drop(read);
        gets.push(bare("get", &strict, &expected, "").await?);
    }
    drop(journal);
    for name in [&ours, &strict, &relaxed] {
        delete_database(name).await?;
    }
    Ok(Figures {
        commit: median(appends),
        bare_put: median(puts),
        bare_put_relaxed: median(relaxed_puts),
        open: median(opens),
        read: median(reads),
        bare_get: median(gets),
    })
}
