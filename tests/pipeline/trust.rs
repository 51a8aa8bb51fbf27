//! Trust over what a memory holds: the audit sums to the score, and sources are learned from what became of their statements.

use credence::history::State;
use credence::id::PropositionId;
use credence::proposition::{Extractor, Locator, Proposition, ProvenanceEntry, Voice};
use credence::scale::Confidence;
use credence::time::Timestamp;
use credence::trust::{SourceRegistry, TrustInput, TrustSettings, Zone, evaluate};
use credence::unit::Authority;
use proptest::prelude::*;
use uuid::Uuid;

fn statement(id: u128, text: &str, confidence: f64, sources: &[String], voice: Voice) -> Proposition {
    let confidence = Confidence::clamped(confidence);
    let id = PropositionId::new(Uuid::from_u128(id));
    let mut p = Proposition::new(id, text, confidence, Extractor::Rules, Timestamp(5)).unwrap();
    p.voice = voice;
    let entry = |source: &String| ProvenanceEntry::at(Locator::connector(source, "r", None).unwrap());
    p.provenance = sources.iter().map(entry).collect();
    p
}

prop_compose! {
    fn any_statement(id: u128)(
        words in prop::collection::vec("dragon|king|gate|is|not|red|open|closed|3|2|lives|in|Oslo|Bergen|loves|hates|чай|茶", 1..7),
        confidence in 0.0..=1.0,
        sources in prop::collection::vec("dm|player|system|user|scout|Ärzte", 0..5),
        voice in prop::sample::select(vec![Voice::User, Voice::Other, Voice::Assistant, Voice::Document]),
    ) -> Proposition {
        statement(id, &words.join(" "), confidence, &sources, voice)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_audit_sums_to_its_score(
        new in any_statement(1),
        units in prop::collection::vec(any_statement(2), 0..4),
        profile in prop::sample::select(vec!["secure", "BALANCED", "Narrative"]),
        quality: bool,
    ) {
        let settings = TrustSettings { profile: profile.into(), ..TrustSettings::default() };
        let registry = SourceRegistry::default();
        let input = TrustInput::new(&State::default(), &new, &units, &registry, quality);
        let audit = evaluate(&input, &settings, "test", Timestamp(9));
        let sum: f64 = audit.signals.iter().map(|signal| signal.added).sum();
        prop_assert!((sum - audit.score).abs() < 1e-12, "{audit:?}");
        prop_assert!((0.0..=1.0).contains(&audit.score));
        prop_assert!(Authority::from(audit.ceiling) < Authority::Canon);
        for signal in &audit.signals {
            prop_assert!(signal.value.is_none_or(|value| (0.0..=1.0).contains(&value)), "{signal:?}");
            prop_assert!(signal.added >= 0.0 && !signal.why.is_empty());
        }
        prop_assert!(audit.zone == Zone::AutoPromote || audit.score < settings.profile().auto());
        prop_assert_eq!(evaluate(&input, &settings, "test", Timestamp(9)), audit);
    }
}
