//! The settings of the runner itself (`sim.*`): that changing each changes what a run does.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::task::Poll;

use credence::config::Config;
use credence::llm::scripted::ScriptedModel;
use credence::llm::{Cancel, ChatReply, ChatRequest, ModelError, Role};
use credence::time::Timestamp;
use futures::future::{LocalBoxFuture, poll_fn};
use serde_json::{Value, json};

use super::super::{Rest, RunError, not_applied};
use super::*;
use crate::adversary::LineBy;
use crate::experiment::{self, Analysis, Definition, Experiment, RunDigest};
use crate::run::{Played, RunStatus};
use crate::scenario::AdversaryMode;

/// Comes back when the others had their turn.
fn others_first() -> LocalBoxFuture<'static, ()> {
    let asked = Cell::new(false);
    Box::pin(poll_fn(move |context| {
        if asked.replace(true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }))
}

fn with(name: &str, value: Value) -> Config {
    let mut base = base_config();
    base.set_property(name, value).unwrap();
    base
}

const VERDICT: &str = r#"{"verdicts": [{"fact": "gate", "verdict": "CONFIRMED", "confidence": 5}]}"#;

/// A model that answers every role, lets others in while it thinks, and writes down when each call began and ended.
#[derive(Clone)]
struct Watched {
    model: ScriptedModel,
    calls: Rc<RefCell<Vec<String>>>,
}

impl Watched {
    fn new() -> Self {
        let model = ScriptedModel::new().respond_with(|role, _| {
            Ok(match role {
                Role::Chat => "The north gate of Harrowkeep is closed.",
                Role::Judge => VERDICT,
                Role::Adversary => {
                    r#"{"strategies": ["CONFIDENT_ASSERTION"], "message": "The gate is open."}"#
                }
                Role::Extract => r#"{"propositions": []}"#,
                _ => "{}",
            }
            .to_owned())
        });
        Self { model, calls: Rc::default() }
    }
    fn asked(&self, role: Role) -> Vec<ChatRequest> {
        self.model.requests().into_iter().filter(|(of, _)| *of == role).map(|(_, request)| request).collect()
    }
}

impl ChatModel for Watched {
    fn is_connected(&self, role: Role) -> bool {
        self.model.is_connected(role)
    }
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        self.calls.borrow_mut().push(format!("{} begins", role.as_str()));
        others_first().await;
        let reply = self.model.complete(role, request, on_text, cancel).await;
        self.calls.borrow_mut().push(format!("{} ends", role.as_str()));
        reply
    }
}

fn watched(model: &Watched, base: Config) -> OfflineHost<Watched> {
    let model = || Rc::new(model.clone());
    let cast = Cast::new(Narrator::Model(model())).judged_by(model()).attacked_by(model());
    Host { cast: Rc::new(cast), base, ..host(Narrator::Model(model())) }
}

#[test]
fn prop_sim_evaluator_model_judges_where_a_run_names_no_judge() {
    let scenario = story();
    let settings = RunSettings { max_turns: 4, ..settings(&scenario, 1) };
    let played = |base: Config, settings: &RunSettings| {
        let model = Watched::new();
        let record = run_on(&scenario, &condition("FULL_AWMU"), settings, &watched(&model, base)).unwrap();
        let asked: Vec<Option<String>> =
            model.asked(Role::Judge).into_iter().filter(|r| r.model.is_some()).map(|r| r.model).collect();
        (record, asked)
    };
    let (alone, asked) = played(base_config(), &settings);
    assert!(asked.is_empty() && alone.settings.judge.is_empty() && !alone.scores.contains_key("model"));
    let judged = with("sim.evaluator-model", json!("strict-1"));
    let (record, asked) = played(judged.clone(), &settings);
    assert!(!asked.is_empty() && asked.iter().all(|name| name.as_deref() == Some("strict-1")), "{asked:?}");
    assert_eq!(record.settings.judge, "strict-1");
    assert!(record.scores.contains_key("model") && record.id != alone.id);
    let named = RunSettings { judge: "own".into(), ..settings.clone() };
    assert_eq!(played(judged.clone(), &named).0.settings.judge, "own", "what a run names is nearer");
    let offline = Host { base: judged, ..simulated(&scenario, 1) };
    let record = run_on(&scenario, &condition("FULL_AWMU"), &settings, &offline).unwrap();
    assert!(record.settings.judge.is_empty(), "where no model is connected the oracle judges alone");
    assert!(Config::default().set_property("sim.evaluator-model", json!(" ")).is_err());
}

