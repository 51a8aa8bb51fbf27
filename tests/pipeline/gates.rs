//! Gates, trust and the inbox in the pipeline: what is refused or held has written nothing, what is held waits for a person, and
//! the person's answer is one commit that can be undone.

use std::rc::Rc;

use credence::Memory;
use credence::config::Config;
use credence::conflict::{ConflictDetector, ConflictType, Label};
use credence::error::Error;
use credence::extraction::{AnalysisReport, DropReason, OutcomeKind};
use credence::gate::{DEMOTED_TO, GateDecision, GatePipeline, PROJECTION_SKIPPED};
use credence::history::RecordId;
use credence::inbox::{InboxKind, Verdict};
use credence::llm::{Role, scripted::ScriptedModel};
use credence::proposition::{Proposition, PropositionQuery, Status};
use credence::resolution::ResolutionKind;
use credence::schema::{EvidenceFloor, KnowledgeSchema, Relations, SchemaRegistry};
use credence::testing::TestPorts;
use credence::trust::{AuthorityResolver, AuthorityTier, TierWeights, TrustScorer, TrustSettings, score_of};
use serde_json::{Value, json};

use super::support::*;

fn gates(gates: Value) -> Config {
    let gates: GatePipeline = serde_json::from_value(json!({"gates": gates})).unwrap();
    Config { gates, ..Config::default() }
}

async fn with_gates(list: Value) -> TestMemory {
    Memory::open(TestPorts::offline(), context(), gates(list)).await.unwrap()
}

fn last_report(memory: &TestMemory) -> AnalysisReport {
    memory.state().analyses().last().unwrap().clone()
}

fn all(memory: &TestMemory) -> Vec<Proposition> {
    memory.state().propositions().cloned().collect()
}

/// What a model extracts: a text, its subject and a confidence.
fn said(text: &str, subject: &str, confidence: f64) -> String {
    json!({"propositions": [{
        "text": text, "turns": [1], "confidence": confidence,
        "mentions": [{"span": subject, "type": "Person", "role": "SUBJECT"}],
    }]})
    .to_string()
}

fn judged(relation: &str) -> String {
    json!({"items": [{"item": 1, "relations": [
        {"stored": 1, "relation": relation, "similarity": 0.9, "reason": "as the model sees it"}
    ]}]})
    .to_string()
}

#[test]
fn by_default_everything_passes_and_the_report_says_that_it_was_asked() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "Pia hates techno."]).await;
        let report = last_report(&memory);
        assert_eq!(report.gates.len(), 1);
        assert_eq!(
            (&report.gates[0].decision, report.gates[0].evaluations.len()),
            (&GateDecision::Persist, 1)
        );
        assert!(memory.inbox().is_empty());
    });
}

#[test]
fn a_refused_statement_writes_nothing() {
    run(async {
        let reply = said("Zed might own a red kayak.", "Zed", 0.3);
        let ports = TestPorts::with(ScriptedModel::new().reply(Role::Extract, reply));
        let config = gates(json!([{"gate": "confidence", "min": 0.5}]));
        let memory = Memory::open(ports, context(), config).await.unwrap();
        tell(&memory, &["Zed might own a red kayak."]).await;
        assert!(all(&memory).is_empty());
        assert!(memory.entities().iter().all(|e| e.name != "Zed"), "nobody for it to be about");
        let report = last_report(&memory);
        assert_eq!(report.dropped[0].reason, DropReason::Gate);
        assert!(report.dropped[0].detail.contains("0.3"), "{:?}", report.dropped);
        assert!(report.outcomes.is_empty() && memory.inbox().is_empty());
        assert!(report.new_entities.iter().all(|id| memory.state().entity(*id).is_some()));
        let zed = report.resolutions.iter().find(|r| r.span == "Zed").unwrap();
        assert_eq!((zed.outcome, zed.entity), (ResolutionKind::Vetoed, None), "the report names no ghost");
        assert!(zed.why.contains("not made"), "{}", zed.why);
    });
}

/// A statement of which nothing is written does not rename the user either; accepted, it does.
#[test]
fn a_held_name_is_nobodys_yet() {
    run(async {
        let memory = with_gates(json!([{"gate": "trust", "min": 1.0}])).await;
        tell(&memory, &["My name is Mara."]).await;
        let user = || memory.entities().into_iter().find(|e| e.is_user).unwrap().name;
        assert_eq!(user(), "User");
        memory.decide(memory.inbox()[0].id, Verdict::Accept).await.unwrap();
        assert_eq!(user(), "Mara");
    });
}

