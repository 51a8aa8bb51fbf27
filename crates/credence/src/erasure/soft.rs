//! Forgetting softly by the same targets: what goes leaves the present and stays in the history, so that undoing the commit brings it back.
//!
//! What goes is decided by `reach`, as for an erasure, with three differences: pinned and CANON statements stay; nothing is cut from what was
//! said; and no tombstone is left, since whatever is said again is to be learned again. A turn that is forgotten goes; one that is only not to be
//! remembered stays, off the record ([`Memory::forget_turn_facts`]).
//!
//! A plan is made at the pace of an erasure's: in slices, told, and to be stopped until it is written.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::pace::{ErasureProgress, Pace};
use super::reach::{Past, Reach};
use super::report::ErasureTarget;
use crate::conversation::Turn;
use crate::error::Error;
use crate::history::{Actor, Cause, RecordId, Scope, ScopeInfo, State};
use crate::id::{CommitId, EntityId, PropositionId, TurnId};
use crate::llm::Cancel;
use crate::maintenance::forget_with;
use crate::memory::Memory;
use crate::ports::{Clock, Ports};
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
    pub async fn preview_forgetting(&self, target: &ErasureTarget) -> Result<Forgetting, Error> {
        self.preview_forgetting_with(target, &Cancel::new(), &mut |_| {}).await
    }

    /// The same, with progress and a way to stop it.
    ///
    /// # Errors
    /// Those of [`Memory::forget_target_with`].
    pub async fn preview_forgetting_with(
        &self,
        target: &ErasureTarget,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(ErasureProgress),
    ) -> Result<Forgetting, Error> {
        let scope = self.scope(ScopeInfo::new(Cause::Forget, Actor::Person, ""));
        // Others commit in the pauses.
        let state = self.state().clone();
        let mut pace = Pace::new(self.slices(Some(cancel)), on_progress);
        self.plan_forgetting(&state, &scope, target, &mut pace).await
    }

    /// Takes a target out of the memory, in one commit that can be undone. Entities and sources go by acts of their own
    /// ([`Memory::forget_entity`], [`Memory::forget_source`]), which this calls none of: of an entity its statements go with it, and of a source
    /// its turns.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing of it is there now; [`Error::Invalid`] as in [`Memory::erase`]; [`Error::Busy`] while the source is being
    /// analysed.
    pub async fn forget_target(&self, target: &ErasureTarget) -> Result<Forgetting, Error> {
        self.forget_target_with(target, &Cancel::new(), &mut |_| {}).await
    }

    /// The same, with progress of its plan and a way to stop it until it is written. Other changes of this memory wait meanwhile.
    ///
    /// # Errors
    /// Those of [`Memory::forget_target`], and [`Error::Cancelled`]; nothing was written then.
    pub async fn forget_target_with(
        &self,
        target: &ErasureTarget,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(ErasureProgress),
    ) -> Result<Forgetting, Error> {
        if let ErasureTarget::Source { id } = target
            && self.analysing().borrow().contains(id)
        {
            return Err(Error::Busy);
        }
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, WHY);
        let mut pace = Pace::new(self.slices(Some(cancel)), on_progress);
        let (forgetting, commit) = self
            .change_in_slices(info, async |state, scope| {
                self.plan_forgetting(state, scope, target, &mut pace).await
            })
            .await?;
        Ok(Forgetting { commit: commit.map(|commit| commit.id), ..forgetting })
    }

    async fn plan_forgetting(
        &self,
        state: &State,
        scope: &Scope,
        target: &ErasureTarget,
        pace: &mut Pace<'_, P::Clock>,
    ) -> Result<Forgetting, Error> {
        let now = self.now().at;
        let past = Past::of_state(state);
        // Each statement is decided on, and what stays is asked whether it names an entity that goes.
        let looks = if matches!(target, ErasureTarget::Entity { .. }) { 2 } else { 1 };
        pace.begin(looks * past.statements.len());
        pace.slices().rest().await?;
        past.read(target, pace).await?;
        let reach = Reach::of(&past, target, pace).await?;
        let mut forgetting = forget(state, scope, &reach, false, now, pace).await?;
        for turn in &reach.turns {
            pace.rest().await?;
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
        }
        if !reach.named.is_empty() {
            unmention(state, scope, &reach.named, now, pace).await?;
        }
        forget_derived(state, scope, pace).await?;
        pace.end().await?;
        Ok(forgetting)
    }

    /// Forgets what was learned from these turns and takes them off the record: they stay in the conversation, and nothing is learned from them
    /// again. One commit.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown turn.
    pub async fn forget_turn_facts(&self, turns: &[TurnId]) -> Result<Forgetting, Error> {
        let info = ScopeInfo::new(Cause::Forget, Actor::Person, "not to be remembered");
        let mut untold = |_| {};
        let mut pace = Pace::new(self.slices(None), &mut untold);
        let (forgetting, commit) = self
            .change_in_slices(info, async |state, scope| {
                let past = Past::of_state(state);
                let mut reach = Reach::default();
                for turn in turns {
                    let said = state.turn(*turn).ok_or(Error::NotFound { record: turn.to_string() })?;
                    scope.put(state, Turn { off_record: true, ..said.clone() }, "not to be remembered");
                    reach.turns.insert(*turn);
                }
                reach.settle(&past, &mut pace).await?;
                let mut forgetting = forget(state, scope, &reach, false, self.now().at, &mut pace).await?;
                forgetting.turns = turns.to_vec();
                forget_derived(state, scope, &mut pace).await?;
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
        let mut untold = |_| {};
        let mut pace = Pace::new(self.slices(None), &mut untold);
        let (forgetting, commit) = self
            .change_in_slices(info, async |state, scope| {
                let mut reach = Reach::default();
                for id in ids {
                    state.proposition(*id).ok_or(Error::NotFound { record: id.to_string() })?;
                    reach.statements.insert(*id);
                }
                let forgetting = forget(state, scope, &reach, true, self.now().at, &mut pace).await?;
                forget_derived(state, scope, &mut pace).await?;
                Ok(forgetting)
            })
            .await?;
        Ok(Forgetting { commit: commit.map(|commit| commit.id), ..forgetting })
    }
}

/// Plans what the statements of a reach do: go, or stay with less evidence. `spares`: what a person holds dear stays also where it is meant itself.
async fn forget<C: Clock>(
    state: &State,
    scope: &Scope,
    reach: &Reach,
    spares: bool,
    now: Timestamp,
    pace: &mut Pace<'_, C>,
) -> Result<Forgetting, Error> {
    let mut forgetting = Forgetting::default();
    let mut gone = BTreeSet::new();
    for p in state.propositions() {
        pace.step().await?;
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
    pace.slices().rest().await?;
    forget_with(state, scope, &gone, now);
    Ok(forgetting)
}

/// Statements that stay no longer point at entities that are gone.
async fn unmention<C: Clock>(
    state: &State,
    scope: &Scope,
    gone: &BTreeSet<EntityId>,
    now: Timestamp,
    pace: &mut Pace<'_, C>,
) -> Result<(), Error> {
    let is_gone = |entity: Option<EntityId>| entity.is_some_and(|entity| gone.contains(&entity));
    for p in state.propositions() {
        pace.step().await?;
        if !p.entities().any(|entity| is_gone(Some(entity))) {
            continue;
        }
        if let Some(mut rest) = scope.proposition(state, p.id) {
            for mention in rest.mentions.iter_mut().filter(|mention| is_gone(mention.entity)) {
                mention.entity = None;
            }
            rest.metadata_revised = now;
            scope.put(state, rest, "it no longer points at a forgotten entity");
        }
    }
    Ok(())
}

/// Plans what a forgetting means for everything that quotes statements.
async fn forget_derived<C: Clock>(state: &State, scope: &Scope, pace: &mut Pace<'_, C>) -> Result<(), Error> {
    let slices = pace.slices();
    slices.rest().await?;
    crate::inbox::forget_questions(state, scope);
    slices.rest().await?;
    crate::promotion::forget_reports(state, scope);
    crate::compaction::forget_summaries_in_slices(state, scope, slices).await?;
    slices.rest().await?;
    crate::enforcement::forget_violations(state, scope);
    slices.rest().await?;
    crate::upkeep::forget_sweeps(state, scope);
    Ok(())
}
