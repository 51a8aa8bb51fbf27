//! Tiers, scores and the facts of the trust pipeline (core 13.5).

use super::AuthorityTier::*;
use super::*;
use crate::id::PropositionId;
use crate::proposition::Extractor;
use crate::scale::Confidence;
use uuid::Uuid;

fn from(locators: &[Locator], voice: Voice) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(1));
    let confidence = Confidence::clamped(0.8);
    let mut p = Proposition::new(id, "Nia sails.", confidence, Extractor::Rules, Timestamp(5)).unwrap();
    p.voice = voice;
    p.provenance = locators.iter().cloned().map(ProvenanceEntry::at).collect();
    p
}
fn chat() -> Locator {
    Locator::connector("conversation", "V1", None).unwrap()
}
fn page() -> Locator {
    Locator::uri("https://x.example", None).unwrap()
}
fn typed() -> Locator {
    Locator::content("aa", None).unwrap()
}

#[test]
fn dice_101_structural_tiers() {
    let tier = |locators: &[Locator]| AuthorityResolver::Structural.tier(&from(locators, Voice::Assistant));
    assert_eq!(tier(&[page(), chat()]), Primary);
    assert_eq!(tier(&[page()]), Secondary);
    assert_eq!(tier(&[Locator::file("a.md", None).unwrap()]), Secondary);
    assert_eq!(tier(&[typed()]), Derived);
    assert_eq!(tier(&[]), Unknown);
    assert_eq!(AuthorityResolver::Fixed { tier: Secondary }.tier(&from(&[], Voice::User)), Secondary);
}

#[test]
fn dice_102_scores_of_tiers() {
    let weights = TierWeights::default();
    let scores =
        [Some(Primary), Some(Secondary), Some(Derived), Some(Unknown), None].map(|t| weights.score(t));
    assert_eq!(scores, [0.9, 0.75, 0.6, 0.5, 0.5]);
    let wild = TierWeights { primary: 5.0, secondary: -3.0, derived: f64::NAN, ..weights };
    assert_eq!([Primary, Secondary, Derived].map(|t| wild.score(Some(t))), [1.0, 0.0, 0.5]);
    let neutral = TrustSettings { scorer: TrustScorer::Neutral, ..TrustSettings::default() };
    assert_eq!(neutral.score(&from(&[], Voice::Assistant)), 1.0);
}

#[test]
fn a_voice_bounds_what_its_place_would_give() {
    let tier = |locators: &[Locator], voice| AuthorityResolver::Voice.tier(&from(locators, voice));
    assert_eq!(tier(&[chat()], Voice::User), Primary);
    assert_eq!(tier(&[typed()], Voice::User), Primary, "remembered by hand");
    assert_eq!(tier(&[chat()], Voice::Other), Secondary);
    assert_eq!(tier(&[chat()], Voice::Assistant), Derived);
    assert_eq!(tier(&[chat(), page()], Voice::Document), Secondary);
    assert_eq!(tier(&[typed()], Voice::Document), Derived);
    assert_eq!(tier(&[], Voice::User), Unknown);
    let mut abstraction = from(&[], Voice::User);
    abstraction.source_ids.push(PropositionId::new(Uuid::from_u128(2)));
    assert_eq!(AuthorityResolver::Voice.tier(&abstraction), Derived);
}

#[test]
fn a_score_is_kept_without_refreshing_the_statement() {
    let settings = TrustSettings::default();
    let scored = settings.scored(from(&[chat()], Voice::User), Timestamp(9));
    assert_eq!(score_of(&scored), Some(0.9));
    assert_eq!((scored.content_revised, scored.metadata_revised), (Timestamp(5), Timestamp(9)));
    assert_eq!(settings.scored(scored.clone(), Timestamp(20)), scored, "nothing to say twice");
    let json = r#"{"authority": {"by": "fixed", "tier": "DERIVED"}, "scorer": {"by": "authority"}}"#;
    let fixed: TrustSettings = serde_json::from_str(json).unwrap();
    assert_eq!(fixed.score(&scored), 0.6);
    assert_eq!(serde_json::from_str::<TrustSettings>("{}").unwrap(), settings);
}

mod promotion {
    //! The signals and what follows from them, on statements as they are stored.

