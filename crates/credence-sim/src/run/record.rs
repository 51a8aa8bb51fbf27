//! What is kept of a run: everything that a person needs to see what happened in each turn, and that judges and metrics need to look
//! again without playing it again.

use std::collections::BTreeMap;

use credence::compaction::Summary;
use credence::enforcement::Compliance;
use credence::llm::Message;
use credence::time::Timestamp;
use credence::unit::{InvariantRule, Objection, UnitView};
use serde::{Deserialize, Serialize};

use super::condition::Condition;
use crate::adversary::LineRecord;
use crate::scenario::TurnKind;
use crate::verdict::Judgement;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum RunStatus {
    /// It is not over: it can be gone on with from its last turn.
    Unfinished,
    /// Every turn was played.
    Complete,
    /// A person stopped it.
    Cancelled,
    /// It could not go on.
    Failed {
        /// Why, in words for a person.
        reason: String,
    },
}

/// Everything beside scenario and condition that a run depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// Of every random choice; paired runs of two conditions share it.
    pub seed: u64,
    /// Which repetition, from 0.
    pub repetition: u32,
    /// Turns to play.
    pub max_turns: u32,
    /// Tokens that memory may spend of each prompt; 0: as many as it needs.
    pub token_budget: u32,
    /// Who narrates: a model's name, or `simulated` or `scripted` with a version.
    pub narrator: String,
    /// Who judges beside the oracle; empty: nobody.
    pub judge: String,
    /// Who attacks where the adversary is adaptive; empty: the catalogue's own sentences.
    pub adversary: String,
    /// Options by name: those of [`OPTIONS`](crate::engine::OPTIONS).
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// What happened to a unit in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiffKind {
    /// It entered the working set.
    Created,
    /// Its activation rose.
    Reinforced,
    /// Its activation fell.
    Decayed,
    /// Its authority changed.
    AuthorityChanged,
    /// It was archived.
    Archived,
    /// It left to make room, or fell asleep.
    Evicted,
    /// It woke.
    Revived,
    /// Another statement took its place.
    Superseded,
}

/// What a change was caused by, as the commit that made it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffCause {
    /// The commit's cause: `promotion`, `maintenance`, `manual`, …; `time` where no commit made it.
    pub cause: String,
    /// The revision's or the commit's reason.
    pub why: String,
    /// The commit's position; 0 where no commit made it.
    pub seq: u64,
}

/// A change of one unit in one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffEvent {
    /// The statement's id.
    pub unit: String,
    /// What it says.
    pub text: String,
    /// What happened.
    pub kind: DiffKind,
    /// Activation before; 0: it was not there.
    pub activation_before: u16,
    /// Activation after; 0: it is not there.
    pub activation_after: u16,
    /// Why.
    pub because: DiffCause,
}

/// What a person did to the memory while the run was paused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// Before this turn.
    pub turn: u32,
    /// What, in words.
    pub what: String,
    /// The unit or statement.
    pub target: String,
    /// The commit that it made; empty where nothing changed.
    pub commit: String,
    /// Why it was refused, in words for a person; nothing changed then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Rules of the settings that it met: those that stopped it, and those that it went against.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub met: Vec<Objection>,
    /// Position of the context's log behind it.
    #[serde(default)]
    pub seq: u64,
}

/// A fact and the prompt that a reply was given for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The fact's id.
    pub fact: String,
    /// Whether a line of memory in the prompt said it.
    pub in_memory: bool,
    /// Whether a turn shown in the prompt said it.
    pub in_turns: bool,
}

