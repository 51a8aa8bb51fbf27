//! Playing a scenario: a run in a database of its own, told turn by turn; paused, acted on, gone on with, stopped; and runs that are kept, as
//! records and as files.

use std::sync::Arc;

use credence::history::Journal;
use credence::ports::Clock;
use credence_browser::{BrowserClock, Kind, Tabs};
use credence_sim::engine::{self, Manipulation, Phase};
use credence_sim::report::{self, Imported};
use credence_sim::run::{Condition, RunRecord, RunSettings, RunStatus};
use credence_sim::scenario::Scenario;
use credence_sim::store::{RunStore, StoreError};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::kept::Runs;
use crate::ports::Connections;
use crate::route::Page;
use crate::runner::{Link, Lost, Means, Names, Order, Told};
use crate::simulation::{Asked, DATABASE, Kept, Narrating};
use crate::state::{App, Question, ToastKind};
use crate::{browser, format};

/// Chooses a scenario; the fields that follow from it follow.
pub(crate) fn choose(app: App, id: &str) {
    let sim = app.simulation;
    let Some(scenario) = sim.find(id) else { return };
    sim.turns.set(scenario.max_turns.max(1));
    sim.scenario.set(scenario.id.clone());
    sim.problem.set(None);
}

/// What is chosen, as a run's settings.
fn settings(app: App, connections: &Connections) -> RunSettings {
    let sim = app.simulation;
    let names = Names::of(app, sim.narrating.get(), connections);
    let by_scenario = sim.own_models.get() && sim.narrating.get() == Narrating::Model;
    RunSettings {
        seed: sim.seed.get(),
        repetition: 0,
        max_turns: sim.turns.get().clamp(1, 200),
        token_budget: sim.budget.get(),
        narrator: names.narrator,
        judge: names.judge,
        adversary: names.adversary,
        options: by_scenario.then(|| ("models".to_owned(), "scenario".to_owned())).into_iter().collect(),
    }
}

/// What the chosen scenario asks for and would not get.
pub(crate) fn not_applied(app: App) -> Vec<String> {
    let scenario = app.simulation.find(&app.simulation.scenario.get());
    let (Some(connections), Some(scenario)) = (app.connections(), scenario) else { return Vec::new() };
    credence_sim::engine::not_applied(&scenario, &settings(app, &connections))
}

/// Plays what is chosen.
pub(crate) fn run(app: App) {
    let sim = app.simulation;
    let (Some(connections), Some(scenario)) = (app.connections(), sim.find(&sim.scenario.get_untracked()))
    else {
        return;
    };
    let Some(condition) = Condition::by_name(sim.condition.get_untracked()) else { return };
    let settings = untrack(|| settings(app, &connections));
    sim.played.set(Vec::new());
    sim.interventions.set(Vec::new());
    let injection = condition.injection && sim.injection.get_untracked();
    begin(app, Order::Play { scenario: Box::new((*scenario).clone()), condition, settings, injection });
}

/// Goes on with a run that was broken off, from the end of its last turn.
pub(crate) fn go_on(app: App, id: String) {
    let sim = app.simulation;
    spawn_local(async move {
        let Some(record) = load(app, &id).await else { return };
        if sim.is_busy() {
            return app.toast(ToastKind::Info, "A run is under way; stop it first");
        }
        let Some(scenario) = sim.find(&record.scenario) else {
            return app.toast(
                ToastKind::Error,
                format!("The scenario {} is not here; open its file, then go on", record.scenario),
            );
        };
        sim.scenario.set(scenario.id.clone());
        sim.turns.set(record.settings.max_turns);
        sim.played.set(record.turns.iter().cloned().map(Arc::new).collect());
        sim.interventions.set(record.interventions.clone());
        let injection = record.turns.last().map_or(record.condition.injection, |turn| turn.injection);
        let head = RunRecord { turns: Vec::new(), ..(*record).clone() };
        let record = Box::new((*record).clone());
        begin(app, Order::GoOn { scenario: Box::new((*scenario).clone()), record, injection });
        sim.begins(&head);
    });
}

/// Has a desk play.
fn begin(app: App, order: Order) {
    let sim = app.simulation;
    let Some(connections) = app.connections() else { return };
    sim.record.set(None);
    sim.head.set(None);
    sim.selected.set(None);
    sim.problem.set(None);
    sim.wish.set(None);
    sim.phase.set(Phase::Running);
    let link = Link::open(Some(Means::of(app, &connections)), move |told| match told {
        Ok(told) => heard(app, told),
        Err(Lost::NotStarted(why)) => app.toast(
            ToastKind::Info,
            format!(
                "This run plays in the page, which may be slow to react: no worker could be started ({why})"
            ),
        ),
        Err(Lost::Died(why)) => over(
            app,
            Some(format!(
                "the worker that played this run broke down ({why}); under Runs it can be gone on with from its last turn"
            )),
        ),
    });
    link.send(order);
    sim.link.set_value(Some(link));
}

