//! The origin's storage as a whole: how much there is, asking to keep it, and giving it back.

use std::pin::pin;

use credence::history::JournalError;
use futures::future::{Either, select};
use indexed_db_futures::database::Database;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::StorageManager;

use super::error;
use crate::global::{member, sleep};

/// What the browser says of this origin's storage. Both are estimates, and browsers round them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StorageEstimate {
    /// Bytes in use, by everything that this origin stores.
    pub usage: f64,
    /// Bytes that it may use.
    pub quota: f64,
}

fn manager() -> Option<StorageManager> {
    Some(member(&["navigator", "storage"])?.unchecked_into())
}

/// How much this origin stores and may store; `None` where the browser does not tell (pages without HTTPS, old browsers).
pub async fn storage_estimate() -> Option<StorageEstimate> {
    let answer = JsFuture::from(manager()?.estimate().ok()?).await.ok()?;
    let estimate: web_sys::StorageEstimate = answer.unchecked_into();
    Some(StorageEstimate { usage: estimate.get_usage()?, quota: estimate.get_quota()? })
}

/// Asks the browser not to evict this origin's storage when space runs short; some ask the person. Says whether storage is
/// now persistent; `false` where the browser cannot promise it.
pub async fn request_persistence() -> bool {
    let Some(manager) = manager() else { return false };
    let Ok(request) = manager.persist() else { return false };
    JsFuture::from(request).await.is_ok_and(|answer| answer.is_truthy())
}

/// How long other connections may take to close, in milliseconds.
const GRACE: i32 = 5_000;

/// Deletes the database of this name with everything in it. Journals that are open on it, here or in other tabs, close by
/// themselves. A database that does not exist is no error.
///
/// # Errors
/// [`JournalError::Blocked`] when something else keeps it open for seconds (the browser deletes it once that closes);
/// [`JournalError::Unavailable`] where there is no IndexedDB.
pub async fn delete_database(name: &str) -> Result<(), JournalError> {
    let request = Database::delete_by_name(name).map_err(error::of_open)?;
    match select(pin!(request.into_future()), pin!(sleep(GRACE))).await {
        Either::Left((done, _)) => done.map_err(error::of_request),
        Either::Right(_) => Err(JournalError::Blocked),
    }
}
