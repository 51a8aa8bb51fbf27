//! The simulation that this page holds: what is chosen, the run that plays or has ended, and what of it is looked at. It outlives the page that
//! shows it, so that one can look elsewhere while a run plays.
//!
//! The memories of runs have a database of their own (`DATABASE`), and so have their records (`kept`): nothing of a scenario is ever in a
//! person's memory.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use credence::time::Timestamp;
use credence::unit::UnitView;
use credence_browser::journal::BrowserJournal;
use credence_sim::engine::Phase;
use credence_sim::run::{Intervention, RunRecord, TurnRecord};
use credence_sim::scenario::{Corpus, Mode, Scenario, TurnKind, own};
use credence_sim::store::{Listing, RunNote};
use leptos::prelude::*;

use crate::kept::Runs;
use crate::runner::Link;

/// Where the memories of runs are kept.
pub(crate) const DATABASE: &str = "credence-simulations";

/// Runs that are at hand without being read from the store.
pub(crate) const MOST_RUNS: usize = 50;

/// What the store has of runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// `None`: it is being read.
    pub listing: Option<Listing<RunNote>>,
    /// Bytes of each, by id.
    pub sizes: BTreeMap<String, u64>,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Who narrates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Narrating {
    /// The seeded narrator that needs no model.
    Simulated,
    /// The scenario's own replies.
    Scripted,
    /// The endpoint of the settings.
    Model,
}

/// The turn that is being played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub turn: u32,
    pub of: u32,
    pub kind: TurnKind,
    pub player: String,
    /// What has come of the reply.
    pub text: String,
}

/// Everything that the pages share.
#[derive(Clone, Copy)]
pub(crate) struct Simulation {
    /// The scenario's id.
    pub scenario: RwSignal<String>,
    /// The condition's name.
    pub condition: RwSignal<&'static str>,
    /// Whether the models play that the scenario names, where a model narrates.
    pub own_models: RwSignal<bool>,
    pub narrating: RwSignal<Narrating>,
    pub seed: RwSignal<u64>,
    pub turns: RwSignal<u32>,
    /// Tokens that memory may spend; 0: no limit.
    pub budget: RwSignal<u32>,
    /// Whether the working set goes into prompts; may change while a run plays.
    pub injection: RwSignal<bool>,
    pub phase: RwSignal<Phase>,
    /// A wish that takes effect at the end of the turn: `pausing`, `stopping`.
    pub wish: RwSignal<Option<&'static str>>,
    pub asked: RwSignal<Option<Asked>>,
    pub played: RwSignal<Vec<Arc<TurnRecord>>>,
    pub record: RwSignal<Option<Arc<RunRecord>>>,
    /// The run that plays, as it is known from its beginning: without turns.
    pub head: RwSignal<Option<Arc<RunRecord>>>,
    /// How long turns took by the page's clock, by run, the newest first. Not in the record, which is the same whenever it is played.
    pub clocked: RwSignal<Vec<(String, BTreeMap<u32, u32>)>>,
    /// The working set while the run is paused.
    pub units: RwSignal<Vec<UnitView>>,
    pub interventions: RwSignal<Vec<Intervention>>,
    /// The turn that is looked at; `None`: the latest.
    pub selected: RwSignal<Option<u32>>,
    /// Why a run could not be.
    pub problem: RwSignal<Option<String>>,
    /// Runs that ended here or were looked at, the newest first: those at hand.
    pub runs: RwSignal<Vec<Arc<RunRecord>>>,
    /// Runs that are kept.
    pub kept: RwSignal<Kept>,
    /// Why what is kept is lost with this page; `None` where it is not.
    pub volatile: RwSignal<Option<String>>,
    /// Scenarios that a person brought.
    pub imported: RwSignal<Vec<Arc<Scenario>>>,
    /// When the player of the turn under way spoke, by the page's clock.
    pub asked_at: StoredValue<Timestamp>,
    /// Who plays, while a run is under way.
    pub link: StoredValue<Option<Link>, LocalStorage>,
    /// The store of runs and experiments, once it was opened.
    pub store: StoredValue<Option<Runs>, LocalStorage>,
    corpus: StoredValue<Option<Rc<Corpus>>, LocalStorage>,
    journal: StoredValue<Option<BrowserJournal>, LocalStorage>,
}

