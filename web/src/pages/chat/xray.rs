//! The prompt X-ray: exactly what the model was told before an answer, or would be told for a draft, what it cost, and what was left
//! out and why.

use std::collections::BTreeMap;

use credence::agent::Execution;
use credence::assembly::{Assembled, LeftOut, PromptTokens, SectionKind, TokenCount, Xray};
use credence::history::{Record, RecordId, UseItem};
use credence::id::{ConversationId, PropositionId, RevisionId, UseId};
use credence::llm::{Author, Message};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::executed::Executed;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::unit::AuthorityBadge;
use crate::route::Page;
use crate::state::{App, AppMemory};
use crate::{actions, format};

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The prompt of an answer.
    Answer(UseId),
    /// The prompt that a draft would have.
    Draft(ConversationId, String),
}

/// One statement of the prompt.
#[derive(Debug, Clone, PartialEq)]
struct Given {
    item: UseItem,
    text: String,
}

/// One that stayed out.
#[derive(Debug, Clone, PartialEq)]
struct Withheld {
    left: LeftOut,
    text: String,
}

/// What the dialog shows.
#[derive(Debug, Clone, PartialEq)]
struct Picture {
    messages: Vec<Message>,
    mode: &'static str,
    tokens: PromptTokens,
    /// As the server counted.
    counted: Option<u32>,
    /// How far the messages are to be trusted, where that is not plain.
    caveat: Option<&'static str>,
    given: Vec<Given>,
    withheld: Vec<Withheld>,
    notes: Vec<String>,
    /// How the answer was made; `None`: it was not, or not by a model.
    execution: Option<Execution>,
}

fn text_of(memory: &AppMemory, id: PropositionId, revision: RevisionId) -> String {
    let log = memory.log();
    let step = log.history(RecordId::Proposition(id)).find(|step| step.revision.id == revision);
    match step.as_ref().and_then(|step| step.revision.value.as_ref()) {
        Some(Record::Proposition(value)) => value.text.clone(),
        _ => "a statement that is no longer stored".to_owned(),
    }
}

fn withheld(memory: &AppMemory, left: &[LeftOut]) -> Vec<Withheld> {
    let row = |left: &LeftOut| Withheld {
        left: left.clone(),
        text: text_of(memory, left.proposition, left.revision),
    };
    left.iter().map(row).collect()
}

fn of_answer(memory: &AppMemory, xray: Xray) -> Picture {
    let given =
        |item: &UseItem| Given { item: item.clone(), text: text_of(memory, item.proposition, item.revision) };
    let caveat = match (xray.was_sent, xray.is_exact) {
        (false, _) => Some(
            "The built-in engine answered: it reads the facts themselves. A model would have been sent this.",
        ),
        (true, false) => Some("A text of it was purged since; the rest is as it was sent."),
        (true, true) => None,
    };
    let (mode, tokens) = match xray.record.assembly.as_ref() {
        Some(trace) => (trace.mode.as_str(), trace.tokens.clone()),
        None => ("", PromptTokens::default()),
    };
    Picture {
        given: xray.record.items.iter().map(given).collect(),
        withheld: withheld(memory, &xray.record.withheld),
        messages: xray.messages,
        mode,
        tokens,
        counted: xray.counted,
        caveat,
        notes: Vec::new(),
        execution: xray.record.execution.clone(),
    }
}

fn of_draft(memory: &AppMemory, assembled: Assembled) -> Picture {
    let given = assembled.items.iter().map(|item| Given {
        item: UseItem {
            rank: item.rank,
            proposition: item.proposition,
            revision: item.revision,
            score: item.score,
            why: item.why.clone(),
            unit: item.unit,
            always: item.always,
        },
        text: item.text.clone(),
    });
    Picture {
        given: given.collect(),
        withheld: withheld(memory, &assembled.left_out),
        messages: assembled.messages,
        mode: assembled.mode.as_str(),
        tokens: assembled.tokens,
        counted: None,
        caveat: Some("Nothing was sent: this is what would be sent for what you are writing."),
        notes: assembled.notes,
        execution: None,
    }
}

