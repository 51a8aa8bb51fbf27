//! What forgetting would take along, before it does: statements, turns with the sentences that go, and how much elsewhere. Softly, with a
//! way back, or for ever.

use std::collections::BTreeMap;

use credence::erasure::{ErasurePreview, ErasureTarget, Forgetting as Soft, TouchedStatement, TouchedTurn};
use credence::id::PropositionId;
use leptos::prelude::*;

use super::forget_span::SpanFields;
use crate::actions::forget::{self, Forgetting, Found, Work, Working};
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::route::Page;
use crate::state::App;

/// Rows of a list that are shown at once.
const MOST: usize = 40;

/// The word that has to be typed before content is destroyed.
const WORD: &str = "forget";

/// Shows the dialog while somebody is about to forget.
#[component]
pub(crate) fn ForgetDialog() -> impl IntoView {
    let app = App::get();
    move || app.forgetting.get().map(|forgetting| view! { <Open forgetting /> })
}

fn kind_of(target: &ErasureTarget) -> &'static str {
    match target {
        ErasureTarget::Proposition { .. } => "statement",
        ErasureTarget::Entity { .. } => "entity",
        ErasureTarget::Source { .. } => "conversation",
        ErasureTarget::Turn { .. } => "message",
        ErasureTarget::Span { .. } => "span of time",
    }
}

#[component]
fn Open(forgetting: Forgetting) -> impl IntoView {
    let app = App::get();
    let Forgetting { target, name } = forgetting;
    let found = RwSignal::new(None::<Found>);
    let working = RwSignal::new_local(None);
    let (busy, lasting) = (RwSignal::new(false), RwSignal::new(false));
    let typed = RwSignal::new(String::new());
    forget::preview(app, target.clone(), found, working);
    on_cleanup(move || forget::stop(working));
    let is_span = matches!(target, ErasureTarget::Span { .. });
    let title = format!("Forget {} {}?", if is_span { "a" } else { "this" }, kind_of(&target));
    let wanted = StoredValue::new(target.clone());
    let on_span = Callback::new(move |span: Result<ErasureTarget, &'static str>| match span {
        Ok(span) => {
            wanted.set_value(span.clone());
            forget::preview(app, span, found, working);
        }
        Err(why) => {
            forget::stop(working);
            working.set(None);
            found.set(Some(Found::nothing(why)));
        }
    });
    let close = move || app.forgetting.set(None);
    let state = Memo::new(move |_| {
        match (busy.get(), found.with(|found| found.as_ref().map(|found| found.is_there(lasting.get())))) {
            (true, _) if lasting.get() => "erasing",
            (true, _) => "forgetting",
            (_, None) => "looking",
            (_, Some(true)) => "preview",
            (_, Some(false)) => "failed",
        }
    });
    let may = move || {
        state.get() == "preview"
            && (!lasting.get() || typed.with(|typed| typed.trim().eq_ignore_ascii_case(WORD)))
    };
    let go = move |_| {
        let target = wanted.get_value();
        if lasting.get_untracked() {
            forget::for_ever(app, target, busy, working);
        } else {
            forget::softly(app, target, busy, working);
        }
    };
    view! {
        <Dialog
            title
            testid="forget-dialog"
            state=state
            closable=Signal::derive(move || !busy.get())
            close_testid="forget-close"
            wide=true
            on_close=Callback::new(move |()| close())
        >
            {match target {
                ErasureTarget::Span { from, to } => view! { <SpanFields from to disabled=busy.into() on_change=on_span /> }.into_any(),
                _ => view! { <p class="forget__name">{format!("\u{201c}{}\u{201d}", credence::text::excerpt(&name, 200))}</p> }.into_any(),
            }}
            <fieldset class="forget__how">
                <legend class="unseen">"How"</legend>
                <label class="forget__choice">
                    <input type="radio" name="forget-how" data-testid="forget-softly" disabled=busy prop:checked=move || !lasting.get() on:change=move |_| lasting.set(false) />
                    <span>
                        <strong>"Forget, with a way back. "</strong>
                        "It is no longer recalled or listed. History keeps it, and you can undo this."
                    </span>
                </label>
                <label class="forget__choice">
                    <input type="radio" name="forget-how" data-testid="forget-for-ever" disabled=busy prop:checked=move || lasting.get() on:change=move |_| lasting.set(true) />
                    <span>
                        <strong>"Forget for ever. "</strong>
                        "Its content is destroyed here wherever it stands, in all of history. Nothing brings it back but a backup, and it is not learned again from what was said before."
                    </span>
                </label>
            </fieldset>
            {move || found.get().map(|Found { softly, lasting: for_ever }| match (lasting.get(), softly, for_ever) {
                (false, Ok(forgetting), _) => view! { <SoftPreview forgetting /> }.into_any(),
                (true, _, Ok(preview)) => view! { <Preview preview /> }.into_any(),
                (false, Err(words), _) | (true, _, Err(words)) => {
                    view! { <p class="field__hint field__hint--problem" data-testid="forget-problem">{format::sentence(&words)}</p> }.into_any()
                }
            })}
            <Show when=move || matches!(state.get(), "looking" | "forgetting" | "erasing")>
                <Progress working busy lasting />
            </Show>
            <Show when=move || lasting.get()>
                <label class="field">
                    <span class="field__label">"Type " <strong>{WORD}</strong> " to go on"</span>
                    <input
                        class="field__input"
                        type="text"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-testid="forget-word"
                        data-word=WORD
                        prop:value=typed
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                </label>
            </Show>
            <footer class="dialog__foot">
                <button
                    type="button"
                    class="button"
                    data-testid="forget-cancel"
                    disabled=move || busy.get() && working.with(|work| work.as_ref().is_none_or(is_written))
                    on:click=move |_| if busy.get_untracked() { forget::stop(working) } else { close() }
                >
                    {move || if busy.get() { "Stop" } else { "Cancel" }}
                </button>
                <button type="button" class="button" class:button--danger=lasting class:button--primary=move || !lasting.get() data-testid="forget-go" disabled=move || !may() on:click=go>
                    {move || match (busy.get(), lasting.get()) {
                        (true, true) => "Destroying\u{2026}",
                        (true, false) => "Forgetting\u{2026}",
                        (false, true) => "Forget for ever",
                        (false, false) => "Forget",
                    }}
                </button>
            </footer>
        </Dialog>
    }
}

