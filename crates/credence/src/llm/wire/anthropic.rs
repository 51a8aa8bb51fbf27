//! Anthropic's interface: `messages`. Enforced JSON goes through a tool that the model has to call, which every
//! model and every gateway of this interface understands.

use serde_json::{Map, Value, json};

use super::super::classify::ServerWords;
use super::super::prompts;
use super::super::secret::Secret;
use super::super::{Author, Finish, Message};
use super::{Call, Delta, arrange, count};

/// The interface wants a limit; this is sent when the caller gives none.
const DEFAULT_MAX_TOKENS: u32 = 4096;

/// The version of the interface that these bodies follow.
const VERSION: &str = "2023-06-01";

pub(super) fn headers(key: Option<&Secret>) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        ("anthropic-version", VERSION.to_owned()),
        // Without it the server answers no page. The key is the user's own, in the user's own browser.
        ("anthropic-dangerous-direct-browser-access", "true".to_owned()),
    ];
    if let Some(key) = key {
        headers.push(("x-api-key", key.expose().to_owned()));
    }
    headers
}

/// The body of a chat call.
pub(super) fn chat_body(call: &Call<'_>) -> Value {
    let Call { model, request, stream, options } = *call;
    let enforced = options.schema_output && options.takes("tools") && options.takes("tool_choice");
    let schema = request.schema.as_ref();
    let instruction = schema.filter(|_| !enforced).map(prompts::schema_instruction);
    let (mut system, mut messages) = arrange(request, instruction.as_deref());
    if messages.is_empty() {
        messages.push(Message::user(std::mem::take(&mut system)));
    }
    if let Some(last) = messages.last_mut().filter(|last| last.author == Author::Assistant) {
        // A prefilled answer may not end in white space.
        last.text.truncate(last.text.trim_end().len());
    }
    if messages.first().is_some_and(|first| first.author == Author::Assistant) {
        messages.insert(0, Message::user("(start)"));
    }
    let messages: Vec<Value> =
        messages.iter().map(|message| json!({"role": message.author, "content": message.text})).collect();

    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("max_tokens".into(), request.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS).into());
    if !system.is_empty() {
        body.insert("system".into(), system.into());
    }
    body.insert("messages".into(), messages.into());
    if stream && options.takes("stream") {
        body.insert("stream".into(), true.into());
    }
    if let Some(temperature) = request.temperature.filter(|_| options.takes("temperature")) {
        // The interface's range ends at 1.
        body.insert("temperature".into(), temperature.clamp(0.0, 1.0).into());
    }
    if let Some(schema) = schema.filter(|_| enforced) {
        body.insert(
            "tools".into(),
            json!([{"name": schema.name, "description": "Gives the answer.", "input_schema": schema.schema}]),
        );
        body.insert("tool_choice".into(), json!({"type": "tool", "name": schema.name}));
    }
    body.into()
}

/// The pieces in one streamed event.
pub(super) fn decode_event(event: &Value) -> Vec<Delta> {
    let mut deltas = Vec::new();
    match event.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message_start" => {
            let message = event.get("message").unwrap_or(&Value::Null);
            push_head(message, &mut deltas);
        }
        "content_block_start" => push_block(event.get("content_block").unwrap_or(&Value::Null), &mut deltas),
        "content_block_delta" => {
            let delta = event.get("delta").unwrap_or(&Value::Null);
            push(delta.get("text"), Delta::Text, &mut deltas);
            push(delta.get("partial_json"), Delta::Text, &mut deltas);
            push(delta.get("thinking"), Delta::Reasoning, &mut deltas);
        }
        "message_delta" => {
            push_finish(event.pointer("/delta/stop_reason"), &mut deltas);
            push_usage(event.get("usage"), &mut deltas);
        }
        "message_stop" => deltas.push(Delta::Done),
        _ => deltas.extend(ServerWords::in_answer(event).map(Delta::Failed)),
    }
    deltas
}

/// The pieces of a whole message; `None` when it is none.
pub(super) fn decode_body(body: &Value) -> Option<Vec<Delta>> {
    if let Some(words) = ServerWords::in_answer(body) {
        return Some(vec![Delta::Failed(words)]);
    }
    let blocks = body.get("content")?.as_array()?;
    let mut deltas = Vec::new();
    push_head(body, &mut deltas);
    for block in blocks {
        push_block(block, &mut deltas);
    }
    push_finish(body.get("stop_reason"), &mut deltas);
    Some(deltas)
}

fn push_head(message: &Value, deltas: &mut Vec<Delta>) {
    push(message.get("model"), Delta::Model, deltas);
    push_usage(message.get("usage"), deltas);
}

fn push_block(block: &Value, deltas: &mut Vec<Delta>) {
    push(block.get("text"), Delta::Text, deltas);
    push(block.get("thinking"), Delta::Reasoning, deltas);
    // A streamed tool call opens with an empty input and sends it as partial JSON afterwards.
    if let Some(input) = block.get("input").and_then(Value::as_object).filter(|input| !input.is_empty()) {
        deltas.push(Delta::Text(Value::Object(input.clone()).to_string()));
    }
}

