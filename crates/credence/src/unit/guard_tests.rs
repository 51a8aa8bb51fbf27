//! The facts of core 13.11 about rules, and who may move what.

use uuid::Uuid;

use super::person::PersonAct;
use super::{
    Action, Authority, Guard, InvariantKind, InvariantRule, Invariants, Mover, Strength, Unit, UnitSettings,
    UnitView,
};
use crate::config::Config;
use crate::history::{Actor, Cause, Scope, ScopeInfo};
use crate::id::{ContextId, PropositionId};
use crate::proposition::{Extractor, Proposition};
use crate::scale::Confidence;
use crate::time::Timestamp;

fn unit(n: u128, text: &str, authority: Authority) -> UnitView {
    let (id, now) = (PropositionId::new(Uuid::from_u128(n)), Timestamp(0));
    let p = Proposition::new(id, text, Confidence::clamped(0.9), Extractor::Rules, now).unwrap();
    let earned = if authority == Authority::Canon { Authority::Reliable } else { authority };
    let mut json = serde_json::json!({
        "proposition": id, "activation": 500, "touched": 0, "earned": earned, "ceiling": "RELIABLE",
        "standing": {"state": "active"}, "promoted": 0,
    });
    if authority == Authority::Canon {
        json["canon"] = serde_json::json!({"at": 0});
    }
    let unit: Unit = serde_json::from_value(json).unwrap();
    UnitView::new(unit, p, now, &Config::default())
}

fn rule(kind: InvariantKind, pattern: &str, level: Authority, count: u32) -> InvariantRule {
    InvariantRule {
        id: format!("{kind:?} {pattern}"),
        kind,
        strength: Strength::Must,
        context_id: None,
        unit_text_pattern: Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty()),
        minimum_authority: level,
        minimum_count: count,
    }
}

fn context() -> ContextId {
    ContextId::new("here").unwrap()
}

fn allows(rules: &[InvariantRule], action: Action, target: &UnitView, set: &[UnitView]) -> bool {
    let invariants = Invariants { enabled: true, rules: rules.to_vec() };
    let settings = UnitSettings { invariants, ..UnitSettings::default() };
    let guard = Guard { settings: &settings, context: &context() };
    guard.check(Mover::Policy("a policy"), action, target, set).is_ok()
}

#[test]
fn core_199_a_floor_stops_what_falls_below_it_and_nothing_else() {
    let floor = [rule(InvariantKind::AuthorityFloor, "the king", Authority::Reliable, 0)];
    let king = unit(1, "The King lives in Oslo.", Authority::Reliable);
    assert!(!allows(&floor, Action::Demote, &king, &[]));
    assert!(allows(&floor, Action::Archive, &king, &[]));
    let young = unit(1, "The king lives in Oslo.", Authority::Unreliable);
    assert!(allows(&floor, Action::Raise, &young, &[]), "a floor is no ceiling");
    assert!(allows(&floor, Action::Demote, &unit(2, "The kingdom is old.", Authority::Reliable), &[]));
    // CANON to RELIABLE does not fall below RELIABLE.
    let settings = UnitSettings {
        invariants: Invariants { enabled: true, rules: floor.to_vec() },
        ..UnitSettings::default()
    };
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
    let act = PersonAct::of(&scope, Timestamp(0)).unwrap();
    let guard = Guard { settings: &settings, context: &context() };
    let canon = unit(1, "The king lives in Oslo.", Authority::Canon);
    assert!(guard.check(Mover::Person(&act), Action::Decanonize, &canon, &[]).is_ok());
}

#[test]
fn core_200_immunity_is_for_evictions_and_prohibition_for_archives() {
    let king = unit(1, "The king lives in Oslo.", Authority::Reliable);
    let immune = [rule(InvariantKind::EvictionImmunity, "king", Authority::Provisional, 0)];
    let kept = [rule(InvariantKind::ArchiveProhibition, "king", Authority::Provisional, 0)];
    let all = [Action::Evict, Action::Archive, Action::Demote, Action::Sleep];
    assert_eq!(all.map(|action| allows(&immune, action, &king, &[])), [false, true, true, false]);
    assert_eq!(all.map(|action| allows(&kept, action, &king, &[])), [true, false, true, false]);
}

