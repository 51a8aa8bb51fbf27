//! Ingestion: how text gets into the memory once, whole and affordably.
//!
//! `document` takes documents and texts in; `chunk` cuts them into passages; `run` analyses what waits, window by window, and
//! isolates failures; `ledger` knows again what was analysed; `estimate` says what a run will cost before anything is paid; `forget`
//! takes a source back; `config` holds the settings. Source: dice 3.5, 3.7, 3.8.

mod chunk;
mod config;
mod document;
mod estimate;
mod forget;
mod ledger;
mod run;

pub(crate) use chunk::tail;
pub use chunk::{Chunk, chunks};
pub use config::{IngestConfig, Price};
pub use document::{Artifact, DocumentOptions, DocumentReceipt, Ingestion};
pub use estimate::{Estimate, Range, estimate_tokens};
pub use forget::ForgottenSource;
pub(crate) use ledger::Fingerprint;
pub use ledger::LedgerEntry;
pub(crate) use run::settle;
pub use run::{Pending, PendingSource, Progress, RunStats, Trigger};
