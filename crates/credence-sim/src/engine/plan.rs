//! What a run's memory is set to: every field of scenario and condition as a setting of the product, or a refusal before anything is played.
//!
//! | of the scenario or run | becomes |
//! |---|---|
//! | setting | `chat.instructions`, the same in every condition; a static list stands behind it |
//! | persona's name | `user_name` |
//! | trust | `trust.profile` with the weights in place; `trust.enabled` by the condition |
//! | compaction, dormancy, budget, invariants | `compaction`, `unit.dormancy`, `budget.strategy`, `unit.invariants` |
//! | enforcement | `assembly.enforcement_strategy`, where the condition checks answers and memory is in the prompt |
//! | narrator's temperature | `chat.chat_llm.temperature` |
//! | narrator's model | `chat.chat_llm.model` by the option `models=scenario`; else which model narrates is the host's to say |
//! | token budget | `assembly.prompt_token_budget` |
//! | condition | `assembly.injection`, `unit.activation_moves`, `unit.authority_rises`, `unit.auto_activate`, `maintenance.mode` |
//!
//! The player is the memory's user, but no owner: its word has the score of a player and a seed's has the system's (simulator 3.10, fact
//! 51), so that who plays does not outrank who wrote the scenario.

use credence::config::{Config, SimSettings};
use credence::enforcement::EnforcementStrategy;
use credence::maintenance::MaintenanceConfig;
use credence::trust::{DomainProfile, Signal, USER_SOURCE};
use credence::unit::Dormancy;
use credence::upkeep::MaintenanceMode;

use super::models;
use crate::run::{Condition, MemoryKind, RunSettings};
use crate::scenario::{AdversaryMode, CompactionPlan, Scenario, TrustChoice};

/// Earlier turns in a prompt: five exchanges and what the player has just said (simulator 3.5).
pub const HISTORY_TURNS: u32 = 11;
/// Earlier turns in a prompt where all are shown: as many as the product shows at most.
const ALL_TURNS: u32 = 500;
/// The source of seeds in a run's memory.
pub(super) const SCENARIO_SOURCE: &str = "scenario";
/// How far a player's word goes where nothing else is known of it (fact 51).
const PLAYER_SCORE: f64 = 0.5;

/// The settings that runs begin with where a host has no others: the product's own, with the prompt's history and the sweeps of the
/// simulator (3.5, 3.8).
pub fn base_config() -> Config {
    let plain = Config::default();
    let mut maintenance = MaintenanceConfig { mode: MaintenanceMode::Hybrid, ..plain.maintenance.clone() };
    maintenance.proactive.min_turns_between_sweeps = 5;
    let mut config = Config { history_turns: HISTORY_TURNS, maintenance, ..plain };
    // "Forget what I said" is a player's line like any other, not the wish of the person whose memory it is.
    config.chat.forgets_on_request = false;
    config
}

