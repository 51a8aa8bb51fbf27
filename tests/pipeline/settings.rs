//! Settings that belong to no area of their own: that changing each changes what happens.

use credence::Memory;
use credence::config::{Config, PersistenceSettings};
use credence::embedding::Embedder;
use credence::extraction::Trigger;
use credence::llm::scripted::ScriptedModel;
use credence::llm::{Cancel, ChatModel, ChatRequest, ModelError, Role};
use credence::testing::TestPorts;
use serde_json::json;

use super::support::*;

fn set(name: &str, value: serde_json::Value) -> Config {
    let mut config = Config::default();
    config.set_property(name, value).unwrap();
    config
}

async fn opened(ports: TestPorts, config: Config) -> TestMemory {
    Memory::open(ports, context(), config).await.unwrap()
}

/// The one request that a conversation under these settings made for `role`.
async fn asked(config: Config, role: Role) -> ChatRequest {
    let model = ScriptedModel::new()
        .reply(Role::Chat, "I see.")
        .reply(Role::Extract, r#"{"propositions": []}"#)
        .reply(Role::Resolve, "{}");
    let memory = opened(TestPorts::with(model), config).await;
    let talk = memory.start_conversation("").await.unwrap();
    user_says(&memory, talk, "I live in Kleve.").await;
    memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
    analyse(&memory, talk).await;
    if role == Role::Resolve {
        let request = ChatRequest { temperature: Some(0.0), ..ChatRequest::default() };
        memory.chat().complete(role, &request, &mut |_| {}, &Cancel::new()).await.unwrap();
    }
    let requests = memory.ports().chat.requests();
    requests.into_iter().find(|(made, _)| *made == role).unwrap().1
}

#[test]
fn prop_chat_chat_llm_model_is_asked_for_answers_alone() {
    run(async {
        let config = set("chat.chat-llm.model", json!("large"));
        assert_eq!(asked(config.clone(), Role::Chat).await.model.as_deref(), Some("large"));
        assert_eq!(asked(config, Role::Extract).await.model, None);
        let blank = Config::default().set_property("chat.chat-llm.model", json!(" ")).unwrap_err();
        assert!(blank.contains("chat.chat-llm.model"), "{blank}");
    });
}

#[test]
fn prop_chat_chat_llm_temperature_is_sent() {
    run(async {
        assert_eq!(asked(Config::default(), Role::Chat).await.temperature, None);
        assert_eq!(
            asked(set("chat.chat-llm.temperature", json!(1.3)), Role::Chat).await.temperature,
            Some(1.3)
        );
    });
}

#[test]
fn prop_chat_max_tokens_bounds_answers_alone() {
    run(async {
        assert_eq!(asked(Config::default(), Role::Chat).await.max_tokens, None);
        let config = set("chat.max-tokens", json!(64));
        let bounds_of_reading = asked(Config::default(), Role::Extract).await.max_tokens;
        assert_eq!(asked(config.clone(), Role::Chat).await.max_tokens, Some(64));
        assert_eq!(asked(config, Role::Extract).await.max_tokens, bounds_of_reading);
        let refused = Config::default().set_property("chat.max-tokens", json!(100_001)).unwrap_err();
        assert!(refused.contains("chat.max-tokens") && refused.contains("100000"), "{refused}");
    });
}

#[test]
fn prop_memory_extraction_prompt_brief_asks_in_fewer_words_and_for_less() {
    run(async {
        let full = asked(Config::default(), Role::Extract).await;
        let brief = asked(set("memory.extraction-prompt", json!("brief")), Role::Extract).await;
        let length =
            |request: &ChatRequest| request.messages.iter().map(|message| message.text.len()).sum::<usize>();
        assert!(2 * length(&brief) < length(&full), "{} and {}", length(&brief), length(&full));
        assert!(brief.max_tokens < full.max_tokens);
        let refused = Config::default().set_property("memory.extraction-prompt", json!("short")).unwrap_err();
        assert!(refused.contains("one of full, brief"), "{refused}");
    });
}

#[test]
fn prop_memory_extraction_llm_model_is_asked_for_extraction() {
    run(async {
        let config = set("memory.extraction-llm.model", json!("small"));
        assert_eq!(asked(config, Role::Extract).await.model.as_deref(), Some("small"));
    });
}

#[test]
fn prop_memory_extraction_llm_temperature_is_sent() {
    run(async {
        assert_eq!(asked(Config::default(), Role::Extract).await.temperature, Some(0.0));
        let config = set("memory.extraction-llm.temperature", json!(0.4));
        assert_eq!(asked(config, Role::Extract).await.temperature, Some(0.4));
    });
}

#[test]
fn prop_memory_entity_resolution_llm_model_is_asked_for_names() {
    run(async {
        let config = set("memory.entity-resolution-llm.model", json!("namer"));
        assert_eq!(asked(config, Role::Resolve).await.model.as_deref(), Some("namer"));
    });
}

#[test]
fn prop_memory_entity_resolution_llm_temperature_is_sent() {
    run(async {
        let config = set("memory.entity-resolution-llm.temperature", json!(0.7));
        assert_eq!(asked(config, Role::Resolve).await.temperature, Some(0.7));
    });
}

#[test]
fn prop_sim_llm_call_timeout_seconds_bounds_every_call() {
    run(async {
        let config = set("sim.llm-call-timeout-seconds", json!(7));
        for role in [Role::Chat, Role::Extract, Role::Resolve] {
            assert_eq!(asked(config.clone(), role).await.timeout_ms, Some(7000));
        }
        assert!(Config::default().set_property("sim.llm-call-timeout-seconds", json!(0)).is_err());
    });
}

#[test]
fn a_model_that_a_caller_names_wins_over_the_roles() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Chat, "x");
        let memory = opened(TestPorts::with(model), set("chat.chat-llm.model", json!("large"))).await;
        let request = ChatRequest { model: Some("judge".into()), ..ChatRequest::default() };
        memory.chat().complete(Role::Chat, &request, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(memory.ports().chat.requests()[0].1.model.as_deref(), Some("judge"));
    });
}

