//! The journal on IndexedDB.

use std::ops::RangeInclusive;
use std::rc::Rc;

use credence::history::{Commit, ContextSummary, Journal, JournalError, StoredVector, UseRecord};
use credence::id::{ContextId, UseId};
use futures::future::join;
use indexed_db_futures::KeyRange;
use indexed_db_futures::iter::ArrayMapIter;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionDurability};
use indexed_db_futures::typed_array::Float32ArraySlice;
use wasm_bindgen::JsValue;

use super::connection::Connection;
use super::migrations::current::{COMMITS, HEADS, STORES, USES, USES_BY_TIME, VECTORS};
use super::rows::{self, CommitRow, HeadRow, UseRow};

/// How many revisions are asked for at once, so that reading a long log lets the page draw in between.
const REVISIONS_AT_ONCE: usize = 2_000;
/// How many commits are asked for at once: before their size is known, and at most.
const COMMITS_AT_ONCE: RangeInclusive<usize> = 16..=1_024;
/// How many vectors are asked for at once.
const VECTORS_AT_ONCE: u32 = 4096;

/// What memory itself is written with: the browser answers when the disk has it.
const FOR_GOOD: TransactionDurability = TransactionDurability::Strict;
/// What can be lost with the power without harm is written with: it is complete as soon as the system has it.
const IN_PASSING: TransactionDurability = TransactionDurability::Relaxed;

/// Commit logs in one IndexedDB database. Clones share a connection, which closes with the last of them.
#[derive(Clone)]
pub struct IndexedDbJournal {
    connection: Rc<Connection>,
}

impl IndexedDbJournal {
    /// Opens the database of this name, creating or upgrading it.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`] where the browser has no IndexedDB or refuses it, [`JournalError::NewerSchema`] for a
    /// later release's database, [`JournalError::Blocked`] when another tab holds an older one open and does not give
    /// way within seconds, [`JournalError::Corrupt`] for a database that is not ours.
    pub async fn open(name: &str) -> Result<Self, JournalError> {
        Ok(Self { connection: Rc::new(Connection::open(name).await?) })
    }

    fn store<'a>(
        &self,
        transaction: &'a Transaction<'_>,
        name: &str,
    ) -> Result<ObjectStore<'a>, JournalError> {
        transaction.object_store(name).map_err(|e| self.connection.explain(e))
    }

    /// Reads in the middle of a transaction, or writes that the commit waits for.
    fn explained<T>(&self, result: indexed_db_futures::Result<T>) -> Result<T, JournalError> {
        result.map_err(|e| self.connection.explain(e))
    }

    /// The values or keys that a request found.
    fn list(
        &self,
        found: indexed_db_futures::Result<ArrayMapIter<JsValue>>,
    ) -> Result<Vec<JsValue>, JournalError> {
        self.explained(found.and_then(Iterator::collect))
    }
}

