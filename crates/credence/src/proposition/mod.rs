//! Propositions: one natural-language statement each, with how sure we are, how fast that fades, who said it
//! and what it is about.
//!
//! Rules: a proposition is a value; every change makes a new one (and, through the commit log, a new
//! revision). Two clocks are kept apart: `content_revised` moves with text, mentions or confidence and
//! anchors decay; `metadata_revised` moves with everything administrative, so that pinning or retiring a
//! fact never refreshes it. Source: dice section 1.

mod effective;
mod mention;
mod provenance;
mod query;
mod status;

pub use effective::{DecayAge, DecayRule, effective_confidence, recall_confidence};
pub use mention::{Mention, MentionRole};
pub use provenance::{Locator, ProvenanceEntry, ProvenanceError};
pub use query::{Order, PropositionQuery, TRUST_SCORE};
pub use status::{Status, TransitionError};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{EntityId, PropositionId, TurnId};
use crate::revision::Witness;
use crate::scale::{Confidence, Decay, Importance};
use crate::time::Timestamp;

/// Who turned a source into this statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Extractor {
    /// The built-in rules: plain statements only, no language model.
    Rules,
    /// A language model.
    Model {
        /// As the server named it.
        model: String,
    },
    /// A person typed it.
    Person,
    /// It came with an imported bundle.
    Import,
}

impl Extractor {
    /// The word that lists show: `by rule`, the model's name, `by hand`, `imported`.
    pub fn label(&self) -> &str {
        match self {
            Extractor::Rules => "by rule",
            Extractor::Model { model } if model.is_empty() => "a language model",
            Extractor::Model { model } => model,
            Extractor::Person => "by hand",
            Extractor::Import => "imported",
        }
    }
}

/// Whose words the statement rests on. It caps what the statement may become (an assistant's own words are
/// never the user's facts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// The user.
    #[default]
    User,
    /// Another person in the conversation.
    Other,
    /// The assistant.
    Assistant,
    /// A document or tool.
    Document,
}

/// When a statement holds. All bounds are optional; an empty block holds everywhere (dice 1.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Temporal {
    /// When the source said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// Start of validity, inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// End of validity, exclusive; not before `valid_from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// Explicit retraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalidated_at: Option<Timestamp>,
    /// Propositions that this one replaced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<PropositionId>,
    /// Propositions that this one contradicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicts: Vec<PropositionId>,
}

impl Temporal {
    /// Whether the statement holds at `t`, as far as its bounds say.
    pub fn is_current_at(&self, t: Timestamp) -> bool {
        self.invalidated_at.is_none_or(|at| at > t)
            && self.valid_from.is_none_or(|from| t >= from)
            && self.valid_to.is_none_or(|to| t < to)
    }
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
    /// Valid from `from` on and, with an end, until before `to`. An end at the start is allowed; such a window is never
    /// current.
    pub fn window(from: Timestamp, to: Option<Timestamp>) -> Result<Self, PropositionError> {
        let block = Self { valid_from: Some(from), valid_to: to, ..Self::default() };
        block.validate()?;
        Ok(block)
    }
    /// Checks that validity does not end before it begins.
    pub fn validate(&self) -> Result<(), PropositionError> {
        match (self.valid_from, self.valid_to) {
            (Some(from), Some(to)) if to < from => Err(PropositionError::ValidityBackwards { from, to }),
            _ => Ok(()),
        }
    }
}

/// A proposition that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PropositionError {
    /// Nothing is said.
    #[error("a proposition needs a text")]
    EmptyText,
    /// Level above 0 without sources (dice 1.1).
    #[error("a proposition of level {level} needs the ids of the propositions that it rests on")]
    NoSources {
        /// The level.
        level: u32,
    },
    /// `valid_to` before `valid_from`.
    #[error("validity ends ({to}) before it begins ({from})")]
    ValidityBackwards {
        /// Start.
        from: Timestamp,
        /// End.
        to: Timestamp,
    },
    /// A status move that the table forbids.
    #[error(transparent)]
    Transition(#[from] TransitionError),
    /// A source that cannot be.
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
}

/// One statement. See the module page for its clocks; fields and defaults are those of dice 1.1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposition {
    /// Stable for life.
    pub id: PropositionId,
    /// One self-contained sentence; this is what is embedded and searched.
    pub text: String,
    /// Who and what it is about.
    #[serde(default)]
    pub mentions: Vec<Mention>,
    /// How sure the source left us.
    pub confidence: Confidence,
    /// How fast that fades.
    #[serde(default)]
    pub decay: Decay,
    /// How much it matters.
    #[serde(default)]
    pub importance: Importance,
    /// The explanation: why this was extracted, in the extractor's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The turns it rests on, in order, without repeats.
    #[serde(default)]
    pub grounding: Vec<TurnId>,
    /// Sources with their locators, in order, without repeats.
    #[serde(default)]
    pub provenance: Vec<ProvenanceEntry>,
    /// Whose words.
    #[serde(default)]
    pub voice: Voice,
    /// Who extracted it.
    pub extractor: Extractor,
    /// First written.
    pub created: Timestamp,
    /// Text, mentions or confidence last changed: the decay anchor.
    pub content_revised: Timestamp,
    /// Anything administrative last changed.
    pub metadata_revised: Timestamp,
    /// Last merged, reinforced or contradicted.
    pub last_accessed: Timestamp,
    /// Exempt from sweeps, supersession and contradiction.
    #[serde(default)]
    pub pinned: bool,
    /// Where it stands.
    #[serde(default)]
    pub status: Status,
    /// 0: an observation; n: the depth of abstraction.
    #[serde(default)]
    pub level: u32,
    /// What an abstraction rests on; never empty above level 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_ids: Vec<PropositionId>,
    /// Merges and reinforcements so far.
    #[serde(default)]
    pub reinforce_count: u32,
    /// Who said it and how each was counted, once it was said more than once; see [`crate::revision::Witness`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
    /// What it rested on was taken back: it stands on nothing, and whoever says it next begins it anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retracted: bool,
    /// When it holds.
    #[serde(default, skip_serializing_if = "Temporal::is_empty")]
    pub temporal: Temporal,
    /// Open-ended facts about the fact, for hosts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, serde_json::Value>,
    /// An outside identity, where the host has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

