//! What a plan did to a unit, as reports and events tell it.

use serde::{Deserialize, Serialize};

use super::{Activation, ArchiveReason, Authority, DormancyReason, Objection};
use crate::id::PropositionId;

/// What was done to a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "kebab-case")]
pub enum Did {
    /// Nothing: it is so already, or it does not count.
    Nothing,
    /// It entered the working set.
    Promoted {
        /// With this activation.
        activation: Activation,
    },
    /// It came back, with the authority that it had.
    Revived {
        /// With this activation.
        activation: Activation,
    },
    /// Evidence was counted.
    Reinforced {
        /// Activation before.
        from: Activation,
        /// Activation now.
        to: Activation,
        /// Pieces of evidence now.
        count: usize,
        /// Authority before and now, where it changed.
        authority: Option<(Authority, Authority)>,
    },
    /// It took over from a unit that says the same.
    TookOver {
        /// Which one.
        from: PropositionId,
        /// Pieces of evidence that came along.
        evidence: usize,
    },
    /// Trust was evaluated anew.
    Assessed {
        /// The score.
        score: f64,
        /// Authority before and now, where it changed.
        authority: Option<(Authority, Authority)>,
    },
    /// Authority went down.
    Demoted {
        /// Before.
        from: Authority,
        /// Now.
        to: Authority,
    },
    /// Activation was set.
    Activated {
        /// Before.
        from: Activation,
        /// Now.
        to: Activation,
    },
    /// It fell asleep.
    Slept {
        /// With this activation.
        activation: Activation,
        /// Why.
        reason: DormancyReason,
    },
    /// It was taken out.
    Archived {
        /// Why.
        reason: ArchiveReason,
        /// The statement in its place.
        successor: Option<PropositionId>,
    },
    /// It became CANON.
    Canonized,
    /// It is no longer CANON.
    Decanonized {
        /// What it is now.
        to: Authority,
    },
}

/// A planned change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The unit, by its statement.
    pub unit: PropositionId,
    /// What was done.
    #[serde(flatten)]
    pub did: Did,
    /// In words for a person.
    pub why: String,
    /// Rules that it goes against without being stopped, and raises that were held back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Objection>,
}

impl Change {
    pub(crate) fn nothing(unit: PropositionId, why: impl Into<String>) -> Self {
        Self { unit, did: Did::Nothing, why: why.into(), warnings: Vec::new() }
    }
    /// Whether something was planned.
    pub fn is_something(&self) -> bool {
        self.did != Did::Nothing
    }
}
