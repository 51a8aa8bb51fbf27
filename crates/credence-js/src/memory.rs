//! The class: one memory, each method one use case of the core. Reads first take in what other tabs and programs have
//! committed. Every method holds its own share of the memory, so closing the handle never disturbs a call that runs.

use std::cell::RefCell;
use std::rc::Rc;

use credence::event::{Event, Subscription};
use credence::extraction::Trigger;
use credence::history::Journal;
use credence::id::{ContextId, ConversationId, PropositionId};
use credence::llm::Cancel;
use credence::ports::Ports;
use credence::proposition::DecayRule;
use credence::retrieval::Search;
use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortSignal;

use crate::argument;
use crate::failure::Failure;
use crate::input::{
    AnalyseSettings, Changes, CommitOptions, ConversationOptions, ListOptions, MemorySettings, SearchOptions,
    UndoOptions, Utterance, When,
};
use crate::ports::{EmbeddingPort, JournalPort, JsPorts, ModelPort};
use crate::views::{self, to_js};

type Core = credence::Memory<JsPorts>;
type Answered = Result<JsValue, JsValue>;

/// Telling other tabs of our commits, and hearing of theirs.
struct Sharing {
    _tabs: credence_browser::Subscription,
    _commits: Subscription,
}

/// One context's memory.
#[wasm_bindgen]
pub struct Memory {
    core: RefCell<Option<Core>>,
    sharing: RefCell<Option<Sharing>>,
}

/// A listener's subscription; `end` or dropping it ends it.
#[wasm_bindgen]
pub struct Listening {
    subscription: Option<Subscription>,
}

#[wasm_bindgen]
impl Listening {
    /// Ends the subscription.
    pub fn end(&mut self) {
        self.subscription = None;
    }
}

#[wasm_bindgen]
impl Memory {
    /// Opens the memory of `context`, which is empty when nobody has written to it. `settings` is a `MemorySettings`.
    pub async fn open(
        journal: &JournalPort,
        model: &ModelPort,
        embedding: &EmbeddingPort,
        context: JsValue,
        settings: JsValue,
    ) -> Result<Memory, JsValue> {
        let ports = JsPorts::new(journal.journal.clone(), model.model.clone(), embedding.embedder.clone());
        let context = argument::text("options.context", &context)?;
        let context = ContextId::new(context).map_err(|error| Failure::from(credence::Error::from(error)))?;
        let settings: MemorySettings = argument::read("options.settings", &settings)?;
        let config = settings.config();
        config.validate().map_err(|problem| Failure::argument("options.settings", camel_case(&problem)))?;
        let core = Core::open(ports, context, config).await.map_err(Failure::from)?;
        let sharing = journal.tabs.as_ref().map(|tabs| share(&core, tabs));
        Ok(Memory { core: RefCell::new(Some(core)), sharing: RefCell::new(sharing) })
    }

    fn core(&self) -> Result<Core, Failure> {
        self.core.borrow().clone().ok_or_else(Failure::closed)
    }

    /// The memory, with what others have committed taken in.
    async fn current(&self) -> Result<Core, Failure> {
        let core = self.core()?;
        core.refresh().await?;
        Ok(core)
    }

    /// The context's name.
    #[wasm_bindgen(getter)]
    pub fn context(&self) -> Result<String, JsValue> {
        Ok(self.core()?.context().to_string())
    }

    /// Keeps a statement.
    #[wasm_bindgen(unchecked_return_type = "Remembered")]
    pub async fn remember(&self, text: JsValue) -> Answered {
        let text = argument::text("text", &text)?;
        let core = self.current().await?;
        let remembered = core.remember(&text).await.map_err(Failure::from)?;
        let ids: std::collections::BTreeSet<_> =
            remembered.outcomes.iter().map(|outcome| outcome.proposition).collect();
        let propositions = ids.into_iter().filter_map(|id| core.proposition(id).ok());
        Ok(to_js(&views::Remembered {
            propositions: propositions.map(|detail| detail.view.into()).collect(),
            outcomes: remembered.outcomes.iter().map(Into::into).collect(),
            dropped: remembered.dropped.iter().map(Into::into).collect(),
        })?)
    }

