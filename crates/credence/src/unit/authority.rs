//! Steps of authority: what each rests on, and how far provenance lets a unit rise.

use serde::{Deserialize, Serialize};

use super::{Authority, Earned};
use crate::proposition::Proposition;
use crate::time::Timestamp;
use crate::trust::{AuthorityTier, TrustSettings};

/// Why a unit was lowered (core 2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DemotionReason {
    /// A statement stands against it.
    ConflictEvidence,
    /// Its trust fell.
    TrustDegradation,
    /// Its activation no longer carries it.
    RankDecay,
    /// A person lowered it.
    Manual,
}

/// Why a unit's authority changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AuthorityReason {
    /// Evidence.
    Reinforcement,
    /// A statement stands against it.
    ConflictEvidence,
    /// Its trust fell.
    TrustDegradation,
    /// Its activation no longer carries it.
    RankDecay,
    /// A person lowered it.
    Manual,
    /// A person made it CANON.
    Canonization,
    /// A person took CANON back.
    Decanonization,
    /// The settings began the context with it.
    Seed,
}

impl From<DemotionReason> for AuthorityReason {
    fn from(reason: DemotionReason) -> Self {
        match reason {
            DemotionReason::ConflictEvidence => Self::ConflictEvidence,
            DemotionReason::TrustDegradation => Self::TrustDegradation,
            DemotionReason::RankDecay => Self::RankDecay,
            DemotionReason::Manual => Self::Manual,
        }
    }
}

/// One change of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorityStep {
    /// Before.
    pub from: Authority,
    /// After.
    pub to: Authority,
    /// Why.
    pub reason: AuthorityReason,
    /// When.
    pub at: Timestamp,
}

/// The highest that policies may give a statement, by where it came from: RELIABLE where somebody who knows or reports said it,
/// UNRELIABLE where it was derived, PROVISIONAL where nothing says where it came from.
pub fn provenance_ceiling(proposition: &Proposition, trust: &TrustSettings) -> Earned {
    match trust.authority.tier(proposition) {
        AuthorityTier::Primary | AuthorityTier::Secondary => Earned::Reliable,
        AuthorityTier::Derived => Earned::Unreliable,
        AuthorityTier::Unknown => Earned::Provisional,
    }
}