impl Journal for IndexedDbJournal {
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        let transaction = self.connection.reading(HEADS)?;
        let heads = self.store(&transaction, HEADS)?;
        let mut contexts = Vec::new();
        for row in self.list(heads.get_all().await)? {
            let HeadRow { context, id, seq } = rows::head(row)?;
            contexts.push(ContextSummary { context, head: id, seq });
        }
        // IndexedDB orders texts by UTF-16 unit.
        contexts.sort_by(|a, b| a.context.cmp(&b.context));
        Ok(contexts)
    }

    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        let transaction = self.connection.reading(COMMITS)?;
        let store = self.store(&transaction, COMMITS)?;
        let mut commits: Vec<Commit> = Vec::new();
        let mut revisions = 0;
        let mut limit = *COMMITS_AT_ONCE.start();
        loop {
            let done = after + commits.len() as u64;
            let range = rows::after(context, done);
            let found = store.get_all().with_query::<JsValue, _>(range).with_limit(limit as u32).await;
            let batch = self.list(found)?;
            let last = batch.len() < limit;
            for (row, seq) in batch.into_iter().zip(done + 1..) {
                let commit = rows::commit(row, context, seq)?;
                revisions += commit.revisions.len();
                commits.push(commit);
            }
            if last {
                return Ok(commits);
            }
            let fitting = REVISIONS_AT_ONCE * commits.len() / revisions.max(1);
            limit = fitting.clamp(*COMMITS_AT_ONCE.start(), *COMMITS_AT_ONCE.end());
        }
    }

    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        let row = CommitRow::new(commit)?;
        let transaction = self.connection.writing([HEADS, COMMITS], FOR_GOOD)?;
        let heads = self.store(&transaction, HEADS)?;
        let head = self.explained(heads.get::<JsValue, _, _>(commit.context.as_str()).await)?;
        let head = head.map(rows::head).transpose()?;
        let found = head.as_ref().map_or(0, |head| head.seq);
        if commit.seq != found + 1 || commit.parent != head.map(|head| head.id) {
            let expected = commit.seq.saturating_sub(1);
            return Err(JournalError::Stale { context: commit.context.clone(), expected, found });
        }
        // Neither is awaited by itself: an error of either ends the transaction, and so comes out of its commit.
        let commits = self.store(&transaction, COMMITS)?;
        self.explained(commits.add(row).serde())?;
        let head = HeadRow { context: commit.context.clone(), id: commit.id, seq: commit.seq };
        self.explained(heads.put(head).serde())?;
        self.connection.commit(transaction).await
    }

    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        let row = UseRow::new(record)?;
        let transaction = self.connection.writing(USES, IN_PASSING)?;
        self.explained(self.store(&transaction, USES)?.put(row).serde())?;
        self.connection.commit(transaction).await
    }

    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        let transaction = self.connection.reading(USES)?;
        let uses = self.store(&transaction, USES)?;
        let key = rows::key(&[context.as_str(), &id.to_string()]);
        let row = self.explained(uses.get::<JsValue, _, _>(key).await)?;
        row.map(|row| rows::use_record(row, context, Some(id))).transpose()
    }

    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        let transaction = self.connection.reading(USES)?;
        let uses = self.store(&transaction, USES)?;
        let by_time = self.explained(uses.index(USES_BY_TIME))?;
        let range = rows::starting_with(&[context.as_str()]);
        let found = self.list(by_time.get_all().with_query::<JsValue, _>(range).await)?;
        found.into_iter().map(|row| rows::use_record(row, context, None)).collect()
    }

    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        let transaction = self.connection.writing(VECTORS, IN_PASSING)?;
        let store = self.store(&transaction, VECTORS)?;
        for StoredVector { text, vector } in vectors {
            let key = rows::key(&[context.as_str(), space, text.as_str()]);
            let put = store.put(Float32ArraySlice::new(vector)).with_key(key).without_key_type();
            self.explained(put.primitive())?;
        }
        self.connection.commit(transaction).await
    }

    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        let transaction = self.connection.reading(VECTORS)?;
        let store = self.store(&transaction, VECTORS)?;
        let mut range = rows::starting_with(&[context.as_str(), space]);
        let mut vectors = Vec::new();
        loop {
            // Both are asked for before either is waited for.
            let keys =
                store.get_all_keys().with_query::<JsValue, _>(range.clone()).with_limit(VECTORS_AT_ONCE);
            let values = store.get_all().with_query::<JsValue, _>(range).with_limit(VECTORS_AT_ONCE);
            let (keys, values) = join(keys.into_future(), values.into_future()).await;
            let (keys, values) = (self.list(keys)?, self.list(values)?);
            let next = keys.last().cloned();
            let last = keys.len() < VECTORS_AT_ONCE as usize;
            for (key, value) in keys.iter().zip(values) {
                vectors.push(rows::vector(key, value)?);
            }
            match next {
                Some(key) if !last => {
                    range = KeyRange::Bound(key, true, rows::past(&[context.as_str(), space]), true)
                }
                _ => return Ok(vectors),
            }
        }
    }

    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        let transaction = self.connection.writing(STORES, FOR_GOOD)?;
        for store in [COMMITS, USES, VECTORS] {
            let range = rows::starting_with(&[context.as_str()]);
            self.explained(self.store(&transaction, store)?.delete::<JsValue, _>(range).primitive())?;
        }
        self.explained(self.store(&transaction, HEADS)?.delete(context.as_str()).primitive())?;
        self.connection.commit(transaction).await
    }
}
