//! The core's ports as JavaScript gives them. Each is a small handle that the face makes once and may give to several
//! memories: a journal that two openings share, an embedding model that is loaded once.

mod embedding;
mod journal;
mod model;

pub use embedding::EmbeddingPort;
pub use journal::JournalPort;
pub use model::ModelPort;

pub(crate) use embedding::JsEmbedder;
pub(crate) use journal::JsJournal;
pub(crate) use model::JsModel;

use std::rc::Rc;

use credence::ports::Ports;
use credence_browser::{BrowserClock, BrowserIds};

/// Everything that one memory asks of JavaScript. Clones share it.
#[derive(Clone)]
pub(crate) struct JsPorts {
    inner: Rc<Inner>,
}

struct Inner {
    journal: JsJournal,
    chat: JsModel,
    embedder: JsEmbedder,
    clock: BrowserClock,
    ids: BrowserIds,
}

impl JsPorts {
    pub(crate) fn new(journal: JsJournal, chat: JsModel, embedder: JsEmbedder) -> Self {
        Self { inner: Rc::new(Inner { journal, chat, embedder, clock: BrowserClock, ids: BrowserIds }) }
    }
}

impl Ports for JsPorts {
    type Journal = JsJournal;
    type Chat = JsModel;
    type Embed = JsEmbedder;
    type Clock = BrowserClock;
    type Ids = BrowserIds;
    fn journal(&self) -> &JsJournal {
        &self.inner.journal
    }
    fn chat(&self) -> &JsModel {
        &self.inner.chat
    }
    fn embedder(&self) -> &JsEmbedder {
        &self.inner.embedder
    }
    fn clock(&self) -> &BrowserClock {
        &self.inner.clock
    }
    fn ids(&self) -> &BrowserIds {
        &self.inner.ids
    }
}

/// What a thrown value says.
pub(crate) fn words(thrown: &wasm_bindgen::JsValue) -> String {
    let message =
        js_sys::Reflect::get(thrown, &"message".into()).ok().and_then(|message| message.as_string());
    message
        .filter(|message| !message.is_empty())
        .or_else(|| thrown.as_string())
        .unwrap_or_else(|| "an error without words".to_owned())
}

/// A property that is a string.
pub(crate) fn text_of(value: &wasm_bindgen::JsValue, name: &str) -> Option<String> {
    js_sys::Reflect::get(value, &name.into()).ok().and_then(|value| value.as_string())
}

/// A property that is a number.
pub(crate) fn number_of(value: &wasm_bindgen::JsValue, name: &str) -> Option<f64> {
    js_sys::Reflect::get(value, &name.into()).ok().and_then(|value| value.as_f64())
}
