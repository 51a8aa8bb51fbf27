//! The memory of a run, looked at from outside: the same log, read by the run's own settings and clock, as another tab would read it.
//!
//! Nothing here changes a run's memory; whoever wants to act on it asks the engine, which records the act. Time stands where the newest commit
//! left it, so that activation and decay are what the run saw.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use credence::history::Journal;
use credence::memory::Memory;
use credence::ports::{Clock, Ports};
use credence::time::{Moment, Timestamp};
use credence_browser::journal::BrowserJournal;
use credence_browser::{BrowserClock, BrowserIds};
use credence_sim::engine;
use credence_sim::run::{RunRecord, RunStatus};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::pages::simulate::watched::Watched;
use crate::ports::{SwitchableChat, SwitchableEmbedder};
use crate::state::App;

/// A clock that stands.
#[derive(Clone)]
pub(crate) struct Standing(Rc<Cell<Timestamp>>);

impl Clock for Standing {
    fn now(&self) -> Moment {
        Moment::utc(self.0.get())
    }
    async fn pause(&self) {
        BrowserClock.pause().await;
    }
    async fn wait_ms(&self, milliseconds: u32) {
        BrowserClock.wait_ms(milliseconds).await;
    }
}

/// The ports of a look: no model is connected.
pub(crate) struct LookPorts {
    journal: BrowserJournal,
    chat: SwitchableChat,
    embedder: SwitchableEmbedder,
    clock: Standing,
    ids: BrowserIds,
}

impl Ports for LookPorts {
    type Journal = BrowserJournal;
    type Chat = SwitchableChat;
    type Embed = SwitchableEmbedder;
    type Clock = Standing;
    type Ids = BrowserIds;
    fn journal(&self) -> &BrowserJournal {
        &self.journal
    }
    fn chat(&self) -> &SwitchableChat {
        &self.chat
    }
    fn embedder(&self) -> &SwitchableEmbedder {
        &self.embedder
    }
    fn clock(&self) -> &Standing {
        &self.clock
    }
    fn ids(&self) -> &BrowserIds {
        &self.ids
    }
}

/// The memory of a run.
pub(crate) type RunMemory = Memory<LookPorts>;

/// What came of looking.
#[derive(Clone)]
pub(crate) enum Seen {
    /// No run is chosen.
    Nothing,
    /// It is being read.
    Opening,
    /// It is here; and what one should know of it.
    Here(RunMemory, Option<String>),
    /// There is none, and why.
    Missing(String),
}

/// A look at the memory of the run that is watched.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    seen: RwSignal<Seen, LocalStorage>,
    /// Raised when the memory was read anew.
    beat: RwSignal<u64>,
}

impl Look {
    /// Opens the memory of what is watched, and reads on whenever it moves.
    pub(crate) fn at(app: App, watched: Watched) -> Self {
        let look = Self { seen: RwSignal::new_local(Seen::Nothing), beat: RwSignal::new(0) };
        Effect::new(move |before: Option<(Option<String>, u64)>| {
            let run = watched.head.get();
            let moved = watched.moved.get();
            let id = run.as_ref().map(|run| run.id.clone());
            // Fewer turns than before: the same run is played anew.
            let is_other = before.is_none_or(|(before, reached)| before != id || moved < reached);
            match run {
                None => look.seen.set(Seen::Nothing),
                Some(run) if is_other => {
                    look.seen.set(Seen::Opening);
                    spawn_local(async move { look.open(app, run).await });
                }
                Some(run) => spawn_local(async move { look.read_on(app, run).await }),
            }
            (id, moved)
        });
        look
    }

    async fn open(self, app: App, run: Arc<RunRecord>) {
        let seen = match opened(app, &run).await {
            Ok(Some(memory)) => {
                let note = differs(&memory, &run);
                Seen::Here(memory, note)
            }
            Ok(None) if run.status == RunStatus::Unfinished => Seen::Opening,
            Ok(None) => Seen::Missing(
                "The memory of this run is not in this browser: it was played elsewhere, or deleted. Play it again to look into it."
                    .to_owned(),
            ),
            Err(words) => Seen::Missing(words),
        };
        // The page may have gone, or have turned to another run.
        let _ = self.seen.try_set(seen);
        let _ = self.beat.try_update(|beat| *beat += 1);
    }

    async fn read_on(self, app: App, run: Arc<RunRecord>) {
        match self.seen.try_get_untracked() {
            Some(Seen::Here(memory, _)) => match memory.refresh().await {
                Ok(_) => {
                    stand(&memory);
                    let _ = self.beat.try_update(|beat| *beat += 1);
                }
                Err(error) => {
                    let _ = self.seen.try_set(Seen::Missing(error.to_string()));
                }
            },
            Some(_) => self.open(app, run).await,
            None => {}
        }
    }

    /// What came of looking; tracked.
    pub(crate) fn seen(self) -> Seen {
        self.seen.get()
    }

    /// Reads from the memory, and again whenever it moves; the default where there is none.
    pub(crate) fn read<T: Default>(self, look: impl FnOnce(&RunMemory) -> T) -> T {
        self.beat.track();
        self.seen.with(|seen| match seen {
            Seen::Here(memory, _) => look(memory),
            _ => T::default(),
        })
    }

    /// The memory, where it is here.
    pub(crate) fn memory(self) -> Option<RunMemory> {
        match self.seen.try_get_untracked() {
            Some(Seen::Here(memory, _)) => Some(memory),
            _ => None,
        }
    }
}

/// Lets time stand at the newest commit.
fn stand(memory: &RunMemory) {
    if let Some(last) = memory.log().commits().last() {
        memory.ports().clock.0.set(last.at);
    }
}

async fn opened(app: App, run: &RunRecord) -> Result<Option<RunMemory>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    let Some(connections) = app.connections() else { return Ok(None) };
    let Some(scenario) = app.simulation.find(&run.scenario) else {
        return Err(format!(
            "The scenario \u{201c}{}\u{201d} is not here; open its file first",
            run.scenario
        ));
    };
    let journal = app.simulation.journal().await?;
    let context = engine::context_of(&run.id).map_err(|error| words(&error))?;
    if journal.head(&context).await.map_err(|error| words(&error))?.is_none() {
        return Ok(None);
    }
    let config = engine::config_of(&scenario, run, &engine::base_config()).map_err(|error| words(&error))?;
    let ports = LookPorts {
        journal,
        chat: SwitchableChat::default(),
        embedder: connections.embedder,
        clock: Standing(Rc::new(Cell::new(run.started))),
        ids: BrowserIds,
    };
    let memory = Memory::open(ports, context, config).await.map_err(|error| words(&error))?;
    stand(&memory);
    Ok(Some(memory))
}

/// The same scenario, condition and seed have the same name, whatever a person did in between: what is stored may be of another playing.
fn differs(memory: &RunMemory, run: &RunRecord) -> Option<String> {
    let known =
        run.turns.iter().map(|turn| turn.seq).chain(run.interventions.iter().map(|act| act.seq)).max();
    let is_over = !matches!(run.status, RunStatus::Unfinished);
    (is_over && known.is_some_and(|known| known != memory.state().seq())).then(|| {
        "This run was played again since: what is shown is the memory of that later playing.".to_owned()
    })
}
