//! Who plays: the simulated or scripted narrator, or models at an endpoint, by the options of the command line; and under which properties.
//!
//! A run plays on a thread of its own, so that runs of an experiment really are side by side, waiting for a model or computing; everything of a
//! run is made on its thread, and what they share (endpoint, vectors) changes nothing that a run is made of.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use credence::config::Config;
use credence::config::properties::property;
use credence::embedding::{Embedder, StaticModel};
use credence::history::MemoryJournal;
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};
use credence_sim::engine::{self, Control, WordsAlone};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, SCRIPTED, by_model};
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::Scenario;
use futures::channel::oneshot;
use futures::executor::block_on;

use crate::args::{Args, Usage};
use crate::endpoints::{ELSEWHERE, Endpoints, Place, READING, Who};

/// The variable that the key is looked for in, unless `--key-env` names another.
const KEY: &str = "CREDENCE_API_KEY";

/// Options of a cast, as every command that plays has them.
pub(crate) const HELP: &str = "\
  --endpoint URL         a model's endpoint (OpenAI-compatible); without it the simulated narrator plays offline
  --preset NAME          the endpoint's kind: custom (default), openai, anthropic, ollama, llama-cpp, …
  --model NAME           the model that narrates
  --judge-model NAME     a model that judges beside the oracle
  --adversary-model NAME a model that words attacks; without it the catalogue's own sentences are used
  --memory-model NAME    the model that reads turns and compares statements for the memory (default: the one that narrates);
                         `none`: the built-in rules do
  --key-env NAME         the environment variable with the key (default CREDENCE_API_KEY)
  --judge-endpoint URL   the judge's own endpoint; --judge-preset and --judge-key-env say its kind and key, which goes nowhere else
  --adversary-endpoint URL, --memory-endpoint URL
                         the same for who words attacks and for who reads for the memory
  --scripted             the narrator says what the scenario's `reply` lines say
  --embedding FILE       another static model for vectors than the one that ships; `none`: words alone find statements";

/// The vector model that the app loads too: what is played here is played there.
static MODEL: &[u8] = include_bytes!("../../../web/assets/embedding/credence-en-128.sem1");

/// Properties by name, as `--property NAME=VALUE` and `properties:` of a file say them.
pub(crate) type Properties = Vec<(String, String)>;

/// Takes every `--property NAME=VALUE`.
pub(crate) fn properties(args: &mut Args) -> Result<Properties, Usage> {
    let split = |said: String| match said.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(Usage::new(format!("--property {said}: write NAME=VALUE"))),
    };
    args.values("--property")?.into_iter().map(split).collect()
}

/// What runs begin with under these properties; the later of two of one name holds.
fn base(properties: &Properties) -> Result<Config> {
    let mut base = engine::base_config();
    for (name, text) in properties {
        let takes = property(name).map_err(anyhow::Error::msg)?.takes;
        let value = takes.read(text).map_err(|problem| anyhow::anyhow!("{name} {problem}"))?;
        base.set_property(name, value).map_err(anyhow::Error::msg)?;
    }
    Ok(base)
}

/// `--memory-model none`.
const NO_MODEL: &str = "none";

/// Who plays.
pub(crate) struct Players {
    endpoints: Option<Arc<Endpoints>>,
    vectors: Arc<Vectors>,
    /// What runs begin with: ours, and the properties that the command line or a file sets.
    pub(crate) base: Config,
    /// The name in records.
    pub(crate) narrator: String,
    /// The name in records; empty: the oracle alone.
    pub(crate) judge: String,
    /// The name in records; empty: the catalogue.
    pub(crate) adversary: String,
    /// Who reads turns and compares statements, in the manifest's words.
    pub(crate) reader: String,
}

/// The options of a cast as the command line gives them.
pub(crate) struct Options {
    place: Place,
    /// Of roles that are elsewhere.
    own: Vec<(&'static Who, Place)>,
    model: Option<String>,
    judge: Option<String>,
    adversary: Option<String>,
    memory: Option<String>,
    scripted: bool,
    embedding: Option<String>,
}

impl Options {
    /// Takes them.
    pub(crate) fn take(args: &mut Args) -> Result<Self, Usage> {
        let own = ELSEWHERE.iter().map(|who| Ok((who, Place::take(args, who.word)?)));
        let own = own.collect::<Result<Vec<_>, Usage>>()?;
        Ok(Self {
            place: Place::take(args, "")?,
            own: own.into_iter().filter(|(_, place)| place.is_given()).collect(),
            model: args.value("--model")?,
            judge: args.value("--judge-model")?,
            adversary: args.value("--adversary-model")?,
            memory: args.value("--memory-model")?,
            scripted: args.flag("--scripted"),
            embedding: args.value("--embedding")?,
        })
    }

