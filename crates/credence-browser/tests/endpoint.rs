//! The endpoint adapter in a real browser against `tests/browser/endpoint-server.mjs`, whose address is given at
//! compile time in `CREDENCE_TEST_ENDPOINT`; without it the tests that need the server say so and pass.
//! The runner has to be told `WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION=1`: in an isolated page the browser hides
//! whether a server that sends no CORS headers is there at all, and the product's own page is not isolated.
#![cfg(target_arch = "wasm32")]
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed; clippy does not see that wasm_bindgen_test marks tests"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::embedding::Embedder;
use credence::llm::preset;
use credence::llm::secret::Secret;
use credence::llm::settings::{Elsewhere, EndpointSettings, KeyStorage};
use credence::llm::{
    Cancel, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, ReplySchema, Role, Usage,
};
use credence_browser::endpoint::{Endpoint, KeyStore, RemoteEmbedder};
use serde_json::{Value, json};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const KEY: &str = "good-key-1";

/// A scenario of the server, under a run of its own.
struct Place {
    scenario: &'static str,
    run: String,
    server: &'static str,
}

impl Place {
    /// `None`, with a line that says so, when the server's address was not compiled in.
    fn new(scenario: &'static str) -> Option<Self> {
        let Some(server) = option_env!("CREDENCE_TEST_ENDPOINT") else {
            console_log!(
                "SKIPPED {scenario}: CREDENCE_TEST_ENDPOINT was not set when the tests were compiled"
            );
            return None;
        };
        let run = format!("r{}", (js_sys::Math::random() * 1e15) as u64);
        Some(Self { scenario, run, server })
    }

    fn base(&self) -> String {
        format!("{}/{}/{}/v1", self.server, self.scenario, self.run)
    }

    fn endpoint(&self, preset: &str) -> Endpoint {
        endpoint(preset, &self.base(), &keys(self.server))
    }

    async fn log(&self) -> Value {
        let url = format!("{}/log/{}/{}", self.server, self.scenario, self.run);
        gloo_net::http::Request::get(&url).send().await.unwrap().json().await.unwrap()
    }
}

fn keys(origin: &str) -> KeyStore {
    let keys = KeyStore::new();
    keys.set(origin, Secret::parse(KEY).unwrap(), KeyStorage::Memory);
    keys
}

fn endpoint(preset: &str, base: &str, keys: &KeyStore) -> Endpoint {
    let mut settings = EndpointSettings::for_preset(preset::by_id(preset).unwrap());
    settings.base_url = base.to_owned();
    settings.models.insert(Role::Chat, "test-model".into());
    settings.models.insert(Role::Embed, "test-model".into());
    Endpoint::new(settings, keys.clone()).unwrap()
}

fn request(text: &str) -> ChatRequest {
    ChatRequest { messages: vec![Message::user(text)], ..ChatRequest::default() }
}

/// One call; the streamed pieces are checked against the reply.
async fn ask(endpoint: &Endpoint, request: &ChatRequest) -> Result<ChatReply, ModelError> {
    let mut streamed = String::new();
    let reply =
        endpoint.complete(Role::Chat, request, &mut |text| streamed.push_str(text), &Cancel::new()).await?;
    assert_eq!(streamed, reply.text);
    Ok(reply)
}

async fn fail(place: &Place, preset: &str) -> ModelError {
    ask(&place.endpoint(preset), &request("Hi")).await.unwrap_err()
}

/// Calls `action` after some milliseconds.
fn later(milliseconds: i32, action: impl FnOnce() + 'static) {
    let timer = js_sys::Promise::new(&mut |resolve, _| {
        let global = js_sys::global();
        let set_timeout = js_sys::Reflect::get(&global, &"setTimeout".into()).unwrap();
        let set_timeout: js_sys::Function = set_timeout.into();
        set_timeout.call2(&global, &resolve, &milliseconds.into()).unwrap();
    });
    wasm_bindgen_futures::spawn_local(async move {
        wasm_bindgen_futures::JsFuture::from(timer).await.unwrap();
        action();
    });
}

