//! Evidence that is taken back: a unit loses what came from a source that no longer says it, and what that had given.
//!
//! Where counting it was the last that happened to the unit, the unit is again what it was before. Otherwise each piece takes with it the
//! activation that it brought, and where what is left no longer carries the last level that evidence gave, that level goes too; one level
//! at most, like every step. Nothing is refused by rules, because what is not there cannot be counted; a pin does not keep evidence, and
//! CANON, which a person gave, does not rest on it.

use std::collections::BTreeSet;

use super::evidence::{BOOST, carries_up};
use super::{AuthorityReason, AuthorityStep, Change, Did, Earned, Evidence, EvidenceKind, Unit, UnitPlan};
use crate::history::{Log, Record, RecordId};
use crate::id::PropositionId;

impl UnitPlan<'_> {
    /// Takes back the evidence of these independent sources and of correct uses at these turns (conversation, index).
    pub(crate) fn withdraw(
        &self,
        log: &Log,
        id: PropositionId,
        sources: &BTreeSet<String>,
        uses: &BTreeSet<(String, u32)>,
        why: &str,
    ) -> Change {
        let Some(view) = self.view(id) else {
            return Change::nothing(id, "it has never been in the working set");
        };
        let goes = |piece: &Evidence| match piece.kind {
            EvidenceKind::IndependentSource => sources.contains(&piece.source),
            EvidenceKind::CorrectUse => {
                piece.turn.is_some_and(|turn| uses.contains(&(piece.source.clone(), turn)))
            }
            EvidenceKind::Confirmation => false,
        };
        let mut unit = view.unit;
        let before = unit.evidence.len();
        unit.evidence.retain(|piece| !goes(piece));
        let gone = before - unit.evidence.len();
        if gone == 0 {
            return Change::nothing(id, "none of its evidence came from there");
        }
        let from = view.activation;
        if let Some(was) = before_it_counted(log, id, goes) {
            let to = was.activation_at(&view.proposition, self.now, &self.config.unit);
            return self.write(was, Did::Activated { from, to }, why, Vec::new());
        }
        let given = BOOST * i64::try_from(gone).unwrap_or(i64::MAX);
        let to = self.config.unit.clamped(i64::from(from.get()).saturating_sub(given));
        (unit.activation, unit.touched) = (to, self.now);
        let was_carried =
            unit.step.as_ref().is_some_and(|step| step.reason == AuthorityReason::Reinforcement);
        let lower = unit.earned.previous();
        if was_carried && unit.earned != Earned::Provisional && !carries_up(lower, unit.evidence.len()) {
            let from = unit.authority();
            unit.earned = lower;
            let to = unit.authority();
            let reason = AuthorityReason::TrustDegradation;
            unit.step = Some(AuthorityStep { from, to, reason, at: self.now });
        }
        self.write(unit, Did::Activated { from, to }, why, Vec::new())
    }
}

/// The unit as it was before the evidence that goes was counted; `None` where something else happened to it since.
fn before_it_counted(log: &Log, id: PropositionId, goes: impl Fn(&Evidence) -> bool) -> Option<Unit> {
    let mut steps = log.history(RecordId::Unit(id)).rev().map_while(|step| match &step.revision.value {
        Some(Record::Unit(unit)) => Some(unit.clone()),
        _ => None,
    });
    let mut now = steps.next()?;
    while now.evidence.iter().any(&goes) {
        let before = steps.next()?;
        let added = now.evidence.strip_prefix(before.evidence.as_slice())?;
        if added.is_empty() || !added.iter().all(&goes) {
            return None;
        }
        now = before;
    }
    Some(now)
}
