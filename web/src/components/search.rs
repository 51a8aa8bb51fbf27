//! A field that narrows a list as one types.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};

/// The field with its unseen label; `id` serves as its id for checks, too.
#[component]
pub(crate) fn SearchField(
    id: &'static str,
    label: &'static str,
    placeholder: &'static str,
    words: RwSignal<String>,
) -> impl IntoView {
    view! {
        <div class="filters__search">
            <Icon glyph=Glyph::Search />
            <label class="unseen" for=id>{label}</label>
            <input
                id=id
                class="filters__field"
                type="search"
                data-testid=id
                placeholder=placeholder
                autocomplete="off"
                prop:value=words
                on:input=move |event| words.set(event_target_value(&event))
            />
        </div>
    }
}
