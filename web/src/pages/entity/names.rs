//! The names of an entity: where each came from, adding and taking away.

use credence::id::EntityId;
use credence::memory::NameView;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::state::App;
use crate::{actions, format};

/// The names, the shown one first.
#[component]
pub(super) fn Names(id: EntityId, names: Vec<NameView>) -> impl IntoView {
    let app = App::get();
    let new = RwSignal::new(String::new());
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let alias = new.get_untracked().trim().to_owned();
        if !alias.is_empty() {
            let after = Callback::new(move |()| {
                // The page is built anew with the name; this field may be gone.
                let _ = new.try_set(String::new());
            });
            actions::entities::add_alias(app, id, alias, after);
        }
    };
    view! {
        <section class="card" aria-labelledby="entity-names">
            <h3 class="card__title" id="entity-names">"Names"</h3>
            <ul class="aliases">
                {names
                    .into_iter()
                    .map(|view| {
                        let name = view.name.clone();
                        let since = view.since.map(|commit| format!("since {}: {}", format::instant_day(commit.at), commit.reasons.join("; ")));
                        let removable = !view.is_shown;
                        view! {
                            <li class="alias" class:alias--shown=view.is_shown data-testid="entity-alias" title=since>
                                <span>{view.name.clone()}</span>
                                {view.merged_from.map(|_| view! { <span class="alias__from">"from a merge"</span> })}
                                {removable.then(|| view! {
                                    <button
                                        type="button"
                                        class="button button--quiet button--icon button--small"
                                        data-testid="alias-remove"
                                        aria-label=format!("Take the name {} away", view.name)
                                        on:click=move |_| actions::entities::remove_alias(app, id, name.clone())
                                    >
                                        <Icon glyph=Glyph::Close />
                                    </button>
                                })}
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
            <form class="remember entity__add" on:submit=add>
                <label class="unseen" for="alias-add">"Another name"</label>
                <input
                    id="alias-add"
                    class="field__input"
                    type="text"
                    data-testid="alias-add"
                    autocomplete="off"
                    placeholder="Another name that means the same"
                    prop:value=new
                    on:input=move |event| new.set(event_target_value(&event))
                />
                <button type="submit" class="button" data-testid="alias-add-save" disabled=move || new.with(|name| name.trim().is_empty())>
                    "Add"
                </button>
            </form>
        </section>
    }
}