/// The plan is made, and what follows is one step that nobody can stop half-way.
fn is_written(work: &Work) -> bool {
    work.progress.total > 0 && work.progress.done >= work.progress.total
}

/// How far a look, or a forgetting that is under way, is.
#[component]
fn Progress(working: Working, busy: RwSignal<bool>, lasting: RwSignal<bool>) -> impl IntoView {
    let progress =
        move || working.with(|work| work.as_ref().map(|work| work.progress)).filter(|p| p.total > 0);
    view! {
        <div class="forget__progress">
            <p class="dialog__text" role="status">
                {move || match (busy.get(), lasting.get()) {
                    (true, true) => "Looking through everything that holds it, and destroying it\u{2026}",
                    (true, false) => "Looking through everything that holds it, and forgetting it\u{2026}",
                    (false, _) => "Looking for everything that holds it\u{2026}",
                }}
            </p>
            <progress
                class="progress"
                aria-label="Records looked through"
                data-testid="forget-progress"
                max=move || progress().map_or(1, |p| p.total).to_string()
                value=move || progress().map_or(0, |p| p.done).to_string()
            ></progress>
        </div>
    }
}

/// What goes with a way back, and what stays.
#[component]
fn SoftPreview(forgetting: Soft) -> impl IntoView {
    let Soft { removed, kept, turns, .. } = forgetting;
    let (gone, stay) = (removed.len(), kept.len());
    let rows = |statements: Vec<(PropositionId, String)>, is_gone: bool| {
        let row = move |(id, text): (PropositionId, String)| {
            view! {
                <li class="forget__row" data-testid="forget-statement" data-proposition=id.to_string() data-gone=is_gone.to_string()>
                    <a href=Page::Proposition(id).href()>{if is_gone { view! { <s>{text}</s> }.into_any() } else { text.into_any() }}</a>
                </li>
            }
        };
        let more = statements.len().saturating_sub(MOST);
        view! {
            <ul class="forget__list">{statements.into_iter().take(MOST).map(row).collect_view()}</ul>
            {(more > 0).then(|| view! { <p class="field__hint">{format!("and {} more", format::grouped(more))}</p> })}
        }
    };
    view! {
        <div class="forget__preview" data-testid="forget-preview" data-statements=(gone + stay).to_string() data-gone=gone.to_string() data-turns=turns.len().to_string()>
            {(gone > 0).then(|| view! {
                <section aria-label="Statements that go">
                    <h3 class="forget__title">{format!("{} no longer recalled", format::count(gone, "statement is", "statements are"))}</h3>
                    {rows(removed, true)}
                </section>
            })}
            {(stay > 0).then(|| view! {
                <section aria-label="Statements that stay">
                    <h3 class="forget__title">{format!("{}: pinned, CANON, or said elsewhere too", format::count(stay, "statement stays", "statements stay"))}</h3>
                    {rows(kept, false)}
                </section>
            })}
            {(!turns.is_empty()).then(|| view! {
                <p class="dialog__text">{format!("{} taken out of the conversation", format::count(turns.len(), "message is", "messages are"))}</p>
            })}
        </div>
    }
}

