//! What memory made of a turn: statements kept, statements put out of force, and what was left aside with the reason.

use credence::extraction::{Dropped, OutcomeKind};
use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::components::icon::{Glyph, Icon};
use crate::projection::{Chip, Struck, TurnNotes, status_label};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// The notes in the margin of a turn.
#[component]
pub(super) fn Notes(notes: Memo<TurnNotes>) -> impl IntoView {
    let has_any = Memo::new(move |_| notes.with(|notes| *notes != TurnNotes::default()));
    view! {
        <Show when=move || has_any.get()>
            <div class="notes">
                <ul class="notes__list" aria-label="Remembered from this">
                    <For each=move || notes.with(|n| n.struck.clone()) key=|struck| (struck.proposition, struck.status.as_str()) let(struck)>
                        <StruckNote struck />
                    </For>
                    <For each=move || notes.with(|n| n.chips.clone()) key=|chip| (chip.proposition, chip.commit, chip.undone, chip.kind) let(chip)>
                        <ChipNote chip />
                    </For>
                </ul>
                {move || {
                    let dropped = notes.with(|notes| notes.dropped.clone());
                    (!dropped.is_empty()).then(|| view! { <Left dropped /> })
                }}
            </div>
        </Show>
    }
}

/// What happened, in a word.
fn kind_words(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::New => "remembered",
        OutcomeKind::Merged => "known already; one more source",
        OutcomeKind::Reinforced => "known already; surer now",
        OutcomeKind::Contradicted => "remembered; contradicts what was known",
        OutcomeKind::Generalized => "remembered; sums up what was known",
        OutcomeKind::Disputed => "remembered; in dispute with what was known",
        OutcomeKind::Outdated => "remembered as what was; what is known is newer",
    }
}

#[component]
fn ChipNote(chip: Chip) -> impl IntoView {
    let app = App::get();
    let marker = chip.model.clone().unwrap_or_else(|| "by rule".to_owned());
    let origin = if chip.model.is_some() { "model" } else { "rule" };
    let undo = chip.commit.filter(|_| !chip.undone).map(|commit| {
        let records = StoredValue::new(chip.records.clone());
        view! {
            <button
                type="button"
                class="button button--quiet button--small"
                data-testid="remembered-undo"
                aria-label=format!("Undo: {}", chip.text)
                on:click=move |_| actions::facts::undo(app, commit, Some(records.get_value()))
            >
                <Icon glyph=Glyph::Undo />
                "Undo"
            </button>
        }
    });
    let text = if chip.undone {
        view! { <s>{chip.text.clone()}</s> }.into_any()
    } else {
        chip.text.clone().into_any()
    };
    view! {
        <li
            class="note"
            class:note--undone=chip.undone
            data-testid="remembered"
            data-proposition=chip.proposition.to_string()
            data-origin=origin
            data-undone=chip.undone.then_some("true")
            title=chip.why.clone()
        >
            <a class="note__text" data-testid="remembered-open" href=Page::Proposition(chip.proposition).href()>{text}</a>
            <p class="note__meta">
                <Confidence effective=chip.confidence stated=chip.confidence />
                <span>{if chip.undone { "undone" } else { kind_words(chip.kind) }}</span>
                <span class="tag">{marker}</span>
                {undo}
            </p>
        </li>
    }
}

#[component]
fn StruckNote(struck: Struck) -> impl IntoView {
    let live = struck.status.is_live();
    let text = struck.text.clone();
    view! {
        <li
            class="note note--struck"
            data-testid="struck"
            data-proposition=struck.proposition.to_string()
            data-status=struck.status.as_str().to_lowercase()
        >
            <a class="note__text" href=Page::Proposition(struck.proposition).href()>
                {if live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}
            </a>
            <p class="note__meta">
                <span class="tag" class:tag--struck=!live>{status_label(struck.status)}</span>
                <span>{if live { "in force again" } else { "kept, no longer recalled" }}</span>
            </p>
        </li>
    }
}

/// What was left aside.
#[component]
fn Left(dropped: Vec<Dropped>) -> impl IntoView {
    view! {
        <details class="left">
            <summary class="left__head">{format::count(dropped.len(), "part not kept", "parts not kept")} ": why"</summary>
            <ul class="left__list">
                {dropped
                    .into_iter()
                    .map(|dropped| view! {
                        <li>
                            {(!dropped.text.is_empty()).then(|| view! { <q class="left__text">{dropped.text.clone()}</q> })}
                            <span class="left__why">
                                {dropped.reason.explain()}
                                {(!dropped.detail.is_empty()).then(|| format!(" ({})", dropped.detail))}
                            </span>
                        </li>
                    })
                    .collect_view()}
            </ul>
        </details>
    }
}
