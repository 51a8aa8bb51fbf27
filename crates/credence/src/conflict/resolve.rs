//! What becomes of a unit that an incoming statement stands against: a pure decision by authority, tier, the confidence of the conflict,
//! its kind, and whose word it is.
//!
//! | existing | conf ≥ replace | demote ≤ conf < replace | conf < demote |
//! |---|---|---|---|
//! | CANON | keep | keep | keep |
//! | RELIABLE | replace | demote | keep |
//! | UNRELIABLE | replace | replace | demote |
//! | PROVISIONAL | replace | replace | replace |
//!
//! Both thresholds are moved by the unit's tier (`conflict.tier.*`). A conflict that could not be told (DEGRADED) changes nothing. A world
//! that moved on is no conflict: both stay. A revision, an update as opposed to an attack, is decided by whose word it is, if the
//! mutation strategy lets the asker revise at all, and by the table otherwise. Ours beyond the source (core 4.8, core 15 G1, G3): CANON is
//! never replaced, whoever revises it; a lesser source neither replaces nor lowers anything; and a person who contradicts what they said
//! themselves revises it (deviations D130, D131 and D133).

use serde::{Deserialize, Serialize};

use super::mutation::{MutationAnswer, MutationSource};
use super::source::SourceRelation;
use super::{Conflict, ConflictSettings, ConflictType, Quality};
use crate::config::Config;
use crate::proposition::Voice;
use crate::unit::{Authority, RevisionRules, Tier, UnitView};

/// What becomes of the known unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ResolutionOutcome {
    /// It stays as it is; the incoming statement does not take its place.
    KeepExisting,
    /// The incoming statement takes its place.
    Replace,
    /// It stays and loses a level of authority.
    DemoteExisting,
    /// Both hold.
    Coexist,
}

impl ResolutionOutcome {
    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::KeepExisting => "KEEP_EXISTING",
            Self::Replace => "REPLACE",
            Self::DemoteExisting => "DEMOTE_EXISTING",
            Self::Coexist => "COEXIST",
        }
    }
}

/// The rule that decided (core 4.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionReason {
    /// The conflict could not be told.
    Degraded,
    /// `unit.revision.enabled` is off.
    RevisionDisabled,
    /// The world moved on.
    WorldProgression,
    /// A contradiction goes by authority.
    ContradictionPath,
    /// Who asks may not revise.
    MutationStrategyDenied,
    /// Who asks may revise once a person agrees.
    MutationPending,
    /// The same source says otherwise now.
    SameSourceRevision,
    /// A source that knows better says otherwise.
    IncomingOutranksRevision,
    /// A lesser source revises.
    ExistingOutranksRevision,
    /// A lesser source contradicts (ours).
    ExistingOutranks,
    /// CANON is a person's.
    CanonImmutable,
    /// PROVISIONAL may be revised.
    ProvisionalRevisable,
    /// UNRELIABLE, and sure enough.
    UnreliableAboveThreshold,
    /// UNRELIABLE, and not sure enough.
    UnreliableBelowThreshold,
    /// `unit.revision.reliable_revisable` is off.
    ReliableLocked,
    /// RELIABLE, and sure enough.
    ReliableAboveReplaceThreshold,
    /// RELIABLE, and not sure enough.
    ReliableBelowReplaceThreshold,
}

/// How the resolver took the revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Disposition {
    /// As a revision.
    Accepted,
    /// Not at all.
    Rejected,
    /// By the table of authority.
    Delegated,
}

/// How sure a conflict is, in three words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Band {
    /// Below 0.4.
    Low,
    /// Up to 0.8.
    Medium,
    /// Above.
    High,
}

impl Band {
    /// The band of a confidence.
    pub fn of(confidence: f64) -> Self {
        match confidence {
            c if c < 0.4 => Self::Low,
            c if c <= 0.8 => Self::Medium,
            _ => Self::High,
        }
    }
}

/// What was decided about one unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// What becomes of it.
    pub outcome: ResolutionOutcome,
    /// The rule.
    pub reason: DecisionReason,
    /// How a revision was taken.
    pub decision: Disposition,
    /// How sure the conflict was.
    pub band: Band,
    /// Whether a person is to be asked.
    pub asks: bool,
    /// In words for a person.
    pub why: String,
}

