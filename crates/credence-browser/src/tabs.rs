//! Tabs of one origin that share a database: telling each other of commits, and doing a job in one of them only.

use std::cell::Cell;
use std::rc::Rc;

use credence::event::Event;
use credence::id::ContextId;
use futures::channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BroadcastChannel, MessageEvent};

use crate::global::member;

#[wasm_bindgen]
extern "C" {
    /// `navigator.locks`; web-sys has it only among its unstable interfaces.
    type LockManager;
    #[wasm_bindgen(method, catch)]
    fn request(
        this: &LockManager,
        name: &str,
        options: &Object,
        callback: &JsValue,
    ) -> Result<Promise, JsValue>;
}

/// What one tab tells the others.
#[derive(Serialize, Deserialize)]
struct Committed {
    context: ContextId,
    seq: u64,
}

struct Channel {
    name: String,
    /// `None` where the browser has no such thing: then nothing is said and nothing heard.
    broadcast: Option<BroadcastChannel>,
}

impl Drop for Channel {
    fn drop(&mut self) {
        if let Some(broadcast) = &self.broadcast {
            broadcast.close();
        }
    }
}

/// The tabs that have one database open. Clones are one member, which never hears itself; each [`Tabs::open`] is another.
#[derive(Clone)]
pub struct Tabs {
    channel: Rc<Channel>,
}

/// Keeps a callback of [`Tabs::on_commit`] alive; dropping it unsubscribes.
#[must_use = "dropping a subscription ends it"]
pub struct Subscription {
    channel: Rc<Channel>,
    callback: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(broadcast) = &self.channel.broadcast {
            let callback = self.callback.as_ref().unchecked_ref();
            // Fails only for a listener that is not there.
            let _ = broadcast.remove_event_listener_with_callback("message", callback);
        }
    }
}

impl Tabs {
    /// Joins the tabs that share the database of this name.
    pub fn open(database: &str) -> Self {
        let name = format!("credence:{database}");
        let broadcast = member(&["BroadcastChannel"]).and_then(|_| BroadcastChannel::new(&name).ok());
        if let Some(broadcast) = &broadcast
            && let Ok(unref) = Reflect::get(broadcast, &"unref".into())
            && let Some(unref) = unref.dyn_ref::<Function>()
        {
            // Node alone has it: a program that is done must not wait for a channel.
            let _ = unref.call0(broadcast);
        }
        Self { channel: Rc::new(Channel { name, broadcast }) }
    }

    /// Tells the other tabs that commit `seq` of `context` is stored.
    pub fn announce(&self, context: &ContextId, seq: u64) {
        let Some(broadcast) = &self.channel.broadcast else { return };
        if let Ok(text) = serde_json::to_string(&Committed { context: context.clone(), seq }) {
            // Posting a text fails only on a closed channel, and ours is open as long as we are.
            let _ = broadcast.post_message(&JsValue::from_str(&text));
        }
    }

    /// Tells the other tabs what an event of a memory of this tab means to them: a new commit, history that was changed, or that the memory is
    /// gone, which is position 0. What came from elsewhere is not told again.
    pub fn share(&self, context: &ContextId, event: &Event) {
        match event {
            Event::Committed { commit, remote: false } => self.announce(context, commit.seq),
            Event::Rewritten { commit, remote: false } => {
                self.announce(context, commit.as_ref().map_or(0, |commit| commit.seq));
            }
            _ => {}
        }
    }

    /// Calls back for each commit that another tab announces, in the order of its announcing. A message may be lost with a
    /// sleeping tab: treat one as "read on from what you have", not as the commit itself.
    pub fn on_commit(&self, callback: impl Fn(ContextId, u64) + 'static) -> Subscription {
        let callback = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let told = event.data().as_string().and_then(|text| serde_json::from_str(&text).ok());
            // What another release says in words that we do not know is none of ours.
            if let Some(Committed { context, seq }) = told {
                callback(context, seq);
            }
        });
        if let Some(broadcast) = &self.channel.broadcast {
            // Fails for no listener that is a function.
            let _ = broadcast.add_event_listener_with_callback("message", callback.as_ref().unchecked_ref());
        }
        Subscription { channel: self.channel.clone(), callback }
    }

    /// Runs `job` while no other tab runs one under the same name on the same database, waiting its turn. The lock goes with
    /// the tab, however that ends. Where the browser has no Web Locks, the job simply runs. Must not be nested under one name.
    pub async fn with_lock<T>(&self, name: &str, job: impl AsyncFnOnce() -> T) -> T {
        let _held = acquire(&format!("{}:{name}", self.channel.name), Patience::Waits).await;
        job().await
    }

    /// Runs `job` unless somebody runs one under the same name on the same database, in this tab or another one; `None`: somebody does, and
    /// nothing was done. Otherwise as [`Tabs::with_lock`].
    pub async fn if_free<T>(&self, name: &str, job: impl AsyncFnOnce() -> T) -> Option<T> {
        match acquire(&format!("{}:{name}", self.channel.name), Patience::Asks).await {
            Acquired::Taken => None,
            _held => Some(job().await),
        }
    }
}

/// What is done where somebody holds the lock.
#[derive(Clone, Copy, PartialEq)]
enum Patience {
    Waits,
    Asks,
}

/// What came of asking for a lock.
#[expect(dead_code, reason = "what is held is given back when it is dropped")]
enum Acquired {
    Held(Held),
    /// The browser has none, or refuses them (an opaque origin).
    Unguarded,
    /// Somebody else has it.
    Taken,
}

/// Gives the lock back when dropped: also when the job's future is dropped half-way.
struct Held {
    release: Function,
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.release.call0(&JsValue::UNDEFINED);
    }
}

/// Asks for a lock, and waits for it or not.
async fn acquire(name: &str, patience: Patience) -> Acquired {
    let Some(manager) = member(&["navigator", "locks"]) else { return Acquired::Unguarded };
    let manager: LockManager = manager.unchecked_into();
    let (answer, waiting) = oneshot::channel();
    let answer = Rc::new(Cell::new(Some(answer)));
    let tell = move |acquired: Acquired| {
        if let Some(answer) = answer.take() {
            // Should nobody wait any more, dropping what comes back gives the lock up at once.
            drop(answer.send(acquired));
        }
    };
    let refused = tell.clone();
    let granted = Closure::once_into_js(move |lock: JsValue| -> Promise {
        if lock.is_null() {
            tell(Acquired::Taken);
            return Promise::resolve(&JsValue::UNDEFINED);
        }
        // The browser holds the lock until this promise is settled.
        Promise::new(&mut |release, _| tell(Acquired::Held(Held { release })))
    });
    let options = Object::new();
    // Fails for frozen objects alone, and this one is fresh.
    let _ = Reflect::set(&options, &"ifAvailable".into(), &(patience == Patience::Asks).into());
    let Ok(request) = manager.request(name, &options, &granted) else { return Acquired::Unguarded };
    spawn_local(async move {
        if JsFuture::from(request).await.is_err() {
            refused(Acquired::Unguarded);
        }
    });
    waiting.await.unwrap_or(Acquired::Unguarded)
}
