//! The worked values and edges of propositions: dice 11.2, facts 1 to 21, under their numbers.

use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::time::DAY_MS;

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn fact_at(confidence: f64, decay: f64, now: Timestamp) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(1));
    let confidence = Confidence::new(confidence).unwrap();
    let mut p = Proposition::new(id, " Mara owns a kayak ", confidence, Extractor::Person, now).unwrap();
    p.decay = Decay::new(decay).unwrap();
    p
}

fn fact(confidence: f64, decay: f64) -> Proposition {
    fact_at(confidence, decay, Timestamp(0))
}

fn eff_at(p: &Proposition, instant: Timestamp) -> f64 {
    effective_confidence(p, instant, DecayRule::default())
}

fn eff(p: &Proposition, days: f64) -> f64 {
    eff_at(p, Timestamp((days * DAY_MS as f64) as i64))
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 5e-6, "{a} is not {b}");
}

#[test]
fn dice_1_numbers_out_of_range_are_refused() {
    assert!(Confidence::new(1.5).is_err() && Confidence::new(-0.1).is_err());
    assert!(Importance::new(1.5).is_err() && Importance::new(-0.1).is_err());
    assert!(Decay::new(1.5).is_err() && Decay::new(-0.1).is_err());
    let mut json = serde_json::to_value(fact(0.5, 0.1)).unwrap();
    json["importance"] = json!(1.5);
    assert!(serde_json::from_value::<Proposition>(json).is_err(), "no way around it through JSON");
}

#[test]
fn dice_2_limits_are_valid_and_defaults_stand() {
    for confidence in [0.0, 1.0] {
        let p = fact(confidence, 0.0);
        assert_eq!(p.validate(), Ok(()));
        assert_eq!(p.text, "Mara owns a kayak", "trimmed");
        assert_eq!((p.status, p.importance.get(), p.pinned), (Status::Active, 0.5, false));
        assert_eq!((p.decay.get(), p.level, p.reinforce_count), (0.0, 0, 0));
        assert!(p.reasoning.is_none() && p.uri.is_none() && p.temporal.is_empty());
        assert!(p.grounding.is_empty() && p.provenance.is_empty() && p.source_ids.is_empty());
    }
}

#[test]
fn dice_3_an_abstraction_needs_its_sources() {
    let mut p = fact(0.5, 0.0);
    p.level = 1;
    assert_eq!(p.validate(), Err(PropositionError::NoSources { level: 1 }));
    p.source_ids = vec![PropositionId::new(Uuid::from_u128(2))];
    assert_eq!(p.validate(), Ok(()));
}

#[test]
fn a_statement_says_something() {
    let id = PropositionId::new(Uuid::from_u128(1));
    let empty = Proposition::new(id, " \n", Confidence::MAX, Extractor::Rules, Timestamp(0));
    assert_eq!(empty, Err(PropositionError::EmptyText));
    assert_eq!(fact(0.5, 0.0).with_text("\t", Timestamp(1)), Err(PropositionError::EmptyText));
}

#[test]
fn dice_5_6_resolved_mentions_in_order() {
    let entity = |n| EntityId::new(Uuid::from_u128(n));
    let mention = |span: &str, id: Option<u128>, role| Mention {
        entity: id.map(entity),
        ..Mention::new(span, "Person", role)
    };
    let mut p = fact(0.5, 0.0);
    assert!(p.is_fully_resolved(), "nothing is left to resolve");
    p.mentions = vec![
        mention("Alice", Some(1), MentionRole::Subject),
        mention("Bob", None, MentionRole::Object),
        mention("Charlie", Some(3), MentionRole::Object),
    ];
    assert_eq!(p.entities().collect::<Vec<_>>(), [entity(1), entity(3)]);
    assert!(!p.is_fully_resolved());
    assert_eq!(p.mention_in(MentionRole::Subject).unwrap().span, "Alice");
    assert_eq!(p.mention_in(MentionRole::Object).unwrap().span, "Bob", "the first in its role");
    assert!(p.mention_in(MentionRole::Other).is_none());
    assert_eq!(MentionRole::parse(" subject"), MentionRole::Subject);
    assert_eq!(MentionRole::parse("topic"), MentionRole::Other);
}

