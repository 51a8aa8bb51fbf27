//! Templates of a sweep (`upkeep/audit.jinja`, `upkeep/units.jinja`) and their context.

use serde::Serialize;

use super::{PromptError, Prompts};

/// A unit whose score rules leave open.
#[derive(Debug, Clone, Serialize)]
pub struct AuditUnitContext {
    /// From 1.
    pub number: usize,
    /// Its statement.
    pub text: String,
    /// Its level.
    pub authority: &'static str,
    /// 100 to 900.
    pub activation: u16,
}

/// Something that was said.
#[derive(Debug, Clone, Serialize)]
pub struct AuditTurnContext {
    /// Who said it.
    pub speaker: String,
    /// What.
    pub text: String,
}

/// Context of `upkeep/units.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct AuditContext {
    /// In order of number.
    pub units: Vec<AuditUnitContext>,
    /// The last turns of the talk, oldest first.
    pub turns: Vec<AuditTurnContext>,
}

impl Prompts {
    /// System message of a full sweep over the working set.
    pub fn audit_rules(&self) -> Result<String, PromptError> {
        self.render("upkeep/audit.jinja", &())
    }
    /// User message of a full sweep.
    pub fn audit(&self, context: &AuditContext) -> Result<String, PromptError> {
        self.render("upkeep/units.jinja", context)
    }
}
