//! Which model a call asks, how freely it answers and how long it may take: what the settings say of a role goes into every request
//! of that role, in one place.
//!
//! A model or temperature that a host sets for a role wins over the caller's own temperature; a model that the caller names wins over both,
//! because then a nearer setting named it (`conflict_detection.model`). What nobody sets is left to the endpoint.

use serde::{Deserialize, Serialize};

use super::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};

/// The model of one role (`chat.chat-llm.*`, `memory.extraction-llm.*`, `memory.entity-resolution-llm.*`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoleModel {
    /// The endpoint's name of the model. Default: what the endpoint's own settings say.
    pub model: Option<String>,
    /// How freely it answers; 0 to 2. Default: what the call asks for.
    pub temperature: Option<f64>,
}

impl RoleModel {
    /// Checks the range; `name` is the setting's.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self, name: &str) -> Result<(), String> {
        if self.model.as_ref().is_some_and(|model| model.trim().is_empty()) {
            return Err(format!("{name}.model must be a model's name or nothing, got a blank"));
        }
        match self.temperature {
            Some(value) if !(0.0..=2.0).contains(&value) => {
                Err(format!("{name}.temperature must be 0 to 2, got {value}"))
            }
            _ => Ok(()),
        }
    }
}

/// Bounds of every model call (`llm-call.*`; the founding document has them under `sim.*`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LlmCallSettings {
    /// Seconds until the first piece of an answer, and between two; 1 to 3600. Default 60: a local model reads a long prompt
    /// for longer than the founding document's 30.
    pub call_timeout_seconds: u32,
    /// Most statements of one batched call; 1 to 200. What is more goes into the next call. Default 40, the most that a window brings
    /// (`max_candidates`), so that a window costs one call; the predecessor has 10 and leaves out what is more.
    pub batch_max_size: u32,
}

impl Default for LlmCallSettings {
    fn default() -> Self {
        Self { call_timeout_seconds: 60, batch_max_size: 40 }
    }
}

impl LlmCallSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let bounds = [
            ("call_timeout_seconds", self.call_timeout_seconds, 3600),
            ("batch_max_size", self.batch_max_size, 200),
        ];
        for (name, value, most) in bounds {
            if !(1..=most).contains(&value) {
                return Err(format!("llm_call.{name} must be 1 to {most}, got {value}"));
            }
        }
        Ok(())
    }
}

/// A host's model with what the settings say of each role.
#[derive(Debug)]
pub struct Tuned<'a, M> {
    model: &'a M,
    chat: RoleModel,
    extraction: RoleModel,
    resolution: RoleModel,
    timeout_ms: u32,
}

impl<'a, M> Tuned<'a, M> {
    /// The model under these settings.
    pub fn new(
        model: &'a M,
        chat: RoleModel,
        extraction: RoleModel,
        resolution: RoleModel,
        calls: LlmCallSettings,
    ) -> Self {
        let timeout_ms = calls.call_timeout_seconds.saturating_mul(1000);
        Self { model, chat, extraction, resolution, timeout_ms }
    }

    /// The request as it is sent.
    pub(crate) fn sent(&self, role: Role, request: &ChatRequest) -> ChatRequest {
        let mut request = request.clone();
        let set = match role {
            Role::Chat => Some(&self.chat),
            Role::Extract => Some(&self.extraction),
            Role::Resolve => Some(&self.resolution),
            _ => None,
        };
        if let Some(set) = set {
            request.model = request.model.or_else(|| set.model.clone());
            request.temperature = set.temperature.or(request.temperature);
        }
        request.timeout_ms = request.timeout_ms.or(Some(self.timeout_ms));
        request
    }
}

impl<M: ChatModel> ChatModel for Tuned<'_, M> {
    fn is_connected(&self, role: Role) -> bool {
        self.model.is_connected(role)
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        self.model.complete(role, &self.sent(role, request), on_text, cancel).await
    }

    async fn first_tokens(
        &self,
        role: Role,
        words: &[String],
    ) -> Result<std::collections::BTreeMap<String, u32>, String> {
        self.model.first_tokens(role, words).await
    }
}
