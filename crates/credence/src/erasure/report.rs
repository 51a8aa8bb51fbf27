//! What is kept of an erasure: no word of what went, but enough to show what was done and to know it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::history::{ContentId, RecordId};
use crate::id::{ConversationId, EntityId, ErasureId, PropositionId, TurnId};
use crate::time::Timestamp;

/// What a person wanted gone. Ids alone: they say nothing of what they stood for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ErasureTarget {
    /// A statement, with what says the same and what was made of it.
    Proposition {
        /// Which.
        id: PropositionId,
    },
    /// An entity: statements about it alone go, others lose its name.
    Entity {
        /// Which.
        id: EntityId,
    },
    /// A conversation or document, with what rested on it alone.
    Source {
        /// Which.
        id: ConversationId,
    },
    /// A turn, with what rested on it alone.
    Turn {
        /// Which.
        id: TurnId,
    },
    /// Every turn said in a span of time, with what rested on these alone.
    Span {
        /// From, inclusive.
        from: Timestamp,
        /// To, exclusive.
        to: Timestamp,
    },
}

/// What a tombstone keeps from coming back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TombstoneKind {
    /// A statement, by its canonical form.
    Statement,
    /// A name.
    Name,
    /// A turn or passage, by its text.
    Text,
}

/// Knows again what was erased, without holding it: a digest over the report's salt and the normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tombstone {
    /// What it keeps from coming back.
    pub kind: TombstoneKind,
    /// The digest.
    pub digest: ContentId,
}

impl Tombstone {
    /// The tombstone of a normal form.
    pub fn of(kind: TombstoneKind, salt: &str, normal_form: &str) -> Self {
        Self { kind, digest: ContentId::of_text(&format!("{salt}\n{normal_form}")) }
    }
}

/// How much was cleaned, by kind of place: `propositions`, `turns`, `vectors`, `use-records`, ….
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Cleaned {
    /// Records of which nothing is left.
    pub destroyed: BTreeMap<String, u32>,
    /// Records that lost a part of their content.
    pub redacted: BTreeMap<String, u32>,
}

/// A statement that an erasure bears on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TouchedStatement {
    /// Which.
    pub id: PropositionId,
    /// What it says now.
    pub text: String,
    /// What it will say; `None`: nothing will be left of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// A person pinned it, or made it CANON.
    #[serde(default)]
    pub is_kept_dear: bool,
    /// What happens to it and why, in words for a person.
    pub why: String,
}

/// A turn that an erasure bears on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedTurn {
    /// Which.
    pub id: TurnId,
    /// Where.
    pub conversation: ConversationId,
    /// The sentences that go, in order; each stands in some revision of it.
    pub cut: Vec<String>,
    /// What it will say; `None`: nothing will be left of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What an erasure would do, or forgetting the same softly. Nothing was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErasurePreview {
    /// What was asked about.
    pub target: ErasureTarget,
    /// Statements, those that go first.
    pub statements: Vec<TouchedStatement>,
    /// Names of the entities of which nothing will be left, in order of id.
    pub entities: Vec<(EntityId, String)>,
    /// Conversations and documents that go.
    pub sources: Vec<(ConversationId, String)>,
    /// Turns, in order of id, that is, of time.
    pub turns: Vec<TouchedTurn>,
    /// How much, by kind of place.
    pub cleaned: Cleaned,
    /// Things worth knowing before it is done.
    pub notes: Vec<String>,
}

/// One erasure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErasureReport {
    /// Identity.
    pub id: ErasureId,
    /// When.
    pub at: Timestamp,
    /// What was wanted gone.
    pub target: ErasureTarget,
    /// What was done.
    pub cleaned: Cleaned,
    /// Records of which nothing is left, by id.
    pub records: Vec<RecordId>,
    /// Commits that were rewritten, by position.
    pub commits: Vec<u64>,
    /// Goes into the tombstones' digests; made for this report.
    pub salt: String,
    /// What must not be learned again from what was said before [`ErasureReport::at`].
    pub tombstones: Vec<Tombstone>,
    /// A person took the tombstones away: it may be learned again.
    #[serde(default)]
    pub lifted: bool,
}
