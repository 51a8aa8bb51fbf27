//! The numbers of revision (dice 4.1), with where each comes from.

use serde::{Deserialize, Serialize};

/// How new statements meet stored ones. Missing members take their default. The constant of decay is
/// [`crate::config::Config::decay_k`]; the model of the call is whatever the host connects to the role `revise`. A
/// threshold for merging by similarity alone does not exist (deviation D4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RevisionSettings {
    /// Stored statements that a model compares with one new statement, at most; 1 to 50. Default 5 (dice 4.1 `topK`). Rules
    /// look at four times as many, and at least at 20.
    pub top_k: u32,
    /// How near a stored statement must be to be compared by a model; 0 (all that a search finds) to 1. Default 0.5 (dice 4.1
    /// `similarityThreshold`): there the relevance gate stands as it was measured; other values move its thresholds in
    /// proportion.
    pub similarity_threshold: f64,
    /// Model-reported similarity from which SIMILAR reinforces; 0 to 1. Default 0.7 (dice 4.1 `minSimilarityForReinforce`).
    pub min_similarity_for_reinforce: f64,
    /// New statements in the one call of a window; 1 to 200. Default 40, a whole window (dice 4.1 `classifyBatchSize` has 15 a
    /// call and makes more calls). Those with the nearest neighbours are asked about; the rest are new, with a note.
    pub classify_batch_size: u32,
    /// Pairs of a new and a stored statement in that call; 1 to 1000. Default 100, chosen by us: about 8,000 tokens of answer.
    pub classify_pairs: u32,
    /// Whether a model compares only statements that share an entity or a span; statements without mentions are always
    /// compared. Default on (dice 4.1).
    pub entity_overlap_filter: bool,
    /// What the decay of a new statement is multiplied with when its subject is known and nothing within
    /// `similarity_threshold` is: a surprise is kept longer. 0 to 1; 1 switches it off. Default 0.8 (dice 10, the authors' gap list).
    pub surprise_decay: f64,
}

impl Default for RevisionSettings {
    fn default() -> Self {
        Self {
            top_k: 5,
            similarity_threshold: 0.5,
            min_similarity_for_reinforce: 0.7,
            classify_batch_size: 40,
            classify_pairs: 100,
            entity_overlap_filter: true,
            surprise_decay: 0.8,
        }
    }
}

impl RevisionSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let whole = [
            ("top_k", self.top_k, 50),
            ("classify_batch_size", self.classify_batch_size, 200),
            ("classify_pairs", self.classify_pairs, 1000),
        ];
        for (name, value, most) in whole {
            if value < 1 || value > most {
                return Err(format!("revision.{name} must be 1 to {most}, got {value}"));
            }
        }
        let shares = [
            ("similarity_threshold", self.similarity_threshold),
            ("min_similarity_for_reinforce", self.min_similarity_for_reinforce),
            ("surprise_decay", self.surprise_decay),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("revision.{name} must be 0 to 1, got {value}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_named() {
        assert_eq!(RevisionSettings::default().validate(), Ok(()));
        let none = RevisionSettings { classify_pairs: 0, ..RevisionSettings::default() };
        assert_eq!(none.validate(), Err("revision.classify_pairs must be 1 to 1000, got 0".into()));
        let over = RevisionSettings { surprise_decay: 1.2, ..RevisionSettings::default() };
        assert_eq!(over.validate(), Err("revision.surprise_decay must be 0 to 1, got 1.2".into()));
        let partial: RevisionSettings = serde_json::from_str(r#"{"top_k": 3, "of_later": 1}"#).unwrap();
        assert_eq!(partial, RevisionSettings { top_k: 3, ..RevisionSettings::default() });
    }
}