#[component]
fn Preview(preview: ErasurePreview) -> impl IntoView {
    let ErasurePreview { statements, entities, sources, turns, cleaned, notes, .. } = preview;
    let gone = statements.iter().filter(|touched| touched.after.is_none()).count();
    let (many, shown) = (statements.len(), statements.into_iter().take(MOST).collect::<Vec<_>>());
    let (all_turns, shown_turns) = (turns.len(), turns.into_iter().take(MOST).collect::<Vec<_>>());
    let names: Vec<String> = entities
        .into_iter()
        .map(|(_, name)| name)
        .chain(sources.into_iter().map(|(_, title)| title))
        .collect();
    view! {
        <div class="forget__preview" data-testid="forget-preview" data-statements=many.to_string() data-gone=gone.to_string() data-turns=all_turns.to_string()>
            {notes.into_iter().map(|note| view! { <p class="forget__note"><Icon glyph=Glyph::Alert /><span>{format::sentence(&note)}</span></p> }).collect_view()}
            {(!names.is_empty()).then(|| view! {
                <p class="dialog__text">{format!("Goes with its name: {}", names.join(", "))}</p>
            })}
            {(many > 0).then(|| view! {
                <section aria-label="Statements">
                    <h3 class="forget__title">{match (gone, many) {
                        (1, 1) => "One statement goes".to_owned(),
                        (gone, many) if gone == many => format!("{} go", format::count(many, "statement", "statements")),
                        (gone, many) => format!("{}, {gone} of them go", format::count(many, "statement", "statements")),
                    }}</h3>
                    <ul class="forget__list">{shown.into_iter().map(|touched| view! { <Statement touched /> }).collect_view()}</ul>
                    {(many > MOST).then(|| view! { <p class="field__hint">{format!("and {} more", format::grouped(many - MOST))}</p> })}
                </section>
            })}
            {(all_turns > 0).then(|| view! {
                <details class="forget__turns">
                    <summary>{format!("{} that said it: what is cut", format::count(all_turns, "message", "messages"))}</summary>
                    <ul class="forget__list">{shown_turns.into_iter().map(|turn| view! { <Turn turn /> }).collect_view()}</ul>
                    {(all_turns > MOST).then(|| view! { <p class="field__hint">{format!("and {} more", format::grouped(all_turns - MOST))}</p> })}
                </details>
            })}
            <Places title="Destroyed" places=cleaned.destroyed />
            <Places title="Redacted" places=cleaned.redacted />
        </div>
    }
}

#[component]
fn Statement(touched: TouchedStatement) -> impl IntoView {
    let TouchedStatement { id, text, after, is_kept_dear, why } = touched;
    let is_gone = after.is_none();
    view! {
        <li class="forget__row" data-testid="forget-statement" data-proposition=id.to_string() data-gone=is_gone.to_string()>
            <a href=Page::Proposition(id).href()>{if is_gone { view! { <s>{text}</s> }.into_any() } else { text.into_any() }}</a>
            {after.map(|after| view! { <span class="forget__after">{after}</span> })}
            {is_kept_dear.then(|| view! { <span class="tag tag--pin">"pinned or CANON"</span> })}
            <span class="forget__why">{format::sentence(&why)}</span>
        </li>
    }
}

#[component]
fn Turn(turn: TouchedTurn) -> impl IntoView {
    let page = Page::Chat(Some(turn.conversation), Some(turn.id));
    let left = turn.after.map_or_else(
        || "nothing is left of it".to_owned(),
        |after| format!("left: {}", credence::text::excerpt(&after, 160)),
    );
    view! {
        <li class="forget__row" data-testid="forget-turn" data-turn=turn.id.to_string()>
            <a href=page.href()>{turn.cut.into_iter().map(|sentence| view! { <del>{sentence}</del>" " }).collect_view()}</a>
            <span class="forget__why">{left}</span>
        </li>
    }
}

/// How much, by kind of place.
#[component]
fn Places(title: &'static str, places: BTreeMap<String, u32>) -> impl IntoView {
    let words = places
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(place, count)| format!("{} ({})", place.replace('-', " "), format::grouped(count as usize)));
    let words: Vec<String> = words.collect();
    (!words.is_empty())
        .then(|| view! { <p class="forget__places"><strong>{title}": "</strong>{words.join(", ")}</p> })
}