/// Nothing plays any more.
fn over(app: App, problem: Option<String>) {
    let sim = app.simulation;
    sim.asked.set(None);
    sim.wish.set(None);
    sim.problem.set(problem);
    sim.phase.set(Phase::Completed);
    // Not from within what the link told: its listener is still running.
    spawn_local(async move {
        if !sim.is_busy() {
            sim.link.set_value(None);
        }
        look(app).await;
    });
}

fn heard(app: App, told: Told) {
    let sim = app.simulation;
    match told {
        Told::SettingUp(run) => sim.begins(&run),
        Told::Asked { turn, of, kind, player } => {
            sim.asked_at.set_value(BrowserClock.now().at);
            sim.asked.set(Some(Asked { turn, of, kind, player, text: String::new() }));
        }
        Told::Text(piece) => sim.asked.update(|asked| {
            if let Some(asked) = asked {
                asked.text.push_str(&piece);
            }
        }),
        Told::Replied(reply) => sim.asked.update(|asked| {
            if let Some(asked) = asked {
                asked.text = reply;
            }
        }),
        Told::Turn(turn) => {
            let took = (BrowserClock.now().at.0 - sim.asked_at.get_value().0).max(0);
            sim.took(turn.turn, u32::try_from(took).unwrap_or(u32::MAX));
            sim.asked.set(None);
            sim.played.update(|played| played.push(Arc::new(*turn)));
        }
        Told::Phase { phase, units } => {
            sim.units.set(units);
            sim.wish.set(None);
            // That it is over is known when its record is here.
            if phase != Phase::Completed {
                sim.phase.set(phase);
            }
        }
        Told::Intervened { intervention, units } => {
            sim.units.set(units);
            sim.interventions.update(|all| all.push(intervention));
        }
        Told::Ended(record) => {
            let record = Arc::new(*record);
            sim.remember(record.clone());
            sim.record.set(Some(record.clone()));
            spawn_local(async move {
                // A desk keeps in the browser's store; where there is none, this page has the only one.
                if let Ok(here @ Runs::Here(_)) = store(app).await {
                    // Its room is bounded, and it says what makes room by no longer listing it.
                    let _ = here.save_run(&record, BrowserClock.now().at).await;
                }
                over(app, None);
            });
        }
        Told::Refused(words) => over(app, Some(words)),
        Told::Unkept(words) => app.toast(ToastKind::Error, format::sentence(&words)),
        _ => {}
    }
}

fn order(app: App, order: Order) {
    app.simulation.link.with_value(|link| {
        if let Some(link) = link {
            link.send(order);
        }
    });
}

/// Holds the run at the end of its turn.
pub(crate) fn pause(app: App) {
    app.simulation.wish.set(Some("pausing"));
    order(app, Order::Pause);
}

/// Goes on with a paused run.
pub(crate) fn resume(app: App) {
    order(app, Order::Resume);
}

/// Ends the run at the end of its turn.
pub(crate) fn stop(app: App) {
    app.simulation.wish.set(Some("stopping"));
    order(app, Order::Stop);
}

/// Puts the working set into prompts, or leaves it out, from the next turn on.
pub(crate) fn inject(app: App, on: bool) {
    app.simulation.injection.set(on);
    order(app, Order::Inject(on));
}

/// Acts on the memory of a paused run.
pub(crate) fn act(app: App, act: Manipulation) {
    order(app, Order::Act(act));
}

/// The store of runs and experiments, opened when it is first wanted.
pub(crate) async fn store(app: App) -> Result<Runs, StoreError> {
    let sim = app.simulation;
    if let Some(store) = sim.store.get_value() {
        return Ok(store);
    }
    let durably = app.preferences.with_untracked(|preferences| preferences.config.sim.run_history);
    let (store, volatile) = Runs::open(durably).await?;
    sim.volatile.set(volatile);
    sim.store.set_value(Some(store.clone()));
    Ok(store)
}

/// Lists what is kept.
pub(crate) async fn look(app: App) {
    let listed = async {
        let store = store(app).await?;
        Ok::<_, StoreError>((store.runs(None).await?, store.sizes(Kind::Runs).await?))
    };
    app.simulation.kept.set(match listed.await {
        Ok((listing, sizes)) => Kept { listing: Some(listing), sizes, problem: None },
        Err(error) => Kept { problem: Some(error.to_string()), ..Kept::default() },
    });
}

/// A run by its id: one at hand, or one that is kept.
///
/// # Errors
/// Why what is kept cannot be read.
pub(crate) async fn find(app: App, id: &str) -> Result<Option<Arc<RunRecord>>, StoreError> {
    let sim = app.simulation;
    let at_hand = sim.runs.with_untracked(|runs| runs.iter().find(|run| run.id == id).cloned());
    // One that is not over grows in the store.
    if let Some(run) = at_hand.filter(|run| run.status != RunStatus::Unfinished) {
        return Ok(Some(run));
    }
    let found = store(app).await?.run(id).await?.map(Arc::new);
    if let Some(run) = &found {
        sim.remember(run.clone());
    }
    Ok(found)
}

