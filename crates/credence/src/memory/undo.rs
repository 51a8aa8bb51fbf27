//! Taking commits back: undo, reverting several commits or everything since a commit, and what each would do before it is done.
//!
//! Rules (history 12): nothing is rewritten. Taking back is one new commit that restores earlier revisions, so it can be taken back
//! itself. A record that has changed since is reported and left as it is, never silently overwritten; so is one whose earlier revision is
//! gone from history. Whoever takes back is named as the actor, and what only a person may do stays a person's: a host that takes back a
//! canonization is refused like a host that canonizes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::history::{Actor, Cause, Commit, Record, RecordId, RecordKind, Revision, Scope, ScopeInfo, State};
use crate::id::{CommitId, PropositionId, RevisionId};
use crate::ports::Ports;
use crate::unit::Mover;

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Undone {
    /// The commit that restores; `None` when there was nothing left to restore.
    pub commit: Option<CommitId>,
    /// Records that went back to what they were.
    pub restored: Vec<RecordId>,
    /// Records that later commits have changed: left as they are.
    pub conflicts: Vec<RecordId>,
    /// Records whose earlier revision is gone, because history was compacted or erased there: left as they are.
    pub lost: Vec<RecordId>,
}

/// What one record would go back to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Restoring {
    /// The record.
    pub record: RecordId,
    /// Its revision now.
    pub from: RevisionId,
    /// The revision whose value comes back; `None`: it had not been there, and goes.
    pub to: Option<RevisionId>,
    /// What it is now; `None` where it was removed.
    pub now: Option<Record>,
    /// What it would be; `None`: it would go.
    pub then: Option<Record>,
}

/// A record that was changed by later commits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedSince {
    /// The record.
    pub record: RecordId,
    /// Positions of those commits, in order.
    pub by: Vec<u64>,
    /// Whether a person made one of them.
    pub by_person: bool,
}

/// What taking back would do. Nothing was written.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct UndoPreview {
    /// What would go back, in order of record.
    pub restoring: Vec<Restoring>,
    /// What would be left as it is, because it has changed since.
    pub conflicts: Vec<ChangedSince>,
    /// What would be left as it is, because its earlier revision is gone.
    pub lost: Vec<RecordId>,
    /// Units that would fall asleep to make room for those that come back.
    pub asleep: Vec<PropositionId>,
    /// Why this actor may not do it, in words; `None`: they may.
    pub refused: Option<String>,
}

/// How far a memory goes back to an earlier commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RevertOptions {
    /// Conversations, turns and how far they were analysed go back too. Off, what was said stays, and what was learned of it goes.
    pub turns: bool,
    /// What a person changed since goes back too. Off, it is reported as a conflict and stays.
    pub over_persons: bool,
}

/// A planned return.
#[derive(Default)]
struct Returning {
    /// What is put back: the revision whose value a record takes; `None` removes it.
    targets: BTreeMap<RecordId, Option<Rc<Revision>>>,
    conflicts: Vec<ChangedSince>,
    lost: Vec<RecordId>,
}

impl<P: Ports> Memory<P> {
    /// Undoes a commit as the person whose memory this is, or only what it did to `only`. See [`Memory::undo_as`].
    ///
    /// # Errors
    /// Those of [`Memory::undo_as`].
    pub async fn undo(&self, id: CommitId, only: Option<&[RecordId]>) -> Result<Undone, Error> {
        self.undo_as(Actor::Person, id, only).await
    }

    /// Undoes a commit, or only what it did to `only`: each record goes back to its revision before. A record that a later
    /// commit has changed is reported and left alone. Undoing is a commit of its own, so it can be undone. Where units come back
    /// into a full working set, the least activated of all that may leave fall asleep.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a commit that there is not; [`Error::Invalid`] where this actor may not do it, as when a host takes back
    /// a canonization.
    pub async fn undo_as(
        &self,
        actor: Actor,
        id: CommitId,
        only: Option<&[RecordId]>,
    ) -> Result<Undone, Error> {
        self.revert_as(actor, &[id], only).await
    }

