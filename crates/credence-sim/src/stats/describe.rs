//! What describes a sample: its middle, its spread, its ends, and how sure its mean is.

use serde::{Deserialize, Serialize};

use super::distribution::t_quantile;

/// From here on, strictly above, a metric varies so much that its mean says little.
pub const HIGH_VARIATION: f64 = 0.5;

/// A sample, described. A figure that the sample cannot carry is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Values.
    pub n: u32,
    /// Left out, because there was no value or it was no finite number.
    pub skipped: u32,
    /// Arithmetic mean; from 1 value on.
    pub mean: Option<f64>,
    /// Standard deviation of the sample, over n − 1; from 2 values on.
    pub sd: Option<f64>,
    /// Standard deviation of the population, over n; from 1 value on.
    pub population_sd: Option<f64>,
    /// Smallest.
    pub min: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// The middle value, or the mean of the middle two.
    pub median: Option<f64>,
    /// The 95th percentile by [`quantile`].
    pub p95: Option<f64>,
}

impl Summary {
    /// Describes values, leaving out those that are not there.
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let mut kept = Vec::new();
        let mut skipped = 0;
        for value in values {
            match value.filter(|value| value.is_finite()) {
                Some(value) => kept.push(value),
                None => skipped += 1,
            }
        }
        let squares = squares(&kept);
        kept.sort_by(f64::total_cmp);
        Self {
            n: kept.len() as u32,
            skipped,
            mean: mean(&kept),
            sd: squares.filter(|_| kept.len() > 1).map(|sum| libm::sqrt(sum / (kept.len() - 1) as f64)),
            population_sd: squares.map(|sum| libm::sqrt(sum / kept.len() as f64)),
            min: kept.first().copied(),
            max: kept.last().copied(),
            median: quantile(&kept, 0.5),
            p95: quantile(&kept, 0.95),
        }
    }

    /// Coefficient of variation: the sample's spread over the size of its mean; 0 where the mean is 0; `None` below 2 values.
    pub fn variation(&self) -> Option<f64> {
        let (mean, sd) = (self.mean?, self.sd?);
        Some(if mean == 0.0 { 0.0 } else { sd / mean.abs() })
    }

    /// Whether the coefficient of variation is above [`HIGH_VARIATION`].
    pub fn varies_much(&self) -> bool {
        self.variation().is_some_and(|variation| variation > HIGH_VARIATION)
    }

    /// What effect sizes are computed of; `None` below 2 values.
    pub fn moments(&self) -> Option<Moments> {
        Some(Moments { n: self.n, mean: self.mean?, sd: self.sd? })
    }
}

/// A sample's size, mean and standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// At least 2.
    pub n: u32,
    /// Arithmetic mean.
    pub mean: f64,
    /// Over n − 1.
    pub sd: f64,
}

impl Moments {
    /// Several samples as one: the mean of all their values, and the spread *within* them, so that a difference between easy and hard
    /// scenarios is no spread. `None` without samples.
    pub fn pooled(samples: &[Self]) -> Option<Self> {
        let n: u32 = samples.iter().map(|sample| sample.n).sum();
        let free = f64::from(n) - samples.len() as f64;
        if samples.is_empty() || free < 1.0 {
            return None;
        }
        let mean = samples.iter().map(|s| f64::from(s.n) * s.mean).sum::<f64>() / f64::from(n);
        let within: f64 = samples.iter().map(|s| (f64::from(s.n) - 1.0) * s.sd * s.sd).sum();
        Some(Self { n, mean, sd: libm::sqrt(within / free) })
    }
}

/// From where to where a figure may lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Student's interval of a mean at a level of confidence between 0 and 1; `None` below 2 values. It is not cut to the metric's range: an
/// end beyond it says that the sample is too small or too lopsided for this interval.
pub fn mean_interval(sample: &Summary, level: f64) -> Option<Interval> {
    let Moments { n, mean, sd } = sample.moments()?;
    let half = t_quantile(0.5 + level / 2.0, f64::from(n - 1))? * sd / libm::sqrt(f64::from(n));
    Some(Interval { low: mean - half, high: mean + half })
}

/// The quantile of ascending values at a share between 0 and 1, by linear interpolation at `share · (n − 1)`; `None` without values.
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let at = share.clamp(0.0, 1.0) * ascending.len().checked_sub(1)? as f64;
    let below = ascending.get(libm::floor(at) as usize)?;
    let above = ascending.get(libm::ceil(at) as usize)?;
    Some(below + (above - below) * (at - libm::floor(at)))
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Standard deviation of the sample; `None` below 2 values.
pub(super) fn sd(values: &[f64]) -> Option<f64> {
    squares(values).filter(|_| values.len() > 1).map(|sum| libm::sqrt(sum / (values.len() - 1) as f64))
}

/// Sum of squared distances from the mean. Equal values have none, whatever their mean is rounded to.
fn squares(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    if values.iter().all(|value| *value == values[0]) {
        return Some(0.0);
    }
    Some(values.iter().map(|value| (value - mean) * (value - mean)).sum())
}
