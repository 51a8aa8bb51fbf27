//! One person or thing: its names and kinds, what is known of it, where it was mentioned, what it may be the same as, and what a
//! person may do about all that.

mod dialogs;
mod evidence;
mod names;

use credence::erasure::ErasureTarget;
use credence::id::EntityId;
use credence::memory::{DuplicateView, EntityPage as Known, EntityView, MergedView, PropositionView};
use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::components::icon::{Glyph, Icon};
use crate::projection::status_label;
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};
use dialogs::{EditDialog, MergeDialog, SplitDialog};
use evidence::{Mentioned, Timeline};
use names::Names;

/// The page of an entity.
#[component]
pub(crate) fn EntityPage(id: EntityId) -> impl IntoView {
    let app = App::get();
    let page = Memo::new(move |_| {
        app.facts.track();
        app.turns.track();
        app.memory().and_then(|memory| memory.entity_page(id).ok())
    });
    view! {
        <div class="page">
            <a class="back" href=Page::Entities.href()><Icon glyph=Glyph::Back />"All entities"</a>
            {move || match page.get() {
                Some(page) => view! { <Detail page /> }.into_any(),
                None => view! {
                    <div class="empty" data-testid="entity-missing">
                        <p class="empty__title">"There is no such person or thing in this memory."</p>
                        <p>"It may have been forgotten, or belong to another memory; Settings says which one is open."</p>
                        <a class="button" href=Page::Entities.href()>"See all entities"</a>
                    </div>
                }
                    .into_any(),
            }}
        </div>
    }
}

/// Which dialog is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Edit,
    Merge,
    Split,
}

#[component]
fn Detail(page: Known) -> impl IntoView {
    let app = App::get();
    let open = RwSignal::new(None::<Open>);
    let close = Callback::new(move |()| {
        // The dialog may have gone with its page.
        let _ = open.try_set(None);
    });
    let id = page.view.id;
    let name = page.view.name.clone();
    let is_user = page.view.is_user;
    let known = page.statements.len();
    let can_split = known + page.retired.len() > 0;
    let for_forget = StoredValue::new(name.clone());
    let for_edit = StoredValue::new(page.view.clone());
    let for_split = StoredValue::new((page.statements.clone(), page.retired.clone()));
    view! {
        <article
            class="entity"
            data-testid="entity"
            data-entity=id.to_string()
            data-statements=known.to_string()
            data-user=is_user.to_string()
        >
            <header>
                <p class="entity__tags">
                    {is_user.then(|| view! { <span class="tag tag--pin">"you"</span> })}
                    {page.view.labels.iter().map(|label| view! { <span class="tag" data-testid="entity-label">{label.clone()}</span> }).collect_view()}
                    <span class="prop__by">{format!("known since {}", format::instant_day(page.entity.created))}</span>
                </p>
                <h2 class="entity__name" data-testid="entity-name">{name.clone()}</h2>
                {(!page.view.description.is_empty()).then(|| view! { <p class="entity__about">{page.view.description.clone()}</p> })}
                {page.redirected_from.map(|_| view! { <p class="entity__about" data-testid="entity-redirected">"You came here from an entity that was merged into this one."</p> })}
                <div class="entity__acts">
                    <button type="button" class="button" data-testid="entity-edit" on:click=move |_| open.set(Some(Open::Edit))>
                        <Icon glyph=Glyph::Edit />
                        "Edit"
                    </button>
                    <button type="button" class="button" data-testid="entity-merge" on:click=move |_| open.set(Some(Open::Merge))>
                        <Icon glyph=Glyph::Merge />
                        "Merge with\u{2026}"
                    </button>
                    <button type="button" class="button" data-testid="entity-split" disabled=!can_split on:click=move |_| open.set(Some(Open::Split))>
                        <Icon glyph=Glyph::Split />
                        "Split\u{2026}"
                    </button>
                    {(!is_user).then(|| view! {
                        <button
                            type="button"
                            class="button button--danger-quiet"
                            data-testid="entity-forget"
                            on:click=move |_| for_forget.with_value(|name| actions::entities::forget(app, id, name))
                        >
                            <Icon glyph=Glyph::Forget />
                            "Not one of these"
                        </button>
                        <button
                            type="button"
                            class="button button--danger-quiet"
                            data-testid="entity-forget-all"
                            on:click=move |_| actions::forget::ask(app, ErasureTarget::Entity { id }, for_forget.get_value())
                        >
                            <Icon glyph=Glyph::Forget />
                            "Forget everything about it\u{2026}"
                        </button>
                    })}
                </div>
            </header>
            {move || match open.get() {
                Some(Open::Edit) => view! { <EditDialog entity=for_edit.get_value() close /> }.into_any(),
                Some(Open::Merge) => view! { <MergeDialog entity=for_edit.get_value() close /> }.into_any(),
                Some(Open::Split) => {
                    let (live, retired) = for_split.get_value();
                    view! { <SplitDialog entity=for_edit.get_value() live retired close /> }.into_any()
                }
                None => ().into_any(),
            }}
            <Duplicates here=page.view.clone() duplicates=page.duplicates />
            <Names id names=page.names />
            <Statements live=page.statements retired=page.retired />
            <Mentioned turns=page.turns chunks=page.chunks />
            <Merged merged=page.merged />
            <Timeline steps=page.timeline left_out=page.timeline_left_out />
        </article>
    }
}

