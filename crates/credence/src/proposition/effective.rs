//! Effective confidence: what a proposition's confidence is worth at an instant. Computed on read from the
//! clock given; nothing is ever written back by reading.

use serde::{Deserialize, Serialize};

use super::Proposition;
use crate::time::Timestamp;

/// How the age of a fact is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecayAge {
    /// Whole days, truncated: 23 h 59 m is none (dice 1.4, the default for parity).
    #[default]
    WholeDays,
    /// Days with their fraction.
    FractionalDays,
}

/// The constants of decay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayRule {
    /// Multiplies the rate; default 2.0 (dice 1.4). With it, decay 0.1 halves confidence in 3.47 days.
    pub k: f64,
    /// How age is counted.
    pub age: DecayAge,
}

impl Default for DecayRule {
    fn default() -> Self {
        Self { k: 2.0, age: DecayAge::WholeDays }
    }
}

/// Confidence at `at`, 0 to 1. In order: retracted: 0. Outside its validity window: 0. Inside a closed window: the raw
/// confidence, undecayed. Inside an open one: decays from the window's start, or from the last change of content where that
/// came later: what has held since 2019 and was learned today is fresh. Else decays from the last change of content:
/// `confidence * e^(-decay * k * days)`.
pub fn effective_confidence(p: &Proposition, at: Timestamp, rule: DecayRule) -> f64 {
    let raw = p.confidence.get();
    if p.temporal.invalidated_at.is_some_and(|when| when <= at) {
        return 0.0;
    }
    let anchor = match p.temporal.valid_from {
        Some(from) => {
            if at < from || p.temporal.valid_to.is_some_and(|to| at >= to) {
                return 0.0;
            }
            if p.temporal.valid_to.is_some() {
                return raw;
            }
            // Seen from before it was learned, the window's start is all there is.
            if p.content_revised <= at { from.max(p.content_revised) } else { from }
        }
        None => p.content_revised,
    };
    let days = match rule.age {
        DecayAge::WholeDays => anchor.whole_days_to(at),
        DecayAge::FractionalDays => anchor.fractional_days_to(at),
    };
    (raw * libm::exp(-p.decay.get() * rule.k * days)).clamp(0.0, 1.0)
}

/// What a statement is worth as an answer. It is [`effective_confidence`], but for what was over when it was said ("lived in
/// Oslo in 2019"): its window is what it tells about, so that it keeps its raw confidence, as inside a closed window, instead
/// of being worth nothing ever since.
pub fn recall_confidence(p: &Proposition, at: Timestamp, rule: DecayRule) -> f64 {
    let told_as_over = |to: Timestamp| to <= at && p.temporal.observed_at.is_some_and(|said| to <= said);
    let retracted = p.temporal.invalidated_at.is_some_and(|when| when <= at);
    if !retracted && p.temporal.valid_to.is_some_and(told_as_over) {
        p.confidence.get()
    } else {
        effective_confidence(p, at, rule)
    }
}
