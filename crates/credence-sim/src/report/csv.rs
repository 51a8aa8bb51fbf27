//! The tables of an experiment as CSV (RFC 4180): cells with their figures, and runs with their raw values. Columns are always the same, in
//! the order of the list of metrics; an empty field is a figure that is not there.

use crate::experiment::{Analysis, Experiment};
use crate::metrics::NAMES;
use crate::stats::mean_interval;

use super::text::csv_field;

/// Figures of a metric, as columns.
const FIGURES: [&str; 8] = ["n", "mean", "sd", "low", "high", "median", "min", "max"];

/// One row a cell, in the order of the definition: `condition,scenario,runs`, then for each metric `_n`, `_mean`, `_sd` (of the sample),
/// `_low` and `_high` (Student's 95 % interval), `_median`, `_min` and `_max`.
pub fn cells_csv(analysis: &Analysis) -> String {
    let columns = NAMES.iter().flat_map(|metric| FIGURES.map(|figure| format!("{}_{figure}", metric.name)));
    let mut rows = vec![row(["condition", "scenario", "runs"].map(str::to_owned).into_iter().chain(columns))];
    for cell in &analysis.cells {
        let figures = NAMES.iter().flat_map(|metric| {
            let summary = cell.metric(metric.name).copied().unwrap_or_default();
            let interval = mean_interval(&summary, 0.95);
            [
                Some(f64::from(summary.n)),
                summary.mean,
                summary.sd,
                interval.map(|interval| interval.low),
                interval.map(|interval| interval.high),
                summary.median,
                summary.min,
                summary.max,
            ]
            .map(number)
        });
        let names = [csv_field(&cell.condition), csv_field(&cell.scenario), cell.runs.to_string()];
        rows.push(row(names.into_iter().chain(figures)));
    }
    rows.concat()
}

/// One row a run, in the order of the plan: what it was, how it ended, and every metric by the judge that counts.
pub fn runs_csv(experiment: &Experiment) -> String {
    let names = ["run", "condition", "scenario", "repetition", "seed", "status", "trouble"];
    let metrics = NAMES.iter().map(|metric| metric.name.to_owned());
    let mut rows = vec![row(names.map(str::to_owned).into_iter().chain(metrics))];
    for run in &experiment.runs {
        let trouble = run.trouble();
        let fields = [
            csv_field(&run.run),
            csv_field(&run.condition),
            csv_field(&run.scenario),
            (run.settings.repetition + 1).to_string(),
            run.settings.seed.to_string(),
            if trouble.is_none() { "complete".to_owned() } else { "incomplete".to_owned() },
            csv_field(&trouble.unwrap_or_default()),
        ];
        let judge = &experiment.definition.judged_by;
        rows.push(row(fields
            .into_iter()
            .chain(NAMES.iter().map(|metric| number(run.value(judge, metric.name))))));
    }
    rows.concat()
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn row(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\n"
}
