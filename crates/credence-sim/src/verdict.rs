//! What a judge says of one fact in one reply.

use serde::{Deserialize, Serialize};

/// What a reply does to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Ruling {
    /// It says or implies that the fact holds.
    Confirmed,
    /// It says that the fact does not hold.
    Contradicted,
    /// It does neither, or leaves it open.
    NotMentioned,
}

/// How much of a fact a contradiction takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Severity {
    /// Nothing.
    #[default]
    None,
    /// A detail.
    Minor,
    /// The fact itself.
    Major,
}

/// A judge's word on one fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The fact's id in its scenario.
    pub fact: String,
    /// What the reply does to it.
    pub ruling: Ruling,
    /// Of a contradiction.
    #[serde(default)]
    pub severity: Severity,
    /// 1 to 5, as the judge gave it.
    pub confidence: u8,
    /// The words of the reply that it rests on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// How the judge came to it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// In one sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explanation: String,
    /// The judge said nothing of this fact: filled in as not mentioned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filled: bool,
}

/// Who judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Judge {
    /// Patterns: the same reply always gets the same verdict.
    Oracle,
    /// A model.
    Model {
        /// Its name at the endpoint.
        model: String,
        /// Its mode: `hardened` or `open`.
        mode: String,
        /// Whether it saw the active units.
        saw_units: bool,
    },
}

/// What one judge made of one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Who.
    pub judge: Judge,
    /// One a fact, in the scenario's order; empty when it failed.
    pub verdicts: Vec<Verdict>,
    /// Tries that failed before this one.
    #[serde(default)]
    pub retries: u32,
    /// Entries that named no fact of the scenario, or one twice, and were dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Why there are no verdicts, in words for a person; `None`: there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Judge {
    /// The key of this judge's scores: `oracle` or `model`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Oracle => "oracle",
            Self::Model { .. } => "model",
        }
    }
}

impl Judgement {
    /// Whether it says of any fact that the reply contradicts it.
    pub fn has_contradiction(&self) -> bool {
        self.verdicts.iter().any(|verdict| verdict.ruling == Ruling::Contradicted)
    }
}