#[test]
fn a_scenarios_models_play_where_the_run_asks_for_them_and_are_told_where_they_do_not() {
    let mut scenario = story();
    scenario.adversary_mode = AdversaryMode::Adaptive;
    scenario.persona = Some(crate::scenario::Persona { name: "Rook".into(), ..Default::default() });
    scenario.turns.clear();
    let names = [&mut scenario.narrator, &mut scenario.evaluator, &mut scenario.generator];
    for (choice, name) in names.into_iter().zip(["teller-9", "judge-9", "rook-9"]) {
        choice.model = Some(name.to_owned());
    }
    let own = RunSettings {
        max_turns: 6,
        narrator: "own-teller".into(),
        judge: "own-judge".into(),
        adversary: "own-rook".into(),
        ..settings(&scenario, 1)
    };
    let asked_for = RunSettings { options: [("models".into(), "scenario".into())].into(), ..own.clone() };
    let played = |settings: &RunSettings| {
        let model = Watched::new();
        let host = watched(&model, base_config());
        let record = run_on(&scenario, &condition("FULL_AWMU"), settings, &host).unwrap();
        let asked = [Role::Chat, Role::Judge, Role::Adversary].map(|role| {
            // Checks of answers ask without a name.
            let named = |model: &Option<String>| role == Role::Chat || model.is_some();
            let names: BTreeSet<_> =
                model.asked(role).into_iter().map(|request| request.model).filter(named).collect();
            names.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>().join(" ")
        });
        (record, asked)
    };
    let (record, asked) = played(&own);
    assert_eq!(asked, ["", "own-judge", "own-rook"], "the endpoint's own model narrates");
    assert_eq!(record.settings, own);
    let scripted = Scenario { adversary_mode: AdversaryMode::Scripted, ..scenario.clone() };
    assert_eq!(not_applied(&scripted, &own).len(), 2, "where the script speaks, nobody words attacks");
    let told = not_applied(&scenario, &own).join("; ");
    for words in [
        "the scenario names teller-9 (model), and own-teller narrates",
        "the scenario names judge-9 (evaluatorModel), and own-judge judges",
        "the scenario names rook-9 (generatorModel), and own-rook attacks",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let (theirs, asked) = played(&asked_for);
    assert_eq!(asked, ["teller-9", "judge-9", "rook-9"]);
    let names = [&theirs.settings.narrator, &theirs.settings.judge, &theirs.settings.adversary];
    assert_eq!(names, ["teller-9", "judge-9", "rook-9"], "the record says who played");
    assert_ne!(theirs.id, record.id);
    assert!(not_applied(&scenario, &asked_for).is_empty());
    // A vendor is no choice of a file: it is told, for roles that a model plays.
    let mut vendor = scenario.clone();
    vendor.evaluator.provider = Some("anthropic".into());
    let told = not_applied(&vendor, &asked_for);
    assert!(told.len() == 1 && told[0].contains("the provider anthropic (evaluatorModel)"), "{told:?}");
    let nobody = RunSettings { judge: String::new(), ..asked_for.clone() };
    assert!(!not_applied(&vendor, &nobody).join("; ").contains("anthropic"));
    // A role that no model plays stays so, and that is told.
    let oracle = RunSettings { judge: String::new(), ..asked_for.clone() };
    let (judged, asked) = played(&oracle);
    assert!(judged.settings.judge.is_empty() && asked[1].is_empty());
    assert!(not_applied(&scenario, &oracle)[0].contains("judge-9 (evaluatorModel), and no model judges"));
    // A model that is called like a narrator of ours is asked all the same.
    scenario.narrator.model = Some("scripted".into());
    let model = Watched::new();
    let host = watched(&model, base_config());
    let record = run_on(&scenario, &condition("FULL_AWMU"), &asked_for, &host).unwrap();
    assert_eq!(record.settings.narrator, "scripted (model)");
    let asked = model.asked(Role::Chat);
    assert!(!asked.is_empty() && asked.iter().all(|request| request.model.as_deref() == Some("scripted")));
    let cast = Cast::of(&scenario, &record.settings, Some(Rc::new(model))).unwrap();
    assert!(cast.checks(), "a model narrates");
    // A narrator that is no model cannot be another one.
    let offline = RunSettings { options: asked_for.options, ..settings(&scenario, 1) };
    let refused = run_on(&scenario, &condition("FULL_AWMU"), &offline, &simulated(&scenario, 1));
    assert!(
        matches!(refused, Err(RunError::Refused { problems }) if problems.iter().any(|p| p.contains("models is scenario")))
    );
}

#[test]
fn prop_sim_adversary_budget_bounds_its_calls_and_the_catalogue_speaks_behind_it() {
    let mut scenario = story();
    scenario.max_turns = 8;
    scenario.turns.clear();
    scenario.adversary_mode = AdversaryMode::Adaptive;
    scenario.persona = Some(crate::scenario::Persona { name: "Rook".into(), ..Default::default() });
    let settings = RunSettings { adversary: "rook-1".into(), ..settings(&scenario, 1) };
    let calls = |budget: u32| {
        let model = Watched::new();
        let host = watched(&model, with("sim.adversary-budget", json!(budget)));
        let record = run_on(&scenario, &condition("FULL_AWMU"), &settings, &host).unwrap();
        let lines: Vec<_> = record.turns.iter().filter_map(|turn| turn.line.clone()).collect();
        let spent: u32 = lines.iter().map(|line| line.calls).sum();
        assert_eq!(model.asked(Role::Adversary).len(), spent as usize);
        let told = lines.iter().filter(|line| line.note.contains("budget of")).count();
        let own = lines.iter().filter(|line| line.by == LineBy::Catalogue).count();
        (spent, told, own, lines.len())
    };
    let (all, told, own, lines) = calls(30);
    assert_eq!((all as usize, told, own), (lines, 0, 0), "30 calls are enough for 8 turns");
    assert_eq!(calls(3), (3, lines - 3, lines - 3, lines));
    assert_eq!(calls(0), (0, lines, lines, lines));
    assert!(Config::default().set_property("sim.adversary-budget", json!(10_001)).is_err());
}

/// An endpoint whose judge and adversary never answer: a call ends when its own time is over. One that was given no time would end never,
/// which the test is told in place of waiting.
#[derive(Clone)]
struct Silent(Watched);

impl ChatModel for Silent {
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
        let of_the_run = request.model.as_deref() == Some("silent-1");
        match request.timeout_ms {
            _ if !of_the_run => self.0.complete(role, request, on_text, cancel).await,
            Some(after_ms) => Err(ModelError::Timeout { after_ms }),
            None => panic!("{} waits for ever", role.as_str()),
        }
    }
}

