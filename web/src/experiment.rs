//! The experiment that this page holds: what is to be played, how far it is, what is looked at, and what is kept. It outlives the page that shows
//! it, so that one can look elsewhere while it is played.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use credence::ports::Clock;
use credence_browser::BrowserClock;
use credence_sim::experiment::{Analysis, Definition, Estimate, Experiment, Progress};
use credence_sim::run::Condition;
use credence_sim::scenario::Scenario;
use credence_sim::stats::Summary;
use credence_sim::store::{ExperimentNote, Listing};
use leptos::prelude::*;

use crate::format;
use crate::runner::{Link, Names, Place};
use crate::simulation::Narrating;
use crate::state::App;

/// What the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// What is to be played.
    Setup,
    /// The one that is played.
    Playing,
    /// One that was played.
    Results,
    /// Those that are kept.
    History,
}

/// What has become of a cell's runs so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CellSoFar {
    /// Runs that ended, by repetition: the share of facts that survived, or why it is no complete run.
    pub runs: BTreeMap<u32, Result<Option<f64>, String>>,
}

impl CellSoFar {
    /// What an earlier sitting brought, by condition and scenario: the complete runs, for the others are played again.
    pub(crate) fn of(earlier: &Experiment) -> BTreeMap<(String, String), Self> {
        let mut cells: BTreeMap<(String, String), Self> = BTreeMap::new();
        for run in earlier.complete() {
            let survival = run.value(&earlier.definition.judged_by, "fact_survival");
            let cell = cells.entry((run.condition.clone(), run.scenario.clone())).or_default();
            cell.runs.insert(run.settings.repetition, Ok(survival));
        }
        cells
    }
    /// Mean share of facts that survived, of the complete runs.
    pub(crate) fn survival(&self) -> Option<f64> {
        Summary::of(self.runs.values().filter_map(|run| run.as_ref().ok().copied())).mean
    }
    /// Runs that did not come to their end.
    pub(crate) fn troubled(&self) -> usize {
        self.runs.values().filter(|run| run.is_err()).count()
    }
}

/// An experiment that is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Looked {
    pub experiment: Experiment,
    pub analysis: Analysis,
}

/// Everything that the page's parts share.
#[derive(Clone, Copy)]
pub(crate) struct Experiments {
    pub view: RwSignal<View>,
    pub name: RwSignal<String>,
    /// Names of built-in conditions.
    pub conditions: RwSignal<BTreeSet<&'static str>>,
    /// What the others are compared with first.
    pub reference: RwSignal<&'static str>,
    /// Ids of scenarios.
    pub scenarios: RwSignal<BTreeSet<String>>,
    pub repetitions: RwSignal<u32>,
    pub seed: RwSignal<u64>,
    /// Turns of each run; 0: as many as its scenario says.
    pub turns: RwSignal<u32>,
    /// Tokens that memory may spend; 0: no limit.
    pub budget: RwSignal<u32>,
    pub narrating: RwSignal<Narrating>,
    /// Names of metrics.
    pub primary: RwSignal<BTreeSet<&'static str>>,
    /// `oracle` or `model`.
    pub judged_by: RwSignal<&'static str>,
    /// Options of the runs by name; what is not here has its first word.
    pub options: RwSignal<BTreeMap<String, String>>,
    /// What is played.
    pub playing: RwSignal<Option<Arc<Definition>>>,
    pub progress: RwSignal<Option<Progress>>,
    /// By condition and scenario.
    pub cells: RwSignal<BTreeMap<(String, String), CellSoFar>>,
    /// The run that plays.
    pub current: RwSignal<Option<Place>>,
    /// A person asked to stop: after this run, or (`true`) after this turn.
    pub stopping: RwSignal<Option<bool>>,
    /// Why it could not be played, or how it broke down.
    pub problems: RwSignal<Vec<String>>,
    /// What is looked at.
    pub looked: RwSignal<Option<Arc<Looked>>>,
    /// Whether figures are being computed.
    pub computing: RwSignal<bool>,
    /// What is kept; `None`: it is being read.
    pub kept: RwSignal<Option<Result<Listing<ExperimentNote>, String>>>,
    /// Bytes of each that is kept, by id.
    pub sizes: RwSignal<BTreeMap<String, u64>>,
    /// Who plays, while one is played.
    pub link: StoredValue<Option<Link>, LocalStorage>,
}

