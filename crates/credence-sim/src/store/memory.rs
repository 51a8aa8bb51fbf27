//! The store in memory: the 50 runs that were used last, and every experiment.

use std::cell::RefCell;

use credence::time::Timestamp;

use super::{ExperimentNote, Listing, RunNote, RunStore, Saved, StoreError};
use crate::experiment::Experiment;
use crate::run::RunRecord;

/// Runs that are kept; the one that was saved or loaded longest ago makes room.
pub const MOST_RUNS: usize = 50;

/// Keeps everything until it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    /// Used longest ago first.
    runs: RefCell<Vec<(Timestamp, RunRecord)>>,
    experiments: RefCell<Vec<Experiment>>,
}

impl RunStore for MemoryStore {
    async fn save_run(&self, run: &RunRecord, now: Timestamp) -> Result<Saved, StoreError> {
        let mut runs = self.runs.borrow_mut();
        runs.retain(|(_, other)| other.id != run.id);
        let evicted = (runs.len() >= MOST_RUNS).then(|| runs.remove(0).1.id);
        runs.push((now, run.clone()));
        Ok(Saved { evicted })
    }

    async fn run(&self, id: &str) -> Result<Option<RunRecord>, StoreError> {
        let mut runs = self.runs.borrow_mut();
        let Some(at) = runs.iter().position(|(_, run)| run.id == id) else { return Ok(None) };
        let used = runs.remove(at);
        let run = used.1.clone();
        runs.push(used);
        Ok(Some(run))
    }

    async fn runs(&self, scenario: Option<&str>) -> Result<Listing<RunNote>, StoreError> {
        let runs = self.runs.borrow();
        let of = runs.iter().filter(|(_, run)| scenario.is_none_or(|scenario| run.scenario == scenario));
        Ok(Listing::of_runs(of.map(|(saved, run)| RunNote::of(run, *saved)).collect(), Vec::new()))
    }

    async fn delete_run(&self, id: &str) -> Result<(), StoreError> {
        self.runs.borrow_mut().retain(|(_, run)| run.id != id);
        Ok(())
    }

    async fn save_experiment(&self, experiment: &Experiment) -> Result<(), StoreError> {
        let mut experiments = self.experiments.borrow_mut();
        experiments.retain(|other| other.id != experiment.id);
        experiments.push(experiment.clone());
        Ok(())
    }

    async fn experiment(&self, id: &str) -> Result<Option<Experiment>, StoreError> {
        Ok(self.experiments.borrow().iter().find(|experiment| experiment.id == id).cloned())
    }

    async fn experiments(&self) -> Result<Listing<ExperimentNote>, StoreError> {
        let notes = self.experiments.borrow().iter().map(ExperimentNote::of).collect();
        Ok(Listing::of_experiments(notes, Vec::new()))
    }

    async fn delete_experiment(&self, id: &str) -> Result<(), StoreError> {
        self.experiments.borrow_mut().retain(|experiment| experiment.id != id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;
    use crate::experiment::fabricated::empty_run;

    #[test]
    fn sim_78_95_the_store_keeps_its_contract() {
        block_on(super::super::contract::suite(&MemoryStore::default()));
    }

    #[test]
    fn sim_95_the_51st_run_takes_the_place_of_the_one_used_longest_ago() {
        block_on(async {
            let store = MemoryStore::default();
            for n in 0..50 {
                let saved = store.save_run(&empty_run(&format!("r{n}"), "s"), Timestamp(n)).await;
                assert_eq!(saved, Ok(Saved::default()));
            }
            assert!(store.run("r0").await.unwrap().is_some(), "which uses it");
            let saved = store.save_run(&empty_run("r50", "s"), Timestamp(50)).await.unwrap();
            assert_eq!(saved.evicted.as_deref(), Some("r1"));
            assert_eq!(store.run("r1").await, Ok(None));
            assert_eq!(store.runs(None).await.unwrap().notes.len(), MOST_RUNS);
            assert!(store.run("r0").await.unwrap().is_some());
        });
    }
}
