//! The numbered facts of resolution (core 13.7), on the real resolver.

use uuid::Uuid;

use super::super::MutationStrategy;
use super::DecisionReason as Why;
use super::ResolutionOutcome::{Coexist, DemoteExisting, KeepExisting, Replace};
use super::*;
use crate::conflict::SourceRelation::{ExistingOutranks, IncomingOutranks, SameSource, Unknown};
use crate::id::PropositionId;
use crate::proposition::{Extractor, Proposition};
use crate::scale::Confidence;
use crate::time::Timestamp;
use crate::unit::{Activation, Earned, Unit};

const CANON: Authority = Authority::Canon;
const RELIABLE: Authority = Authority::Reliable;
const UNRELIABLE: Authority = Authority::Unreliable;
const PROVISIONAL: Authority = Authority::Provisional;

fn unit(authority: Authority, tier: Tier) -> UnitView {
    let id = PropositionId::new(Uuid::from_u128(1));
    let text = "Nia sails.";
    let p = Proposition::new(id, text, Confidence::clamped(0.9), Extractor::Person, Timestamp(0)).unwrap();
    let unit = Unit::promoted(id, Activation::clamped(500), Earned::Reliable, None, Timestamp(0));
    let view = UnitView::new(unit, p, Timestamp(0), &Config::default());
    UnitView { tier, authority, ..view }
}

fn conflict(kind: ConflictType, confidence: f64) -> Conflict {
    Conflict {
        unit: PropositionId::new(Uuid::from_u128(1)),
        confidence,
        kind,
        quality: Quality::Full,
        reason: "opposed".into(),
    }
}

fn config(mutation: MutationStrategy) -> Config {
    let mut config = Config::default();
    config.conflict.mutation = mutation;
    config
}

fn contradiction(authority: Authority, tier: Tier, confidence: f64) -> ResolutionOutcome {
    let found = conflict(ConflictType::Contradiction, confidence);
    resolve(&found, &unit(authority, tier), Unknown, (&Config::default()).into()).outcome
}

fn revision(
    config: &Config,
    relation: SourceRelation,
    authority: Authority,
    confidence: f64,
) -> (ResolutionOutcome, DecisionReason, Disposition) {
    let found = conflict(ConflictType::Revision, confidence);
    let made = resolve(&found, &unit(authority, Tier::Warm), relation, config.into());
    (made.outcome, made.reason, made.decision)
}

#[test]
fn core_120_canon_is_kept_whatever_the_confidence() {
    assert_eq!(contradiction(CANON, Tier::Warm, 0.99), KeepExisting);
    assert_eq!(contradiction(CANON, Tier::Cold, 0.95), KeepExisting);
    let found = conflict(ConflictType::Contradiction, 0.99);
    let made = resolve(&found, &unit(CANON, Tier::Warm), Unknown, (&Config::default()).into());
    assert!(made.asks && made.reason == Why::CanonImmutable, "{made:?}");
}

#[test]
fn core_121_122_123_the_table_of_authority() {
    let reliable = [0.85, 0.70, 0.50].map(|c| contradiction(RELIABLE, Tier::Warm, c));
    assert_eq!(reliable, [Replace, DemoteExisting, KeepExisting]);
    let unreliable = [0.65, 0.40].map(|c| contradiction(UNRELIABLE, Tier::Warm, c));
    assert_eq!(unreliable, [Replace, DemoteExisting]);
    assert_eq!(contradiction(PROVISIONAL, Tier::Warm, 0.30), Replace);
}

#[test]
fn core_124_126_tiers_defend() {
    assert_eq!(contradiction(RELIABLE, Tier::Hot, 0.85), DemoteExisting);
    assert_eq!(contradiction(RELIABLE, Tier::Cold, 0.75), Replace);
    assert_eq!(contradiction(RELIABLE, Tier::Warm, 0.85), Replace);
    // 0.8 - 0.1 is 0.7000000000000001 in IEEE arithmetic.
    assert_eq!(contradiction(RELIABLE, Tier::Cold, 0.7), DemoteExisting);
}

/// Upstream stamps every model's conflict with 0.9 and so replaces even HOT RELIABLE units. A confidence that nobody stated is
/// 0.75 here, and lowers such a unit at most.
#[test]
fn core_125_an_ungraded_conflict_does_not_replace_what_is_hot_and_reliable() {
    let ungraded = crate::conflict::UNGRADED;
    assert_eq!(contradiction(RELIABLE, Tier::Hot, ungraded), DemoteExisting);
    assert_eq!(contradiction(RELIABLE, Tier::Warm, ungraded), DemoteExisting);
    assert_eq!(contradiction(RELIABLE, Tier::Hot, 0.9), Replace, "a graded one can");
}