fn push_finish(reason: Option<&Value>, deltas: &mut Vec<Delta>) {
    if let Some(reason) = reason.and_then(Value::as_str) {
        deltas.push(Delta::Finish(match reason {
            "max_tokens" | "model_context_window_exceeded" => Finish::Length,
            "refusal" => Finish::Filtered,
            _ => Finish::Stop,
        }));
    }
}

fn push_usage(usage: Option<&Value>, deltas: &mut Vec<Delta>) {
    let Some(usage) = usage.filter(|usage| usage.is_object()) else { return };
    // Cached tokens are counted apart but were part of the prompt.
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|key| count(usage.get(key))).fold(0u32, u32::saturating_add);
    deltas.push(Delta::Usage {
        prompt: count(usage.get("input_tokens")).map(|tokens| tokens.saturating_add(cached)),
        completion: count(usage.get("output_tokens")),
    });
}

fn push(value: Option<&Value>, make: fn(String) -> Delta, deltas: &mut Vec<Delta>) {
    if let Some(text) = value.and_then(Value::as_str).filter(|text| !text.is_empty()) {
        deltas.push(make(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{ChatRequest, ReplySchema, preset};
    use super::super::Options;
    use super::*;

    fn body(request: &ChatRequest, omitted: &[&str]) -> Value {
        let mut options = Options::of(preset::by_id("anthropic").unwrap());
        options.omitted.extend(omitted.iter().map(|name| (*name).to_owned()));
        chat_body(&Call { model: "claude", request, stream: true, options: &options })
    }

    #[test]
    fn system_text_has_its_own_field_and_json_goes_through_a_forced_tool() {
        let request = ChatRequest {
            messages: vec![Message::system("Be short."), Message::user("Hi"), Message::assistant("{ ")],
            temperature: Some(1.7),
            schema: Some(ReplySchema { name: "facts".into(), schema: json!({"type": "object"}) }),
            ..ChatRequest::default()
        };
        assert_eq!(
            body(&request, &[]),
            json!({
                "model": "claude", "max_tokens": 4096, "system": "Be short.", "stream": true, "temperature": 1.0,
                "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "{"}],
                "tools": [{"name": "facts", "description": "Gives the answer.", "input_schema": {"type": "object"}}],
                "tool_choice": {"type": "tool", "name": "facts"},
            })
        );
        let plain = body(&request, &["tool_choice", "temperature"]);
        assert!(plain["system"].as_str().unwrap().contains("JSON Schema"));
        assert!(plain.get("tools").is_none() && plain.get("temperature").is_none());
    }

    #[test]
    fn a_prompt_always_begins_with_a_user_message() {
        let request = ChatRequest { messages: vec![Message::system("Extract.")], ..Default::default() };
        let sent = body(&request, &[]);
        assert_eq!(sent["messages"], json!([{"role": "user", "content": "Extract."}]));
        assert!(sent.get("system").is_none());
        let request = ChatRequest {
            messages: vec![Message::assistant("Hello."), Message::user("Hi")],
            ..Default::default()
        };
        assert_eq!(body(&request, &[])["messages"][0]["role"], "user");
    }

    #[test]
    fn streamed_events_are_decoded() {
        let check = |event: Value, want: &[Delta]| assert_eq!(decode_event(&event), want, "{event}");
        check(
            json!({"type": "message_start", "message": {"model": "claude-x", "usage": {
                "input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 1}}}),
            &[Delta::Model("claude-x".into()), Delta::Usage { prompt: Some(12), completion: Some(1) }],
        );
        check(json!({"type": "ping"}), &[]);
        check(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "input": {}}}),
            &[],
        );
        check(
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "Hi"}}),
            &[Delta::Text("Hi".into())],
        );
        check(
            json!({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "{\"a\""}}),
            &[Delta::Text("{\"a\"".into())],
        );
        check(
            json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            &[Delta::Reasoning("hm".into())],
        );
        check(
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 9}}),
            &[Delta::Finish(Finish::Length), Delta::Usage { prompt: None, completion: Some(9) }],
        );
        check(json!({"type": "message_stop"}), &[Delta::Done]);
        let failed = decode_event(
            &json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        );
        assert!(matches!(&failed[..], [Delta::Failed(words)] if words.has("overloaded_error")), "{failed:?}");
    }

    #[test]
    fn a_whole_message_gives_the_same_pieces() {
        let body = json!({"type": "message", "model": "c", "content": [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi"},
            {"type": "tool_use", "input": {"a": 1}}], "stop_reason": "tool_use"});
        assert_eq!(
            decode_body(&body).unwrap(),
            [
                Delta::Model("c".into()),
                Delta::Reasoning("hm".into()),
                Delta::Text("Hi".into()),
                Delta::Text("{\"a\":1}".into()),
                Delta::Finish(Finish::Stop),
            ]
        );
        assert_eq!(decode_body(&json!({"content": "x"})), None);
    }
}
