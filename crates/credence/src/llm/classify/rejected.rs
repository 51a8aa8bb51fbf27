//! Which of the parameters that we send a model does not take.

use super::words::{ServerWords, position_of_word};

/// The parameters that a call can do without, with the other names under which servers complain about them.
const OPTIONAL: [(&str, &[&str]); 8] = [
    ("temperature", &[]),
    ("max_completion_tokens", &[]),
    ("max_tokens", &[]),
    ("stream_options", &["include_usage"]),
    (
        "response_format",
        &[
            "json_schema",
            "json schema",
            "structured output",
            "structured outputs",
            "grammar",
            "output_config",
        ],
    ),
    ("tool_choice", &[]),
    ("tools", &["tool use", "input_schema", "function calling"]),
    ("stream", &["streaming"]),
];

/// Words that reject. Each stands in a real error body of the tests.
const REJECTING: [&str; 24] = [
    "unsupported",
    "not supported",
    "not support",
    "isn't supported",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "extra inputs",
    "extra fields",
    "extra_forbidden",
    "not permitted",
    "not allowed",
    "not compatible",
    "incompatible",
    "deprecated",
    "not available",
    "unavailable",
    "not implemented",
    "is unsupported",
    "failed to parse",
    "invalid schema",
    "json_validate_failed",
    "cannot be used",
];

/// The parameter that a refused call should be repeated without; `None` when the refusal is about something
/// else. The name is one that we send: `temperature`, `max_tokens`, `max_completion_tokens`, `stream_options`,
/// `response_format`, `tool_choice`, `tools` or `stream`.
pub fn rejected_parameter(status: u16, body: &str) -> Option<String> {
    if !matches!(status, 400 | 404 | 415 | 422 | 500 | 501) {
        return None;
    }
    let words = ServerWords::of_body(body);
    if !words.has_any(&REJECTING) {
        return None;
    }
    // A field of its own beats words: OpenAI's `param`, pydantic's `loc`.
    if let Some(param) = words.param.as_deref() {
        let root = param.split(['.', '[']).next().unwrap_or_default();
        if let Some((name, _)) = OPTIONAL.iter().find(|(name, _)| *name == root) {
            return Some((*name).to_owned());
        }
    }
    // The first one named is the one to blame: "max_tokens is not supported, use max_completion_tokens".
    let text = words.message.to_lowercase();
    let first = OPTIONAL.iter().filter_map(|(name, aliases)| {
        let names = std::iter::once(name).chain(aliases.iter());
        let at = names.filter_map(|name| position_of_word(&text, name)).min()?;
        Some((at, *name))
    });
    if let Some((_, name)) = first.min() {
        return Some(name.to_owned());
    }
    // The model's own output failed the schema that the server enforces: plain text gets further.
    words.has("json_validate_failed").then(|| "response_format".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejections_of_many_servers_name_the_parameter() {
        let check = |status: u16, body: &str, want: Option<&str>| {
            assert_eq!(rejected_parameter(status, body).as_deref(), want, "{status} {body}");
        };
        check(
            400,
            r#"{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}"#,
            Some("temperature"),
        );
        check(
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}}"#,
            Some("temperature"),
        );
        check(
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#,
            Some("max_tokens"),
        );
        check(
            400,
            r#"{"error":{"message":"'max_tokens' is not supported, use 'max_completion_tokens'"}}"#,
            Some("max_tokens"),
        );
        check(
            400,
            r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","param":null}}"#,
            Some("response_format"),
        );
        check(
            400,
            r#"{"error":{"message":"This model does not support response format `json_schema`."}}"#,
            Some("response_format"),
        );
        check(
            400,
            r#"{"error":"json schema conversion failed: Unrecognized schema: {}"}"#,
            Some("response_format"),
        );
        check(
            400,
            r#"{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}"#,
            Some("response_format"),
        );
        check(
            400,
            r#"{"error":{"message":"Failed to generate JSON.","code":"json_validate_failed","failed_generation":"{"}}"#,
            Some("response_format"),
        );
        check(
            400,
            r#"{"error":{"message":"property 'stream_options' is unsupported","type":"invalid_request_error"}}"#,
            Some("stream_options"),
        );
        check(
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}"#,
            Some("max_completion_tokens"),
        );
        check(400, r#"{"error":"json: unknown field \"stream_options\""}"#, Some("stream_options"));
        check(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}"#,
            Some("temperature"),
        );
        check(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Thinking is not compatible with tool_choice that forces tool use."}}"#,
            Some("tool_choice"),
        );
        check(
            404,
            r#"{"error":{"message":"No endpoints found that support tool use: not available","code":404}}"#,
            Some("tools"),
        );
        check(
            500,
            r#"{"error":{"message":"structured outputs is not supported by this backend"}}"#,
            Some("response_format"),
        );
    }

    #[test]
    fn other_refusals_drop_nothing() {
        let check =
            |status: u16, body: &str| assert_eq!(rejected_parameter(status, body), None, "{status} {body}");
        check(400, r#"{"error":{"message":"Invalid 'messages': empty array.","param":"messages"}}"#);
        check(
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","code":"context_length_exceeded"}}"#,
        );
        check(400, r#"{"error":{"message":"Unsupported parameter: 'messages'","param":"messages"}}"#);
        check(401, r#"{"error":{"message":"temperature is not supported"}}"#);
        check(429, r#"{"error":{"message":"unsupported temperature"}}"#);
        check(500, "Internal Server Error");
        check(400, r#"{"error":{"message":"temperature must be at most 2"}}"#);
        check(404, r#"{"error":"model 'x' not found"}"#);
    }
}
