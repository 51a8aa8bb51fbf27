//! The log of one context in memory: commits in order, the state they fold to, and the questions that history answers.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::commit::{Cause, Commit, ContentId, Revision, SCHEMA_VERSION};
use super::journal::JournalError;
use super::record::RecordId;
use super::state::State;
use crate::id::{CommitId, RevisionId};
use crate::time::Timestamp;

/// A question about history that has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// No commit has this position.
    #[error("this memory has commits 1 to {last}; there is no commit {seq}")]
    NoSuchCommit {
        /// What was asked for.
        seq: u64,
        /// The newest position.
        last: u64,
    },
    /// A retention policy dropped revisions that this question needs.
    #[error(
        "history was compacted here: commit {seq} lies before commit {horizon}, the first that is kept whole"
    )]
    Compacted {
        /// What was asked for.
        seq: u64,
        /// The first position whose view is kept.
        horizon: u64,
    },
    /// A delta was asked for backwards.
    #[error("a delta runs forward; {from} is after {to}")]
    Backwards {
        /// Start.
        from: u64,
        /// End.
        to: u64,
    },
}

/// What a delta says of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// None → R.
    Added,
    /// R → R'.
    Changed,
    /// R → none.
    Removed,
}

/// One record's difference between two views.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The record.
    pub record: RecordId,
    /// What happened to it.
    pub kind: ChangeKind,
    /// Its revision before; `None` when it was not there.
    pub before: Option<RevisionId>,
    /// Its revision after; for a removal, the revision that removed it.
    pub after: RevisionId,
}

/// The difference of two views, in order of record. Records that end as they began are absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Delta {
    /// The changes.
    pub changes: Vec<Change>,
}

/// One step in the life of a record.
#[derive(Debug, Clone)]
pub struct Blame {
    /// The commit that made it.
    pub commit: Rc<Commit>,
    /// What it made.
    pub revision: Rc<Revision>,
}

/// One context's commits and their fold.
#[derive(Debug, Clone, Default)]
pub struct Log {
    commits: Vec<Rc<Commit>>,
    state: State,
    /// Where each record changed: position of the commit, and the revision. A view at any commit is read off it, so its
    /// cost is that of what there is, not of what happened.
    touched: BTreeMap<RecordId, Vec<(usize, Rc<Revision>)>>,
    /// The first commit whose view is whole; 0: every one is.
    horizon: u64,
    /// The last commit that erased content; 0: none did.
    erased: u64,
}

impl Log {
    /// Folds commits that a journal returned, checking that they follow one another.
    pub fn replay(commits: Vec<Commit>) -> Result<Self, JournalError> {
        let mut log = Self::default();
        for commit in commits {
            log.push(commit)?;
        }
        Ok(log)
    }

    /// Adds the next commit. Refused unless it follows the head.
    pub fn push(&mut self, commit: Commit) -> Result<Rc<Commit>, JournalError> {
        let corrupt = |detail: String| JournalError::Corrupt { at: format!("commit {}", commit.seq), detail };
        if commit.schema > SCHEMA_VERSION {
            return Err(JournalError::NewerSchema { found: commit.schema, supported: SCHEMA_VERSION });
        }
        let head = self.state.head();
        if commit.seq != self.state.seq() + 1 {
            return Err(corrupt(format!("expected commit {}", self.state.seq() + 1)));
        }
        // One log, one memory: whoever is given a state is given one context and no other.
        if let Some(first) = self.commits.first()
            && first.context != commit.context
        {
            return Err(corrupt(format!("it belongs to the memory `{}`", commit.context)));
        }
        if commit.parent != head.map(|h| h.id) {
            return Err(corrupt("its parent is not the commit before it".into()));
        }
        for revision in &commit.revisions {
            if revision.id <= self.state.last_revision() {
                return Err(corrupt(format!("revision {} was already given out", revision.id)));
            }
            self.touched.entry(revision.record).or_default().push((self.commits.len(), revision.clone()));
        }
        if let Some(rewritten) = &commit.rewritten {
            self.horizon = self.horizon.max(rewritten.horizon);
        }
        if commit.cause == Cause::Erasure {
            self.erased = commit.seq;
        }
        self.state.apply(&commit);
        let commit = Rc::new(commit);
        self.commits.push(commit.clone());
        Ok(commit)
    }

    /// The present.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// Every commit, oldest first.
    pub fn commits(&self) -> &[Rc<Commit>] {
        &self.commits
    }
    /// The commit at a position, 1 to the head's.
    pub fn commit_at(&self, seq: u64) -> Result<&Rc<Commit>, HistoryError> {
        let place = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
        place
            .and_then(|place| self.commits.get(place))
            .ok_or(HistoryError::NoSuchCommit { seq, last: self.state.seq() })
    }
    /// A commit by id.
    pub fn commit(&self, id: CommitId) -> Option<&Rc<Commit>> {
        self.commits.iter().rev().find(|commit| commit.id == id)
    }

