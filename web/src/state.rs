//! The one place that owns the open memory and everything that the views watch.
//!
//! The memory is the truth; `facts`, `turns` and `analysis` are counters that its events raise, and views read rows anew
//! when a counter that they watch has moved. `App` is a handle: copying it shares everything.

use std::collections::BTreeSet;

use credence::enforcement::EnforcementPhase;
use credence::event::{Event, Subscription};
use credence::history::{JournalError, RecordKind};
use credence::id::{CommitId, ConversationId};
use credence::llm::Cancel;
use credence::memory::Memory;
use credence::upkeep::UpkeepSignal;
use leptos::prelude::*;

use crate::actions::backup::BranchPoint;
use crate::actions::elsewhere::Elsewhere;
use crate::actions::forget::Forgetting;
use crate::experiment::Experiments;
use crate::pages::chat::xray::Subject;
use crate::ports::{AppPorts, Connections};
use crate::preferences::{Preferences, Theme};
use crate::route::Page;
use crate::simulation::Simulation;
use crate::{actions, browser, format};

/// The memory over this app's ports.
pub(crate) type AppMemory = Memory<AppPorts>;

/// How far the app is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The store is being opened.
    Starting,
    /// The memory is open.
    Ready,
    /// It cannot be opened, and going on would hide data that is there.
    Refused {
        /// The banner's kind.
        kind: &'static str,
        /// What is wrong and what to do.
        words: String,
    },
}

/// Something about the store that a person has to know while the app goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alarm {
    /// The banner's kind.
    pub kind: &'static str,
    /// What is wrong and what to do.
    pub words: String,
}

/// Which model answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelState {
    /// None: the built-in engine.
    BuiltIn,
    /// One that is configured; its name.
    Ready(String),
    /// One that failed last time; its name and why.
    Failed(String, String),
}

/// The file with the meanings of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EmbeddingState {
    /// On its way; words alone are compared until then.
    Loading,
    /// Here.
    Ready,
    /// Not to be had; words alone are compared.
    Failed(String),
}

/// An answer on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stream {
    /// Where.
    pub conversation: ConversationId,
    /// What has come.
    pub text: String,
    /// What is being done beside streaming: a check, or another try.
    pub note: Option<String>,
    /// Whether it was stopped and the rest is being tidied up.
    pub stopping: bool,
}

/// How a notice looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToastKind {
    /// For information.
    Info,
    /// Something was done.
    Success,
    /// Something could not be done.
    Error,
}

/// Most notices at once.
const MOST_TOASTS: usize = 3;

/// A notice that goes away.
#[derive(Clone)]
pub(crate) struct Toast {
    /// Distinguishes notices.
    pub id: u64,
    /// How it looks.
    pub kind: ToastKind,
    /// What it says.
    pub text: String,
    /// What may be done about it: the button's words and what it does.
    pub action: Option<(String, Callback<()>)>,
}

/// A question that has to be answered before something irreversible is done.
#[derive(Clone)]
pub(crate) struct Question {
    /// What is asked.
    pub title: String,
    /// What would happen, in plain words.
    pub body: String,
    /// The button that does it.
    pub yes: String,
    /// A word that has to be typed first.
    pub word: Option<String>,
    /// What is done.
    pub on_yes: Callback<()>,
}

/// Which counters an event moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Touched {
    facts: bool,
    turns: bool,
    analysis: bool,
    units: bool,
}

