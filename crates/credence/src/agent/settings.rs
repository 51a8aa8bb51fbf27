//! `tools.*`: what a chat model may ask of memory beside searching it, which `retrieval.mode` TOOL switches.

use serde::{Deserialize, Serialize};

/// `tools.*`. Not of the founding document, which offers its tools always; ours are off until somebody wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolSettings {
    /// Whether the model may propose a fact, which a person is then asked about. Default off.
    pub propose_fact: bool,
    /// Whether the model may ask for other words of a PROVISIONAL unit; `conflict.mutation` says what comes of it. Default off.
    pub revise_fact: bool,
    /// Most proposals and revisions of one answer, together; 1 to 10. Default 2, chosen by us.
    pub most_changes: u32,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self { propose_fact: false, revise_fact: false, most_changes: 2 }
    }
}

impl ToolSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        match self.most_changes {
            1..=10 => Ok(()),
            got => Err(format!("tools.most_changes must be 1 to 10, got {got}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    #[test]
    fn mutation_is_off_by_default_and_its_bound_is_checked() {
        let mut config = Config::default();
        assert!(!config.tools.propose_fact && !config.tools.revise_fact);
        for most in [0, 11] {
            config.tools.most_changes = most;
            assert_eq!(config.validate(), Err(format!("tools.most_changes must be 1 to 10, got {most}")));
        }
    }
}