#[wasm_bindgen_test]
async fn a_stream_that_comes_byte_by_byte_is_whole() {
    let Some(place) = Place::new("bytes") else { return };
    let endpoint = place.endpoint("custom");
    let mut pieces = Vec::new();
    let reply = endpoint
        .complete(Role::Chat, &request("Hi"), &mut |text| pieces.push(text.to_owned()), &Cancel::new())
        .await
        .unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("北京🌍", "hm"));
    assert!(pieces.len() > 1 && pieces.concat() == "北京🌍", "{pieces:?}");
    assert_eq!((reply.model.as_str(), reply.finish), ("test-model", Finish::Stop));
    assert_eq!(reply.usage, Some(Usage { prompt_tokens: 3, completion_tokens: 5 }));
    assert_eq!(reply.notes, Vec::<String>::new());

    let log = place.log().await;
    let sent = &log["requests"][0];
    assert_eq!(sent["path"], "v1/chat/completions");
    assert_eq!(sent["headers"]["authorization"], format!("Bearer {KEY}"));
    assert_eq!((&sent["headers"]["cookie"], &sent["headers"]["referer"]), (&Value::Null, &Value::Null));
    assert_eq!((&sent["body"]["stream"], &sent["body"]["model"]), (&json!(true), &json!("test-model")));
}

#[wasm_bindgen_test]
async fn a_server_that_does_not_stream_is_read_as_well() {
    let Some(place) = Place::new("whole") else { return };
    assert_eq!(ask(&place.endpoint("custom"), &request("Hi")).await.unwrap().text, "whole");
}

#[wasm_bindgen_test]
async fn a_busy_server_is_called_again_when_it_says() {
    let Some(place) = Place::new("busy") else { return };
    let begun = js_sys::Date::now();
    let reply = ask(&place.endpoint("custom"), &request("Hi")).await.unwrap();
    let waited = js_sys::Date::now() - begun;
    assert_eq!(reply.text, "at last");
    assert!(waited >= 950.0, "waited {waited} ms of the 1000 that the server asked for");
    assert!(reply.notes.iter().any(|note| note.contains("busy")), "{:?}", reply.notes);
    assert_eq!(place.log().await["calls"], 2);

    let Some(place) = Place::new("busy-body") else { return };
    assert_eq!(ask(&place.endpoint("custom"), &request("Hi")).await.unwrap().text, "loaded");
}

#[wasm_bindgen_test]
async fn a_server_that_stays_busy_is_given_up() {
    let Some(place) = Place::new("busy-long") else { return };
    let error = fail(&place, "custom").await;
    assert_eq!(error, ModelError::RateLimited { status: 429, retry_after_ms: Some(120_000) });
    assert_eq!(place.log().await["calls"], 1, "nobody waits two minutes in front of a page");

    let Some(place) = Place::new("busy-forever") else { return };
    let error = fail(&place, "custom").await;
    assert_eq!(error, ModelError::Server { status: 503, detail: "overloaded".into() });
    assert_eq!(place.log().await["calls"], 3);
}

#[wasm_bindgen_test]
async fn a_wrong_key_is_named_and_never_repeated() {
    let Some(place) = Place::new("key") else { return };
    assert_eq!(ask(&place.endpoint("custom"), &request("Hi")).await.unwrap().text, "welcome");

    let keys = KeyStore::new();
    keys.set(place.server, Secret::parse("wrong-key-2").unwrap(), KeyStorage::Memory);
    let wrong = endpoint("custom", &place.base(), &keys);
    let error = ask(&wrong, &request("Hi")).await.unwrap_err();
    assert_eq!(error.code(), "model-bad-key");
    for text in [error.to_string(), format!("{error:?}"), format!("{wrong:?}")] {
        assert!(!text.contains("wrong-key-2"), "{text}");
    }
    assert_eq!(place.log().await["calls"], 2, "a refused key is not tried again");
    assert_eq!(wrong.probe(&Cancel::new()).await.unwrap_err().code(), "model-bad-key");
}

