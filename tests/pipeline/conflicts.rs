//! The search for conflicts on the labelled pairs: what words decide alone is right, and how much of it there is.

use std::collections::BTreeMap;

use credence::Memory;
use credence::config::Config;
use credence::conflict::{Conflict, DetectionStrategy, Quality};
use credence::id::PropositionId;
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::Timestamp;
use credence::unit::{Activation, Earned, Unit, UnitView};
use credence_tests::conflict_pairs::{Pair, Said, Set, Tally, pairs, score};
use uuid::Uuid;

use super::support::{TestMemory, context, run};

fn statement(n: u128, text: &str) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(n));
    Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Rules, Timestamp(0)).unwrap()
}

fn unit(n: u128, text: &str) -> UnitView {
    let statement = statement(n, text);
    let unit = Unit::promoted(statement.id, Activation::default(), Earned::Reliable, None, Timestamp(0));
    UnitView::new(unit, statement, Timestamp(0), &Config::default())
}

fn by_words() -> TestMemory {
    let mut config = Config::default();
    config.conflict_detection.strategy = DetectionStrategy::Lexical;
    run(Memory::open(TestPorts::offline(), context(), config)).unwrap()
}

fn found(memory: &TestMemory, pair: &Pair) -> Option<Conflict> {
    let found = run(memory.detect_conflicts(&[statement(2, pair.statement)], &[unit(1, pair.unit)]));
    found.conflicts.concat().into_iter().next()
}

fn says(conflict: Option<&Conflict>) -> Said {
    match conflict {
        Some(conflict) if conflict.quality == Quality::Full => Said::Conflict,
        Some(_) => Said::Perhaps,
        None => Said::Nothing,
    }
}

fn line(name: &str, tally: &Tally) -> String {
    format!(
        "{name:<14} {:>4} pairs {:>4} conflicts | precision {:.3} recall {:.3} seen {:.3} | wrong {} doubted {}",
        tally.pairs,
        tally.conflicts,
        tally.precision(),
        tally.recall(),
        tally.seen(),
        tally.wrong,
        tally.doubted
    )
}

#[test]
fn words_alone_are_right_about_what_they_decide() {
    let memory = by_words();
    let score = score(|pair| {
        let said = says(found(&memory, pair).as_ref());
        let right = pair.is_conflict == (said != Said::Nothing);
        if !right && pair.set == Set::Open {
            println!("{said:?} {} {}: {} / {}", pair.language, pair.kind, pair.unit, pair.statement);
        }
        said
    })
    .unwrap();
    for ((kind, language), tally) in &score.cells {
        println!("{}", line(&format!("{kind} {language}"), tally));
    }
    for (set, tally) in &score.sets {
        println!("{}", line(&format!("{set:?}"), tally));
    }
    println!("{}", line("all", &score.all));
    for (set, recall) in [(Set::Open, 0.9), (Set::Held, 0.75), (Set::Late, 0.7)] {
        let tally = &score.of(set);
        assert!(
            tally.precision() >= 0.98 && tally.recall() >= recall,
            "{}",
            line(&format!("{set:?}"), tally)
        );
    }
}

/// A grade means what it says: of the pairs that are called a conflict with a confidence, at least that share is one.
#[test]
fn grades_are_kept_by_what_they_grade() {
    let memory = by_words();
    let mut grades: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for pair in pairs().unwrap() {
        if let Some(conflict) = found(&memory, &pair).filter(|c| c.quality == Quality::Full) {
            let (right, all) = grades.entry((conflict.confidence * 100.0).round() as u32).or_default();
            *right += u32::from(pair.is_conflict);
            *all += 1;
        }
    }
    println!("right and all by confidence: {grades:?}");
    assert!(grades.len() >= 3 && grades.values().all(|(_, all)| *all >= 10), "{grades:?}");
    for (grade, (right, all)) in grades {
        assert!(100 * right >= grade * all, "{grade}: {right} of {all}");
    }
}

#[test]
fn the_pairs_are_what_they_are_said_to_be() {
    let pairs = pairs().unwrap();
    assert!(pairs.len() >= 320, "{}", pairs.len());
    let aside = pairs.iter().filter(|pair| pair.set != Set::Open).count();
    assert!(aside * 3 >= pairs.len(), "{aside}");
    for language in ["en", "de", "es", "fr"] {
        for kind in ["negation", "antonym", "number", "date", "value", "none"] {
            let cell = pairs.iter().filter(|pair| pair.language == language && pair.kind == kind);
            assert!(cell.count() >= 10, "{kind} {language}");
        }
    }
    let mut texts: Vec<(&str, &str)> = pairs.iter().map(|pair| (pair.unit, pair.statement)).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), pairs.len(), "no pair stands there twice");
}
