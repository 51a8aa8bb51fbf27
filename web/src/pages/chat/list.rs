//! The conversations: a column, or a drawer on a narrow window.

use credence::id::ConversationId;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::route::Page;
use crate::state::App;
use crate::{browser, format, projection};

/// The list, the one that was last spoken in first.
#[component]
pub(super) fn Conversations(open: Memo<Option<ConversationId>>) -> impl IntoView {
    let app = App::get();
    let rows = Memo::new(move |_| {
        app.turns.track();
        app.read(projection::conversations)
    });
    let now = move || app.memory().map(|memory| memory.now()).unwrap_or_default();
    view! {
        <aside
            class="conversations"
            aria-label="Conversations"
            inert=move || app.narrow.get() && !app.drawer.get()
            on:keydown=move |event| {
                if event.key() == "Escape" && app.narrow.get_untracked() {
                    app.drawer.set(false);
                    browser::focus("conversations-toggle");
                }
            }
        >
            <div class="conversations__head">
                <button
                    type="button"
                    class="button button--primary"
                    id="chat-new"
                    data-testid="chat-new"
                    on:click=move |_| {
                        Page::Chat(None, None).open();
                        app.drawer.set(false);
                        browser::focus("chat-input");
                    }
                >
                    <Icon glyph=Glyph::Plus />
                    "New conversation"
                </button>
                <button
                    type="button"
                    class="button button--icon"
                    aria-label="Import a conversation"
                    title="Import a conversation"
                    on:click=move |_| app.importing.set(true)
                >
                    <Icon glyph=Glyph::Import />
                </button>
            </div>
            <Show when=move || rows.with(Vec::is_empty)>
                <p class="conversations__none">"No conversations yet."</p>
            </Show>
            <ul class="conversations__list">
                <For each=move || rows.get() key=|row| (row.id, row.title.clone(), row.at, row.turns) let(row)>
                    <li>
                        <a
                            class="conversations__item"
                            href=Page::Chat(Some(row.id), None).href()
                            data-testid="conversation"
                            data-conversation=row.id.to_string()
                            aria-current=move || (open.get() == Some(row.id)).then_some("true")
                            on:click=move |_| app.drawer.set(false)
                        >
                            <span class="conversations__title">{row.title}</span>
                            <span class="conversations__meta">
                                {format::recent(row.at, now())}
                                " \u{b7} "
                                {format::count(row.turns as usize, "turn", "turns")}
                                {row.imported.then_some(" \u{b7} imported")}
                            </span>
                        </a>
                    </li>
                </For>
            </ul>
        </aside>
        <Show when=move || app.drawer.get() && app.narrow.get()>
            <div class="conversations__veil" aria-hidden="true" on:click=move |_| app.drawer.set(false)></div>
        </Show>
    }
}
