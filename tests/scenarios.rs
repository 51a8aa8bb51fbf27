//! Scenarios as a whole: our own corpus keeps what it promises, and the predecessor's files are read, every one of them.
//!
//! Those files are no part of the project. They are read from `data/scenarios` below the folder that `CREDENCE_SHARED` names, else
//! below the folder `shared` beside the checkout; where it is not there, their tests say so and pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use credence::enforcement::EnforcementStrategy;
use credence::text::{Language, language};
use credence_sim::judge::oracle;
use credence_sim::scenario::{
    self, AdversaryMode, Assertion, Content, Corpus, Mode, OWN, Scenario, TurnKind, read, write,
};
use credence_sim::strategy::Catalog;
use credence_sim::verdict::Ruling;

/// The files of a folder with their names, in the order of names.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a file of it can be read"))
        })
        .collect();
    out.sort();
    out
}

/// The predecessor's scenarios and its catalogue of strategies, as we read them; `None`: they are not here.
fn predecessors() -> Option<Corpus> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let shared = std::env::var_os("CREDENCE_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let folder = shared.join("data/scenarios");
    if !folder.is_dir() {
        println!(
            "skipped: the predecessor's scenarios are not here; name the folder above data/scenarios in CREDENCE_SHARED"
        );
        return None;
    }
    let files = files(&folder);
    Some(Corpus::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str())), Mode::Compatible))
}

/// Our own corpus, read once.
fn own() -> &'static Corpus {
    static OURS: LazyLock<Corpus> = LazyLock::new(scenario::own);
    &OURS
}

fn sum(corpus: &Corpus, of: impl Fn(&Scenario) -> usize) -> usize {
    corpus.scenarios().map(of).sum()
}

#[test]
fn every_file_of_the_predecessor_is_read_with_the_counts_of_its_corpus() {
    let Some(all) = predecessors() else { return };
    let errors: Vec<String> =
        all.problems().filter(|(_, p)| p.is_error()).map(|(name, p)| format!("{name}: {p}")).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!((all.files.len(), all.scenarios().count()), (34, 33));
    assert_eq!(sum(&all, |scenario| scenario.turns.len()), 513);
    assert_eq!(sum(&all, |scenario| scenario.turns.iter().filter(|turn| turn.kind.is_judged()).count()), 211);
    assert_eq!(sum(&all, |scenario| scenario.facts.len()), 172);
    assert_eq!(sum(&all, |scenario| scenario.seeds.len()), 95);
    for (category, count) in [
        ("adversarial", 18),
        ("baseline", 2),
        ("compaction", 1),
        ("dormancy", 2),
        ("drift", 5),
        ("extraction", 2),
        ("multi-session", 1),
        ("trust", 2),
    ] {
        assert_eq!(all.by_category(category).count(), count, "{category}");
    }
    let catalogs = all.files.iter().filter_map(|file| match &file.content {
        Content::Strategies(catalog) => Some(catalog.all().len()),
        _ => None,
    });
    assert_eq!(catalogs.collect::<Vec<_>>(), [20]);
}

#[test]
fn what_a_run_of_the_predecessors_files_will_not_apply_is_named() {
    let Some(all) = predecessors() else { return };
    let named: BTreeSet<(&str, &str)> = all
        .problems()
        .filter(|(_, problem)| problem.message.starts_with("not applied"))
        .map(|(name, problem)| (name, problem.path.as_str()))
        .collect();
    let fact = |at: usize| format!("groundTruth[{at}].establishedAt");
    let facts: Vec<String> = (0..5).map(fact).collect();
    let mut expected: BTreeSet<(&str, &str)> =
        facts.iter().map(|path| ("adaptive-tavern-fire.yml", path.as_str())).collect();
    for signal in ["consistency", "source_authority"] {
        let path = if signal == "consistency" {
            "trustConfig.weightOverrides.consistency"
        } else {
            "trustConfig.weightOverrides.source_authority"
        };
        expected.insert(("trust-evaluation-full-signals.yml", path));
    }
    assert_eq!(named, expected);
    let trust = all.get("trust-evaluation-full-signals").and_then(|scenario| scenario.trust.clone());
    assert!(trust.is_some_and(|trust| trust.profile == "SECURE" && trust.weight_overrides.is_empty()));
}

#[test]
fn the_predecessors_files_survive_being_written() {
    let Some(all) = predecessors() else { return };
    for scenario in all.scenarios() {
        let written = write::yaml(scenario);
        let read =
            read(&written, Mode::Strict).unwrap_or_else(|problems| panic!("{}: {problems:?}", scenario.id));
        assert_eq!(&read.scenario, scenario);
    }
}

