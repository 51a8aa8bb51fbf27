//! The same input gives the same bytes natively and in wasm.
//!
//! A long conversation goes through the importer, the rule-based extractor and the text rules, and the decay curve over
//! a range of ages; every number is written with its bits. Both targets compare their lines with the one file
//! `tests/fixtures/parity.txt`. After a change that is meant: `UPDATE=1 cargo test -p credence-tests --test parity`.

use std::fmt::Write as _;

use credence::embedded;
use credence::extraction::WindowTurn;
use credence::import;
use credence::proposition::{DecayAge, DecayRule, Proposition, effective_confidence};
use credence::text;
use credence::time::{Moment, Timestamp};

const CONVERSATION: &str = include_str!("e2e/fixtures/two-friends.txt");
const EXPECTED: &str = include_str!("fixtures/parity.txt");

/// A number for people, and all its bits.
fn exact(value: f64) -> String {
    format!("{value:.6} {:016x}", value.to_bits())
}

fn lines() -> String {
    let day = Timestamp::parse("2026-03-02T10:00:00Z").expect("a date");
    let mut out = String::new();
    statements(&mut out, Moment::utc(day));
    decay(&mut out, day);
    out
}

/// What the rules read in the conversation, and what they leave.
fn statements(out: &mut String, at: Moment) {
    let conversation =
        import::parse("two-friends.txt", CONVERSATION, at).expect("the fixture is a conversation");
    let window: Vec<WindowTurn> = conversation
        .turns
        .iter()
        .map(|turn| WindowTurn {
            speaker: turn.speaker.clone(),
            is_user: turn.speaker == "Maya",
            is_assistant: false,
            text: turn.text.clone(),
            date: at.date_text(),
            context_only: false,
        })
        .collect();
    // Window by window, as the pipeline reads it, so that no cap leaves the end out.
    for (number, turns) in window.chunks(10).enumerate() {
        let found = embedded::extract(turns);
        for candidate in &found.candidates {
            let numbers =
                [candidate.confidence, candidate.decay, candidate.importance].map(exact).join(" | ");
            let canonical = text::canonical(&candidate.text);
            let polarity = text::polarity(&candidate.text);
            writeln!(out, "{number} + {} | {canonical} | {polarity:?} | {numbers}", candidate.text)
                .expect("a string grows");
        }
        for dropped in &found.dropped {
            writeln!(out, "{number} - {} | {:?}", dropped.text, dropped.reason).expect("a string grows");
        }
    }
}

/// Effective confidence over ages from nothing to years.
fn decay(out: &mut String, born: Timestamp) {
    let at = serde_json::to_value(born).expect("a time is a value");
    for (rate, hours) in (0..240).map(|step: i64| ((step % 20) as f64 / 20.0, step * step / 8)) {
        let proposition: Proposition = serde_json::from_value(serde_json::json!({
            "id": "P00000000000070008000000000000001", "text": "x", "confidence": 0.93, "decay": rate, "extractor": {"by": "rules"},
            "created": at, "content_revised": at, "metadata_revised": at, "last_accessed": at,
        }))
        .expect("these are a proposition's fields");
        let rule = DecayRule { age: DecayAge::FractionalDays, ..DecayRule::default() };
        let later = born.plus_ms(hours * 3_600_000);
        writeln!(
            out,
            "decay {rate:.2} after {hours} h: {}",
            exact(effective_confidence(&proposition, later, rule))
        )
        .expect("a string grows");
    }
}

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn both_targets_give_the_same_bytes() {
    let actual = lines();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/parity.txt");
        std::fs::write(path, &actual).expect("the fixture can be written");
        return;
    }
    assert!(EXPECTED.lines().count() > 250, "the fixture is nearly empty");
    for (number, (expected, actual)) in EXPECTED.lines().zip(actual.lines()).enumerate() {
        assert_eq!(actual, expected, "line {} of tests/fixtures/parity.txt", number + 1);
    }
    assert_eq!(actual.lines().count(), EXPECTED.lines().count());
}
