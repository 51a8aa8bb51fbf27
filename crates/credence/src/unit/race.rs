//! Two writers, one working set: a plan that lets somebody in was decided on who was in it then, by room and by what stood against the
//! newcomer. Records of their own cannot show that another writer let somebody in meanwhile, so the plan is looked at once more
//! before it is written (core 15, G2 and G7).

use crate::history::{Log, Record, RecordId, Scope};

/// The units that a plan lets in although the working set has changed since it was begun: it is to be made again.
pub(crate) fn overtaken(log: &Log, scope: &Scope) -> Vec<RecordId> {
    let Some(since) = scope.since() else { return Vec::new() };
    let later = log.commits().iter().rev().take_while(|commit| commit.seq > since);
    let is_unit = |record: RecordId| matches!(record, RecordId::Unit(_));
    let moved = later.flat_map(|commit| &commit.revisions).any(|revision| is_unit(revision.record));
    if !moved {
        return Vec::new();
    }
    let was_in =
        |record| matches!(record, RecordId::Unit(id) if log.state().unit(id).is_some_and(|u| u.is_active()));
    let drafts = scope.drafts();
    let lets_in = drafts.iter().filter(|draft| {
        matches!(&draft.value, Some(Record::Unit(unit)) if unit.is_active()) && !was_in(draft.record)
    });
    lets_in.map(|draft| draft.record).collect()
}