    /// Looks facts up. `options` is a `SearchOptions`.
    #[wasm_bindgen(unchecked_return_type = "SearchResult")]
    pub async fn search(&self, query: JsValue, options: JsValue) -> Answered {
        let query = argument::text("query", &query)?;
        let options: SearchOptions = argument::read("options", &options)?;
        let mut search = Search::new(query);
        search.limit = options.limit.map_or(search.limit, |limit| limit as usize);
        search.include_pinned = options.include_pinned.unwrap_or_default();
        search.step = options.step.unwrap_or_default();
        let recall = self.current().await?.search(&search).await.map_err(Failure::from)?;
        Ok(to_js(&views::SearchResult::from(recall))?)
    }

    /// Lists propositions. `options` is a `ListOptions`.
    #[wasm_bindgen(unchecked_return_type = "Proposition[]")]
    pub async fn propositions(&self, options: JsValue) -> Answered {
        let options: ListOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        list(core.propositions(&options.query()).into_iter().map(views::Proposition::from))
    }

    /// Everything about one proposition.
    #[wasm_bindgen(unchecked_return_type = "PropositionDetail")]
    pub async fn proposition(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let core = self.current().await?;
        let detail = core.proposition(id).map_err(Failure::from)?;
        Ok(to_js(&views::PropositionDetail::new(detail, decay_rule(&core)))?)
    }

    /// The life of a proposition, newest first.
    #[wasm_bindgen(unchecked_return_type = "Revision[]")]
    pub async fn history(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let core = self.current().await?;
        let revisions = core.history(id);
        if revisions.is_empty() {
            return Err(Failure::from(credence::Error::NotFound { record: id.to_string() }).into());
        }
        let rule = decay_rule(&core);
        list(revisions.into_iter().map(|revision| views::Revision::new(revision, rule)))
    }

    /// Entities, the user first.
    #[wasm_bindgen(unchecked_return_type = "Entity[]")]
    pub async fn entities(&self) -> Answered {
        list(self.current().await?.entities().into_iter().map(views::Entity::from))
    }

    /// Commits, oldest first. `options` is a `CommitOptions`.
    #[wasm_bindgen(unchecked_return_type = "Commit[]")]
    pub async fn commits(&self, options: JsValue) -> Answered {
        let options: CommitOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let log = core.log();
        let after = u64::from(options.after.unwrap_or_default());
        let commits: Vec<_> = log.commits().iter().filter(|commit| commit.seq > after).collect();
        let skipped = options.limit.map_or(0, |limit| commits.len().saturating_sub(limit as usize));
        list(commits.into_iter().skip(skipped).map(|commit| views::Commit::from(&**commit)))
    }

