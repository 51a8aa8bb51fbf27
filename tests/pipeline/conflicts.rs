//! The search for conflicts on the labelled pairs: what words decide alone is right, and how much of it there is.

use credence::Memory;
use credence::config::Config;
use credence::conflict::{DetectionStrategy, Quality};
use credence::id::PropositionId;
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::Timestamp;
use credence::unit::{Activation, Earned, Unit, UnitView};
use credence_tests::conflict_pairs::{Pair, Said, Tally, pairs, score};
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

fn says(memory: &TestMemory, pair: &Pair) -> Said {
    let found = run(memory.detect_conflicts(&[statement(2, pair.statement)], &[unit(1, pair.unit)]));
    match found.conflicts[0].first() {
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
        let said = says(&memory, pair);
        let right = pair.is_conflict == (said != Said::Nothing);
        if !right && !pair.is_held {
            println!("{said:?} {} {}: {} / {}", pair.language, pair.kind, pair.unit, pair.statement);
        }
        said
    })
    .unwrap();
    for ((kind, language), tally) in &score.cells {
        println!("{}", line(&format!("{kind} {language}"), tally));
    }
    for (name, tally) in [("open", &score.open), ("held", &score.held), ("all", &score.all)] {
        println!("{}", line(name, tally));
    }
    for (name, tally, recall) in
        [("open", &score.open, 0.9), ("held", &score.held, 0.75), ("all", &score.all, 0.85)]
    {
        assert!(tally.precision() >= 0.98 && tally.recall() >= recall, "{}", line(name, tally));
    }
}

#[test]
fn the_pairs_are_what_they_are_said_to_be() {
    let pairs = pairs().unwrap();
    assert!(pairs.len() >= 320, "{}", pairs.len());
    let held = pairs.iter().filter(|pair| pair.is_held).count();
    assert!(held * 10 >= pairs.len() * 3, "{held}");
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