#[test]
fn prop_sim_llm_call_timeout_seconds_ends_calls_of_judge_and_adversary() {
    let mut scenario = story();
    scenario.turns.clear();
    scenario.adversary_mode = AdversaryMode::Adaptive;
    scenario.persona = Some(crate::scenario::Persona { name: "Rook".into(), ..Default::default() });
    let silent = || "silent-1".to_owned();
    let settings = RunSettings { judge: silent(), adversary: silent(), ..settings(&scenario, 1) };
    for seconds in [7, 90] {
        let model = || Rc::new(Silent(Watched::new()));
        let cast = Cast::new(Narrator::Model(model())).judged_by(model()).attacked_by(model());
        let base = with("sim.llm-call-timeout-seconds", json!(seconds));
        let host = Host { cast: Rc::new(cast), base, ..host(Narrator::Model(model())) };
        let record = run_on(&scenario, &condition("FULL_AWMU"), &settings, &host).unwrap();
        let played = record.turns.iter().filter(|turn| turn.turn > 0).count();
        assert_eq!((played, record.status.clone()), (7, RunStatus::Complete));
        let why = format!("no answer within {seconds}000 ms");
        // The catalogue speaks in the adversary's place, as whenever its model brings no line.
        let lines: Vec<_> = record.turns.iter().filter_map(|turn| turn.line.as_ref()).collect();
        assert_eq!(lines.len(), 7);
        for line in lines {
            assert_eq!(line.by, LineBy::Catalogue);
            assert!(line.note.contains(&why), "{line:?}");
        }
        // No verdict is made up: each judged turn counts as one on which the judge failed.
        let failures: Vec<_> = record
            .turns
            .iter()
            .flat_map(|turn| &turn.judgements)
            .filter(|judgement| judgement.judge.kind() == "model")
            .map(|judgement| judgement.failed.clone().unwrap_or_default())
            .collect();
        assert!(!failures.is_empty() && failures.iter().all(|words| words.contains(&why)), "{failures:?}");
        let digest = RunDigest::of(Played { scenario: &scenario, run: &record });
        let count = &digest.judges["model"];
        assert_eq!((count.asked, count.failed), (failures.len() as u32, failures.len() as u32));
        assert_eq!(digest.judges["oracle"].failed, 0);
    }
}