/// Twice in one window, by two turns: one question.
#[test]
fn held_twice_in_one_window_is_one_question() {
    run(async {
        let memory = with_gates(json!([{"gate": "trust", "min": 1.0}])).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "Zed owns a red kayak.").await;
        user_says(&memory, talk, "zed owns a red kayak!").await;
        analyse(&memory, talk).await;
        let items = memory.inbox();
        assert_eq!(items.len(), 1, "{items:?}");
        assert_eq!(items[0].proposition.as_ref().unwrap().grounding.len(), 2);
    });
}

#[test]
fn a_held_change_waits_is_made_and_can_be_undone() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let config = gates(json!([{"gate": "conflict-classification"}]));
        let memory = Memory::open(ports, context(), config.clone()).await.unwrap();
        tell(&memory, &["Pia loves techno.", "Pia hates techno."]).await;
        assert_eq!(live(&memory), ["Pia loves techno."], "the planned change was not made");
        assert_eq!(all(&memory).len(), 1);
        let report = last_report(&memory);
        assert_eq!(report.dropped[0].reason, DropReason::Held);

        // Durable: another process sees the question too, and the statement in it is whole.
        let other = Memory::open(sibling, context(), config).await.unwrap();
        let items = other.inbox();
        assert_eq!(items.len(), 1);
        let item = &items[0];
        assert_eq!(report.gates[0].inbox, Some(item.id));
        assert_eq!(item.kind, InboxKind::Review);
        let held = item.proposition.as_ref().unwrap();
        assert_eq!((held.text.as_str(), held.grounding.len()), ("Pia hates techno.", 1));
        assert_eq!(item.other_propositions().collect::<Vec<_>>(), [all(&memory)[0].id]);
        assert!(item.question.contains("Pia hates techno."), "{}", item.question);

        let decided = memory.decide(item.id, Verdict::Accept).await.unwrap();
        assert!(decided.effect.contains("retired"), "{}", decided.effect);
        assert_eq!(live(&memory), ["Pia hates techno."]);
        assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno."]);
        assert!(memory.inbox().is_empty());
        assert_eq!(memory.state().inbox_items().count(), 1, "kept with its answer");

        let again = memory.decide(item.id, Verdict::Reject).await;
        assert!(
            matches!(&again, Err(Error::Invalid { problem, .. }) if problem.contains("accepted")),
            "{again:?}"
        );
        let late = other.decide(item.id, Verdict::Reject).await;
        assert!(
            matches!(late, Err(Error::Invalid { .. })),
            "the other process learns it when it commits: {late:?}"
        );

        let commit = memory.log().commits().last().unwrap().id;
        let undone = memory.undo(commit, None).await.unwrap();
        assert!(undone.conflicts.is_empty() && undone.restored.contains(&RecordId::Inbox(item.id)));
        assert_eq!(live(&memory), ["Pia loves techno."]);
        assert_eq!(memory.inbox().len(), 1, "open again");
        memory.decide(item.id, Verdict::Reject).await.unwrap();
        assert_eq!((live(&memory).len(), all(&memory).len(), memory.inbox().len()), (1, 1, 0));
    });
}

#[test]
fn what_accepting_does_is_decided_on_the_memory_as_it_is() {
    run(async {
        let memory = with_gates(json!([{"gate": "conflict-classification"}])).await;
        tell(&memory, &["Pia loves techno.", "Pia hates techno."]).await;
        let item = memory.inbox().remove(0);
        memory.forget(all(&memory)[0].id).await.unwrap();
        let decided = memory.decide(item.id, Verdict::Accept).await.unwrap();
        assert!(decided.effect.contains("new fact"), "{}", decided.effect);
        assert_eq!(live(&memory), ["Pia hates techno."]);

        // What a model judged stands only as long as it was judged on the same words.
        for (edit, kind) in [(None, "surer"), (Some("Mara bakes bread on Fridays."), "new fact")] {
            let model = ScriptedModel::new()
                .reply(Role::Extract, said("Mara paddles her kayak.", "Mara", 0.8))
                .reply(Role::Extract, said("Mara paddles her red kayak often.", "Mara", 0.8))
                .reply(Role::Revise, judged("SIMILAR"));
            let config = gates(json!([{"gate": "merge-candidate"}]));
            let memory = Memory::open(TestPorts::with(model), context(), config).await.unwrap();
            tell(&memory, &["Mara paddles her kayak.", "Mara paddles her red kayak often."]).await;
            let item = memory.inbox().remove(0);
            if let Some(text) = edit {
                let edit = credence::memory::Edit { text: Some(text.into()), ..Default::default() };
                memory.edit(all(&memory)[0].id, &edit).await.unwrap();
            }
            let decided = memory.decide(item.id, Verdict::Accept).await.unwrap();
            assert!(decided.effect.contains(kind), "{edit:?}: {}", decided.effect);
        }
    });
}

