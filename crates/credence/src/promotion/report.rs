//! The report of a promotion run: what every gate said of every candidate, and what came of it. Stored in the run's own commit.

use serde::{Deserialize, Serialize};

use crate::id::{InboxId, PromotionId, PropositionId};
use crate::time::Timestamp;
use crate::trust::TrustAudit;
use crate::unit::{Earned, Objection};

/// The gates, in the order in which a candidate meets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromotionGate {
    /// Whether it is a statement that holds now, and that may stand in the working set at all.
    Candidate,
    /// Whether it is sure enough.
    Confidence,
    /// Whether the working set says it already.
    Dedup,
    /// Whether it stands against the working set, and who has to give way.
    Conflict,
    /// Whether its sources are trusted enough.
    Trust,
    /// Whether the rules allow what it would change.
    Invariants,
    /// Whether there is a place.
    Budget,
}

/// One gate's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateAnswer {
    /// Which.
    pub gate: PromotionGate,
    /// Whether the candidate went on.
    pub passed: bool,
    /// In words for a person.
    pub why: String,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It is a unit now.
    Promoted,
    /// It had been one, and is again, with the authority that it had.
    Revived,
    /// It is one already; what is new is the evidence.
    Reinforced,
    /// It is one already, and nothing of it is new.
    Known,
    /// The working set says it already.
    Duplicate,
    /// A person is asked whether it may enter.
    Review,
    /// It is kept back because it could not be judged, or reads like an order to the assistant; a person is asked.
    Quarantined,
    /// It stands against a unit that stays; a person is asked who is right.
    Disputed,
    /// There was no place for it, and nobody may leave. It is offered again when there is one.
    Waiting,
    /// It stays a statement like others: stored and searched, not in the working set.
    LeftOut,
}

/// A conflict with a unit, or with another candidate of the run, and how it was resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConflictAnswer {
    /// The other statement.
    pub with: PropositionId,
    /// How sure the detector is, 0 to 1.
    pub confidence: f64,
    /// What kind, in the words of the founding document.
    pub kind: String,
    /// What comes of it.
    pub outcome: String,
    /// Why, in words for a person.
    pub why: String,
}

/// What the gates said of one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateReport {
    /// The statement.
    pub proposition: PropositionId,
    /// What it said then, cut to 300 characters.
    pub text: String,
    /// How sure its source left us, 0 to 1.
    pub confidence: f64,
    /// Each gate that was asked, in order.
    pub gates: Vec<GateAnswer>,
    /// What became of it.
    pub fate: Fate,
    /// Why, in words for a person.
    pub reason: String,
    /// The unit, or the candidate of this run, that says the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<PropositionId>,
    /// What it stands against.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ConflictAnswer>,
    /// How far its sources are trusted, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<TrustAudit>,
    /// The highest authority that policies may give it, where it became a unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Earned>,
    /// Units that gave up their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displaced: Vec<PropositionId>,
    /// The question that it became, or that it joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inbox: Option<InboxId>,
}

impl CandidateReport {
    /// What a gate answered, if it was asked.
    pub fn answer(&self, gate: PromotionGate) -> Option<&GateAnswer> {
        self.gates.iter().find(|answer| answer.gate == gate)
    }
}

/// How many candidates each gate let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Funnel {
    /// Offered.
    pub offered: u32,
    /// Statements that hold now and are no units yet.
    pub candidates: u32,
    /// Sure enough.
    pub confident: u32,
    /// Not said by the working set already.
    pub unique: u32,
    /// Against nothing that stays.
    pub unopposed: u32,
    /// Trusted enough.
    pub trusted: u32,
    /// Allowed by the rules.
    pub allowed: u32,
    /// In the working set now.
    pub admitted: u32,
    /// Whose comparison failed, so that a person is asked.
    pub degraded: u32,
}

/// What one promotion run did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromotionReport {
    /// Stable for life.
    pub id: PromotionId,
    /// When.
    pub at: Timestamp,
    /// Each candidate, in the order in which they were offered.
    #[serde(default)]
    pub candidates: Vec<CandidateReport>,
    /// How far they came.
    #[serde(default)]
    pub funnel: Funnel,
    /// How many units there may be, as the budget stood.
    #[serde(default)]
    pub budget: u32,
    /// Model calls.
    #[serde(default)]
    pub calls: u32,
    /// Tokens of all prompts.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    #[serde(default)]
    pub completion_tokens: u32,
    /// Warnings and other things worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Rules that kept a change from being made, and those that were told of one that was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Objection>,
}

impl PromotionReport {
    /// How many candidates ended this way.
    pub fn count(&self, fate: Fate) -> usize {
        self.candidates.iter().filter(|candidate| candidate.fate == fate).count()
    }

    /// What was said of a statement.
    pub fn of(&self, proposition: PropositionId) -> Option<&CandidateReport> {
        self.candidates.iter().find(|candidate| candidate.proposition == proposition)
    }

    /// Counts how far the candidates came.
    pub fn counted(mut self) -> Self {
        let passed = |gate| {
            let through = |c: &&CandidateReport| c.answer(gate).is_some_and(|answer| answer.passed);
            u32::try_from(self.candidates.iter().filter(through).count()).unwrap_or(u32::MAX)
        };
        self.funnel = Funnel {
            offered: u32::try_from(self.candidates.len()).unwrap_or(u32::MAX),
            candidates: passed(PromotionGate::Candidate),
            confident: passed(PromotionGate::Confidence),
            unique: passed(PromotionGate::Dedup),
            unopposed: passed(PromotionGate::Conflict),
            trusted: passed(PromotionGate::Trust),
            allowed: passed(PromotionGate::Invariants),
            admitted: passed(PromotionGate::Budget),
            degraded: self.funnel.degraded,
        };
        self
    }
}
