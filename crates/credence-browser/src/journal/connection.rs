//! One open connection to the database: opening it without hanging on other tabs, stepping aside when one of them needs a
//! newer schema, and starting transactions.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use credence::history::JournalError;
use futures::channel::oneshot;
use futures::future::{AbortHandle, Either, abortable, select};
use indexed_db_futures::database::{Database, ObjectStoreName, VersionChangeListener};
use indexed_db_futures::error::OpenDbError;
use indexed_db_futures::internals::SystemRepr;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{
    Transaction, TransactionDurability, TransactionMode, TransactionOptions,
};
use wasm_bindgen_futures::spawn_local;

use super::{error, rows};
use crate::global::sleep;

/// What a database is made of.
pub(crate) struct Schema {
    /// The version that this release reads and writes; a higher one is refused, a lower one upgraded.
    pub(crate) version: u32,
    /// Every store of this version.
    pub(crate) stores: &'static [&'static str],
    /// Brings a database of the first version (0: new) up to the second, within the browser's upgrade transaction.
    pub(crate) upgrade: fn(&Database, u32, u32) -> indexed_db_futures::Result<()>,
}

/// How long another tab may take to give way once the browser has said that it blocks us, in milliseconds.
const BLOCKED_GRACE: u32 = 3_000;
/// How long an open may stay without any answer, in milliseconds: it is queued behind another tab's blocked upgrade.
const QUEUED_GRACE: u32 = 10_000;
/// How often the two are looked at, in milliseconds.
const TICK: u32 = 100;

/// How far an open has come.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Queued,
    Blocked,
    Upgrading,
}

impl Phase {
    /// How long it may last; an upgrade takes what it takes.
    fn grace(self) -> Option<u32> {
        match self {
            Self::Queued => Some(QUEUED_GRACE),
            Self::Blocked => Some(BLOCKED_GRACE),
            Self::Upgrading => None,
        }
    }
}

/// An open database. Closed when dropped, so that it blocks nobody.
pub(crate) struct Connection {
    db: Database,
    /// Opening it made it.
    pub(crate) is_new: bool,
    /// Why it is no longer usable.
    ended: Rc<RefCell<Option<JournalError>>>,
    watch: AbortHandle,
}

impl Connection {
    /// Opens a database, upgrading or creating it.
    pub(crate) async fn open(name: &str, schema: &'static Schema) -> Result<Self, JournalError> {
        let phase = Rc::new(Cell::new(Phase::Queued));
        let (answer, mut asked) = oneshot::channel();
        let opening = connect(name.to_owned(), schema, phase.clone());
        // The request must live on when we stop waiting: the browser will still run its upgrade, and a database without
        // stores would be left if nobody were there to make them. A connection that comes too late closes again.
        spawn_local(async move {
            let _ = answer.send(opening.await);
        });
        let (mut seen, mut waited) = (Phase::Queued, 0);
        loop {
            match select(&mut asked, pin!(sleep(TICK as i32))).await {
                Either::Left((answer, _)) => {
                    let lost = || JournalError::Backend {
                        detail: "opening the database was interrupted".to_owned(),
                    };
                    return answer.unwrap_or_else(|_| Err(lost()));
                }
                Either::Right(_) => waited += TICK,
            }
            if phase.get() != seen {
                (seen, waited) = (phase.get(), 0);
            }
            if seen.grace().is_some_and(|grace| waited >= grace) {
                return Err(JournalError::Blocked);
            }
        }
    }

    /// Fails with the reason when this connection has ended.
    pub(crate) fn check(&self) -> Result<(), JournalError> {
        self.ended.borrow().clone().map_or(Ok(()), Err)
    }

