//! What taking back and compacting history would do, as JavaScript sees it.

use credence::memory as core;
use serde::Serialize;
use serde_json::Value;
use tsify::Tsify;

use super::show::{Show, stored, view};

/// What one record would go back to.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Restoring {
    /// Id of the record.
    record: String,
    /// Its revision now.
    from: u64,
    /// The revision whose value comes back; `null`: it had not been there, and goes.
    to: Option<u64>,
    /// What it is now, as it is stored; `null` where it was removed.
    #[tsify(type = "unknown")]
    now: Value,
    /// What it would be, as it is stored; `null`: it would go.
    #[tsify(type = "unknown")]
    then: Value,
}

impl Show<Restoring> for core::Restoring {
    fn show(&self) -> Restoring {
        Restoring {
            record: self.record.show(),
            from: self.from.show(),
            to: self.to.show(),
            now: stored(&self.now),
            then: stored(&self.then),
        }
    }
}

view! {
    /// A record that was changed by later commits.
    ChangedSince of core::ChangedSince {
        /// Its id.
        record: String,
        /// The `seq` of each of those commits.
        by: Vec<u64>,
        /// Whether a person made one of them.
        by_person: bool,
    }
}

view! {
    /// What taking back would do. Nothing was written.
    UndoPreview of core::UndoPreview {
        /// What would go back.
        restoring: Vec<Restoring>,
        /// What would stay, because it has changed since.
        conflicts: Vec<ChangedSince>,
        /// Ids of records that would stay, because their earlier revision is gone from history.
        lost: Vec<String>,
        /// Ids of units that would fall asleep to make room for those that come back.
        asleep: Vec<String>,
        /// Why it may not be done, in words; `null`: it may.
        refused: Option<String>,
    }
}

view! {
    /// What a compaction of history took, or would take.
    HistoryCompaction of core::HistoryCompaction {
        /// Id of the commit that says so; `null` for a preview, and where nothing was to go.
        commit: Option<String>,
        /// The `seq` of the first commit whose view is whole afterwards; 0 where every one is.
        horizon: u64,
        /// Commits that lose revisions.
        commits: u64,
        /// Revisions that go.
        revisions: u64,
        /// Revisions that stay.
        kept: u64,
        /// Size of what goes, in bytes of stored text.
        bytes: u64,
    }
}
