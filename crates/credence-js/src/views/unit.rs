//! The working set as JavaScript sees it: units, what was done to them, their trust, their lineage.

use credence::inbox;
use credence::memory as core;
use credence::revision::{self, Effect, Followed, Materiality};
use credence::trust::{self, Zone};
use credence::unit::{
    self, Action, ArchiveReason, Authority, AuthorityReason, Did, DormancyReason, Earned, EvidenceKind,
    Standing, Strength, Tier,
};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::Proposition;
use super::show::{Show, shown_as_is, view};

#[wasm_bindgen(typescript_custom_section)]
const WORDS: &str = r#"
/** How far a unit's word is to be taken. `"CANON"` is a person's to give, and nobody else's. */
export type UnitAuthority = "PROVISIONAL" | "UNRELIABLE" | "RELIABLE" | "CANON";

/** Where activation places a unit. */
export type UnitTier = "COLD" | "WARM" | "HOT";

/** Why a unit's authority changed. */
export type AuthorityReason =
  | "REINFORCEMENT"
  | "CONFLICT_EVIDENCE"
  | "TRUST_DEGRADATION"
  | "RANK_DECAY"
  | "MANUAL"
  | "CANONIZATION"
  | "DECANONIZATION"
  | "SEED";

/** Why a unit sleeps: it faded, or another one needed its place. */
export type DormancyReason = "DORMANCY_DECAY" | "BUDGET_EVICTION";

/** Why a unit was taken out. */
export type ArchiveReason = "CONFLICT_REPLACEMENT" | "REVISION" | "MANUAL" | "PROACTIVE_MAINTENANCE";

/** What is to be done to a unit. */
export type UnitAction =
  | "promote"
  | "revive"
  | "reinforce"
  | "raise"
  | "demote"
  | "set-activation"
  | "decay"
  | "sleep"
  | "evict"
  | "archive"
  | "canonize"
  | "decanonize"
  | "edit";
"#;

shown_as_is! {
    Authority Earned Tier EvidenceKind AuthorityReason ArchiveReason DormancyReason Action Strength Zone
    Materiality Effect
}

view! {
    /// One piece of evidence for a unit.
    Evidence of unit::Evidence {
        /// A source that had not said it before; an answer that used it and agrees with it; a person.
        #[tsify(type = "\"independent-source\" | \"correct-use\" | \"confirmation\"")]
        kind: EvidenceKind,
        /// Who or what it came from; for a use, id of the conversation.
        source: String,
        /// When (ms).
        at: i64,
        /// For a use, the index of the turn that used it.
        turn: Option<u32>,
    }
}

view! {
    /// One signal's part of a trust score.
    TrustSignal of trust::SignalAudit {
        /// Its name.
        name: String,
        /// What it said: 0 to 1; `null` where it had nothing to say.
        value: Option<f64>,
        /// Its weight in the profile.
        weight: f64,
        /// What it added to the score.
        added: f64,
        /// Why, in words.
        why: String,
    }
}

view! {
    /// What a trust evaluation found: the parts of its signals add up to its score.
    TrustAudit of trust::TrustAudit {
        /// 0 to 1.
        score: f64,
        /// Where it leads.
        #[tsify(type = "\"ARCHIVE\" | \"REVIEW\" | \"AUTO_PROMOTE\"")]
        zone: Zone,
        /// The highest authority that it allows.
        #[tsify(type = "Exclude<UnitAuthority, \"CANON\">")]
        ceiling: Earned,
        /// The profile's name.
        profile: String,
        /// Every signal.
        signals: Vec<TrustSignal>,
        /// What asked for it.
        trigger: String,
        /// When (ms).
        at: i64,
    }
}

view! {
    /// One evaluation of a unit's trust.
    TrustStep of core::TrustStep {
        /// Id of the commit that kept it.
        commit: String,
        /// The unit's authority after it.
        #[tsify(type = "UnitAuthority")]
        authority: Authority,
        /// What was found.
        audit: TrustAudit,
    }
}

