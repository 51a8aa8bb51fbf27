//! The report of one entity-only window: what it read, which entities it found, and which chunk mentions which.
//!
//! The links from chunks to entities live here and nowhere else: a report is written once, an entity that everybody talks about is not
//! rewritten with every turn, and the same chunk read again replaces its own report instead of adding a second link (the
//! predecessor creates an edge with every run, dice 3.6). Links keep the entity that they were written for; readers follow
//! merges, so that merging and unmerging need no rewriting here.

use serde::{Deserialize, Serialize};

use crate::history::ContentId;
use crate::id::{ConversationId, EntityId, EntityReportId};
use crate::proposition::Extractor;
use crate::time::Timestamp;

/// Whose chunks a run reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "lowercase")]
pub enum EntitySource {
    /// Turns of a conversation.
    Conversation {
        /// Which.
        id: ConversationId,
    },
    /// Chunks of a text that the caller names.
    Text {
        /// The caller's own name of it: stable, because reading it again replaces what was found before.
        id: String,
    },
}

/// How a run met an entity (dice 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundKind {
    /// It was not known.
    New,
    /// It was known, and learned something: a spelling, a kind, a description, a property.
    Existing,
    /// It was known and stays as it was.
    ReferenceOnly,
}

/// One entity of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The entity.
    pub entity: EntityId,
    /// As the chunk names it.
    pub name: String,
    /// How it was met.
    pub kind: FoundKind,
    /// Why, in words for a person.
    pub why: String,
}

/// A suggestion that became no entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedEntity {
    /// As it was suggested; empty for secrets.
    pub name: String,
    /// Whether a rule about entities refused it (dice 5.1: vetoed); otherwise the suggestion itself was unusable.
    #[serde(default)]
    pub is_veto: bool,
    /// Why, in words for a person.
    pub why: String,
    /// The chunk, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk: Option<String>,
}

/// A chunk that could not be read. The others are not touched by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedChunk {
    /// Which.
    pub chunk: String,
    /// A stable word.
    pub code: String,
    /// Why, in words for a person.
    pub reason: String,
}

/// A chunk mentions an entity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sighting {
    /// The chunk: a turn's id, or the caller's name of a piece of text.
    pub chunk: String,
    /// What it mentions.
    pub entity: EntityId,
}

/// One window of an entity-only run, stored in the window's own commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityReport {
    /// Identity, made of the source and `from`: reading a window again replaces its report.
    pub id: EntityReportId,
    /// Whose chunks.
    pub source: EntitySource,
    /// First chunk of the window.
    pub from: u32,
    /// One past its last chunk.
    pub to: u32,
    /// The content that was read: the same again is not read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentId>,
    /// When.
    pub at: Timestamp,
    /// Who extracted.
    pub extractor: Extractor,
    /// Entities, each once, in order of first mention.
    #[serde(default)]
    pub found: Vec<Found>,
    /// What became no entity, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedEntity>,
    /// Chunks that could not be read: they wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedChunk>,
    /// Which chunk mentions which entity: in order, each pair once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sightings: Vec<Sighting>,
    /// Model calls.
    #[serde(default)]
    pub calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    #[serde(default)]
    pub completion_tokens: u32,
    /// Repairs and other things worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl EntityReport {
    /// The identity of the window of `source` that begins at `from`: two writers who read the same window meet in it.
    pub fn id_of(source: &EntitySource, from: u32) -> EntityReportId {
        let name = match source {
            EntitySource::Conversation { id } => format!("conversation {id} {from}"),
            EntitySource::Text { id } => format!("text {from} {id}"),
        };
        let digest = ContentId::of_text(&name);
        EntityReportId::new(uuid::Uuid::try_parse(digest.as_str()).unwrap_or_default())
    }
    /// How many entities were met in this way.
    pub fn count(&self, kind: FoundKind) -> usize {
        self.found.iter().filter(|found| found.kind == kind).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_one_identity_whoever_reads_it() {
        let text = EntitySource::Text { id: "notes".into() };
        assert_eq!(EntityReport::id_of(&text, 3), EntityReport::id_of(&text.clone(), 3));
        let others = [
            EntityReport::id_of(&text, 4),
            EntityReport::id_of(&EntitySource::Text { id: "other".into() }, 3),
            EntityReport::id_of(
                &EntitySource::Conversation { id: ConversationId::new(uuid::Uuid::nil()) },
                3,
            ),
        ];
        assert!(others.iter().all(|id| *id != EntityReport::id_of(&text, 3)));
        assert!(!others[0].uuid().is_nil());
    }
}
