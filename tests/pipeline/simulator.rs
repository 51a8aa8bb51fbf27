//! What the simulator's specification says of the memory below it (its section 9, where it repeats the core's rules with numbers of its own):
//! reinforcement, authority, conflicts by words, summaries, pins, seeds, what an extraction is told, branches, the store of statements.

use std::cell::RefCell;
use std::rc::Rc;

use credence::Memory;
use credence::compaction::{Compact, Compaction, Summary, Writer};
use credence::config::Config;
use credence::conflict::{ConflictSettings, ResolutionOutcome, by_authority};
use credence::conversation::Speaker;
use credence::event::Event;
use credence::history::{Actor, RecordKind};
use credence::id::{ContextId, ConversationId, PropositionId};
use credence::llm::{Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::proposition::{Extractor, Mention, MentionRole, Proposition, PropositionQuery, Status};
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::text::{Holding, holding};
use credence::unit::{Authority, ChatSeed, SeedUnit, Tier, UnitSettings};
use credence::upkeep::MentionGraphFilter;

use super::support::*;
use super::units::{authority, id, rank, reinforced, staffed};

#[test]
fn sim_53_reinforcement_adds_fifty_and_stops_at_the_top() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        reinforced(&memory, 1, 1).await;
        assert_eq!(rank(&memory, 1), 550);
        memory.set_activation(id(2), 800).await.unwrap();
        reinforced(&memory, 2, 10).await;
        assert_eq!(rank(&memory, 2), 900);
    });
}

#[test]
fn sim_54_levels_come_at_the_third_and_the_seventh_source_and_canon_at_none() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        for (sources, level) in [
            (2, Authority::Provisional),
            (1, Authority::Unreliable),
            (3, Authority::Unreliable),
            (1, Authority::Reliable),
            (30, Authority::Reliable),
        ] {
            reinforced(&memory, 1, sources).await;
            assert_eq!(authority(&memory, 1), level);
        }
    });
}

#[test]
fn sim_55_words_find_the_conflict_and_authority_says_who_stays() {
    run(async {
        let memory = staffed(1, UnitSettings::default()).await;
        let now = memory.now().at;
        let says = |text: &str| {
            let confidence = Confidence::clamped(0.9);
            Proposition::new(id(9), text, confidence, Extractor::Rules, now).unwrap()
        };
        let units = memory.working_set();
        let found = memory.detect_conflicts(&[says("Harbour 1 is not open.")], &units).await;
        assert_eq!(found.conflicts[0].iter().map(|c| c.unit).collect::<Vec<_>>(), [id(1)]);
        for unrelated in ["Bo plays the cello.", "Harbour 2 is not open."] {
            assert!(memory.detect_conflicts(&[says(unrelated)], &units).await.conflicts[0].is_empty());
        }
        let rules = ConflictSettings::default();
        let decided = |authority, confidence| by_authority(authority, Tier::Cold, confidence, &rules);
        use ResolutionOutcome::{KeepExisting, Replace};
        assert_eq!(decided(Authority::Canon, 1.0), KeepExisting);
        assert_eq!(decided(Authority::Reliable, rules.demote_threshold - 0.2), KeepExisting);
        assert_eq!(decided(Authority::Provisional, 0.85), Replace);
        // What is only suspected never gets as far: it is a question (core 15 G13).
        assert_eq!(decided(Authority::Provisional, 0.5), Replace);
    });
}

const FACTS: [&str; 3] =
    ["My sister Ana owns the old lighthouse.", "I am allergic to peanuts.", "I have 2 cats."];

/// A talk of six turns about three facts, each a unit; the model is connected behind it.
async fn talked(model: ScriptedModel, change: impl FnOnce(&mut Config)) -> (TestMemory, ConversationId) {
    let memory = open(TestPorts::with(model)).await;
    memory.ports().chat.set_offline(true);
    let mut config = Config::default();
    config.unit.auto_activate = false;
    (config.compaction.keep_recent, config.compaction.retry_backoff_millis) = (0, 1);
    change(&mut config);
    memory.set_config(config).unwrap();
    let talk = memory.start_conversation("").await.unwrap();
    for fact in FACTS {
        user_says(&memory, talk, fact).await;
        let reply = "That is good to know, and I will think of it whenever we speak of such things again.";
        memory.say(talk, Speaker::Assistant, reply).await.unwrap();
    }
    analyse(&memory, talk).await;
    for (word, activation) in [("lighthouse", 500), ("peanuts", 900), ("cats", 700)] {
        let found = memory.state().propositions().find(|p| p.text.contains(word)).map(|p| p.id);
        let found = found.unwrap_or_else(|| panic!("nothing of {word} in {:?}", live(&memory)));
        memory.add_to_working_set(found).await.unwrap();
        memory.set_activation(found, activation).await.unwrap();
    }
    memory.ports().chat.set_offline(false);
    (memory, talk)
}