    use super::super::evaluate::audit;
    use super::super::signal::{Said, signals};
    use super::super::*;
    use crate::history::State;
    use crate::id::PropositionId;
    use crate::proposition::{Extractor, Locator, Proposition, ProvenanceEntry, Voice};
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use crate::unit::Earned;
    use std::collections::BTreeMap;
    use uuid::Uuid;

    fn statement(id: u128, text: &str, confidence: f64, sources: &[&str]) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(id));
        let confidence = Confidence::clamped(confidence);
        let mut p = Proposition::new(id, text, confidence, Extractor::Rules, Timestamp(5)).unwrap();
        p.voice = Voice::Other;
        let entry = |source: &&str| ProvenanceEntry::at(Locator::connector(source, "record", None).unwrap());
        p.provenance = sources.iter().map(entry).collect();
        p
    }
    /// Nothing is known of a source but what is set for it.
    fn settings(profile: &str) -> TrustSettings {
        let authority = AuthorityResolver::Fixed { tier: AuthorityTier::Unknown };
        TrustSettings { authority, profile: profile.into(), ..TrustSettings::default() }
    }
    fn judge(p: &Proposition, units: &[Proposition], profile: &str) -> TrustAudit {
        let registry = SourceRegistry::default();
        let input = TrustInput::new(&State::default(), p, units, &registry, false);
        evaluate(&input, &settings(profile), "test", Timestamp(9))
    }
    /// One signal's value, with quality scoring on or off.
    fn value(signal: Signal, p: &Proposition, units: &[Proposition], quality: bool) -> Option<f64> {
        let registry = SourceRegistry::default();
        let input = TrustInput::new(&State::default(), p, units, &registry, quality);
        signals(&input, &settings("BALANCED")).into_iter().find(|s| s.signal == signal).unwrap().value
    }
    fn between(signal: Signal, new: &str, unit: &str) -> f64 {
        let units = [statement(2, unit, 0.9, &["dm"])];
        value(signal, &statement(1, new, 0.9, &["dm"]), &units, true).unwrap()
    }
    fn of(profile: &DomainProfile, values: [Option<f64>; 6]) -> TrustAudit {
        let said = Signal::ALL.into_iter().zip(values);
        let said = said.map(|(signal, value)| Said { signal, value, why: String::new() }).collect();
        audit(profile, said, false, "test", Timestamp(9))
    }
    fn all(value: f64) -> TrustAudit {
        of(&DomainProfile::balanced(), [Some(value); 6])
    }
    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn core_62_63_64_absent_signals_give_their_weight_away() {
        let profile = DomainProfile::balanced();
        let four = of(&profile, [Some(0.9), Some(0.8), Some(0.7), Some(0.6), None, None]);
        assert!(near(four.score, 0.75), "{four:?}");
        let three = of(&profile, [Some(0.8), Some(0.8), Some(0.8), None, None, None]);
        assert!(near(three.score, 0.8), "{three:?}");
        let none = of(&profile, [None; 6]);
        assert_eq!((none.score, none.zone, none.ceiling), (0.0, Zone::Archive, Earned::Provisional));
    }

    #[test]
    fn core_65_only_present_signals_have_a_value_and_add() {
        let audit = judge(&statement(1, "Nia sails.", 0.9, &[]), &[], "BALANCED");
        let silent: Vec<_> = audit.signals.iter().filter(|s| s.value.is_none()).collect();
        assert_eq!(
            silent.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
            ["corroboration", "novelty", "importance"]
        );
        assert!(silent.iter().all(|s| s.added == 0.0 && !s.why.is_empty()), "{silent:?}");
        assert_eq!(audit.signals.len(), 6, "an audit names what had nothing to say");
        assert!(near(audit.signals.iter().map(|s| s.added).sum(), audit.score));
    }

    #[test]
    fn core_66_67_ceilings() {
        use Earned::*;
        assert_eq!(
            [0.8, 0.6, 0.5, 0.3].map(|v| all(v).ceiling),
            [Reliable, Unreliable, Unreliable, Provisional]
        );
        assert_eq!((all(1.0).ceiling, all(1.0).score), (Reliable, 1.0), "no score makes CANON");
    }

    #[test]
    fn core_68_69_70_zones_and_profiles() {
        assert_eq!([0.9, 0.5, 0.1].map(|v| all(v).zone), [Zone::AutoPromote, Zone::Review, Zone::Archive]);
        let weights: BTreeMap<Signal, f64> = [(Signal::SourceAuthority, 1.0)].into();
        let easy = DomainProfile::new("easy", weights, 0.55, 0.4, 0.2).unwrap();
        assert_eq!((all(0.6).zone, of(&easy, [Some(0.6); 6]).zone), (Zone::Review, Zone::AutoPromote));
        let chosen =
            TrustSettings { profiles: vec![easy], profile: "EASY".into(), ..TrustSettings::default() };
        assert_eq!((chosen.validate(), chosen.profile().name()), (Ok(()), "easy"));
        let unknown = TrustSettings { profile: "loose".into(), ..TrustSettings::default() };
        assert!(unknown.validate().unwrap_err().contains("trust.profile"));
        let consistent = [Some(0.5), Some(0.5), Some(1.0), Some(0.5), Some(0.5), Some(0.5)];
        let score = |profile: &DomainProfile| of(profile, consistent).score;
        assert!(score(&DomainProfile::secure()) > score(&DomainProfile::balanced()));
    }

    #[test]
    fn between_archive_and_review_only_the_users_own_word_is_asked_about() {
        let zone = |score, own| {
            let said = vec![Said { signal: Signal::SourceAuthority, value: Some(score), why: String::new() }];
            audit(&DomainProfile::balanced(), said, own, "test", Timestamp(9)).zone
        };
        assert_eq!((zone(0.3, true), zone(0.3, false)), (Zone::Review, Zone::Archive));
        assert_eq!((zone(0.24, true), zone(0.4, false)), (Zone::Archive, Zone::Review));
    }

    #[test]
    fn core_71_equal_texts_are_judged_apart() {
        let pair = [statement(1, "Nia sails.", 0.9, &["dm"]), statement(2, "Nia sails.", 0.4, &[])];
        let audits: Vec<_> = pair.iter().map(|p| judge(p, &[], "BALANCED")).collect();
        assert!(audits[0].score > audits[1].score, "{audits:?}");
    }

    #[test]
    fn core_72_73_corroboration_counts_distinct_sources() {
        let said = |sources: &[&str]| {
            value(Signal::Corroboration, &statement(1, "Nia sails.", 0.9, sources), &[], false)
        };
        assert_eq!(
            [said(&["a"]), said(&["a", "b"]), said(&["a", "b", "c"])],
            [Some(0.3), Some(0.6), Some(0.9)]
        );
        assert_eq!((said(&["a", "a", "A"]), said(&[])), (Some(0.3), None));
    }

    #[test]
    fn copies_and_our_own_words_are_no_witnesses() {
        let mut copied = statement(1, "Nia sails.", 0.9, &[]);
        let page = |uri| ProvenanceEntry::at(Locator::uri(uri, None).unwrap());
        copied.provenance = ["https://a.example", "https://b.example"]
            .map(|uri| page(uri).in_chunk("1", Some("the same text".into())))
            .into();
        assert_eq!(sources_of(&State::default(), &copied), ["uri:https://a.example"]);
        let mut ours = statement(1, "Nia sails.", 0.9, &["conversation"]);
        ours.voice = Voice::Assistant;
        assert_eq!(sources_of(&State::default(), &ours), [""; 0]);
        ours.voice = Voice::User;
        assert_eq!(sources_of(&State::default(), &ours), [USER_SOURCE]);
    }

    #[test]
    fn core_74_confidence_is_taken_as_it_is() {
        let said = |c| value(Signal::ExtractionConfidence, &statement(1, "Nia sails.", c, &[]), &[], false);
        assert_eq!([0.85, 0.0, 1.0].map(said), [0.85, 0.0, 1.0].map(Some));
    }

    #[test]
    fn core_75_nothing_to_compare_with_is_neutral() {
        let p = statement(1, "Nia sails.", 0.9, &["dm"]);
        let itself = [p.clone()];
        assert_eq!(value(Signal::GraphConsistency, &p, &[], false), Some(0.5));
        assert_eq!(value(Signal::GraphConsistency, &p, &itself, false), Some(0.5));
    }

    #[test]
    fn core_76_77_78_likeness_is_that_of_content_words() {
        assert_eq!(likeness("dragon attacks village", "dragon destroys village"), 0.5);
        assert_eq!(likeness("The dragon is red", "The red dragon breathes fire"), 0.5);
        assert_eq!(likeness("The dragon is in the cave", "a dragon was in a cave"), 1.0);
        assert_eq!(likeness("", ""), 0.0);
        let consistent = |new, unit| between(Signal::GraphConsistency, new, unit);
        assert_eq!(consistent("dragon attacks village", "dragon destroys village"), 0.5);
        assert_eq!(consistent("The dragon is red", "The red dragon breathes fire"), 0.5);
        assert_eq!(consistent("The dragon is in the cave", "A dragon is in a cave"), 1.0);
    }

    #[test]
    fn what_a_unit_denies_or_values_otherwise_is_not_consistent() {
        let consistent = |new, unit| between(Signal::GraphConsistency, new, unit);
        let denied = consistent("The king is not alive.", "The king is alive.");
        assert!(denied < 0.1, "{denied}: the unit's 0.9 speaks against it");
        let otherwise = consistent("Nia has 3 dogs at home.", "Nia has 2 dogs at home.");
        assert!(otherwise <= 0.5, "{otherwise}");
        assert_eq!(consistent("Pia mag Kaffee.", "Der Fluss ist breit."), 0.5, "news is no offence");
    }

    #[test]
    fn core_79_80_81_novelty() {
        let p = statement(1, "The dragon guards the northern gate.", 0.9, &["dm"]);
        assert_eq!(value(Signal::Novelty, &p, &[], false), None);
        assert_eq!(value(Signal::Novelty, &p, &[], true), Some(1.0));
        assert_eq!(between(Signal::Novelty, "DRAGON guards gate", "dragon guards gate"), 0.0);
        assert_eq!(between(Signal::Novelty, "wizards brew potions", "dragon guards gate"), 1.0);
        let other = between(Signal::Novelty, "dragon guards northern gate", "dragon guards eastern gate");
        assert!(other < 0.7, "{other}");
        assert_eq!(between(Signal::Novelty, "a dragon was in a cave", "the dragon is in the cave"), 0.0);
        let denied = between(Signal::Novelty, "The dragon is not red.", "The dragon is red.");
        assert!(denied > 0.0, "what is denied is news");
    }

    #[test]
    fn core_82_importance() {
        let p = statement(1, "dragon hoards gold", 0.9, &["dm"]);
        assert_eq!(value(Signal::Importance, &p, &[], true), Some(0.5));
        assert_eq!(between(Signal::Importance, "wizards brew potions", "dragon breathes fire"), 0.0);
        assert_eq!(between(Signal::Importance, "dragon hoards gold", "dragon breathes fire"), 1.0 / 3.0);
    }

    const PROFILES: [&str; 3] = ["BALANCED", "SECURE", "NARRATIVE"];

    fn scores(p: &Proposition, units: &[Proposition]) -> [(f64, Zone); 3] {
        PROFILES.map(|profile| judge(p, units, profile)).map(|audit| (audit.score, audit.zone))
    }
    fn expect(found: [(f64, Zone); 3], wanted: [(f64, Zone); 3]) {
        for (found, wanted) in found.into_iter().zip(wanted) {
            assert!((found.0 - wanted.0).abs() < 1e-4 && found.1 == wanted.1, "{found:?}, wanted {wanted:?}");
        }
    }

    use Zone::{AutoPromote, Review};

    #[test]
    fn core_83_a_known_source_in_an_empty_memory() {
        let p = statement(1, "The gate is open.", 0.9, &["dm"]);
        expect(scores(&p, &[]), [(0.65, AutoPromote), (0.62, Review), (0.7333, AutoPromote)]);
    }

    #[test]
    fn core_84_news_is_no_worse_in_a_memory_that_has_something() {
        let p = statement(1, "The gate is open.", 0.9, &["dm"]);
        let other = [statement(2, "Wizards brew potions.", 0.9, &["dm"])];
        assert_eq!(scores(&p, &other), scores(&p, &[]));
    }

    #[test]
    fn core_85_90_an_unknown_source_is_neutral_and_a_doubtful_one_is_doubted() {
        let unknown = statement(1, "The gate is open.", 0.9, &["somebody"]);
        expect(scores(&unknown, &[]), [(0.55, Review), (0.54, Review), (0.5778, Review)]);
        let player = statement(1, "The gate is open.", 0.9, &["player"]);
        assert_eq!(value(Signal::SourceAuthority, &player, &[], false), Some(0.3), "no floor lifts it");
        assert!(judge(&player, &[], "BALANCED").score < judge(&unknown, &[], "BALANCED").score);
    }

    #[test]
    fn core_86_likeness_alone_admits_no_untrusted_claim() {
        let unit = [statement(2, "Red dragon guards gate", 0.9, &["dm"])];
        let claim = statement(1, "Red dragon guards northern gate", 0.9, &["somebody"]);
        assert_eq!(likeness(&claim.text, &unit[0].text), 0.8);
        expect(scores(&claim, &unit), [(0.55, Review), (0.54, Review), (0.5778, Review)]);
    }

    #[test]
    fn core_87_three_sources() {
        let p = statement(1, "The gate is open.", 0.95, &["dm", "herald", "scout"]);
        expect(scores(&p, &[]), [(0.8125, AutoPromote), (0.75, Review), (0.8472, AutoPromote)]);
    }

    #[test]
    fn core_88_without_trust_everything_passes() {
        let p = statement(1, "The gate is open.", 0.1, &[]);
        let registry = SourceRegistry::default();
        let input = TrustInput::new(&State::default(), &p, &[], &registry, false);
        let off = TrustSettings { enabled: false, ..settings("SECURE") };
        let audit = evaluate(&input, &off, "test", Timestamp(9));
        assert_eq!((audit.score, audit.ceiling, audit.zone), (0.9, Earned::Reliable, Zone::AutoPromote));
        assert!(audit.signals.is_empty());
    }

    #[test]
    fn core_89_an_id_counts_whole() {
        let source = |id: &str| {
            value(Signal::SourceAuthority, &statement(1, "The gate is open.", 0.9, &[id]), &[], false)
        };
        assert_eq!([source("admin"), source("dm"), source("DM")], [Some(0.5), Some(0.9), Some(0.9)]);
    }

    /// The first signal's value for a statement of this source.
    fn source_value(settings: &TrustSettings, source: &str) -> Option<f64> {
        let (p, registry) = (statement(1, "The gate is open.", 0.9, &[source]), SourceRegistry::default());
        let input = TrustInput::new(&State::default(), &p, &[], &registry, false);
        signals(&input, settings)[0].value
    }

    #[test]
    fn prop_trust_source_authority_scores_move_the_signal() {
        let mut changed = settings("BALANCED");
        assert_eq!(source_value(&changed, "herald"), Some(0.5));
        changed.source_authority.scores.insert("Herald".into(), 0.8);
        assert_eq!(source_value(&changed, "herald"), Some(0.8));
        changed.source_authority.scores.insert("herald".into(), 1.5);
        assert!(changed.validate().unwrap_err().contains("trust.source_authority.scores.herald"));
    }

    #[test]
    fn prop_trust_source_authority_default_score_moves_the_signal() {
        let mut changed = settings("BALANCED");
        changed.source_authority.default_score = 0.1;
        assert_eq!(
            [source_value(&changed, "somebody"), source_value(&changed, "dm")],
            [Some(0.1), Some(0.9)]
        );
        changed.source_authority.default_score = -1.0;
        assert!(changed.validate().unwrap_err().contains("trust.source_authority.default_score"));
    }

    #[test]
    fn prop_unit_quality_scoring_enabled_lets_novelty_and_importance_speak() {
        let p = statement(1, "Nia sails.", 0.9, &["dm"]);
        for (signal, on) in [(Signal::Novelty, 1.0), (Signal::Importance, 0.5)] {
            assert_eq!([value(signal, &p, &[], false), value(signal, &p, &[], true)], [None, Some(on)]);
        }
    }

    #[test]
    fn outcomes_move_a_source_from_where_it_began() {
        let record = |confirmed, refuted| SourceRecord { confirmed, refuted, ..SourceRecord::default() };
        assert_eq!(record(0, 0).reliability(0.9), 0.9);
        assert_eq!(record(0, 4).reliability(0.5), 0.25);
        assert_eq!(record(4, 0).reliability(0.5), 0.75);
        assert!(record(1000, 0).reliability(0.3) < 1.0);
    }
}
