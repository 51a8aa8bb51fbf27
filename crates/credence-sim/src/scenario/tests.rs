//! Reading, checking, writing and showing scenarios, on files made here; the corpora are read in `tests/scenarios.rs`.

use credence::enforcement::EnforcementStrategy;
use credence::promotion::BudgetStrategy;
use credence::unit::{Authority, InvariantKind, InvariantRule, Strength};
use proptest::prelude::*;

use super::*;
use crate::engine::digest;

const SMALL: &str = r#"
id: small-story
category: story
persona:
  name: Wren
maxTurns: 3
groundTruth:
  - id: gate
    text: The north gate is made of iron.
    establishedAt: 1
    oracle:
      affirm: ["gate .*\\biron"]
      deny: ["gate .*\\b(bronze|oak)"]
turns:
  - prompt: The north gate is made of iron. I knock.
    type: ESTABLISH
  - prompt: The bronze gate opens, as always.
    type: ATTACK
    strategy: SUBTLE_REFRAME
    target: gate
  - prompt: What is the gate made of?
    type: RECALL_PROBE
    target: gate
"#;

fn strict(text: &str) -> Result<Read, Vec<Problem>> {
    read(text, Mode::Strict)
}

/// The small story with one passage replaced.
fn with(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    SMALL.replacen(from, to, 1)
}

/// The small story with members added, read as a file of the predecessor.
fn compatible(more: &str) -> Read {
    match read(&format!("{SMALL}{more}"), Mode::Compatible) {
        Ok(read) => read,
        Err(problems) => panic!("{more}: {problems:?}"),
    }
}

#[test]
fn a_small_file_is_read_without_problems() {
    let read = strict(SMALL).unwrap();
    assert_eq!(read.problems, []);
    let scenario = read.scenario;
    assert_eq!((scenario.id.as_str(), scenario.max_turns, scenario.turns.len()), ("small-story", 3, 3));
    assert_eq!(scenario.turns[1].strategies, ["SUBTLE_REFRAME"]);
    assert_eq!(scenario.turns[2].kind, TurnKind::RecallProbe);
    assert_eq!(scenario.facts[0].established_at, Some(1));
    assert!(scenario.extraction && scenario.sessions.is_empty() && scenario.trust.is_none());
}

