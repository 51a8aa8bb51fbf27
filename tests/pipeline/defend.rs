//! The working set defends itself inside revision: whose word retires a unit's statement, and what becomes of both where it holds.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use credence::conflict::{
    DecisionReason, Defended, ResolutionOutcome, Source, SourceComparator, SourceRelation,
};
use credence::conversation::Speaker;
use credence::error::Error;
use credence::event::{Event, UnitEvent};
use credence::extraction::{Outcome, OutcomeKind};
use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::PropositionId;
use credence::inbox::{InboxKind, Verdict};
use credence::llm::Cancel;
use credence::maintenance::{CustomMark, MaintenanceOptions, Pass};
use credence::memory::Edit;
use credence::proposition::{PropositionQuery, Status};
use credence::revision::Followed;
use credence::time::DAY_MS;
use credence::unit::{ArchiveReason, Authority, InvariantKind, InvariantRule, Standing, Strength, Unit};

use super::support::*;

const LOVES: &str = "Pia loves techno.";
const HATES: &str = "Pia can't stand techno any more.";

fn status(memory: &TestMemory, id: PropositionId) -> Status {
    memory.state().proposition(id).unwrap().status
}
fn unit(memory: &TestMemory, id: PropositionId) -> Unit {
    memory.state().unit(id).unwrap().clone()
}
fn last(memory: &TestMemory) -> Outcome {
    memory.state().analyses().last().unwrap().outcomes[0].clone()
}
fn only(outcome: &Outcome) -> &Defended {
    assert_eq!(outcome.defended.len(), 1, "{outcome:?}");
    &outcome.defended[0]
}
/// Says and analyses something as somebody.
async fn said_by(memory: &TestMemory, speaker: Speaker, text: &str) {
    let conversation = memory.start_conversation("").await.unwrap();
    memory.say(conversation, speaker, text).await.unwrap();
    analyse(memory, conversation).await;
}
fn person(name: &str) -> Speaker {
    Speaker::Person { name: name.into() }
}
/// A statement of a speaker in the working set, at an activation, with what it has earned.
async fn known(memory: &TestMemory, speaker: Speaker, text: &str, earned: &str, rank: u16) -> PropositionId {
    said_by(memory, speaker, text).await;
    let all = memory.propositions(&PropositionQuery::default());
    let id = all.last().unwrap().proposition.id;
    memory.add_to_working_set(id).await.unwrap();
    let mut json = serde_json::to_value(unit(memory, id)).unwrap();
    (json["earned"], json["ceiling"], json["activation"]) = (earned.into(), "RELIABLE".into(), rank.into());
    let unit: Unit = serde_json::from_value(json).unwrap();
    let info = ScopeInfo::new(Cause::Import, Actor::Host, "a unit as it was elsewhere");
    memory
        .change(info, |state, scope| {
            scope.put(state, unit.clone(), "");
            Ok(())
        })
        .await
        .unwrap();
    id
}

/// What says this word is not archived.
fn stays(word: &str) -> InvariantRule {
    InvariantRule {
        id: "stays".into(),
        kind: InvariantKind::ArchiveProhibition,
        strength: Strength::Must,
        context_id: None,
        unit_text_pattern: Some(word.into()),
        minimum_authority: Authority::Provisional,
        minimum_count: 0,
    }
}

#[test]
fn a_persons_own_correction_simply_works() {
    run(async {
        for earned in ["PROVISIONAL", "UNRELIABLE", "RELIABLE"] {
            let memory = offline().await;
            let loves = known(&memory, Speaker::User, LOVES, earned, 900).await;
            let home = known(&memory, Speaker::User, "I live in Oslo.", earned, 900).await;
            tell(&memory, &[HATES]).await;
            assert_eq!(status(&memory, loves), Status::Contradicted);
            let met = last(&memory);
            assert_eq!(only(&met).resolution.reason, DecisionReason::SameSourceRevision);
            assert_eq!((only(&met).relation, only(&met).stands), (SourceRelation::SameSource, false));
            memory.ports().clock.advance_ms(30 * DAY_MS);
            tell(&memory, &["I moved to Bergen."]).await;
            assert_eq!(status(&memory, home), Status::Superseded);
            let new = last(&memory).proposition;
            match unit(&memory, home).standing() {
                Standing::Archived { reason: ArchiveReason::Revision, successor, .. } => {
                    assert_eq!(*successor, Some(new), "one truth: the unit goes with its statement");
                }
                other => panic!("{other:?}"),
            }
            let in_view: Vec<PropositionId> = memory.working_set().iter().map(|view| view.id()).collect();
            assert!(memory.inbox().is_empty() && !in_view.contains(&loves) && !in_view.contains(&home));
        }
    });
}

