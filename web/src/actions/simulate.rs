//! Playing a scenario: a run in a database of its own, told turn by turn; paused, acted on, gone on with, stopped; and runs as files.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use credence::config::Config;
use credence::llm::Role;
use credence::ports::Clock;
use credence_browser::BrowserClock;
use credence_sim::engine::{self, Host, Manipulation, Phase, Progress, Rest};
use credence_sim::narrator::simulated::Simulated;
use credence_sim::narrator::{Cast, Narrator};
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::Scenario;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::ports::Connections;
use crate::simulation::{Asked, MOST_RUNS, Narrating, Simulation};
use crate::state::{App, ToastKind};
use crate::{browser, format};

/// Time as the page has it.
struct PageRest;

impl Rest for PageRest {
    fn pause(&self) -> LocalBoxFuture<'static, ()> {
        Box::pin(async { BrowserClock.pause().await })
    }
    fn wait_ms(&self, milliseconds: u32) -> LocalBoxFuture<'static, ()> {
        Box::pin(async move { BrowserClock.wait_ms(milliseconds).await })
    }
}

/// Chooses a scenario; the fields that follow from it follow.
pub(crate) fn choose(app: App, id: &str) {
    let sim = app.simulation;
    let Some(scenario) = sim.find(id) else { return };
    sim.turns.set(scenario.max_turns.max(1));
    sim.scenario.set(scenario.id.clone());
    sim.problem.set(None);
}

/// Plays what is chosen.
pub(crate) fn run(app: App) {
    let sim = app.simulation;
    let (Some(connections), Some(scenario)) = (app.connections(), sim.find(&sim.scenario.get_untracked()))
    else {
        return;
    };
    let Some(condition) = Condition::by_name(sim.condition.get_untracked()) else { return };
    sim.played.set(Vec::new());
    sim.interventions.set(Vec::new());
    sim.record.set(None);
    sim.head.set(None);
    sim.selected.set(None);
    sim.problem.set(None);
    sim.wish.set(None);
    let injection = condition.injection && sim.injection.get_untracked();
    sim.control().set_injection(injection);
    sim.phase.set(Phase::Running);
    spawn_local(async move {
        let outcome = play(app, &connections, &scenario, &condition).await;
        sim.asked.set(None);
        sim.wish.set(None);
        sim.phase.set(Phase::Completed);
        match outcome {
            Ok(record) => {
                let record = Arc::new(record);
                sim.runs.update(|runs| {
                    runs.retain(|run| run.id != record.id);
                    runs.insert(0, record.clone());
                    runs.truncate(MOST_RUNS);
                });
                sim.record.set(Some(record));
            }
            Err(words) => sim.problem.set(Some(words)),
        }
    });
}

async fn play(
    app: App,
    connections: &Connections,
    scenario: &Scenario,
    condition: &Condition,
) -> Result<RunRecord, String> {
    let sim = app.simulation;
    let model = || Rc::new(connections.chat.clone());
    let seed = sim.seed.get_untracked();
    let endpoint = connections.chat.endpoint();
    let name_of = |role: Role| {
        let named = endpoint.as_ref().and_then(|endpoint| endpoint.settings().model(role).map(str::to_owned));
        named.unwrap_or_else(|| "language model".to_owned())
    };
    let (cast, narrator) = match sim.narrating.get_untracked() {
        Narrating::Simulated => {
            (Cast::new(Narrator::Simulated(Simulated::new(scenario, seed))), Simulated::NAME.to_owned())
        }
        Narrating::Scripted => {
            let setting = scenario.setting.clone();
            (Cast::new(Narrator::Scripted { setting }), "scripted".to_owned())
        }
        Narrating::Model => {
            (Cast::new(Narrator::Model(model())).judged_by(model()).attacked_by(model()), name_of(Role::Chat))
        }
    };
    // Of a person's settings those of the runner alone: the rest is what the scenario and the condition are played under.
    let runner = app.preferences.with_untracked(|preferences| preferences.config.sim.clone());
    let by_model = sim.narrating.get_untracked() == Narrating::Model;
    let settings = RunSettings {
        seed,
        repetition: 0,
        max_turns: sim.turns.get_untracked().clamp(1, 200),
        token_budget: sim.budget.get_untracked(),
        narrator,
        judge: if by_model {
            runner.evaluator_model.clone().unwrap_or_else(|| name_of(Role::Judge))
        } else {
            String::new()
        },
        adversary: if by_model { name_of(Role::Adversary) } else { String::new() },
        options: BTreeMap::new(),
    };
    let host = Host {
        journal: Rc::new(sim.journal().await?),
        cast: Rc::new(cast),
        embedder: Rc::new(connections.embedder.clone()),
        rest: Rc::new(PageRest),
        base: Config { sim: runner, ..engine::base_config() },
        templates: BTreeMap::new(),
    };
    let mut began = BrowserClock.now().at;
    let mut sink = |progress: Progress<'_>| {
        match &progress {
            Progress::SettingUp { run } => sim.begins(run),
            Progress::Asked { .. } => began = BrowserClock.now().at,
            Progress::Turn { turn, .. } => {
                let took = (BrowserClock.now().at.0 - began.0).max(0);
                sim.took(turn.turn, u32::try_from(took).unwrap_or(u32::MAX));
            }
            _ => {}
        }
        heard(sim, progress);
    };
    engine::play(scenario, condition, &settings, &host, &sim.control(), &mut sink)
        .await
        .map_err(|error| error.to_string())
}

