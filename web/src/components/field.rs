//! Labelled inputs with a hint and, where the value cannot be used, the reason.

use leptos::prelude::*;

/// A line of text with its label.
#[component]
pub(crate) fn TextField(
    /// Distinguishes it in the page.
    #[prop(into)]
    id: String,
    /// What it asks for.
    #[prop(into)]
    label: Signal<String>,
    /// The value, both ways.
    value: RwSignal<String>,
    /// Shown while it is empty.
    #[prop(optional, into)]
    placeholder: Signal<String>,
    /// What helps to fill it in.
    #[prop(optional, into)]
    hint: Signal<String>,
    /// Why the value cannot be used; empty where it can.
    #[prop(optional, into)]
    problem: Signal<String>,
    /// The input's kind.
    #[prop(default = "text")]
    kind: &'static str,
    /// Names a list of suggestions.
    #[prop(optional)]
    list: Option<&'static str>,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label class="field__label" for=id.clone()>{move || label.get()}</label>
            <input
                id=id.clone()
                class="field__input"
                type=kind
                inputmode=(kind == "number").then_some("decimal")
                step=(kind == "number").then_some("any")
                data-testid=id
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                list=list
                placeholder=move || placeholder.get()
                aria-describedby=hint_id.clone()
                aria-invalid=move || (!problem.get().is_empty()).then_some("true")
                prop:value=value
                on:input=move |event| value.set(event_target_value(&event))
            />
            <p class="field__hint" id=hint_id class:field__hint--problem=move || !problem.get().is_empty()>
                {move || if problem.get().is_empty() { hint.get() } else { problem.get() }}
            </p>
        </div>
    }
}
