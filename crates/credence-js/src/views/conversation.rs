//! Conversations as JavaScript sees them: turns, answers, and the reports of their analysis.

use credence::agent;
use credence::conversation as core;
use credence::extraction::{self, DropReason, OutcomeKind};
use serde::Serialize;
use tsify::Tsify;

use super::SearchHit;
use super::proposition::extractor;

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
    code: String,
    /// In words for a person.
    reason: String,
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
}

impl From<&core::Conversation> for Conversation {
    fn from(conversation: &core::Conversation) -> Self {
        Self {
            id: conversation.id.to_string(),
            title: conversation.title.clone(),
            imported_from: conversation.imported_from.clone(),
            created: conversation.created.0,
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
    #[tsify(type = "\"complete\" | \"stopped\" | \"failed\"")]
    state: &'static str,
    /// Why it failed.
    failure: Option<Problem>,
    /// The model that answered; `built-in` without one.
    model: Option<String>,
    /// Id of the use record that says what memory gave to this answer.
    #[serde(rename = "use")]
    used: Option<String>,
}

impl From<core::Turn> for Turn {
    fn from(turn: core::Turn) -> Self {
        let (state, failure) = match turn.state {
            core::TurnState::Complete => ("complete", None),
            core::TurnState::Stopped => ("stopped", None),
            core::TurnState::Failed { reason, code } => ("failed", Some(Problem { code, reason })),
        };
        Self {
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
        }
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
    /// Things worth knowing about the call.
    notes: Vec<String>,
}

impl From<agent::Answer> for Answer {
    fn from(answer: agent::Answer) -> Self {
        let mut notes = answer.recall.notes;
        notes.extend(answer.reply.notes);
        Self {
            turn: answer.turn.into(),
            recalled: answer.recall.items.into_iter().map(Into::into).collect(),
            notes,
        }
    }
}

/// What became of one statement that was found in a text.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    /// Stored anew; joined to the same statement; made a similar one surer; stored, and what it contradicts retired; stored
    /// beside what it generalises.
    #[tsify(
        type = "\"new\" | \"merged\" | \"reinforced\" | \"contradicted\" | \"generalized\" | \"disputed\" | \"outdated\""
    )]
    kind: OutcomeKind,
    /// Id of the proposition that holds the statement now.
    proposition: String,
    /// Ids of propositions that were retired, reinforced or generalised by it.
    others: Vec<String>,
    /// The statement as it was found.
    text: String,
    /// Who decided, and why, in words.
    why: String,
}

impl From<&extraction::Outcome> for Outcome {
    fn from(outcome: &extraction::Outcome) -> Self {
        Self {
            kind: outcome.kind,
            proposition: outcome.proposition.to_string(),
            others: outcome.others.iter().map(ToString::to_string).collect(),
            text: outcome.text.clone(),
            why: outcome.why.clone(),
        }
    }
}

/// Something that did not become a proposition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dropped {
    /// Its text, cut to 300 characters; empty for secrets.
    text: String,
    /// Why, as a word. Later releases may add words.
    #[tsify(type = "string")]
    reason: DropReason,
    /// Why, in words.
    explanation: &'static str,
    /// What exactly, where there is more to say; else empty.
    detail: String,
}

impl From<&extraction::Dropped> for Dropped {
    fn from(dropped: &extraction::Dropped) -> Self {
        Self {
            text: dropped.text.clone(),
            reason: dropped.reason,
            explanation: dropped.reason.explain(),
            detail: dropped.detail.clone(),
        }
    }
}

/// What the analysis of one stretch of a conversation brought.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct AnalysisReport {
    /// Stable for life.
    id: String,
    /// Id of the conversation.
    conversation: String,
    /// Index of the first turn that was analysed.
    from: u32,
    /// One past the index of the last.
    to: u32,
    /// When (ms).
    at: i64,
    /// Who extracted.
    #[tsify(type = "\"rules\" | \"model\" | \"person\" | \"import\"")]
    extractor: &'static str,
    /// The model, when a model did.
    model: Option<String>,
    /// What became of each statement, in order.
    outcomes: Vec<Outcome>,
    /// What was dropped, and why.
    dropped: Vec<Dropped>,
    /// Model calls.
    calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    prompt_tokens: u32,
    /// Tokens of all answers.
    completion_tokens: u32,
    /// Repairs and other things worth knowing.
    notes: Vec<String>,
}

impl From<&extraction::AnalysisReport> for AnalysisReport {
    fn from(report: &extraction::AnalysisReport) -> Self {
        let (extractor, model) = extractor(report.extractor.clone());
        Self {
            id: report.id.to_string(),
            conversation: report.conversation.to_string(),
            from: report.from,
            to: report.to,
            at: report.at.0,
            extractor,
            model,
            outcomes: report.outcomes.iter().map(Into::into).collect(),
            dropped: report.dropped.iter().map(Into::into).collect(),
            calls: report.calls,
            prompt_tokens: report.prompt_tokens,
            completion_tokens: report.completion_tokens,
            notes: report.notes.clone(),
        }
    }
}

/// How far an analysis has come, in turns.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Turns done by this call.
    done: u32,
    /// Turns that waited when it began.
    total: u32,
}

impl From<extraction::Progress> for Progress {
    fn from(progress: extraction::Progress) -> Self {
        Self { done: progress.done, total: progress.total }
    }
}

/// What of a conversation waits to be analysed.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Pending {
    /// Turns.
    turns: u32,
    /// Why they wait, when an analysis failed.
    failure: Option<Problem>,
}

impl From<extraction::Pending> for Pending {
    fn from(pending: extraction::Pending) -> Self {
        let problem = |failure: core::AnalysisFailure| Problem { code: failure.code, reason: failure.reason };
        Self { turns: pending.turns, failure: pending.failure.map(problem) }
    }
}
