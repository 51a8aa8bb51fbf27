//! The desk: takes orders, plays, keeps, and tells. The same in a worker and in a page.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::config::{Config, SimSettings};
use credence::embedding::Embedder;
use credence::history::MemoryJournal;
use credence::llm::secret::Secret;
use credence::llm::{Cancel, ChatModel as _, Role};
use credence::ports::Clock;
use credence::time::Timestamp;
use credence_browser::endpoint::{Endpoint, KeyStore, RemoteEmbedder};
use credence_browser::journal::BrowserJournal;
use credence_browser::{BrowserClock, Tabs};
use credence_sim::engine::{self, Control, Phase, Rest};
use credence_sim::experiment::{self, Analysis, Experiment, Progress};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, SCRIPTED};
use credence_sim::run::{Condition, RunRecord, RunSettings, RunStatus};
use credence_sim::scenario::Scenario;
use credence_sim::store::RunStore as _;
use futures::future::LocalBoxFuture;
use futures::lock::Mutex;
use wasm_bindgen_futures::spawn_local;

use super::{Means, Order, Place, Told};
use crate::kept::Runs;
use crate::ports::{SwitchableChat, SwitchableEmbedder};
use crate::simulation::DATABASE;
use crate::vectors::{self, names_vectors};

/// Time as the browser has it.
struct BrowserRest;

impl Rest for BrowserRest {
    fn pause(&self) -> LocalBoxFuture<'static, ()> {
        Box::pin(async { BrowserClock.pause().await })
    }
    fn wait_ms(&self, milliseconds: u32) -> LocalBoxFuture<'static, ()> {
        Box::pin(async move { BrowserClock.wait_ms(milliseconds).await })
    }
}

/// Whoever is told.
pub(super) type Tell = Rc<dyn Fn(Told)>;

/// A run that is to be played: from its beginning, or from where it was broken off.
enum Begun {
    Anew(Condition, RunSettings),
    Further(Box<RunRecord>),
}

/// Plays, keeps and tells. One run or one experiment at a time.
pub(super) struct Desk {
    tell: Tell,
    chat: SwitchableChat,
    embedder: SwitchableEmbedder,
    /// Held while the means are being made ready, so that nothing is played without them.
    ready: Mutex<()>,
    /// What the vectors are, for the manifest; or why there are none.
    vectors: RefCell<String>,
    control: Control,
    /// Of the runs of an experiment that play.
    within: RefCell<Vec<Control>>,
    cancel: RefCell<Cancel>,
    runs: RefCell<Option<Runs>>,
    sim: RefCell<SimSettings>,
    max_tokens: Cell<u32>,
    /// What was said last of what could not be kept.
    unkept: RefCell<Option<String>>,
}

impl Desk {
    pub(super) fn new(tell: Tell) -> Rc<Self> {
        Rc::new(Self {
            tell,
            chat: SwitchableChat::default(),
            embedder: SwitchableEmbedder::default(),
            ready: Mutex::new(()),
            vectors: RefCell::default(),
            control: Control::new(),
            within: RefCell::default(),
            cancel: RefCell::new(Cancel::new()),
            runs: RefCell::default(),
            sim: RefCell::default(),
            max_tokens: Cell::default(),
            unkept: RefCell::default(),
        })
    }

