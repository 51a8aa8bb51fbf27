//! Mentions: spans of a proposition and the entities they resolve to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::EntityId;

/// What a mention does in its proposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MentionRole {
    /// Whom or what the statement is about.
    Subject,
    /// What the subject is related to.
    Object,
    /// Anything else.
    #[default]
    Other,
}

impl MentionRole {
    /// Reads a role in any letter case; unknown words are [`MentionRole::Other`].
    pub fn parse(text: &str) -> Self {
        match text.trim().to_ascii_lowercase().as_str() {
            "subject" => Self::Subject,
            "object" => Self::Object,
            _ => Self::Other,
        }
    }
}

/// One span and what it is taken to mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// As the proposition says it.
    pub span: String,
    /// The kind of thing, for example `Person`; free text, compared without regard to case. Empty when unknown.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The entity, when resolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityId>,
    /// Entities that it resolved to before each was merged away, the first one first: where it goes when a merge is taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub was: Vec<EntityId>,
    /// What it does in the statement.
    #[serde(default)]
    pub role: MentionRole,
    /// What the extractor suggested beside (dice 1.7).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<String, serde_json::Value>,
}

impl Mention {
    /// An unresolved mention.
    pub fn new(span: impl Into<String>, kind: impl Into<String>, role: MentionRole) -> Self {
        Self {
            span: span.into(),
            kind: kind.into(),
            entity: None,
            was: Vec::new(),
            role,
            hints: BTreeMap::new(),
        }
    }
}
