//! The numbers of assembly, under the names of the founding document's table (`assembly.*`).

use serde::{Deserialize, Serialize};

use crate::enforcement::EnforcementStrategy;

/// Settings of assembly. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AssemblySettings {
    /// Most tokens of the block of facts; 0 is without limit. Default 0 (core 12).
    pub prompt_token_budget: u32,
    /// Whether a fact's form in the block follows its authority, so that what is sure takes fewer tokens. Default off (core 12).
    pub adaptive_footprint_enabled: bool,
    /// How answers are kept to the facts. Default by the prompt alone (core 12).
    pub enforcement_strategy: EnforcementStrategy,
}

impl AssemblySettings {
    /// Checks every setting; the error names it and what came.
    pub fn validate(&self) -> Result<(), String> {
        self.enforcement_strategy.validate()
    }
}
