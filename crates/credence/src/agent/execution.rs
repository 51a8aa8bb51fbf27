//! How an answer was made: what was asked of which model, with which options, what it looked up, and how it ended.
//!
//! Kept with the use record of the answer's prompt, which holds what memory gave and the messages; together they are the turn, whole. It
//! is no part of memory, so it stands beside the log. No key and no address is in it.

use serde::{Deserialize, Serialize};

use super::{ToolChange, ToolUse, Wished};
use crate::llm::{ChatReply, ChatRequest, Finish, model_name};

/// One answer as it was asked for and given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Execution {
    /// The model that was asked for by name; `None`: the one chosen for the role.
    pub asked: Option<String>,
    /// The model that answered, as the server names it.
    pub model: String,
    /// 0 to 2; `None`: the model's own.
    pub temperature: Option<f64>,
    /// Most tokens of the answer; `None`: the model's own.
    pub max_tokens: Option<u32>,
    /// Milliseconds that were waited for each byte; `None`: the adapter's own.
    pub timeout_ms: Option<u32>,
    /// How the answer ended.
    pub finish: Finish,
    /// Tokens of the prompt as the server counted them.
    pub prompt_tokens: Option<u32>,
    /// Tokens of the answer as the server counted them.
    pub completion_tokens: Option<u32>,
    /// What the model looked up, in order.
    pub searches: Vec<ToolUse>,
    /// What of memory it asked to change, in order, and what came of it.
    pub changes: Vec<ToolChange>,
    /// What the adapter changed or noticed.
    pub notes: Vec<String>,
}

impl Execution {
    /// What is kept of a request as it was sent, and of what came of it.
    pub(super) fn of(sent: &ChatRequest, reply: &ChatReply, wished: &Wished) -> Self {
        Self {
            asked: sent.model.clone(),
            model: model_name(&reply.model).to_owned(),
            temperature: sent.temperature,
            max_tokens: sent.max_tokens,
            timeout_ms: sent.timeout_ms,
            finish: reply.finish,
            prompt_tokens: reply.usage.map(|usage| usage.prompt_tokens),
            completion_tokens: reply.usage.map(|usage| usage.completion_tokens),
            searches: wished.searches.clone(),
            changes: wished.changes.clone(),
            notes: reply.notes.clone(),
        }
    }
}
