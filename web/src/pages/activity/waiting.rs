//! Turns that were not read yet, by conversation, with the reason and a button that reads them now.

use credence::extraction::Trigger;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::projection::{self, Waiting};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// What waits. Absent when nothing does.
#[component]
pub(super) fn WaitingList() -> impl IntoView {
    let app = App::get();
    let rows = Memo::new(move |_| {
        app.analysis.track();
        app.turns.track();
        app.read(projection::waiting)
    });
    view! {
        <Show when=move || rows.with(|rows| !rows.is_empty())>
            <section class="card" aria-labelledby="activity-waiting">
                <h2 class="card__title" id="activity-waiting">"Waiting to be read"</h2>
                <ul class="waiting" data-testid="waiting">
                    <For each=move || rows.get() key=|row| (row.conversation, row.turns, row.failure.as_ref().map(|(_, tries, _)| *tries)) let(row)>
                        <WaitingItem row />
                    </For>
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn WaitingItem(row: Waiting) -> impl IntoView {
    let app = App::get();
    let conversation = row.conversation;
    let running = move || app.analysing.with(|running| running.contains(&conversation));
    let failed = row.failure.is_some();
    view! {
        <li class="waiting__item" data-testid="waiting-item" data-conversation=conversation.to_string() data-failed=failed.to_string()>
            <div class="waiting__what">
                <a href=Page::Chat(Some(conversation), None).href()>{row.title.clone()}</a>
                <span class="waiting__count">{format::count(row.turns as usize, "turn waits", "turns wait")}</span>
                {row.failure.map(|(reason, attempts, at)| view! {
                    <p class="waiting__why">
                        <Icon glyph=Glyph::Alert />
                        <span>
                            {format::sentence(&reason)}
                            {format!(" ({}, last {})", format::count(attempts as usize, "try", "tries"), format::instant(at))}
                        </span>
                    </p>
                })}
                {(!row.failed.is_empty()).then(|| view! {
                    <ul class="waiting__parts">
                        {row.failed.iter().map(|part| view! {
                            <li data-testid="waiting-failed">
                                {format!("turns {} to {}: {}, {}", part.from + 1, part.to, part.reason, format::count(part.attempts as usize, "try", "tries"))}
                            </li>
                        }).collect_view()}
                    </ul>
                })}
            </div>
            <button
                type="button"
                class="button button--small"
                data-testid="waiting-read"
                disabled=running
                on:click=move |_| actions::chat::analyse(app, conversation, Trigger::Now)
            >
                <Icon glyph=Glyph::Again />
                {move || match (running(), failed) {
                    (true, _) => "Reading\u{2026}",
                    (false, true) => "Try again",
                    (false, false) => "Read now",
                }}
            </button>
        </li>
    }
}
