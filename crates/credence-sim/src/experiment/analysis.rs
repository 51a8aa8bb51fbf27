//! The figures of an experiment: cells described, conditions compared by pairs of raw values, many tests corrected together.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::digest::RunDigest;
use super::integrity::{Check, checks};
use super::record::Experiment;
use super::resilience::Resilience;
use crate::metrics::{Better, NAMES};
use crate::random::SplitMix64;
use crate::stats::{
    Interval, Moments, Summary, benjamini_hochberg, bootstrap_mean, d_z, g_average, hedges_g, mann_whitney,
    paired_t, smallest_effect, wilcoxon,
};

/// How often the interval of a difference draws.
const DRAWS: u32 = 2000;

/// From so many scenarios on, an interval draws whole scenarios instead of pairs.
const CLUSTERS: usize = 5;

/// Differences are rounded to 1 / this, so that equal ones are equal however they were computed.
const GRAIN: f64 = 1e9;

/// The power that [`Comparison::smallest`] is about.
const POWER: f64 = 0.8;

/// Everything that can be computed of an experiment. The same experiment gives the same figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Condition by condition, in each scenario by scenario.
    pub cells: Vec<Cell>,
    /// One a condition.
    pub resilience: BTreeMap<String, Resilience>,
    /// Each pair of conditions, in each metric; controls among themselves alone.
    pub comparisons: Vec<Comparison>,
    /// What was looked at before any of it is believed.
    pub checks: Vec<Check>,
}

/// The complete runs of one condition in one scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The condition's name.
    pub condition: String,
    /// The scenario's id.
    pub scenario: String,
    /// Complete runs.
    pub runs: u32,
    /// In the order of [`NAMES`].
    pub metrics: Vec<MetricRow>,
    /// Share of turns in which a strategy worked, 0 to 1, by strategy; runs that did not use it are skipped.
    pub strategies: BTreeMap<String, Summary>,
    /// What became of each fact, in the scenario's order.
    pub facts: Vec<FactFate>,
}

/// What became of a fact over the runs of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactFate {
    /// The fact's id.
    pub fact: String,
    /// Runs that confirmed it and never contradicted it.
    pub survived: u32,
    /// Runs that were judged.
    pub runs: u32,
    /// The earliest turn of any run that contradicted it.
    pub first_drift: Option<u32>,
}

/// A metric over the runs of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricRow {
    /// Its name.
    pub metric: String,
    /// Described.
    pub summary: Summary,
}

/// Two conditions in one metric; positive differences mean that the first has more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A condition's name.
    pub first: String,
    /// Another one's.
    pub second: String,
    /// The metric.
    pub metric: String,
    /// It was named before the runs; else it is exploratory.
    pub primary: bool,
    /// The two are the same but for their names: what is seen is chance.
    pub control: bool,
    /// Pairs of one scenario and repetition that both have a value.
    pub pairs: u32,
    /// Values without a partner, left out.
    pub alone: u32,
    /// Scenarios among the pairs.
    pub scenarios: u32,
    /// Mean difference.
    pub difference: Option<f64>,
    /// 95 % of it, or 1 − alpha, by the bootstrap.
    pub interval: Option<Interval>,
    /// Whether the interval drew whole scenarios; else pairs, and it is about these scenarios alone.
    pub by_scenario: bool,
    /// Hedges' g of the pairs, in units of the conditions' spread.
    pub g: Option<f64>,
    /// In units of the differences' spread.
    pub d_z: Option<f64>,
    /// Of the signed-rank test.
    pub p: Option<f64>,
    /// Corrected for all tests of its kind, primary or exploratory.
    pub p_corrected: Option<f64>,
    /// Of Student's test of pairs, beside it.
    pub p_t: Option<f64>,
    /// Of the signed-rank test on one mean difference a scenario: what can be said of scenarios like these; from 6 scenarios on.
    pub p_scenarios: Option<f64>,
    /// The smallest `d_z` that so many pairs find four times out of five.
    pub smallest: Option<f64>,
    /// The same values as if they were not paired.
    pub groups: Groups,
    /// Fewer than 10 pairs, or a cell that varies much.
    pub low_confidence: bool,
}

/// Two conditions as two heaps of runs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Groups {
    /// Hedges' g with the spread within scenarios.
    pub g: Option<f64>,
    /// Of Mann and Whitney's test.
    pub p: Option<f64>,
}