/// The settings that a resolution goes by.
#[derive(Debug, Clone, Copy)]
pub struct ResolutionRules<'a> {
    /// Thresholds, defence, who may revise.
    pub conflict: &'a ConflictSettings,
    /// Updates as opposed to contradictions.
    pub revision: &'a RevisionRules,
}

impl<'a> From<&'a Config> for ResolutionRules<'a> {
    fn from(config: &'a Config) -> Self {
        Self { conflict: &config.conflict, revision: &config.unit.revision }
    }
}

/// The table of authority, with the thresholds of the unit's tier.
pub fn by_authority(
    authority: Authority,
    tier: Tier,
    confidence: f64,
    settings: &ConflictSettings,
) -> ResolutionOutcome {
    use ResolutionOutcome::*;
    let defence = match tier {
        Tier::Hot => settings.tier.hot_defense_modifier,
        Tier::Warm => settings.tier.warm_defense_modifier,
        Tier::Cold => settings.tier.cold_defense_modifier,
    };
    let replaces = confidence >= settings.replace_threshold + defence;
    let demotes = confidence >= settings.demote_threshold + defence;
    match authority {
        Authority::Canon => KeepExisting,
        Authority::Reliable if replaces => Replace,
        Authority::Reliable if demotes => DemoteExisting,
        Authority::Reliable => KeepExisting,
        Authority::Unreliable if replaces || demotes => Replace,
        Authority::Unreliable => DemoteExisting,
        Authority::Provisional => Replace,
    }
}

/// Decides about one conflict. Pure; nothing is written.
pub fn resolve(
    conflict: &Conflict,
    existing: &UnitView,
    relation: SourceRelation,
    rules: ResolutionRules<'_>,
) -> Resolution {
    Resolver { conflict, existing, relation, rules }.resolve()
}

struct Resolver<'a> {
    conflict: &'a Conflict,
    existing: &'a UnitView,
    relation: SourceRelation,
    rules: ResolutionRules<'a>,
}

