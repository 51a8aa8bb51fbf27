//! Gates: a planned change is checked before it is written. A gate lets it pass, refuses it, asks a person, keeps it out of
//! projections, or lets it stand for less.
//!
//! Rules (dice 6.11): gates are asked in order; the first answer other than [`GateDecision::Persist`] is final; a refusal
//! ends the asking when `shortCircuit` is on; every answer is recorded; no gates let everything pass. Thresholds are
//! inclusive and refused outside 0 to 1 when a gate is made or read. Ours: the gates stand in the pipeline (`admit`), between
//! what revision decides and the commit, so that a refused or held change has written nothing.

mod admit;

pub(crate) use admit::Admissions;
pub use admit::{DEMOTED_TO, GateOutcome, PROJECTION_SKIPPED};

use serde::{Deserialize, Serialize};

use crate::proposition::{DecayRule, Proposition, Status, effective_confidence};
use crate::scale::{ScaleError, Threshold};
use crate::schema::Relations;
use crate::time::Timestamp;
use crate::trust::{AuthorityResolver, score_of};

/// What revision is about to do with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Nothing like it is known.
    New,
    /// It joins a known one.
    Merged,
    /// It makes a known one surer.
    Reinforced,
    /// It stands against known ones.
    Contradicted,
    /// It covers known ones.
    Generalized,
}

/// What a gate is asked about.
#[derive(Debug, Clone, Copy)]
pub struct GateInput<'a> {
    /// The incoming statement.
    pub proposition: &'a Proposition,
    /// What is about to happen; `None` where nothing was decided yet.
    pub change: Option<Change>,
    /// For effective confidence.
    pub now: Timestamp,
    /// For effective confidence.
    pub decay: DecayRule,
    /// Predicates with their evidence floors.
    pub relations: &'a Relations,
    /// How authority is found.
    pub authority: AuthorityResolver,
}

/// What a gate answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum GateDecision {
    /// The change is made.
    Persist,
    /// Nothing is written.
    Reject {
        /// Why.
        reason: String,
    },
    /// Nothing is written until a person has decided.
    RouteToReview {
        /// Why.
        reason: String,
    },
    /// It is written, and kept out of projections.
    SkipProjection {
        /// Why.
        reason: String,
    },
    /// It is written, and stands for a weaker relation.
    Demote {
        /// The weaker relation's predicate.
        to: String,
        /// Why.
        reason: String,
    },
}

impl GateDecision {
    /// Whether the change is written: neither refused nor held.
    pub fn should_save(&self) -> bool {
        !matches!(self, Self::Reject { .. } | Self::RouteToReview { .. })
    }
}

/// What becomes of a statement without a trust score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnMissing {
    /// It passes.
    #[default]
    Persist,
    /// It is refused.
    Reject,
    /// A person is asked.
    RouteToReview,
}

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "kebab-case")]
pub enum Gate {
    /// Refuses what is believed too little now.
    Confidence {
        /// Least effective confidence.
        min: Threshold,
    },
    /// Asks a person before a statement joins a known one or makes it surer.
    MergeCandidate,
    /// Asks a person before a known statement is retired by another.
    ConflictClassification,
    /// Asks a person where the source is trusted too little.
    Trust {
        /// Least trust score.
        min: Threshold,
        /// Where there is no score.
        #[serde(default, rename = "onMissing")]
        on_missing: OnMissing,
    },
    /// Keeps faint and contradicted statements out of projections.
    ProjectionEligibility {
        /// Least effective confidence. Default 0.3.
        #[serde(default = "projection_floor")]
        min: Threshold,
    },
    /// Asks for the evidence that the relation takes, or lets the statement stand for a weaker relation.
    EvidenceFloor,
}

/// Effective confidence from which statements are projected (dice 6.11).
const PROJECTION_FLOOR: f64 = 0.3;

fn projection_floor() -> Threshold {
    Threshold::clamped(PROJECTION_FLOOR)
}

