//! Fact by fact: how many runs of each condition held it, and in each run what became of it; a run opens on the Simulate page, at the turn.

use std::sync::Arc;

use credence_sim::experiment::{RunDigest, ScenarioNote};
use leptos::prelude::*;

use super::said;
use crate::actions;
use crate::experiment::Looked;
use crate::state::App;

/// The facts of one scenario.
#[component]
pub(super) fn Facts(looked: Arc<Looked>, scenario: String) -> impl IntoView {
    let Some(note) = looked.experiment.scenarios.iter().find(|note| note.id == scenario).cloned() else {
        return ().into_any();
    };
    if note.facts.is_empty() {
        return view! { <p class="card__none">"This scenario has no fact that is asked after."</p> }
            .into_any();
    }
    let ScenarioNote { facts, .. } = note;
    let rows = facts
        .into_iter()
        .map(|fact| {
            let cells = looked
                .experiment
                .definition
                .conditions
                .iter()
                .map(|condition| {
                    view! { <Cell looked=looked.clone() scenario=scenario.clone() condition=condition.name.clone() fact=fact.id.clone() /> }
                })
                .collect_view();
            view! { <tr><th scope="row" title=fact.text.clone()>{fact.text.clone()}</th>{cells}</tr> }
        })
        .collect_view();
    let heads = looked
        .experiment
        .definition
        .conditions
        .iter()
        .map(|condition| view! { <th scope="col">{said(&condition.name)}</th> })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Facts and conditions">
            <table class="map facts" data-testid="lab-facts">
                <thead><tr><th scope="col"><span class="unseen">"Fact"</span></th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="lab__aside">"Each mark is a run: \u{25cf} held, \u{25d0} never spoken of, \u{2715} contradicted, with the turn of the first contradiction. It opens the run there."</p>
    }
    .into_any()
}

/// What became of a fact in a run: the mark, in words, and the turn to look at.
fn fate(run: &RunDigest, judge: &str, fact: &str) -> (&'static str, String, Option<u32>) {
    let found = run.fates.get(judge).and_then(|fates| fates.iter().find(|fate| fate.fact == fact));
    match found {
        None => ("\u{2013}", "not judged".to_owned(), None),
        Some(fate) => match fate.first_drift {
            Some(turn) => ("\u{2715}", format!("contradicted first in turn {turn}"), Some(turn)),
            None if fate.survived() => ("\u{25cf}", "held".to_owned(), None),
            None => ("\u{25d0}", "never spoken of".to_owned(), None),
        },
    }
}

#[component]
fn Cell(looked: Arc<Looked>, scenario: String, condition: String, fact: String) -> impl IntoView {
    let app = App::get();
    let judge = looked.experiment.definition.judged_by.clone();
    let count = looked
        .analysis
        .cell(&condition, &scenario)
        .and_then(|cell| cell.facts.iter().find(|fate| fate.fact == fact))
        .map(|fate| (fate.survived, fate.runs));
    let marks = looked
        .experiment
        .complete()
        .filter(|run| run.condition == condition && run.scenario == scenario)
        .map(|run| {
            let (mark, words, turn) = fate(run, &judge, &fact);
            let (id, repetition) = (run.run.clone(), run.settings.repetition + 1);
            let label = format!("Repetition {repetition}: {words}; look at the run");
            let class = match mark {
                "\u{25cf}" => "facts__run facts__run--good",
                "\u{2715}" => "facts__run facts__run--bad",
                _ => "facts__run",
            };
            view! {
                <button type="button" class=class data-testid="lab-fact-run" data-turn=turn.map(|turn| turn.to_string()) title=label.clone() aria-label=label on:click=move |_| actions::simulate::open_kept(app, id.clone(), turn)>
                    {mark}
                    {turn.map(|turn| view! { <span class="facts__turn">{turn}</span> })}
                </button>
            }
        })
        .collect_view();
    view! {
        <td class="facts__cell">
            <span class="facts__count">{count.map_or_else(|| "\u{2013}".to_owned(), |(survived, runs)| format!("{survived}/{runs}"))}</span>
            <span class="facts__runs">{marks}</span>
        </td>
    }
}
