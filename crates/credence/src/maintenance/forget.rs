//! What goes with a forgotten statement: its duplicates, which say the same, are forgotten with it, and what was abstracted from it
//! is retired, because a summary can repeat what it rests on. All of it is in the commit of the forgetting, with its reasons, and
//! comes back when that is undone. Source: dice section 13 (deleted sources).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

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

/// Plans what goes with these statements, whose own removal is planned by the caller. What is pinned stays. One pass over the memory, however
/// many there are.
pub(crate) fn forget_with(state: &State, scope: &Scope, ids: &BTreeSet<PropositionId>, now: Timestamp) {
    let mut twins: BTreeMap<PropositionId, Vec<PropositionId>> = BTreeMap::new();
    for (twin, survivor) in state.runs().flat_map(says_the_same) {
        twins.entry(survivor).or_default().push(twin);
    }
    let (mut gone, mut open) = (ids.clone(), ids.iter().rev().copied().collect::<Vec<_>>());
    while let Some(stood) = open.pop() {
        for twin in twins.get(&stood).into_iter().flatten() {
            if let Some(p) = state.proposition(*twin).filter(|p| !p.status.is_live() && !p.pinned)
                && gone.insert(p.id)
            {
                scope.remove(state, RecordId::Proposition(p.id), "it says the same as what was forgotten");
                open.push(p.id);
            }
        }
    }
    let mut above: BTreeMap<PropositionId, Vec<&Proposition>> = BTreeMap::new();
    for p in state.propositions().filter(|p| p.status.is_live() && !p.pinned) {
        for below in &p.source_ids {
            above.entry(*below).or_default().push(p);
        }
    }
    let mut open: VecDeque<PropositionId> = gone.iter().copied().collect();
    while let Some(below) = open.pop_front() {
        for p in above.get(&below).into_iter().flatten() {
            if !gone.insert(p.id) {
                continue;
            }
            open.push_back(p.id);
            if let Ok(retired) = (*p).clone().with_status(Status::Stale, now) {
                scope.put(state, retired, "it rests on a statement that was forgotten");
            }
        }
    }
}
