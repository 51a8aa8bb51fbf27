//! Reading what is stored within one transaction, sound or not: the chain of a log, its end, and every damaged row.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use credence::history::{Chain, Damage, Found, JournalError, chain};
use credence::id::{CommitId, ContextId};
use futures::future::join;
use indexed_db_futures::KeyRange;
use indexed_db_futures::iter::ArrayMapIter;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::Transaction;
use wasm_bindgen::JsValue;

use super::connection::Connection;
use super::migrations::current::{COMMITS, HEADS, USES, VECTORS};
use super::rows::{self, HeadRow};

/// How many revisions are asked for at once, so that reading a long log lets the page draw in between.
const REVISIONS_AT_ONCE: usize = 2_000;
/// How many commits are asked for at once: before their size is known, and at most.
const COMMITS_AT_ONCE: RangeInclusive<usize> = 16..=1_024;
/// How many rows of other stores are asked for at once.
const ROWS_AT_ONCE: u32 = 4_096;

/// A damaged row, with what is needed to move it.
pub(super) struct Spoilt {
    pub(super) damage: Damage,
    /// `undefined` where nothing is stored.
    pub(super) key: JsValue,
    /// The row itself; `undefined` likewise.
    pub(super) row: JsValue,
}

/// Everything that is wrong with a stored memory.
pub(super) struct Looked {
    pub(super) chain: Chain,
    /// In order of store and key.
    pub(super) spoilt: Vec<Spoilt>,
}

/// The rows of `commits` behind a position.
struct Rows {
    found: Vec<Found>,
    /// Rows that no commit of ours can have made, and rows whose text cannot be read.
    odd: Vec<JsValue>,
}

/// One transaction's view of the stores that it covers.
pub(super) struct Look<'a> {
    pub(super) connection: &'a Connection,
    pub(super) transaction: &'a Transaction<'a>,
}

