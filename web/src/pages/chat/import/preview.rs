//! What a text will become: the turns or the words, who is you, and what reading it will cost.

use credence::import::{ImportError, ImportedConversation};
use credence::ingest::{DocumentOptions, Estimate, Range};
use leptos::prelude::*;

use super::Kind;
use crate::actions::import::Material;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::state::App;

/// Turns that the preview shows.
const PREVIEWED: usize = 6;

/// A conversation as it will be stored, and who in it is the person.
#[component]
pub(super) fn Preview(conversation: ImportedConversation, user: RwSignal<String>) -> impl IntoView {
    let turns = conversation.turns.len();
    let whole = StoredValue::new(conversation.clone());
    view! {
        <section class="preview" data-testid="import-preview" data-turns=turns.to_string() aria-label="Preview">
            <p class="preview__title">
                <strong>{conversation.title.clone()}</strong>
                {format!(
                    ": {}, {}",
                    format::count(turns, "turn", "turns"),
                    format::count(conversation.speakers.len(), "speaker", "speakers"),
                )}
            </p>
            <label class="field">
                <span class="field__label">"Which of them is you?"</span>
                <select
                    class="field__input"
                    data-testid="import-self"
                    prop:value=user
                    on:change=move |event| user.set(event_target_value(&event))
                >
                    <option value="">"None of them"</option>
                    {conversation.speakers.iter().map(|name| view! { <option value=name.clone()>{name.clone()}</option> }).collect_view()}
                </select>
            </label>
            <ol class="preview__turns">
                {conversation
                    .turns
                    .iter()
                    .take(PREVIEWED)
                    .map(|turn| view! {
                        <li>
                            <span class="preview__who">{turn.speaker.clone()}</span>
                            {turn.at.map(|at| view! { <time class="preview__when">{format::day(at)}</time> })}
                            <span class="preview__text">{turn.text.clone()}</span>
                        </li>
                    })
                    .collect_view()}
            </ol>
            {(turns > PREVIEWED).then(|| view! { <p class="field__hint">{format!("and {} more", format::grouped(turns - PREVIEWED))}</p> })}
            <NoteList notes=conversation.notes.clone() />
            <Cost material=Signal::derive(move || {
                Material::Conversation(whole.get_value(), Some(user.get()).filter(|name| !name.is_empty()))
            }) />
        </section>
    }
}

/// A document as it will be read.
#[component]
pub(super) fn DocumentPreview(name: String, text: String) -> impl IntoView {
    let words = text.split_whitespace().count();
    let start = credence::text::excerpt(&text, 600);
    let material = StoredValue::new(Material::Document(name.clone(), text));
    view! {
        <section class="preview" data-testid="import-document" data-words=words.to_string() aria-label="Preview">
            <p class="preview__title"><strong>{name}</strong>{format!(": {}", format::count(words, "word", "words"))}</p>
            <p class="preview__text preview__start">{start}</p>
            <Cost material=Signal::derive(move || material.get_value()) />
        </section>
    }
}

/// What reading it will cost, before anything is paid.
#[component]
fn Cost(#[prop(into)] material: Signal<Material>) -> impl IntoView {
    let app = App::get();
    let estimate = Memo::new(move |_| {
        app.model.track();
        let memory = app.memory()?;
        material
            .with(|material| {
                Some(match material {
                    Material::Conversation(conversation, user) => {
                        memory.estimate_import(conversation, user.as_deref())
                    }
                    Material::Document(name, text) => {
                        memory.estimate_document(name, text, &DocumentOptions::default())
                    }
                    Material::Other(..) => return None,
                })
            })?
            .ok()
    });
    move || {
        estimate.get().map(|estimate| {
            view! {
                <p
                    class="field__hint"
                    data-testid="import-estimate"
                    data-windows=estimate.windows.to_string()
                    data-calls=estimate.calls.max.to_string()
                    data-known=estimate.already_done.to_string()
                >
                    {cost_words(&estimate)}
                </p>
            }
        })
    }
}

fn cost_words(estimate: &Estimate) -> String {
    let number = |n: u64| format::grouped(usize::try_from(n).unwrap_or(usize::MAX));
    let range = |r: Range| {
        if r.min == r.max { number(r.max) } else { format!("{} to {}", number(r.min), number(r.max)) }
    };
    let known = match estimate.already_done {
        0 => String::new(),
        some => format!(
            " {} known already and cost nothing.",
            format::count(some as usize, "part is", "parts are")
        ),
    };
    if estimate.windows == 0 {
        return format!("Nothing is left to read.{known}");
    }
    if estimate.calls.max == 0 {
        return format!("Read by the built-in rules: no model is asked, nothing is paid.{known}");
    }
    let tokens = Range {
        min: estimate.prompt_tokens.min + estimate.completion_tokens.min,
        max: estimate.prompt_tokens.max + estimate.completion_tokens.max,
    };
    let money = match &estimate.money {
        Some(money) => format!(", {:.2} to {:.2} {}", money.min, money.max, money.currency),
        None => String::new(),
    };
    format!("About {} model calls and {} tokens{money}.{known}", range(estimate.calls), range(tokens))
}

/// What the file left out.
#[component]
pub(super) fn NoteList(notes: Vec<String>) -> impl IntoView {
    (!notes.is_empty()).then(|| {
        view! { <ul class="preview__notes">{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul> }
    })
}

/// Why the text cannot be read as a conversation, and what else it may be.
#[component]
pub(super) fn Problem(error: ImportError, kind: RwSignal<Kind>) -> impl IntoView {
    let line = error.place.strip_prefix("line ").map(str::to_owned).unwrap_or_default();
    view! {
        <p class="problem" role="alert" data-testid="import-error" data-line=line>
            <Icon glyph=Glyph::Alert />
            <span><strong>{error.place}</strong>": "{error.reason}</span>
        </p>
        <p class="field__hint">
            "If nobody is talking in it, "
            <button type="button" class="button button--small" data-testid="import-try-document" on:click=move |_| kind.set(Kind::Document)>
                "read it as a document"
            </button>
        </p>
    }
}