impl Analysis {
    /// Computes everything.
    pub fn of(experiment: &Experiment) -> Self {
        let cells = cells(experiment);
        let resilience = experiment
            .definition
            .conditions
            .iter()
            .filter_map(|condition| Some((condition.name.clone(), resilience(&cells, &condition.name)?)))
            .collect();
        let comparisons = comparisons(experiment, &cells);
        let checks = checks(experiment, &cells, &comparisons);
        Self { cells, resilience, comparisons, checks }
    }

    /// The checks that forbid a conclusion about two conditions in a metric.
    pub fn blocked(&self, first: &str, second: &str, metric: &str) -> Vec<&Check> {
        self.checks.iter().filter(|check| check.blocks(first, second, metric)).collect()
    }

    /// A cell.
    pub fn cell(&self, condition: &str, scenario: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.condition == condition && cell.scenario == scenario)
    }
}

impl Cell {
    /// A metric.
    pub fn metric(&self, name: &str) -> Option<&Summary> {
        self.metrics.iter().find(|row| row.metric == name).map(|row| &row.summary)
    }
}

fn cells(experiment: &Experiment) -> Vec<Cell> {
    let judge = &experiment.definition.judged_by;
    let mut cells = Vec::new();
    for condition in &experiment.definition.conditions {
        for scenario in &experiment.scenarios {
            let runs: Vec<&RunDigest> = experiment
                .complete()
                .filter(|run| run.condition == condition.name && run.scenario == scenario.id)
                .collect();
            let metrics = NAMES
                .iter()
                .map(|metric| MetricRow {
                    metric: metric.name.to_owned(),
                    summary: Summary::of(runs.iter().map(|run| run.value(judge, metric.name))),
                })
                .collect();
            let worked = |run: &RunDigest| run.scores.get(judge).map(|score| score.strategies.clone());
            let used: Vec<BTreeMap<String, f64>> =
                runs.iter().map(|run| worked(run).unwrap_or_default()).collect();
            let names: BTreeSet<&String> = used.iter().flat_map(BTreeMap::keys).collect();
            let strategies = names
                .into_iter()
                .map(|name| (name.clone(), Summary::of(used.iter().map(|run| run.get(name).copied()))))
                .collect();
            let facts = scenario.facts.iter().map(|fact| fate(&runs, judge, &fact.id)).collect();
            cells.push(Cell {
                condition: condition.name.clone(),
                scenario: scenario.id.clone(),
                runs: runs.len() as u32,
                metrics,
                strategies,
                facts,
            });
        }
    }
    cells
}

fn fate(runs: &[&RunDigest], judge: &str, fact: &str) -> FactFate {
    let fates = runs.iter().filter_map(|run| run.fates.get(judge)?.iter().find(|fate| fate.fact == fact));
    let mut of = FactFate { fact: fact.to_owned(), survived: 0, runs: 0, first_drift: None };
    for fate in fates {
        of.runs += 1;
        of.survived += u32::from(fate.survived());
        of.first_drift = of.first_drift.into_iter().chain(fate.first_drift).min();
    }
    of
}

/// The score of a condition: means over its scenarios, each counting once.
fn resilience(cells: &[Cell], condition: &str) -> Option<Resilience> {
    let own: Vec<&Cell> = cells.iter().filter(|cell| cell.condition == condition).collect();
    let mean = |metric: &str| {
        Summary::of(own.iter().filter_map(|cell| cell.metric(metric)).map(|summary| summary.mean)).mean
    };
    let names: BTreeSet<&String> = own.iter().flat_map(|cell| cell.strategies.keys()).collect();
    let strategies = names
        .into_iter()
        .filter_map(|name| {
            let cells = own.iter().filter_map(|cell| cell.strategies.get(name));
            Some((name.clone(), Summary::of(cells.map(|summary| summary.mean)).mean?))
        })
        .collect();
    Resilience::of(mean("fact_survival"), mean("absorption_engaged"), mean("contradictions"), &strategies)
}

/// Two values of one scenario and repetition.
struct Pair<'a> {
    scenario: &'a str,
    first: f64,
    second: f64,
}

impl Pair<'_> {
    fn difference(&self) -> f64 {
        libm::round((self.first - self.second) * GRAIN) / GRAIN
    }
}

