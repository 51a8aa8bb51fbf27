//! Conversations and their turns, as the memory keeps them: who said what, when, and how far each
//! conversation has been analysed.

use serde::{Deserialize, Serialize};

use crate::id::{ConversationId, TurnId, UseId};
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
}

impl Speaker {
    /// The label that prompts and the UI show; `user_name` is the user's own, when known.
    pub fn label<'a>(&'a self, user_name: Option<&'a str>) -> &'a str {
        match self {
            Speaker::User => user_name.unwrap_or("User"),
            Speaker::Assistant => "Assistant",
            Speaker::Person { name } => name,
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
    /// Opened.
    pub created: Timestamp,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The model that answered; `built-in` for the embedded responder, whose words are never mined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The name that the embedded responder signs its turns with.
pub const BUILT_IN_MODEL: &str = "built-in";

impl Turn {
    /// Whether the text may be mined for propositions: everything but the embedded responder's quotations of memory
    /// and answers that failed before anything was said.
    pub fn is_minable(&self) -> bool {
        self.model.as_deref() != Some(BUILT_IN_MODEL) && !self.text.trim().is_empty()
    }
}

/// How far a conversation has been analysed. Moves only in the commit that stores the window's outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// Whose.
    pub conversation: ConversationId,
    /// Turns below this index are done.
    pub analysed_until: u32,
    /// The last failure since the bookmark moved; `None` once it moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<AnalysisFailure>,
}

/// Why a window stays pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisFailure {
    /// A stable word: the model error's or `unreadable-reply`.
    pub code: String,
    /// In words for a person.
    pub reason: String,
    /// Tries so far.
    pub attempts: u32,
    /// When last tried.
    pub at: Timestamp,
}
