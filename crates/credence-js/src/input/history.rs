//! What comes in about history: who takes back and what, points of the past, where a branch begins, what of history is kept.

use credence::history::{Actor, Keep, RecordId};
use credence::id::ContextId;
use credence::memory::{RevertOptions, When};
use credence::time::Timestamp;
use serde::Deserialize;
use tsify::Tsify;

use crate::failure::Failure;

/// Whose act it is.
#[derive(Deserialize, Tsify, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ActBy {
    /// The program's: what only a person may do, CANON above all, is refused.
    #[default]
    Host,
    /// A person's own act.
    Person,
}

impl From<ActBy> for Actor {
    fn from(by: ActBy) -> Self {
        match by {
            ActBy::Host => Self::Host,
            ActBy::Person => Self::Person,
        }
    }
}

/// What of a commit is undone, and by whom.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UndoOptions {
    /// Ids of the records to take back. Default: everything that the commit wrote.
    #[tsify(optional, type = "readonly string[]")]
    pub(crate) only: Option<Vec<RecordId>>,
    /// Whose act it is. Default `"host"`.
    #[tsify(optional)]
    pub(crate) by: ActBy,
}

/// How far a memory goes back to an earlier commit, and by whom.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReturnOptions {
    /// Conversations, turns and how far they were analysed go back too. Default: no, what was said stays.
    #[tsify(optional)]
    turns: bool,
    /// What a person changed since goes back too. Default: no, it stays and is reported.
    #[tsify(optional)]
    over_persons: bool,
    /// Whose act it is. Default `"host"`.
    #[tsify(optional)]
    pub(crate) by: ActBy,
}

impl ReturnOptions {
    pub(crate) fn how(&self) -> RevertOptions {
        RevertOptions { turns: self.turns, over_persons: self.over_persons }
    }
}

/// A point of history: after a commit, by its `seq` (0 is before the first), or at an instant (ms).
#[derive(Deserialize, Tsify, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[tsify(type = "{ commit: number } | { time: number }")]
pub(crate) enum HistoryPoint {
    Commit(u64),
    Time(i64),
}

impl From<HistoryPoint> for When {
    fn from(point: HistoryPoint) -> Self {
        match point {
            HistoryPoint::Commit(seq) => Self::Commit(seq),
            HistoryPoint::Time(at) => Self::Time(Timestamp(at)),
        }
    }
}

/// Where a branch begins. Default: at the newest commit.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BranchOptions {
    /// Id of a turn: as the memory was when it had been said. Not together with `seq`.
    #[tsify(optional)]
    pub(crate) turn: Option<String>,
    /// As the memory was after the commit with this `seq`.
    #[tsify(optional)]
    pub(crate) seq: Option<u64>,
    /// Why, in words. Default: where it came from.
    #[tsify(optional)]
    pub(crate) reason: String,
}

/// What of history is kept: all of it, the newest commits with at most so many revisions, or the last days.
#[derive(Deserialize, Tsify, Clone, Copy)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[tsify(type = "{ revisions: number } | { days: number }")]
pub(crate) enum KeepHistory {
    /// 1 to 10,000,000.
    Revisions(u32),
    /// 1 to 36,500.
    Days(u32),
}

impl From<KeepHistory> for Keep {
    fn from(keep: KeepHistory) -> Self {
        match keep {
            KeepHistory::Revisions(revisions) => Self::Revisions { revisions },
            KeepHistory::Days(days) => Self::Days { days },
        }
    }
}

/// How a file of another program is taken in.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TakeInSettings {
    /// Which of the preview's `people` is the user.
    #[tsify(optional)]
    pub(crate) user: Option<String>,
}

/// Names of memories.
pub(crate) fn contexts(name: &str, given: Vec<String>) -> Result<Vec<ContextId>, Failure> {
    let named = |context: String| ContextId::new(context).map_err(|error| Failure::argument(name, error));
    given.into_iter().map(named).collect()
}