fn comparisons(experiment: &Experiment, cells: &[Cell]) -> Vec<Comparison> {
    let definition = &experiment.definition;
    let mut found = Vec::new();
    let mut smallest: BTreeMap<u32, Option<f64>> = BTreeMap::new();
    for (at, second) in definition.conditions.iter().enumerate() {
        for (earlier, first) in definition.conditions[..at].iter().enumerate() {
            let control = definition.are_twins(&first.name, &second.name);
            let is_copy = |condition| definition.twin_of(condition).is_some();
            if !control && (is_copy(at) || is_copy(earlier)) {
                continue;
            }
            for metric in NAMES.iter().filter(|metric| metric.better != Better::Neither) {
                let mut comparison = compare(experiment, &first.name, &second.name, metric.name);
                comparison.control = control;
                comparison.smallest = *smallest
                    .entry(comparison.pairs)
                    .or_insert_with(|| smallest_effect(comparison.pairs, definition.limits.alpha, POWER));
                let own = |cell: &&Cell| [&first.name, &second.name].contains(&&cell.condition);
                comparison.low_confidence = comparison.pairs < 10
                    || cells
                        .iter()
                        .filter(own)
                        .filter_map(|cell| cell.metric(metric.name))
                        .any(Summary::varies_much);
                found.push(comparison);
            }
        }
    }
    // A control is a question of its own: it is not to make the others' p-values larger, nor they its.
    for (primary, control) in [(true, true), (true, false), (false, true), (false, false)] {
        let kind: Vec<usize> = (0..found.len())
            .filter(|at| found[*at].primary == primary && found[*at].control == control)
            .collect();
        let p: Vec<Option<f64>> = kind.iter().map(|at| found[*at].p).collect();
        for (at, corrected) in kind.into_iter().zip(benjamini_hochberg(&p)) {
            found[at].p_corrected = corrected;
        }
    }
    found
}

fn compare(experiment: &Experiment, first: &str, second: &str, metric: &str) -> Comparison {
    let definition = &experiment.definition;
    let mut values: BTreeMap<(&str, u32), [Option<f64>; 2]> = BTreeMap::new();
    for run in experiment.complete() {
        let Some(side) = [first, second].iter().position(|name| *name == run.condition) else { continue };
        let place = values.entry((&run.scenario, run.settings.repetition)).or_default();
        place[side] = run.value(&definition.judged_by, metric);
    }
    let pairs: Vec<Pair<'_>> = values
        .iter()
        .filter_map(|((scenario, _), [first, second])| {
            Some(Pair { scenario, first: (*first)?, second: (*second)? })
        })
        .collect();
    let alone = values.values().filter(|[first, second]| first.is_some() != second.is_some()).count() as u32;
    let mut by_scenario: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for pair in &pairs {
        by_scenario.entry(pair.scenario).or_default().push(pair.difference());
    }
    let differences: Vec<f64> = pairs.iter().map(Pair::difference).collect();
    let (of_first, of_second): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|pair| (pair.first, pair.second)).unzip();
    let draws_scenarios = by_scenario.len() >= CLUSTERS;
    let clusters: Vec<Vec<f64>> = if draws_scenarios {
        by_scenario.values().cloned().collect()
    } else {
        differences.iter().map(|difference| vec![*difference]).collect()
    };
    let seed = SplitMix64::keyed(definition.seed, &["interval", first, second, metric]).bits();
    let means: Vec<f64> =
        by_scenario.values().filter_map(|of| Summary::of(of.iter().copied().map(Some)).mean).collect();
    Comparison {
        first: first.to_owned(),
        second: second.to_owned(),
        metric: metric.to_owned(),
        primary: definition.primary.iter().any(|name| name == metric),
        control: false,
        pairs: pairs.len() as u32,
        alone,
        scenarios: by_scenario.len() as u32,
        difference: Summary::of(differences.iter().copied().map(Some)).mean,
        interval: bootstrap_mean(&clusters, 1.0 - definition.limits.alpha, DRAWS, seed),
        by_scenario: draws_scenarios,
        g: g_average(&of_first, &of_second),
        d_z: d_z(&differences),
        p: wilcoxon(&differences).map(|test| test.p),
        p_corrected: None,
        p_t: paired_t(&differences).map(|test| test.p),
        p_scenarios: (means.len() >= 6).then(|| wilcoxon(&means)).flatten().map(|test| test.p),
        smallest: None,
        groups: groups(&values),
        low_confidence: false,
    }
}

fn groups(values: &BTreeMap<(&str, u32), [Option<f64>; 2]>) -> Groups {
    let of = |side: usize| values.values().filter_map(|both| both[side]).collect::<Vec<f64>>();
    let pooled = |side: usize| {
        let mut cells: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
        for ((scenario, _), both) in values {
            cells.entry(scenario).or_default().push(both[side]);
        }
        let moments: Vec<Moments> =
            cells.into_values().filter_map(|cell| Summary::of(cell).moments()).collect();
        Moments::pooled(&moments)
    };
    Groups {
        g: pooled(0).zip(pooled(1)).and_then(|(first, second)| hedges_g(first, second)),
        p: mann_whitney(&of(0), &of(1)).map(|test| test.p),
    }
}
