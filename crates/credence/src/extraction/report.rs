//! The report of one analysed window: what it read, what came of each suggestion, what it cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::candidate::Dropped;
use crate::conflict::{ConflictType, Defended};
use crate::filter::MentionStats;
use crate::gate::GateOutcome;
use crate::id::{AnalysisId, ConversationId, EntityId, PropositionId};
use crate::proposition::Extractor;
use crate::resolution::ResolutionOutcome;
use crate::revision::Dependant;
use crate::time::Timestamp;

/// What became of one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    /// Stored as a new proposition.
    New,
    /// The same statement was known: evidence joined it.
    Merged,
    /// A similar statement was known: it became surer.
    Reinforced,
    /// Stored, and what it contradicts was retired.
    Contradicted,
    /// Stored beside the statements that it generalises.
    Generalized,
    /// Stored beside what it stands against; neither was retired, and a person is asked.
    Disputed,
    /// Stored as what was: what is known stands later in time.
    Outdated,
}

/// One candidate's fate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What happened.
    pub kind: OutcomeKind,
    /// The proposition that holds the statement now.
    pub proposition: PropositionId,
    /// Propositions that were retired, reinforced or generalised by it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<PropositionId>,
    /// What kind of conflict, where it stands against others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictType>,
    /// How the units met it that it would have retired.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defended: Vec<Defended>,
    /// What rested on statements that it retired, and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependants: Vec<Dependant>,
    /// The candidate's text.
    pub text: String,
    /// Who decided, and why, in words for a person.
    pub why: String,
}

/// One analysed window. Stored in the window's own commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnalysisReport {
    /// Identity.
    pub id: AnalysisId,
    /// The conversation; the nil id for a text that was remembered outside one.
    pub conversation: ConversationId,
    /// First new turn.
    pub from: u32,
    /// One past the last turn.
    pub to: u32,
    /// When.
    pub at: Timestamp,
    /// Who extracted.
    pub extractor: Extractor,
    /// What came of each candidate, in order.
    #[serde(default)]
    pub outcomes: Vec<Outcome>,
    /// Everything that became nothing, and why.
    #[serde(default)]
    pub dropped: Vec<Dropped>,
    /// What the mention filters did.
    #[serde(default, skip_serializing_if = "MentionStats::is_empty")]
    pub mentions: MentionStats,
    /// What each name was taken to mean, each once, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<ResolutionOutcome>,
    /// What the gates answered to each decided statement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateOutcome>,
    /// Entities that the window created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_entities: Vec<EntityId>,
    /// Credentials that were redacted before anything was read, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub redacted: BTreeMap<String, u32>,
    /// Model calls.
    #[serde(default)]
    pub calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    #[serde(default)]
    pub completion_tokens: u32,
    /// Repairs and other things worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl AnalysisReport {
    /// How many candidates ended this way.
    pub fn count(&self, kind: OutcomeKind) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.kind == kind).count()
    }
}
