//! Experiments: played at a desk of their own, kept, looked at again, saved and opened as files, removed.

use std::sync::Arc;

use credence_browser::Kind;
use credence_sim::experiment::{Analysis, Definition, Experiment};
use credence_sim::narrator::SCRIPTED;
use credence_sim::narrator::simulated::Simulated;
use credence_sim::report::{self, Imported};
use credence_sim::scenario::Scenario;
use credence_sim::store::{RunStore, StoreError};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::simulate;
use crate::experiment::{CellSoFar, Looked, View};
use crate::kept::Runs;
use crate::ports::Connections;
use crate::route::Page;
use crate::runner::{Link, Lost, Means, Names, Order, Told};
use crate::simulation::Narrating;
use crate::state::{App, Question, ToastKind};
use crate::{browser, format};

/// Plays what is chosen.
pub(crate) fn start(app: App) {
    let lab = app.experiments;
    let (Some(connections), Some((definition, scenarios))) =
        (app.connections(), untrack(|| lab.definition(app)))
    else {
        return;
    };
    begin(app, &connections, definition, scenarios, None);
}

/// A kept experiment; `None` where there is none that can be read, which was said.
async fn kept(app: App, id: &str) -> Option<Experiment> {
    let found = match simulate::store(app).await {
        Ok(store) => store.experiment(id).await,
        Err(error) => Err(error),
    };
    let words = match found {
        Ok(Some(experiment)) => return Some(experiment),
        Ok(None) => "This experiment is not kept here any more".to_owned(),
        Err(error) => format!("It cannot be opened: {error}"),
    };
    app.toast(ToastKind::Error, words);
    None
}

/// Goes on with an experiment that was stopped, or broken off by a closed page.
pub(crate) fn go_on(app: App, id: String) {
    spawn_local(async move {
        let Some(earlier) = kept(app, &id).await else { return };
        let refused = |words: String| app.toast(ToastKind::Error, words);
        let Some(connections) = app.connections() else { return };
        let definition = earlier.definition.clone();
        if let Some(words) = untrack(|| played_by_others(app, &connections, &definition)) {
            return refused(words);
        }
        let scenarios = definition.scenarios.iter().map(|id| app.simulation.find(id).ok_or(id));
        match scenarios.collect::<Result<Vec<_>, _>>() {
            Ok(scenarios) => {
                let scenarios = scenarios.iter().map(|scenario| (**scenario).clone()).collect();
                begin(app, &connections, definition, scenarios, Some(earlier));
            }
            Err(id) => refused(format!(
                "The scenario {id} is not here; open its file on the Simulate page, and go on then"
            )),
        }
    });
}

/// Who would have to play an experiment and does not, in words.
fn played_by_others(app: App, connections: &Connections, definition: &Definition) -> Option<String> {
    if [Simulated::NAME, SCRIPTED].contains(&definition.narrator.as_str()) {
        return None;
    }
    let names = Names::of(app, Narrating::Model, connections);
    let roles = [
        ("narrated", &definition.narrator, &names.narrator),
        ("judged", &definition.judge, &names.judge),
        ("attacked", &definition.adversary, &names.adversary),
    ];
    let (role, then, now) = roles.into_iter().find(|(_, then, now)| !then.is_empty() && then != now)?;
    Some(format!("{then} {role}, and now it would be {now}; choose {then} under Settings, and go on then"))
}

fn begin(
    app: App,
    connections: &Connections,
    definition: Definition,
    scenarios: Vec<Scenario>,
    earlier: Option<Experiment>,
) {
    let lab = app.experiments;
    if lab.playing.with_untracked(Option::is_some) {
        return app.toast(ToastKind::Info, "An experiment is under way; stop it first");
    }
    lab.problems.set(Vec::new());
    lab.progress.set(None);
    lab.cells.set(earlier.as_ref().map(CellSoFar::of).unwrap_or_default());
    lab.current.set(None);
    lab.stopping.set(None);
    lab.playing.set(Some(Arc::new(definition.clone())));
    lab.view.set(View::Playing);
    let link = Link::open(Some(Means::of(app, connections)), move |told| {
        match told {
        Ok(told) => heard(app, told),
        Err(Lost::NotStarted(why)) => app.toast(
            ToastKind::Info,
            format!(
                "This experiment is played in the page, which may be slow to react: no worker could be started ({why})"
            ),
        ),
        Err(Lost::Died(why)) => {
            let words = format!(
                "The worker that played this experiment broke down ({why}). The runs that were over are kept, and Kept goes on with it"
            );
            over(app, vec![words]);
        }
    }
    });
    let (definition, earlier) = (Box::new(definition), earlier.map(Box::new));
    link.send(Order::Experiment { definition, scenarios, earlier });
    lab.link.set_value(Some(link));
}