/// The same; what is wrong is said.
async fn load(app: App, id: &str) -> Option<Arc<RunRecord>> {
    match find(app, id).await {
        Ok(Some(run)) => Some(run),
        Ok(None) => {
            app.toast(ToastKind::Error, format!("The run {id} is not kept here any more"));
            None
        }
        Err(error) => {
            app.toast(ToastKind::Error, format!("The run cannot be opened: {error}"));
            None
        }
    }
}

/// Shows a kept run, at a turn where one is named, on the Simulate page.
pub(crate) fn open_kept(app: App, id: String, turn: Option<u32>) {
    spawn_local(async move {
        if let Some(record) = load(app, &id).await {
            show(app, record);
            if !app.simulation.is_busy() {
                app.simulation.selected.set(turn);
                Page::Simulate.open();
            }
        }
    });
}

/// Removes runs with their memories, once a person has said so.
pub(crate) fn ask_removal(app: App, ids: Vec<String>) {
    let many = ids.len();
    app.question.set(Some(Question {
        title: format!("Remove {}?", format::count(many, "run", "runs")),
        body: "Their turns, prompts, verdicts and the memories they were played on go; experiments keep the figures they made of them. Save what you \
               want to keep. This cannot be taken back."
            .to_owned(),
        yes: "Remove".to_owned(),
        word: None,
        on_yes: Callback::new(move |()| remove(app, ids.clone())),
    }));
}

fn remove(app: App, ids: Vec<String>) {
    let sim = app.simulation;
    spawn_local(async move {
        let mut gone = Vec::new();
        let mut playing = 0;
        let removed = async {
            let store = store(app).await?;
            for id in &ids {
                // One that plays in another tab would lose the memory that it plays on.
                let remove = async || {
                    store.delete_run(id).await?;
                    erase_memory(app, id).await;
                    Ok::<_, StoreError>(())
                };
                match Tabs::open(DATABASE).if_free(&format!("run {id}"), remove).await {
                    Some(removed) => {
                        removed?;
                        gone.push(id.clone());
                    }
                    None => playing += 1,
                }
            }
            Ok::<_, StoreError>(())
        }
        .await;
        sim.runs.update(|runs| runs.retain(|run| !gone.contains(&run.id)));
        let words = format!("{} removed", format::count(gone.len(), "run is", "runs are"));
        match (removed, playing) {
            (Err(error), _) => app.toast(ToastKind::Error, format!("A run could not be removed: {error}")),
            (Ok(()), 0) => app.toast(ToastKind::Success, words),
            (Ok(()), n) => {
                let left = format::count(n, "run plays", "runs play");
                app.toast(
                    ToastKind::Error,
                    format!("{words}; {left} in another tab and stay until that ends"),
                );
            }
        }
        look(app).await;
    });
}

/// Erases what a run was played on. One without a memory of its own, as an experiment's runs are, has nothing to erase.
async fn erase_memory(app: App, id: &str) {
    let Ok(journal) = app.simulation.journal().await else { return };
    if let Ok(context) = engine::context_of(id) {
        // The record is gone; a memory that stays is replaced when the run is played again.
        let _ = journal.erase(&context).await;
    }
}

/// Shows a run that ended earlier.
pub(crate) fn show(app: App, record: Arc<RunRecord>) {
    let sim = app.simulation;
    if sim.is_busy() {
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
    let text = report::run_json(record, BrowserClock.now().at);
    match browser::download(&name, &text, "application/json") {
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

/// Keeps a run that came as a file, and shows it.
pub(crate) async fn keep(app: App, record: RunRecord) {
    let kept = match store(app).await {
        Ok(store) => store.save_run(&record, BrowserClock.now().at).await.map(drop),
        Err(error) => Err(error),
    };
    if let Err(error) = kept {
        app.toast(ToastKind::Error, format!("The run is shown, but could not be kept: {error}"));
    }
    let record = Arc::new(record);
    app.simulation.remember(record.clone());
    show(app, record);
    look(app).await;
}

/// Reads a file: a scenario, or a run or an experiment that was saved.
pub(crate) fn open(app: App, file: File, problems: RwSignal<Vec<String>>) {
    let sim = app.simulation;
    spawn_local(async move {
        let Some(text) = browser::read(&file).await else {
            return problems.set(vec![format!("{} could not be read as text", file.name())]);
        };
        if text.trim_start().starts_with('{') {
            match report::read(&text) {
                Ok(Imported::Run(record, _)) => {
                    problems.set(Vec::new());
                    keep(app, *record).await;
                }
                Ok(Imported::Experiment(experiment, analysis)) => {
                    problems.set(Vec::new());
                    super::experiment::keep(app, *experiment, *analysis).await;
                }
                Err(error) => problems.set(vec![format!("{}: {error}", file.name())]),
            }
            return;
        }
        match sim.bring(&text, true) {
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
