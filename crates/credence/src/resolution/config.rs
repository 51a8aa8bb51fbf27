//! Settings of resolution: which searchers look for an entity, how sure each must be, and what happens when none is.

use serde::{Deserialize, Serialize};

use super::compress::Compressor;
use crate::entity::Entity;
use crate::text::NameRules;

/// Who looks for an entity, in the order in which they look (dice 5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Searcher {
    /// The turn itself says who speaks. Always on.
    Speaker,
    /// An entity that the host named for this call. Always on.
    Known,
    /// The number that the extracting model gave, out of those that it was shown.
    Id,
    /// The same name.
    ExactName,
    /// The same name without titles, middle initials and catalogue order.
    NormalizedName,
    /// One word of the longer name: "Brahms", "Johannes Brahms".
    PartialName,
    /// A slip of the pen.
    FuzzyName,
    /// Nearness of name and description in the embedder's space.
    Vector,
    /// A model that searches our entities itself.
    Agentic,
}

/// How a model is asked to choose among candidates (dice 5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bakeoff {
    /// Never: unsure means a new entity with a possible duplicate.
    Off,
    /// A line per candidate, about a hundred tokens a question.
    #[default]
    Compact,
    /// With descriptions, six rules and the whole context, about four hundred tokens a question.
    Full,
}

/// An entity that the host knows and names for a call, before anything else is looked at (dice 5.6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownEntity {
    /// The entity. Its id is the host's; it need not be in this memory.
    pub entity: Entity,
    /// What it is in this call, for the model: "the user in the conversation". May be blank.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
}

/// Settings of entity resolution. Missing members take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResolutionConfig {
    /// Searchers in force, of those that can be switched. They always run in the order of [`Searcher`]. Default: all from
    /// `id` to `vector` (dice 5.3); `agentic` is off.
    pub searchers: Vec<Searcher>,
    /// Shortest single word that is looked for in longer names, in characters; 2 to 20. Default 4 (dice 5.3).
    pub partial_min: u32,
    /// Shortest name whose spelling may differ, in characters; 2 to 20. Default 4 (dice 5.3).
    pub fuzzy_min: u32,
    /// Share of the shorter name that may differ, rounded down; 0 to 0.5. Default 0.2 (dice 5.3).
    pub fuzzy_ratio: f64,
    /// Cosine from which an entity is a candidate; 0 to 1. Default 0.7 (dice 5.3).
    pub vector_candidate: f64,
    /// Cosine from which a single entity is taken; `vector_candidate` to 1. Default 0.95 (dice 5.3).
    pub vector_accept: f64,
    /// Nearest entities that are looked at; 1 to 100. Default 10 (dice 5.3).
    pub vector_top: u32,
    /// How a model chooses among candidates. Default compact (dice 5.5).
    pub bakeoff: Bakeoff,
    /// Ask no model even when one is connected. Default no (dice 5.4).
    pub heuristic_only: bool,
    /// Most names of one window that a model is asked about; the others become new entities with possible duplicates. 0 to
    /// 100. Default 12, chosen by us: about what one call answers reliably.
    pub questions_per_window: u32,
    /// Most searches that the agentic searcher may make for one name, each a model call; 1 to 10. Default 3, chosen by us.
    pub agentic_rounds: u32,
    /// What of the window goes into a question. Default the window around the name (dice 5.7).
    pub context: Compressor,
    /// Every mention makes a new entity (dice 5.6). Default no.
    pub always_create: bool,
    /// Entities that the host names for the calls to come, before all others (dice 5.6). Default none.
    pub known_entities: Vec<KnownEntity>,
}

impl Default for ResolutionConfig {
    fn default() -> Self {
        use Searcher::{ExactName, FuzzyName, Id, NormalizedName, PartialName, Vector};
        Self {
            searchers: vec![Id, ExactName, NormalizedName, PartialName, FuzzyName, Vector],
            partial_min: 4,
            fuzzy_min: 4,
            fuzzy_ratio: 0.2,
            vector_candidate: 0.7,
            vector_accept: 0.95,
            vector_top: 10,
            bakeoff: Bakeoff::Compact,
            heuristic_only: false,
            questions_per_window: 12,
            agentic_rounds: 3,
            context: Compressor::Window,
            always_create: false,
            known_entities: Vec::new(),
        }
    }
}

impl ResolutionConfig {
    /// The default chain without vectors.
    pub fn without_vector() -> Self {
        let mut config = Self::default();
        config.searchers.retain(|searcher| *searcher != Searcher::Vector);
        config
    }
    /// Ids and exact names alone.
    pub fn exact_only() -> Self {
        Self { searchers: vec![Searcher::Id, Searcher::ExactName], ..Self::default() }
    }
    /// Whether a searcher is in force.
    pub fn uses(&self, searcher: Searcher) -> bool {
        matches!(searcher, Searcher::Speaker | Searcher::Known) || self.searchers.contains(&searcher)
    }
    /// Whether a connected model may be asked.
    pub fn asks(&self) -> bool {
        self.bakeoff != Bakeoff::Off
            && !self.heuristic_only
            && !self.always_create
            && self.questions_per_window > 0
    }
    pub(crate) fn name_rules(&self) -> NameRules {
        NameRules {
            part_min: self.partial_min as usize,
            spelling_min: self.fuzzy_min as usize,
            spelling_ratio: self.fuzzy_ratio,
        }
    }

    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let whole = [
            ("partial_min", self.partial_min, 2, 20),
            ("fuzzy_min", self.fuzzy_min, 2, 20),
            ("vector_top", self.vector_top, 1, 100),
            ("questions_per_window", self.questions_per_window, 0, 100),
            ("agentic_rounds", self.agentic_rounds, 1, 10),
        ];
        for (name, value, min, max) in whole {
            if value < min || value > max {
                return Err(format!("resolution.{name} must be {min} to {max}, got {value}"));
            }
        }
        let shares = [
            ("fuzzy_ratio", self.fuzzy_ratio, 0.0, 0.5),
            ("vector_candidate", self.vector_candidate, 0.0, 1.0),
            ("vector_accept", self.vector_accept, self.vector_candidate, 1.0),
        ];
        for (name, value, min, max) in shares {
            if !(min..=max).contains(&value) {
                return Err(format!("resolution.{name} must be {min} to {max}, got {value}"));
            }
        }
        if self.searchers.is_empty() && !self.always_create {
            return Err(
                "resolution.searchers must name at least one searcher, or always_create be true".into()
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_ranges_are_named() {
        assert_eq!(ResolutionConfig::default().validate(), Ok(()));
        assert!(!ResolutionConfig::without_vector().uses(Searcher::Vector));
        assert!(!ResolutionConfig::exact_only().uses(Searcher::NormalizedName));
        let wrong = ResolutionConfig { vector_accept: 0.5, ..ResolutionConfig::default() };
        assert_eq!(wrong.validate(), Err("resolution.vector_accept must be 0.7 to 1, got 0.5".into()));
        assert!(ResolutionConfig { searchers: vec![], ..ResolutionConfig::default() }.validate().is_err());
        let partial: ResolutionConfig =
            serde_json::from_str(r#"{"bakeoff": "full", "searchers": ["exact-name"]}"#).unwrap();
        assert_eq!((partial.bakeoff, partial.partial_min), (Bakeoff::Full, 4));
    }
}
