//! The dialogs of an entity's page: editing it, merging it with another, splitting part of it off.

use std::collections::BTreeSet;

use credence::entity::Split;
use credence::id::{EntityId, PropositionId};
use credence::memory::{EntityView, PropositionView};
use credence::text;
use leptos::prelude::*;

use crate::actions::entities::{self, EntityEdit};
use crate::components::dialog::Dialog;
use crate::components::field::TextField;
use crate::components::icon::{Glyph, Icon};
use crate::components::search::SearchField;
use crate::format;
use crate::state::App;

/// Entities that the merge dialog lists at once.
const MOST: usize = 30;

/// Name, kinds and description.
#[component]
pub(super) fn EditDialog(entity: EntityView, close: Callback<()>) -> impl IntoView {
    let app = App::get();
    let id = entity.id;
    let name = RwSignal::new(entity.name.clone());
    let kinds = RwSignal::new(entity.labels.join(", "));
    let about = RwSignal::new(entity.description.clone());
    let problem = move || if name.with(|name| name.trim().is_empty()) { "It needs a name." } else { "" };
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if name.with_untracked(|name| name.trim().is_empty()) {
            return;
        }
        let labels = kinds.with_untracked(|kinds| {
            kinds.split(',').map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned).collect()
        });
        let edit = EntityEdit { name: name.get_untracked(), labels, description: about.get_untracked() };
        entities::change(app, id, edit, close);
    };
    view! {
        <Dialog title="Edit" testid="entity-edit-dialog" closable=true on_close=close>
            <form on:submit=save>
                <TextField id="entity-edit-name" label="Name" value=name hint="The name that is shown; the old one stays as another name." problem=Signal::derive(move || problem().to_owned()) />
                <TextField id="entity-edit-kinds" label="Kinds" value=kinds hint="For example Person, Place, Organization; separated by commas." />
                <TextField id="entity-edit-about" label="In a line" value=about hint="Tells it from others of the same name." />
                <footer class="dialog__foot">
                    <button type="button" class="button" on:click=move |_| close.run(())>"Cancel"</button>
                    <button type="submit" class="button button--primary" data-testid="entity-edit-save" disabled=move || !problem().is_empty()>"Save"</button>
                </footer>
            </form>
        </Dialog>
    }
}

/// Which other one is the same.
#[component]
pub(super) fn MergeDialog(entity: EntityView, close: Callback<()>) -> impl IntoView {
    let app = App::get();
    let here = StoredValue::new(entity.clone());
    let words = RwSignal::new(String::new());
    let chosen = RwSignal::new(None::<EntityId>);
    let found = Memo::new(move |_| {
        let wanted = text::fold(words.get().trim());
        let all = app.read(|memory| memory.entities());
        here.with_value(|here| {
            let mut others: Vec<EntityView> = all
                .into_iter()
                .filter(|other| other.id != here.id)
                .filter(|other| {
                    let named = || std::iter::once(&other.name).chain(&other.aliases);
                    wanted.is_empty() || named().any(|name| text::fold(name).contains(&wanted))
                })
                .collect();
            // Those of the same kind first, then those that most is known of.
            let same = |other: &EntityView| {
                other.labels.iter().any(|l| here.labels.iter().any(|m| l.eq_ignore_ascii_case(m)))
            };
            others.sort_by_key(|other| (!same(other), std::cmp::Reverse(other.propositions)));
            others
        })
    });
    let merge = move |_| {
        let Some(other) = chosen.get_untracked() else { return };
        let here = here.with_value(|here| (here.id, here.is_user));
        let other_is_user = found.with_untracked(|found| found.iter().any(|e| e.id == other && e.is_user));
        let (keep, gone) = if other_is_user && !here.1 { (other, here.0) } else { (here.0, other) };
        close.run(());
        entities::merge(app, keep, gone);
    };
    view! {
        <Dialog title=format!("Who or what is the same as \u{201c}{}\u{201d}?", entity.name) testid="entity-merge-dialog" closable=true on_close=close>
            <SearchField id="merge-search" label="Search by name" placeholder="Search by any of their names" words />
            <div class="picks" role="radiogroup" aria-label="The other one">
                <For each=move || found.with(|found| found.iter().take(MOST).cloned().collect::<Vec<_>>()) key=|other| other.id let(other)>
                    <label class="pick" data-testid="merge-candidate" data-entity=other.id.to_string()>
                        <input
                            type="radio"
                            name="merge-other"
                            prop:checked=move || chosen.get() == Some(other.id)
                            on:change=move |_| chosen.set(Some(other.id))
                        />
                        <span>
                            {other.name.clone()}
                            <span class="pair__why">
                                {format!(" {}", other.labels.join(", "))}
                                {format!(", {}", format::count(other.propositions, "statement", "statements"))}
                            </span>
                        </span>
                    </label>
                </For>
            </div>
            {move || (found.with(Vec::len) > MOST).then(|| view! { <p class="field__hint">"Type part of a name to find others."</p> })}
            <p class="field__hint">"Everything that is known of both then stands on one page. You can take it back at any time."</p>
            <footer class="dialog__foot">
                <button type="button" class="button" on:click=move |_| close.run(())>"Cancel"</button>
                <button type="button" class="button button--primary" data-testid="merge-do" disabled=move || chosen.get().is_none() on:click=merge>
                    <Icon glyph=Glyph::Merge />
                    "Merge"
                </button>
            </footer>
        </Dialog>
    }
}

