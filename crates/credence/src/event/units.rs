//! What a commit did to single units, in the words of core 11.1: derived from what the commit changed, so that no change of a unit is
//! untold (A3e), other tabs' commits are told alike, and nothing is told that is not durable.
//!
//! Where the source tells of an archive for want of room or use, the unit sleeps here: Evicted and Dormant. What enters comes
//! first, what gave its place comes last. Violations and conflicts change no unit by themselves, so they are told from the reports
//! that a commit holds, and by a person's own act as it is answered. `unit.lifecycle_events_enabled` switches all of them.

use serde::{Deserialize, Serialize};

use crate::extraction::Outcome;
use crate::history::{Commit, Log, Record, RecordId, Revision};
use crate::id::PropositionId;
use crate::promotion::{ConflictAnswer, PromotionReport};
use crate::unit::{
    Activation, ArchiveReason, Authority, AuthorityReason, DormancyReason, Objection, Standing,
    SupersessionReason, Tier, Unit, UnitSettings,
};
use crate::upkeep::SweepReport;

/// Which way authority went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Direction {
    /// Up.
    Promoted,
    /// Down.
    Demoted,
}

/// What happened to a unit. A unit is named by its statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnitEvent {
    /// A statement entered the working set.
    Promoted {
        /// Which.
        unit: PropositionId,
        /// With this activation.
        activation: Activation,
    },
    /// Evidence was counted.
    Reinforced {
        /// Which.
        unit: PropositionId,
        /// Activation before, as of then.
        previous: Activation,
        /// Activation now.
        activation: Activation,
        /// Pieces of evidence now.
        count: usize,
    },
    /// It was taken out by a decision.
    Archived {
        /// Which.
        unit: PropositionId,
        /// Why.
        reason: ArchiveReason,
    },
    /// It gave its place to another one, and sleeps.
    Evicted {
        /// Which.
        unit: PropositionId,
        /// Its activation then.
        activation: Activation,
    },
    /// It faded, and sleeps.
    Dormant {
        /// Which.
        unit: PropositionId,
        /// Its activation then.
        activation: Activation,
    },
    /// It came back.
    Revived {
        /// Which.
        unit: PropositionId,
        /// With this activation.
        activation: Activation,
        /// With this authority.
        authority: Authority,
    },
    /// Its authority changed.
    AuthorityChanged {
        /// Which.
        unit: PropositionId,
        /// Before.
        previous: Authority,
        /// Now.
        authority: Authority,
        /// Which way.
        direction: Direction,
        /// Why; `None` where an undo brought an earlier one back.
        reason: Option<AuthorityReason>,
    },
    /// Its tier changed, by more than time.
    TierChanged {
        /// Which.
        unit: PropositionId,
        /// Before.
        previous: Tier,
        /// Now.
        tier: Tier,
    },
    /// Another statement took its place.
    Superseded {
        /// Which.
        predecessor: PropositionId,
        /// The other.
        successor: PropositionId,
        /// Why.
        reason: SupersessionReason,
    },
    /// Its statement was forgotten, or its promotion undone.
    Removed {
        /// Which.
        unit: PropositionId,
    },
    /// A rule was broken, or kept a change from being made.
    InvariantViolation {
        /// Which rule, what was to be done, to what, and whether it was stopped.
        violation: Objection,
    },
    /// A statement stands against units.
    ConflictDetected {
        /// What it says.
        incoming: String,
        /// Which.
        units: Vec<PropositionId>,
    },
    /// A conflict was resolved.
    ConflictResolved {
        /// The unit that was there.
        unit: PropositionId,
        /// What came of it.
        outcome: String,
    },
}

/// What a commit of this log did to units.
pub fn units(log: &Log, commit: &Commit, settings: &UnitSettings) -> Vec<UnitEvent> {
    let (mut told, mut left) = (Vec::new(), Vec::new());
    for revision in &commit.revisions {
        match (revision.previous, &revision.value) {
            (None, Some(Record::Promotion(report))) => {
                told.extend(conflicts(log, report));
                told.extend(violations(&report.violations));
            }
            (None, Some(Record::Sweep(report))) if !report.dry => told.extend(violations(met_by(report))),
            (None, Some(Record::Analysis(report))) => told.extend(report.outcomes.iter().flat_map(met)),
            _ => {}
        }
        let RecordId::Unit(id) = revision.record else { continue };
        let before = before(log, revision);
        match (&before, &revision.value) {
            (before, Some(Record::Unit(unit))) => {
                let told_of = Telling { log, commit, settings, unit };
                match before {
                    Some(before) => told_of.changed(before, &mut told, &mut left),
                    None => told_of.entered(&mut told),
                }
            }
            (Some(_), _) => told.push(UnitEvent::Removed { unit: id }),
            _ => {}
        }
    }
    told.extend(left);
    told
}

