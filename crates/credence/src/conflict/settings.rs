//! How conflicts are looked for (`conflict_detection.*`) and from which confidence they act (`conflict.*`), under the names of the
//! founding document's tables. Ranges, defaults and sources stand beside each.

use serde::{Deserialize, Serialize};

use super::MutationStrategy;

/// `conflict_detection.*`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DetectionSettings {
    /// Who looks. Default HYBRID: words first, the model for what is left (the founding document has LLM, which asks a model about
    /// everything).
    pub strategy: DetectionStrategy,
    /// The model that is asked, by its name at the endpoint. Default empty: the model of the role `revise`.
    pub model: String,
}

/// Who looks for conflicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DetectionStrategy {
    /// Words alone. The founding document's NEGATION is read too.
    #[serde(alias = "NEGATION")]
    Lexical,
    /// The model alone, about every pair. Without a connected model, words stand in and say so.
    Llm,
    /// Words, and the model for what they leave open and what concerns the same subjects. The founding document's COMPOSITE is
    /// read too.
    #[default]
    #[serde(alias = "COMPOSITE")]
    Hybrid,
    /// As HYBRID, but what was judged of a pair of claims once is not asked again.
    Indexed,
    /// A logic engine. None ships yet, so the setting is refused.
    Logical,
}

impl DetectionSettings {
    /// Checks every value; the error names the setting and what is possible.
    pub fn validate(&self) -> Result<(), String> {
        if self.strategy == DetectionStrategy::Logical {
            return Err("conflict_detection.strategy LOGICAL needs a logic engine, and none ships yet; choose LEXICAL, LLM, HYBRID or INDEXED"
                .into());
        }
        if self.model.chars().any(char::is_control) || self.model.len() > 200 {
            return Err(
                "conflict_detection.model must be a model's name of at most 200 bytes on one line".into()
            );
        }
        Ok(())
    }
}

/// `conflict.*`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConflictSettings {
    /// Share of common words (Jaccard, without the words that deny) above which a denial is suspected to deny a statement that is
    /// worded otherwise; above 0, at most 1. A suspicion is judged by the model or a person. Default 0.5 (core 4.2).
    pub negation_overlap_threshold: f64,
    /// Least confidence with which a model's conflict counts as found; below it a person looks. Above 0, at most 1. Default 0.6,
    /// chosen by us: the predecessor has 0.9, which it puts on every hit itself; a model's own grades are lower, and 0.6 is where
    /// `demote_threshold` begins.
    pub llm_confidence: f64,
    /// Confidence from which the incoming statement replaces a RELIABLE unit; above `demote_threshold`, at most 1. Default 0.8
    /// (core 4.8).
    pub replace_threshold: f64,
    /// Confidence from which a RELIABLE unit is demoted; 0 to below `replace_threshold`. Default 0.6 (core 4.8).
    pub demote_threshold: f64,
    /// How much harder a unit is to move by its tier.
    pub tier: TierDefense,
    /// Who may revise what a unit says. Default HUMAN_ONLY (core 4.8).
    pub mutation: MutationStrategy,
}

/// `conflict.tier.*`: added to both thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TierDefense {
    /// For HOT units; -0.5 to 0.5, positive is harder to replace. Default 0.1 (core 4.8).
    pub hot_defense_modifier: f64,
    /// For WARM units. Default 0.
    pub warm_defense_modifier: f64,
    /// For COLD units. Default -0.1.
    pub cold_defense_modifier: f64,
}

impl Default for ConflictSettings {
    fn default() -> Self {
        Self {
            negation_overlap_threshold: 0.5,
            llm_confidence: 0.6,
            replace_threshold: 0.8,
            demote_threshold: 0.6,
            tier: TierDefense::default(),
            mutation: MutationStrategy::default(),
        }
    }
}

impl Default for TierDefense {
    fn default() -> Self {
        Self { hot_defense_modifier: 0.1, warm_defense_modifier: 0.0, cold_defense_modifier: -0.1 }
    }
}

impl ConflictSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let above_zero = [
            ("negation_overlap_threshold", self.negation_overlap_threshold),
            ("llm_confidence", self.llm_confidence),
            ("replace_threshold", self.replace_threshold),
        ];
        for (name, value) in above_zero {
            if !(value > 0.0 && value <= 1.0) {
                return Err(format!("conflict.{name} must be above 0 and at most 1, got {value}"));
            }
        }
        if !(self.demote_threshold >= 0.0 && self.demote_threshold < self.replace_threshold) {
            return Err(format!(
                "conflict.demote_threshold must be 0 to below conflict.replace_threshold ({}), got {}",
                self.replace_threshold, self.demote_threshold
            ));
        }
        let modifiers = [
            ("hot_defense_modifier", self.tier.hot_defense_modifier),
            ("warm_defense_modifier", self.tier.warm_defense_modifier),
            ("cold_defense_modifier", self.tier.cold_defense_modifier),
        ];
        for (name, value) in modifiers {
            if !(-0.5..=0.5).contains(&value) {
                return Err(format!("conflict.tier.{name} must be -0.5 to 0.5, got {value}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn ranges_are_checked_and_named() {
        assert_eq!(Config::default().validate(), Ok(()));
        let refused = |change: fn(&mut ConflictSettings), name: &str| {
            let mut config = Config::default();
            change(&mut config.conflict);
            let problem = config.validate().unwrap_err();
            assert!(problem.starts_with(name), "{problem}");
        };
        refused(|c| c.negation_overlap_threshold = 0.0, "conflict.negation_overlap_threshold");
        refused(|c| c.llm_confidence = 1.1, "conflict.llm_confidence");
        refused(|c| c.replace_threshold = f64::NAN, "conflict.replace_threshold");
        refused(|c| c.demote_threshold = 0.8, "conflict.demote_threshold");
        refused(|c| c.tier.hot_defense_modifier = 0.6, "conflict.tier.hot_defense_modifier");
        refused(|c| c.tier.warm_defense_modifier = f64::NAN, "conflict.tier.warm_defense_modifier");
        refused(|c| c.tier.cold_defense_modifier = -0.6, "conflict.tier.cold_defense_modifier");
    }

    #[test]
    fn strategies_are_read_in_both_spellings_and_logic_is_refused_with_a_word() {
        let read = |word: &str| {
            serde_json::from_str::<DetectionSettings>(&format!(r#"{{"strategy": "{word}"}}"#)).unwrap()
        };
        assert_eq!(read("NEGATION"), read("LEXICAL"));
        assert_eq!(read("COMPOSITE"), DetectionSettings::default());
        assert_eq!(read("INDEXED").validate(), Ok(()));
        let logical = Config { conflict_detection: read("LOGICAL"), ..Config::default() };
        assert!(logical.validate().unwrap_err().contains("LOGICAL needs a logic engine"));
        let model = "two\nlines".to_owned();
        assert!(DetectionSettings { model, ..DetectionSettings::default() }.validate().is_err());
    }
}