#[test]
fn dice_7_19_evidence_is_a_distinct_union_in_order() {
    let turn = |n| TurnId::new(Uuid::from_u128(n));
    let entry =
        |display: &str| ProvenanceEntry::at(Locator::uri("https://a.example", Some(display)).unwrap());
    let p = fact(0.5, 0.0).with_evidence([turn(1), turn(2)], [entry("Doc A")], Timestamp(1)).with_evidence(
        [turn(2), turn(3)],
        [entry("Doc B")],
        Timestamp(2),
    );
    assert_eq!(p.grounding, [turn(1), turn(2), turn(3)]);
    assert_eq!(entry("Doc A"), entry("Doc B"), "a label is not an identity");
    assert_eq!(p.provenance.len(), 1);
    assert_eq!((p.content_revised, p.metadata_revised), (Timestamp(0), Timestamp(2)));
    let other = ProvenanceEntry::at(Locator::file("notes.md", None).unwrap());
    let p = p.with_provenance([other.clone(), other.clone()], Timestamp(3));
    assert_eq!(p.provenance, [other], "replaced, each once");
    assert_eq!((p.content_revised, p.metadata_revised), (Timestamp(0), Timestamp(3)));
}

#[test]
fn dice_8_administration_refreshes_nothing() {
    let now = Timestamp(30 * DAY_MS);
    let p = fact(0.9, 0.05);
    let before = eff_at(&p, now);
    let stale = p.clone().with_status(Status::Stale, now).unwrap();
    assert_eq!((stale.content_revised, stale.metadata_revised), (Timestamp(0), now));
    assert_eq!(stale.last_touched(), now);
    assert_eq!(eff_at(&stale, now), before);
    let block = Temporal { observed_at: Some(now), ..Temporal::default() };
    for changed in [
        p.clone().with_pinned(true, now),
        p.clone().with_temporal(block, now).unwrap(),
        p.clone().with_metadata_value(TRUST_SCORE, 0.8, now),
    ] {
        assert_ne!(changed, p);
        assert_eq!((changed.content_revised, changed.metadata_revised), (Timestamp(0), now));
        assert_eq!(eff_at(&changed, now), before);
    }
}

#[test]
fn dice_9_content_moves_its_own_clock_alone() {
    let now = Timestamp(30 * DAY_MS);
    let p = fact(0.8, 0.1);
    for changed in [
        p.clone().with_text("Mara owns two kayaks", now).unwrap(),
        p.clone().with_confidence(Confidence::new(0.4).unwrap(), now),
        p.clone().with_mentions(Vec::new(), now),
    ] {
        assert_eq!((changed.content_revised, changed.metadata_revised), (now, Timestamp(0)));
        assert_eq!(changed.last_touched(), now);
    }
}

#[test]
fn dice_10_a_statement_taken_over_keeps_its_age() {
    let five_days_ago = at("2026-06-03").plus_ms(-5 * DAY_MS);
    let p = fact_at(0.8, 0.1, five_days_ago);
    assert_eq!((p.content_revised, p.metadata_revised), (five_days_ago, five_days_ago));
    near(eff_at(&p, at("2026-06-03")), 0.8 * (-1.0_f64).exp());
}

