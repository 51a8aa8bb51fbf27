//! Forgetting for ever: the content of what goes is destroyed wherever it is stored, and what is left says only that something was
//! there.
//!
//! Rules (history 2.7): every revision of what goes loses its content, with everything derived from it: vectors, mentions, edges,
//! abstractions, summaries, reports, questions and use records; the ids, the commits and the fact of the erasure stay; a
//! tombstone without content keeps it from being learned again from the same sources.
//!
//! - `reach`: which records go with a target; `words`: which sentences and names go from what stays; `redact`: taking them out of any record.
//! - `plan`: all of it as one change of stored history, and its preview; `run`: what a person asks for, and what lands late.
//! - `report`: what is kept of an erasure.

mod plan;
mod reach;
mod redact;
mod report;
mod run;
mod words;

pub use report::{
    Cleaned, ErasurePreview, ErasureReport, ErasureTarget, Tombstone, TombstoneKind, TouchedStatement,
    TouchedTurn,
};
pub use words::FORGOTTEN;
