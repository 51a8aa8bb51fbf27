//! Every property of the working set by its name: what it does, its range, its value and its default, found by searching.
//! A change goes into the form above; it is in force once that is saved.

use std::collections::BTreeMap;

use credence::config::properties::{PROPERTIES, shown};
use credence::config::{Property, PropertyType};
use leptos::prelude::*;
use serde_json::Value;

use super::numbers::Numbers;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::state::App;

/// Value and default of each property, by name.
type Values = BTreeMap<&'static str, (Value, Value)>;

/// The table, folded: it is long.
#[component]
pub(super) fn Properties(form: Numbers) -> impl IntoView {
    let app = App::get();
    let search = RwSignal::new(String::new());
    // A form that cannot be read shows what was last read.
    let values = Memo::new(move |before: Option<&Values>| match form.config(app) {
        Some(config) => {
            config.properties().into_iter().map(|row| (row.property.name, (row.value, row.default))).collect()
        }
        None => before.cloned().unwrap_or_default(),
    });
    let changed =
        Memo::new(move |_| values.with(|v| v.values().filter(|(value, default)| value != default).count()));
    let found = Memo::new(move |_| {
        let words = search.get().to_lowercase();
        let hits = |p: &&Property| {
            words.split_whitespace().all(|w| p.name.contains(w) || p.about.to_lowercase().contains(w))
        };
        PROPERTIES.iter().filter(hits).map(|p| p.name).collect::<Vec<_>>()
    });
    view! {
        <details class="more">
            <summary class="more__head" data-testid="properties-open">
                "The working set, property by property"
                <span class="waiting__count">{move || match changed.get() {
                    0 => format!("{} as they came", PROPERTIES.len()),
                    n => format!("{} changed", format::grouped(n)),
                }}</span>
            </summary>
            <input
                type="search"
                class="field__input"
                data-testid="properties-search"
                aria-label="Search properties"
                placeholder="Search: budget, decay, conflict\u{2026}"
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
            <ul class="properties" data-testid="properties" data-count=move || found.with(Vec::len).to_string()>
                <For each=move || found.get() key=|name| *name let(name)>
                    <Row name form values />
                </For>
            </ul>
        </details>
    }
}

#[component]
fn Row(name: &'static str, form: Numbers, values: Memo<Values>) -> impl IntoView {
    let app = App::get();
    let Some(property) = PROPERTIES.iter().find(|p| p.name == name) else { return ().into_any() };
    let problem = RwSignal::new(String::new());
    let value =
        Memo::new(move |_| values.with(|v| v.get(name).map(|(value, _)| value.clone()).unwrap_or_default()));
    let default = Memo::new(move |_| {
        values.with(|v| v.get(name).map(|(_, default)| default.clone()).unwrap_or_default())
    });
    // What is refused changes nothing, and that is said beside the reason.
    let refused =
        move |words: String| problem.set(format!("{words}; it stays {}", shown(&value.get_untracked())));
    let put = move |next: Value| match form.put(app, name, next) {
        Ok(()) => problem.set(String::new()),
        Err(words) => refused(words),
    };
    let typed = move |text: String| match property.takes.read(&text) {
        Ok(next) => put(next),
        Err(words) => refused(format!("{name} {words}")),
    };
    let field = match property.takes {
        PropertyType::Bool => view! {
            <input type="checkbox" data-testid="property-value" aria-label=name prop:checked=move || value.get() == Value::Bool(true) on:change=move |event| put(Value::Bool(event_target_checked(&event))) />
        }
            .into_any(),
        PropertyType::Enum(choices) => view! {
            <select class="field__input" data-testid="property-value" aria-label=name on:change=move |event| {
                put(Value::String(event_target_value(&event)));
                // A choice that was refused is not shown as though it were made.
                if let (false, Some(current)) = (problem.with_untracked(String::is_empty), value.get_untracked().as_str()) {
                    event_target::<web_sys::HtmlSelectElement>(&event).set_value(current);
                }
            }>
                {choices.iter().map(|choice| view! {
                    <option value=*choice selected=move || value.get().as_str() == Some(*choice)>{*choice}</option>
                }).collect_view()}
            </select>
        }
            .into_any(),
        PropertyType::List | PropertyType::Map => view! {
            <textarea class="field__input field__input--code" rows="3" data-testid="property-value" aria-label=name spellcheck="false" prop:value=move || shown(&value.get()) on:change=move |event| typed(event_target_value(&event))></textarea>
        }
            .into_any(),
        _ => view! {
            <input type="text" class="field__input" data-testid="property-value" aria-label=name prop:value=move || shown(&value.get()) on:change=move |event| typed(event_target_value(&event)) />
        }
            .into_any(),
    };
    view! {
        <li class="property" data-testid="property" data-name=name>
            <div class="property__what">
                <code class="property__name">{name}</code>
                <p class="property__about">{property.about}{(!property.range.is_empty()).then(|| format!(" {}.", format::sentence(property.range)))}</p>
                <Show when=move || !problem.with(String::is_empty)>
                    <p class="field__hint field__hint--problem" role="alert" data-testid="property-problem">{move || problem.get()}</p>
                </Show>
            </div>
            <div class="property__value">
                {field}
                <Show when=move || value.get() != default.get()>
                    <button type="button" class="button button--quiet button--icon button--small" data-testid="property-reset" title=move || format!("Back to {}", shown(&default.get())) aria-label=format!("Back to the default of {name}") on:click=move |_| put(default.get_untracked())>
                        <Icon glyph=Glyph::Undo />
                    </button>
                </Show>
            </div>
        </li>
    }
        .into_any()
}
