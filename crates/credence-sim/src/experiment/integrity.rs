//! Whether an experiment can carry a conclusion: checks that are made before its figures are believed, each in words. What fails here is
//! printed, and what it blocks is not concluded.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::analysis::{Cell, Comparison};
use super::digest::RunDigest;
use super::record::Experiment;
use crate::judge::agreement::Agreement;
use crate::metrics;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckKind {
    /// Every planned run was played to its end.
    Runs,
    /// Runs that are compared share their seeds.
    Seeds,
    /// Runs that are compared were given the same scenario, templates and settings.
    Inputs,
    /// The judge came to verdicts.
    Judging,
    /// Oracle and model agree.
    Agreement,
    /// The control shows no difference.
    Control,
    /// There are pairs enough.
    Pairs,
    /// The metric is not at its end under every condition.
    Ceiling,
    /// Nobody changed a memory while it ran.
    Interventions,
    /// Conflicts were judged.
    Degraded,
    /// Every run was kept.
    Kept,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As it should be.
    Passed,
    /// Conclusions are to be read with it in mind.
    Caution,
    /// No conclusion.
    Blocks,
}

/// A check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub kind: CheckKind,
    /// How it came out.
    pub outcome: Outcome,
    /// The conditions that it is about: none: all; one: whatever is said of it; two: their comparison.
    pub about: Vec<String>,
    /// The metrics that it is about, by name; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// What was found, and where it failed what to do, in words for a person.
    pub words: String,
}

impl Check {
    /// Whether it forbids a conclusion about two conditions in a metric.
    pub fn blocks(&self, first: &str, second: &str, metric: &str) -> bool {
        let concerned = |name: &String| name == first || name == second;
        self.outcome == Outcome::Blocks
            && self.about.iter().all(concerned)
            && (self.metrics.is_empty() || self.metrics.iter().any(|name| name == metric))
    }
}

/// Findings of one kind, in order.
struct Findings {
    kind: CheckKind,
    found: Vec<Check>,
}

impl Findings {
    fn of(kind: CheckKind) -> Self {
        Self { kind, found: Vec::new() }
    }

    fn add(&mut self, outcome: Outcome, about: &[&str], words: String) {
        let about = about.iter().map(|name| (*name).to_owned()).collect();
        self.found.push(Check { kind: self.kind, outcome, about, metrics: Vec::new(), words });
    }

    fn blocks(&mut self, about: &[&str], words: String) {
        self.add(Outcome::Blocks, about, words);
    }

    /// Blocks these metrics alone.
    fn blocks_in(&mut self, about: &[&str], metrics: &[&Comparison], words: String) {
        self.blocks(about, words);
        if let Some(check) = self.found.last_mut() {
            check.metrics = metrics.iter().map(|comparison| comparison.metric.clone()).collect();
        }
    }

    fn caution(&mut self, about: &[&str], words: String) {
        self.add(Outcome::Caution, about, words);
    }

    /// What was found, or that nothing was.
    fn or(mut self, words: impl Into<String>) -> Vec<Check> {
        if self.found.is_empty() {
            self.add(Outcome::Passed, &[], words.into());
        }
        self.found
    }
}

/// Every check of an experiment, in the order of [`CheckKind`].
pub(super) fn checks(experiment: &Experiment, cells: &[Cell], comparisons: &[Comparison]) -> Vec<Check> {
    let all = [
        runs(experiment, cells),
        seeds(experiment),
        inputs(experiment),
        judging(experiment),
        agreement(experiment),
        control(experiment, comparisons),
        pairs(experiment, comparisons),
        ceiling(experiment, cells),
        interventions(experiment),
        degraded(experiment, cells),
        kept(experiment),
    ];
    all.into_iter().flatten().collect()
}

