//! Where this app keeps runs and experiments: the store's port on the browser's shelf, or in this page's memory, with a stated reason, where the
//! browser has no room to give or the settings want none.
//!
//! A record is kept as its JSON, a list is made of notes alone. What cannot be read is in the list as broken, by its id, so that it can be
//! removed. Nothing of it is in a person's memory: the shelf is a database of its own.

use std::collections::BTreeMap;
use std::rc::Rc;

use credence::config::RunHistoryStore;
use credence::history::JournalError;
use credence::time::Timestamp;
use credence_browser::{Kind, Note, Shelf};
use credence_sim::experiment::Experiment;
use credence_sim::run::RunRecord;
use credence_sim::store::{
    Broken, ExperimentNote, Listing, MemoryStore, RunNote, RunStore, Saved, StoreError,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The database of runs and experiments.
pub(crate) const DATABASE: &str = "credence-runs";

/// The newest form of either record that this release reads.
const FORM: u32 = 1;

/// The store. Clones are the same.
#[derive(Clone)]
pub(crate) enum Runs {
    /// In the browser's database.
    Kept(Shelf),
    /// In this page alone.
    Here(Rc<MemoryStore>),
}

impl Runs {
    /// Opens the store; beside it, why what it is given is lost with the page, where that is so.
    ///
    /// # Errors
    /// What must not be papered over, because records are there: a later release's database, or one that another tab holds.
    pub(crate) async fn open(wanted: RunHistoryStore) -> Result<(Self, Option<String>), StoreError> {
        match wanted {
            RunHistoryStore::Durable => Self::open_as(DATABASE).await,
            RunHistoryStore::Memory => {
                let why = "the setting run-history.store says MEMORY";
                Ok((Self::Here(Rc::default()), Some(why.to_owned())))
            }
        }
    }

    async fn open_as(name: &str) -> Result<(Self, Option<String>), StoreError> {
        match Shelf::open(name).await {
            Ok(shelf) => Ok((Self::Kept(shelf), None)),
            Err(
                reason @ (JournalError::Unavailable { .. }
                | JournalError::QuotaExceeded
                | JournalError::Backend { .. }),
            ) => Ok((Self::Here(Rc::default()), Some(reason.to_string()))),
            Err(error) => Err(failed(error)),
        }
    }

    /// Bytes of each record, by id; empty in this page's memory.
    ///
    /// # Errors
    /// Those of a list.
    pub(crate) async fn sizes(&self, kind: Kind) -> Result<BTreeMap<String, u64>, StoreError> {
        let Self::Kept(shelf) = self else { return Ok(BTreeMap::new()) };
        let notes = shelf.notes(kind).await.map_err(failed)?;
        Ok(notes.into_iter().map(|note| (note.id, note.bytes)).collect())
    }
}

fn failed(error: JournalError) -> StoreError {
    StoreError(error.to_string())
}

fn text_of(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError(error.to_string()))
}

/// Reads a record, of which `form` says in which form it is.
fn read<T: DeserializeOwned>(id: &str, text: &str, form: impl Fn(&T) -> u32) -> Result<T, StoreError> {
    let record: T = serde_json::from_str(text)
        .map_err(|error| StoreError(format!("{id} cannot be read: {error}; remove it")))?;
    match form(&record) {
        newer if newer > FORM => Err(StoreError(format!(
            "{id} has form {newer}, and this version reads forms up to {FORM}; reload the page to update it"
        ))),
        _ => Ok(record),
    }
}

/// Notes that can be read, and those that cannot.
fn sorted<N: DeserializeOwned>(notes: Vec<Note>) -> (Vec<N>, Vec<Broken>) {
    let (mut read, mut broken) = (Vec::new(), Vec::new());
    for Note { id, note, .. } in notes {
        let understood = note.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        match understood {
            Ok(note) => read.push(note),
            Err(why) => broken.push(Broken { id, why }),
        }
    }
    (read, broken)
}

impl RunStore for Runs {
    async fn save_run(&self, run: &RunRecord, now: Timestamp) -> Result<Saved, StoreError> {
        match self {
            Self::Here(store) => store.save_run(run, now).await,
            Self::Kept(shelf) => {
                let note = text_of(&RunNote::of(run, now))?;
                let put = shelf.put(Kind::Runs, &run.id, &note, &text_of(run)?).await;
                put.map(|()| Saved::default()).map_err(failed)
            }
        }
    }

