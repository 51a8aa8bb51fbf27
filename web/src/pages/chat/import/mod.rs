//! Importing what was said or kept elsewhere: choose or paste, look, say what it is and who you are in it, see what it will cost, watch, read
//! what came of it. What a file is is told by its content: conversations and documents, memories and chats of other programs, lists, cards.

mod other;
mod outcome;
mod preview;

use std::sync::Arc;

use credence::import::{self, Format, ImportedConversation, Preview as Other};
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::actions::import::{Material, Progress, start};
use crate::browser;
use crate::components::dialog::Dialog;
use crate::components::drop::DropField;
use crate::format;
use crate::state::{App, ToastKind};
use other::OtherPreview;
use outcome::ResultView;
use preview::{DocumentPreview, Preview, Problem};

/// What a pasted text is called.
const PASTED: &str = "pasted text";

/// Texts longer than this are not shown in the field, which would become slow; they are read all the same.
const FIELD_CHARS: usize = 200_000;

/// The dialog, open as long as it exists.
#[component]
pub(crate) fn ImportDialog() -> impl IntoView {
    let app = App::get();
    let source = RwSignal::new((PASTED.to_owned(), Bytes::default()));
    let user = RwSignal::new(String::new());
    let progress = RwSignal::new(Progress::None);
    let cancelling = RwSignal::new(false);
    let cancel = StoredValue::new_local(Cancel::new());
    let kind = RwSignal::new(Kind::Told);
    let parsed = Memo::new(move |_| {
        let now = app.memory().map(|memory| memory.now()).unwrap_or_default();
        let kind = kind.get();
        source.with(|(name, bytes)| {
            let is_blank = bytes.iter().all(u8::is_ascii_whitespace);
            (!is_blank).then(|| match kind {
                Kind::Document => Ok(Read::Document(name.clone(), text_of(bytes))),
                Kind::Conversation => import::parse(name, &text_of(bytes), now).map(Read::Conversation),
                Kind::Told => import::inspect(name, bytes, now).map(Read::of),
            })
        })
    });
    // The usual names of the person are proposed; who it is stays their choice.
    Effect::new(move || {
        parsed.with(|parsed| {
            let people = match parsed {
                Some(Ok(Read::Conversation(conversation))) => &conversation.speakers,
                Some(Ok(Read::Other(preview))) => &preview.people,
                _ => return,
            };
            let likely =
                people.iter().find(|s| ["user", "me", "you", "human"].contains(&s.to_lowercase().as_str()));
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
        let material = match parsed.get_untracked() {
            Some(Ok(Read::Conversation(conversation))) => Material::Conversation(
                conversation,
                Some(user.get_untracked()).filter(|name| !name.is_empty()),
            ),
            Some(Ok(Read::Document(name, text))) => Material::Document(name, text),
            Some(Ok(Read::Other(preview))) => {
                Material::Other(preview, Some(user.get_untracked()).filter(|name| !name.is_empty()))
            }
            _ => return,
        };
        start(app, material, cancel.get_value(), progress);
    };
    let take = move |file: File| {
        spawn_local(async move {
            match browser::bytes(&file).await {
                Some(bytes) => source.set((file.name(), Arc::new(bytes))),
                None => app.toast(ToastKind::Error, format!("{} could not be read", file.name())),
            }
        });
    };
    view! {
        <Dialog
            title="Import"
            testid="import-dialog"
            state=state
            closable=Signal::derive(move || state.get() != "running")
            close_testid="import-close"
            wide=true
            on_close=Callback::new(move |()| app.importing.set(false))
        >
            <Show when=choosing>
                <Chooser source kind take=UnsyncCallback::new(take) />
                {move || parsed.get().map(|parsed| match parsed {
                    Ok(Read::Conversation(conversation)) => view! { <Preview conversation user /> }.into_any(),
                    Ok(Read::Document(name, text)) => view! { <DocumentPreview name text /> }.into_any(),
                    Ok(Read::Other(preview)) => view! { <OtherPreview preview user /> }.into_any(),
                    Err(error) => view! { <Problem error kind /> }.into_any(),
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
                            {if total == 0 { "Storing\u{2026}".to_owned() } else { format!("Reading part {done} of {total}") }}
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
                        <p class="field__hint">"Everything is stored already. Cancelling keeps what has been read so far; the rest can be read later, and nothing is read twice."</p>
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

/// What a text was read as.
#[derive(Debug, Clone, PartialEq)]
enum Read {
    Conversation(ImportedConversation),
    Document(String, String),
    /// Of another program, or several things at once.
    Other(Other),
}

impl Read {
    fn of(mut preview: Other) -> Self {
        match preview.format {
            Format::Conversation if preview.conversations.len() == 1 => {
                Self::Conversation(preview.conversations.remove(0))
            }
            Format::Document if preview.documents.len() == 1 => {
                let document = preview.documents.remove(0);
                Self::Document(document.name, document.text)
            }
            _ => Self::Other(preview),
        }
    }
}

/// What it is to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As its content tells.
    Told,
    Conversation,
    Document,
}

type Bytes = Arc<Vec<u8>>;

/// What is no text shows as it can.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Paste, drop or choose.
#[component]
fn Chooser(
    source: RwSignal<(String, Bytes)>,
    kind: RwSignal<Kind>,
    take: UnsyncCallback<File>,
) -> impl IntoView {
    let shown = move || {
        source.with(|(name, bytes)| match std::str::from_utf8(bytes) {
            Ok(text) if text.len() <= FIELD_CHARS => text.to_owned(),
            _ => format!("{name}: {} bytes", format::grouped(bytes.len())),
        })
    };
    let is_long =
        move || source.with(|(_, bytes)| bytes.len() > FIELD_CHARS || std::str::from_utf8(bytes).is_err());
    let choice = move |wanted: Kind, testid: &'static str, words: &'static str| {
        view! {
            <label class="choices__item">
                <input type="radio" name="import-kind" data-testid=testid prop:checked=move || kind.get() == wanted on:change=move |_| kind.set(wanted) />
                {words}
            </label>
        }
    };
    view! {
        <DropField
            name="import-file"
            label="Choose a file, or drop one here"
            accept=".txt,.md,.log,.json,.png,text/plain,application/json,image/png"
            take
        >
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
                on:input=move |event| source.set((PASTED.to_owned(), Arc::new(event_target_value(&event).into_bytes())))
            ></textarea>
            <div class="choices" role="radiogroup" aria-label="What is it?">
                {choice(Kind::Told, "import-as-told", "As it looks")}
                {choice(Kind::Conversation, "import-as-conversation", "A conversation")}
                {choice(Kind::Document, "import-as-document", "A document")}
            </div>
            <p class="field__hint">
                {move || match kind.get() {
                    Kind::Document => "Plain text or Markdown. What it says is kept as said by the document, not by you.",
                    Kind::Conversation => "Lines that begin with a name and a colon, or JSON messages with role and content.",
                    Kind::Told => "Conversations, documents and lists; exports of ChatGPT, Claude and mem0; lorebooks and character cards of SillyTavern.",
                }}
            </p>
            <Show when=move || source.with(|(_, bytes)| !bytes.is_empty())>
                <button type="button" class="button button--quiet button--small" on:click=move |_| source.set((PASTED.to_owned(), Bytes::default()))>
                    "Clear"
                </button>
            </Show>
        </DropField>
    }
}
