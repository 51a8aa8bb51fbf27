//! Statistics over runs: what describes a sample, how sure a mean is, whether two conditions differ, by how much, and what so many runs
//! could have shown at all.
//!
//! Rules:
//! - *No figure without data.* What is not defined is `None`, never NaN, 0 or 1: the spread of one value, an effect without spread, a
//!   test of a single value. What was left out of a figure is counted (`skipped`).
//! - *Sample figures.* Standard deviations divide by n − 1; the one of the population stands beside for comparison.
//! - *Exact where it can be.* Rank tests count arrangements for small samples, and take the normal distribution with corrections for ties
//!   and continuity for large ones. Intervals of means are Student's or bootstrapped, never 1.96 standard errors.
//! - *Pairs before groups.* Runs of one scenario and repetition share their seed, so that conditions are compared by pairs.
//! - *The same bytes everywhere.* Logarithms, roots and error functions are libm's; resampling is seeded.
//!
//! The figures are held against scipy on stored vectors: `tests/fixtures/statistics.json`, made by `statistics.py` beside it.

mod bootstrap;
mod describe;
mod distribution;
mod effect;
mod multiple;
mod paired;
mod power;
mod rank;
#[cfg(test)]
mod tests;

pub use bootstrap::{RESAMPLES, bootstrap_mean};
pub use describe::{HIGH_VARIATION, Interval, Moments, Summary, mean_interval, quantile};
pub use distribution::{incomplete_beta, normal_cdf, normal_quantile, t_cdf, t_noncentral_cdf, t_quantile};
pub use effect::{Magnitude, d_z, g_average, hedges_g};
pub use multiple::{benjamini_hochberg, stars};
pub use paired::{PairedT, paired_t};
pub use power::smallest_effect;
pub use rank::{Approximation, MannWhitney, Signed, mann_whitney, mann_whitney_normal, wilcoxon};