    /// Does what is ordered; what takes time goes on by itself.
    pub(super) fn take(self: &Rc<Self>, order: Order) {
        match order {
            Order::Pause => self.control.pause(),
            Order::Resume => self.control.resume(),
            Order::Stop => self.control.cancel(),
            Order::Inject(on) => self.control.set_injection(on),
            Order::Act(act) => self.control.act(act),
            Order::StopExperiment { at_once } => {
                self.cancel.borrow().cancel();
                if at_once {
                    self.within.borrow().iter().for_each(Control::cancel);
                }
            }
            Order::Begin(means) => self.later(async move |desk| desk.begin(means).await),
            Order::Play { scenario, condition, settings, injection } => {
                self.control.set_injection(injection);
                self.later(async move |desk| desk.play(&scenario, Begun::Anew(condition, settings)).await);
            }
            Order::GoOn { scenario, record, injection } => {
                self.control.set_injection(injection);
                self.later(async move |desk| desk.play(&scenario, Begun::Further(record)).await);
            }
            Order::Experiment { definition, scenarios, earlier } => {
                let cancel = Cancel::new();
                *self.cancel.borrow_mut() = cancel.clone();
                let waits = ![Simulated::NAME, SCRIPTED].contains(&definition.narrator.as_str());
                self.later(async move |desk| {
                    let ready = desk.ready.lock().await;
                    drop(ready);
                    let host = Host { desk: &desk, waits, kept: Cell::default() };
                    let play = async || match earlier {
                        Some(earlier) => experiment::go_on(&earlier, &scenarios, &host, &cancel).await,
                        None => experiment::run(&definition, &scenarios, &host, &cancel).await,
                    };
                    let name = format!("experiment {}", definition.hash());
                    match Tabs::open(DATABASE).if_free(&name, play).await {
                        Some(Ok(experiment)) => desk.came(experiment).await,
                        Some(Err(problems)) => {
                            (desk.tell)(Told::Unplayable(problems.iter().map(ToString::to_string).collect()))
                        }
                        None => (desk.tell)(Told::Unplayable(vec![
                            "another tab plays this very experiment; watch it there, or stop it there first"
                                .to_owned(),
                        ])),
                    }
                });
            }
            Order::Analyse(experiment) => {
                let analysis = Box::new(Analysis::of(&experiment));
                (self.tell)(Told::Experiment(experiment, analysis));
            }
        }
    }

    fn later(self: &Rc<Self>, task: impl AsyncFnOnce(Rc<Self>) + 'static) {
        let desk = self.clone();
        spawn_local(async move { task(desk).await });
    }

    /// Connects the endpoint and gets the vectors.
    async fn begin(&self, means: Means) {
        let _held = self.ready.lock().await;
        *self.sim.borrow_mut() = means.sim;
        self.max_tokens.set(means.max_tokens);
        let keys =
            means.keys.iter().filter_map(|(origin, key)| Some((origin.clone(), Secret::parse(key).ok()?)));
        let keys = KeyStore::trial(keys);
        let endpoint = means.endpoint.and_then(|settings| Endpoint::new(settings, keys).ok());
        self.chat.connect(endpoint.clone());
        if let Some(endpoint) = endpoint.filter(|endpoint| names_vectors(endpoint.settings()))
            && let Ok(remote) = RemoteEmbedder::connect(endpoint, &Cancel::new()).await
        {
            self.embedder.use_endpoint(remote);
        } else {
            match vectors::load().await {
                Ok(model) => self.embedder.use_file(model),
                Err(why) => {
                    *self.vectors.borrow_mut() = format!("none ({why})");
                    return (self.tell)(Told::Unkept(format!(
                        "the file with the meanings of words is not here ({why}): words alone are compared"
                    )));
                }
            }
        }
        *self.vectors.borrow_mut() = self.embedder.space();
    }