impl<'a> Look<'a> {
    pub(super) fn store(&self, name: &str) -> Result<ObjectStore<'a>, JournalError> {
        self.explained(self.transaction.object_store(name))
    }

    /// Reads in the middle of a transaction, or writes that the commit waits for.
    pub(super) fn explained<T>(&self, result: indexed_db_futures::Result<T>) -> Result<T, JournalError> {
        result.map_err(|e| self.connection.explain(e))
    }

    /// The values or keys that a request found.
    pub(super) fn list(
        &self,
        found: indexed_db_futures::Result<ArrayMapIter<JsValue>>,
    ) -> Result<Vec<JsValue>, JournalError> {
        self.explained(found.and_then(Iterator::collect))
    }

    /// The rows of `commits` behind `after`. `keep`: spoilt rows are kept to be shown.
    async fn rows(&self, context: &ContextId, after: u64, keep: bool) -> Result<Rows, JournalError> {
        let store = self.store(COMMITS)?;
        let mut rows = Rows { found: Vec::new(), odd: Vec::new() };
        let (mut revisions, mut limit) = (0, *COMMITS_AT_ONCE.start());
        let mut range = rows::after(context, after);
        loop {
            let asked = store.get_all().with_query::<JsValue, _>(range).with_limit(limit as u32).await;
            let batch = self.list(asked)?;
            let next = batch.last().filter(|_| batch.len() == limit).map(rows::key_of_commit);
            for row in batch {
                let found = rows::commit(&row, context)?;
                match found {
                    Some(found) => {
                        revisions += found.commit.as_ref().map_or(0, |commit| commit.revisions.len());
                        if keep && found.commit.is_err() {
                            rows.odd.push(row);
                        }
                        rows.found.push(found);
                    }
                    None => rows.odd.push(row),
                }
            }
            let Some(next) = next else { return Ok(rows) };
            range = KeyRange::Bound(next, true, rows::past(&[context.as_str()]), true);
            let fitting = REVISIONS_AT_ONCE * rows.found.len() / revisions.max(1);
            limit = fitting.clamp(*COMMITS_AT_ONCE.start(), *COMMITS_AT_ONCE.end());
        }
    }

    /// The row of `heads`: `Ok(None)` where there is none, the inner error where it cannot be read.
    async fn head_row(
        &self,
        context: &ContextId,
    ) -> Result<Option<Result<HeadRow, (JsValue, String)>>, JournalError> {
        let row = self.explained(self.store(HEADS)?.get::<JsValue, _, _>(context.as_str()).await)?;
        Ok(row.map(|row| match rows::head(row.clone()) {
            Ok(head) => Ok(head),
            Err(JournalError::Corrupt { detail, .. }) => Err((row, detail)),
            Err(other) => Err((row, other.to_string())),
        }))
    }

    /// The log behind `after`, whole. Needs `heads` and `commits`.
    pub(super) async fn chain(&self, context: &ContextId, after: u64) -> Result<Chain, JournalError> {
        let head = self.head_row(context).await?.and_then(Result::ok).map(|head| (head.id, head.seq));
        let Rows { found, .. } = self.rows(context, after, false).await?;
        let sound = found.first().is_none_or(|row| row.seq == after + 1 && row.commit.is_ok());
        let below = if after == 0 || sound { None } else { self.id_at(context, after).await? };
        Ok(chain(context, after, below, found, head))
    }

    /// The id of one commit, as far as its row says it.
    async fn id_at(&self, context: &ContextId, seq: u64) -> Result<Option<CommitId>, JournalError> {
        let key = rows::key_at(context, seq);
        let row = self.explained(self.store(COMMITS)?.get::<JsValue, _, _>(key).await)?;
        let found = row.map(|row| rows::commit(&row, context)).transpose()?.flatten();
        Ok(found.and_then(|found| found.commit.ok().map(|commit| commit.id).or(found.id)))
    }

    /// How the log ends: as `heads` says, or where that row is missing or spoilt, as the commits do. Needs both stores.
    pub(super) async fn end(&self, context: &ContextId) -> Result<Option<(CommitId, u64)>, JournalError> {
        if let Some(Ok(head)) = self.head_row(context).await? {
            return Ok(Some((head.id, head.seq)));
        }
        let Rows { found, .. } = self.rows(context, 0, false).await?;
        let last = chain(context, 0, None, found, None).commits.pop();
        Ok(last.map(|last| (last.id, last.seq)))
    }

    /// The different texts that stand at place `place` of the keys of `store` that begin with `prefix`, in order.
    pub(super) async fn different(&self, store: &str, prefix: &[&str]) -> Result<Vec<String>, JournalError> {
        let store = self.store(store)?;
        let mut range = rows::starting_with(prefix);
        let mut found = Vec::new();
        loop {
            let keys = store.get_all_keys().with_query::<JsValue, _>(range).with_limit(1).await;
            let Some(key) = self.list(keys)?.into_iter().next() else { return Ok(found) };
            // Keys of another make have no text there; nothing of ours comes after them.
            let Some(text) = rows::part(&key, prefix.len()) else { return Ok(found) };
            let here: Vec<&str> = prefix.iter().copied().chain([text.as_str()]).collect();
            range = KeyRange::Bound(rows::past(&here), false, rows::past(prefix), true);
            found.push(text);
        }
    }

    /// The rows of a store whose keys begin with these texts, with their keys, a batch at a time.
    pub(super) async fn each(
        &self,
        store: &str,
        prefix: &[&str],
        mut job: impl FnMut(JsValue, JsValue),
    ) -> Result<(), JournalError> {
        let store = self.store(store)?;
        let mut range = rows::starting_with(prefix);
        loop {
            // Both are asked for before either is waited for.
            let keys = store.get_all_keys().with_query::<JsValue, _>(range.clone()).with_limit(ROWS_AT_ONCE);
            let values = store.get_all().with_query::<JsValue, _>(range).with_limit(ROWS_AT_ONCE);
            let (keys, values) = join(keys.into_future(), values.into_future()).await;
            let (keys, values) = (self.list(keys)?, self.list(values)?);
            let next = keys.last().filter(|_| keys.len() == ROWS_AT_ONCE as usize).cloned();
            keys.into_iter().zip(values).for_each(|(key, value)| job(key, value));
            let Some(next) = next else { return Ok(()) };
            range = KeyRange::Bound(next, true, rows::past(prefix), true);
        }
    }

    /// Looks at every row of a memory. Needs `heads`, `commits`, `uses` and `vectors`.
    pub(super) async fn everything(&self, context: &ContextId) -> Result<Looked, JournalError> {
        let mut spoilt = Vec::new();
        let head = self.head_row(context).await?;
        let ends = head.as_ref().and_then(|head| head.as_ref().ok()).map(|head| (head.id, head.seq));
        let Rows { found, odd } = self.rows(context, 0, true).await?;
        let sound: BTreeSet<u64> = found.iter().filter(|row| row.commit.is_ok()).map(|row| row.seq).collect();
        let chain = chain(context, 0, None, found, ends);
        for row in &odd {
            if rows::position(row).is_none() {
                let detail = "no commit is stored at such a place".to_owned();
                spoilt.push(Spoilt::new(COMMITS, rows::key_of_commit(row), row.clone(), detail));
            }
        }
        let strays = chain.strays.iter().map(|seq| (*seq, "it lies behind the end of the log".to_owned()));
        for (seq, detail) in chain.broken.iter().cloned().chain(strays) {
            let kept = odd.iter().find(|row| rows::position(row) == Some(seq)).cloned();
            let row = match kept {
                // One that can be read and does not belong there was not kept.
                None if sound.contains(&seq) => {
                    let key = rows::key_at(context, seq);
                    self.explained(self.store(COMMITS)?.get::<JsValue, _, _>(key).await)?
                }
                kept => kept,
            };
            let row = row.unwrap_or(JsValue::UNDEFINED);
            spoilt.push(Spoilt::new(COMMITS, rows::key_at(context, seq), row, detail));
        }
        let key = rows::key(&[context.as_str(), context.as_str()]);
        match head {
            Some(Err((row, detail))) => spoilt.push(Spoilt::new(HEADS, key, row, detail)),
            Some(Ok(head)) => {
                let last = chain.commits.last();
                if last.map(|last| (last.id, last.seq)) != Some((head.id, head.seq)) {
                    let detail =
                        format!("it names commit {} ({}), which does not end the log", head.seq, head.id);
                    spoilt.push(Spoilt::new(HEADS, key, JsValue::UNDEFINED, detail));
                }
            }
            None if !chain.commits.is_empty() => {
                let detail = "the row that says where the log ends is missing".to_owned();
                spoilt.push(Spoilt::new(HEADS, key, JsValue::UNDEFINED, detail));
            }
            None => {}
        }
        self.each(USES, &[context.as_str()], |key, row| {
            if let Err(JournalError::Corrupt { detail, .. }) = rows::use_record(row.clone(), context, None) {
                spoilt.push(Spoilt::new(USES, key, row, detail));
            }
        })
        .await?;
        self.each(VECTORS, &[context.as_str()], |key, row| {
            if let Err(JournalError::Corrupt { detail, .. }) = rows::vector(&key, row.clone()) {
                spoilt.push(Spoilt::new(VECTORS, key, row, detail));
            }
        })
        .await?;
        // The texts of positions in the order of their numbers, and before any other.
        spoilt.sort_by_cached_key(|Spoilt { damage: Damage { store, key, .. }, .. }| {
            (store.clone(), key.parse().unwrap_or(u64::MAX), key.clone())
        });
        Ok(Looked { chain, spoilt })
    }
}

impl Spoilt {
    fn new(store: &str, key: JsValue, row: JsValue, detail: String) -> Self {
        let raw = (!row.is_undefined()).then(|| rows::raw_text(&row));
        let damage = Damage { store: store.to_owned(), key: rows::key_text(&key), detail, raw };
        Self { damage, key, row }
    }
}