fn runs(experiment: &Experiment, cells: &[Cell]) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Runs);
    let wanted = experiment.definition.repetitions;
    for condition in &experiment.definition.conditions {
        let short: Vec<String> = cells
            .iter()
            .filter(|cell| cell.condition == condition.name && cell.runs < wanted)
            .map(|cell| format!("{} {} of {wanted}", cell.scenario, cell.runs))
            .collect();
        if short.is_empty() {
            continue;
        }
        let why: BTreeSet<String> = experiment
            .runs
            .iter()
            .filter(|run| run.condition == condition.name)
            .filter_map(RunDigest::trouble)
            .collect();
        let why = if why.is_empty() { "they were never begun".to_owned() } else { join(why) };
        found.blocks(
            &[&condition.name],
            format!(
                "{}: runs are missing ({}): {why}. Runs that fail are seldom a random part of all; play them again.",
                condition.name,
                short.join(", ")
            ),
        );
    }
    found.or("Every planned run was played to its end.")
}

/// Pairs of conditions that are compared and are no controls.
fn compared(experiment: &Experiment) -> Vec<(&str, &str)> {
    let conditions = &experiment.definition.conditions;
    let plain: Vec<&str> = (0..conditions.len())
        .filter(|at| experiment.definition.twin_of(*at).is_none())
        .map(|at| conditions[at].name.as_str())
        .collect();
    let mut found = Vec::new();
    for (at, first) in plain.iter().enumerate() {
        found.extend(plain[at + 1..].iter().map(|second| (*first, *second)));
    }
    found
}

/// Places, `scenario repetition`, in which two conditions were not given the same.
fn unlike(
    experiment: &Experiment,
    first: &str,
    second: &str,
    same: impl Fn(&RunDigest, &RunDigest) -> bool,
) -> Vec<String> {
    let of = |name: &str| -> BTreeMap<(&str, u32), &RunDigest> {
        let own = experiment.complete().filter(|run| run.condition == name);
        own.map(|run| ((run.scenario.as_str(), run.settings.repetition), run)).collect()
    };
    let (of_first, of_second) = (of(first), of(second));
    of_first
        .iter()
        .filter(|(place, run)| of_second.get(place).is_some_and(|other| !same(run, other)))
        .map(|((scenario, repetition), _)| format!("{scenario} {}", repetition + 1))
        .collect()
}

fn seeds(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Seeds);
    for (first, second) in compared(experiment) {
        let places = unlike(experiment, first, second, |a, b| a.settings.seed == b.settings.seed);
        if !places.is_empty() {
            found.blocks(
                &[first, second],
                format!(
                    "{first} and {second} drew from other seeds ({}): their runs are no pairs. Play both in one experiment.",
                    few(&places)
                ),
            );
        }
    }
    found.or("Runs that are compared share their seeds.")
}

fn inputs(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Inputs);
    for (first, second) in compared(experiment) {
        let mut differing = Vec::new();
        let mut look = |what: &str, same: fn(&RunDigest, &RunDigest) -> bool| {
            let places = unlike(experiment, first, second, same);
            if !places.is_empty() {
                differing.push(format!("{what} ({})", few(&places)));
            }
        };
        look("scenario", |a, b| a.scenario_hash == b.scenario_hash);
        look("templates", |a, b| a.prompts_hash == b.prompts_hash);
        look("settings", |a, b| {
            let seedless = |run: &RunDigest| crate::run::RunSettings { seed: 0, ..run.settings.clone() };
            seedless(a) == seedless(b)
        });
        if !differing.is_empty() {
            found.blocks(
                &[first, second],
                format!(
                    "{first} and {second} differ in more than their condition: {}. Play both with the same.",
                    differing.join("; ")
                ),
            );
        }
    }
    found.or("Runs that are compared had the same scenario, templates and settings.")
}

fn judging(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Judging);
    let definition = &experiment.definition;
    let judge = &definition.judged_by;
    for condition in &definition.conditions {
        let counts = experiment.complete().filter(|run| run.condition == condition.name);
        let (asked, failed) = counts
            .filter_map(|run| run.judges.get(judge))
            .fold((0, 0), |(asked, failed), count| (asked + count.asked, failed + count.failed));
        if asked == 0 {
            let words = format!(
                "{}: no turn was judged by the {judge}; there is nothing to compare.",
                condition.name
            );
            found.blocks(&[&condition.name], words);
        } else if f64::from(failed) > definition.limits.judge_failures * f64::from(asked) {
            found.blocks(
                &[&condition.name],
                format!(
                    "{}: the {judge} came to no verdict on {failed} of {asked} turns (at most {} % may). Judge these runs again.",
                    condition.name,
                    definition.limits.judge_failures * 100.0
                ),
            );
        }
    }
    found.or(format!("The {judge} came to verdicts."))
}

