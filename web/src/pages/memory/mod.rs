//! Everything that is remembered: filtered, searched by words as one types and by meaning on request, a hundred rows at a
//! time so that ten thousand stay quick.

mod head;
mod row;
mod search;

use credence::proposition::Status;
use leptos::html;
use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::projection::{self, FactFilter, FactRow, FactSort, status_label};
use crate::state::App;
use head::Inspector;
use row::Row;
use search::{ByMeaning, Near};

/// Rows that are built at once.
const STEP: usize = 100;

/// Entities that the filter offers: those that most statements are about.
const ENTITIES: usize = 200;

/// The memory page.
#[component]
pub(crate) fn MemoryPage() -> impl IntoView {
    let app = App::get();
    let filter = RwSignal::new(FactFilter::default());
    let most = RwSignal::new(STEP);
    let near = RwSignal::new(Near::default());
    Effect::new(move || {
        filter.track();
        // Setting tells every listener, also of what stays: the list would be made twice.
        if most.get_untracked() != STEP {
            most.set(STEP);
        }
    });
    let listed = Memo::new(move |_| {
        app.facts.track();
        filter.with(|filter| app.read(|memory| projection::list(memory, filter, most.get())))
    });
    let rows = Memo::new(move |_| listed.with(|(rows, _)| rows.clone()));
    let total = Memo::new(move |_| listed.with(|(_, total)| *total));
    // Rows that the words did not find but the meaning did.
    let beside = Memo::new(move |_| {
        app.facts.track();
        near.with(|near| near.beside(app, &filter.get()))
    });
    let stored = Memo::new(move |_| {
        app.facts.track();
        let counts = app.read(projection::counts);
        counts.live + counts.retired
    });
    let matching = move || total.get() + beside.with(Vec::len);
    view! {
        <div class="page memory">
            <Inspector />
            <Remember />
            <Filters filter near />
            <div
                class="memory__list"
                data-testid="memory-list"
                data-count=move || matching().to_string()
                data-busy=move || near.with(|near| near.busy).to_string()
                aria-busy=move || near.with(|near| near.busy).to_string()
            >
                <p class="memory__count" role="status">
                    {move || format::count(total.get(), "statement", "statements")}
                    {move || (!filter.with(|f| f.words.trim().is_empty())).then_some(" with these words")}
                </p>
                <Show when=move || matching() == 0>
                    <Nothing stored />
                </Show>
                <ul class="rows">
                    <For each=move || rows.get() key=FactRow::key let(row)>
                        <Row row why=None />
                    </For>
                </ul>
                <Show when=move || rows.with(Vec::len) < total.get()>
                    <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>
                        {move || format!("Show {} more", format::grouped(STEP.min(total.get() - rows.with(Vec::len))))}
                    </button>
                </Show>
                <ByMeaning near beside />
            </div>
        </div>
    }
}

#[component]
fn Nothing(stored: Memo<usize>) -> impl IntoView {
    let app = App::get();
    view! {
        {move || if stored.get() == 0 {
            view! {
                <div class="empty" data-testid="memory-empty" data-kind="nothing-stored">
                    <p class="empty__title">"Nothing is remembered yet."</p>
                    <p>"Say something in the chat, write a statement above, or import a conversation."</p>
                    <button type="button" class="button" on:click=move |_| app.importing.set(true)>
                        <Icon glyph=Glyph::Import />
                        "Import a conversation"
                    </button>
                </div>
            }
                .into_any()
        } else {
            view! {
                <div class="empty" data-testid="memory-empty" data-kind="no-match">
                    <p class="empty__title">"No statement matches."</p>
                    <p>"Press Enter in the search field to search by meaning, or loosen the filters."</p>
                </div>
            }
                .into_any()
        }}
    }
}

/// A statement by hand.
#[component]
fn Remember() -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(String::new());
    let busy = RwSignal::new(false);
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let written = text.get_untracked().trim().to_owned();
        if written.is_empty() || busy.get_untracked() {
            return;
        }
        busy.set(true);
        let done = Callback::new(move |kept: bool| {
            // The page may have been left meanwhile.
            let _ = busy.try_set(false);
            if kept {
                let _ = text.try_set(String::new());
            }
        });
        actions::facts::remember(app, written, done);
    };
    view! {
        <form class="remember" on:submit=add>
            <label class="unseen" for="memory-remember">"Add a statement"</label>
            <input
                id="memory-remember"
                class="field__input"
                type="text"
                data-testid="memory-remember"
                autocomplete="off"
                placeholder="Add a statement: one plain sentence"
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
            />
            <button type="submit" class="button" data-testid="memory-remember-save" disabled=move || busy.get() || text.with(|t| t.trim().is_empty())>
                "Remember"
            </button>
            <button type="button" class="button" data-testid="memory-import" on:click=move |_| app.importing.set(true)>
                <Icon glyph=Glyph::Import />
                "Import"
            </button>
        </form>
    }
}

