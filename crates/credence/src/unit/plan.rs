//! Every change that there is of a unit, as a plan: each asks the guard, writes into the scope, and says what it did.
//!
//! Nothing else changes a unit; its fields are this folder's. A change that would leave everything as it is says [`Did::Nothing`] and
//! why, so that a plan that is made twice changes once. What is refused comes back as the guard's [`Objection`] and has written
//! nothing. Here: what enters and leaves the working set, activation, and CANON; `earn` has what raises and lowers. Source: core 2.3
//! to 2.8, with the fixes of core 15: authority is remembered (G14), reasons are kept, leaving for want of room or use is sleep.

use super::{
    Action, ArchiveReason, Authority, AuthorityReason, AuthorityStep, Change, Did, DormancyReason, Earned,
    Guard, Mover, Objection, SeedUnit, Standing, Strength, Unit, UnitView, planned, planned_view,
    provenance_ceiling,
};
use crate::config::Config;
use crate::history::{RecordId, Scope, State};
use crate::id::{ContextId, PropositionId};
use crate::promotion::{Interference, Place, choose, leaving_order};
use crate::proposition::Proposition;
use crate::time::Timestamp;
use crate::trust::{SourceRegistry, TrustAudit, TrustInput, evaluate};

/// A plan of changes to units, by one mover, into one scope.
#[derive(Debug, Clone, Copy)]
pub struct UnitPlan<'a> {
    /// What is decided on.
    pub state: &'a State,
    /// What the plan is written into.
    pub scope: &'a Scope,
    /// The settings in force.
    pub config: &'a Config,
    /// The memory's name, for rules of one context.
    pub context: &'a ContextId,
    /// As of when.
    pub now: Timestamp,
    /// Who moves.
    pub mover: Mover<'a>,
}

fn place(view: &UnitView) -> Place {
    Place {
        id: view.id(),
        activation: view.activation.get(),
        importance: view.proposition.importance.get(),
        touched: view.unit.touched(),
    }
}

/// An objection that no setting made: to what cannot be done to a unit as it stands.
fn cannot(unit: PropositionId, action: Action, words: &str) -> Objection {
    let (rule, words) = ("standing".to_owned(), words.to_owned());
    Objection { unit, action, rule, strength: Strength::Must, words }
}

