//! What an experiment may be said to show, in sentences: warnings first, then a conclusion for each primary comparison (or why there is none),
//! then what is worth a look.

use crate::experiment::{Analysis, CheckKind, Comparison, Experiment, Outcome};
use crate::metrics::{self, Better, Unit};
use crate::stats::{Interval, Magnitude, Summary};

use super::blocked::reasons;
use super::text::{figure, p_value, plain};

/// The metric of which the means are told.
const SURVIVAL: &str = "fact_survival";

/// Sentences of a report. Names and numbers are plain text, not yet escaped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrative {
    /// Why the results are provisional.
    pub warnings: Vec<String>,
    /// One a primary comparison.
    pub conclusions: Vec<String>,
    /// What is worth a look; nothing that a check blocks.
    pub observations: Vec<String>,
}

/// Says what may be said.
pub fn narrative(experiment: &Experiment, analysis: &Analysis) -> Narrative {
    Narrative {
        warnings: warnings(experiment, analysis),
        conclusions: analysis
            .comparisons
            .iter()
            .filter(|comparison| comparison.primary && !comparison.control)
            .map(|comparison| conclusion(experiment, analysis, comparison))
            .collect(),
        observations: observations(experiment, analysis),
    }
}

fn warnings(experiment: &Experiment, analysis: &Analysis) -> Vec<String> {
    let definition = &experiment.definition;
    let mut found = Vec::new();
    if definition.conditions.len() < 2 {
        found.push("Provisional: one condition alone is compared with nothing.".to_owned());
    }
    let degraded = analysis
        .checks
        .iter()
        .filter(|check| check.kind == CheckKind::Degraded && check.outcome != Outcome::Passed);
    found.extend(degraded.map(|check| format!("Provisional: {}", check.words)));
    if ["simulated", "scripted"].iter().any(|made_up| definition.narrator.starts_with(made_up)) {
        found.push(format!(
            "The narrator is {}: these figures show how the memory and the measuring work, and nothing of any real model.",
            definition.narrator
        ));
    }
    found
}

/// A metric's title, and what a difference of it is counted in.
fn titled(name: &str) -> (&str, &'static str) {
    match metrics::named(name) {
        Some(metric) if metric.unit == Unit::Percent => (metric.title, " points"),
        Some(metric) => (metric.title, ""),
        None => (name, ""),
    }
}

fn conclusion(experiment: &Experiment, analysis: &Analysis, comparison: &Comparison) -> String {
    let Comparison { first, second, metric, pairs, .. } = comparison;
    let (title, unit) = titled(metric);
    if let Some(why) = reasons(analysis, comparison) {
        return format!("{title}, {first} and {second}: no conclusion, because {why}.");
    }
    // The sentence names the higher one first: difference, interval and effect are then those of it less the other.
    let is_turned = comparison.difference.is_some_and(|difference| difference < 0.0);
    let about = |is_turned: bool| {
        let range = comparison.interval.map_or_else(
            || "no interval".to_owned(),
            |Interval { low, high }| {
                let level = plain((1.0 - experiment.definition.limits.alpha) * 100.0, 0);
                let (low, high) = if is_turned { (-high, -low) } else { (low, high) };
                format!("{level} % interval {} to {}", plain(low, 1), plain(high, 1))
            },
        );
        format!("{range}, {pairs} pairs, p {}", p_value(comparison.p_corrected))
    };
    match (comparison.difference, comparison.p_corrected) {
        (Some(difference), Some(p)) if p < experiment.definition.limits.alpha && difference != 0.0 => {
            let (higher, lower) = if is_turned { (second, first) } else { (first, second) };
            let about = about(is_turned);
            let better = match metrics::named(metric).map(|metric| metric.better) {
                Some(Better::Higher) => format!(": {higher} does better"),
                Some(Better::Lower) => format!(": {lower} does better"),
                _ => String::new(),
            };
            let effect = comparison.g.map_or_else(String::new, |g| {
                let g = if is_turned { -g } else { g };
                format!("; the effect is {} (g {})", Magnitude::of(g).word(), plain(g, 2))
            });
            let scope =
                if comparison.by_scenario { "" } else { " This is about the scenarios that were played." };
            format!(
                "{title} is higher under {higher} than under {lower} by {}{unit} ({about}){better}{effect}.{scope}",
                plain(difference.abs(), 1)
            )
        }
        (Some(difference), Some(_)) => {
            let about = about(false);
            let power = comparison.smallest.map_or_else(String::new, |d| {
                format!(
                    " So many pairs find a difference of {} of its spreads four times out of five; a smaller one may be there.",
                    plain(d, 2)
                )
            });
            format!(
                "{title}: no difference between {first} and {second} was found ({}{unit}, {about}).{power}",
                plain(difference, 1)
            )
        }
        _ => format!("{title}, {first} and {second}: no conclusion, because no pair of runs has a value."),
    }
}

