//! What is enforced, what a check finds, how layers combine, and the report on a turn.

use std::fmt;

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

use super::{EnforcementSettings, EnforcementStrategy};
use crate::id::PropositionId;
use crate::unit::{Authority, CompliancePolicy, UnitView};

/// A fact that answers are kept to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enforced {
    /// The unit.
    pub unit: PropositionId,
    /// What it says.
    pub text: String,
    /// How far it is to be taken.
    pub authority: Authority,
}

/// The units that are enforced: CANON alone where the settings say so; else CANON and RELIABLE, and with the FLAT policy all of
/// them (core 7.7).
pub fn enforced(
    units: &[UnitView],
    settings: &EnforcementSettings,
    policy: CompliancePolicy,
) -> Vec<Enforced> {
    let least = match policy {
        _ if settings.canon_only => Authority::Canon,
        CompliancePolicy::Tiered => Authority::Reliable,
        CompliancePolicy::Flat => Authority::Provisional,
    };
    let kept = units.iter().filter(|view| view.authority.is_at_least(least));
    kept.map(|view| Enforced {
        unit: view.id(),
        text: view.proposition.text.clone(),
        authority: view.authority,
    })
    .collect()
}

/// An answer that is checked.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// What the user had said.
    pub question: &'a str,
    /// What the assistant answers.
    pub answer: &'a str,
    /// The name that facts use for the user.
    pub user: &'a str,
}

/// Who saw a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckedBy {
    /// Words.
    Rules,
    /// A model.
    Model,
    /// A check of the host.
    Host,
}

/// An enforced fact that an answer contradicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// The unit.
    pub unit: PropositionId,
    /// What it says.
    pub fact: String,
    /// How far it is to be taken.
    pub authority: Authority,
    /// The sentence of the answer.
    pub sentence: String,
    /// Why the two cannot both hold, in words for a person and for the model's next try.
    pub reason: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Who saw it.
    pub by: CheckedBy,
}

/// What an answer calls for, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Action {
    /// It stands.
    #[default]
    Accept,
    /// It contradicts an enforced fact.
    Retry,
    /// It contradicts CANON.
    Reject,
}

impl Action {
    /// What violations call for.
    pub fn of(violations: &[Violation]) -> Self {
        let each = |violation: &Violation| match violation.authority {
            Authority::Canon => Self::Reject,
            _ => Self::Retry,
        };
        violations.iter().map(each).max().unwrap_or_default()
    }
}

/// The layers, in the order in which they act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The prompt words the facts.
    Prompt,
    /// The request biases their names.
    Bias,
    /// Words check the answer.
    Rules,
    /// A check of the host.
    Host,
    /// A model checks the answer.
    Model,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prompt => "the prompt",
            Self::Bias => "the bias",
            Self::Rules => "the check by rules",
            Self::Host => "the host's check",
            Self::Model => "the check by a model",
        })
    }
}

/// What one layer found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayerReport {
    /// Enforced facts that the answer contradicts; none from layers that do not check.
    pub violations: Vec<Violation>,
    /// Remarks for a person: what was left aside and why.
    pub notes: Vec<String>,
    /// Milliseconds.
    pub elapsed_ms: u32,
}

/// What the layers found together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Combined {
    /// The layers that worked.
    pub layers: Vec<Layer>,
    /// All violations, in order of layer.
    pub violations: Vec<Violation>,
    /// The most severe that any layer calls for; ACCEPT without layers.
    pub action: Action,
    /// The layers that failed, with their reason, and remarks.
    pub warnings: Vec<String>,
    /// A layer that checks failed, so that the answer is not wholly checked.
    pub unchecked: bool,
    /// Milliseconds in all.
    pub elapsed_ms: u32,
}

