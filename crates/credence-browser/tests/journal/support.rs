//! What the tests share: databases nobody else uses, commits, plain JavaScript beside us, and taking things away from the
//! page for the length of a test.

use std::cell::Cell;

use credence::history::{Actor, Cause, Commit, Journal, Log, Scope, ScopeInfo};
use credence::id::{CommitId, ContextId, PropositionId};
use credence::ports::Ids;
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::time::Timestamp;
use credence_browser::BrowserIds;
use credence_browser::journal::IndexedDbJournal;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

thread_local! {
    static NAMES: Cell<u32> = const { Cell::new(0) };
}

/// A database name that no other test uses.
pub(crate) fn fresh_name() -> String {
    NAMES.set(NAMES.get() + 1);
    format!("test-{}", NAMES.get())
}

/// A journal on a database of its own.
pub(crate) async fn fresh() -> IndexedDbJournal {
    IndexedDbJournal::open(&fresh_name()).await.unwrap()
}

pub(crate) fn context(name: &str) -> ContextId {
    ContextId::new(name).unwrap()
}

/// The commit that says `text` next, with ids of its own. `log` does not move.
pub(crate) fn saying(log: &Log, name: &str, text: &str) -> Commit {
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, "test"));
    let id = PropositionId::new(BrowserIds.next());
    let made = Proposition::new(id, text, Confidence::clamped(0.7), Extractor::Person, Timestamp(5)).unwrap();
    scope.put(log.state(), made, "");
    scope.to_commit(log.state(), &context(name), CommitId::new(BrowserIds.next()), Timestamp(10)).unwrap()
}

/// Says `count` things one after the other and stores them; gives the log.
pub(crate) async fn filled(journal: &impl Journal, name: &str, count: usize) -> Log {
    let mut log = Log::default();
    for n in 0..count {
        let commit = log.push(saying(&log, name, &format!("statement {n}"))).unwrap();
        journal.append(&commit).await.unwrap();
    }
    log
}

/// The commits of a context.
pub(crate) async fn stored(journal: &impl Journal, name: &str) -> Vec<Commit> {
    journal.read(&context(name), 0).await.unwrap()
}

/// Runs the body of an async function of `database` and `argument`.
pub(crate) async fn javascript(body: &str, database: &str, argument: impl Into<JsValue>) -> JsValue {
    let run = Function::new_with_args("database, argument", &format!("return (async () => {{ {body} }})()"));
    let promise = run.call2(&JsValue::UNDEFINED, &database.into(), &argument.into()).unwrap();
    JsFuture::from(promise.unchecked_into::<Promise>()).await.unwrap()
}

/// JavaScript that opens `database` without our code: `const db` at version `argument`, or as it is without one.
pub(crate) const OPEN: &str = "
    const db = await new Promise((done, fail) => {
        const request = indexedDB.open(database, argument);
        request.onsuccess = () => done(request.result);
        request.onerror = () => fail(request.error);
        request.onblocked = () => fail(new Error('blocked'));
    });
";

/// Changes a database behind our back: `change` is JavaScript over a `transaction` of all its stores.
pub(crate) async fn tamper(database: &str, change: &str) {
    let body = format!(
        "{OPEN} const transaction = db.transaction(Array.from(db.objectStoreNames), 'readwrite'); {change};
        await new Promise(done => transaction.oncomplete = done); db.close();"
    );
    javascript(&body, database, JsValue::UNDEFINED).await;
}

/// A property of an object of the page, replaced until this is dropped.
pub(crate) struct Replaced {
    restore: Function,
}

impl Replaced {
    /// Replaces `object.name` by the value of the JavaScript expression `value`, which may use `real`.
    pub(crate) fn new(object: &str, name: &str, value: &str) -> Self {
        let body = format!(
            "const object = {object}, own = Object.getOwnPropertyDescriptor(object, name), real = object[name];
            Object.defineProperty(object, name, {{ value: {value}, configurable: true, writable: true }});
            return () => {{ delete object[name]; if (own) Object.defineProperty(object, name, own); }};"
        );
        let replace = Function::new_with_args("name", &body);
        Self { restore: replace.call1(&JsValue::UNDEFINED, &name.into()).unwrap().unchecked_into() }
    }
}

impl Drop for Replaced {
    fn drop(&mut self) {
        self.restore.apply(&JsValue::UNDEFINED, &Array::new()).unwrap();
    }
}

/// Replaces the commit of a transaction by its abort, with this as the cause that the browser gives.
pub(crate) fn aborting(error: &str) -> Replaced {
    let abort = format!(
        "function () {{ Object.defineProperty(this, 'error', {{ value: {error} }}); this.abort(); }}"
    );
    Replaced::new("IDBTransaction.prototype", "commit", &abort)
}

/// Lets other events run.
pub(crate) async fn pause(milliseconds: u32) {
    javascript("await new Promise(done => setTimeout(done, argument))", "", milliseconds).await;
}
