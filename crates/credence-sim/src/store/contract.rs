//! What every store does, whatever it is made of. Panics where it does not.

use std::collections::BTreeMap;

use credence::time::Timestamp;

use super::{Listing, RunStore, Saved};
use crate::experiment::{Definition, Experiment, Manifest};
use crate::run::{Condition, Cost, RunRecord, RunSettings, RunStatus, Score};

/// Runs the suite on an empty store.
pub async fn suite(store: &impl RunStore) {
    runs_are_kept(store).await;
    experiments_are_kept(store).await;
}

async fn runs_are_kept(store: &impl RunStore) {
    assert_eq!(store.run("r1").await, Ok(None));
    assert_eq!(store.runs(None).await, Ok(Listing::of_runs(Vec::new(), Vec::new())));
    for (at, (id, scenario)) in [("r1", "s1"), ("r3", "s2"), ("r2", "s1")].into_iter().enumerate() {
        let saved = store.save_run(&run(id, scenario), Timestamp(100 + at as i64)).await;
        assert_eq!(saved, Ok(Saved::default()));
    }
    assert_eq!(store.run("r3").await, Ok(Some(run("r3", "s2"))), "a run comes back to the last bit");
    assert_eq!(listed(store, None).await, ["r2", "r3", "r1"], "newest first");
    assert_eq!(listed(store, Some("s1")).await, ["r2", "r1"]);
    assert_eq!(listed(store, Some("s")).await, [""; 0]);
    let note = store.runs(None).await.expect("a list").notes.remove(0);
    assert_eq!((note.saved, note.resilience, note.turns), (Timestamp(102), Some(100.0 / 3.0), 0));
    let changed = RunRecord { status: RunStatus::Cancelled, ..run("r1", "s1") };
    assert!(store.save_run(&changed, Timestamp(200)).await.is_ok());
    assert_eq!(listed(store, None).await, ["r1", "r2", "r3"], "saved again is saved now, and once");
    assert_eq!(store.run("r1").await, Ok(Some(changed)));
    assert_eq!(store.delete_run("r2").await, Ok(()));
    assert_eq!(store.delete_run("r2").await, Ok(()), "what is not there is forgotten already");
    assert_eq!((store.run("r2").await, store.run("unknown").await), (Ok(None), Ok(None)));
    assert_eq!(listed(store, None).await, ["r1", "r3"]);
}

async fn experiments_are_kept(store: &impl RunStore) {
    assert_eq!(
        store.experiments().await,
        Ok(Listing::of_experiments(Vec::new(), Vec::new())),
        "runs are no experiments"
    );
    for (id, ended) in [("e1", 10), ("e2", 30), ("r1", 20)] {
        assert_eq!(store.save_experiment(&experiment(id, ended)).await, Ok(()));
    }
    assert_eq!(store.experiment("e2").await, Ok(Some(experiment("e2", 30))));
    assert_eq!(store.experiment("r3").await, Ok(None), "a run's id names no experiment");
    let ids = async || -> Vec<String> {
        store.experiments().await.expect("a list").notes.into_iter().map(|note| note.id).collect()
    };
    assert_eq!(ids().await, ["e2", "r1", "e1"], "newest first");
    assert_eq!(store.delete_experiment("r1").await, Ok(()));
    assert_eq!(store.delete_experiment("unknown").await, Ok(()));
    assert_eq!(ids().await, ["e2", "e1"]);
    assert!(store.run("r1").await.is_ok_and(|run| run.is_some()), "the run of that name is still there");
}

async fn listed(store: &impl RunStore, scenario: Option<&str>) -> Vec<String> {
    store.runs(scenario).await.expect("a list").notes.into_iter().map(|note| note.id).collect()
}

fn run(id: &str, scenario: &str) -> RunRecord {
    let values =
        BTreeMap::from([("resilience_rate".to_owned(), Some(100.0 / 3.0)), ("erosion".to_owned(), None)]);
    RunRecord {
        schema: 1,
        id: id.to_owned(),
        scenario: scenario.to_owned(),
        scenario_hash: "0123456789abcdef".to_owned(),
        prompts_hash: "fedcba9876543210".to_owned(),
        config_hash: "0011223344556677".to_owned(),
        rules: Vec::new(),
        condition: Condition::full(),
        settings: RunSettings {
            seed: (1 << 53) - 1,
            repetition: 0,
            max_turns: 3,
            token_budget: 0,
            narrator: "simulated".to_owned(),
            judge: String::new(),
            adversary: String::new(),
            options: BTreeMap::from([("a | b".to_owned(), "„ü“\n".to_owned())]),
        },
        started: Timestamp(0),
        ended: Some(Timestamp(1)),
        status: RunStatus::Failed { reason: "the endpoint is gone".to_owned() },
        turns: Vec::new(),
        interventions: Vec::new(),
        assertions: Vec::new(),
        scores: BTreeMap::from([("oracle".to_owned(), Score { values, strategies: BTreeMap::new() })]),
        cost: Cost::default(),
    }
}

fn experiment(id: &str, ended: i64) -> Experiment {
    Experiment {
        schema: 1,
        id: id.to_owned(),
        definition: Definition::new("Trial", vec![Condition::full()], vec!["s1".to_owned()], 2, "simulated"),
        manifest: Manifest {
            reader: "rules".into(),
            definition_hash: String::new(),
            scenario_hashes: BTreeMap::new(),
            prompts_hashes: Vec::new(),
            config_hashes: BTreeMap::new(),
            versions: BTreeMap::new(),
            commit: String::new(),
            started: Timestamp(0),
            ended: Timestamp(ended),
            planned_runs: 2,
            parallelism: 1,
        },
        scenarios: Vec::new(),
        runs: Vec::new(),
        cancelled: true,
    }
}
