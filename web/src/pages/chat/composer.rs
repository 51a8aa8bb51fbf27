//! Where one writes. Enter sends, except while an input method is still composing a word.

use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::xray::Subject;
use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::route::Page;
use crate::state::{App, ModelState, ToastKind};

/// Some browsers end the composition before they report the Enter that ended it: within this many milliseconds it is
/// the input method's, not the writer's.
const COMPOSITION_ECHO_MS: f64 = 40.0;

/// The key code that stands for "the input method has this key".
const IME_KEY: u32 = 229;

/// The field with its buttons, and the note that no model is connected.
#[component]
pub(super) fn Composer() -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Textarea>::new();
    let composed_at = StoredValue::new(f64::NEG_INFINITY);
    let streaming = Memo::new(move |_| app.stream.with(Option::is_some));
    let is_blank = Memo::new(move |_| app.draft.with(|draft| draft.trim().is_empty()));
    let grow = move || {
        if let Some(field) = node.get_untracked() {
            let style = web_sys::HtmlElement::style(&field);
            // Both fail only for names that are no properties.
            let _ = style.set_property("height", "auto");
            let _ = style.set_property("height", &format!("{}px", field.scroll_height()));
        }
    };
    Effect::new(move || {
        app.draft.track();
        request_animation_frame(grow);
    });
    let send = move || {
        if !is_blank.get_untracked() && !streaming.get_untracked() {
            actions::chat::send(app, app.draft.get_untracked());
        }
    };
    let preview = move || {
        if let Page::Chat(Some(conversation), _) = app.page.get_untracked() {
            app.xray.set(Some(Subject::Draft(conversation, app.draft.get_untracked())));
        } else {
            app.toast(ToastKind::Info, "Say something first: the first prompt has nothing but this in it");
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        let composing = event.is_composing()
            || event.key_code() == IME_KEY
            || event.time_stamp() - composed_at.get_value() < COMPOSITION_ECHO_MS;
        if event.key() == "Enter" && !event.shift_key() && !composing {
            event.prevent_default();
            send();
        }
    };
    view! {
        <div class="composer">
            <Hint />
            <form
                class="composer__form"
                on:submit=move |event| {
                    event.prevent_default();
                    send();
                }
            >
                <label class="unseen" for="chat-input">"Message"</label>
                <textarea
                    id="chat-input"
                    class="composer__field"
                    node_ref=node
                    data-testid="chat-input"
                    rows="1"
                    placeholder="Tell it something, or ask"
                    enterkeyhint="send"
                    prop:value=app.draft
                    on:input=move |event| app.draft.set(event_target_value(&event))
                    on:keydown=on_keydown
                    on:compositionend=move |event| composed_at.set_value(event.time_stamp())
                ></textarea>
                {move || if streaming.get() {
                    view! {
                        <button type="button" class="composer__button composer__button--stop" data-testid="chat-stop" aria-label="Stop" title="Stop; what has come is kept" on:click=move |_| app.stop()>
                            <Icon glyph=Glyph::Stop />
                        </button>
                    }
                        .into_any()
                } else {
                    view! {
                        <button type="button" class="composer__button composer__button--quiet" data-testid="chat-preview" aria-label="Look at the prompt" title="What the model would be told for this" disabled=move || is_blank.get() on:click=move |_| preview()>
                            <Icon glyph=Glyph::Xray />
                        </button>
                        <button type="submit" class="composer__button" data-testid="chat-send" aria-label="Send" title="Send (Enter)" disabled=move || is_blank.get()>
                            <Icon glyph=Glyph::Send />
                        </button>
                    }
                        .into_any()
                }}
            </form>
        </div>
    }
}

#[component]
fn Hint() -> impl IntoView {
    let app = App::get();
    let applies = move || {
        app.model.with(|model| *model == ModelState::BuiltIn) && !app.preferences.with(|p| p.hint_dismissed)
    };
    view! {
        <Show when=applies>
            <p class="hint" data-testid="model-hint">
                <span>
                    "The built-in engine answers by quoting your memory. "
                    <a href=Page::Settings.href()>"Connect a language model"</a>
                </span>
                <button
                    type="button"
                    class="button button--quiet button--icon button--small"
                    aria-label="Dismiss"
                    on:click=move |_| {
                        app.prefer(|p| p.hint_dismissed = true);
                    }
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </p>
        </Show>
    }
}
