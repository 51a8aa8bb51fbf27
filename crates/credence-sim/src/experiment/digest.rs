//! What a run came to: the values that comparisons are made of, and what a report tells of it. The run itself, with every prompt, is kept
//! apart and named.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::judge::agreement::{Agreement, agreement};
use crate::metrics::{Fate, fates};
use crate::run::{AssertionResult, Cost, Played, RunSettings, RunStatus, Score};
use crate::verdict::{Judge, Ruling, Severity};

/// A run in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunDigest {
    /// Its id; empty: it could not be begun.
    pub run: String,
    /// The condition's name.
    pub condition: String,
    /// The scenario's id.
    pub scenario: String,
    /// As its record says.
    pub scenario_hash: String,
    /// As its record says.
    pub prompts_hash: String,
    /// As its record says.
    #[serde(default)]
    pub config_hash: String,
    /// As its record says.
    pub settings: RunSettings,
    /// How it ended.
    pub status: RunStatus,
    /// Why it could not be kept, in words; `None`: it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsaved: Option<String>,
    /// Turns that were played, without turn 0.
    pub turns: u32,
    /// By judge.
    pub judges: BTreeMap<String, JudgeCount>,
    /// By judge.
    pub scores: BTreeMap<String, Score>,
    /// By judge.
    pub fates: BTreeMap<String, Vec<Fate>>,
    /// In the order of turns.
    pub contradictions: Vec<Contradiction>,
    /// How far oracle and model agree, where both judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Assertions that were checked.
    pub assertions: u32,
    /// Those that did not hold.
    pub broken: Vec<AssertionResult>,
    /// What a person changed while it ran; what was refused changed nothing.
    pub interventions: u32,
    /// What it cost.
    pub cost: Cost,
}

/// How a judge fared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JudgeCount {
    /// Turns that it was asked about.
    pub asked: u32,
    /// Those on which it came to no verdict.
    pub failed: u32,
    /// Who it was; of several in one run, all.
    pub judges: Vec<Judge>,
}

/// A reply that took something back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// By whose word.
    pub judge: String,
    /// In which turn.
    pub turn: u32,
    /// Of which fact.
    pub fact: String,
    /// How much of it.
    pub severity: Severity,
    /// What the turn tried.
    pub strategies: Vec<String>,
    /// What was said to the narrator.
    pub player: String,
    /// What it answered.
    pub reply: String,
    /// Why, in the judge's words.
    pub explanation: String,
}

impl RunDigest {
    /// Makes it of a run.
    pub fn of(played: Played<'_>) -> Self {
        let Played { scenario, run } = played;
        let mut digest = Self {
            run: run.id.clone(),
            condition: run.condition.name.clone(),
            scenario: run.scenario.clone(),
            scenario_hash: run.scenario_hash.clone(),
            prompts_hash: run.prompts_hash.clone(),
            config_hash: run.config_hash.clone(),
            settings: run.settings.clone(),
            status: run.status.clone(),
            unsaved: None,
            turns: run.turns.iter().filter(|turn| turn.turn > 0).count() as u32,
            judges: BTreeMap::new(),
            scores: run.scores.clone(),
            fates: BTreeMap::new(),
            contradictions: Vec::new(),
            agreement: None,
            assertions: run.assertions.len() as u32,
            broken: run.assertions.iter().filter(|assertion| !assertion.passed).cloned().collect(),
            interventions: run.interventions.iter().filter(|act| act.refused.is_none()).count() as u32,
            cost: run.cost.clone(),
        };
        for turn in run.turns.iter().filter(|turn| turn.turn > 0 && turn.failed.is_none()) {
            for judgement in &turn.judgements {
                let kind = judgement.judge.kind().to_owned();
                let count = digest.judges.entry(kind.clone()).or_default();
                count.asked += 1;
                count.failed += u32::from(judgement.failed.is_some());
                if !count.judges.contains(&judgement.judge) {
                    count.judges.push(judgement.judge.clone());
                }
                let taken_back = judgement.verdicts.iter().filter(|v| v.ruling == Ruling::Contradicted);
                digest.contradictions.extend(taken_back.map(|verdict| Contradiction {
                    judge: kind.clone(),
                    turn: turn.turn,
                    fact: verdict.fact.clone(),
                    severity: verdict.severity,
                    strategies: turn.strategies.clone(),
                    player: turn.player.clone(),
                    reply: turn.reply.clone(),
                    explanation: if verdict.explanation.is_empty() {
                        verdict.evidence.clone()
                    } else {
                        verdict.explanation.clone()
                    },
                }));
            }
        }
        if digest.judges.len() > 1 {
            let played = run.turns.iter().filter(|turn| turn.turn > 0);
            digest.agreement = Some(agreement(played, "oracle", "model"));
        }
        let judges: Vec<String> = digest.judges.keys().cloned().collect();
        digest.fates = judges
            .into_iter()
            .map(|judge| {
                let of = fates(scenario, &run.turns, &judge);
                (judge, of)
            })
            .collect();
        digest
    }

    /// A run that could not be begun.
    pub fn refused(scenario: &str, condition: &str, settings: &RunSettings, reason: String) -> Self {
        Self {
            run: String::new(),
            condition: condition.to_owned(),
            scenario: scenario.to_owned(),
            scenario_hash: String::new(),
            prompts_hash: String::new(),
            config_hash: String::new(),
            settings: settings.clone(),
            status: RunStatus::Failed { reason },
            unsaved: None,
            turns: 0,
            judges: BTreeMap::new(),
            scores: BTreeMap::new(),
            fates: BTreeMap::new(),
            contradictions: Vec::new(),
            agreement: None,
            assertions: 0,
            broken: Vec::new(),
            interventions: 0,
            cost: Cost::default(),
        }
    }

    /// Whether every turn was played.
    pub fn is_complete(&self) -> bool {
        self.status == RunStatus::Complete
    }

    /// A metric by a judge's verdicts; `None` where the run has nothing to measure it by.
    pub fn value(&self, judge: &str, metric: &str) -> Option<f64> {
        self.scores.get(judge)?.values.get(metric).copied().flatten().filter(|value| value.is_finite())
    }

    /// Why it is no complete run, in words; `None`: it is one.
    pub fn trouble(&self) -> Option<String> {
        match &self.status {
            RunStatus::Complete => None,
            RunStatus::Unfinished => Some("it is not over".to_owned()),
            RunStatus::Cancelled => Some("it was stopped".to_owned()),
            RunStatus::Failed { reason } => Some(reason.clone()),
        }
    }
}