fn heard(sim: Simulation, progress: Progress<'_>) {
    match progress {
        Progress::Asked { turn, of, kind, player } => {
            sim.asked.set(Some(Asked { turn, of, kind, player: player.to_owned(), text: String::new() }));
        }
        Progress::Text { piece, .. } => sim.asked.update(|asked| {
            if let Some(asked) = asked {
                asked.text.push_str(piece);
            }
        }),
        Progress::Replied { reply, .. } => sim.asked.update(|asked| {
            if let Some(asked) = asked {
                reply.clone_into(&mut asked.text);
            }
        }),
        Progress::Turn { turn, .. } => {
            sim.asked.set(None);
            sim.played.update(|played| played.push(Arc::new(turn.clone())));
        }
        Progress::Phase { phase, units } => {
            sim.units.set(units.to_vec());
            sim.wish.set(None);
            sim.phase.set(phase);
        }
        Progress::Intervened { intervention, units } => {
            sim.units.set(units.to_vec());
            sim.interventions.update(|all| all.push(intervention.clone()));
        }
        _ => {}
    }
}

/// Holds the run at the end of its turn.
pub(crate) fn pause(app: App) {
    app.simulation.wish.set(Some("pausing"));
    app.simulation.control().pause();
}

/// Goes on with a paused run.
pub(crate) fn resume(app: App) {
    app.simulation.control().resume();
}

/// Ends the run at the end of its turn.
pub(crate) fn stop(app: App) {
    app.simulation.wish.set(Some("stopping"));
    app.simulation.control().cancel();
}

/// Puts the working set into prompts, or leaves it out, from the next turn on.
pub(crate) fn inject(app: App, on: bool) {
    app.simulation.injection.set(on);
    app.simulation.control().set_injection(on);
}

/// Acts on the memory of a paused run.
pub(crate) fn act(app: App, act: Manipulation) {
    app.simulation.control().act(act);
}

/// Shows a run that ended earlier.
pub(crate) fn show(app: App, record: Arc<RunRecord>) {
    let sim = app.simulation;
    if matches!(sim.phase.get_untracked(), Phase::Running | Phase::Paused) {
        return app.toast(ToastKind::Info, "A run is under way; stop it first");
    }
    sim.scenario.set(record.scenario.clone());
    sim.played.set(record.turns.iter().cloned().map(Arc::new).collect());
    sim.interventions.set(record.interventions.clone());
    sim.selected.set(None);
    sim.problem.set(None);
    sim.phase.set(Phase::Completed);
    sim.record.set(Some(record));
}

/// Saves a run as a file.
pub(crate) fn save(app: App, record: &RunRecord) {
    let name = format!("{}-{}-{}.json", record.scenario, record.condition.name.to_lowercase(), record.id);
    let saved = serde_json::to_string_pretty(record).map_err(|error| error.to_string()).and_then(|text| {
        browser::download(&name, &text, "application/json").map_err(|_| "refused".to_owned())
    });
    match saved {
        Ok(()) => app.toast(ToastKind::Success, format!("The run is saved as {name}")),
        Err(_) => app.toast(ToastKind::Error, "The browser does not let this page save a file"),
    }
}

/// Saves a scenario as a file that reads as it is.
pub(crate) fn save_scenario(app: App, scenario: &Scenario) {
    let text = credence_sim::scenario::write::yaml(scenario);
    match browser::download(&format!("{}.yml", scenario.id), &text, "application/yaml") {
        Ok(()) => app.toast(ToastKind::Success, "The scenario is saved"),
        Err(_) => app.toast(ToastKind::Error, "The browser does not let this page save a file"),
    }
}

/// Reads a file: a scenario, or a run that was saved.
pub(crate) fn open(app: App, file: File, problems: RwSignal<Vec<String>>) {
    let sim = app.simulation;
    spawn_local(async move {
        let Some(text) = browser::read(&file).await else {
            return problems.set(vec![format!("{} could not be read as text", file.name())]);
        };
        if text.trim_start().starts_with('{') {
            match serde_json::from_str::<RunRecord>(&text) {
                Ok(record) => {
                    problems.set(Vec::new());
                    let record = Arc::new(record);
                    sim.runs.update(|runs| runs.insert(0, record.clone()));
                    show(app, record);
                }
                Err(error) => problems.set(vec![format!("{}: no run of ours: {error}", file.name())]),
            }
            return;
        }
        match sim.bring(&text) {
            Ok((scenario, warnings)) => {
                choose(app, &scenario.id);
                let words = match warnings.len() {
                    0 => format!("\u{201c}{}\u{201d} is read", scenario.id),
                    n => format!(
                        "\u{201c}{}\u{201d} is read, with {}",
                        scenario.id,
                        format::count(n, "warning", "warnings")
                    ),
                };
                app.toast(ToastKind::Success, words);
                problems.set(warnings);
            }
            Err(errors) => problems.set(errors),
        }
    });
}