fn agreement(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Agreement);
    let both: Vec<&Agreement> = experiment.complete().filter_map(|run| run.agreement.as_ref()).collect();
    if both.is_empty() {
        return found.or("One judge alone: there is no second one to agree with.");
    }
    let least = experiment.definition.limits.kappa;
    match Agreement::pooled(both).kappa {
        Some(kappa) if kappa < least => found.blocks(
            &[],
            format!(
                "Oracle and model agree too little (Cohen's kappa {kappa:.2}, at least {least} is asked for): it is not clear what is measured. Read the verdicts on which they differ."
            ),
        ),
        Some(kappa) => return found.or(format!("Oracle and model agree (Cohen's kappa {kappa:.2}).")),
        None => found.caution(
            &[],
            "Oracle and model gave one and the same ruling throughout: agreement beyond chance is not defined.".to_owned(),
        ),
    }
    found.found
}

fn control(experiment: &Experiment, comparisons: &[Comparison]) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Control);
    let controls: Vec<&Comparison> = comparisons.iter().filter(|c| c.control && c.primary).collect();
    if controls.is_empty() {
        if experiment.definition.conditions.len() > 1 {
            found.caution(
                &[],
                "No condition was played twice under two names: how far chance alone takes two conditions apart is not known.".to_owned(),
            );
        }
        return found.or("One condition alone: there is nothing to control.");
    }
    for control in &controls {
        let both = format!("{} and {} are the same condition", control.first, control.second);
        if control.p_corrected.is_some_and(|p| p < experiment.definition.limits.alpha) {
            found.blocks(
                &[],
                format!(
                    "{both}, yet they differ in {} (p {:.4}): something else than the conditions makes a difference. Find it, or play more runs.",
                    control.metric,
                    control.p_corrected.unwrap_or_default()
                ),
            );
        } else if is_alike(experiment, control) {
            found.caution(
                &[],
                format!("{both} and came out alike run by run in {}: the narrator does not draw from the seed, and repetitions tell nothing new.", control.metric),
            );
        }
    }
    found.or("The same condition under two names shows no difference.")
}

/// Whether a control's two sides are the same run by run, in a metric that varies.
fn is_alike(experiment: &Experiment, control: &Comparison) -> bool {
    let judge = &experiment.definition.judged_by;
    let values = |name: &str| -> BTreeMap<(&str, u32), Option<f64>> {
        let own = experiment.complete().filter(|run| run.condition == name);
        own.map(|run| ((run.scenario.as_str(), run.settings.repetition), run.value(judge, &control.metric)))
            .collect()
    };
    let (first, second) = (values(&control.first), values(&control.second));
    first == second && first.values().any(|value| Some(value) != first.values().next())
}

/// Pairs are counted metric by metric: one that few runs have a value of says nothing against another that all of them have. Each primary
/// metric has a check of its own, and the exploratory ones of a comparison share one; where no run has a value of such a metric, nothing
/// is shown that could be believed, and nothing is told.
fn pairs(experiment: &Experiment, comparisons: &[Comparison]) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Pairs);
    let least = experiment.definition.limits.least_pairs;
    for (first, second) in compared(experiment) {
        let of_both = |one: &&Comparison| {
            !one.control && one.pairs < least && one.first == first && one.second == second
        };
        let few: Vec<&Comparison> = comparisons.iter().filter(of_both).collect();
        let (primary, exploratory): (Vec<&Comparison>, Vec<&Comparison>) =
            few.into_iter().partition(|one| one.primary);
        for one in primary {
            let counted = if one.pairs == 1 { "1 pair" } else { &format!("{} pairs", one.pairs) };
            found.blocks_in(
                &[first, second],
                &[one],
                format!(
                    "{first} and {second} have {counted} of runs with a value of {}, at least {least} are asked for. Play more repetitions or scenarios.",
                    titled(one)
                ),
            );
        }
        let exploratory: Vec<&Comparison> =
            exploratory.into_iter().filter(|one| one.pairs + one.alone > 0).collect();
        if !exploratory.is_empty() {
            let counted: Vec<String> =
                exploratory.iter().map(|one| format!("{} {}", titled(one), one.pairs)).collect();
            found.blocks_in(
                &[first, second],
                &exploratory,
                format!(
                    "{first} and {second} have fewer than {least} pairs of runs with a value of exploratory metrics: {}.",
                    counted.join(", ")
                ),
            );
        }
    }
    found.or(if compared(experiment).is_empty() {
        "One condition alone: there are no pairs.".to_owned()
    } else {
        format!("Every comparison has at least {least} pairs in every metric that was measured.")
    })
}