    /// Who plays by them, under these properties. A judge that is named here wins over `sim.evaluator-model`.
    ///
    /// # Errors
    /// Options that do not go together, a property that is refused, an endpoint that cannot be used, a file that cannot be read.
    pub(crate) fn players(self, properties: &Properties) -> Result<Players> {
        let Self { place, own, model, memory, scripted, .. } = self;
        let base = base(properties)?;
        let judge = self.judge.or_else(|| base.sim.evaluator_model.clone()).unwrap_or_default();
        let adversary = self.adversary.unwrap_or_default();
        let vectors = Arc::new(Vectors::load(self.embedding.as_deref())?);
        let is_elsewhere = |role: Role| own.iter().any(|(who, _)| who.roles.contains(&role));
        let needs_place = |role: Role, is_named: bool| is_named && !is_elsewhere(role);
        let names_model = needs_place(Role::Chat, model.is_some())
            || needs_place(Role::Extract, memory.is_some())
            || needs_place(Role::Judge, !judge.is_empty())
            || needs_place(Role::Adversary, !adversary.is_empty());
        if !place.is_given() && (names_model || place.key_env.is_some()) {
            bail!(Usage::new("a model is at an endpoint: give --endpoint or --preset as well"));
        }
        if scripted && model.is_some() {
            bail!(Usage::new("--scripted and --model both say who narrates; give one"));
        }
        let by_rules = memory.as_deref() == Some(NO_MODEL);
        if by_rules && is_elsewhere(Role::Extract) {
            bail!(Usage::new(
                "--memory-model none and --memory-endpoint both say who reads for the memory; give one"
            ));
        }
        let named = |role: Role| match role {
            Role::Chat => model.clone(),
            Role::Judge => Some(judge.clone()),
            Role::Adversary => Some(adversary.clone()),
            Role::Embed => None,
            Role::Extract | Role::Revise | Role::Resolve => memory.clone().filter(|_| !by_rules),
        };
        let models_of = |roles: &[Role]| -> BTreeMap<Role, String> {
            let named = roles.iter().filter_map(|role| Some((*role, named(*role)?)));
            named.filter(|(_, name)| !name.is_empty()).collect()
        };
        let here: Vec<Role> = Role::ALL.into_iter().filter(|role| !is_elsewhere(*role)).collect();
        let main = match place.is_given() {
            true => {
                let unserved = if by_rules { READING.to_vec() } else { Vec::new() };
                let key = place.key(Some(KEY))?;
                Some(place.endpoint(models_of(&here), unserved, key.as_deref())?)
            }
            false => None,
        };
        let mut elsewhere = BTreeMap::new();
        for (who, place) in &own {
            let key = place.key(None)?;
            for role in who.roles {
                let models = models_of(&[*role]);
                if models.is_empty() {
                    let who = who.word;
                    bail!(Usage::new(format!(
                        "--{who}-endpoint needs a model that is there: give --{who}-model as well"
                    )));
                }
                elsewhere.insert(*role, place.endpoint(models, Vec::new(), key.as_deref())?);
            }
        }
        let endpoints = Endpoints::new(main, elsewhere).map(Arc::new);
        let reader = endpoints
            .as_ref()
            .and_then(|endpoints| endpoints.model(Role::Extract))
            .unwrap_or_else(|| credence_sim::experiment::BY_RULES.to_owned());
        let narrator = match (model, scripted) {
            (Some(model), _) => by_model(&model),
            (None, true) => SCRIPTED.to_owned(),
            (None, false) => Simulated::NAME.to_owned(),
        };
        Ok(Players { endpoints, vectors, base, narrator, judge, adversary, reader })
    }
}

impl Players {
    /// The endpoints, for commands that cannot do without.
    pub(crate) fn endpoints(&self) -> Result<&Endpoints> {
        let needed = "a model is needed: give --endpoint URL and --judge-model NAME";
        self.endpoints.as_deref().ok_or_else(|| Usage::new(needed).into())
    }

