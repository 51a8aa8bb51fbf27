//! What an experiment will take, said before it begins: runs, turns, and about how many calls of a model.

use std::collections::BTreeMap;

use super::definition::Definition;
use crate::narrator::SCRIPTED;
use crate::narrator::simulated::Simulated;
use crate::run::MemoryKind;
use crate::scenario::{AdversaryMode, Scenario};

/// What is to be expected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Estimate {
    /// Conditions × scenarios.
    pub cells: u32,
    /// Cells × repetitions.
    pub runs: u32,
    /// Of all runs, without turns that set a scene.
    pub turns: u64,
    /// Calls by role, where a model plays it: one a turn for each that has something to do in it. Repairs, tries after a failure, drafts that are
    /// asked for again and summaries come on top.
    pub calls: BTreeMap<&'static str, u64>,
}

impl Estimate {
    /// Calls of every role.
    pub fn all_calls(&self) -> u64 {
        self.calls.values().sum()
    }
}

impl Definition {
    /// What playing it will take, where `known` are the scenarios at hand; one that is not among them counts for nothing.
    pub fn estimate(&self, known: &[Scenario]) -> Estimate {
        let mut estimate = Estimate::default();
        let by_model = ![Simulated::NAME, SCRIPTED].contains(&self.narrator.as_str());
        for planned in self.plan(known) {
            let Some(scenario) = known.iter().find(|known| known.id == self.scenarios[planned.scenario])
            else {
                continue;
            };
            let condition = &self.conditions[planned.condition];
            let turns = u64::from(planned.settings.max_turns);
            estimate.runs += 1;
            estimate.turns += turns;
            let reads = matches!(condition.memory, MemoryKind::Governed | MemoryKind::RetrievalOnly);
            let adapts = scenario.adversary_mode == AdversaryMode::Adaptive;
            let roles = [
                ("chat", by_model),
                ("extract", by_model && reads && scenario.extraction),
                ("check", by_model && condition.is_governed() && condition.compliance),
                ("judge", !self.judge.is_empty() && !scenario.facts.is_empty()),
                ("adversary", !self.adversary.is_empty() && adapts),
            ];
            for (role, _) in roles.into_iter().filter(|(_, is_played)| *is_played) {
                *estimate.calls.entry(role).or_default() += turns;
            }
        }
        estimate.cells = estimate.runs.checked_div(self.repetitions).unwrap_or_default();
        estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::fabricated;
    use crate::run::Condition;

    #[test]
    fn a_model_costs_calls_and_the_simulated_narrator_none() {
        let scenario =
            Scenario { id: "s".into(), max_turns: 4, extraction: true, ..fabricated::scenario("s") };
        let conditions = ["FULL_AWMU", "NO_MEMORY"].into_iter().filter_map(Condition::by_name).collect();
        let free = Definition::new("n", conditions, vec!["s".into()], 3, Simulated::NAME);
        let known = [scenario];
        let Estimate { cells, runs, turns, calls } = free.estimate(&known);
        assert_eq!((cells, runs, turns, calls.len()), (2, 6, 24, 0));
        let paid = Definition { narrator: "a model".into(), ..free };
        let calls = paid.estimate(&known).calls;
        assert_eq!(
            calls,
            BTreeMap::from([("chat", 24), ("check", 12), ("extract", 12)]),
            "nobody judges but the oracle"
        );
        assert_eq!(paid.estimate(&[]), Estimate::default(), "what is not at hand counts for nothing");
    }
}