    async fn run(&self, id: &str) -> Result<Option<RunRecord>, StoreError> {
        match self {
            Self::Here(store) => store.run(id).await,
            Self::Kept(shelf) => {
                let text = shelf.text(Kind::Runs, id).await.map_err(failed)?;
                text.map(|text| read(id, &text, |run: &RunRecord| run.schema)).transpose()
            }
        }
    }

    async fn runs(&self, scenario: Option<&str>) -> Result<Listing<RunNote>, StoreError> {
        match self {
            Self::Here(store) => store.runs(scenario).await,
            Self::Kept(shelf) => {
                let (mut notes, broken) = sorted::<RunNote>(shelf.notes(Kind::Runs).await.map_err(failed)?);
                notes.retain(|note| scenario.is_none_or(|scenario| note.scenario == scenario));
                Ok(Listing::of_runs(notes, broken))
            }
        }
    }

    async fn delete_run(&self, id: &str) -> Result<(), StoreError> {
        match self {
            Self::Here(store) => store.delete_run(id).await,
            Self::Kept(shelf) => shelf.remove(Kind::Runs, id).await.map_err(failed),
        }
    }

    async fn save_experiment(&self, experiment: &Experiment) -> Result<(), StoreError> {
        match self {
            Self::Here(store) => store.save_experiment(experiment).await,
            Self::Kept(shelf) => {
                let note = text_of(&ExperimentNote::of(experiment))?;
                let text = text_of(experiment)?;
                shelf.put(Kind::Experiments, &experiment.id, &note, &text).await.map_err(failed)
            }
        }
    }

    async fn experiment(&self, id: &str) -> Result<Option<Experiment>, StoreError> {
        match self {
            Self::Here(store) => store.experiment(id).await,
            Self::Kept(shelf) => {
                let text = shelf.text(Kind::Experiments, id).await.map_err(failed)?;
                text.map(|text| read(id, &text, |one: &Experiment| one.schema)).transpose()
            }
        }
    }

    async fn experiments(&self) -> Result<Listing<ExperimentNote>, StoreError> {
        match self {
            Self::Here(store) => store.experiments().await,
            Self::Kept(shelf) => {
                let (notes, broken) = sorted(shelf.notes(Kind::Experiments).await.map_err(failed)?);
                Ok(Listing::of_experiments(notes, broken))
            }
        }
    }

    async fn delete_experiment(&self, id: &str) -> Result<(), StoreError> {
        match self {
            Self::Here(store) => store.delete_experiment(id).await,
            Self::Kept(shelf) => shelf.remove(Kind::Experiments, id).await.map_err(failed),
        }
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    async fn fresh(name: &str) -> Runs {
        let (runs, volatile) = Runs::open_as(name).await.unwrap();
        assert_eq!(volatile, None, "the browser's database is there");
        runs
    }

    #[wasm_bindgen_test]
    async fn sim_78_95_the_browsers_database_keeps_the_contract_of_stores() {
        credence_sim::store::contract::suite(&fresh("runs-contract").await).await;
        credence_sim::store::contract::suite(&Runs::Here(Rc::default())).await;
    }

    #[wasm_bindgen_test]
    async fn what_is_kept_outlives_the_connection_and_a_broken_record_hides_no_other() {
        const NAME: &str = "runs-broken";
        let runs = fresh(NAME).await;
        let Runs::Kept(shelf) = &runs else { panic!("kept in memory") };
        shelf.put(Kind::Runs, "odd", "no note", "no run").await.unwrap();
        let note = r#"{"id":"r","scenario":"s","condition":"c","narrator":"n","status":{"status":"complete"},"saved":5,"turns":1,"injection":true,"resilience":null}"#;
        shelf.put(Kind::Runs, "r", note, r#"{"schema":1}"#).await.unwrap();
        drop(runs);
        let runs = fresh(NAME).await;
        let listing = runs.runs(None).await.unwrap();
        assert_eq!(listing.notes.iter().map(|note| note.id.as_str()).collect::<Vec<_>>(), ["r"]);
        assert_eq!(listing.broken.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["odd"]);
        assert_eq!(runs.sizes(Kind::Runs).await.unwrap().get("odd"), Some(&6));
        let told = runs.run("r").await.unwrap_err().to_string();
        assert!(told.contains("remove it"), "{told}");
        runs.delete_run("odd").await.unwrap();
        assert!(runs.runs(None).await.unwrap().broken.is_empty());
    }
}
