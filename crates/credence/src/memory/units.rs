//! The working set as hosts see it, and what a person does to it: confirm, lower, take out, bring back, activate, put in by hand,
//! make CANON and take that back. Each act is one commit with the person as actor, undone like any other.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::event::{Event, UnitEvent};
use crate::history::{Actor, Cause, Commit, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::{CommitId, PropositionId};
use crate::ports::Ports;
use crate::trust::TrustAudit;
use crate::unit::{
    self, Action, ArchiveReason, Authority, Change, DemotionReason, Evidence, InvariantRule, Mover,
    Objection, PersonAct, Settled, UnitPlan, UnitView,
};

/// What a person's act did to a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitAct {
    /// What was done to the unit.
    pub change: Change,
    /// Units that made room for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displaced: Vec<Change>,
    /// The commit; `None` where nothing changed.
    pub commit: Option<CommitId>,
}

/// One evaluation of a unit's trust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustStep {
    /// The commit that kept it.
    pub commit: CommitId,
    /// The unit's authority after it.
    pub authority: Authority,
    /// What was found.
    pub audit: TrustAudit,
}

impl<P: Ports> Memory<P> {
    /// The working set as of now: the most activated first, the older first among equals.
    pub fn working_set(&self) -> Vec<UnitView> {
        let now = self.now().at;
        self.with_config(|config| unit::active(&self.state(), now, config))
    }
    /// A statement's unit as of now, wherever it stands; `None` where the statement was never promoted.
    pub fn unit(&self, id: PropositionId) -> Option<UnitView> {
        let now = self.now().at;
        self.with_config(|config| unit::view(&self.state(), id, now, config))
    }

    /// Every evaluation of a unit's trust, oldest first, out of its history; empty where there was none.
    pub fn trust_trail(&self, id: PropositionId) -> Vec<TrustStep> {
        let mut trail: Vec<TrustStep> = Vec::new();
        for step in self.log().history(RecordId::Unit(id)) {
            let Some(Record::Unit(unit)) = &step.revision.value else { continue };
            let Some(audit) = unit.trust() else { continue };
            if trail.last().is_none_or(|last| last.audit != *audit) {
                let (commit, authority) = (step.commit.id, unit.authority());
                trail.push(TrustStep { commit, authority, audit: audit.clone() });
            }
        }
        trail
    }

    /// A person confirms what a unit says: a piece of evidence, which counts once. A sleeping unit wakes.
    ///
    /// # Errors
    /// [`Error::Refused`] with the rule that stands against it, for this and every other act on a unit.
    pub async fn confirm_unit(&self, id: PropositionId) -> Result<UnitAct, Error> {
        self.act(id, "confirmed", |plan| {
            let evidence = Evidence::confirmation(plan.now);
            let displaced = woken(plan, id, "a person confirmed it")?;
            let trust = || plan.trust_of(id, "reinforcement");
            let change = plan.reinforce(id, evidence, trust, "confirmed by a person")?;
            Ok((change, displaced))
        })
        .await
    }

    /// A person lowers a unit one level; PROVISIONAL is archived, and CANON is taken back as [`Self::decanonize_unit`] does.
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn demote_unit(&self, id: PropositionId) -> Result<UnitAct, Error> {
        if self.unit(id).is_some_and(|view| view.authority == Authority::Canon) {
            return self.decanonize_unit(id, "").await;
        }
        self.act(id, "lowered", |plan| {
            plan.demote(id, DemotionReason::Manual, "lowered by a person").map(alone)
        })
        .await
    }

    /// A person takes a unit out of the working set. Its statement stays. `note` says why and may be empty.
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn archive_unit(&self, id: PropositionId, note: &str) -> Result<UnitAct, Error> {
        let why = worded("taken out by a person", note);
        self.act(id, "taken out of the working set", |plan| {
            plan.archive(id, ArchiveReason::Manual, None, &why).map(alone)
        })
        .await
    }

    /// A person brings a unit back, with the authority that it had. Where the working set is full, the least activated unit that
    /// may leave makes room.
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn revive_unit(&self, id: PropositionId) -> Result<UnitAct, Error> {
        self.act(id, "brought back into the working set", |plan| {
            with_room(plan, id, Action::Revive, || plan.revive(id, "brought back by a person"))
        })
        .await
    }

