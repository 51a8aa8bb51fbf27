//! A run as it is looked at, turn by turn: the one that plays on the page, or one that was kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence_sim::run::{RunRecord, TurnRecord};
use leptos::prelude::*;

use crate::simulation::Asked;
use crate::state::App;

/// What is looked at. Copies share it.
#[derive(Clone, Copy)]
pub(crate) struct Watched {
    /// What run it is: known from its beginning, then without turns.
    pub head: Signal<Option<Arc<RunRecord>>>,
    /// The run whole, once it is over.
    pub record: Signal<Option<Arc<RunRecord>>>,
    /// Its turns so far.
    pub played: Signal<Vec<Arc<TurnRecord>>>,
    /// The turn that is being played.
    pub asked: Signal<Option<Asked>>,
    /// The turn that is looked at; `None`: the latest.
    pub selected: RwSignal<Option<u32>>,
    /// Moves whenever the run's memory may have.
    pub moved: Signal<u64>,
    /// Milliseconds by the page's clock of each turn that this page saw played.
    pub clocked: Signal<BTreeMap<u32, u32>>,
    /// A text that somebody wants to look up in the run's memory.
    pub sought: RwSignal<Option<String>>,
}

impl Watched {
    /// The run of the Simulate page.
    pub(crate) fn playing(app: App) -> Self {
        let sim = app.simulation;
        Self {
            head: Signal::derive(move || sim.record.get().or_else(|| sim.head.get())),
            record: sim.record.into(),
            played: sim.played.into(),
            asked: sim.asked.into(),
            selected: sim.selected,
            moved: Signal::derive(move || {
                sim.phase.track();
                let turns = sim.played.with(Vec::len) as u64;
                turns * 1_000_000 + sim.interventions.with(Vec::len) as u64
            }),
            clocked: clocked(app, move || {
                sim.record
                    .with(|record| record.as_ref().map(|run| run.id.clone()))
                    .or_else(|| sim.head.with(|head| head.as_ref().map(|run| run.id.clone())))
            }),
            sought: RwSignal::new(None),
        }
    }

    /// A run that was kept.
    pub(crate) fn kept(app: App, run: Arc<RunRecord>) -> Self {
        let id = run.id.clone();
        let turns: Vec<Arc<TurnRecord>> = run.turns.iter().cloned().map(Arc::new).collect();
        let first = run.turns.first().map(|turn| turn.turn);
        let record = Signal::stored(Some(run));
        Self {
            head: record,
            record,
            played: Signal::stored(turns),
            asked: Signal::stored(None),
            selected: RwSignal::new(first),
            moved: Signal::stored(0),
            clocked: clocked(app, move || Some(id.clone())),
            sought: RwSignal::new(None),
        }
    }

    /// The turn that is looked at.
    pub(crate) fn turn(self) -> Option<Arc<TurnRecord>> {
        let wanted = self.selected.get();
        self.played.with(|played| match wanted {
            Some(turn) => played.iter().find(|record| record.turn == turn).cloned(),
            None => played.last().cloned(),
        })
    }
}

fn clocked(app: App, run: impl Fn() -> Option<String> + Send + Sync + 'static) -> Signal<BTreeMap<u32, u32>> {
    Signal::derive(move || {
        let id = run();
        app.simulation.clocked.with(|all| {
            let of_run = all.iter().find(|(run, _)| Some(run) == id.as_ref());
            of_run.map(|(_, turns)| turns.clone()).unwrap_or_default()
        })
    })
}
