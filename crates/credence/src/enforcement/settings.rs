//! How answers are kept to the facts: the strategies, and the numbers of the loop.

use serde::{Deserialize, Serialize};

/// `assembly.enforcement-strategy` (core 7.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EnforcementStrategy {
    /// The prompt words the facts; answers are not checked.
    #[default]
    PromptOnly,
    /// Answers are checked against the enforced facts, and asked for again when they contradict one.
    PostGeneration,
    /// The names in enforced facts are made a little more likely, where the endpoint takes a bias and tells its tokens.
    LogitBias,
    /// The prompt, then the bias, then the check; a layer that fails is passed by with a warning.
    Hybrid,
    /// A logic engine checks. Not in this version.
    Prolog,
}

impl EnforcementStrategy {
    /// The word of the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PromptOnly => "PROMPT_ONLY",
            Self::PostGeneration => "POST_GENERATION",
            Self::LogitBias => "LOGIT_BIAS",
            Self::Hybrid => "HYBRID",
            Self::Prolog => "PROLOG",
        }
    }
    /// Whether the request carries a bias.
    pub fn biases(self) -> bool {
        matches!(self, Self::LogitBias | Self::Hybrid)
    }
    /// Whether answers are checked.
    pub fn checks(self) -> bool {
        matches!(self, Self::PostGeneration | Self::Hybrid)
    }
    /// Refuses what this version does not have.
    pub fn validate(self) -> Result<(), String> {
        match self {
            Self::Prolog => Err(
                "assembly.enforcement_strategy PROLOG needs the logic engine, which this version does not \
                have; POST_GENERATION and HYBRID check answers by rules and a model"
                    .into(),
            ),
            _ => Ok(()),
        }
    }
}

/// Settings of enforcement. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EnforcementSettings {
    /// Further answers that are asked for when one contradicts an enforced fact; 0 to 5. Default 2, chosen by us.
    pub max_regenerations: u32,
    /// Whether an answer that contradicts an enforced fact to the end, or that could not be checked, is withheld. Default off: it is
    /// kept with a warning.
    pub fail_closed: bool,
    /// Whether CANON alone is enforced. Default off: CANON and RELIABLE are; with `unit.compliance_policy` FLAT, every unit.
    pub canon_only: bool,
    /// Whether a model is asked for what rules do not see: one call an answer. Default on.
    pub check_by_model: bool,
    /// Least confidence of a violation that is acted on; 0 to 1. Default 0.5, chosen by us. What is below is told and left.
    pub min_confidence: f64,
    /// What is added to the score of a token of a CANON fact's names; above 0, 5 at most. Default 2, chosen by us: core 7.7 adds 100,
    /// which forces the token and destroys the text. RELIABLE facts get half.
    pub bias: f64,
}

impl Default for EnforcementSettings {
    fn default() -> Self {
        Self {
            max_regenerations: 2,
            fail_closed: false,
            canon_only: false,
            check_by_model: true,
            min_confidence: 0.5,
            bias: 2.0,
        }
    }
}

impl EnforcementSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if self.max_regenerations > 5 {
            return Err(format!(
                "enforcement.max_regenerations must be 0 to 5, got {}",
                self.max_regenerations
            ));
        }
        if !(0.0..=1.0).contains(&self.min_confidence) {
            return Err(format!("enforcement.min_confidence must be 0 to 1, got {}", self.min_confidence));
        }
        if !(self.bias > 0.0 && self.bias <= 5.0) {
            return Err(format!("enforcement.bias must be above 0 and at most 5, got {}", self.bias));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_or_not_there_is_refused_by_name() {
        let refused = |settings: EnforcementSettings| settings.validate().unwrap_err();
        let default = EnforcementSettings::default;
        assert_eq!(default().validate(), Ok(()));
        assert!(
            refused(EnforcementSettings { max_regenerations: 6, ..default() }).contains("max_regenerations")
        );
        assert!(refused(EnforcementSettings { min_confidence: 1.1, ..default() }).contains("min_confidence"));
        assert!(
            refused(EnforcementSettings { bias: 100.0, ..default() }).contains("bias"),
            "100 forces tokens"
        );
        assert!(
            EnforcementStrategy::Prolog.validate().unwrap_err().contains("PROLOG needs the logic engine")
        );
        for strategy in ["PROMPT_ONLY", "POST_GENERATION", "LOGIT_BIAS", "HYBRID", "PROLOG"] {
            let read: EnforcementStrategy = serde_json::from_str(&format!("\"{strategy}\"")).unwrap();
            assert_eq!(read.as_str(), strategy);
        }
    }
}
