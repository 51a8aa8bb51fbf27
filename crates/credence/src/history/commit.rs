//! Commits and the revisions inside them.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::record::{Record, RecordId};
use crate::id::{CommitId, ContextId, RevisionId};
use crate::time::Timestamp;

/// The form of stored commits. Raised whenever an older reader would misread them; a newer form is refused, an older one is read for
/// ever. Form 2 knows history that was rewritten: erased revisions, compacted commits, commits that could not be read.
pub const SCHEMA_VERSION: u32 = 2;

/// Names a revision's content: equal ids mean equal content, whenever and wherever it was written. The first 128 bits of
/// SHA-256 over the canonical JSON of the record without its clocks, so that a belief which returns is recognised.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentId(String);

/// Fields that say when, not what. They take no part in a content id.
const CLOCKS: [&str; 5] = ["created", "content_revised", "metadata_revised", "last_accessed", "revised"];

/// Whether a field says when, not what.
pub(crate) fn is_clock(field: &str) -> bool {
    CLOCKS.contains(&field)
}

impl ContentId {
    /// The content id of a record; `None` (a removal) has one of its own.
    pub fn of(record: Option<&Record>) -> Self {
        let mut value = serde_json::to_value(record).unwrap_or_default();
        if let Some(fields) = value.get_mut("value").and_then(serde_json::Value::as_object_mut) {
            fields.retain(|name, _| !is_clock(name));
        }
        // serde_json's maps are sorted by key, so this text is canonical.
        Self::of_text(&value.to_string())
    }
    /// The content id of plain text.
    pub fn of_text(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        Self(digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
    /// 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a commit was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cause {
    /// A turn was said.
    Conversation,
    /// A window was analysed.
    Extraction,
    /// Statements were revised outside an extraction.
    Revision,
    /// A person edited, pinned or added something.
    Manual,
    /// A person forgot something.
    Forget,
    /// An earlier commit was undone.
    Undo,
    /// Sweeps and consolidation.
    Maintenance,
    /// A projection wrote back.
    Projection,
    /// A conversation or bundle was imported.
    Import,
    /// Another device's commit arrived.
    Sync,
    /// A statement entered or left the working set.
    Promotion,
    /// Content was destroyed for ever; history before this commit was rewritten.
    Erasure,
    /// Revisions that a retention policy no longer keeps were dropped; history before this commit was rewritten.
    Retention,
    /// What could not be read was set aside; history before this commit was rewritten.
    Repair,
    /// A memory began as a branch of another.
    Branch,
}

impl Cause {
    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Extraction => "extraction",
            Self::Revision => "revision",
            Self::Manual => "manual",
            Self::Forget => "forget",
            Self::Undo => "undo",
            Self::Maintenance => "maintenance",
            Self::Projection => "projection",
            Self::Import => "import",
            Self::Sync => "sync",
            Self::Promotion => "promotion",
            Self::Erasure => "erasure",
            Self::Retention => "retention",
            Self::Repair => "repair",
            Self::Branch => "branch",
        }
    }
    /// Whether stored history before such a commit was changed with it: who reads one reads everything anew.
    pub fn rewrites(self) -> bool {
        matches!(self, Self::Erasure | Self::Retention | Self::Repair)
    }
}

/// Who made a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// The person at the keyboard.
    Person,
    /// Credence by its own rules.
    Engine,
    /// The program that embeds Credence.
    Host,
}

/// One immutable state of one record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// Dense and monotonic within the context's log.
    pub id: RevisionId,
    /// Whose state this is.
    pub record: RecordId,
    /// The revision that it follows; `None` for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<RevisionId>,
    /// Names the content.
    pub content_id: ContentId,
    /// The whole record; `None` when it was removed.
    #[serde(default)]
    pub value: Option<Record>,
    /// Why this record changed, in words for a person; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Some or all of its content was destroyed for ever. Without a value, what is left is that there was something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

/// What rewriting took from a stored commit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Rewritten {
    /// Revisions that a retention policy dropped: each had been overwritten by a commit up to [`Rewritten::horizon`].
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: u32,
    /// The first commit whose view is whole again; 0 where nothing was dropped.
    #[serde(skip_serializing_if = "is_zero_u64")]
    pub horizon: u64,
    /// Why its revisions are not here, in words for a person: the stored row could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn is_zero_u64(n: &u64) -> bool {
    *n == 0
}

/// Everything that one logical change of memory wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// The form of this record; see [`SCHEMA_VERSION`].
    pub schema: u32,
    /// Unique across devices.
    pub id: CommitId,
    /// The memory it belongs to.
    pub context: ContextId,
    /// Dense from 1 within the context: the coordinate of history.
    pub seq: u64,
    /// The head that it was decided on; `None` for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<CommitId>,
    /// When, made monotone within the context.
    pub at: Timestamp,
    /// What the clock said.
    pub clock: Timestamp,
    /// Why.
    pub cause: Cause,
    /// Who.
    pub actor: Actor,
    /// In words for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The caller's own ids: conversation, turn, run, case, …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ids: BTreeMap<String, String>,
    /// What it wrote, one revision a record.
    pub revisions: Vec<Rc<Revision>>,
    /// What rewriting took from it; `None`: nothing, beside erased revisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewritten>,
}

impl Commit {
    /// The place of a commit whose stored row cannot be read: it keeps the chain whole and brings nothing.
    pub fn unreadable(
        context: ContextId,
        seq: u64,
        id: CommitId,
        parent: Option<CommitId>,
        at: Timestamp,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            id,
            context,
            seq,
            parent,
            at,
            clock: at,
            cause: Cause::Repair,
            actor: Actor::Engine,
            reason: "this commit could not be read".into(),
            ids: BTreeMap::new(),
            revisions: Vec::new(),
            rewritten: Some(Rewritten { unreadable: Some(reason.into()), ..Rewritten::default() }),
        }
    }
}
