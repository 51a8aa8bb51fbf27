//! What another program kept: what it will become, what is left out, and whose memory it is.

use credence::import::{Format, Preview, Skipped};
use leptos::prelude::*;

use super::preview::NoteList;
use crate::format;

/// Rows that the preview shows.
const PREVIEWED: usize = 6;

/// What the file will become.
#[component]
pub(super) fn OtherPreview(preview: Preview, user: RwSignal<String>) -> impl IntoView {
    let turns = preview.turns();
    let parts = [
        (preview.conversations.len(), "conversation", "conversations"),
        (turns, "turn", "turns"),
        (preview.documents.len(), "document", "documents"),
        (preview.statements.len(), "statement", "statements"),
    ];
    let holds: Vec<String> = parts
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format::count(n, one, many))
        .collect();
    let is_somebodys = !matches!(preview.format, Format::Lorebook | Format::CharacterCard);
    let people = if is_somebodys { preview.people.clone() } else { Vec::new() };
    let titles: Vec<String> = preview.conversations.iter().take(PREVIEWED).map(|c| c.title.clone()).collect();
    let statements: Vec<(String, String)> = preview
        .statements
        .iter()
        .take(PREVIEWED)
        .map(|statement| (statement.topic.clone(), statement.text.clone()))
        .collect();
    let more = preview.statements.len().saturating_sub(PREVIEWED);
    let left_out: Vec<String> = preview.skipped.iter().map(words_for).collect();
    view! {
        <section
            class="preview"
            data-testid="import-other"
            data-format=preview.format.as_str()
            data-turns=turns.to_string()
            data-statements=preview.statements.len().to_string()
            aria-label="Preview"
        >
            <p class="preview__title">
                <strong>{preview.source.clone()}</strong>
                {format!(": {}, with {}", preview.format.label(), holds.join(", "))}
            </p>
            {(!people.is_empty()).then(|| view! {
                <label class="field">
                    <span class="field__label">"Which of them is you?"</span>
                    <select class="field__input" data-testid="import-self" prop:value=user on:change=move |event| user.set(event_target_value(&event))>
                        <option value="">"As the file says"</option>
                        {people.into_iter().map(|name| view! { <option value=name.clone()>{name.clone()}</option> }).collect_view()}
                    </select>
                </label>
            })}
            {(!titles.is_empty()).then(|| view! {
                <ul class="preview__turns">{titles.into_iter().map(|title| view! { <li>{title}</li> }).collect_view()}</ul>
            })}
            {(!statements.is_empty()).then(|| view! {
                <ul class="preview__turns">
                    {statements.into_iter().map(|(topic, text)| view! {
                        <li>
                            {(!topic.is_empty()).then(|| view! { <span class="preview__who">{topic}": "</span> })}
                            <span class="preview__text">{text}</span>
                        </li>
                    }).collect_view()}
                </ul>
            })}
            {(more > 0).then(|| view! { <p class="field__hint">{format!("and {} more", format::grouped(more))}</p> })}
            <NoteList notes=preview.notes.clone() />
            {(!left_out.is_empty()).then(|| view! {
                <p class="field__label">"Left out"</p>
                <NoteList notes=left_out />
            })}
            <p class="field__hint">"Statements are kept as they are, each through the same checks as any other; conversations and documents are read afterwards. What is here already is not taken in again."</p>
        </section>
    }
}

fn words_for(skipped: &Skipped) -> String {
    format!("{}: {} ({})", skipped.place, skipped.reason, skipped.count)
}
