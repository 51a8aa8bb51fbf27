//! The inbox: the durable queue of what only a person can decide. Each item is a record of the log that holds the question, why
//! it is asked and, where accepting would change something, the whole statement and what was to be done with it.
//!
//! Rules: a question is planned in the commit of the run that raises it; its answer is one commit by the person
//! ([`crate::Memory::decide`]), undone like any other; a question is answered once. What accepting does is decided anew on the
//! memory as it then is, because it may have changed while the question waited.
//!
//! `held` is what was to be done, `decide` a person's answer, `forget` what leaves with a forgotten statement or source.
//!
//! Entities that may be one thing are not asked about here: their links say so, and [`crate::Memory::possible_duplicates`] lists
//! them until they are merged or told apart.

mod decide;
mod forget;
mod held;

pub(crate) use forget::forget_questions;
pub use held::Held;

use serde::{Deserialize, Serialize};

use crate::history::RecordId;
use crate::id::{InboxId, PropositionId};
use crate::proposition::Proposition;
use crate::text;
use crate::time::Timestamp;

/// What an item asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum InboxKind {
    /// A gate held a planned change: shall it be made?
    Review,
    /// A stored statement stands against a pinned one: does the newer one hold now?
    PinnedConflict,
    /// A statement stands against a value that is not supposed to change: was the old one wrong?
    ImmutableQuestioned,
    /// A stored statement stands against a unit that kept its place: does the newer one hold?
    UnitDispute,
    /// What a statement rests on no longer stands: does it still hold?
    SupportLost,
}

/// What a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Yes: what the item holds is made; of two statements the newer one holds.
    Accept,
    /// No: what it holds is not made; of two statements the older one holds.
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
    /// The statement in question, whole. Where [`Self::held`] is set it is stored here alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposition: Option<Box<Proposition>>,
    /// What was to be done with it, where nothing of it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// The stored records that it is about: what would be changed, or what stands against the statement.
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

    /// A gate holds a change back.
    pub fn review(id: InboxId, proposition: Proposition, held: Held, why: &str, now: Timestamp) -> Self {
        let statement = text::excerpt(&proposition.text, 160);
        Self {
            id,
            kind: InboxKind::Review,
            question: format!("“{statement}” {} Shall it?", held.in_words()),
            others: held.targets().map(RecordId::Proposition).collect(),
            proposition: Some(Box::new(proposition)),
            held: Some(held),
            why: why.to_owned(),
            created: now,
            decision: None,
        }
    }

    /// A stored statement stands against `others`, which a person, the schema or their place protects; or it rests on them.
    pub fn conflict(
        id: InboxId,
        kind: InboxKind,
        newer: Proposition,
        others: &[Proposition],
        why: &str,
        now: Timestamp,
    ) -> Self {
        let quoted = |p: &Proposition| format!("“{}”", text::excerpt(&p.text, 160));
        let older = others.iter().map(quoted).collect::<Vec<_>>().join(" and ");
        let newest = quoted(&newer);
        let question = match kind {
            InboxKind::SupportLost => {
                format!("{newest} rests on {older}, which no longer stands. Does it still hold?")
            }
            _ => {
                let protected = match kind {
                    InboxKind::ImmutableQuestioned => "is not supposed to change",
                    InboxKind::UnitDispute => "has a firm place in the working set",
                    _ => "is pinned",
                };
                format!("{older} {protected}, and {newest} stands against it. Does the newer one hold?")
            }
        };
        Self {
            id,
            kind,
            question,
            others: others.iter().map(|p| RecordId::Proposition(p.id)).collect(),
            proposition: Some(Box::new(newer)),
            held: None,
            why: why.to_owned(),
            created: now,
            decision: None,
        }
    }

    /// Whether it asks which of these two statements holds, answered or not.
    pub fn is_between(&self, newer: PropositionId, older: PropositionId) -> bool {
        self.held.is_none()
            && self.proposition.as_ref().is_some_and(|p| p.id == newer)
            && self.other_propositions().any(|id| id == older)
    }

    /// The stored statements that it is about.
    pub fn other_propositions(&self) -> impl Iterator<Item = PropositionId> + '_ {
        self.others.iter().filter_map(|record| match record {
            RecordId::Proposition(id) => Some(*id),
            _ => None,
        })
    }
}