#[test]
fn core_127_what_could_not_be_told_changes_nothing() {
    for (authority, confidence) in [(RELIABLE, 0.95), (UNRELIABLE, 0.99), (PROVISIONAL, 0.99)] {
        let found = Conflict { quality: Quality::Degraded, ..conflict(ConflictType::Revision, confidence) };
        let config = config(MutationStrategy::Permissive);
        let made = resolve(&found, &unit(authority, Tier::Cold), SameSource, (&config).into());
        assert_eq!((made.outcome, made.reason, made.asks), (KeepExisting, Why::Degraded, true));
    }
}

#[test]
fn core_128_a_fallback_is_resolved_like_any_other() {
    let found = Conflict { quality: Quality::Fallback, ..conflict(ConflictType::Contradiction, 0.9) };
    let made = resolve(&found, &unit(PROVISIONAL, Tier::Warm), Unknown, (&Config::default()).into());
    assert_eq!(made.outcome, Replace);
}

#[test]
fn core_129_bands_of_confidence() {
    assert_eq!([0.3, 0.6, 0.9].map(Band::of), [Band::Low, Band::Medium, Band::High]);
    assert_eq!([0.4, 0.8].map(Band::of), [Band::Medium, Band::Medium]);
    let found = conflict(ConflictType::Contradiction, 0.3);
    let made = resolve(&found, &unit(RELIABLE, Tier::Warm), Unknown, (&Config::default()).into());
    assert_eq!(made.band, Band::Low);
}

/// The documents' table is that of a resolver that nothing upstream uses: what is RELIABLE is kept, what is not gives way when the
/// conflict is sure. We have one table, and it gives the first two of its answers where the source is a lesser one (deviation D132).
#[test]
fn core_130_one_table_and_no_resolver_that_nothing_uses() {
    let lesser = |authority, confidence| {
        let found = conflict(ConflictType::Contradiction, confidence);
        resolve(&found, &unit(authority, Tier::Warm), ExistingOutranks, (&Config::default()).into()).outcome
    };
    assert_eq!((lesser(RELIABLE, 0.9), lesser(CANON, 0.9)), (KeepExisting, KeepExisting));
    assert_eq!(contradiction(PROVISIONAL, Tier::Warm, 0.9), Replace);
    assert_eq!(contradiction(PROVISIONAL, Tier::Warm, 0.6), Replace, "the table, not COEXIST");
}

#[test]
fn core_131_132_revisions_go_by_authority_where_nothing_is_known_of_the_source() {
    let mut open = config(MutationStrategy::Permissive);
    let revised = |config: &Config, authority, sure| revision(config, Unknown, authority, sure);
    let accepted = Disposition::Accepted;
    assert_eq!(revised(&open, PROVISIONAL, 0.3), (Replace, Why::ProvisionalRevisable, accepted));
    assert_eq!(revised(&open, UNRELIABLE, 0.8), (Replace, Why::UnreliableAboveThreshold, accepted));
    let (_, why, decision) = revised(&open, UNRELIABLE, 0.6);
    assert_eq!((why, decision), (Why::UnreliableBelowThreshold, Disposition::Delegated));
    let canon = revised(&open, CANON, 0.99);
    assert_eq!(canon, (KeepExisting, Why::CanonImmutable, Disposition::Rejected));
    let (_, why, decision) = revised(&open, RELIABLE, 0.85);
    assert_eq!((why, decision), (Why::ReliableLocked, Disposition::Delegated));
    open.unit.revision.reliable_revisable = true;
    let revisable = revised(&open, RELIABLE, 0.85);
    assert_eq!(revisable, (Replace, Why::ReliableAboveReplaceThreshold, accepted));
    let (_, why, _) = revised(&open, RELIABLE, 0.79);
    assert_eq!(why, Why::ReliableBelowReplaceThreshold);
}

/// A kind that nobody told never gets here: detection reads a missing one as a contradiction.
#[test]
fn core_133_a_progression_coexists_and_the_rest_goes_by_the_table() {
    let of = |kind, authority| {
        let found = conflict(kind, 0.85);
        resolve(&found, &unit(authority, Tier::Warm), Unknown, (&Config::default()).into())
    };
    let made = of(ConflictType::WorldProgression, RELIABLE);
    assert_eq!((made.outcome, made.reason, made.asks), (Coexist, Why::WorldProgression, false));
    assert!(of(ConflictType::WorldProgression, CANON).asks, "CANON does not move on by itself");
    let made = of(ConflictType::Contradiction, RELIABLE);
    assert_eq!((made.outcome, made.decision), (Replace, Disposition::Delegated));
    let label = crate::conflict::Label::new("units").unwrap();
    assert_eq!(of(ConflictType::Custom { label }, RELIABLE).reason, Why::ContradictionPath);
}

