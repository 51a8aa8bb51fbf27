//! The page of the drills: a writer that commits, a look at what is stored, and the journal's benchmark. What is done to the page meanwhile
//! (killed, filled up, blocked, set back in time) is decided by `tests/e2e/drills.mjs`.

use std::cell::RefCell;

use credence::history::{Actor, Cause, Commit, Journal, JournalError, Log, Record, Scope, ScopeInfo};
use credence::id::{CommitId, ContextId, PropositionId};
use credence::ports::{Clock, Ids};
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence_browser::journal::{BrowserJournal, Persistence, bench};
use credence_browser::{BrowserClock, BrowserIds};
use serde_json::json;
use wasm_bindgen::prelude::*;

/// An error with the journal's stable word before its own.
fn told(error: &JournalError) -> JsValue {
    JsError::new(&format!("{}: {error}", error.code())).into()
}

fn broken(error: impl std::fmt::Display) -> JsValue {
    JsError::new(&error.to_string()).into()
}

/// A tab that writes to one memory.
#[wasm_bindgen]
pub struct Writer {
    journal: BrowserJournal,
    volatile: Option<String>,
    emptied: bool,
    context: ContextId,
    log: RefCell<Log>,
}

#[wasm_bindgen]
impl Writer {
    /// Opens the memory of this name in a database.
    pub async fn open(database: String, context: String) -> Result<Writer, JsValue> {
        let opened = BrowserJournal::open(&database).await.map_err(|error| told(&error))?;
        let context = ContextId::new(context).map_err(broken)?;
        let commits = opened.journal.read(&context, 0).await.map_err(|error| told(&error))?;
        let log = RefCell::new(Log::replay(commits).map_err(|error| told(&error))?);
        let volatile = match opened.persistence {
            Persistence::Durable => None,
            Persistence::Volatile { reason } => Some(reason.to_string()),
        };
        Ok(Writer { journal: opened.journal, volatile, emptied: opened.emptied, context, log })
    }

    /// Why nothing outlives the page; `undefined`: it does.
    #[wasm_bindgen(getter)]
    pub fn volatile(&self) -> Option<String> {
        self.volatile.clone()
    }

    /// Whether the browser has emptied the database since something was kept there.
    #[wasm_bindgen(getter)]
    pub fn emptied(&self) -> bool {
        self.emptied
    }

    /// Commits so many statements that begin with `text`, behind whatever others have written meanwhile, and returns the commit's position.
    pub async fn say(&self, text: String, statements: u32) -> Result<f64, JsValue> {
        loop {
            let commit = self.next(&text, statements)?;
            match self.journal.append(&commit).await {
                Ok(()) => {
                    let seq = commit.seq;
                    self.log.borrow_mut().push(commit).map_err(|error| told(&error))?;
                    // Positions stay far below 2^53.
                    return Ok(seq as f64);
                }
                Err(JournalError::Stale { .. }) => {
                    let after = self.log.borrow().state().seq();
                    let missed =
                        self.journal.read(&self.context, after).await.map_err(|error| told(&error))?;
                    for commit in missed {
                        self.log.borrow_mut().push(commit).map_err(|error| told(&error))?;
                    }
                }
                Err(other) => return Err(told(&other)),
            }
        }
    }

    fn next(&self, text: &str, statements: u32) -> Result<Commit, JsValue> {
        let (log, now) = (self.log.borrow(), BrowserClock.now().at);
        let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, text));
        for n in 0..statements {
            let id = PropositionId::new(BrowserIds.next());
            let words = format!("{text}, statement {n}");
            let made = Proposition::new(id, &words, Confidence::clamped(0.7), Extractor::Person, now);
            scope.put(log.state(), made.map_err(broken)?, "");
        }
        let id = CommitId::new(BrowserIds.next());
        scope
            .to_commit(log.state(), &self.context, id, now)
            .ok_or_else(|| broken("a commit needs at least one statement"))
    }

    /// What is stored, as JSON: damaged rows, and of each commit its reason, its statements, its times and whether it is whole.
    pub async fn stored(&self) -> Result<String, JsValue> {
        let damages = self.journal.inspect(&self.context).await.map_err(|error| told(&error))?;
        let commits = self.journal.read(&self.context, 0).await.map_err(|error| told(&error))?;
        let shown: Vec<_> = commits
            .iter()
            .map(|commit| {
                let is_statement = |record: &Option<Record>| matches!(record, Some(Record::Proposition(_)));
                json!({
                    "seq": commit.seq,
                    "said": commit.reason,
                    "statements": commit.revisions.iter().filter(|it| is_statement(&it.value)).count(),
                    "at": commit.at.0,
                    "clock": commit.clock.0,
                })
            })
            .collect();
        let sound = Log::replay(commits).is_ok();
        Ok(json!({ "damages": damages.len(), "sound": sound, "commits": shown }).to_string())
    }
}

/// The journal beside bare IndexedDB, as JSON; the databases begin with `name`. `commits`: those of a hundred statements each in the memory that
/// is opened; `rounds`: how often opening is timed.
#[wasm_bindgen]
pub async fn measure(name: String, commits: u32, rounds: u32) -> Result<String, JsValue> {
    let figures =
        bench::measure(&name, commits as usize, rounds as usize).await.map_err(|error| told(&error))?;
    serde_json::to_string(&figures).map_err(broken)
}
