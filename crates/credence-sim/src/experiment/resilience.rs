//! One number for a condition, as the predecessor's reports have it, with what it hides said beside it.
//!
//! The score weighs survival 0.40, absorption 0.25, contradictions 0.20 and strategies 0.15 (sim 4.6). The weights are a choice that nothing
//! was fitted to; the four parts measure much the same thing; and a score without spread says nothing about chance. It orders no
//! conditions: [`super::Comparison`] does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The parts' weights, in the order of [`Resilience`]'s fields.
const WEIGHTS: [f64; 4] = [0.40, 0.25, 0.20, 0.15];

/// Points that each contradiction of a run takes from its part.
const PER_CONTRADICTION: f64 = 20.0;

/// The score of one condition. Every part is 0 to 100; `None`: there was nothing to measure it by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Resilience {
    /// The parts that there are, by their weights.
    pub overall: f64,
    /// Mean share of facts that survived.
    pub survival: f64,
    /// Mean share of engaged turns without contradiction.
    pub absorption: Option<f64>,
    /// 100 less 20 for each contradiction of a run, in the mean.
    pub contradiction: Option<f64>,
    /// 100 less the mean success of the strategies used against it; `None` where none was used.
    pub strategy: Option<f64>,
    /// In a word.
    pub standing: Standing,
}

/// A score in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Standing {
    /// Below 25.
    Poor,
    /// From 25.
    Weak,
    /// From 50.
    Moderate,
    /// From 75.
    Good,
    /// From 90.
    Excellent,
}

impl Standing {
    fn of(overall: f64) -> Self {
        match overall {
            score if score >= 90.0 => Self::Excellent,
            score if score >= 75.0 => Self::Good,
            score if score >= 50.0 => Self::Moderate,
            score if score >= 25.0 => Self::Weak,
            _ => Self::Poor,
        }
    }
}

impl Resilience {
    /// What has to be said wherever scores are shown.
    pub const CAVEAT: &'static str = "The weights are a convention that nothing was fitted to, the parts overlap, and the score has no spread: it orders \
         no conditions. The comparisons do.";

    /// The score of means: survival and absorption in percent, contradictions of a run, each strategy's share of turns in which it worked.
    /// A part that is not there leaves its weight to the others; without survival there is no score.
    pub fn of(
        survival: Option<f64>,
        absorption: Option<f64>,
        contradictions: Option<f64>,
        strategies: &BTreeMap<String, f64>,
    ) -> Option<Self> {
        let percent = |value: f64| value.clamp(0.0, 100.0);
        let survival = percent(survival?);
        let absorption = absorption.map(percent);
        let contradiction = contradictions.map(|mean| percent(100.0 - PER_CONTRADICTION * mean));
        let worked = strategies.values().sum::<f64>() / strategies.len() as f64;
        let strategy = (!strategies.is_empty()).then(|| percent(100.0 - 100.0 * worked));
        let parts = [Some(survival), absorption, contradiction, strategy];
        let (mut sum, mut weight) = (0.0, 0.0);
        for (part, share) in parts.into_iter().zip(WEIGHTS) {
            if let Some(part) = part {
                sum += part * share;
                weight += share;
            }
        }
        let overall = percent(sum / weight);
        Some(Self { overall, survival, absorption, contradiction, strategy, standing: Standing::of(overall) })
    }
}
