//! The journal port: in memory, the browser's database, or an object of the host's. The latter's contract is the face's
//! `HostJournal`; what it throws becomes a [`JournalError`] by its `code`.

#[cfg(all(test, target_arch = "wasm32"))]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use credence::history::{
    Cause, Chain, Commit, ContentId, Contents, ContextSummary, Damage, Found, Journal, JournalError,
    MemoryJournal, Rewrite, SCHEMA_VERSION, StoredVector, UseRecord, chain,
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
    emptied: bool,
}

impl JournalPort {
    /// One that is no database of the browser.
    fn of(journal: JsJournal) -> Self {
        Self { journal, tabs: None, volatile: None, emptied: false }
    }
}

#[wasm_bindgen]
impl JournalPort {
    /// A journal in memory.
    pub fn memory() -> JournalPort {
        Self::of(JsJournal::Memory(MemoryJournal::new()))
    }

    /// The browser's database of this name; where the browser refuses, memory, with the reason in `volatile`.
    #[wasm_bindgen(js_name = indexedDb)]
    pub async fn indexed_db(name: JsValue) -> Result<JournalPort, JsValue> {
        let name = argument::text("name", &name)?;
        let Opened { journal, persistence, emptied } =
            BrowserJournal::open(&name).await.map_err(Failure::from)?;
        let (tabs, volatile) = match persistence {
            Persistence::Durable => (Some(Tabs::open(&name)), None),
            Persistence::Volatile { reason } => (None, Some(reason.to_string())),
        };
        Ok(JournalPort { journal: JsJournal::Browser(journal), tabs, volatile, emptied })
    }

    /// An object with the methods of `HostJournal`.
    pub fn host(object: HostJournal) -> JournalPort {
        Self::of(JsJournal::Host(object))
    }

    /// Why what is appended does not outlive the page, where the browser's database could not be used.
    #[wasm_bindgen(getter)]
    pub fn volatile(&self) -> Option<String> {
        self.volatile.clone()
    }