fn observations(experiment: &Experiment, analysis: &Analysis) -> Vec<String> {
    let conditions = &experiment.definition.conditions;
    let mut found = Vec::new();
    let survival = |name: &str| {
        let own = analysis.cells.iter().filter(|cell| cell.condition == name);
        Summary::of(own.filter_map(|cell| cell.metric(SURVIVAL)).map(|summary| summary.mean)).mean
    };
    let is_free = |name: &str| {
        let others = conditions.iter().filter(|other| conditions.len() == 1 || other.name != name);
        others.into_iter().all(|other| analysis.blocked(name, &other.name, SURVIVAL).is_empty())
    };
    if let [only] = conditions.as_slice() {
        if let Some(mean) = survival(&only.name).filter(|_| is_free(&only.name)) {
            found.push(format!("Mean fact survival under {}: {mean:.1}%.", only.name));
        }
    } else if conditions.iter().all(|condition| is_free(&condition.name)) {
        let mut means: Vec<(f64, &str)> = conditions
            .iter()
            .filter_map(|condition| Some((survival(&condition.name)?, condition.name.as_str())))
            .collect();
        means.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        if !means.is_empty() {
            let shown: Vec<String> = means.iter().map(|(mean, name)| format!("{name} {mean:.1}%")).collect();
            found.push(format!(
                "Mean fact survival, highest first, whether by chance or not: {}.",
                shown.join(", ")
            ));
        }
    }
    let notable = analysis.comparisons.iter().find(|comparison| {
        !comparison.control
            && comparison.g.is_some_and(|g| Magnitude::of(g) >= Magnitude::Medium)
            && reasons(analysis, comparison).is_none()
    });
    if let Some(comparison) = notable {
        let g = comparison.g.unwrap_or_default();
        let word = Magnitude::of(g).word();
        found.push(format!(
            "First {word} effect: {} between {} and {} (g {}{}).",
            titled(&comparison.metric).0,
            comparison.first,
            comparison.second,
            plain(g, 2),
            if comparison.low_confidence { ", low confidence" } else { "" }
        ));
    }
    for scenario in &experiment.scenarios {
        for fact in &scenario.facts {
            let of: Vec<_> = analysis
                .cells
                .iter()
                .filter(|cell| cell.scenario == scenario.id)
                .flat_map(|cell| &cell.facts)
                .filter(|fate| fate.fact == fact.id && fate.runs > 0)
                .collect();
            if !of.is_empty() && of.iter().all(|fate| fate.survived == 0) {
                found.push(format!("{}: `{}` survived in no run of any condition.", scenario.id, fact.id));
            }
        }
    }
    for condition in conditions {
        let own = analysis.cells.iter().filter(|cell| cell.condition == condition.name);
        let wide = own.flat_map(|cell| cell.metrics.iter().map(move |row| (cell, row))).find(|(_, row)| {
            metrics::named(&row.metric).is_some_and(|metric| metric.better != Better::Neither)
                && row.summary.varies_much()
        });
        if let Some((cell, row)) = wide {
            found.push(format!(
                "{} varies much under {} in {} (mean {}, sd {}, n {}).",
                titled(&row.metric).0,
                condition.name,
                cell.scenario,
                figure(row.summary.mean, 1),
                figure(row.summary.sd, 1),
                row.summary.n
            ));
        }
    }
    if found.is_empty() && analysis.cells.iter().all(|cell| cell.runs == 0) {
        found.push("There is not enough to say anything.".to_owned());
    }
    found
}
