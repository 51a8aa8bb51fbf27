//! Previews: what a file would become, before anything is written. Every kind of file ends here: as conversations to be analysed,
//! documents to be read, statements to be remembered; and what is left out, each with its place and its reason.

use serde::{Deserialize, Serialize};

use super::ImportedConversation;
use crate::time::{Moment, Timestamp};

/// What a file is, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// A bundle of ours: [`Bundle::read`](crate::bundle::Bundle::read) takes it in.
    Bundle,
    /// Memories that mem0 or OpenMemory exported.
    Mem0,
    /// `conversations.json` of ChatGPT.
    Chatgpt,
    /// `conversations.json` of Claude.
    Claude,
    /// World Info of SillyTavern.
    Lorebook,
    /// A character card, as JSON or in a picture.
    CharacterCard,
    /// A conversation: messages as JSON, or lines with names.
    Conversation,
    /// A Markdown list of statements.
    List,
    /// Prose.
    Document,
}

impl Format {
    /// The word in a statement's source: `import:mem0`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bundle => "bundle",
            Self::Mem0 => "mem0",
            Self::Chatgpt => "chatgpt",
            Self::Claude => "claude",
            Self::Lorebook => "lorebook",
            Self::CharacterCard => "character-card",
            Self::Conversation => "conversation",
            Self::List => "list",
            Self::Document => "document",
        }
    }
    /// As a person calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Bundle => "a Credence bundle",
            Self::Mem0 => "memories from mem0",
            Self::Chatgpt => "conversations from ChatGPT",
            Self::Claude => "conversations from Claude",
            Self::Lorebook => "a lorebook (World Info)",
            Self::CharacterCard => "a character card",
            Self::Conversation => "a conversation",
            Self::List => "a list of statements",
            Self::Document => "a document",
        }
    }
}

/// A statement as a file holds it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportedStatement {
    /// Its words.
    pub text: String,
    /// Whom it is about, where the file says so beside the words; empty: the words say it, or it is the person.
    pub subject: String,
    /// The headings or categories that it stands under, as one line; may be empty.
    pub topic: String,
    /// When it was said or written.
    pub at: Option<Moment>,
    /// Until when it holds, exclusive.
    pub valid_to: Option<Timestamp>,
    /// Its id in the other system; empty where it has none.
    pub external_id: String,
    /// Where it stands in the file.
    pub place: String,
}

/// A text to be read like any document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedDocument {
    /// Its name.
    pub name: String,
    /// Its words.
    pub text: String,
}

/// Something that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Where: `entries[3]`, `“Trip” (conversation 2)`.
    pub place: String,
    /// How many such things there.
    pub count: u32,
    /// What, and why, in words for a person.
    pub reason: String,
}

/// What a file would become.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// What it is.
    pub format: Format,
    /// The file's name.
    pub source: String,
    /// Conversations, in order.
    pub conversations: Vec<ImportedConversation>,
    /// Documents, in order.
    pub documents: Vec<ImportedDocument>,
    /// Statements, in order.
    pub statements: Vec<ImportedStatement>,
    /// Who speaks, or whose memories these are: one of them is the person of the memory. Empty where nobody has to be chosen.
    pub people: Vec<String>,
    /// What is left out.
    pub skipped: Vec<Skipped>,
    /// Worth knowing, in words for a person.
    pub notes: Vec<String>,
}

impl Preview {
    pub(super) fn new(format: Format, source: &str) -> Self {
        Self {
            format,
            source: source.to_owned(),
            conversations: Vec::new(),
            documents: Vec::new(),
            statements: Vec::new(),
            people: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
        }
    }
    pub(super) fn skip(&mut self, place: impl Into<String>, count: usize, reason: impl Into<String>) {
        if count > 0 {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            self.skipped.push(Skipped { place: place.into(), count, reason: reason.into() });
        }
    }
    /// Whether there is nothing to take in.
    pub fn is_empty(&self) -> bool {
        self.conversations.is_empty() && self.documents.is_empty() && self.statements.is_empty()
    }
    /// Turns of all conversations.
    pub fn turns(&self) -> usize {
        self.conversations.iter().map(|conversation| conversation.turns.len()).sum()
    }
}
