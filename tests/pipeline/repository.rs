//! Queries and the store's operations on a whole memory: dice 11.2, facts 4 and 22 to 39, under their numbers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use credence::Memory;
use credence::config::Config;
use credence::embedding::Embedder;
use credence::error::Error;
use credence::event::{Event, FactEvent};
use credence::history::{Actor, Cause, Commit, Journal, MemoryJournal, ScopeInfo};
use credence::id::{CommitId, ContextId, EntityId, PropositionId, TurnId};
use credence::llm::ModelError;
use credence::memory::{clear_context, clear_prefix};
use credence::proposition::{
    DecayAge, Extractor, Locator, Mention, MentionRole, Order, Proposition, PropositionQuery,
    ProvenanceEntry, Status, TRUST_SCORE,
};
use credence::retrieval::{Cluster, Similarity};
use credence::scale::{Confidence, Decay, Importance};
use credence::testing::{FlakyJournal, TestPorts};
use credence::time::{DAY_MS, Timestamp};
use uuid::Uuid;

use super::support::*;

fn pid(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(0x1000 + n))
}

fn eid(n: u128) -> EntityId {
    EntityId::new(Uuid::from_u128(n))
}

const ALICE: u128 = 1;
const BOB: u128 = 2;
const CAROL: u128 = 3;

fn fact(n: u128, text: &str) -> Proposition {
    let now = Timestamp::parse("2026-03-08").unwrap();
    Proposition::new(pid(n), text, Confidence::new(0.8).unwrap(), Extractor::Person, now).unwrap()
}

fn about(n: u128, text: &str, entities: &[u128]) -> Proposition {
    let mention =
        |id: &u128| Mention { entity: Some(eid(*id)), ..Mention::new("x", "Person", MentionRole::Other) };
    Proposition { mentions: entities.iter().map(mention).collect(), ..fact(n, text) }
}

async fn holding(facts: &[Proposition]) -> TestMemory {
    let memory = offline().await;
    memory.save(facts, Actor::Host).await.unwrap();
    memory
}

fn found<P: credence::ports::Ports>(memory: &Memory<P>, query: &PropositionQuery) -> Vec<String> {
    memory.propositions(query).into_iter().map(|view| view.proposition.text).collect()
}

#[test]
fn dice_4_statements_have_identities_of_their_own() {
    run(async {
        let memory = offline().await;
        memory.remember("The lamp is green.").await.unwrap();
        memory.remember("The door is red.").await.unwrap();
        let ids: Vec<PropositionId> = memory
            .propositions(&PropositionQuery::default())
            .into_iter()
            .map(|view| view.proposition.id)
            .collect();
        assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
    });
}

#[test]
fn dice_22_23_24_entities_one_any_and_all() {
    run(async {
        let memory =
            holding(&[about(1, "a", &[ALICE]), about(2, "b", &[BOB]), about(3, "c", &[CAROL])]).await;
        let any = PropositionQuery::mentioning_any([eid(ALICE), eid(CAROL)]);
        assert_eq!(found(&memory, &any), ["a", "c"]);

        let memory = holding(&[
            about(1, "Alice and Bob met", &[ALICE, BOB]),
            about(2, "alice", &[ALICE]),
            about(3, "bob", &[BOB]),
            about(4, "carol and bob", &[CAROL, BOB]),
        ])
        .await;
        let all = PropositionQuery::mentioning_all([eid(ALICE), eid(BOB)]);
        assert_eq!(found(&memory, &all), ["Alice and Bob met"]);
        let both = PropositionQuery {
            any_entities: vec![eid(BOB), eid(CAROL)],
            ..PropositionQuery::mentioning(eid(ALICE))
        };
        assert_eq!(found(&memory, &both), ["Alice and Bob met"]);
        let three = PropositionQuery { all_entities: vec![eid(CAROL)], ..both };
        assert!(found(&memory, &three).is_empty(), "all conditions together");
    });
}

