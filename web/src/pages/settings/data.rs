//! What is stored, how much room it takes, how to take it along and how to be rid of it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions;
use crate::actions::backup::Extent;
use crate::components::icon::{Glyph, Icon};
use crate::format::{bytes, grouped};
use crate::projection;
use crate::state::{App, EmbeddingState, Question};

/// The word that has to be typed before everything is deleted.
const WORD: &str = "delete";

/// The section.
#[component]
pub(super) fn Data() -> impl IntoView {
    let app = App::get();
    let room = RwSignal::new((None::<(f64, f64)>, None::<bool>));
    let measure = move || {
        spawn_local(async move {
            let measured = actions::data::room().await;
            // The page may have been left meanwhile.
            let _ = room.try_set(measured);
        });
    };
    Effect::new(move || {
        app.facts.track();
        app.turns.track();
        measure();
    });
    let counts = Memo::new(move |_| {
        app.facts.track();
        app.turns.track();
        app.analysis.track();
        app.read(projection::counts)
    });
    let packed = RwSignal::new(false);
    let context = move || app.preferences.with(|p| p.context.clone());
    let wipe = move |_| {
        app.question.set(Some(Question {
            title: format!("Wipe the memory \u{201c}{}\u{201d}?", context()),
            body: "Its conversations, statements, history and use records are deleted from this browser for good. Other memories, your settings and your key stay. Export it first if you may want it back.".to_owned(),
            yes: "Wipe this memory".to_owned(),
            word: Some(WORD.to_owned()),
            on_yes: Callback::new(move |()| actions::data::wipe_context(app)),
        }));
    };
    let wipe_all = move |_| {
        app.question.set(Some(Question {
            title: "Delete everything?".to_owned(),
            body: "Every memory, every setting and every key that this app keeps in this browser is deleted for good, and the page starts anew.".to_owned(),
            yes: "Delete everything".to_owned(),
            word: Some(WORD.to_owned()),
            on_yes: Callback::new(move |()| actions::data::wipe_everything(app)),
        }));
    };
    view! {
        <section class="card" aria-labelledby="settings-data">
            <h2 class="card__title" id="settings-data">"Your data"</h2>
            <dl
                class="figures"
                data-testid="data-size"
                data-bytes=move || room.with(|(room, _)| room.map(|(used, _)| format!("{used:.0}")).unwrap_or_default())
                data-propositions=move || (counts.get().live + counts.get().retired).to_string()
                data-commits=move || counts.get().commits.to_string()
            >
                <div class="figures__item"><dt>"statements"</dt><dd>{move || grouped(counts.get().live + counts.get().retired)}</dd></div>
                <div class="figures__item"><dt>"turns"</dt><dd>{move || grouped(counts.get().turns)}</dd></div>
                <div class="figures__item"><dt>"commits"</dt><dd>{move || grouped(usize::try_from(counts.get().commits).unwrap_or(usize::MAX))}</dd></div>
                <div class="figures__item">
                    <dt>"room taken"</dt>
                    <dd>{move || room.with(|(room, _)| room.map_or("unknown".to_owned(), |(used, _)| bytes(used)))}</dd>
                </div>
                <div class="figures__item">
                    <dt>"room allowed"</dt>
                    <dd>{move || room.with(|(room, _)| room.map_or("unknown".to_owned(), |(_, quota)| bytes(quota)))}</dd>
                </div>
            </dl>
            <p class="card__text" data-testid="data-kept">
                {move || match (app.volatile.get(), room.with(|(_, kept)| *kept)) {
                    (Some(_), _) => "This browser stores nothing for this page: everything is lost when it closes.",
                    (None, Some(true)) => "The browser promises to keep this memory.",
                    (None, Some(false)) => "The browser keeps this memory, but may remove it when space runs short.",
                    (None, None) => "The browser keeps this memory and does not say for how long.",
                }}
                {move || (app.volatile.with(Option::is_none) && room.with(|(_, kept)| *kept == Some(false))).then(|| view! {
                    " "
                    <button type="button" class="button button--small" on:click=move |_| actions::data::persist(app, Callback::new(move |_| measure()))>
                        "Ask it to promise"
                    </button>
                })}
            </p>
            <p class="card__text" data-testid="data-vectors">
                {move || match app.embedding.get() {
                    EmbeddingState::Loading => "The meanings of words are being loaded; until then, searches compare words alone.".to_owned(),
                    EmbeddingState::Ready => "Searches compare meanings as well as words.".to_owned(),
                    EmbeddingState::Failed(why) => format!("The meanings of words could not be loaded ({why}); searches compare words alone."),
                }}
            </p>
            <div class="card__acts">
                <button type="button" class="button" data-testid="data-export" on:click=move |_| actions::backup::export(app, Extent::This, packed.get_untracked())>
                    <Icon glyph=Glyph::Export />
                    "Export this memory"
                </button>
                <button type="button" class="button" data-testid="data-export-all" on:click=move |_| actions::backup::export(app, Extent::All, packed.get_untracked())>
                    <Icon glyph=Glyph::Export />
                    "Export all memories"
                </button>
                <button type="button" class="button" data-testid="data-restore" on:click=move |_| app.restoring.set(true)>
                    <Icon glyph=Glyph::Import />
                    "Bring a backup back"
                </button>
                <button type="button" class="button" data-testid="data-list" title="The statements for people to read; it cannot be brought back" on:click=move |_| actions::backup::export_list(app, false)>"Statements as Markdown"</button>
                <button type="button" class="button" data-testid="data-table" title="The statements as a table; it cannot be brought back" on:click=move |_| actions::backup::export_list(app, true)>"as CSV"</button>
                <label class="choices__item">
                    <input type="checkbox" data-testid="data-packed" prop:checked=packed on:change=move |event| packed.set(event_target_checked(&event)) />
                    "compressed"
                </label>
            </div>
            <div class="card__acts">
                <button type="button" class="button button--danger-quiet" data-testid="data-forget-span" on:click=move |_| actions::forget::ask_span(app)>
                    <Icon glyph=Glyph::Forget />
                    "Forget a span of time"
                </button>
                <button type="button" class="button button--danger-quiet" data-testid="data-wipe-context" on:click=wipe>
                    <Icon glyph=Glyph::Forget />
                    "Wipe this memory"
                </button>
                <button type="button" class="button button--danger-quiet" data-testid="data-wipe" on:click=wipe_all>
                    <Icon glyph=Glyph::Forget />
                    "Delete everything"
                </button>
            </div>
        </section>
    }
}
