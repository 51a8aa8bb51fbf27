//! How large a difference is, in units of spread, so that metrics can be compared.
//!
//! Sources: Hedges (1981) with the usual approximation of its correction, J = 1 − 3 / (4·df − 1); for pairs Cumming (2012, chapter 11):
//! `d_z` in units of the differences' spread, `g_average` in units of the two conditions' spread.

use serde::{Deserialize, Serialize};

use super::describe::{Moments, mean, sd};

/// Hedges' g of two independent samples: positive where the first mean is larger. `None` below 2 values on a side, and where neither has
/// spread but the means differ: then no number of spreads is the distance. Without spread and difference it is 0.
pub fn hedges_g(a: Moments, b: Moments) -> Option<f64> {
    if a.n < 2 || b.n < 2 {
        return None;
    }
    let free = f64::from(a.n) + f64::from(b.n) - 2.0;
    let squares = (f64::from(a.n) - 1.0) * a.sd * a.sd + (f64::from(b.n) - 1.0) * b.sd * b.sd;
    standardised(a.mean - b.mean, libm::sqrt(squares / free)).map(|d| d * correction(free))
}

/// Cohen's d of differences of pairs: their mean over their spread. `None` as for [`hedges_g`].
pub fn d_z(differences: &[f64]) -> Option<f64> {
    standardised(mean(differences)?, sd(differences)?)
}

/// Hedges' g of pairs: the mean difference over the root of the mean variance of the two conditions, with the correction for n − 1 degrees
/// of freedom. `None` as for [`hedges_g`], and where the two are not of one length.
pub fn g_average(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let (of_a, of_b) = (sd(a)?, sd(b)?);
    let spread = libm::sqrt((of_a * of_a + of_b * of_b) / 2.0);
    standardised(mean(a)? - mean(b)?, spread).map(|d| d * correction((a.len() - 1) as f64))
}

fn standardised(difference: f64, spread: f64) -> Option<f64> {
    if difference == 0.0 {
        return Some(0.0);
    }
    (spread > 0.0).then(|| difference / spread)
}

fn correction(free: f64) -> f64 {
    1.0 - 3.0 / (4.0 * free - 1.0)
}

/// An effect in words, by its size alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Magnitude {
    /// Below 0.2.
    Negligible,
    /// Below 0.5.
    Small,
    /// Below 0.8.
    Medium,
    /// The rest.
    Large,
}

impl Magnitude {
    /// The word for an effect size.
    pub fn of(g: f64) -> Self {
        match g.abs() {
            size if size < 0.2 => Self::Negligible,
            size if size < 0.5 => Self::Small,
            size if size < 0.8 => Self::Medium,
            _ => Self::Large,
        }
    }

    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}