#[test]
fn dice_25_26_importance_filters_and_orders() {
    run(async {
        let with = |n, importance| Proposition {
            importance: Importance::new(importance).unwrap(),
            ..fact(n, &importance.to_string())
        };
        let memory = holding(&[with(1, 0.2), with(2, 0.5), with(3, 1.0)]).await;
        let query = PropositionQuery { min_importance: Some(0.5), ..PropositionQuery::default() };
        assert_eq!(found(&memory, &query), ["0.5", "1"]);
        let memory = holding(&[with(1, 0.2), with(2, 0.9), with(3, 0.5)]).await;
        let query = PropositionQuery::default().ordered(Order::ImportanceDesc);
        assert_eq!(found(&memory, &query), ["0.9", "0.5", "0.2"]);
        assert_eq!(found(&memory, &query.limited(2)), ["0.9", "0.5"], "the limit comes last");
    });
}

#[test]
fn dice_27_28_a_score_that_nobody_gave_passes() {
    run(async {
        let now = Timestamp(0);
        let scored = |n, text: &str, score: serde_json::Value| {
            fact(n, text).with_metadata_value(TRUST_SCORE, score, now)
        };
        let memory = holding(&[
            scored(1, "trusted", 0.8.into()),
            scored(2, "doubted", 0.2.into()),
            fact(3, "unscored"),
            scored(4, "whole", 1.into()),
            scored(5, "none", f64::NAN.into()),
            scored(6, "a word", "0.1".into()),
            scored(7, "nought", 0.into()),
        ])
        .await;
        let query = PropositionQuery { min_trust_score: Some(0.5), ..PropositionQuery::default() };
        assert_eq!(found(&memory, &query), ["trusted", "unscored", "whole", "none", "a word"]);
    });
}

#[test]
fn dice_29_30_no_statuses_are_all_statuses() {
    run(async {
        let all = Status::ALL;
        let facts: Vec<Proposition> = all
            .into_iter()
            .zip(1..)
            .map(|(status, n)| Proposition { status, ..fact(n, status.as_str()) })
            .collect();
        let memory = holding(&facts).await;
        assert_eq!(found(&memory, &PropositionQuery::default()).len(), 5);
        assert_eq!(found(&memory, &PropositionQuery::live().with_statuses([])).len(), 5);
        assert_eq!(found(&memory, &PropositionQuery::live()), ["ACTIVE", "PROMOTED"]);
        let stale = PropositionQuery::live().with_status(Status::Stale);
        assert_eq!(found(&memory, &stale), ["STALE"]);
    });
}

#[test]
fn ranges_are_inclusive_and_look_at_their_own_clock() {
    run(async {
        let day = |n: i64| Timestamp(n * DAY_MS);
        let mut facts: Vec<Proposition> = (1..=5_i64)
            .map(|n| Proposition {
                created: day(n),
                level: u32::from(n > 3),
                ..fact(n as u128, &n.to_string())
            })
            .collect();
        for (n, p) in facts.iter_mut().enumerate() {
            p.source_ids = vec![pid(99)];
            p.content_revised = day(10);
            p.metadata_revised = day(20 + n as i64);
            p.last_accessed = day(40 - n as i64);
            p.reinforce_count = (n % 2) as u32;
        }
        let memory = holding(&facts).await;
        let ask = |query: PropositionQuery| found(&memory, &query).join(" ");
        let query = PropositionQuery::default;
        assert_eq!(ask(query().created_between(day(2), day(4))), "2 3 4");
        assert_eq!(ask(query().created_since(Duration::from_secs(2 * 86_400), day(6))), "4 5");
        assert_eq!(ask(query().created_since(Duration::MAX, day(6))), "1 2 3 4 5");
        assert_eq!(ask(query().revised_between(day(21), day(22))), "2 3", "the later of the two clocks");
        assert_eq!(ask(query().revised_since(Duration::from_secs(86_400), day(24))), "4 5");
        assert_eq!(ask(query().accessed_between(day(36), day(37))), "4 5");
        assert_eq!(ask(query().accessed_since(Duration::from_secs(86_400), day(40))), "1 2");
        assert_eq!(ask(query().from_level(1)), "4 5");
        assert_eq!(ask(PropositionQuery { max_level: Some(0), ..query() }), "1 2 3");
        assert_eq!(ask(PropositionQuery { min_reinforce_count: Some(1), ..query() }), "2 4");
        assert_eq!(ask(query().ordered(Order::CreatedDesc)), "5 4 3 2 1");
        assert_eq!(ask(query().ordered(Order::RevisedDesc)), "5 4 3 2 1");
        assert_eq!(ask(query().ordered(Order::LastAccessedDesc)), "1 2 3 4 5");
        assert_eq!(ask(query().ordered(Order::ReinforceCountDesc)), "2 4 1 3 5", "ties by id");
    });
}

