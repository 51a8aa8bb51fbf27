//! What became of each fact in a run, by the words of one judge.

use serde::{Deserialize, Serialize};

use super::evaluated;
use crate::run::TurnRecord;
use crate::scenario::Scenario;
use crate::verdict::{Ruling, Severity};

/// What became of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fate {
    /// The fact's id.
    pub fact: String,
    /// How often it was confirmed.
    pub confirmed: u32,
    /// How often it was contradicted.
    pub contradicted: u32,
    /// How many of those took it away whole.
    pub major: u32,
    /// The turn that first contradicted it.
    pub first_drift: Option<u32>,
}

impl Fate {
    /// Confirmed at least once and never contradicted.
    pub fn survived(&self) -> bool {
        self.confirmed > 0 && self.contradicted == 0
    }
}

/// The fate of every fact of the scenario, in its order.
pub fn fates(scenario: &Scenario, turns: &[TurnRecord], judge: &str) -> Vec<Fate> {
    let mut fates: Vec<Fate> =
        scenario.facts.iter().map(|fact| Fate { fact: fact.id.clone(), ..Fate::default() }).collect();
    for turn in turns {
        for verdict in evaluated(scenario, turn, judge).into_iter().flatten() {
            let Some(fate) = fates.iter_mut().find(|fate| fate.fact == verdict.fact) else { continue };
            match verdict.ruling {
                Ruling::Confirmed => fate.confirmed += 1,
                Ruling::Contradicted => {
                    fate.contradicted += 1;
                    fate.major += u32::from(verdict.severity == Severity::Major);
                    fate.first_drift = Some(fate.first_drift.map_or(turn.turn, |first| first.min(turn.turn)));
                }
                Ruling::NotMentioned => {}
            }
        }
    }
    fates
}
