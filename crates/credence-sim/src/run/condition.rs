//! Conditions: what a run's memory is allowed to do. Two runs that differ in nothing but their condition can be compared.

use credence::unit::Authority;
use serde::{Deserialize, Serialize};

/// What stands between the turns and the narrator's prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryKind {
    /// Nothing: the last turns alone.
    None,
    /// Every fact that was told, once, as a list that never changes.
    StaticList,
    /// Every turn from the first, as far as the model's window goes; no memory.
    FullHistory,
    /// Statements found for the question; no working set, no authority, no enforcement.
    RetrievalOnly,
    /// The product.
    #[default]
    Governed,
}

/// A condition. The subsystems below act in [`MemoryKind::Governed`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Unique in an experiment; not blank.
    pub name: String,
    /// What memory there is.
    #[serde(default)]
    pub memory: MemoryKind,
    /// Whether the working set goes into the prompt.
    pub injection: bool,
    /// Every seed's authority instead of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_authority: Option<Authority>,
    /// Every seed's activation instead of its own, 100 to 900.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_activation: Option<u16>,
    /// Whether evidence and time move activation.
    pub rank_mutation: bool,
    /// Whether evidence moves authority.
    pub authority_promotion: bool,
    /// Whether sources are weighed.
    pub trust: bool,
    /// Whether answers are checked.
    pub compliance: bool,
    /// Whether units are reinforced, swept and fall asleep.
    pub lifecycle: bool,
}
