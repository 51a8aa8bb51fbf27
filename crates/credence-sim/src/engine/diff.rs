//! What happened to each unit between two turns' ends, and what of the log caused it.
//!
//! Rules (simulator 3.6, with ours): two views of the working set are compared, and each difference is one event, told with the revision that
//! made it: the last one that changed that very field. Where no commit did, time has. Seeds and promotions, sleep and archive,
//! raises and losses of authority are told apart because the log tells them apart; nothing is guessed from the direction of a number.

use std::collections::BTreeMap;

use credence::history::{Blame, Log, Record, RecordId};
use credence::id::PropositionId;
use credence::unit::{Standing, Unit, UnitView};

use crate::run::{DiffCause, DiffEvent, DiffKind};

/// The events between two views, in order of the statements' ids. `since` is the log's position behind the first.
pub(super) fn events(before: &[UnitView], after: &[UnitView], log: &Log, since: u64) -> Vec<DiffEvent> {
    let by_id = |views: &'_ [UnitView]| -> BTreeMap<PropositionId, UnitView> {
        views.iter().map(|view| (view.id(), view.clone())).collect()
    };
    let (before, after) = (by_id(before), by_id(after));
    let mut ids: Vec<PropositionId> = before.keys().chain(after.keys()).copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let mut events = Vec::new();
    for id in ids {
        let life = Life::of(log, id, since);
        match (before.get(&id), after.get(&id)) {
            (None, Some(now)) => {
                let kind = if life.was.is_some() { DiffKind::Revived } else { DiffKind::Created };
                events.push(event(id, kind, None, Some(now), life.standing()));
            }
            (Some(was), None) => events.push(event(id, life.departure(), Some(was), None, life.standing())),
            (Some(was), Some(now)) => {
                let (from, to) = (was.activation, now.activation);
                if from != to {
                    let kind = if to > from { DiffKind::Reinforced } else { DiffKind::Decayed };
                    events.push(event(id, kind, Some(was), Some(now), life.last(Unit::stored_activation)));
                }
                if was.authority != now.authority {
                    let because = life.last(Unit::authority);
                    events.push(event(id, DiffKind::AuthorityChanged, Some(was), Some(now), because));
                }
            }
            (None, None) => {}
        }
    }
    events
}

fn event(
    id: PropositionId,
    kind: DiffKind,
    was: Option<&UnitView>,
    now: Option<&UnitView>,
    because: DiffCause,
) -> DiffEvent {
    let text = now.or(was).map(|view| view.proposition.text.clone()).unwrap_or_default();
    let activation = |view: Option<&UnitView>| view.map_or(0, |view| view.activation.get());
    DiffEvent {
        unit: id.to_string(),
        text,
        kind,
        activation_before: activation(was),
        activation_after: activation(now),
        because,
    }
}

/// What the log says of a unit since a position.
struct Life {
    /// The unit as it was then.
    was: Option<Unit>,
    /// Its revisions since, oldest first.
    steps: Vec<Blame>,
    /// The statement's own revisions since.
    statement: Vec<Blame>,
}

impl Life {
    fn of(log: &Log, id: PropositionId, since: u64) -> Self {
        let (known, steps): (Vec<Blame>, Vec<Blame>) =
            log.history(RecordId::Unit(id)).partition(|step| step.commit.seq <= since);
        let was = known.last().and_then(unit_of).cloned();
        let statement =
            log.history(RecordId::Proposition(id)).filter(|step| step.commit.seq > since).collect();
        Self { was, steps, statement }
    }

    /// The last revision that changed a field.
    fn last<T: PartialEq>(&self, field: impl Fn(&Unit) -> T) -> DiffCause {
        let mut known = self.was.as_ref().map(&field);
        let mut found = None;
        for step in &self.steps {
            let next = unit_of(step).map(&field);
            if next != known {
                found = Some(cause(step));
            }
            known = next;
        }
        found.unwrap_or_else(time)
    }

    /// The last revision that changed where it stands; or of the statement, which took the unit along.
    fn standing(&self) -> DiffCause {
        let by_unit = self.last(|unit| unit.is_active());
        if by_unit.seq > 0 { by_unit } else { self.statement.last().map_or_else(time, cause) }
    }

    /// How it left.
    fn departure(&self) -> DiffKind {
        let now = self.steps.iter().rev().find_map(unit_of).or(self.was.as_ref());
        let is_gone = self.steps.last().is_some_and(|step| unit_of(step).is_none());
        match now.map(Unit::standing) {
            _ if is_gone => DiffKind::Archived,
            Some(Standing::Dormant { .. }) => DiffKind::Evicted,
            Some(Standing::Archived { successor: Some(_), .. }) => DiffKind::Superseded,
            Some(Standing::Archived { .. }) => DiffKind::Archived,
            // The unit stands, so its statement does not.
            Some(Standing::Active) | None => DiffKind::Superseded,
        }
    }
}

fn unit_of(step: &Blame) -> Option<&Unit> {
    match &step.revision.value {
        Some(Record::Unit(unit)) => Some(unit),
        _ => None,
    }
}

fn cause(step: &Blame) -> DiffCause {
    let commit = &step.commit;
    let why = if step.revision.why.is_empty() { &commit.reason } else { &step.revision.why };
    DiffCause { cause: commit.cause.as_str().to_owned(), why: why.clone(), seq: commit.seq }
}

fn time() -> DiffCause {
    DiffCause { cause: "time".to_owned(), why: "time passed".to_owned(), seq: 0 }
}
