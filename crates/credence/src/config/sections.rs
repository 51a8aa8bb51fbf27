//! Small sections of the settings that belong to no area of their own: what memory takes in and with which models (`memory.*`), what
//! is kept from one start to the next (`persistence.*`), and how scenarios are played and where their runs are kept (`sim.*`,
//! `run-history.*`). Names are those of the founding document's tables.

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

/// Where runs of scenarios and experiments are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum RunHistoryStore {
    /// With the page or the program, and gone with it.
    Memory,
    /// In the host's own store: a database in a browser, a folder on the command line. The founding document's word for it, the name of
    /// the predecessor's database, is read as this.
    #[default]
    #[serde(alias = "NEO4J")]
    Durable,
}

/// `sim.*` and `run-history.store`: how the scenario runner plays. A memory by itself reads none of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimSettings {
    /// The endpoint's name of the model that judges replies. Default: the model that the run or the endpoint names for judging (the
    /// founding document names `gpt-4.1-mini`).
    pub evaluator_model: Option<String>,
    /// Most model calls that word the adversary's lines, a run; 0 to 10000. Behind it the catalogue's own sentences speak. Default 30, the
    /// founding document's number; of the tokens that it counts, 30 would not hold a line.
    pub adversary_budget: u32,
    /// Whether what follows a reply overlaps: judging it, and learning from it. Off, the judge is done before the memory learns. Default on.
    pub parallel_post_response: bool,
    /// Most runs of an experiment that are played side by side; 1 to 64. Results are the same whatever the number. Default 4.
    pub benchmark_parallelism: u32,
    /// Where runs are kept. Default durably: what took an hour to play should outlive a reload.
    pub run_history: RunHistoryStore,
}

impl Default for SimSettings {
    fn default() -> Self {
        Self {
            evaluator_model: None,
            adversary_budget: 30,
            parallel_post_response: true,
            benchmark_parallelism: 4,
            run_history: RunHistoryStore::default(),
        }
    }
}

impl SimSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if self.evaluator_model.as_ref().is_some_and(|model| model.trim().is_empty()) {
            return Err("sim.evaluator_model must be a model's name or nothing, got a blank".into());
        }
        let bounds = [
            ("adversary_budget", self.adversary_budget, 0, 10_000),
            ("benchmark_parallelism", self.benchmark_parallelism, 1, 64),
        ];
        for (name, value, least, most) in bounds {
            if !(least..=most).contains(&value) {
                return Err(format!("sim.{name} must be {least} to {most}, got {value}"));
            }
        }
        Ok(())
    }
}