#[component]
fn Filters(filter: RwSignal<FactFilter>, near: RwSignal<Near>) -> impl IntoView {
    let app = App::get();
    let entities = Memo::new(move |_| {
        app.facts.track();
        let mut all = app.read(|memory| memory.entities());
        all.sort_by(|a, b| b.is_user.cmp(&a.is_user).then(b.propositions.cmp(&a.propositions)));
        all.into_iter().take(ENTITIES).map(|e| (e.id, e.name, e.propositions)).collect::<Vec<_>>()
    });
    let chooser = NodeRef::<html::Select>::new();
    // Options that come and go take the choice with them: it is put back once they stand. One listener for all of them,
    // not one each, which thousands of entities would make slow.
    Effect::new(move || {
        entities.track();
        let chosen =
            filter.with_untracked(|filter| filter.entity).map(|id| id.to_string()).unwrap_or_default();
        request_animation_frame(move || {
            if let Some(chooser) = chooser.get_untracked() {
                chooser.set_value(&chosen);
            }
        });
    });
    let counts = Memo::new(move |_| {
        app.facts.track();
        app.read(|memory| memory.status_counts())
    });
    let with_count = move |status: Status| {
        format!(
            "{} ({})",
            status_label(status),
            format::grouped(counts.with(|c| c.get(&status).copied().unwrap_or_default()))
        )
    };
    let words = move || filter.with(|filter| filter.words.clone());
    view! {
        <form
            class="filters"
            role="search"
            on:submit=move |event| {
                event.prevent_default();
                search::run(app, near, words());
            }
        >
            <div class="filters__search">
                <Icon glyph=Glyph::Search />
                <label class="unseen" for="memory-search">"Search"</label>
                <input
                    id="memory-search"
                    class="filters__field"
                    type="search"
                    data-testid="memory-search"
                    placeholder="Search; Enter searches by meaning"
                    autocomplete="off"
                    prop:value=words
                    on:input=move |event| {
                        let words = event_target_value(&event);
                        near.update(|near| near.forget());
                        filter.update(|filter| filter.words = words.clone());
                        search::soon(app, near, filter);
                    }
                />
                <button type="submit" class="button button--quiet button--small">"By meaning"</button>
            </div>
            <label class="filters__choice">
                <span>"Status"</span>
                <select
                    class="field__input"
                    data-testid="memory-filter-status"
                    on:change=move |event| {
                        let chosen = event_target_value(&event).to_uppercase();
                        filter.update(|filter| filter.status = Status::ALL.into_iter().find(|s| s.as_str() == chosen));
                    }
                >
                    <option value="all">"All"</option>
                    {Status::ALL
                        .into_iter()
                        .map(|status| view! { <option value=status.as_str().to_lowercase()>{move || with_count(status)}</option> })
                        .collect_view()}
                </select>
            </label>
            <label class="filters__choice">
                <span>"About"</span>
                <select
                    class="field__input"
                    node_ref=chooser
                    data-testid="memory-filter-entity"
                    on:change=move |event| {
                        let chosen = event_target_value(&event).parse().ok();
                        filter.update(|filter| filter.entity = chosen);
                    }
                >
                    <option value="">"Anybody and anything"</option>
                    <For each=move || entities.get() key=Clone::clone let((id, name, count))>
                        <option value=id.to_string()>
                            {format!("{name} ({})", format::grouped(count))}
                        </option>
                    </For>
                </select>
            </label>
            <label class="filters__choice">
                <span>"Order"</span>
                <select
                    class="field__input"
                    data-testid="memory-sort"
                    on:change=move |event| {
                        let chosen = event_target_value(&event);
                        let sort = FactSort::ALL.into_iter().find(|(_, value, _)| *value == chosen).map(|(sort, ..)| sort);
                        filter.update(|filter| filter.sort = sort.unwrap_or_default());
                    }
                >
                    {FactSort::ALL.into_iter().map(|(_, value, words)| view! { <option value=value>{words}</option> }).collect_view()}
                </select>
            </label>
        </form>
    }
}
