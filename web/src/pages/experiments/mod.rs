//! Experiments: conditions × scenarios × repetitions, set up, watched, compared and kept. The page computes nothing of its own: figures, checks
//! and sentences are those of `credence_sim::experiment` and `report`, which the command line's reports say too.

mod facts;
mod history;
mod plots;
mod progress;
mod results;
mod setup;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::experiment::View;
use crate::format;
use crate::state::App;
use history::History;
use progress::Playing;
use results::Results;
use setup::Setup;

/// A condition as it is read: `full awmu`.
fn said(condition: &str) -> String {
    condition.to_lowercase().replace('_', " ")
}

/// The page.
#[component]
pub(crate) fn ExperimentsPage() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    spawn_local(async move { actions::experiment::look(app).await });
    let shown = move |which: View| match which {
        View::Setup | View::History => true,
        View::Playing => lab.busy(),
        View::Results => lab.computing.get() && !lab.busy() || lab.looked.with(Option::is_some),
    };
    // A view that is over gives way.
    let view = Memo::new(move |_| match lab.view.get() {
        which if shown(which) => which,
        _ => View::Setup,
    });
    let kept = move || {
        lab.kept.with(|kept| match kept {
            Some(Ok(listing)) if !listing.notes.is_empty() => format!(" ({})", listing.notes.len()),
            _ => String::new(),
        })
    };
    let tab = move |which: View, testid: &'static str, label: &'static str| {
        view! {
            <Show when=move || shown(which)>
                <button
                    type="button"
                    role="tab"
                    class="tabs__tab"
                    data-testid=testid
                    aria-selected=move || (view.get() == which).to_string()
                    on:click=move |_| lab.view.set(which)
                >
                    {label}
                    {move || (which == View::History).then(kept)}
                </button>
            </Show>
        }
    };
    let chosen = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(file) = input.as_ref().and_then(HtmlInputElement::files).and_then(|files| files.get(0)) {
            actions::experiment::import(app, file);
        }
        // The same file can be chosen again.
        if let Some(input) = input {
            input.set_value("");
        }
    };
    view! {
        <div class="page experiments" data-testid="experiments" data-view=move || word(view.get()) data-busy=move || lab.busy().to_string()>
            <div class="experiments__head">
                <div class="tabs" role="tablist" aria-label="Experiments">
                    {tab(View::Setup, "lab-tab-setup", "Set up")}
                    {tab(View::Playing, "lab-tab-playing", "Under way")}
                    {tab(View::Results, "lab-tab-results", "Results")}
                    {tab(View::History, "lab-tab-history", "Kept")}
                </div>
                <label class="button button--small experiments__open">
                    <Icon glyph=Glyph::Import />
                    "Open a file"
                    <input class="unseen" type="file" accept=".json,application/json" data-testid="lab-file" on:change=chosen />
                </label>
            </div>
            {move || app.simulation.volatile.get().map(|why| view! {
                <p class="problem" role="alert"><Icon glyph=Glyph::Alert /><span>{format!("Experiments are lost with this page, because {why}. Export what you want to keep.")}</span></p>
            })}
            {move || {
                let problems = lab.problems.get();
                (!problems.is_empty()).then(|| view! {
                    <div class="problem" role="alert" data-testid="lab-problems">
                        <Icon glyph=Glyph::Alert />
                        <ul>{problems.into_iter().map(|words| view! { <li>{format::sentence(&words)}</li> }).collect_view()}</ul>
                    </div>
                })
            }}
            {move || match view.get() {
                View::Setup => view! { <Setup /> }.into_any(),
                View::Playing => view! { <Playing /> }.into_any(),
                View::Results => view! { <Results /> }.into_any(),
                View::History => view! { <History /> }.into_any(),
            }}
        </div>
    }
}

/// A view as checks and styles name it.
fn word(view: View) -> &'static str {
    match view {
        View::Setup => "setup",
        View::Playing => "playing",
        View::Results => "results",
        View::History => "history",
    }
}
