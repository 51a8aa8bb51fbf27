//! What became of a mention: the outcome, who decided it, how surely, and what else it may have been.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::config::Searcher;
use super::roles::Introduction;
use crate::id::EntityId;

/// The four outcomes (dice 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResolutionKind {
    /// A new entity.
    New,
    /// An entity that was known; it may have gained a spelling, a label or a description.
    Existing,
    /// An entity of the host's that is only pointed at and never written.
    ReferenceOnly,
    /// None: the mention stays text, for the reason given.
    Vetoed,
}

/// By what kind of evidence it was decided (dice 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Level {
    /// The id, the speaker or the very name.
    ExactMatch,
    /// A normal form, a part or a slip of the name.
    HeuristicMatch,
    /// Nearness of meaning.
    EmbeddingMatch,
    /// A model confirmed the one candidate.
    LlmVerification,
    /// A model chose among several.
    LlmBakeoff,
    /// Nothing matched.
    NoMatch,
}

impl Level {
    /// The level that a searcher's confident find has.
    pub(crate) fn of(searcher: Searcher) -> Self {
        match searcher {
            Searcher::Speaker | Searcher::Known | Searcher::Id | Searcher::ExactName => Self::ExactMatch,
            Searcher::NormalizedName | Searcher::PartialName | Searcher::FuzzyName => Self::HeuristicMatch,
            Searcher::Vector => Self::EmbeddingMatch,
            Searcher::Agentic => Self::LlmVerification,
        }
    }
}

/// What became of one mention. Stored with the window's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResolutionOutcome {
    /// The mention as its statement says it.
    pub span: String,
    /// Its kind, as the extractor named it; may be empty.
    #[serde(default)]
    pub kind: String,
    /// Which of the four.
    pub outcome: ResolutionKind,
    /// The entity; none when vetoed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityId>,
    /// By what kind of evidence.
    pub level: Level,
    /// 0.95 for a searcher's find, 0.8 for a model's choice, 0 without a match (dice 5.4).
    #[serde(default)]
    pub confidence: f64,
    /// Who found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searcher: Option<Searcher>,
    /// Why, in words for a person.
    #[serde(default)]
    pub why: String,
    /// What else it may have been, best first, with the likeness that was really found, 0 to 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<(EntityId, f64)>,
}

impl ResolutionOutcome {
    fn of(sought: &Sought, outcome: ResolutionKind, level: Level, confidence: f64, why: String) -> Self {
        Self {
            span: sought.name.clone(),
            kind: sought.kind().to_owned(),
            outcome,
            entity: None,
            level,
            confidence,
            searcher: None,
            why,
            candidates: Vec::new(),
        }
    }
    pub(crate) fn found(sought: &Sought, id: EntityId, searcher: Searcher, why: impl Into<String>) -> Self {
        let mut outcome = Self::of(sought, ResolutionKind::Existing, Level::of(searcher), 0.95, why.into());
        (outcome.entity, outcome.searcher) = (Some(id), Some(searcher));
        outcome
    }
    /// A model's choice among `several`, or its yes to the one candidate.
    pub(crate) fn chosen(sought: &Sought, id: EntityId, several: bool, why: impl Into<String>) -> Self {
        let level = if several { Level::LlmBakeoff } else { Level::LlmVerification };
        let mut outcome = Self::of(sought, ResolutionKind::Existing, level, 0.8, why.into());
        outcome.entity = Some(id);
        outcome
    }
    /// Nothing fits: whoever asked makes a new entity.
    pub(crate) fn no_match(sought: &Sought, why: impl Into<String>) -> Self {
        Self::of(sought, ResolutionKind::New, Level::NoMatch, 0.0, why.into())
    }
    pub(crate) fn vetoed(sought: &Sought, why: impl Into<String>) -> Self {
        Self::of(sought, ResolutionKind::Vetoed, Level::NoMatch, 0.0, why.into())
    }
}

/// What is to be resolved: an entity as somebody suggests it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sought {
    /// Its name.
    pub name: String,
    /// Its kinds, the most telling first; may be empty. Only what follows the last dot counts.
    pub labels: Vec<String>,
    /// One line about it; may be empty.
    pub description: String,
    /// The entity that the extractor took it for, out of those that it was shown.
    pub suggested: Option<EntityId>,
    /// What else is to be kept with it.
    pub properties: BTreeMap<String, serde_json::Value>,
    pub(crate) introduction: Option<Introduction>,
    /// Its place in the run, by which answers that were gathered before are found again.
    pub(crate) slot: Option<usize>,
}

impl Sought {
    /// Something of this name and kind.
    pub fn new(name: &str, kind: &str) -> Self {
        let kind = kind.trim();
        Self {
            name: name.trim().to_owned(),
            labels: if kind.is_empty() { Vec::new() } else { vec![kind.to_owned()] },
            ..Self::default()
        }
    }
    /// The first of its kinds, or nothing.
    pub fn kind(&self) -> &str {
        self.labels.first().map_or("", String::as_str)
    }
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(String::as_str)
    }
    /// What a vector is made of.
    pub(crate) fn passage(&self) -> String {
        passage(&self.name, &self.description)
    }
}

/// Name and description as one text to embed.
pub(crate) fn passage(name: &str, description: &str) -> String {
    if description.trim().is_empty() { name.to_owned() } else { format!("{name}: {description}") }
}
