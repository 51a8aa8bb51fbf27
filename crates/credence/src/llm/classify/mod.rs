//! A refused or failed call in words that say what to do: status, body and headers to a [`ModelError`], and which
//! parameter a model rejects.
//!
//! Providers agree on little: codes are strings, numbers or absent, quota comes as 402, 429 or 400, an unknown
//! model as 400, 403 or 404. What decides is therefore status and words together; the tests list real bodies.

mod delay;
mod rejected;
mod words;

pub use delay::retry_after_ms;
pub use rejected::rejected_parameter;
pub use words::ServerWords;

use super::ModelError;
use super::secret::{Secret, redact};
use crate::time::Timestamp;

/// Most characters of a server's own words that an error repeats.
pub const DETAIL_LENGTH: usize = 300;

/// An answer that is no success.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// HTTP status.
    pub status: u16,
    /// Body text.
    pub body: &'a str,
    /// The `Retry-After` header, where the browser may see it.
    pub retry_after: Option<&'a str>,
    /// The model that was asked for.
    pub model: &'a str,
    /// The key that was sent, to take it out of the words.
    pub key: Option<&'a Secret>,
    /// For a `Retry-After` that names a date.
    pub now: Timestamp,
}

/// A classified failure, and how long the server wants us to wait, whatever the kind of failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What happened.
    pub error: ModelError,
    /// Milliseconds to wait, where the server said so.
    pub retry_after_ms: Option<u64>,
}

/// Classifies an answer that is no success.
pub fn classify(refusal: &Refusal<'_>) -> Verdict {
    let words = ServerWords::of_body(refusal.body);
    let retry_after_ms = retry_after_ms(refusal.retry_after, &words, refusal.now);
    let error = decide(refusal.status, &words, refusal.model, refusal.key, retry_after_ms);
    Verdict { error, retry_after_ms }
}

/// Classifies a failure that the server reports inside an answer that began as a success.
pub fn classify_words(words: &ServerWords, model: &str, key: Option<&Secret>) -> ModelError {
    let retry_after_ms = retry_after_ms(None, words, Timestamp(0));
    decide(words.status.unwrap_or_else(|| implied_status(words)), words, model, key, retry_after_ms)
}

/// The status that a kind of error has where it comes as a status.
fn implied_status(words: &ServerWords) -> u16 {
    const STATUSES: [(&str, u16); 9] = [
        ("overloaded", 529),
        ("rate_limit", 429),
        ("resource_exhausted", 429),
        ("authentication", 401),
        ("permission", 403),
        ("not_found", 404),
        ("not found", 404),
        ("invalid_request", 400),
        ("unavailable", 503),
    ];
    STATUSES.iter().find(|(word, _)| words.has(word)).map_or(500, |(_, status)| *status)
}

fn decide(
    status: u16,
    words: &ServerWords,
    model: &str,
    key: Option<&Secret>,
    retry_after_ms: Option<u64>,
) -> ModelError {
    let detail = detail(words, key);
    let is_server_side = status >= 500;
    if status == 402 || (!is_server_side && is_quota(words)) {
        return ModelError::QuotaExhausted { status, detail };
    }
    if !is_server_side && is_unknown_model(status, words, model) {
        return ModelError::UnknownModel { model: model.to_owned(), detail };
    }
    let is_key =
        words.has_any(&["invalid_api_key", "api_key_invalid", "api key not valid", "invalid api key"]);
    match status {
        403 if words.has_any(&["moderation", "flagged"]) => ModelError::Refused { status, detail },
        401 | 403 => ModelError::BadKey { status, detail },
        400 if is_key => ModelError::BadKey { status, detail },
        429 => ModelError::RateLimited { status, retry_after_ms },
        500.. => ModelError::Server { status, detail },
        404 | 405 => ModelError::Refused {
            status,
            detail: format!("{detail}; check the address of the endpoint, it usually ends in /v1"),
        },
        _ => ModelError::Refused { status, detail },
    }
}

fn is_quota(words: &ServerWords) -> bool {
    words.has_any(&[
        "insufficient_quota",
        "insufficient credits",
        "insufficient balance",
        "credit balance is too low",
        "billing_hard_limit",
        "billing_not_active",
        "exceeded your current quota, please check your plan",
        "payment required",
    ]) && !words.has("per minute")
}

fn is_unknown_model(status: u16, words: &ServerWords, model: &str) -> bool {
    if words.has_any(&["model_not_found", "model_not_supported", "not a valid model", "invalid model"]) {
        return true;
    }
    let names_model = words.mentions_word("model")
        || words.mentions_word("models")
        || words.message_has(&format!("models/{}", model.to_lowercase()))
        || words.message_has(&format!("model:{}", model.to_lowercase()));
    let is_missing = words.message_has_any(&[
        "not found",
        "does not exist",
        "not exist",
        "unknown model",
        "no such model",
        "not available",
        "do not have access",
        "does not have access",
        "not loaded",
        "no models loaded",
        "try pulling it first",
    ]);
    // Anthropic says `model: NAME` under `not_found_error`, without a verb.
    let is_bare = status == 404 && words.has("not_found_error") && words.message_has("model:");
    matches!(status, 400 | 403 | 404) && ((names_model && is_missing) || is_bare)
}

fn detail(words: &ServerWords, key: Option<&Secret>) -> String {
    // Redacted before it is cut: half a key at the cut would not be recognised.
    let text = redact(&words.message, key);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return "no reason given".to_owned();
    }
    match text.char_indices().nth(DETAIL_LENGTH) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests;