#[test]
fn belief_is_judged_at_one_instant_by_the_settings() {
    run(async {
        let written = Timestamp::parse("2026-03-08").unwrap();
        let fading =
            |n, decay| Proposition { decay: Decay::new(decay).unwrap(), ..fact(n, &decay.to_string()) };
        let memory = holding(&[fading(1, 0.5), fading(2, 0.0), fading(3, 0.1)]).await;
        let query = PropositionQuery::default().ordered(Order::EffectiveConfidenceDesc);
        assert_eq!(found(&memory, &query), ["0.5", "0", "0.1"], "equal on their first day: by id");
        let later = query.as_of(written.plus_ms(DAY_MS));
        assert_eq!(found(&memory, &later), ["0", "0.1", "0.5"]);
        let worth: Vec<f64> = memory.propositions(&later).iter().map(|view| view.effective).collect();
        assert!((worth[2] - 0.294304).abs() < 1e-6, "shown as of the instant asked about: {worth:?}");
        assert_eq!(found(&memory, &later.clone().believed_at_least(worth[1])), ["0", "0.1"], "inclusive");
        // The clock stands at ten in the morning.
        let now = PropositionQuery::default().believed_at_least(0.75);
        assert_eq!(found(&memory, &now).len(), 3);
        memory.set_config(Config { decay_age: DecayAge::FractionalDays, ..Config::default() }).unwrap();
        assert_eq!(found(&memory, &now), ["0"], "ten hours count");
    });
}

#[test]
fn words_are_found_in_any_case_script_and_encoding() {
    run(async {
        let memory = holding(&[
            fact(1, "Mara lives in Malmo\u{308}."),
            fact(2, "Мара живёт в Клеве."),
            fact(3, "Die Straße ist lang."),
            fact(4, "用户喜欢茶"),
        ])
        .await;
        for (words, hit) in
            [("MALM\u{d6} mara", 0), ("клеве МАРА", 1), ("STRASSE", 2), ("茶", 3), ("lives клеве", 9)]
        {
            let query = PropositionQuery { text: words.into(), ..PropositionQuery::live() };
            let expected: Vec<PropositionId> = (hit < 9).then(|| pid(hit + 1)).into_iter().collect();
            let got: Vec<PropositionId> =
                memory.propositions(&query).iter().map(|view| view.proposition.id).collect();
            assert_eq!(got, expected, "{words}");
        }
    });
}

#[test]
fn a_query_sees_one_memory() {
    run(async {
        let ports = TestPorts::offline();
        let other = Memory::open(ports.sibling(), ContextId::new("other").unwrap(), Config::default());
        let other = other.await.unwrap();
        let memory = open(ports).await;
        memory.save(&[fact(1, "here")], Actor::Host).await.unwrap();
        other.save(&[fact(2, "there")], Actor::Host).await.unwrap();
        assert_eq!(found(&memory, &PropositionQuery::default()), ["here"]);
        assert_eq!(found(&other, &PropositionQuery::default()), ["there"]);
        // A log cannot be made of two.
        let mut mixed = vec![Commit::clone(&memory.log().commits()[0])];
        let foreign = Commit::clone(&other.log().commits()[0]);
        mixed.push(Commit { seq: 2, parent: Some(mixed[0].id), ..foreign });
        let refused = credence::history::Log::replay(mixed).unwrap_err();
        assert!(refused.to_string().contains("other"), "{refused}");
    });
}

