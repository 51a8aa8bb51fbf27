//! What upkeep tells the page: a signal or a breach, when it begins.

use serde::{Deserialize, Serialize};

use super::attention::{AttentionSignal, Severity};
use super::pressure::{PressureBreach, SweepKind};

/// Something began that a person may want to know.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum UpkeepSignal {
    /// Attention for a unit, or for several together.
    Attention(AttentionSignal),
    /// Pressure reached a threshold.
    Pressure {
        /// Which, and since when.
        breach: PressureBreach,
        /// The score.
        score: f64,
    },
}

impl UpkeepSignal {
    /// How urgent it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Attention(signal) => signal.kind.severity(),
            Self::Pressure { breach, .. } if breach.sweep == SweepKind::Full => Severity::High,
            Self::Pressure { .. } => Severity::Medium,
        }
    }
}
