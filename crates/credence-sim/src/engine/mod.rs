//! The engine: one scenario, one condition, one seed become one run on the real product.
//!
//! [`play`] is the one door, for the app, the command line and tests; [`go_on`] takes up a run that was put aside. A run has a context of its own,
//! `sim-` and its id, which stays when it has ended, so that its memory can be looked at. Steps, in order (simulator 3.1 to 3.10):
//! `plan` turns scenario and condition into settings or refuses; `seeds` begins the memory; then turn by turn `lines` says what the player
//! says, `sitting` where conversations begin, `turn` plays it, `diff` says what became of each unit and why, `sight` which facts the
//! narrator could see; `acts` are what a person does in between, `control` and `progress` how a host leads and follows; at the end
//! assertions and scores. `ports` is what makes the same run the same bytes; `resume` cuts a log back to a turn's end.
//!
//! Rules. A refusal comes before anything is written. A call that fails is a turn that failed, recorded and judged by nobody; a store that
//! fails ends the run as failed, with the turns that there are. Everything acts at a turn's boundary.

mod acts;
mod control;
mod diff;
mod lines;
mod met;
mod models;
mod options;
mod plan;
mod ports;
mod progress;
mod resume;
mod seeds;
mod sight;
mod sitting;
#[cfg(test)]
mod tests;
mod turn;

pub use control::{Control, Manipulation, Phase};
pub use models::not_applied;
pub use options::{OPTIONS, option_problems};
pub use plan::{HISTORY_TURNS, base_config};
pub use ports::{AtOnce, Rest, RunClock, RunIds, RunPorts, SITTING_MS, START, TURN_MS, WordsAlone};
pub use progress::Progress;

use std::collections::BTreeMap;
use std::rc::Rc;

use credence::config::Config;
use credence::embedding::Embedder;
use credence::history::{Journal, JournalError};
use credence::id::{ContextId, ConversationId};
use credence::llm::tuning::{RoleModel, Tuned};
use credence::llm::{Cancel, ChatModel, Role};
use credence::ports::Clock;
use credence::unit::UnitView;
use credence::{Error, Memory};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::control::{Wish, Woken};
use self::lines::Line;
use self::met::Met;
use crate::adversary::{Adversary, AdversarySettings, AdversaryView, Escalation};
use crate::assertions;
use crate::judge::model::ModelJudge;
use crate::metrics;
use crate::narrator::{Cast, FactReader, OnStage};
use crate::prompts::SimPrompts;
use crate::run::{Condition, RunRecord, RunSettings, RunStatus};
use crate::scenario::Scenario;

/// The form of run records.
const SCHEMA: u32 = 1;

/// What a host gives to a run.
pub struct Host<J, M, E> {
    /// Where the run's memory is kept.
    pub journal: Rc<J>,
    /// Who narrates, judges and attacks.
    pub cast: Rc<Cast<M>>,
    /// Text to vector.
    pub embedder: Rc<E>,
    /// How time passes and the thread is given back.
    pub rest: Rc<dyn Rest>,
    /// The settings that the scenario's and the condition's are laid over; [`base_config`] where there are no others.
    pub base: Config,
    /// Templates in place of the compiled-in ones, by name.
    pub templates: BTreeMap<String, String>,
}

/// Why a run could not be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It cannot be played as it is written; nothing was.
    #[error("the run cannot be played: {}", problems.join("; "))]
    Refused {
        /// Each with its place and the remedy.
        problems: Vec<String>,
    },
    /// The control leads another run.
    #[error("another run is under way; wait for it, or stop it")]
    Busy,
    /// The memory could not be made ready.
    #[error(transparent)]
    Memory(#[from] Error),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] JournalError),
}