    /// Starts a read of these stores.
    pub(crate) fn reading<S: ObjectStoreName>(&self, stores: S) -> Result<Transaction<'_>, JournalError> {
        self.check()?;
        let begun = self.db.transaction(stores).with_mode(TransactionMode::Readonly).build();
        begun.map_err(|e| self.explain(e))
    }

    /// Starts a write of these stores. Dropped without [`Connection::commit`], it is undone.
    pub(crate) fn writing<S: ObjectStoreName>(
        &self,
        stores: S,
        durability: TransactionDurability,
    ) -> Result<Transaction<'_>, JournalError> {
        self.check()?;
        let options = TransactionOptions::new().with_durability(durability);
        let begun =
            self.db.transaction(stores).with_mode(TransactionMode::Readwrite).with_options(options).build();
        begun.map_err(|e| self.explain(e))
    }

    /// Commits, and says why when the browser would not: a full disk shows itself only here.
    pub(crate) async fn commit(&self, transaction: Transaction<'_>) -> Result<(), JournalError> {
        let raw = transaction.as_sys().clone();
        match transaction.commit().await {
            Ok(()) => Ok(()),
            Err(e) => {
                self.check()?;
                // An abort carries its cause on the transaction, not in the event that the library reports.
                Err(raw.error().map_or_else(|| error::of_request(e), |cause| error::of_exception(&cause)))
            }
        }
    }

    /// The reason that this connection ended, where that is why an operation failed; else the operation's own.
    pub(crate) fn explain(&self, error: indexed_db_futures::error::Error) -> JournalError {
        match self.check() {
            Err(ended) => ended,
            Ok(()) => error::of_request(error),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.watch.abort();
        self.db.clone().close();
    }
}

async fn connect(
    name: String,
    schema: &'static Schema,
    phase: Rc<Cell<Phase>>,
) -> Result<Connection, JournalError> {
    let (blocked, upgrading) = (phase.clone(), phase);
    let is_new = Rc::new(Cell::new(false));
    let made = is_new.clone();
    let opened = Database::open(name.as_str())
        .with_version(schema.version)
        .with_on_blocked(move |_| {
            blocked.set(Phase::Blocked);
            Ok(())
        })
        .with_on_upgrade_needed(move |event, db| {
            upgrading.set(Phase::Upgrading);
            made.set(event.old_version() == 0.0);
            // Versions are small whole numbers; IndexedDB hands them over as floating point.
            (schema.upgrade)(&db, event.old_version() as u32, schema.version)
        })
        .await;
    let db = match opened {
        Ok(db) => db,
        Err(e) if error::is_version_error(&e) => return Err(newer(&name, schema.version).await),
        Err(e) => return Err(error::of_open(e)),
    };
    let present: Vec<String> = db.object_store_names().collect();
    if let Some(missing) = schema.stores.iter().find(|store| !present.iter().any(|name| name == *store)) {
        db.close();
        return Err(rows::corrupt(&name, &[])(format!(
            "it has no store `{missing}`; something else made it"
        )));
    }
    let listener = db.version_changes().map_err(error::of_request)?;
    let ended = Rc::new(RefCell::new(None));
    let (watching, watch) = abortable(step_aside(db.clone(), listener, ended.clone()));
    spawn_local(async move {
        let _ = watching.await;
    });
    Ok(Connection { db, is_new: is_new.get(), ended, watch })
}

/// Closes the connection as soon as another tab wants to upgrade or delete the database; otherwise that tab would hang.
async fn step_aside(
    db: Database,
    mut changes: VersionChangeListener,
    ended: Rc<RefCell<Option<JournalError>>>,
) {
    let reason = match changes.recv().await {
        Some(event) if event.new_version().is_some() => JournalError::Superseded,
        Some(_) => JournalError::Unavailable {
            detail: "this memory was deleted in another tab; reload this page".to_owned(),
        },
        None => JournalError::Unavailable {
            detail:
                "the browser closed the database, for example because site data was cleared; reload this page"
                    .to_owned(),
        },
    };
    *ended.borrow_mut() = Some(reason);
    db.close();
}

/// The error for a database of a later release, with its version. Opening without a version asks every browser, also those
/// without `indexedDB.databases()`; should the database have gone meanwhile, the refused upgrade leaves nothing behind.
async fn newer(name: &str, supported: u32) -> JournalError {
    let refuse = || js_sys::Error::new("the database is gone").into();
    let found = match Database::open(name).with_on_upgrade_needed(move |_, _| Err(refuse())).await {
        Ok(db) => {
            let version = db.version() as u32;
            db.close();
            version
        }
        Err(OpenDbError::Base(_)) | Err(_) => supported + 1,
    };
    JournalError::NewerSchema { found, supported }
}