#[wasm_bindgen_test]
async fn a_key_goes_to_its_own_origin_alone() {
    let Some(place) = Place::new("bytes") else { return };
    // The same server under another name is another origin.
    let other = place.base().replace("127.0.0.1", "localhost");
    let keys = keys(place.server);
    assert!(
        !endpoint("openai", &other, &keys).is_connected(Role::Chat),
        "the key of another origin is no key"
    );
    ask(&endpoint("custom", &other, &keys), &request("Hi")).await.unwrap();
    assert_eq!(place.log().await["requests"][0]["headers"]["authorization"], Value::Null);

    let Some(place) = Place::new("redirect") else { return };
    let error = fail(&place, "custom").await.to_string();
    assert!(error.contains("redirect"), "{error}");
    let redirected = Place { scenario: "redirected", run: place.run.clone(), server: place.server };
    assert_eq!(redirected.log().await["requests"], json!([]));
}

#[wasm_bindgen_test]
async fn an_unknown_model_is_named() {
    let Some(place) = Place::new("model") else { return };
    let error = fail(&place, "custom").await;
    assert!(matches!(&error, ModelError::UnknownModel { model, .. } if model == "test-model"), "{error}");
}

#[wasm_bindgen_test]
async fn rejected_parameters_are_dropped_remembered_and_shown() {
    let Some(place) = Place::new("picky") else { return };
    let endpoint = place.endpoint("custom");
    let request = ChatRequest { temperature: Some(0.1), max_tokens: Some(9), ..request("Hi") };
    let reply = ask(&endpoint, &request).await.unwrap();
    assert_eq!(reply.text, "limit 9");
    assert_eq!(reply.notes.len(), 3, "{:?}", reply.notes);
    assert!(reply.notes.iter().any(|note| note.contains("`temperature`")));
    assert_eq!(place.log().await["calls"], 4);

    let dropped: Vec<String> =
        endpoint.dropped_parameters().into_iter().map(|known| known.parameter).collect();
    assert_eq!(dropped, ["max_tokens", "stream_options", "temperature"]);
    ask(&endpoint, &request).await.unwrap();
    assert_eq!(place.log().await["calls"], 5, "what was learned is not asked again");

    // Another model may take them.
    let mut settings = endpoint.settings().clone();
    settings.models.insert(Role::Chat, "other".into());
    ask(&endpoint.with_settings(settings).unwrap(), &request).await.unwrap();
    assert_eq!(place.log().await["calls"], 9);
}

#[wasm_bindgen_test]
async fn a_schema_is_enforced_or_described() {
    let schema = ReplySchema {
        name: "facts".into(),
        schema: json!({"type": "object", "properties": {"facts": {"type": "array"}}}),
    };
    let request = ChatRequest { schema: Some(schema.clone()), ..request("Extract.") };

    let Some(place) = Place::new("schema") else { return };
    let reply = ask(&place.endpoint("custom"), &request).await.unwrap();
    let sent: Value = serde_json::from_str(&reply.text).unwrap();
    assert_eq!(sent["json_schema"]["schema"], schema.schema);

    let Some(place) = Place::new("no-schema") else { return };
    let reply = ask(&place.endpoint("custom"), &request).await.unwrap();
    assert_eq!(reply.text, "{\"facts\":[{\"text\":\"described\"}]}");
    assert!(reply.notes[0].contains("described in the prompt"), "{:?}", reply.notes);
}

