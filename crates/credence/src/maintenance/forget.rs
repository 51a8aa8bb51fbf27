//! What goes with a forgotten statement: its duplicates, which say the same, are forgotten with it, and what was abstracted from it
//! is retired, because a summary can repeat what it rests on. All of it is in the commit of the forgetting, with its reasons, and
//! comes back when that is undone. Source: dice section 13 (deleted sources).

use std::collections::BTreeSet;

use super::collector::DUPLICATE;
use super::report::{MarkOutcome, RunReport};
use super::session::{CONFIRMS, MERGED};
use crate::history::{RecordId, Scope, State};
use crate::id::PropositionId;
use crate::proposition::{Proposition, Status};
use crate::time::Timestamp;

/// Pairs of statements of which a run said that they say the same; none of a dry one.
pub(crate) fn says_the_same(run: &RunReport) -> Vec<(PropositionId, PropositionId)> {
    let twins = run.marks().filter(|mark| {
        let is_twin = [DUPLICATE, CONFIRMS, MERGED].contains(&mark.key.as_str());
        is_twin && !run.dry && matches!(mark.outcome, MarkOutcome::Transitioned { .. })
    });
    twins.filter_map(|mark| Some((mark.proposition, mark.survivor?))).collect()
}

/// Plans what goes with `id`, whose own removal is planned by the caller. What is pinned stays.
pub(crate) fn forget_with(state: &State, scope: &Scope, id: PropositionId, now: Timestamp) {
    let mut forgotten = BTreeSet::from([id]);
    let mut open = vec![id];
    while let Some(stood) = open.pop() {
        for (twin, survivor) in state.runs().flat_map(says_the_same) {
            let twin = state.proposition(twin).filter(|p| !p.status.is_live() && !p.pinned);
            if let Some(twin) = twin.filter(|_| survivor == stood)
                && forgotten.insert(twin.id)
            {
                let why = "it says the same as what was forgotten";
                scope.remove(state, RecordId::Proposition(twin.id), why);
                open.push(twin.id);
            }
        }
    }
    let mut gone: BTreeSet<PropositionId> = forgotten;
    loop {
        let rests = |p: &&Proposition| {
            p.status.is_live()
                && !p.pinned
                && !gone.contains(&p.id)
                && p.source_ids.iter().any(|id| gone.contains(id))
        };
        let above: Vec<Proposition> = state.propositions().filter(rests).cloned().collect();
        if above.is_empty() {
            return;
        }
        for p in above {
            gone.insert(p.id);
            if let Ok(retired) = p.with_status(Status::Stale, now) {
                scope.put(state, retired, "it rests on a statement that was forgotten");
            }
        }
    }
}
