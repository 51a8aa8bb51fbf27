//! The OpenAI-compatible interface: `chat/completions`, with the fields that its many followers send.

use serde_json::{Map, Value, json};

use super::super::classify::ServerWords;
use super::super::preset::TokenLimit;
use super::super::prompts;
use super::super::{Author, Finish};
use super::{Call, Delta, arrange, count};

/// The body of a chat call.
pub(super) fn chat_body(call: &Call<'_>) -> Value {
    let Call { model, request, stream, options } = *call;
    let enforced = options.schema_output && options.takes("response_format");
    let schema = request.schema.as_ref();
    let instruction = schema.filter(|_| !enforced).map(prompts::schema_instruction);
    let (system, others) = arrange(request, instruction.as_deref());

    let mut messages = Vec::new();
    if !system.is_empty() {
        // Chat templates without a system role exist, but a prompt of system text alone is refused by more.
        let author = if others.is_empty() { Author::User } else { Author::System };
        messages.push(json!({"role": author, "content": system}));
    }
    messages.extend(others.iter().map(|message| json!({"role": message.author, "content": message.text})));

    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages.into());
    if stream && options.takes("stream") {
        body.insert("stream".into(), true.into());
        if options.takes("stream_options") {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    if let Some(temperature) = request.temperature.filter(|_| options.takes("temperature")) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(limit) = request.max_tokens {
        let names = match options.token_limit {
            TokenLimit::MaxTokens => ["max_tokens", "max_completion_tokens"],
            TokenLimit::MaxCompletionTokens => ["max_completion_tokens", "max_tokens"],
        };
        // A model that rejects one name takes the other; one that rejects both gets none.
        if let Some(name) = names.into_iter().find(|name| options.takes(name)) {
            body.insert(name.into(), limit.into());
        }
    }
    if !request.logit_bias.is_empty() && options.takes("logit_bias") {
        let bias = request.logit_bias.iter().map(|(token, bias)| (token.to_string(), (*bias).into()));
        body.insert("logit_bias".into(), Value::Object(bias.collect()));
    }
    if let Some(schema) = schema.filter(|_| enforced) {
        body.insert(
            "response_format".into(),
            json!({
                "type": "json_schema",
                "json_schema": {"name": schema.name, "strict": true, "schema": schema.schema},
            }),
        );
    }
    body.into()
}

/// The pieces in one `chat.completion.chunk`.
pub(super) fn decode_chunk(chunk: &Value) -> Vec<Delta> {
    decode(chunk, "delta")
}

/// The pieces of a whole `chat.completion`; `None` when it is none.
pub(super) fn decode_body(body: &Value) -> Option<Vec<Delta>> {
    let is_answer =
        body.get("choices").is_some_and(Value::is_array) || ServerWords::in_answer(body).is_some();
    is_answer.then(|| decode(body, "message"))
}

fn decode(value: &Value, part: &str) -> Vec<Delta> {
    if let Some(words) = ServerWords::in_answer(value) {
        return vec![Delta::Failed(words)];
    }
    let mut deltas = Vec::new();
    if let Some(model) = value.get("model").and_then(Value::as_str).filter(|model| !model.is_empty()) {
        deltas.push(Delta::Model(model.to_owned()));
    }
    let choices = value.get("choices").and_then(Value::as_array);
    for choice in choices.into_iter().flatten() {
        // One answer was asked for; a server that sends more must not have them mixed.
        if choice.get("index").and_then(Value::as_u64).unwrap_or(0) != 0 {
            continue;
        }
        if let Some(words) = ServerWords::in_answer(choice) {
            deltas.push(Delta::Failed(words));
        }
        // Some servers send `message` in streams, and the oldest ones bare `text`.
        let piece = choice.get(part).or_else(|| choice.get("message")).or_else(|| choice.get("delta"));
        match piece {
            Some(piece) => decode_piece(piece, &mut deltas),
            None => push_text(choice.get("text"), Delta::Text, &mut deltas),
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|r| !r.is_empty()) {
            deltas.push(Delta::Finish(match reason {
                "length" | "max_tokens" => Finish::Length,
                "content_filter" => Finish::Filtered,
                _ => Finish::Stop,
            }));
        }
    }
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        deltas.push(Delta::Usage {
            prompt: count(usage.get("prompt_tokens")),
            completion: count(usage.get("completion_tokens")),
        });
    }
    deltas
}

fn decode_piece(piece: &Value, deltas: &mut Vec<Delta>) {
    // `reasoning_content`: DeepSeek, llama.cpp, vLLM; `reasoning`: OpenRouter, Groq, Ollama. Never both counted.
    let reasoning = ["reasoning_content", "reasoning", "thinking"];
    let reasoning = reasoning.iter().find_map(|key| piece.get(key).filter(|value| !value.is_null()));
    push_text(reasoning, Delta::Reasoning, deltas);
    match piece.get("content") {
        Some(Value::Array(parts)) => {
            for part in parts {
                match part.get("type").and_then(Value::as_str) {
                    Some("thinking" | "reasoning") => {
                        let inner = part.get("thinking").or_else(|| part.get("text"));
                        match inner {
                            Some(Value::Array(inner)) => {
                                for text in inner {
                                    push_text(text.get("text"), Delta::Reasoning, deltas);
                                }
                            }
                            inner => push_text(inner, Delta::Reasoning, deltas),
                        }
                    }
                    _ => push_text(part.get("text"), Delta::Text, deltas),
                }
            }
        }
        content => push_text(content, Delta::Text, deltas),
    }
    // A refusal is what the model says to the user.
    push_text(piece.get("refusal"), Delta::Text, deltas);
}