    /// A person sets a unit's activation, clamped to `unit.min_rank` and `unit.max_rank`.
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn set_activation(&self, id: PropositionId, activation: u16) -> Result<UnitAct, Error> {
        self.act(id, "activation set", |plan| {
            plan.set_activation(id, activation.into(), "set by a person").map(alone)
        })
        .await
    }

    /// A person puts a statement into the working set, past the gates that a policy's promotion meets, but within the budget. It
    /// enters as PROVISIONAL; one that was there before comes back with what it had.
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn add_to_working_set(&self, id: PropositionId) -> Result<UnitAct, Error> {
        self.act(id, "put into the working set", |plan| {
            let trust = || plan.trust_of(id, "promotion");
            with_room(plan, id, Action::Promote, || plan.promote(id, trust(), "put in by a person"))
        })
        .await
    }

    /// A person makes a unit CANON. `note` says why and may be empty. This is the answer itself, not the wish: a page that wants the
    /// question first (`unit.canonization_gate_enabled`) calls [`Memory::request_canon`].
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn canonize_unit(&self, id: PropositionId, note: &str) -> Result<UnitAct, Error> {
        let why = worded("made CANON by a person", note);
        self.act_saying(id, "made CANON", note, |plan| plan.canonize(id, &why).map(alone)).await
    }

    /// A person takes CANON back: RELIABLE, or what its ceiling allows. The answer itself, as above; the wish is
    /// [`Memory::request_decanon`].
    ///
    /// # Errors
    /// As [`Self::confirm_unit`].
    pub async fn decanonize_unit(&self, id: PropositionId, note: &str) -> Result<UnitAct, Error> {
        let why = worded("taken out of CANON by a person", note);
        self.act_saying(id, "taken out of CANON", note, |plan| plan.decanonize(id, &why).map(alone)).await
    }