#[test]
fn a_held_statement_brings_its_entities_when_it_is_accepted() {
    run(async {
        let memory = with_gates(json!([{"gate": "trust", "min": 0.95}])).await;
        tell(&memory, &["Zed owns a red kayak."]).await;
        assert!(all(&memory).is_empty());
        assert!(memory.entities().iter().all(|e| e.name != "Zed"), "{:?}", memory.entities());
        let item = memory.inbox().remove(0);
        assert!(item.why.contains("0.9") && item.why.contains("0.95"), "{}", item.why);
        memory.decide(item.id, Verdict::Accept).await.unwrap();
        let zed = memory.entities().into_iter().find(|e| e.name == "Zed").unwrap();
        assert_eq!(zed.propositions, 1);
        assert!(all(&memory)[0].entities().any(|id| id == zed.id));
    });
}

#[test]
fn said_again_it_is_one_question_with_more_evidence() {
    run(async {
        let memory = with_gates(json!([{"gate": "trust", "min": 1.0}])).await;
        tell(&memory, &["Zed owns a red kayak.", "zed owns a red kayak!", "Zed owns a blue bicycle."]).await;
        let items = memory.inbox();
        assert_eq!(items.len(), 2);
        assert_eq!(items[0].proposition.as_ref().unwrap().grounding.len(), 2);
        memory.decide(items[0].id, Verdict::Reject).await.unwrap();
        tell(&memory, &["Zed owns a red kayak."]).await;
        assert_eq!(memory.inbox().len(), 2, "fresh evidence may ask again");
    });
}

#[test]
fn evidence_floors_demote_or_ask() {
    run(async {
        let floor = |demote_to: Option<&str>| {
            let floor = EvidenceFloor {
                min_authority: Some(AuthorityTier::Primary),
                demote_to: demote_to.map(str::to_owned),
                ..EvidenceFloor::default()
            };
            let relations = Relations::empty().with_semantic_between(
                "Person",
                "Organization",
                "works at",
                "",
                Some(floor),
            );
            let mut schemas = SchemaRegistry::default();
            schemas.register("default", KnowledgeSchema { relations, ..KnowledgeSchema::default() }).unwrap();
            Config { schemas, ..Config::default() }
        };
        for (demote_to, stored) in [(Some("affiliated with"), 1), (None, 0)] {
            let memory = Memory::open(TestPorts::offline(), context(), floor(demote_to)).await.unwrap();
            let talk = memory.start_conversation("").await.unwrap();
            let bo = credence::conversation::Speaker::Person { name: "Bo".into() };
            memory.say(talk, bo, "Nia works at Acme.").await.unwrap();
            analyse(&memory, talk).await;
            let held = memory.inbox().into_iter().filter(|item| item.kind == InboxKind::Review).count();
            assert_eq!((all(&memory).len(), held), (stored, 1 - stored), "{demote_to:?}");
            for p in all(&memory) {
                assert_eq!(p.metadata[DEMOTED_TO], "affiliated with", "hearsay stands for less");
            }
            // The user's own word suffices.
            tell(&memory, &["Cy works at Acme."]).await;
            assert!(
                all(&memory).iter().any(|p| p.text.contains("Cy") && !p.metadata.contains_key(DEMOTED_TO))
            );
        }
    });
}

#[test]
fn what_is_not_projected_is_kept_and_marked() {
    run(async {
        let memory = with_gates(json!([{"gate": "projection-eligibility", "min": 1.0}])).await;
        tell(&memory, &["Zed owns a red kayak."]).await;
        assert!(all(&memory)[0].metadata[PROJECTION_SKIPPED].as_str().unwrap().contains("below 1"));
    });
}

