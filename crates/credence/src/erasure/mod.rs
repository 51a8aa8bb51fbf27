//! Forgetting for ever: the content of what goes is destroyed wherever it is stored, and what is left says only that something was
//! there.
//!
//! Rules (history 2.7): every revision of what goes loses its content, with everything derived from it: vectors, mentions, edges,
//! abstractions, summaries, reports, questions and use records; the ids, the commits and the fact of the erasure stay; a
//! tombstone without content keeps it from being learned again from the same sources.

mod report;

pub use report::{Cleaned, ErasureReport, ErasureTarget, Tombstone, TombstoneKind};
