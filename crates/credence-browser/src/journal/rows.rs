//! The stored forms. Beside the JSON body, a row holds what its key and index need and what a person who looks into the
//! database wants to see; the body alone is the truth.

use credence::history::{
    Commit, ContentId, Damage, Found, JournalError, SCHEMA_VERSION, StoredVector, UseRecord,
};
use credence::id::{CommitId, ContextId, UseId};
use credence::time::Timestamp;
use indexed_db_futures::{DeserialiseFromJs, KeyRange};
use js_sys::{Array, Float32Array, Object, Reflect};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};

use super::migrations::current::{HEADS, META, USES, VECTORS};

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
    let context = field(&row, "context").as_string();
    decode(row).map_err(corrupt(HEADS, &[&context.unwrap_or_default()]))
}

/// A field of a row, `undefined` where there is none.
fn field(row: &JsValue, name: &str) -> JsValue {
    Reflect::get(row, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// The position that a row of `commits` is stored at; `None` for a key that no commit of ours has.
pub(super) fn position(row: &JsValue) -> Option<u64> {
    let seq = field(row, "seq").as_f64()?;
    (seq >= 1.0 && seq.fract() == 0.0 && seq < 9_007_199_254_740_992.0).then_some(seq as u64)
}

/// Reads a row of `commits`; `None` where [`position`] has none.
///
/// # Errors
/// [`JournalError::NewerSchema`]: that text is sound, and not for us to judge.
pub(super) fn commit(row: &JsValue, context: &ContextId) -> Result<Option<Found>, JournalError> {
    let Some(seq) = position(row) else { return Ok(None) };
    let id = field(row, "id").as_string().and_then(|id| id.parse().ok());
    // Milliseconds are whole and far below 2^53.
    let at = field(row, "at").as_f64().map(|at| Timestamp(at as i64));
    let commit = match field(row, "body").as_string() {
        None => Err("it has no text".to_owned()),
        Some(body) => read_commit(&body, context, seq)?,
    };
    Ok(Some(Found { seq, id, at, commit }))
}

/// Reads a commit's text, or says why it cannot be.
fn read_commit(body: &str, context: &ContextId, seq: u64) -> Result<Result<Commit, String>, JournalError> {
    let commit: Commit = match serde_json::from_str(body) {
        Ok(commit) => commit,
        Err(e) => {
            return match serde_json::from_str(body) {
                Ok(Form { schema }) if schema > SCHEMA_VERSION => {
                    Err(JournalError::NewerSchema { found: schema, supported: SCHEMA_VERSION })
                }
                _ => Ok(Err(e.to_string())),
            };
        }
    };
    Ok(if commit.seq != seq || commit.context != *context {
        Err(format!("commit {} of `{}` is stored there", commit.seq, commit.context))
    } else {
        Ok(commit)
    })
}

/// The key of a row of `commits`.
pub(super) fn key_of_commit(row: &JsValue) -> JsValue {
    Array::of2(&field(row, "context"), &field(row, "seq")).into()
}

/// The key of the commit at a position.
pub(super) fn key_at(context: &ContextId, seq: u64) -> JsValue {
    // Positions stay far below 2^53.
    Array::of2(&JsValue::from_str(context.as_str()), &JsValue::from_f64(seq as f64)).into()
}

/// The text at a place of a key.
pub(super) fn part(key: &JsValue, place: usize) -> Option<String> {
    Array::from(key).get(u32::try_from(place).ok()?).as_string()
}

/// What a row holds, as text: its body, or all of it as JSON.
pub(super) fn raw_text(row: &JsValue) -> String {
    field(row, "body").as_string().unwrap_or_else(|| json_text(row))
}

/// The bytes of what a row holds: a vector's numbers, otherwise its text.
pub(super) fn bytes(row: &JsValue) -> u64 {
    match row.dyn_ref::<Float32Array>() {
        Some(numbers) => u64::from(numbers.byte_length()),
        None => raw_text(row).len() as u64,
    }
}

/// A key without its context, as text: `7`, `U…`, or the parts as JSON.
pub(super) fn key_text(key: &JsValue) -> String {
    let parts = Array::from(key).slice(1, u32::MAX);
    match parts.length() {
        1 => parts.get(0).as_string().unwrap_or_else(|| json_text(&parts.get(0))),
        _ => json_text(&parts),
    }
}

/// Any value as text, for a person to look at.
pub(super) fn json_text(value: &JsValue) -> String {
    let json = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    json.unwrap_or_else(|| crate::global::words(value))
}

/// The row of `set_aside` for a damaged row.
pub(super) fn aside(context: &ContextId, seq: u64, place: usize, damage: &Damage, row: &JsValue) -> JsValue {
    let fields = [
        ("context", JsValue::from_str(context.as_str())),
        // Both stay far below 2^53.
        ("seq", JsValue::from_f64(seq as f64)),
        ("place", JsValue::from_f64(place as f64)),
        ("store", JsValue::from_str(&damage.store)),
        ("key", JsValue::from_str(&damage.key)),
        ("detail", JsValue::from_str(&damage.detail)),
        ("raw", damage.raw.as_deref().map_or(JsValue::UNDEFINED, JsValue::from_str)),
        ("row", row.clone()),
    ];
    let made = Object::new();
    for (name, value) in fields {
        // Fails for frozen objects alone, and this one is fresh.
        let _ = Reflect::set(&made, &name.into(), &value);
    }
    made.into()
}

/// Reads a row of `set_aside`.
pub(super) fn set_aside(row: &JsValue) -> Damage {
    let text = |name| field(row, name).as_string();
    let part = |name| text(name).unwrap_or_default();
    Damage { store: part("store"), key: part("key"), detail: part("detail"), raw: text("raw") }
}

/// A row of `meta`.
#[derive(Serialize, Deserialize)]
pub(super) struct MetaRow {
    pub(super) context: ContextId,
    pub(super) name: String,
    pub(super) value: String,
}

/// Reads a row of `meta`.
pub(super) fn meta(row: JsValue) -> Result<MetaRow, JournalError> {
    decode(row).map_err(corrupt(META, &[]))
}

/// Reads a row of `uses`; `id` as far as it is known.
pub(super) fn use_record(
    row: JsValue,
    context: &ContextId,
    id: Option<UseId>,
) -> Result<UseRecord, JournalError> {
    let stored = field(&row, "id").as_string();
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
    KeyRange::Bound(key_at(context, seq), true, past(&[context.as_str()]), true)
}
