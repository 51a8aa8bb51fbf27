//! Where an entity was mentioned, and the commits that made it what it is.

use credence::history::Actor;
use credence::memory::{CommitView, SourceView};
use leptos::prelude::*;

use crate::components::quote::Quote;
use crate::format;

/// Quotes that are built at once.
const MOST: usize = 12;

/// The turns that mention it, newest first.
#[component]
pub(super) fn Mentioned(turns: Vec<SourceView>, chunks: Vec<String>) -> impl IntoView {
    let is_empty = turns.is_empty() && chunks.is_empty();
    let all = RwSignal::new(false);
    let count = turns.len();
    let turns = StoredValue::new(turns);
    view! {
        <section class="card" aria-labelledby="entity-turns">
            <h3 class="card__title" id="entity-turns">"Where it was mentioned"</h3>
            {is_empty.then(|| view! { <p class="card__none">"In no conversation that is kept here."</p> })}
            {move || {
                let most = if all.get() { usize::MAX } else { MOST };
                turns.with_value(|turns| turns.iter().rev().take(most).map(|source| view! { <Quote source=source.clone() testid="entity-turn" /> }).collect_view())
            }}
            <Show when=move || !all.get() && (count > MOST)>
                <button type="button" class="button" on:click=move |_| all.set(true)>
                    {format!("Show {} more", format::grouped(count - MOST))}
                </button>
            </Show>
            {(!chunks.is_empty()).then(|| view! {
                <ul class="sources">{chunks.into_iter().map(|chunk| view! { <li>{chunk}</li> }).collect_view()}</ul>
            })}
        </section>
    }
}

/// The commits that touched it, newest first; folded, because it is long.
#[component]
pub(super) fn Timeline(steps: Vec<CommitView>, left_out: usize) -> impl IntoView {
    let who = |actor: Actor| match actor {
        Actor::Person => "you",
        Actor::Engine => "Credence",
        Actor::Host => "the program",
    };
    (!steps.is_empty()).then(|| view! {
        <section class="card" aria-labelledby="entity-life">
            <details class="more">
                <summary class="more__head">
                    <h3 class="card__title more__title" id="entity-life">"Its life: "{format::count(steps.len() + left_out, "commit", "commits")}</h3>
                </summary>
                <ol class="life">
                    {steps
                        .into_iter()
                        .map(|step| view! {
                            <li class="life__step" data-testid="entity-commit" data-seq=step.seq.to_string()>
                                <p class="life__head">
                                    <strong>{format::sentence(step.reasons.first().map_or("changed", String::as_str))}</strong>
                                    {format!(" by {}, {}", who(step.actor), format::instant(step.at))}
                                    <span class="life__seq">{format!("commit {} ({})", step.seq, step.cause.as_str())}</span>
                                </p>
                                {step.reasons.iter().skip(1).map(|why| view! { <p class="life__why">{why.clone()}</p> }).collect_view()}
                            </li>
                        })
                        .collect_view()}
                </ol>
                {(left_out > 0).then(|| view! { <p class="card__none">{format!("and {} older", format::grouped(left_out))}</p> })}
            </details>
        </section>
    })
}