#[test]
fn our_own_files_are_read_strictly_without_a_problem() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = files(&folder);
    let corpus = Corpus::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str())), Mode::Strict);
    let problems: Vec<String> =
        corpus.problems().map(|(name, problem)| format!("{name}: {problem}")).collect();
    assert_eq!(problems, [""; 0]);
    // The compiled corpus is the folder, and a file is called as its scenario.
    let ids: Vec<&str> = corpus.scenarios().map(|scenario| scenario.id.as_str()).collect();
    assert_eq!(ids, OWN.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let names: Vec<String> = ids.iter().map(|id| format!("{id}.yml")).collect();
    assert_eq!(names, files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    assert_eq!(own().scenarios().collect::<Vec<_>>(), corpus.scenarios().collect::<Vec<_>>());
}

#[test]
fn the_corpus_covers_domains_lengths_strategies_and_plans() {
    let corpus = own();
    let all: Vec<&Scenario> = corpus.scenarios().collect();
    assert!(all.len() >= 30, "{}", all.len());
    for category in ["story", "operations", "compliance", "health", "household"] {
        assert!(corpus.by_category(category).count() >= 4, "{category}");
    }
    assert!(all.iter().all(|scenario| (8..=40).contains(&scenario.max_turns)));
    assert!(all.iter().any(|scenario| scenario.max_turns == 40));
    let used: BTreeSet<&str> =
        all.iter().flat_map(|s| &s.turns).flat_map(|turn| &turn.strategies).map(String::as_str).collect();
    let catalog = Catalog::ours();
    assert_eq!(used, catalog.all().iter().map(|strategy| strategy.id.as_str()).collect());
    let count = |what: &dyn Fn(&Scenario) -> bool| all.iter().filter(|scenario| what(scenario)).count();
    let has_attack = |scenario: &Scenario| {
        scenario.adversary_mode == AdversaryMode::Adaptive
            || scenario.turns.iter().any(|turn| turn.kind.is_judged() && turn.kind != TurnKind::RecallProbe)
    };
    for (what, found) in [
        ("adaptive", count(&|s| s.adversary_mode == AdversaryMode::Adaptive)),
        ("sessions", count(&|s| s.sessions.len() > 1)),
        ("compaction", count(&|s| s.compaction.is_some())),
        ("dormancy", count(&|s| s.dormancy.is_some())),
        ("invariants", count(&|s| !s.invariants.is_empty())),
        ("trust", count(&|s| s.trust.is_some())),
        ("seeds", count(&|s| !s.seeds.is_empty())),
        ("enforcement", count(&|s| s.enforcement.is_some_and(|e| e != EnforcementStrategy::PromptOnly))),
        ("no attack", count(&|s| !has_attack(s))),
        ("German", count(&|s| language(&s.setting) == Language::German)),
        ("other languages", count(&|s| language(&s.setting) != Language::English)),
    ] {
        assert!(found >= 2, "{what}: {found}");
    }
    assert!(all.iter().any(|scenario| language(&scenario.setting) == Language::Spanish));
}

#[test]
fn every_fact_is_told_in_a_turn_before_it_is_attacked_and_never_by_the_setting() {
    for scenario in own().scenarios() {
        assert!(scenario.facts.len() >= 3 && !scenario.assertions.is_empty(), "{}", scenario.id);
        assert!(scenario.assertions.contains(&Assertion::NoCanonAutoAssigned), "{}", scenario.id);
        for fact in &scenario.facts {
            let place = format!("{}: {}", scenario.id, fact.id);
            let told = fact.established_at.expect(&place) as usize;
            let line = &scenario.turns[told - 1];
            assert!(matches!(line.kind, TurnKind::Establish | TurnKind::WarmUp), "{place}");
            assert!(oracle::affirms(fact, &line.prompt), "{place}: {}", line.prompt);
            let elsewhere = scenario.seeds.iter().map(|seed| &seed.text).chain([&scenario.setting]);
            for text in elsewhere {
                assert_eq!(oracle::ruling(fact, text), Ruling::NotMentioned, "{place}: {text}");
            }
            for turn in scenario.turns.iter().take(told - 1) {
                assert_eq!(
                    oracle::ruling(fact, &turn.prompt),
                    Ruling::NotMentioned,
                    "{place}: {}",
                    turn.prompt
                );
            }
            let asked = |kind: TurnKind| {
                scenario.turns.iter().any(|turn| turn.kind == kind && turn.target.as_ref() == Some(&fact.id))
            };
            let adaptive = scenario.adversary_mode == AdversaryMode::Adaptive;
            assert!(adaptive || asked(TurnKind::RecallProbe), "{place} is never asked for");
        }
    }
}

#[test]
fn every_oracle_affirms_its_fact_and_knows_its_opposite() {
    for scenario in own().scenarios() {
        for fact in &scenario.facts {
            let place = format!("{}: {}", scenario.id, fact.id);
            let found = fact.oracle.as_ref().expect(&place);
            assert!(!found.hedge.is_empty() && !found.examples.hedge.is_empty(), "{place}");
            assert!(!found.examples.deny.is_empty(), "{place}");
            assert_eq!(oracle::ruling(fact, &fact.text), Ruling::Confirmed, "{place}");
            // What is asked or doubted is left open, in the language of the fact.
            let doubted = match language(&fact.text) {
                Language::German => format!("Vielleicht. {}?", fact.text.trim_end_matches('.')),
                Language::Spanish => format!("Quizás. ¿{}?", fact.text.trim_end_matches('.')),
                _ => format!("Perhaps. {}?", fact.text.trim_end_matches('.')),
            };
            assert_eq!(oracle::ruling(fact, &doubted), Ruling::NotMentioned, "{place}: {doubted}");
            // And what a reply says last, with a word that corrects, counts.
            let wrong = &found.examples.deny[0];
            let mended = format!("{wrong} Sorry, I misspoke. {}", fact.text);
            assert_eq!(oracle::ruling(fact, &mended), Ruling::Confirmed, "{place}: {mended}");
        }
    }
}

#[test]
fn no_attack_says_what_it_aims_at_and_no_question_gives_the_answer() {
    for scenario in own().scenarios() {
        for turn in scenario.turns.iter().filter(|turn| turn.kind.is_judged()) {
            let target = turn.target.as_deref().expect("every judged turn has a target");
            let fact = scenario.facts.iter().find(|fact| fact.id == target).expect("which is a fact");
            let ruling = oracle::ruling(fact, &turn.prompt);
            if turn.kind == TurnKind::RecallProbe {
                assert_eq!(ruling, Ruling::NotMentioned, "{}: {}", scenario.id, turn.prompt);
            } else {
                assert!(!turn.strategies.is_empty(), "{}: {}", scenario.id, turn.prompt);
                assert_ne!(ruling, Ruling::Confirmed, "{}: {}", scenario.id, turn.prompt);
            }
        }
    }
}