impl Proposition {
    /// A level-0, active proposition with every clock at `now`; to take a statement over from elsewhere, give the instant at
    /// which it was last revised there. The text is trimmed.
    pub fn new(
        id: PropositionId,
        text: &str,
        confidence: Confidence,
        extractor: Extractor,
        now: Timestamp,
    ) -> Result<Self, PropositionError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PropositionError::EmptyText);
        }
        Ok(Self {
            id,
            text: text.to_owned(),
            mentions: Vec::new(),
            confidence,
            decay: Decay::default(),
            importance: Importance::default(),
            reasoning: None,
            grounding: Vec::new(),
            provenance: Vec::new(),
            voice: Voice::default(),
            extractor,
            created: now,
            content_revised: now,
            metadata_revised: now,
            last_accessed: now,
            pinned: false,
            status: Status::Active,
            level: 0,
            source_ids: Vec::new(),
            reinforce_count: 0,
            witnesses: Vec::new(),
            retracted: false,
            temporal: Temporal::default(),
            metadata: BTreeMap::new(),
            uri: None,
        })
    }

    /// Checks what must hold of every stored proposition.
    pub fn validate(&self) -> Result<(), PropositionError> {
        if self.text.trim().is_empty() {
            return Err(PropositionError::EmptyText);
        }
        if self.level > 0 && self.source_ids.is_empty() {
            return Err(PropositionError::NoSources { level: self.level });
        }
        self.temporal.validate()?;
        for entry in &self.provenance {
            entry.validate()?;
        }
        Ok(())
    }

    /// Moves the status through the transition table; moves `metadata_revised` alone.
    pub fn with_status(mut self, status: Status, now: Timestamp) -> Result<Self, PropositionError> {
        self.status = self.status.transition(status)?;
        self.retracted &= !status.is_live();
        self.metadata_revised = now;
        Ok(self)
    }
    /// Pins or unpins; moves `metadata_revised` alone.
    pub fn with_pinned(mut self, pinned: bool, now: Timestamp) -> Self {
        self.pinned = pinned;
        self.metadata_revised = now;
        self
    }
    /// Replaces the text; moves `content_revised` alone.
    pub fn with_text(mut self, text: &str, now: Timestamp) -> Result<Self, PropositionError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PropositionError::EmptyText);
        }
        self.text = text.to_owned();
        self.content_revised = now;
        Ok(self)
    }
    /// Replaces the confidence; moves `content_revised` alone.
    pub fn with_confidence(mut self, confidence: Confidence, now: Timestamp) -> Self {
        self.confidence = confidence;
        self.content_revised = now;
        self
    }
    /// Replaces the mentions; moves `content_revised` alone.
    pub fn with_mentions(mut self, mentions: Vec<Mention>, now: Timestamp) -> Self {
        self.mentions = mentions;
        self.content_revised = now;
        self
    }
    /// Replaces the temporal block; moves `metadata_revised` alone.
    pub fn with_temporal(mut self, temporal: Temporal, now: Timestamp) -> Result<Self, PropositionError> {
        temporal.validate()?;
        self.temporal = temporal;
        self.metadata_revised = now;
        Ok(self)
    }
    /// Sets one metadata value; moves `metadata_revised` alone.
    pub fn with_metadata_value(
        mut self,
        key: impl Into<String>,
        value: impl Into<serde_json::Value>,
        now: Timestamp,
    ) -> Self {
        self.metadata.insert(key.into(), value.into());
        self.metadata_revised = now;
        self
    }
    /// Replaces the sources, each kept once, in order; moves `metadata_revised` alone.
    pub fn with_provenance(
        mut self,
        entries: impl IntoIterator<Item = ProvenanceEntry>,
        now: Timestamp,
    ) -> Self {
        self.provenance.clear();
        self.with_evidence([], entries, now)
    }
    /// Appends evidence, in order, each turn and entry once; moves `metadata_revised` alone.
    pub fn with_evidence(
        mut self,
        turns: impl IntoIterator<Item = TurnId>,
        entries: impl IntoIterator<Item = ProvenanceEntry>,
        now: Timestamp,
    ) -> Self {
        for turn in turns {
            if !self.grounding.contains(&turn) {
                self.grounding.push(turn);
            }
        }
        for entry in entries {
            if !self.provenance.contains(&entry) {
                self.provenance.push(entry);
            }
        }
        self.metadata_revised = now;
        self
    }

    /// The later of the two clocks: what "revised" filters and orders look at.
    pub fn last_touched(&self) -> Timestamp {
        self.content_revised.max(self.metadata_revised)
    }
    /// Entities that the mentions resolved to, in order of mention, repeats kept.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.mentions.iter().filter_map(|m| m.entity)
    }
    /// The first mention in this role.
    pub fn mention_in(&self, role: MentionRole) -> Option<&Mention> {
        self.mentions.iter().find(|m| m.role == role)
    }
    /// Whether every mention resolved; true without mentions.
    pub fn is_fully_resolved(&self) -> bool {
        self.mentions.iter().all(|m| m.entity.is_some())
    }
}

#[cfg(test)]
mod tests;
