//! A comparison in words, for every table that shows it. One that a check blocks keeps its figures, but no word that reads as a finding.

use crate::experiment::{Analysis, Comparison};
use crate::metrics;
use crate::stats::{Magnitude, stars};

use super::blocked::reasons;
use super::text::{figure, p_value, plain};

/// What has to be said wherever comparisons are listed.
pub const EFFECTS_NOTE: &str = "Differences are first less second, run by run with the same seed. The interval is bootstrapped (marked s where it draws whole \
     scenarios, else it is about these scenarios alone); g is in units of the conditions' spread; p is of the signed-rank test, corrected for the \
     number of comparisons of its kind; power is the smallest difference, in units of its own spread, that so many pairs find four times out of \
     five.";

/// The cells of a row; a dash where there is no figure. Names are plain text, not yet escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectRow {
    /// The metric's title.
    pub metric: String,
    /// Mean difference, first less second.
    pub difference: String,
    /// Its interval.
    pub interval: String,
    /// Hedges' g of the pairs.
    pub g: String,
    /// How large that is, or that it is blocked and why.
    pub effect: String,
    /// Of the signed-rank test, corrected.
    pub p: String,
    /// `*` to `***` by the corrected p; empty where it is none or blocked.
    pub stars: &'static str,
    /// The smallest difference, in units of its own spread, that so many pairs find four times out of five.
    pub power: String,
    /// g and p of the same values as two heaps.
    pub unpaired: String,
    /// A check forbids a conclusion about the two in this metric.
    pub is_blocked: bool,
}

impl EffectRow {
    /// Of a comparison.
    pub fn of(analysis: &Analysis, one: &Comparison) -> Self {
        let blocked = reasons(analysis, one).filter(|_| !one.control);
        let is_blocked = blocked.is_some();
        let dash = || "–".to_owned();
        Self {
            metric: metrics::named(&one.metric).map_or(one.metric.as_str(), |metric| metric.title).to_owned(),
            difference: figure(one.difference, 2),
            interval: one
                .interval
                .map_or_else(dash, |of| format!("{} to {}", plain(of.low, 1), plain(of.high, 1))),
            g: figure(one.g, 2),
            effect: match (blocked, one.g) {
                (Some(why), _) => format!("blocked: {why}"),
                (None, Some(g)) => Magnitude::of(g).word().to_owned(),
                (None, None) => dash(),
            },
            p: p_value(one.p_corrected),
            stars: if is_blocked { "" } else { one.p_corrected.map(stars).unwrap_or_default() },
            power: figure(one.smallest, 2),
            unpaired: format!("{}, {}", figure(one.groups.g, 2), p_value(one.groups.p)),
            is_blocked,
        }
    }
}
