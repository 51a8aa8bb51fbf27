//! Our statistics beside scipy's, on the vectors of `tests/fixtures/statistics.json`: the benchmark's figure and its test.

use credence_sim::stats;
use serde_json::Value;

/// One figure of ours and scipy's.
pub(crate) struct Figure {
    /// The function of `stats`, and which case and which of its figures.
    pub(crate) place: String,
    pub(crate) ours: Option<f64>,
    pub(crate) theirs: Option<f64>,
}

impl Figure {
    /// How far apart the two are, in units of scipy's figure where that is above 1; infinite where only one is defined.
    pub(crate) fn off(&self) -> f64 {
        match (self.ours, self.theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() / theirs.abs().max(1.0),
            (None, None) => 0.0,
            _ => f64::INFINITY,
        }
    }
}

/// Every figure of the fixture.
///
/// # Errors
/// In words, when the fixture cannot be read or names a function that is not compared.
pub(crate) fn compare() -> Result<Vec<Figure>, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/statistics.json");
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let fixture: Value = serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    let mut figures = Vec::new();
    for (at, case) in fixture["cases"].as_array().into_iter().flatten().enumerate() {
        let function = case["function"].as_str().unwrap_or_default();
        let ours =
            ours(function, case).ok_or_else(|| format!("case {at}: `{function}` cannot be computed"))?;
        let theirs = options(&case["want"]);
        if ours.len() != theirs.len() {
            return Err(format!("case {at}: {} figures of `{function}`, not {}", ours.len(), theirs.len()));
        }
        figures.extend(ours.into_iter().zip(theirs).enumerate().map(|(which, (ours, theirs))| Figure {
            place: format!("{function}, case {at}, figure {which}"),
            ours,
            theirs,
        }));
    }
    Ok(figures)
}

fn options(value: &Value) -> Vec<Option<f64>> {
    value.as_array().into_iter().flatten().map(Value::as_f64).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    options(value).into_iter().flatten().collect()
}

fn ours(function: &str, case: &Value) -> Option<Vec<Option<f64>>> {
    let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
    let x = case["x"].as_f64();
    let freedom = case["freedom"].as_f64();
    let of_a = stats::Summary::of(a.iter().copied().map(Some));
    let of_b = stats::Summary::of(b.iter().copied().map(Some));
    Some(match function {
        "describe" => {
            vec![of_a.mean, of_a.sd, of_a.population_sd, of_a.median, of_a.p95, of_a.variation()]
        }
        "mean_interval" => ends(stats::mean_interval(&of_a, 0.95)),
        "paired_t" => {
            let test = stats::paired_t(&a)?;
            vec![Some(test.t), Some(test.p)]
        }
        "mann_whitney" => {
            let test = stats::mann_whitney(&a, &b)?;
            vec![Some(test.u_first), Some(test.p)]
        }
        "mann_whitney_normal" => {
            let (ties, continuity) = (case["ties"].as_bool()?, case["continuity"].as_bool()?);
            let test = stats::mann_whitney_normal(&a, &b, stats::Approximation { ties, continuity })?;
            vec![Some(test.u_first), Some(test.p)]
        }
        "wilcoxon" => {
            let test = stats::wilcoxon(&a)?;
            vec![Some(test.w_positive.min(test.w_negative)), Some(test.p)]
        }
        "hedges_g" => vec![stats::hedges_g(of_a.moments()?, of_b.moments()?)],
        "d_z" => vec![stats::d_z(&a)],
        "g_average" => vec![stats::g_average(&a, &b)],
        "benjamini_hochberg" => stats::benjamini_hochberg(&options(&case["a"])),
        "normal_cdf" => vec![Some(stats::normal_cdf(x?))],
        "normal_quantile" => vec![stats::normal_quantile(x?)],
        "t_cdf" => vec![Some(stats::t_cdf(x?, freedom?))],
        "t_quantile" => vec![stats::t_quantile(x?, freedom?)],
        "incomplete_beta" => vec![Some(stats::incomplete_beta(*a.first()?, *a.get(1)?, x?))],
        "t_noncentral_cdf" => {
            vec![Some(stats::t_noncentral_cdf(x?, freedom?, case["shift"].as_f64()?))]
        }
        "smallest_effect" => {
            vec![stats::smallest_effect(u32::try_from(case["pairs"].as_u64()?).ok()?, 0.05, 0.8)]
        }
        "bootstrap_mean" => {
            let clusters: Vec<Vec<f64>> = case["clusters"].as_array()?.iter().map(numbers).collect();
            let draws = u32::try_from(case["draws"].as_u64()?).ok()?;
            ends(stats::bootstrap_mean(&clusters, case["level"].as_f64()?, draws, case["seed"].as_u64()?))
        }
        _ => return None,
    })
}

fn ends(interval: Option<stats::Interval>) -> Vec<Option<f64>> {
    vec![interval.map(|interval| interval.low), interval.map(|interval| interval.high)]
}
