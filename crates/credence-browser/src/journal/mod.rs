//! The journal in the browser: commit logs in IndexedDB, and what to do where there is none.
//!
//! Rules: an append is one IndexedDB transaction, which reads the head and writes the commit and the new head, so two tabs
//! cannot both follow the same head; nothing is awaited inside a transaction that is not IndexedDB, because it would
//! close by itself; commits are stored as the JSON text of the core's own form (the core versions it), use records too,
//! vectors as `Float32Array`. Stores, keys and indexes: [`migrations`](self). What the platform throws becomes a
//! [`JournalError`](credence::history::JournalError) that says what to do, in one place (`error`).

mod any;
#[cfg(feature = "bench")]
pub mod bench;
pub(crate) mod connection;
mod error;
mod indexed_db;
mod looking;
mod marker;
mod migrations;
mod rewriting;
mod rows;
mod storage;

pub use any::{BrowserJournal, Opened, Persistence};
pub use indexed_db::IndexedDbJournal;
pub use migrations::CURRENT as DATABASE_VERSION;
pub use storage::{
    StorageEstimate, StoreSize, delete_database, is_persistent, request_persistence, storage_estimate,
};
