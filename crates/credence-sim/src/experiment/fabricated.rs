//! Runs without an engine, for the tests of experiments, reports and stores: verdicts are drawn from the seed, by how well a condition holds.

use std::cell::{Cell, RefCell};

use credence::llm::Cancel;
use credence::time::Timestamp;
use futures::executor::block_on;

use super::{Definition, Experiment, Host, Progress, run};
use crate::metrics::score;
use crate::random::SplitMix64;
use crate::run::{Condition, Cost, RunRecord, RunSettings, RunStatus, TurnRecord};
use crate::scenario::{Scenario, TurnKind};
use crate::verdict::{Judge, Judgement, Ruling, Severity, Verdict};

/// A scenario of two facts and six judged turns.
pub(crate) fn scenario(id: &str) -> Scenario {
    let facts = vec![
        crate::testing::fact("bridge", "The bridge | the old one is down."),
        crate::testing::fact("king", "The king is dead."),
    ];
    Scenario {
        id: id.into(),
        title: format!("About {id}"),
        facts,
        max_turns: 6,
        ..crate::testing::scenario()
    }
}

/// A condition of the product under a name; what begins with `NO_` has no lifecycle, so that it is no twin.
pub(crate) fn condition(name: &str) -> Condition {
    Condition { name: name.into(), lifecycle: !name.starts_with("NO_"), ..Condition::full() }
}

/// Conditions × scenarios × repetitions by name.
pub(crate) fn definition(conditions: &[&str], scenarios: &[&str], repetitions: u32) -> Definition {
    let conditions = conditions.iter().map(|name| condition(name)).collect();
    let scenarios = scenarios.iter().map(|id| (*id).to_owned()).collect();
    Definition::new("a | trial", conditions, scenarios, repetitions, "simulated")
}

/// A host whose runs are made up.
pub(crate) struct Fabricated {
    /// How likely each verdict is a contradiction, by the condition's name and the scenario's id.
    pub(crate) falls: fn(&str, &str) -> f64,
    /// Changes a run before it is handed out.
    pub(crate) spoil: fn(&mut RunRecord),
    pub(crate) parallelism: u32,
    /// Cancels after so many runs.
    pub(crate) cancel_after: Option<(u32, Cancel)>,
    /// Refuses to keep runs.
    pub(crate) full: bool,
    /// Cannot begin this repetition.
    pub(crate) refuses: Option<u32>,
    /// Who reads for the memory.
    pub(crate) reader: &'static str,
    pub(crate) kept: RefCell<Vec<RunRecord>>,
    /// What there was after each run.
    pub(crate) so_far: RefCell<Vec<Experiment>>,
    pub(crate) told: RefCell<Vec<Progress>>,
    pub(crate) at_once: Cell<u32>,
    pub(crate) most_at_once: Cell<u32>,
    pub(crate) time: Cell<i64>,
}

impl Default for Fabricated {
    fn default() -> Self {
        Self {
            falls: |condition, _| if condition.starts_with("NO_") { 0.6 } else { 0.1 },
            spoil: |_| {},
            parallelism: 1,
            cancel_after: None,
            full: false,
            refuses: None,
            reader: "rules",
            kept: RefCell::default(),
            so_far: RefCell::default(),
            told: RefCell::default(),
            at_once: Cell::new(0),
            most_at_once: Cell::new(0),
            time: Cell::new(1_000_000),
        }
    }
}

impl Fabricated {
    /// Plays a definition on scenarios with its own ids.
    pub(crate) fn plays(&self, definition: &Definition) -> Experiment {
        let scenarios: Vec<Scenario> = definition.scenarios.iter().map(|id| scenario(id)).collect();
        let cancel = self.cancel_after.as_ref().map(|(_, cancel)| cancel.clone()).unwrap_or_default();
        block_on(run(definition, &scenarios, self, &cancel)).expect("a sound definition")
    }

