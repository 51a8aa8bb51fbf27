//! Forgetting softly by the same targets: what goes leaves the present and stays in the history, so that undoing the commit brings it back.
//!
//! What goes is decided by `reach`, as for an erasure, with three differences: pinned and CANON statements stay; nothing is cut from what was
//! said; and no tombstone is left, since whatever is said again is to be learned again. A turn that is forgotten goes; one that is only not to be
//! remembered stays, off the record ([`Memory::forget_turn_facts`]).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::reach::{Past, Reach};
use super::report::ErasureTarget;
use crate::conversation::Turn;
use crate::error::Error;
use crate::history::{Actor, Cause, RecordId, Scope, ScopeInfo, State};
use crate::id::{CommitId, EntityId, PropositionId, TurnId};
use crate::maintenance::forget_with;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;

const WHY: &str = "forgotten by a person";

/// What forgetting softly does, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Forgetting {
    /// The commit; undoing it brings everything back. `None`: a preview, or nothing was there.
    pub commit: Option<CommitId>,
    /// Statements that go, with what they say, in order of id.
    pub removed: Vec<(PropositionId, String)>,
    /// Statements that rest on something else as well, or are pinned or CANON: they stay, without the evidence that goes.
    pub kept: Vec<(PropositionId, String)>,
    /// Turns that go, or that are off the record from now on.
    pub turns: Vec<TurnId>,
}

impl<P: Ports> Memory<P> {
    /// What [`Memory::forget_target`] would do. Writes nothing.
    ///
    /// # Errors
    /// Those of [`Memory::forget_target`].
    pub fn preview_forgetting(&self, target: &ErasureTarget) -> Result<Forgetting, Error> {
        let scope = self.scope(ScopeInfo::new(Cause::Forget, Actor::Person, ""));
        self.plan_forgetting(&self.state(), &scope, target)
    }

    /// Takes a target out of the memory, in one commit that can be undone. Entities and sources go by acts of their own
    /// ([`Memory::forget_entity`], [`Memory::forget_source`]), which this calls none of: of an entity its statements go with it, and of a source
    /// its turns.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing of it is there now; [`Error::Invalid`] as in [`Memory::erase`]; [`Error::Busy`] while the source is being
    /// analysed.
    pub async fn forget_target(&self, target: &ErasureTarget) -> Result<Forgetting, Error> {
        if let ErasureTarget::Source { id } = target
            && self.analysing().borrow().contains(id)
        {
            return Err(Error::Busy);
        }
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, WHY);
        let (forgetting, commit) =
            self.change(info, |state, scope| self.plan_forgetting(state, scope, target)).await?;
        Ok(Forgetting { commit: commit.map(|commit| commit.id), ..forgetting })
    }

    fn plan_forgetting(
        &self,
        state: &State,
        scope: &Scope,
        target: &ErasureTarget,
    ) -> Result<Forgetting, Error> {
        let past = Past::of_state(state);
        let reach = Reach::of(&past, target)?;
        let mut forgetting = forget(state, scope, &reach, false, self.now().at);
        for turn in &reach.turns {
            scope.remove(state, RecordId::Turn(*turn), WHY);
            forgetting.turns.push(*turn);
        }
        for id in &reach.conversations {
            state.ledger().filter(|entry| entry.conversation == *id).for_each(|entry| {
                scope.remove(state, RecordId::Ledger(entry.id), "");
            });
            for report in state.analyses().filter(|report| report.conversation == *id) {
                scope.remove(state, RecordId::Analysis(report.id), "");
            }
            scope.remove(state, RecordId::Bookmark(*id), "");
            scope.remove(state, RecordId::Conversation(*id), WHY);
        }
        for id in &reach.named {
            scope.remove(state, RecordId::Entity(*id), WHY);
            unmention(state, scope, *id, self.now().at);
        }
        forget_derived(state, scope);
        Ok(forgetting)
    }

    /// Forgets what was learned from these turns and takes them off the record: they stay in the conversation, and nothing is learned from them
    /// again. One commit.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown turn.
    pub async fn forget_turn_facts(&self, turns: &[TurnId]) -> Result<Forgetting, Error> {
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, "not to be remembered");
        let (forgetting, commit) = self
            .change(info, |state, scope| {
                let past = Past::of_state(state);
                let mut reach = Reach::default();
                for turn in turns {
                    let said = state.turn(*turn).ok_or(Error::NotFound { record: turn.to_string() })?;
                    scope.put(state, Turn { off_record: true, ..said.clone() }, "not to be remembered");
                    reach.turns.insert(*turn);
                }
                reach.settle(&past);
                let mut forgetting = forget(state, scope, &reach, false, self.now().at);
                forgetting.turns = turns.to_vec();
                forget_derived(state, scope);
                Ok(forgetting)
            })
            .await?;
        Ok(Forgetting { commit: commit.map(|commit| commit.id), ..forgetting })
    }

    /// Forgets these statements, each with what says the same, in one commit. Those that are pinned or CANON stay, and are told: a sentence in a
    /// conversation does not undo what a person fixed on purpose.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown one.
    pub async fn forget_all(&self, ids: &[PropositionId]) -> Result<Forgetting, Error> {
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, WHY);
        let (forgetting, commit) = self
            .change(info, |state, scope| {
                let mut reach = Reach::default();
                for id in ids {
                    state.proposition(*id).ok_or(Error::NotFound { record: id.to_string() })?;
                    reach.statements.insert(*id);
                }
                let forgetting = forget(state, scope, &reach, true, self.now().at);
                forget_derived(state, scope);
                Ok(forgetting)
            })
            .await?;
        Ok(Forgetting { commit: commit.map(|commit| commit.id), ..forgetting })
    }
}