    /// Wakes the sleeping units among statements that turned out to matter, each with the authority that it had, as long as there
    /// is room: nobody loses its place for it, because what sleeps is found by its words anyway. One commit, none where
    /// nobody woke.
    ///
    /// # Errors
    /// As [`Memory::commit`].
    pub async fn wake_units(&self, ids: &[PropositionId], why: &str) -> Result<Vec<Change>, Error> {
        let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "units woke");
        let (woke, _) = self
            .change(info, |state, scope| {
                let sleeps = |id: &&PropositionId| {
                    let unit = state.unit(**id);
                    unit.is_some_and(|unit| matches!(unit.standing(), unit::Standing::Dormant { .. }))
                };
                self.planning(state, scope, Mover::Policy("relevance"), |plan| {
                    Ok(ids.iter().filter(sleeps).filter_map(|id| plan.revive(*id, why).ok()).collect())
                })
            })
            .await?;
        Ok(woke)
    }

    /// Writes down what time has changed in the working set: authority that activation no longer carries, and units that fall
    /// asleep. One commit, none where nothing changed; settling twice settles once.
    ///
    /// # Errors
    /// As [`Memory::commit`].
    pub async fn settle_units(&self) -> Result<Settled, Error> {
        let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, "the working set settled");
        let (settled, _) = self
            .change(info, |state, scope| {
                let plan = |plan: &UnitPlan<'_>| Ok(unit::settle(plan));
                self.planning(state, scope, Mover::Policy("the passage of time"), plan)
            })
            .await?;
        Ok(settled)
    }

    /// Puts a rule in force, in place of one with the same id and context.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a rule that cannot be.
    pub fn register_invariant(&self, rule: InvariantRule) -> Result<(), Error> {
        let mut config = self.config();
        config.unit.invariants.register(rule);
        self.set_config(config)
    }
    /// Takes the rules of that id out of force; whether there was one.
    ///
    /// # Errors
    /// As [`Self::set_config`].
    pub fn deregister_invariant(&self, id: &str) -> Result<bool, Error> {
        let mut config = self.config();
        let known = config.unit.invariants.deregister(id);
        self.set_config(config)?;
        Ok(known)
    }

    /// Plans changes of units as `mover`, on the settings and the clock in force.
    pub(crate) fn planning<T>(
        &self,
        state: &State,
        scope: &Scope,
        mover: Mover<'_>,
        plan: impl FnOnce(&UnitPlan<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (config, now) = (self.config(), self.now().at);
        plan(&UnitPlan { state, scope, config: &config, context: self.context(), now, mover })
    }

    /// One act of a person on a unit, in a commit of its own. Rules that it goes against are told as they are met.
    async fn act(
        &self,
        id: PropositionId,
        what: &str,
        plan: impl Fn(&UnitPlan<'_>) -> Result<(Change, Vec<Change>), Objection>,
    ) -> Result<UnitAct, Error> {
        self.act_saying(id, what, "", plan).await
    }
    async fn act_saying(
        &self,
        id: PropositionId,
        what: &str,
        note: &str,
        plan: impl Fn(&UnitPlan<'_>) -> Result<(Change, Vec<Change>), Objection>,
    ) -> Result<UnitAct, Error> {
        let info =
            ScopeInfo::new(Cause::Manual, Actor::Person, format!("a unit was {what}")).with_id("unit", id);
        let done = self
            .change(info, |state, scope| {
                let now = self.now().at;
                let Some(act) = PersonAct::of(scope, now).map(|act| act.saying(note)) else {
                    return Err(Error::Invalid { what: "scope", problem: "it is no person's".into() });
                };
                self.planning(state, scope, Mover::Person(&act), |planning| Ok(plan(planning)?))
            })
            .await;
        match done {
            Ok(((change, displaced), commit)) => {
                change.warnings.iter().for_each(|violation| self.tell_violation(violation));
                Ok(UnitAct { change, displaced, commit: commit.map(|commit| commit.id) })
            }
            Err(Error::Refused(objection)) => {
                self.tell_violation(&objection);
                Err(Error::Refused(objection))
            }
            Err(other) => Err(other),
        }
    }

    pub(crate) fn tell_violation(&self, violation: &Objection) {
        self.tell_unit(UnitEvent::InvariantViolation { violation: violation.clone() }, false);
    }
    /// Tells what a commit did to units, if the settings want it told.
    pub(super) fn tell_units(&self, commit: &Rc<Commit>, remote: bool) {
        let settings = self.with_config(|config| config.unit.clone());
        let told = crate::event::units(&self.log(), commit, &settings);
        told.into_iter().for_each(|event| self.tell_unit(event, remote));
    }
    fn tell_unit(&self, event: UnitEvent, remote: bool) {
        if self.with_config(|config| config.unit.lifecycle_events_enabled) {
            let (context, at) = (self.context().clone(), self.now().at);
            self.emit(&Event::Unit { event, context, at, remote });
        }
    }
}

fn alone(change: Change) -> (Change, Vec<Change>) {
    (change, Vec::new())
}

fn worded(what: &str, note: &str) -> String {
    match note.trim() {
        "" => what.to_owned(),
        note => format!("{what}: {note}"),
    }
}

/// Brings a unit in, after the budget has made room where there is none. Who makes room is the budget's choice, not the
/// person's, so the rules for policies hold for those who leave.
fn with_room(
    plan: &UnitPlan<'_>,
    id: PropositionId,
    action: Action,
    bring: impl Fn() -> Result<Change, Objection>,
) -> Result<(Change, Vec<Change>), Objection> {
    if plan.view(id).is_some_and(|view| view.unit.is_active()) {
        return bring().map(alone);
    }
    let budget = UnitPlan { mover: Mover::Policy("the budget"), ..*plan };
    let displaced = budget.make_room().map_err(|kept| Objection {
        unit: id,
        action,
        words: format!("the working set is full, and nobody may leave: {}", kept.words),
        ..kept
    })?;
    bring().map(|change| (change, displaced))
}

/// Wakes a unit that sleeps, so that what is said of it counts in the working set.
fn woken(plan: &UnitPlan<'_>, id: PropositionId, why: &str) -> Result<Vec<Change>, Objection> {
    let sleeps =
        plan.view(id).is_some_and(|view| matches!(view.unit.standing(), unit::Standing::Dormant { .. }));
    if !sleeps {
        return Ok(Vec::new());
    }
    with_room(plan, id, Action::Revive, || plan.revive(id, why)).map(|(_, displaced)| displaced)
}