    /// The store.
    ///
    /// # Errors
    /// Why what is played cannot be kept. A store in a worker's own memory would keep it for nobody.
    async fn runs(&self) -> Result<Runs, String> {
        let open = self.runs.borrow().clone();
        if let Some(runs) = open {
            return Ok(runs);
        }
        let wanted = self.sim.borrow().run_history;
        match Runs::open(wanted).await {
            Ok((runs, None)) => {
                *self.runs.borrow_mut() = Some(runs.clone());
                Ok(runs)
            }
            Ok((_, Some(why))) => Err(why),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Says once why something is not kept.
    fn unkept(&self, why: String) {
        let is_new = self.unkept.borrow().as_ref() != Some(&why);
        if is_new {
            *self.unkept.borrow_mut() = Some(why.clone());
            (self.tell)(Told::Unkept(why));
        }
    }

    async fn keep(&self, run: &RunRecord) -> Result<(), String> {
        let runs = self.runs().await?;
        runs.save_run(run, now()).await.map(drop).map_err(|error| error.to_string())
    }

    /// Plays one run that a person watches, in a memory that is kept with it.
    async fn play(self: &Rc<Self>, scenario: &Scenario, begun: Begun) {
        let ready = self.ready.lock().await;
        drop(ready);
        let told = match self.played(scenario, begun).await {
            Ok(record) => {
                if let Err(why) = self.keep(&record).await {
                    self.unkept(why);
                }
                Told::Ended(Box::new(record))
            }
            Err(words) => Told::Refused(words),
        };
        (self.tell)(told);
    }

    async fn played(self: &Rc<Self>, scenario: &Scenario, begun: Begun) -> Result<RunRecord, String> {
        let opened = BrowserJournal::open(DATABASE).await.map_err(|error| error.to_string())?;
        let settings = match &begun {
            Begun::Anew(_, settings) => settings,
            Begun::Further(record) => &record.settings,
        };
        let host = self.host(Rc::new(opened.journal), scenario, settings)?;
        let id = match &begun {
            Begun::Anew(condition, settings) => engine::id_of(scenario, condition, settings, &host),
            Begun::Further(record) => Ok(record.id.clone()),
        };
        let id = id.map_err(|error| error.to_string())?;
        let mut sink = |progress: engine::Progress<'_>| self.heard(progress);
        let play = async || match begun {
            Begun::Anew(condition, settings) => {
                engine::play(scenario, &condition, &settings, &host, &self.control, &mut sink).await
            }
            Begun::Further(record) => engine::go_on(scenario, *record, &host, &self.control, &mut sink).await,
        };
        // Two that played it at once would cut back each other's memory.
        let ended = Tabs::open(DATABASE).if_free(&format!("run {id}"), play).await;
        ended
            .ok_or_else(|| {
                "another tab plays this very run; watch it there, or end it there first".to_owned()
            })?
            .map_err(|error| error.to_string())
    }

    fn host<J>(
        &self,
        journal: Rc<J>,
        scenario: &Scenario,
        settings: &RunSettings,
    ) -> Result<engine::Host<J, SwitchableChat, SwitchableEmbedder>, String> {
        let model = Some(Rc::new(self.chat.clone()));
        Ok(engine::Host {
            journal,
            cast: Rc::new(Cast::of(scenario, settings, model).map_err(|error| error.to_string())?),
            embedder: Rc::new(self.embedder.clone()),
            rest: Rc::new(BrowserRest),
            base: self.base(),
            templates: BTreeMap::new(),
        })
    }

    /// The settings that scenario and condition are laid over.
    fn base(&self) -> Config {
        let mut base = Config { sim: self.sim.borrow().clone(), ..engine::base_config() };
        base.chat.max_tokens = self.max_tokens.get();
        base
    }

    fn heard(self: &Rc<Self>, progress: engine::Progress<'_>) {
        let told = match progress {
            engine::Progress::Asked { turn, of, kind, player } => {
                Told::Asked { turn, of, kind, player: player.to_owned() }
            }
            engine::Progress::Text { piece, .. } => Told::Text(piece.to_owned()),
            engine::Progress::Replied { reply, .. } => Told::Replied(reply.to_owned()),
            engine::Progress::Turn { turn, run } => {
                self.keep_later(run);
                Told::Turn(Box::new(turn.clone()))
            }
            engine::Progress::Phase { phase, units } => Told::Phase { phase, units: units.to_vec() },
            engine::Progress::Intervened { intervention, units, run } => {
                self.keep_later(run);
                Told::Intervened { intervention: intervention.clone(), units: units.to_vec() }
            }
            engine::Progress::SettingUp { run } => Told::SettingUp(Box::new(run.clone())),
            engine::Progress::Ended { .. } => return,
        };
        (self.tell)(told);
    }

    /// Keeps a run that goes on meanwhile. Writes end in the order in which they begin.
    fn keep_later(self: &Rc<Self>, run: &RunRecord) {
        let run = run.clone();
        self.later(async move |desk| {
            if let Err(why) = desk.keep(&run).await {
                desk.unkept(why);
            }
        });
    }

    async fn keep_experiment(&self, experiment: &Experiment) -> Result<(), String> {
        self.runs().await?.save_experiment(experiment).await.map_err(|error| error.to_string())
    }

    /// Keeps an experiment and tells what it came to.
    async fn came(&self, experiment: Experiment) {
        if experiment.complete().next().is_none() {
            let why = experiment.runs.iter().find_map(experiment::RunDigest::trouble);
            let why = why.unwrap_or_else(|| "it was stopped before".to_owned());
            let words = format!("no run was played to its end ({why}); nothing is reported");
            return (self.tell)(Told::Unplayable(vec![words]));
        }
        if let Err(why) = self.keep_experiment(&experiment).await {
            self.unkept(why);
        }
        let analysis = Box::new(Analysis::of(&experiment));
        (self.tell)(Told::Experiment(Box::new(experiment), analysis));
    }
}

fn now() -> Timestamp {
    BrowserClock.now().at
}

/// The desk as an experiment has it: runs in memories that go with them, kept as records.
struct Host<'a> {
    desk: &'a Desk,
    /// Runs wait for a model, so that others can play meanwhile. What only computes has one thread here, and is played one after the other.
    waits: bool,
    /// When the experiment was kept last while it is played.
    kept: Cell<Option<Timestamp>>,
}

/// Milliseconds between two keepings of an experiment that is played: a closed page loses no more of its figures, and none of its runs.
const KEPT_EVERY: i64 = 10_000;

impl experiment::Host for Host<'_> {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        let place = Place {
            condition: condition.name.clone(),
            scenario: scenario.id.clone(),
            repetition: settings.repetition,
        };
        (self.desk.tell)(Told::Began(place.clone()));
        let control = Control::new();
        self.desk.within.borrow_mut().push(control.clone());
        let played = match self.desk.host(Rc::new(MemoryJournal::new()), scenario, settings) {
            Ok(host) => engine::play(scenario, condition, settings, &host, &control, &mut |_| {})
                .await
                .map_err(|error| error.to_string()),
            Err(error) => Err(error),
        };
        let (survival, trouble) = match &played {
            Ok(run) => (survival(run), trouble(run)),
            Err(why) => (None, Some(why.clone())),
        };
        self.desk.within.borrow_mut().retain(|other| matches!(other.phase(), Phase::Running | Phase::Paused));
        (self.desk.tell)(Told::Over { place, survival, trouble });
        // Orders that came meanwhile are heard before the next run begins.
        BrowserClock.pause().await;
        played
    }

    async fn keep(&self, run: RunRecord) -> Result<(), String> {
        self.desk.keep(&run).await
    }

    async fn so_far(&self, experiment: impl FnOnce() -> Experiment) {
        let now = now();
        if self.kept.get().is_some_and(|last| now.0.saturating_sub(last.0) < KEPT_EVERY) {
            return;
        }
        let experiment = experiment();
        if experiment.complete().next().is_none() {
            return;
        }
        self.kept.set(Some(now));
        if let Err(why) = self.desk.keep_experiment(&experiment).await {
            self.desk.unkept(why);
        }
    }

    fn now(&self) -> Timestamp {
        now()
    }

    fn progress(&self, progress: &Progress) {
        (self.desk.tell)(Told::Progress(progress.clone()));
    }

    fn parallelism(&self) -> u32 {
        if self.waits { self.desk.sim.borrow().benchmark_parallelism } else { 1 }
    }

    fn reader(&self) -> String {
        let endpoint = self.desk.chat.endpoint().filter(|endpoint| endpoint.is_connected(Role::Extract));
        let model = endpoint.and_then(|endpoint| endpoint.settings().model(Role::Extract).map(str::to_owned));
        model.unwrap_or_else(|| experiment::BY_RULES.to_owned())
    }

    fn versions(&self) -> BTreeMap<String, String> {
        let version = |name: &str, version: String| (name.to_owned(), version);
        BTreeMap::from([
            version("credence-web", env!("CARGO_PKG_VERSION").to_owned()),
            version("vectors", self.desk.vectors.borrow().clone()),
        ])
    }
}

fn survival(run: &RunRecord) -> Option<f64> {
    let score = run.scores.get("oracle").or_else(|| run.scores.values().next())?;
    score.values.get("fact_survival").copied().flatten()
}

fn trouble(run: &RunRecord) -> Option<String> {
    match &run.status {
        RunStatus::Complete => None,
        RunStatus::Unfinished => Some("it is not over".to_owned()),
        RunStatus::Cancelled => Some("it was stopped".to_owned()),
        RunStatus::Failed { reason } => Some(reason.clone()),
    }
}
