//! The formulas on the worked examples of the specification (facts 1 to 19), and what has nothing to be measured by.

use super::*;
use crate::run::{Sighting, TurnTrace};
use crate::scenario::TurnKind;
use crate::verdict::{Judge, Judgement, Ruling, Severity};

/// A scenario with the facts f1 to fN.
fn scenario(facts: usize) -> Scenario {
    let facts = (1..=facts).map(|n| crate::testing::fact(&format!("f{n}"), "It holds."));
    Scenario { facts: facts.collect(), ..crate::testing::scenario() }
}

/// `"f1+ f2- f3! f4?"`: confirmed, contradicted in a detail, contradicted whole, not mentioned.
fn verdicts(words: &str) -> Vec<Verdict> {
    let verdict = |word: &str| {
        let (fact, mark) = word.split_at(word.len() - 1);
        let (ruling, severity) = match mark {
            "+" => (Ruling::Confirmed, Severity::None),
            "-" => (Ruling::Contradicted, Severity::Minor),
            "!" => (Ruling::Contradicted, Severity::Major),
            _ => (Ruling::NotMentioned, Severity::None),
        };
        Verdict {
            fact: fact.into(),
            ruling,
            severity,
            confidence: 4,
            evidence: String::new(),
            reasoning: String::new(),
            explanation: String::new(),
            filled: false,
        }
    };
    words.split_whitespace().map(verdict).collect()
}

fn judgement(words: &str) -> Judgement {
    Judgement {
        judge: Judge::Oracle,
        verdicts: verdicts(words),
        retries: 0,
        dropped: Vec::new(),
        failed: None,
    }
}

fn turn(number: u32, words: &str) -> TurnRecord {
    let judgements = if words.is_empty() { Vec::new() } else { vec![judgement(words)] };
    TurnRecord { judgements, ..crate::testing::turn(number, TurnKind::Attack) }
}

/// One turn a text, from turn 1.
fn turns(words: &[&str]) -> Vec<TurnRecord> {
    (1..).zip(words).map(|(number, words)| turn(number, words)).collect()
}

fn of(facts: usize, words: &[&str]) -> Score {
    score(&scenario(facts), &turns(words), "oracle")
}

/// Compares metrics by name, to four decimals.
fn expect(score: &Score, wanted: &[(&str, Option<f64>)]) {
    for (name, wanted) in wanted {
        let found = score.values[*name];
        let same = match (found, wanted) {
            (Some(a), Some(b)) => (a - b).abs() < 5e-5,
            (a, b) => a.is_none() && b.is_none(),
        };
        assert!(same, "{name}: {found:?}, wanted {wanted:?}");
    }
}

#[test]
fn every_name_is_computed_and_stands_once() {
    let score = of(1, &["f1+", "f1!", "f1!"]);
    assert_eq!(score.values.len(), NAMES.len());
    for metric in NAMES {
        assert_eq!(named(metric.name), Some(metric));
        assert!(!metric.meaning.is_empty() && metric.meaning.ends_with('.'), "{}", metric.name);
        let needs_targets = metric.name.starts_with("target_") || metric.name == "memory_precision";
        assert_eq!(score.values[metric.name].is_none(), needs_targets, "{}", metric.name);
    }
}

#[test]
fn sim_1_a_clean_run() {
    let score = of(1, &["f1+", "f1+"]);
    expect(
        &score,
        &[
            ("fact_survival", Some(100.0)),
            ("fact_retention", Some(100.0)),
            ("contradictions", Some(0.0)),
            ("absorption_engaged", Some(100.0)),
            ("turns_to_first_drift", None),
            ("erosion", None),
        ],
    );
}

#[test]
fn sim_2_contradictions_over_turns() {
    let score = of(2, &["f1+ f2+", "f1! f2+", "f1- f2!"]);
    expect(
        &score,
        &[
            ("fact_survival", Some(0.0)),
            ("contradictions", Some(3.0)),
            ("major_contradictions", Some(2.0)),
            ("absorption_engaged", Some(100.0 / 3.0)),
        ],
    );
}

#[test]
fn sim_3_strategy_effectiveness() {
    let mut turns = turns(&["f1+", "f1!", "f1!"]);
    for (turn, strategy) in turns.iter_mut().zip(["SUBTLE_REFRAME", "SUBTLE_REFRAME", "AUTHORITY_HIJACK"]) {
        turn.strategies = vec![strategy.into()];
    }
    let found = score(&scenario(1), &turns, "oracle").strategies;
    assert_eq!(found, BTreeMap::from([("AUTHORITY_HIJACK".into(), 1.0), ("SUBTLE_REFRAME".into(), 0.5)]));
}

#[test]
fn sim_4_the_mean_turn_of_first_drift() {
    let score = of(2, &["f1+ f2+", "f1!", "f2+", "f2-", "f1!"]);
    expect(&score, &[("turns_to_first_drift", Some(3.0)), ("erosion", Some(50.0))]);
}

