//! What is to be played: the order of an experiment, and everything that is wrong with it, at once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metrics;
use crate::random::SplitMix64;
use crate::run::{Condition, RunSettings};
use crate::scenario::Scenario;

/// Fewest repetitions: one value has no spread.
const LEAST_REPETITIONS: u32 = 2;

/// An experiment's order. Nothing of it changes once runs have begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// For people; not blank.
    pub name: String,
    /// At least one; names are unique. The first is what the others are compared with first.
    pub conditions: Vec<Condition>,
    /// Ids of scenarios, at least one, each once.
    pub scenarios: Vec<String>,
    /// Runs of each condition and scenario, at least 2.
    pub repetitions: u32,
    /// Everything random follows from it.
    #[serde(default)]
    pub seed: u64,
    /// Turns of each run; `None`: as many as the scenario says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Tokens that memory may spend of each prompt; 0: as many as it needs.
    #[serde(default)]
    pub token_budget: u32,
    /// As in [`RunSettings`].
    pub narrator: String,
    /// As in [`RunSettings`].
    #[serde(default)]
    pub judge: String,
    /// As in [`RunSettings`].
    #[serde(default)]
    pub adversary: String,
    /// As in [`RunSettings`].
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Metrics that conclusions rest on, by name; at least one. Default: `fact_survival`.
    #[serde(default = "survival")]
    pub primary: Vec<String>,
    /// Whose verdicts count: `oracle` (default) or `model`.
    #[serde(default = "oracle")]
    pub judged_by: String,
    /// Where the checks draw their lines.
    #[serde(default)]
    pub limits: Limits,
}

fn survival() -> Vec<String> {
    vec!["fact_survival".to_owned()]
}

fn oracle() -> String {
    "oracle".to_owned()
}

/// Where the checks draw their lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Two-sided level of every test, above 0 and below 1. Default 0.05.
    pub alpha: f64,
    /// Fewest pairs for a conclusion, at least 6, below which the signed-rank test cannot reach 0.05. Default 10.
    pub least_pairs: u32,
    /// Largest share of judged turns without a verdict, 0 to 1. Default 0.05.
    pub judge_failures: f64,
    /// Least agreement of oracle and model by Cohen's kappa, −1 to 1. Default 0.7, the predecessor's own unmet target (core 14.4).
    pub kappa: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { alpha: 0.05, least_pairs: 10, judge_failures: 0.05, kappa: 0.7 }
    }
}

/// What is wrong with a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{place}: {message}; {remedy}")]
pub struct Problem {
    /// The field, as its file spells it.
    pub place: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

/// One run to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// Position in [`Definition::conditions`].
    pub condition: usize,
    /// Position in [`Definition::scenarios`].
    pub scenario: usize,
    /// What it is played with.
    pub settings: RunSettings,
}

