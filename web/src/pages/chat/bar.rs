//! What the open conversation has to do with the memory, and being rid of it.

use credence::conversation::MemoryMode;
use credence::erasure::ErasureTarget;
use credence::id::ConversationId;
use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::state::App;

const MODES: [(MemoryMode, &str, &str); 3] = [
    (MemoryMode::Full, "full", "Remembered"),
    (MemoryMode::ReadOnly, "read-only", "Uses memory, keeps nothing"),
    (MemoryMode::Off, "off", "No memory"),
];

/// The bar above the messages.
#[component]
pub(super) fn ConversationBar(open: Memo<Option<ConversationId>>) -> impl IntoView {
    let app = App::get();
    let conversation = Memo::new(move |_| {
        app.turns.track();
        let id = open.get()?;
        app.read(|memory| {
            memory
                .state()
                .conversation(id)
                .map(|found| (found.mode, found.title.clone(), found.origin.is_chat()))
        })
        .map(|(mode, title, is_chat)| (id, mode, title, is_chat))
    });
    let mode = Memo::new(move |_| {
        conversation.with(|found| found.as_ref().map(|(_, mode, ..)| *mode)).unwrap_or_default()
    });
    let word =
        move || MODES.iter().find(|(known, ..)| *known == mode.get()).map_or("full", |(_, word, _)| *word);
    let choose = move |event: web_sys::Event| {
        let value = event_target_value(&event);
        if let (Some(id), Some((chosen, ..))) =
            (open.get_untracked(), MODES.iter().find(|(_, word, _)| *word == value))
        {
            actions::turns::mode(app, id, *chosen);
        }
    };
    let forget = move |_| {
        if let Some((id, _, title, _)) = conversation.get_untracked() {
            actions::forget::ask(app, ErasureTarget::Source { id }, title);
        }
    };
    view! {
        <Show when=move || conversation.with(Option::is_some)>
            <div class="talk-bar" data-testid="conversation-bar" data-mode=word>
                <Show when=move || conversation.with(|found| found.as_ref().is_some_and(|found| found.3))>
                    <label class="unseen" for="conversation-mode">"What this conversation has to do with the memory"</label>
                    <select id="conversation-mode" class="field__input talk-bar__mode" class:talk-bar__mode--off=move || mode.get() != MemoryMode::Full data-testid="conversation-mode" on:change=choose>
                        {MODES.map(|(known, word, label)| view! { <option value=word selected=move || mode.get() == known>{label}</option> }).collect_view()}
                    </select>
                </Show>
                <button type="button" class="button button--quiet button--small" data-testid="conversation-forget" on:click=forget>
                    <Icon glyph=Glyph::Forget />
                    "Forget\u{2026}"
                </button>
            </div>
        </Show>
    }
}