/// Each mistake: what stands in its place, the line and the path where it is found, and a word of what is said.
#[test]
fn every_mistake_is_found_with_its_line_and_remedy() {
    for (from, to, line, path, word) in [
        ("id: small-story\n", "", 2, "id", "missing"),
        ("id: small-story", "id: Small Story", 2, "id", "small letters"),
        ("maxTurns: 3", "maxTurns: three", 6, "maxTurns", "a number"),
        ("maxTurns: 3", "maxTurns: 2.5", 6, "maxTurns", "whole"),
        ("maxTurns: 3", "maxTurns: 0", 6, "maxTurns", "outside"),
        ("maxTurns: 3", "maxTurns: 2", 6, "maxTurns", "leaves out"),
        ("maxTurns: 3", "maxTurns: 3\ntemperature: 2.5", 7, "temperature", "outside"),
        ("maxTurns: 3", "maxTurns: 3\nadversarial: yes", 7, "adversarial", "true or false"),
        ("maxTurns: 3", "maxTurns: 3\nadversaryMode: adaptiv", 7, "adversaryMode", "`adaptive`"),
        (
            "persona:\n  name: Wren\nmaxTurns: 3",
            "adversaryMode: adaptive\nmaxTurns: 9",
            4,
            "adversaryMode",
            "persona",
        ),
        ("maxTurns: 3", "maxTurns: 3\nadversaryMode: adaptive", 6, "maxTurns", "never speaks"),
        (
            "maxTurns: 3",
            "maxTurns: 3\nadversaryConfig:\n  aggressiveness: 1.5",
            8,
            "adversaryConfig.aggressiveness",
            "outside",
        ),
        (
            "maxTurns: 3",
            "maxTurns: 3\nadversaryConfig:\n  maxEscalationTier: 3\n  attackCooldown: 1",
            7,
            "adversaryConfig",
            "scripted",
        ),
        ("type: ATTACK", "type: ATACK", 18, "turns[1].type", "`ATTACK`"),
        ("strategy: SUBTLE_REFRAME", "strategy: SUBTLE_REFRAMING", 19, "turns[1].strategy", "SUBTLE_REFRAME"),
        ("target: gate", "target: gates", 20, "turns[1].target", "`gate`"),
        ("    target: gate\n  -", "    targetFact: gate\n  -", 20, "turns[1].targetFact", "`target`"),
        ("  - prompt: What", "  - turn: 2\n    prompt: What", 21, "turns[2].turn", "turn 3"),
        ("  - prompt: What", "  - role: NARRATOR\n    prompt: What", 21, "turns[2].role", "PLAYER"),
        ("prompt: What is the gate made of?", "prompt: ''", 21, "turns[2].prompt", "blank"),
        ("prompt: What is the gate made of?", "prompt: 42", 21, "turns[2].prompt", "quotes"),
        (
            "  - id: gate\n",
            "  - id: gate\n    text: Twice.\n  - id: gate\n",
            10,
            "groundTruth[1].id",
            "already",
        ),
        ("establishedAt: 1", "establishedAt: 9", 10, "groundTruth[0].establishedAt", "no line"),
        ("(bronze|oak)", "(bronze|oak", 13, "groundTruth[0].oracle.deny[0]", "no pattern"),
        ("text: The", "fact: The", 9, "groundTruth[0].fact", "`text`"),
        (
            "turns:",
            "sessions:\n  - {name: a, startTurn: 1, endTurn: 2}\n  - {name: b, startTurn: 2, endTurn: 3}\nturns:",
            16,
            "sessions[1].startTurn",
            "overlaps",
        ),
        (
            "turns:",
            "sessions:\n  - {name: a, startTurn: 1, endTurn: 1}\n  - {name: b, startTurn: 3, endTurn: 3}\nturns:",
            16,
            "sessions[1].startTurn",
            "gap",
        ),
        (
            "turns:",
            "sessions:\n  - {name: a, startTurn: 1, endTurn: 2}\nturns:",
            15,
            "sessions[0].endTurn",
            "before turn 3",
        ),
        (
            "turns:",
            "trustConfig: {profile: BALANCED, weightOverrides: {recency: 0.1}}\nturns:",
            14,
            "trustConfig.weightOverrides.recency",
            "no signal",
        ),
        (
            "turns:",
            "trustConfig: {profile: BALANCED, weightOverrides: {novelty: 0.5}}\nturns:",
            14,
            "trustConfig.weightOverrides",
            "sum to",
        ),
        ("turns:", "trustConfig: {profile: CAREFUL}\nturns:", 14, "trustConfig.profile", "no profile"),
        (
            "turns:",
            "compactionConfig: {minMatchRatio: 2}\nturns:",
            14,
            "compactionConfig.minMatchRatio",
            "outside",
        ),
        (
            "turns:",
            "compactionConfig: {forceAtTurns: [2, 9]}\nturns:",
            14,
            "compactionConfig.forceAtTurns[1]",
            "not played",
        ),
        (
            "turns:",
            "dormancyConfig: {decayRate: -0.1, revivalThreshold: 0.5, dormancyTurns: 2}\nturns:",
            14,
            "dormancyConfig.decayRate",
            "outside",
        ),
        (
            "turns:",
            "seedUnits:\n  - {text: A., authority: CANNON, rank: 500}\nturns:",
            15,
            "seedUnits[0].authority",
            "`CANON`",
        ),
        (
            "turns:",
            "seedUnits:\n  - {text: A., authority: CANON}\nturns:",
            15,
            "seedUnits[0].rank",
            "missing",
        ),
        ("turns:", "assertions:\n  - {type: unit-counts}\nturns:", 15, "assertions[0].type", "`unit-count`"),
        (
            "turns:",
            "assertions:\n  - {type: unit-count, params: {minimum: 2}}\nturns:",
            15,
            "assertions[0].params.minimum",
            "min, max",
        ),
        (
            "turns:",
            "assertions:\n  - {type: unit-count, params: {min: 5, max: 2}}\nturns:",
            15,
            "assertions[0]",
            "above",
        ),
        (
            "turns:",
            "assertions:\n  - {type: authority-at-most, params: {maxAuthority: HIGH}}\nturns:",
            15,
            "assertions[0].params.maxAuthority",
            "HIGH",
        ),
        (
            "turns:",
            "invariants:\n  - {id: a, type: authority-floor}\nturns:",
            15,
            "invariants[0].minimumAuthority",
            "forbids nothing",
        ),
        ("turns:", "invariants:\n  - {id: a, type: floor}\nturns:", 15, "invariants[0].type", "no type"),
        ("turns:", "enforcementStrategy: PROLOG\nturns:", 14, "enforcementStrategy", "PROMPT_ONLY"),
        ("turns:", "budgetStrategy: TOKENS\nturns:", 14, "budgetStrategy", "COUNT"),
    ] {
        let problems = strict(&with(from, to)).map(|read| read.problems).unwrap_err();
        let found = problems.iter().find(|p| p.is_error() && p.path == path);
        let Some(found) = found else { panic!("{to}: no error in {path}, but {problems:?}") };
        assert_eq!(found.line, line, "{to}: {found}");
        assert!(found.to_string().contains(word), "{to}: {found}");
        assert!(!found.remedy.is_empty(), "{to}: {found}");
        let errors = problems.iter().filter(|p| p.is_error()).count();
        assert_eq!(errors, 1, "{to}: one mistake is one error, not {problems:?}");
    }
}