/// What a turn's prompt was made of and what it cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TurnTrace {
    /// Exactly what the narrator was sent.
    pub messages: Vec<Message>,
    /// Tokens of it, as counted or estimated.
    pub prompt_tokens: u32,
    /// Tokens of what memory added.
    pub memory_tokens: u32,
    /// Tokens of the reply.
    pub reply_tokens: u32,
    /// Statements that were considered and left out.
    pub excluded: u32,
    /// Statements taken from the turn.
    pub extracted: Vec<String>,
    /// Those of them that became units.
    pub promoted: Vec<String>,
    /// Conflicts that could not be judged.
    pub degraded_conflicts: u32,
    /// Patterns of prompt injection in the player's words.
    pub injection_patterns: u32,
    /// What a sweep did, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// Which facts the narrator could see.
    pub sightings: Vec<Sighting>,
    /// Rules of the settings that changes of units met in the turn, in order: those that stopped one, and those that one went against.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub met: Vec<Objection>,
    /// What did not go as it should, in words for a person: an analysis that failed, a summary that was not made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One turn. Turn 0, where there is one, sets the scene and is in no metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// From 1; 0 sets the scene.
    pub turn: u32,
    /// What kind of turn.
    pub kind: TurnKind,
    /// The sitting's name, where there are sittings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Strategies used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
    /// Facts aimed at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// What the player said.
    pub player: String,
    /// How it came about, where the adversary said it; `None`: the script, or the scene's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<LineRecord>,
    /// What the narrator said.
    pub reply: String,
    /// Why there is no reply, in words for a person; such a turn is judged by nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Whether the working set was in the prompt.
    pub injection: bool,
    /// What each judge made of it; empty where the turn is not judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<Judgement>,
    /// The working set when the narrator was asked.
    pub units_before: Vec<UnitView>,
    /// And at the end of the turn.
    pub units_after: Vec<UnitView>,
    /// What lies between the end of the turn before and the end of this one.
    pub events: Vec<DiffEvent>,
    /// The prompt and its cost.
    pub trace: TurnTrace,
    /// The check of the answer, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<Compliance>,
    /// The summary that this turn brought, applied or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Summary>,
    /// Milliseconds that passed by the run's clock, which stands still but for waits before further tries.
    pub duration_ms: i64,
    /// Position of the context's log when the turn had ended: where a run that was put aside goes on.
    #[serde(default)]
    pub seq: u64,
}

impl TurnRecord {
    /// What a judge made of it, by the judge's kind: `oracle` or `model`.
    pub fn judgement(&self, judge: &str) -> Option<&Judgement> {
        self.judgements.iter().find(|judgement| judgement.judge.kind() == judge)
    }
}

/// How an assertion came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertionResult {
    /// Its type.
    pub name: String,
    /// Whether it held.
    pub passed: bool,
    /// What was found.
    pub details: String,
}

/// Tokens and calls of a run, by role.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Calls.
    pub calls: BTreeMap<String, u32>,
    /// Prompt tokens.
    pub prompt_tokens: BTreeMap<String, u64>,
    /// Reply tokens.
    pub reply_tokens: BTreeMap<String, u64>,
}

/// A run's metrics. `None`: the run has nothing to measure it by. Percentages are 0 to 100.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Score {
    /// By name; the names and formulas are those of `metrics`.
    pub values: BTreeMap<String, Option<f64>>,
    /// Share of judged turns with the strategy that had a contradiction, 0 to 1.
    pub strategies: BTreeMap<String, f64>,
}

/// One run, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The form of this record.
    pub schema: u32,
    /// Made of scenario, condition and settings, seed and repetition among them, so that the same run has the same name.
    pub id: String,
    /// The scenario's id.
    pub scenario: String,
    /// The first 16 hexadecimal digits of the SHA-256 of the scenario's canonical JSON.
    pub scenario_hash: String,
    /// The same of every template in force.
    pub prompts_hash: String,
    /// The same of the settings that the run's memory had.
    #[serde(default)]
    pub config_hash: String,
    /// The rules that its units stood under.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<InvariantRule>,
    /// Under which condition.
    pub condition: Condition,
    /// With what.
    pub settings: RunSettings,
    /// By the run's clock.
    pub started: Timestamp,
    /// By the run's clock; `None` while it is unfinished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// How it ended.
    pub status: RunStatus,
    /// In order; turn 0 first, where there is one.
    pub turns: Vec<TurnRecord>,
    /// What a person did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interventions: Vec<Intervention>,
    /// How the assertions came out; empty until it has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<AssertionResult>,
    /// By each judge, `oracle` or `model`; empty until it has ended.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, Score>,
    /// What it cost.
    #[serde(default)]
    pub cost: Cost,
}

/// A run and the scenario it played: what metrics and reports look at.
#[derive(Debug, Clone, Copy)]
pub struct Played<'a> {
    /// The scenario.
    pub scenario: &'a crate::scenario::Scenario,
    /// The run.
    pub run: &'a RunRecord,
}
