//! Small sections of the settings that belong to no area of their own: what memory takes in and with which models (`memory.*`), and what
//! is kept from one start to the next (`persistence.*`). Names are those of the founding document's tables.

use serde::{Deserialize, Serialize};

use crate::llm::tuning::RoleModel;

/// `memory.*`. The windows of analysis are `window_size`, `overlap` and `trigger_interval` at the top.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemorySettings {
    /// Whether conversations are analysed by themselves. Off, turns are kept and wait; what a person asks for by hand is still done.
    /// Default on.
    pub enabled: bool,
    /// The model that extracts statements.
    pub extraction_llm: RoleModel,
    /// The model that says which entity a name means, where it is asked apart.
    pub entity_resolution_llm: RoleModel,
    /// The vector model that is wanted, by the name of its space; another one that the host brings is then not used, and words alone
    /// decide. Default: whichever the host brings (the founding document names `text-embedding-3-small`).
    pub embedding_service_name: Option<String>,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            extraction_llm: RoleModel::default(),
            entity_resolution_llm: RoleModel::default(),
            embedding_service_name: None,
        }
    }
}

impl MemorySettings {
    /// Whether vectors of this space are wanted.
    pub fn wants_space(&self, space: &str) -> bool {
        self.embedding_service_name.as_ref().is_none_or(|name| name == space)
    }
    /// Checks every range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        self.extraction_llm.validate("memory.extraction_llm")?;
        self.entity_resolution_llm.validate("memory.entity_resolution_llm")?;
        match &self.embedding_service_name {
            Some(name) if name.trim().is_empty() => {
                Err("memory.embedding_service_name must be a vector space's name or nothing, got a blank"
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// `persistence.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PersistenceSettings {
    /// Whether a memory is wiped each time it is opened, log, use records and vectors: for development and demonstrations.
    /// Default off.
    pub clear_on_start: bool,
}
