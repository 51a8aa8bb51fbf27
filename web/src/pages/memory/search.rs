//! The search by meaning. It goes through the one door by which memory is read, so it leaves a use record; therefore it runs
//! when it is asked for, or when the words alone find nothing.

use std::time::Duration;

use credence::id::PropositionId;
use credence::retrieval::Search;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::row::Row;
use crate::format;
use crate::projection::{self, FactFilter, FactRow};
use crate::state::{App, EmbeddingState};

/// Most rows that a search by meaning brings.
const LIMIT: usize = 20;

/// A pause in typing after which words that find nothing are searched by meaning.
const PAUSE: Duration = Duration::from_millis(500);

/// What the last search by meaning brought.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Near {
    /// Whether one is on its way.
    pub(super) busy: bool,
    /// What was asked; empty: nothing.
    pub(super) query: String,
    found: Vec<(PropositionId, String)>,
    notes: Vec<String>,
    /// Distinguishes questions, so that a late answer to an old one is not shown.
    number: u64,
}

impl Near {
    /// Another question is being typed.
    pub(super) fn forget(&mut self) {
        *self = Self { number: self.number + 1, ..Self::default() };
    }

    /// What was found, without the rows that the words found too.
    pub(super) fn beside(&self, app: App, filter: &FactFilter) -> Vec<(FactRow, String)> {
        let words = filter.words.to_lowercase();
        let by_words = |row: &FactRow| {
            let text = row.text.to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        };
        let ids: Vec<PropositionId> = self.found.iter().map(|(id, _)| *id).collect();
        let why = |id| self.found.iter().find(|(found, _)| *found == id).map(|(_, why)| why.clone());
        app.read(|memory| projection::rows(memory, &ids))
            .into_iter()
            .filter(|row| !by_words(row) && filter.status.is_none_or(|status| status == row.status))
            .map(|row| (row.clone(), why(row.id).unwrap_or_default()))
            .collect()
    }
}

/// Searches by meaning now.
pub(super) fn run(app: App, near: RwSignal<Near>, query: String) {
    let query = query.trim().to_owned();
    let Some(memory) = app.memory() else { return };
    if query.is_empty() {
        return;
    }
    near.update(|near| {
        near.forget();
        near.busy = true;
    });
    let number = near.with_untracked(|near| near.number);
    spawn_local(async move {
        let outcome = memory.search(&Search { limit: LIMIT, ..Search::new(&query) }).await;
        let is_asked = near.try_with_untracked(|near| near.number == number).unwrap_or(false);
        match outcome {
            Ok(recall) if is_asked => near.set(Near {
                busy: false,
                query,
                found: recall.items.into_iter().map(|item| (item.view.proposition.id, item.why)).collect(),
                notes: recall.notes,
                number,
            }),
            Ok(_) => {}
            Err(error) => {
                if is_asked {
                    near.update(|near| near.busy = false);
                }
                app.fail("The search failed", &error);
            }
        }
    });
}

/// Searches by meaning after a pause, if the words find nothing by then.
pub(super) fn soon(app: App, near: RwSignal<Near>, filter: RwSignal<FactFilter>) {
    let number = near.with_untracked(|near| near.number);
    set_timeout(
        move || {
            let still = near.try_with_untracked(|near| near.number == number && !near.busy).unwrap_or(false);
            let Some(filter) = filter.try_get_untracked().filter(|_| still) else { return };
            if filter.words.trim().chars().count() >= 3
                && app.read(|memory| projection::list(memory, &filter, 0)).1 == 0
            {
                run(app, near, filter.words);
            }
        },
        PAUSE,
    );
}

/// The rows that the meaning found beside those of the words.
#[component]
pub(super) fn ByMeaning(near: RwSignal<Near>, beside: Memo<Vec<(FactRow, String)>>) -> impl IntoView {
    let app = App::get();
    let limits = move || match app.embedding.get() {
        EmbeddingState::Ready => None,
        EmbeddingState::Loading => {
            Some("The meanings of words are still loading; this compared words alone.".to_owned())
        }
        EmbeddingState::Failed(why) => {
            Some(format!("The meanings of words could not be loaded ({why}); this compared words alone."))
        }
    };
    view! {
        <Show when=move || near.with(|near| near.busy)>
            <p class="memory__count" role="status"><span class="pulse" aria-hidden="true"></span>"Searching by meaning\u{2026}"</p>
        </Show>
        <Show when=move || near.with(|near| !near.busy && !near.query.is_empty())>
            <section class="bymeaning" aria-label="Found by meaning" data-testid="memory-by-meaning">
                <p class="memory__count" role="status">
                    {move || format!("{} by meaning", format::count(beside.with(Vec::len), "more", "more"))}
                </p>
                {move || limits().map(|words| view! { <p class="field__hint">{words}</p> })}
                {move || near.with(|near| if limits().is_some() { Vec::new() } else { near.notes.clone() }.into_iter().map(|note| view! { <p class="field__hint">{note}</p> }).collect_view())}
                <ul class="rows">
                    <For each=move || beside.get() key=|(row, _)| row.key() let((row, why))>
                        <Row row why=Some(why) />
                    </For>
                </ul>
            </section>
        </Show>
    }
}
