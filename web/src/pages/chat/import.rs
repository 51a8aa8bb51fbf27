//! Importing a conversation: choose or paste, look, say who you are in it, watch, read what came of it.

use credence::import::{self, ImportError, ImportedConversation};
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement};

use crate::actions::import::{Outcome, Progress, start};
use crate::browser;
use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::route::Page;
use crate::state::{App, ToastKind};

/// What a pasted text is called.
const PASTED: &str = "pasted text";

/// Turns that the preview shows.
const PREVIEWED: usize = 6;

/// Texts longer than this are not shown in the field, which would become slow; they are read all the same.
const FIELD_CHARS: usize = 200_000;

/// The dialog, open as long as it exists.
#[component]
pub(crate) fn ImportDialog() -> impl IntoView {
    let app = App::get();
    let source = RwSignal::new((PASTED.to_owned(), String::new()));
    let user = RwSignal::new(String::new());
    let progress = RwSignal::new(Progress::None);
    let cancelling = RwSignal::new(false);
    let cancel = StoredValue::new_local(Cancel::new());
    let parsed = Memo::new(move |_| {
        let now = app.memory().map(|memory| memory.now()).unwrap_or_default();
        source.with(|(name, text)| (!text.trim().is_empty()).then(|| import::parse(name, text, now)))
    });
    // The usual names of the person are proposed; who it is stays their choice.
    Effect::new(move || {
        parsed.with(|parsed| {
            let Some(Ok(conversation)) = parsed else { return };
            let likely = conversation
                .speakers
                .iter()
                .find(|s| ["user", "me", "you", "human"].contains(&s.to_lowercase().as_str()));
            user.set(likely.cloned().unwrap_or_default());
        });
    });
    let state = Memo::new(move |_| match progress.get() {
        Progress::Running(..) => "running",
        Progress::Ended(outcome) => outcome.state,
        Progress::None if parsed.with(|p| matches!(p, Some(Ok(_)))) => "preview",
        Progress::None => "edit",
    });
    let choosing = move || matches!(state.get(), "edit" | "preview");
    let begin = move |_| {
        if let Some(Ok(conversation)) = parsed.get_untracked() {
            let chosen = Some(user.get_untracked()).filter(|name| !name.is_empty());
            start(app, conversation, chosen, cancel.get_value(), progress);
        }
    };
    let take = move |file: File| {
        spawn_local(async move {
            match browser::read(&file).await {
                Some(text) => source.set((file.name(), text)),
                None => app.toast(ToastKind::Error, format!("{} could not be read", file.name())),
            }
        });
    };
    view! {
        <Dialog
            title="Import a conversation"
            testid="import-dialog"
            state=state
            closable=Signal::derive(move || state.get() != "running")
            close_testid="import-close"
            wide=true
            on_close=Callback::new(move |()| app.importing.set(false))
        >
            <Show when=choosing>
                <Chooser source take=UnsyncCallback::new(take) />
                {move || parsed.get().map(|parsed| match parsed {
                    Ok(conversation) => view! { <Preview conversation user /> }.into_any(),
                    Err(error) => view! { <Problem error /> }.into_any(),
                })}
                <footer class="dialog__foot">
                    <button
                        type="button"
                        class="button button--primary"
                        data-testid="import-start"
                        disabled=move || state.get() != "preview"
                        on:click=begin
                    >
                        "Import"
                    </button>
                </footer>
            </Show>
            {move || match progress.get() {
                Progress::None => ().into_any(),
                Progress::Running(done, total) => view! {
                    <div class="import__run">
                        <label class="field__label" for="import-bar">
                            {format!("Reading turn {done} of {total}")}
                        </label>
                        <progress
                            id="import-bar"
                            class="progress"
                            data-testid="import-progress"
                            data-done=done.to_string()
                            data-total=total.to_string()
                            max=total.to_string()
                            value=done.to_string()
                        ></progress>
                        <p class="field__hint">"The turns are stored already. Cancelling keeps what has been read so far."</p>
                        <footer class="dialog__foot">
                            <button
                                type="button"
                                class="button"
                                data-testid="import-cancel"
                                disabled=move || cancelling.get()
                                on:click=move |_| {
                                    cancelling.set(true);
                                    cancel.get_value().cancel();
                                }
                            >
                                {move || if cancelling.get() { "Cancelling\u{2026}" } else { "Cancel" }}
                            </button>
                        </footer>
                    </div>
                }
                    .into_any(),
                Progress::Ended(outcome) => view! { <ResultView outcome /> }.into_any(),
            }}
        </Dialog>
    }
}