impl Touched {
    fn by(event: &Event) -> Self {
        match event {
            Event::Committed { commit, .. } => {
                let has =
                    |kinds: &[RecordKind]| commit.revisions.iter().any(|r| kinds.contains(&r.record.kind()));
                Self {
                    facts: has(&[RecordKind::Proposition, RecordKind::Entity]),
                    turns: has(&[RecordKind::Conversation, RecordKind::Turn]),
                    analysis: has(&[
                        RecordKind::Bookmark,
                        RecordKind::Analysis,
                        RecordKind::Turn,
                        RecordKind::Run,
                        RecordKind::Inbox,
                    ]),
                    units: has(&[RecordKind::Unit, RecordKind::Promotion, RecordKind::Sweep]),
                }
            }
            Event::Rewritten { .. } => Self { facts: true, turns: true, analysis: true, units: true },
            Event::AnalysisStarted { .. } | Event::Analysed { .. } | Event::AnalysisFailed { .. } => {
                Self { analysis: true, ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// Takes another's in; whether a timer has to be set for it: nothing waited before and something does now.
    fn add(&mut self, other: Self) -> bool {
        let was_waiting = *self != Self::default();
        self.facts |= other.facts;
        self.turns |= other.turns;
        self.analysis |= other.analysis;
        self.units |= other.units;
        !was_waiting && other != Self::default()
    }
}

/// How long rows wait to be read anew beside an import.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(300);

/// What only this thread may hold.
struct Core {
    memory: AppMemory,
    connections: Connections,
    /// Ends with the memory that it listens to.
    _listening: Subscription,
    /// What other tabs say.
    _hearing: credence_browser::Subscription,
}

/// Everything that the views share.
#[derive(Clone, Copy)]
pub(crate) struct App {
    /// How far the app is.
    pub phase: RwSignal<Phase>,
    /// What is shown.
    pub page: RwSignal<Page>,
    /// Whether the window is too narrow for columns.
    pub narrow: RwSignal<bool>,
    /// Whether the system is set to dark.
    pub system_is_dark: RwSignal<bool>,
    /// What the person chose.
    pub preferences: RwSignal<Preferences>,
    /// Why nothing outlives this page; `None` where it does.
    pub volatile: RwSignal<Option<String>>,
    /// What is wrong with the store while the app goes on.
    pub alarm: RwSignal<Option<Alarm>>,
    /// What another tab did to the memory that is open here, until it was read.
    pub told: RwSignal<Option<Elsewhere>>,
    /// Which model answers.
    pub model: RwSignal<ModelState>,
    /// The file with the meanings of words.
    pub embedding: RwSignal<EmbeddingState>,
    /// Raised when propositions or entities change.
    pub facts: RwSignal<u64>,
    /// Raised when conversations or turns change.
    pub turns: RwSignal<u64>,
    /// Raised when an analysis starts, ends or fails.
    pub analysis: RwSignal<u64>,
    /// Raised when units of the working set change.
    pub units: RwSignal<u64>,
    /// Conversations that are being analysed here.
    pub analysing: RwSignal<BTreeSet<ConversationId>>,
    /// The answer on its way.
    pub stream: RwSignal<Option<Stream>>,
    /// What is being written.
    pub draft: RwSignal<String>,
    /// Notices.
    pub toasts: RwSignal<Vec<Toast>>,
    /// The question that stands.
    pub question: RwSignal<Option<Question>>,
    /// Whether the import dialog is open.
    pub importing: RwSignal<bool>,
    /// Whether the dialog that brings a backup back is open.
    pub restoring: RwSignal<bool>,
    /// What somebody is about to forget.
    pub forgetting: RwSignal<Option<Forgetting>>,
    /// Where somebody is about to go another way.
    pub branching: RwSignal<Option<BranchPoint>>,
    /// Whether the list of conversations is unfolded on a narrow window.
    pub drawer: RwSignal<bool>,
    /// Whether the working set is shown beside the chat.
    pub beside: RwSignal<bool>,
    /// The prompt that is looked at.
    pub xray: RwSignal<Option<Subject>>,
    /// The scenario that is played.
    pub simulation: Simulation,
    /// The experiment that is played or looked at.
    pub experiments: Experiments,
    /// What a screen reader is told.
    pub announcement: RwSignal<String>,
    touched: StoredValue<Touched>,
    last_toast: StoredValue<u64>,
    /// The end of the open memory's log, as far as this page has heard.
    known: StoredValue<Option<CommitId>>,
    /// Another tab said that the open memory is gone, and its log was not read again yet.
    wiped: StoredValue<bool>,
    tends: StoredValue<bool>,
    core: StoredValue<Option<Core>, LocalStorage>,
    stop: StoredValue<Option<Cancel>, LocalStorage>,
    /// The draft as it arrived; a rejected one gives way to the next.
    arrived: StoredValue<String>,
}

impl App {
    /// A fresh app that shows the page that the address names.
    pub(crate) fn new() -> Self {
        Self {
            phase: RwSignal::new(Phase::Starting),
            page: RwSignal::new(Page::current()),
            narrow: RwSignal::new(false),
            system_is_dark: RwSignal::new(false),
            preferences: RwSignal::new(Preferences::load()),
            volatile: RwSignal::new(None),
            alarm: RwSignal::new(None),
            told: RwSignal::new(actions::elsewhere::told_before_reload()),
            model: RwSignal::new(ModelState::BuiltIn),
            embedding: RwSignal::new(EmbeddingState::Loading),
            facts: RwSignal::new(0),
            turns: RwSignal::new(0),
            analysis: RwSignal::new(0),
            units: RwSignal::new(0),
            analysing: RwSignal::new(BTreeSet::new()),
            stream: RwSignal::new(None),
            draft: RwSignal::new(String::new()),
            toasts: RwSignal::new(Vec::new()),
            question: RwSignal::new(None),
            importing: RwSignal::new(false),
            restoring: RwSignal::new(false),
            forgetting: RwSignal::new(None),
            branching: RwSignal::new(None),
            drawer: RwSignal::new(false),
            beside: RwSignal::new(browser::is_wide()),
            xray: RwSignal::new(None),
            simulation: Simulation::new(),
            experiments: Experiments::new(),
            announcement: RwSignal::new(String::new()),
            touched: StoredValue::new(Touched::default()),
            last_toast: StoredValue::new(0),
            known: StoredValue::new(None),
            wiped: StoredValue::new(false),
            tends: StoredValue::new(false),
            core: StoredValue::new_local(None),
            stop: StoredValue::new_local(None),
            arrived: StoredValue::new(String::new()),
        }
    }

    /// The app that this view is part of.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// The open memory. A clone, so that no borrow lives across an await.
    pub(crate) fn memory(self) -> Option<AppMemory> {
        self.core.with_value(|core| core.as_ref().map(|core| core.memory.clone()))
    }

    /// What the ports are made of.
    pub(crate) fn connections(self) -> Option<Connections> {
        self.core.with_value(|core| core.as_ref().map(|core| core.connections.clone()))
    }

    /// Reads from the open memory; the default where none is open.
    pub(crate) fn read<T: Default>(self, look: impl FnOnce(&AppMemory) -> T) -> T {
        self.memory().map(|memory| look(&memory)).unwrap_or_default()
    }

    /// Takes a memory into use: its events raise the counters, and other tabs hear of its commits.
    pub(crate) fn adopt(self, memory: AppMemory, connections: Connections) {
        let tabs = connections.tabs.clone();
        let context = memory.context().clone();
        let listening = memory.subscribe(move |event| {
            tabs.share(&context, event);
            self.heard(event);
            self.follow(event);
        });
        self.known.set_value(memory.state().head().map(|head| head.id));
        let context = memory.context().clone();
        let hearing = connections.tabs.on_commit(move |told, seq| {
            if told == context {
                // Position 0: the memory was wiped there.
                actions::elsewhere::catch_up(self, seq == 0);
            }
        });
        self.core.set_value(Some(Core { memory, connections, _listening: listening, _hearing: hearing }));
        self.changed_all();
    }

    /// Lets the memory go; its listeners end.
    pub(crate) fn let_go(self) {
        self.core.set_value(None);
        self.changed_all();
    }

    /// Keeps in mind where the log ends, and says what another tab did that nobody could expect here.
    fn follow(self, event: &Event) {
        let (end, remote) = match event {
            Event::Committed { commit, remote } => (Some(commit.id), *remote),
            Event::Rewritten { commit, remote } => (commit.as_ref().map(|commit| commit.id), *remote),
            _ => return,
        };
        let known = self.known.get_value();
        self.known.set_value(end);
        if remote && let Some(memory) = self.memory() {
            let wiped = self.wiped.try_update_value(std::mem::take).unwrap_or_default();
            actions::elsewhere::followed(self, &memory, known, wiped);
        }
    }

    /// Another tab said that the open memory is gone.
    pub(crate) fn set_wiped(self, wiped: bool) {
        self.wiped.set_value(wiped);
    }

    /// Whether this tab is looking after its memory.
    pub(crate) fn tends(self) -> bool {
        self.tends.get_value()
    }

    /// Keeps in mind whether it is.
    pub(crate) fn set_tends(self, tends: bool) {
        self.tends.set_value(tends);
    }

    fn heard(self, event: &Event) {
        match event {
            Event::Enforcement { conversation, phase } => self.enforced(*conversation, phase),
            Event::Upkeep { signal: UpkeepSignal::Pressure { score, .. } } => self.toast(
                ToastKind::Info,
                format!(
                    "The working set is under pressure ({}): it is looked through",
                    format::percent(*score)
                ),
            ),
            Event::UpkeepFailed { reason, .. } => {
                self.toast(
                    ToastKind::Error,
                    format!("The working set could not be looked through: {reason}"),
                );
            }
            _ => {}
        }
        let touched = Touched::by(event);
        // Beside an import, whose windows follow each other within milliseconds, rows are read anew now and then.
        if self.importing.get_untracked() {
            let is_first = self.touched.try_update_value(|waiting| waiting.add(touched)).unwrap_or(false);
            if is_first {
                set_timeout(
                    move || self.raise(self.touched.try_update_value(std::mem::take).unwrap_or_default()),
                    PAUSE,
                );
            }
        } else {
            self.raise(touched);
        }
    }

    fn raise(self, touched: Touched) {
        for (is_touched, counter) in [
            (touched.facts, self.facts),
            (touched.turns, self.turns),
            (touched.analysis, self.analysis),
            (touched.units, self.units),
        ] {
            if is_touched {
                raise(counter);
            }
        }
    }

    /// Says that an answer is being checked, or takes a rejected draft off the page.
    fn enforced(self, conversation: ConversationId, phase: &EnforcementPhase) {
        let note = match phase {
            EnforcementPhase::Checking => "Checking it against the working set\u{2026}".to_owned(),
            EnforcementPhase::Regenerating { contradicted } => {
                self.arrived.set_value(String::new());
                let facts =
                    contradicted.iter().map(|fact| format!("\u{201c}{fact}\u{201d}")).collect::<Vec<_>>();
                format!("The draft contradicted {}. Asking again\u{2026}", facts.join(" and "))
            }
        };
        let again = matches!(phase, EnforcementPhase::Regenerating { .. });
        self.stream.update(|stream| {
            if let Some(stream) = stream.as_mut().filter(|stream| stream.conversation == conversation) {
                stream.note = Some(note);
                if again {
                    stream.text.clear();
                }
            }
        });
    }

    /// Another piece of the answer on its way; what has come so far is read by [`Self::draw`].
    pub(crate) fn arrive(self, piece: &str) {
        self.arrived.update_value(|text| text.push_str(piece));
    }

    /// Puts what has arrived on the page.
    pub(crate) fn draw(self, conversation: ConversationId) {
        let arrived = self.arrived.get_value();
        self.stream.update(|stream| {
            if let Some(stream) = stream.as_mut().filter(|stream| stream.conversation == conversation) {
                stream.text = arrived;
            }
        });
    }

    /// An answer begins.
    pub(crate) fn begin_stream(self, conversation: ConversationId) {
        self.arrived.set_value(String::new());
        self.stream.set(Some(Stream { conversation, text: String::new(), note: None, stopping: false }));
    }

    /// Every row may have changed: another memory is open.
    fn changed_all(self) {
        raise(self.facts);
        raise(self.turns);
        raise(self.analysis);
        raise(self.units);
    }

    /// Shows a notice.
    pub(crate) fn toast(self, kind: ToastKind, text: impl Into<String>) {
        self.offer(kind, text, None);
    }

    /// Shows a notice with something to do about it.
    pub(crate) fn offer(
        self,
        kind: ToastKind,
        text: impl Into<String>,
        action: Option<(String, Callback<()>)>,
    ) {
        self.last_toast.update_value(|id| *id += 1);
        let id = self.last_toast.get_value();
        let seconds = if action.is_some() { 9 } else { 4 };
        self.toasts.update(|toasts| {
            // An older notice makes room; what went wrong stays until it was read.
            if toasts.len() >= MOST_TOASTS
                && let Some(oldest) = toasts.iter().position(|toast| toast.kind != ToastKind::Error)
            {
                toasts.remove(oldest);
            }
            toasts.push(Toast { id, kind, text: text.into(), action });
        });
        if kind != ToastKind::Error {
            set_timeout(move || self.close_toast(id), std::time::Duration::from_secs(seconds));
        }
    }

    /// Takes a notice away.
    pub(crate) fn close_toast(self, id: u64) {
        self.toasts.update(|toasts| toasts.retain(|toast| toast.id != id));
    }

    /// Says what could not be done, and raises the alarm where the store is at fault.
    pub(crate) fn fail(self, what: &str, error: &credence::error::Error) {
        if let credence::error::Error::Journal(journal) = error {
            let kind = match journal {
                JournalError::QuotaExceeded => Some("quota"),
                JournalError::Blocked | JournalError::Superseded => Some("blocked"),
                JournalError::NewerSchema { .. } => Some("newer-schema"),
                _ => None,
            };
            if let Some(kind) = kind {
                self.alarm.set(Some(Alarm { kind, words: error.to_string() }));
            }
        }
        self.toast(ToastKind::Error, format!("{what}: {error}"));
    }

    /// Changes what the person chose, and keeps it.
    pub(crate) fn prefer(self, change: impl FnOnce(&mut Preferences)) -> bool {
        self.preferences.update(change);
        self.preferences.with_untracked(Preferences::save)
    }

    /// The theme in force: `light` or `dark`.
    pub(crate) fn theme(self) -> &'static str {
        match self.preferences.with(|p| p.theme) {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::System if self.system_is_dark.get() => "dark",
            Theme::System => "light",
        }
    }

    /// Remembers how to stop the answer on its way.
    pub(crate) fn set_stop(self, cancel: Option<Cancel>) {
        self.stop.set_value(cancel);
    }

    /// Stops the answer on its way; what has come is kept.
    pub(crate) fn stop(self) {
        self.stream.update(|stream| {
            if let Some(stream) = stream {
                stream.stopping = true;
            }
        });
        if let Some(cancel) = self.stop.with_value(Clone::clone) {
            cancel.cancel();
        }
    }
}

/// Moves a counter.
pub(crate) fn raise(counter: RwSignal<u64>) {
    counter.update(|count| *count += 1);
}
