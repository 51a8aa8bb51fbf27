//! Two clocks: what held when, as it was known when.

use credence::memory::Edit;
use credence::proposition::{Proposition, Status, Temporal};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::{DAY_MS, Timestamp};

use super::support::*;

fn at(day: &str) -> Timestamp {
    Timestamp::parse(day).unwrap()
}
fn held(memory: &TestMemory, valid: &str, recorded: &str) -> Vec<String> {
    let found = memory.as_of(at(valid), at(recorded)).unwrap();
    found.into_iter().map(|view| view.proposition.text).collect()
}
/// Moves the clock on and says it.
async fn later(memory: &TestMemory, days: i64, text: &str) {
    memory.ports().clock.advance_ms(days * DAY_MS);
    tell(memory, &[text]).await;
}

/// G15: a superseded fact is seen where it held, and only there.
#[test]
fn what_was_superseded_is_seen_where_it_held() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        later(&memory, 30, "I live in Bergen.").await;
        assert_eq!(held(&memory, "2026-03-20", "2027-01-01"), ["User lives in Oslo."]);
        assert_eq!(held(&memory, "2026-05-01", "2027-01-01"), ["User lives in Bergen."]);
        assert_eq!(held(&memory, "2026-05-01", "2026-03-20"), ["User lives in Oslo."], "as was known then");
        assert!(held(&memory, "2026-05-01", "2026-03-01").is_empty(), "nothing was recorded yet");
        let then = &memory.as_of(at("2026-03-20"), at("2027-01-01")).unwrap()[0];
        let rule = credence::proposition::DecayRule::default();
        let worth = credence::proposition::effective_confidence(&then.proposition, at("2026-03-20"), rule);
        assert_eq!((then.effective, then.proposition.status), (worth, Status::Superseded));
    });
}

/// A correction that arrives late changes what is said of the past, and not what was said of it then.
#[test]
fn late_news_change_the_past_but_not_what_was_known_of_it() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Bergen."]).await;
        memory.ports().clock.advance_ms(10 * DAY_MS);
        let before = memory.now().at;
        memory.ports().clock.advance_ms(DAY_MS);
        // A conversation of two years ago is read now.
        let conversation = memory.start_conversation("").await.unwrap();
        memory.ports().clock.advance_ms(-700 * DAY_MS);
        user_says(&memory, conversation, "I live in Oslo.").await;
        memory.ports().clock.advance_ms(700 * DAY_MS);
        analyse(&memory, conversation).await;
        let now = memory.now().at;
        let known = |valid: &str, recorded: Timestamp| -> Vec<String> {
            memory.as_of(at(valid), recorded).unwrap().into_iter().map(|view| view.proposition.text).collect()
        };
        assert_eq!(known("2025-01-01", now), ["User lives in Oslo."]);
        assert_eq!(known("2025-01-01", before), ["User lives in Bergen."], "no beginning was known");
        assert_eq!(known("2026-04-01", now), ["User lives in Bergen."]);
    });
}

#[test]
fn what_proved_wrong_never_held_and_what_came_back_holds() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno."]).await;
        later(&memory, 30, "Pia can't stand techno.").await;
        assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno."]);
        assert_eq!(held(&memory, "2026-03-20", "2027-01-01"), ["Pia can't stand techno."]);
        assert_eq!(held(&memory, "2026-03-20", "2026-03-20"), ["Pia loves techno."]);
        let wrong = memory.as_of(at("2026-03-20"), at("2026-03-20")).unwrap()[0].proposition.id;
        memory.ports().clock.advance_ms(DAY_MS);
        let back = Edit { status: Some(Status::Active), ..Edit::default() };
        memory.edit(wrong, &back).await.unwrap();
        assert_eq!(held(&memory, "2026-03-20", "2027-01-01").len(), 2);
    });
}

/// core 224: the temporal block survives JSON, and what is missing is missing.
#[test]
fn core_224_temporal_fields_survive_json() {
    let block = Temporal {
        observed_at: Some(Timestamp(3)),
        valid_from: Some(Timestamp(1)),
        valid_to: Some(Timestamp(9)),
        invalidated_at: Some(Timestamp(8)),
        ..Temporal::default()
    };
    let json = serde_json::to_string(&block).unwrap();
    assert_eq!(serde_json::from_str::<Temporal>(&json).unwrap(), block);
    let none: Temporal = serde_json::from_str("{}").unwrap();
    assert_eq!(none, Temporal::default());
    assert!(none.valid_from.is_none() && none.valid_to.is_none() && none.supersedes.is_empty());
    let ports = TestPorts::offline();
    let id = credence::id::PropositionId::new(credence::ports::Ids::next(&ports.ids));
    let extractor = credence::proposition::Extractor::Person;
    let fact = Proposition::new(id, "Nia sails.", Confidence::MAX, extractor, Timestamp(0)).unwrap();
    let json = serde_json::to_value(&fact).unwrap();
    assert!(json.get("temporal").is_none(), "an empty block is not written");
    assert_eq!(serde_json::from_value::<Proposition>(json).unwrap().temporal, Temporal::default());
}