    fn record(&self, scenario: &Scenario, condition: &Condition, settings: &RunSettings) -> RunRecord {
        let chance = (self.falls)(&condition.name, &scenario.id);
        let mut random = SplitMix64::new(settings.seed);
        let turns: Vec<TurnRecord> = (1..=settings.max_turns)
            .map(|number| {
                let verdicts = scenario.facts.iter().map(|fact| {
                    let falls = random.unit() < chance;
                    Verdict {
                        fact: fact.id.clone(),
                        ruling: if falls { Ruling::Contradicted } else { Ruling::Confirmed },
                        severity: if falls { Severity::Major } else { Severity::None },
                        confidence: 5,
                        evidence: String::new(),
                        reasoning: String::new(),
                        explanation: if falls { "it says\nthe | opposite".into() } else { String::new() },
                        filled: false,
                    }
                });
                TurnRecord {
                    strategies: vec!["SUBTLE_REFRAME".into()],
                    player: format!("Turn {number}: is it | so?\nSay."),
                    reply: "It is.".into(),
                    judgements: vec![Judgement {
                        judge: Judge::Oracle,
                        verdicts: verdicts.collect(),
                        retries: 0,
                        dropped: Vec::new(),
                        failed: None,
                    }],
                    ..crate::testing::turn(number, TurnKind::Attack)
                }
            })
            .collect();
        let of = score(scenario, &turns, "oracle");
        let id = format!("{}-{}-{}", condition.name, scenario.id, settings.repetition);
        let mut record = RunRecord {
            scenario_hash: format!("hash-{}", scenario.id),
            prompts_hash: "prompts".into(),
            config_hash: format!("config-{}", condition.name),
            condition: condition.clone(),
            settings: settings.clone(),
            status: RunStatus::Complete,
            turns,
            scores: [("oracle".to_owned(), of)].into(),
            ..empty_run(&id, &scenario.id)
        };
        (self.spoil)(&mut record);
        record
    }
}

/// A run in which nothing happened.
pub(crate) fn empty_run(id: &str, scenario: &str) -> RunRecord {
    RunRecord {
        schema: 1,
        id: id.into(),
        scenario: scenario.into(),
        scenario_hash: String::new(),
        prompts_hash: String::new(),
        config_hash: String::new(),
        rules: Vec::new(),
        condition: condition("FULL"),
        settings: definition(&["FULL"], &[scenario], 2).plan(&[])[0].settings.clone(),
        started: Timestamp(0),
        ended: Some(Timestamp(60_000)),
        status: RunStatus::Complete,
        turns: Vec::new(),
        interventions: Vec::new(),
        assertions: Vec::new(),
        scores: [].into(),
        cost: Cost::default(),
    }
}

impl Host for Fabricated {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        self.at_once.set(self.at_once.get() + 1);
        self.most_at_once.set(self.most_at_once.get().max(self.at_once.get()));
        // Others get their turn, as they do while a model is waited for.
        yield_once().await;
        self.at_once.set(self.at_once.get() - 1);
        self.time.set(self.time.get() + 1000);
        if self.refuses == Some(settings.repetition) {
            return Err("the narrator is not connected".to_owned());
        }
        Ok(self.record(scenario, condition, settings))
    }

    async fn keep(&self, run: RunRecord) -> Result<(), String> {
        self.kept.borrow_mut().push(run);
        let played = self.kept.borrow().len() as u32;
        if let Some((_, cancel)) = self.cancel_after.as_ref().filter(|(after, _)| *after == played) {
            cancel.cancel();
        }
        if self.full { Err("the disk is full".to_owned()) } else { Ok(()) }
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.time.get())
    }

    fn progress(&self, progress: &Progress) {
        self.told.borrow_mut().push(progress.clone());
    }

    async fn so_far(&self, experiment: impl FnOnce() -> Experiment) {
        self.so_far.borrow_mut().push(experiment());
    }

    fn parallelism(&self) -> u32 {
        self.parallelism
    }

    fn reader(&self) -> String {
        self.reader.to_owned()
    }

    fn commit(&self) -> String {
        "0123456789ab".to_owned()
    }
}

/// Pending once, then ready.
async fn yield_once() {
    let mut asked = false;
    futures::future::poll_fn(|context| {
        if std::mem::replace(&mut asked, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