#[wasm_bindgen_test]
async fn silence_ends_with_a_time_out() {
    let Some(place) = Place::new("hang") else { return };
    let request = ChatRequest { timeout_ms: Some(400), ..request("Hi") };
    let begun = js_sys::Date::now();
    let error = ask(&place.endpoint("custom"), &request).await.unwrap_err();
    assert_eq!(error, ModelError::Timeout { after_ms: 400 });
    assert!(js_sys::Date::now() - begun < 3_000.0);
    assert_eq!(place.log().await["calls"], 1);

    let Some(place) = Place::new("hang-mid") else { return };
    let mut streamed = String::new();
    let error = place
        .endpoint("custom")
        .complete(Role::Chat, &request, &mut |text| streamed.push_str(text), &Cancel::new())
        .await
        .unwrap_err();
    assert_eq!((error.code(), streamed.as_str()), ("model-timeout", "half"));

    // A server that shows signs of life may take as long as it needs.
    let Some(place) = Place::new("slow-but-alive") else { return };
    assert_eq!(ask(&place.endpoint("custom"), &request).await.unwrap().text, "patience");
}

#[wasm_bindgen_test]
async fn cancelling_keeps_the_partial_text_and_ends_the_connection() {
    let Some(place) = Place::new("endless") else { return };
    let (cancel, streamed) = (Cancel::new(), Rc::new(RefCell::new(String::new())));
    let mut sink = {
        let (cancel, streamed) = (cancel.clone(), streamed.clone());
        move |text: &str| {
            streamed.borrow_mut().push_str(text);
            if streamed.borrow().len() > 10 {
                cancel.cancel();
            }
        }
    };
    let reply =
        place.endpoint("custom").complete(Role::Chat, &request("Hi"), &mut sink, &cancel).await.unwrap();
    assert_eq!((&reply.text, reply.finish), (&*streamed.borrow(), Finish::Cancelled));
    assert!(reply.text.starts_with("on on on"));
    let mut waits = 0;
    while place.log().await["closedEarly"] == 0 {
        waits += 1;
        assert!(waits < 200, "the server never saw the connection close");
    }

    let Some(place) = Place::new("hang") else { return };
    let cancel = Cancel::new();
    let token = cancel.clone();
    later(100, move || token.cancel());
    let error = place.endpoint("custom").complete(Role::Chat, &request("Hi"), &mut |_| {}, &cancel).await;
    assert_eq!(error, Err(ModelError::Cancelled));

    // Waiting for a busy server ends as well.
    let Some(place) = Place::new("busy") else { return };
    let cancel = Cancel::new();
    let token = cancel.clone();
    later(300, move || token.cancel());
    let begun = js_sys::Date::now();
    let error = place.endpoint("custom").complete(Role::Chat, &request("Hi"), &mut |_| {}, &cancel).await;
    assert_eq!(error, Err(ModelError::Cancelled));
    assert!(js_sys::Date::now() - begun < 900.0);
}

#[wasm_bindgen_test]
async fn broken_connections_are_told_from_absent_servers_and_cors() {
    let Some(place) = Place::new("cut") else { return };
    let mut streamed = String::new();
    let error = place
        .endpoint("custom")
        .complete(Role::Chat, &request("Hi"), &mut |text| streamed.push_str(text), &Cancel::new())
        .await
        .unwrap_err();
    assert_eq!((error.code(), streamed.as_str()), ("model-broken-off", "half"));
    assert_eq!(place.log().await["calls"], 1, "text that was shown is not asked for again");

    let Some(place) = Place::new("cut-early") else { return };
    assert_eq!(fail(&place, "custom").await.code(), "model-broken-off");
    let calls = place.log().await["calls"].as_u64().unwrap();
    // A browser may repeat a call by itself when a kept-alive connection turns out dead.
    assert!(calls >= 2, "{calls}");

    let Some(place) = Place::new("error-mid") else { return };
    let mut streamed = String::new();
    let error = place
        .endpoint("custom")
        .complete(Role::Chat, &request("Hi"), &mut |text| streamed.push_str(text), &Cancel::new())
        .await
        .unwrap_err();
    assert_eq!(error, ModelError::Server { status: 502, detail: "upstream died".into() });
    assert_eq!(streamed, "so far");

    let Some(place) = Place::new("no-cors") else { return };
    let isolated = js_sys::Reflect::get(&js_sys::global(), &"crossOriginIsolated".into()).unwrap();
    assert!(!isolated.is_truthy(), "run with WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION=1");
    let error = fail(&place, "ollama").await;
    assert_eq!(error.code(), "model-cors");
    assert!(error.to_string().contains("OLLAMA_ORIGINS"), "{error}");
    assert_eq!(place.log().await["calls"], 0, "the browser asks first and sends nothing");

    let closed = gloo_net::http::Request::get(&format!("{}/closed", place.server)).send().await.unwrap();
    let closed: String = closed.json().await.unwrap();
    let absent = endpoint("custom", &closed, &KeyStore::new());
    let error = ask(&absent, &request("Hi")).await.unwrap_err();
    assert_eq!(error, ModelError::Unreachable { origin: closed });

    let Some(place) = Place::new("html") else { return };
    let error = fail(&place, "custom").await.to_string();
    assert!(error.contains("web page") && error.contains("/v1"), "{error}");
}

