//! Playing away from the page: runs and experiments are played by a desk that lives in a worker, so that the page draws and listens meanwhile.
//!
//! Page and desk speak in [`Order`]s and [`Told`]s and share nothing else. `desk` plays and keeps, `link` is the page's end of the wire,
//! `worker` the other end. Where no worker can be had the desk is in the page, which says so.
//!
//! Rules: every finished turn and every ended run is kept by the desk before the page hears of the next, so that a page or a worker that dies
//! costs a turn at most; a key is in the first message alone, for its own origin, and in no record, log or store.

mod desk;
mod link;
pub(crate) mod worker;

pub(crate) use link::{Link, Lost};

use credence::config::SimSettings;
use credence::llm::Role;
use credence::llm::settings::EndpointSettings;
use credence::unit::UnitView;
use credence_browser::endpoint::Endpoint;
use credence_sim::engine::{Manipulation, Phase};
use credence_sim::experiment::{Analysis, Definition, Experiment, Progress};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{SCRIPTED, by_model};
use credence_sim::run::{Condition, Intervention, RunRecord, RunSettings, TurnRecord};
use credence_sim::scenario::{Scenario, TurnKind};
use leptos::prelude::{With, WithUntracked};
use serde::{Deserialize, Serialize};

use crate::ports::Connections;
use crate::simulation::Narrating;
use crate::state::App;

/// What the desk works with. It holds a key: it has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Means {
    /// The person's endpoint, with those of single roles; `None`: none is chosen.
    endpoint: Option<EndpointSettings>,
    /// The keys of their origins, by origin.
    keys: Vec<(String, String)>,
    /// Of a person's settings those of the runner, and how long an answer may be: the rest is what a scenario and a condition are played under.
    sim: SimSettings,
    /// Most tokens of an answer; 0: the endpoint's own.
    max_tokens: u32,
}

impl Means {
    /// What the page is connected with.
    pub(crate) fn of(app: App, connections: &Connections) -> Self {
        let (sim, max_tokens) = app.preferences.with_untracked(|preferences| {
            (preferences.config.sim.clone(), preferences.config.chat.max_tokens)
        });
        let endpoint = connections.chat.endpoint();
        let origins = endpoint.iter().flat_map(Endpoint::origins);
        let keys = origins.filter_map(|origin| {
            let key = connections.keys.get(&origin)?.expose().to_owned();
            Some((origin, key))
        });
        let keys = keys.collect();
        Self { endpoint: endpoint.map(|endpoint| endpoint.settings().clone()), keys, sim, max_tokens }
    }
}

/// What the desk is told to do.
#[derive(Serialize, Deserialize)]
pub(crate) enum Order {
    /// Works with these from now on: the first order there is.
    Begin(Means),
    /// Plays a run from its beginning.
    Play { scenario: Box<Scenario>, condition: Condition, settings: RunSettings, injection: bool },
    /// Goes on with a run that was broken off.
    GoOn { scenario: Box<Scenario>, record: Box<RunRecord>, injection: bool },
    /// Holds the run at the end of its turn.
    Pause,
    /// Goes on with a run that is held.
    Resume,
    /// Ends the run at the end of its turn.
    Stop,
    /// Puts the working set into prompts or leaves it out, from the next turn on.
    Inject(bool),
    /// Acts on the memory of a held run.
    Act(Manipulation),
    /// Plays an experiment; `earlier`: goes on with that one, which was begun by the same definition.
    Experiment { definition: Box<Definition>, scenarios: Vec<Scenario>, earlier: Option<Box<Experiment>> },
    /// Begins no other run; `at_once`: ends the one that plays at the end of its turn.
    StopExperiment { at_once: bool },
    /// Computes the figures of an experiment.
    Analyse(Box<Experiment>),
}

/// Of which run of an experiment something is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub condition: String,
    pub scenario: String,
    /// From 0.
    pub repetition: u32,
}

/// What the desk tells.
#[derive(Serialize, Deserialize)]
pub(crate) enum Told {
    /// The desk is there and takes orders.
    Ready,
    /// A run begins: its record, without turns.
    SettingUp(Box<RunRecord>),
    /// The player has spoken.
    Asked { turn: u32, of: u32, kind: TurnKind, player: String },
    /// A piece of the reply.
    Text(String),
    /// The reply, whole.
    Replied(String),
    /// A turn is over and kept.
    Turn(Box<TurnRecord>),
    /// The run waits, or goes on.
    Phase { phase: Phase, units: Vec<UnitView> },
    /// A person acted on the memory.
    Intervened { intervention: Intervention, units: Vec<UnitView> },
    /// The run is over.
    Ended(Box<RunRecord>),
    /// The run could not be.
    Refused(String),
    /// Something could not be kept, and why.
    Unkept(String),
    /// A run of an experiment begins.
    Began(Place),
    /// A run of an experiment is over: the share of facts that survived, 0 to 100, or why it is no complete run.
    Over { place: Place, survival: Option<f64>, trouble: Option<String> },
    /// How far the experiment is.
    Progress(Progress),
    /// The experiment is over and kept, with its figures.
    Experiment(Box<Experiment>, Box<Analysis>),
    /// The experiment could not be played: everything that is wrong with it.
    Unplayable(Vec<String>),
    /// The desk broke down.
    Broken(String),
}

/// The names under which a narrator, its judge and its adversary stand in records; empty: nobody.
pub(crate) struct Names {
    pub narrator: String,
    pub judge: String,
    pub adversary: String,
}

impl Names {
    /// Of who narrates, with the models of the page's endpoint.
    pub(crate) fn of(app: App, narrating: Narrating, connections: &Connections) -> Self {
        let alone = |narrator: &str| Self {
            narrator: narrator.to_owned(),
            judge: String::new(),
            adversary: String::new(),
        };
        let endpoint = connections.chat.endpoint();
        let name_of = |role: Role| {
            let named =
                endpoint.as_ref().and_then(|endpoint| endpoint.settings().model(role).map(str::to_owned));
            named.unwrap_or_else(|| "language model".to_owned())
        };
        match narrating {
            Narrating::Simulated => alone(Simulated::NAME),
            Narrating::Scripted => alone(SCRIPTED),
            Narrating::Model => Self {
                narrator: by_model(&name_of(Role::Chat)),
                judge: app
                    .preferences
                    .with(|preferences| preferences.config.sim.evaluator_model.clone())
                    .unwrap_or_else(|| name_of(Role::Judge)),
                adversary: name_of(Role::Adversary),
            },
        }
    }
}