#[test]
fn core_134_by_default_only_people_revise() {
    let human = Config::default();
    let (outcome, why, decision) = revision(&human, Unknown, RELIABLE, 0.85);
    let by_table = by_authority(RELIABLE, Tier::Warm, 0.85, &human.conflict);
    assert_eq!((outcome, why), (by_table, Why::MutationStrategyDenied));
    assert_eq!(decision, Disposition::Delegated);
    // Ours: a person who says it anew is people (deviation D133).
    let (outcome, why, _) = revision(&human, SameSource, RELIABLE, 0.3);
    assert_eq!((outcome, why), (Replace, Why::SameSourceRevision));
    // A document is not.
    let mut document = unit(RELIABLE, Tier::Warm);
    document.proposition.voice = Voice::Document;
    let found = conflict(ConflictType::Revision, 0.7);
    let made = resolve(&found, &document, SameSource, (&human).into());
    assert_eq!((made.outcome, made.reason), (DemoteExisting, Why::MutationStrategyDenied));
}

#[test]
fn who_contradicts_their_own_word_revises_it() {
    let own = |voice, authority| {
        let mut view = unit(authority, Tier::Hot);
        view.proposition.voice = voice;
        let found = conflict(ConflictType::Contradiction, 0.3);
        let made = resolve(&found, &view, SameSource, (&Config::default()).into());
        (made.outcome, made.reason)
    };
    for voice in [Voice::User, Voice::Other] {
        assert_eq!(own(voice, RELIABLE), (Replace, Why::SameSourceRevision));
        assert_eq!(own(voice, CANON), (KeepExisting, Why::CanonImmutable));
    }
    for voice in [Voice::Document, Voice::Assistant] {
        assert_eq!(own(voice, RELIABLE), (KeepExisting, Why::ContradictionPath));
    }
}

#[test]
fn core_135_the_same_source_and_one_that_knows_better_revise() {
    let open = config(MutationStrategy::Permissive);
    assert_eq!(revision(&open, SameSource, RELIABLE, 0.5).0, Replace);
    let better = revision(&open, IncomingOutranks, RELIABLE, 0.5);
    assert_eq!((better.0, better.1), (Replace, Why::IncomingOutranksRevision));
}

/// Upstream lets the table replace what a lesser source revises; here it is kept (deviation D131).
#[test]
fn core_136_a_lesser_source_changes_nothing() {
    let open = config(MutationStrategy::Permissive);
    let lesser = revision(&open, ExistingOutranks, PROVISIONAL, 0.99);
    assert_eq!(lesser, (KeepExisting, Why::ExistingOutranksRevision, Disposition::Delegated));
    assert_eq!(revision(&open, Unknown, PROVISIONAL, 0.99).0, Replace);
    let found = conflict(ConflictType::Contradiction, 0.99);
    for authority in [RELIABLE, UNRELIABLE, PROVISIONAL] {
        let made = resolve(&found, &unit(authority, Tier::Cold), ExistingOutranks, (&open).into());
        assert_eq!((made.outcome, made.reason), (KeepExisting, Why::ExistingOutranks), "{authority:?}");
        assert_eq!(made.asks, authority == RELIABLE);
    }
}

/// Upstream's permissive strategy lets the same source replace CANON (G3, deviation D130).
#[test]
fn core_137_canon_is_kept_under_every_strategy_and_source() {
    for mutation in [MutationStrategy::HumanOnly, MutationStrategy::Ask, MutationStrategy::Permissive] {
        for relation in [SameSource, IncomingOutranks, ExistingOutranks, Unknown] {
            let (outcome, why, _) = revision(&config(mutation), relation, CANON, 1.0);
            assert_eq!((outcome, why), (KeepExisting, Why::CanonImmutable), "{mutation:?} {relation:?}");
        }
    }
}

#[test]
fn core_139_140_revision_settings_have_their_defaults_and_can_be_off() {
    let none: crate::unit::UnitSettings = serde_json::from_str("{}").unwrap();
    let rules = none.revision;
    assert_eq!((rules.enabled, rules.reliable_revisable, rules.confidence_threshold), (true, false, 0.75));
    let mut off = config(MutationStrategy::Permissive);
    off.unit.revision.enabled = false;
    assert_eq!(
        revision(&off, SameSource, RELIABLE, 0.7),
        (DemoteExisting, Why::RevisionDisabled, Disposition::Delegated)
    );
    let found = conflict(ConflictType::WorldProgression, 0.7);
    let made = resolve(&found, &unit(RELIABLE, Tier::Warm), Unknown, (&off).into());
    assert_eq!(made.outcome, DemoteExisting, "the plain table for every kind");
    assert_eq!(revision(&off, SameSource, CANON, 1.0).0, KeepExisting);
}

