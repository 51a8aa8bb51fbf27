//! One message: what was said, how it ended, and what memory has to do with it.

use std::collections::BTreeMap;

use credence::conversation::TurnState;
use credence::enforcement::{Compliance, ComplianceOutcome};
use credence::id::TurnId;
use leptos::prelude::*;

use super::acts::{Editor, Message, More, Swipe};
use super::injected::Injected;
use super::notes::Notes;
use super::xray::Subject;
use crate::components::icon::{Glyph, Icon};
use crate::markdown::Markdown;
use crate::projection::{TurnNotes, TurnRow};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format, projection};

/// A message.
#[component]
pub(super) fn TurnView(
    row: TurnRow,
    notes: Memo<BTreeMap<TurnId, TurnNotes>>,
    target: Memo<Option<TurnId>>,
) -> impl IntoView {
    let app = App::get();
    let id = row.id;
    let role = if row.is_assistant { "assistant" } else { "user" };
    let state = match &row.state {
        TurnState::Complete => "done",
        TurnState::Stopped => "stopped",
        TurnState::Cut => "cut",
        TurnState::Failed { .. } => "failed",
    };
    let class = match (row.is_user, row.is_assistant) {
        (true, _) => "turn turn--user",
        (_, true) => "turn turn--assistant",
        _ => "turn turn--person",
    };
    let failure = match &row.state {
        TurnState::Failed { code, reason } => {
            Some((code.trim_start_matches("model-").to_owned(), reason.clone()))
        }
        _ => None,
    };
    let who = match (&row.model, row.is_built_in()) {
        (_, true) => "Credence, built-in engine".to_owned(),
        (Some(model), _) => format!("Credence, {model}"),
        _ => row.speaker.clone(),
    };
    let has_text = !row.text.trim().is_empty();
    let text = row.text.clone();
    let copied = StoredValue::new(row.text.clone());
    // A taken-back answer would be lost with nothing to put in its place while another one is on its way.
    let can_regenerate = row.is_assistant && row.is_last;
    let unanswered = row.is_user && row.is_last;
    let message =
        Message { turn: id, conversation: row.conversation, chosen: row.chosen, wordings: row.wordings };
    let editing = RwSignal::new(false);
    let is_idle = move || app.stream.with(Option::is_none);
    let of_turn = Memo::new(move |_| notes.with(|notes| notes.get(&id).cloned().unwrap_or_default()));
    view! {
        <article
            class=class
            class:turn--target=move || target.get() == Some(id)
            id=id.to_string()
            data-testid="message"
            data-role=role
            data-turn=id.to_string()
            data-state=state
        >
            <p class="turn__who">
                <span>{who}</span>
                <time class="turn__when">{format::moment(row.at)}</time>
                {(state == "stopped").then(|| view! { <span class="tag">"stopped"</span> })}
                {(state == "cut").then(|| view! {
                    <span class="tag" title="It ran into the most tokens that an answer may have, which Settings or the endpoint set">"cut at the limit of tokens"</span>
                })}
            </p>
            <div class="turn__text" class:markdown=row.is_assistant data-testid="message-text" hidden=move || editing.get()>
                {if row.is_assistant { view! { <Markdown text=Signal::stored(text) /> }.into_any() } else { text.into_any() }}
            </div>
            <Show when=move || editing.get()>
                <Editor message text=copied editing />
            </Show>
            {failure.map(|(kind, reason)| view! {
                <p class="turn__error" data-testid="message-error" data-kind=kind>
                    <Icon glyph=Glyph::Alert />
                    <span>{format::sentence(&reason)}". "<a href=Page::Settings.href()>"Open Settings"</a></span>
                </p>
            })}
            {row.compliance.clone().and_then(compliance)}
            {(!row.is_assistant).then(|| view! {
                <div class="turn__acts">
                    <Swipe message />
                    <Show when=is_idle><More message text=copied editing /></Show>
                </div>
            })}
            {row.is_assistant.then(|| view! {
                <div class="turn__acts">
                    <Swipe message />
                    {row.use_record.map(|record| view! { <Injected record /> })}
                    {row.use_record.map(|record| view! {
                        <button type="button" class="button button--quiet button--small" data-testid="message-xray" title="Exactly what the model was told" on:click=move |_| app.xray.set(Some(Subject::Answer(record)))>
                            <Icon glyph=Glyph::Xray />
                            "X-ray"
                        </button>
                    })}
                    {has_text.then(|| view! {
                        <button type="button" class="button button--quiet button--small" data-testid="message-copy" on:click=move |_| actions::chat::copy(app, copied.get_value())>
                            <Icon glyph=Glyph::Copy />
                            "Copy"
                        </button>
                    })}
                    <Show when=move || can_regenerate && app.stream.with(Option::is_none)>
                        <button
                            type="button"
                            class="button button--quiet button--small"
                            data-testid="chat-regenerate"
                            on:click=move |_| {
                                if let Page::Chat(Some(conversation), _) = app.page.get_untracked() {
                                    actions::chat::regenerate(app, conversation);
                                }
                            }
                        >
                            <Icon glyph=Glyph::Again />
                            "Answer again"
                        </button>
                    </Show>
                    <Show when=is_idle><More message text=copied editing /></Show>
                </div>
            })}
            // The page was closed before the answer came, or it could not be stored.
            <Show when=move || unanswered && app.stream.with(Option::is_none)>
                <button
                    type="button"
                    class="button button--quiet button--small"
                    data-testid="chat-answer"
                    on:click=move |_| {
                        if let Page::Chat(Some(conversation), _) = app.page.get_untracked() {
                            actions::chat::regenerate(app, conversation);
                        }
                    }
                >
                    <Icon glyph=Glyph::Again />
                    "Answer this"
                </button>
            </Show>
            <Notes notes=of_turn />
        </article>
    }
}

/// What came of checking an answer, where there is something to tell.
fn compliance(report: Compliance) -> Option<impl IntoView> {
    let outcome = match report.outcome {
        ComplianceOutcome::Compliant if report.attempts.len() > 1 => "mended",
        ComplianceOutcome::Compliant => return None,
        ComplianceOutcome::Unchecked => "unchecked",
        ComplianceOutcome::Violating => "violating",
        ComplianceOutcome::Withheld => "withheld",
    };
    let words = match outcome {
        "mended" => {
            format!("Asked {} times: an earlier draft contradicted the working set.", report.attempts.len())
        }
        "unchecked" => format!("Not checked: {}.", report.reason),
        "withheld" => format!("Withheld: {}.", report.reason),
        _ => format!("Kept with a warning: {}.", report.reason),
    };
    let violations: Vec<_> = report.attempts.into_iter().flat_map(|attempt| attempt.violations).collect();
    let list = (!violations.is_empty()).then(|| {
        let rows = violations.into_iter().map(|violation| view! {
            <li>
                <q>{violation.sentence}</q>
                " against "
                <a href=Page::Proposition(violation.unit).href()>{violation.fact}</a>
                {format!(" ({}, {} sure): {}", projection::authority_label(violation.authority).to_lowercase(), format::percent(violation.confidence), violation.reason)}
            </li>
        });
        view! { <ul class="compliance__list">{rows.collect_view()}</ul> }
    });
    Some(view! {
        <details class="compliance" class:compliance--bad=outcome == "violating" data-testid="compliance" data-outcome=outcome>
            <summary>{words}</summary>
            {list}
        </details>
    })
}