fn push_text(value: Option<&Value>, make: fn(String) -> Delta, deltas: &mut Vec<Delta>) {
    if let Some(text) = value.and_then(Value::as_str).filter(|text| !text.is_empty()) {
        deltas.push(make(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::preset;
    use super::super::super::{ChatRequest, Message, ReplySchema};
    use super::super::Options;
    use super::*;

    fn request() -> ChatRequest {
        ChatRequest {
            messages: vec![
                Message::system("Be short."),
                Message::user("Hi"),
                Message::user("there"),
                Message::assistant(" "),
                Message::system("Be kind."),
            ],
            temperature: Some(0.2),
            max_tokens: Some(50),
            schema: Some(ReplySchema { name: "facts".into(), schema: json!({"type": "object"}) }),
            ..ChatRequest::default()
        }
    }

    fn body(preset: &str, omitted: &[&str]) -> Value {
        let mut options = Options::of(preset::by_id(preset).unwrap());
        options.omitted.extend(omitted.iter().map(|name| (*name).to_owned()));
        chat_body(&Call { model: "m", request: &request(), stream: true, options: &options })
    }

    #[test]
    fn the_body_carries_what_was_asked() {
        assert_eq!(
            body("ollama", &[]),
            json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Be short.\n\nBe kind."},
                    {"role": "user", "content": "Hi\n\nthere"},
                ],
                "stream": true,
                "stream_options": {"include_usage": true},
                "temperature": 0.2,
                "max_tokens": 50,
                "response_format": {"type": "json_schema", "json_schema": {
                    "name": "facts", "strict": true, "schema": {"type": "object"}}},
            })
        );
    }

    #[test]
    fn rejected_parameters_are_left_out_or_replaced() {
        assert_eq!(body("openai", &[])["max_completion_tokens"], 50);
        assert_eq!(body("openai", &[])["max_tokens"], Value::Null);
        assert_eq!(body("ollama", &["max_tokens"])["max_completion_tokens"], 50);
        let bare = body(
            "openai",
            &["temperature", "max_tokens", "max_completion_tokens", "stream_options", "response_format"],
        );
        let keys: Vec<&String> = bare.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["messages", "model", "stream"]);
        let system = bare["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("JSON Schema") && system.starts_with("Be short."), "{system}");
    }

    #[test]
    fn a_bias_is_sent_by_token_unless_it_was_rejected() {
        let request = ChatRequest { logit_bias: [(7, 2.0), (11, 1.0)].into(), ..request() };
        let mut options = Options::of(preset::by_id("llama-cpp").unwrap());
        let call = Call { model: "m", request: &request, stream: false, options: &options };
        assert_eq!(chat_body(&call)["logit_bias"], json!({"7": 2.0, "11": 1.0}));
        options.omitted.insert("logit_bias".into());
        let call = Call { model: "m", request: &request, stream: false, options: &options };
        assert_eq!(chat_body(&call)["logit_bias"], Value::Null);
    }

    #[test]
    fn a_prompt_of_system_text_alone_is_sent_as_user_text() {
        let request = ChatRequest { messages: vec![Message::system("Extract.")], ..Default::default() };
        let options = Options::of(preset::by_id("openai").unwrap());
        let body = chat_body(&Call { model: "m", request: &request, stream: false, options: &options });
        assert_eq!(body, json!({"model": "m", "messages": [{"role": "user", "content": "Extract."}]}));
    }

    #[test]
    fn chunks_of_many_servers_are_decoded() {
        let check = |chunk: Value, want: &[Delta]| assert_eq!(decode_chunk(&chunk), want, "{chunk}");
        let text = |text: &str| Delta::Text(text.into());
        let reasoning = |text: &str| Delta::Reasoning(text.into());
        check(
            json!({"model": "gpt", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hi"}, "finish_reason": null}], "usage": null}),
            &[Delta::Model("gpt".into()), text("Hi")],
        );
        check(
            json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
            &[Delta::Usage { prompt: Some(3), completion: Some(4) }],
        );
        check(
            json!({"choices": [{"delta": {"reasoning_content": "hm", "content": null}}]}),
            &[reasoning("hm")],
        );
        check(
            json!({"choices": [{"delta": {"reasoning": "hm", "reasoning_content": null, "content": ""}}]}),
            &[reasoning("hm")],
        );
        check(
            json!({"choices": [{"delta": {"content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "a"}]}, {"type": "text", "text": "b"}]}}]}),
            &[reasoning("a"), text("b")],
        );
        check(
            json!({"choices": [{"delta": {}, "finish_reason": "length"}, {"index": 1, "delta": {"content": "other"}}]}),
            &[Delta::Finish(Finish::Length)],
        );
        check(
            json!({"choices": [{"text": "old", "finish_reason": "stop"}]}),
            &[text("old"), Delta::Finish(Finish::Stop)],
        );
        check(json!({"choices": [{"delta": {"refusal": "No."}}]}), &[text("No.")]);
        let failed = decode_chunk(&json!({"error": {"message": "boom", "code": 502}}));
        assert!(matches!(&failed[..], [Delta::Failed(words)] if words.message == "boom"), "{failed:?}");
    }

    #[test]
    fn a_whole_answer_gives_the_same_pieces() {
        let body = json!({"model": "m", "choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 2.0}});
        assert_eq!(
            decode_body(&body).unwrap(),
            [
                Delta::Model("m".into()),
                Delta::Text("Hi".into()),
                Delta::Finish(Finish::Stop),
                Delta::Usage { prompt: Some(1), completion: Some(2) },
            ]
        );
        assert_eq!(decode_body(&json!({"ok": true})), None);
    }
}
