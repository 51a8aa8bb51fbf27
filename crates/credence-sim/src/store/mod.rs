//! Where runs and experiments are kept: a port, so that a page, a folder and a test keep them alike.
//!
//! Rules: runs and experiments are apart, and an id of one says nothing of the other; lists are newest first, by when something was saved
//! or ended on the host's clock (a run's own clock is made up), then by id; what is not there is `None`, and deleting it is no error; a
//! store that lets something go says what ([`Saved`]); a record that cannot be read stands in the list as broken and hides no other
//! ([`Listing`]). [`MemoryStore`] is the port in memory; every adapter runs `contract`. [`Chosen`] is the one of two that the setting
//! `run-history.store` names.

mod chosen;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod memory;

use std::cmp::Reverse;

use credence::time::Timestamp;
use serde::{Deserialize, Serialize};

pub use chosen::Chosen;
pub use memory::{MOST_RUNS, MemoryStore};

use crate::experiment::Experiment;
use crate::run::{RunRecord, RunStatus};

/// What a list shows of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunNote {
    /// Its id.
    pub id: String,
    /// The scenario's id.
    pub scenario: String,
    /// The condition's name.
    pub condition: String,
    /// Who narrated.
    pub narrator: String,
    /// How it ended.
    pub status: RunStatus,
    /// When it was saved, by the host's clock.
    pub saved: Timestamp,
    /// Turns, without turn 0.
    pub turns: u32,
    /// Whether memory went into the last prompt.
    pub injection: bool,
    /// Share of turns without contradiction, 0 to 100, by the oracle or else by the model.
    pub resilience: Option<f64>,
    /// What everything random in it followed from.
    #[serde(default)]
    pub seed: u64,
    /// Share of facts that survived, 0 to 100, by the same judge.
    #[serde(default)]
    pub survival: Option<f64>,
}

impl RunNote {
    /// Of a run that was saved then.
    pub fn of(run: &RunRecord, saved: Timestamp) -> Self {
        let judged = run.scores.get("oracle").or_else(|| run.scores.values().next());
        let value = |name: &str| judged.and_then(|score| score.values.get(name).copied().flatten());
        Self {
            id: run.id.clone(),
            scenario: run.scenario.clone(),
            condition: run.condition.name.clone(),
            narrator: run.settings.narrator.clone(),
            status: run.status.clone(),
            saved,
            turns: run.turns.iter().filter(|turn| turn.turn > 0).count() as u32,
            injection: run.turns.last().map_or(run.condition.injection, |turn| turn.injection),
            resilience: value("resilience_rate"),
            seed: run.settings.seed,
            survival: value("fact_survival"),
        }
    }
}

/// What a list shows of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExperimentNote {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it ended, by the host's clock.
    pub ended: Timestamp,
    /// Conditions, scenarios and repetitions.
    pub sizes: [u32; 3],
    /// Whether it is partial.
    pub cancelled: bool,
    /// Mean fact survival of its complete runs, by the judge that counts.
    pub survival: Option<f64>,
}

impl ExperimentNote {
    /// Of an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        let definition = &experiment.definition;
        let survival = experiment.complete().map(|run| run.value(&definition.judged_by, "fact_survival"));
        Self {
            id: experiment.id.clone(),
            name: definition.name.clone(),
            ended: experiment.manifest.ended,
            sizes: [
                definition.conditions.len() as u32,
                definition.scenarios.len() as u32,
                definition.repetitions,
            ],
            cancelled: experiment.cancelled,
            survival: crate::stats::Summary::of(survival).mean,
        }
    }
}

/// What a store has of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<N> {
    /// Newest first.
    pub notes: Vec<N>,
    /// What is there and cannot be read, by id.
    pub broken: Vec<Broken>,
}

impl Listing<RunNote> {
    /// Puts notes into the order of lists.
    pub fn of_runs(mut notes: Vec<RunNote>, broken: Vec<Broken>) -> Self {
        notes.sort_by(|a, b| (Reverse(a.saved), &a.id).cmp(&(Reverse(b.saved), &b.id)));
        Self { notes, broken }
    }
}

impl Listing<ExperimentNote> {
    /// Puts notes into the order of lists.
    pub fn of_experiments(mut notes: Vec<ExperimentNote>, broken: Vec<Broken>) -> Self {
        notes.sort_by(|a, b| (Reverse(a.ended), &a.id).cmp(&(Reverse(b.ended), &b.id)));
        Self { notes, broken }
    }
}

/// A record that is there and cannot be read. Deleting it by its id is possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its id.
    pub id: String,
    /// What is wrong with it, in words for a person.
    pub why: String,
}

/// What saving did beside saving.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Saved {
    /// The run that had to go, where room is bounded.
    pub evicted: Option<String>,
}

/// Why a store could not do something, in words with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);

/// Keeps runs and experiments. Saving what is there replaces it.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait RunStore {
    /// Keeps a run; `now` is the host's clock.
    ///
    /// # Errors
    /// When there is no room, or it cannot be written.
    async fn save_run(&self, run: &RunRecord, now: Timestamp) -> Result<Saved, StoreError>;

    /// A run by its id.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    async fn run(&self, id: &str) -> Result<Option<RunRecord>, StoreError>;

    /// Every run; `scenario`: those of one, and whatever is broken.
    ///
    /// # Errors
    /// When nothing can be listed at all.
    async fn runs(&self, scenario: Option<&str>) -> Result<Listing<RunNote>, StoreError>;

    /// Forgets a run.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    async fn delete_run(&self, id: &str) -> Result<(), StoreError>;

    /// Keeps an experiment.
    ///
    /// # Errors
    /// As for [`Self::save_run`].
    async fn save_experiment(&self, experiment: &Experiment) -> Result<(), StoreError>;

    /// An experiment by its id.
    ///
    /// # Errors
    /// As for [`Self::run`].
    async fn experiment(&self, id: &str) -> Result<Option<Experiment>, StoreError>;

    /// Every experiment.
    ///
    /// # Errors
    /// As for [`Self::runs`].
    async fn experiments(&self) -> Result<Listing<ExperimentNote>, StoreError>;

    /// Forgets an experiment; its runs stay.
    ///
    /// # Errors
    /// As for [`Self::delete_run`].
    async fn delete_experiment(&self, id: &str) -> Result<(), StoreError>;
}
