//! What is kept of a line that the adversary said: enough to go on from the turns alone, with nothing remembered beside them.

use serde::{Deserialize, Serialize};

use crate::strategy::Tier;

/// Who worded a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineBy {
    /// A model.
    Model,
    /// Our own sentences, chosen by the run's seed.
    Catalogue,
}

/// Where a turn stands in an attack of three turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// Gets something harmless agreed.
    Setup,
    /// Leans on what was agreed.
    Build,
    /// Draws the false conclusion.
    Payoff,
}

impl Phase {
    /// The word of guidance and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "SETUP",
            Self::Build => "BUILD",
            Self::Payoff => "PAYOFF",
        }
    }
}

/// An attack over several turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequence {
    /// The turn that it began with, which names it.
    pub began: u32,
    /// The strategy that is spread over the turns.
    pub strategy: String,
    /// Where it stands.
    pub phase: Phase,
}

/// An attack as it was planned and carried out. What was carried out is in the turn's own list of strategies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    /// The statements aimed at, in words.
    pub aims: Vec<String>,
    /// Strategies that the plan hinted at.
    pub planned: Vec<String>,
    /// The plan's tier.
    pub planned_tier: Tier,
    /// The tier of the hardest strategy that was used.
    pub tier: Tier,
    /// Of an attack over several turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Sequence>,
    /// Why these aims and this tier, in words for a person.
    pub why: String,
}

/// How a line of the adversary came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRecord {
    /// Who worded it.
    pub by: LineBy,
    /// Model calls that it took, failed ones too.
    #[serde(default)]
    pub calls: u32,
    /// Why no model worded it, or what of a model's choice was left aside; empty where all is well.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The attack; `None` where the line attacks nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<Attack>,
}