/// Paste, drop or choose.
#[component]
fn Chooser(source: RwSignal<(String, String)>, take: UnsyncCallback<File>) -> impl IntoView {
    let over = RwSignal::new(false);
    let shown = move || {
        source.with(|(name, text)| {
            if text.len() > FIELD_CHARS {
                format!("{name}: {} characters", format::grouped(text.len()))
            } else {
                text.clone()
            }
        })
    };
    let is_long = move || source.with(|(_, text)| text.len() > FIELD_CHARS);
    let chosen = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) {
            take.run(file);
        }
    };
    let dropped = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        if let Some(file) = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0))
        {
            take.run(file);
        }
    };
    view! {
        <div
            class="drop"
            class:drop--over=move || over.get()
            on:dragover=move |event| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=dropped
        >
            <label class="field__label" for="import-file">"Choose a file, or drop one here"</label>
            <input id="import-file" class="field__file" type="file" accept=".txt,.md,.log,.json,text/plain,application/json" data-testid="import-file" on:change=chosen />
            <label class="field__label" for="import-text">"or paste the conversation"</label>
            <textarea
                id="import-text"
                class="field__input field__input--area"
                data-testid="import-text"
                rows="7"
                spellcheck="false"
                placeholder="Anna: I moved to Lisbon in May.\nBen: How is the new job?"
                readonly=is_long
                prop:value=shown
                on:input=move |event| source.set((PASTED.to_owned(), event_target_value(&event)))
            ></textarea>
            <p class="field__hint">"Lines that begin with a name and a colon, or JSON messages with role and content."</p>
            <Show when=move || source.with(|(_, text)| !text.is_empty())>
                <button type="button" class="button button--quiet button--small" on:click=move |_| source.set((PASTED.to_owned(), String::new()))>
                    "Clear"
                </button>
            </Show>
        </div>
    }
}

#[component]
fn Preview(conversation: ImportedConversation, user: RwSignal<String>) -> impl IntoView {
    let turns = conversation.turns.len();
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
        </section>
    }
}

#[component]
fn NoteList(notes: Vec<String>) -> impl IntoView {
    (!notes.is_empty()).then(|| {
        view! { <ul class="preview__notes">{notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul> }
    })
}

#[component]
fn Problem(error: ImportError) -> impl IntoView {
    let line = error.place.strip_prefix("line ").map(str::to_owned).unwrap_or_default();
    view! {
        <p class="problem" role="alert" data-testid="import-error" data-line=line>
            <Icon glyph=Glyph::Alert />
            <span><strong>{error.place}</strong>": "{error.reason}</span>
        </p>
    }
}

#[component]
fn ResultView(outcome: Outcome) -> impl IntoView {
    let app = App::get();
    let title = match outcome.state {
        "done" => "Imported",
        "cancelled" => "Cancelled; what had been read is kept",
        _ => "The import did not finish",
    };
    let dropped: usize = outcome.dropped.values().sum();
    view! {
        <section
            class="result"
            role="status"
            data-testid="import-result"
            data-turns=outcome.turns.to_string()
            data-propositions=outcome.propositions.to_string()
        >
            <h3 class="result__title">{title}</h3>
            {(!outcome.words.is_empty()).then(|| view! { <p class="problem"><Icon glyph=Glyph::Alert /><span>{outcome.words.clone()}</span></p> })}
            <dl class="figures">
                <div class="figures__item"><dt>"turns stored"</dt><dd>{format::grouped(outcome.turns)}</dd></div>
                <div class="figures__item"><dt>"turns read"</dt><dd>{format::grouped(outcome.analysed as usize)}</dd></div>
                <div class="figures__item"><dt>"new statements"</dt><dd>{format::grouped(outcome.propositions)}</dd></div>
                <div class="figures__item"><dt>"joined known ones"</dt><dd>{format::grouped(outcome.joined)}</dd></div>
                <div class="figures__item"><dt>"not kept"</dt><dd>{format::grouped(dropped)}</dd></div>
            </dl>
            {(dropped > 0).then(|| view! {
                <h4 class="result__why">"Not kept, and why"</h4>
                <ul class="result__dropped">
                    {outcome
                        .dropped
                        .iter()
                        .map(|(reason, count)| {
                            let word = serde_json::to_value(reason).ok().and_then(|word| word.as_str().map(str::to_owned));
                            view! {
                                <li data-testid="import-dropped" data-reason=word data-count=count.to_string()>
                                    <span class="result__count">{format::grouped(*count)}</span>
                                    {reason.explain()}
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            })}
            <NoteList notes=outcome.notes.clone() />
            <footer class="dialog__foot">
                {outcome.conversation.map(|id| view! {
                    <button
                        type="button"
                        class="button"
                        on:click=move |_| {
                            app.importing.set(false);
                            Page::Chat(Some(id), None).open();
                        }
                    >
                        "Open the conversation"
                    </button>
                })}
                <button
                    type="button"
                    class="button button--primary"
                    on:click=move |_| {
                        app.importing.set(false);
                        Page::Memory.open();
                    }
                >
                    "See what is remembered"
                </button>
            </footer>
        </section>
    }
}
