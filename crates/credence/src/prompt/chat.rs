//! Contexts of the templates under `chat/`: the system message, the memory block in it, and one line of that block.

use serde::Serialize;

use super::{PromptError, Prompts};

/// Context of `chat/fact.jinja`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LineContext {
    /// The statement.
    pub text: String,
    /// Provenance and certainty of a statement that is no unit, in a few words; may be empty.
    pub hint: String,
    /// Whom or what a unit comes from; may be empty.
    pub source: String,
    /// A unit's activation, where it is shown.
    pub activation: Option<u16>,
    /// It is too new to be relied on.
    pub is_unverified: bool,
    /// Another statement stands against it and a person has not decided yet.
    pub is_disputed: bool,
}

/// The facts of one authority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionContext {
    /// `CANON`, `RELIABLE`, `UNRELIABLE` or `PROVISIONAL`.
    pub authority: &'static str,
    /// `must`, `should` or `may`.
    pub strength: &'static str,
    /// Numbered from 1; else with bullets.
    pub is_numbered: bool,
    /// In order, as `chat/fact.jinja` gave them.
    pub lines: Vec<String>,
}

/// Context of `chat/memory.jinja`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MemoryContext {
    /// Whether authorities differ in what they bind to.
    pub is_tiered: bool,
    /// Units by authority, the highest first; empty ones are left out.
    pub sections: Vec<SectionContext>,
    /// Statements that are no units, as `chat/fact.jinja` gave them.
    pub facts: Vec<String>,
}

/// Context of `chat/system.jinja`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChatContext {
    /// The user's name, or `the user`.
    pub user: String,
    /// Weekday and date where the user is.
    pub today: String,
    /// Who the assistant is, where somebody said so.
    pub persona: Option<String>,
    /// What is to be done and what holds, in the words of whoever set the conversation up.
    pub instructions: Option<String>,
    /// Most words of an answer; 0 is no limit.
    pub max_words: u32,
    /// Searches that the model may make itself; 0 is none.
    pub searches: usize,
    /// Whether it may propose facts.
    pub proposes: bool,
    /// Whether it may revise facts.
    pub revises: bool,
    /// Proposals and revisions of one answer.
    pub most_changes: u32,
    /// What memory gives.
    #[serde(flatten)]
    pub memory: MemoryContext,
    /// What the turns that are no longer shown said.
    pub summary: Option<String>,
}

/// Context of `chat/found.jinja`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundContext {
    /// What the model looked for.
    pub query: String,
    /// What it gets, as `chat/fact.jinja` gave them.
    pub facts: Vec<String>,
    /// Searches that it has left.
    pub rounds_left: usize,
}

/// Context of `chat/changed.jinja`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedContext {
    /// The user's name, or `the user`.
    pub user: String,
    /// `asked`, `done`, `known` or `refused`.
    pub came: &'static str,
    /// What was to be remembered.
    pub statement: String,
    /// Why it was refused; else empty.
    pub why: String,
    /// Changes that the model may still ask for.
    pub changes_left: usize,
}

impl Prompts {
    /// System message of a chat.
    pub fn chat(&self, context: &ChatContext) -> Result<String, PromptError> {
        self.render("chat/system.jinja", context)
    }
    /// The memory block by itself, as it stands in the system message.
    pub fn memory(&self, context: &MemoryContext) -> Result<String, PromptError> {
        self.render("chat/memory.jinja", context)
    }
    /// What a search of the model brought.
    pub fn found(&self, context: &FoundContext) -> Result<String, PromptError> {
        self.render("chat/found.jinja", context)
    }
    /// What came of a change that the model asked for.
    pub fn changed(&self, context: &ChangedContext) -> Result<String, PromptError> {
        self.render("chat/changed.jinja", context)
    }
    /// One line of the memory block.
    pub fn fact(&self, context: &LineContext) -> Result<String, PromptError> {
        self.render("chat/fact.jinja", context)
    }
}