view! {
    /// One change of authority.
    AuthorityStep of unit::AuthorityStep {
        /// Before.
        #[tsify(type = "UnitAuthority")]
        from: Authority,
        /// After.
        #[tsify(type = "UnitAuthority")]
        to: Authority,
        /// Why.
        #[tsify(type = "AuthorityReason")]
        reason: AuthorityReason,
        /// When (ms).
        at: i64,
    }
}

/// The act that made a unit CANON.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Canonization {
    /// When (ms).
    at: i64,
    /// Id of the question that it answered.
    question: Option<String>,
    /// What the person said of it; may be empty.
    note: String,
}

/// Where a unit stands. Wherever that is, it keeps its authority and its evidence.
#[derive(Serialize, Tsify)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum UnitStanding {
    /// In the working set.
    Active,
    /// Asleep since then (ms), because it was not needed; what mentions it wakes it.
    Dormant {
        since: i64,
        #[tsify(type = "DormancyReason")]
        reason: DormancyReason,
    },
    /// Taken out then (ms) by a decision; `successor` is the id of the statement in its place.
    Archived {
        at: i64,
        #[tsify(type = "ArchiveReason")]
        reason: ArchiveReason,
        #[tsify(type = "string | null")]
        successor: Option<String>,
    },
}

impl Show<UnitStanding> for Standing {
    fn show(&self) -> UnitStanding {
        match self {
            Self::Active => UnitStanding::Active,
            Self::Dormant { since, reason } => UnitStanding::Dormant { since: since.0, reason: *reason },
            Self::Archived { at, reason, successor } => {
                UnitStanding::Archived { at: at.0, reason: *reason, successor: successor.show() }
            }
        }
    }
}

/// A unit of the working set, as of now.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Unit {
    /// Id of its proposition, which names it.
    id: String,
    /// What it says.
    text: String,
    /// Where its proposition stands.
    #[tsify(type = "Status")]
    status: &'static str,
    /// Pinned by a person: no policy takes it out or lowers it.
    pinned: bool,
    /// How present it is: 100 to 900.
    activation: u16,
    /// Where that places it.
    #[tsify(type = "UnitTier")]
    tier: Tier,
    /// How far it is to be taken.
    #[tsify(type = "UnitAuthority")]
    authority: Authority,
    /// The highest authority that policies may give it, by where it came from.
    #[tsify(type = "Exclude<UnitAuthority, \"CANON\">")]
    ceiling: Earned,
    /// Where it stands.
    standing: UnitStanding,
    /// Its proposition's confidence now: 0 to 1.
    effective_confidence: f64,
    /// The evidence that was counted, oldest first.
    evidence: Vec<Evidence>,
    /// The last evaluation of its trust.
    trust: Option<TrustAudit>,
    /// The act that made it CANON.
    canon: Option<Canonization>,
    /// The last change of its authority.
    last_step: Option<AuthorityStep>,
    /// Entered the working set first (ms).
    promoted: i64,
}

impl Show<Unit> for unit::UnitView {
    fn show(&self) -> Unit {
        self.into()
    }
}

impl From<&unit::UnitView> for Unit {
    fn from(view: &unit::UnitView) -> Self {
        let (unit, statement) = (&view.unit, &view.proposition);
        Self {
            id: view.id().to_string(),
            text: statement.text.clone(),
            status: statement.status.as_str(),
            pinned: statement.pinned,
            activation: view.activation.get(),
            tier: view.tier,
            authority: view.authority,
            ceiling: unit.ceiling(),
            standing: unit.standing().show(),
            effective_confidence: view.effective,
            evidence: unit.evidence().iter().map(Into::into).collect(),
            trust: unit.trust().map(Into::into),
            canon: unit.canon().map(|canon| Canonization {
                at: canon.at().0,
                question: canon.question().show(),
                note: canon.note().to_owned(),
            }),
            last_step: unit.last_step().map(Into::into),
            promoted: unit.promoted_at().0,
        }
    }
}

