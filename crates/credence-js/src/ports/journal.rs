//! The journal port: in memory, the browser's database, or an object of the host's. The latter's contract is the face's
//! `HostJournal`; what it throws becomes a [`JournalError`] by its `code`.

#[cfg(all(test, target_arch = "wasm32"))]
mod tests;

use credence::history::{
    Commit, ContentId, ContextSummary, Journal, JournalError, MemoryJournal, StoredVector, UseRecord,
};
use credence::id::{ContextId, UseId};
use credence_browser::Tabs;
use credence_browser::journal::{BrowserJournal, Opened, Persistence};
use js_sys::{Array, Float32Array, JsString, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::{number_of, text_of, words};
use crate::argument;
use crate::failure::Failure;

/// Where a memory is kept.
#[wasm_bindgen]
pub struct JournalPort {
    pub(crate) journal: JsJournal,
    /// The tabs that share the browser's database.
    pub(crate) tabs: Option<Tabs>,
    volatile: Option<String>,
}

#[wasm_bindgen]
impl JournalPort {
    /// A journal in memory.
    pub fn memory() -> JournalPort {
        JournalPort { journal: JsJournal::Memory(MemoryJournal::new()), tabs: None, volatile: None }
    }

    /// The browser's database of this name; where the browser refuses, memory, with the reason in `volatile`.
    #[wasm_bindgen(js_name = indexedDb)]
    pub async fn indexed_db(name: JsValue) -> Result<JournalPort, JsValue> {
        let name = argument::text("name", &name)?;
        let Opened { journal, persistence } = BrowserJournal::open(&name).await.map_err(Failure::from)?;
        let (tabs, volatile) = match persistence {
            Persistence::Durable => (Some(Tabs::open(&name)), None),
            Persistence::Volatile { reason } => (None, Some(reason.to_string())),
        };
        Ok(JournalPort { journal: JsJournal::Browser(journal), tabs, volatile })
    }

    /// An object with the methods of `HostJournal`.
    pub fn host(object: HostJournal) -> JournalPort {
        JournalPort { journal: JsJournal::Host(object), tabs: None, volatile: None }
    }

    /// Why what is appended does not outlive the page, where the browser's database could not be used.
    #[wasm_bindgen(getter)]
    pub fn volatile(&self) -> Option<String> {
        self.volatile.clone()
    }
}

#[wasm_bindgen]
extern "C" {
    /// The host's object.
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "object")]
    pub type HostJournal;
    #[wasm_bindgen(method, catch)]
    fn contexts(this: &HostJournal) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &HostJournal, context: &str, after: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn append(this: &HostJournal, entry: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = appendUse)]
    fn append_use(this: &HostJournal, entry: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn uses(this: &HostJournal, context: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn erase(this: &HostJournal, context: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = saveVectors)]
    fn save_vectors(
        this: &HostJournal,
        context: &str,
        space: &str,
        vectors: &Array,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn vectors(this: &HostJournal, context: &str, space: &str) -> Result<JsValue, JsValue>;
}

impl HostJournal {
    fn has(&self, method: &str) -> bool {
        Reflect::get(self, &method.into()).is_ok_and(|method| method.is_function())
    }
}

/// Whichever journal there is.
#[derive(Clone)]
pub(crate) enum JsJournal {
    Memory(MemoryJournal),
    Browser(BrowserJournal),
    Host(HostJournal),
}

/// Waits for what a host's method returned, promise or not.
async fn settled(
    returned: Result<JsValue, JsValue>,
    context: Option<&ContextId>,
) -> Result<JsValue, JournalError> {
    let waited = match returned {
        Ok(value) => JsFuture::from(Promise::resolve(&value)).await,
        Err(thrown) => Err(thrown),
    };
    waited.map_err(|thrown| journal_error(&thrown, context))
}

fn journal_error(thrown: &JsValue, context: Option<&ContextId>) -> JournalError {
    let detail = words(thrown);
    let whole = |name| number_of(thrown, name).map_or(0, |number| number.max(0.0) as u64);
    match (text_of(thrown, "code").as_deref(), context) {
        (Some("store-stale"), Some(context)) => {
            JournalError::Stale { context: context.clone(), expected: 0, found: whole("found") }
        }
        (Some("store-quota"), _) => JournalError::QuotaExceeded,
        (Some("store-corrupt"), _) => {
            let at = text_of(thrown, "at").unwrap_or_else(|| "of the host's journal".into());
            // The host's message stands alone; the core's names the place itself.
            let detail = detail.strip_prefix(&format!("{at}: ")).unwrap_or(&detail).to_owned();
            JournalError::Corrupt { at, detail }
        }
        (Some("store-newer-schema"), _) => {
            let schema = |name| u32::try_from(whole(name)).unwrap_or(u32::MAX);
            JournalError::NewerSchema { found: schema("found"), supported: schema("supported") }
        }
        (Some("store-blocked"), _) => JournalError::Blocked,
        (Some("store-superseded"), _) => JournalError::Superseded,
        (Some("store-unavailable"), _) => JournalError::Unavailable { detail },
        _ => JournalError::Backend { detail },
    }
}

fn corrupt(at: &str, detail: impl ToString) -> JournalError {
    JournalError::Corrupt { at: at.to_owned(), detail: detail.to_string() }
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Fails for frozen objects alone, and this one is fresh.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}

/// The elements of an array that a host returned.
fn elements(method: &str, value: JsValue) -> Result<Vec<JsValue>, JournalError> {
    if !Array::is_array(&value) {
        return Err(JournalError::Backend {
            detail: format!("the journal's `{method}` did not return an array"),
        });
    }
    Ok(Array::from(&value).to_vec())
}

fn parsed<T: serde::de::DeserializeOwned>(method: &str, value: JsValue) -> Result<Vec<T>, JournalError> {
    let read = |(n, value): (usize, JsValue)| {
        let at = format!("{method}[{n}]");
        let text: JsString = value.dyn_into().map_err(|_| corrupt(&at, "a string of JSON was expected"))?;
        serde_json::from_str(&String::from(text)).map_err(|error| corrupt(&at, error))
    };
    elements(method, value)?.into_iter().enumerate().map(read).collect()
}

fn json<T: serde::Serialize>(value: &T) -> Result<JsValue, JournalError> {
    let text =
        serde_json::to_string(value).map_err(|error| JournalError::Backend { detail: error.to_string() })?;
    Ok(text.into())
}

impl HostJournal {
    async fn list_contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        let listed = elements("contexts", settled(self.contexts(), None).await?)?;
        let summary = |(n, entry): (usize, JsValue)| {
            let at = format!("contexts[{n}]");
            let part = |name: &str| {
                text_of(&entry, name).ok_or_else(|| corrupt(&at, format!("`{name}` is missing or no string")))
            };
            Ok(ContextSummary {
                context: ContextId::new(part("context")?).map_err(|error| corrupt(&at, error))?,
                head: part("head")?.parse().map_err(|error| corrupt(&at, error))?,
                seq: number_of(&entry, "seq").ok_or_else(|| corrupt(&at, "`seq` is missing or no number"))?
                    as u64,
            })
        };
        let mut contexts: Vec<ContextSummary> =
            listed.into_iter().enumerate().map(summary).collect::<Result<_, JournalError>>()?;
        contexts.sort_by(|a, b| a.context.cmp(&b.context));
        Ok(contexts)
    }

    async fn append_commit(&self, commit: &Commit) -> Result<(), JournalError> {
        let entry = object(&[
            ("context", commit.context.as_str().into()),
            ("seq", (commit.seq as f64).into()),
            ("id", commit.id.to_string().into()),
            ("parent", commit.parent.map_or(JsValue::NULL, |parent| parent.to_string().into())),
            ("json", json(commit)?),
        ]);
        settled(self.append(&entry), Some(&commit.context)).await.map(drop).map_err(|error| match error {
            JournalError::Stale { context, found, .. } => {
                JournalError::Stale { context, expected: commit.seq.saturating_sub(1), found }
            }
            other => other,
        })
    }

    async fn read_uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        let mut uses: Vec<UseRecord> =
            parsed("uses", settled(self.uses(context.as_str()), Some(context)).await?)?;
        uses.sort_by_key(|record| (record.at, record.id));
        Ok(uses)
    }

    async fn read_vectors(
        &self,
        context: &ContextId,
        space: &str,
    ) -> Result<Vec<StoredVector>, JournalError> {
        // A journal that keeps none is one in which none are found: they are computed again.
        if !self.has("vectors") {
            return Ok(Vec::new());
        }
        let listed =
            elements("vectors", settled(self.vectors(context.as_str(), space), Some(context)).await?)?;
        let vector = |(n, entry): (usize, JsValue)| {
            let at = format!("vectors[{n}]");
            let text =
                text_of(&entry, "text").ok_or_else(|| corrupt(&at, "`text` is missing or no string"))?;
            let text: ContentId = serde_json::from_value(text.into()).map_err(|error| corrupt(&at, error))?;
            let vector =
                Reflect::get(&entry, &"vector".into()).ok().and_then(|v| v.dyn_into::<Float32Array>().ok());
            let vector = vector.ok_or_else(|| corrupt(&at, "`vector` is missing or no Float32Array"))?;
            Ok(StoredVector { text, vector: vector.to_vec() })
        };
        listed.into_iter().enumerate().map(vector).collect()
    }

    async fn keep_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        if !self.has("saveVectors") {
            return Ok(());
        }
        let list = Array::new();
        for StoredVector { text, vector } in vectors {
            let vector = Float32Array::from(vector.as_slice());
            list.push(&object(&[("text", text.as_str().into()), ("vector", vector.into())]));
        }
        settled(self.save_vectors(context.as_str(), space, &list), Some(context)).await.map(drop)
    }
}

