//! Bundles: whole memories as one file, and the way back. And statements as lists that people read.
//!
//! A bundle is one JSON file of one context or several: every commit, every use record and every vector as stored, so that importing it
//! into an empty store and exporting again gives the same bytes but for the time of the export. Keys, endpoints and settings are no part
//! of a memory, so none can be in it. One commit stands on one line.
//!
//! Rules: a file is checked whole before anything of it is written (`read`: syntax, checksum, form, chain of commits); what an import
//! would do is a plan that can be shown (`plan`); it is carried out in one storage transaction a memory, and a failure takes back what had
//! been written (`apply`). Merging adds nothing twice (`merge`). What was erased for ever here stays gone when a copy takes this memory's place, unless a
//! person says otherwise (`erased`). Older forms are read for ever (`upgrade`).
//!
//! - The checksum is SHA-256 over the texts of `context`, `commits`, `uses` and `vectors` without the white space between tokens, a line
//!   feed after each: over what was written, not over what this release makes of it, so that new fields break no old file.
//! - Vectors are base64 of 32-bit floats, little endian: the same bits come back, at half the size of decimal numbers.
//!
//! Source: history 2 (one mechanism for audit, export and sync), dice 12 (46); cases 46 and 49 of the public reports.

mod alike;
mod apply;
mod base64;
mod erased;
mod error;
mod export;
mod merge;
mod plan;
mod read;
mod readable;
mod upgrade;
mod write;

pub use apply::{ImportOutcome, ImportReport, ImportedContext, apply_import};
pub(crate) use base64::decode as decode_base64;
pub use error::BundleError;
pub use export::{contents, export};
pub use merge::{Joined, MergeConflict, MergeReport, NotTaken};
pub use plan::{Choice, ImportPlan, PlannedContext, Standing, Tally, preview_import};

use crate::history::Contents;
use crate::id::ContextId;
use crate::time::Timestamp;

/// Says what the file is.
pub const BUNDLE_FORMAT: &str = "credence-bundle";

/// The form of the file. Raised whenever an older reader would misread it; older forms are read for ever.
pub const BUNDLE_SCHEMA: u32 = 2;

/// One memory of a bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct BundledContext {
    /// Its name when it was exported.
    pub context: ContextId,
    /// All of it: use records by time, vectors by text.
    pub contents: Contents,
}

/// Memories, whole. [`Bundle::read`] and [`Bundle::to_json`] are its file form.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The release that made it.
    pub made_with: String,
    /// When it was made: the only part that two exports of one memory differ in.
    pub exported_at: Timestamp,
    /// The memories, by name.
    pub contexts: Vec<BundledContext>,
}

/// The order in which contents are written, whatever order a store keeps: use records by time and id, vectors by text, each once.
fn in_order(contents: &mut Contents) {
    contents.uses.sort_by_key(|record| (record.at, record.id));
    contents.uses.dedup_by_key(|record| record.id);
    for vectors in contents.vectors.values_mut() {
        vectors.sort_by(|a, b| a.text.cmp(&b.text));
        vectors.dedup_by(|a, b| a.text == b.text);
    }
    contents.vectors.retain(|_, vectors| !vectors.is_empty());
}
