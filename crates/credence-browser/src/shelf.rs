//! Documents that are kept beside memories, in a database of their own: each a text under its kind and id, with a short note that a list can be
//! made of without reading the texts.
//!
//! Rules: a document and its note are written and removed in one transaction; what a document says is not looked at here; a row that cannot be
//! read is told and hides no other. A database is opened as memories' are (`journal::connection`): it does not hang on other tabs, and steps
//! aside for them.

use std::rc::Rc;

use credence::history::JournalError;
use indexed_db_futures::KeyPath;
use indexed_db_futures::database::Database;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionDurability};
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::journal::connection::{Connection, Schema};

/// What kinds there are. A kind is two stores, of texts and of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Runs of scenarios.
    Runs,
    /// Experiments.
    Experiments,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Runs, Self::Experiments];

    fn texts(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Experiments => "experiments",
        }
    }

    fn notes(self) -> &'static str {
        match self {
            Self::Runs => "run_notes",
            Self::Experiments => "experiment_notes",
        }
    }
}

/// Version 1.
///
/// | store | key | value |
/// |---|---|---|
/// | `runs`, `experiments` | `id` | id, and `body`: the text |
/// | `run_notes`, `experiment_notes` | `id` | id, bytes of the text, and `note` |
const SCHEMA: Schema =
    Schema { version: 1, stores: &["runs", "run_notes", "experiments", "experiment_notes"], upgrade };

fn upgrade(db: &Database, _from: u32, _to: u32) -> indexed_db_futures::Result<()> {
    for kind in Kind::ALL {
        for store in [kind.texts(), kind.notes()] {
            db.create_object_store(store).with_key_path(KeyPath::from("id")).build()?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct TextRow<'a> {
    id: &'a str,
    body: &'a str,
}

#[derive(Serialize)]
struct NoteRow<'a> {
    id: &'a str,
    // Whole and below 2^53.
    bytes: f64,
    note: &'a str,
}

/// A note in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Of the document.
    pub id: String,
    /// Of the document's text, in UTF-8.
    pub bytes: u64,
    /// What was noted; `Err`: why it cannot be read.
    pub note: Result<String, String>,
}

/// Documents in one IndexedDB database. Clones share a connection, which closes with the last of them.
#[derive(Clone)]
pub struct Shelf {
    connection: Rc<Connection>,
}

impl Shelf {
    /// Opens the database of this name, creating it.
    ///
    /// # Errors
    /// As for a journal: no IndexedDB or refused, held by another tab, made by a later release or by something else.
    pub async fn open(name: &str) -> Result<Self, JournalError> {
        Ok(Self { connection: Rc::new(Connection::open(name, &SCHEMA).await?) })
    }

    /// Keeps a document with its note, in place of one of that id.
    ///
    /// # Errors
    /// Those of a write: no room above all.
    pub async fn put(&self, kind: Kind, id: &str, note: &str, text: &str) -> Result<(), JournalError> {
        let transaction = self.writing(kind)?;
        let row = TextRow { id, body: text };
        self.explained(self.store(&transaction, kind.texts())?.put(row).serde())?;
        let row = NoteRow { id, bytes: text.len() as f64, note };
        self.explained(self.store(&transaction, kind.notes())?.put(row).serde())?;
        self.connection.commit(transaction).await
    }

    /// A document's text; `None` where there is none of that id.
    ///
    /// # Errors
    /// Those of a read; [`JournalError::Corrupt`] for a row without text.
    pub async fn text(&self, kind: Kind, id: &str) -> Result<Option<String>, JournalError> {
        let transaction = self.connection.reading(kind.texts())?;
        let store = self.store(&transaction, kind.texts())?;
        let row = self.explained(store.get::<JsValue, _, _>(id).await)?;
        let text = |row: JsValue| field(&row, "body").as_string();
        row.map(|row| {
            text(row).ok_or_else(|| JournalError::Corrupt {
                at: format!("{}[{id}]", kind.texts()),
                detail: "it has no text".to_owned(),
            })
        })
        .transpose()
    }

    /// Every note of a kind, by id.
    ///
    /// # Errors
    /// Those of a read. A single row that cannot be read is in the list.
    pub async fn notes(&self, kind: Kind) -> Result<Vec<Note>, JournalError> {
        let transaction = self.connection.reading(kind.notes())?;
        let store = self.store(&transaction, kind.notes())?;
        let rows = self.explained(store.get_all::<JsValue>().await)?;
        let mut notes = Vec::new();
        for row in rows {
            let row: JsValue = self.explained(row)?;
            notes.push(Note {
                // The key path makes sure that there is one.
                id: field(&row, "id").as_string().unwrap_or_default(),
                bytes: field(&row, "bytes").as_f64().unwrap_or_default() as u64,
                note: field(&row, "note").as_string().ok_or_else(|| "its note has no text".to_owned()),
            });
        }
        Ok(notes)
    }

    /// Removes a document and its note; what is not there is no error.
    ///
    /// # Errors
    /// Those of a write.
    pub async fn remove(&self, kind: Kind, id: &str) -> Result<(), JournalError> {
        let transaction = self.writing(kind)?;
        for name in [kind.texts(), kind.notes()] {
            self.explained(
                self.store(&transaction, name)?.delete::<JsValue, _>(JsValue::from_str(id)).primitive(),
            )?;
        }
        self.connection.commit(transaction).await
    }

    fn writing(&self, kind: Kind) -> Result<Transaction<'_>, JournalError> {
        self.connection.writing([kind.texts(), kind.notes()], TransactionDurability::Strict)
    }

    fn store<'a>(
        &self,
        transaction: &'a Transaction<'_>,
        name: &str,
    ) -> Result<ObjectStore<'a>, JournalError> {
        self.explained(transaction.object_store(name))
    }

    fn explained<T>(&self, result: indexed_db_futures::Result<T>) -> Result<T, JournalError> {
        result.map_err(|error| self.connection.explain(error))
    }
}

/// A field of a row, `undefined` where there is none.
fn field(row: &JsValue, name: &str) -> JsValue {
    Reflect::get(row, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