#[test]
fn dice_31_pins_toggle_and_last() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        memory.save(&[fact(1, "p1"), fact(2, "p2")], Actor::Host).await.unwrap();
        memory.pin(pid(1), true).await.unwrap();
        assert_eq!(memory.pinned().len(), 1);
        let again = open(sibling).await;
        assert_eq!(again.pinned()[0].proposition.text, "p1");
        again.pin(pid(1), false).await.unwrap();
        assert!(again.pinned().is_empty());
        assert!(again.pin(pid(1), false).await.unwrap().is_none(), "no change, no commit");
        assert!(matches!(again.pin(pid(9), true).await, Err(Error::NotFound { .. })), "nobody has it");
    });
}

/// Vectors by text.
#[derive(Clone, Default)]
struct Table {
    rows: BTreeMap<String, Vec<f32>>,
    asked: Rc<RefCell<Vec<String>>>,
    costly: bool,
    failing: Rc<RefCell<bool>>,
}

impl Table {
    fn of(rows: &[(&str, [f32; 3])]) -> Self {
        let rows = rows.iter().map(|(text, vector)| ((*text).to_owned(), vector.to_vec())).collect();
        Self { rows, ..Self::default() }
    }
}

impl Embedder for Table {
    fn space(&self) -> String {
        "table".into()
    }
    fn dimension(&self) -> usize {
        3
    }
    fn is_cheap(&self) -> bool {
        !self.costly
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if *self.failing.borrow() {
            return Err(ModelError::Server { status: 503, detail: "busy".into() });
        }
        self.asked.borrow_mut().extend(texts.iter().cloned());
        Ok(texts.iter().map(|text| self.rows.get(text).cloned().unwrap_or(vec![0.0; 3])).collect())
    }
}

fn ports_with(embedder: Table, journal: FlakyJournal) -> TestPorts<Table> {
    let TestPorts { chat, clock, ids, .. } = TestPorts::offline();
    TestPorts { journal, chat, embedder, clock, ids }
}

async fn embedded(rows: &[(&str, [f32; 3])]) -> Memory<TestPorts<Table>> {
    let ports = ports_with(Table::of(rows), FlakyJournal::default());
    let memory = Memory::open(ports, context(), Config::default()).await.unwrap();
    let facts: Vec<Proposition> = rows.iter().zip(1..).map(|((text, _), n)| fact(n, text)).collect();
    memory.save(&facts, Actor::Host).await.unwrap();
    memory
}

const NEAR: [(&str, [f32; 3]); 3] = [("A", [1.0, 0.0, 0.0]), ("B", [0.99, 0.1, 0.0]), ("C", [0.0, 0.0, 1.0])];

fn at(threshold: f64, top_k: usize) -> Similarity {
    Similarity { threshold, top_k }
}

#[test]
fn dice_32_clusters_hang_on_the_smallest_id() {
    run(async {
        let memory = embedded(&NEAR).await;
        assert!(memory.supports_vectors());
        let clusters = memory.clusters(at(0.9, 10), &PropositionQuery::live()).await.unwrap();
        let [Cluster { anchor, peers }] = clusters.as_slice() else { panic!("{clusters:?}") };
        assert_eq!((*anchor, peers.len(), peers[0].0), (pid(1), 1, pid(2)));
        assert!((peers[0].1 - 0.994937).abs() < 1e-5, "a cosine, whatever the length: {peers:?}");
        assert_eq!(Similarity::default(), at(0.7, 10));
    });
}

#[test]
fn dice_33_clusters_stay_in_their_memory() {
    run(async {
        let journal = FlakyJournal::default();
        let mut memories = Vec::new();
        for (n, (text, _)) in NEAR.iter().take(2).enumerate() {
            let ports = ports_with(Table::of(&NEAR), journal.clone());
            let name = ContextId::new(format!("ctx{n}")).unwrap();
            let memory = Memory::open(ports, name, Config::default()).await.unwrap();
            memory.save(&[fact(n as u128, text)], Actor::Host).await.unwrap();
            memories.push(memory);
        }
        for memory in memories {
            assert!(memory.clusters(at(0.5, 10), &PropositionQuery::default()).await.unwrap().is_empty());
        }
    });
}