view! {
    /// What stands against a change of a unit.
    Objection of unit::Objection {
        /// Id of the unit.
        unit: String,
        /// What was to be done.
        #[tsify(type = "UnitAction")]
        action: Action,
        /// Which rule: `A1` to `A3d`, `self-editing`, `standing`, or the id of a rule of the settings.
        rule: String,
        /// Whether it stops the change or is only told.
        #[tsify(type = "\"MUST\" | \"SHOULD\"")]
        strength: Strength,
        /// In words.
        words: String,
    }
}

/// What was done to a unit, told apart by `did`.
#[derive(Serialize, Tsify)]
#[serde(tag = "did", rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum UnitDeed {
    /// It is so already, or it does not count.
    Nothing,
    Promoted {
        activation: u16,
    },
    Revived {
        activation: u16,
    },
    /// Activation from and to, pieces of evidence now, and authority before and now where it changed.
    Reinforced {
        from: u16,
        to: u16,
        count: u32,
        #[tsify(type = "[UnitAuthority, UnitAuthority] | null")]
        authority: (),
    },
    /// From a unit that says the same, with so many pieces of evidence.
    TookOver {
        from: String,
        evidence: u32,
    },
    Assessed {
        score: f64,
        #[tsify(type = "[UnitAuthority, UnitAuthority] | null")]
        authority: (),
    },
    Demoted {
        #[tsify(type = "UnitAuthority")]
        from: (),
        #[tsify(type = "UnitAuthority")]
        to: (),
    },
    Activated {
        from: u16,
        to: u16,
    },
    Slept {
        activation: u16,
        #[tsify(type = "DormancyReason")]
        reason: (),
    },
    Archived {
        #[tsify(type = "ArchiveReason")]
        reason: (),
        #[tsify(type = "string | null")]
        successor: (),
    },
    Canonized,
    Decanonized {
        #[tsify(type = "UnitAuthority")]
        to: (),
    },
}

/// A change of a unit.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnitChange {
    /// Id of the unit.
    unit: String,
    /// What was done.
    #[tsify(type = "UnitDeed")]
    deed: Did,
    /// Why, in words.
    why: String,
    /// Rules that it goes against without being stopped, and raises that were held back.
    warnings: Vec<Objection>,
}

impl Show<UnitChange> for unit::Change {
    fn show(&self) -> UnitChange {
        UnitChange {
            unit: self.unit.to_string(),
            deed: self.did.clone(),
            why: self.why.clone(),
            warnings: self.warnings.show(),
        }
    }
}

view! {
    /// What a person's act did to a unit.
    UnitAct of core::UnitAct {
        /// What was done to it.
        change: UnitChange,
        /// Units that made room for it.
        displaced: Vec<UnitChange>,
        /// Id of the commit, which can be undone; `null` where nothing changed.
        commit: Option<String>,
    }
}

view! {
    /// What time had changed in the working set.
    Settled of unit::Settled {
        /// What was done, in order.
        changes: Vec<UnitChange>,
        /// What a rule kept from happening.
        held: Vec<Objection>,
    }
}

/// What became of a wish about CANON.
#[derive(Serialize, Tsify)]
#[serde(tag = "status", rename_all = "lowercase")]
pub(crate) enum CanonAnswer {
    /// It was granted.
    Approved,
    /// It waits for a person, as this question of {@link Memory.inbox}.
    Pending { question: String },
    /// It is so already.
    Nothing,
}

impl From<inbox::CanonAnswer> for CanonAnswer {
    fn from(answer: inbox::CanonAnswer) -> Self {
        match answer {
            inbox::CanonAnswer::Approved => Self::Approved,
            inbox::CanonAnswer::Pending { question } => Self::Pending { question: question.to_string() },
            inbox::CanonAnswer::Nothing => Self::Nothing,
        }
    }
}

/// What a statement took the place of.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Predecessor {
    /// Its id.
    proposition: String,
    /// It was true until then, or it was wrong.
    #[tsify(type = "\"moved-on\" | \"corrected\"")]
    how: Followed,
}

