//! Playing an experiment without a network: the simulated narrator, the oracle, words alone, a memory of its own for each run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::history::MemoryJournal;
use credence::llm::Cancel;
use credence::time::Timestamp;
use credence_sim::engine::{self, AtOnce, Control, WordsAlone};
use credence_sim::experiment::{Definition, Experiment, Host, Progress, run};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, Narrator, NoModel};
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::Scenario;
use futures::executor::block_on;

/// The narrator's name in settings.
pub(crate) const NARRATOR: &str = Simulated::NAME;

/// Keeps every run as JSON, by its id.
struct Offline {
    parallelism: u32,
    kept: RefCell<BTreeMap<String, String>>,
}

impl Host for Offline {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        let cast: Cast<NoModel> = Cast::new(Narrator::Simulated(Simulated::new(scenario, settings.seed)));
        let host = engine::Host {
            journal: Rc::new(MemoryJournal::new()),
            cast: Rc::new(cast),
            embedder: Rc::new(WordsAlone),
            rest: Rc::new(AtOnce),
            base: engine::base_config(),
            templates: BTreeMap::new(),
        };
        let played = engine::play(scenario, condition, settings, &host, &Control::new(), &mut |_| {}).await;
        played.map_err(|error| error.to_string())
    }

    async fn keep(&self, run: RunRecord) -> Result<(), String> {
        let json = serde_json::to_string(&run).map_err(|error| error.to_string())?;
        self.kept.borrow_mut().insert(run.id, json);
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp(0)
    }

    fn progress(&self, progress: &Progress) {
        if let Some(last) = &progress.last {
            eprintln!("[{}/{}] {last}", progress.done, progress.total);
        }
    }

    fn parallelism(&self) -> u32 {
        self.parallelism
    }
}

/// Plays an experiment, so many runs at once; the experiment, and every run as JSON by its id.
///
/// # Errors
/// What is wrong with the definition, in words.
pub(crate) fn played(
    order: &Definition,
    scenarios: &[Scenario],
    parallelism: u32,
) -> Result<(Experiment, BTreeMap<String, String>), String> {
    let host = Offline { parallelism, kept: RefCell::default() };
    let played = block_on(run(order, scenarios, &host, &Cancel::new()));
    let experiment =
        played.map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    Ok((experiment, host.kept.into_inner()))
}
