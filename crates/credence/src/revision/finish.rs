//! What is done to every decided statement beside its own change: trust is scored on what it left, the kind of a conflict is
//! named, what rests on what was retired is looked at, and a person is asked where a pinned statement stands in the way.

use super::apply::Apply;
use super::decide::Decision;
use crate::conflict::{ConflictType, Stand};
use crate::extraction::{Outcome, OutcomeKind};
use crate::history::{Record, RecordId, Scope, State};
use crate::id::{InboxId, PropositionId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::time::Timestamp;

impl<P: Ports> Memory<P> {
    /// Plans one decision with all that belongs to it, after the units that it would retire had their say.
    pub(crate) fn apply_decided(
        &self,
        state: &State,
        scope: &Scope,
        mut new: Proposition,
        decision: Decision,
        now: Timestamp,
        notes: &mut Vec<String>,
    ) -> Outcome {
        let stand = self.defend(state, scope, &mut new, decision, now, notes);
        self.carry_out(state, scope, new, stand, now, notes)
    }

    /// Plans one decision with all that belongs to it.
    pub(crate) fn carry_out(
        &self,
        state: &State,
        scope: &Scope,
        new: Proposition,
        stand: Stand,
        now: Timestamp,
        notes: &mut Vec<String>,
    ) -> Outcome {
        let Stand { decision, defended, kept, holds } = stand;
        let incoming = new.clone();
        let stood = |id: &PropositionId| scope.proposition(state, *id);
        let mut before: Vec<Proposition> = match &decision {
            Decision::Contradict { others, .. } | Decision::Dispute { others, .. } => {
                others.iter().filter_map(stood).collect()
            }
            Decision::Outdated { by, .. } => stood(by).into_iter().collect(),
            _ => Vec::new(),
        };
        before.extend(kept.iter().filter_map(stood));
        let is_dispute = matches!(decision, Decision::Dispute { .. });
        let next_inbox = || InboxId::new(self.next_id());
        let apply = Apply { state, scope, now, next_inbox: &next_inbox };
        let mut outcome = apply.apply(new, decision, notes);
        if holds {
            outcome.kind = OutcomeKind::Disputed;
        }
        outcome.others.extend(kept);
        let record = RecordId::Proposition(outcome.proposition);
        if scope.plans(record)
            && let Some(Record::Proposition(left)) = scope.get(state, record)
        {
            scope.put(state, self.with_config(|config| config.trust.scored(left, now)), "");
        }
        if let Some(old) = before.first() {
            let links = |newer: PropositionId, older: PropositionId| {
                scope.proposition(state, newer).is_some_and(|p| p.temporal.supersedes.contains(&older))
            };
            let closed = links(incoming.id, old.id) || links(old.id, incoming.id);
            let kind =
                if closed { ConflictType::WorldProgression } else { self.conflict_type(&incoming, old) };
            outcome.conflict = Some(kind);
        }
        let retired = before.iter().filter(|old| old.status.is_live()).map(|old| old.id);
        let retired: Vec<PropositionId> =
            retired.filter(|id| stood(id).is_some_and(|now| !now.status.is_live())).collect();
        outcome.dependants = self.cascade(state, scope, &retired, now);
        // A dispute has its question already.
        if !is_dispute && matches!(outcome.kind, OutcomeKind::Contradicted | OutcomeKind::Disputed) {
            self.ask_about_pins(state, scope, outcome.proposition, &outcome.others, now);
        }
        self.ask_about_units(state, scope, outcome.proposition, &defended, now);
        outcome.defended = defended;
        outcome
    }

    /// A model says that statements are opposed, not why. Where every pair fills a slot that changes with time, the world moved
    /// on: the older ones were true (deviation D23).
    pub(super) fn moved_on(
        &self,
        state: &State,
        scope: &Scope,
        new: &Proposition,
        decision: Decision,
    ) -> Decision {
        match decision {
            Decision::Contradict { others, moved_on: false, why, confidence } => {
                let progressed = |id: &PropositionId| {
                    scope
                        .proposition(state, *id)
                        .is_some_and(|old| self.conflict_type(new, &old) == ConflictType::WorldProgression)
                };
                let moved_on = !others.is_empty() && others.iter().all(progressed);
                Decision::Contradict { others, moved_on, why, confidence }
            }
            other => other,
        }
    }
}
