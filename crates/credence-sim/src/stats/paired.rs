//! Student's test of pairs: whether the mean difference is 0.

use serde::{Deserialize, Serialize};

use super::describe::{mean, sd};
use super::distribution::incomplete_beta;

/// How the test came out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedT {
    /// Mean difference over its standard error.
    pub t: f64,
    /// Pairs less one.
    pub freedom: u32,
    /// Two-sided.
    pub p: f64,
}

/// Tests differences of pairs. `None` below 2 pairs, and where all differences are the same but not 0, for then the error is 0; where all
/// are 0, t is 0 and p is 1.
pub fn paired_t(differences: &[f64]) -> Option<PairedT> {
    let (mean, sd) = (mean(differences)?, sd(differences)?);
    let freedom = (differences.len() - 1) as u32;
    if sd == 0.0 {
        return (mean == 0.0).then_some(PairedT { t: 0.0, freedom, p: 1.0 });
    }
    let t = mean / (sd / libm::sqrt(differences.len() as f64));
    let free = f64::from(freedom);
    // Both tails at once, without a difference from 1 in which a small p would drown.
    Some(PairedT { t, freedom, p: incomplete_beta(free / 2.0, 0.5, free / (free + t * t)) })
}