fn reply(text: &str) -> String {
    serde_json::json!({ "summary": text }).to_string()
}

const SOUND: &str =
    "The user's sister Ana owns the old lighthouse. The user has 2 cats and is allergic to peanuts.";

async fn summed_up(memory: &TestMemory, talk: ConversationId) -> Rc<Summary> {
    match memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap() {
        Compaction::Done(summary) => summary,
        Compaction::Not(why) => panic!("{why}"),
    }
}

#[test]
fn sim_59_a_summary_that_loses_a_unit_is_never_applied_as_it_came() {
    run(async {
        for events in [true, false] {
            let model = ScriptedModel::new().respond_with(|_, _| Ok(reply("They talked of this and that.")));
            let (memory, talk) = talked(model, |config| {
                config.compaction.max_retries = 0;
                config.compaction.events_enabled = events;
            })
            .await;
            let told = Rc::new(RefCell::new(0));
            let count = told.clone();
            let _listens = memory.subscribe(move |event| {
                *count.borrow_mut() += usize::from(matches!(event, Event::Compacted { .. }));
            });
            let summary = summed_up(&memory, talk).await;
            assert!(!summary.attempts[0].losses.is_empty() && summary.losses.is_empty(), "{summary:?}");
            for words in ["lighthouse", "peanuts", "2 cats"] {
                assert!(summary.text.contains(words), "{words}: {}", summary.text);
            }
            assert_eq!(memory.state().turns(talk).count(), 6, "the turns stay whatever comes of it");
            assert_eq!(*told.borrow(), usize::from(events));
        }
    });
}

#[test]
fn sim_60_tries_are_counted_and_the_rules_stand_behind_the_last() {
    run(async {
        let busy = || ModelError::Server { status: 503, detail: "busy".into() };
        let second = ScriptedModel::new().error(Role::Extract, busy()).reply(Role::Extract, reply(SOUND));
        let (memory, talk) = talked(second, |config| config.compaction.max_retries = 2).await;
        let summary = summed_up(&memory, talk).await;
        assert_eq!((summary.retries(), summary.is_fallback()), (1, false), "{summary:?}");
        for (most, tries) in [(2, 3), (0, 1)] {
            let model = ScriptedModel::new().respond_with(move |_, _| Err(busy()));
            let (memory, talk) = talked(model, |config| config.compaction.max_retries = most).await;
            let summary = summed_up(&memory, talk).await;
            assert_eq!((summary.retries(), summary.is_fallback()), (most, true));
            assert_eq!(memory.ports().chat.calls(Role::Extract), tries);
        }
    });
}

#[test]
fn sim_61_without_a_model_the_facts_come_first_by_their_activation() {
    run(async {
        let (memory, talk) = talked(ScriptedModel::new(), |_| {}).await;
        memory.ports().chat.set_offline(true);
        let summary = summed_up(&memory, talk).await;
        assert_eq!(summary.written_by, Writer::Extractive);
        let place =
            |word: &str| summary.text.find(word).unwrap_or_else(|| panic!("{word}: {}", summary.text));
        assert!(place("peanuts") < place("cats") && place("cats") < place("lighthouse"), "{}", summary.text);
    });
}

#[test]
fn sim_62_the_share_of_words_that_must_be_there() {
    let (fact, said) =
        ("The dragon guards the golden ancient treasure", "A dragon found the treasure by the sea.");
    let lost = |floor| matches!(holding(fact, said, floor), Holding::Missing(_));
    // Two of its five words are there.
    assert_eq!([0.5, 0.4, 0.2, 0.0].map(lost), [true, false, false, false]);
    assert!(lost(1.0) && !matches!(holding(fact, fact, 1.0), Holding::Missing(_)));
    assert_eq!(holding("it is what it is", said, 1.0), Holding::Nothing, "words that say nothing");
    assert_eq!(holding(fact, "", 0.2), Holding::Missing(0.0));
}