impl Journal for JsJournal {
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        match self {
            Self::Memory(journal) => journal.contexts().await,
            Self::Browser(journal) => journal.contexts().await,
            Self::Host(host) => host.list_contexts().await,
        }
    }
    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        match self {
            Self::Memory(journal) => journal.read(context, after).await,
            Self::Browser(journal) => journal.read(context, after).await,
            Self::Host(host) => {
                parsed("read", settled(host.read(context.as_str(), after as f64), Some(context)).await?)
            }
        }
    }
    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        match self {
            Self::Memory(journal) => journal.append(commit).await,
            Self::Browser(journal) => journal.append(commit).await,
            Self::Host(host) => host.append_commit(commit).await,
        }
    }
    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        match self {
            Self::Memory(journal) => journal.append_use(record).await,
            Self::Browser(journal) => journal.append_use(record).await,
            Self::Host(host) => {
                let entry = object(&[
                    ("context", record.context.as_str().into()),
                    ("id", record.id.to_string().into()),
                    ("json", json(record)?),
                ]);
                settled(host.append_use(&entry), Some(&record.context)).await.map(drop)
            }
        }
    }
    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        match self {
            Self::Memory(journal) => journal.use_record(context, id).await,
            Self::Browser(journal) => journal.use_record(context, id).await,
            Self::Host(host) => Ok(host.read_uses(context).await?.into_iter().find(|record| record.id == id)),
        }
    }
    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        match self {
            Self::Memory(journal) => journal.uses(context).await,
            Self::Browser(journal) => journal.uses(context).await,
            Self::Host(host) => host.read_uses(context).await,
        }
    }
    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        match self {
            Self::Memory(journal) => journal.save_vectors(context, space, vectors).await,
            Self::Browser(journal) => journal.save_vectors(context, space, vectors).await,
            Self::Host(host) => host.keep_vectors(context, space, vectors).await,
        }
    }
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        match self {
            Self::Memory(journal) => journal.vectors(context, space).await,
            Self::Browser(journal) => journal.vectors(context, space).await,
            Self::Host(host) => host.read_vectors(context, space).await,
        }
    }
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        match self {
            Self::Memory(journal) => journal.erase(context).await,
            Self::Browser(journal) => journal.erase(context).await,
            Self::Host(host) => settled(host.erase(context.as_str()), Some(context)).await.map(drop),
        }
    }
}