/// G3: not even the same source replaces what a person made CANON; both stand, and the person is asked.
#[test]
fn core_137_canon_stands_against_everybody_and_a_person_decides() {
    run(async {
        for (text, news) in [(LOVES, HATES), ("I live in Oslo.", "I live in Rome.")] {
            for verdict in [Verdict::Accept, Verdict::Reject] {
                let memory = offline().await;
                let canon = known(&memory, Speaker::User, text, "RELIABLE", 500).await;
                memory.canonize_unit(canon, "").await.unwrap();
                memory.ports().clock.advance_ms(30 * DAY_MS);
                tell(&memory, &[news]).await;
                let outcome = last(&memory);
                assert_eq!((outcome.kind, &outcome.others[..]), (OutcomeKind::Disputed, &[canon][..]));
                assert_eq!(only(&outcome).authority, Authority::Canon);
                assert!(only(&outcome).stands && only(&outcome).resolution.asks);
                assert_eq!([canon, outcome.proposition].map(|id| status(&memory, id)), [Status::Active; 2]);
                let new = memory.state().proposition(outcome.proposition).unwrap().clone();
                assert_eq!(new.temporal.contradicts, [canon], "linked");
                let asked = memory.inbox();
                assert_eq!((asked.len(), asked[0].kind), (1, InboxKind::UnitDispute));
                assert!(asked[0].question.contains("firm place"), "{}", asked[0].question);
                memory.decide(asked[0].id, verdict).await.unwrap();
                assert!(memory.inbox().is_empty());
                match verdict {
                    Verdict::Accept => {
                        assert!(!status(&memory, canon).is_live());
                        assert!(!unit(&memory, canon).is_active(), "archived by the person's word");
                    }
                    Verdict::Reject => {
                        assert_eq!(status(&memory, new.id), Status::Contradicted);
                        assert_eq!(memory.working_set()[0].authority, Authority::Canon);
                    }
                }
            }
        }
    });
}

/// Nobody outranks the user in their own memory (deviation D131).
#[test]
fn core_136_a_lesser_source_stands_beside_what_the_user_said() {
    run(async {
        for (earned, questions) in [("PROVISIONAL", 0), ("RELIABLE", 1)] {
            for (text, news) in [(LOVES, HATES), ("Pia lives in Oslo.", "Pia lives in Rome.")] {
                let memory = offline().await;
                let held = known(&memory, Speaker::User, text, earned, 200).await;
                said_by(&memory, person("Bo"), news).await;
                let outcome = last(&memory);
                assert_eq!(outcome.kind, OutcomeKind::Disputed, "{outcome:?}");
                assert_eq!(only(&outcome).relation, SourceRelation::ExistingOutranks);
                assert_eq!([held, outcome.proposition].map(|id| status(&memory, id)), [Status::Active; 2]);
                assert_eq!(memory.working_set().len(), 1);
                assert_eq!(memory.inbox().len(), questions);
            }
        }
    });
}

#[test]
fn between_two_others_authority_and_tier_decide() {
    run(async {
        let outcome = async |rank: u16, hot: f64| {
            let memory = offline().await;
            let mut config = memory.config();
            config.conflict.tier.hot_defense_modifier = hot;
            memory.set_config(config).unwrap();
            let held = known(&memory, person("Ann"), LOVES, "RELIABLE", rank).await;
            said_by(&memory, person("Bo"), HATES).await;
            let met = only(&last(&memory)).clone();
            assert_eq!(met.relation, SourceRelation::Unknown);
            (met, status(&memory, held), unit(&memory, held).authority())
        };
        let (met, status, _) = outcome(900, 0.1).await;
        assert_eq!((met.resolution.outcome, status), (ResolutionOutcome::Replace, Status::Contradicted));
        let (met, status, authority) = outcome(900, 0.3).await;
        assert_eq!((met.resolution.outcome, status), (ResolutionOutcome::DemoteExisting, Status::Active));
        assert_eq!(authority, Authority::Unreliable, "lowered one level, through the guard");
        assert!(met.change.is_some());
        let (met, _, _) = outcome(500, 0.3).await;
        assert_eq!(met.resolution.outcome, ResolutionOutcome::Replace, "only what is HOT is defended so");
    });
}