impl Resolver<'_> {
    fn resolve(&self) -> Resolution {
        use DecisionReason as Why;
        if self.conflict.quality == Quality::Degraded {
            return self.keep(Why::Degraded, true);
        }
        if !self.rules.revision.enabled {
            return self.delegate(Why::RevisionDisabled);
        }
        match &self.conflict.kind {
            ConflictType::WorldProgression => self.made(
                ResolutionOutcome::Coexist,
                Why::WorldProgression,
                Disposition::Accepted,
                self.is_canon(),
            ),
            ConflictType::Contradiction if self.is_own_word() => self.revise(),
            ConflictType::Contradiction | ConflictType::Custom { .. } => {
                self.delegate(Why::ContradictionPath)
            }
            ConflictType::Revision => self.revise(),
        }
    }

    fn revise(&self) -> Resolution {
        use DecisionReason as Why;
        if self.is_canon() {
            return self.keep(Why::CanonImmutable, true);
        }
        match self.rules.conflict.mutation.decide(self.asker()) {
            MutationAnswer::Deny { .. } => return self.delegate(Why::MutationStrategyDenied),
            MutationAnswer::PendingApproval => return self.keep(Why::MutationPending, true),
            MutationAnswer::Allow => {}
        }
        let accept = |why| self.made(ResolutionOutcome::Replace, why, Disposition::Accepted, false);
        let sure = self.conflict.confidence;
        match (self.relation, self.existing.authority) {
            (SourceRelation::SameSource, _) => accept(Why::SameSourceRevision),
            (SourceRelation::IncomingOutranks, _) => accept(Why::IncomingOutranksRevision),
            (SourceRelation::ExistingOutranks, _) => self.delegate(Why::ExistingOutranksRevision),
            (SourceRelation::Unknown, Authority::Canon) => self.keep(Why::CanonImmutable, true),
            (SourceRelation::Unknown, Authority::Provisional) => accept(Why::ProvisionalRevisable),
            (SourceRelation::Unknown, Authority::Unreliable) => {
                match sure >= self.rules.revision.confidence_threshold {
                    true => accept(Why::UnreliableAboveThreshold),
                    false => self.delegate(Why::UnreliableBelowThreshold),
                }
            }
            (SourceRelation::Unknown, Authority::Reliable) => {
                if !self.rules.revision.reliable_revisable {
                    return self.delegate(Why::ReliableLocked);
                }
                match sure >= self.rules.conflict.replace_threshold {
                    true => accept(Why::ReliableAboveReplaceThreshold),
                    false => self.delegate(Why::ReliableBelowReplaceThreshold),
                }
            }
        }
    }

    /// A person who says otherwise than they said before. The words alone cannot tell that from an attack; who said them can.
    fn is_own_word(&self) -> bool {
        self.relation == SourceRelation::SameSource
            && matches!(self.existing.proposition.voice, Voice::User | Voice::Other)
    }

    /// A person asks for their own word; for everything else the resolver asks.
    fn asker(&self) -> MutationSource {
        if self.is_own_word() { MutationSource::Speaker } else { MutationSource::ConflictResolver }
    }

    fn is_canon(&self) -> bool {
        self.existing.authority == Authority::Canon
    }

    /// By the table of authority; a lesser source changes nothing by it.
    fn delegate(&self, reason: DecisionReason) -> Resolution {
        if self.is_canon() {
            return self.keep(DecisionReason::CanonImmutable, true);
        }
        let UnitView { authority, tier, .. } = self.existing;
        let outcome = by_authority(*authority, *tier, self.conflict.confidence, self.rules.conflict);
        let is_lesser = self.relation == SourceRelation::ExistingOutranks;
        let (outcome, reason) = match (outcome, reason) {
            (ResolutionOutcome::KeepExisting, _) => (outcome, reason),
            (_, DecisionReason::ContradictionPath) if is_lesser => {
                (ResolutionOutcome::KeepExisting, DecisionReason::ExistingOutranks)
            }
            (_, reason) if is_lesser => (ResolutionOutcome::KeepExisting, reason),
            (outcome, reason) => (outcome, reason),
        };
        let asks = outcome == ResolutionOutcome::KeepExisting && *authority >= Authority::Reliable;
        self.made(outcome, reason, Disposition::Delegated, asks)
    }

    fn keep(&self, reason: DecisionReason, asks: bool) -> Resolution {
        self.made(ResolutionOutcome::KeepExisting, reason, Disposition::Rejected, asks)
    }

    fn made(
        &self,
        outcome: ResolutionOutcome,
        reason: DecisionReason,
        decision: Disposition,
        asks: bool,
    ) -> Resolution {
        let band = Band::of(self.conflict.confidence);
        Resolution { outcome, reason, decision, band, asks, why: self.words(outcome, reason) }
    }

    fn words(&self, outcome: ResolutionOutcome, reason: DecisionReason) -> String {
        use DecisionReason as Why;
        let authority = self.existing.authority.as_str();
        let sure = libm::round(self.conflict.confidence * 100.0);
        let becomes = match outcome {
            ResolutionOutcome::KeepExisting => "it stays",
            ResolutionOutcome::Replace => "it gives way",
            ResolutionOutcome::DemoteExisting => "it loses a level",
            ResolutionOutcome::Coexist => "both hold, each in its time",
        };
        let because = match reason {
            Why::Degraded => "whether the two are opposed could not be told".to_owned(),
            Why::WorldProgression => "the world moved on".to_owned(),
            Why::CanonImmutable => "what a person made CANON is changed by a person alone".to_owned(),
            Why::MutationPending => "it may be revised once a person agrees".to_owned(),
            Why::SameSourceRevision => "the same source says otherwise now".to_owned(),
            Why::IncomingOutranksRevision => "a source that knows better says otherwise".to_owned(),
            Why::ExistingOutranks | Why::ExistingOutranksRevision => {
                "its source knows better than the one that says otherwise".to_owned()
            }
            Why::ProvisionalRevisable => "a PROVISIONAL unit may be revised".to_owned(),
            Why::UnreliableAboveThreshold | Why::ReliableAboveReplaceThreshold => {
                format!("the revision is {sure} % sure, enough for {authority}")
            }
            Why::RevisionDisabled
            | Why::ContradictionPath
            | Why::MutationStrategyDenied
            | Why::UnreliableBelowThreshold
            | Why::ReliableLocked
            | Why::ReliableBelowReplaceThreshold => {
                let tier = match self.existing.tier {
                    Tier::Hot => "HOT",
                    Tier::Warm => "WARM",
                    Tier::Cold => "COLD",
                };
                format!("a {tier} unit that is {authority}, against a conflict that is {sure} % sure")
            }
        };
        format!("{becomes}: {because}")
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