    /// Undoes several commits in one, whatever their order: each record goes back to what it was before the first of them. What other
    /// commits did to it in between is a conflict, and it goes back only as far as that.
    ///
    /// # Errors
    /// Those of [`Memory::undo_as`].
    pub async fn revert(&self, ids: &[CommitId], only: Option<&[RecordId]>) -> Result<Undone, Error> {
        self.revert_as(Actor::Person, ids, only).await
    }

    /// [`Memory::revert`] by an actor.
    ///
    /// # Errors
    /// Those of [`Memory::undo_as`].
    pub async fn revert_as(
        &self,
        actor: Actor,
        ids: &[CommitId],
        only: Option<&[RecordId]>,
    ) -> Result<Undone, Error> {
        let commits = self.named(ids)?;
        let wanted = only.map(|records| records.iter().copied().collect());
        let (info, why) = undoing(actor, &commits);
        self.go_back(info, &why, |state| Ok(self.before(state, &commits, wanted.as_ref()))).await
    }

    /// What [`Memory::undo_as`] would do now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a commit that there is not.
    pub fn preview_undo(
        &self,
        actor: Actor,
        id: CommitId,
        only: Option<&[RecordId]>,
    ) -> Result<UndoPreview, Error> {
        self.preview_revert(actor, &[id], only)
    }

    /// What [`Memory::revert_as`] would do now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a commit that there is not.
    pub fn preview_revert(
        &self,
        actor: Actor,
        ids: &[CommitId],
        only: Option<&[RecordId]>,
    ) -> Result<UndoPreview, Error> {
        let commits = self.named(ids)?;
        let wanted = only.map(|records| records.iter().copied().collect());
        let (info, why) = undoing(actor, &commits);
        let returning = self.before(&self.state(), &commits, wanted.as_ref());
        Ok(self.look_ahead(info, &why, returning))
    }

    /// Takes the memory back to what it was after commit `seq`, in one new commit: statements, entities, units, questions and summaries.
    /// Reports of what was done stay, since it was done; turns stay unless they are asked for. What a person changed since stays and is
    /// reported, unless that is asked for too.
    ///
    /// # Errors
    /// [`Error::History`] for a commit that there is not, or that lies in compacted history; those of [`Memory::undo_as`].
    pub async fn revert_to(&self, actor: Actor, seq: u64, options: RevertOptions) -> Result<Undone, Error> {
        let (info, why) = returning_to(actor, seq);
        self.go_back(info, &why, |state| self.at_commit(state, seq, options)).await
    }

    /// What [`Memory::revert_to`] would do now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::History`] for a commit that there is not, or that lies in compacted history.
    pub fn preview_revert_to(
        &self,
        actor: Actor,
        seq: u64,
        options: RevertOptions,
    ) -> Result<UndoPreview, Error> {
        let (info, why) = returning_to(actor, seq);
        let returning = self.at_commit(&self.state(), seq, options)?;
        Ok(self.look_ahead(info, &why, returning))
    }

    /// The commits of these ids, oldest first.
    fn named(&self, ids: &[CommitId]) -> Result<Vec<Rc<Commit>>, Error> {
        let log = self.log();
        let find = |id: &CommitId| {
            log.commit(*id).cloned().ok_or_else(|| Error::NotFound { record: id.to_string() })
        };
        let found: BTreeMap<u64, Rc<Commit>> =
            ids.iter().map(|id| find(id).map(|commit| (commit.seq, commit))).collect::<Result<_, _>>()?;
        Ok(found.into_values().collect())
    }

