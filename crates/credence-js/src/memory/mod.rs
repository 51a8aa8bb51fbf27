//! The class: one memory, each method one use case of the core. Reads first take in what other tabs and programs have
//! committed. Every method holds its own share of the memory, so closing the handle never disturbs a call that runs.
//!
//! This page opens, listens and closes; `facts`, `conversations`, `turns`, `entities`, `units`, `prompts`, `history`, `forgetting`,
//! `portability` and `upkeep` have the rest by area.

mod conversations;
mod entities;
mod facts;
mod forgetting;
mod history;
mod portability;
mod prompts;
mod turns;
mod units;
mod upkeep;

use std::cell::RefCell;
use std::rc::Rc;

use credence::event::Subscription;
use credence::history::Journal;
use credence::id::ContextId;
use credence::llm::Cancel;
use credence::ports::Ports;
use credence::proposition::DecayRule;
use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortSignal;

use crate::argument;
use crate::failure::Failure;
use crate::input::MemorySettings;
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
        let config = settings.config().map_err(|problem| Failure::at("options.settings", &problem))?;
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

/// The view of what a use case returned.
fn decided<V: From<T> + serde::Serialize, T>(made: Result<T, credence::Error>) -> Answered {
    Ok(to_js(&V::from(made.map_err(Failure::from)?))?)
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

/// Tells a listener of progress, as the view of what the core says.
fn telling<P, V: From<P> + serde::Serialize>(listener: Option<Function>) -> impl FnMut(P) {
    move |progress| {
        if let Ok(view) = to_js(&V::from(progress)) {
            call(listener.as_ref(), &view);
        }
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
    let commits = core.subscribe(move |event| told.share(&ours, event));
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