#[test]
fn dice_11_12_13_whole_days_decay_and_fractions_are_an_option() {
    let p = fact_at(0.8, 0.5, at("2026-01-01"));
    assert_eq!(eff_at(&p, at("2026-01-01")), 0.8);
    near(eff_at(&p, at("2026-01-02")), 0.294304);
    assert_eq!(eff_at(&p, at("2026-01-01T23:59:00Z")), 0.8, "a day that has not passed is none");
    assert_eq!(eff_at(&p, at("2025-12-01")), 0.8, "nor is one before");
    let fractional = DecayRule { age: DecayAge::FractionalDays, ..DecayRule::default() };
    near(effective_confidence(&p, at("2026-01-01T12:00:00Z"), fractional), 0.8 * (-0.5_f64).exp());
    near(effective_confidence(&p, at("2026-01-02"), fractional), 0.294304);
    let slow = DecayRule { k: 1.0, ..DecayRule::default() };
    near(effective_confidence(&p, at("2026-01-02"), slow), 0.8 * (-0.5_f64).exp());
    near(eff(&fact(0.8, 0.5), 2.0), 0.10827);
    near(eff(&fact(0.9, 0.05), 30.0), 0.04481);
    near(eff(&fact(0.9, 0.01), 60.0), 0.27107);
}

#[test]
fn dice_14_an_observation_dates_nothing() {
    let mut p = fact_at(0.8, 0.5, at("2026-06-03"));
    p.temporal.observed_at = Some(at("2026-04-20"));
    assert_eq!(eff_at(&p, at("2026-06-03")), 0.8);
    near(eff_at(&p, at("2026-06-04")), 0.294304);
}

#[test]
fn dice_15_a_closed_window_does_not_decay() {
    let mut p = fact(0.8, 0.5);
    p.temporal = Temporal::window(at("2018-01-01"), Some(at("2022-01-01"))).unwrap();
    assert_eq!(eff_at(&p, at("2020-06-01")), 0.8);
    for outside in ["2017-06-01", "2022-01-01", "2023-01-01"] {
        assert_eq!(eff_at(&p, at(outside)), 0.0, "{outside}");
        assert!(!p.temporal.is_current_at(at(outside)));
    }
    assert!(p.temporal.is_current_at(at("2018-01-01")), "the start belongs to it");
}

#[test]
fn dice_16_an_open_window_decays_from_its_start() {
    let mut p = fact(0.8, 0.5);
    p.temporal = Temporal::window(at("2023-01-01"), None).unwrap();
    assert_eq!(eff_at(&p, at("2023-01-01")), 0.8);
    assert_eq!(eff_at(&p, at("2022-06-01")), 0.0);
    assert!(eff_at(&p, at("2024-06-01")) < 0.8);
}

#[test]
fn dice_17_a_retraction_wins() {
    for window in [Temporal::default(), Temporal::window(at("2022-01-01"), None).unwrap()] {
        let mut p = fact_at(0.8, 0.001, at("2023-01-01"));
        p.temporal = Temporal { invalidated_at: Some(at("2024-01-01")), ..window };
        assert!(eff_at(&p, at("2023-06-01")) > 0.0);
        assert_eq!(eff_at(&p, at("2024-01-01")), 0.0);
        assert_eq!(eff_at(&p, at("2024-06-01")), 0.0);
        assert!(!p.temporal.is_current_at(at("2024-06-01")));
    }
    assert!(Temporal::default().is_current_at(at("1970-01-01")), "an empty block is current everywhere");
}

#[test]
fn dice_18_validity_runs_forward() {
    let (early, late) = (at("2024-01-01"), at("2025-01-01"));
    let backwards = PropositionError::ValidityBackwards { from: late, to: early };
    assert_eq!(Temporal::window(late, Some(early)), Err(backwards.clone()));
    let crooked = Temporal { valid_from: Some(late), valid_to: Some(early), ..Temporal::default() };
    let mut p = fact(0.5, 0.0);
    assert_eq!(p.clone().with_temporal(crooked.clone(), late), Err(backwards.clone()));
    p.temporal = crooked;
    assert_eq!(p.validate(), Err(backwards));
    let empty = Temporal::window(early, Some(early)).unwrap();
    assert!(!empty.is_current_at(early), "allowed, and never current");
}