    async fn go_back(
        &self,
        info: ScopeInfo,
        why: &str,
        returning: impl Fn(&State) -> Result<Returning, Error>,
    ) -> Result<Undone, Error> {
        let (undone, commit) = self
            .change(info, |state, scope| {
                let Returning { targets, conflicts, lost } = returning(state)?;
                let restored: Vec<RecordId> = targets.keys().copied().collect();
                self.put_back(state, scope, &targets, why)?;
                let conflicts = conflicts.into_iter().map(|changed| changed.record).collect();
                Ok(Undone { commit: None, restored, conflicts, lost })
            })
            .await?;
        Ok(Undone { commit: commit.map(|commit| commit.id), ..undone })
    }

    fn put_back(
        &self,
        state: &State,
        scope: &Scope,
        targets: &BTreeMap<RecordId, Option<Rc<Revision>>>,
        why: &str,
    ) -> Result<(), Error> {
        for (record, target) in targets {
            match target.as_ref().and_then(|revision| revision.value.clone()) {
                Some(value) => scope.put(state, value, why),
                None => scope.remove(state, *record, why),
            }
        }
        let restored: Vec<RecordId> = targets.keys().copied().collect();
        self.planning(state, scope, Mover::Policy("the budget"), |plan| {
            plan.fit(&restored)?;
            Ok(())
        })
    }

    fn look_ahead(&self, info: ScopeInfo, why: &str, returning: Returning) -> UndoPreview {
        let state = self.state();
        let scope = Scope::new(info);
        let Returning { targets, conflicts, lost } = returning;
        let planned = self.put_back(&state, &scope, &targets, why);
        let asleep = scope.drafts().into_iter().filter(|draft| !targets.contains_key(&draft.record));
        let asleep = asleep.filter_map(|draft| match draft.record {
            RecordId::Unit(id) => Some(id),
            _ => None,
        });
        let asleep = asleep.collect();
        let refused = planned
            .and_then(|()| crate::unit::lawful(&state, &self.closing(&scope)))
            .err()
            .map(|e| e.to_string());
        let restoring = targets.into_iter().filter_map(|(record, target)| {
            let now = state.revision(record)?;
            Some(Restoring {
                record,
                from: now.id,
                now: now.value.clone(),
                to: target.as_ref().map(|revision| revision.id),
                then: target.and_then(|revision| revision.value.clone()),
            })
        });
        UndoPreview { restoring: restoring.collect(), conflicts, lost, asleep, refused }
    }

    /// What each record that `commits` changed goes back to: the last revision that none of them made.
    fn before(
        &self,
        state: &State,
        commits: &[Rc<Commit>],
        wanted: Option<&BTreeSet<RecordId>>,
    ) -> Returning {
        let log = self.log();
        let seqs: BTreeSet<u64> = commits.iter().map(|commit| commit.seq).collect();
        // A statement comes back with the unit that left with it.
        let asked = |record: RecordId| match (wanted, record) {
            (None, _) => true,
            (Some(wanted), RecordId::Unit(id)) => {
                wanted.contains(&record) || wanted.contains(&RecordId::Proposition(id))
            }
            (Some(wanted), _) => wanted.contains(&record),
        };
        let touched = commits.iter().flat_map(|commit| &commit.revisions).map(|revision| revision.record);
        let touched: BTreeSet<RecordId> = touched.filter(|record| asked(*record)).collect();
        let mut returning = Returning::default();
        for record in touched {
            let steps: Vec<(u64, Actor, Rc<Revision>)> =
                log.history(record).map(|s| (s.commit.seq, s.commit.actor, s.revision)).collect();
            // From the present backwards, as long as these commits made it.
            let kept = steps.iter().rposition(|(seq, _, _)| !seqs.contains(seq));
            let own = kept.map_or(0, |at| at + 1);
            let first_own = steps.iter().position(|(seq, _, _)| seqs.contains(seq)).unwrap_or_default();
            let between: Vec<&(u64, Actor, Rc<Revision>)> =
                steps.iter().skip(first_own).filter(|(seq, _, _)| !seqs.contains(seq)).collect();
            if !between.is_empty() {
                let by_person = between.iter().any(|(_, actor, _)| *actor == Actor::Person);
                let by = between.iter().map(|(seq, _, _)| *seq).collect();
                returning.conflicts.push(ChangedSince { record, by, by_person });
            }
            let Some((_, _, oldest)) = steps.get(own) else { continue };
            let target = kept.map(|at| steps[at].2.clone());
            let is_lost = target.as_ref().map(|revision| revision.id) != oldest.previous;
            // Taking back the fact of an erasure would take its tombstones away: those are lifted, and that is told.
            let is_erasure = record.kind() == RecordKind::Erasure;
            if is_lost || is_erasure || is_erased(target.as_ref()) || is_erased(state.revision(record)) {
                returning.lost.push(record);
            } else {
                returning.targets.insert(record, target);
            }
        }
        returning
    }

