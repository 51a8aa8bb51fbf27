//! The origin's storage as a whole: how much there is, whether the browser keeps it, what takes the space, when a copy is due, and giving it back.

use std::pin::pin;

use credence::health::{Backup, Due, Keeping, backup_due};
use credence::history::{Journal, JournalError};
use credence::id::ContextId;
use credence::time::Timestamp;
use futures::future::{Either, select};
use indexed_db_futures::database::Database;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::StorageManager;

use super::{BrowserJournal, error, marker};
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

/// Whether the browser has promised to keep this origin's storage; `None` where it does not tell. Asks nobody.
pub async fn is_persistent() -> Option<bool> {
    JsFuture::from(manager()?.persisted().ok()?).await.ok()?.as_bool()
}

/// What a store takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSize {
    /// Its name.
    pub store: &'static str,
    /// Its rows.
    pub rows: u64,
    /// Bytes of what its rows hold, before whatever the browser does to them.
    pub bytes: u64,
}

/// The name of the note of the last copy.
const BACKUP: &str = "backup";

impl BrowserJournal {
    /// What each store holds of a memory. Costs a read of everything. Empty in memory.
    ///
    /// # Errors
    /// Those of a read.
    pub async fn sizes(&self, context: &ContextId) -> Result<Vec<StoreSize>, JournalError> {
        match self {
            Self::IndexedDb(journal) => journal.sizes(context).await,
            Self::Memory(_) => Ok(Vec::new()),
        }
    }

    /// Keeps that a copy of a memory was made. In memory that is nothing.
    ///
    /// # Errors
    /// Those of a write.
    pub async fn note_backup(&self, context: &ContextId, backup: Backup) -> Result<(), JournalError> {
        let Self::IndexedDb(journal) = self else { return Ok(()) };
        let text =
            serde_json::to_string(&backup).map_err(|e| JournalError::Backend { detail: e.to_string() })?;
        journal.note(context, BACKUP, &text).await
    }

    /// The last copy of a memory that was noted; a note that cannot be read is none.
    ///
    /// # Errors
    /// Those of a read.
    pub async fn backup(&self, context: &ContextId) -> Result<Option<Backup>, JournalError> {
        let Self::IndexedDb(journal) = self else { return Ok(None) };
        Ok(journal.noted(context, BACKUP).await?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// How long this journal keeps what it is given, as far as the browser tells.
    pub async fn keeping(&self) -> Keeping {
        match self {
            Self::Memory(_) => Keeping::ThisPage,
            Self::IndexedDb(_) if is_persistent().await == Some(true) => Keeping::ForGood,
            Self::IndexedDb(_) => Keeping::UntilEvicted,
        }
    }

    /// Whether a copy of a memory is due; `begun` is the time of its first commit.
    ///
    /// # Errors
    /// Those of a read.
    pub async fn backup_due(
        &self,
        context: &ContextId,
        begun: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Due>, JournalError> {
        let Some(head) = self.head(context).await? else { return Ok(None) };
        let (backup, keeping) = (self.backup(context).await?, self.keeping().await);
        Ok(backup_due(head.seq, begun, backup, keeping, now))
    }
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
        Either::Left((done, _)) => {
            done.map_err(error::of_request)?;
            marker::clear(name);
            Ok(())
        }
        Either::Right(_) => Err(JournalError::Blocked),
    }
}