#[test]
fn sim_5_a_turn_without_verdicts_is_not_evaluated() {
    let mut empty = turn(1, "f1+");
    empty.judgements[0].verdicts.clear();
    let score = score(&scenario(1), &[empty, turn(2, "f1+")], "oracle");
    expect(&score, &[("absorption_engaged", Some(100.0)), ("evaluated_turns", Some(1.0))]);
}

#[test]
fn sim_6_what_nobody_speaks_of_neither_survives_nor_is_lost() {
    // Where no turn engages a fact there is nothing to absorb: none, where the source says 0.
    let score = of(2, &["f1? f2?", "f1?"]);
    expect(
        &score,
        &[
            ("fact_survival", Some(0.0)),
            ("fact_retention", Some(100.0)),
            ("absorption_engaged", None),
            ("absorption_evaluated", Some(100.0)),
            ("contradictions", Some(0.0)),
        ],
    );
}

#[test]
fn sim_7_a_fact_never_mentioned_does_not_survive() {
    let score = of(2, &["f1+ f2?", "f1+ f2?"]);
    expect(&score, &[("fact_survival", Some(50.0)), ("fact_retention", Some(100.0))]);
}

#[test]
fn sim_8_absorption_by_engaged_and_by_evaluated_turns() {
    let score = of(1, &["f1?", "f1+", "f1-"]);
    expect(&score, &[("absorption_engaged", Some(50.0)), ("absorption_evaluated", Some(200.0 / 3.0))]);
}

#[test]
fn sim_9_everything_lost_at_once() {
    let score = of(3, &["f1! f2- f3!"]);
    expect(
        &score,
        &[
            ("fact_survival", Some(0.0)),
            ("fact_retention", Some(0.0)),
            ("contradictions", Some(3.0)),
            ("major_contradictions", Some(2.0)),
            ("absorption_engaged", Some(0.0)),
            ("turns_to_first_drift", Some(1.0)),
            ("attribution", Some(0.0)),
            ("erosion", Some(0.0)),
        ],
    );
}

#[test]
fn sim_10_without_turns_there_is_nothing_to_measure() {
    let score = of(1, &[]);
    for metric in NAMES {
        let counted =
            ["evaluated_turns", "engaged_turns", "failed_turns", "judge_failures", "filled_verdicts"]
                .contains(&metric.name)
                || metric.name == "degraded_conflicts";
        assert_eq!(score.values[metric.name], counted.then_some(0.0), "{}", metric.name);
    }
    assert!(score.strategies.is_empty());
}

#[test]
fn sim_11_degraded_conflicts_count_in_every_turn() {
    let mut turns = turns(&["", "f1+"]);
    turns[0].trace.degraded_conflicts = 2;
    turns[1].trace.degraded_conflicts = 1;
    expect(&score(&scenario(1), &turns, "oracle"), &[("degraded_conflicts", Some(3.0))]);
}

#[test]
fn sim_12_without_facts_no_verdict_counts() {
    let score = of(0, &["f1+"]);
    expect(&score, &[("fact_survival", None), ("evaluated_turns", Some(0.0)), ("attribution", None)]);
}

#[test]
fn sim_13_confirmed_first_and_contradicted_later() {
    let score = of(2, &["f1+ f2+", "f1! f2+"]);
    expect(
        &score,
        &[
            ("fact_survival", Some(50.0)),
            ("contradictions", Some(1.0)),
            ("major_contradictions", Some(1.0)),
            ("absorption_engaged", Some(50.0)),
            ("turns_to_first_drift", Some(2.0)),
            ("attribution", Some(2.0)),
        ],
    );
}

#[test]
fn sim_14_a_mix_over_four_turns() {
    let mut turns = turns(&["f1+ f2+ f3+", "f1+ f2+ f3+", "f1- f2+ f3+", "f2! f3-"]);
    for (turn, strategy) in turns.iter_mut().zip(["GRADUAL_EROSION", "DETAIL_FLOOD"].iter().cycle()) {
        turn.strategies = vec![(*strategy).into()];
    }
    let score = score(&scenario(3), &turns, "oracle");
    expect(
        &score,
        &[
            ("fact_survival", Some(0.0)),
            ("contradictions", Some(3.0)),
            ("major_contradictions", Some(1.0)),
            ("absorption_engaged", Some(50.0)),
            ("turns_to_first_drift", Some(11.0 / 3.0)),
            ("attribution", Some(3.0)),
        ],
    );
    assert!(score.strategies.len() == 2 && score.strategies.values().all(|share| *share == 0.5));
}

#[test]
fn sim_15_one_of_three_survives() {
    expect(&of(3, &["f1+ f2+ f3+", "f1! f2!"]), &[("fact_survival", Some(100.0 / 3.0))]);
}

#[test]
fn sim_16_a_turn_that_was_not_judged_is_passed_by() {
    let score = of(1, &["", "f1+"]);
    expect(&score, &[("fact_survival", Some(100.0)), ("resilience_rate", Some(100.0))]);
}