    /// The first commit whose view is whole: earlier ones lost revisions to a retention policy. 0: nothing was dropped.
    pub fn horizon(&self) -> u64 {
        self.horizon
    }
    /// The position of the last commit that erased content; 0 where none did. What was decided or read before it may hold what is gone.
    pub fn erased(&self) -> u64 {
        self.erased
    }
    /// Positions of the commits that could not be read, with the reason. What they changed is as it was before them.
    pub fn unreadable(&self) -> impl Iterator<Item = (u64, &str)> {
        self.commits.iter().filter_map(|commit| {
            let reason = commit.rewritten.as_ref()?.unreadable.as_deref()?;
            Some((commit.seq, reason))
        })
    }

    /// The full state after commit `seq`; 0 is the empty memory before the first. Cost: one search a record, whatever the
    /// length of history.
    ///
    /// # Errors
    /// [`HistoryError::NoSuchCommit`]; [`HistoryError::Compacted`] where retention dropped what the view would need.
    pub fn view_at(&self, seq: u64) -> Result<State, HistoryError> {
        if seq == self.state.seq() {
            return Ok(self.state.clone());
        }
        if seq == 0 {
            return Ok(State::default());
        }
        let head = self.commit_at(seq)?;
        self.whole_at(seq)?;
        let end = self.commits.partition_point(|commit| commit.seq <= seq);
        let revisions = self.touched.values().filter_map(|places| {
            let before = places.partition_point(|(commit, _)| *commit < end);
            let (_, revision) = places.get(before.checked_sub(1)?)?;
            Some(revision.clone())
        });
        Ok(State::at(head, revisions))
    }

    fn whole_at(&self, seq: u64) -> Result<(), HistoryError> {
        if seq < self.horizon {
            return Err(HistoryError::Compacted { seq, horizon: self.horizon });
        }
        Ok(())
    }

    /// The last commit at or before `t`, in commit order; 0 when there is none. Commit times are monotone, so a clock that
    /// jumps back changes no answer.
    pub fn seq_at(&self, t: Timestamp) -> u64 {
        self.commits.partition_point(|commit| commit.at <= t) as u64
    }

    /// What changed after commit `from` up to and including commit `to`. Cost: the commits between.
    pub fn delta(&self, from: u64, to: u64) -> Result<Delta, HistoryError> {
        if from > to {
            return Err(HistoryError::Backwards { from, to });
        }
        for seq in [from, to].into_iter().filter(|seq| *seq > 0) {
            self.commit_at(seq)?;
            self.whole_at(seq)?;
        }
        let mut spans: BTreeMap<RecordId, (&Revision, &Revision)> = BTreeMap::new();
        for commit in self.between(from, to) {
            for revision in &commit.revisions {
                spans
                    .entry(revision.record)
                    .and_modify(|span| span.1 = revision)
                    .or_insert((revision, revision));
            }
        }
        let mut changes = Vec::new();
        for (record, (first, last)) in spans {
            let before = first.previous.filter(|id| self.is_present(record, *id));
            let kind = match (before, last.value.is_some()) {
                (None, true) => ChangeKind::Added,
                (Some(_), true) => ChangeKind::Changed,
                (Some(_), false) => ChangeKind::Removed,
                (None, false) => continue,
            };
            changes.push(Change { record, kind, before, after: last.id });
        }
        Ok(Delta { changes })
    }

    /// The commits after `from`, up to and including `to`; both exist.
    fn between(&self, from: u64, to: u64) -> &[Rc<Commit>] {
        let place = |seq: u64| self.commits.partition_point(|commit| commit.seq <= seq);
        &self.commits[place(from)..place(to)]
    }

    fn is_present(&self, record: RecordId, id: RevisionId) -> bool {
        let places = self.touched.get(&record).map(Vec::as_slice).unwrap_or_default();
        // Revision ids rise along a log.
        let found = places.binary_search_by_key(&id, |(_, revision)| revision.id);
        found.is_ok_and(|at| places[at].1.value.is_some())
    }

    /// Every revision of a record with the commit that made it, oldest first.
    pub fn history(&self, record: RecordId) -> impl DoubleEndedIterator<Item = Blame> + '_ {
        let places = self.touched.get(&record).map(Vec::as_slice).unwrap_or_default();
        places.iter().map(|(commit, revision)| {
            let commit = self.commits[*commit].clone();
            let revision = revision.clone();
            Blame { commit, revision }
        })
    }

    /// Revisions of `record` that hold exactly this content: when a belief came back.
    pub fn same_content(&self, record: RecordId, content: &ContentId) -> Vec<RevisionId> {
        let same = self.history(record).filter(|step| step.revision.content_id == *content);
        same.map(|step| step.revision.id).collect()
    }
}
