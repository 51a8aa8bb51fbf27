//! A run that was kept, turn by turn: what was said, what its units were, what changed from the turn before, what it came to, and its memory;
//! or two runs side by side.

mod beside;
mod differs;
mod turn;

use std::sync::Arc;

use credence_sim::run::{RunRecord, RunStatus};
use credence_sim::scenario::display;
use credence_sim::store::RunNote;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::pages::simulate::watched::Watched;
use crate::pages::simulate::{Came, Done, Inspector, Knowledge, Talk, Track};
use crate::route::Page;
use crate::runs::{self, RunId};
use crate::state::App;
use beside::Beside;
use turn::Changes;

/// What is known of the runs that the address names.
#[derive(Clone, PartialEq)]
enum Found {
    Looking,
    One(Arc<RunRecord>),
    Two(Arc<RunRecord>, Arc<RunRecord>),
    /// The name that no run has; empty: the address is no name.
    None(String),
}

/// The page.
#[component]
pub(crate) fn RunPage(run: Option<RunId>, other: Option<RunId>) -> impl IntoView {
    let app = App::get();
    let found = RwSignal::new(Found::Looking);
    spawn_local(async move {
        let _ = found.try_set(look(app, run, other).await);
    });
    view! {
        <div class="run" data-testid="run-page" data-state=move || found.with(state_word)>
            {move || match found.get() {
                Found::Looking => view! { <p class="main__wait" role="status">"Looking for the run\u{2026}"</p> }.into_any(),
                Found::One(run) => view! { <One run /> }.into_any(),
                Found::Two(left, right) => view! { <Beside left right /> }.into_any(),
                Found::None(name) => view! { <Missing name /> }.into_any(),
            }}
        </div>
    }
}

fn state_word(found: &Found) -> &'static str {
    match found {
        Found::Looking => "looking",
        Found::One(_) => "one",
        Found::Two(..) => "two",
        Found::None(_) => "missing",
    }
}

async fn look(app: App, run: Option<RunId>, other: Option<RunId>) -> Found {
    let Some(id) = run else { return Found::None(String::new()) };
    let Some(run) = runs::find(app, id).await else { return Found::None(id.to_string()) };
    let Some(id) = other else { return Found::One(run) };
    match runs::find(app, id).await {
        Some(other) => Found::Two(run, other),
        None => Found::None(id.to_string()),
    }
}

#[component]
fn Missing(name: String) -> impl IntoView {
    let words = if name.is_empty() {
        "The address names no run.".to_owned()
    } else {
        format!("There is no run \u{201c}{name}\u{201d} in this browser.")
    };
    view! {
        <div class="empty" data-testid="run-missing">
            <p class="empty__title">{words}</p>
            <p>"It may have been deleted, or played elsewhere. A run that was saved as a file can be opened on the Simulate page."</p>
            <a class="button" href=Page::Simulate.href()>"Go to Simulate"</a>
        </div>
    }
}

/// How a run ended, in a word.
pub(super) fn status_word(status: &RunStatus) -> String {
    match status {
        RunStatus::Complete => "complete".to_owned(),
        RunStatus::Cancelled => "stopped".to_owned(),
        RunStatus::Unfinished => "put aside".to_owned(),
        RunStatus::Failed { reason } => format!("failed: {reason}"),
    }
}

/// A condition's name as it is shown.
pub(super) fn condition_word(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}

/// A scenario's title, or its id where the scenario is not here.
pub(super) fn title_of(app: App, scenario: &str) -> String {
    app.simulation.find(scenario).map_or_else(|| scenario.to_owned(), |scenario| display::title(&scenario))
}

/// A run in one line.
pub(super) fn line_of(run: &RunRecord) -> String {
    let turns = run.turns.iter().filter(|turn| turn.turn > 0).count();
    let kept = run.scores.get("oracle").or_else(|| run.scores.values().next());
    let resilience = kept.and_then(|score| score.values.get("resilience_rate").copied().flatten());
    format!(
        "{}, narrated by {}, seed {}; {}, {}{}",
        condition_word(&run.condition.name),
        run.settings.narrator,
        run.settings.seed,
        format::count(turns, "turn", "turns"),
        status_word(&run.status),
        resilience
            .map(|value| format!("; {value:.0} % of the turns without a contradiction"))
            .unwrap_or_default()
    )
}

/// What stands beside the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Turn,
    Changes,
    Memory,
    Results,
    Acts,
}