#[test]
fn all_mistakes_are_found_at_once_and_nothing_is_applied() {
    let text = with("category: story", "categry: story")
        .replace("type: ATTACK", "type: ATACK")
        .replace("maxTurns: 3", "maxTurns: -1");
    let problems = strict(&text).unwrap_err();
    let lines: Vec<u32> = problems.iter().filter(|p| p.is_error()).map(|p| p.line).collect();
    assert_eq!(lines, [2, 3, 6, 18], "{problems:?}");
}

#[test]
fn what_would_mislead_is_a_warning() {
    for (from, to, path, word) in [
        (
            "prompt: The north gate is made of iron. I knock.",
            "prompt: I knock.",
            "groundTruth[0].establishedAt",
            "does not say it",
        ),
        ("    establishedAt: 1\n", "", "groundTruth[0]", "which turn"),
        ("turns:", "setting: The gate of Holm is iron.\nturns:", "setting", "every prompt"),
        ("maxTurns: 3", "maxTurns: 5", "maxTurns", "what happens next"),
        ("turns:", "compactionConfig: {maxRetries: 1}\nturns:", "compactionConfig", "ever"),
        ("turns:", "assertions:\n  - {type: kg-context-contains}\nturns:", "assertions[0]", "always"),
        (
            "deny: [\"gate .*\\\\b(bronze|oak)\"]",
            "deny: [\"gate .*\\\\b(bronze|oak)\"]\n      examples: {affirm: [The gate is oak.]}",
            "groundTruth[0].oracle.examples.affirm[0]",
            "Contradicted",
        ),
        ("establishedAt: 1", "establishedAt: 2", "turns[1].target", "not before"),
    ] {
        let read = strict(&with(from, to)).unwrap_or_else(|problems| panic!("{to}: {problems:?}"));
        let found = read.problems.iter().find(|problem| problem.path == path);
        assert!(found.is_some_and(|problem| problem.to_string().contains(word)), "{to}: {:?}", read.problems);
    }
}

