//! What an extraction looks for and how it asks: the settings of a memory, and what a host may change for one call.
//!
//! Source: dice 3.1 (perspective, few-shot examples, prompt variables); density and the brief prompt are ours.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::EntityId;
use crate::schema::SchemaAdherence;

/// Whose facts are kept (dice 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Perspective {
    /// What people say about themselves and others; what the assistant says about itself, in its own voice.
    #[default]
    All,
    /// What the user says, and nothing else.
    User,
    /// What the assistant says of its own knowledge, decisions and opinions; never anything about the user.
    Agent,
}

impl Perspective {
    /// The word that templates and settings use.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::User => "user",
            Self::Agent => "agent",
        }
    }
}

/// How much of a turn is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// Only what will surely matter.
    Sparse,
    /// What is useful weeks later in an unrelated conversation.
    #[default]
    Normal,
    /// Every fact that a turn states, small ones too: for transcripts and documents.
    Dense,
}

impl Density {
    /// The word that templates and settings use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sparse => "sparse",
            Self::Normal => "normal",
            Self::Dense => "dense",
        }
    }
}

/// How long the extraction prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptSize {
    /// Every section; about a thousand tokens before anything is known.
    #[default]
    Full,
    /// For models of about a billion weights and less: a few hundred tokens, an answer of text, turns and confidence alone,
    /// and less room for it. Mentions and calibration then come from rules and defaults.
    Brief,
}

/// Settings of extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtractionConfig {
    /// Whose facts are kept. Default: all.
    pub perspective: Perspective,
    /// How much of a turn is kept. Default: normal.
    pub density: Density,
    /// How long the prompt is. Default: full.
    pub prompt: PromptSize,
    /// Known entities shown to the model, those first that the turns name; 0 to 500. Default 40, chosen by us: the names
    /// that a window uses are fewer.
    pub entities_to_show: u32,
}

impl Default for ExtractionConfig {
    fn default() -> Self {
        Self {
            perspective: Perspective::All,
            density: Density::Normal,
            prompt: PromptSize::Full,
            entities_to_show: 40,
        }
    }
}

impl ExtractionConfig {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if self.entities_to_show > 500 {
            return Err(format!(
                "extraction.entities_to_show must be 0 to 500, got {}",
                self.entities_to_show
            ));
        }
        Ok(())
    }
}

/// A further example for the model: something said, and what is to be kept of it. Its names and facts must be made up: what
/// a model copies from it into a memory is dropped as [`Canary`](super::DropReason::Canary).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Example {
    /// The words of a turn.
    pub said: String,
    /// The propositions that they are worth; empty for a turn that is worth none.
    #[serde(default)]
    pub propositions: Vec<String>,
}

/// An entity that the host expects in the turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownEntity {
    /// Which.
    pub id: EntityId,
    /// What it is in this conversation, for the model: `the customer`. May be empty.
    #[serde(default)]
    pub role: String,
}

/// What one call of [`analyse_with`](crate::Memory::analyse_with) changes. The default changes nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnalysisOptions {
    /// Instead of the settings' perspective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perspective: Option<Perspective>,
    /// Instead of the schema's own: how strictly its types and predicates are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adherence: Option<SchemaAdherence>,
    /// Entities to show before those that the turns name. One that memory does not hold is left out, with a note.
    pub known_entities: Vec<KnownEntity>,
    /// For replaced templates: they read them as `vars.name`. A name that a template asks for and that is not here is an
    /// error with the template's name and line.
    pub variables: BTreeMap<String, serde_json::Value>,
    /// Examples after the built-in one.
    pub examples: Vec<Example>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_defaults_and_ranges() {
        let read: ExtractionConfig = serde_json::from_str(r#"{"perspective": "agent", "later": 1}"#).unwrap();
        assert_eq!(read, ExtractionConfig { perspective: Perspective::Agent, ..ExtractionConfig::default() });
        assert_eq!(read.validate(), Ok(()));
        let wide = ExtractionConfig { entities_to_show: 501, ..read };
        assert_eq!(wide.validate(), Err("extraction.entities_to_show must be 0 to 500, got 501".into()));
    }
}