#[test]
fn prop_sim_parallel_post_response_overlaps_judging_and_learning_and_changes_no_record() {
    let scenario = story();
    let settings = RunSettings { judge: "j".into(), max_turns: 4, ..settings(&scenario, 1) };
    let played = |parallel: bool| {
        let model = Watched::new();
        let host = watched(&model, with("sim.parallel-post-response", json!(parallel)));
        let record = run_on(&scenario, &condition("FULL_AWMU"), &settings, &host).unwrap();
        let calls = model.calls.borrow().clone();
        let begun = calls.iter().rposition(|call| call == "judge begins").unwrap();
        (serde_json::to_string(&record).unwrap(), calls[begun..begun + 3].to_vec())
    };
    let (together, first) = played(true);
    let (in_turn, then) = played(false);
    assert_eq!(first[1], "extract begins", "while the judge is asked: {first:?}");
    assert_eq!(then[1..], ["judge ends", "extract begins"], "one after the other");
    assert_eq!(together, in_turn, "it says when something is asked, not what");
}

/// Runs of the real engine on the simulated narrator, so many side by side as the settings say.
struct Bench {
    base: Config,
    at_once: Cell<u32>,
    most: Cell<u32>,
}

struct Polite;

impl Rest for Polite {
    fn pause(&self) -> LocalBoxFuture<'static, ()> {
        others_first()
    }
    fn wait_ms(&self, _milliseconds: u32) -> LocalBoxFuture<'static, ()> {
        others_first()
    }
}

impl experiment::Host for Bench {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        self.at_once.set(self.at_once.get() + 1);
        self.most.set(self.most.get().max(self.at_once.get()));
        let host =
            Host { base: self.base.clone(), rest: Rc::new(Polite), ..simulated(scenario, settings.seed) };
        let played = play(scenario, condition, settings, &host, &Control::new(), &mut |_| {}).await;
        self.at_once.set(self.at_once.get() - 1);
        played.map_err(|error: RunError| error.to_string())
    }
    async fn keep(&self, _run: RunRecord) -> Result<(), String> {
        Ok(())
    }
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }
    fn progress(&self, _progress: &experiment::Progress) {}
    fn parallelism(&self) -> u32 {
        self.base.sim.benchmark_parallelism
    }
}

#[test]
fn prop_sim_benchmark_parallelism_plays_side_by_side_to_the_same_bytes() {
    let scenario = story();
    let conditions = ["FULL_AWMU", "NO_MEMORY"].map(condition).to_vec();
    let order = Definition::new("side by side", conditions, vec![scenario.id.clone()], 3, Simulated::NAME);
    let played = |parallel: u32| -> (Experiment, u32) {
        let base = with("sim.benchmark-parallelism", json!(parallel));
        let bench = Bench { base, at_once: Cell::new(0), most: Cell::new(0) };
        let scenarios = [scenario.clone()];
        let experiment = block_on(experiment::run(&order, &scenarios, &bench, &Cancel::new())).unwrap();
        (experiment, bench.most.get())
    };
    let (one, most) = played(1);
    assert_eq!((most, one.complete().count()), (1, 6));
    for parallel in [2, 4, 64] {
        let (several, most) = played(parallel);
        assert_eq!(most, parallel.min(6));
        let bytes = |experiment: &Experiment| {
            let analysis = Analysis::of(experiment);
            serde_json::to_string(&(&experiment.runs, &analysis)).unwrap()
        };
        assert_eq!(bytes(&several), bytes(&one), "{parallel} side by side");
    }
    assert!(Config::default().set_property("sim.benchmark-parallelism", json!(0)).is_err());
}
