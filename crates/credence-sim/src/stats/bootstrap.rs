//! The interval of a mean without a distribution: the sample is drawn from again and again.
//!
//! Values come in clusters, and whole clusters are drawn: repetitions of one scenario resemble each other, and drawing them one by one
//! would make an interval look surer than it is. Clusters of one value each are the ordinary bootstrap. The interval is BCa: corrected for
//! bias and skew (Efron 1987), with the jackknife over clusters.

use super::describe::{Interval, mean, quantile};
use super::distribution::{normal_cdf, normal_quantile};
use crate::random::SplitMix64;

/// How often is drawn.
pub const RESAMPLES: u32 = 4000;

/// The interval of the mean of all values at a level of confidence between 0 and 1. `None` below 2 clusters that hold a value; of equal
/// cluster means the interval is that point. Equal seeds give equal intervals.
pub fn bootstrap_mean(clusters: &[Vec<f64>], level: f64, resamples: u32, seed: u64) -> Option<Interval> {
    let parts: Vec<(f64, f64)> = clusters
        .iter()
        .filter(|values| !values.is_empty())
        .map(|values| (values.iter().sum(), values.len() as f64))
        .collect();
    if parts.len() < 2 || resamples == 0 {
        return None;
    }
    let total: (f64, f64) = parts.iter().fold((0.0, 0.0), |(sum, n), part| (sum + part.0, n + part.1));
    let centre = total.0 / total.1;
    let mut random = SplitMix64::new(seed);
    let mut drawn: Vec<f64> = (0..resamples)
        .map(|_| {
            let (mut sum, mut n) = (0.0, 0.0);
            for _ in 0..parts.len() {
                let part = parts[random.below(parts.len())];
                sum += part.0;
                n += part.1;
            }
            sum / n
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    // The order of adding must not decide whether a drawn mean is the sample's own.
    let near = 1e-12 * centre.abs().max(1.0);
    let below = drawn.iter().filter(|mean| **mean < centre - near).count() as f64;
    let same = drawn.iter().filter(|mean| (**mean - centre).abs() <= near).count() as f64;
    let left_out: Vec<f64> = parts.iter().map(|part| (total.0 - part.0) / (total.1 - part.1)).collect();
    let (bias, skew) = match normal_quantile((below + same / 2.0) / f64::from(resamples)) {
        Some(bias) => (bias, acceleration(&left_out)?),
        None => (0.0, 0.0),
    };
    let end = |share: f64| -> Option<f64> {
        let z = bias + normal_quantile(share)?;
        quantile(&drawn, normal_cdf(bias + z / (1.0 - skew * z)))
    };
    Some(Interval { low: end((1.0 - level) / 2.0)?, high: end((1.0 + level) / 2.0)? })
}

/// The skew of the jackknife's means, in Efron's unit; 0 where they do not differ.
fn acceleration(left_out: &[f64]) -> Option<f64> {
    let centre = mean(left_out)?;
    let cubes: f64 = left_out.iter().map(|value| libm::pow(centre - value, 3.0)).sum();
    let squares: f64 = left_out.iter().map(|value| libm::pow(centre - value, 2.0)).sum();
    Some(if squares > 0.0 { cubes / (6.0 * libm::pow(squares, 1.5)) } else { 0.0 })
}