#[test]
fn a_pinned_statement_asks_a_person() {
    run(async {
        for (verdict, stays, retired) in [
            (Verdict::Accept, "Pia hates techno.", "Pia loves techno."),
            (Verdict::Reject, "Pia loves techno.", "Pia hates techno."),
        ] {
            let memory = offline().await;
            tell(&memory, &["Pia loves techno."]).await;
            let id = all(&memory)[0].id;
            memory.pin(id, true).await.unwrap();
            tell(&memory, &["Pia hates techno."]).await;
            let item = memory.inbox().remove(0);
            assert_eq!(item.kind, InboxKind::PinnedConflict);
            assert!(item.question.contains("“Pia loves techno.” is pinned"), "{}", item.question);
            let decided = memory.decide(item.id, verdict).await.unwrap();
            assert!(decided.effect.contains(retired), "{}", decided.effect);
            assert_eq!(live(&memory), [stays]);
            assert_eq!(texts(&memory, Status::Contradicted), [retired]);
        }
    });
}

/// A pinned home that a person gives up was true until the next one began.
#[test]
fn a_pinned_value_that_the_world_left_behind_was_not_wrong() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        let id = all(&memory)[0].id;
        memory.pin(id, true).await.unwrap();
        tell(&memory, &["I live in Bergen."]).await;
        let confidence = all(&memory)[0].confidence;
        memory.decide(memory.inbox()[0].id, Verdict::Accept).await.unwrap();
        assert_eq!(live(&memory), ["User lives in Bergen."]);
        assert_eq!(texts(&memory, Status::Superseded), ["User lives in Oslo."]);
        let old = all(&memory).into_iter().find(|p| p.id == id).unwrap();
        assert!(!old.pinned && old.temporal.valid_to.is_some(), "{old:?}");
        assert_eq!(old.confidence, confidence, "it was true");
    });
}

#[test]
fn a_held_statement_follows_its_entity_through_a_merge() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Zed owns a red kayak.", "Zedekiah owns a green kayak."]).await;
        memory.set_config(gates(json!([{"gate": "trust", "min": 1.0}]))).unwrap();
        tell(&memory, &["Zed owns a blue bicycle."]).await;
        let id = |name: &str| memory.entities().into_iter().find(|e| e.name == name).unwrap().id;
        let (keep, other) = (id("Zedekiah"), id("Zed"));
        memory.merge_entities(keep, other).await.unwrap();
        memory.decide(memory.inbox()[0].id, Verdict::Accept).await.unwrap();
        let stored = all(&memory).into_iter().find(|p| p.text.contains("bicycle")).unwrap();
        assert!(stored.entities().any(|id| id == keep), "{stored:?}");
        assert!(stored.entities().all(|id| id != other));
    });
}

#[test]
fn what_is_forgotten_leaves_the_inbox() {
    run(async {
        // The pinned side, the newer side, and the statement that a held change was decided on.
        for (pin, forgotten, left) in
            [(true, "Pia loves techno.", 0), (true, "Pia hates techno.", 0), (false, "Pia loves techno.", 1)]
        {
            let list = if pin { json!([]) } else { json!([{"gate": "conflict-classification"}]) };
            let memory = with_gates(list).await;
            tell(&memory, &["Pia loves techno."]).await;
            memory.pin(all(&memory)[0].id, pin).await.unwrap();
            tell(&memory, &["Pia hates techno."]).await;
            assert_eq!(memory.inbox().len(), 1);
            let id = all(&memory).into_iter().find(|p| p.text == forgotten).unwrap().id;
            memory.forget(id).await.unwrap();
            let items = memory.inbox();
            assert_eq!(items.len(), left, "{forgotten}");
            assert!(!serde_json::to_string(&items).unwrap().contains(forgotten), "{items:?}");
            let commit = memory.log().commits().last().unwrap().id;
            memory.undo(commit, None).await.unwrap();
            assert_eq!(memory.inbox().len(), 1, "undone, it is asked again");
        }
    });
}

#[test]
fn a_forgotten_source_takes_its_questions_along() {
    run(async {
        let memory = with_gates(json!([{"gate": "trust", "min": 1.0}])).await;
        tell(&memory, &["Zed owns a red kayak.", "Oda owns a blue bicycle."]).await;
        let source = memory.state().conversations().next().unwrap().id;
        memory.forget_source(source).await.unwrap();
        let items = memory.inbox();
        assert_eq!(items.len(), 1);
        assert!(!serde_json::to_string(&items).unwrap().contains("Zed"), "{items:?}");
    });
}

#[test]
fn an_unknown_question_is_not_found() {
    run(async {
        let memory = offline().await;
        let id = credence::id::InboxId::new(uuid::Uuid::from_u128(7));
        assert!(matches!(memory.decide(id, Verdict::Accept).await, Err(Error::NotFound { .. })));
    });
}

