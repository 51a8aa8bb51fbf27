//! Each condition changes what it says and nothing else.

use credence::enforcement::{ComplianceOutcome, EnforcementStrategy};

use super::*;
use crate::run::MemoryKind;
use crate::scenario::{DormancyPlan, Session};

fn units(record: &RunRecord, at: u32) -> Vec<(String, Authority, u16)> {
    let views = &turn(record, at).units_after;
    views.iter().map(|view| (view.proposition.text.clone(), view.authority, view.activation.get())).collect()
}

#[test]
fn every_condition_tells_the_setting_in_the_same_way_and_says_the_same_lines() {
    let scenario = story();
    let full = run(&scenario, "FULL_AWMU", 1);
    for name in Condition::NAMES {
        let record = run(&scenario, name, 1);
        let told = |at: u32| system(&record, at).contains("holds in it: \"Harrowkeep is an old border fort.");
        assert!((0..=7).all(told), "{name}");
        let lines =
            |record: &RunRecord| record.turns.iter().map(|turn| turn.player.clone()).collect::<Vec<_>>();
        assert_eq!(lines(&record), lines(&full), "{name}");
        assert_eq!(record.scenario_hash, full.scenario_hash);
    }
}

#[test]
fn without_injection_the_working_set_lives_and_no_prompt_has_it() {
    let scenario = story();
    let (full, off) = (run(&scenario, "FULL_AWMU", 1), run(&scenario, "NO_AWMU", 1));
    assert!(system(&full, 4).contains("CANON FACTS") && !system(&off, 4).contains("<memory>"));
    assert_eq!(units(&off, 7), units(&full, 7), "memory itself is the same");
    assert!(turn(&off, 4).trace.excluded > 0 && turn(&off, 4).trace.memory_tokens == 0);
    assert_eq!(shown(&off, 2), shown(&full, 2), "and so are the turns that are shown");
}

#[test]
fn authority_and_activation_are_flat_where_a_condition_says_so() {
    let scenario = story();
    let seeds = |name| {
        let mut all = units(&run(&scenario, name, 1), 0);
        all.sort();
        all.into_iter().map(|(_, authority, activation)| (authority, activation)).collect::<Vec<_>>()
    };
    use Authority::{Canon, Reliable};
    assert_eq!(seeds("FULL_AWMU"), [(Reliable, 600), (Canon, 800)]);
    assert_eq!(seeds("FLAT_AUTHORITY"), [(Reliable, 600), (Reliable, 800)]);
    assert_eq!(seeds("NO_RANK_DIFFERENTIATION"), [(Reliable, 500), (Canon, 500)]);
    let flat = run(&scenario, "FLAT_AUTHORITY", 1);
    assert!(system(&flat, 4).contains("RELIABLE FACTS") && !system(&flat, 4).contains("CANON FACTS"));
}

#[test]
fn without_trust_every_statement_scores_alike() {
    let scenario = story();
    let score = |name| {
        let record = run(&scenario, name, 1);
        let views = turn(&record, 2).units_after.iter().find(|view| view.proposition.text.contains("bell"));
        views.and_then(|view| view.unit.trust()).map(|audit| audit.score).unwrap()
    };
    assert_eq!(score("NO_TRUST"), 0.9);
    assert!(score("FULL_AWMU") < 0.9);
}

#[test]
fn sim_51_a_players_word_has_the_score_of_a_player_and_a_seed_that_of_the_system() {
    let record = run(&story(), "FULL_AWMU", 1);
    let bell =
        turn(&record, 2).units_after.iter().find(|view| view.proposition.text.contains("bell")).unwrap();
    let authority = bell.unit.trust().unwrap().signals.iter().find(|part| part.name == "sourceAuthority");
    assert_eq!(authority.and_then(|part| part.value), Some(0.5));
    let config =
        super::super::plan::plan(&story(), &condition("FULL_AWMU"), &settings(&story(), 1), &base_config());
    let scores = config.unwrap().trust.source_authority;
    assert_eq!(
        (scores.score("scenario"), scores.score("dm"), scores.score("user")),
        (Some(1.0), Some(0.9), Some(0.5))
    );
    assert_eq!((scores.score("npc"), scores.score("dm-narrator")), (None, None), "ids are compared whole");
}

#[test]
fn answers_are_checked_only_where_the_condition_checks_them() {
    let scenario = Scenario { enforcement: Some(EnforcementStrategy::PostGeneration), ..story() };
    let seed = (0..40)
        .find(|seed| turn(&run(&scenario, "NO_COMPLIANCE", *seed), 4).reply.contains("is open"))
        .unwrap();
    let (full, unchecked) = (run(&scenario, "FULL_AWMU", seed), run(&scenario, "NO_COMPLIANCE", seed));
    let report = turn(&full, 4).compliance.clone().unwrap();
    assert!(
        report.attempts.len() > 1 && report.outcome == ComplianceOutcome::Compliant,
        "{report:?} {}",
        turn(&full, 4).reply
    );
    assert!(turn(&full, 4).reply.contains("is closed"), "{}", turn(&full, 4).reply);
    assert_eq!(turn(&unchecked, 4).compliance, None);
    assert_eq!(turn(&full, 4).trace.messages, turn(&unchecked, 4).trace.messages, "the prompt is the same");
    assert_eq!(units(&full, 3), units(&unchecked, 3));
    let off = run(&scenario, "NO_AWMU", seed);
    assert_eq!(turn(&off, 4).compliance, None, "what the prompt does not say no answer is held to");
}

