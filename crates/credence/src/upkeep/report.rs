//! The report of a sweep: the score of every unit, every change that was really made, what the guard or a rule kept from being
//! made, what was asked, and whether what is left holds. Stored in the sweep's own commit.

use serde::{Deserialize, Serialize};

use super::pressure::SweepKind;
use crate::id::{InboxId, PropositionId, SweepId};
use crate::time::Timestamp;
use crate::unit::{Change, Objection};

/// Why a sweep was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepTrigger {
    /// Somebody asked for it.
    #[default]
    Asked,
    /// Pressure reached a threshold, and enough turns had passed.
    Pressure,
    /// Pressure reached a threshold, and the talk had moved on from several units at once.
    Drift,
}

/// The steps that change something, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepStep {
    /// Activation by score; trust anew where it is in doubt.
    Refresh,
    /// Units that say the same become one; proposals for CANON.
    Consolidate,
    /// What is not worth its place leaves.
    Prune,
}

/// One unit's score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditedUnit {
    /// The unit.
    pub unit: PropositionId,
    /// What decided, 0 to 1.
    pub score: f64,
    /// What the rules gave, where the model or a contradiction decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<f64>,
    /// User turns since it was last used.
    pub idle_turns: u32,
    /// Why the score is not that of the rules, in words for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A change that a sweep made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepEffect {
    /// In which step.
    pub step: SweepStep,
    /// What was done.
    pub change: Change,
}

/// A change that was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepBlock {
    /// In which step.
    pub step: SweepStep,
    /// What stands against it.
    pub objection: Objection,
}

/// What one sweep did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepReport {
    /// Stable for life.
    pub id: SweepId,
    /// When.
    pub at: Timestamp,
    /// How far it went.
    #[serde(default = "light")]
    pub kind: SweepKind,
    /// Why.
    #[serde(default)]
    pub trigger: SweepTrigger,
    /// Whether nothing but this report was written.
    #[serde(default)]
    pub dry: bool,
    /// The user turn.
    #[serde(default)]
    pub turn: u32,
    /// Pressure when it began.
    #[serde(default)]
    pub pressure: f64,
    /// Every active unit, lowest score first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audited: Vec<AuditedUnit>,
    /// What was done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<SweepEffect>,
    /// What was kept from being done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<SweepBlock>,
    /// Units that became one: which went, and into which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<(PropositionId, PropositionId)>,
    /// Proposals for CANON that wait for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<InboxId>,
    /// Rules of the settings that the changes go against without being stopped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Objection>,
    /// Why nothing was written although something was planned: what would have been left did not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled_back: Vec<String>,
    /// Active units afterwards.
    #[serde(default)]
    pub left: u32,
    /// Model calls.
    #[serde(default)]
    pub calls: u32,
    /// Tokens of all prompts.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    #[serde(default)]
    pub completion_tokens: u32,
    /// Failures and other things worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn light() -> SweepKind {
    SweepKind::Light
}

impl SweepReport {
    /// Units that this step really changed.
    pub fn changed(&self, step: SweepStep) -> usize {
        let units: std::collections::BTreeSet<PropositionId> =
            self.effects.iter().filter(|e| e.step == step).map(|e| e.change.unit).collect();
        units.len()
    }
    /// Units that left because they were not worth their place.
    pub fn pruned(&self) -> usize {
        let left = |effect: &&SweepEffect| {
            effect.step == SweepStep::Prune && matches!(effect.change.did, crate::unit::Did::Archived { .. })
        };
        self.effects.iter().filter(left).count()
    }
    /// Every counter, in a line.
    pub fn summary(&self) -> String {
        format!(
            "audited={} refreshed={} merged={} proposed={} pruned={} blocked={} violations={} left={}",
            self.audited.len(),
            self.changed(SweepStep::Refresh),
            self.merged.len(),
            self.proposed.len(),
            self.pruned(),
            self.blocked.len(),
            self.violations.len(),
            self.left
        )
    }
}
