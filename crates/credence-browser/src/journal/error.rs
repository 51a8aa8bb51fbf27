//! What the platform throws, in the journal's words. Browsers differ in which exception they choose, so the decision is by
//! name, in one table.

use credence::history::JournalError;
use indexed_db_futures::error::{Error, JSError, OpenDbError};
use wasm_bindgen::JsValue;

use crate::global::words;

/// An error of a request, a transaction or a store.
pub(super) fn of_request(error: Error) -> JournalError {
    match error {
        Error::DomException(exception) => of_exception(&web_sys::DomException::from(exception)),
        Error::Unknown(JSError::Error(error)) => JournalError::Backend { detail: words(&error) },
        Error::Unknown(JSError::Unknown(thrown)) => JournalError::Backend { detail: words(&thrown) },
        other => JournalError::Backend { detail: other.to_string() },
    }
}

/// An exception, by name.
pub(super) fn of_exception(exception: &web_sys::DomException) -> JournalError {
    let detail = words(exception.as_ref());
    match exception.name().as_str() {
        "QuotaExceededError" => JournalError::QuotaExceeded,
        // Blocked site data; Firefox's private windows; a document whose storage was taken away.
        "SecurityError" | "InvalidStateError" | "NotAllowedError" => JournalError::Unavailable { detail },
        _ => JournalError::Backend { detail },
    }
}

/// An error of opening or deleting a database. A `VersionError` is the caller's to look into.
pub(super) fn of_open(error: OpenDbError) -> JournalError {
    let unavailable = |detail: &str| JournalError::Unavailable { detail: detail.to_owned() };
    match error {
        OpenDbError::Base(error) => of_request(error),
        OpenDbError::NullFactory | OpenDbError::UnsupportedEnvironment => {
            unavailable("this browser has no IndexedDB")
        }
        // indexed_db_futures says so of whatever indexedDB.open throws; our version is never zero.
        OpenDbError::VersionZero => {
            unavailable("the browser refused to open IndexedDB (private window, or site data is blocked)")
        }
    }
}

/// Whether opening failed because the stored version is higher than ours.
pub(super) fn is_version_error(error: &OpenDbError) -> bool {
    match error {
        OpenDbError::Base(Error::DomException(exception)) => {
            let thrown: &JsValue = exception.as_ref();
            words(thrown).starts_with("VersionError")
        }
        _ => false,
    }
}
