//! Trust: how near a source is to what it says, and how far its word is taken.

use serde::{Deserialize, Serialize};

/// How near a source is to what it says; the lesser, the stronger (dice 4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuthorityTier {
    /// First-hand.
    Primary,
    /// A source that reports.
    Secondary,
    /// Made from other statements.
    Derived,
    /// Nobody knows.
    Unknown,
}
