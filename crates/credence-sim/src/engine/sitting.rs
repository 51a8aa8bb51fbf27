//! Sittings: real boundaries. Where one begins, a new conversation does, a day later; the narrator sees no turn of the ones before, and
//! what it still knows it knows from memory.
//!
//! Under a full history there is one conversation whatever the sittings, for that is what is compared.

use crate::run::{Condition, MemoryKind};
use crate::scenario::Scenario;

/// What the player says in turn 0.
pub(super) const TURN_ZERO: &str = "Before we begin, please describe the scene in a few sentences.";

/// Whether a run begins with a turn that sets the scene (simulator 3.4).
pub(super) fn has_turn_zero(scenario: &Scenario) -> bool {
    !scenario.setting.trim().is_empty() && scenario.extraction
}

/// The sitting that a turn belongs to.
pub(super) fn name(scenario: &Scenario, turn: u32) -> Option<String> {
    // Turn 0 is before the first and belongs to it.
    let turn = turn.max(1);
    let within = scenario.sessions.iter().rfind(|session| session.start_turn <= turn);
    within.map(|session| session.name.clone())
}

/// How many sittings have ended before a turn.
pub(super) fn ended(scenario: &Scenario, turn: u32) -> u32 {
    let begun = scenario.sessions.iter().filter(|session| (2..=turn).contains(&session.start_turn)).count();
    u32::try_from(begun).unwrap_or(u32::MAX)
}

/// Whether a conversation begins with a turn.
pub(super) fn opens(scenario: &Scenario, condition: &Condition, turn: u32, is_first: bool) -> bool {
    let begins = turn > 1 && scenario.sessions.iter().any(|session| session.start_turn == turn);
    is_first || (begins && condition.memory != MemoryKind::FullHistory)
}

/// The turn of the conversation's first exchange.
pub(super) fn first_turn(scenario: &Scenario, condition: &Condition, turn: u32) -> u32 {
    let begun = scenario.sessions.iter().rfind(|session| (2..=turn).contains(&session.start_turn));
    match begun.filter(|_| condition.memory != MemoryKind::FullHistory) {
        Some(session) => session.start_turn,
        None => u32::from(!has_turn_zero(scenario)),
    }
}

/// What a list that never changes says in a turn: every seed, and every fact from the turn after the one that tells it; a fact of which the
/// file does not say when it is told stands there from the start.
pub(super) fn static_list(scenario: &Scenario, condition: &Condition, turn: u32) -> Vec<String> {
    let seeds = condition.seeds(&scenario.seeds);
    let facts = scenario.facts.iter().filter(|fact| fact.established_at.is_none_or(|at| at < turn));
    let all = seeds.iter().map(|seed| &seed.text).chain(facts.map(|fact| &fact.text));
    let mut list: Vec<String> = Vec::new();
    for text in all.map(|text| text.trim()).filter(|text| !text.is_empty()) {
        if !list.iter().any(|known| super::seeds::same(known, text)) {
            list.push(text.to_owned());
        }
    }
    list
}
