//! Metrics: what a run's judged turns say, as numbers with a name, a unit and a direction ([`NAMES`]).
//!
//! Rules (sim 4.1, core 14.3 E6–E8). Turn 0 counts nowhere. A turn is *evaluated* by a judge when the narrator answered and that judge gave
//! verdicts; it is *engaged* when one of them confirms or contradicts. Verdicts on facts that the scenario does not have count nowhere. What a
//! run has nothing to measure by is `None` and never 0: a mean over runs must not take "nothing happened" for the worst or the best. Where two
//! definitions of one word are in use, each has its own name.
//!
//! `catalog` has names, units and meanings, `fates` what became of each fact, `tally` the counts and formulas.

mod catalog;
mod fates;
mod tally;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use catalog::{Better, Metric, NAMES, Unit, named};
pub use fates::{Fate, fates};

use crate::run::{Score, TurnRecord};
use crate::scenario::Scenario;
use crate::verdict::Verdict;
use tally::Tally;

/// The verdicts of a judge on a turn, those on the scenario's facts; `None` where the turn was not evaluated by it.
fn evaluated<'a>(scenario: &Scenario, turn: &'a TurnRecord, judge: &str) -> Option<Vec<&'a Verdict>> {
    let judgement = turn.judgement(judge).filter(|_| turn.turn > 0 && turn.failed.is_none())?;
    let known = |verdict: &&Verdict| scenario.facts.iter().any(|fact| fact.id == verdict.fact);
    let verdicts: Vec<&Verdict> = judgement.verdicts.iter().filter(known).collect();
    (judgement.failed.is_none() && !verdicts.is_empty()).then_some(verdicts)
}

/// Every metric of [`NAMES`] for a run's turns, by the words of one judge: `oracle` or `model`
/// ([`crate::verdict::Judge::kind`]).
pub fn score(scenario: &Scenario, turns: &[TurnRecord], judge: &str) -> Score {
    let tally = Tally::of(scenario, turns, judge);
    let values: BTreeMap<String, Option<f64>> =
        NAMES.iter().map(|metric| (metric.name.to_owned(), tally.value(metric.name))).collect();
    Score { values, strategies: tally.strategies() }
}
