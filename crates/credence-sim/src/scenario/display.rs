//! What is shown of a scenario that does not say it itself (sim 1.4).

use super::{AdversaryMode, Scenario};

/// Its title; without one, its id with spaces for dashes and capitals (fact 33).
pub fn title(scenario: &Scenario) -> String {
    if !scenario.title.trim().is_empty() {
        return scenario.title.clone();
    }
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    let words = scenario.id.split(['-', '_', ' ']).filter(|word| !word.is_empty());
    words.map(capital).collect::<Vec<_>>().join(" ")
}

/// What it is to show; without an own text, one of two sentences.
pub fn objective(scenario: &Scenario) -> String {
    if !scenario.objective.trim().is_empty() {
        return scenario.objective.clone();
    }
    let text = if is_attacked(scenario) {
        "Shows whether what was established holds while somebody works against it."
    } else {
        "Shows whether what was established is still there after everything that is talked about later."
    };
    text.to_owned()
}

/// What it looks at; without an own text, what is switched on, in short.
pub fn focus(scenario: &Scenario) -> String {
    if !scenario.test_focus.trim().is_empty() {
        return scenario.test_focus.clone();
    }
    let mut parts = vec![scenario.category.clone()];
    parts.push(if is_attacked(scenario) { "under attack" } else { "without attack" }.to_owned());
    parts
        .push(if scenario.extraction { "the memory learns" } else { "the memory does not learn" }.to_owned());
    if scenario.compaction.is_some() {
        parts.push("earlier turns are summed up".to_owned());
    }
    if scenario.dormancy.as_ref().is_some_and(|plan| plan.dormancy_turns > 0) {
        parts.push("units fall asleep".to_owned());
    }
    parts.join(" | ")
}

/// What is particular about it, a line each; without own lines, its figures.
pub fn highlights(scenario: &Scenario) -> Vec<String> {
    let own: Vec<String> =
        scenario.highlights.iter().filter(|line| !line.trim().is_empty()).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let mut lines = vec![match scenario.warm_up_turns {
        0 => count(scenario.max_turns as usize, "turn"),
        warm_up => format!("{}, {warm_up} of them warming up", count(scenario.max_turns as usize, "turn")),
    }];
    if !scenario.facts.is_empty() {
        lines.push(format!("{} that must hold", count(scenario.facts.len(), "fact")));
    }
    if !scenario.seeds.is_empty() {
        lines.push(format!("{} to begin with", count(scenario.seeds.len(), "unit")));
    }
    if !scenario.turns.is_empty() {
        lines.push(count(scenario.turns.len(), "scripted line"));
    }
    if let Some(plan) = &scenario.compaction {
        lines.push(format!(
            "summed up from {} tokens or {} messages on",
            plan.token_threshold, plan.message_threshold
        ));
    }
    if let Some(plan) = &scenario.dormancy {
        let turns = count(plan.dormancy_turns as usize, "turn");
        lines.push(format!("units fade by {:.2} a turn after {turns} without mention", plan.decay_rate));
    }
    lines
}

fn is_attacked(scenario: &Scenario) -> bool {
    scenario.adversarial || scenario.adversary_mode == AdversaryMode::Adaptive
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
