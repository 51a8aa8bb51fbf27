//! What kind of conflict two opposed statements are in: an error was corrected, the world moved on, or both cannot be told
//! apart and one of them is wrong.
//!
//! The kind is said in the report. It changes an outcome in one place alone: where only a model saw the opposition and the
//! statements fill a slot that changes with time, the older one is closed as past instead of marked as wrong (deviation
//! D23). Source: dice 4.4.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::proposition::Proposition;
use crate::text;
use crate::time::Timestamp;

/// The metadata key under which a host keeps a statement's predicate (dice 1.1).
pub const PREDICATE: &str = "predicate";

/// Predicates whose value changes with time (dice 4.4).
const EVOLVING: [&str; 6] = ["employer", "residence", "status", "role", "location", "title"];

/// What plain sentences call them.
const SPOKEN: [(&str, &str); 4] =
    [("works at", "employer"), ("lives in", "residence"), ("works as", "role"), ("job", "role")];

/// The kind of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ConflictType {
    /// The newer one corrects the older one.
    Revision,
    /// One of them is wrong.
    Contradiction,
    /// The older one was true, and the world moved on.
    WorldProgression,
    /// A kind of the host's own.
    Custom {
        /// Its name; never blank.
        label: Label,
    },
}

/// A name that is not blank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Label(String);

/// A blank label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a kind of conflict needs a name that is not blank")]
pub struct BlankLabel;

impl Label {
    /// Trims and checks it.
    pub fn new(label: &str) -> Result<Self, BlankLabel> {
        let label = label.trim();
        if label.is_empty() { Err(BlankLabel) } else { Ok(Self(label.to_owned())) }
    }
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

/// Tells kinds of conflict apart. A host may bring its own with [`crate::Memory::use_conflict_detector`].
pub trait ConflictDetector {
    /// The kind of the conflict between an incoming statement and one that is known. Both are known to be opposed.
    fn classify(&self, incoming: &Proposition, existing: &Proposition) -> ConflictType;
}

/// The detectors that come with the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "detector", rename_all = "kebab-case")]
pub enum ConflictDetection {
    /// Every conflict is a contradiction.
    AlwaysContradiction,
    /// Predicates that change with time make a progression, unless the incoming statement is the older one.
    Temporal {
        /// The predicates, compared without regard to case. Default: employer, residence, status, role, location, title.
        #[serde(default = "evolving")]
        evolving: BTreeSet<String>,
    },
}

fn evolving() -> BTreeSet<String> {
    EVOLVING.map(str::to_owned).into()
}

impl Default for ConflictDetection {
    fn default() -> Self {
        Self::Temporal { evolving: evolving() }
    }
}

impl ConflictDetector for ConflictDetection {
    fn classify(&self, incoming: &Proposition, existing: &Proposition) -> ConflictType {
        let Self::Temporal { evolving } = self else { return ConflictType::Contradiction };
        let predicate = predicate_of(incoming).or_else(|| predicate_of(existing));
        let changes = predicate.is_some_and(|predicate| evolving.iter().any(|e| text::fold(e) == predicate));
        if !changes || recency(incoming) < recency(existing) {
            return ConflictType::Contradiction;
        }
        ConflictType::WorldProgression
    }
}

/// What a statement says of its subject: the host's word, else what a plain sentence shows.
fn predicate_of(proposition: &Proposition) -> Option<String> {
    let stated = proposition.metadata.get(PREDICATE).and_then(serde_json::Value::as_str);
    if let Some(stated) = stated.map(str::trim).filter(|stated| !stated.is_empty()) {
        return Some(text::fold(stated));
    }
    let relation = text::slot(&proposition.text)?.relation;
    let spoken = SPOKEN.iter().find(|(words, _)| *words == relation);
    Some(spoken.map_or(relation, |(_, predicate)| (*predicate).to_owned()))
}

fn recency(proposition: &Proposition) -> Timestamp {
    let temporal = &proposition.temporal;
    temporal.observed_at.or(temporal.valid_from).unwrap_or(proposition.content_revised)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::Extractor;
    use crate::scale::Confidence;
    use uuid::Uuid;

    fn said(text: &str, predicate: Option<&str>, observed: Option<i64>) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(1));
        let confidence = Confidence::clamped(0.8);
        let mut p = Proposition::new(id, text, confidence, Extractor::Rules, Timestamp(0)).unwrap();
        if let Some(predicate) = predicate {
            p.metadata.insert(PREDICATE.into(), predicate.into());
        }
        p.temporal.observed_at = observed.map(Timestamp);
        p
    }
    fn kind(incoming: &Proposition, existing: &Proposition) -> ConflictType {
        ConflictDetection::default().classify(incoming, existing)
    }

    #[test]
    fn dice_99_an_evolving_predicate_moves_on_unless_the_news_is_old() {
        let (then, now) = (said("x", Some("Employer"), Some(2020)), said("y", Some("employer"), Some(2024)));
        assert_eq!(kind(&now, &then), ConflictType::WorldProgression);
        assert_eq!(kind(&then, &now), ConflictType::Contradiction);
        assert_eq!(kind(&then, &then), ConflictType::WorldProgression, "equal times");
        assert_eq!(
            kind(&said("y", None, Some(2024)), &then),
            ConflictType::WorldProgression,
            "the known one's"
        );
        let mut dated = said("x", Some("role"), None);
        dated.temporal.valid_from = Some(Timestamp(2019));
        assert_eq!(kind(&dated, &then), ConflictType::Contradiction, "valid since before");
        assert_eq!(ConflictDetection::AlwaysContradiction.classify(&now, &then), ConflictType::Contradiction);
    }

    #[test]
    fn dice_100_other_predicates_contradict() {
        let birthplace = |at| said("x", Some("birthplace"), Some(at));
        assert_eq!(kind(&birthplace(2024), &birthplace(2020)), ConflictType::Contradiction);
        assert_eq!(kind(&said("x", None, Some(2)), &said("y", None, Some(1))), ConflictType::Contradiction);
    }

    #[test]
    fn plain_sentences_show_their_predicate() {
        let (old, new) =
            (said("Nia works at Acme.", None, Some(1)), said("Nia works for Initech.", None, Some(2)));
        assert_eq!(kind(&new, &old), ConflictType::WorldProgression);
        let (old, new) = (said("Nia likes tea.", None, Some(1)), said("Nia likes coffee.", None, Some(2)));
        assert_eq!(kind(&new, &old), ConflictType::Contradiction);
    }

    #[test]
    fn kinds_and_detectors_survive_json_and_labels_are_never_blank() {
        let custom = ConflictType::Custom { label: Label::new(" unit mismatch ").unwrap() };
        let json = serde_json::to_string(&custom).unwrap();
        assert_eq!(json, r#"{"type":"custom","label":"unit mismatch"}"#);
        assert_eq!(serde_json::from_str::<ConflictType>(&json).unwrap(), custom);
        assert!(serde_json::from_str::<ConflictType>(r#"{"type":"custom","label":"  "}"#).is_err());
        assert_eq!(Label::new(""), Err(BlankLabel));
        let detection: ConflictDetection = serde_json::from_str(r#"{"detector":"temporal"}"#).unwrap();
        assert_eq!(detection, ConflictDetection::default());
    }
}
