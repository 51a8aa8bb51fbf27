//! Bodies and headers of the two interfaces, and what their answers mean.
//!
//! An adapter asks [`chat_body`], [`headers`] and [`chat_path`] what to send, and gives what comes back to
//! [`super::reply::ReplyReader`]. Both interfaces are decoded to the same [`Delta`]s, streamed or whole.

pub mod anthropic;
pub mod embeddings;
pub mod openai;
pub mod tokens;

use std::collections::BTreeSet;

use serde_json::Value;

use super::classify::ServerWords;
use super::preset::{Dialect, Preset, TokenLimit};
use super::secret::Secret;
use super::sse::Event;
use super::{Author, ChatRequest, Finish, Message};

/// One chat call, ready to be written in a dialect.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The model's name at the endpoint.
    pub model: &'a str,
    /// What is asked.
    pub request: &'a ChatRequest,
    /// Whether the answer comes as server-sent events.
    pub stream: bool,
    /// What the endpoint takes.
    pub options: &'a Options,
}

/// What an endpoint takes, from its preset and from what it rejected before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name of the length limit.
    pub token_limit: TokenLimit,
    /// Whether a JSON schema is enforced; else it is described in the prompt.
    pub schema_output: bool,
    /// Names of parameters that the model rejected. See [`super::classify::rejected_parameter`].
    pub omitted: BTreeSet<String>,
}

impl Options {
    /// What `preset` promises, before anything was rejected.
    pub fn of(preset: &Preset) -> Self {
        Self {
            token_limit: preset.token_limit,
            schema_output: preset.schema_output,
            omitted: BTreeSet::new(),
        }
    }
    fn takes(&self, parameter: &str) -> bool {
        !self.omitted.contains(parameter)
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// Text of the answer.
    Text(String),
    /// Reasoning that the endpoint keeps apart.
    Reasoning(String),
    /// Why the answer ended.
    Finish(Finish),
    /// Token counts; a later count replaces an earlier one.
    Usage {
        /// Tokens of the prompt.
        prompt: Option<u32>,
        /// Tokens of the answer.
        completion: Option<u32>,
    },
    /// The model that answers.
    Model(String),
    /// The server says that nothing follows.
    Done,
    /// The server failed after it had begun to answer.
    Failed(ServerWords),
}

/// Where chat calls go, below the base address.
pub fn chat_path(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "chat/completions",
        Dialect::Anthropic => "messages",
    }
}

/// The JSON body of a chat call.
pub fn chat_body(dialect: Dialect, call: &Call<'_>) -> Value {
    match dialect {
        Dialect::OpenAi => openai::chat_body(call),
        Dialect::Anthropic => anthropic::chat_body(call),
    }
}

/// Request headers in lower case, `content-type` included. The key goes here and nowhere else.
pub fn headers(dialect: Dialect, key: Option<&Secret>) -> Vec<(&'static str, String)> {
    let mut headers = vec![("content-type", "application/json".to_owned())];
    match dialect {
        Dialect::OpenAi => {
            if let Some(key) = key {
                headers.push(("authorization", format!("Bearer {}", key.expose())));
            }
        }
        Dialect::Anthropic => headers.extend(anthropic::headers(key)),
    }
    headers
}

/// The pieces of an answer in one streamed event.
///
/// # Errors
/// When the event's data is not the JSON object that the interface promises; the text says what came.
pub fn decode_event(dialect: Dialect, event: &Event) -> Result<Vec<Delta>, String> {
    if event.data.trim() == "[DONE]" {
        return Ok(vec![Delta::Done]);
    }
    if event.data.trim().is_empty() {
        return Ok(Vec::new());
    }
    let value: Value = serde_json::from_str(&event.data)
        .map_err(|error| format!("a streamed event is not JSON ({error}): {}", excerpt(&event.data)))?;
    match dialect {
        Dialect::OpenAi => Ok(openai::decode_chunk(&value)),
        Dialect::Anthropic => Ok(anthropic::decode_event(&value)),
    }
}