impl Definition {
    /// An experiment with a narrator and the defaults for everything else.
    pub fn new(
        name: impl Into<String>,
        conditions: Vec<Condition>,
        scenarios: Vec<String>,
        repetitions: u32,
        narrator: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            conditions,
            scenarios,
            repetitions,
            seed: 0,
            max_turns: None,
            token_budget: 0,
            narrator: narrator.into(),
            judge: String::new(),
            adversary: String::new(),
            options: BTreeMap::new(),
            primary: survival(),
            judged_by: oracle(),
            limits: Limits::default(),
        }
    }

    /// Everything that is wrong with it, where `known` are the scenarios at hand; empty: it can be played.
    pub fn problems(&self, known: &[Scenario]) -> Vec<Problem> {
        let mut found = Vec::new();
        let mut wrong = |place: String, message: String, remedy: &str| {
            found.push(Problem { place, message, remedy: remedy.to_owned() });
        };
        if self.name.trim().is_empty() {
            wrong("name".into(), "it is blank".into(), "give the experiment a name");
        }
        if self.conditions.is_empty() {
            wrong("conditions".into(), "there is none".into(), "name at least one condition");
        }
        for (at, condition) in self.conditions.iter().enumerate() {
            let place = format!("conditions[{at}]");
            if condition.name.trim().is_empty() {
                wrong(place.clone(), "its name is blank".into(), "give each condition a name");
            } else if self.conditions[..at].iter().any(|other| other.name == condition.name) {
                let message = format!("`{}` is there already", condition.name);
                wrong(place.clone(), message, "give each condition a name of its own");
            }
        }
        if self.scenarios.is_empty() {
            wrong("scenarios".into(), "there is none".into(), "name at least one scenario");
        }
        for (at, id) in self.scenarios.iter().enumerate() {
            if self.scenarios[..at].contains(id) {
                wrong(format!("scenarios[{at}]"), format!("`{id}` is there already"), "name each once");
            } else if !known.iter().any(|scenario| scenario.id == *id) {
                let message = format!("there is no scenario `{id}`");
                wrong(format!("scenarios[{at}]"), message, "check the spelling, or add its file");
            }
        }
        if self.repetitions < LEAST_REPETITIONS {
            let message = format!("{} is too few", self.repetitions);
            wrong("repetitions".into(), message, "play each cell at least twice; 10 are a beginning");
        }
        if self.narrator.trim().is_empty() {
            wrong("narrator".into(), "it is blank".into(), "name a model, `simulated` or `scripted`");
        }
        if self.primary.is_empty() {
            wrong("primary".into(), "there is none".into(), "name the metric that the conclusion rests on");
        }
        for (at, name) in self.primary.iter().enumerate() {
            if metrics::named(name).is_none() {
                let message = format!("there is no metric `{name}`");
                wrong(format!("primary[{at}]"), message, "take a name of the list of metrics");
            }
        }
        match (self.judged_by.as_str(), self.judge.is_empty()) {
            ("oracle", _) | ("model", false) => {}
            ("model", true) => {
                wrong("judged_by".into(), "no model judges".into(), "name one in `judge`, or take `oracle`");
            }
            (other, _) => {
                wrong("judged_by".into(), format!("`{other}` is no judge"), "take `oracle` or `model`");
            }
        }
        for message in crate::engine::option_problems(&self.options) {
            wrong(
                "options".into(),
                message.replacen("options: ", "", 1),
                "take a name and a word of the list",
            );
        }
        let Limits { alpha, least_pairs, judge_failures, kappa } = self.limits;
        let bounds = [
            ("alpha", alpha > 0.0 && alpha < 1.0, "a number between 0 and 1"),
            ("least_pairs", least_pairs >= 6, "6 or more"),
            ("judge_failures", (0.0..=1.0).contains(&judge_failures), "a share from 0 to 1"),
            ("kappa", (-1.0..=1.0).contains(&kappa), "a number from -1 to 1"),
        ];
        for (name, _, wanted) in bounds.iter().filter(|(_, holds, _)| !holds) {
            wrong(format!("limits.{name}"), "it is out of bounds".into(), &format!("take {wanted}"));
        }
        found
    }

    /// Every run in the order of cells: condition by condition, in each scenario by scenario, in each repetition by repetition.
    pub fn plan(&self, known: &[Scenario]) -> Vec<Planned> {
        let mut plan = Vec::new();
        for condition in 0..self.conditions.len() {
            let draws = self.twin_of(condition).map_or(0, |_| condition);
            for (scenario, id) in self.scenarios.iter().enumerate() {
                let turns = known.iter().find(|known| known.id == *id).map_or(0, |known| known.max_turns);
                for repetition in 0..self.repetitions {
                    let settings = RunSettings {
                        seed: self.seed_of(id, repetition, draws),
                        repetition,
                        max_turns: self.max_turns.unwrap_or(turns),
                        token_budget: self.token_budget,
                        narrator: self.narrator.clone(),
                        judge: self.judge.clone(),
                        adversary: self.adversary.clone(),
                        options: self.options.clone(),
                    };
                    plan.push(Planned { condition, scenario, settings });
                }
            }
        }
        plan
    }

    /// The earlier condition that this one equals but for its name: the two are a control.
    pub fn twin_of(&self, condition: usize) -> Option<usize> {
        let wanted = self.conditions.get(condition)?;
        self.conditions[..condition]
            .iter()
            .position(|other| Condition { name: wanted.name.clone(), ..other.clone() } == *wanted)
    }

    /// Whether these two conditions, by name, are a control of each other.
    pub fn are_twins(&self, first: &str, second: &str) -> bool {
        let at = |name: &str| self.conditions.iter().position(|condition| condition.name == name);
        let (Some(first), Some(second)) = (at(first), at(second)) else { return false };
        let origin = |condition| self.twin_of(condition).unwrap_or(condition);
        first != second && origin(first) == origin(second)
    }

    /// Seeds fit into 53 bits, so that a number of JavaScript holds them.
    fn seed_of(&self, scenario: &str, repetition: u32, draws: usize) -> u64 {
        let words = ["run", scenario, &repetition.to_string(), &draws.to_string()];
        SplitMix64::keyed(self.seed, &words).bits() >> 11
    }
}
