//! Where a statement was used: read from the use records when somebody asks, because there may be many.

use std::str::FromStr;

use credence::history::{Journal, Purpose, UseRecord};
use credence::id::{PropositionId, TurnId};
use credence::ports::Ports;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::format;
use crate::route::Page;
use crate::state::App;

/// Most uses that are listed, newest first.
const SHOWN: usize = 50;

/// The list, once it was asked for.
#[component]
pub(super) fn Used(id: PropositionId) -> impl IntoView {
    let app = App::get();
    let uses = RwSignal::new(None::<Vec<UseRecord>>);
    let busy = RwSignal::new(false);
    let look = move |_| {
        let Some(memory) = app.memory() else { return };
        busy.set(true);
        spawn_local(async move {
            let read = memory.ports().journal().uses(memory.context()).await;
            // The page may have been left meanwhile.
            let _ = busy.try_set(false);
            match read {
                Ok(mut found) => {
                    found.retain(|record| record.items.iter().any(|item| item.proposition == id));
                    found.reverse();
                    let _ = uses.try_set(Some(found));
                }
                Err(error) => app.fail("The use records cannot be read", &error.into()),
            }
        });
    };
    view! {
        <section class="card" aria-labelledby="prop-used">
            <h3 class="card__title" id="prop-used">"Where it was used"</h3>
            {move || match uses.get() {
                None => view! {
                    <button type="button" class="button button--small" data-testid="prop-uses" disabled=move || busy.get() on:click=look>
                        {move || if busy.get() { "Looking\u{2026}" } else { "Show uses" }}
                    </button>
                }
                    .into_any(),
                Some(found) if found.is_empty() => view! { <p class="card__none">"No prompt and no search has had it yet."</p> }.into_any(),
                Some(found) => {
                    let count = found.len();
                    view! {
                        <p class="card__none">{format::count(count, "use", "uses")}</p>
                        <ul class="uses">
                            {found.into_iter().take(SHOWN).map(|record| view! { <Use record id /> }).collect_view()}
                        </ul>
                    }
                        .into_any()
                }
            }}
        </section>
    }
}

#[component]
fn Use(record: UseRecord, id: PropositionId) -> impl IntoView {
    let app = App::get();
    let item = record.items.iter().find(|item| item.proposition == id);
    let rank = item.map(|item| item.rank).unwrap_or_default();
    let purpose = match record.purpose {
        Purpose::Assembly => "in a prompt",
        Purpose::Search => "in a search",
        Purpose::Tool => "by a tool",
        Purpose::Oracle => "by a question",
        _ => "in a run",
    };
    let place = TurnId::from_str(&record.step).ok().and_then(|turn| {
        let conversation = app.read(|memory| memory.state().turn(turn).map(|turn| turn.conversation))?;
        Some(Page::Chat(Some(conversation), Some(turn)).href())
    });
    view! {
        <li class="uses__item" data-testid="prop-use">
            <span>{format!("{}, {purpose}, place {rank} of {}", format::instant(record.at), record.items.len())}</span>
            <q class="uses__query">{record.query}</q>
            {place.map(|href| view! { <a href=href>"open"</a> })}
        </li>
    }
}
