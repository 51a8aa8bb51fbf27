//! Real error bodies of many providers, and what a person is told.

use super::*;

fn verdict(status: u16, body: &str, key: Option<&Secret>) -> Verdict {
    classify(&Refusal { status, body, retry_after: None, model: "big-1", key, now: Timestamp(0) })
}

#[test]
fn bodies_of_many_servers_are_told_apart() {
    let check = |status: u16, body: &str, code: &str, words: &str| {
        let error = verdict(status, body, None).error;
        assert_eq!(error.code(), code, "{status} {body}: {error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    // Keys.
    check(
        401,
        r#"{"error":{"message":"Incorrect API key provided: sk-abc****wxyz. You can find","code":"invalid_api_key"}}"#,
        "model-bad-key",
        "[redacted key]",
    );
    check(
        401,
        r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
        "model-bad-key",
        "invalid x-api-key",
    );
    check(
        403,
        r#"{"error":{"message":"Country not supported","code":"unsupported_country_region_territory"}}"#,
        "model-bad-key",
        "Country",
    );
    check(
        400,
        r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]"#,
        "model-bad-key",
        "not valid",
    );
    check(401, "", "model-bad-key", "no reason given");
    // Models.
    check(
        404,
        r#"{"error":{"message":"The model `big-1` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
        "model-unknown",
        "does not exist",
    );
    check(
        404,
        r#"{"type":"error","error":{"type":"not_found_error","message":"model: big-1"}}"#,
        "model-unknown",
        "model: big-1",
    );
    check(404, r#"{"error":"model 'big-1' not found"}"#, "model-unknown", "not found");
    check(
        404,
        r#"{"error":{"message":"model \"big-1\" not found, try pulling it first","type":"api_error"}}"#,
        "model-unknown",
        "pulling",
    );
    check(
        400,
        r#"{"error":{"message":"big-1 is not a valid model ID","code":400}}"#,
        "model-unknown",
        "not a valid model",
    );
    check(
        404,
        r#"[{"error":{"code":404,"message":"models/big-1 is not found for API version v1main","status":"NOT_FOUND"}}]"#,
        "model-unknown",
        "models/big-1",
    );
    check(
        403,
        r#"{"error":{"message":"Project does not have access to model `big-1`","code":"model_not_found"}}"#,
        "model-unknown",
        "access",
    );
    check(
        400,
        r#"{"error":"No models loaded. Please load a model first."}"#,
        "model-unknown",
        "load a model",
    );
    // Quota and rate.
    check(
        429,
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","code":"insufficient_quota"}}"#,
        "model-quota-exhausted",
        "billing",
    );
    check(
        402,
        r#"{"error":{"message":"Insufficient credits","code":402}}"#,
        "model-quota-exhausted",
        "credits",
    );
    check(
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
        "model-quota-exhausted",
        "credit balance",
    );
    check(
        429,
        r#"{"error":{"message":"Rate limit reached. Please try again in 2s."}}"#,
        "model-rate-limited",
        "2 s",
    );
    check(429, "slow down", "model-rate-limited", "429");
    // Servers.
    check(
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        "model-server",
        "Overloaded",
    );
    check(502, "<html><head><title>502 Bad Gateway</title></head></html>", "model-server", "502 Bad Gateway");
    check(
        500,
        r#"{"error":"model requires more system memory (8 GiB) than is available"}"#,
        "model-server",
        "system memory",
    );
    check(
        503,
        r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
        "model-server",
        "Loading model",
    );
    check(
        429,
        r#"{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"{\"error\":{\"message\":\"busy upstream, retry in 3s\"}}"}}}"#,
        "model-rate-limited",
        "3 s",
    );
    // The rest.
    check(
        404,
        r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#,
        "model-refused",
        "usually ends in /v1",
    );
    check(
        403,
        r#"{"error":{"message":"Input was flagged for violence","code":403,"metadata":{"reasons":["violence"]}}}"#,
        "model-refused",
        "flagged",
    );
    check(
        400,
        r#"{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#,
        "model-refused",
        "8192",
    );
    check(
        422,
        r#"{"detail":[{"loc":["body","messages"],"msg":"Field required","type":"missing"}]}"#,
        "model-refused",
        "messages: Field required",
    );
    check(413, "", "model-refused", "no reason given");
}

#[test]
fn the_servers_words_are_redacted_and_cut() {
    let key = Secret::parse("very/secret+key").unwrap();
    let body = format!(r#"{{"error":{{"message":"bad key very/secret+key {}"}}}}"#, "北".repeat(500));
    let error = verdict(400, &body, Some(&key)).error.to_string();
    assert!(!error.contains("very/secret"), "{error}");
    assert!(error.chars().count() < DETAIL_LENGTH + 80 && error.ends_with('…'), "{error}");
    // A key that straddles the cut is gone too.
    let body = format!("{}very/secret+key", "x ".repeat(145));
    let error = verdict(400, &body, Some(&key)).error.to_string();
    assert!(!error.contains("very"), "{error}");
}

#[test]
fn a_wait_is_reported_beside_any_failure() {
    let refusal =
        Refusal { status: 503, body: "", retry_after: Some("4"), model: "m", key: None, now: Timestamp(0) };
    let verdict = classify(&refusal);
    assert_eq!((verdict.error.code(), verdict.retry_after_ms), ("model-server", Some(4000)));
}

#[test]
fn failures_in_a_stream_imply_a_status() {
    let check = |body: &str, code: &str, status: &str| {
        let words = ServerWords::of_body(body);
        let error = classify_words(&words, "big-1", None);
        assert_eq!(error.code(), code, "{body}");
        assert!(error.to_string().contains(status), "{error}");
    };
    check(r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#, "model-server", "529");
    check(r#"{"error":{"type":"rate_limit_error","message":"x"}}"#, "model-rate-limited", "429");
    check(r#"{"error":{"message":"x","code":"server_error"}}"#, "model-server", "500");
    check(r#"{"error":{"message":"x","code":503}}"#, "model-server", "503");
}

proptest::proptest! {
    #[test]
    fn any_body_is_classified_without_a_panic(status in 300u16..600, body in ".{0,200}") {
        let error = verdict(status, &body, None).error;
        proptest::prop_assert!(error.to_string().chars().count() < DETAIL_LENGTH + 200);
        let _ = rejected_parameter(status, &body);
    }
}
