//! The same input gives the same bytes natively and in wasm.
//!
//! A long conversation goes through the importer, the rule-based extractor and the text rules, and the decay curve over
//! a range of ages; then a conversation is lived through whole: statements are promoted, confirmed, made CANON, contradicted, forgotten by
//! time, looked through and put into prompts, and every commit is written as the hash of its bytes; and a matrix of the scenario runner is played
//! and reckoned up. Every number is written with its bits. Both targets compare their lines with the one file
//! `tests/fixtures/parity.txt`. After a change that is meant: `UPDATE=1 cargo test -p credence-tests --test parity`.

use std::fmt::Write as _;

use credence::config::Config;
use credence::conversation::Speaker;
use credence::embedded;
use credence::extraction::{Trigger, WindowTurn};
use credence::history::ContentId;
use credence::id::ContextId;
use credence::import;
use credence::inbox::Asker;
use credence::llm::Cancel;
use credence::ports::Ports;
use credence::proposition::{DecayAge, DecayRule, Proposition, effective_confidence};
use credence::testing::TestPorts;
use credence::text;
use credence::time::{Moment, Timestamp};
use credence::unit::UnitView;
use credence::upkeep::SweepKind;
use credence::{Error, Memory};
use futures::FutureExt;

mod parity {
    pub(crate) mod matrix;
}

const CONVERSATION: &str = include_str!("e2e/fixtures/two-friends.txt");
const EXPECTED: &str = include_str!("fixtures/parity.txt");

/// A number for people, and all its bits.
fn exact(value: f64) -> String {
    format!("{value:.6} {:016x}", value.to_bits())
}

async fn lines() -> String {
    let day = Timestamp::parse("2026-03-02T10:00:00Z").expect("a date");
    let mut out = String::new();
    statements(&mut out, Moment::utc(day));
    decay(&mut out, day);
    lived(&mut out)
        .now_or_never()
        .expect("nothing in a memory on doubles has to wait")
        .expect("the scenario runs");
    parity::matrix::lines(&mut out).await;
    out
}

/// A conversation with the working set at work, offline: what stands in it and what a model would be told after each step, and the hash
/// of every commit.
async fn lived(out: &mut String) -> Result<(), Error> {
    let memory =
        Memory::open(TestPorts::offline(), ContextId::new("parity").expect("a name"), Config::default())
            .await?;
    let talk = memory.start_conversation("").await?;
    let hear = async |text: &str| -> Result<(), Error> {
        memory.say(talk, Speaker::User, text).await?;
        memory.analyse(talk, Trigger::Now, &Cancel::new(), &mut |_| {}).await?;
        memory.ports().clock().advance_ms(7 * 60_000);
        Ok(())
    };
    for text in [
        "I'm allergic to peanuts.",
        "I live in Oslo and I work as a nurse.",
        "My sister Anna plays the cello.",
        "Ich wohne seit März in Oslo.",
        "My dog is called Biscuit.",
        "I moved to Bergen last week.",
        "My sister Anna plays the cello.",
    ] {
        hear(text).await?;
    }
    standing(out, &memory, "after seven turns");
    let first = memory.working_set().first().map(UnitView::id).expect("something was promoted");
    memory.confirm_unit(first).await?;
    memory.request_canon(first, Asker::Person, "").await?;
    let text = memory.unit(first).expect("it is a unit").proposition.text;
    hear(&text.replace("User is", "I'm not").replace("User ", "I don't ")).await?;
    standing(out, &memory, "after an attack on canon");
    for question in ["What must I not eat?", "Where do I live?", "What is 17 times 23?"] {
        let assembled = memory.assemble(talk, question).await?;
        writeln!(out, "prompt for {question}: {} tokens likely", assembled.tokens.prompt.likely)
            .expect("a string grows");
        for line in assembled.system().lines() {
            writeln!(out, "  {line}").expect("a string grows");
        }
        for item in &assembled.items {
            writeln!(out, "  in: {} {}", item.text, exact(item.score)).expect("a string grows");
        }
        for left in &assembled.left_out {
            writeln!(
                out,
                "  out: {} {:?} {}",
                left.proposition,
                left.reason,
                left.score.map(exact).unwrap_or_default()
            )
            .expect("a string grows");
        }
    }
    memory.ports().clock().advance_ms(40 * 24 * 3_600_000);
    memory.keep_up(&Cancel::new()).await?;
    memory.sweep(SweepKind::Full, false, &Cancel::new()).await?;
    standing(out, &memory, "after forty days and a sweep");
    for commit in memory.log().commits() {
        let bytes = serde_json::to_string(&**commit).expect("a commit is JSON");
        writeln!(out, "commit {} {}: {}", commit.seq, commit.cause.as_str(), ContentId::of_text(&bytes))
            .expect("a string grows");
    }
    Ok(())
}

/// The working set, with every number.
fn standing(out: &mut String, memory: &Memory<TestPorts>, when: &str) {
    writeln!(out, "{when}: pressure {}", exact(memory.pressure().score)).expect("a string grows");
    for view in memory.working_set() {
        let trust = view.unit.trust().map(|audit| exact(audit.score)).unwrap_or_default();
        writeln!(
            out,
            "  {} | {} | {} | {:?} | {} | {trust}",
            view.proposition.text,
            view.authority.as_str(),
            view.activation.get(),
            view.tier,
            exact(view.effective),
        )
        .expect("a string grows");
    }
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

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen_test::wasm_bindgen_test]
async fn both_targets_give_the_same_bytes() {
    compare(&lines().await);
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn both_targets_give_the_same_bytes() {
    let actual = futures::executor::block_on(lines());
    if std::env::var_os("UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/parity.txt");
        std::fs::write(path, &actual).expect("the fixture can be written");
        return;
    }
    compare(&actual);
}

fn compare(actual: &str) {
    assert!(EXPECTED.lines().count() > 250, "the fixture is nearly empty");
    for (number, (expected, actual)) in EXPECTED.lines().zip(actual.lines()).enumerate() {
        assert_eq!(actual, expected, "line {} of tests/fixtures/parity.txt", number + 1);
    }
    assert_eq!(actual.lines().count(), EXPECTED.lines().count());
}