#[wasm_bindgen_test]
async fn anthropic_is_called_as_it_wants_to_be() {
    let Some(place) = Place::new("anthropic") else { return };
    let endpoint = place.endpoint("anthropic");
    let mut request = request("Hi");
    request.messages.insert(0, Message::system("Be short."));
    let reply = ask(&endpoint, &request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("Grüße 🌍", "hm"));
    assert_eq!(reply.usage, Some(Usage { prompt_tokens: 7, completion_tokens: 4 }));

    request.schema = Some(ReplySchema { name: "facts".into(), schema: json!({"type": "object"}) });
    assert_eq!(ask(&endpoint, &request).await.unwrap().text, "{\"facts\":[]}");

    let log = place.log().await;
    let sent = &log["requests"][0];
    assert_eq!(sent["path"], "v1/messages");
    assert_eq!(sent["headers"]["x-api-key"], KEY);
    assert_eq!(sent["headers"]["anthropic-dangerous-direct-browser-access"], "true");
    assert_eq!(sent["headers"]["authorization"], Value::Null);
    assert_eq!(sent["body"]["system"], "Be short.");
    assert!(!endpoint.is_connected(Role::Embed));
}

#[wasm_bindgen_test]
async fn vectors_come_in_batches_and_of_unit_length() {
    let Some(place) = Place::new("vectors") else { return };
    let embedder = RemoteEmbedder::connect(place.endpoint("custom"), &Cancel::new()).await.unwrap();
    assert_eq!(embedder.dimension(), 3);
    assert!(embedder.space().ends_with("/test-model/3"), "{}", embedder.space());
    let texts: Vec<String> = (0..130).map(|n| "x".repeat(n % 5)).collect();
    let vectors = embedder.embed(&texts).await.unwrap();
    assert_eq!(vectors.len(), 130);
    for (vector, text) in vectors.iter().zip(&texts) {
        let length: f32 = vector.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5);
        let ratio = vector[0] / vector[1];
        assert!(
            (ratio - text.len().max(1) as f32).abs() < 1e-4,
            "in the order of the texts: {text:?} {vector:?}"
        );
    }
    let log = place.log().await;
    let sizes: Vec<usize> = log["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|request| request["body"]["input"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [1, 64, 64, 2]);
    assert_eq!(embedder.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[wasm_bindgen_test]
async fn testing_a_connection_lists_the_models() {
    let Some(place) = Place::new("key") else { return };
    let probe = place.endpoint("custom").probe(&Cancel::new()).await.unwrap();
    assert_eq!(probe.models, ["another-model", "test-model"]);
    assert_eq!(place.log().await["calls"], 0, "no tokens are spent");
}

#[wasm_bindgen_test]
async fn without_a_model_or_a_needed_key_nothing_is_called() {
    let keys = KeyStore::new();
    let openai = endpoint("openai", "https://nowhere.invalid/v1", &keys);
    assert!(!openai.is_connected(Role::Chat));
    assert_eq!(ask(&openai, &request("Hi")).await, Err(ModelError::NotConnected));
    keys.set("https://nowhere.invalid", Secret::parse(KEY).unwrap(), KeyStorage::Memory);
    assert!(openai.is_connected(Role::Chat));

    let settings = EndpointSettings::for_preset(preset::by_id("ollama").unwrap());
    assert!(!Endpoint::new(settings, keys).unwrap().is_connected(Role::Chat), "no model was chosen");
}

fn entries(name: &str) -> String {
    let storage = js_sys::Reflect::get(&js_sys::global(), &name.into()).unwrap();
    js_sys::JSON::stringify(&storage).unwrap().into()
}

#[wasm_bindgen_test]
fn keys_are_where_the_user_wants_them_and_nowhere_else() {
    let (keys, origin) = (KeyStore::new(), "https://key.example");
    let secret = Secret::parse("hush-hush-hush").unwrap();
    let seen =
        || [entries("sessionStorage"), entries("localStorage")].map(|text| text.contains("hush-hush-hush"));
    let steps = [
        (KeyStorage::Session, [true, false]),
        (KeyStorage::Device, [false, true]),
        (KeyStorage::Memory, [false, false]),
        (KeyStorage::Session, [true, false]),
    ];
    for (place, where_seen) in steps {
        let kept = keys.set(origin, secret.clone(), place);
        assert_eq!((kept.place, kept.was_refused), (place, false));
        assert_eq!(keys.place(origin), Some(place));
        assert_eq!(keys.get(origin), Some(secret.clone()));
        assert_eq!(seen(), where_seen, "{place:?}");
    }
    assert_eq!(keys.get("https://other.example"), None);
    assert_eq!(
        KeyStore::new().get(origin),
        Some(secret.clone()),
        "a reload of the tab finds the session's key"
    );

    let local: web_sys::Storage =
        js_sys::Reflect::get(&js_sys::global(), &"localStorage".into()).unwrap().into();
    local.set_item("unrelated", "stays").unwrap();
    keys.set("https://second.example", secret.clone(), KeyStorage::Device);
    keys.set("https://third.example", secret, KeyStorage::Memory);
    keys.wipe();
    assert_eq!(seen(), [false, false]);
    for origin in [origin, "https://second.example", "https://third.example"] {
        assert_eq!((keys.get(origin), keys.place(origin)), (None, None));
    }
    assert_eq!(local.get_item("unrelated").unwrap().as_deref(), Some("stays"));
    local.remove_item("unrelated").unwrap();
}

#[wasm_bindgen_test]
async fn a_role_elsewhere_is_asked_there_alone() {
    let (Some(here), Some(there)) = (Place::new("bytes"), Place::new("key")) else { return };
    let mut settings = EndpointSettings::for_preset(preset::by_id("custom").unwrap());
    settings.base_url = here.base();
    settings.models = BTreeMap::from([(Role::Chat, "talker".into()), (Role::Judge, "strict".into())]);
    let place = Elsewhere { preset: "custom".into(), base_url: there.base() };
    settings.elsewhere.insert(Role::Judge, place);
    let endpoint = Endpoint::new(settings.clone(), keys(there.server)).unwrap();
    let judged = endpoint.complete(Role::Judge, &request("Hi"), &mut |_| {}, &Cancel::new()).await.unwrap();
    assert_eq!(
        (judged.text.as_str(), ask(&endpoint, &request("Hi")).await.unwrap().text.as_str()),
        ("welcome", "北京🌍")
    );
    let models = async |place: &Place| {
        let log = place.log().await;
        let calls = log["requests"].as_array().unwrap().clone();
        calls.iter().map(|call| call["body"]["model"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (models(&here).await, models(&there).await),
        (vec!["talker".to_owned()], vec!["strict".to_owned()])
    );

    settings.models.remove(&Role::Judge);
    let nameless = Endpoint::new(settings, KeyStore::new()).unwrap_err();
    assert!(nameless.to_string().contains("`judge`"), "{nameless}");
}