/// Stops: after the run that plays, or, asked again, after its turn.
pub(crate) fn stop(app: App) {
    let lab = app.experiments;
    let at_once = lab.stopping.get_untracked().is_some();
    lab.stopping.set(Some(at_once));
    lab.link.with_value(|link| {
        if let Some(link) = link {
            link.send(Order::StopExperiment { at_once });
        }
    });
}

/// Nothing is played any more.
fn over(app: App, problems: Vec<String>) {
    let lab = app.experiments;
    lab.playing.set(None);
    lab.current.set(None);
    lab.computing.set(false);
    if !problems.is_empty() {
        lab.view.set(View::Setup);
    }
    lab.problems.set(problems);
    // Not from within what the link told: its listener is still running.
    spawn_local(async move {
        if lab.playing.with_untracked(Option::is_none) {
            lab.link.set_value(None);
        }
        look(app).await;
    });
}

fn heard(app: App, told: Told) {
    let lab = app.experiments;
    match told {
        Told::Began(place) => lab.current.set(Some(place)),
        Told::Over { place, survival, trouble } => lab.cells.update(|cells| {
            let cell = cells.entry((place.condition, place.scenario)).or_default();
            cell.runs.insert(place.repetition, trouble.map_or(Ok(survival), Err));
        }),
        Told::Progress(progress) => {
            // All are played: figures are computed now.
            lab.computing.set(progress.done == progress.total);
            lab.progress.set(Some(progress));
        }
        Told::Experiment(experiment, analysis) => {
            let was_stopped = experiment.cancelled;
            let is_watched = lab.view.get_untracked() == View::Playing;
            let name = experiment.definition.name.clone();
            let looked = Arc::new(Looked { experiment: *experiment, analysis: *analysis });
            if is_watched || lab.looked.with_untracked(Option::is_none) {
                lab.looked.set(Some(looked.clone()));
            }
            if is_watched {
                lab.view.set(View::Results);
            }
            if app.page.get_untracked() != Page::Experiments {
                let words = if was_stopped { "is stopped" } else { "is over" };
                app.toast(ToastKind::Success, format!("The experiment \u{201c}{name}\u{201d} {words}"));
            }
            spawn_local(async move {
                // A desk keeps in the browser's store; where there is none, this page has the only one.
                if let Ok(here @ Runs::Here(_)) = simulate::store(app).await {
                    let _ = here.save_experiment(&looked.experiment).await;
                }
                over(app, Vec::new());
            });
        }
        Told::Unplayable(problems) => over(app, problems),
        Told::Unkept(words) => app.toast(ToastKind::Error, format::sentence(&words)),
        _ => {}
    }
}

/// Lists what is kept.
pub(crate) async fn look(app: App) {
    let listed = async {
        let store = simulate::store(app).await?;
        Ok::<_, StoreError>((store.experiments().await?, store.sizes(Kind::Experiments).await?))
    };
    let lab = app.experiments;
    match listed.await {
        Ok((listing, sizes)) => {
            lab.sizes.set(sizes);
            lab.kept.set(Some(Ok(listing)));
        }
        Err(error) => lab.kept.set(Some(Err(error.to_string()))),
    }
}

/// Looks at an experiment that is kept. Its figures are computed at a desk of their own, for they take a while.
pub(crate) fn open(app: App, id: String) {
    spawn_local(async move {
        if let Some(experiment) = kept(app, &id).await {
            show(app, experiment);
        }
    });
}

