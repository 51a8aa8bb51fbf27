//! Everybody and everything that statements are about: filtered by name and kind, those that most is known of first.

use credence::entity::DuplicatePair;
use credence::id::EntityId;
use credence::memory::EntityView;
use credence::text;
use leptos::prelude::*;

use crate::actions::entities::Finding;
use crate::components::icon::{Glyph, Icon};
use crate::components::search::SearchField;
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// Rows that are built at once.
const STEP: usize = 100;

/// The list of entities.
#[component]
pub(crate) fn EntitiesPage() -> impl IntoView {
    let app = App::get();
    let words = RwSignal::new(String::new());
    let kind = RwSignal::new(String::new());
    let most = RwSignal::new(STEP);
    let all = Memo::new(move |_| {
        app.facts.track();
        let mut all = app.read(|memory| memory.entities());
        all.sort_by(|a, b| b.is_user.cmp(&a.is_user).then(b.propositions.cmp(&a.propositions)));
        all
    });
    let kinds = Memo::new(move |_| {
        let mut kinds: Vec<String> = all.with(|all| all.iter().flat_map(|e| e.labels.clone()).collect());
        kinds.sort_by_key(|kind| kind.to_lowercase());
        kinds.dedup_by_key(|kind| kind.to_lowercase());
        kinds
    });
    let found = Memo::new(move |_| {
        let wanted = text::fold(words.get().trim());
        let kind = kind.get();
        all.with(|all| {
            all.iter().filter(|entity| passes(entity, &wanted, &kind)).cloned().collect::<Vec<_>>()
        })
    });
    view! {
        <div class="page">
            <Twins />
            <form class="filters" role="search" on:submit=|event| event.prevent_default()>
                <SearchField id="entities-search" label="Search by name" placeholder="Search by any of their names" words />
                <label class="filters__choice">
                    <span>"Kind"</span>
                    <select class="field__input" data-testid="entities-kind" on:change=move |event| kind.set(event_target_value(&event))>
                        <option value="">"Every kind"</option>
                        <For each=move || kinds.get() key=Clone::clone let(kind)>
                            <option value=kind.clone()>{kind.clone()}</option>
                        </For>
                    </select>
                </label>
            </form>
            <Find />
            <p class="memory__count" role="status">{move || format::count(found.with(Vec::len), "person or thing", "people and things")}</p>
            <Show when=move || all.with(Vec::is_empty)>
                <div class="empty" data-testid="entities-empty">
                    <p class="empty__title">"Nobody and nothing is known yet."</p>
                    <p>"Whoever and whatever your statements are about is listed here by itself."</p>
                </div>
            </Show>
            <ul class="rows" data-testid="entities" data-count=move || found.with(Vec::len).to_string()>
                <For
                    each=move || found.with(|found| found.iter().take(most.get()).cloned().collect::<Vec<_>>())
                    key=|entity| (entity.id, entity.name.clone(), entity.aliases.clone(), entity.labels.clone(), entity.propositions)
                    let(entity)
                >
                    <Row entity />
                </For>
            </ul>
            <Show when=move || most.get() < found.with(Vec::len)>
                <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>
                    {move || format!("Show {} more", format::grouped(STEP.min(found.with(Vec::len) - most.get())))}
                </button>
            </Show>
        </div>
    }
}

fn passes(entity: &EntityView, words: &str, kind: &str) -> bool {
    let named =
        || std::iter::once(&entity.name).chain(&entity.aliases).any(|name| text::fold(name).contains(words));
    let of_kind = || entity.labels.iter().any(|label| label.eq_ignore_ascii_case(kind));
    (words.is_empty() || named()) && (kind.is_empty() || of_kind())
}

#[component]
fn Row(entity: EntityView) -> impl IntoView {
    let also = entity.aliases.join(", ");
    view! {
        <li class="row row--entity" data-testid="entity-row" data-entity=entity.id.to_string()>
            <a class="row__text" data-testid="entity-open" href=Page::Entity(entity.id).href()>{entity.name.clone()}</a>
            <p class="row__meta">
                {entity.is_user.then(|| view! { <span class="tag tag--pin">"you"</span> })}
                {entity.labels.iter().map(|label| view! { <span class="tag">{label.clone()}</span> }).collect_view()}
                <span>{format::count(entity.propositions, "statement", "statements")}</span>
                {(!also.is_empty()).then(|| view! { <span class="row__by">"also: "{also}</span> })}
            </p>
        </li>
    }
}

