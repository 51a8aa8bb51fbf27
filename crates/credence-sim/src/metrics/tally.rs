//! The counts of a run and the formulas over them.

use std::collections::BTreeMap;

use super::{Fate, evaluated, fates};
use crate::run::TurnRecord;
use crate::scenario::Scenario;
use crate::verdict::Ruling;

/// What is counted of a run for one judge.
#[derive(Debug, Default)]
pub(super) struct Tally {
    fates: Vec<Fate>,
    turns: usize,
    evaluated: usize,
    engaged: usize,
    /// Evaluated turns with a contradiction.
    drifted: usize,
    failed_turns: usize,
    judge_failures: usize,
    filled: usize,
    degraded: u64,
    /// Turns with an answer, and the tokens of their prompts, memory lines and answers.
    answered: usize,
    tokens: [u64; 3],
    /// Turns that aim at facts; those whose prompt said them in memory lines; those whose prompt said them anywhere.
    aimed: usize,
    aimed_in_memory: usize,
    aimed_in_prompt: usize,
    /// Over those turns: facts in memory lines, and those of them that were aimed at.
    recalled: usize,
    recalled_targets: usize,
    /// Evaluated turns by strategy, and those of them with a contradiction.
    strategies: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    pub(super) fn of(scenario: &Scenario, turns: &[TurnRecord], judge: &str) -> Self {
        let mut tally = Self { fates: fates(scenario, turns, judge), ..Self::default() };
        for turn in turns.iter().filter(|turn| turn.turn > 0) {
            tally.turns += 1;
            tally.degraded += u64::from(turn.trace.degraded_conflicts);
            if turn.failed.is_some() {
                tally.failed_turns += 1;
                continue;
            }
            tally.answer(turn);
            let judged = turn.judgement(judge);
            tally.judge_failures += usize::from(judged.is_some_and(|judgement| judgement.failed.is_some()));
            if let Some(verdicts) = evaluated(scenario, turn, judge) {
                let has = |ruling: Ruling| verdicts.iter().any(|verdict| verdict.ruling == ruling);
                let drifted = has(Ruling::Contradicted);
                tally.evaluated += 1;
                tally.engaged += usize::from(drifted || has(Ruling::Confirmed));
                tally.drifted += usize::from(drifted);
                tally.filled += verdicts.iter().filter(|verdict| verdict.filled).count();
                for strategy in &turn.strategies {
                    let (used, worked) = tally.strategies.entry(strategy.clone()).or_default();
                    *used += 1;
                    *worked += usize::from(drifted);
                }
            }
        }
        tally
    }

    /// The prompt of a turn with an answer: its cost, and what it said of the facts aimed at.
    fn answer(&mut self, turn: &TurnRecord) {
        let trace = &turn.trace;
        self.answered += 1;
        let spent = [trace.prompt_tokens, trace.memory_tokens, trace.reply_tokens];
        self.tokens.iter_mut().zip(spent).for_each(|(sum, tokens)| *sum += u64::from(tokens));
        if turn.targets.is_empty() {
            return;
        }
        let sighted = |fact: &String| trace.sightings.iter().find(|sighting| sighting.fact == *fact);
        let all = |sees: fn(bool, bool) -> bool| {
            turn.targets.iter().all(|fact| sighted(fact).is_some_and(|s| sees(s.in_memory, s.in_turns)))
        };
        self.aimed += 1;
        self.aimed_in_memory += usize::from(all(|memory, _| memory));
        self.aimed_in_prompt += usize::from(all(|memory, turns| memory || turns));
        for sighting in trace.sightings.iter().filter(|sighting| sighting.in_memory) {
            self.recalled += 1;
            self.recalled_targets += usize::from(turn.targets.contains(&sighting.fact));
        }
    }

    /// A metric by its name; `None` where the run has nothing to measure it by.
    pub(super) fn value(&self, name: &str) -> Option<f64> {
        let facts = || self.evaluated.min(1) * self.fates.len();
        let of_facts = |is: fn(&Fate) -> bool| self.fates.iter().filter(|fate| is(fate)).count();
        let verdicts = |of: fn(&Fate) -> u32| self.fates.iter().map(of).map(f64::from).sum::<f64>();
        let judged = |count: f64| (self.evaluated > 0).then_some(count);
        let tokens = |which: usize| ratio(self.tokens[which] as f64, self.answered);
        match name {
            "fact_survival" => percent(of_facts(Fate::survived), facts()),
            "fact_retention" => percent(of_facts(|fate| fate.contradicted == 0), facts()),
            "contradictions" => judged(verdicts(|fate| fate.contradicted)),
            "major_contradictions" => judged(verdicts(|fate| fate.major)),
            "absorption_engaged" => percent(self.engaged - self.drifted, self.engaged),
            "absorption_evaluated" => percent(self.evaluated - self.drifted, self.evaluated),
            "compliance_mixed" => {
                ratio(self.evaluated as f64 - verdicts(|fate| fate.contradicted), self.evaluated)
                    .map(|share| 100.0 * share.max(0.0))
            }
            "turns_to_first_drift" => {
                let first: Vec<f64> =
                    self.fates.iter().filter_map(|fate| fate.first_drift).map(f64::from).collect();
                ratio(first.iter().sum(), first.len())
            }
            "erosion" => {
                percent(of_facts(|fate| fate.contradicted > 1), of_facts(|fate| fate.contradicted > 0))
            }
            "attribution" => judged(of_facts(|fate| fate.confirmed > 0) as f64),
            "resilience_rate" => percent(self.turns - self.drifted, self.turns),
            "target_in_memory" => percent(self.aimed_in_memory, self.aimed),
            "target_in_prompt" => percent(self.aimed_in_prompt, self.aimed),
            "memory_precision" => percent(self.recalled_targets, self.recalled),
            "evaluated_turns" => Some(self.evaluated as f64),
            "engaged_turns" => Some(self.engaged as f64),
            "failed_turns" => Some(self.failed_turns as f64),
            "judge_failures" => Some(self.judge_failures as f64),
            "filled_verdicts" => Some(self.filled as f64),
            "degraded_conflicts" => Some(self.degraded as f64),
            "prompt_tokens" => tokens(0),
            "memory_tokens" => tokens(1),
            "reply_tokens" => tokens(2),
            _ => None,
        }
    }

    /// Share of the evaluated turns with a strategy that had a contradiction, 0 to 1.
    pub(super) fn strategies(&self) -> BTreeMap<String, f64> {
        let share = |(name, (used, worked)): (&String, &(usize, usize))| {
            Some((name.clone(), ratio(*worked as f64, *used)?))
        };
        self.strategies.iter().filter_map(share).collect()
    }
}

fn ratio(part: f64, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

fn percent(part: usize, whole: usize) -> Option<f64> {
    ratio(100.0 * part as f64, whole)
}
