//! Talking, with what memory made of it in the margin.

mod acts;
mod bar;
mod composer;
mod executed;
pub(crate) mod import;
mod injected;
mod list;
mod notes;
mod start;
mod turn;
pub(crate) mod working;
pub(crate) mod xray;

use credence::compaction::Summary;
use credence::extraction::Trigger;
use credence::id::{ConversationId, TurnId};
use leptos::html;
use leptos::prelude::*;

use crate::actions;
use crate::browser;
use crate::markdown::Markdown;
use crate::projection::{self, AnalysisState, TurnRow};
use crate::route::Page;
use crate::state::App;
use bar::ConversationBar;
use composer::Composer;
use list::Conversations;
use start::Start;
use turn::TurnView;
use working::WorkingSetPanel;

/// Messages that are shown at once; earlier ones on request, so that a long import opens quickly.
const SHOWN: usize = 120;

/// Closer to the end than this, in pixels, the view follows what arrives.
const NEAR_END: i32 = 160;

/// The chat page.
#[component]
pub(crate) fn Chat() -> impl IntoView {
    let app = App::get();
    let open = Memo::new(move |_| match app.page.get() {
        Page::Chat(id, _) => id,
        _ => None,
    });
    let target = Memo::new(move |_| match app.page.get() {
        Page::Chat(_, turn) => turn,
        _ => None,
    });
    // Turns that were left waiting, by a failure or a closed page, are taken up when their conversation is opened.
    Effect::new(move || {
        if let Some(id) = open.get()
            && app.read(|memory| memory.pending(id).turns > 0)
        {
            actions::chat::analyse(app, id, Trigger::WhenDue);
        }
    });
    view! {
        <div class="chat" class:chat--drawer=move || app.drawer.get() class:chat--beside=move || app.beside.get()>
            <Conversations open />
            <section class="chat__talk" aria-label="Conversation">
                <ConversationBar open />
                <Log open target />
                <AnalysisLine open />
                <Composer />
            </section>
            <Show when=move || app.beside.get()>
                <WorkingSetPanel />
                <div class="working__veil" aria-hidden="true" on:click=move |_| app.beside.set(false)></div>
            </Show>
        </div>
    }
}

/// The messages. The view follows the end while the reader is there.
#[component]
fn Log(open: Memo<Option<ConversationId>>, target: Memo<Option<TurnId>>) -> impl IntoView {
    let app = App::get();
    let all = Memo::new(move |_| {
        app.turns.track();
        open.get().map(|id| app.read(|memory| projection::turns(memory, id))).unwrap_or_default()
    });
    let notes = Memo::new(move |_| {
        app.analysis.track();
        app.facts.track();
        open.get().map(|id| app.read(|memory| projection::notes(memory, id))).unwrap_or_default()
    });
    let analysis = Memo::new(move |_| {
        app.analysis.track();
        state_of(app, open.get())
    });
    let summary = Memo::new(move |_| {
        app.units.track();
        app.turns.track();
        open.get().and_then(|id| app.read(|memory| memory.summary(id)))
    });
    let streaming = Memo::new(move |_| {
        app.stream.with(|s| s.as_ref().is_some_and(|s| Some(s.conversation) == open.get()))
    });
    let from = RwSignal::new(0_usize);
    Effect::new(move |before: Option<Option<ConversationId>>| {
        let id = open.get();
        if before != Some(id) {
            let turns = all.get_untracked();
            let wanted = target.get_untracked().and_then(|turn| turns.iter().position(|row| row.id == turn));
            let start = turns.len().saturating_sub(SHOWN);
            from.set(wanted.map_or(start, |place| start.min(place.saturating_sub(10))));
        }
        id
    });
    let shown = Memo::new(move |_| all.with(|rows| rows.get(from.get()..).unwrap_or_default().to_vec()));
    let node = NodeRef::<html::Div>::new();
    let follows = StoredValue::new(true);
    let to_end = move || {
        if let Some(log) = node.get_untracked() {
            log.set_scroll_top(log.scroll_height());
        }
    };
    // A conversation opens at its end, or at the turn that the address names.
    Effect::new(move || {
        let (_, turn) = (open.get(), target.get());
        request_animation_frame(move || match turn {
            Some(turn) => {
                follows.set_value(false);
                browser::reveal(&turn.to_string());
            }
            None => {
                follows.set_value(true);
                to_end();
            }
        });
    });
    Effect::new(move || {
        shown.track();
        notes.track();
        app.stream.track();
        if follows.get_value() {
            request_animation_frame(to_end);
        }
    });
    let on_scroll = move |_| {
        if let Some(log) = node.get_untracked() {
            follows.set_value(log.scroll_height() - log.scroll_top() - log.client_height() < NEAR_END);
        }
    };
    let is_empty = move || all.with(Vec::is_empty) && !streaming.get();
    view! {
        <div
            class="log"
            node_ref=node
            data-testid="chat-log"
            data-streaming=move || streaming.get().to_string()
            data-analysis=move || analysis.with(AnalysisState::as_str)
            role="log"
            aria-label="Messages"
            aria-live="off"
            aria-busy=move || streaming.get().to_string()
            tabindex="0"
            on:scroll=on_scroll
        >
            <Show when=is_empty>
                <Start />
            </Show>
            <Show when=move || from.get() != 0>
                <button
                    type="button"
                    class="button button--quiet log__earlier"
                    on:click=move |_| {
                        follows.set_value(false);
                        from.update(|from| *from = from.saturating_sub(SHOWN));
                    }
                >
                    "Show earlier messages"
                </button>
            </Show>
            {move || summary.get().map(|summary| view! { <SummaryNote summary /> })}
            <For each=move || shown.get() key=TurnKey::of let(row)>
                <TurnView row notes target />
            </For>
            <Show when=move || streaming.get()>
                <Streaming />
            </Show>
        </div>
    }
}

