//! What is thrown: a real `Error` named `CredenceError`, with a `code` that is public contract and a message that says
//! what to do.

use credence::Error;
use credence::history::JournalError;
use credence::id::IdError;
use js_sys::Reflect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const CODES: &str = r#"
/**
 * What went wrong, as a word that programs can rely on. Later releases may add words.
 */
export type ErrorCode =
  /** An argument cannot be used; the message names it. */
  | "invalid-argument"
  /** There is no such record in this memory, or it was removed. */
  | "not-found"
  /** A rule of the working set stands against it; the message names the rule. */
  | "refused"
  /** Another writer changed the same record first. */
  | "conflict"
  /** The conversation is being analysed already, or a maintenance run is under way. */
  | "busy"
  /** An abort signal ended the call. */
  | "cancelled"
  /** The handle was closed. */
  | "closed"
  /** The engine could not be loaded, or stopped on a defect of its own. */
  | "engine-failed"
  /** The embedding model could not be loaded. */
  | "embedding-failed"
  /** A context name cannot be used. */
  | "bad-context"
  /** A prompt template cannot be used. */
  | "bad-template"
  /** A file to import cannot be read. */
  | "bad-import"
  /** The file is no bundle. */
  | "not-a-bundle"
  /** The bundle ends in the middle. */
  | "bundle-truncated"
  /** The bundle is no JSON. */
  | "bundle-syntax"
  /** The bundle was written by a newer release. */
  | "bundle-newer-schema"
  /** The bundle is not what was written. */
  | "bundle-checksum"
  /** Something in the bundle cannot be. */
  | "bundle-invalid"
  /** A choice for a memory of a bundle cannot be carried out. */
  | "bundle-choice"
  /** The store refused an import and then refused to put back what had been written. */
  | "bundle-half-way"
  /** A proposition would be ill-formed, or its status may not move so. */
  | "invalid-proposition"
  /** The log has no such commit. */
  | "no-such-commit"
  /** The model's answer could not be read, even after one repair. */
  | "unreadable-reply"
  /** The journal: another writer moved the head. */
  | "store-stale"
  /** The journal: no space left. */
  | "store-quota"
  /** The journal: a stored record is damaged. */
  | "store-corrupt"
  /** The journal: written by a newer release. */
  | "store-newer-schema"
  /** The journal: another tab keeps an older version of the database open. */
  | "store-blocked"
  /** The journal: a newer release took the database over. */
  | "store-superseded"
  /** The journal: data cannot be kept here. */
  | "store-unavailable"
  /** The journal: anything else. */
  | "store-failed"
  /** The model: none is connected. */
  | "model-not-connected"
  /** The model: no server answers. */
  | "model-unreachable"
  /** The model: the browser may not read the server's answer. */
  | "model-cors"
  /** The model: the key was refused. */
  | "model-bad-key"
  /** The model: the endpoint does not have it. */
  | "model-unknown"
  /** The model: no quota left. */
  | "model-quota-exhausted"
  /** The model: an https page may not call an http address. */
  | "model-mixed-content"
  /** The model: too many calls. */
  | "model-rate-limited"
  /** The model: the server failed. */
  | "model-server"
  /** The model: the request was refused. */
  | "model-refused"
  /** The model: the connection broke off. */
  | "model-broken-off"
  /** The model: no answer in time. */
  | "model-timeout"
  /** The model: cancelled. */
  | "model-cancelled"
  /** The model: its answer is not what the interface promises. */
  | "model-malformed"
  /** The model: the program's own model function failed. */
  | "model-failed";
"#;

/// A failure on its way to JavaScript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Failure {
    /// An argument that cannot be used; `name` is its path as the caller wrote it.
    pub(crate) fn argument(name: &str, problem: impl std::fmt::Display) -> Self {
        Self { code: "invalid-argument".into(), message: format!("{name}: {problem}") }
    }
    /// Something within an argument; `problem` begins with its path there.
    pub(crate) fn at(name: &str, problem: &str) -> Self {
        Self { code: "invalid-argument".into(), message: format!("{name}{problem}") }
    }
    pub(crate) fn closed() -> Self {
        let message = "this memory was closed; open it again to go on".into();
        Self { code: "closed".into(), message }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { code: error.code().to_owned(), message: error.to_string() }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Error::from(error).into()
    }
}

impl From<IdError> for Failure {
    fn from(error: IdError) -> Self {
        Self::argument("id", error)
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.message);
        error.set_name("CredenceError");
        // Fails for frozen objects alone, and this one is fresh.
        let _ = Reflect::set(&error, &"code".into(), &failure.code.into());
        error.into()
    }
}
