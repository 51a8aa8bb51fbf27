//! `cargo run --profile bench -p credence --example working_set`: which settings the working set has, and how the rules that find conflicts
//! by words alone fare on the labelled pairs, as one JSON object. `cargo xtask bench working-set` runs it and counts which
//! settings a test proves live.
//!
//! With `--kinds`: a line for each kind of pair and language instead.

#[expect(unreachable_pub, reason = "shared with the tests, where it is a library's public module")]
#[path = "../../../../tests/support/conflict_pairs.rs"]
mod conflict_pairs;

use credence::Memory;
use credence::config::Config;
use credence::config::properties::{LATER, PROPERTIES};
use credence::conflict::{DetectionStrategy, Quality};
use credence::id::{ContextId, PropositionId};
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::Timestamp;
use credence::unit::{Activation, Earned, Unit, UnitView};
use futures::executor::block_on;
use serde_json::{Value, json};
use uuid::Uuid;

use conflict_pairs::{Pair, Said, Score, Set, Tally, score};

fn main() -> Result<(), String> {
    let score = by_words()?;
    if std::env::args().any(|argument| argument == "--kinds") {
        println!("{}", Value::Array(kinds(&score)));
        return Ok(());
    }
    let names: Vec<&str> = PROPERTIES.iter().map(|property| property.name).collect();
    let figures = json!({
        "properties": names,
        "properties_later": LATER.len(),
        "pairs": score.all.pairs,
        "rule_precision": rounded(score.all.precision()),
        "rule_recall": rounded(score.all.recall()),
        "rule_precision_held": rounded(score.of(Set::Held).precision()),
        "rule_recall_held": rounded(score.of(Set::Held).recall()),
        "rule_precision_late": rounded(score.of(Set::Late).precision()),
        "rule_recall_late": rounded(score.of(Set::Late).recall()),
        "rule_recall_open": rounded(score.of(Set::Open).recall()),
    });
    println!("{figures}");
    Ok(())
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// The cells of the score, by kind and language.
fn kinds(score: &Score) -> Vec<Value> {
    let cell = |((kind, language), tally): (&(&str, &str), &Tally)| {
        json!({
            "what": format!("{kind} {language}"),
            "pairs": tally.pairs,
            "conflicts": tally.conflicts,
            "found": tally.found,
            "suspected": tally.seen - tally.found,
            "wrong": tally.wrong,
            "doubted": tally.doubted,
            "recall_with_suspicion": rounded(tally.seen()),
        })
    };
    score.cells.iter().map(cell).collect()
}

/// What words alone say of every pair.
fn by_words() -> Result<Score, String> {
    let mut config = Config::default();
    config.conflict_detection.strategy = DetectionStrategy::Lexical;
    let context = ContextId::new("bench").map_err(|error| error.to_string())?;
    let memory = block_on(Memory::open(TestPorts::offline(), context, config.clone()))
        .map_err(|error| error.to_string())?;
    let statement = |n, text: &str| {
        let (id, confidence) = (PropositionId::new(Uuid::from_u128(n)), Confidence::clamped(0.8));
        Proposition::new(id, text, confidence, Extractor::Rules, Timestamp(0)).map_err(|e| e.to_string())
    };
    let judge = |pair: &Pair| -> Result<Said, String> {
        let (unit, incoming) = (statement(1, pair.unit)?, statement(2, pair.statement)?);
        let record = Unit::promoted(unit.id, Activation::default(), Earned::Reliable, None, Timestamp(0));
        let view = UnitView::new(record, unit, Timestamp(0), &config);
        let found = block_on(memory.detect_conflicts(&[incoming], &[view]));
        Ok(match found.conflicts[0].first() {
            Some(conflict) if conflict.quality == Quality::Full => Said::Conflict,
            Some(_) => Said::Perhaps,
            None => Said::Nothing,
        })
    };
    let mut failed = None;
    let scored = score(|pair| {
        judge(pair).unwrap_or_else(|why| {
            failed = Some(why);
            Said::Nothing
        })
    });
    failed.map_or(scored, Err)
}