/// Upstream archives a revised unit by force where a MUST rule forbids it. Here the rule holds, the two stand side by side, and
/// nothing is linked as replaced.
#[test]
fn core_57_a_rule_that_forbids_archiving_holds_against_revision() {
    run(async {
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "UNRELIABLE", 500).await;
        memory.register_invariant(stays("techno")).unwrap();
        tell(&memory, &[HATES]).await;
        let outcome = last(&memory);
        assert_eq!((outcome.kind, status(&memory, held)), (OutcomeKind::Disputed, Status::Active));
        assert!(only(&outcome).resolution.why.contains("may not be archived"), "{outcome:?}");
        assert!(unit(&memory, held).is_active());
        assert_eq!(memory.lineage(held).steps.len(), 1, "nobody took its place");
        assert_eq!(memory.inbox().len(), 1, "a person can decide it");
    });
}

/// A host that knows its sources.
struct Ranked;
impl SourceComparator for Ranked {
    fn compare(&self, incoming: &Source, existing: &Source) -> SourceRelation {
        assert_eq!((existing.id.as_str(), incoming.id.as_str()), ("ann", "bo"));
        SourceRelation::ExistingOutranks
    }
}

#[test]
fn a_host_says_how_its_sources_stand() {
    run(async {
        let memory = offline().await;
        memory.use_source_comparator(Some(Rc::new(Ranked)));
        let held = known(&memory, person("Ann"), LOVES, "PROVISIONAL", 500).await;
        said_by(&memory, person("Bo"), HATES).await;
        assert_eq!(status(&memory, held), Status::Active);
        assert_eq!(only(&last(&memory)).resolution.reason, DecisionReason::ExistingOutranks);
    });
}

#[test]
fn what_is_pinned_is_asked_about_as_ever_and_sleepers_have_no_say() {
    run(async {
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "RELIABLE", 500).await;
        memory.pin(held, true).await.unwrap();
        tell(&memory, &[HATES]).await;
        assert!(last(&memory).defended.is_empty());
        assert_eq!(memory.inbox()[0].kind, InboxKind::PinnedConflict);
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "RELIABLE", 500).await;
        memory.archive_unit(held, "").await.unwrap();
        said_by(&memory, person("Bo"), HATES).await;
        assert!(last(&memory).defended.is_empty(), "a statement without an active unit is as it was");
        assert_eq!(status(&memory, held), Status::Contradicted);
    });
}

#[test]
fn undoing_a_window_gives_the_unit_back() {
    run(async {
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "RELIABLE", 500).await;
        tell(&memory, &[HATES]).await;
        assert!(memory.working_set().iter().all(|view| view.id() != held));
        let analysed = |commit: &&std::rc::Rc<credence::history::Commit>| commit.ids.contains_key("analysis");
        let commit = memory.log().commits().iter().rfind(analysed).unwrap().id;
        memory.undo(commit, None).await.unwrap();
        assert_eq!((memory.working_set().len(), status(&memory, held)), (1, Status::Active));
    });
}

/// Tidying does not undo what the defence decided, and what a person made CANON it does not touch at all.
#[test]
fn tidying_leaves_disputes_and_canon_alone() {
    run(async {
        let passes: BTreeSet<Pass> = [Pass::ContradictionResolution].into();
        let options = MaintenanceOptions { passes: Some(passes), ..MaintenanceOptions::default() };
        for (earned, questions) in [("UNRELIABLE", 0), ("RELIABLE", 1)] {
            let memory = offline().await;
            let held = known(&memory, Speaker::User, LOVES, earned, 500).await;
            memory.edit(held, &Edit { confidence: Some(0.5), ..Edit::default() }).await.unwrap();
            said_by(&memory, person("Bo"), HATES).await;
            assert_eq!(memory.inbox().len(), questions);
            for _ in 0..2 {
                memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap();
            }
            assert_eq!((status(&memory, held), memory.inbox().len()), (Status::Active, questions));
        }
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "PROVISIONAL", 500).await;
        memory.canonize_unit(held, "").await.unwrap();
        let other = known(&memory, Speaker::User, "Pia plays the harp.", "PROVISIONAL", 500).await;
        let retire = |id| CustomMark::new(id, "host", "a wish");
        let options = MaintenanceOptions {
            passes: Some([Pass::Custom].into()),
            custom: vec![retire(held), retire(other)],
            ..MaintenanceOptions::default()
        };
        memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap();
        assert_eq!([held, other].map(|id| status(&memory, id)), [Status::Active, Status::Stale]);
    });
}