/// What makes a message another one for the view.
#[derive(PartialEq, Eq, Hash)]
struct TurnKey(TurnId, String, bool, u32, u32);

impl TurnKey {
    fn of(row: &TurnRow) -> Self {
        Self(row.id, row.text.clone(), row.is_last, row.chosen, row.wordings)
    }
}

/// The answer on its way.
#[component]
fn Streaming() -> impl IntoView {
    let app = App::get();
    let text =
        Memo::new(move |_| app.stream.with(|s| s.as_ref().map(|s| s.text.clone()).unwrap_or_default()));
    let stopping = move || app.stream.with(|s| s.as_ref().is_some_and(|s| s.stopping));
    let note = move || app.stream.with(|s| s.as_ref().and_then(|s| s.note.clone()));
    view! {
        <article class="turn turn--assistant" data-testid="message" data-role="assistant" data-turn="" data-state="streaming">
            <p class="turn__who">"Credence"</p>
            <div class="turn__text markdown" data-testid="message-text">
                <Markdown text />
            </div>
            <Show when=move || text.with(String::is_empty) || note().is_some()>
                <p class="turn__waiting" role="status">
                    <span class="pulse" aria-hidden="true"></span>
                    {move || match note() {
                        _ if stopping() => "Stopping\u{2026}".to_owned(),
                        Some(note) => note,
                        None => "Remembering, then answering\u{2026}".to_owned(),
                    }}
                </p>
            </Show>
        </article>
    }
}

fn state_of(app: App, open: Option<ConversationId>) -> AnalysisState {
    let Some(id) = open else { return AnalysisState::Idle };
    let running = app.analysing.with(|running| running.contains(&id));
    app.read(|memory| projection::analysis_state(memory, id, running))
}

/// One quiet line on the analysis: only where there is something to say.
#[component]
fn AnalysisLine(open: Memo<Option<ConversationId>>) -> impl IntoView {
    let app = App::get();
    let state = Memo::new(move |_| {
        app.analysis.track();
        state_of(app, open.get())
    });
    let retry = move |_| {
        if let Some(id) = open.get_untracked() {
            actions::chat::analyse(app, id, Trigger::Now);
        }
    };
    view! {
        <div class="analysis" role="status">
            {move || match state.get() {
                AnalysisState::Idle | AnalysisState::Pending(_) => ().into_any(),
                AnalysisState::Running => view! {
                    <p class="analysis__line"><span class="pulse" aria-hidden="true"></span>"Reading what was said\u{2026}"</p>
                }
                    .into_any(),
                AnalysisState::Failed(why, turns) => view! {
                    <p class="analysis__line analysis__line--failed">
                        <span>
                            {format!("Not remembered yet: {}. ", crate::format::count(turns as usize, "turn waits", "turns wait"))}
                            {crate::format::sentence(&why)}
                        </span>
                        <button type="button" class="button button--small" data-testid="analysis-retry" on:click=retry>"Try again"</button>
                    </p>
                }
                    .into_any(),
            }}
        </div>
    }
}

/// The summary that the model reads in place of earlier turns. They are all still here.
#[component]
fn SummaryNote(summary: Summary) -> impl IntoView {
    let words = format!(
        "The model reads a summary in place of the first {} ({} tokens instead of {})",
        crate::format::count(summary.to as usize, "turn", "turns"),
        crate::format::grouped(summary.tokens_after as usize),
        crate::format::grouped(summary.tokens_before as usize),
    );
    view! {
        <details class="compliance" data-testid="summary" data-to=summary.to.to_string()>
            <summary>{words}</summary>
            <p class="summary__text">{summary.text}</p>
        </details>
    }
}
