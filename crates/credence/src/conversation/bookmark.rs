//! Bookmarks: how far a conversation has been analysed, and what of it failed on the way.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::id::ConversationId;
use crate::time::Timestamp;

/// How far a conversation has been analysed. Moves in the commit that stores a window's outcome, past turns that the ledger
/// knows, and past a window that failed by itself, which is then remembered in `failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// Whose.
    pub conversation: ConversationId,
    /// Turns below this index are done, but for those in `failed`.
    pub analysed_until: u32,
    /// Windows that failed by themselves and wait to be tried again, in order of turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedRange>,
    /// Turns that were analysed and have been worded anew since: each waits to be read again by itself, in order.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub again: BTreeSet<u32>,
    /// Why the last run stopped; `None` once a window is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<AnalysisFailure>,
}

/// A window that failed by itself, for instance because the model's reply to it stayed unreadable. Later windows went on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRange {
    /// First turn.
    pub from: u32,
    /// One past the last turn.
    pub to: u32,
    /// A stable word.
    pub code: String,
    /// In words for a person.
    pub reason: String,
    /// Tries so far.
    pub attempts: u32,
    /// When last tried.
    pub at: Timestamp,
}

impl Bookmark {
    /// The bookmark of a conversation that nothing was done with yet.
    pub fn new(conversation: ConversationId) -> Self {
        Self { conversation, analysed_until: 0, failed: Vec::new(), again: BTreeSet::new(), failure: None }
    }
    /// The failed window with exactly these bounds.
    pub fn failed_at(&self, from: u32, to: u32) -> Option<&FailedRange> {
        self.failed.iter().find(|range| (range.from, range.to) == (from, to))
    }
    /// Whether a window with these bounds has yet to be done.
    pub fn is_open(&self, from: u32, to: u32) -> bool {
        self.analysed_until <= from || self.failed_at(from, to).is_some() || self.is_again(from, to)
    }
    /// Whether these are the bounds of a turn that waits to be read again.
    fn is_again(&self, from: u32, to: u32) -> bool {
        to == from.saturating_add(1) && self.again.contains(&from)
    }
    /// Whether a turn waits: it was not read yet, not to an end, or was worded anew since.
    pub fn waits(&self, index: u32) -> bool {
        index >= self.analysed_until
            || self.again.contains(&index)
            || self.failed.iter().any(|range| (range.from..range.to).contains(&index))
    }
    /// A turn was worded anew: what was read waits to be read again, what waits goes on waiting.
    pub fn reading_again(mut self, index: u32) -> Self {
        if !self.waits(index) {
            self.again.insert(index);
        }
        self
    }
    /// A turn is gone, or says again what was read.
    pub fn not_again(mut self, index: u32) -> Self {
        self.again.remove(&index);
        self
    }
    /// After the turns below `to` were done: the window from `from` no longer waits.
    pub fn done(mut self, from: u32, to: u32) -> Self {
        self.failed.retain(|range| (range.from, range.to) != (from, to));
        self.again.retain(|index| !(from..to).contains(index));
        Self { analysed_until: self.analysed_until.max(to), failure: None, ..self }
    }
    /// After a window failed by itself: what is behind it can go on.
    pub fn failing(mut self, from: u32, to: u32, why: AnalysisFailure) -> Self {
        let attempts = self.failed_at(from, to).map_or(0, |range| range.attempts) + 1;
        self.failed.retain(|range| (range.from, range.to) != (from, to));
        self.again.retain(|index| !(from..to).contains(index));
        let AnalysisFailure { code, reason, at, .. } = why;
        self.failed.push(FailedRange { from, to, code, reason, attempts, at });
        self.failed.sort_by_key(|range| range.from);
        Self { analysed_until: self.analysed_until.max(to), ..self }
    }
}

/// Why a run stopped: no network, no quota, a wrong key. The turns behind the bookmark wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisFailure {
    /// A stable word: the model error's or `unreadable-reply`.
    pub code: String,
    /// In words for a person.
    pub reason: String,
    /// Tries so far.
    pub attempts: u32,
    /// When last tried.
    pub at: Timestamp,
}
