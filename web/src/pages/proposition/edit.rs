//! Editing a statement.

use credence::memory::Edit;
use credence::proposition::{Proposition, Status};
use leptos::prelude::*;

use crate::actions;
use crate::components::dialog::Dialog;
use crate::format;
use crate::projection::status_label;
use crate::state::App;

/// The dialog, open as long as it exists.
#[component]
pub(super) fn EditDialog(proposition: Proposition, open: RwSignal<bool>) -> impl IntoView {
    let app = App::get();
    let id = proposition.id;
    let text = RwSignal::new(proposition.text.clone());
    let confidence = RwSignal::new(proposition.confidence.get());
    let importance = RwSignal::new(proposition.importance.get());
    let decay = RwSignal::new(proposition.decay.get());
    let status = RwSignal::new(proposition.status);
    let busy = RwSignal::new(false);
    let now = proposition.status;
    // Only where the transition table lets it go.
    let reachable: Vec<Status> = Status::ALL.into_iter().filter(|to| now.transition(*to).is_ok()).collect();
    let is_blank = move || text.with(|text| text.trim().is_empty());
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if is_blank() {
            return;
        }
        let edit = Edit {
            text: Some(text.get_untracked()),
            confidence: Some(confidence.get_untracked()),
            decay: Some(decay.get_untracked()),
            importance: Some(importance.get_untracked()),
            status: Some(status.get_untracked()),
        };
        busy.set(true);
        set_timeout(
            move || {
                let _ = busy.try_set(false);
            },
            std::time::Duration::from_secs(2),
        );
        actions::facts::edit(
            app,
            id,
            edit,
            Callback::new(move |()| {
                // The dialog may have gone with its page.
                let _ = open.try_set(false);
            }),
        );
    };
    view! {
        <Dialog title="Edit the statement" testid="prop-edit-dialog" closable=true on_close=Callback::new(move |()| open.set(false))>
            <form on:submit=save>
                <label class="field">
                    <span class="field__label">"Statement"</span>
                    <textarea
                        class="field__input field__input--area field__input--serif"
                        rows="3"
                        data-testid="prop-edit-text"
                        prop:value=text
                        on:input=move |event| text.set(event_target_value(&event))
                    ></textarea>
                </label>
                <p class="field__hint">"The wording before stays in its life, below."</p>
                <Share id="prop-edit-confidence" label="Confidence" hint="how sure you are" value=confidence />
                <Share id="prop-edit-importance" label="Importance" hint="how much it matters, whatever its certainty" value=importance />
                <Share id="prop-edit-decay" label="Decay" hint="how fast confidence fades; 0 does not fade" value=decay />
                <label class="field">
                    <span class="field__label">"Status"</span>
                    <select
                        class="field__input"
                        data-testid="prop-edit-status"
                        on:change=move |event| {
                            let chosen = event_target_value(&event);
                            if let Some(chosen) = Status::ALL.into_iter().find(|s| s.as_str() == chosen) {
                                status.set(chosen);
                            }
                        }
                    >
                        {reachable
                            .into_iter()
                            .map(|to| view! { <option value=to.as_str() selected=to == now>{status_label(to)}</option> })
                            .collect_view()}
                    </select>
                </label>
                <footer class="dialog__foot">
                    <button type="button" class="button" data-testid="prop-edit-cancel" on:click=move |_| open.set(false)>"Cancel"</button>
                    <button type="submit" class="button button--primary" data-testid="prop-edit-save" disabled=move || is_blank() || busy.get()>"Save"</button>
                </footer>
            </form>
        </Dialog>
    }
}

/// A share between nothing and all.
#[component]
fn Share(id: &'static str, label: &'static str, hint: &'static str, value: RwSignal<f64>) -> impl IntoView {
    view! {
        <div class="field">
            <label class="field__label" for=id>
                {label}
                <output class="field__value" for=id>{move || format::percent(value.get())}</output>
            </label>
            <input
                id=id
                class="field__range"
                type="range"
                min="0"
                max="1"
                step="0.01"
                data-testid=id
                aria-describedby=format!("{id}-hint")
                prop:value=move || value.get().to_string()
                on:input=move |event| {
                    if let Ok(share) = event_target_value(&event).parse() {
                        value.set(share);
                    }
                }
            />
            <p class="field__hint" id=format!("{id}-hint")>{hint}</p>
        </div>
    }
}