/// A comparison's metric as people know it.
fn titled(comparison: &Comparison) -> &str {
    metrics::named(&comparison.metric).map_or(&comparison.metric, |metric| metric.title)
}

fn ceiling(experiment: &Experiment, cells: &[Cell]) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Ceiling);
    if experiment.definition.conditions.len() > 1 {
        for scenario in &experiment.scenarios {
            for metric in &experiment.definition.primary {
                let of_all: Vec<_> = cells
                    .iter()
                    .filter(|cell| cell.scenario == scenario.id)
                    .filter_map(|cell| cell.metric(metric))
                    .filter(|summary| summary.n > 0)
                    .collect();
                let end = of_all.first().and_then(|summary| summary.min);
                if let Some(end) = end
                    && of_all.len() > 1
                    && of_all.iter().all(|summary| summary.min == Some(end) && summary.max == Some(end))
                {
                    found.caution(
                        &[],
                        format!(
                            "{}: {metric} is {end} in every run of every condition; the scenario tells them not apart.",
                            scenario.id
                        ),
                    );
                }
            }
        }
    }
    found.or("No scenario is at the end of a primary metric throughout.")
}

fn interventions(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Interventions);
    for condition in &experiment.definition.conditions {
        let own = experiment.complete().filter(|run| run.condition == condition.name);
        let touched = own.filter(|run| run.interventions > 0).count();
        if touched > 0 {
            found.blocks(
                &[&condition.name],
                format!(
                    "{}: a person changed the memory in {touched} runs; they are no runs of this condition.",
                    condition.name
                ),
            );
        }
    }
    found.or("Nobody changed a memory while it ran.")
}

fn degraded(experiment: &Experiment, cells: &[Cell]) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Degraded);
    for condition in &experiment.definition.conditions {
        let total: f64 = cells
            .iter()
            .filter(|cell| cell.condition == condition.name)
            .filter_map(|cell| cell.metric("degraded_conflicts"))
            .filter_map(|summary| Some(summary.mean? * f64::from(summary.n)))
            .sum();
        if total > 0.0 {
            found.caution(
                &[&condition.name],
                format!(
                    "{}: {} conflicts could not be judged while memory learned; its results are provisional.",
                    condition.name,
                    libm::round(total)
                ),
            );
        }
    }
    found.or("Every conflict was judged.")
}

fn kept(experiment: &Experiment) -> Vec<Check> {
    let mut found = Findings::of(CheckKind::Kept);
    let why: BTreeSet<String> = experiment.runs.iter().filter_map(|run| run.unsaved.clone()).collect();
    let lost = experiment.runs.iter().filter(|run| run.unsaved.is_some()).count();
    if lost > 0 {
        found.caution(
            &[],
            format!(
                "{lost} runs could not be kept ({}): their figures stand, but nobody can look at them again.",
                join(why)
            ),
        );
    }
    found.or("Every run was kept.")
}

fn join(words: BTreeSet<String>) -> String {
    words.into_iter().collect::<Vec<_>>().join("; ")
}

/// The first few of a list, and how many more.
fn few(places: &[String]) -> String {
    const SHOWN: usize = 3;
    let first = places.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match places.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
