//! The worked values and edges of propositions.

use super::*;
use crate::time::DAY_MS;
use uuid::Uuid;

fn fact(confidence: f64, decay: f64) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(1));
    let mut p = Proposition::new(
        id,
        " Mara owns a kayak ",
        Confidence::new(confidence).unwrap(),
        Extractor::Person,
        Timestamp(0),
    )
    .unwrap();
    p.decay = Decay::new(decay).unwrap();
    p
}

fn eff(p: &Proposition, days: f64) -> f64 {
    effective_confidence(p, Timestamp((days * DAY_MS as f64) as i64), DecayRule::default())
}

#[test]
fn dice_worked_values_of_effective_confidence() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 5e-6, "{a} is not {b}");
    near(eff(&fact(0.8, 0.5), 0.0), 0.8);
    near(eff(&fact(0.8, 0.5), 1.0), 0.29430);
    near(eff(&fact(0.8, 0.5), 2.0), 0.10827);
    near(eff(&fact(0.9, 0.05), 30.0), 0.04481);
    near(eff(&fact(0.9, 0.01), 60.0), 0.27107);
    // Whole days: 23 h 59 m count as none; as an option the fraction counts.
    near(eff(&fact(0.8, 0.5), 0.999), 0.8);
    let fractional = DecayRule { age: DecayAge::FractionalDays, ..DecayRule::default() };
    assert!(effective_confidence(&fact(0.8, 0.5), Timestamp(DAY_MS / 2), fractional) < 0.5);
}

#[test]
fn the_four_cases_are_ordered() {
    let mut p = fact(0.8, 0.5);
    p.temporal.valid_from = Some(Timestamp(DAY_MS));
    assert_eq!(eff(&p, 0.0), 0.0, "before its window");
    assert!((eff(&p, 2.0) - 0.8 * (-1.0f64).exp()).abs() < 1e-9, "open window decays from its start");
    p.temporal.valid_to = Some(Timestamp(10 * DAY_MS));
    assert_eq!(eff(&p, 9.0), 0.8, "a closed window never decays");
    assert_eq!(eff(&p, 10.0), 0.0, "its end is exclusive");
    p.temporal.invalidated_at = Some(Timestamp(5 * DAY_MS));
    assert_eq!(eff(&p, 5.0), 0.0, "retraction wins");
    let mut seen = fact(0.8, 0.5);
    seen.temporal.observed_at = Some(Timestamp(40));
    assert!((eff(&seen, 1.0) - 0.29430).abs() < 5e-6, "observed_at alone dates nothing");
}

#[test]
fn each_change_moves_exactly_its_clock() {
    let now = Timestamp(77);
    let p = fact(0.8, 0.1);
    let pinned = p.clone().with_pinned(true, now);
    assert_eq!((pinned.content_revised, pinned.metadata_revised), (Timestamp(0), now));
    let retold = p.clone().with_text("Mara owns two kayaks", now).unwrap();
    assert_eq!((retold.content_revised, retold.metadata_revised), (now, Timestamp(0)));
    let retired = p.clone().with_status(Status::Stale, now).unwrap();
    assert_eq!((retired.content_revised, retired.metadata_revised), (Timestamp(0), now));
    assert_eq!(retired.last_touched(), now);
}

#[test]
fn invalid_values_are_refused() {
    let id = PropositionId::new(Uuid::from_u128(1));
    assert_eq!(
        Proposition::new(id, " \n", Confidence::MAX, Extractor::Rules, Timestamp(0)),
        Err(PropositionError::EmptyText)
    );
    let mut p = fact(0.5, 0.0);
    p.level = 1;
    assert_eq!(p.validate(), Err(PropositionError::NoSources { level: 1 }));
    let mut p = fact(0.5, 0.0);
    p.temporal.valid_from = Some(Timestamp(2));
    p.temporal.valid_to = Some(Timestamp(1));
    assert!(p.validate().is_err());
    p.temporal.valid_to = Some(Timestamp(2));
    assert!(p.validate().is_ok(), "an empty window is allowed and never current");
    assert!(!p.temporal.is_current_at(Timestamp(2)));
}

#[test]
fn evidence_is_a_distinct_union_in_order() {
    let turn = |n| TurnId::new(Uuid::from_u128(n));
    let entry =
        |display: &str| ProvenanceEntry::at(Locator::uri("https://a.example", Some(display)).unwrap());
    let p = fact(0.5, 0.0).with_evidence([turn(1), turn(2)], [entry("one")], Timestamp(1)).with_evidence(
        [turn(2), turn(3)],
        [entry("another label")],
        Timestamp(2),
    );
    assert_eq!(p.grounding, [turn(1), turn(2), turn(3)]);
    assert_eq!(p.provenance.len(), 1, "a label is not an identity");
}
