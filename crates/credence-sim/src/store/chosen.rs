//! The store that the settings choose (`run-history.store`): in memory, gone with the page or the program, or the host's durable one.

use credence::config::{RunHistoryStore, SimSettings};
use credence::time::Timestamp;

use super::{ExperimentNote, Listing, MemoryStore, RunNote, RunStore, Saved, StoreError};
use crate::experiment::Experiment;
use crate::run::RunRecord;

/// One of two stores; what the other one holds is not looked at.
#[derive(Debug)]
pub enum Chosen<D> {
    /// Nothing outlives the page or the program.
    Memory(MemoryStore),
    /// The host's.
    Durable(D),
}

impl<D> Chosen<D> {
    /// The one that the settings name; the durable one is made when it is wanted alone.
    pub fn by(settings: &SimSettings, durable: impl FnOnce() -> D) -> Self {
        match settings.run_history {
            RunHistoryStore::Memory => Self::Memory(MemoryStore::default()),
            RunHistoryStore::Durable => Self::Durable(durable()),
        }
    }
}

/// The same call on whichever it is.
macro_rules! either {
    ($chosen:expr, $store:ident => $call:expr) => {
        match $chosen {
            Chosen::Memory($store) => $call.await,
            Chosen::Durable($store) => $call.await,
        }
    };
}

impl<D: RunStore> RunStore for Chosen<D> {
    async fn save_run(&self, run: &RunRecord, now: Timestamp) -> Result<Saved, StoreError> {
        either!(self, store => store.save_run(run, now))
    }
    async fn run(&self, id: &str) -> Result<Option<RunRecord>, StoreError> {
        either!(self, store => store.run(id))
    }
    async fn runs(&self, scenario: Option<&str>) -> Result<Listing<RunNote>, StoreError> {
        either!(self, store => store.runs(scenario))
    }
    async fn delete_run(&self, id: &str) -> Result<(), StoreError> {
        either!(self, store => store.delete_run(id))
    }
    async fn save_experiment(&self, experiment: &Experiment) -> Result<(), StoreError> {
        either!(self, store => store.save_experiment(experiment))
    }
    async fn experiment(&self, id: &str) -> Result<Option<Experiment>, StoreError> {
        either!(self, store => store.experiment(id))
    }
    async fn experiments(&self) -> Result<Listing<ExperimentNote>, StoreError> {
        either!(self, store => store.experiments())
    }
    async fn delete_experiment(&self, id: &str) -> Result<(), StoreError> {
        either!(self, store => store.delete_experiment(id))
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;
    use crate::experiment::fabricated::empty_run;

    #[test]
    fn a_chosen_store_keeps_the_contract_of_stores() {
        for run_history in [RunHistoryStore::Memory, RunHistoryStore::Durable] {
            let settings = SimSettings { run_history, ..SimSettings::default() };
            block_on(crate::store::contract::suite(&Chosen::by(&settings, MemoryStore::default)));
        }
    }

    #[test]
    fn prop_run_history_store_names_the_store_that_keeps() {
        for (word, kept) in [("MEMORY", false), ("DURABLE", true), ("NEO4J", true)] {
            let mut config = credence::config::Config::default();
            config.set_property("run-history.store", word.into()).unwrap();
            let page = Chosen::by(&config.sim, MemoryStore::default);
            let run = empty_run(word, "s");
            block_on(page.save_run(&run, Timestamp(1))).unwrap();
            assert_eq!(block_on(page.run(word)), Ok(Some(run)), "while the page is open");
            let left = match page {
                Chosen::Memory(_) => None,
                Chosen::Durable(durable) => block_on(durable.run(word)).unwrap(),
            };
            assert_eq!(left.is_some(), kept, "{word}: what the host's own store has of it");
        }
        let refused = credence::config::Config::default().set_property("run-history.store", "DISK".into());
        assert!(refused.unwrap_err().contains("one of MEMORY, DURABLE, NEO4J"));
    }
}