#[test]
fn dice_34_a_cluster_has_at_most_top_k_peers() {
    run(async {
        let memory = embedded(&[
            ("a", [1.0, 0.0, 0.0]),
            ("b", [0.9, 0.1, 0.0]),
            ("c", [0.95, 0.0, 0.1]),
            ("d", [0.9, 0.1, 0.1]),
        ])
        .await;
        let clusters = memory.clusters(at(0.5, 1), &PropositionQuery::live()).await.unwrap();
        assert_eq!(clusters.len(), 3, "the last has nobody above it");
        assert!(clusters.iter().all(|cluster| cluster.peers.len() == 1));
        let clusters = memory.clusters(at(0.5, 10), &PropositionQuery::live()).await.unwrap();
        let shape: Vec<(PropositionId, usize)> =
            clusters.iter().map(|cluster| (cluster.anchor, cluster.peers.len())).collect();
        assert_eq!(shape, [(pid(1), 3), (pid(2), 2), (pid(3), 1)], "the largest first");
        assert!(clusters[0].peers.is_sorted_by(|a, b| a.1 >= b.1));
    });
}

#[test]
fn dice_35_without_a_vector_model_nothing_is_similar_and_nothing_fails() {
    run(async {
        let memory = holding(&[fact(1, "A"), fact(2, "A")]).await;
        assert!(!memory.supports_vectors());
        assert!(memory.similar("A", at(0.0, 5), &PropositionQuery::live()).await.unwrap().is_empty());
        assert!(memory.clusters(at(0.0, 5), &PropositionQuery::live()).await.unwrap().is_empty());
        assert_eq!(memory.reembed_all().await.unwrap(), 0);
    });
}

#[test]
fn similarity_filters_before_it_scores() {
    run(async {
        let memory = embedded(&[NEAR[0], NEAR[1], NEAR[2], ("nothing", [0.0; 3])]).await;
        memory.pin(pid(2), true).await.unwrap();
        let scores = |found: Vec<credence::retrieval::Similar>| {
            found.iter().map(|s| (s.view.proposition.text.clone(), s.score)).collect::<Vec<_>>()
        };
        let near = scores(memory.similar("A", at(0.5, 10), &PropositionQuery::live()).await.unwrap());
        assert_eq!(near[0], ("A".to_owned(), 1.0));
        assert_eq!((near.len(), near[1].0.as_str()), (2, "B"));
        let all = scores(memory.similar("A", at(-1.0, 10), &PropositionQuery::live()).await.unwrap());
        assert_eq!(all.len(), 3, "what has no direction takes no part");
        // The better one is filtered away, and does not use the one place up.
        let pinned = memory.similar("A", at(0.5, 1), &PropositionQuery::pinned()).await.unwrap();
        assert_eq!(scores(pinned)[0].0, "B");
        assert!(memory.similar("nothing", at(-1.0, 10), &PropositionQuery::live()).await.unwrap().is_empty());
        for bad in [1.5, f64::NAN] {
            let refused = memory.similar("A", at(bad, 1), &PropositionQuery::live()).await;
            assert!(matches!(refused, Err(Error::Invalid { what: "threshold", .. })), "{refused:?}");
        }
        *memory.ports().embedder.failing.borrow_mut() = true;
        let failed = memory.similar("A", at(0.5, 1), &PropositionQuery::live()).await;
        assert!(matches!(failed, Err(Error::Model(_))), "a model that fails is no empty answer: {failed:?}");
    });
}

#[test]
fn everything_can_be_embedded_anew() {
    run(async {
        let table = Table { costly: true, ..Table::of(&NEAR) };
        let ports = ports_with(table.clone(), FlakyJournal::default());
        let journal = ports.journal.clone();
        let memory = Memory::open(ports, context(), Config::default()).await.unwrap();
        memory.save(&[fact(1, "A"), fact(2, "B")], Actor::Host).await.unwrap();
        memory.clusters(at(0.5, 5), &PropositionQuery::live()).await.unwrap();
        assert_eq!(table.asked.borrow().len(), 2);
        let memory = Memory::open(ports_with(table.clone(), journal), context(), Config::default());
        let memory = memory.await.unwrap();
        memory.clusters(at(0.5, 5), &PropositionQuery::live()).await.unwrap();
        assert_eq!(table.asked.borrow().len(), 2, "the journal kept the vectors");
        assert_eq!(memory.reembed_all().await.unwrap(), 2);
        assert_eq!(table.asked.borrow().len(), 4);
    });
}