/// The settings of a run, but for what changes from turn to turn.
///
/// # Errors
/// Everything that cannot be played as it is written, each with the field and the remedy.
pub(super) fn plan(
    scenario: &Scenario,
    condition: &Condition,
    settings: &RunSettings,
    base: &Config,
) -> Result<Config, Vec<String>> {
    let mut problems = unplayable(scenario, condition, settings);
    let mut config = base.clone();
    let governed = condition.is_governed();
    // How many runs play side by side, what overlaps and where they are kept shapes no run.
    let plain = SimSettings::default();
    config.sim.parallel_post_response = plain.parallel_post_response;
    config.sim.benchmark_parallelism = plain.benchmark_parallelism;
    config.sim.run_history = plain.run_history;
    config.user_name =
        scenario.persona.as_ref().map(|p| p.name.trim().to_owned()).filter(|name| !name.is_empty());
    config.chat.instructions = scenario.setting.trim().to_owned();
    config.chat.chat_llm.temperature = scenario.narrator.temperature.or(config.chat.chat_llm.temperature);
    config.chat.chat_llm.model =
        models::narrator(scenario, settings).or_else(|| config.chat.chat_llm.model.take());
    config.assembly.prompt_token_budget = settings.token_budget;
    config.memory.enabled = scenario.extraction && learns(condition.memory);
    config.unit.auto_activate &= governed;
    config.unit.chat_seed.enabled = false;
    // The record says which rules were met, and hears of them as everybody does.
    config.unit.lifecycle_events_enabled = true;
    config.unit.invariants.rules.extend(scenario.invariants.iter().cloned());
    config.unit.activation_moves &= condition.rank_mutation && condition.lifecycle;
    config.unit.authority_rises &= condition.authority_promotion && condition.lifecycle;
    if !condition.lifecycle || !governed {
        config.maintenance.mode = MaintenanceMode::Reactive;
        config.maintenance.proactive = MaintenanceConfig::default().proactive;
    }
    if let Some(plan) = &scenario.dormancy {
        config.unit.dormancy = Dormancy {
            decay_rate: plan.decay_rate,
            revival_threshold: plan.revival_threshold,
            dormancy_turns: plan.dormancy_turns,
        };
    }
    if let Some(strategy) = scenario.budget {
        config.budget.strategy = strategy;
    }
    config.trust.enabled &= condition.trust;
    let scores = &mut config.trust.source_authority.scores;
    scores.insert(USER_SOURCE.to_owned(), PLAYER_SCORE);
    scores.insert(SCENARIO_SOURCE.to_owned(), 1.0);
    if let Some(choice) = &scenario.trust {
        match profile(choice, &config) {
            Ok(own) => {
                config.trust.profile = own.name().to_owned();
                config.trust.profiles.retain(|known| !known.is_called(own.name()));
                config.trust.profiles.push(own);
            }
            Err(problem) => problems.push(format!("trust: {problem}")),
        }
    }
    config.assembly.enforcement_strategy = match scenario.enforcement {
        _ if !governed || !condition.compliance => EnforcementStrategy::PromptOnly,
        Some(strategy) => strategy,
        None => config.assembly.enforcement_strategy,
    };
    config.compaction.enabled = governed && scenario.compaction.is_some();
    if let Some(plan) = scenario.compaction.as_ref().filter(|_| governed) {
        compaction(plan, &mut config);
    }
    if condition.memory == MemoryKind::FullHistory {
        config.history_turns = ALL_TURNS;
    }
    config.assembly.injection =
        condition.injection && matches!(condition.memory, MemoryKind::Governed | MemoryKind::RetrievalOnly);
    if let Err(problem) = config.validate() {
        problems.push(problem);
    }
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// Whether a kind of memory learns from turns.
pub(super) fn learns(memory: MemoryKind) -> bool {
    matches!(memory, MemoryKind::Governed | MemoryKind::RetrievalOnly)
}

/// What no setting could make right.
fn unplayable(scenario: &Scenario, condition: &Condition, settings: &RunSettings) -> Vec<String> {
    let mut problems: Vec<String> = condition.check().err().into_iter().collect();
    problems.extend(models::problem(settings));
    if settings.max_turns == 0 {
        problems.push("maxTurns: a run needs a turn at least".to_owned());
    }
    if scenario.adversary_mode == AdversaryMode::Adaptive && scenario.persona.is_none() {
        problems.push("persona: an adaptive adversary needs somebody to speak as".to_owned());
    }
    if scenario.compaction.is_some() && !scenario.extraction && condition.is_governed() {
        problems.push(
            "compactionConfig: turns are summed up once they were read, and extractionEnabled is false; switch extraction on or leave compaction out"
                .to_owned(),
        );
    }
    let mut ended = 0;
    for session in &scenario.sessions {
        if session.start_turn <= ended || session.end_turn < session.start_turn {
            problems.push(format!(
                "sessions: {} runs from turn {} to {}; sessions follow one another and end behind their beginning",
                session.name, session.start_turn, session.end_turn
            ));
        }
        ended = session.end_turn;
    }
    problems
}

fn compaction(plan: &CompactionPlan, config: &mut Config) {
    let own = &mut config.compaction;
    own.token_threshold = plan.token_threshold;
    own.message_threshold = plan.message_threshold;
    own.min_match_ratio = plan.min_match_ratio;
    own.max_retries = plan.max_retries;
    own.retry_backoff_millis = i64::from(plan.retry_backoff_ms);
}

/// The exchanges of a conversation after which its turns are summed up: the scenario's turns, counted from the sitting's first exchange.
/// `first` is the turn of that exchange.
pub(super) fn forced(plan: &CompactionPlan, first: u32) -> Vec<u32> {
    plan.force_at_turns.iter().filter(|turn| **turn >= first).map(|turn| turn - first + 1).collect()
}

/// The profile with the weights of the scenario in place of its own; the others keep their proportion, so that all sum to 1.
fn profile(choice: &TrustChoice, config: &Config) -> Result<DomainProfile, String> {
    let name = choice.profile.trim();
    let known = config.trust.profiles.iter().find(|profile| profile.is_called(name)).cloned();
    let Some(known) = known.or_else(|| DomainProfile::known(name)) else {
        return Err(format!("there is no profile `{name}`; there are SECURE, BALANCED and NARRATIVE"));
    };
    if choice.weight_overrides.is_empty() {
        return Ok(known);
    }
    let mut given = std::collections::BTreeMap::new();
    for (name, weight) in &choice.weight_overrides {
        let Some(signal) = Signal::ALL.into_iter().find(|signal| signal.name() == name) else {
            let names = Signal::ALL.map(Signal::name).join(", ");
            return Err(format!("there is no signal `{name}`; there are {names}"));
        };
        if !(0.0..=1.0).contains(weight) {
            return Err(format!("the weight of {name} must be 0 to 1, got {weight}"));
        }
        given.insert(signal, *weight);
    }
    let total: f64 = given.values().sum();
    let rest: f64 = Signal::ALL.iter().filter(|s| !given.contains_key(s)).map(|s| known.weight(*s)).sum();
    if total > 1.0 || (rest <= 0.0 && (total - 1.0).abs() > 0.001) {
        return Err(format!("the weights given sum to {total}; all six must sum to 1"));
    }
    let weights = Signal::ALL.into_iter().map(|signal| {
        let own = if rest > 0.0 { known.weight(signal) * (1.0 - total) / rest } else { 0.0 };
        (signal, given.get(&signal).copied().unwrap_or(own))
    });
    let name = format!("{}, as {SCENARIO_SOURCE}", known.name());
    DomainProfile::new(&name, weights.collect(), known.auto(), known.review(), known.archive())
        .map_err(|error| error.to_string())
}