/// Combines layers: the union of what they found, the most severe action, the sum of their time. A failing layer is passed by with a
/// warning (core 7.7, HYBRID).
pub fn combine(layers: impl IntoIterator<Item = (Layer, Result<LayerReport, String>)>) -> Combined {
    let mut combined = Combined::default();
    for (layer, outcome) in layers {
        match outcome {
            Ok(report) => {
                combined.layers.push(layer);
                combined.violations.extend(report.violations);
                combined.warnings.extend(report.notes);
                combined.elapsed_ms = combined.elapsed_ms.saturating_add(report.elapsed_ms);
            }
            Err(reason) => {
                combined.unchecked |= !matches!(layer, Layer::Prompt | Layer::Bias);
                combined.warnings.push(format!("{layer} was passed by: {reason}"));
            }
        }
    }
    combined.action = Action::of(&combined.violations);
    combined
}

/// A check of another kind: a host's own, or a logic engine. It works beside rules and model under the strategies that check.
pub trait ComplianceCheck {
    /// The enforced facts that an answer contradicts; an error says why it could not be checked.
    fn check<'a>(
        &'a self,
        reading: Reading<'a>,
        facts: &'a [Enforced],
    ) -> LocalBoxFuture<'a, Result<Vec<Violation>, String>>;
}

/// One answer as it was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The layers that worked.
    pub layers: Vec<Layer>,
    /// What it contradicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What that calls for.
    pub action: Action,
    /// Failed layers and remarks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Milliseconds that checking took.
    #[serde(default)]
    pub elapsed_ms: u32,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComplianceOutcome {
    /// Checked, and no enforced fact is contradicted; or nothing is enforced.
    Compliant,
    /// Not checked, or not wholly; the reason is in the report.
    Unchecked,
    /// Kept, although it contradicts an enforced fact.
    Violating,
    /// Withheld.
    Withheld,
}

/// The report on an assistant's turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    /// The strategy in force.
    pub strategy: EnforcementStrategy,
    /// How many facts were enforced.
    pub enforced: u32,
    /// Every answer, in order; the turn has the one at `kept`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// Which of the attempts the turn's text is, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<u32>,
    /// How it ended.
    pub outcome: ComplianceOutcome,
    /// Why, in words for a person; empty where all is well.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Units that the answer used and agrees with, by its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<PropositionId>,
    /// Tokens that the request made more likely.
    #[serde(default)]
    pub biased: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violation(n: u128, authority: Authority) -> Violation {
        Violation {
            unit: PropositionId::new(uuid::Uuid::from_u128(n)),
            fact: "Baron Krell is dead".into(),
            authority,
            sentence: "Krell smiles.".into(),
            reason: "dead men do not smile".into(),
            confidence: 0.9,
            by: CheckedBy::Model,
        }
    }
    fn found(violations: Vec<Violation>, elapsed_ms: u32) -> Result<LayerReport, String> {
        Ok(LayerReport { violations, elapsed_ms, ..LayerReport::default() })
    }

    #[test]
    fn core_182_canon_rejects_and_others_retry() {
        let (canon, reliable) = (violation(1, Authority::Canon), violation(2, Authority::Reliable));
        assert_eq!(Action::of(&[]), Action::Accept);
        assert_eq!(Action::of(std::slice::from_ref(&reliable)), Action::Retry);
        assert_eq!(Action::of(&[reliable, canon]), Action::Reject);
    }

    #[test]
    fn core_183_layers_combine_to_the_most_severe() {
        let (retry, reject) = (violation(1, Authority::Reliable), violation(2, Authority::Canon));
        let all = combine([
            (Layer::Rules, found(vec![reject.clone()], 3)),
            (Layer::Model, found(vec![retry.clone()], 40)),
        ]);
        assert_eq!((all.action, all.elapsed_ms, all.unchecked), (Action::Reject, 43, false));
        assert_eq!(all.violations, [reject, retry.clone()]);
        let passed = combine([
            (Layer::Bias, Err("it does not tell its tokens".into())),
            (Layer::Rules, found(vec![retry], 1)),
            (Layer::Model, Err("the server failed".into())),
        ]);
        assert_eq!((passed.action, &passed.layers[..]), (Action::Retry, &[Layer::Rules][..]));
        assert_eq!(passed.warnings.len(), 2);
        assert!(passed.unchecked && passed.warnings[1].contains("the server failed"), "{passed:?}");
        assert_eq!(combine([]).action, Action::Accept);
    }
}
