//! The source registry: who says things in this memory, by exact id, and how their word has fared so far (core 15, G9).
//!
//! **Who.** A source is who answers for a statement: `user` for the person whose memory this is; another speaker by name, folded; a
//! connector by its own name, because the system answers for its records; a web page or a file by the locator's identity, a document without
//! an address as a whole, whatever passages it was read in. The assistant is no source: it can only have said what it was given. Ids are compared whole, so that "admin" is
//! not "dm".
//!
//! **How it fared.** [`SourceRegistry::of`] is a fold over the present: a statement counts for its source when another source says it too or
//! a person confirmed it, and against it when another source's statement contradicts it or a person turned it away. Changing one's own
//! mind counts for nothing. One witness counts for at most [`PER_WITNESS`] confirmations of one source, so that two sources cannot
//! talk each other up without end.
//!
//! **What follows.** The estimate is the mean of a Beta distribution: the score that the source starts with is worth [`PRIOR_WEIGHT`]
//! outcomes, and each outcome one. A source of 0.5 with four statements refuted stands at 0.25.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::conversation::Speaker;
use crate::history::State;
use crate::id::PropositionId;
use crate::inbox::Verdict;
use crate::proposition::{Locator, Proposition, ProvenanceEntry, Status, Voice};
use crate::text;
use crate::unit::EvidenceKind;

/// How many outcomes a source's first score is worth. Chosen by us: one refuted statement moves a source by a fifth.
pub const PRIOR_WEIGHT: f64 = 4.0;

/// Most confirmations of one source by one witness that count. Chosen by us.
pub const PER_WITNESS: u32 = 5;

/// The id of the person whose memory this is.
pub const USER_SOURCE: &str = "user";

/// `trust.source_authority`: what is known of sources beforehand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceAuthority {
    /// A score by source id, whole and folded; 0 to 1. Default system 1, dm 0.9, player 0.3 (core 3.2).
    pub scores: BTreeMap<String, f64>,
    /// The score where neither the id nor the tier of the statement is known; 0 to 1. Default 0.5.
    pub default_score: f64,
}

impl Default for SourceAuthority {
    fn default() -> Self {
        let scores = [("system", 1.0), ("dm", 0.9), ("player", 0.3)];
        Self {
            scores: scores.into_iter().map(|(id, score)| (id.to_owned(), score)).collect(),
            default_score: 0.5,
        }
    }
}

impl SourceAuthority {
    /// The score that a host gave to this very source.
    pub fn score(&self, source: &str) -> Option<f64> {
        let known = self.scores.iter().find(|(id, _)| text::fold(id.trim()) == source);
        known.map(|(_, score)| score.clamp(0.0, 1.0))
    }
    /// Checks every range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let scores = self.scores.iter().map(|(id, score)| (format!("scores.{id}"), *score));
        for (name, score) in scores.chain([("default_score".to_owned(), self.default_score)]) {
            if !(0.0..=1.0).contains(&score) {
                return Err(format!("trust.source_authority.{name} must be 0 to 1, got {score}"));
            }
        }
        Ok(())
    }
}

/// How a source's statements have fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceRecord {
    /// Statements that rest on it.
    pub statements: u32,
    /// Times that another source or a person confirmed one.
    pub confirmed: u32,
    /// Statements that another source's contradicted.
    pub refuted: u32,
    /// Statements that a person turned away.
    pub rejected: u32,
}

impl SourceRecord {
    /// How reliable it is, 0 to 1, when it started with `prior`.
    pub fn reliability(&self, prior: f64) -> f64 {
        let good = f64::from(self.confirmed);
        let all = good + f64::from(self.refuted) + f64::from(self.rejected);
        (prior.clamp(0.0, 1.0) * PRIOR_WEIGHT + good) / (PRIOR_WEIGHT + all)
    }
}

/// The sources of a memory, by exact id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceRegistry {
    sources: BTreeMap<String, SourceRecord>,
}

