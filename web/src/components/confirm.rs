//! The question before something that cannot be taken back.

use leptos::prelude::*;

use crate::components::dialog::Dialog;
use crate::state::{App, Question};

/// Shows the question that stands, if one does.
#[component]
pub(crate) fn Confirm() -> impl IntoView {
    let app = App::get();
    view! { {move || app.question.get().map(|question| view! { <Ask question /> })} }
}

#[component]
fn Ask(question: Question) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(String::new());
    let word = StoredValue::new(question.word.clone());
    let ready = move || word.with_value(|word| word.as_ref().is_none_or(|word| typed.get().trim() == word));
    let on_yes = question.on_yes;
    let no = move || app.question.set(None);
    view! {
        <Dialog title=question.title testid="confirm" closable=true on_close=Callback::new(move |()| no())>
            <p class="dialog__text">{question.body}</p>
            {question.word.map(|word| view! {
                <label class="field">
                    <span class="field__label">"Type " <strong>{word.clone()}</strong> " to go on"</span>
                    <input
                        class="field__input"
                        type="text"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-testid="confirm-word"
                        data-word=word
                        prop:value=typed
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                </label>
            })}
            <footer class="dialog__foot">
                <button type="button" class="button" data-testid="confirm-no" on:click=move |_| no()>"Cancel"</button>
                <button
                    type="button"
                    class="button button--danger"
                    data-testid="confirm-yes"
                    disabled=move || !ready()
                    on:click=move |_| {
                        no();
                        on_yes.run(());
                    }
                >
                    {question.yes}
                </button>
            </footer>
        </Dialog>
    }
}
