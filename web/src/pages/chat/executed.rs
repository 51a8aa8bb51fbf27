//! How an answer was made, in the X-ray: which model with which options, how it ended, what it looked up, and what of memory it asked to
//! change.

use credence::agent::{ChangeOutcome, ChangeTool, Execution, ToolChange, ToolUse};
use credence::id::PropositionId;
use credence::llm::Finish;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// The section.
#[component]
pub(super) fn Executed(execution: Execution) -> impl IntoView {
    let line = in_words(&execution);
    let Execution { searches, changes, notes, .. } = execution;
    view! {
        <section aria-labelledby="xray-executed" data-testid="xray-executed">
            <h3 class="xray__title" id="xray-executed">"How it was answered"</h3>
            <p class="xray__line" data-testid="xray-execution">{line}</p>
            {notes.into_iter().map(|note| view! { <p class="xray__line">{format::sentence(&note)}</p> }).collect_view()}
            <ul class="xray__list">
                {searches.into_iter().map(|search| view! { <Search search /> }).collect_view()}
                {changes.into_iter().map(|change| view! { <Change change /> }).collect_view()}
            </ul>
        </section>
    }
}

/// Model, options and end, in a line.
fn in_words(execution: &Execution) -> String {
    let model = if execution.model.is_empty() { execution.asked.as_deref() } else { Some(&*execution.model) };
    let mut parts = vec![format!("By {}", model.unwrap_or("a model that gave no name"))];
    if let Some(temperature) = execution.temperature {
        parts.push(format!("temperature {temperature}"));
    }
    if let Some(most) = execution.max_tokens {
        parts.push(format!("at most {most} tokens"));
    }
    if let Some(count) = execution.completion_tokens {
        parts.push(format!("{} written", format::count(count as usize, "token", "tokens")));
    }
    parts.push(
        match execution.finish {
            Finish::Stop => "it was done",
            Finish::Length => "cut at the limit of tokens",
            Finish::Filtered => "the provider withheld the rest",
            Finish::Cancelled => "stopped by you",
        }
        .to_owned(),
    );
    parts.join(" \u{b7} ")
}

#[component]
fn Search(search: ToolUse) -> impl IntoView {
    let found = format::count(search.found as usize, "statement", "statements");
    view! {
        <li class="xray__row" data-testid="xray-search">
            <span class="then__text">{format!("Looked for \u{201c}{}\u{201d}", search.query)}</span>
            <span class="xray__why">{found}</span>
        </li>
    }
}

#[component]
fn Change(change: ToolChange) -> impl IntoView {
    let app = App::get();
    let asked = match change.tool {
        ChangeTool::ProposeFact => "asked to remember",
        ChangeTool::ReviseFact => "asked for other words",
    };
    let (word, came, leads): (_, String, Option<PropositionId>) = match change.outcome {
        ChangeOutcome::Asked { .. } => ("asked", "you are asked, under Activity".to_owned(), change.unit),
        ChangeOutcome::Done { statement } => ("done", "done".to_owned(), Some(statement)),
        ChangeOutcome::Known { statement } => ("known", "known already".to_owned(), Some(statement)),
        ChangeOutcome::Refused { why } => ("refused", format!("not done: {why}"), change.unit),
    };
    let statement = change.statement.clone();
    let text = match leads {
        Some(id) => view! { <a class="then__text" href=Page::Proposition(id).href()>{change.statement}</a> }
            .into_any(),
        None => view! { <span class="then__text">{change.statement}</span> }.into_any(),
    };
    view! {
        <li class="xray__row" data-testid="xray-change" data-outcome=word>
            {text}
            <span class="xray__why">
                <span class="tag">{asked}</span>
                {came}
                {change.commit.map(|commit| view! {
                    <button type="button" class="button button--quiet button--small" aria-label=format!("Undo: {statement}") on:click=move |_| actions::facts::undo(app, commit, None)>
                        <Icon glyph=Glyph::Undo />
                        "Undo"
                    </button>
                })}
            </span>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn model_options_and_end_are_said_in_a_line() {
        let cut = Execution {
            model: "small".into(),
            temperature: Some(0.3),
            max_tokens: Some(64),
            completion_tokens: Some(64),
            finish: Finish::Length,
            ..Execution::default()
        };
        assert_eq!(
            in_words(&cut),
            "By small \u{b7} temperature 0.3 \u{b7} at most 64 tokens \u{b7} 64 tokens written \u{b7} cut at the limit of tokens"
        );
        let plain = Execution { asked: Some("asked-for".into()), ..Execution::default() };
        assert_eq!(in_words(&plain), "By asked-for \u{b7} it was done");
    }
}
