//! Entities: the canonical people, places and things that mentions resolve to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::EntityId;
use crate::time::Timestamp;

/// An entity that this one may be. It was made because resolution was not sure; a person, or the model when asked, decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PossibleDuplicate {
    /// The other one.
    pub entity: EntityId,
    /// Why they may be one, in words for a person.
    pub why: String,
    /// How alike they are, 0 to 1: of names or of meaning, as `why` says.
    #[serde(default)]
    pub score: f64,
}

/// One thing that propositions are about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Stable for life.
    pub id: EntityId,
    /// The name that is shown.
    pub name: String,
    /// Other names that have resolved to it, as they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Kinds, for example `Person`; compared without regard to case.
    #[serde(default)]
    pub labels: Vec<String>,
    /// One line about it, where known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What hosts keep with it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, serde_json::Value>,
    /// The person whose memory this is; "I" in their turns means this entity.
    #[serde(default)]
    pub is_user: bool,
    /// Others that it may be; empty once somebody decided. The link stands on the newer of the two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub possible_duplicates: Vec<PossibleDuplicate>,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub revised: Timestamp,
}

impl Entity {
    /// An entity with one label (none when `label` is blank).
    pub fn new(id: EntityId, name: &str, label: &str, now: Timestamp) -> Self {
        let label = label.trim();
        Self {
            id,
            name: name.trim().to_owned(),
            aliases: Vec::new(),
            labels: if label.is_empty() { Vec::new() } else { vec![label.to_owned()] },
            description: String::new(),
            properties: BTreeMap::new(),
            is_user: false,
            possible_duplicates: Vec::new(),
            created: now,
            revised: now,
        }
    }
    /// The name and every alias.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
    /// Whether it carries this label, without regard to case.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|l| l.eq_ignore_ascii_case(label))
    }
}