/// The pieces of an answer that came whole.
///
/// # Errors
/// When the body holds neither an answer nor an error; the text says what came.
pub fn decode_body(dialect: Dialect, body: &Value) -> Result<Vec<Delta>, String> {
    let deltas = match dialect {
        Dialect::OpenAi => openai::decode_body(body),
        Dialect::Anthropic => anthropic::decode_body(body),
    };
    deltas.ok_or_else(|| format!("the body holds no answer: {}", excerpt(&body.to_string())))
}

/// Model names in the answer of `GET models`, sorted; both interfaces share the shape.
pub fn decode_models(body: &Value) -> Vec<String> {
    let list = body.get("data").or_else(|| body.get("models")).unwrap_or(body);
    let name = |item: &Value| {
        let name = ["id", "name", "model"].iter().find_map(|key| item.get(key)?.as_str())?;
        Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
    };
    let names: BTreeSet<String> = list.as_array().into_iter().flatten().filter_map(name).collect();
    names.into_iter().collect()
}

/// The beginning of a text, for an error.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 120;
    let text = text.trim();
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

/// System text and the other messages: empty ones left out, neighbours by the same author joined, because
/// several servers refuse both.
fn arrange(request: &ChatRequest, instruction: Option<&str>) -> (String, Vec<Message>) {
    let mut system: Vec<&str> = Vec::new();
    let mut others: Vec<Message> = Vec::new();
    for message in &request.messages {
        if message.text.trim().is_empty() {
            continue;
        }
        match (message.author, others.last_mut()) {
            (Author::System, _) => system.push(&message.text),
            (author, Some(last)) if last.author == author => {
                last.text.push_str("\n\n");
                last.text.push_str(&message.text);
            }
            _ => others.push(message.clone()),
        }
    }
    system.extend(instruction);
    (system.join("\n\n"), others)
}

/// A count that may be absent, null, or (from sloppy servers) a float.
fn count(value: Option<&Value>) -> Option<u32> {
    let value = value?;
    let number = value.as_u64().or_else(|| value.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64))?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn headers_carry_the_key_in_the_dialects_own_place() {
        let key = Secret::parse("sk-test").unwrap();
        let sent = headers(Dialect::OpenAi, Some(&key));
        assert!(sent.contains(&("authorization", "Bearer sk-test".into())));
        assert_eq!(headers(Dialect::OpenAi, None), [("content-type", "application/json".to_owned())]);
        let sent = headers(Dialect::Anthropic, Some(&key));
        assert!(sent.contains(&("x-api-key", "sk-test".into())));
        assert!(sent.contains(&("anthropic-version", "2023-06-01".into())));
        assert!(sent.contains(&("anthropic-dangerous-direct-browser-access", "true".into())));
        assert!(!sent.iter().any(|(name, _)| *name == "authorization"));
    }

    #[test]
    fn model_lists_of_every_kind_are_read() {
        assert_eq!(decode_models(&json!({"data": [{"id": "b"}, {"id": "models/a"}, {"x": 1}]})), ["a", "b"]);
        assert_eq!(decode_models(&json!({"models": [{"name": "llama3:8b"}]})), ["llama3:8b"]);
        assert_eq!(decode_models(&json!([{"id": "bare"}])), ["bare"]);
        assert_eq!(decode_models(&json!({"data": null})), [""; 0]);
    }

    #[test]
    fn broken_events_and_bodies_say_what_came() {
        let event = Event { name: String::new(), data: "{\"choices\":".into() };
        assert!(decode_event(Dialect::OpenAi, &event).unwrap_err().contains("{\"choices\":"));
        assert!(decode_body(Dialect::OpenAi, &json!({"hello": 1})).unwrap_err().contains("hello"));
        let event = Event { name: "ping".into(), data: " ".into() };
        assert_eq!(decode_event(Dialect::Anthropic, &event), Ok(vec![]));
    }
}