#[test]
fn what_the_predecessor_has_and_a_run_does_not_apply_is_said() {
    for (more, path, word) in [
        ("mood: dark\n", "mood", "not applied"),
        ("budgetStrategy: TOKENS\n", "budgetStrategy", "not applied"),
        ("adversaryMode: Adaptive\n", "adversaryMode", "scripted"),
        ("adversaryConfig: {}\n", "adversaryConfig", "not applied"),
        (
            "trustConfig: {profile: SECURE, weightOverrides: {consistency: 0.5}}\n",
            "trustConfig.weightOverrides.consistency",
            "without effect",
        ),
        ("sessions:\n  - {name: a, startTurn: 2, endTurn: 3}\n", "sessions[0].startTurn", "not applied"),
        (
            "compactionConfig: {enabled: true, tokenThreshold: 9, eventsEnabled: false}\n",
            "compactionConfig.eventsEnabled",
            "not applied",
        ),
        (
            "invariants:\n  - {id: a, type: archive-prohibition, contextId: other}\n",
            "invariants[0].contextId",
            "not applied",
        ),
    ] {
        let read = compatible(more);
        let found = read.problems.iter().find(|problem| problem.path == path);
        assert!(
            found.is_some_and(|problem| problem.to_string().contains(word)),
            "{more}: {:?}",
            read.problems
        );
        let scenario = read.scenario;
        assert_eq!(scenario.adversary_mode, AdversaryMode::Scripted);
        assert_eq!(scenario.adversary, AdversaryConfig::default());
        assert!(scenario.sessions.is_empty() && scenario.invariants.is_empty() && scenario.budget.is_none());
        assert!(scenario.trust.is_none_or(|trust| trust.weight_overrides.is_empty()));
        assert!(super::check(&strict(SMALL).unwrap().scenario).is_empty());
    }
}

#[test]
fn the_predecessors_defaults() {
    let read = compatible(
        "seedUnits:\n  - {text: A., rank: 0}\n  - {text: B.}\ncompactionConfig: {tokenThreshold: 5}\n",
    );
    let seeds: Vec<(Authority, u16)> =
        read.scenario.seeds.iter().map(|s| (s.authority, s.activation)).collect();
    assert_eq!(seeds, [(Authority::Provisional, 100), (Authority::Provisional, 100)]);
    assert_eq!(read.scenario.compaction, None, "a compaction that is not enabled is off");
    let plan =
        compatible("compactionConfig: {enabled: true, tokenThreshold: 5}\n").scenario.compaction.unwrap();
    assert_eq!((plan.min_match_ratio, plan.max_retries, plan.retry_backoff_ms), (0.5, 2, 1000));
    let text = with("    type: ESTABLISH\n", "").replace("maxTurns: 3", "maxTurns: 3\nwarmUpTurns: 1");
    let text = text.replace("type: RECALL_PROBE", "type:");
    let turns = super::read(&text, Mode::Compatible).unwrap().scenario.turns;
    assert_eq!((turns[0].kind, turns[2].kind), (TurnKind::WarmUp, TurnKind::Establish));
}

#[test]
fn sim_29_enforcement_is_the_prompt_alone_without_a_word() {
    let effective = |more: &str| compatible(more).scenario.enforcement.unwrap_or_default();
    assert_eq!(effective(""), EnforcementStrategy::PromptOnly);
    assert_eq!(effective("enforcementStrategy: LOGIT_BIAS\n"), EnforcementStrategy::LogitBias);
    assert_eq!(effective("enforcementStrategy: HYBRID\n"), EnforcementStrategy::Hybrid);
}

#[test]
fn sim_30_extraction_is_on_without_a_word() {
    assert!(compatible("").scenario.extraction);
    assert!(compatible("extractionEnabled:\n").scenario.extraction);
    assert!(!compatible("extractionEnabled: false\n").scenario.extraction);
}