    /// What each record goes back to that differs from the view at a commit.
    fn at_commit(&self, state: &State, seq: u64, options: RevertOptions) -> Result<Returning, Error> {
        let log = self.log();
        let view = log.view_at(seq)?;
        let mut returning = Returning::default();
        for revision in state.revisions() {
            let record = revision.record;
            let then = view.revision(record);
            if !goes_back(record.kind(), options.turns) || then.map(|then| then.id) == Some(revision.id) {
                continue;
            }
            let same = |then: &Rc<Revision>| then.content_id == revision.content_id;
            let is_gone = then.is_none_or(|then| then.value.is_none()) && revision.value.is_none();
            if is_gone || then.is_some_and(same) {
                continue;
            }
            let since: Vec<(u64, Actor)> = log
                .history(record)
                .map(|s| (s.commit.seq, s.commit.actor))
                .filter(|(at, _)| *at > seq)
                .collect();
            if is_erased(then) || is_erased(Some(revision)) {
                returning.lost.push(record);
            } else if !options.over_persons && since.iter().any(|(_, actor)| *actor == Actor::Person) {
                let by = since.into_iter().map(|(seq, _)| seq).collect();
                returning.conflicts.push(ChangedSince { record, by, by_person: true });
            } else {
                returning.targets.insert(record, then.cloned());
            }
        }
        Ok(returning)
    }
}

/// Whether records of a kind go back with the memory: what is held does, what was said does when asked, what was done does not.
fn goes_back(kind: RecordKind, turns: bool) -> bool {
    match kind {
        RecordKind::Proposition
        | RecordKind::Entity
        | RecordKind::Inbox
        | RecordKind::Unit
        | RecordKind::Summary => true,
        RecordKind::Conversation | RecordKind::Turn | RecordKind::Bookmark | RecordKind::Ledger => turns,
        RecordKind::Analysis
        | RecordKind::Run
        | RecordKind::EntityReport
        | RecordKind::Promotion
        | RecordKind::Sweep
        | RecordKind::Erasure => false,
    }
}

fn is_erased(revision: Option<&Rc<Revision>>) -> bool {
    revision.is_some_and(|revision| revision.erased)
}

fn undoing(actor: Actor, commits: &[Rc<Commit>]) -> (ScopeInfo, String) {
    let seqs: Vec<String> = commits.iter().map(|commit| commit.seq.to_string()).collect();
    let word = if seqs.len() == 1 { "commit" } else { "commits" };
    let why = format!("undid {word} {}", seqs.join(", "));
    let info = ScopeInfo::new(Cause::Undo, actor, why.clone());
    let ids: Vec<String> = commits.iter().map(|commit| commit.id.to_string()).collect();
    (info.with_id("undone", ids.join(" ")), why)
}

fn returning_to(actor: Actor, seq: u64) -> (ScopeInfo, String) {
    let why = format!("went back to commit {seq}");
    (ScopeInfo::new(Cause::Undo, actor, why.clone()).with_id("reverted_to", seq), why)
}
