//! Units: the statements of the working set. A unit is a statement that was promoted; it has an activation, an authority with a
//! ceiling, a tier, the evidence that raised it, and the audit of its trust.
//!
//! Rules (core 1, with the binding fixes of core 15): a unit is a record of its own (`W`, with its statement's digits), so that storing a
//! statement never touches its standing; the pin is the statement's. What policies can give is [`Earned`], which ends at
//! RELIABLE; CANON is a [`Canonization`], which only a person's act makes. Activation is stored as it was when something last
//! touched it; decay and tier are computed on read. Injection is no evidence.
//!
//! `scale` holds activation, authority and tier, `decay` how activation fades, `standing` where a unit stands, `evidence` what raised
//! it, `view` a unit with its statement as of an instant, `settings` the numbers.

mod decay;
mod evidence;
mod scale;
mod settings;
mod standing;
mod view;

pub use evidence::{Evidence, EvidenceKind};
pub use scale::{Activation, Authority, Earned, Tier};
pub use settings::{
    ChatSeed, CompliancePolicy, DedupStrategy, Dormancy, InvariantKind, InvariantRule, Invariants,
    QualityScoring, RevisionRules, SeedUnit, Strength, TierSettings, UnitSettings,
};
pub use standing::{ArchiveReason, DormancyReason, Standing};
pub use view::{UnitView, active, planned, planned_view, view};

use serde::{Deserialize, Serialize};

use crate::id::{InboxId, PropositionId};
use crate::time::Timestamp;
use crate::trust::TrustAudit;

/// A statement's standing in the working set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The statement. One unit each.
    pub proposition: PropositionId,
    activation: Activation,
    touched: Timestamp,
    earned: Earned,
    ceiling: Earned,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    canon: Option<Canonization>,
    standing: Standing,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trust: Option<TrustAudit>,
    promoted: Timestamp,
}

/// A person's act that made a unit CANON. There is no other way to one: nothing outside this module can build it, and inside
/// it is built from a [`PersonAct`] alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Canonization {
    at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<InboxId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

/// Proof that a person is acting: made only where a person's own call enters the memory, never by a policy, a model or a
/// timer.
#[derive(Debug)]
pub(crate) struct PersonAct {
    pub(crate) at: Timestamp,
    pub(crate) question: Option<InboxId>,
    pub(crate) note: String,
}

impl Unit {
    /// A statement enters the working set: PROVISIONAL, at the activation given, bounded by what its provenance allows.
    pub fn promoted(
        proposition: PropositionId,
        activation: Activation,
        ceiling: Earned,
        trust: Option<TrustAudit>,
        now: Timestamp,
    ) -> Self {
        Self {
            proposition,
            activation,
            touched: now,
            earned: Earned::Provisional,
            ceiling,
            canon: None,
            standing: Standing::Active,
            evidence: Vec::new(),
            trust,
            promoted: now,
        }
    }
    /// How far it is to be taken: CANON where a person said so, else what it earned.
    pub fn authority(&self) -> Authority {
        if self.canon.is_some() { Authority::Canon } else { self.earned.into() }
    }
    /// What policies gave it; stands behind CANON too.
    pub fn earned(&self) -> Earned {
        self.earned
    }
    /// The highest that policies may give it.
    pub fn ceiling(&self) -> Earned {
        self.ceiling
    }
    /// The act that made it CANON.
    pub fn canon(&self) -> Option<&Canonization> {
        self.canon.as_ref()
    }
    /// Where it stands.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }
    /// Whether it belongs to the working set.
    pub fn is_active(&self) -> bool {
        matches!(self.standing, Standing::Active)
    }
    /// Activation as it was at [`Self::touched`]. What it is now: [`Self::activation_at`].
    pub fn stored_activation(&self) -> Activation {
        self.activation
    }
    /// When activation was last set; decay counts from here.
    pub fn touched(&self) -> Timestamp {
        self.touched
    }
    /// What raised it, in order.
    pub fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }
    /// The last trust audit.
    pub fn trust(&self) -> Option<&TrustAudit> {
        self.trust.as_ref()
    }
    /// When it first entered the working set.
    pub fn promoted_at(&self) -> Timestamp {
        self.promoted
    }

    /// Makes it CANON.
    pub(crate) fn canonized(mut self, act: PersonAct) -> Self {
        self.canon = Some(Canonization { at: act.at, question: act.question, note: act.note });
        self
    }
    /// Takes CANON back: RELIABLE, as core 9.1 has it, or what its ceiling allows.
    pub(crate) fn decanonized(mut self, _act: &PersonAct) -> Self {
        self.canon = None;
        self.earned = Earned::Reliable.min(self.ceiling);
        self
    }
}