/// The predecessor's durable store folds a second save of one text into the first.
#[test]
fn dice_36_saving_keeps_both_and_remembering_merges() {
    run(async {
        let memory = holding(&[fact(1, "The lamp is green."), fact(2, "The lamp is green.")]).await;
        assert_eq!(found(&memory, &PropositionQuery::default()).len(), 2, "saving decides nothing");
        let memory = offline().await;
        memory.remember("The lamp is green.").await.unwrap();
        let first = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        memory.remember("the lamp is GREEN").await.unwrap();
        let now = memory.propositions(&PropositionQuery::default());
        assert_eq!((now.len(), now[0].proposition.id), (1, first));
    });
}

#[test]
fn dice_37_a_store_opened_again_holds_the_same() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        memory.save(&[about(1, "a", &[ALICE]), fact(2, "b")], Actor::Host).await.unwrap();
        memory.forget(pid(2)).await.unwrap();
        let again = open(sibling).await;
        assert_eq!(
            memory.propositions(&PropositionQuery::default()),
            again.propositions(&PropositionQuery::default())
        );
        assert_eq!(found(&again, &PropositionQuery::default()), ["a"]);
    });
}

#[test]
fn dice_38_39_saves_are_told_once_and_so_is_a_change_of_status() {
    run(async {
        let memory = offline().await;
        let told = Rc::new(RefCell::new(Vec::new()));
        let seen = told.clone();
        let _listening = memory.subscribe(move |event| {
            if let Event::Fact { fact, remote: false } = event {
                seen.borrow_mut().push(fact.clone());
            }
        });
        let persisted = |n| FactEvent::Persisted { proposition: pid(n) };
        memory.save(&[fact(1, "a")], Actor::Host).await.unwrap();
        assert_eq!(told.take(), [persisted(1)]);
        let lost = fact(1, "a").with_status(Status::Contradicted, Timestamp(9)).unwrap();
        memory.save(&[lost], Actor::Host).await.unwrap();
        let moved = FactEvent::StatusChanged {
            proposition: pid(1),
            previous: Status::Active,
            status: Status::Contradicted,
            reason: String::new(),
        };
        assert_eq!(told.take(), [moved]);
        memory.save(&[fact(2, "b"), fact(3, "c")], Actor::Host).await.unwrap();
        assert_eq!(told.take(), [persisted(2), persisted(3)]);
        assert!(memory.save(&[fact(2, "b")], Actor::Host).await.unwrap().is_none(), "nothing differs");
        // One table of moves: a save cannot go around it, and nothing of it is written or told.
        let promoted = Proposition { status: Status::Promoted, ..fact(1, "a") };
        let refused = memory.save(&[fact(4, "d"), promoted], Actor::Host).await;
        assert!(matches!(refused, Err(Error::Proposition(_))), "{refused:?}");
        assert!(told.take().is_empty());
    });
}

#[test]
fn a_statement_that_cannot_be_is_never_committed() {
    run(async {
        let memory = offline().await;
        let lofty = Proposition { level: 2, ..fact(1, "an abstraction of nothing") };
        let refused = memory.save(&[fact(2, "sound"), lofty.clone()], Actor::Host).await;
        assert!(matches!(refused, Err(Error::Proposition(_))), "{refused:?}");
        let scope = memory.scope(ScopeInfo::new(Cause::Maintenance, Actor::Engine, "a plan"));
        scope.put(&memory.state(), lofty, "");
        assert!(matches!(memory.commit(&scope).await, Err(Error::Proposition(_))), "no plan goes around it");
        assert_eq!(memory.state().seq(), 0);
    });
}