fn fixed_trust(score: f64) -> Config {
    let weights = TierWeights { primary: score, ..TierWeights::default() };
    let authority = AuthorityResolver::Fixed { tier: AuthorityTier::Primary };
    Config {
        trust: TrustSettings {
            authority,
            scorer: TrustScorer::Authority { weights },
            ..TrustSettings::default()
        },
        ..Config::default()
    }
}

#[test]
fn dice_96_trust_is_scored_on_what_a_revision_leaves() {
    run(async {
        for (relation, kind) in [
            ("IDENTICAL", OutcomeKind::Merged),
            ("SIMILAR", OutcomeKind::Reinforced),
            ("GENERALIZES", OutcomeKind::Generalized),
            ("CONTRADICTORY", OutcomeKind::Contradicted),
            ("UNRELATED", OutcomeKind::New),
        ] {
            let model = ScriptedModel::new()
                .reply(Role::Extract, said("Mara paddles her kayak.", "Mara", 0.8))
                .reply(Role::Extract, said("Her kayak is what Mara paddles.", "Mara", 0.8))
                .reply(Role::Revise, judged(relation));
            let ports = TestPorts::with(model);
            let memory = Memory::open(ports, context(), Config::default()).await.unwrap();
            tell(&memory, &["Mara paddles her kayak."]).await;
            let old = all(&memory)[0].clone();
            assert_eq!(score_of(&old), Some(0.9), "a user's own word in a conversation");
            memory.set_config(fixed_trust(0.8)).unwrap();
            memory.ports().clock.advance_ms(1_000);
            tell(&memory, &["Her kayak is what Mara paddles."]).await;
            let report = last_report(&memory);
            assert_eq!(report.outcomes[0].kind, kind, "{relation}");
            let left = memory.state().proposition(report.outcomes[0].proposition).unwrap().clone();
            assert_eq!(score_of(&left), Some(0.8), "{relation}");
            if kind == OutcomeKind::Contradicted {
                let original = memory.state().proposition(old.id).unwrap().clone();
                assert_eq!(original.status, Status::Contradicted);
                assert_eq!(score_of(&original), Some(0.9), "the original's score is not touched");
            }
            if kind == OutcomeKind::New {
                assert_eq!(left.content_revised, left.created, "scoring moves no content clock");
            }
        }
    });
}

#[test]
fn a_voice_is_not_promoted_by_where_it_speaks() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        let bo = credence::conversation::Speaker::Person { name: "Bo".into() };
        memory.say(talk, bo, "Nia owns a red kayak.").await.unwrap();
        user_says(&memory, talk, "I own a green kayak.").await;
        analyse(&memory, talk).await;
        memory.remember("Oda owns a blue kayak.").await.unwrap();
        let score = |colour: &str| score_of(all(&memory).iter().find(|p| p.text.contains(colour)).unwrap());
        assert_eq!((score("red"), score("green"), score("blue")), (Some(0.75), Some(0.9), Some(0.9)));
        let trusted = PropositionQuery { min_trust_score: Some(0.8), ..PropositionQuery::live() };
        assert_eq!(memory.propositions(&trusted).len(), 2);
    });
}

/// Deviation D23.
#[test]
fn a_model_that_sees_a_conflict_in_a_slot_of_time_closes_the_past() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Extract, said("Nia's office is at Acme.", "Nia", 0.9))
            .reply(Role::Extract, said("Nia works at Initech.", "Nia", 0.9))
            .reply(Role::Revise, judged("CONTRADICTORY"));
        let memory = open(TestPorts::with(model)).await;
        tell(&memory, &["Nia's office is at Acme.", "Nia works at Initech."]).await;
        assert_eq!(texts(&memory, Status::Superseded), ["Nia's office is at Acme."]);
        assert_eq!(last_report(&memory).outcomes[0].conflict, Some(ConflictType::WorldProgression));
    });
}

struct Everything(&'static str);

impl ConflictDetector for Everything {
    fn classify(&self, _: &Proposition, _: &Proposition) -> ConflictType {
        ConflictType::Custom { label: Label::new(self.0).unwrap() }
    }
}

#[test]
fn a_host_brings_its_own_conflict_detector() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "Pia hates techno."]).await;
        assert_eq!(last_report(&memory).outcomes[0].conflict, Some(ConflictType::Contradiction));
        memory.use_conflict_detector(Some(Rc::new(Everything("taste"))));
        tell(&memory, &["Pia loves techno."]).await;
        let custom = ConflictType::Custom { label: Label::new("taste").unwrap() };
        assert_eq!(last_report(&memory).outcomes[0].conflict, Some(custom));
    });
}
