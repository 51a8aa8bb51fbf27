//! Conflicts: which statements of the working set an incoming statement stands against, how sure that is, and what kind of
//! conflict it is in.
//!
//! Rules (core 4, with the fixes G1, G10, G11, G13 and G24 of core 15). Words come first: `lexical` finds what words and
//! times show, never by substrings, and says how sure it is. A model is asked about what is left and `subject` lets through,
//! all of a batch in one call (`llm`). A verdict belongs to a pair of claims, never to a unit alone (`index`). What could not
//! be judged is a conflict of the quality DEGRADED with its reason, so that it reaches a person; nothing is lost. `kind`
//! tells an error from a world that moved on; `detect` chooses between the strategies. What follows from a conflict is
//! `resolve`, by authority, tier and whose word it is (`source`, `mutation`); `defend` puts it between a decision of revision
//! and what that would retire.

mod defend;
mod detect;
mod index;
mod kind;
mod lexical;
mod llm;
mod mutation;
mod resolve;
mod settings;
mod source;
mod subject;

pub use defend::Defended;
pub(crate) use defend::Stand;
pub use detect::Detected;
pub(crate) use index::ConflictIndex;
pub use kind::{BlankLabel, ConflictDetection, ConflictDetector, ConflictType, Label, PREDICATE};
pub use llm::UNGRADED;
pub use mutation::{MutationAnswer, MutationSource, MutationStrategy};
pub use resolve::{
    Band, DecisionReason, Disposition, Resolution, ResolutionOutcome, ResolutionRules, by_authority, resolve,
};
pub use settings::{ConflictSettings, DetectionSettings, DetectionStrategy, TierDefense};
pub use source::{ByVoice, Source, SourceComparator, SourceRelation, source_of};

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;

/// An incoming statement stands against a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conflict {
    /// The unit's statement.
    pub unit: PropositionId,
    /// How sure the detector is that the two cannot both hold, 0 to 1. It says nothing about which of them is right.
    pub confidence: f64,
    /// What kind of conflict it is.
    pub kind: ConflictType,
    /// How it was found.
    pub quality: Quality,
    /// In words for a person.
    pub reason: String,
}

/// How a conflict was found (core 4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Quality {
    /// The detector was sure enough and graded it.
    Full,
    /// It is there, but its confidence is a default because the detector gave none.
    Fallback,
    /// Not decided: a person has to look. Nothing is replaced because of it.
    Degraded,
}
