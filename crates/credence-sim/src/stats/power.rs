//! What so many pairs could have shown at all.

use super::distribution::{crossing, t_noncentral_cdf, t_quantile};

/// The smallest true `d_z` that Student's test of `pairs` pairs finds with probability `power` at a two-sided level `alpha`, by the
/// noncentral t; `None` below 2 pairs, and where it would exceed 100.
pub fn smallest_effect(pairs: u32, alpha: f64, power: f64) -> Option<f64> {
    let free = f64::from(pairs.checked_sub(1)?);
    let critical = t_quantile(1.0 - alpha / 2.0, free)?;
    let root = libm::sqrt(f64::from(pairs));
    let found = |d: f64| {
        let shift = d * root;
        1.0 - t_noncentral_cdf(critical, free, shift) + t_noncentral_cdf(-critical, free, shift)
    };
    let mut high = 0.25;
    while found(high) < power {
        high *= 2.0;
        // Beyond this the distribution of the shifted t is no longer computed to any use.
        if high * root > 36.0 || high > 100.0 {
            return None;
        }
    }
    Some(crossing(0.0, high, |d| found(d) >= power))
}
