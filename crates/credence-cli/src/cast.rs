//! Who plays: the simulated or scripted narrator, or models at an endpoint, by the options of the command line.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use credence::embedding::{Embedder, StaticModel};
use credence::history::MemoryJournal;
use credence::llm::{ModelError, Role};
use credence_sim::engine::{self, Control, WordsAlone};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, Narrator};
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::Scenario;

use crate::args::{Args, Usage};
use crate::endpoint::Endpoint;

/// The variable that the key is looked for in, unless `--key-env` names another.
const KEY: &str = "CREDENCE_API_KEY";

/// Options of a cast, as every command that plays has them.
pub(crate) const HELP: &str = "\
  --endpoint URL         a model's endpoint (OpenAI-compatible); without it the simulated narrator plays offline
  --preset NAME          the endpoint's kind: custom (default), openai, anthropic, ollama, llama-cpp, …
  --model NAME           the model that narrates
  --judge-model NAME     a model that judges beside the oracle
  --adversary-model NAME a model that words attacks; without it the catalogue's own sentences are used
  --key-env NAME         the environment variable with the key (default CREDENCE_API_KEY)
  --scripted             the narrator says what the scenario's `reply` lines say
  --embedding FILE       another static model for vectors than the one that ships; `none`: words alone find statements";

/// The vector model that the app loads too: what is played here is played there.
static MODEL: &[u8] = include_bytes!("../../../web/assets/embedding/credence-en-128.sem1");

/// Who plays.
pub(crate) struct Players {
    endpoint: Option<Rc<Endpoint>>,
    vectors: Rc<Vectors>,
    /// The name in records.
    pub(crate) narrator: String,
    /// The name in records; empty: the oracle alone.
    pub(crate) judge: String,
    /// The name in records; empty: the catalogue.
    pub(crate) adversary: String,
}

impl Players {
    /// Takes its options.
    ///
    /// # Errors
    /// Options that do not go together, an endpoint that cannot be used, a file that cannot be read.
    pub(crate) fn take(args: &mut Args) -> Result<Self> {
        let address = args.value("--endpoint")?;
        let preset = args.value("--preset")?;
        let model = args.value("--model")?;
        let judge = args.value("--judge-model")?.unwrap_or_default();
        let adversary = args.value("--adversary-model")?.unwrap_or_default();
        let key_env = args.value("--key-env")?;
        let scripted = args.flag("--scripted");
        let vectors = Rc::new(Vectors::load(args.value("--embedding")?.as_deref())?);
        let has_endpoint = address.is_some() || preset.is_some();
        let names_model = model.is_some() || !judge.is_empty() || !adversary.is_empty();
        if !has_endpoint && (names_model || key_env.is_some()) {
            bail!(Usage::new("a model is at an endpoint: give --endpoint or --preset as well"));
        }
        if scripted && model.is_some() {
            bail!(Usage::new("--scripted and --model both say who narrates; give one"));
        }
        let mut endpoint = None;
        if has_endpoint {
            let models = [
                (Role::Chat, &model),
                (Role::Judge, &Some(judge.clone())),
                (Role::Adversary, &Some(adversary.clone())),
            ];
            let models: BTreeMap<Role, String> = models
                .into_iter()
                .filter_map(|(role, name)| Some((role, name.clone()?)))
                .filter(|(_, name)| !name.is_empty())
                .collect();
            let key = std::env::var(key_env.as_deref().unwrap_or(KEY)).ok();
            if let (Some(name), None) = (&key_env, &key) {
                bail!("the environment has no variable `{name}`");
            }
            let preset = preset.as_deref().unwrap_or("custom");
            let address = address.as_deref().unwrap_or_default();
            endpoint = Some(Rc::new(Endpoint::new(preset, address, models, key.as_deref())?));
        }
        let narrator = match (model, scripted) {
            (Some(model), _) => model,
            (None, true) => "scripted".to_owned(),
            (None, false) => Simulated::NAME.to_owned(),
        };
        Ok(Self { endpoint, vectors, narrator, judge, adversary })
    }

    /// The endpoint, for commands that cannot do without.
    pub(crate) fn endpoint(&self) -> Result<&Endpoint> {
        let needed = "a model is needed: give --endpoint URL and --judge-model NAME";
        self.endpoint.as_deref().ok_or_else(|| Usage::new(needed).into())
    }

    /// The cast of one run.
    fn cast(&self, scenario: &Scenario, settings: &RunSettings) -> Result<Cast<Endpoint>, String> {
        let model = || self.endpoint.clone().ok_or_else(|| ModelError::NotConnected.to_string());
        let narrator = if settings.narrator == Simulated::NAME {
            Narrator::Simulated(Simulated::new(scenario, settings.seed))
        } else if settings.narrator == "scripted" {
            Narrator::Scripted { setting: scenario.setting.clone() }
        } else {
            Narrator::Model(model()?)
        };
        let mut cast = Cast::new(narrator);
        if !settings.judge.is_empty() {
            cast = cast.judged_by(model()?);
        }
        if !settings.adversary.is_empty() {
            cast = cast.attacked_by(model()?);
        }
        Ok(cast)
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
        let host = engine::Host {
            journal: Rc::new(MemoryJournal::new()),
            cast: Rc::new(self.cast(scenario, settings)?),
            embedder: self.vectors.clone(),
            rest: Rc::new(Sleep),
            base: engine::base_config(),
            templates: BTreeMap::new(),
        };
        let run = engine::play(scenario, condition, settings, &host, &Control::new(), sink).await;
        run.map_err(|error| error.to_string())
    }
}

/// Waits on this thread: nothing else is to be done meanwhile.
struct Sleep;

impl engine::Rest for Sleep {
    fn pause(&self) -> futures::future::LocalBoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
    fn wait_ms(&self, milliseconds: u32) -> futures::future::LocalBoxFuture<'static, ()> {
        std::thread::sleep(std::time::Duration::from_millis(u64::from(milliseconds)));
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
