//! Conversations and their turns, as the memory keeps them: who said what, when, where it came from, (`bookmark`) how far
//! each has been analysed, and (`alternative`) what a turn says or could say instead. `mode`: whether a conversation is remembered at all.
//! A document is kept in the same form: its passages are turns that nobody in particular said.

mod alternative;
mod bookmark;
mod mode;

use serde::{Deserialize, Serialize};

pub use alternative::Alternative;
pub use bookmark::{AnalysisFailure, Bookmark, FailedRange};
pub(crate) use mode::mode_of;
pub use mode::{MemoryMode, NOT_REMEMBERED};

use crate::assembly::Metered;
use crate::enforcement::Compliance;
use crate::history::ContentId;
use crate::id::{ConversationId, TurnId, UseId};
use crate::proposition::Locator;
use crate::time::{Moment, Timestamp};

/// Who speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Speaker {
    /// The person whose memory this is.
    User,
    /// The model.
    Assistant,
    /// Somebody else, by name: an imported conversation has people, not roles.
    Person {
        /// As the source names them.
        name: String,
    },
    /// A document: whoever wrote it, "I" in it is not the user.
    Document {
        /// The document's name.
        name: String,
    },
}

impl Speaker {
    /// The label that prompts and the UI show; `user_name` is the user's own, when known.
    pub fn label<'a>(&'a self, user_name: Option<&'a str>) -> &'a str {
        match self {
            Speaker::User => user_name.unwrap_or("User"),
            Speaker::Assistant => "Assistant",
            Speaker::Person { name } | Speaker::Document { name } => name,
        }
    }
}

/// A thread of turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// Stable for life.
    pub id: ConversationId,
    /// A few words for lists; the first user turn when nobody gave one.
    pub title: String,
    /// Where it came from, when it was imported: a file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_from: Option<String>,
    /// What kind of source it is.
    #[serde(default, skip_serializing_if = "Origin::is_chat")]
    pub origin: Origin,
    /// What it has to do with the memory.
    #[serde(default, skip_serializing_if = "MemoryMode::is_full")]
    pub mode: MemoryMode,
    /// Opened.
    pub created: Timestamp,
}

impl Conversation {
    /// For a document or a transcript without dates, when it was taken in: what came with it may be as old as anything.
    pub(crate) fn undated(&self) -> Option<Timestamp> {
        match self.origin {
            Origin::Chat | Origin::Transcript { dated: true } => None,
            Origin::Transcript { dated: false } | Origin::Document { .. } => Some(self.created),
        }
    }
}

/// What kind of source a conversation is. Decides what counts as the same content (`ingest::ledger`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Origin {
    /// Held here.
    #[default]
    Chat,
    /// Imported from a file.
    Transcript {
        /// Whether the file said when; otherwise its turns are dated by the import.
        dated: bool,
    },
    /// A document; its turns are its passages.
    Document {
        /// Its address, where it has one; otherwise its content is its address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        locator: Option<Locator>,
        /// Names its whole text.
        content: ContentId,
        /// Turns that every statement of it rests on as well: where the host's text came from.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<TurnId>,
    },
}

impl Origin {
    /// Whether the conversation is held here.
    pub fn is_chat(&self) -> bool {
        *self == Self::Chat
    }
    /// Whether it is a document.
    pub fn is_document(&self) -> bool {
        matches!(self, Self::Document { .. })
    }
}

/// Where a document's turn stands in its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Characters from the document's start, inclusive.
    pub start: u32,
    /// Characters from the document's start, exclusive.
    pub end: u32,
    /// The headings that it stands under, outermost first, as one line; empty without any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub section: String,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum TurnState {
    /// Said whole.
    #[default]
    Complete,
    /// Stopped by the user; the text is what had come.
    Stopped,
    /// It ran into the most tokens that an answer may have, ours (`chat.max_tokens`) or the endpoint's; the text is what had come.
    Cut,
    /// The model failed; the text is what had come.
    Failed {
        /// The model error's stable word.
        #[serde(default)]
        code: String,
        /// Why, in words for a person.
        reason: String,
    },
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Stable for life.
    pub id: TurnId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Position, from 0, dense within the conversation.
    pub index: u32,
    /// Who.
    pub speaker: Speaker,
    /// What, as written (credentials redacted).
    pub text: String,
    /// When, with the speaker's offset.
    pub at: Moment,
    /// How it ended.
    #[serde(default)]
    pub state: TurnState,
    /// What memory gave to the prompt of this answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_record: Option<UseId>,
    /// What the server counted for the prompt of this answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metered: Option<Metered>,
    /// The model that answered; `built-in` for the embedded responder, whose words are never mined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Where it stands in its document; only turns of documents have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Passage>,
    /// How this answer was kept to the facts; `None` where the prompt alone did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<Box<Compliance>>,
    /// Every wording that it has, in the order in which they were made, the chosen one included; empty while there is one alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// Which of them it says; 0 while there is one alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chosen: u32,
    /// Said while nothing was to be learned, or somebody asked not to remember it: it is never mined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off_record: bool,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The name that the embedded responder signs its turns with.
pub const BUILT_IN_MODEL: &str = "built-in";

impl Turn {
    /// Whether the text may be mined for propositions: everything but what is off the record, the embedded responder's quotations of
    /// memory and answers that failed before anything was said.
    pub fn is_minable(&self) -> bool {
        !self.off_record && self.model.as_deref() != Some(BUILT_IN_MODEL) && !self.text.trim().is_empty()
    }
}
