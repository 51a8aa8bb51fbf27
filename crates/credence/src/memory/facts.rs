//! What a person does to single statements: edit, pin, forget (`extraction::remember` adds them, `undo` takes
//! any of it back). Each is one
//! commit with the person as actor.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::extraction::Outcome;
use crate::history::{Actor, Cause, Commit, RecordId, ScopeInfo};
use crate::id::PropositionId;
use crate::maintenance::forget_with;
use crate::ports::Ports;
use crate::proposition::{Proposition, Status};
use crate::scale::{Confidence, Decay, Importance};

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
                // It is the person's word now, and no witness's share of it.
                p.witnesses.clear();
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
                forget_with(state, scope, &BTreeSet::from([id]), now);
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
}
