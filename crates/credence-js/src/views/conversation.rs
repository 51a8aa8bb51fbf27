//! Conversations as JavaScript sees them: turns and answers.

use credence::agent;
use credence::conversation as core;
use serde::Serialize;
use tsify::Tsify;

use super::show::{Show, shown_as_is, view};
use super::{Compliance, SearchHit, ToolUse, Wording};

/// Who speaks: the user whose memory this is, the assistant, or somebody else by name.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
#[tsify(type = "\"user\" | \"assistant\" | { name: string }")]
pub(crate) enum Speaker {
    Role(&'static str),
    Person { name: String },
}

impl From<core::Speaker> for Speaker {
    fn from(speaker: core::Speaker) -> Self {
        match speaker {
            core::Speaker::User => Self::Role("user"),
            core::Speaker::Assistant => Self::Role("assistant"),
            core::Speaker::Person { name } | core::Speaker::Document { name } => Self::Person { name },
        }
    }
}

/// Why a turn or an analysis failed.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem {
    /// As a word.
    #[tsify(type = "ErrorCode")]
    pub(super) code: String,
    /// In words for a person.
    pub(super) reason: String,
}

/// A thread of turns.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Conversation {
    /// Stable for life.
    id: String,
    /// A few words; empty until the first user turn gives it some.
    title: String,
    /// The file that it was imported from.
    imported_from: Option<String>,
    /// Opened (ms).
    created: i64,
    /// What it has to do with the memory.
    #[tsify(type = "MemoryMode")]
    mode: core::MemoryMode,
}

impl From<&core::Conversation> for Conversation {
    fn from(conversation: &core::Conversation) -> Self {
        Self {
            id: conversation.id.to_string(),
            title: conversation.title.clone(),
            imported_from: conversation.imported_from.clone(),
            created: conversation.created.0,
            mode: conversation.mode,
        }
    }
}

/// One turn.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Turn {
    /// Stable for life.
    id: String,
    /// Id of its conversation.
    conversation: String,
    /// Position, from 0.
    index: u32,
    /// Who.
    speaker: Speaker,
    /// What, with credentials redacted.
    text: String,
    /// When (ms).
    at: i64,
    /// How it ended.
    #[tsify(type = "\"complete\" | \"stopped\" | \"cut\" | \"failed\"")]
    state: &'static str,
    /// Why it failed.
    failure: Option<Problem>,
    /// The model that answered; `built-in` without one.
    model: Option<String>,
    /// Id of the use record that says what memory gave to this answer.
    #[serde(rename = "use")]
    used: Option<String>,
    /// What came of holding the answer to the enforced facts; `null` where the prompt alone enforces.
    compliance: Option<Compliance>,
    /// Every wording that it has had, in the order in which they were made; one for a turn that was never changed.
    wordings: Vec<Wording>,
    /// The place of the wording that stands, from 0.
    chosen: u32,
    /// It was said while nothing was learned, and never will be.
    off_record: bool,
}

impl Show<Turn> for core::Turn {
    fn show(&self) -> Turn {
        self.clone().into()
    }
}

impl From<core::Turn> for Turn {
    fn from(turn: core::Turn) -> Self {
        let wordings = turn.wordings().show();
        let (state, failure) = ended(turn.state);
        Self {
            wordings,
            chosen: turn.chosen,
            off_record: turn.off_record,
            id: turn.id.to_string(),
            conversation: turn.conversation.to_string(),
            index: turn.index,
            speaker: turn.speaker.into(),
            text: turn.text,
            at: turn.at.at.0,
            state,
            failure,
            model: turn.model,
            used: turn.use_record.map(|id| id.to_string()),
            compliance: turn.compliance.map(|report| report.show()),
        }
    }
}

/// How a turn ended, as a word, and why it failed.
pub(super) fn ended(state: core::TurnState) -> (&'static str, Option<Problem>) {
    match state {
        core::TurnState::Complete => ("complete", None),
        core::TurnState::Stopped => ("stopped", None),
        core::TurnState::Cut => ("cut", None),
        core::TurnState::Failed { reason, code } => ("failed", Some(Problem { code, reason })),
    }
}

/// What came of a change of memory that the model asked for: a person is asked, it was done, memory says so already, or it was refused.
#[derive(Serialize, Tsify)]
#[serde(tag = "came", rename_all = "lowercase")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum ToolOutcome {
    Asked { question: String },
    Done { statement: String },
    Known { statement: String },
    Refused { why: String },
}

shown_as_is! { agent::ChangeTool agent::ChangeOutcome }

view! {
    /// A change of memory that the model asked for.
    ToolChange of agent::ToolChange {
        /// With which tool: a new statement, or other words for a unit.
        #[tsify(type = "\"propose_fact\" | \"revise_fact\"")]
        tool: agent::ChangeTool,
        /// What was to be remembered, cut for display.
        statement: String,
        /// Id of the unit that was to be revised.
        unit: Option<String>,
        /// What came of it.
        #[tsify(type = "ToolOutcome")]
        outcome: agent::ChangeOutcome,
        /// Id of the commit that holds it; {@link Memory.undo} takes it back.
        commit: Option<String>,
    }
}

/// An answered turn.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    /// The assistant's turn as it was stored. A model that failed is told here: `turn.state` is `"failed"`.
    turn: Turn,
    /// What memory gave to the prompt.
    recalled: Vec<SearchHit>,
    /// What the model looked up itself, in order.
    searches: Vec<ToolUse>,
    /// What of memory the model asked to change, in order, and what came of it.
    changes: Vec<ToolChange>,
    /// Things worth knowing about the call.
    notes: Vec<String>,
}

impl From<agent::Answer> for Answer {
    fn from(answer: agent::Answer) -> Self {
        let recalled = answer.assembled.recalled();
        let mut notes = answer.assembled.notes;
        notes.extend(answer.reply.notes);
        Self {
            turn: answer.turn.into(),
            recalled: recalled.into_iter().map(Into::into).collect(),
            searches: answer.searches.show(),
            changes: answer.changes.show(),
            notes,
        }
    }
}
