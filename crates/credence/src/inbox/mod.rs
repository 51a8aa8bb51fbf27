//! The inbox: the durable queue of what only a person can decide. Each item is a record of the log that holds the question, why
//! it is asked and, where accepting would change something, the whole candidate; a decision is one commit by the person.

use serde::{Deserialize, Serialize};

use crate::history::RecordId;
use crate::id::InboxId;
use crate::proposition::Proposition;
use crate::time::Timestamp;

/// What an item asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum InboxKind {
    /// A gate held a planned change: shall it be made?
    Review,
    /// Something stands against a pinned statement: which of them holds?
    PinnedConflict,
    /// Something stands against a value that is not supposed to change: was the old one wrong?
    ImmutableQuestioned,
    /// Two records may mean one thing: are they the same?
    PossibleDuplicate,
}

/// What a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Yes: what the item holds is made.
    Accept,
    /// No: nothing changes.
    Reject,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// Yes or no.
    pub verdict: Verdict,
    /// When.
    pub at: Timestamp,
    /// What came of it, in words for a person.
    pub effect: String,
}

/// One question to the person, open until it has a decision; kept afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InboxItem {
    /// Stable for life.
    pub id: InboxId,
    /// What it asks about.
    pub kind: InboxKind,
    /// The statement that is held back, whole; `None` where the question is about stored records alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposition: Option<Proposition>,
    /// The stored records that the question is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<RecordId>,
    /// The question, in words for a person.
    pub question: String,
    /// Who asks and why.
    pub why: String,
    /// Asked when.
    pub created: Timestamp,
    /// The answer, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decided>,
}

impl InboxItem {
    /// Whether it waits for an answer.
    pub fn is_open(&self) -> bool {
        self.decision.is_none()
    }
}
