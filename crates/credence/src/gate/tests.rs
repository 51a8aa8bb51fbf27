//! Gates with the values of dice 11.2, facts 105 to 109.

use super::*;
use crate::id::PropositionId;
use crate::proposition::{DecayAge, Extractor, Locator, ProvenanceEntry};
use crate::scale::{Confidence, Decay};
use crate::schema::EvidenceFloor;
use crate::trust::AuthorityTier;
use uuid::Uuid;

const DAY: i64 = 86_400_000;

fn fact(text: &str, confidence: f64) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(1));
    Proposition::new(id, text, Confidence::new(confidence).unwrap(), Extractor::Rules, Timestamp(0)).unwrap()
}

fn input<'a>(proposition: &'a Proposition, relations: &'a Relations) -> GateInput<'a> {
    GateInput {
        proposition,
        change: None,
        now: Timestamp(0),
        decay: DecayRule { k: 2.0, age: DecayAge::WholeDays },
        relations,
        authority: AuthorityResolver::Structural,
    }
}

fn ask(gate: Gate, proposition: &Proposition) -> GateDecision {
    gate.evaluate(&input(proposition, &Relations::empty()))
}

fn reason(decision: &GateDecision) -> &str {
    match decision {
        GateDecision::Persist => "",
        GateDecision::Reject { reason }
        | GateDecision::RouteToReview { reason }
        | GateDecision::SkipProjection { reason }
        | GateDecision::Demote { reason, .. } => reason,
    }
}

