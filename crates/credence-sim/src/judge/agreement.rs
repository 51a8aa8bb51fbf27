//! How far two judges agree: the table of their rulings, the share that is the same, and Cohen's kappa, which takes from it what chance would give.
//!
//! Verdicts count as they are scored, filled ones too. Kappa = (observed − expected) / (1 − expected), with expected from the two judges' own
//! shares of each ruling (Cohen, 1960). It is undefined without pairs, and where both judges only ever say one and the same thing: they agree, and
//! nothing shows that they could have disagreed.

use serde::{Deserialize, Serialize};

use crate::run::TurnRecord;
use crate::verdict::{Judgement, Ruling};

/// The order of rows and columns.
pub const RULINGS: [Ruling; 3] = [Ruling::Confirmed, Ruling::Contradicted, Ruling::NotMentioned];

/// How far two judges agree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// Pairs by the first judge's ruling (row) and the second's (column), in the order of [`RULINGS`].
    pub table: [[u32; 3]; 3],
    /// Pairs of verdicts on the same fact in the same turn.
    pub pairs: u32,
    /// Turns that one of them judged and the other did not.
    pub unpaired_turns: u32,
    /// Share of the pairs that are the same, 0 to 100.
    pub percent: Option<f64>,
    /// −1 to 1.
    pub kappa: Option<f64>,
}

/// Compares two judges, by their kinds (`oracle`, `model`), over the turns of one run or of many.
pub fn agreement<'a>(
    turns: impl IntoIterator<Item = &'a TurnRecord>,
    first: &str,
    second: &str,
) -> Agreement {
    let answered = turns.into_iter().filter(|turn| turn.failed.is_none());
    between(answered.map(|turn| (turn.judgement(first), turn.judgement(second))))
}

/// Compares judgements of the same replies, a pair a turn.
pub(super) fn between<'a>(
    turns: impl Iterator<Item = (Option<&'a Judgement>, Option<&'a Judgement>)>,
) -> Agreement {
    let judged = |judgement: &&Judgement| judgement.failed.is_none() && !judgement.verdicts.is_empty();
    let mut agreement = Agreement::default();
    for (one, other) in turns {
        match (one.filter(judged), other.filter(judged)) {
            (Some(one), Some(other)) => {
                for verdict in &one.verdicts {
                    if let Some(same) = other.verdicts.iter().find(|found| found.fact == verdict.fact) {
                        agreement.table[place(verdict.ruling)][place(same.ruling)] += 1;
                    }
                }
            }
            (None, None) => {}
            _ => agreement.unpaired_turns += 1,
        }
    }
    agreement.completed()
}

fn place(ruling: Ruling) -> usize {
    match ruling {
        Ruling::Confirmed => 0,
        Ruling::Contradicted => 1,
        Ruling::NotMentioned => 2,
    }
}

impl Agreement {
    /// The agreement of a table.
    pub fn of(table: [[u32; 3]; 3]) -> Self {
        Self { table, ..Self::default() }.completed()
    }

    /// Several agreements as one.
    pub fn pooled<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut pooled = Self::default();
        for one in all {
            pooled.unpaired_turns += one.unpaired_turns;
            for (sums, counts) in pooled.table.iter_mut().zip(one.table) {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        pooled.completed()
    }

    fn completed(mut self) -> Self {
        self.pairs = self.table.iter().flatten().sum();
        if self.pairs > 0 {
            let n = f64::from(self.pairs);
            let same = f64::from((0..3).map(|at| self.table[at][at]).sum::<u32>()) / n;
            let share = |counts: u32| f64::from(counts) / n;
            let expected: f64 = (0..3)
                .map(|at| {
                    share(self.table[at].iter().sum()) * share(self.table.iter().map(|row| row[at]).sum())
                })
                .sum();
            self.percent = Some(100.0 * same);
            self.kappa = (expected < 1.0).then(|| (same - expected) / (1.0 - expected));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::TurnKind;
    use crate::testing;
    use crate::verdict::{Judge, Severity, Verdict};

    fn judgement(judge: Judge, rulings: &[Ruling]) -> Judgement {
        let verdict = |(n, ruling): (usize, &Ruling)| Verdict {
            fact: format!("f{n}"),
            ruling: *ruling,
            severity: Severity::None,
            confidence: 3,
            evidence: String::new(),
            reasoning: String::new(),
            explanation: String::new(),
            filled: false,
        };
        let verdicts = rulings.iter().enumerate().map(verdict).collect();
        Judgement { judge, verdicts, retries: 0, dropped: Vec::new(), failed: None }
    }
    fn turn(oracle: &[Ruling], model: &[Ruling]) -> TurnRecord {
        let named = Judge::Model { model: "m".into(), mode: "hardened".into(), saw_units: false };
        let judgements = vec![judgement(Judge::Oracle, oracle), judgement(named, model)];
        TurnRecord { judgements, ..testing::turn(1, TurnKind::Attack) }
    }
    use Ruling::{Confirmed, Contradicted, NotMentioned};

    #[test]
    fn kappa_of_worked_tables() {
        // Two raters over 50 cases: 20 and 15 the same, 5 and 10 not; observed .7, expected .5 (Cohen's rule by hand).
        let found = Agreement::of([[20, 5, 0], [10, 15, 0], [0, 0, 0]]);
        assert!((found.kappa.unwrap() - 0.4).abs() < 1e-12 && (found.percent.unwrap() - 70.0).abs() < 1e-12);
        // No better than chance, and worse than it.
        assert!(Agreement::of([[25, 25, 0], [25, 25, 0], [0, 0, 0]]).kappa.unwrap().abs() < 1e-12);
        assert!((Agreement::of([[0, 5, 0], [5, 0, 0], [0, 0, 0]]).kappa.unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(Agreement::of([[4, 0, 0], [0, 3, 0], [0, 0, 2]]).kappa, Some(1.0));
    }

    #[test]
    fn kappa_is_undefined_where_nothing_could_differ() {
        let none = Agreement::of([[0; 3]; 3]);
        assert_eq!((none.kappa, none.percent, none.pairs), (None, None, 0));
        let same = Agreement::of([[9, 0, 0], [0; 3], [0; 3]]);
        assert_eq!((same.kappa, same.percent), (None, Some(100.0)));
    }

    #[test]
    fn verdicts_are_paired_by_turn_and_fact() {
        let mut failed = turn(&[Confirmed], &[Confirmed]);
        failed.judgements[1].failed = Some("no answer".into());
        let mut unanswered = turn(&[Confirmed], &[Confirmed]);
        unanswered.failed = Some("no reply".into());
        let turns = [
            turn(&[Confirmed, Contradicted], &[Confirmed, NotMentioned]),
            turn(&[NotMentioned], &[NotMentioned, Confirmed]),
            failed,
            unanswered,
            testing::turn(2, TurnKind::Establish),
        ];
        let found = agreement(&turns, "oracle", "model");
        assert_eq!(found.table, [[1, 0, 0], [0, 0, 1], [0, 0, 1]]);
        assert_eq!((found.pairs, found.unpaired_turns), (3, 1));
        let other_way = agreement(&turns, "model", "oracle");
        assert_eq!(other_way.table, [[1, 0, 0], [0, 0, 0], [0, 1, 1]]);
        let pooled = Agreement::pooled([&found, &other_way]);
        assert_eq!((pooled.pairs, pooled.unpaired_turns, pooled.table[2]), (6, 2, [0, 1, 2]));
    }
}