/// core 59, 60: one statement against two units is told once with both, and what came of each.
#[test]
fn core_59_60_conflicts_with_units_are_told() {
    run(async {
        let memory = offline().await;
        let one = known(&memory, person("Ann"), LOVES, "UNRELIABLE", 500).await;
        let two = known(&memory, Speaker::User, "Pia is fond of techno.", "PROVISIONAL", 500).await;
        let heard = Rc::new(RefCell::new(Vec::new()));
        let into = heard.clone();
        let listening = memory.subscribe(move |event| {
            if let Event::Unit { event, .. } = event {
                into.borrow_mut().push(event.clone());
            }
        });
        said_by(&memory, person("Bo"), "Pia plays the harp.").await;
        assert!(heard.borrow().is_empty(), "nothing stands against it");
        said_by(&memory, person("Bo"), HATES).await;
        let met = last(&memory).defended;
        let told = heard.borrow();
        let detected: Vec<&UnitEvent> =
            told.iter().filter(|event| matches!(event, UnitEvent::ConflictDetected { .. })).collect();
        let units: Vec<PropositionId> = met.iter().map(|met| met.unit).collect();
        assert_eq!(units, [one, two]);
        assert_eq!(detected, [&UnitEvent::ConflictDetected { incoming: HATES.into(), units }]);
        for (unit, outcome) in [(one, "REPLACE"), (two, "KEEP_EXISTING")] {
            let resolved = UnitEvent::ConflictResolved { unit, outcome: outcome.into() };
            assert!(told.contains(&resolved), "{told:?}");
        }
        drop(listening);
    });
}

/// Sources that the host has scored by their exact ids go by their scores.
#[test]
fn scored_sources_go_by_their_scores() {
    run(async {
        for (voice, relation) in
            [("dm", SourceRelation::IncomingOutranks), ("admin", SourceRelation::Unknown)]
        {
            let memory = offline().await;
            known(&memory, person("player"), LOVES, "PROVISIONAL", 500).await;
            said_by(&memory, person(voice), HATES).await;
            assert_eq!(only(&last(&memory)).relation, relation, "{voice}");
        }
        let memory = offline().await;
        let held = known(&memory, person("dm"), LOVES, "PROVISIONAL", 500).await;
        said_by(&memory, person("player"), HATES).await;
        assert_eq!(only(&last(&memory)).relation, SourceRelation::ExistingOutranks);
        assert_eq!(status(&memory, held), Status::Active);
    });
}

/// A person's revision of a unit hands its place on; CANON stays CANON, and a rule holds against a person too.
#[test]
fn a_persons_revision_of_a_unit_hands_its_place_on() {
    run(async {
        for canon in [false, true] {
            let memory = offline().await;
            let held = known(&memory, Speaker::User, LOVES, "RELIABLE", 800).await;
            if canon {
                memory.canonize_unit(held, "").await.unwrap();
            }
            let before = memory.now().at;
            memory.ports().clock.advance_ms(DAY_MS);
            let done = memory.supersede(held, "Pia loves house music.", Followed::MovedOn).await.unwrap();
            let set = memory.working_set();
            assert_eq!(set.iter().map(|view| view.id()).collect::<Vec<_>>(), [done.successor]);
            let level = if canon { Authority::Canon } else { Authority::Provisional };
            assert_eq!(set[0].authority, level);
            assert_eq!(set[0].unit.evidence().len(), 1, "a person's word is a confirmation");
            assert_eq!(set[0].unit.trust().unwrap().trigger, "revision", "core 55");
            let lineage = memory.lineage(done.successor);
            assert!(matches!(
                lineage.steps[0].unit.as_ref().unwrap().standing(),
                Standing::Archived { successor, .. } if *successor == Some(done.successor)
            ));
            let now = memory.now().at;
            let then = |valid, recorded| -> Vec<PropositionId> {
                memory.working_set_as_of(valid, recorded).unwrap().iter().map(|view| view.id()).collect()
            };
            assert_eq!(then(before, before), [held], "the working set as it was");
            assert_eq!(then(now, now), [done.successor]);
            assert!(then(before, now).is_empty(), "what is in it now did not hold then");
        }
        let memory = offline().await;
        let held = known(&memory, Speaker::User, LOVES, "RELIABLE", 800).await;
        memory.register_invariant(stays("techno")).unwrap();
        let refused = memory.supersede(held, "Pia loves house music.", Followed::MovedOn).await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
        assert_eq!(status(&memory, held), Status::Active);
    });
}