#[test]
fn core_201_counts_are_of_the_set_that_is_left() {
    let set = [unit(1, "One.", Authority::Reliable), unit(2, "Two.", Authority::Reliable)];
    let two = [rule(InvariantKind::MinAuthorityCount, "", Authority::Reliable, 2)];
    let one = [rule(InvariantKind::MinAuthorityCount, "", Authority::Reliable, 1)];
    assert!(!allows(&two, Action::Archive, &set[0], &set) && !allows(&two, Action::Evict, &set[0], &set));
    assert!(allows(&one, Action::Archive, &set[0], &set));
    assert!(!allows(&one, Action::Archive, &set[1], &set[1..]), "what left already is not counted");
    assert!(allows(&two, Action::Raise, &unit(3, "Three.", Authority::Unreliable), &set));
    assert!(allows(&two, Action::Archive, &unit(3, "Three.", Authority::Unreliable), &set));
}

#[test]
fn core_202_203_rules_of_the_context_in_order() {
    let anywhere = rule(InvariantKind::ArchiveProhibition, "king", Authority::Provisional, 0);
    let other = InvariantRule {
        id: "elsewhere".into(),
        context_id: Some(ContextId::new("elsewhere").unwrap()),
        ..anywhere.clone()
    };
    let here = InvariantRule { id: "here".into(), context_id: Some(context()), ..anywhere.clone() };
    let miss =
        InvariantRule { id: "miss".into(), unit_text_pattern: Some("queen".into()), ..anywhere.clone() };
    let mut invariants = Invariants::default();
    for rule in [here, other, anywhere, miss] {
        invariants.register(rule);
    }
    let settings = UnitSettings { invariants: invariants.clone(), ..UnitSettings::default() };
    let guard = Guard { settings: &settings, context: &context() };
    let found = guard.evaluate(Action::Archive, &unit(1, "The king.", Authority::Reliable), &[]);
    assert_eq!((found.rules, found.violations.len()), (3, 2));
    assert_eq!(found.violations[1].rule, "here", "those of every context come first");
    assert!(!invariants.deregister("unknown") && invariants.deregister("here"));
    assert_eq!(invariants.rules.len(), 3);
}

#[test]
fn patterns_are_whole_words_in_every_script() {
    let hit = |pattern: &str, text: &str| {
        let rules = [rule(InvariantKind::ArchiveProhibition, pattern, Authority::Provisional, 0)];
        !allows(&rules, Action::Archive, &unit(1, text, Authority::Reliable), &[])
    };
    assert!(hit("STRASSE", "Die Straße ist gesperrt."));
    assert!(hit("卑尔根", "我住在卑尔根。"));
    assert!(!hit("art", "The party is over.") && !hit("in oslo", "in the middle of Oslo"));
}

#[test]
fn who_moves_what() {
    let settings = UnitSettings { budget: 2, ..UnitSettings::default() };
    let guard = Guard { settings: &settings, context: &context() };
    let rule = |mover: Mover<'_>, action, view: &UnitView| {
        guard.check(mover, action, view, &[]).err().map(|objection| objection.rule)
    };
    let canon = unit(1, "One.", Authority::Canon);
    let mut pinned = unit(2, "Two.", Authority::Reliable);
    pinned.proposition.pinned = true;
    let downs = [Action::Evict, Action::Archive, Action::Sleep, Action::Demote, Action::Decay, Action::Edit];
    for mover in [Mover::Policy("a policy"), Mover::Host] {
        for down in downs {
            assert_eq!(rule(mover, down, &canon).as_deref(), Some("A3b"));
            assert_eq!(rule(mover, down, &pinned).as_deref(), Some("A3d"));
        }
        assert_eq!(rule(mover, Action::Canonize, &pinned).as_deref(), Some("A3a"));
        assert_eq!(rule(mover, Action::Decanonize, &canon).as_deref(), Some("A3a"));
    }
    let provisional = unit(3, "Three.", Authority::Provisional);
    assert_eq!(rule(Mover::Model, Action::Archive, &provisional), None);
    assert_eq!(
        rule(Mover::Model, Action::Archive, &unit(4, "Four.", Authority::Unreliable)).as_deref(),
        Some("self-editing")
    );
    assert_eq!(rule(Mover::Model, Action::Reinforce, &provisional).as_deref(), Some("self-editing"));
    let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
    let act = PersonAct::of(&scope, Timestamp(0)).unwrap();
    assert!(downs.iter().all(|down| rule(Mover::Person(&act), *down, &pinned).is_none()));
    let engine = Scope::new(ScopeInfo::new(Cause::Maintenance, Actor::Engine, ""));
    assert!(PersonAct::of(&engine, Timestamp(0)).is_none());
    let full = [provisional.clone(), canon];
    let refused = guard.check(Mover::Person(&act), Action::Promote, &provisional, &full).unwrap_err();
    assert_eq!(refused.rule, "A1");
}