#[test]
fn prop_memory_enabled_off_lets_turns_wait() {
    run(async {
        for (enabled, kept) in [(true, 1), (false, 0)] {
            let memory = opened(TestPorts::offline(), set("memory.enabled", json!(enabled))).await;
            let talk = memory.start_conversation("").await.unwrap();
            user_says(&memory, talk, "I live in Kleve.").await;
            memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await.unwrap();
            assert_eq!(live(&memory).len(), kept);
            assert_eq!(memory.pending(talk).turns == 0, enabled);
            analyse(&memory, talk).await;
            assert_eq!(live(&memory).len(), 1, "by hand it is always done");
        }
    });
}

async fn told(turns: usize, config: Config) -> usize {
    let memory = opened(TestPorts::offline(), config).await;
    let talk = memory.start_conversation("").await.unwrap();
    for n in 0..turns {
        user_says(&memory, talk, &format!("Friend number {n} likes tea.")).await;
    }
    memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await.unwrap().len()
}

#[test]
fn prop_memory_trigger_interval_says_when_analysis_starts() {
    run(async {
        assert_eq!(told(3, set("memory.trigger-interval", json!(3))).await, 1);
        assert_eq!(told(3, set("memory.trigger-interval", json!(4))).await, 0);
    });
}

#[test]
fn prop_memory_window_size_bounds_a_window() {
    run(async {
        assert_eq!(told(8, Config::default()).await, 1);
        assert!(told(8, set("memory.window-size", json!(5))).await > 1);
    });
}

#[test]
fn prop_memory_window_overlap_shows_earlier_turns_again() {
    run(async {
        let mut narrow = set("memory.window-size", json!(6));
        narrow.set_property("memory.window-overlap", json!(0)).unwrap();
        let mut wide = narrow.clone();
        wide.set_property("memory.window-overlap", json!(4)).unwrap();
        let (few, many) = (told(12, narrow).await, told(12, wide).await);
        assert!(few < many, "{few} windows without overlap, {many} with");
        let stuck = Config::default().set_property("memory.window-overlap", json!(20)).unwrap_err();
        assert!(stuck.contains("memory.window-overlap"), "{stuck}");
    });
}

/// Two directions: what is about boats, and the rest.
struct Boats;

impl Embedder for Boats {
    fn space(&self) -> String {
        "boats-2".into()
    }
    fn dimension(&self) -> usize {
        2
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let of = |text: &String| if text.contains("boat") { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        Ok(texts.iter().map(of).collect())
    }
}

#[test]
fn prop_memory_embedding_service_name_refuses_another_space() {
    run(async {
        for (name, used) in
            [(json!(null), true), (json!("boats-2"), true), (json!("text-embedding-3-small"), false)]
        {
            let TestPorts { journal, chat, clock, ids, .. } = TestPorts::offline();
            let ports = TestPorts { journal, chat, embedder: Boats, clock, ids };
            let config = set("memory.embedding-service-name", name);
            let memory = Memory::open(ports, context(), config).await.unwrap();
            assert_eq!(memory.supports_vectors(), used);
            assert!(memory.reembed_all().await.is_ok());
        }
    });
}

#[test]
fn prop_persistence_clear_on_start_wipes_the_memory() {
    run(async {
        let ports = TestPorts::offline();
        let (again, at_last) = (ports.sibling(), ports.sibling());
        tell(&opened(ports, Config::default()).await, &["I live in Kleve."]).await;
        assert_eq!(live(&opened(again, Config::default()).await).len(), 1);
        let persistence = PersistenceSettings { clear_on_start: true };
        assert_eq!(set("persistence.clear-on-start", json!(true)).persistence, persistence);
        let memory = opened(at_last, Config { persistence, ..Config::default() }).await;
        assert_eq!((live(&memory).len(), memory.state().seq()), (0, 0));
    });
}

#[test]
fn core_13_settings_that_contradict_each_other_are_refused_before_a_memory_opens() {
    run(async {
        for (name, value) in [
            ("unit.tier.hot-threshold", json!(350)),
            ("conflict.replace-threshold", json!(0.6)),
            ("retrieval.scoring.tier-weight", json!(0.5)),
            ("pressure.decay-weight", json!(0.5)),
        ] {
            let refused = Config::default().set_property(name, value).unwrap_err();
            assert!(refused.contains(name), "{refused}");
        }
        let mut config = Config::default();
        config.unit.tier.hot_threshold = config.unit.tier.warm_threshold;
        assert!(Memory::open(TestPorts::offline(), context(), config).await.is_err());
    });
}
