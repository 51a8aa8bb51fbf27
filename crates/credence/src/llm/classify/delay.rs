//! How long a server asks to wait: the `Retry-After` header, a field of the body, or its words.
//!
//! A page sees the header only where the server exposes it to other origins, and most do not; the body is then
//! all there is.

use chrono::DateTime;

use super::words::ServerWords;
use crate::time::Timestamp;

/// Milliseconds to wait; `None` when the server does not say. A date in the past is 0.
pub fn retry_after_ms(header: Option<&str>, words: &ServerWords, now: Timestamp) -> Option<u64> {
    header
        .and_then(|header| of_header(header.trim(), now))
        .or_else(|| words.delay.as_deref().and_then(|delay| leading_duration(&delay.to_lowercase())))
        .or_else(|| of_message(&words.message.to_lowercase()))
}

fn of_header(header: &str, now: Timestamp) -> Option<u64> {
    if let Ok(seconds) = header.parse::<f64>() {
        return to_ms(seconds);
    }
    let at = DateTime::parse_from_rfc2822(header).ok()?.timestamp_millis();
    Some(u64::try_from(at.saturating_sub(now.0)).unwrap_or(0))
}

/// `Please try again in 1m3.5s`, `retry in 20 seconds`, `retry after 350ms`.
fn of_message(message: &str) -> Option<u64> {
    ["try again in ", "retry in ", "retry after ", "wait "].iter().find_map(|phrase| {
        let (_, rest) = message.split_once(phrase)?;
        leading_duration(rest)
    })
}

/// The duration that `text` begins with; several parts add up.
fn leading_duration(text: &str) -> Option<u64> {
    let mut total: Option<u64> = None;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(' ');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else { return total };
        let after = rest[digits..].trim_start_matches(' ');
        let letters = after.len() - after.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let seconds = match &after[..letters] {
            "ms" | "milliseconds" | "millisecond" => number / 1000.0,
            "s" | "sec" | "secs" | "second" | "seconds" => number,
            "m" | "min" | "mins" | "minute" | "minutes" => number * 60.0,
            "h" | "hour" | "hours" => number * 3600.0,
            _ => return total,
        };
        total = Some(total.unwrap_or(0).saturating_add(to_ms(seconds)?));
        rest = &after[letters..];
    }
}

fn to_ms(seconds: f64) -> Option<u64> {
    // A cast from a float saturates; a year is beyond any sensible wait.
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds.min(3.2e7) * 1000.0).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_found_wherever_it_stands() {
        let now = Timestamp::parse("2026-11-30T10:00:00Z").unwrap();
        let check = |header: Option<&str>, body: &str, want: Option<u64>| {
            assert_eq!(retry_after_ms(header, &ServerWords::of_body(body), now), want, "{header:?} {body}");
        };
        check(Some("7"), "", Some(7000));
        check(Some(" 1.5 "), "", Some(1500));
        check(Some("Mon, 30 Nov 2026 10:00:20 GMT"), "", Some(20_000));
        check(Some("Mon, 30 Nov 2026 09:00:00 GMT"), "", Some(0));
        check(Some("soon"), "", None);
        check(Some("-3"), "", None);
        check(Some("nan"), "", None);
        check(
            None,
            r#"{"error":{"message":"Rate limit reached. Please try again in 1m3.5s. Visit"}}"#,
            Some(63_500),
        );
        check(None, r#"{"error":{"message":"Please try again in 350ms."}}"#, Some(350));
        check(None, r#"{"error":{"message":"Please retry after 20 seconds."}}"#, Some(20_000));
        check(None, r#"{"error":{"message":"Please try again in a while"}}"#, None);
        check(None, r#"[{"error":{"code":429,"details":[{"retryDelay":"36s"}]}}]"#, Some(36_000));
        check(None, "plain text", None);
    }
}
