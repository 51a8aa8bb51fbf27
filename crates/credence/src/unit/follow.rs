//! What becomes of a unit whose statement goes: one truth in one commit, whoever planned it.
//!
//! A statement that is forgotten takes its unit along. One that is retired archives it, with the reason that the status gives and the
//! statement that took its place. A unit that the same plan has decided on already is left as decided, and a CANON unit
//! is left to its person: nothing believes a retired statement, so it stands in no working set meanwhile.

use super::{ArchiveReason, Authority, Standing, Unit};
use crate::history::{Actor, Draft, Record, RecordId, Scope, State};
use crate::id::PropositionId;
use crate::proposition::{Proposition, Status};
use crate::time::Timestamp;

/// Plans what the units follow their statements in. Called once before every commit.
pub(crate) fn follow(state: &State, scope: &Scope, now: Timestamp) {
    if state.units().next().is_none() {
        return;
    }
    let drafts = scope.drafts();
    let by_person = scope.info().actor == Actor::Person;
    for draft in &drafts {
        let RecordId::Proposition(id) = draft.record else { continue };
        let Some(unit) = state.unit(id) else { continue };
        let record = RecordId::Unit(id);
        match &draft.value {
            None if scope.get(state, record).is_some() => {
                scope.remove(state, record, "its statement was forgotten");
            }
            Some(Record::Proposition(now_is))
                if !scope.plans(record)
                    && !now_is.status.is_live()
                    && !matches!(unit.standing, Standing::Archived { .. })
                    && (by_person || unit.authority() != Authority::Canon) =>
            {
                let reason = match now_is.status {
                    Status::Contradicted => ArchiveReason::ConflictReplacement,
                    Status::Superseded => ArchiveReason::Revision,
                    _ if by_person => ArchiveReason::Manual,
                    _ => ArchiveReason::ProactiveMaintenance,
                };
                let successor = successor(&drafts, id);
                let standing = Standing::Archived { at: now, reason, successor };
                scope.put(state, Unit { standing, ..unit.clone() }, draft.why.clone());
            }
            _ => {}
        }
    }
}

/// The planned statement that names this one as what it replaced or contradicts.
fn successor(drafts: &[Draft], id: PropositionId) -> Option<PropositionId> {
    let names = |p: &Proposition| p.temporal.supersedes.contains(&id) || p.temporal.contradicts.contains(&id);
    drafts.iter().find_map(|draft| match &draft.value {
        Some(Record::Proposition(p)) if p.id != id && p.status.is_live() && names(p) => Some(p.id),
        _ => None,
    })
}