impl Experiments {
    pub(crate) fn new() -> Self {
        Self {
            view: RwSignal::new(View::Setup),
            name: RwSignal::new(String::new()),
            conditions: RwSignal::new(BTreeSet::from(["FULL_AWMU", "NO_MEMORY", "GOVERNED_AGAIN"])),
            reference: RwSignal::new("FULL_AWMU"),
            scenarios: RwSignal::new(BTreeSet::new()),
            repetitions: RwSignal::new(5),
            seed: RwSignal::new(1),
            turns: RwSignal::new(0),
            budget: RwSignal::new(0),
            narrating: RwSignal::new(Narrating::Simulated),
            primary: RwSignal::new(BTreeSet::from(["fact_survival"])),
            judged_by: RwSignal::new("oracle"),
            options: RwSignal::new(BTreeMap::new()),
            playing: RwSignal::new(None),
            progress: RwSignal::new(None),
            cells: RwSignal::new(BTreeMap::new()),
            current: RwSignal::new(None),
            stopping: RwSignal::new(None),
            problems: RwSignal::new(Vec::new()),
            looked: RwSignal::new(None),
            computing: RwSignal::new(false),
            kept: RwSignal::new(None),
            sizes: RwSignal::new(BTreeMap::new()),
            link: StoredValue::new_local(None),
        }
    }

    /// Whether one is played.
    pub(crate) fn busy(self) -> bool {
        self.playing.with(Option::is_some)
    }

    /// The order as it is chosen, and the scenarios that it names.
    pub(crate) fn definition(self, app: App) -> Option<(Definition, Vec<Scenario>)> {
        let connections = app.connections()?;
        let names = Names::of(app, self.narrating.get(), &connections);
        let chosen = self.conditions.get();
        let reference = self.reference.get();
        // The first is what the others are compared with.
        let conditions: Vec<Condition> = std::iter::once(reference)
            .chain(Condition::NAMES.into_iter().filter(|name| *name != reference))
            .filter(|name| chosen.contains(name))
            .filter_map(Condition::by_name)
            .collect();
        let wanted = self.scenarios.get();
        let scenarios: Vec<Scenario> = app
            .simulation
            .scenarios()
            .iter()
            .filter(|scenario| wanted.contains(&scenario.id))
            .map(|scenario| (**scenario).clone())
            .collect();
        let ids = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
        let turns = self.turns.get();
        let named = self.name.get();
        let name = match named.trim() {
            "" => format!("Experiment of {}", format::instant_day(BrowserClock.now().at)),
            named => named.to_owned(),
        };
        let base = Definition::new(name, conditions, ids, self.repetitions.get(), names.narrator);
        let definition = Definition {
            seed: self.seed.get(),
            max_turns: (turns > 0).then_some(turns),
            token_budget: self.budget.get(),
            judge: names.judge,
            adversary: names.adversary,
            primary: self.primary.get().into_iter().map(str::to_owned).collect(),
            judged_by: self.judged_by.get().to_owned(),
            options: self.options.get(),
            ..base
        };
        Some((definition, scenarios))
    }

    /// What is wrong with the order, and what it will take.
    pub(crate) fn plan(self, app: App) -> (Vec<String>, Estimate) {
        let Some((definition, scenarios)) = self.definition(app) else { return Default::default() };
        let problems = definition.problems(&scenarios).iter().map(ToString::to_string).collect();
        (problems, definition.estimate(&scenarios))
    }
}