    /// A person's edit. `changes` is a `Changes`.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn edit(&self, id: JsValue, changes: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let changes: Changes = argument::read("changes", &changes)?;
        committed(self.current().await?.edit(id, &changes.into()).await)
    }

    /// Pins or unpins.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn pin(&self, id: JsValue, pinned: bool) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        committed(self.current().await?.pin(id, pinned).await)
    }

    /// Takes a statement out of the memory.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn forget(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        committed(self.current().await?.forget(id).await)
    }

    /// Takes a commit back. `options` is an `UndoOptions`.
    #[wasm_bindgen(unchecked_return_type = "Undone")]
    pub async fn undo(&self, commit: JsValue, options: JsValue) -> Answered {
        let commit = argument::id("commit", &commit)?;
        let options: UndoOptions = argument::read("options", &options)?;
        let undone =
            self.current().await?.undo(commit, options.only.as_deref()).await.map_err(Failure::from)?;
        Ok(to_js(&views::Undone::from(undone))?)
    }

    /// Opens a conversation. `options` is a `ConversationOptions`.
    #[wasm_bindgen(js_name = startConversation, unchecked_return_type = "Conversation")]
    pub async fn start_conversation(&self, options: JsValue) -> Answered {
        let options: ConversationOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let id = core
            .start_conversation(options.title.as_deref().unwrap_or_default())
            .await
            .map_err(Failure::from)?;
        let state = core.state();
        let conversation = state
            .conversation(id)
            .ok_or_else(|| Failure::from(credence::Error::NotFound { record: id.to_string() }))?;
        Ok(to_js(&views::Conversation::from(conversation))?)
    }

    /// Conversations, as they were opened.
    #[wasm_bindgen(unchecked_return_type = "Conversation[]")]
    pub async fn conversations(&self) -> Answered {
        let core = self.current().await?;
        let state = core.state();
        list(state.conversations().map(views::Conversation::from))
    }

    /// The turns of a conversation, in order.
    #[wasm_bindgen(unchecked_return_type = "Turn[]")]
    pub async fn turns(&self, conversation: JsValue) -> Answered {
        let id: ConversationId = argument::id("conversation", &conversation)?;
        let core = self.current().await?;
        let state = core.state();
        if state.conversation(id).is_none() {
            return Err(Failure::from(credence::Error::NotFound { record: id.to_string() }).into());
        }
        list(state.turns(id).map(|turn| views::Turn::from(turn.clone())))
    }

    /// Keeps what somebody said. `utterance` is an `Utterance`.
    #[wasm_bindgen(unchecked_return_type = "Turn")]
    pub async fn say(&self, utterance: JsValue) -> Answered {
        let Utterance { conversation, speaker, text } = argument::read("utterance", &utterance)?;
        let conversation = argument::id("utterance.conversation", &conversation.into())?;
        let turn = self.current().await?.say(conversation, speaker.0, &text).await.map_err(Failure::from)?;
        Ok(to_js(&views::Turn::from(turn))?)
    }

    /// Answers a conversation's last turn; `on_text` is called with each piece of the answer.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub async fn answer(
        &self,
        conversation: JsValue,
        on_text: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let cancel = cancel_by(signal.as_ref());
        let mut sink = |piece: &str| call(on_text.as_ref(), &piece.into());
        let answer =
            self.current().await?.answer(conversation, &mut sink, &cancel).await.map_err(Failure::from)?;
        Ok(to_js(&views::Answer::from(answer))?)
    }

    /// Turns what was said into propositions. `settings` is an `AnalyseSettings`.
    #[wasm_bindgen(unchecked_return_type = "AnalysisReport[]")]
    pub async fn analyse(
        &self,
        conversation: JsValue,
        settings: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let settings: AnalyseSettings = argument::read("options", &settings)?;
        let trigger = match settings.when {
            When::Now => Trigger::Now,
            When::Due => Trigger::WhenDue,
        };
        let cancel = cancel_by(signal.as_ref());
        let mut tell = |progress: credence::extraction::Progress| {
            if let Ok(view) = to_js(&views::Progress::from(progress)) {
                call(on_progress.as_ref(), &view);
            }
        };
        let core = self.current().await?;
        let reports = core.analyse(conversation, trigger, &cancel, &mut tell).await.map_err(Failure::from)?;
        list(reports.iter().map(|report| views::AnalysisReport::from(&**report)))
    }

    /// What of a conversation waits to be analysed.
    #[wasm_bindgen(unchecked_return_type = "Pending")]
    pub async fn pending(&self, conversation: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        Ok(to_js(&views::Pending::from(self.current().await?.pending(conversation)))?)
    }

    /// The whole memory as JSON.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub async fn export(&self) -> Answered {
        let bundle = self.core()?.export().await.map_err(Failure::from)?;
        Ok(bundle.to_json().into())
    }

    /// Every memory of the journal, by name.
    #[wasm_bindgen(unchecked_return_type = "ContextSummary[]")]
    pub async fn contexts(&self) -> Answered {
        let contexts = self.core()?.ports().journal().contexts().await.map_err(Failure::from)?;
        list(contexts.into_iter().map(views::ContextSummary::from))
    }

    /// Takes in what others have committed; says how many commits were new.
    pub async fn refresh(&self) -> Result<u32, JsValue> {
        let count = self.core()?.refresh().await.map_err(Failure::from)?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Calls `listener` with a `MemoryEvent` after everything that happens.
    pub fn subscribe(&self, listener: Function) -> Result<Listening, JsValue> {
        let subscription = self.core()?.subscribe(move |event| {
            if let Some(Ok(view)) = views::MemoryEvent::of(event).map(|view| to_js(&view)) {
                call(Some(&listener), &view);
            }
        });
        Ok(Listening { subscription: Some(subscription) })
    }

    /// Removes the memory from its journal, whole, and closes the handle.
    pub async fn erase(&self) -> Result<(), JsValue> {
        let core = self.core()?;
        core.ports().journal().erase(core.context()).await.map_err(Failure::from)?;
        self.close();
        Ok(())
    }

    /// Closes the handle. What is stored stays.
    pub fn close(&self) {
        self.sharing.borrow_mut().take();
        self.core.borrow_mut().take();
    }
}

