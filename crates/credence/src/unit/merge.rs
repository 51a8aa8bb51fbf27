//! Two units that say the same become one: the one that stays takes over the evidence, the other is archived with it as successor.

use super::evidence::Evidence;
use super::{Action, ArchiveReason, Change, Did, Objection, UnitPlan, provenance_ceiling};
use crate::id::PropositionId;

impl UnitPlan<'_> {
    /// `stays` takes over from `goes`: its evidence as far as the caps let it count, the higher activation, and the ceiling of its
    /// statement, which has the sources of both by now. Authority stays what it is: taking over is no evidence.
    pub fn merge(
        &self,
        goes: PropositionId,
        stays: PropositionId,
        why: &str,
    ) -> Result<[Change; 2], Objection> {
        let going = self.standing(goes, Action::Archive)?;
        let mut staying = self.standing(stays, Action::Reinforce)?;
        let warnings = self.check(Action::Reinforce, &staying)?;
        let archived = self.archive(goes, ArchiveReason::ProactiveMaintenance, Some(stays), why)?;
        let mut taken: Vec<Evidence> = Vec::new();
        for piece in going.unit.evidence() {
            if piece.counts(&staying.unit.evidence).is_ok() {
                staying.unit.evidence.push(piece.clone());
                taken.push(piece.clone());
            }
        }
        staying.unit.evidence.sort_by_key(|piece| piece.at);
        staying.unit.ceiling = provenance_ceiling(&staying.proposition, &self.config.trust);
        let activation = staying.activation.max(going.activation);
        (staying.unit.activation, staying.unit.touched) = (activation, self.now);
        let did = Did::TookOver { from: goes, evidence: taken.len() };
        Ok([archived, self.write(staying.unit, did, why, warnings)])
    }
}
