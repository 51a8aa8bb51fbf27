//! The trail of a trust decision: every signal with its weight and what it added, so that the parts sum to the score.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;
use crate::unit::Earned;

/// Where a score leads (core 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Zone {
    /// Not promoted.
    Archive,
    /// A person is asked.
    Review,
    /// Promoted.
    AutoPromote,
}

/// One signal's part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignalAudit {
    /// Its name.
    pub name: String,
    /// What it said, 0 to 1; `None` where it had nothing to say.
    pub value: Option<f64>,
    /// The profile's weight.
    pub weight: f64,
    /// What it added to the score.
    pub added: f64,
    /// In words for a person.
    pub why: String,
}

/// What a trust evaluation found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustAudit {
    /// 0 to 1: the sum of what the signals added.
    pub score: f64,
    /// Where it leads.
    pub zone: Zone,
    /// The highest authority that it allows.
    pub ceiling: Earned,
    /// The profile's name.
    pub profile: String,
    /// The signals, in the profile's order.
    pub signals: Vec<SignalAudit>,
    /// What asked for it.
    pub trigger: String,
    /// When.
    pub at: Timestamp,
}