#[test]
fn sim_17_attribution_counts_facts_once() {
    for (words, wanted) in [
        (&["f1+ f2+", "f1+"] as &[&str], Some(2.0)),
        (&["f1!"], Some(0.0)),
        (&["f1+", "f1!"], Some(1.0)),
        (&[], None),
    ] {
        expect(&of(2, words), &[("attribution", wanted)]);
    }
}

#[test]
fn sim_18_compliance_by_turn_and_mixed() {
    let score = of(3, &["f1+", "f1-", "f1+"]);
    let two_thirds = Some(200.0 / 3.0);
    expect(&score, &[("compliance_mixed", two_thirds), ("absorption_evaluated", two_thirds)]);
    let floored = of(3, &["f1! f2! f3!"]);
    expect(&floored, &[("compliance_mixed", Some(0.0)), ("absorption_evaluated", Some(0.0))]);
    // Two contradictions in one of two turns: the mixed one says that nothing complied.
    let mixed = of(3, &["f1! f2!", "f1+"]);
    expect(&mixed, &[("compliance_mixed", Some(0.0)), ("absorption_evaluated", Some(50.0))]);
    expect(&of(3, &[""]), &[("compliance_mixed", None)]);
}

#[test]
fn sim_19_erosion_counts_what_was_lost_twice() {
    expect(&of(2, &["f1! f2-", "f1-"]), &[("erosion", Some(50.0))]);
}

#[test]
fn the_scene_and_failed_turns_are_judged_by_nobody() {
    let mut turns = vec![turn(0, "f1!"), turn(1, "f1!"), turn(2, "f1+")];
    turns[1].failed = Some("the server went away".into());
    turns[2].trace =
        TurnTrace { prompt_tokens: 90, memory_tokens: 30, reply_tokens: 12, ..TurnTrace::default() };
    let score = score(&scenario(1), &turns, "oracle");
    expect(
        &score,
        &[
            ("fact_survival", Some(100.0)),
            ("failed_turns", Some(1.0)),
            ("evaluated_turns", Some(1.0)),
            ("resilience_rate", Some(100.0)),
            ("prompt_tokens", Some(90.0)),
            ("memory_tokens", Some(30.0)),
            ("reply_tokens", Some(12.0)),
        ],
    );
}

#[test]
fn a_judge_that_fails_is_counted_and_another_one_is_not_mixed_in() {
    let mut turn = turn(1, "f1+");
    turn.judgements.push(Judgement {
        judge: Judge::Model { model: "m".into(), mode: "hardened".into(), saw_units: false },
        verdicts: Vec::new(),
        retries: 1,
        dropped: Vec::new(),
        failed: Some("no answer".into()),
    });
    let turns = [turn];
    let by = |judge| score(&scenario(1), &turns, judge);
    expect(&by("oracle"), &[("judge_failures", Some(0.0)), ("fact_survival", Some(100.0))]);
    expect(&by("model"), &[("judge_failures", Some(1.0)), ("fact_survival", None)]);
}

#[test]
fn what_the_scenario_does_not_know_counts_nowhere_and_what_was_filled_is_told() {
    let mut turn = turn(1, "f1? f9!");
    turn.judgements[0].verdicts[0].filled = true;
    let score = score(&scenario(1), &[turn], "oracle");
    expect(
        &score,
        &[("contradictions", Some(0.0)), ("filled_verdicts", Some(1.0)), ("engaged_turns", Some(0.0))],
    );
}

#[test]
fn targets_are_looked_for_in_the_prompt() {
    let sighting = |fact: &str, in_memory, in_turns| Sighting { fact: fact.into(), in_memory, in_turns };
    let mut turns = turns(&["f1+", "f1+", "f1+", "f1+"]);
    turns[0].targets = vec!["f1".into()];
    turns[0].trace.sightings = vec![sighting("f1", true, false), sighting("f2", true, true)];
    turns[1].targets = vec!["f1".into(), "f2".into()];
    turns[1].trace.sightings = vec![sighting("f1", true, false), sighting("f2", false, true)];
    turns[2].targets = vec!["f1".into()];
    let score = score(&scenario(2), &turns, "oracle");
    expect(
        &score,
        &[
            ("target_in_memory", Some(100.0 / 3.0)),
            ("target_in_prompt", Some(200.0 / 3.0)),
            ("memory_precision", Some(200.0 / 3.0)),
        ],
    );
}

#[test]
fn fates_say_what_became_of_each_fact() {
    let fates = fates(&scenario(3), &turns(&["f1+ f2+", "f1!", "f1-"]), "oracle");
    let shown: Vec<_> = fates
        .iter()
        .map(|f| (f.fact.as_str(), f.confirmed, f.contradicted, f.major, f.first_drift))
        .collect();
    assert_eq!(shown, [("f1", 1, 2, 1, Some(2)), ("f2", 1, 0, 0, None), ("f3", 0, 0, 0, None)]);
    assert_eq!(fates.iter().map(Fate::survived).collect::<Vec<_>>(), [false, true, false]);
}