#[test]
fn dice_105_confidence() {
    let gate = Gate::confidence(0.5).unwrap();
    let refused = ask(gate, &fact("x", 0.4));
    assert!(matches!(refused, GateDecision::Reject { .. }) && !refused.should_save());
    assert!(reason(&refused).contains("0.4") && reason(&refused).contains("0.5"), "{refused:?}");
    assert_eq!(ask(gate, &fact("x", 0.5)), GateDecision::Persist, "the threshold itself passes");
    for wrong in [1.5, -0.1, f64::NAN] {
        assert!(Gate::confidence(wrong).is_err() && Gate::trust(wrong, OnMissing::Persist).is_err());
        assert!(Gate::projection_eligibility(wrong).is_err());
    }
    assert!(serde_json::from_str::<Gate>(r#"{"gate":"confidence","min":1.5}"#).is_err());
}

#[test]
fn dice_106_confidence_is_the_effective_one() {
    let mut faded = fact("x", 0.9);
    faded.decay = Decay::new(0.5).unwrap();
    let relations = Relations::empty();
    let later = GateInput { now: Timestamp(60 * DAY), ..input(&faded, &relations) };
    let decision = Gate::confidence(0.6).unwrap().evaluate(&later);
    assert!(matches!(decision, GateDecision::Reject { .. }));
    assert!(reason(&decision).contains("effective confidence"), "{decision:?}");
}

#[test]
fn dice_107_evidence_floors() {
    let floor = |demote_to: Option<&str>| EvidenceFloor {
        min_confidence: Some(Confidence::new(0.7).unwrap()),
        min_authority: Some(AuthorityTier::Secondary),
        demote_to: demote_to.map(str::to_owned),
    };
    let relations = |to| Relations::empty().with_semantic_between("A", "B", "works at", "", Some(floor(to)));
    let weaker = relations(Some("affiliated with"));
    let from = |text: &str, confidence: f64, locator: Locator| {
        let mut p = fact(text, confidence);
        p.provenance.push(ProvenanceEntry::at(locator));
        p
    };
    let page = || Locator::uri("https://x.example", None).unwrap();
    let ask = |relations: &Relations, p: &Proposition| Gate::EvidenceFloor.evaluate(&input(p, relations));
    let says = "Bob works at Acme";
    assert_eq!(ask(&weaker, &from(says, 0.7, page())), GateDecision::Persist);
    let demoted = ask(&weaker, &from(says, 0.6999, page()));
    assert!(matches!(&demoted, GateDecision::Demote { to, .. } if to == "affiliated with"), "{demoted:?}");
    assert!(demoted.should_save() && reason(&demoted).contains("0.6999"), "{demoted:?}");
    let hearsay = ask(&weaker, &from(says, 0.95, Locator::content("aa", None).unwrap()));
    assert!(matches!(hearsay, GateDecision::Demote { .. }), "{hearsay:?}");
    let held = ask(&relations(None), &from(says, 0.5, page()));
    assert!(matches!(held, GateDecision::RouteToReview { .. }), "{held:?}");
    assert_eq!(ask(&weaker, &from("Bob likes Acme", 0.1, page())), GateDecision::Persist);
    // Upstream finds the predicate in a denial too (deviation D20).
    assert_eq!(ask(&weaker, &from("Bob does not work at Acme", 0.1, page())), GateDecision::Persist);
}

fn pipeline(gates: &str, short_circuit: bool) -> GatePipeline {
    GatePipeline { gates: serde_json::from_str(gates).unwrap(), short_circuit }
}

#[test]
fn dice_108_the_first_answer_that_is_not_persist_is_final() {
    let gates = pipeline(
        r#"[{"gate":"evidence-floor"},{"gate":"merge-candidate"},{"gate":"confidence","min":0.9}]"#,
        true,
    );
    let (doubted, relations) = (fact("dup", 0.5), Relations::empty());
    let asked = GateInput { change: Some(Change::Merged), ..input(&doubted, &relations) };
    let (decision, evaluations) = gates.evaluate(&asked);
    assert!(matches!(decision, GateDecision::RouteToReview { .. }), "{decision:?}");
    assert!(!decision.should_save());
    assert_eq!(evaluations.len(), 3, "all are recorded");
    assert_eq!(evaluations[0].gate, "evidence-floor");
    assert!(matches!(evaluations[2].decision, GateDecision::Reject { .. }));
}

#[test]
fn dice_109_a_refusal_ends_the_asking() {
    let gates = r#"[{"gate":"confidence","min":0.9},{"gate":"projection-eligibility"}]"#;
    let (doubted, relations) = (fact("x", 0.2), Relations::empty());
    let (decision, evaluations) = pipeline(gates, true).evaluate(&input(&doubted, &relations));
    assert!(matches!(decision, GateDecision::Reject { .. }));
    assert_eq!(evaluations.len(), 1);
    let (decision, evaluations) = pipeline(gates, false).evaluate(&input(&doubted, &relations));
    assert!(matches!(decision, GateDecision::Reject { .. }));
    assert_eq!(evaluations.len(), 2);
    assert_eq!(pipeline("[]", true).evaluate(&input(&doubted, &relations)), (GateDecision::Persist, vec![]));
}

#[test]
fn changes_of_known_statements_ask_a_person() {
    let (p, relations) = (fact("x", 0.9), Relations::empty());
    let ask =
        |gate: Gate, change| gate.evaluate(&GateInput { change, ..input(&p, &relations) }).should_save();
    assert!(
        !ask(Gate::MergeCandidate, Some(Change::Merged))
            && !ask(Gate::MergeCandidate, Some(Change::Reinforced))
    );
    assert!(ask(Gate::MergeCandidate, Some(Change::Contradicted)) && ask(Gate::MergeCandidate, None));
    assert!(!ask(Gate::ConflictClassification, Some(Change::Contradicted)));
    assert!(ask(Gate::ConflictClassification, Some(Change::New)) && ask(Gate::ConflictClassification, None));
}

#[test]
fn trust_and_projection() {
    let gate = |on_missing| Gate::trust(0.7, on_missing).unwrap();
    let mut p = fact("x", 0.9);
    assert_eq!(ask(gate(OnMissing::Persist), &p), GateDecision::Persist);
    assert!(matches!(ask(gate(OnMissing::Reject), &p), GateDecision::Reject { .. }));
    assert!(matches!(ask(gate(OnMissing::RouteToReview), &p), GateDecision::RouteToReview { .. }));
    p = p.with_metadata_value(crate::proposition::TRUST_SCORE, 0.6, Timestamp(1));
    assert!(matches!(ask(gate(OnMissing::Persist), &p), GateDecision::RouteToReview { .. }));
    p = p.with_metadata_value(crate::proposition::TRUST_SCORE, 0.7, Timestamp(1));
    assert_eq!(ask(gate(OnMissing::Reject), &p), GateDecision::Persist);
    let eligible = Gate::projection_eligibility(0.3).unwrap();
    assert_eq!(ask(eligible, &fact("x", 0.3)), GateDecision::Persist);
    assert!(matches!(ask(eligible, &fact("x", 0.29)), GateDecision::SkipProjection { .. }));
    p.status = Status::Contradicted;
    assert!(matches!(ask(eligible, &p), GateDecision::SkipProjection { .. }));
}

#[test]
fn gates_survive_json() {
    let json = r#"{"gates": [
        {"gate": "confidence", "min": 0.2}, {"gate": "merge-candidate"}, {"gate": "conflict-classification"},
        {"gate": "trust", "min": 0.7, "onMissing": "route-to-review"}, {"gate": "projection-eligibility"},
        {"gate": "evidence-floor"}
    ]}"#;
    let gates: GatePipeline = serde_json::from_str(json).unwrap();
    assert!(gates.short_circuit);
    assert_eq!(gates.gates[4], Gate::projection_eligibility(0.3).unwrap());
    let written = serde_json::to_string(&gates).unwrap();
    assert_eq!(serde_json::from_str::<GatePipeline>(&written).unwrap(), gates);
}
