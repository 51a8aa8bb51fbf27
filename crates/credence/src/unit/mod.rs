//! Units: the statements of the working set. A unit is a statement that was promoted; it has an activation, an authority with a
//! ceiling, a tier, the evidence that raised it, and the audit of its trust.
//!
//! Rules (core 1, with the binding fixes of core 15): a unit is a record of its own (`W`, with its statement's digits), so that storing a
//! statement never touches its standing; the pin is the statement's. What policies can give is [`Earned`], which ends at
//! RELIABLE; CANON is a [`Canonization`], which only a person's act makes. Activation is stored as it was when something last
//! touched it; decay and tier are computed on read. Injection is no evidence.
//!
//! `scale` holds activation, authority and tier, `decay` how activation fades, `authority` steps and ceilings, `standing` where a unit
//! stands, `evidence` what raised it, `view` a unit with its statement as of an instant, `settings` the numbers. Changes: `guard` is the
//! one check, `plan` and `earn` every change there is, `settle` what time changes, `person` how CANON is given, `follow` what becomes of a
//! unit whose statement goes, `race` what two writers may not do to one another, `withdraw` evidence
//! that is taken back.

mod authority;
mod change;
mod decay;
mod earn;
mod evidence;
mod follow;
mod guard;
#[cfg(test)]
mod guard_tests;
mod merge;
mod person;
mod plan;
mod race;
mod scale;
mod settings;
mod settle;
mod standing;
mod view;
mod withdraw;

pub use authority::{AuthorityReason, AuthorityStep, DemotionReason, provenance_ceiling};
pub use change::{Change, Did};
pub use evidence::{BOOST, Evidence, EvidenceKind, MOST_USES, RELIABLE_AT, UNRELIABLE_AT, USE_SPACING};
pub(crate) use follow::follow;
pub use guard::{Action, Checked, Evaluation, Guard, Mover, Objection};
pub(crate) use person::lawful;
pub use person::{Canonization, PersonAct};
pub use plan::UnitPlan;
pub(crate) use race::overtaken;
pub use scale::{Activation, Authority, Earned, Tier};
pub use settings::{
    ChatSeed, CompliancePolicy, DedupStrategy, Dormancy, InvariantKind, InvariantRule, Invariants,
    QualityScoring, RevisionRules, SeedUnit, Strength, TierSettings, UnitSettings,
};
pub use settle::{Settled, settle};
pub use standing::{ArchiveReason, DormancyReason, Standing, SupersessionReason};
pub use view::{UnitView, active, planned, planned_view, view};

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;
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
    step: Option<AuthorityStep>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noticed: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trust: Option<TrustAudit>,
    promoted: Timestamp,
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
            step: None,
            noticed: None,
            trust,
            promoted: now,
        }
    }
    /// As it comes from another memory: asleep unless it is CANON, because the budget of the working set that it comes to is not its
    /// own. A question wakes it, with the authority that it had.
    pub(crate) fn arriving(mut self) -> Self {
        if self.is_active() && self.canon.is_none() {
            self.standing = Standing::Dormant { since: self.touched, reason: DormancyReason::BudgetEviction };
        }
        self
    }
    /// How far it is to be taken: CANON where a person said so, else what it earned.
    pub fn authority(&self) -> Authority {
        if self.canon.is_some() { Authority::Canon } else { self.earned.into() }
    }
    /// What policies gave it; stands behind CANON too.
    pub fn earned(&self) -> Earned {
        self.earned
    }
    /// The highest that policies may give it: what its provenance allows, bounded by its last trust audit.
    pub fn ceiling(&self) -> Earned {
        self.trust.as_ref().map_or(self.ceiling, |audit| self.ceiling.min(audit.ceiling))
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
    /// The last change of its authority, and why; `None` before the first.
    pub fn last_step(&self) -> Option<&AuthorityStep> {
        self.step.as_ref()
    }
    /// When it was last said again, confirmed or used well; when it was promoted, before that. Sleepy turns count from here.
    pub fn noticed(&self) -> Timestamp {
        self.noticed.unwrap_or(self.promoted)
    }
    /// When it first entered the working set.
    pub fn promoted_at(&self) -> Timestamp {
        self.promoted
    }
}
