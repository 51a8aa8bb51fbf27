//! Which memory is open. Each is its own: nothing said in one is known in another.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions;
use crate::state::App;

/// The section.
#[component]
pub(super) fn Memories() -> impl IntoView {
    let app = App::get();
    let stored = RwSignal::new(Vec::<String>::new());
    let name = RwSignal::new(String::new());
    Effect::new(move || {
        // The open one appears in the list with its first commit.
        app.facts.track();
        app.turns.track();
        spawn_local(async move {
            let found = actions::data::contexts(app).await;
            // The page may have been left meanwhile.
            let _ = stored.try_set(found);
        });
    });
    let open = move || app.preferences.with(|p| p.context.clone());
    let names = move || {
        let mut names = stored.get();
        let open = open();
        if !names.contains(&open) {
            names.push(open);
        }
        names.sort();
        names
    };
    let create = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let wanted = name.get_untracked();
        if !wanted.trim().is_empty() {
            actions::data::switch(app, &wanted);
            name.set(String::new());
        }
    };
    view! {
        <section class="card" aria-labelledby="settings-contexts">
            <h2 class="card__title" id="settings-contexts">"Memories"</h2>
            <p class="card__text">"Each memory is its own: nothing said in one is known in another."</p>
            <ul class="contexts">
                {move || names()
                    .into_iter()
                    .map(|context| {
                        let is_open = context == open();
                        let target = context.clone();
                        view! {
                            <li class="contexts__item" data-testid="context" data-context=context.clone() aria-current=is_open.then_some("true")>
                                <span class="contexts__name">{context.clone()}</span>
                                {if is_open {
                                    view! { <span class="tag">"open"</span> }.into_any()
                                } else {
                                    view! {
                                        <button type="button" class="button button--small" on:click=move |_| actions::data::switch(app, &target)>"Open"</button>
                                    }
                                        .into_any()
                                }}
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
            <form class="remember" on:submit=create>
                <label class="unseen" for="settings-context-name">"Name of a new memory"</label>
                <input
                    id="settings-context-name"
                    class="field__input"
                    type="text"
                    autocomplete="off"
                    maxlength="200"
                    placeholder="Name of a new memory"
                    data-testid="settings-context-name"
                    prop:value=name
                    on:input=move |event| name.set(event_target_value(&event))
                />
                <button type="submit" class="button" data-testid="settings-context-create" disabled=move || name.with(|n| n.trim().is_empty())>"Create"</button>
            </form>
        </section>
    }
}
