//! The journal port: what a store must do. It appends a commit atomically and reads commits back; everything else is
//! derived from them. The contract is a test suite (`contract`) that every adapter runs.

use serde::{Deserialize, Serialize};

use super::commit::{Commit, ContentId};
use super::use_record::UseRecord;
use crate::id::{CommitId, ContextId, UseId};

/// Why a journal could not answer or accept a change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another writer moved the head; catch up and decide again. Nothing was written.
    #[error("the memory `{context}` moved on: expected to follow commit {expected}, found {found}")]
    Stale {
        /// The memory.
        context: ContextId,
        /// The seq that the commit was decided on.
        expected: u64,
        /// The seq of the head now.
        found: u64,
    },
    /// The platform refused more space. Nothing was written; everything stored is intact.
    #[error("the storage is full; nothing was lost, but this change was not saved: export, then free space")]
    QuotaExceeded,
    /// A stored record cannot be read.
    #[error("stored record {at} cannot be read: {detail}")]
    Corrupt {
        /// Store and key.
        at: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The data was written by a newer release.
    #[error(
        "this data was written by a newer Credence (schema {found}, this one reads up to {supported}); update to open it"
    )]
    NewerSchema {
        /// What is stored.
        found: u32,
        /// The newest that this release reads.
        supported: u32,
    },
    /// Another tab holds an older schema open.
    #[error("another tab keeps an older version of this memory open; close it and try again")]
    Blocked,
    /// A newer version took the database over while this one was open.
    #[error("a newer version of Credence opened this memory in another tab; reload this page")]
    Superseded,
    /// There is no store here: private mode, blocked site data, no such API.
    #[error("data cannot be kept here: {detail}")]
    Unavailable {
        /// The platform's words.
        detail: String,
    },
    /// Anything else that the platform reports.
    #[error("the store failed: {detail}")]
    Backend {
        /// The platform's words.
        detail: String,
    },
}

impl JournalError {
    /// A stable word for tests and the JS surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "store-stale",
            Self::QuotaExceeded => "store-quota",
            Self::Corrupt { .. } => "store-corrupt",
            Self::NewerSchema { .. } => "store-newer-schema",
            Self::Blocked => "store-blocked",
            Self::Superseded => "store-superseded",
            Self::Unavailable { .. } => "store-unavailable",
            Self::Backend { .. } => "store-failed",
        }
    }
}

/// One memory in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextSummary {
    /// Its name.
    pub context: ContextId,
    /// Its newest commit.
    pub head: CommitId,
    /// That commit's position: the number of commits.
    pub seq: u64,
}

/// A vector kept beside the log, so that it need not be computed again.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredVector {
    /// The text that was embedded, by content.
    pub text: ContentId,
    /// Unit length, or all zero.
    pub vector: Vec<f32>,
}

/// A store of commit logs, one a context.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait Journal {
    /// Every memory, by name.
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError>;
    /// Commits of `context` with `seq > after`, in order of `seq`; empty for an unknown context.
    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError>;
    /// Appends whole or not at all, and only if `commit.parent` is the head and `commit.seq` follows it; otherwise
    /// [`JournalError::Stale`]. Returns once the commit is durable.
    async fn append(&self, commit: &Commit) -> Result<(), JournalError>;
    /// Keeps a use record; the same id twice keeps the last.
    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError>;
    /// A use record of this context.
    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError>;
    /// Every use record of this context, oldest first.
    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError>;
    /// Keeps vectors of one space; the same text twice keeps the last.
    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError>;
    /// Every kept vector of one space, by text.
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError>;
    /// Removes a memory: its commits, use records and vectors, whole or not at all. An unknown context is no error.
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError>;
}