impl UnitPlan<'_> {
    /// The working set as the plan so far leaves it.
    pub fn set(&self) -> Vec<UnitView> {
        planned(self.state, self.scope, self.now, self.config)
    }
    /// A unit as the plan so far leaves it, wherever it stands.
    pub fn view(&self, id: PropositionId) -> Option<UnitView> {
        planned_view(self.state, self.scope, id, self.now, self.config)
    }
    /// What the guard says: warnings, or what stops it. Plans nothing.
    pub fn check(&self, action: Action, target: &UnitView) -> Result<Vec<Objection>, Objection> {
        let guard = Guard { settings: &self.config.unit, context: self.context };
        guard.check(self.mover, action, target, &self.set()).map(|checked| checked.warnings)
    }

    /// How far a statement's sources are trusted beside the working set that the plan leaves; `None` where there is no such statement.
    pub fn trust_of(&self, id: PropositionId, trigger: &str) -> Option<TrustAudit> {
        let statement = self.statement(id)?;
        let (set, registry) = (self.set(), SourceRegistry::of(self.state));
        let units = set.iter().map(|view| &view.proposition);
        let quality = self.config.unit.quality_scoring.enabled;
        let input = TrustInput::new(self.state, &statement, units, &registry, quality);
        Some(evaluate(&input, &self.config.trust, trigger, self.now))
    }
    /// Whether a unit may be evicted beside those that leave already; for choosing who makes room.
    pub fn may_leave(&self, gone: &[PropositionId], id: PropositionId) -> Result<(), Objection> {
        let view = self.standing(id, Action::Evict)?;
        let guard = Guard { settings: &self.config.unit, context: self.context };
        let set: Vec<UnitView> = self.set().into_iter().filter(|view| !gone.contains(&view.id())).collect();
        guard.check(self.mover, Action::Evict, &view, &set).map(|_| ())
    }
    /// Makes room for one more by evicting who is least activated and may leave. Returns who left.
    ///
    /// # Errors
    /// What keeps the last one that was asked, where nobody may leave; nothing is planned then.
    pub fn make_room(&self) -> Result<Vec<Change>, Objection> {
        let set = self.set();
        let excess = (set.len() + 1).saturating_sub(self.config.unit.budget as usize);
        self.shrink(&set, excess)
    }

    /// Puts units to sleep after the plan has brought units back past every gate, as an undo does: as many as it brought back too
    /// many, and no more, because a budget that was lowered meanwhile is not its business.
    pub(crate) fn fit(&self, restored: &[RecordId]) -> Result<Vec<Change>, Objection> {
        let set = self.set();
        let came_back = |view: &&UnitView| {
            let was_in =
                planned_view(self.state, &Scope::new(self.scope.info()), view.id(), self.now, self.config);
            let names = [RecordId::Unit(view.id()), RecordId::Proposition(view.id())];
            names.iter().any(|name| restored.contains(name)) && !was_in.is_some_and(|view| view.is_active())
        };
        let excess = set.len().saturating_sub(self.config.unit.budget as usize);
        self.shrink(&set, excess.min(set.iter().filter(came_back).count()))
    }

    fn shrink(&self, set: &[UnitView], excess: usize) -> Result<Vec<Change>, Objection> {
        let places: Vec<Place> = set.iter().map(place).collect();
        let order = leaving_order(&places, &Interference::default(), &self.config.budget);
        let mut last = None;
        let leaving = choose(&order, excess, |gone, id| {
            self.may_leave(gone, id).map_err(|objection| {
                let words = objection.words.clone();
                last = Some(objection);
                words
            })
        });
        match last {
            Some(objection) if leaving.out.len() < excess => Err(objection),
            _ => leaving
                .out
                .into_iter()
                .map(|id| self.evict(id, "another statement needed its place"))
                .collect(),
        }
    }

    pub(super) fn statement(&self, id: PropositionId) -> Option<Proposition> {
        self.scope.proposition(self.state, id)
    }
    /// The unit, unless there is none or a decision has taken it out.
    pub(super) fn standing(&self, id: PropositionId, action: Action) -> Result<UnitView, Objection> {
        let Some(view) = self.view(id) else {
            return Err(cannot(
                id,
                action,
                "its statement is not in the working set and never was, or is gone",
            ));
        };
        match view.unit.standing {
            Standing::Archived { .. } => Err(cannot(id, action, "it is archived; bring it back first")),
            _ => Ok(view),
        }
    }
    pub(super) fn write(&self, unit: Unit, did: Did, why: &str, warnings: Vec<Objection>) -> Change {
        let id = unit.proposition;
        self.scope.put(self.state, unit, why);
        Change { unit: id, did, why: why.to_owned(), warnings }
    }

    /// Puts a statement into the working set: PROVISIONAL at `unit.initial_rank`. A unit that was there before comes back as
    /// [`Self::revive`] has it, so that promoting again never lowers what was earned. Room is made beforehand.
    pub fn promote(
        &self,
        id: PropositionId,
        trust: Option<TrustAudit>,
        why: &str,
    ) -> Result<Change, Objection> {
        if self.view(id).is_some() {
            return self.revive(id, why);
        }
        let Some(statement) = self.statement(id) else {
            return Err(cannot(id, Action::Promote, "there is no such statement"));
        };
        let activation = self.config.unit.clamped(self.config.unit.initial_rank.into());
        let ceiling = provenance_ceiling(&statement, &self.config.trust);
        self.enter(Unit::promoted(id, activation, ceiling, trust, self.now), statement, why)
    }

    /// Puts a statement of the settings into a new context: with the rank and authority given, RELIABLE at most.
    pub fn seed(&self, id: PropositionId, seed: &SeedUnit) -> Result<Change, Objection> {
        let Some(statement) = self.statement(id) else {
            return Err(cannot(id, Action::Promote, "there is no such statement"));
        };
        let activation = self.config.unit.clamped(seed.rank.into());
        let mut unit = Unit::promoted(id, activation, Earned::Reliable, None, self.now);
        unit.earned = match seed.authority {
            Authority::Provisional => Earned::Provisional,
            Authority::Unreliable => Earned::Unreliable,
            Authority::Reliable | Authority::Canon => Earned::Reliable,
        };
        let (from, to) = (Authority::Provisional, unit.authority());
        unit.step =
            (from != to).then_some(AuthorityStep { from, to, reason: AuthorityReason::Seed, at: self.now });
        self.enter(unit, statement, "the settings begin a new context with it")
    }

    fn enter(&self, unit: Unit, statement: Proposition, why: &str) -> Result<Change, Objection> {
        let view = UnitView::new(unit, statement, self.now, self.config);
        if !view.proposition.status.is_live() {
            return Err(cannot(view.id(), Action::Promote, "its statement is not believed"));
        }
        let warnings = self.check(Action::Promote, &view)?;
        let did = Did::Promoted { activation: view.activation };
        Ok(self.write(view.unit, did, why, warnings))
    }

    /// Brings a unit back into the working set with the authority, evidence and lineage that it had, at `unit.initial_rank` at
    /// least. What a person took out is brought back by a person alone. Room is made beforehand.
    pub fn revive(&self, id: PropositionId, why: &str) -> Result<Change, Objection> {
        let action = Action::Revive;
        let Some(view) = self.view(id) else {
            return Err(cannot(id, action, "it has never been in the working set, or is gone"));
        };
        match view.unit.standing {
            Standing::Active => return Ok(Change::nothing(id, "it is in the working set already")),
            Standing::Archived { reason: ArchiveReason::Manual, .. } if !self.is_person() => {
                return Err(cannot(id, action, "a person took it out"));
            }
            _ if !view.proposition.status.is_live() => {
                return Err(cannot(id, action, "its statement is not believed"));
            }
            _ => {}
        }
        let warnings = self.check(action, &view)?;
        let least = self.config.unit.clamped(self.config.unit.initial_rank.into());
        let activation = view.activation.max(least);
        let mut unit = view.unit;
        (unit.standing, unit.activation, unit.touched) = (Standing::Active, activation, self.now);
        unit.noticed = Some(self.now);
        Ok(self.write(unit, Did::Revived { activation }, why, warnings))
    }

    fn is_person(&self) -> bool {
        matches!(self.mover, Mover::Person(_))
    }

    /// Takes a unit out by a decision. Its statement is not touched: where the statement goes too, both are planned together.
    pub fn archive(
        &self,
        id: PropositionId,
        reason: ArchiveReason,
        successor: Option<PropositionId>,
        why: &str,
    ) -> Result<Change, Objection> {
        let Some(view) = self.view(id) else {
            return Err(cannot(id, Action::Archive, "it has never been in the working set, or is gone"));
        };
        if matches!(view.unit.standing, Standing::Archived { .. }) {
            return Ok(Change::nothing(id, "it is archived already"));
        }
        let warnings = self.check(Action::Archive, &view)?;
        let mut unit = view.unit;
        unit.standing = Standing::Archived { at: self.now, reason, successor };
        Ok(self.write(unit, Did::Archived { reason, successor }, why, warnings))
    }

    /// Takes a unit's place for another one. It sleeps, and comes back when it is needed.
    pub fn evict(&self, id: PropositionId, why: &str) -> Result<Change, Objection> {
        self.leave(id, Action::Evict, DormancyReason::BudgetEviction, why)
    }
    /// Puts to sleep what has faded.
    pub fn sleep(&self, id: PropositionId, why: &str) -> Result<Change, Objection> {
        self.leave(id, Action::Sleep, DormancyReason::DormancyDecay, why)
    }
    fn leave(
        &self,
        id: PropositionId,
        action: Action,
        reason: DormancyReason,
        why: &str,
    ) -> Result<Change, Objection> {
        let view = self.standing(id, action)?;
        if !view.unit.is_active() {
            return Ok(Change::nothing(id, "it sleeps already"));
        }
        let warnings = self.check(action, &view)?;
        let did = Did::Slept { activation: view.activation, reason };
        let mut unit = view.unit;
        unit.standing = Standing::Dormant { since: self.now, reason };
        Ok(self.write(unit, did, why, warnings))
    }

    /// Sets activation, clamped to `unit.min_rank` and `unit.max_rank`.
    pub fn set_activation(&self, id: PropositionId, value: i64, why: &str) -> Result<Change, Objection> {
        let view = self.standing(id, Action::SetActivation)?;
        let (from, to) = (view.activation, self.config.unit.clamped(value));
        if from == to {
            return Ok(Change::nothing(id, "its activation is that already"));
        }
        if !self.config.unit.activation_moves && !self.is_person() {
            return Ok(Change::nothing(id, "only a person moves activation: `unit.activation_moves` is off"));
        }
        let warnings = self.check(if to < from { Action::Decay } else { Action::SetActivation }, &view)?;
        let mut unit = view.unit;
        (unit.activation, unit.touched) = (to, self.now);
        Ok(self.write(unit, Did::Activated { from, to }, why, warnings))
    }

    /// Makes a unit CANON; for a person alone.
    pub fn canonize(&self, id: PropositionId, why: &str) -> Result<Change, Objection> {
        let view = self.standing(id, Action::Canonize)?;
        if view.authority == Authority::Canon {
            return Ok(Change::nothing(id, "it is CANON already"));
        }
        let warnings = self.check(Action::Canonize, &view)?;
        let Mover::Person(act) = self.mover else {
            return Err(cannot(id, Action::Canonize, "CANON is a person's to give"));
        };
        let mut unit = view.unit;
        let (from, to) = (view.authority, Authority::Canon);
        unit.canon = Some(act.canonization());
        unit.step = Some(AuthorityStep { from, to, reason: AuthorityReason::Canonization, at: self.now });
        Ok(self.write(unit, Did::Canonized, why, warnings))
    }

    /// Takes CANON back: RELIABLE (core 9.1), or what its ceiling allows; for a person alone.
    pub fn decanonize(&self, id: PropositionId, why: &str) -> Result<Change, Objection> {
        let view = self.standing(id, Action::Decanonize)?;
        if view.authority != Authority::Canon {
            return Ok(Change::nothing(id, "it is not CANON"));
        }
        let warnings = self.check(Action::Decanonize, &view)?;
        let mut unit = view.unit;
        unit.canon = None;
        unit.earned = Earned::Reliable.min(unit.ceiling());
        let (from, to) = (Authority::Canon, unit.authority());
        unit.step = Some(AuthorityStep { from, to, reason: AuthorityReason::Decanonization, at: self.now });
        Ok(self.write(unit, Did::Decanonized { to }, why, warnings))
    }
}
