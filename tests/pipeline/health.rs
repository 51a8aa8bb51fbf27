//! A memory is looked at, and put right: what use leaves behind is sound, what does not fit together is found by kind and place, and a repair
//! takes out what leads nowhere and no word of a person.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use credence::Memory;
use credence::config::Config;
use credence::conversation::{Bookmark, Speaker, Turn, TurnState};
use credence::embedding::Embedder;
use credence::entity::Entity;
use credence::event::Event;
use credence::health::{Remedy, Severity, Trouble};
use credence::history::{
    Actor, Cause, Commit, ContentId, Journal, Log, Record, Revision, Scope, ScopeInfo, StoredVector,
};
use credence::id::{CommitId, ConversationId, EntityId, PropositionId, RevisionId, TurnId};
use credence::llm::ModelError;
use credence::ports::Clock;
use credence::proposition::{Extractor, Mention, MentionRole, Proposition};
use credence::retrieval::{Search, Similarity};
use credence::scale::Confidence;
use credence::testing::{FlakyJournal, TestPorts};
use credence::time::Timestamp;
use credence::unit::{Activation, Earned, Unit};
use serde_json::json;
use uuid::Uuid;

use super::support::{TestMemory, context, offline, open, run, tell};

fn n(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn statement(id: u128, text: &str) -> Proposition {
    let id = PropositionId::new(n(id));
    Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Person, Timestamp(5)).unwrap()
}

async fn troubles(memory: &TestMemory) -> Vec<(Trouble, usize)> {
    let report = memory.check_health().await.unwrap();
    report.findings.iter().map(|finding| (finding.trouble, finding.count)).collect()
}

#[test]
fn a_memory_that_was_used_is_sound() {
    run(async {
        let memory = offline().await;
        tell(
            &memory,
            &[
                "I live in Lisbon.",
                "My sister Ana works at Acme.",
                "I moved to Porto last week.",
                "I can't stand techno.",
                "私は京都に住んでいます。",
            ],
        )
        .await;
        let said: Vec<PropositionId> = memory.state().propositions().map(|it| it.id).collect();
        assert!(said.len() >= 3, "the test needs something to work on");
        memory.pin(said[0], true).await.unwrap();
        let forgotten = memory.forget(said[1]).await.unwrap().unwrap();
        assert_eq!(troubles(&memory).await, []);
        memory.undo(forgotten.id, None).await.unwrap();
        let source = memory.state().conversations().next().unwrap().id;
        memory.forget_source(source).await.unwrap();
        let entity = memory.state().entities().find(|entity| !entity.is_user).map(|entity| entity.id);
        if let Some(entity) = entity {
            memory.forget_entity(entity).await.unwrap();
        }
        let report = memory.check_health().await.unwrap();
        assert_eq!(report.findings, []);
        assert!(report.is_sound() && !report.can_repair() && report.records > 10);
        let commits = memory.log().commits().len();
        let repaired = memory.repair(&report).await.unwrap();
        assert_eq!((repaired.commits.len(), memory.log().commits().len()), (0, commits), "nothing to do");
    });
}

/// A log whose records point at what was never there, as a store has it that lost something.
async fn dangling() -> (TestMemory, TestMemory) {
    let ports = TestPorts::offline();
    let mut log = Log::default();
    let scope = Scope::new(ScopeInfo::new(Cause::Import, Actor::Host, "by hand"));
    let mut told = statement(1, "Ana lives in Lisbon");
    told.mentions = vec![
        Mention { entity: Some(EntityId::new(n(2))), ..Mention::new("Ana", "Person", MentionRole::Subject) },
        Mention {
            entity: Some(EntityId::new(n(90))),
            ..Mention::new("Lisbon", "Place", MentionRole::Object)
        },
    ];
    told.grounding = vec![TurnId::new(n(91))];
    told.temporal.supersedes = vec![PropositionId::new(n(92))];
    scope.put(log.state(), told, "");
    let mut ana = Entity::new(EntityId::new(n(2)), "Ana", "Person", Timestamp(5));
    ana.distinct_from = vec![EntityId::new(n(93))];
    scope.put(log.state(), ana, "");
    let lost = PropositionId::new(n(94));
    scope.put(log.state(), Unit::promoted(lost, Activation::MIN, Earned::Reliable, None, Timestamp(5)), "");
    scope.put(log.state(), Bookmark::new(ConversationId::new(n(95))), "");
    let turn: Turn = serde_json::from_value(json!({
        "id": TurnId::new(n(3)),
        "conversation": ConversationId::new(n(96)),
        "index": 0,
        "speaker": Speaker::User,
        "text": "I like tea.",
        "at": ports.clock.now(),
        "state": TurnState::Complete,
    }))
    .unwrap();
    scope.put(log.state(), turn, "");
    let commit = scope.to_commit(log.state(), &context(), CommitId::new(n(1)), Timestamp(10)).unwrap();
    ports.journal.append(&log.push(commit).unwrap()).await.unwrap();
    let other = ports.sibling();
    (open(ports).await, open(other).await)
}