/// What it may be the same as: merge or keep apart.
#[component]
fn Duplicates(here: EntityView, duplicates: Vec<DuplicateView>) -> impl IntoView {
    let app = App::get();
    (!duplicates.is_empty()).then(|| view! {
        <section class="card" aria-labelledby="entity-twins">
            <h3 class="card__title" id="entity-twins">"Maybe the same"</h3>
            {duplicates
                .into_iter()
                .map(|twin| {
                    let (a, b) = (here.id, twin.other.id);
                    // The one that is older stays, and the user always does.
                    let (keep, other) = if twin.other.is_user || (twin.pair.one == b && !here.is_user) { (b, a) } else { (a, b) };
                    view! {
                        <div class="pair" data-testid="entity-twin" data-entity=b.to_string()>
                            <div class="pair__what">
                                <a href=Page::Entity(b).href()>{twin.other.name.clone()}</a>
                                " "
                                {twin.other.labels.iter().map(|label| view! { <span class="tag">{label.clone()}</span> }).collect_view()}
                                <p class="pair__why">
                                    {format::sentence(&twin.pair.why)}
                                    {format!(" ({})", format::count(twin.other.propositions, "statement", "statements"))}
                                </p>
                            </div>
                            <button type="button" class="button button--small" data-testid="twin-merge" on:click=move |_| actions::entities::merge(app, keep, other)>
                                <Icon glyph=Glyph::Merge />
                                "The same"
                            </button>
                            <button type="button" class="button button--small" data-testid="twin-dismiss" on:click=move |_| actions::entities::dismiss(app, a, b)>
                                <Icon glyph=Glyph::Close />
                                "Not the same"
                            </button>
                        </div>
                    }
                })
                .collect_view()}
        </section>
    })
}

/// What is known of it.
#[component]
fn Statements(live: Vec<PropositionView>, retired: Vec<PropositionView>) -> impl IntoView {
    let rows = |views: Vec<PropositionView>| {
        views
            .into_iter()
            .map(|view| {
                let p = view.proposition;
                let is_live = p.status.is_live();
                let text = p.text.clone();
                view! {
                    <li class="row" class:row--retired=!is_live data-testid="entity-statement" data-proposition=p.id.to_string()>
                        <a class="row__text" href=Page::Proposition(p.id).href()>
                            {if is_live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}
                        </a>
                        <p class="row__meta">
                            <Confidence effective=view.effective stated=p.confidence.get() />
                            {(!is_live).then(|| view! { <span class="tag tag--struck">{status_label(p.status)}</span> })}
                            {p.pinned.then(|| view! { <span class="tag tag--pin"><Icon glyph=Glyph::Pin />"pinned"</span> })}
                            <span>{format::instant_day(p.created)}</span>
                        </p>
                    </li>
                }
            })
            .collect_view()
    };
    let count = retired.len();
    view! {
        <section class="card" aria-labelledby="entity-known">
            <h3 class="card__title" id="entity-known">"What is known"</h3>
            {live.is_empty().then(|| view! { <p class="card__none">"Nothing that holds now."</p> })}
            <ul class="rows">{rows(live)}</ul>
            {(count > 0).then(|| view! {
                <details class="more">
                    <summary class="more__head">{format::count(count, "statement that no longer holds", "statements that no longer hold")}</summary>
                    <ul class="rows">{rows(retired)}</ul>
                </details>
            })}
        </section>
    }
}

/// What was merged into it, and the way back.
#[component]
fn Merged(merged: Vec<MergedView>) -> impl IntoView {
    let app = App::get();
    (!merged.is_empty()).then(|| view! {
        <section class="card" aria-labelledby="entity-merged">
            <h3 class="card__title" id="entity-merged">"Merged into this"</h3>
            {merged
                .into_iter()
                .map(|gone| {
                    let id = gone.entity;
                    view! {
                        <div class="pair" data-testid="entity-merged" data-entity=id.to_string()>
                            <div class="pair__what">
                                {gone.name.clone()}
                                {gone.merged.map(|commit| view! {
                                    <p class="pair__why">{format!("{}, commit {}", format::instant(commit.at), commit.seq)}</p>
                                })}
                            </div>
                            <button type="button" class="button button--small" data-testid="entity-unmerge" on:click=move |_| actions::entities::unmerge(app, id)>
                                <Icon glyph=Glyph::Undo />
                                "Take the merge back"
                            </button>
                        </div>
                    }
                })
                .collect_view()}
        </section>
    })
}
