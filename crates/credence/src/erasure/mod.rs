//! Forgetting for ever: the content of what goes is destroyed wherever it is stored, and what is left says only that something was
//! there.
//!
//! Rules (history 2.7): every revision of what goes loses its content, with everything derived from it: vectors, mentions, edges,
//! abstractions, summaries, reports, questions and use records; the ids, the commits and the fact of the erasure stay; a
//! tombstone without content keeps it from being learned again from the same sources.
//!
//! - `reach`: which records go with a target; `words`: which sentences and names go from what stays; `redact`: taking them out of any record.
//! - `plan`: all of it as one change of stored history, and its preview; `pace`: in slices, so that a page goes on and can stop it; `run`: what a person asks for; `again`: the same on another copy; `late`: what lands after an erasure and was read before it.
//! - `soft`: leaving the present by the same targets, with a way back; `wish`: what a person asks for in a conversation.
//! - `report`: what is kept of an erasure; `tombstone`: what that keeps from coming back.

mod again;
mod late;
mod pace;
mod plan;
mod reach;
mod redact;
mod report;
mod run;
mod soft;
mod tombstone;
mod wish;
mod words;

pub(crate) use again::again;
pub use pace::ErasureProgress;
pub use report::{
    Cleaned, ErasurePreview, ErasureReport, ErasureTarget, Tombstone, TombstoneKind, TouchedStatement,
    TouchedTurn,
};
pub use soft::Forgetting;
pub(crate) use tombstone::{Tombstones, erased_since};
pub use wish::WishOutcome;
pub(crate) use wish::in_words;
pub use words::FORGOTTEN;