    /// Whether the browser has emptied its database, which held something before.
    #[wasm_bindgen(getter)]
    pub fn emptied(&self) -> bool {
        self.emptied
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
    #[wasm_bindgen(method, catch)]
    fn spaces(this: &HostJournal, context: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn rewrite(this: &HostJournal, change: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn replace(
        this: &HostJournal,
        context: &str,
        expected: f64,
        contents: &Object,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn repair(this: &HostJournal, change: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn damages(this: &HostJournal, context: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAside)]
    fn set_aside(this: &HostJournal, context: &str) -> Result<JsValue, JsValue>;
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

/// The one field of a commit whose place and meaning never change.
#[derive(serde::Deserialize)]
struct Form {
    schema: u32,
}

/// A commit as a host is given it.
fn entry(commit: &Commit) -> Result<Object, JournalError> {
    Ok(object(&[
        ("context", commit.context.as_str().into()),
        ("seq", (commit.seq as f64).into()),
        ("id", commit.id.to_string().into()),
        ("parent", commit.parent.map_or(JsValue::NULL, |parent| parent.to_string().into())),
        ("json", json(commit)?),
    ]))
}

/// A use record as a host is given it.
fn use_entry(record: &UseRecord) -> Result<Object, JournalError> {
    Ok(object(&[
        ("context", record.context.as_str().into()),
        ("id", record.id.to_string().into()),
        ("json", json(record)?),
    ]))
}

/// Damage as a host tells of it.
fn damage(row: &JsValue) -> Damage {
    let part = |name: &str| text_of(row, name).unwrap_or_default();
    Damage { store: part("store"), key: part("key"), detail: part("detail"), raw: text_of(row, "raw") }
}

fn list<T>(all: &[T], one: impl Fn(&T) -> Result<Object, JournalError>) -> Result<JsValue, JournalError> {
    let made: Array = all.iter().map(one).collect::<Result<_, _>>()?;
    Ok(made.into())
}

fn vector_list(vectors: &[StoredVector]) -> Array {
    let one = |StoredVector { text, vector }: &StoredVector| {
        let vector = Float32Array::from(vector.as_slice());
        object(&[("text", text.as_str().into()), ("vector", vector.into())])
    };
    vectors.iter().map(one).collect()
}

/// Completes a host's word that the head moved by what the commit was decided on.
fn stale(commit: &Commit) -> impl Fn(JournalError) -> JournalError {
    let expected = commit.seq.saturating_sub(1);
    move |error| match error {
        JournalError::Stale { context, found, .. } => JournalError::Stale { context, expected, found },
        other => other,
    }
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

    /// What the host stores behind `after`, as a chain, and the texts of the commits that cannot be read.
    async fn read_chain(
        &self,
        context: &ContextId,
        after: u64,
    ) -> Result<(Chain, BTreeMap<u64, String>), JournalError> {
        let listed =
            elements("read", settled(self.read(context.as_str(), after as f64), Some(context)).await?)?;
        let (mut found, mut broken, mut last) = (Vec::new(), BTreeMap::new(), after);
        for (n, value) in listed.into_iter().enumerate() {
            let text: JsString = value
                .dyn_into()
                .map_err(|_| corrupt(&format!("read[{n}]"), "a string of JSON was expected"))?;
            let text = String::from(text);
            let commit: Result<Commit, String> = match serde_json::from_str(&text) {
                Ok(commit) => Ok(commit),
                Err(error) => match serde_json::from_str::<Form>(&text) {
                    Ok(Form { schema }) if schema > SCHEMA_VERSION => {
                        return Err(JournalError::NewerSchema { found: schema, supported: SCHEMA_VERSION });
                    }
                    _ => Err(error.to_string()),
                },
            };
            // A text that cannot be read stands where the one before it ends; what is missing shows at the next.
            let seq = commit.as_ref().map_or(last + 1, |commit| commit.seq);
            let commit = commit.and_then(|commit| match commit.context == *context {
                true => Ok(commit),
                false => Err(format!("a commit of `{}` is stored there", commit.context)),
            });
            if commit.is_err() {
                broken.insert(seq, text);
            }
            last = seq;
            found.push(Found { seq, id: None, at: None, commit });
        }
        // Nothing behind it says what a spoilt last commit was called; the host may know.
        let end = match found.last() {
            Some(Found { seq, commit: Err(_), .. }) => {
                let listed = self.list_contexts().await.unwrap_or_default();
                let ours = listed.into_iter().find(|it| it.context == *context && it.seq == *seq);
                ours.map(|listed| (listed.head, listed.seq))
            }
            _ => None,
        };
        Ok((chain(context, after, None, found, end), broken))
    }

    async fn append_commit(&self, commit: &Commit) -> Result<(), JournalError> {
        settled(self.append(&entry(commit)?), Some(&commit.context)).await.map(drop).map_err(stale(commit))
    }

    /// Refuses what this host cannot do.
    fn able(&self, method: &str, to: &str) -> Result<(), JournalError> {
        if self.has(method) {
            return Ok(());
        }
        let detail =
            format!("this journal has no function `{method}`, so it cannot {to}; add it to the journal");
        Err(JournalError::Unavailable { detail })
    }

    async fn list_spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        if !self.has("vectors") {
            return Ok(Vec::new());
        }
        self.able("spaces", "list the vectors that it keeps")?;
        let listed = elements("spaces", settled(self.spaces(context.as_str()), Some(context)).await?)?;
        let mut spaces: Vec<String> = listed.iter().filter_map(JsValue::as_string).collect();
        spaces.sort();
        spaces.dedup();
        Ok(spaces)
    }

    async fn change_history(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        self.able("rewrite", "change what is stored; nothing was written")?;
        let appended = &rewrite.appended;
        let ids = rewrite.dropped_uses.iter().map(|id| JsValue::from(id.to_string())).collect::<Array>();
        let texts =
            rewrite.dropped_vectors.iter().map(|text| JsValue::from(text.as_str())).collect::<Array>();
        let change = object(&[
            ("appended", entry(appended)?.into()),
            ("commits", list(&rewrite.commits, entry)?),
            ("uses", list(&rewrite.uses, use_entry)?),
            ("droppedUses", ids.into()),
            ("droppedVectors", texts.into()),
            ("dropsSetAside", (appended.cause == Cause::Erasure).into()),
        ]);
        settled(self.rewrite(&change), Some(&appended.context)).await.map(drop).map_err(stale(appended))
    }

    async fn replace_all(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        self.able("replace", "store a whole memory at once; nothing was written")?;
        let spaces = Array::new();
        for (space, kept) in &contents.vectors {
            spaces.push(&object(&[("space", space.into()), ("vectors", vector_list(kept).into())]));
        }
        let whole = object(&[
            ("commits", list(&contents.commits, entry)?),
            ("uses", list(&contents.uses, use_entry)?),
            ("spaces", spaces.into()),
        ]);
        let returned = self.replace(context.as_str(), expected as f64, &whole);
        settled(returned, Some(context)).await.map(drop).map_err(|error| match error {
            JournalError::Stale { context, found, .. } => JournalError::Stale { context, expected, found },
            other => other,
        })
    }

    /// Commits and use records that cannot be read, and what the host knows of beside them. Vectors are derived.
    async fn list_damages(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        let (chain, mut texts) = self.read_chain(context, 0).await?;
        let mut damages = Vec::new();
        for (seq, detail) in chain.broken {
            let raw = texts.remove(&seq);
            damages.push(Damage { store: "commits".into(), key: seq.to_string(), detail, raw });
        }
        let uses = elements("uses", settled(self.uses(context.as_str()), Some(context)).await?)?;
        for (n, value) in uses.into_iter().enumerate() {
            let raw = value.as_string();
            if let Err(error) = serde_json::from_str::<UseRecord>(raw.as_deref().unwrap_or_default()) {
                let (key, detail) = (n.to_string(), error.to_string());
                damages.push(Damage { store: "uses".into(), key, detail, raw });
            }
        }
        if self.has("damages") {
            let known = elements("damages", settled(self.damages(context.as_str()), Some(context)).await?)?;
            damages.extend(known.iter().map(damage));
        }
        Ok(damages)
    }

    async fn mend(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        self.able("repair", "move damaged records out of the way; nothing was written")?;
        let (chain, _) = self.read_chain(&appended.context, 0).await?;
        let broken: BTreeSet<u64> = chain.broken.iter().map(|(seq, _)| *seq).collect();
        let meant = |seq: &u64| damages.iter().any(|d| d.store == "commits" && d.key == seq.to_string());
        let stand_ins: Vec<Commit> = chain
            .commits
            .into_iter()
            .filter(|commit| broken.contains(&commit.seq) && meant(&commit.seq))
            .collect();
        let damaged = |damage: &Damage| {
            Ok(object(&[
                ("store", damage.store.as_str().into()),
                ("key", damage.key.as_str().into()),
                ("detail", damage.detail.as_str().into()),
                ("raw", damage.raw.as_deref().map_or(JsValue::NULL, JsValue::from)),
            ]))
        };
        let change = object(&[
            ("appended", entry(appended)?.into()),
            ("damages", list(damages, damaged)?),
            ("standIns", list(&stand_ins, entry)?),
        ]);
        settled(self.repair(&change), Some(&appended.context)).await.map(drop).map_err(stale(appended))
    }

    async fn list_set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        if !self.has("setAside") {
            return Ok(Vec::new());
        }
        let listed = elements("setAside", settled(self.set_aside(context.as_str()), Some(context)).await?)?;
        Ok(listed.iter().map(damage).collect())
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
        settled(self.save_vectors(context.as_str(), space, &vector_list(vectors)), Some(context))
            .await
            .map(drop)
    }
}

/// Asks whichever journal there is; a host's by its own way.
macro_rules! ask {
    ($self:ident.$method:ident($($argument:expr),*), $host:ident => $by_host:expr) => {
        match $self {
            JsJournal::Memory(journal) => journal.$method($($argument),*).await,
            JsJournal::Browser(journal) => journal.$method($($argument),*).await,
            JsJournal::Host($host) => $by_host,
        }
    };
}

impl Journal for JsJournal {
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError> {
        ask!(self.head(context), host => {
            Ok(host.list_contexts().await?.into_iter().find(|listed| listed.context == *context))
        })
    }
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        ask!(self.contexts(), host => host.list_contexts().await)
    }
    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        ask!(self.read(context, after), host => Ok(host.read_chain(context, after).await?.0.commits))
    }
    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        ask!(self.append(commit), host => host.append_commit(commit).await)
    }
    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        ask!(self.append_use(record), host => {
            settled(host.append_use(&use_entry(record)?), Some(&record.context)).await.map(drop)
        })
    }
    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        ask!(self.use_record(context, id), host => {
            Ok(host.read_uses(context).await?.into_iter().find(|record| record.id == id))
        })
    }
    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        ask!(self.uses(context), host => host.read_uses(context).await)
    }
    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        ask!(self.save_vectors(context, space, vectors), host => host.keep_vectors(context, space, vectors).await)
    }
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        ask!(self.vectors(context, space), host => host.read_vectors(context, space).await)
    }
    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        ask!(self.spaces(context), host => host.list_spaces(context).await)
    }
    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        ask!(self.rewrite(rewrite), host => host.change_history(rewrite).await)
    }
    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        ask!(self.replace(context, expected, contents), host => {
            host.replace_all(context, expected, contents).await
        })
    }
    async fn inspect(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        ask!(self.inspect(context), host => host.list_damages(context).await)
    }
    async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        ask!(self.repair(appended, damages), host => {
            if damages.is_empty() { host.append_commit(appended).await } else { host.mend(appended, damages).await }
        })
    }
    async fn set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        ask!(self.set_aside(context), host => host.list_set_aside(context).await)
    }
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        ask!(self.erase(context), host => settled(host.erase(context.as_str()), Some(context)).await.map(drop))
    }
}
