//! An experiment under way: how far it is, cell by cell, how long it will take, and stopping it.

use leptos::prelude::*;

use super::said;
use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::state::App;

/// A span of time as people say it.
fn span(milliseconds: i64) -> String {
    match milliseconds.max(0) / 1000 {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds @ 90..5400 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The matrix.
#[component]
pub(super) fn Playing() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let status = move || {
        if lab.computing.get() {
            return "All runs are over. The figures are computed\u{2026}".to_owned();
        }
        let Some(progress) = lab.progress.get() else { return "Making ready\u{2026}".to_owned() };
        let left = match progress.left_ms {
            Some(left) => format!(", about {} left", span(left)),
            None => String::new(),
        };
        let troubled = match progress.troubled {
            0 => String::new(),
            many => format!(", {many} not to their end"),
        };
        format!("{} of {} runs are over{troubled}{left}", progress.done, progress.total)
    };
    let stop = move || match lab.stopping.get() {
        None => "Stop",
        Some(false) => "Stop this run too",
        Some(true) => "Stopping\u{2026}",
    };
    let matrix = move || {
        lab.playing.get().map(|definition| {
            let conditions: Vec<String> =
                definition.conditions.iter().map(|condition| condition.name.clone()).collect();
            let rows = definition.scenarios.clone().into_iter().map(|scenario| {
                let cells = conditions.clone().into_iter().map(|condition| {
                    view! { <Cell condition scenario=scenario.clone() of=definition.repetitions /> }
                });
                view! { <tr><th scope="row">{scenario.clone()}</th>{cells.collect_view()}</tr> }
            });
            let heads = conditions.iter().map(|name| view! { <th scope="col">{said(name)}</th> }).collect_view();
            view! {
                <div class="scroll" tabindex="0" role="region" aria-label="Cells">
                    <table class="matrix" data-testid="lab-matrix">
                        <thead><tr><th scope="col"><span class="unseen">"Scenario"</span></th>{heads}</tr></thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            }
        })
    };
    view! {
        <section aria-labelledby="lab-playing">
            <h2 class="section__title" id="lab-playing">{move || lab.playing.get().map(|definition| definition.name.clone())}</h2>
            <div class="lab__bar">
                <progress class="progress lab__progress" aria-label="Runs" data-testid="lab-progress" data-done=move || lab.progress.with(|p| p.as_ref().map_or(0, |p| p.done)).to_string() max=move || lab.progress.with(|p| p.as_ref().map_or(1, |p| p.total)).to_string() value=move || lab.progress.with(|p| p.as_ref().map_or(0, |p| p.done)).to_string()></progress>
                <span class="lab__status" role="status" data-testid="lab-status">{status}</span>
                <button type="button" class="button button--danger-quiet" data-testid="lab-stop" disabled=move || lab.stopping.get() == Some(true) || lab.computing.get() on:click=move |_| actions::experiment::stop(app)>
                    <Icon glyph=Glyph::Stop />
                    {stop}
                </button>
            </div>
            <p class="lab__aside">
                {move || match (lab.stopping.get(), lab.current.get()) {
                    (Some(true), _) => "The run ends with its turn. What was played to its end is reported.".to_owned(),
                    (Some(false), _) => "No other run begins. What was played is reported when this run is over.".to_owned(),
                    (None, Some(place)) => format!("Now: {} under {}, repetition {}. Look elsewhere meanwhile; close this tab, and the experiment ends there.", place.scenario, said(&place.condition), place.repetition + 1),
                    (None, None) => String::new(),
                }}
            </p>
            {matrix}
            <p class="lab__aside">"Numbers are the facts that survived, in percent, of the runs so far. Nothing is concluded before all are over."</p>
        </section>
    }
}

#[component]
fn Cell(condition: String, scenario: String, of: u32) -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let (here, place) = ((condition.clone(), scenario.clone()), (condition, scenario));
    let cell = Memo::new(move |_| lab.cells.with(|cells| cells.get(&here).cloned().unwrap_or_default()));
    let plays = Memo::new(move |_| {
        lab.current.with(|current| {
            current.as_ref().is_some_and(|now| now.condition == place.0 && now.scenario == place.1)
        })
    });
    let words = move || {
        cell.with(|cell| {
            let done = cell.runs.len();
            let troubled = match cell.troubled() {
                0 => String::new(),
                many => format!(", {many} not to their end"),
            };
            format!("{done} of {of} runs{troubled}")
        })
    };
    view! {
        <td class="matrix__cell" class:matrix__cell--now=plays class:matrix__cell--bad=move || cell.with(|cell| cell.troubled() > 0) data-testid="lab-cell" data-done=move || cell.with(|cell| cell.runs.len()).to_string() title=words>
            <span class="matrix__figure">{move || cell.with(|cell| cell.survival().map_or_else(|| "\u{2013}".to_owned(), |value| format!("{value:.0}")))}</span>
            <svg class="matrix__bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect class="matrix__all" width="100" height="6" />
                <rect class="matrix__done" width=move || format!("{:.0}", cell.with(|cell| cell.runs.len()) as f64 / f64::from(of.max(1)) * 100.0) height="6" />
            </svg>
            <span class="matrix__words">{move || format!("{}/{of}", cell.with(|cell| cell.runs.len()))}{move || cell.with(|cell| match cell.troubled() { 0 => String::new(), many => format!(" \u{26a0}{many}") })}{move || plays.get().then_some(" \u{25b8}")}</span>
        </td>
    }
}
