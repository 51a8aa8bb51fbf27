//! The journal that a page gets: IndexedDB where the browser allows it, memory with a stated reason where not.

use credence::history::{
    Commit, Contents, ContextSummary, Damage, Journal, JournalError, MemoryJournal, Rewrite, StoredVector,
    UseRecord,
};
use credence::id::{ContextId, UseId};

use super::indexed_db::IndexedDbJournal;
use super::marker;

/// Either journal, behind one type.
#[derive(Clone)]
pub enum BrowserJournal {
    /// In the browser's database.
    IndexedDb(IndexedDbJournal),
    /// In this page alone.
    Memory(MemoryJournal),
}

/// Whether what is appended outlives the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Persistence {
    /// It does.
    Durable,
    /// It is lost with the page; say so, with the reason.
    Volatile {
        /// Why the browser's store cannot be used.
        reason: JournalError,
    },
}

/// What opening gave.
pub struct Opened {
    /// The journal.
    pub journal: BrowserJournal,
    /// How long it keeps what it is given.
    pub persistence: Persistence,
    /// The browser has emptied the database, which held something before: say so. Browsers do that with a store that they find damaged, after a
    /// crash for example.
    pub emptied: bool,
}

impl BrowserJournal {
    /// Opens the database of this name, or an empty journal in memory where the browser has no store to give: no
    /// IndexedDB, refused, full, or broken.
    ///
    /// # Errors
    /// What memory must not paper over, because data is there: [`JournalError::NewerSchema`], [`JournalError::Blocked`],
    /// [`JournalError::Superseded`], [`JournalError::Corrupt`].
    pub async fn open(name: &str) -> Result<Opened, JournalError> {
        match IndexedDbJournal::open(name).await {
            Ok(journal) => {
                let emptied = journal.is_new() && marker::is_set(name);
                if emptied {
                    marker::clear(name);
                }
                Ok(Opened { journal: Self::IndexedDb(journal), persistence: Persistence::Durable, emptied })
            }
            Err(
                reason @ (JournalError::Unavailable { .. }
                | JournalError::QuotaExceeded
                | JournalError::Backend { .. }),
            ) => {
                let journal = Self::Memory(MemoryJournal::new());
                Ok(Opened { journal, persistence: Persistence::Volatile { reason }, emptied: false })
            }
            Err(other) => Err(other),
        }
    }
}

/// Asks whichever journal there is.
macro_rules! ask {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            BrowserJournal::IndexedDb(journal) => journal.$method($($argument),*).await,
            BrowserJournal::Memory(journal) => journal.$method($($argument),*).await,
        }
    };
}

impl Journal for BrowserJournal {
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError> {
        ask!(self.head(context))
    }
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        ask!(self.contexts())
    }
    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        ask!(self.read(context, after))
    }
    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        ask!(self.append(commit))
    }
    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        ask!(self.append_use(record))
    }
    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        ask!(self.use_record(context, id))
    }
    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        ask!(self.uses(context))
    }
    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        ask!(self.save_vectors(context, space, vectors))
    }
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        ask!(self.vectors(context, space))
    }
    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        ask!(self.spaces(context))
    }
    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        ask!(self.rewrite(rewrite))
    }
    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        ask!(self.replace(context, expected, contents))
    }
    async fn inspect(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        ask!(self.inspect(context))
    }
    async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        ask!(self.repair(appended, damages))
    }
    async fn set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        ask!(self.set_aside(context))
    }
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        ask!(self.erase(context))
    }
}