/// One statement of a lineage.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct LineageStep {
    /// The statement as it stands now.
    proposition: Proposition,
    /// Its authority in the working set, where it has or had a place there.
    #[tsify(type = "UnitAuthority | null")]
    authority: Option<Authority>,
    /// What it took the place of.
    follows: Vec<Predecessor>,
    /// Why it stands as it does, in words; may be empty.
    why: String,
}

/// Which statements took whose place, oldest first.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lineage {
    /// Oldest first; empty for an unknown statement.
    steps: Vec<LineageStep>,
    /// More lay beyond the 50 links that are followed each way.
    is_cut: bool,
}

impl From<revision::Lineage> for Lineage {
    fn from(lineage: revision::Lineage) -> Self {
        let step = |step: revision::LineageStep| LineageStep {
            proposition: step.view.into(),
            authority: step.unit.map(|unit| unit.authority()),
            follows: step
                .follows
                .into_iter()
                .map(|(id, how)| Predecessor { proposition: id.to_string(), how })
                .collect(),
            why: step.why,
        };
        Self { steps: lineage.steps.into_iter().map(step).collect(), is_cut: lineage.cut }
    }
}

view! {
    /// A statement that rested on one that was superseded.
    Dependant of revision::Dependant {
        /// Its id.
        proposition: String,
        /// How much of it.
        #[tsify(type = "\"not\" | \"in-part\" | \"alone\"")]
        materiality: Materiality,
        /// What became of it.
        #[tsify(type = "\"untouched\" | \"asked\" | \"retired\" | \"closed\"")]
        effect: Effect,
        /// Why, in words.
        why: String,
    }
}

view! {
    /// What a person's revision of a statement did.
    Superseded of revision::Superseded {
        /// Id of the statement in its place.
        successor: String,
        /// What rested on the older one.
        dependants: Vec<Dependant>,
    }
}

/// What happened to a unit, told apart by `kind`. Later releases may add kinds.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum UnitEvent {
    /// It entered the working set.
    Promoted { unit: String, activation: u16 },
    /// Evidence was counted: activation before and now, pieces of evidence now.
    Reinforced { unit: String, previous: u16, activation: u16, count: u32 },
    /// It was taken out by a decision.
    Archived {
        unit: String,
        #[tsify(type = "ArchiveReason")]
        reason: (),
    },
    /// It gave its place to another one, and sleeps.
    Evicted { unit: String, activation: u16 },
    /// It faded, and sleeps.
    Dormant { unit: String, activation: u16 },
    /// It came back.
    Revived {
        unit: String,
        activation: u16,
        #[tsify(type = "UnitAuthority")]
        authority: (),
    },
    /// Its authority changed; `reason` is `null` where an undo brought an earlier one back.
    AuthorityChanged {
        unit: String,
        #[tsify(type = "UnitAuthority")]
        previous: (),
        #[tsify(type = "UnitAuthority")]
        authority: (),
        #[tsify(type = "\"PROMOTED\" | \"DEMOTED\"")]
        direction: (),
        #[tsify(type = "AuthorityReason | null")]
        reason: (),
    },
    /// Its tier changed, by more than time.
    TierChanged {
        unit: String,
        #[tsify(type = "UnitTier")]
        previous: (),
        #[tsify(type = "UnitTier")]
        tier: (),
    },
    /// Another statement took its place.
    Superseded {
        predecessor: String,
        successor: String,
        #[tsify(type = "\"CONFLICT_REPLACEMENT\" | \"USER_REVISION\" | \"MANUAL\"")]
        reason: (),
    },
    /// Its statement was forgotten, or its promotion undone.
    Removed { unit: String },
    /// A rule was broken, or kept a change from being made.
    InvariantViolation { violation: Objection },
    /// A statement stands against units.
    ConflictDetected { incoming: String, units: Vec<String> },
    /// A conflict was resolved.
    ConflictResolved { unit: String, outcome: String },
}
