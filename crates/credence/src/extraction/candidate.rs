//! Candidates: what an extractor, model or rules, suggests; and drops: what did not become one, and why.

use serde::{Deserialize, Serialize};

use crate::id::EntityId;
use crate::proposition::{Extractor, MentionRole};
use crate::time::Timestamp;

/// A mention that an extractor suggests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateMention {
    /// As the text says it.
    pub span: String,
    /// `Person`, `Place`, `Organization`, `Animal`, `Thing`, `Topic`, …; empty when unknown.
    pub kind: String,
    /// What it does.
    pub role: MentionRole,
    /// It means the speaker of the turn that the candidate rests on.
    pub is_speaker: bool,
    /// The known entity that the extractor believes it to be: only ever one that was shown to it. A suggestion, which
    /// resolution checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested: Option<EntityId>,
}

/// One suggested statement, before grounding, resolution and revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// One self-contained sentence in the language of the turn.
    pub text: String,
    /// Who and what.
    pub mentions: Vec<CandidateMention>,
    /// 0 to 1, clamped.
    pub confidence: f64,
    /// 0 to 1, clamped.
    pub decay: f64,
    /// 0 to 1, clamped.
    pub importance: f64,
    /// Why, in words for a person; empty when the extractor gave none.
    pub reasoning: String,
    /// Positions, from 0, in the analysed window of the turns that it rests on; never empty.
    pub turns: Vec<usize>,
    /// Who suggested it.
    pub extractor: Extractor,
    /// Since when it holds, or when it happened: midnight, where it was said, of the day that its words name. Never after the
    /// moment of its turn: what lies ahead is a plan, and a plan is true already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it holds, exclusive; only for what its words bound ("until Friday") and never before `valid_from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
}

/// Why something suggested or found did not become a proposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DropReason {
    /// A question, not a statement.
    Question,
    /// A request to the assistant.
    Request,
    /// A greeting, thanks or filler.
    Chatter,
    /// Conditional, hypothetical or reported as untrue.
    NotAsserted,
    /// Instruction-like text addressed to the model.
    Instruction,
    /// The rules do not read this kind of sentence.
    NotUnderstood,
    /// No identifiable subject.
    VagueSubject,
    /// The cited turns do not support it.
    Ungrounded,
    /// It rests on the assistant's own words about the user.
    AssistantSaid,
    /// It repeats our own words: the memory or the frame of a prompt.
    Echo,
    /// It was copied from an example of the extraction prompt.
    Canary,
    /// Nobody says it whose facts are kept.
    Perspective,
    /// It contains a credential or other secret.
    Secret,
    /// The entry lacked a text or had the wrong type.
    Malformed,
    /// The same statement came twice in this run.
    RepeatedInRun,
    /// More than the window's cap.
    OverCap,
    /// It was erased, and nothing newer says it.
    Forgotten,
    /// A gate refused it.
    Gate,
    /// A gate holds it until a person has decided.
    Held,
}

impl DropReason {
    /// The reason in words for a person.
    pub fn explain(self) -> &'static str {
        match self {
            Self::Question => "a question, not a statement",
            Self::Request => "a request to the assistant",
            Self::Chatter => "greeting or small talk",
            Self::NotAsserted => "conditional or not asserted",
            Self::Instruction => "an instruction to the model, not a fact",
            Self::NotUnderstood => "the built-in rules do not read this kind of sentence",
            Self::VagueSubject => "no identifiable subject",
            Self::Ungrounded => "not supported by the turns it cites",
            Self::AssistantSaid => "the assistant's own words about the user",
            Self::Echo => "repeats memory that was put into the prompt",
            Self::Canary => "copied from the prompt's example",
            Self::Perspective => "not said by whom this memory listens to",
            Self::Secret => "contains a credential or other secret",
            Self::Malformed => "the model's entry was unusable",
            Self::RepeatedInRun => "said twice in this window",
            Self::Forgotten => "forgotten for ever",
            Self::Gate => "refused by a gate",
            Self::Held => "waits in the inbox for a decision",
            Self::OverCap => "more statements than the cap of one window",
        }
    }
}

/// One thing that was dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The text, cut to 300 characters; empty for secrets.
    pub text: String,
    /// Why.
    pub reason: DropReason,
    /// What exactly, where there is more to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Position in the window, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

/// What an extractor made of one window.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Extraction {
    /// Suggested statements, in order.
    pub candidates: Vec<Candidate>,
    /// Everything that did not become one.
    pub dropped: Vec<Dropped>,
    /// What was left out of a suggestion that was kept: an id that was not shown, a date that cannot be meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One turn as extractors see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowTurn {
    /// The name that propositions use for the speaker; for the user their own name when known, else `User`.
    pub speaker: String,
    /// Whether the speaker is the person whose memory this is.
    pub is_user: bool,
    /// Whether the speaker is the model.
    pub is_assistant: bool,
    /// What was said, credentials redacted.
    pub text: String,
    /// The day it was said where it was said: `YYYY-MM-DD`.
    pub date: String,
    /// Context only: it was analysed with an earlier window and must not be mined again.
    pub context_only: bool,
}