fn list<T: serde::Serialize>(views: impl Iterator<Item = T>) -> Answered {
    let array = Array::new();
    for view in views {
        array.push(&to_js(&view)?);
    }
    Ok(array.into())
}

fn committed(made: Result<Option<Rc<credence::history::Commit>>, credence::Error>) -> Answered {
    match made.map_err(Failure::from)? {
        Some(commit) => Ok(to_js(&views::Commit::from(&*commit))?),
        None => Ok(JsValue::NULL),
    }
}

fn decay_rule(core: &Core) -> DecayRule {
    core.config().decay_rule()
}

/// Calls a listener. One that throws is reported as any uncaught error, and cannot break what it listens to.
fn call(listener: Option<&Function>, argument: &JsValue) {
    let Some(listener) = listener else { return };
    if let Err(thrown) = listener.call1(&JsValue::UNDEFINED, argument) {
        spawn_local(async move { wasm_bindgen::throw_val(thrown) });
    }
}

/// A token that the signal cancels.
fn cancel_by(signal: Option<&AbortSignal>) -> Cancel {
    let cancel = Cancel::new();
    if let Some(signal) = signal {
        if signal.aborted() {
            cancel.cancel();
        } else {
            let token = cancel.clone();
            let listener = Closure::once_into_js(move || token.cancel());
            // Fails for no listener that is a function.
            let _ = signal.add_event_listener_with_callback("abort", listener.unchecked_ref());
        }
    }
    cancel
}

/// Tells the other tabs of our commits, and reads on when they tell of theirs.
fn share(core: &Core, tabs: &credence_browser::Tabs) -> Sharing {
    let (ours, told) = (core.context().clone(), tabs.clone());
    let commits = core.subscribe(move |event| {
        if let Event::Committed { commit, remote: false } = event {
            told.announce(&ours, commit.seq);
        }
    });
    // Weak in effect: the subscription that holds this clone goes when the handle is closed.
    let follower = core.clone();
    let tabs = tabs.on_commit(move |context, _| {
        if context == *follower.context() {
            let follower = follower.clone();
            // A store that cannot be read now will say so at the next call.
            spawn_local(async move { drop(follower.refresh().await) });
        }
    });
    Sharing { _tabs: tabs, _commits: commits }
}

/// `recall_limit must be …` as JavaScript spells it: `recallLimit must be …`.
fn camel_case(problem: &str) -> String {
    let (name, rest) = problem.split_once(' ').unwrap_or((problem, ""));
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    format!("{camel} {rest}")
}
