//! What came of an import: how much was read and kept, and what was not, with the reasons.

use leptos::prelude::*;

use super::preview::NoteList;
use crate::actions::import::Outcome;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::route::Page;
use crate::state::App;

/// How it ended, in figures.
#[component]
pub(super) fn ResultView(outcome: Outcome) -> impl IntoView {
    let app = App::get();
    let title = match outcome.state {
        "done" => "Imported",
        "cancelled" => "Cancelled; what had been read is kept",
        _ => "The import did not finish",
    };
    let dropped: usize = outcome.dropped.values().sum();
    view! {
        <section
            class="result"
            role="status"
            data-testid="import-result"
            data-turns=outcome.turns.to_string()
            data-propositions=outcome.propositions.to_string()
        >
            <h3 class="result__title">{title}</h3>
            {(!outcome.words.is_empty()).then(|| view! { <p class="problem"><Icon glyph=Glyph::Alert /><span>{outcome.words.clone()}</span></p> })}
            <dl class="figures">
                <div class="figures__item"><dt>"turns stored"</dt><dd>{format::grouped(outcome.turns)}</dd></div>
                <div class="figures__item"><dt>"turns read"</dt><dd>{format::grouped(outcome.analysed as usize)}</dd></div>
                <div class="figures__item"><dt>"new statements"</dt><dd>{format::grouped(outcome.propositions)}</dd></div>
                <div class="figures__item"><dt>"joined known ones"</dt><dd>{format::grouped(outcome.joined)}</dd></div>
                <div class="figures__item"><dt>"not kept"</dt><dd>{format::grouped(dropped)}</dd></div>
            </dl>
            {(dropped > 0).then(|| view! {
                <h4 class="result__why">"Not kept, and why"</h4>
                <ul class="result__dropped">
                    {outcome
                        .dropped
                        .iter()
                        .map(|(reason, count)| {
                            let word = serde_json::to_value(reason).ok().and_then(|word| word.as_str().map(str::to_owned));
                            view! {
                                <li data-testid="import-dropped" data-reason=word data-count=count.to_string()>
                                    <span class="result__count">{format::grouped(*count)}</span>
                                    {reason.explain()}
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            })}
            <NoteList notes=outcome.notes.clone() />
            <footer class="dialog__foot">
                {outcome.conversation.map(|id| view! {
                    <button
                        type="button"
                        class="button"
                        on:click=move |_| {
                            app.importing.set(false);
                            Page::Chat(Some(id), None).open();
                        }
                    >
                        "Open the conversation"
                    </button>
                })}
                <button
                    type="button"
                    class="button button--primary"
                    on:click=move |_| {
                        app.importing.set(false);
                        Page::Memory.open();
                    }
                >
                    "See what is remembered"
                </button>
            </footer>
        </section>
    }
}