#[test]
fn sim_63_what_is_protected_is_what_stands_in_the_working_set() {
    run(async {
        let (memory, _) = talked(ScriptedModel::new(), |_| {}).await;
        let lighthouse = memory.working_set().last().map(|view| view.id()).unwrap();
        memory.archive_unit(lighthouse, "no matter").await.unwrap();
        let kept = credence::compaction::protected(&memory.state(), &[]);
        let ranks: Vec<u16> = kept.iter().map(|fact| fact.rank).collect();
        assert_eq!(ranks, [900, 700], "by activation, and a statement's confidence alone protects nothing");
        memory.pin(lighthouse, true).await.unwrap();
        let kept = credence::compaction::protected(&memory.state(), &[]);
        assert_eq!((kept[0].proposition, kept[0].rank, kept[0].pinned), (lighthouse, 0, true));
    });
}

#[test]
fn sim_87_pins_and_lowering_of_what_is_there_and_what_is_not() {
    run(async {
        let memory = staffed(2, UnitSettings::default()).await;
        assert!(memory.pin(id(1), true).await.unwrap().is_some());
        assert!(memory.state().proposition(id(1)).unwrap().pinned);
        assert!(memory.pin(id(1), true).await.unwrap().is_none(), "what is so already makes no commit");
        assert!(memory.pin(id(2), false).await.unwrap().is_none());
        memory.canonize_unit(id(1), "").await.unwrap();
        memory.pin(id(1), false).await.unwrap();
        assert_eq!(authority(&memory, 1), Authority::Canon, "CANON holds without a pin");
        let seq = memory.state().seq();
        for outcome in [
            memory.pin(id(77), true).await.map(drop),
            memory.pin(id(77), false).await.map(drop),
            memory.demote_unit(id(77)).await.map(drop),
        ] {
            assert!(outcome.unwrap_err().to_string().contains(&id(77).to_string()));
        }
        assert_eq!(memory.state().seq(), seq, "and nothing is written");
    });
}

#[test]
fn sim_88_units_are_listed_by_activation_with_their_pins() {
    run(async {
        let memory = staffed(3, UnitSettings::default()).await;
        for (n, activation) in [(1, 300), (2, 900), (3, 600)] {
            memory.set_activation(id(n), activation).await.unwrap();
        }
        memory.pin(id(3), true).await.unwrap();
        let listed: Vec<(PropositionId, bool)> =
            memory.working_set().iter().map(|view| (view.id(), view.proposition.pinned)).collect();
        assert_eq!(listed, [(id(2), false), (id(3), true), (id(1), false)]);
    });
}

#[test]
fn sim_89_seeds_begin_a_memory_once_and_a_text_stands_once() {
    run(async {
        let seed =
            |text: &str, authority| SeedUnit { text: text.into(), authority, rank: 600, pinned: false };
        let opened = async |enabled, units: Vec<SeedUnit>| {
            let unit = UnitSettings { chat_seed: ChatSeed { enabled, units }, ..UnitSettings::default() };
            let config = Config { unit, ..Config::default() };
            Memory::open(TestPorts::offline(), context(), config).await.unwrap()
        };
        let twice = vec![
            seed("Nia is the hero.", Authority::Unreliable),
            seed("NIA IS THE HERO", Authority::Unreliable),
            seed("It may rain.", Authority::Provisional),
            seed("The king is dead.", Authority::Canon),
        ];
        let memory = opened(true, twice.clone()).await;
        let held = memory.working_set();
        let level = |word: &str| held.iter().find(|v| v.proposition.text.contains(word)).unwrap().authority;
        assert_eq!(held.len(), 3, "{:?}", live(&memory));
        assert_eq!([level("Nia"), level("rain")], [Authority::Unreliable, Authority::Provisional]);
        assert_eq!(level("king"), Authority::Reliable, "settings are no person: CANON is asked for");
        assert_eq!(memory.inbox().len(), 1);
        assert_eq!(opened(false, twice).await.state().seq(), 0);
        assert_eq!(opened(true, Vec::new()).await.state().seq(), 0);
    });
}

