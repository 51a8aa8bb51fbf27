//! "Test connection": whether the endpoint answers, takes the key, and which models it lists.

use credence::llm::wire::decode_models;
use credence::llm::{Cancel, ModelError};

use super::Endpoint;

/// What an endpoint that answers says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Names of its models, sorted; empty when it answers without a list.
    pub models: Vec<String>,
}

impl Endpoint {
    /// Asks the endpoint for its models. No model has to be chosen for it, and no tokens are spent.
    ///
    /// # Errors
    /// The classified failure; its text says what to do.
    pub async fn probe(&self, cancel: &Cancel) -> Result<Probe, ModelError> {
        if let Some(path) = self.resolved.preset.key_check {
            self.json(path, None, "", cancel).await?;
        }
        let body = self.json("models", None, "", cancel).await?;
        Ok(Probe { models: decode_models(&body) })
    }
}