#[test]
fn dice_20_sources_that_cannot_be_are_refused() {
    let entry = ProvenanceEntry::at(Locator::file("a.md", None).unwrap());
    assert!(entry.clone().with_offsets(3, 2).is_err());
    assert!(entry.clone().with_offsets(3, 3).is_ok());
    let read = |json| serde_json::from_value::<ProvenanceEntry>(json);
    let file = json!({"kind": "file", "path": "a.md"});
    assert!(read(json!({"locator": file, "startOffset": -1})).is_err());
    let mut p = fact(0.5, 0.0);
    p.provenance = vec![read(json!({"locator": file, "startOffset": 3, "endOffset": 2})).unwrap()];
    assert!(matches!(p.validate(), Err(PropositionError::Provenance(_))));
    for blank in [
        Locator::uri("  ", None),
        Locator::file("", None),
        Locator::content("\n", None),
        Locator::connector("mail", "", None),
        Locator::connector(" ", "m1", None),
    ] {
        assert!(matches!(blank, Err(ProvenanceError::Blank { .. })), "{blank:?}");
    }
    p.provenance = vec![read(json!({"locator": {"kind": "uri", "uri": " "}})).unwrap()];
    assert!(matches!(p.validate(), Err(PropositionError::Provenance(_))), "nor through JSON");
}

#[test]
fn dice_21_json_keeps_everything_and_ignores_what_it_does_not_know() {
    let entity = EntityId::new(Uuid::from_u128(9));
    let mut p = fact(0.8, 0.1)
        .with_metadata_value(TRUST_SCORE, 0.9, Timestamp(5))
        .with_confidence(Confidence::new(0.7).unwrap(), Timestamp(6))
        .with_evidence(
            [TurnId::new(Uuid::from_u128(3))],
            [ProvenanceEntry::at(Locator::content("ab12", Some("a note")).unwrap())
                .in_chunk("c1", None)
                .with_offsets(1, 4)
                .unwrap()],
            Timestamp(7),
        );
    p.mentions =
        vec![Mention { entity: Some(entity), ..Mention::new("Mara", "Person", MentionRole::Subject) }];
    p.temporal = Temporal::window(Timestamp(1), Some(Timestamp(2))).unwrap();
    p.reasoning = Some("She says so.".into());
    p.uri = Some("https://a.example/1".into());
    let mut json = serde_json::to_value(&p).unwrap();
    assert_eq!(serde_json::from_value::<Proposition>(json.clone()).unwrap(), p);
    json["from_a_later_release"] = json!({"x": 1});
    json["temporal"]["from_a_later_release"] = json!(1);
    assert_eq!(serde_json::from_value::<Proposition>(json).unwrap(), p);
}

#[test]
fn the_four_cases_are_ordered() {
    let mut p = fact(0.8, 0.5);
    p.temporal.valid_from = Some(Timestamp(DAY_MS));
    assert_eq!(eff(&p, 0.0), 0.0, "before its window");
    near(eff(&p, 2.0), 0.8 * (-1.0_f64).exp());
    p.temporal.valid_to = Some(Timestamp(10 * DAY_MS));
    assert_eq!(eff(&p, 9.0), 0.8, "a closed window never decays");
    assert_eq!(eff(&p, 10.0), 0.0, "its end is exclusive");
    p.temporal.invalidated_at = Some(Timestamp(5 * DAY_MS));
    assert_eq!(eff(&p, 5.0), 0.0, "retraction wins");
}

/// Upstream decays from the window's start whatever was confirmed since (deviation D60).
#[test]
fn what_has_held_for_long_is_fresh_when_it_is_learned() {
    let mut p = fact_at(0.8, 0.01, at("2026-03-01"));
    p.temporal = Temporal::window(at("2019-01-01"), None).unwrap();
    assert_eq!(eff_at(&p, at("2026-03-01")), 0.8);
    assert!(eff_at(&p, at("2026-05-01")) < 0.8);
    assert!(eff_at(&p, at("2020-01-01")) < 0.8, "seen from before it was learned");
}