#[test]
fn what_waits_for_a_person_is_kept_and_asks() {
    let asking = config(MutationStrategy::Ask);
    let found = conflict(ConflictType::Revision, 0.99);
    let made = resolve(&found, &unit(UNRELIABLE, Tier::Warm), Unknown, (&asking).into());
    assert_eq!((made.outcome, made.reason, made.asks), (KeepExisting, Why::MutationPending, true));
}

#[test]
fn prop_conflict_replace_threshold_is_where_a_reliable_unit_gives_way() {
    let outcome = |replace: f64, demote: f64| {
        let mut config = Config::default();
        (config.conflict.replace_threshold, config.conflict.demote_threshold) = (replace, demote);
        let found = conflict(ConflictType::Contradiction, 0.75);
        resolve(&found, &unit(RELIABLE, Tier::Warm), Unknown, (&config).into()).outcome
    };
    assert_eq!(outcome(0.8, 0.6), DemoteExisting);
    assert_eq!(outcome(0.7, 0.6), Replace);
    assert_eq!(outcome(0.9, 0.8), KeepExisting);
}

#[test]
fn prop_conflict_demote_threshold_moves_what_is_lowered() {
    let mut config = Config::default();
    let found = conflict(ConflictType::Contradiction, 0.5);
    let at = |config: &Config| resolve(&found, &unit(RELIABLE, Tier::Warm), Unknown, config.into()).outcome;
    assert_eq!(at(&config), KeepExisting);
    config.conflict.demote_threshold = 0.5;
    assert_eq!(at(&config), DemoteExisting);
}

fn defended(tier: Tier, set: impl Fn(&mut Config)) -> ResolutionOutcome {
    let mut config = Config::default();
    set(&mut config);
    let found = conflict(ConflictType::Contradiction, 0.85);
    resolve(&found, &unit(RELIABLE, tier), Unknown, (&config).into()).outcome
}

#[test]
fn prop_conflict_tier_hot_defense_modifier_defends_hot_units() {
    assert_eq!(defended(Tier::Hot, |_| ()), DemoteExisting);
    assert_eq!(defended(Tier::Hot, |c| c.conflict.tier.hot_defense_modifier = 0.0), Replace);
}

#[test]
fn prop_conflict_tier_warm_defense_modifier_defends_warm_units() {
    assert_eq!(defended(Tier::Warm, |_| ()), Replace);
    assert_eq!(defended(Tier::Warm, |c| c.conflict.tier.warm_defense_modifier = 0.3), KeepExisting);
}

#[test]
fn prop_conflict_tier_cold_defense_modifier_defends_cold_units() {
    assert_eq!(defended(Tier::Cold, |_| ()), Replace);
    assert_eq!(defended(Tier::Cold, |c| c.conflict.tier.cold_defense_modifier = 0.2), DemoteExisting);
}

#[test]
fn prop_unit_revision_enabled_tells_updates_from_contradictions() {
    let mut open = config(MutationStrategy::Permissive);
    assert_eq!(revision(&open, Unknown, UNRELIABLE, 0.95).1, Why::UnreliableAboveThreshold);
    open.unit.revision.enabled = false;
    assert_eq!(revision(&open, Unknown, UNRELIABLE, 0.95).1, Why::RevisionDisabled);
}

#[test]
fn prop_unit_revision_reliable_revisable_opens_reliable_units() {
    let mut open = config(MutationStrategy::Permissive);
    assert_eq!(revision(&open, Unknown, RELIABLE, 0.95).1, Why::ReliableLocked);
    open.unit.revision.reliable_revisable = true;
    assert_eq!(revision(&open, Unknown, RELIABLE, 0.95).1, Why::ReliableAboveReplaceThreshold);
}

#[test]
fn prop_unit_revision_confidence_threshold_is_what_a_revision_needs() {
    let mut open = config(MutationStrategy::Permissive);
    assert_eq!(revision(&open, Unknown, UNRELIABLE, 0.8).1, Why::UnreliableAboveThreshold);
    open.unit.revision.confidence_threshold = 0.9;
    assert_eq!(revision(&open, Unknown, UNRELIABLE, 0.8).1, Why::UnreliableBelowThreshold);
}