impl Simulation {
    pub(crate) fn new() -> Self {
        Self {
            scenario: RwSignal::new(String::new()),
            condition: RwSignal::new("FULL_AWMU"),
            own_models: RwSignal::new(false),
            narrating: RwSignal::new(Narrating::Simulated),
            seed: RwSignal::new(1),
            turns: RwSignal::new(10),
            budget: RwSignal::new(0),
            injection: RwSignal::new(true),
            phase: RwSignal::new(Phase::Idle),
            wish: RwSignal::new(None),
            asked: RwSignal::new(None),
            played: RwSignal::new(Vec::new()),
            record: RwSignal::new(None),
            head: RwSignal::new(None),
            clocked: RwSignal::new(Vec::new()),
            units: RwSignal::new(Vec::new()),
            interventions: RwSignal::new(Vec::new()),
            selected: RwSignal::new(None),
            problem: RwSignal::new(None),
            runs: RwSignal::new(Vec::new()),
            kept: RwSignal::new(Kept::default()),
            volatile: RwSignal::new(None),
            imported: RwSignal::new(Vec::new()),
            asked_at: StoredValue::new(Timestamp(0)),
            link: StoredValue::new_local(None),
            store: StoredValue::new_local(None),
            corpus: StoredValue::new_local(None),
            journal: StoredValue::new_local(None),
        }
    }

    /// The journal that runs are kept in, opened once: where the browser has no store, whoever looks at a run's memory must see the same
    /// journal as the run.
    pub(crate) async fn journal(self) -> Result<BrowserJournal, String> {
        if let Some(journal) = self.journal.get_value() {
            return Ok(journal);
        }
        let opened = BrowserJournal::open(DATABASE).await.map_err(|error| error.to_string())?;
        // Opened twice at the same time, the first one stays.
        if let Some(journal) = self.journal.get_value() {
            return Ok(journal);
        }
        self.journal.set_value(Some(opened.journal.clone()));
        Ok(opened.journal)
    }

    /// A run begins.
    pub(crate) fn begins(self, run: &RunRecord) {
        self.head.set(Some(Arc::new(run.clone())));
        self.clocked.update(|all| {
            all.retain(|(id, _)| *id != run.id);
            all.insert(0, (run.id.clone(), BTreeMap::new()));
            all.truncate(MOST_RUNS);
        });
    }

    /// A turn of the run that plays took so long.
    pub(crate) fn took(self, turn: u32, milliseconds: u32) {
        self.clocked.update(|all| {
            if let Some((_, turns)) = all.first_mut() {
                turns.insert(turn, milliseconds);
            }
        });
    }

    /// Whether a run plays or is held.
    pub(crate) fn busy(self) -> bool {
        matches!(self.phase.get(), Phase::Running | Phase::Paused)
    }

    /// The same for actions, which watch nothing.
    pub(crate) fn is_busy(self) -> bool {
        untrack(|| self.busy())
    }

    /// Has a run at hand.
    pub(crate) fn remember(self, record: Arc<RunRecord>) {
        self.runs.update(|runs| {
            runs.retain(|run| run.id != record.id);
            runs.insert(0, record);
            runs.truncate(MOST_RUNS);
        });
    }

    /// The scenarios that ship with the app, read when they are first wanted.
    fn corpus(self) -> Rc<Corpus> {
        if let Some(corpus) = self.corpus.get_value() {
            return corpus;
        }
        let corpus = Rc::new(own());
        self.corpus.set_value(Some(corpus.clone()));
        corpus
    }

    /// Every scenario there is, those that a person brought first.
    pub(crate) fn scenarios(self) -> Vec<Arc<Scenario>> {
        let brought = self.imported.get();
        let shipped = self.corpus();
        let shipped = shipped.scenarios().filter(|one| brought.iter().all(|other| other.id != one.id));
        let shipped: Vec<Arc<Scenario>> = shipped.map(|one| Arc::new(one.clone())).collect();
        brought.into_iter().chain(shipped).collect()
    }

    /// A scenario by its id.
    pub(crate) fn find(self, id: &str) -> Option<Arc<Scenario>> {
        let brought = self.imported.with(|brought| brought.iter().find(|one| one.id == id).cloned());
        brought.or_else(|| self.corpus().get(id).map(|one| Arc::new(one.clone())))
    }

    /// Reads a scenario file, strictly first and then, where `leniently`, as the predecessor's files are read; the problems, or what was worth knowing.
    pub(crate) fn bring(
        self,
        text: &str,
        leniently: bool,
    ) -> Result<(Arc<Scenario>, Vec<String>), Vec<String>> {
        let words =
            |problems: &[credence_sim::scenario::Problem]| problems.iter().map(ToString::to_string).collect();
        let read = match credence_sim::scenario::read(text, Mode::Strict) {
            Ok(read) => read,
            Err(strict) if leniently => {
                credence_sim::scenario::read(text, Mode::Compatible).map_err(|_| words(&strict))?
            }
            Err(strict) => return Err(words(&strict)),
        };
        let scenario = Arc::new(read.scenario);
        self.imported.update(|brought| {
            brought.retain(|one| one.id != scenario.id);
            brought.insert(0, scenario.clone());
        });
        Ok((scenario, words(&read.problems)))
    }
}
