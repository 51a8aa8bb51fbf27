//! History: every change of memory is a commit of whole, immutable revisions.
//!
//! Rules (history): there is no other way to write; a commit is one storage transaction; its boundary is an
//! explicit, re-entrant [`Scope`], never a guess from timing; `seq` is the coordinate and clocks are annotations; a
//! revision id is never reused, and `content_id` tells when a belief returns to what it was. The present is a
//! fold of the log ([`State`]), a view at a commit is the same fold stopped earlier, a [`Delta`] is what lies
//! between two, and `as_of` reads what held at one time as it was recorded at another. Stored history changes in three cases alone (erasure,
//! retention, repair), each by a [`Rewrite`] that appends the commit which says so. What the log does not hold is a use
//! record: reading changes nothing, so it is kept beside. `retention` says which revisions a policy no longer keeps, `branch` how a memory begins
//! as another one's past.

mod as_of;
mod branch;
mod chain;
mod commit;
mod journal;
mod log;
mod memory_journal;
mod record;
mod retention;
mod scope;
mod state;
mod use_record;

pub use branch::{BranchNote, branch};
pub use chain::{Chain, Found, LONGEST_GAP, chain};
pub(crate) use commit::is_clock;
pub use commit::{Actor, Cause, Commit, ContentId, Revision, Rewritten, SCHEMA_VERSION};
pub use journal::{Contents, ContextSummary, Damage, Journal, JournalError, Rewrite, StoredVector};
pub use log::{Blame, Change, ChangeKind, Delta, HistoryError, Log};
pub use memory_journal::MemoryJournal;
pub use record::{Record, RecordId, RecordKind};
pub(crate) use retention::compacted;
pub use retention::{HistorySettings, Keep, KeepWord};
pub use scope::{Draft, Scope, ScopeInfo};
pub use state::{Head, State};
pub use use_record::{Purpose, UseItem, UseRecord};

#[cfg(feature = "testing")]
pub mod contract;

#[cfg(test)]
mod tests;