fn show(app: App, experiment: Experiment) {
    let lab = app.experiments;
    lab.looked.set(None);
    lab.computing.set(true);
    lab.view.set(View::Results);
    let desk = StoredValue::new_local(None::<Link>);
    let done = move || {
        lab.computing.set(false);
        spawn_local(async move { desk.dispose() });
    };
    let link = Link::open(None, move |told| match told {
        Ok(Told::Experiment(experiment, analysis)) => {
            lab.looked.set(Some(Arc::new(Looked { experiment: *experiment, analysis: *analysis })));
            done();
        }
        Err(Lost::Died(why)) => {
            app.toast(ToastKind::Error, format!("Its figures could not be computed: {why}"));
            done();
        }
        _ => {}
    });
    link.send(Order::Analyse(Box::new(experiment)));
    desk.set_value(Some(link));
}

/// Keeps an experiment that came as a file, and shows it.
pub(crate) async fn keep(app: App, experiment: Experiment, analysis: Analysis) {
    let kept = match simulate::store(app).await {
        Ok(store) => store.save_experiment(&experiment).await,
        Err(error) => Err(error),
    };
    if let Err(error) = kept {
        app.toast(ToastKind::Error, format!("The experiment is shown, but could not be kept: {error}"));
    }
    let lab = app.experiments;
    lab.looked.set(Some(Arc::new(Looked { experiment, analysis })));
    lab.view.set(View::Results);
    Page::Experiments.open();
    look(app).await;
}

/// Reads the file of an experiment, or of a run, which is shown where runs are.
pub(crate) fn import(app: App, file: File) {
    let lab = app.experiments;
    spawn_local(async move {
        let Some(text) = browser::read(&file).await else {
            return lab.problems.set(vec![format!("{} could not be read as text", file.name())]);
        };
        match report::read(&text) {
            Ok(Imported::Experiment(experiment, analysis)) => {
                lab.problems.set(Vec::new());
                keep(app, *experiment, *analysis).await;
            }
            Ok(Imported::Run(run, _)) => {
                lab.problems.set(Vec::new());
                simulate::keep(app, *run).await;
                Page::Simulate.open();
            }
            Err(error) => lab.problems.set(vec![format!("\u{201c}{}\u{201d}: {error}", file.name())]),
        }
    });
}

/// In which form an experiment is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Json,
    Cells,
    Runs,
}

/// Saves an experiment as a file.
pub(crate) fn export(app: App, looked: &Looked, form: Form) {
    let Looked { experiment, analysis } = looked;
    let (ending, kind, text) = match form {
        Form::Markdown => ("md", "text/markdown", report::markdown(experiment, analysis)),
        Form::Json => ("json", "application/json", report::experiment_json(experiment, analysis)),
        Form::Cells => ("cells.csv", "text/csv", report::cells_csv(analysis)),
        Form::Runs => ("runs.csv", "text/csv", report::runs_csv(experiment)),
    };
    let stem =
        format!("{}-{}", report::file_stem(&experiment.definition.name), report::file_stem(&experiment.id));
    let name = format!("{stem}.{ending}");
    match browser::download(&name, &text, kind) {
        Ok(()) => app.toast(ToastKind::Success, format!("It is saved as {name}")),
        Err(_) => app.toast(ToastKind::Error, "The browser does not let this page save a file"),
    }
}

/// Removes an experiment, once a person has said so. Its runs stay.
pub(crate) fn ask_removal(app: App, id: String, name: &str) {
    app.question.set(Some(Question {
        title: format!("Remove \u{201c}{name}\u{201d}?"),
        body: "Its figures go and cannot be brought back unless they were exported. Its runs stay, and are listed on the Simulate page."
            .to_owned(),
        yes: "Remove".to_owned(),
        word: None,
        on_yes: Callback::new(move |()| {
            let id = id.clone();
            spawn_local(async move {
                let removed = match simulate::store(app).await {
                    Ok(store) => store.delete_experiment(&id).await,
                    Err(error) => Err(error),
                };
                match removed {
                    Ok(()) => {
                        let lab = app.experiments;
                        if lab.looked.with_untracked(|looked| {
                            looked.as_ref().is_some_and(|looked| looked.experiment.id == id)
                        }) {
                            lab.looked.set(None);
                        }
                        app.toast(ToastKind::Success, "The experiment is removed");
                    }
                    Err(error) => app.toast(ToastKind::Error, format!("It could not be removed: {error}")),
                }
                look(app).await;
            });
        }),
    }));
}
