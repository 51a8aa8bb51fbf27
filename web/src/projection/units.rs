//! The working set as rows: what stands in it, what sleeps, and what came of each unit's trust.

use credence::history::RecordId;
use credence::id::PropositionId;
use credence::time::Timestamp;
use credence::trust::TrustAudit;
use credence::unit::{ArchiveReason, Authority, DormancyReason, Earned, EvidenceKind, Standing, Tier};

use crate::state::AppMemory;

/// One unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnitRow {
    pub id: PropositionId,
    pub text: String,
    pub pinned: bool,
    pub authority: Authority,
    pub ceiling: Earned,
    pub tier: Tier,
    /// 100 to 900, as of now.
    pub activation: u16,
    /// Worth of the statement now, 0 to 1.
    pub effective: f64,
    pub confidence: f64,
    pub standing: Standing,
    /// How often each kind of evidence was counted.
    pub evidence: Vec<(EvidenceKind, usize)>,
    pub trust: Option<TrustAudit>,
    pub promoted: Timestamp,
    /// A question about CANON waits.
    pub asked: bool,
}

/// The working set as it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct WorkingSet {
    /// In force: CANON first, then by activation.
    pub active: Vec<UnitRow>,
    /// Out of it because they were not needed.
    pub asleep: Vec<UnitRow>,
    /// Most at once.
    pub budget: usize,
    /// Activation from which a unit is warm and hot.
    pub marks: (u16, u16),
}

/// Reads the working set.
pub(crate) fn working_set(memory: &AppMemory) -> WorkingSet {
    let settings = memory.config().unit;
    let units: Vec<_> = memory.working_set();
    let mut active: Vec<UnitRow> = units.iter().map(|view| row_of(memory, view)).collect();
    active.sort_by(|a, b| {
        b.authority.cmp(&a.authority).then(b.activation.cmp(&a.activation)).then(a.id.cmp(&b.id))
    });
    let asleep = {
        let ids: Vec<PropositionId> = memory
            .state()
            .units()
            .filter(|unit| matches!(unit.standing(), Standing::Dormant { .. }))
            .map(|unit| unit.proposition)
            .collect();
        ids.into_iter().filter_map(|id| unit(memory, id)).collect()
    };
    WorkingSet {
        active,
        asleep,
        budget: settings.budget as usize,
        marks: (settings.tier.warm_threshold, settings.tier.hot_threshold),
    }
}

/// One unit, wherever it stands.
pub(crate) fn unit(memory: &AppMemory, id: PropositionId) -> Option<UnitRow> {
    memory.unit(id).map(|view| row_of(memory, &view))
}

fn row_of(memory: &AppMemory, view: &credence::unit::UnitView) -> UnitRow {
    let unit = &view.unit;
    let kinds = [EvidenceKind::IndependentSource, EvidenceKind::CorrectUse, EvidenceKind::Confirmation];
    let evidence = kinds
        .into_iter()
        .map(|kind| (kind, unit.evidence().iter().filter(|e| e.kind == kind).count()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let id = unit.proposition;
    let asked = memory.state().inbox_items().any(|item| {
        item.is_open() && item.kind.is_about_canon() && item.others.contains(&RecordId::Unit(id))
    });
    UnitRow {
        id,
        text: view.proposition.text.clone(),
        pinned: view.proposition.pinned,
        authority: view.authority,
        ceiling: unit.ceiling(),
        tier: view.tier,
        activation: view.activation.get(),
        effective: view.effective,
        confidence: view.proposition.confidence.get(),
        standing: unit.standing().clone(),
        evidence,
        trust: unit.trust().cloned(),
        promoted: unit.promoted_at(),
        asked,
    }
}

/// An authority as it is shown.
pub(crate) fn authority_label(authority: Authority) -> &'static str {
    match authority {
        Authority::Canon => "Canon",
        Authority::Reliable => "Reliable",
        Authority::Unreliable => "Unreliable",
        Authority::Provisional => "Provisional",
    }
}

/// What an authority means for the model that reads it.
pub(crate) fn authority_meaning(authority: Authority) -> &'static str {
    match authority {
        Authority::Canon => "You said so. No evidence, model or timer changes it.",
        Authority::Reliable => "Confirmed by independent evidence.",
        Authority::Unreliable => "Confirmed a little.",
        Authority::Provisional => "Just learned; tentative until something confirms it.",
    }
}

/// A tier as it is shown.
pub(crate) fn tier_label(tier: Tier) -> &'static str {
    match tier {
        Tier::Hot => "hot",
        Tier::Warm => "warm",
        Tier::Cold => "cold",
    }
}

/// A kind of evidence as it is shown.
pub(crate) fn evidence_label(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::IndependentSource => "independent source",
        EvidenceKind::CorrectUse => "correct use in an answer",
        EvidenceKind::Confirmation => "confirmation by you",
    }
}

/// Why a unit is not in force, in words.
pub(crate) fn standing_words(standing: &Standing) -> Option<&'static str> {
    match standing {
        Standing::Active => None,
        Standing::Dormant { reason: DormancyReason::DormancyDecay, .. } => {
            Some("asleep: not needed for a while")
        }
        Standing::Dormant { reason: DormancyReason::BudgetEviction, .. } => {
            Some("asleep: another one needed its place")
        }
        Standing::Archived { reason: ArchiveReason::ConflictReplacement, .. } => {
            Some("archived: something that stands against it was admitted")
        }
        Standing::Archived { reason: ArchiveReason::Revision, .. } => Some("archived: it was revised"),
        Standing::Archived { reason: ArchiveReason::Manual, .. } => Some("archived by you"),
        Standing::Archived { reason: ArchiveReason::ProactiveMaintenance, .. } => {
            Some("archived: a sweep found it of no use")
        }
    }
}
