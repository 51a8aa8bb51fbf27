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
