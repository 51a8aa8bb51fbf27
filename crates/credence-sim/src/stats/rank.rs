//! Tests that look at the order of values alone, because metrics in percent pile up at their ends and are nowhere near normal.
//!
//! Sources: Mann and Whitney (1947); Wilcoxon (1945), whose rule for zeros is kept: a pair without difference says nothing and is left
//! out. Equal values share the mean of their ranks, and the variance is corrected for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::distribution::normal_cdf;

/// The larger the smaller sample may be for [`mann_whitney`] to count arrangements, and both together.
const EXACT_SMALLER: usize = 8;
const EXACT_BOTH: usize = 200;
/// Pairs with a difference up to which [`wilcoxon`] counts arrangements.
const EXACT_PAIRS: usize = 50;

/// What the normal approximation corrects for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approximation {
    /// That equal values lower the variance.
    pub ties: bool,
    /// That the statistic is a whole number and the normal distribution is not.
    pub continuity: bool,
}

/// Two independent samples, compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// How often a value of the first sample is above one of the second; equal ones count half.
    pub u_first: f64,
    /// The same the other way round.
    pub u_second: f64,
    /// Two-sided.
    pub p: f64,
    /// Whether arrangements were counted.
    pub exact: bool,
}

impl MannWhitney {
    /// The smaller of the two.
    pub fn u(&self) -> f64 {
        self.u_first.min(self.u_second)
    }
}

/// Compares two samples: by counting where no values are equal, the smaller has at most 8 and both together at most 200 values; else
/// by the normal approximation with both corrections. `None` below 2 values on a side.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<MannWhitney> {
    let mut test = mann_whitney_normal(a, b, Approximation { ties: true, continuity: true })?;
    let smaller = a.len().min(b.len());
    let tied = Ranks::of(a.iter().chain(b).copied()).ties > 0.0;
    if !tied && smaller <= EXACT_SMALLER && a.len() + b.len() <= EXACT_BOTH {
        let least = (smaller * (smaller + 1) / 2) as f64;
        let ranks: Vec<u64> = (1..=(a.len() + b.len()) as u64).collect();
        let sums = sums_of(&ranks, Some(smaller));
        let all: f64 = sums.values().sum();
        let u = test.u();
        let tail: f64 =
            sums.iter().filter(|(sum, _)| **sum as f64 - least <= u).map(|(_, count)| count).sum();
        test.p = (2.0 * tail / all).min(1.0);
        test.exact = true;
    }
    Some(test)
}

/// Compares two samples by the normal approximation. `None` below 2 values on a side; where all values are the same, p is 1.
pub fn mann_whitney_normal(a: &[f64], b: &[f64], with: Approximation) -> Option<MannWhitney> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let ranks = Ranks::of(a.iter().chain(b).copied());
    let (n, m) = (a.len() as f64, b.len() as f64);
    let u_first = ranks.of_each[..a.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0;
    let u_second = n * m - u_first;
    let both = n + m;
    let ties = if with.ties { ranks.ties / (both * (both - 1.0)) } else { 0.0 };
    let variance = n * m / 12.0 * (both + 1.0 - ties);
    let off = u_first.max(u_second) - n * m / 2.0;
    Some(MannWhitney { u_first, u_second, p: two_sided(off, variance, with.continuity), exact: false })
}

/// Pairs, compared by the ranks of their differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Signed {
    /// Sum of the ranks of the positive differences.
    pub w_positive: f64,
    /// Sum of the ranks of the negative ones.
    pub w_negative: f64,
    /// Pairs that differ.
    pub pairs: u32,
    /// Pairs that do not, left out.
    pub zeros: u32,
    /// Two-sided.
    pub p: f64,
    /// Whether arrangements were counted.
    pub exact: bool,
}

/// Tests whether differences of pairs lie about 0: by counting all signs that the ranks, shared ones included, could have had for up to 50
/// differing pairs; else by the normal approximation with both corrections. Where no pair differs, p is 1; `None` without pairs.
pub fn wilcoxon(differences: &[f64]) -> Option<Signed> {
    if differences.is_empty() {
        return None;
    }
    let kept: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let ranks = Ranks::of(kept.iter().map(|d| d.abs()));
    let side = |positive: bool| -> f64 {
        kept.iter().zip(&ranks.of_each).filter(|(d, _)| (**d > 0.0) == positive).map(|(_, rank)| rank).sum()
    };
    let (w_positive, w_negative) = (side(true), side(false));
    let n = kept.len() as f64;
    let exact = kept.len() <= EXACT_PAIRS;
    let p = if kept.is_empty() {
        1.0
    } else if exact {
        // Shared ranks end on a half: doubled, all are whole.
        let doubled: Vec<u64> = ranks.of_each.iter().map(|rank| libm::round(rank * 2.0) as u64).collect();
        let sums = sums_of(&doubled, None);
        let all: f64 = sums.values().sum();
        let least = 2.0 * w_positive.min(w_negative);
        let tail: f64 = sums.iter().filter(|(sum, _)| **sum as f64 <= least).map(|(_, count)| count).sum();
        (2.0 * tail / all).min(1.0)
    } else {
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranks.ties / 48.0;
        two_sided(w_positive.max(w_negative) - n * (n + 1.0) / 4.0, variance, true)
    };
    let zeros = (differences.len() - kept.len()) as u32;
    Some(Signed { w_positive, w_negative, pairs: kept.len() as u32, zeros, p, exact })
}

/// p of a distance (not negative) from the middle.
fn two_sided(off: f64, variance: f64, continuity: bool) -> f64 {
    let off = if continuity { (off - 0.5).max(0.0) } else { off };
    if variance <= 0.0 {
        return 1.0;
    }
    (2.0 * normal_cdf(-off / libm::sqrt(variance))).min(1.0)
}

/// How many subsets of the ranks have each sum: of all sizes, or of one.
fn sums_of(ranks: &[u64], size: Option<usize>) -> BTreeMap<u64, f64> {
    let most = size.unwrap_or(0);
    let mut of_size: Vec<BTreeMap<u64, f64>> = vec![BTreeMap::new(); most + 1];
    of_size[0].insert(0, 1.0);
    for rank in ranks {
        // From the largest size down, so that a rank is taken once.
        for at in (0..=most).rev() {
            let target = if size.is_some() { at + 1 } else { at };
            if target > most {
                continue;
            }
            let taken: Vec<(u64, f64)> =
                of_size[at].iter().map(|(sum, count)| (sum + rank, *count)).collect();
            for (sum, count) in taken {
                *of_size[target].entry(sum).or_insert(0.0) += count;
            }
        }
    }
    of_size.pop().unwrap_or_default()
}

/// Ranks from 1, equal values sharing the mean of theirs.
struct Ranks {
    /// In the order of the values.
    of_each: Vec<f64>,
    /// Σ(t³ − t) over groups of t equal values.
    ties: f64,
}

impl Ranks {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut order: Vec<(usize, f64)> = values.enumerate().collect();
        order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        let mut of_each = vec![0.0; order.len()];
        let mut ties = 0.0;
        let mut from = 0;
        while from < order.len() {
            let value = order[from].1;
            let group = order[from..].iter().take_while(|(_, other)| *other == value).count();
            let rank = from as f64 + (group as f64 + 1.0) / 2.0;
            for (at, _) in &order[from..from + group] {
                of_each[*at] = rank;
            }
            let size = group as f64;
            ties += size * size * size - size;
            from += group;
        }
        Self { of_each, ties }
    }
}