#[test]
fn sim_31_an_adversary_without_numbers() {
    let of = |more: &str| {
        let text = with("maxTurns: 3", "maxTurns: 9\nadversaryMode: adaptive");
        let config = read(&format!("{text}{more}"), Mode::Compatible).unwrap().scenario.adversary;
        (config.aggressiveness, config.max_escalation_tier, config.attack_cooldown)
    };
    assert_eq!(of("adversaryConfig: {}\n"), (0.0, 1, 2));
    assert_eq!(of(""), (0.5, 3, 2));
    assert_eq!(
        of("adversaryConfig: {aggressiveness: 7, maxEscalationTier: 9, attackCooldown: -3}\n"),
        (1.0, 4, 0)
    );
    // In our own files what is left out has one meaning, and what is out of range is refused.
    let text =
        with("maxTurns: 3", "maxTurns: 9\nadversaryMode: adaptive\nadversaryConfig: {attackCooldown: 1}");
    let config = strict(&text).unwrap().scenario.adversary;
    assert_eq!((config.aggressiveness, config.max_escalation_tier, config.attack_cooldown), (0.5, 3, 1));
}

#[test]
fn sim_32_kinds_and_strategies_in_any_case() {
    let turn = |kind: &str, strategy: &str| {
        let text = with("type: ATTACK", &format!("type: {kind}"))
            .replace("strategy: SUBTLE_REFRAME", &format!("strategy: {strategy}"));
        read(&text, Mode::Compatible).unwrap().scenario.turns.swap_remove(1)
    };
    assert_eq!(turn("attack", "subtle_reframe").kind, TurnKind::Attack);
    assert_eq!(turn("attack", "subtle_reframe").strategies, ["SUBTLE_REFRAME"]);
    assert_eq!(turn("foo", "foo").kind, TurnKind::Establish);
    assert_eq!(turn("foo", "foo").strategies, [""; 0]);
}

#[test]
fn sim_33_a_title_is_made_of_the_id() {
    let mut scenario = strict(SMALL).unwrap().scenario;
    scenario.id = "dead-kingdom".to_owned();
    assert_eq!(display::title(&scenario), "Dead Kingdom");
    scenario.title = "The Dead King".to_owned();
    assert_eq!(display::title(&scenario), "The Dead King");
}

#[test]
fn what_a_scenario_does_not_say_of_itself_is_said_by_its_figures() {
    let mut scenario = strict(SMALL).unwrap().scenario;
    assert_eq!(display::focus(&scenario), "story | without attack | the memory learns");
    assert_eq!(display::highlights(&scenario), ["3 turns", "1 fact that must hold", "3 scripted lines"]);
    let calm = display::objective(&scenario);
    scenario.adversarial = true;
    assert_ne!(display::objective(&scenario), calm);
    scenario.warm_up_turns = 1;
    scenario.dormancy = Some(DormancyPlan { decay_rate: 0.15, revival_threshold: 0.3, dormancy_turns: 5 });
    assert_eq!(display::highlights(&scenario)[0], "3 turns, 1 of them warming up");
    assert_eq!(display::highlights(&scenario)[3], "units fade by 0.15 a turn after 5 turns without mention");
    assert!(display::focus(&scenario).ends_with("under attack | the memory learns | units fall asleep"));
    scenario.highlights = vec![" ".to_owned(), "Own.".to_owned()];
    assert_eq!(display::highlights(&scenario), ["Own."]);
}

