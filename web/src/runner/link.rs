//! The page's end of the wire: a worker with the desk in it, or the desk itself where no worker can be had.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::set_timeout;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::desk::Desk;
use super::{Means, Order, Told};

/// The worker's script, beside the page.
const SCRIPT: &str = "./worker.js";

/// How long a worker may take to say that it is there; it loads and compiles the whole module.
const PATIENCE: Duration = Duration::from_secs(60);

/// What became of the worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It could not be started: the desk is in the page, which is slow to react meanwhile.
    NotStarted(String),
    /// It died: what was under way is broken off.
    Died(String),
}

/// Whoever hears what is told and what became of the worker.
type Hear = Rc<dyn Fn(Result<Told, Lost>)>;

/// Where the desk is.
enum End {
    /// A worker that has not yet said that it is there, and what waits for it.
    Starting(Worker, Vec<Order>),
    Worker(Worker),
    Page(Rc<Desk>),
    /// Nowhere any more.
    Gone,
}

struct Inner {
    end: RefCell<End>,
    hear: Hear,
    /// The listeners of the worker, as long as it lives.
    listeners: RefCell<Vec<Box<dyn std::any::Any>>>,
}

/// A desk to give orders to. Clones are the same; when the last one goes, its worker is let go.
#[derive(Clone)]
pub(crate) struct Link {
    inner: Rc<Inner>,
}

impl Link {
    /// Opens one, which works with these means; `None`: for figures alone.
    pub(crate) fn open(means: Option<Means>, hear: impl Fn(Result<Told, Lost>) + 'static) -> Self {
        let hear: Hear = Rc::new(hear);
        let inner = Rc::new(Inner { end: RefCell::new(End::Gone), hear, listeners: RefCell::default() });
        let link = Self { inner };
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let first: Vec<Order> = means.map(Order::Begin).into_iter().collect();
        match Worker::new_with_options(SCRIPT, &options) {
            Ok(worker) => link.listen(worker, first),
            Err(thrown) => link.fall_back(first, &words(&thrown)),
        }
        link
    }

    /// Gives an order. One that comes before the desk is there waits.
    pub(crate) fn send(&self, order: Order) {
        // A desk in the page may tell at once, and whoever hears it order again: no borrow lasts so long.
        let desk = match &mut *self.inner.end.borrow_mut() {
            End::Starting(_, waiting) => return waiting.push(order),
            End::Worker(worker) => return post(worker, &order),
            End::Page(desk) => desk.clone(),
            End::Gone => return,
        };
        desk.take(order);
    }

    fn listen(&self, worker: Worker, first: Vec<Order>) {
        let inner = Rc::downgrade(&self.inner);
        let told = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let (Some(inner), Some(text)) = (inner.upgrade(), event.data().as_string()) else { return };
            let link = Link { inner };
            match serde_json::from_str::<Told>(&text) {
                Ok(Told::Ready) => link.started(),
                Ok(Told::Broken(why)) => link.died(&why),
                Ok(told) => (link.inner.hear)(Ok(told)),
                Err(error) => link.died(&error.to_string()),
            }
        });
        let inner = Rc::downgrade(&self.inner);
        let failed = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            let Some(inner) = inner.upgrade() else { return };
            // An error of loading comes without words.
            let message =
                js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|text| text.as_string());
            Link { inner }.died(&message.unwrap_or_else(|| "its files did not load".to_owned()));
        });
        worker.set_onmessage(Some(told.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        *self.inner.listeners.borrow_mut() = vec![Box::new(told), Box::new(failed)];
        *self.inner.end.borrow_mut() = End::Starting(worker, first);
        let inner = Rc::downgrade(&self.inner);
        set_timeout(
            move || {
                if let Some(inner) = inner.upgrade()
                    && matches!(*inner.end.borrow(), End::Starting(..))
                {
                    Link { inner: inner.clone() }.died("it did not answer");
                }
            },
            PATIENCE,
        );
    }

    /// The desk is there: what waited is ordered.
    fn started(&self) {
        let before = self.inner.end.replace(End::Gone);
        let End::Starting(worker, waiting) = before else {
            *self.inner.end.borrow_mut() = before;
            return;
        };
        waiting.iter().for_each(|order| post(&worker, order));
        *self.inner.end.borrow_mut() = End::Worker(worker);
    }

    /// One that never was there gives way to a desk in the page; one that was is gone with what it did.
    fn died(&self, why: &str) {
        match self.inner.end.replace(End::Gone) {
            End::Starting(worker, waiting) => {
                worker.terminate();
                self.fall_back(waiting, why);
            }
            End::Worker(worker) => {
                worker.terminate();
                (self.inner.hear)(Err(Lost::Died(why.to_owned())));
            }
            other => *self.inner.end.borrow_mut() = other,
        }
    }

    fn fall_back(&self, waiting: Vec<Order>, why: &str) {
        (self.inner.hear)(Err(Lost::NotStarted(why.to_owned())));
        let hear = self.inner.hear.clone();
        let desk = Desk::new(Rc::new(move |told| hear(Ok(told))));
        *self.inner.end.borrow_mut() = End::Page(desk.clone());
        waiting.into_iter().for_each(|order| desk.take(order));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let End::Starting(worker, _) | End::Worker(worker) = &*self.end.borrow() {
            worker.terminate();
        }
    }
}

fn post(worker: &Worker, order: &Order) {
    // Orders are plain values, and a text is never refused.
    if let Ok(text) = serde_json::to_string(order) {
        let _ = worker.post_message(&JsValue::from_str(&text));
    }
}

fn words(thrown: &JsValue) -> String {
    let message = js_sys::Reflect::get(thrown, &"message".into()).ok().and_then(|text| text.as_string());
    message.unwrap_or_else(|| "the browser refused it".to_owned())
}
