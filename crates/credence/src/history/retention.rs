//! Retention: which revisions a policy no longer keeps, and the commits without them.
//!
//! Rules (history 8): a policy sets a horizon, the first commit whose view stays whole. Of each record the revision that stood at the
//! horizon and everything after it is kept; what had been overwritten by then goes. Every commit keeps its envelope, so positions stay
//! dense, parents hold, and who did what when is still known; a commit that lost something says how much. A view at the horizon or later
//! is what it was, and an earlier one is refused in words, never wrong.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::commit::{Commit, Rewritten};
use super::log::Log;
use super::record::RecordId;
use crate::id::RevisionId;
use crate::time::{DAY_MS, Timestamp};

/// How much of history is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "keep", rename_all = "lowercase")]
pub enum Keep {
    /// All of it.
    #[default]
    All,
    /// The last commits that hold at most this many revisions together, and what stood before them.
    Revisions {
        /// 1 to 10,000,000.
        revisions: u32,
    },
    /// What the memory was at any instant of the last days.
    Days {
        /// 1 to 36,500.
        days: u32,
    },
}

impl Keep {
    /// Checks the range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let (name, value, most) = match self {
            Self::All => return Ok(()),
            Self::Revisions { revisions } => ("history.keep_revisions", *revisions, 10_000_000),
            Self::Days { days } => ("history.keep_days", *days, 36_500),
        };
        if !(1..=most).contains(&value) {
            return Err(format!("{name} must be 1 to {most}, got {value}"));
        }
        Ok(())
    }

    /// The first commit whose view the policy keeps; 0 where it keeps every view.
    pub fn horizon(&self, log: &Log, now: Timestamp) -> u64 {
        match self {
            Self::All => 0,
            Self::Days { days } => log.seq_at(now.plus_ms(-i64::from(*days).saturating_mul(DAY_MS))),
            Self::Revisions { revisions } => {
                let mut left = *revisions as usize;
                for commit in log.commits().iter().rev() {
                    match left.checked_sub(commit.revisions.len()) {
                        Some(rest) => left = rest,
                        None => return commit.seq,
                    }
                }
                0
            }
        }
    }
}

/// The word of a policy, as settings have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeepWord {
    /// [`Keep::All`].
    #[default]
    All,
    /// [`Keep::Revisions`].
    Revisions,
    /// [`Keep::Days`].
    Days,
}

/// `history.*`: which history a memory keeps by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistorySettings {
    /// How history is kept. Default all; anything else compacts by itself.
    pub keep: KeepWord,
    /// Revisions that `revisions` keeps; 1 to 10,000,000. Default 10,000, chosen by us.
    pub keep_revisions: u32,
    /// Days that `days` keeps; 1 to 36,500. Default 365, chosen by us.
    pub keep_days: u32,
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self { keep: KeepWord::All, keep_revisions: 10_000, keep_days: 365 }
    }
}

impl HistorySettings {
    /// The policy in force.
    pub fn keep(&self) -> Keep {
        match self.keep {
            KeepWord::All => Keep::All,
            KeepWord::Revisions => Keep::Revisions { revisions: self.keep_revisions },
            KeepWord::Days => Keep::Days { days: self.keep_days },
        }
    }
    /// Checks every range, of the policies that are not in force too.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        Keep::Revisions { revisions: self.keep_revisions }.validate()?;
        Keep::Days { days: self.keep_days }.validate()
    }
}

/// What compacting takes away.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Compacted {
    /// Commits without what goes, in order.
    pub(crate) commits: Vec<Commit>,
    /// Revisions that go.
    pub(crate) revisions: u64,
    /// Their size as stored text, in bytes.
    pub(crate) bytes: u64,
}

/// The commits of a log without the revisions that were overwritten by commit `horizon`.
pub(crate) fn compacted(log: &Log, horizon: u64) -> Compacted {
    let before = log.commits().iter().take_while(|commit| commit.seq <= horizon);
    let mut standing: BTreeMap<RecordId, RevisionId> = BTreeMap::new();
    for commit in before.clone() {
        standing.extend(commit.revisions.iter().map(|revision| (revision.record, revision.id)));
    }
    let mut compacted = Compacted::default();
    for commit in before {
        let (kept, gone): (Vec<_>, Vec<_>) = commit
            .revisions
            .iter()
            .cloned()
            .partition(|revision| standing.get(&revision.record) == Some(&revision.id));
        if gone.is_empty() {
            continue;
        }
        compacted.revisions += gone.len() as u64;
        compacted.bytes += gone.iter().map(|revision| size(revision)).sum::<u64>();
        let mut rewritten = commit.rewritten.clone().unwrap_or_default();
        rewritten.dropped = rewritten.dropped.saturating_add(u32::try_from(gone.len()).unwrap_or(u32::MAX));
        rewritten.horizon = rewritten.horizon.max(horizon);
        let rewritten: Option<Rewritten> = Some(rewritten);
        compacted.commits.push(Commit { revisions: kept, rewritten, ..Commit::clone(commit) });
    }
    compacted
}

fn size(revision: &super::Revision) -> u64 {
    serde_json::to_string(revision).map_or(0, |text| text.len() as u64)
}
