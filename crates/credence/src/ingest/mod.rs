//! Ingestion: how text gets into the memory once, whole and affordably.
//!
//! `ledger` knows again what was analysed.

mod ledger;

pub use ledger::{Fingerprint, LedgerEntry};