/// Which statements are about another one.
#[component]
pub(super) fn SplitDialog(
    entity: EntityView,
    live: Vec<PropositionView>,
    retired: Vec<PropositionView>,
    close: Callback<()>,
) -> impl IntoView {
    let app = App::get();
    let id = entity.id;
    let name = RwSignal::new(entity.name.clone());
    let picked = RwSignal::new(BTreeSet::<PropositionId>::new());
    let labels = StoredValue::new(entity.labels.clone());
    let aliases = StoredValue::new(entity.aliases.clone());
    let ready = move || picked.with(|picked| !picked.is_empty()) && name.with(|name| !name.trim().is_empty());
    let split = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = name.get_untracked().trim().to_owned();
        // A name that belongs to the new one alone goes with it.
        let moving =
            aliases.with_value(|aliases| aliases.iter().filter(|alias| **alias == name).cloned().collect());
        let split = Split {
            name,
            propositions: picked.with_untracked(|picked| picked.iter().copied().collect()),
            aliases: moving,
            labels: labels.get_value(),
            ..Split::default()
        };
        close.run(());
        entities::split(app, id, split);
    };
    view! {
        <Dialog title=format!("Split \u{201c}{}\u{201d}", entity.name) testid="entity-split-dialog" closable=true on_close=close>
            <form on:submit=split>
                <TextField id="split-name" label="Name of the other one" value=name hint="It may be the same name: two people can share one." />
                <fieldset>
                    <legend class="field__label">"Which statements are about the other one?"</legend>
                    <div class="picks">
                        {live
                            .into_iter()
                            .chain(retired)
                            .map(|view| {
                                let p = view.proposition;
                                let id = p.id;
                                view! {
                                    <label class="pick" data-testid="split-pick" data-proposition=id.to_string()>
                                        <input
                                            type="checkbox"
                                            prop:checked=move || picked.with(|picked| picked.contains(&id))
                                            on:change=move |event| {
                                                let on = event_target_checked(&event);
                                                picked.update(|picked| {
                                                    if on { picked.insert(id) } else { picked.remove(&id) };
                                                });
                                            }
                                        />
                                        <span>{p.text.clone()}</span>
                                    </label>
                                }
                            })
                            .collect_view()}
                    </div>
                </fieldset>
                <p class="field__hint">"Merging the two again, or Undo, takes it back."</p>
                <footer class="dialog__foot">
                    <button type="button" class="button" on:click=move |_| close.run(())>"Cancel"</button>
                    <button type="submit" class="button button--primary" data-testid="split-do" disabled=move || !ready()>
                        <Icon glyph=Glyph::Split />
                        "Split"
                    </button>
                </footer>
            </form>
        </Dialog>
    }
}
