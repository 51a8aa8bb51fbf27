//! When to say that a copy should be made. A browser may give up what a page stored when space runs short, unless it has promised to keep it;
//! a copy in the person's own hands is the only thing that survives that, a lost device or a mistake.
//!
//! Rule: nothing is said of a memory that has not changed since its last copy. Where the store is kept for good, a copy is due after
//! [`COMMITS_KEPT`] commits or [`DAYS_KEPT`] days; where the browser may evict it, after [`COMMITS_AT_RISK`] or [`DAYS_AT_RISK`]; where nothing
//! outlives the page, at once. A memory that never had a copy counts from its first commit.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// Commits after which a copy is due, where the store is kept.
pub const COMMITS_KEPT: u64 = 2_000;
/// Days likewise.
pub const DAYS_KEPT: u32 = 30;
/// Commits after which a copy is due, where the store may be evicted. A chat's exchange makes about four.
pub const COMMITS_AT_RISK: u64 = 200;
/// Days likewise.
pub const DAYS_AT_RISK: u32 = 7;

const DAY: i64 = 86_400_000;

/// The last copy that was made of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    /// When.
    pub at: Timestamp,
    /// The head's position in it.
    pub seq: u64,
}

/// How long the store keeps what it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keeping {
    /// Until the person deletes it.
    ForGood,
    /// Until space runs short.
    UntilEvicted,
    /// As long as the page is open.
    ThisPage,
}

/// Why a copy is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// Commits that no copy has.
    pub commits: u64,
    /// Whole days since the last copy, or since the first commit.
    pub days: u32,
    /// Whether there has been a copy.
    pub copied_before: bool,
    /// How long the store keeps them.
    pub keeping: Keeping,
}

impl Due {
    /// In words for a person.
    pub fn words(&self) -> String {
        let risk = match self.keeping {
            Keeping::ForGood => "your browser keeps this memory, but a lost device would take it along",
            Keeping::UntilEvicted => "your browser may delete this memory when space runs short",
            Keeping::ThisPage => "this memory is lost when the page is closed",
        };
        let since = if self.copied_before { "since your last copy" } else { "and there is no copy yet" };
        format!("{} changes {since}; {risk}: export a copy", self.commits)
    }
}

/// Whether a copy of a memory is due. `seq` is its head's position, `begun` the time of its first commit. A copy of a longer history than there
/// is now is one of another memory of this name.
pub fn backup_due(
    seq: u64,
    begun: Timestamp,
    backup: Option<Backup>,
    keeping: Keeping,
    now: Timestamp,
) -> Option<Due> {
    let backup = backup.filter(|backup| backup.seq <= seq);
    let commits = seq - backup.map_or(0, |backup| backup.seq);
    let since = backup.map_or(begun, |backup| backup.at);
    // A clock that was set back has no days behind it.
    let days = u32::try_from(now.0.saturating_sub(since.0).max(0) / DAY).unwrap_or(u32::MAX);
    let due = match keeping {
        Keeping::ForGood => commits >= COMMITS_KEPT || days >= DAYS_KEPT,
        Keeping::UntilEvicted => commits >= COMMITS_AT_RISK || days >= DAYS_AT_RISK,
        Keeping::ThisPage => true,
    };
    (commits > 0 && due).then_some(Due { commits, days, copied_before: backup.is_some(), keeping })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(n: i64) -> Timestamp {
        Timestamp(1_000 + n * DAY)
    }

    #[test]
    fn a_copy_is_due_by_commits_or_days_and_sooner_where_the_store_may_go() {
        let due = |seq, backup, keeping, day| backup_due(seq, days(0), backup, keeping, days(day)).is_some();
        for (keeping, commits, limit) in [
            (Keeping::ForGood, COMMITS_KEPT, i64::from(DAYS_KEPT)),
            (Keeping::UntilEvicted, COMMITS_AT_RISK, i64::from(DAYS_AT_RISK)),
        ] {
            assert!(!due(0, None, keeping, 10_000), "nothing is there");
            assert!(!due(commits - 1, None, keeping, limit - 1));
            assert!(due(commits, None, keeping, 0) && due(1, None, keeping, limit));
            let copy = Some(Backup { at: days(5), seq: 10 });
            assert!(!due(10, copy, keeping, 10_000), "nothing has changed since");
            assert!(!due(11, copy, keeping, 5 + limit - 1) && due(11, copy, keeping, 5 + limit));
            assert!(due(10 + commits, copy, keeping, 5));
            assert!(!due(11, Some(Backup { at: days(5), seq: 11 }), keeping, 0), "a clock that was set back");
        }
        assert!(due(1, None, Keeping::ThisPage, 0) && !due(0, None, Keeping::ThisPage, 0));
    }

    #[test]
    fn a_copy_of_another_memory_of_the_name_is_none() {
        let copy = Some(Backup { at: days(5), seq: 500 });
        let due = backup_due(250, days(4), copy, Keeping::UntilEvicted, days(5));
        assert_eq!(due.as_ref().map(|due| (due.commits, due.copied_before)), Some((250, false)));
        assert!(due.is_some_and(|due| due.words().contains("there is no copy yet")));
    }
}
