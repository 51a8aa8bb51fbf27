//! The journal on IndexedDB.

use std::cell::Cell;
use std::rc::Rc;

use credence::history::{
    Commit, Contents, ContextSummary, Damage, Journal, JournalError, Rewrite, StoredVector, UseRecord,
};
use credence::id::{ContextId, UseId};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionDurability};
use wasm_bindgen::JsValue;

use super::connection::Connection;
use super::looking::{Look, Looked};
use super::marker;
use super::migrations::SCHEMA;
use super::migrations::current::{COMMITS, HEADS, META, SET_ASIDE, STORES, USES, USES_BY_TIME, VECTORS};
use super::rewriting::follows;
use super::rows::{self, MetaRow};
use super::storage::StoreSize;

/// What memory itself is written with: the browser answers when the disk has it.
const FOR_GOOD: TransactionDurability = TransactionDurability::Strict;
/// What can be lost with the power without harm is written with: it is complete as soon as the system has it.
const IN_PASSING: TransactionDurability = TransactionDurability::Relaxed;

/// Commit logs in one IndexedDB database. Clones share a connection, which closes with the last of them.
#[derive(Clone)]
pub struct IndexedDbJournal {
    connection: Rc<Connection>,
    name: Rc<str>,
    /// That it holds something is noted beside it.
    is_marked: Rc<Cell<bool>>,
}

impl IndexedDbJournal {
    /// Opens the database of this name, creating or upgrading it.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`] where the browser has no IndexedDB or refuses it, [`JournalError::NewerSchema`] for a
    /// later release's database, [`JournalError::Blocked`] when another tab holds an older one open and does not give
    /// way within seconds, [`JournalError::Corrupt`] for a database that is not ours.
    pub async fn open(name: &str) -> Result<Self, JournalError> {
        let connection = Rc::new(Connection::open(name, &SCHEMA).await?);
        Ok(Self { connection, name: name.into(), is_marked: Rc::default() })
    }

    /// Whether opening it made the database.
    pub(super) fn is_new(&self) -> bool {
        self.connection.is_new
    }

    /// Notes beside the database that it holds something, once.
    fn mark(&self) {
        if !self.is_marked.replace(true) {
            marker::set(&self.name);
        }
    }

    fn look<'a>(&'a self, transaction: &'a Transaction<'a>) -> Look<'a> {
        Look { connection: &self.connection, transaction }
    }

    /// Keeps a note about a memory, in place of an earlier one of this name.
    ///
    /// # Errors
    /// Those of a write.
    pub async fn note(&self, context: &ContextId, name: &str, value: &str) -> Result<(), JournalError> {
        let transaction = self.connection.writing(META, IN_PASSING)?;
        let row = MetaRow { context: context.clone(), name: name.to_owned(), value: value.to_owned() };
        let look = self.look(&transaction);
        look.explained(look.store(META)?.put(row).serde())?;
        self.connection.commit(transaction).await
    }

    /// The note of this name about a memory.
    ///
    /// # Errors
    /// Those of a read.
    pub async fn noted(&self, context: &ContextId, name: &str) -> Result<Option<String>, JournalError> {
        let transaction = self.connection.reading(META)?;
        let look = self.look(&transaction);
        let key = rows::key(&[context.as_str(), name]);
        let row = look.explained(look.store(META)?.get::<JsValue, _, _>(key).await)?;
        row.map(|row| rows::meta(row).map(|row| row.value)).transpose()
    }

    /// What each store holds of a memory.
    pub(super) async fn sizes(&self, context: &ContextId) -> Result<Vec<StoreSize>, JournalError> {
        let transaction = self.connection.reading(STORES)?;
        let look = self.look(&transaction);
        let mut sizes = Vec::new();
        for store in [COMMITS, USES, VECTORS, SET_ASIDE, META] {
            let mut size = StoreSize { store, rows: 0, bytes: 0 };
            look.each(store, &[context.as_str()], |_, row| {
                size.rows += 1;
                size.bytes += rows::bytes(&row);
            })
            .await?;
            sizes.push(size);
        }
        Ok(sizes)
    }
}

