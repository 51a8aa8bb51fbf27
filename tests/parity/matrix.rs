//! A matrix of the scenario runner on the simulated narrator: every run's record, every figure and every statistic, by their bytes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use credence::history::{ContentId, MemoryJournal};
use credence::llm::Cancel;
use credence::time::Timestamp;
use credence_sim::engine::{self, AtOnce, Control, WordsAlone, base_config};
use credence_sim::experiment::{self, Analysis, Definition, Host, Limits, Progress};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, NoModel};
use credence_sim::report;
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::{self, Scenario};

/// Two domains and two languages; the product, a baseline that learns, and one that does not.
const SCENARIOS: [&str; 2] = ["story-iron-gate", "salud-lucia"];
const CONDITIONS: [&str; 3] = ["FULL_AWMU", "RETRIEVAL_ONLY", "STATIC_LIST"];

/// Gives a page its turn between two runs: a driver that hears nothing of it for half a minute gives it up.
#[cfg(target_arch = "wasm32")]
async fn pause() {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let timer = js_sys::Reflect::get(&js_sys::global(), &"setTimeout".into()).expect("a page has timers");
        let called = js_sys::Function::from(timer).call2(&wasm_bindgen::JsValue::NULL, &resolve, &0.into());
        called.expect("a timer can be set");
    });
    wasm_bindgen_futures::JsFuture::from(promise).await.expect("it is resolved");
}

#[cfg(not(target_arch = "wasm32"))]
async fn pause() {}

#[derive(Default)]
struct Desk {
    kept: RefCell<Vec<RunRecord>>,
}

impl Host for Desk {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        let cast = Cast::of(scenario, settings, None::<Rc<NoModel>>).map_err(|error| error.to_string())?;
        let host = engine::Host {
            journal: Rc::new(MemoryJournal::new()),
            cast: Rc::new(cast),
            embedder: Rc::new(WordsAlone),
            rest: Rc::new(AtOnce),
            base: base_config(),
            templates: BTreeMap::new(),
        };
        let run = engine::play(scenario, condition, settings, &host, &Control::new(), &mut |_| {}).await;
        pause().await;
        run.map_err(|error| error.to_string())
    }

    async fn keep(&self, run: RunRecord) -> Result<(), String> {
        self.kept.borrow_mut().push(run);
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp(0)
    }

    fn progress(&self, _progress: &Progress) {}
}

/// The matrix, line by line.
pub(crate) async fn lines(out: &mut String) {
    let corpus = scenario::own();
    let scenarios: Vec<Scenario> =
        corpus.scenarios().filter(|one| SCENARIOS.contains(&one.id.as_str())).cloned().collect();
    let condition = |name: &str| Condition::named(name).expect("a built-in condition");
    let definition = Definition {
        name: "Parity".to_owned(),
        conditions: CONDITIONS.map(condition).to_vec(),
        scenarios: SCENARIOS.map(str::to_owned).to_vec(),
        repetitions: 2,
        seed: 7,
        max_turns: None,
        token_budget: 0,
        narrator: Simulated::NAME.to_owned(),
        judge: String::new(),
        adversary: String::new(),
        options: BTreeMap::new(),
        primary: vec!["fact_survival".to_owned()],
        judged_by: "oracle".to_owned(),
        limits: Limits::default(),
    };
    let desk = Desk::default();
    let experiment = experiment::run(&definition, &scenarios, &desk, &Cancel::new())
        .await
        .expect("the matrix can be played");
    let mut line = |what: &str, text: &str| {
        writeln!(out, "matrix {what}: {} bytes {}", text.len(), ContentId::of_text(text))
            .expect("a string grows");
    };
    for run in desk.kept.borrow().iter() {
        assert!(!run.turns.is_empty() && run.turns.iter().all(|turn| turn.failed.is_none()), "{}", run.id);
        let of = format!("{} {} {}", run.condition.name, run.scenario, run.settings.repetition);
        line(&of, &report::run_json(run, Timestamp(0)));
    }
    let analysis = Analysis::of(&experiment);
    line("of figures", &report::runs_csv(&experiment));
    line("of cells", &report::cells_csv(&analysis));
    line("of statistics", &serde_json::to_string(&analysis).expect("an analysis is JSON"));
}