#[test]
fn without_a_lifecycle_nothing_fades_or_sleeps() {
    let dormancy = DormancyPlan { decay_rate: 0.15, revival_threshold: 0.3, dormancy_turns: 1 };
    let scenario = Scenario { dormancy: Some(dormancy), ..story() };
    let captain = |name| {
        let record = run(&scenario, name, 1);
        units(&record, 3)
            .into_iter()
            .find(|(text, ..)| text.contains("Orla"))
            .map(|(_, _, activation)| activation)
    };
    assert_eq!(captain("NO_LIFECYCLE"), Some(600));
    assert!(captain("FULL_AWMU").is_none_or(|activation| activation < 600));
}

#[test]
fn baselines_are_what_they_say() {
    let session = |name: &str, start_turn, end_turn| Session { name: name.into(), start_turn, end_turn };
    let scenario = Scenario { sessions: vec![session("one", 1, 3), session("two", 4, 7)], ..story() };
    let none = run(&scenario, "NO_MEMORY", 1);
    assert!(none.turns.iter().all(|turn| turn.units_after.is_empty() && turn.trace.extracted.is_empty()));
    assert_eq!(shown(&none, 4).len(), 1, "a sitting begins with nothing before it");

    let list = run(&scenario, "STATIC_LIST", 1);
    assert!(
        system(&list, 2).contains("is closed") && !system(&list, 2).contains("silver"),
        "{}",
        system(&list, 2)
    );
    assert!(system(&list, 3).contains("silver"), "told in turn 2, listed from turn 3 on");
    assert!(turn(&list, 4).trace.sightings.iter().all(|sighting| sighting.in_memory));
    assert!(turn(&list, 4).units_after.is_empty());

    let history = run(&scenario, "FULL_HISTORY", 1);
    assert_eq!(shown(&history, 7).len(), 15, "every turn from the first, whatever the sittings");
    assert!(history.turns.iter().all(|turn| turn.units_after.is_empty()));

    let found = run(&scenario, "RETRIEVAL_ONLY", 1);
    let prompt = system(&found, 6);
    assert!(
        prompt.contains("- \"The north gate of Harrowkeep is closed.\"") && !prompt.contains("FACTS:"),
        "{prompt}"
    );
    assert!(found.turns.iter().all(|turn| turn.units_after.is_empty()));
    assert!(!turn(&found, 2).trace.extracted.is_empty() && turn(&found, 2).trace.promoted.is_empty());

    let twin = run(&scenario, "GOVERNED_AGAIN", 1);
    let full = run(&scenario, "FULL_AWMU", 1);
    let said = |record: &RunRecord| record.turns.iter().map(|turn| turn.reply.clone()).collect::<Vec<_>>();
    assert_eq!(said(&twin), said(&full), "the twin is the product");
    assert_ne!(twin.id, full.id);
    assert_eq!(twin.condition.memory, MemoryKind::Governed);
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is() {
    let scenario = Scenario {
        trust: Some(crate::scenario::TrustChoice {
            profile: "SECURE".into(),
            weight_overrides: [("provenance".to_owned(), 0.5)].into(),
        }),
        compaction: Some(crate::scenario::CompactionPlan {
            force_at_turns: vec![3],
            token_threshold: 0,
            message_threshold: 0,
            min_match_ratio: 1.5,
            max_retries: 0,
            retry_backoff_ms: 1000,
        }),
        extraction: false,
        adversary_mode: crate::scenario::AdversaryMode::Adaptive,
        enforcement: Some(EnforcementStrategy::Prolog),
        ..story()
    };
    let host = simulated(&scenario, 1);
    let judged = RunSettings { max_turns: 0, judge: "a-model".into(), ..settings(&scenario, 1) };
    let problems = refusals(run_on(&scenario, &condition("FULL_AWMU"), &judged, &host));
    for wanted in [
        "trust: there is no signal `provenance`",
        "persona",
        "compactionConfig",
        "maxTurns",
        "judge: a-model",
        "PROLOG",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(wanted)), "{wanted}: {problems:#?}");
    }
    assert!(block_on(credence::history::Journal::contexts(&*host.journal)).unwrap().is_empty());
    let nobody = super::host(Narrator::Model(Rc::new(NoModel)));
    let problems = refusals(run_on(&story(), &condition("FULL_AWMU"), &settings(&story(), 1), &nobody));
    assert!(problems[0].starts_with("narrator: no model is connected"), "{problems:?}");
}

#[test]
fn weights_of_a_scenario_take_the_place_of_the_profiles_own() {
    let choice = crate::scenario::TrustChoice {
        profile: "narrative".into(),
        weight_overrides: [("sourceAuthority".to_owned(), 0.8)].into(),
    };
    let scenario = Scenario { trust: Some(choice), ..story() };
    let config =
        super::super::plan::plan(&scenario, &condition("FULL_AWMU"), &settings(&scenario, 1), &base_config());
    let profile = config.unwrap().trust.profile();
    let weights =
        credence::trust::Signal::ALL.map(|signal| (profile.weight(signal) * 1000.0).round() / 1000.0);
    assert_eq!(weights, [0.8, 0.077, 0.046, 0.046, 0.015, 0.015]);
    let score = |scenario: &Scenario| {
        let record = run(scenario, "FULL_AWMU", 1);
        let bell =
            turn(&record, 2).units_after.iter().find(|view| view.proposition.text.contains("bell")).cloned();
        bell.and_then(|view| view.unit.trust().map(|audit| audit.score))
    };
    assert_ne!(score(&scenario), score(&story()), "and they act");
}
