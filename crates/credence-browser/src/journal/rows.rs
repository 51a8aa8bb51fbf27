//! The stored forms. Beside the JSON body, a row holds what its key and index need and what a person who looks into the
//! database wants to see; the body alone is the truth.

use credence::history::{Commit, ContentId, JournalError, SCHEMA_VERSION, StoredVector, UseRecord};
use credence::id::{CommitId, ContextId, UseId};
use indexed_db_futures::{DeserialiseFromJs, KeyRange};
use js_sys::{Array, Float32Array};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};

use super::migrations::current::{COMMITS, HEADS, USES, VECTORS};

/// A row of `heads`.
#[derive(Serialize, Deserialize)]
pub(super) struct HeadRow {
    pub(super) context: ContextId,
    pub(super) id: CommitId,
    pub(super) seq: u64,
}

/// A row of `commits`.
#[derive(Serialize)]
pub(super) struct CommitRow<'a> {
    context: &'a str,
    seq: u64,
    id: String,
    /// Milliseconds since 1970.
    at: i64,
    cause: &'static str,
    body: String,
}

/// A row of `uses`.
#[derive(Serialize)]
pub(super) struct UseRow<'a> {
    context: &'a str,
    id: String,
    /// Milliseconds since 1970.
    at: i64,
    body: String,
}

/// What reading a row of `commits` or `uses` asks of it.
#[derive(Deserialize)]
struct Body {
    body: String,
}

/// The one field of a commit whose place and meaning never change.
#[derive(Deserialize)]
struct Form {
    schema: u32,
}

fn body_of(value: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|e| JournalError::Backend { detail: format!("writing JSON: {e}") })
}

impl<'a> CommitRow<'a> {
    pub(super) fn new(commit: &'a Commit) -> Result<Self, JournalError> {
        Ok(Self {
            context: commit.context.as_str(),
            seq: commit.seq,
            id: commit.id.to_string(),
            at: commit.at.0,
            cause: commit.cause.as_str(),
            body: body_of(commit)?,
        })
    }
}

impl<'a> UseRow<'a> {
    pub(super) fn new(record: &'a UseRecord) -> Result<Self, JournalError> {
        let (context, id, at) = (record.context.as_str(), record.id.to_string(), record.at.0);
        Ok(Self { context, id, at, body: body_of(record)? })
    }
}

/// Reads a row of `heads`.
pub(super) fn head(row: JsValue) -> Result<HeadRow, JournalError> {
    let context = js_sys::Reflect::get(&row, &"context".into()).ok().and_then(|name| name.as_string());
    decode(row).map_err(corrupt(HEADS, &[&context.unwrap_or_default()]))
}

/// Reads the row of `commits` at this key.
pub(super) fn commit(row: JsValue, context: &ContextId, seq: u64) -> Result<Commit, JournalError> {
    let corrupt = corrupt(COMMITS, &[context.as_str(), &seq.to_string()]);
    let Body { body } = decode(row).map_err(&corrupt)?;
    let commit: Commit = match serde_json::from_str(&body) {
        Ok(commit) => commit,
        Err(e) => {
            return Err(match serde_json::from_str(&body) {
                Ok(Form { schema }) if schema > SCHEMA_VERSION => {
                    JournalError::NewerSchema { found: schema, supported: SCHEMA_VERSION }
                }
                _ => corrupt(e.to_string()),
            });
        }
    };
    if commit.seq != seq || commit.context != *context {
        let found = format!("commit {} of `{}` is stored there", commit.seq, commit.context);
        return Err(corrupt(found));
    }
    Ok(commit)
}

/// Reads a row of `uses`; `id` as far as it is known.
pub(super) fn use_record(
    row: JsValue,
    context: &ContextId,
    id: Option<UseId>,
) -> Result<UseRecord, JournalError> {
    let stored = js_sys::Reflect::get(&row, &"id".into()).ok().and_then(|id| id.as_string());
    let id = id.map(|id| id.to_string()).or(stored).unwrap_or_default();
    let corrupt = corrupt(USES, &[context.as_str(), &id]);
    let Body { body } = decode(row).map_err(&corrupt)?;
    serde_json::from_str(&body).map_err(|e| corrupt(e.to_string()))
}

/// Reads a vector from its key and its value.
pub(super) fn vector(key: &JsValue, value: JsValue) -> Result<StoredVector, JournalError> {
    let parts: Vec<String> = Array::from(key).iter().filter_map(|part| part.as_string()).collect();
    let corrupt = corrupt(VECTORS, &parts.iter().map(String::as_str).collect::<Vec<_>>());
    let text = parts.get(2).ok_or_else(|| corrupt("its key is not [context, space, text]".to_owned()))?;
    let text: ContentId =
        serde_json::from_value(serde_json::Value::from(text.as_str())).map_err(|e| corrupt(e.to_string()))?;
    match value.dyn_into::<Float32Array>() {
        Ok(numbers) => Ok(StoredVector { text, vector: numbers.to_vec() }),
        Err(_) => Err(corrupt("it is no Float32Array".to_owned())),
    }
}

fn decode<T: DeserializeOwned>(row: JsValue) -> Result<T, String> {
    T::deserialise_from_js(row).map_err(|e| e.to_string())
}

/// Makes the error for a row that cannot be read, given what is wrong with it.
pub(super) fn corrupt(store: &str, key: &[&str]) -> impl Fn(String) -> JournalError + use<> {
    let at = format!("{store}[{}]", key.join(", "));
    move |detail| JournalError::Corrupt { at: at.clone(), detail }
}

/// A key of several texts.
pub(super) fn key(parts: &[&str]) -> JsValue {
    parts.iter().copied().map(JsValue::from_str).collect::<Array>().into()
}

/// Every key that starts with these texts. An empty array is greater than every text and number, and less than any other
/// array, so it closes the range above all of them.
pub(super) fn starting_with(parts: &[&str]) -> KeyRange<JsValue> {
    KeyRange::Bound(key(parts), false, past(parts), true)
}

/// The bound above every key that starts with these texts.
pub(super) fn past(parts: &[&str]) -> JsValue {
    let upper: Array = key(parts).into();
    upper.push(&Array::new());
    upper.into()
}

/// The keys of `context`'s commits after `seq`.
pub(super) fn after(context: &ContextId, seq: u64) -> KeyRange<JsValue> {
    // Positions stay far below 2^53.
    let lower = Array::of2(&JsValue::from_str(context.as_str()), &JsValue::from_f64(seq as f64));
    KeyRange::Bound(lower.into(), true, past(&[context.as_str()]), true)
}
