//! What can be done with a message: its other wordings, wording it anew, taking it out, going on another way from it, forgetting it.

use credence::erasure::ErasureTarget;
use credence::id::{ConversationId, TurnId};
use leptos::prelude::*;

use crate::actions;
use crate::actions::backup::BranchPoint;
use crate::components::icon::{Glyph, Icon};
use crate::state::App;

/// A message that can be acted on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Message {
    pub turn: TurnId,
    pub conversation: ConversationId,
    /// Which of its wordings it says, from 0.
    pub chosen: u32,
    /// How many it has.
    pub wordings: u32,
}

/// From one wording to the next.
#[component]
pub(super) fn Swipe(message: Message) -> impl IntoView {
    let app = App::get();
    let Message { turn, conversation, chosen, wordings } = message;
    let to = move |place: u32| move |_| actions::turns::swipe(app, conversation, turn, place);
    (wordings > 1).then(|| view! {
        <span class="swipe" data-testid="message-swipe" data-chosen=chosen.to_string() data-wordings=wordings.to_string()>
            <button type="button" class="button button--quiet button--small" data-testid="message-swipe-back" aria-label="The wording before" disabled={chosen == 0} on:click=to(chosen.saturating_sub(1))>"\u{2039}"</button>
            <span aria-label=format!("Wording {} of {wordings}", chosen + 1)>{format!("{}/{wordings}", chosen + 1)}</span>
            <button type="button" class="button button--quiet button--small" data-testid="message-swipe-on" aria-label="The wording after" disabled={chosen + 1 >= wordings} on:click=to(chosen + 1)>"\u{203a}"</button>
        </span>
    })
}

/// The rest, behind one button.
#[component]
pub(super) fn More(message: Message, text: StoredValue<String>, editing: RwSignal<bool>) -> impl IntoView {
    let app = App::get();
    let Message { turn, conversation, .. } = message;
    let open = RwSignal::new(false);
    let act = move |go: Callback<()>| {
        move |_| {
            open.set(false);
            go.run(());
        }
    };
    let item = move |words: &'static str, testid: &'static str, go: Callback<()>| {
        view! { <button type="button" class="menu__item" role="menuitem" data-testid=testid on:click=act(go)>{words}</button> }
    };
    view! {
        <span
            class="menu"
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    open.set(false);
                }
            }
            on:focusout=move |event| {
                // The focus that stays within leaves it open.
                let within = event.current_target().zip(event.related_target()).is_some_and(|(menu, next)| {
                    use wasm_bindgen::JsCast;
                    let menu = menu.dyn_into::<web_sys::Node>().ok();
                    let next = next.dyn_into::<web_sys::Node>().ok();
                    menu.is_some_and(|menu| menu.contains(next.as_ref()))
                });
                if !within {
                    open.set(false);
                }
            }
        >
            <button
                type="button"
                class="button button--quiet button--small"
                data-testid="message-more"
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)
            >
                <Icon glyph=Glyph::More />
                <span class="unseen">"More"</span>
            </button>
            <Show when=move || open.get()>
                <span class="menu__list" role="menu">
                    {item("Word it anew", "message-edit", Callback::new(move |()| editing.set(true)))}
                    {item("Go on another way from here", "message-branch", Callback::new(move |()| app.branching.set(Some(BranchPoint::Turn(turn, conversation)))))}
                    {item("Take it out", "message-delete", Callback::new(move |()| actions::turns::delete(app, conversation, turn)))}
                    {item("Take it and what follows out", "message-cut", Callback::new(move |()| actions::turns::delete_from(app, conversation, turn)))}
                    {item("Forget\u{2026}", "message-forget", Callback::new(move |()| actions::forget::ask(app, ErasureTarget::Turn { id: turn }, text.get_value())))}
                </span>
            </Show>
        </span>
    }
}

/// A message that is being worded anew.
#[component]
pub(super) fn Editor(message: Message, text: StoredValue<String>, editing: RwSignal<bool>) -> impl IntoView {
    let app = App::get();
    let words = RwSignal::new(text.get_value());
    let save = move || {
        editing.set(false);
        actions::turns::edit(app, message.conversation, message.turn, words.get_untracked());
    };
    view! {
        <form
            class="turn__edit"
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
        >
            <label class="unseen" for="message-words">"The message"</label>
            <textarea
                id="message-words"
                class="field__input field__input--area"
                rows="4"
                data-testid="message-words"
                prop:value=words
                on:input=move |event| words.set(event_target_value(&event))
                on:keydown=move |event| {
                    if event.key() == "Escape" {
                        editing.set(false);
                    }
                }
            ></textarea>
            <p class="field__hint">"What was learned from the old words is taken back; the new ones are read. The old words stay a step away."</p>
            <div class="turn__acts">
                <button type="submit" class="button button--small button--primary" data-testid="message-save" disabled=move || words.with(|words| words.trim().is_empty())>"Save"</button>
                <button type="button" class="button button--small" on:click=move |_| editing.set(false)>"Cancel"</button>
            </div>
        </form>
    }
}