#[test]
fn threads_between_statements_lead_both_ways() {
    run(async {
        let turn = TurnId::new(Uuid::from_u128(77));
        let grounded = fact(1, "source").with_evidence([turn], [], Timestamp(0));
        let lofty = Proposition { level: 1, source_ids: vec![pid(2), pid(1), pid(9)], ..fact(3, "sum") };
        let memory = holding(&[grounded, fact(2, "other"), lofty]).await;
        let texts = |views: Vec<credence::memory::PropositionView>| {
            views.into_iter().map(|view| view.proposition.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(memory.source_propositions(pid(3)).unwrap()), ["other", "source"]);
        assert_eq!(texts(memory.abstractions_of(pid(1))), ["sum"]);
        assert!(memory.abstractions_of(pid(3)).is_empty());
        assert!(matches!(memory.source_propositions(pid(8)), Err(Error::NotFound { .. })));
        assert_eq!(found(&memory, &PropositionQuery::resting_on(turn)), ["source"]);
    });
}

#[test]
fn sources_are_added_replaced_and_cleared_each_in_one_commit() {
    run(async {
        let memory = holding(&[fact(1, "a")]).await;
        let entry = |path: &str| ProvenanceEntry::at(Locator::file(path, None).unwrap());
        let seq = || memory.state().seq();
        memory.add_provenance(pid(1), &[entry("a.md"), entry("a.md")], Actor::Host).await.unwrap();
        assert_eq!((memory.provenance_of(pid(1)).unwrap().len(), seq()), (1, 2));
        let again = memory.add_provenance(pid(1), &[entry("a.md")], Actor::Host).await.unwrap();
        assert!(again.is_none(), "adding twice is adding once");
        memory.add_provenance(pid(1), &[entry("b.md")], Actor::Host).await.unwrap();
        assert_eq!(memory.provenance_of(pid(1)).unwrap(), [entry("a.md"), entry("b.md")]);
        memory.set_provenance(pid(1), &[entry("c.md")], Actor::Host).await.unwrap();
        assert_eq!(memory.provenance_of(pid(1)).unwrap(), [entry("c.md")]);
        memory.clear_provenance(pid(1), Actor::Host).await.unwrap();
        assert!(memory.provenance_of(pid(1)).unwrap().is_empty());
        assert!(memory.clear_provenance(pid(1), Actor::Host).await.unwrap().is_none());
        assert_eq!(seq(), 5);
        assert_eq!(memory.log().commits().last().unwrap().reason, "sources cleared");
        for unknown in [
            memory.add_provenance(pid(9), &[entry("a.md")], Actor::Host).await,
            memory.set_provenance(pid(9), &[], Actor::Host).await,
            memory.clear_provenance(pid(9), Actor::Host).await,
        ] {
            assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        }
        let blank: ProvenanceEntry =
            serde_json::from_value(serde_json::json!({"locator": {"kind": "file", "path": " "}})).unwrap();
        let refused = memory.add_provenance(pid(1), &[blank], Actor::Host).await;
        assert!(matches!(refused, Err(Error::Proposition(_))), "{refused:?}");
    });
}

#[test]
fn memories_are_cleared_by_name_and_by_prefix_and_counted() {
    run(async {
        let journal = MemoryJournal::new();
        let name = |text: &str| ContextId::new(text).unwrap();
        for (n, context) in ["team/a", "team/b", "teams", "mine"].into_iter().enumerate() {
            let scope = credence::history::Scope::new(ScopeInfo::new(Cause::Manual, Actor::Host, "test"));
            let log = credence::history::Log::default();
            scope.put(log.state(), fact(n as u128, context), "");
            let id = CommitId::new(Uuid::from_u128(n as u128));
            let commit = scope.to_commit(log.state(), &name(context), id, Timestamp(0)).unwrap();
            journal.append(&commit).await.unwrap();
        }
        let names = |gone: Vec<credence::memory::Cleared>| {
            gone.iter().map(|c| format!("{} {}", c.context, c.commits)).collect::<Vec<_>>()
        };
        assert!(clear_prefix(&journal, " ").await.unwrap().is_empty(), "not everything by an oversight");
        assert_eq!(names(clear_prefix(&journal, "team/").await.unwrap()), ["team/a 1", "team/b 1"]);
        let mine = clear_context(&journal, &name("mine")).await.unwrap().unwrap();
        assert_eq!(mine.commits, 1);
        assert!(clear_context(&journal, &name("mine")).await.unwrap().is_none());
        let left: Vec<String> =
            journal.contexts().await.unwrap().iter().map(|c| c.context.to_string()).collect();
        assert_eq!(left, ["teams"]);
    });
}