#[test]
fn links_that_lead_nowhere_are_found_and_taken_out() {
    run(async {
        let (memory, other) = dangling().await;
        let found = troubles(&memory).await;
        assert_eq!(
            found,
            [
                (Trouble::UnknownTurn, 1),
                (Trouble::UnknownEntity, 2),
                (Trouble::UnknownStatement, 1),
                (Trouble::UnitWithoutStatement, 1),
                (Trouble::TurnsWithoutConversation, 1),
                (Trouble::BookmarkWithoutConversation, 1),
            ]
        );
        let report = memory.check_health().await.unwrap();
        assert!(!report.is_sound() && report.can_repair());
        assert!(
            report.findings.iter().all(|it| it.severity == Severity::Disagreement && !it.places.is_empty())
        );
        let repaired = memory.repair(&report).await.unwrap();
        assert_eq!(repaired.commits, [2]);
        assert_eq!(repaired.left, [Trouble::UnknownTurn, Trouble::UnknownStatement]);
        assert_eq!(memory.log().commits()[1].cause, Cause::Repair);
        assert_eq!(troubles(&memory).await, [(Trouble::UnknownTurn, 1), (Trouble::UnknownStatement, 1)]);
        let kept = memory.state().propositions().next().unwrap().clone();
        assert_eq!((kept.text.as_str(), kept.content_revised), ("Ana lives in Lisbon", Timestamp(5)));
        let entities: Vec<_> = kept.mentions.iter().map(|mention| mention.entity).collect();
        assert_eq!(entities, [Some(EntityId::new(n(2))), None]);
        let conversation = memory.state().conversations().next().unwrap().id;
        assert_eq!(memory.state().turns(conversation).count(), 1, "a list shows the turn again");
        // Another tab reads everything anew.
        let heard = Rc::new(RefCell::new(0));
        let told = heard.clone();
        let _subscription = other.subscribe(move |event| {
            *told.borrow_mut() += usize::from(matches!(event, Event::Rewritten { remote: true, .. }));
        });
        other.refresh().await.unwrap();
        assert_eq!((*heard.borrow(), other.state().seq()), (1, 2));
    });
}

#[test]
fn what_was_changed_behind_the_logs_back_is_named_and_only_a_copy_restores_it() {
    run(async {
        let ports = TestPorts::offline();
        let mut log = Log::default();
        let say = |log: &mut Log, id: u128| {
            let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, "said"));
            scope.put(log.state(), statement(id, "told as it is"), "");
            let made = scope.to_commit(log.state(), &context(), CommitId::new(n(id)), Timestamp(10)).unwrap();
            Commit::clone(&log.push(made).unwrap())
        };
        let mut first = say(&mut log, 1);
        let mut second = say(&mut log, 2);
        let third = say(&mut log, 3);
        let other = Record::Proposition(statement(1, "told otherwise"));
        first.revisions =
            vec![Rc::new(Revision { value: Some(other), ..Revision::clone(&first.revisions[0]) })];
        second.revisions = Vec::new();
        for commit in [&first, &second, &third] {
            ports.journal.append(commit).await.unwrap();
        }
        let memory = open(ports).await;
        let report = memory.check_health().await.unwrap();
        let found: Vec<_> = report.findings.iter().map(|it| (it.trouble, it.places[0].as_str())).collect();
        assert_eq!(
            found,
            [
                (Trouble::RevisionsMissing, "before R3 in commit 3"),
                (Trouble::ContentDiffers, format!("{}, R1 in commit 1", PropositionId::new(n(1))).as_str()),
            ]
        );
        assert!(report.findings.iter().all(|finding| finding.remedy == Remedy::Restore));
        assert!(!report.is_sound() && !report.can_repair());
        assert!(memory.repair(&report).await.unwrap().commits.is_empty());
        assert_eq!(memory.log().commits()[0].revisions[0].id, RevisionId(1));
    });
}

