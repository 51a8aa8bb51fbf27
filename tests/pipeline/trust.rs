//! Trust over what a memory holds: the audit sums to the score, and sources are learned from what became of their statements.

use credence::Memory;
use credence::config::Config;
use credence::history::{Actor, State};
use credence::id::PropositionId;
use credence::proposition::Status;
use credence::proposition::{Extractor, Locator, Proposition, ProvenanceEntry, Voice};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::Timestamp;
use credence::trust::{Reevaluated, SourceRegistry, TrustInput, TrustSettings, Zone, evaluate};
use credence::unit::{Authority, Did, Evidence};
use proptest::prelude::*;
use uuid::Uuid;

use super::support::*;
use super::units::{id, policy};

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

/// A memory with these statements; the first is a unit that three sources have raised to UNRELIABLE.
async fn raised(first: Proposition, rest: &[Proposition], config: Config) -> TestMemory {
    let memory = Memory::open(TestPorts::offline(), context(), config).await.unwrap();
    let all: Vec<Proposition> = std::iter::once(first).chain(rest.iter().cloned()).collect();
    memory.save(&all, Actor::Host).await.unwrap();
    policy(&memory, |plan| plan.promote(id(1), None, "not judged yet")).await.unwrap();
    for source in ["herald", "scout", "dm"] {
        let evidence = Evidence::source(source, memory.now().at);
        policy(&memory, |plan| plan.reinforce(id(1), evidence.clone(), || None, "said")).await.unwrap();
    }
    assert_eq!(memory.unit(id(1)).unwrap().authority, Authority::Unreliable);
    memory
}

fn by(sources: &[&str]) -> Vec<String> {
    sources.iter().map(|source| (*source).to_owned()).collect()
}

fn lowered(done: &[Reevaluated]) -> bool {
    match &done[0] {
        Reevaluated::Judged(change) => matches!(change.did, Did::Assessed { authority: Some(_), .. }),
        Reevaluated::Refused(objection) => panic!("{objection:?}"),
    }
}

#[test]
fn trust_that_falls_lowers_one_level_once_and_keeps_the_ceiling() {
    run(async {
        let first = statement(1, "The gate is open.", 0.6, &by(&["player"]), Voice::Other);
        let memory = raised(first, &[], Config::default()).await;
        assert!(lowered(&memory.reevaluate(&[id(1)], "explicit").await.unwrap()));
        let unit = memory.unit(id(1)).unwrap();
        assert_eq!(unit.authority, Authority::Provisional);
        assert_eq!(
            Authority::from(unit.unit.ceiling()),
            Authority::Provisional,
            "the finding bounds what follows"
        );
        let seq = memory.state().seq();
        memory.ports().clock.advance_ms(1000);
        assert!(!lowered(&memory.reevaluate(&[id(1)], "explicit").await.unwrap()));
        assert_eq!(memory.state().seq(), seq, "the same finding is no news");
        assert_eq!(memory.trust_trail(id(1)).last().unwrap().audit.trigger, "explicit");
    });
}

#[test]
fn prop_unit_demote_threshold_decides_what_score_lowers() {
    run(async {
        for (threshold, falls) in [(0.6, true), (0.2, false)] {
            let first = statement(1, "The gate is open.", 0.9, &by(&["somebody"]), Voice::Other);
            let mut config = Config::default();
            config.trust.source_authority.scores.insert("somebody".into(), 0.5);
            config.set_property("unit.demote-threshold", threshold.into()).unwrap();
            let memory = raised(first, &[], config).await;
            assert_eq!(lowered(&memory.reevaluate(&[id(1)], "explicit").await.unwrap()), falls);
        }
    });
}

#[test]
fn pinned_units_and_canon_keep_their_level() {
    run(async {
        let first = || statement(1, "The gate is open.", 0.3, &by(&["player"]), Voice::Other);
        let pinned = raised(first(), &[], Config::default()).await;
        pinned.pin(id(1), true).await.unwrap();
        assert!(!lowered(&pinned.reevaluate(&[id(1)], "explicit").await.unwrap()));
        assert_eq!(pinned.unit(id(1)).unwrap().authority, Authority::Unreliable);
        let canon = raised(first(), &[], Config::default()).await;
        canon.canonize_unit(id(1), "I know it").await.unwrap();
        canon.reevaluate(&[id(1)], "explicit").await.unwrap();
        assert_eq!(canon.unit(id(1)).unwrap().authority, Authority::Canon);
    });
}

#[test]
fn a_source_is_known_by_what_became_of_its_statements() {
    run(async {
        let memory = Memory::open(TestPorts::offline(), context(), Config::default()).await.unwrap();
        let now = memory.now().at;
        let said = |n, text: &str, sources: &[&str]| statement(n, text, 0.9, &by(sources), Voice::Other);
        let mut wrong = said(1, "The gate is open.", &["gossip"]);
        wrong = wrong.with_status(Status::Contradicted, now).unwrap();
        let mut right = said(2, "The gate is closed.", &["scout", "herald"]);
        right.temporal.contradicts = vec![id(1)];
        let mut before = said(3, "The inn is full.", &["herald"]);
        before = before.with_status(Status::Contradicted, now).unwrap();
        let mut after = said(4, "The inn is empty.", &["herald"]);
        after.temporal.contradicts = vec![id(3)];
        memory.save(&[wrong, right, before, after], Actor::Host).await.unwrap();
        let sources = memory.source_registry();
        let counts = |source| {
            let record = sources.record(source);
            (record.statements, record.confirmed, record.refuted)
        };
        assert_eq!(counts("gossip"), (1, 0, 1), "another source stands against it");
        assert_eq!(counts("scout"), (1, 1, 0));
        assert_eq!(counts("herald"), (3, 1, 0), "a change of one's own mind is no error");
        assert!(sources.record("gossip").reliability(0.5) < 0.5);
    });
}
