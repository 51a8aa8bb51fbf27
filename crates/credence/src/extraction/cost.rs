//! What model calls cost: one way to ask for JSON, which counts every call whether it brought something or not.

use serde_json::Value;

use crate::error::Error;
use crate::llm::{Cancel, ChatRequest, ModelError, Role, model_name, repair};
use crate::memory::Memory;
use crate::ports::Ports;

/// What the calls of one window or run cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cost {
    pub(crate) calls: u32,
    pub(crate) prompt_tokens: u32,
    pub(crate) completion_tokens: u32,
    pub(crate) notes: Vec<String>,
}

impl Cost {
    pub(crate) fn add(&mut self, account: &repair::Account) {
        self.calls += account.calls;
        if let Some(usage) = account.usage {
            self.prompt_tokens = self.prompt_tokens.saturating_add(usage.prompt_tokens);
            self.completion_tokens = self.completion_tokens.saturating_add(usage.completion_tokens);
        }
        for note in account.notes.iter().chain(&account.repairs) {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        if account.is_cut {
            self.notes.push("the model's answer ended too early: what it had not finished is missing".into());
        }
    }
}

impl<P: Ports> Memory<P> {
    /// Asks the model of a role for JSON; `read` takes what is needed from it, or says what is wrong with it. Returns what was
    /// read and the model's name.
    pub(crate) async fn ask_json<T>(
        &self,
        role: Role,
        request: &ChatRequest,
        read: impl Fn(Value) -> Result<T, String>,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(T, String), Error> {
        match repair::complete_json(&self.chat(), role, request, read, cancel).await {
            Ok(parsed) => {
                cost.add(&parsed.account);
                Ok((parsed.value, model_name(&parsed.account.model).to_owned()))
            }
            Err(failure) => {
                cost.add(failure.account());
                Err(read_failure(failure))
            }
        }
    }
}

/// The error of a JSON call that brought nothing.
fn read_failure(failure: repair::ReadFailure) -> Error {
    match failure {
        repair::ReadFailure::Model { error: ModelError::Cancelled, .. } => Error::Cancelled,
        repair::ReadFailure::Model { error, .. } => Error::Model(error),
        other => Error::Unreadable { detail: other.to_string() },
    }
}
