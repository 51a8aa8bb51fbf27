//! The inbox: the durable queue of what only a person can decide. Each item is a record of the log that holds the question, why
//! it is asked and, where accepting would change something, the whole statement and what was to be done with it.
//!
//! Rules: a question is planned in the commit of the run that raises it; its answer is one commit by the person
//! ([`crate::Memory::decide`]), undone like any other; a question is answered once. What accepting does is decided anew on the
//! memory as it then is, because it may have changed while the question waited.
//!
//! A question can also go without an answer: what it asked about has changed (STALE), or new evidence settled it. It then says so and
//! is kept like an answered one.
//!
//! `held` is what was to be done, `decide` a person's answer, `forget` what leaves with a forgotten statement or source, `candidates`
//! the questions of promotion and what their answers do, `canon` those about CANON.
//!
//! Entities that may be one thing are not asked about here: their links say so, and [`crate::Memory::possible_duplicates`] lists
//! them until they are merged or told apart.

mod candidates;
mod canon;
mod decide;
mod forget;
mod held;

pub(crate) use candidates::{Asking, ask_about_candidates, settle_candidates};
pub use canon::{Asker, CanonAnswer, CanonRequest};
pub(crate) use canon::{may_be_proposed, plan_request};
pub(crate) use forget::{forget_questions, retract_questions};
pub use held::Held;

use serde::{Deserialize, Serialize};

use crate::history::RecordId;
use crate::id::{ConversationId, InboxId, PromotionId, PropositionId};
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
    /// Statements of one source are not trusted enough for the working set: shall they enter it?
    PromotionReview,
    /// Statements of one source could not be judged, or read like orders to the assistant: shall they enter the working set?
    Quarantine,
    /// Shall a unit become CANON?
    Canonization,
    /// Shall a unit no longer be CANON?
    Decanonization,
}

impl InboxKind {
    /// Whether it asks about statements that wait at the door of the working set, several in one question.
    pub fn is_about_candidates(self) -> bool {
        matches!(self, Self::PromotionReview | Self::Quarantine)
    }
    /// Whether it asks for a change of CANON.
    pub fn is_about_canon(self) -> bool {
        matches!(self, Self::Canonization | Self::Decanonization)
    }
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

/// Why a question went without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClosedAs {
    /// What it asked about has changed meanwhile.
    Stale,
    /// New evidence settled it.
    Settled,
}

/// The end of a question that nobody had to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// Why.
    #[serde(rename = "as")]
    pub as_: ClosedAs,
    /// When.
    pub at: Timestamp,
    /// In words for a person.
    pub why: String,
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
    /// Why nobody has to answer any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
    /// The source whose candidates it is about; `None` for statements without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ConversationId>,
    /// The latest promotion report that says what the gates said, trust audits included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<PromotionId>,
    /// What was asked of CANON, and by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canon: Option<CanonRequest>,
}

impl InboxItem {
    /// Whether it waits for an answer.
    pub fn is_open(&self) -> bool {
        self.decision.is_none() && self.closed.is_none()
    }
    /// The question, closed without an answer.
    pub(crate) fn closed(self, as_: ClosedAs, why: impl Into<String>, at: Timestamp) -> Self {
        Self { closed: Some(Closed { as_, at, why: why.into() }), ..self }
    }
    fn asking(id: InboxId, kind: InboxKind, question: String, why: &str, now: Timestamp) -> Self {
        Self {
            id,
            kind,
            proposition: None,
            held: None,
            others: Vec::new(),
            question,
            why: why.to_owned(),
            created: now,
            decision: None,
            closed: None,
            source: None,
            promotion: None,
            canon: None,
        }
    }

    /// A gate holds a change back.
    pub fn review(id: InboxId, proposition: Proposition, held: Held, why: &str, now: Timestamp) -> Self {
        let statement = text::excerpt(&proposition.text, 160);
        let question = format!("“{statement}” {} Shall it?", held.in_words());
        Self {
            others: held.targets().map(RecordId::Proposition).collect(),
            proposition: Some(Box::new(proposition)),
            held: Some(held),
            ..Self::asking(id, InboxKind::Review, question, why, now)
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
            others: others.iter().map(|p| RecordId::Proposition(p.id)).collect(),
            proposition: Some(Box::new(newer)),
            ..Self::asking(id, kind, question, why, now)
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