impl SourceRegistry {
    /// Folds the present: one pass over the statements, the units and the answered questions.
    pub fn of(state: &State) -> Self {
        let mut registry = Self::default();
        let stored: Vec<(&Proposition, Vec<String>)> =
            state.propositions().filter(|p| p.level == 0).map(|p| (p, sources_of(state, p))).collect();
        let mut against: BTreeMap<PropositionId, BTreeSet<&str>> = BTreeMap::new();
        for (proposition, sources) in &stored {
            for id in &proposition.temporal.contradicts {
                against.entry(*id).or_default().extend(sources.iter().map(String::as_str));
            }
        }
        let mut witnessed: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for (proposition, sources) in &stored {
            let confirmations = state.unit(proposition.id).map_or(0, |unit| {
                unit.evidence().iter().filter(|e| e.kind == EvidenceKind::Confirmation).count()
            });
            let lost = proposition.status == Status::Contradicted;
            for source in sources {
                let entry = registry.sources.entry(source.clone()).or_default();
                entry.statements += 1;
                if lost {
                    let others = against.get(&proposition.id).into_iter().flatten();
                    // Who contradicts themselves has changed their mind, which is no error.
                    let own = against.get(&proposition.id).is_some_and(|by| by.contains(source.as_str()));
                    entry.refuted += u32::from(!own && others.count() > 0);
                    continue;
                }
                entry.confirmed += u32::from(confirmations > 0);
                for witness in sources.iter().filter(|other| *other != source) {
                    let times = witnessed.entry((source, witness)).or_default();
                    if *times < PER_WITNESS {
                        *times += 1;
                        entry.confirmed += 1;
                    }
                }
            }
        }
        for item in state.inbox_items() {
            let rejected = item.decision.as_ref().is_some_and(|d| d.verdict == Verdict::Reject);
            let Some(proposition) = item.proposition.as_deref().filter(|_| rejected) else { continue };
            for source in sources_of(state, proposition) {
                registry.sources.entry(source).or_default().rejected += 1;
            }
        }
        registry
    }
    /// How a source has fared; nothing for one that has said nothing.
    pub fn record(&self, source: &str) -> SourceRecord {
        self.sources.get(source).copied().unwrap_or_default()
    }
    /// Every source, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, SourceRecord)> {
        self.sources.iter().map(|(id, record)| (id.as_str(), *record))
    }
}

/// The independent sources of a statement, each once, in order of id. The same source again, a second address of the same
/// content, and what the assistant said count for nothing.
pub fn sources_of(state: &State, proposition: &Proposition) -> Vec<String> {
    let mut found = BTreeSet::new();
    for turn in proposition.grounding.iter().filter_map(|id| state.turn(*id)) {
        match &turn.speaker {
            Speaker::User => drop(found.insert(USER_SOURCE.to_owned())),
            Speaker::Person { name } => drop(found.insert(text::fold(name.trim()))),
            // A document answers by its address, below.
            Speaker::Assistant | Speaker::Document { .. } => {}
        }
    }
    let mut contents = BTreeSet::new();
    for entry in &proposition.provenance {
        let copy = entry.content_hash.as_ref().is_some_and(|hash| !contents.insert(hash));
        let source = match &entry.locator {
            // Its turns have been counted by who spoke.
            Locator::Connector { connector_id, .. } if connector_id == "conversation" => continue,
            Locator::Connector { connector_id, .. } => text::fold(connector_id.trim()),
            Locator::Content { .. } if proposition.voice == Voice::User => USER_SOURCE.to_owned(),
            // Its passages are one source, however many there are.
            Locator::Content { .. } => pasted(state, proposition, entry).unwrap_or(entry.locator.identity()),
            locator => locator.identity(),
        };
        if !copy {
            found.insert(source);
        }
    }
    if proposition.voice == Voice::Assistant && found.iter().all(|id| id == USER_SOURCE) {
        return Vec::new();
    }
    if found.is_empty() && proposition.voice == Voice::User && !proposition.provenance.is_empty() {
        found.insert(USER_SOURCE.to_owned());
    }
    found.into_iter().collect()
}

/// The document without an address that an entry is a passage of.
fn pasted(state: &State, proposition: &Proposition, entry: &ProvenanceEntry) -> Option<String> {
    let chunk = entry.chunk_id.as_ref()?;
    let passage = proposition.grounding.iter().find(|turn| turn.to_string() == *chunk)?;
    Some(format!("document:{}", state.turn(*passage)?.conversation))
}