#[test]
fn sim_90_an_analysis_names_its_conversation_and_the_model_sees_what_is_known() {
    run(async {
        let memory = scripted(&[r#"{"propositions": []}"#, r#"{"propositions": []}"#]).await;
        memory.ports().chat.set_offline(true);
        tell(&memory, &["I play the cello."]).await;
        memory.ports().chat.set_offline(false);
        let heard: Rc<RefCell<Vec<ConversationId>>> = Rc::default();
        let ears = heard.clone();
        let _listens = memory.subscribe(move |event| {
            if let Event::Analysed { report } = event {
                ears.borrow_mut().push(report.conversation);
            }
        });
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "Does the cello need new strings?").await;
        analyse(&memory, talk).await;
        assert_eq!(*heard.borrow(), [talk]);
        let (_, asked) =
            memory.ports().chat.requests().into_iter().find(|(role, _)| *role == Role::Extract).unwrap();
        let told: String = asked.messages.iter().map(|message| message.text.as_str()).collect();
        assert!(told.contains("plays the cello"), "what is known already is shown: {told}");
    });
}

#[test]
fn sim_91_a_branch_has_the_turns_in_order_and_the_units_as_they_stood() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        let talk = memory.start_conversation("").await.unwrap();
        for text in ["My name is Mara.", "I live in Kleve.", "Is it raining?"] {
            user_says(&memory, talk, text).await;
        }
        let indexes: Vec<u32> = memory.state().turns(talk).map(|turn| turn.index).collect();
        assert_eq!(indexes, [0, 1, 2]);
        analyse(&memory, talk).await;
        let home = memory.state().propositions().find(|p| p.text.contains("Kleve")).map(|p| p.id).unwrap();
        memory.set_activation(home, 700).await.unwrap();
        memory.pin(home, true).await.unwrap();
        let name = ContextId::new("copy").unwrap();
        let head = memory.state().seq();
        memory.branch_at(Actor::Person, head, name.clone(), "").await.unwrap();
        let copy = Memory::open(sibling, name, Config::default()).await.unwrap();
        let said = |memory: &TestMemory| -> Vec<(u32, String)> {
            memory.state().turns(talk).map(|turn| (turn.index, turn.text.clone())).collect()
        };
        assert_eq!(said(&copy), said(&memory));
        let (ours, theirs) = (memory.unit(home).unwrap(), copy.unit(home).unwrap());
        assert_eq!((theirs.activation.get(), theirs.proposition.pinned), (700, true));
        assert_eq!((&theirs.unit, &theirs.proposition), (&ours.unit, &ours.proposition), "down to its audit");
        let nobody =
            memory.branch_at_turn(credence::id::TurnId::new(uuid::Uuid::from_u128(5)), context()).await;
        assert!(nobody.is_err(), "an unknown source is an error");
    });
}

#[test]
fn sim_93_what_is_mentioned_together_is_an_edge_with_its_weight() {
    run(async {
        let memory = offline().await;
        assert!(memory.mention_graph(&MentionGraphFilter::default()).nodes.is_empty());
        let now = memory.now().at;
        let met = |n: u128, spans: &[&str]| {
            let text = format!("Alice met somebody in place {n}.");
            let mut p =
                Proposition::new(id(n), &text, Confidence::clamped(0.9), Extractor::Rules, now).unwrap();
            p.mentions = spans.iter().map(|span| Mention::new(*span, "Person", MentionRole::Other)).collect();
            p
        };
        let rows = [
            met(1, &["Alice", "Castle"]),
            met(2, &["Castle", "Alice"]),
            met(3, &["Alice", "alice", "Castle"]),
        ];
        memory.save(&rows, Actor::Host).await.unwrap();
        let seen = memory.mention_graph(&MentionGraphFilter::default());
        let ids: Vec<&str> = seen.nodes.iter().map(|node| node.id.as_str()).collect();
        assert_eq!(
            ids,
            ["unresolved:person:alice", "unresolved:person:castle"],
            "without an entity, by type and words"
        );
        assert_eq!(
            (seen.edges.len(), seen.edges[0].weight),
            (1, 3),
            "statements count, and nothing meets itself"
        );
        let heavy = MentionGraphFilter { min_edge_weight: 4, ..MentionGraphFilter::default() };
        assert!(memory.mention_graph(&heavy).edges.is_empty());
    });
}

#[test]
fn sim_101_statements_are_found_by_id_and_by_status_and_counted() {
    run(async {
        let memory = offline().await;
        let now = memory.now().at;
        let of = |n: u128, status| {
            let text = format!("Pier {n} is closed.");
            let p = Proposition::new(id(n), &text, Confidence::clamped(0.9), Extractor::Rules, now).unwrap();
            p.with_status(status, now).unwrap()
        };
        let all = [of(1, Status::Active), of(2, Status::Active), of(3, Status::Superseded)];
        memory.save(&all, Actor::Host).await.unwrap();
        assert_eq!(memory.proposition(id(1)).unwrap().view.proposition.text, "Pier 1 is closed.");
        assert!(memory.proposition(id(9)).is_err());
        assert_eq!(memory.count(RecordKind::Proposition), 3);
        let query = |status| PropositionQuery { statuses: [status].into(), ..PropositionQuery::default() };
        assert_eq!(memory.propositions(&query(Status::Active)).len(), 2);
        assert_eq!(memory.propositions(&query(Status::Superseded)).len(), 1);
    });
}
