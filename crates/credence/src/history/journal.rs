//! The journal port: what a store must do. It appends a commit atomically and reads commits back; everything else is
//! derived from them. The contract is a test suite (`contract`) that every adapter runs.

use std::collections::BTreeMap;

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

/// A change of stored history, which only erasure, retention and repair make. The commit that says so is appended with it, so nobody can
/// read on without learning of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewrite {
    /// Follows the head, like any other commit; its cause [rewrites](super::Cause::rewrites).
    pub appended: Commit,
    /// Commits in place of stored ones with the same position and id.
    pub commits: Vec<Commit>,
    /// Use records in place of stored ones with the same id.
    pub uses: Vec<UseRecord>,
    /// Use records that go.
    pub dropped_uses: Vec<UseId>,
    /// Texts whose vectors go, from every space.
    pub dropped_vectors: Vec<ContentId>,
}

/// Everything that a journal holds of one memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    /// The log, from its first commit.
    pub commits: Vec<Commit>,
    /// Use records, oldest first.
    pub uses: Vec<UseRecord>,
    /// Vectors by space.
    pub vectors: BTreeMap<String, Vec<StoredVector>>,
}

/// A stored row that cannot be read, or is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The store: `commits`, `uses` or `vectors`.
    pub store: String,
    /// Its key, as text.
    pub key: String,
    /// What is wrong with it.
    pub detail: String,
    /// What is stored there, as text, as far as it can be shown; `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// A store of commit logs, one a context.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait Journal {
    /// A memory's newest commit; `None` for an unknown context.
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError>;
    /// Every memory, by name.
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError>;
    /// Commits of `context` with `seq > after`, in order of `seq`; empty for an unknown context. In place of a row that cannot be read or is
    /// missing stands a [`Commit::unreadable`] that keeps the chain whole; a newer form is an error all the same.
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
    /// Every space that this context has vectors in, in order.
    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError>;
    /// Changes stored history, whole or not at all, and only if the appended commit follows the head; otherwise
    /// [`JournalError::Stale`]. Returns once it is durable. What was replaced cannot be read again. An erasure takes with it what was set
    /// aside, for nobody can tell what stands in a row that cannot be read.
    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError>;
    /// Stores a whole memory under a name, whole or not at all, in place of the one whose head is at `expected`, 0 where there must be none;
    /// otherwise [`JournalError::Stale`]. Every commit names the context.
    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError>;
    /// Looks at every row of a memory and lists those that cannot be read, in order of store and key. Costs a read of everything.
    async fn inspect(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError>;
    /// Moves damaged rows out of the way, where [`Journal::set_aside`] still shows them, puts what keeps the chain whole in their place, and
    /// appends the commit that says so: whole or not at all.
    async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError>;
    /// Rows that repairs moved out of the way, oldest first.
    async fn set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError>;
    /// Removes a memory, what was set aside of it included: its commits, use records and vectors, whole or not at all. An unknown context is no error.
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError>;
}