/// The dialog, open while there is a subject.
#[component]
pub(crate) fn XrayDialog() -> impl IntoView {
    let app = App::get();
    move || app.xray.get().map(|subject| view! { <Open subject /> })
}

#[component]
fn Open(subject: Subject) -> impl IntoView {
    let app = App::get();
    let picture = RwSignal::new(None::<Picture>);
    let title = match &subject {
        Subject::Answer(_) => "What the model was told",
        Subject::Draft(..) => "What the model would be told",
    };
    let close = Callback::new(move |()| app.xray.set(None));
    if let Some(memory) = app.memory() {
        spawn_local(async move {
            let read = match subject {
                Subject::Answer(id) => {
                    memory.xray(id).await.map(|xray| xray.map(|xray| of_answer(&memory, xray)))
                }
                Subject::Draft(conversation, draft) => memory
                    .preview(conversation, &draft)
                    .await
                    .map(|assembled| Some(of_draft(&memory, assembled))),
            };
            match read {
                // The dialog may have been closed meanwhile.
                Ok(read) => drop(picture.try_set(read)),
                Err(error) => {
                    app.fail("The prompt cannot be shown", &error);
                    app.xray.set(None);
                }
            }
        });
    }
    view! {
        <Dialog title=title testid="xray" closable=true close_testid="xray-close" wide=true on_close=close>
            {move || match picture.get() {
                None => view! { <p class="card__none" role="status">"Putting it together\u{2026}"</p> }.into_any(),
                Some(picture) => view! { <Shown picture /> }.into_any(),
            }}
        </Dialog>
    }
}

#[component]
fn Shown(picture: Picture) -> impl IntoView {
    let app = App::get();
    let whole = StoredValue::new(
        picture
            .messages
            .iter()
            .map(|m| format!("[{}]\n{}", role_of(m.author), m.text))
            .collect::<Vec<_>>()
            .join("\n\n"),
    );
    let Picture { messages, mode, tokens, counted, caveat, given, withheld, notes, execution } = picture;
    view! {
        {caveat.map(|words| view! { <p class="xray__caveat" data-testid="xray-caveat">{words}</p> })}
        {notes.into_iter().map(|note| view! { <p class="xray__caveat">{format::sentence(&note)}</p> }).collect_view()}
        <Cost mode tokens counted />
        {execution.map(|execution| view! { <Executed execution /> })}
        <section aria-labelledby="xray-messages">
            <header class="xray__head">
                <h3 class="xray__title" id="xray-messages">{format!("The prompt, byte for byte ({})", format::count(messages.len(), "message", "messages"))}</h3>
                <button type="button" class="button button--small" data-testid="xray-copy" on:click=move |_| actions::chat::copy(app, whole.get_value())>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
            </header>
            {messages
                .into_iter()
                .enumerate()
                .map(|(n, message)| view! {
                    <details class="xray__message" open={n == 0}>
                        <summary>{role_of(message.author)}</summary>
                        <pre class="xray__text" data-testid="xray-message" data-role=role_of(message.author) tabindex="0">{message.text}</pre>
                    </details>
                })
                .collect_view()}
        </section>
        <Facts given />
        <Out withheld />
    }
}

fn role_of(author: Author) -> &'static str {
    match author {
        Author::System => "system",
        Author::User => "user",
        Author::Assistant => "assistant",
    }
}

fn section_label(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Instructions => "instructions",
        SectionKind::Memory => "memory",
        SectionKind::Summary => "summary",
        SectionKind::History => "conversation",
    }
}

