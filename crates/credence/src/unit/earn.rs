//! What raises and lowers a unit: evidence, trust, and what no longer carries it (core 2.4 to 2.6, 3.3).
//!
//! Evidence that counts adds 50 to activation, and at 3 and 7 pieces one level of authority: after trust was evaluated anew, whose
//! ceiling caps the very raise that asked for it (fixes core 2.5). A raise that a rule or the ceiling holds back is told, and the
//! evidence stays counted. Trust lowers a unit when its score falls below `unit.demote_threshold`, or while it stands above its
//! ceiling: one level an evaluation, and an unchanged score lowers once. PROVISIONAL is not lowered by trust; lowering it for another
//! reason archives it.

use super::evidence::{BOOST, carries_up};
use super::{
    Action, ArchiveReason, Authority, AuthorityReason, AuthorityStep, Change, DemotionReason, Did, Earned,
    Evidence, Objection, Unit, UnitPlan, UnitView, provenance_ceiling,
};
use crate::id::PropositionId;
use crate::time::Timestamp;
use crate::trust::TrustAudit;

impl Unit {
    fn step_to(&mut self, earned: Earned, reason: AuthorityReason, at: Timestamp) -> (Authority, Authority) {
        let from = self.authority();
        self.earned = earned;
        let to = self.authority();
        self.step = Some(AuthorityStep { from, to, reason, at });
        (from, to)
    }
}

impl UnitPlan<'_> {
    /// Adds a piece of evidence. `trust` is asked once, and only when the evidence would raise the unit.
    pub fn reinforce(
        &self,
        id: PropositionId,
        evidence: Evidence,
        trust: impl FnOnce() -> Option<TrustAudit>,
        why: &str,
    ) -> Result<Change, Objection> {
        let view = self.standing(id, Action::Reinforce)?;
        let mut warnings = self.check(Action::Reinforce, &view)?;
        if let Err(reason) = evidence.counts(view.unit.evidence()) {
            return Ok(Change::nothing(id, reason));
        }
        let from = view.activation;
        let settings = &self.config.unit;
        let boost = if settings.activation_moves { BOOST } else { 0 };
        let to = settings.clamped(i64::from(from.get()) + boost);
        let mut next = view;
        next.unit.evidence.push(evidence);
        next.unit.ceiling = provenance_ceiling(&next.proposition, &self.config.trust);
        next.unit.noticed = Some(self.now);
        (next.unit.activation, next.unit.touched) = (to, self.now);
        let count = next.unit.evidence.len();
        let mut authority = None;
        let rises = settings.authority_rises && next.authority != Authority::Canon;
        if rises && carries_up(next.unit.earned, count) {
            let (stepped, told) = self.stepped_up(&mut next, trust());
            authority = stepped;
            warnings.extend(told);
        }
        let did = Did::Reinforced { from, to, count, authority };
        Ok(self.write(next.unit, did, why, warnings))
    }

    /// One level up, if fresh trust, the ceiling and the guard allow it; one down, where trust fell.
    fn stepped_up(
        &self,
        view: &mut UnitView,
        audit: Option<TrustAudit>,
    ) -> (Option<(Authority, Authority)>, Vec<Objection>) {
        if let Some(audit) = audit {
            let (lowered, told) = self.take_audit(view, audit);
            if lowered.is_some() {
                return (lowered, told);
            }
        }
        let distrusted = view.unit.trust.as_ref().filter(|a| a.score < self.config.unit.demote_threshold);
        match self.check(Action::Raise, view) {
            Ok(told) if distrusted.is_none() => {
                let next = view.unit.earned.next();
                (Some(view.unit.step_to(next, AuthorityReason::Reinforcement, self.now)), told)
            }
            Ok(told) => (None, told),
            Err(objection) => (None, vec![objection]),
        }
    }

    /// Keeps a fresh trust audit, and lowers the unit one level where it no longer bears its authority. Pinned units and CANON
    /// keep their level, and the audit says so.
    pub fn assess(&self, id: PropositionId, audit: TrustAudit, why: &str) -> Result<Change, Objection> {
        let mut view = self.standing(id, Action::Reinforce)?;
        if view.unit.trust.as_ref() == Some(&audit) {
            return Ok(Change::nothing(id, "this evaluation is known"));
        }
        let score = audit.score;
        let (authority, warnings) = self.take_audit(&mut view, audit);
        Ok(self.write(view.unit, Did::Assessed { score, authority }, why, warnings))
    }

    fn take_audit(
        &self,
        view: &mut UnitView,
        audit: TrustAudit,
    ) -> (Option<(Authority, Authority)>, Vec<Objection>) {
        let least = self.config.unit.demote_threshold;
        let was_below = view.unit.trust.as_ref().is_some_and(|before| before.score < least);
        let fell = audit.score < least && !was_below;
        view.unit.trust = Some(audit);
        let too_high = view.unit.earned > view.unit.ceiling();
        if view.unit.earned == Earned::Provisional || !(fell || too_high) {
            return (None, Vec::new());
        }
        match self.check(Action::Demote, view) {
            Ok(told) => {
                let lower = view.unit.earned.previous();
                (Some(view.unit.step_to(lower, AuthorityReason::TrustDegradation, self.now)), told)
            }
            Err(objection) => (None, vec![objection]),
        }
    }

    /// One level down; PROVISIONAL is archived. Activation stays. CANON is not lowered but decanonized.
    pub fn demote(&self, id: PropositionId, reason: DemotionReason, why: &str) -> Result<Change, Objection> {
        let mut view = self.standing(id, Action::Demote)?;
        if view.authority == Authority::Provisional {
            let reason = match reason {
                DemotionReason::ConflictEvidence => ArchiveReason::ConflictReplacement,
                DemotionReason::Manual => ArchiveReason::Manual,
                DemotionReason::TrustDegradation | DemotionReason::RankDecay => {
                    ArchiveReason::ProactiveMaintenance
                }
            };
            return self.archive(id, reason, None, why);
        }
        let warnings = self.check(Action::Demote, &view)?;
        let lower = view.unit.earned.previous();
        let (from, to) = view.unit.step_to(lower, reason.into(), self.now);
        Ok(self.write(view.unit, Did::Demoted { from, to }, why, warnings))
    }
}