/// What a promotion run found opposed, and what came of it. What the analysis of the same statement told is told once: a pair that
/// it met is no news, and how the pair was resolved is news where it was resolved otherwise.
fn conflicts(log: &Log, report: &PromotionReport) -> Vec<UnitEvent> {
    let told = |statement, unit| {
        let outcomes = log.state().analyses().flat_map(|analysis| &analysis.outcomes);
        let mut of_it = outcomes.filter(move |outcome| outcome.proposition == statement);
        of_it.find_map(|outcome| outcome.defended.iter().find(|met| met.unit == unit))
    };
    let mut events = Vec::new();
    for candidate in &report.candidates {
        let met = |conflict: &ConflictAnswer| told(candidate.proposition, conflict.with);
        let fresh = candidate.conflicts.iter().filter(|conflict| met(conflict).is_none());
        let units: Vec<PropositionId> = fresh.map(|conflict| conflict.with).collect();
        if !units.is_empty() {
            events.push(UnitEvent::ConflictDetected { incoming: candidate.text.clone(), units });
        }
        let resolved = candidate.conflicts.iter().filter(|conflict| {
            met(conflict).is_none_or(|met| met.resolution.outcome.as_str() != conflict.outcome)
        });
        events.extend(resolved.map(|conflict| UnitEvent::ConflictResolved {
            unit: conflict.with,
            outcome: conflict.outcome.clone(),
        }));
    }
    events
}

/// The rules that a sweep met: those that stopped a change, and those that were told of one that was made.
fn met_by(report: &SweepReport) -> impl Iterator<Item = &Objection> {
    let stopped = report.blocked.iter().map(|block| &block.objection);
    stopped.chain(report.effects.iter().flat_map(|effect| &effect.change.warnings))
}

fn violations<'a>(met: impl IntoIterator<Item = &'a Objection>) -> impl Iterator<Item = UnitEvent> {
    met.into_iter().map(|violation| UnitEvent::InvariantViolation { violation: violation.clone() })
}

/// What an analysed statement stood against, and what came of each.
fn met(outcome: &Outcome) -> Vec<UnitEvent> {
    let units: Vec<PropositionId> = outcome.defended.iter().map(|met| met.unit).collect();
    let detected = UnitEvent::ConflictDetected { incoming: outcome.text.clone(), units };
    let resolved = outcome.defended.iter().map(|met| UnitEvent::ConflictResolved {
        unit: met.unit,
        outcome: met.resolution.outcome.as_str().to_owned(),
    });
    let first = (!outcome.defended.is_empty()).then_some(detected);
    first.into_iter().chain(resolved).collect()
}

fn before(log: &Log, revision: &Revision) -> Option<Unit> {
    let previous = revision.previous?;
    let step = log.history(revision.record).rev().find(|step| step.revision.id == previous)?;
    match &step.revision.value {
        Some(Record::Unit(unit)) => Some(unit.clone()),
        _ => None,
    }
}

struct Telling<'a> {
    log: &'a Log,
    commit: &'a Commit,
    settings: &'a UnitSettings,
    unit: &'a Unit,
}

impl Telling<'_> {
    /// Activation of a state of the unit, as of the commit.
    fn activation(&self, unit: &Unit) -> Activation {
        match self.log.state().proposition(unit.proposition) {
            Some(statement) => unit.activation_at(statement, self.commit.clock, self.settings),
            None => unit.stored_activation(),
        }
    }

    fn entered(&self, told: &mut Vec<UnitEvent>) {
        let id = self.unit.proposition;
        told.push(UnitEvent::Promoted { unit: id, activation: self.unit.stored_activation() });
        self.authority(Authority::Provisional, told);
    }

    fn authority(&self, previous: Authority, told: &mut Vec<UnitEvent>) {
        let authority = self.unit.authority();
        if authority == previous {
            return;
        }
        let direction = if authority > previous { Direction::Promoted } else { Direction::Demoted };
        let step = self.unit.last_step().filter(|step| (step.from, step.to) == (previous, authority));
        let reason = step.map(|step| step.reason);
        told.push(UnitEvent::AuthorityChanged {
            unit: self.unit.proposition,
            previous,
            authority,
            direction,
            reason,
        });
    }

    fn changed(&self, before: &Unit, told: &mut Vec<UnitEvent>, left: &mut Vec<UnitEvent>) {
        let (id, unit) = (self.unit.proposition, self.unit);
        let (previous, activation) = (self.activation(before), self.activation(unit));
        self.authority(before.authority(), told);
        let count = unit.evidence().len();
        if count > before.evidence().len() {
            told.push(UnitEvent::Reinforced { unit: id, previous, activation, count });
        }
        let (was, tier) = (self.settings.tier.of(previous), self.settings.tier.of(activation));
        if was != tier && unit.is_active() {
            told.push(UnitEvent::TierChanged { unit: id, previous: was, tier });
        }
        if unit.standing() == before.standing() {
            return;
        }
        match unit.standing() {
            Standing::Active => {
                told.push(UnitEvent::Revived { unit: id, activation, authority: unit.authority() });
            }
            Standing::Dormant { reason: DormancyReason::BudgetEviction, .. } => {
                left.push(UnitEvent::Evicted { unit: id, activation: previous });
            }
            Standing::Dormant { reason: DormancyReason::DormancyDecay, .. } => {
                left.push(UnitEvent::Dormant { unit: id, activation: previous });
            }
            Standing::Archived { reason, successor, .. } => {
                told.push(UnitEvent::Archived { unit: id, reason: *reason });
                if let Some(successor) = *successor {
                    let reason = (*reason).into();
                    told.push(UnitEvent::Superseded { predecessor: id, successor, reason });
                }
            }
        }
    }
}