#[test]
fn of_two_files_with_one_id_the_second_says_so() {
    let corpus = Corpus::read([("b.yml", SMALL), ("a.yml", SMALL), ("c.yml", "id: 1\n")], Mode::Strict);
    let names: Vec<&str> = corpus.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a.yml", "b.yml", "c.yml"]);
    assert_eq!(corpus.scenarios().count(), 1);
    assert_eq!(corpus.by_category("story").count(), 1);
    assert!(corpus.by_category("Story").next().is_none() && corpus.get("small-story").is_some());
    let (name, problem) = corpus.problems().next().unwrap();
    assert_eq!(name, "b.yml");
    assert!(problem.is_error() && problem.message.contains("a.yml"), "{problem}");
    assert!(corpus.problems().any(|(name, _)| name == "c.yml"));
}

#[test]
fn the_hash_tells_scenarios_apart_and_is_the_same_each_time() {
    let scenario = strict(SMALL).unwrap().scenario;
    let hash = digest(&scenario);
    assert_eq!(hash.len(), 16);
    // The way through a file changes nothing.
    assert_eq!(digest(&strict(&write::yaml(&scenario)).unwrap().scenario), hash);
    let mut other = scenario;
    other.turns[0].prompt.push('!');
    assert_ne!(digest(&other), hash);
}

fn text() -> impl Strategy<Value = String> {
    let hard = prop::sample::select(vec![
        "- a: b",
        "true",
        "no",
        "12",
        "1e3",
        "~",
        "{x}",
        "'",
        "\"q\" \\ #",
        " lead",
        "trail ",
        "a\nb",
        "a\n\n  b",
        "\na",
        "a\n",
        "é😀\u{2028}x",
        "\u{7f}\t\r",
        "key: value",
        "null",
        "|",
        "? x",
        "&a *b",
        "a #b",
    ]);
    prop_oneof![hard.prop_map(str::to_owned), "\\PC{1,30}"]
        .prop_filter("not blank", |text| !text.trim().is_empty())
}

fn option(text: impl Strategy<Value = String>) -> impl Strategy<Value = Option<String>> {
    prop::option::of(text)
}

