//! An empty conversation: what this is, and three ways to begin.

use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::state::App;

const EXAMPLES: [&str; 3] = [
    "My sister Anna lives in Lisbon and works as a nurse.",
    "I'm allergic to peanuts.",
    "I love techno, and I work as a software engineer at Northwind.",
];

/// Shown while nothing has been said.
#[component]
pub(super) fn Start() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="start">
            <p class="start__kicker">"A memory that shows its evidence"</p>
            <h2 class="start__title">"Say something worth remembering."</h2>
            <p class="start__text">
                "What you say becomes short statements, each with how sure it is, where it came from and why. You can read them, question them and take them back. Everything stays in this browser."
            </p>
            <ul class="start__examples">
                {EXAMPLES
                    .into_iter()
                    .map(|example| view! {
                        <li>
                            <button type="button" class="start__example" data-testid="chat-example" on:click=move |_| actions::chat::send(app, example.to_owned())>
                                <span>{format!("\u{201c}{example}\u{201d}")}</span>
                                <Icon glyph=Glyph::Send />
                            </button>
                        </li>
                    })
                    .collect_view()}
            </ul>
            <button type="button" class="button" data-testid="chat-import" on:click=move |_| app.importing.set(true)>
                <Icon glyph=Glyph::Import />
                "Import a conversation"
            </button>
        </section>
    }
}
