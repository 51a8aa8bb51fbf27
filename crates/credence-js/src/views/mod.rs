//! What goes out: plain objects with camelCase names, ids as strings, times as milliseconds since 1970-01-01T00:00:00Z,
//! and `null` (never a missing field) where there is nothing.

mod conversation;
mod event;
mod history;
mod proposition;

pub(crate) use conversation::{
    AnalysisReport, Answer, Conversation, Dropped, Outcome, Pending, Progress, Turn,
};
pub(crate) use event::MemoryEvent;
pub(crate) use history::{Commit, ContextSummary, Revision, Undone};
pub(crate) use proposition::{
    Entity, LeftOut, Proposition, PropositionDetail, Remembered, SearchHit, SearchResult,
};

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// The plain object of a view.
pub(crate) fn to_js(view: &impl Serialize) -> Result<JsValue, Failure> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    view.serialize(&serializer).map_err(|error| Failure {
        code: "engine-failed".into(),
        message: format!("a result has no JavaScript form: {error}"),
    })
}