/// Pairs that are shown at once.
const PAIRS: usize = 5;

/// Pairs that may be one: merge or keep apart. Absent when there are none.
#[component]
fn Twins() -> impl IntoView {
    let app = App::get();
    let pairs = Memo::new(move |_| {
        app.facts.track();
        app.read(|memory| {
            let pairs = memory.possible_duplicates();
            let state = memory.state();
            let named = |pair: DuplicatePair| {
                let (one, other) = (state.entity(pair.one)?, state.entity(pair.other)?);
                // The user always stays; else the older one.
                let (keep, gone) = if other.is_user { (other, one) } else { (one, other) };
                Some(Twin {
                    keep: (keep.id, keep.name.clone()),
                    gone: (gone.id, gone.name.clone()),
                    why: pair.why,
                })
            };
            pairs.into_iter().filter_map(named).collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || pairs.with(|pairs| !pairs.is_empty())>
            <section class="card" aria-labelledby="entities-twins" data-testid="twins" data-count=move || pairs.with(Vec::len).to_string()>
                <h2 class="card__title" id="entities-twins">"Maybe the same"</h2>
                <For
                    each=move || pairs.with(|pairs| pairs.iter().take(PAIRS).cloned().collect::<Vec<_>>())
                    key=|twin| (twin.keep.clone(), twin.gone.clone())
                    let(twin)
                >
                    <Pair twin />
                </For>
                {move || {
                    let more = pairs.with(Vec::len).saturating_sub(PAIRS);
                    (more > 0).then(|| view! { <p class="card__none">{format!("and {}", format::count(more, "more pair", "more pairs"))}</p> })
                }}
            </section>
        </Show>
    }
}

/// Two that may be one, with their names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Twin {
    keep: (EntityId, String),
    gone: (EntityId, String),
    why: String,
}

#[component]
fn Pair(twin: Twin) -> impl IntoView {
    let app = App::get();
    let (keep, gone) = (twin.keep.0, twin.gone.0);
    view! {
        <div class="pair" data-testid="twin">
            <div class="pair__what">
                <a href=Page::Entity(keep).href()>{twin.keep.1}</a>
                " and "
                <a href=Page::Entity(gone).href()>{twin.gone.1}</a>
                <p class="pair__why">{format::sentence(&twin.why)}</p>
            </div>
            <button type="button" class="button button--small" data-testid="twin-merge" on:click=move |_| actions::entities::merge(app, keep, gone)>
                <Icon glyph=Glyph::Merge />
                "The same"
            </button>
            <button type="button" class="button button--small" data-testid="twin-dismiss" on:click=move |_| actions::entities::dismiss(app, keep, gone)>
                <Icon glyph=Glyph::Close />
                "Not the same"
            </button>
        </div>
    }
}

/// Looks through conversations for people and things that no statement mentions. Absent when every turn was looked through.
#[component]
fn Find() -> impl IntoView {
    let app = App::get();
    let running = RwSignal::new_local(None::<Finding>);
    let unread = Memo::new(move |_| {
        app.turns.track();
        app.facts.track();
        app.read(|memory| actions::entities::unread(memory).1)
    });
    view! {
        <Show when=move || unread.get() != 0 || running.with(Option::is_some)>
            <div class="remember" data-testid="find" data-turns=move || unread.get().to_string()>
                {move || match running.get() {
                    None => view! {
                        <button type="button" class="button" data-testid="find-do" on:click=move |_| actions::entities::find(app, running)>
                            <Icon glyph=Glyph::Search />
                            "Find more in "
                            {format::count(unread.get() as usize, "turn", "turns")}
                        </button>
                    }
                        .into_any(),
                    Some(finding) => view! {
                        <progress class="progress" max=finding.total.to_string() value=finding.done.to_string()></progress>
                        <button type="button" class="button button--small" data-testid="find-cancel" on:click=move |_| finding.cancel.cancel()>"Stop"</button>
                    }
                        .into_any(),
                }}
            </div>
        </Show>
    }
}