/// Plans what the statements of a reach do: go, or stay with less evidence. `spares`: what a person holds dear stays also where it is meant itself.
fn forget(state: &State, scope: &Scope, reach: &Reach, spares: bool, now: Timestamp) -> Forgetting {
    let mut forgetting = Forgetting::default();
    let mut gone = BTreeSet::new();
    for p in state.propositions() {
        let is_canon = state.unit(p.id).is_some_and(|unit| unit.canon().is_some());
        let is_dear = p.pinned || is_canon;
        let mut rest = p.clone();
        let lost = reach.take_evidence(&mut rest);
        let is_meant = reach.statements.contains(&p.id);
        // A statement that is meant by itself goes, pinned or not; one that loses its source stays where a person holds it dear.
        if is_meant && !(is_dear && (spares || lost > 0)) {
            scope.remove(state, RecordId::Proposition(p.id), WHY);
            gone.insert(p.id);
            forgetting.removed.push((p.id, p.text.clone()));
        } else if is_meant || lost > 0 {
            forgetting.kept.push((p.id, p.text.clone()));
        }
        if lost > 0 && !gone.contains(&p.id) {
            rest.metadata_revised = now;
            scope.put(state, rest, "a source of it was forgotten");
        }
    }
    for id in gone {
        forget_with(state, scope, id, now);
    }
    forgetting
}

/// Statements that stay no longer point at an entity that is gone.
fn unmention(state: &State, scope: &Scope, gone: EntityId, now: Timestamp) {
    for p in state.propositions().filter(|p| p.entities().any(|entity| entity == gone)) {
        if let Some(mut rest) = scope.proposition(state, p.id) {
            for mention in rest.mentions.iter_mut().filter(|mention| mention.entity == Some(gone)) {
                mention.entity = None;
            }
            rest.metadata_revised = now;
            scope.put(state, rest, "it no longer points at a forgotten entity");
        }
    }
}

/// Plans what a forgetting means for everything that quotes statements.
fn forget_derived(state: &State, scope: &Scope) {
    crate::inbox::forget_questions(state, scope);
    crate::promotion::forget_reports(state, scope);
    crate::compaction::forget_summaries(state, scope);
    crate::enforcement::forget_violations(state, scope);
    crate::upkeep::forget_sweeps(state, scope);
}