/// Vectors that cost something, so that they are kept.
#[derive(Clone)]
struct Costly {
    space: &'static str,
    dimension: usize,
    asked: Rc<RefCell<usize>>,
    /// Numbers that its answers lack.
    lacks: usize,
    /// Texts after which it does not answer any more.
    hangs_after: Rc<RefCell<Option<usize>>>,
}

impl Default for Costly {
    fn default() -> Self {
        Self { space: "costly", dimension: 3, lacks: 0, asked: Rc::default(), hangs_after: Rc::default() }
    }
}

impl Embedder for Costly {
    fn space(&self) -> String {
        self.space.into()
    }
    fn dimension(&self) -> usize {
        self.dimension
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let most = *self.hangs_after.borrow();
        if most.is_some_and(|most| *self.asked.borrow() + texts.len() > most) {
            std::future::pending::<()>().await;
        }
        *self.asked.borrow_mut() += texts.len();
        let number =
            |text: &String| text.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte));
        let part = |number: u32, place: usize| ((number >> (4 * place)) & 0xff) as f32 - 127.5;
        let vector = |it: u32| (self.lacks..self.dimension).map(|place| part(it, place)).collect();
        Ok(texts.iter().map(number).map(vector).collect())
    }
}

async fn with_vectors(journal: &FlakyJournal) -> (Memory<TestPorts<Costly>>, Costly) {
    embedded_by(journal, Costly::default()).await
}

async fn embedded_by(journal: &FlakyJournal, embedder: Costly) -> (Memory<TestPorts<Costly>>, Costly) {
    let TestPorts { chat, clock, ids, .. } = TestPorts::offline();
    let ports = TestPorts { journal: journal.clone(), chat, embedder: embedder.clone(), clock, ids };
    (Memory::open(ports, context(), Config::default()).await.unwrap(), embedder)
}

async fn hits(memory: &Memory<TestPorts<Costly>>) -> Vec<PropositionId> {
    let search = Search::new("who keeps bees in town");
    let found = memory.search(&search).await.unwrap();
    found.items.iter().map(|item| item.view.proposition.id).collect()
}

#[test]
fn case_34_index_and_store_agree() {
    run(async {
        let journal = FlakyJournal::default();
        let (memory, _) = with_vectors(&journal).await;
        let facts: Vec<Proposition> =
            (1..=100).map(|id| statement(id, &format!("neighbour {id} keeps bees in town"))).collect();
        memory.save(&facts, Actor::Host).await.unwrap();
        hits(&memory).await;
        let kept = journal.vectors(&context(), "costly").await.unwrap();
        assert_eq!(kept.len(), 100);
        for id in 1..=40 {
            memory.forget(PropositionId::new(n(id))).await.unwrap();
        }
        let gone: BTreeSet<PropositionId> = (1..=40).map(|id| PropositionId::new(n(id))).collect();
        let before = hits(&memory).await;
        assert!(!before.is_empty() && before.iter().all(|id| !gone.contains(id)));
        // Spoilt: one of another length, one that is missing.
        let spoilt = StoredVector { text: ContentId::of_text(&facts[50].text), vector: vec![1.0] };
        journal.save_vectors(&context(), "costly", &[spoilt]).await.unwrap();
        memory
            .edit(
                facts[60].id,
                &credence::memory::Edit {
                    text: Some("the baker keeps bees in town".into()),
                    ..Default::default()
                },
            )
            .await
            .unwrap();
        let report = memory.check_health().await.unwrap();
        let found: Vec<_> = report.findings.iter().map(|it| (it.trouble, it.count)).collect();
        assert_eq!(
            found,
            [(Trouble::OrphanVectors, 41), (Trouble::MisfitVectors, 1), (Trouble::MissingVectors, 2)],
            "forty were forgotten and one reads otherwise now"
        );
        assert!(report.is_sound() && report.can_repair());
        let repaired = memory.repair(&report).await.unwrap();
        assert_eq!((repaired.vectors, repaired.commits.len()), (42, 1));
        assert_eq!(journal.vectors(&context(), "costly").await.unwrap().len(), 58);
        let after = hits(&memory).await;
        assert_eq!(memory.check_health().await.unwrap().findings, [], "the search computed what was missing");
        let (again, embedder) = with_vectors(&journal).await;
        assert_eq!(hits(&again).await, after, "the same after reopening");
        assert!(*embedder.asked.borrow() < 60, "only the query and strangers, no statement");
        assert!(after.iter().all(|id| !gone.contains(id)));
    });
}