    /// Plays one run in a memory of its own.
    ///
    /// # Errors
    /// Why it could not be begun, in words.
    pub(crate) async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
        sink: &mut dyn FnMut(engine::Progress<'_>),
    ) -> Result<RunRecord, String> {
        let model = self.endpoints.clone().map(|endpoints| Rc::new(Shared(endpoints)));
        let host = engine::Host {
            journal: Rc::new(MemoryJournal::new()),
            cast: Rc::new(Cast::of(scenario, settings, model).map_err(|error| error.to_string())?),
            embedder: Rc::new(Shared(self.vectors.clone())),
            rest: Rc::new(Sleep),
            base: self.base.clone(),
            templates: BTreeMap::new(),
        };
        let run = engine::play(scenario, condition, settings, &host, &Control::new(), sink).await;
        run.map_err(|error| error.to_string())
    }

    /// Plays one run on a thread of its own; whoever waits for it can wait for others meanwhile.
    ///
    /// # Errors
    /// As [`Self::play`]; no thread, or a fault of the program.
    pub(crate) async fn play_apart(
        self: &Arc<Self>,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        let (tell, told) = oneshot::channel();
        let (players, scenario) = (self.clone(), scenario.clone());
        let (condition, settings) = (condition.clone(), settings.clone());
        let work = move || {
            let mut pace = Pace::new(format!("{} under {}", scenario.id, condition.name));
            let mut sink = |progress: engine::Progress<'_>| {
                if let engine::Progress::Turn { turn, .. } = progress {
                    pace.turn(turn.turn);
                }
            };
            // Nobody listens any more once the program ends.
            let _told = tell.send(block_on(players.play(&scenario, &condition, &settings, &mut sink)));
        };
        let begun = std::thread::Builder::new().name("run".to_owned()).spawn(work);
        begun.map_err(|error| format!("no thread for a run: {error}"))?;
        told.await.unwrap_or_else(|_| Err("the run ended by a fault of the program".to_owned()))
    }
}

/// Tells how far a slow run is; one that is over in a moment says nothing.
struct Pace {
    run: String,
    told: Instant,
}

impl Pace {
    /// Between two lines of one run.
    const EVERY: Duration = Duration::from_secs(15);

    fn new(run: String) -> Self {
        Self { run, told: Instant::now() }
    }

    fn turn(&mut self, turn: u32) {
        if self.told.elapsed() >= Self::EVERY {
            self.told = Instant::now();
            eprintln!("  {}: turn {turn} is over", self.run);
        }
    }
}

/// What several threads use, as the port that each run's own thread wants.
struct Shared<T>(Arc<T>);

impl<M: ChatModel> ChatModel for Shared<M> {
    fn is_connected(&self, role: Role) -> bool {
        self.0.is_connected(role)
    }
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        self.0.complete(role, request, on_text, cancel).await
    }
    async fn first_tokens(&self, role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        self.0.first_tokens(role, words).await
    }
}

impl<E: Embedder> Embedder for Shared<E> {
    fn space(&self) -> String {
        self.0.space()
    }
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn is_cheap(&self) -> bool {
        self.0.is_cheap()
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.0.embed(texts).await
    }
}

/// Waits on the run's thread: it has nothing else to do meanwhile.
struct Sleep;

impl engine::Rest for Sleep {
    fn pause(&self) -> futures::future::LocalBoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
    fn wait_ms(&self, milliseconds: u32) -> futures::future::LocalBoxFuture<'static, ()> {
        std::thread::sleep(Duration::from_millis(u64::from(milliseconds)));
        Box::pin(std::future::ready(()))
    }
}

/// Vectors of the static model, or none.
enum Vectors {
    Words(WordsAlone),
    Static(StaticModel),
}

impl Vectors {
    fn load(wanted: Option<&str>) -> Result<Self> {
        let path = match wanted {
            Some("none") => return Ok(Self::Words(WordsAlone)),
            Some(path) => PathBuf::from(path),
            None => {
                let model = StaticModel::load(MODEL).context("the vector model that ships")?;
                return Ok(Self::Static(model));
            }
        };
        let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let model = StaticModel::load(bytes).with_context(|| format!("{}", path.display()))?;
        Ok(Self::Static(model))
    }
}

impl Embedder for Vectors {
    fn space(&self) -> String {
        match self {
            Self::Words(words) => words.space(),
            Self::Static(model) => model.space(),
        }
    }
    fn dimension(&self) -> usize {
        match self {
            Self::Words(words) => words.dimension(),
            Self::Static(model) => model.dimension(),
        }
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        match self {
            Self::Words(words) => words.embed(texts).await,
            Self::Static(model) => Embedder::embed(model, texts).await,
        }
    }
}