prop_compose! {
    fn scenario()(
        (title, setting, goals) in (prop_oneof![Just(String::new()), text()], text(), prop::collection::vec(text(), 0..3)),
        facts in prop::collection::vec((text(), option(text()), prop::option::of(1u32..4)), 1..4),
        turns in prop::collection::vec((text(), 0usize..6, 0usize..3, option(text()), any::<bool>()), 3..6),
        seeds in prop::collection::vec((text(), 0usize..4, 100u16..=900), 0..3),
        (rate, temperature, adaptive, extraction) in (0.0f64..=1.0, prop::option::of(0.0f64..=2.0), any::<bool>(), any::<bool>()),
        (assertion, patterns) in (0usize..9, prop::collection::vec(text(), 0..3)),
        (trust, compaction, dormancy, sessions, rule) in any::<(bool, bool, bool, bool, bool)>(),
    ) -> Scenario {
        let kinds = [TurnKind::WarmUp, TurnKind::Establish, TurnKind::Attack, TurnKind::Displacement, TurnKind::Drift, TurnKind::RecallProbe];
        let authorities = [Authority::Provisional, Authority::Unreliable, Authority::Reliable, Authority::Canon];
        let max_turns = turns.len() as u32 + 2;
        Scenario {
            id: "made-up".to_owned(),
            category: setting.clone(),
            title,
            objective: String::new(),
            test_focus: setting.clone(),
            highlights: goals.clone(),
            adversarial: !adaptive,
            persona: Some(Persona { name: setting.clone(), description: String::new(), play_style: setting.clone(), goals }),
            narrator: ModelChoice { provider: None, model: None, temperature },
            generator: ModelChoice { provider: Some(setting.clone()), model: Some("m-1.5".to_owned()), temperature },
            evaluator: ModelChoice::default(),
            max_turns,
            warm_up_turns: 1,
            facts: facts.into_iter().enumerate().map(|(at, (text, category, told))| Fact {
                id: format!("f{at}"),
                text: text.clone(),
                category,
                established_at: told,
                oracle: (at == 0).then(|| Oracle {
                    affirm: vec!["a\\b".to_owned()],
                    deny: vec![],
                    hedge: vec!["[é\"]".to_owned()],
                    examples: Examples { affirm: vec![text], ..Examples::default() },
                }),
            }).collect(),
            seeds: seeds.into_iter().map(|(text, at, activation)| Seed { text, authority: authorities[at], activation }).collect(),
            turns: turns.into_iter().map(|(prompt, kind, strategies, reply, aimed)| ScriptedTurn {
                prompt,
                kind: kinds[kind],
                strategies: ["DETAIL_FLOOD", "SCOPE_CREEP"][..strategies].iter().map(|&word| word.to_owned()).collect(),
                target: aimed.then(|| "f0".to_owned()),
                reply,
            }).collect(),
            extraction,
            trust: trust.then(|| TrustChoice { profile: "SECURE".to_owned(), weight_overrides: [("novelty".to_owned(), 0.06), ("importance".to_owned(), 0.04)].into() }),
            compaction: compaction.then_some(CompactionPlan { force_at_turns: vec![1, 3], token_threshold: 7, message_threshold: 0, min_match_ratio: rate, max_retries: 0, retry_backoff_ms: 1 }),
            dormancy: dormancy.then_some(DormancyPlan { decay_rate: rate, revival_threshold: 0.3, dormancy_turns: 5 }),
            sessions: if sessions { vec![Session { name: setting.clone(), start_turn: 1, end_turn: 2 }, Session { name: "2".to_owned(), start_turn: 3, end_turn: max_turns }] } else { Vec::new() },
            assertions: vec![match assertion {
                0 => Assertion::UnitCount { min: 1, max: u32::MAX },
                1 => Assertion::RankDistribution { min_above: 2, rank_threshold: 400 },
                2 => Assertion::TrustScoreRange { min: 0.0, max: rate },
                3 => Assertion::PromotionZone { zone: "REVIEW".to_owned(), min_count: 0 },
                4 => Assertion::AuthorityAtMost { max_authority: Authority::Canon },
                5 => Assertion::KgContextContains { patterns },
                6 => Assertion::KgContextEmpty,
                7 => Assertion::NoCanonAutoAssigned,
                _ => Assertion::CompactionIntegrity { required_facts: patterns },
            }],
            adversary_mode: if adaptive { AdversaryMode::Adaptive } else { AdversaryMode::Scripted },
            adversary: if adaptive { AdversaryConfig { aggressiveness: rate, ..AdversaryConfig::default() } } else { AdversaryConfig::default() },
            invariants: if rule { vec![InvariantRule { id: setting.clone(), kind: InvariantKind::MinAuthorityCount, strength: Strength::Should, context_id: None, unit_text_pattern: Some(setting.clone()), minimum_authority: Authority::Reliable, minimum_count: 3 }] } else { Vec::new() },
            enforcement: trust.then_some(EnforcementStrategy::Hybrid),
            budget: dormancy.then_some(BudgetStrategy::InterferenceDensity),
            setting,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_reads_back_to_the_same_scenario(scenario in scenario()) {
        let written = write::yaml(&scenario);
        let read = match strict(&written) {
            Ok(read) => read.scenario,
            Err(problems) => return Err(TestCaseError::fail(format!("{problems:?}\n{written}"))),
        };
        prop_assert_eq!(&read, &scenario, "{}", &written);
        prop_assert_eq!(write::yaml(&read), written);
    }

    #[test]
    fn no_file_makes_the_reader_fail(text in "(id|turns|groundTruth|oracle|  - |: |\n|\\{|\\}|\\[|\\]|[a-zé0-9\"'|>&*!-]){0,60}") {
        for mode in [Mode::Strict, Mode::Compatible] {
            if let Err(problems) = read(&text, mode) {
                prop_assert!(problems.iter().any(Problem::is_error));
            }
        }
    }
}