/// How many statements a search by meaning alone can find.
async fn by_meaning(memory: &Memory<TestPorts<Costly>>) -> usize {
    let all = Similarity { threshold: -1.0, top_k: 1_000 };
    memory.similar("who keeps bees in town", all, &Default::default()).await.unwrap().len()
}

async fn bees(journal: &FlakyJournal, count: u128) -> (Memory<TestPorts<Costly>>, Costly) {
    let (memory, embedder) = with_vectors(journal).await;
    let facts: Vec<Proposition> =
        (1..=count).map(|id| statement(id, &format!("neighbour {id} keeps bees in town"))).collect();
    memory.save(&facts, Actor::Host).await.unwrap();
    (memory, embedder)
}

#[test]
fn another_vector_model_embeds_anew_once_and_the_first_ones_vectors_stay_for_its_return() {
    run(async {
        let journal = FlakyJournal::default();
        let (memory, first) = bees(&journal, 30).await;
        hits(&memory).await;
        let paid = *first.asked.borrow();
        assert!(paid >= 30);
        drop(memory);

        let (memory, other) =
            embedded_by(&journal, Costly { space: "other", dimension: 5, ..Costly::default() }).await;
        hits(&memory).await;
        assert!(*other.asked.borrow() >= 30, "nothing of the first model's is compared with the other's");
        assert_eq!(by_meaning(&memory).await, 30);
        assert_eq!(journal.spaces(&context()).await.unwrap(), ["costly", "other"]);
        assert!(journal.vectors(&context(), "other").await.unwrap().iter().all(|it| it.vector.len() == 5));

        let (memory, back) = with_vectors(&journal).await;
        hits(&memory).await;
        assert!(*back.asked.borrow() < 30, "only the query and strangers: {}", back.asked.borrow());
    });
}

#[test]
fn vectors_of_another_length_under_the_same_name_are_computed_anew_and_stand_in_nobodys_way() {
    run(async {
        let journal = FlakyJournal::default();
        let (memory, _) = bees(&journal, 30).await;
        hits(&memory).await;
        drop(memory);
        // The endpoint serves another model under the old name.
        let (memory, longer) = embedded_by(&journal, Costly { dimension: 6, ..Costly::default() }).await;
        hits(&memory).await;
        assert!(*longer.asked.borrow() >= 30);
        assert_eq!(by_meaning(&memory).await, 30, "none is left without a vector");
        let kept = journal.vectors(&context(), "costly").await.unwrap();
        assert!(kept.len() == 30 && kept.iter().all(|it| it.vector.len() == 6), "the new ones are kept");
        assert_eq!(memory.check_health().await.unwrap().findings, []);

        // And one that answers with another length than it says is no vector model of this memory.
        let (memory, _) =
            embedded_by(&journal, Costly { space: "liar", lacks: 1, ..Costly::default() }).await;
        assert!(!hits(&memory).await.is_empty(), "words still find them");
        assert!(journal.vectors(&context(), "liar").await.unwrap().is_empty(), "and nothing of it is kept");
        let error = memory.similar("bees", Similarity::default(), &Default::default()).await.unwrap_err();
        assert!(error.to_string().contains("gave 2 numbers for a text instead of 3"), "{error}");
    });
}

#[test]
fn embedding_that_is_given_up_half_way_goes_on_where_it_stopped() {
    use futures::FutureExt as _;
    run(async {
        let journal = FlakyJournal::default();
        let (memory, embedder) = bees(&journal, 600).await;
        // Two of three batches come through; then whoever waited gives up.
        *embedder.hangs_after.borrow_mut() = Some(520);
        assert!(hits(&memory).now_or_never().is_none(), "the model does not answer");
        let done = *embedder.asked.borrow();
        assert_eq!(done, 512);
        assert_eq!(
            journal.vectors(&context(), "costly").await.unwrap().len(),
            512,
            "what was paid for is kept"
        );
        *embedder.hangs_after.borrow_mut() = None;
        hits(&memory).await;
        assert_eq!(journal.vectors(&context(), "costly").await.unwrap().len(), 600);
        let (again, fresh) = with_vectors(&journal).await;
        hits(&again).await;
        let besides = *fresh.asked.borrow();
        assert_eq!(*embedder.asked.borrow(), 600 + besides, "no statement was paid for twice");
    });
}
