//! What can raise a unit: evidence, never injection (core 15, G4).

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// The kinds of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A source that had not said it before says the same.
    IndependentSource,
    /// An answer used it, and it was checked that the answer agrees with it.
    CorrectUse,
    /// A person confirmed it.
    Confirmation,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What kind.
    pub kind: EvidenceKind,
    /// Who or what it came from: what caps are counted by.
    pub source: String,
    /// When.
    pub at: Timestamp,
}