impl Journal for IndexedDbJournal {
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError> {
        let transaction = self.connection.reading([HEADS, COMMITS])?;
        let end = self.look(&transaction).end(context).await?;
        Ok(end.map(|(head, seq)| ContextSummary { context: context.clone(), head, seq }))
    }

    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        let transaction = self.connection.reading([HEADS, COMMITS])?;
        let look = self.look(&transaction);
        let mut contexts = Vec::new();
        // By the commits, not by `heads`: a memory whose row there is spoilt or lost is listed all the same.
        for name in look.different(COMMITS, &[]).await? {
            // A name that is none of ours was written by something else.
            let Ok(context) = ContextId::new(name) else { continue };
            if let Some((head, seq)) = look.end(&context).await? {
                contexts.push(ContextSummary { context, head, seq });
            }
        }
        // IndexedDB orders texts by UTF-16 unit.
        contexts.sort_by(|a, b| a.context.cmp(&b.context));
        Ok(contexts)
    }

    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        let transaction = self.connection.reading([HEADS, COMMITS])?;
        Ok(self.look(&transaction).chain(context, after).await?.commits)
    }

    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        let transaction = self.connection.writing([HEADS, COMMITS], FOR_GOOD)?;
        let look = self.look(&transaction);
        follows(look.end(&commit.context).await?, commit)?;
        look.add_commit(commit)?;
        self.connection.commit(transaction).await?;
        self.mark();
        Ok(())
    }

    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        let transaction = self.connection.writing(USES, IN_PASSING)?;
        self.look(&transaction).put_use(record)?;
        self.connection.commit(transaction).await
    }

    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        let transaction = self.connection.reading(USES)?;
        let look = self.look(&transaction);
        let key = rows::key(&[context.as_str(), &id.to_string()]);
        let row = look.explained(look.store(USES)?.get::<JsValue, _, _>(key).await)?;
        row.map(|row| rows::use_record(row, context, Some(id))).transpose()
    }

    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        let transaction = self.connection.reading(USES)?;
        let look = self.look(&transaction);
        let uses = look.store(USES)?;
        let by_time = look.explained(uses.index(USES_BY_TIME))?;
        let range = rows::starting_with(&[context.as_str()]);
        let found = look.list(by_time.get_all().with_query::<JsValue, _>(range).await)?;
        found.into_iter().map(|row| rows::use_record(row, context, None)).collect()
    }

    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        let transaction = self.connection.writing(VECTORS, IN_PASSING)?;
        self.look(&transaction).put_vectors(context, space, vectors)?;
        self.connection.commit(transaction).await
    }

    /// One that cannot be read is as good as missing: it is computed again. [`Journal::inspect`] lists it.
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        let transaction = self.connection.reading(VECTORS)?;
        let mut vectors = Vec::new();
        let sound = |key: JsValue, row| vectors.extend(rows::vector(&key, row).ok());
        self.look(&transaction).each(VECTORS, &[context.as_str(), space], sound).await?;
        Ok(vectors)
    }

    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        let transaction = self.connection.reading(VECTORS)?;
        let mut spaces = self.look(&transaction).different(VECTORS, &[context.as_str()]).await?;
        spaces.sort();
        Ok(spaces)
    }

    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        let transaction = self.connection.writing(STORES, FOR_GOOD)?;
        self.look(&transaction).rewrite(rewrite).await?;
        self.connection.commit(transaction).await
    }

    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        let transaction = self.connection.writing(STORES, FOR_GOOD)?;
        self.look(&transaction).replace(context, expected, contents).await?;
        self.connection.commit(transaction).await?;
        self.mark();
        Ok(())
    }

    async fn inspect(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        let transaction = self.connection.reading(STORES)?;
        let Looked { spoilt, .. } = self.look(&transaction).everything(context).await?;
        Ok(spoilt.into_iter().map(|spoilt| spoilt.damage).collect())
    }

    async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        let transaction = self.connection.writing(STORES, FOR_GOOD)?;
        self.look(&transaction).repair(appended, damages).await?;
        self.connection.commit(transaction).await
    }

    async fn set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        let transaction = self.connection.reading(SET_ASIDE)?;
        let mut damages = Vec::new();
        let shown = |_, row: JsValue| damages.push(rows::set_aside(&row));
        self.look(&transaction).each(SET_ASIDE, &[context.as_str()], shown).await?;
        Ok(damages)
    }

    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        let transaction = self.connection.writing(STORES, FOR_GOOD)?;
        self.look(&transaction).empty(context)?;
        self.connection.commit(transaction).await?;
        // A database that holds nothing any more cannot be emptied.
        if self.contexts().await.is_ok_and(|left| left.is_empty()) {
            marker::clear(&self.name);
            self.is_marked.set(false);
        }
        Ok(())
    }
}
