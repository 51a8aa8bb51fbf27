//! Where a unit stands: in the working set, asleep, or taken out by a decision. All three keep authority, evidence and lineage.

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;
use crate::time::Timestamp;

/// Where a unit stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Standing {
    /// In the working set.
    Active,
    /// Out of the working set because it was not needed. Its statement is believed as before, and a re-mention or a question that it
    /// answers wakes it with the authority it had.
    Dormant {
        /// Since when.
        since: Timestamp,
        /// Why.
        reason: DormancyReason,
    },
    /// Taken out by a decision.
    Archived {
        /// When.
        at: Timestamp,
        /// Why.
        reason: ArchiveReason,
        /// The statement that took its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        successor: Option<PropositionId>,
    },
}

/// Why a unit sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DormancyReason {
    /// Its activation faded.
    DormancyDecay,
    /// Another one needed its place.
    BudgetEviction,
}

/// Why a unit was taken out (core 11.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ArchiveReason {
    /// A statement that stands against it was admitted.
    ConflictReplacement,
    /// It was revised.
    Revision,
    /// A person took it out.
    Manual,
    /// A sweep found it of no use.
    ProactiveMaintenance,
}

/// Why one statement took another one's place (core 11.2). A unit that sleeps has no successor, so decay and eviction give none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SupersessionReason {
    /// A statement that stands against it was admitted.
    ConflictReplacement,
    /// What it said has moved on.
    UserRevision,
    /// A person or a sweep.
    Manual,
}

impl From<ArchiveReason> for SupersessionReason {
    fn from(reason: ArchiveReason) -> Self {
        match reason {
            ArchiveReason::ConflictReplacement => Self::ConflictReplacement,
            ArchiveReason::Revision => Self::UserRevision,
            ArchiveReason::Manual | ArchiveReason::ProactiveMaintenance => Self::Manual,
        }
    }
}
