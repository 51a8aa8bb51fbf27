//! One commit: who, why, what it changed, and the way back.

use std::collections::BTreeMap;

use credence::history::{Cause, ChangeKind, RecordId};
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::diff::{Piece, words};
use crate::projection::{self, ChangeRow, CommitRow, cause_label};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// A row that unfolds.
#[component]
pub(super) fn CommitItem(row: CommitRow) -> impl IntoView {
    let app = App::get();
    let is_open = RwSignal::new(false);
    let (seq, id, undone, lasting) = (row.seq, row.id, row.undone, row.lasting);
    let changes = Memo::new(move |_| {
        if is_open.get() { app.read(|memory| projection::changes(memory, seq - 1, seq)) } else { Vec::new() }
    });
    let is_erasure = row.cause == Cause::Erasure;
    let ids = row.ids.iter().map(|(name, id)| format!("{name} {id}")).collect::<Vec<_>>().join(", ");
    view! {
        <li
            class="commit"
            class:commit--undone=undone
            data-testid="commit"
            data-seq=seq.to_string()
            data-cause=row.cause.as_str()
            data-undone=undone.then_some("true")
        >
            <button
                type="button"
                class="commit__head"
                data-testid="commit-open"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                <span class="commit__seq">{seq}</span>
                <span class="commit__what">
                    <span class="commit__reason">{format::sentence(&row.reason)}</span>
                    <span class="commit__meta">
                        {format!("{}, by {}, {}", cause_label(row.cause), row.actor, format::count(row.writes, "record", "records"))}
                        {undone.then_some(" \u{b7} taken back")}
                    </span>
                </span>
                <time class="commit__at">{format::instant(row.at)}</time>
                <Icon glyph=Glyph::Down />
            </button>
            <Show when=move || is_open.get()>
                <div class="commit__body">
                    <Changes rows=changes />
                    {is_erasure.then(|| view! { <Erased seq /> })}
                    {(!ids.is_empty()).then(|| view! { <p class="commit__ids">{ids.clone()}</p> })}
                    <Show when=move || !undone && !lasting>
                        <button type="button" class="button button--small" data-testid="commit-undo" on:click=move |_| actions::facts::undo(app, id, None)>
                            <Icon glyph=Glyph::Undo />
                            "Take this change back"
                        </button>
                    </Show>
                </div>
            </Show>
        </li>
    }
}

/// What an erasure destroyed, in numbers: no word of it is left.
#[component]
fn Erased(seq: u64) -> impl IntoView {
    let app = App::get();
    let row = Memo::new(move |_| {
        app.facts.track();
        app.analysis.track();
        app.read(|memory| projection::erasure(memory, seq))
    });
    let listed = |places: &BTreeMap<String, u32>| {
        let words = places.iter().map(|(place, count)| {
            format!("{} ({})", place.replace('-', " "), format::grouped(*count as usize))
        });
        words.collect::<Vec<_>>().join(", ")
    };
    view! {
        {move || row.get().map(|row| view! {
            <p class="commit__ids" data-testid="commit-erased">{format!("Destroyed: {}. Redacted: {}.", listed(&row.destroyed), listed(&row.redacted))}</p>
            {if row.lifted {
                view! { <p class="commit__ids">"It may be learned again."</p> }.into_any()
            } else {
                view! {
                    <button type="button" class="button button--small" data-testid="commit-lift" title="Its content does not come back by that" on:click=move |_| actions::forget::lift(app, row.id)>
                        "Let it be learned again"
                    </button>
                }
                    .into_any()
            }}
        })}
    }
}

/// Changes that are listed at once.
const STEP: usize = 100;

/// What was changed, record by record.
#[component]
pub(super) fn Changes(rows: Memo<Vec<ChangeRow>>) -> impl IntoView {
    let most = RwSignal::new(STEP);
    let more = move || rows.with(Vec::len).saturating_sub(most.get());
    view! {
        <ul class="changes">
            {move || rows.get().into_iter().take(most.get()).map(|row| view! { <Change row /> }).collect_view()}
        </ul>
        <Show when=move || more() != 0>
            <button type="button" class="button button--small" data-testid="changes-more" on:click=move |_| most.update(|most| *most += STEP)>
                {move || format!("Show {} more", format::grouped(more().min(STEP)))}
            </button>
        </Show>
    }
}

fn page_of(record: RecordId) -> Option<Page> {
    match record {
        RecordId::Proposition(id) | RecordId::Unit(id) => Some(Page::Proposition(id)),
        RecordId::Entity(id) => Some(Page::Entity(id)),
        RecordId::Conversation(id) => Some(Page::Chat(Some(id), None)),
        _ => None,
    }
}

#[component]
fn Change(row: ChangeRow) -> impl IntoView {
    let (sign, word) = match row.kind {
        ChangeKind::Added => ("+", "added"),
        ChangeKind::Changed => ("\u{b1}", "changed"),
        ChangeKind::Removed => ("\u{2212}", "removed"),
    };
    let text = match (&row.before, &row.after) {
        (Some(before), Some(after)) if before != after => words(before, after)
            .into_iter()
            .map(|piece| match piece {
                Piece::Same(text) => view! { <span>{text}" "</span> }.into_any(),
                Piece::Gone(text) => view! { <del>{text}</del>" " }.into_any(),
                Piece::New(text) => view! { <ins>{text}</ins>" " }.into_any(),
            })
            .collect_view()
            .into_any(),
        (Some(before), None) => view! { <del>{before.clone()}</del> }.into_any(),
        (_, Some(after)) => view! { <span>{after.clone()}</span> }.into_any(),
        (None, None) => ().into_any(),
    };
    let what = match page_of(row.record) {
        Some(page) => view! { <a href=page.href()>{row.what}</a> }.into_any(),
        None => row.what.into_any(),
    };
    view! {
        <li class=format!("change change--{word}") data-testid="change" data-kind=word data-record=row.record.to_string()>
            <span class="change__sign" title=word>{sign}</span>
            <span class="change__what">{what}</span>
            <span class="change__text">
                {text}
                {(!row.why.is_empty()).then(|| view! { <span class="change__why">{row.why.clone()}</span> })}
            </span>
        </li>
    }
}