impl Gate {
    /// Refuses what is believed less than `min` now.
    pub fn confidence(min: f64) -> Result<Self, ScaleError> {
        Ok(Self::Confidence { min: Threshold::new(min)? })
    }
    /// Asks a person where trust is less than `min`.
    pub fn trust(min: f64, on_missing: OnMissing) -> Result<Self, ScaleError> {
        Ok(Self::Trust { min: Threshold::new(min)?, on_missing })
    }
    /// Keeps what is believed less than `min` now out of projections.
    pub fn projection_eligibility(min: f64) -> Result<Self, ScaleError> {
        Ok(Self::ProjectionEligibility { min: Threshold::new(min)? })
    }
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confidence { .. } => "confidence",
            Self::MergeCandidate => "merge-candidate",
            Self::ConflictClassification => "conflict-classification",
            Self::Trust { .. } => "trust",
            Self::ProjectionEligibility { .. } => "projection-eligibility",
            Self::EvidenceFloor => "evidence-floor",
        }
    }

    /// What it answers.
    pub fn evaluate(self, input: &GateInput<'_>) -> GateDecision {
        let believed = effective_confidence(input.proposition, input.now, input.decay);
        match self {
            Self::Confidence { min } if believed < min.get() => GateDecision::Reject {
                reason: format!("effective confidence {} is below {}", shown(believed), shown(min.get())),
            },
            Self::MergeCandidate if matches!(input.change, Some(Change::Merged | Change::Reinforced)) => {
                GateDecision::RouteToReview { reason: "it would join a statement that is known".into() }
            }
            Self::ConflictClassification if input.change == Some(Change::Contradicted) => {
                GateDecision::RouteToReview { reason: "it would retire a statement that is known".into() }
            }
            Self::Trust { min, on_missing } => match score_of(input.proposition) {
                Some(score) if score < min.get() => GateDecision::RouteToReview {
                    reason: format!("trust score {} is below {}", shown(score), shown(min.get())),
                },
                Some(_) => GateDecision::Persist,
                None => {
                    let reason = "it has no trust score".to_owned();
                    match on_missing {
                        OnMissing::Persist => GateDecision::Persist,
                        OnMissing::Reject => GateDecision::Reject { reason },
                        OnMissing::RouteToReview => GateDecision::RouteToReview { reason },
                    }
                }
            },
            Self::ProjectionEligibility { .. } if input.proposition.status == Status::Contradicted => {
                GateDecision::SkipProjection { reason: "it is contradicted".into() }
            }
            Self::ProjectionEligibility { min } if believed < min.get() => GateDecision::SkipProjection {
                reason: format!("effective confidence {} is below {}", shown(believed), shown(min.get())),
            },
            Self::EvidenceFloor => evidence_floor(input),
            _ => GateDecision::Persist,
        }
    }
}

fn evidence_floor(input: &GateInput<'_>) -> GateDecision {
    let Some(relation) = input.relations.stated_by(&input.proposition.text) else {
        return GateDecision::Persist;
    };
    let Some(floor) = &relation.evidence_floor else { return GateDecision::Persist };
    let confidence = input.proposition.confidence.get();
    let authority = input.authority.tier(input.proposition);
    if floor.is_met(confidence, authority) {
        return GateDecision::Persist;
    }
    let mut asked = Vec::new();
    asked.extend(floor.min_confidence.map(|min| format!("confidence {}", shown(min.get()))));
    asked.extend(floor.min_authority.map(|min| format!("a {} source", word(min))));
    let reason = format!(
        "`{}` takes {}; this has confidence {} from a {} source",
        relation.predicate,
        asked.join(" and "),
        shown(confidence),
        word(authority),
    );
    match &floor.demote_to {
        Some(to) => GateDecision::Demote { to: to.clone(), reason },
        None => GateDecision::RouteToReview { reason },
    }
}

fn word(tier: crate::trust::AuthorityTier) -> &'static str {
    use crate::trust::AuthorityTier::*;
    match tier {
        Primary => "primary",
        Secondary => "secondary",
        Derived => "derived",
        Unknown => "unknown",
    }
}

/// Up to four decimals, without trailing zeros.
fn shown(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One gate's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The gate.
    pub gate: String,
    /// What it answered.
    #[serde(flatten)]
    pub decision: GateDecision,
}

/// Every gate that a change passes, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GatePipeline {
    /// In order.
    pub gates: Vec<Gate>,
    /// Whether a refusal ends the asking. Default: yes.
    #[serde(rename = "shortCircuit")]
    pub short_circuit: bool,
}

impl Default for GatePipeline {
    /// Evidence floors alone, so that a floor written into a schema is in force without a second setting; the built-in schema has
    /// none. A personal memory keeps what it hears: what is little believed is stored as such, shown as such and not recalled
    /// below `recall_floor`. Refusing it would lose the evidence that a later statement may confirm, and holding it would
    /// ask the person about every doubt.
    fn default() -> Self {
        Self { gates: vec![Gate::EvidenceFloor], short_circuit: true }
    }
}

impl GatePipeline {
    /// The final decision, and what each gate that was asked answered.
    pub fn evaluate(&self, input: &GateInput<'_>) -> (GateDecision, Vec<Evaluation>) {
        let mut evaluations = Vec::new();
        let mut final_decision = GateDecision::Persist;
        for gate in &self.gates {
            let decision = gate.evaluate(input);
            let refused = matches!(decision, GateDecision::Reject { .. });
            if final_decision == GateDecision::Persist {
                final_decision = decision.clone();
            }
            evaluations.push(Evaluation { gate: gate.name().into(), decision });
            if refused && self.short_circuit {
                break;
            }
        }
        (final_decision, evaluations)
    }
}

#[cfg(test)]
mod tests;