const TABS: [(Tab, &str, &str); 5] = [
    (Tab::Turn, "turn", "Turn"),
    (Tab::Changes, "changes", "Changes"),
    (Tab::Memory, "memory", "Memory"),
    (Tab::Results, "results", "Results"),
    (Tab::Acts, "acts", "Acts"),
];

#[component]
fn One(run: Arc<RunRecord>) -> impl IntoView {
    let app = App::get();
    let watched = Watched::kept(app, run.clone());
    let tab = RwSignal::new(Tab::Turn);
    Effect::new(move || {
        if watched.sought.with(Option::is_some) {
            tab.set(Tab::Memory);
        }
    });
    let scenario = run.scenario.clone();
    let title = title_of(app, &run.scenario);
    let (saved, for_other, for_results, for_acts) = (run.clone(), run.clone(), run.clone(), run.clone());
    let for_chat = run.clone();
    view! {
        <header class="run__head" data-testid="run" data-run=run.id.clone()>
            <a class="back" href=Page::Simulate.href()><Icon glyph=Glyph::Back />"Simulate"</a>
            <h2 class="run__title">{title}</h2>
            <p class="inspect__line">{line_of(&run)}</p>
            <div class="run__acts">
                <button type="button" class="button button--small" data-testid="run-save" on:click=move |_| actions::simulate::save(app, &saved)>
                    <Icon glyph=Glyph::Export />
                    "Save this run"
                </button>
                <button type="button" class="button button--small" data-testid="run-chat" on:click=move |_| actions::runs::ask_chat(app, for_chat.clone())>
                    <Icon glyph=Glyph::Chat />
                    "Start a chat from it"
                </button>
                <Other run=for_other />
            </div>
        </header>
        <div class="simulate__split">
            <section class="simulate__talk" aria-label="Conversation">
                <Track watched />
                <Talk watched scenario=Signal::stored(scenario) />
            </section>
            <section class="simulate__beside" aria-label="Beside the conversation">
                <div class="tabs" role="tablist">
                    {TABS.map(|(which, testid, label)| view! {
                        <button type="button" role="tab" class="tabs__tab" data-testid=format!("run-tab-{testid}") aria-selected=move || (tab.get() == which).to_string() on:click=move |_| tab.set(which)>{label}</button>
                    }).collect_view()}
                </div>
                <div class="simulate__panel" role="tabpanel">
                    {move || match tab.get() {
                        Tab::Turn => view! { <Inspector watched /> }.into_any(),
                        Tab::Changes => view! { <Changes watched /> }.into_any(),
                        Tab::Memory => view! { <Knowledge watched /> }.into_any(),
                        Tab::Results => view! { <Came record=for_results.clone() /> }.into_any(),
                        Tab::Acts if for_acts.interventions.is_empty() => {
                            view! { <p class="card__none">"Nobody did anything to the memory while the run was paused."</p> }.into_any()
                        }
                        Tab::Acts => view! { <Done done=for_acts.interventions.clone() /> }.into_any(),
                    }}
                </div>
            </section>
        </div>
    }
}

/// Chooses the run to put beside this one: those of the same scenario first.
#[component]
fn Other(run: Arc<RunRecord>) -> impl IntoView {
    let app = App::get();
    spawn_local(async move { actions::simulate::look(app).await });
    let (name, scenario) = (run.id.clone(), run.scenario.clone());
    let others = Memo::new(move |_| {
        app.simulation.kept.with(|kept| {
            let notes = kept.listing.iter().flat_map(|listing| &listing.notes);
            let mut others: Vec<RunNote> = notes.filter(|one| one.id != name).cloned().collect();
            others.sort_by_key(|one| one.scenario != scenario);
            others
        })
    });
    let go = move |event: web_sys::Event| {
        if let (Ok(one), Ok(other)) = (run.id.parse(), event_target_value(&event).parse()) {
            Page::Run(Some(one), Some(other)).open();
        }
    };
    view! {
        <Show
            when=move || others.with(|others| !others.is_empty())
            fallback=|| view! { <span class="inspect__line">"Play another run to compare this one with."</span> }
        >
            <label class="run__other">
                <span>"Compare with"</span>
                <select class="field__input" data-testid="run-compare" on:change=go.clone()>
                    <option value="">"\u{2026}"</option>
                    {move || others.get().into_iter().map(|one| view! {
                        <option value=one.id.clone()>{format!("{}: {}, seed {}", title_of(app, &one.scenario), condition_word(&one.condition), one.seed)}</option>
                    }).collect_view()}
                </select>
            </label>
        </Show>
    }
}