/// What it costs: a bar of the parts.
#[component]
fn Cost(mode: &'static str, tokens: PromptTokens, counted: Option<u32>) -> impl IntoView {
    let total: u32 = tokens.sections.iter().map(|section| section.tokens.likely).sum();
    let mut from = 0.0;
    let parts = tokens
        .sections
        .iter()
        .enumerate()
        .map(|(n, section)| {
            let width = f64::from(section.tokens.likely) / f64::from(total.max(1)) * 100.0;
            let x = from;
            from += width;
            view! { <rect class=format!("trust__part trust__part--{n}") x=format!("{x:.2}") y="0" width=format!("{width:.2}") height="8" /> }
        })
        .collect_view();
    let keys = tokens
        .sections
        .iter()
        .enumerate()
        .map(|(n, section)| view! {
            <li><span class=format!("trust__key trust__key--{n}") aria-hidden="true"></span>{format!("{} {}", section_label(section.kind), short(section.tokens))}</li>
        })
        .collect_view();
    view! {
        <section class="xray__cost" aria-label="What it costs">
            <p data-testid="xray-tokens" data-likely=tokens.prompt.likely.to_string() data-exact=tokens.prompt.is_exact().to_string()>
                <strong>{format!("{} tokens", tokens.prompt)}</strong>
                {counted.map(|count| format!("; the server counted {}", format::grouped(count as usize)))}
                {(!mode.is_empty()).then(|| format!(" \u{b7} facts chosen {mode}"))}
                {(tokens.budget > 0).then(|| format!(" \u{b7} block {} of at most {}", short(tokens.block), tokens.budget))}
                {tokens.exceeded.then(|| view! { <span class="tag tag--struck">"cut to the budget"</span> })}
            </p>
            <svg class="trust__bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect class="trust__track" x="0" y="0" width="100" height="8" />
                {parts}
            </svg>
            <ul class="xray__keys">{keys}</ul>
        </section>
    }
}

fn short(count: TokenCount) -> String {
    if count.is_exact() { count.likely.to_string() } else { format!("\u{2248} {}", count.likely) }
}

/// The statements in it.
#[component]
fn Facts(given: Vec<Given>) -> impl IntoView {
    view! {
        <section aria-labelledby="xray-facts">
            <h3 class="xray__title" id="xray-facts">{format!("In it: {}", format::count(given.len(), "statement", "statements"))}</h3>
            <ul class="xray__list">
                {given
                    .into_iter()
                    .map(|given| view! {
                        <li class="xray__row" data-testid="xray-fact" data-proposition=given.item.proposition.to_string()>
                            <a class="then__text" href=Page::Proposition(given.item.proposition).href()>{given.text}</a>
                            <span class="xray__why">
                                {given.item.unit.map(|unit| view! { <AuthorityBadge authority=unit.authority /> })}
                                {given.item.always.map(|always| view! { <span class="tag tag--pin">{always.in_words()}</span> })}
                                {given.item.why}
                            </span>
                        </li>
                    })
                    .collect_view()}
            </ul>
        </section>
    }
}

/// What stayed out, by reason.
#[component]
fn Out(withheld: Vec<Withheld>) -> impl IntoView {
    let mut groups: BTreeMap<&'static str, Vec<Withheld>> = BTreeMap::new();
    let count = withheld.len();
    for row in withheld {
        groups.entry(row.left.reason.in_words()).or_default().push(row);
    }
    view! {
        <section aria-labelledby="xray-out" data-testid="xray-out" data-count=count.to_string()>
            <h3 class="xray__title" id="xray-out">{format!("Left out: {}", format::count(count, "statement", "statements"))}</h3>
            {groups
                .into_iter()
                .map(|(reason, rows)| view! {
                    <details class="xray__message">
                        <summary>{format!("{reason} ({})", rows.len())}</summary>
                        <ul class="xray__list">
                            {rows
                                .into_iter()
                                .map(|row| view! {
                                    <li class="xray__row" data-testid="xray-left" data-proposition=row.left.proposition.to_string()>
                                        <a class="then__text" href=Page::Proposition(row.left.proposition).href()>{row.text}</a>
                                        <span class="xray__why">
                                            {row.left.is_unit.then(|| view! { <span class="tag">"unit"</span> })}
                                            {row.left.score.map(|score| format!("scored {score:.2}"))}
                                        </span>
                                    </li>
                                })
                                .collect_view()}
                        </ul>
                    </details>
                })
                .collect_view()}
        </section>
    }
}