/// The first 16 hexadecimal digits of the SHA-256 of a value's canonical JSON: members by name.
pub fn digest(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default().to_string();
    Sha256::digest(json.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The context that a run's memory is in.
///
/// # Errors
/// A run id that no context can be named after.
pub fn context_of(run: &str) -> Result<ContextId, RunError> {
    ContextId::new(format!("sim-{run}"))
        .map_err(|error| RunError::Refused { problems: vec![error.to_string()] })
}

/// Plays a scenario under a condition, from the beginning; an earlier run of the same name is replaced.
///
/// # Errors
/// What could not be begun. Once it plays, what goes wrong is in the record: a narrator that fails in its turn, a store that fails in the
/// run's status.
pub async fn play<J: Journal, M: ChatModel, E: Embedder>(
    scenario: &Scenario,
    condition: &Condition,
    settings: &RunSettings,
    host: &Host<J, M, E>,
    control: &Control,
    sink: &mut dyn FnMut(Progress<'_>),
) -> Result<RunRecord, RunError> {
    let (config, record) = prepared(scenario, condition, settings, host)?;
    led(control, sink, async |sink| {
        host.journal.erase(&context_of(&record.id)?).await?;
        let mut stage = Stage::open(scenario, host, control, config, record.clone()).await?;
        sink(Progress::SettingUp { run: &record });
        stage.ids.begin(0);
        stage.clock.set(0, 0);
        stage.sow().await?;
        stage.play(sink).await;
        Ok(stage.record)
    })
    .await
}

/// The id that [`play`] gives the run: for hosts that let one play it at a time.
///
/// # Errors
/// [`RunError::Refused`], as [`play`] would be.
pub fn id_of<J: Journal, M: ChatModel, E: Embedder>(
    scenario: &Scenario,
    condition: &Condition,
    settings: &RunSettings,
    host: &Host<J, M, E>,
) -> Result<String, RunError> {
    prepared(scenario, condition, settings, host).map(|(_, record)| record.id)
}

/// Goes on with a run that was put aside, from the end of its last whole turn; the record is what an unbroken run would have given.
///
/// # Errors
/// As [`play`]; a record that is over, of another scenario or of other settings, or whose memory is gone.
pub async fn go_on<J: Journal, M: ChatModel, E: Embedder>(
    scenario: &Scenario,
    record: RunRecord,
    host: &Host<J, M, E>,
    control: &Control,
    sink: &mut dyn FnMut(Progress<'_>),
) -> Result<RunRecord, RunError> {
    let (config, fresh) = prepared(scenario, &record.condition, &record.settings, host)?;
    let names = [
        (&fresh.id, &record.id),
        (&fresh.prompts_hash, &record.prompts_hash),
        (&fresh.config_hash, &record.config_hash),
    ];
    if names.iter().any(|(now, then)| now != then) {
        let problem = format!(
            "run {}: scenario, settings or templates are others than it was begun with; play it anew",
            record.id
        );
        return Err(RunError::Refused { problems: vec![problem] });
    }
    let position = resume::position(&record)?;
    if position == 0 {
        return play(scenario, &record.condition, &record.settings, host, control, sink).await;
    }
    led(control, sink, async |sink| {
        resume::cut(&*host.journal, &context_of(&record.id)?, &record, position).await?;
        host.cast.count_on(record.cost.clone());
        let mut stage = Stage::open(scenario, host, control, config, record.clone()).await?;
        stage.conversation = stage.memory.state().conversations().next_back().map(|open| open.id);
        if let Some(last) = stage.record.turns.last() {
            (stage.units, stage.seq) = (last.units_after.clone(), last.seq);
        }
        stage.play(sink).await;
        Ok(stage.record)
    })
    .await
}

/// The settings that a run's memory has: what looks at it from outside reads it as the run did.
///
/// # Errors
/// [`RunError::Refused`], as [`play`] would be.
pub fn config_of(scenario: &Scenario, run: &RunRecord, base: &Config) -> Result<Config, RunError> {
    let config = plan::plan(scenario, &run.condition, &run.settings, base);
    let mut config = config.map_err(|problems| RunError::Refused { problems })?;
    config.persistence.clear_on_start = false;
    Ok(config)
}

/// Everything that is decided before anything is written.
fn prepared<J, M: ChatModel, E>(
    scenario: &Scenario,
    condition: &Condition,
    settings: &RunSettings,
    host: &Host<J, M, E>,
) -> Result<(Config, RunRecord), RunError> {
    let settings = &models::chosen(scenario, &judged_by_settings(settings, host));
    let config = plan::plan(scenario, condition, settings, &host.base);
    let mut problems = config.as_ref().err().cloned().unwrap_or_default();
    problems.extend(host.base.validate().err());
    if !host.cast.is_connected(Role::Chat) {
        problems.push("narrator: no model is connected for the role chat; choose an endpoint, or the simulated narrator".to_owned());
    }
    if !settings.judge.is_empty() && !host.cast.is_connected(Role::Judge) {
        problems.push(format!(
            "judge: {} is to judge, and no model is connected for the role judge",
            settings.judge
        ));
    }
    if !settings.adversary.is_empty() && !host.cast.is_connected(Role::Adversary) {
        problems.push(format!(
            "adversary: {} is to attack, and no model is connected for the role adversary",
            settings.adversary
        ));
    }
    problems.extend(option_problems(&settings.options));
    let (scenario_hash, prompts_hash) = (digest(scenario), digest(&host.templates_in_force(&mut problems)));
    let config = match config {
        // A narrator that is no model cannot be asked about its own answers: rules alone check them.
        Ok(mut config) if problems.is_empty() => {
            config.enforcement.check_by_model &= host.cast.checks();
            config
        }
        _ => return Err(RunError::Refused { problems }),
    };
    // Everything that shapes a run names it, so that two that differ never take each other's place.
    let config_hash = digest(&config);
    let id = digest(&(&scenario_hash, &prompts_hash, &config_hash, condition, settings))[..12].to_owned();
    let record = RunRecord {
        schema: SCHEMA,
        scenario: scenario.id.clone(),
        scenario_hash,
        prompts_hash,
        config_hash,
        rules: config.unit.invariants.of(&context_of(&id)?).into_iter().cloned().collect(),
        condition: condition.clone(),
        settings: settings.clone(),
        started: START,
        ended: None,
        status: RunStatus::Unfinished,
        turns: Vec::new(),
        interventions: Vec::new(),
        assertions: Vec::new(),
        scores: BTreeMap::new(),
        cost: crate::run::Cost::default(),
        id,
    };
    Ok((config, record))
}

/// The run's settings with the judge that the host's settings name (`sim.evaluator-model`), where the run names none and one is connected.
fn judged_by_settings<J, M: ChatModel, E>(settings: &RunSettings, host: &Host<J, M, E>) -> RunSettings {
    let mut settings = settings.clone();
    if let Some(model) = &host.base.sim.evaluator_model
        && settings.judge.is_empty()
        && host.cast.is_connected(Role::Judge)
    {
        settings.judge.clone_from(model);
    }
    settings
}

impl<J, M, E> Host<J, M, E> {
    /// Every template of a run by name.
    fn templates_in_force(&self, problems: &mut Vec<String>) -> BTreeMap<String, String> {
        let mut prompts = credence::prompt::Prompts::default();
        let mut own = SimPrompts::default();
        for (name, source) in &self.templates {
            let replaced =
                if is_of_runs(name) { own.replace(name, source) } else { prompts.replace(name, source) };
            problems.extend(replaced.err().map(|error| error.to_string()));
        }
        let all = prompts.sources().chain(own.sources());
        all.map(|(name, source)| (name.to_owned(), source.to_owned())).collect()
    }

    /// What the judge and the adversary are told.
    fn own_prompts(&self) -> Result<SimPrompts, RunError> {
        let mut own = SimPrompts::default();
        for (name, source) in self.templates.iter().filter(|(name, _)| is_of_runs(name)) {
            own.replace(name, source).map_err(Error::from)?;
        }
        Ok(own)
    }
}

/// Whether a template is one of runs, and not of the product.
fn is_of_runs(name: &str) -> bool {
    name.starts_with("simulate/")
}

/// The model that judges, where the settings name one.
fn judge<J, M, E>(
    scenario: &Scenario,
    settings: &RunSettings,
    host: &Host<J, M, E>,
) -> Result<Option<ModelJudge>, RunError> {
    if settings.judge.is_empty() {
        return Ok(None);
    }
    let (mode, show_units) = options::judging(&settings.options);
    Ok(Some(ModelJudge {
        mode,
        show_units,
        model: Some(settings.judge.clone()),
        temperature: scenario.evaluator.temperature,
        prompts: host.own_prompts()?,
    }))
}

/// Leads a run through the states of its control.
async fn led(
    control: &Control,
    sink: &mut dyn FnMut(Progress<'_>),
    run: impl AsyncFnOnce(&mut dyn FnMut(Progress<'_>)) -> Result<RunRecord, RunError>,
) -> Result<RunRecord, RunError> {
    if !control.begin() {
        return Err(RunError::Busy);
    }
    let outcome = run(sink).await;
    control.become_(Phase::Completed);
    if let Ok(record) = &outcome {
        sink(Progress::Ended { run: record });
    }
    outcome
}

type Ported<J, M, E> = RunPorts<J, OnStage<M>, E>;

/// A run under way.
struct Stage<'a, J: Journal, M: ChatModel, E: Embedder> {
    scenario: &'a Scenario,
    condition: Condition,
    host: &'a Host<J, M, E>,
    control: &'a Control,
    config: Config,
    memory: Memory<Ported<J, M, E>>,
    clock: RunClock,
    ids: RunIds,
    reader: FactReader,
    met: Met,
    judge: Option<ModelJudge>,
    prompts: SimPrompts,
    conversation: Option<ConversationId>,
    /// The working set at the end of the last turn, and the log's position then.
    units: Vec<UnitView>,
    seq: u64,
    record: RunRecord,
}

impl<'a, J: Journal, M: ChatModel, E: Embedder> Stage<'a, J, M, E> {
    async fn open(
        scenario: &'a Scenario,
        host: &'a Host<J, M, E>,
        control: &'a Control,
        mut config: Config,
        record: RunRecord,
    ) -> Result<Self, RunError> {
        config.persistence.clear_on_start = false;
        let clock = RunClock::new(host.rest.clone());
        let ids = RunIds::new(u64::from_str_radix(&record.id, 16).unwrap_or_default());
        let ports = RunPorts {
            journal: host.journal.clone(),
            chat: Rc::new(OnStage(host.cast.clone())),
            embedder: host.embedder.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
        };
        let judge = judge(scenario, &record.settings, host)?;
        let memory = Memory::open(ports, context_of(&record.id)?, config.clone()).await?;
        for (name, source) in host.templates.iter().filter(|(name, _)| !is_of_runs(name)) {
            memory.prompts().replace(name, source).map_err(Error::from)?;
        }
        let met = Met::of(&memory);
        Ok(Self {
            scenario,
            condition: record.condition.clone(),
            host,
            control,
            config,
            memory,
            clock,
            ids,
            reader: FactReader::new(Rc::new(scenario.clone())),
            met,
            judge,
            prompts: host.own_prompts()?,
            conversation: None,
            units: Vec::new(),
            seq: 0,
            record,
        })
    }

    async fn sow(&self) -> Result<(), RunError> {
        if !plan::learns(self.condition.memory) {
            return Ok(());
        }
        let seeds = self.condition.seeds(&self.scenario.seeds);
        let sown = seeds::sow(&self.memory, self.scenario, &seeds, self.condition.is_governed()).await;
        sown.map_err(|error| match error {
            Error::Refused(objection) => {
                RunError::Refused { problems: vec![format!("seedUnits: {}", objection.words)] }
            }
            other => RunError::Memory(other),
        })
    }

    /// Plays to the end, from wherever the record stands.
    async fn play(&mut self, sink: &mut dyn FnMut(Progress<'_>)) {
        let status = match self.turns(sink).await {
            Ok(status) => status,
            Err(error) => RunStatus::Failed { reason: error.to_string() },
        };
        self.record.cost = self.host.cast.cost();
        self.record.status = status;
        if self.record.status == RunStatus::Unfinished {
            return;
        }
        self.record.ended = Some(self.clock.now().at);
        if self.condition.is_governed() {
            self.record.assertions = assertions::check(self.scenario, &self.memory.working_set());
        }
        if !self.scenario.facts.is_empty() {
            let model = (!self.record.settings.judge.is_empty()).then_some("model");
            let judges = ["oracle"].into_iter().chain(model);
            self.record.scores = judges
                .map(|judge| (judge.to_owned(), metrics::score(self.scenario, &self.record.turns, judge)))
                .collect();
        }
    }

    async fn turns(&mut self, sink: &mut dyn FnMut(Progress<'_>)) -> Result<RunStatus, Error> {
        let first = match self.record.turns.last() {
            Some(last) => last.turn + 1,
            None => u32::from(!sitting::has_turn_zero(self.scenario)),
        };
        for turn in first..=self.record.settings.max_turns {
            if let Some(status) = self.boundary(turn, sink).await {
                return Ok(status);
            }
            self.ids.begin(step(turn, STEPS - 1));
            self.clock.set(turn, sitting::ended(self.scenario, turn));
            let line = self.line(turn).await;
            let played = self.turn(turn, line, sink).await?;
            self.record.cost = self.host.cast.cost();
            self.record.turns.push(played);
            if let Some(turn) = self.record.turns.last() {
                sink(Progress::Turn { turn, run: &self.record });
            }
            self.clock.pause().await;
        }
        Ok(RunStatus::Complete)
    }

    /// The run's judge and adversary, who may be silent for as long as the product's own roles (`sim.llm-call-timeout-seconds`); else the
    /// endpoint's default would say how long. Their models and temperatures are the run's to choose, so no role's settings are laid over.
    fn asked(&self) -> Tuned<'_, Cast<M>> {
        let [chat, extraction, resolution] =
            [RoleModel::default(), RoleModel::default(), RoleModel::default()];
        Tuned::new(&self.host.cast, chat, extraction, resolution, self.config.llm_call)
    }

    async fn line(&self, turn: u32) -> Line {
        if turn == 0 {
            return Line::zero();
        }
        if let Some(line) = Line::scripted(self.scenario, turn) {
            return line;
        }
        let settings = &self.record.settings;
        let own = AdversarySettings {
            seed: settings.seed,
            escalation: Escalation::of(settings),
            judge: if self.judge.is_some() { "model" } else { "oracle" }.to_owned(),
            most_calls: self.config.sim.adversary_budget,
            model: Some(settings.adversary.clone()).filter(|model| !model.is_empty()),
        };
        let asked = self.asked();
        let chat = (!settings.adversary.is_empty()).then_some(&asked);
        let units = self.memory.working_set();
        let conflicted = lines::conflicted(&self.record.turns, &units);
        let view = AdversaryView { turn, turns: &self.record.turns, units: &units, conflicted: &conflicted };
        let adversary = Adversary::new(self.scenario, own).with_prompts(self.prompts.clone());
        Line::of(adversary.next_line(&view, chat, &Cancel::new()).await)
    }

    /// What was wished for by the time that a turn would begin; the status that ends the run here.
    async fn boundary(&mut self, turn: u32, sink: &mut dyn FnMut(Progress<'_>)) -> Option<RunStatus> {
        let mut wish = self.control.wished();
        if wish == Wish::Pause {
            self.clock.set(turn, sitting::ended(self.scenario, turn));
            self.phase(Phase::Paused, sink);
            loop {
                match self.control.woken().await {
                    Woken::Wish(other) => {
                        wish = other;
                        break;
                    }
                    Woken::Act(act) => self.intervene(&act, turn, sink).await,
                }
            }
            if wish == Wish::GoOn {
                self.phase(Phase::Running, sink);
            }
        }
        match wish {
            Wish::GoOn | Wish::Pause => None,
            Wish::PutAside => Some(RunStatus::Unfinished),
            Wish::Cancel => Some(RunStatus::Cancelled),
        }
    }

    fn phase(&self, phase: Phase, sink: &mut dyn FnMut(Progress<'_>)) {
        self.control.become_(phase);
        sink(Progress::Phase { phase, units: &self.memory.working_set() });
    }

    async fn intervene(&mut self, act: &Manipulation, turn: u32, sink: &mut dyn FnMut(Progress<'_>)) {
        let before = self.record.interventions.iter().filter(|done| done.turn == turn).count();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        self.ids.begin(step(turn, before.min(STEPS - 2)));
        let intervention = acts::carry_out(&self.memory, act, turn, &self.met).await;
        self.record.interventions.push(intervention.clone());
        let (units, run) = (&self.memory.working_set(), &self.record);
        sink(Progress::Intervened { intervention: &intervention, units, run });
    }
}

/// Steps of a turn that ids are told apart by: what a person does before it, one after the other, and the turn.
const STEPS: u32 = 4096;

/// The number of a step; 0 is the beginning's.
fn step(turn: u32, n: u32) -> u32 {
    turn.saturating_mul(STEPS).saturating_add(n).saturating_add(1)
}
