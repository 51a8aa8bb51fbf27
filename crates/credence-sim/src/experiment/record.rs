//! What is kept of an experiment: its order, what each run came to, and what is needed to play it again.

use std::collections::BTreeMap;

use credence::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::digest::RunDigest;
use crate::scenario::Scenario;

/// An experiment, whole or as far as it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// The form of this record: 1.
    pub schema: u32,
    /// `exp-` and the first 16 hexadecimal digits of the SHA-256 of definition and start.
    pub id: String,
    /// What was to be played.
    pub definition: Definition,
    /// What it was played with.
    pub manifest: Manifest,
    /// What was played, in the definition's order of scenarios.
    pub scenarios: Vec<ScenarioNote>,
    /// In the order of the plan.
    pub runs: Vec<RunDigest>,
    /// It was stopped before every run was played: figures are of what there is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
}

/// Who reads for a memory where no model does, in a manifest's words.
pub const BY_RULES: &str = "built-in rules";

/// Everything by which somebody else can play it again, or see why they cannot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The first 16 hexadecimal digits of the SHA-256 of the definition's JSON.
    pub definition_hash: String,
    /// The same of each scenario, by id.
    pub scenario_hashes: BTreeMap<String, String>,
    /// The same of every template in force, each that occurred.
    pub prompts_hashes: Vec<String>,
    /// The same of a memory's settings, by cell: `condition:scenario`.
    #[serde(default)]
    pub config_hashes: BTreeMap<String, String>,
    /// Who read what was said and compared statements for the memory; empty: unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reader: String,
    /// Of this crate and of what the host adds, by name.
    pub versions: BTreeMap<String, String>,
    /// Of the sources, as the host knows it; empty: unknown.
    #[serde(default)]
    pub commit: String,
    /// By the host's clock.
    pub started: Timestamp,
    /// By the host's clock.
    pub ended: Timestamp,
    /// Runs that the definition asks for.
    pub planned_runs: u32,
    /// Most runs at once.
    pub parallelism: u32,
}

/// Of a scenario, what a report needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioNote {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// In its order.
    pub facts: Vec<FactNote>,
}

/// Of a fact, what a report needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactNote {
    /// Its id.
    pub id: String,
    /// In one sentence.
    pub text: String,
}

impl ScenarioNote {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let facts = scenario.facts.iter();
        Self {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            facts: facts.map(|fact| FactNote { id: fact.id.clone(), text: fact.text.clone() }).collect(),
        }
    }
}

impl Experiment {
    /// Runs that were played to their end.
    pub fn complete(&self) -> impl Iterator<Item = &RunDigest> {
        self.runs.iter().filter(|run| run.is_complete())
    }
}
