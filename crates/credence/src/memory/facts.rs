//! What a person does to single statements: edit, pin, forget, undo (`extraction::remember` adds them). Each is one
//! commit with the person as actor.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::extraction::Outcome;
use crate::history::{Actor, Cause, Commit, RecordId, Scope, ScopeInfo};
use crate::id::{CommitId, PropositionId};
use crate::maintenance::forget_with;
use crate::ports::Ports;
use crate::proposition::{Proposition, Status};
use crate::scale::{Confidence, Decay, Importance};
use crate::unit::Mover;

/// A person's change of one proposition. `None` leaves a field alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Edit {
    /// New wording; not blank.
    pub text: Option<String>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// 0 to 1.
    pub decay: Option<f64>,
    /// 0 to 1.
    pub importance: Option<f64>,
    /// Where it stands; the transition table decides whether it may go there.
    pub status: Option<Status>,
}

/// What became of a remembered statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remembered {
    /// What became of it; empty when it said nothing that could be kept.
    pub outcomes: Vec<Outcome>,
    /// What was dropped, and why.
    pub dropped: Vec<crate::extraction::Dropped>,
}

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Undone {
    /// The commit that restores; `None` when there was nothing left to restore.
    pub commit: Option<CommitId>,
    /// Records that went back to what they were.
    pub restored: Vec<RecordId>,
    /// Records that later commits have changed: left as they are.
    pub conflicts: Vec<RecordId>,
}

impl<P: Ports> Memory<P> {
    /// Changes one proposition in a commit of its own. `Ok(None)`: nothing differs.
    pub(super) async fn change_proposition(
        &self,
        id: PropositionId,
        info: ScopeInfo,
        why: &str,
        change: impl Fn(Proposition) -> Result<Proposition, Error>,
    ) -> Result<Option<Rc<Commit>>, Error> {
        let info = info.with_id("proposition", id);
        let (_, commit) = self
            .change(info, |state, scope| {
                let Some(proposition) = state.proposition(id) else {
                    return Err(Error::NotFound { record: id.to_string() });
                };
                let next = change(proposition.clone())?;
                let is_retired = proposition.status.is_live() && !next.status.is_live();
                scope.put(state, next, why);
                if is_retired {
                    self.cascade(state, scope, &[id], self.now().at);
                }
                Ok(())
            })
            .await?;
        Ok(commit)
    }

    /// Applies a person's edit. What rests on a statement that it retires is looked at in the same commit. `Ok(None)`: nothing
    /// differs.
    pub async fn edit(&self, id: PropositionId, edit: &Edit) -> Result<Option<Rc<Commit>>, Error> {
        let now = self.now().at;
        let scale = |e: crate::scale::ScaleError| Error::Invalid { what: e.name, problem: e.to_string() };
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, "edited");
        self.change_proposition(id, info, "edited by a person", |mut p| {
            if let Some(text) = &edit.text
                && text.trim() != p.text
            {
                p = p.with_text(text, now)?;
            }
            if let Some(confidence) = edit.confidence
                && confidence != p.confidence.get()
            {
                p = p.with_confidence(Confidence::new(confidence).map_err(scale)?, now);
            }
            if let Some(decay) = edit.decay {
                p.decay = Decay::new(decay).map_err(scale)?;
            }
            if let Some(importance) = edit.importance {
                p.importance = Importance::new(importance).map_err(scale)?;
            }
            if let Some(status) = edit.status
                && status != p.status
            {
                p = p.with_status(status, now)?;
            }
            Ok(p)
        })
        .await
    }

    /// Pins or unpins. A pinned statement is always put into prompts and never retired by evidence or time.
    pub async fn pin(&self, id: PropositionId, pinned: bool) -> Result<Option<Rc<Commit>>, Error> {
        let now = self.now().at;
        let word = if pinned { "pinned" } else { "unpinned" };
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, word);
        self.change_proposition(id, info, word, |p| {
            Ok(if p.pinned == pinned { p } else { p.with_pinned(pinned, now) })
        })
        .await
    }

    /// Takes a statement out of the memory, with its duplicates; abstractions of it are retired. Its history stays readable
    /// until the context is wiped.
    pub async fn forget(&self, id: PropositionId) -> Result<Option<Rc<Commit>>, Error> {
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, "forgotten").with_id("proposition", id);
        let now = self.now().at;
        let (_, commit) = self
            .change(info, |state, scope| {
                if state.proposition(id).is_none() {
                    return Err(Error::NotFound { record: id.to_string() });
                }
                scope.remove(state, RecordId::Proposition(id), "forgotten by a person");
                forget_with(state, scope, id, now);
                crate::inbox::forget_questions(state, scope);
                crate::promotion::forget_reports(state, scope);
                crate::compaction::forget_summaries(state, scope);
                crate::enforcement::forget_violations(state, scope);
                crate::upkeep::forget_sweeps(state, scope);
                Ok(())
            })
            .await?;
        Ok(commit)
    }

    /// Undoes a commit, or only what it did to `only`: each record goes back to its revision before. A record that a later
    /// commit has changed is reported and left alone. Undoing is a commit of its own, so it can be undone. Where units come back
    /// into a full working set, the least activated of all that may leave fall asleep.
    pub async fn undo(&self, id: CommitId, only: Option<&[RecordId]>) -> Result<Undone, Error> {
        let wanted: Option<BTreeSet<RecordId>> = only.map(|records| records.iter().copied().collect());
        let Some(target) = self.log().commit(id).cloned() else {
            return Err(Error::NotFound { record: id.to_string() });
        };
        let info = ScopeInfo::new(Cause::Undo, Actor::Person, format!("undid commit {}", target.seq));
        let ((restored, conflicts), commit) = self
            .change(info.with_id("undone", id), |state, scope| {
                let (mut restored, mut conflicts) = (Vec::new(), Vec::new());
                // A statement comes back with the unit that left with it.
                let asked = |record: RecordId| match (&wanted, record) {
                    (None, _) => true,
                    (Some(wanted), RecordId::Unit(id)) => {
                        wanted.contains(&record) || wanted.contains(&RecordId::Proposition(id))
                    }
                    (Some(wanted), _) => wanted.contains(&record),
                };
                for revision in &target.revisions {
                    if !asked(revision.record) {
                        continue;
                    }
                    if state.revision(revision.record).map(|now| now.id) != Some(revision.id) {
                        conflicts.push(revision.record);
                        continue;
                    }
                    self.restore(state, scope, revision.record, revision.previous, target.seq);
                    restored.push(revision.record);
                }
                self.planning(state, scope, Mover::Policy("the budget"), |plan| {
                    plan.fit(&restored)?;
                    Ok(())
                })?;
                Ok((restored, conflicts))
            })
            .await?;
        Ok(Undone { commit: commit.map(|commit| commit.id), restored, conflicts })
    }

    fn restore(
        &self,
        state: &crate::history::State,
        scope: &Scope,
        record: RecordId,
        previous: Option<crate::id::RevisionId>,
        seq: u64,
    ) {
        let earlier = previous.and_then(|previous| {
            self.log().history(record).find(|step| step.revision.id == previous).map(|step| step.revision)
        });
        let why = format!("undid commit {seq}");
        match earlier.and_then(|revision| revision.value.clone()) {
            Some(value) => scope.put(state, value, why),
            None => scope.remove(state, record, why),
        }
    }
}
