//! Credentials out of a text, before it is stored, sent to a model or exported.
//!
//! What is found is replaced by a mark such as `[redacted:openai_key]` and counted by kind. Rules work on
//! known key prefixes, on structure (PEM blocks, JSON web tokens, user and password in an address), on check
//! digits (cards, bank accounts) and on words that announce a password. What merely looks random (UUIDs,
//! hashes, order numbers, telephone numbers) stays, since a memory needs it. Redacting twice changes nothing.

use std::collections::BTreeMap;

use super::card::{Found, checked_numbers};
use super::secret_shapes::{Body, KEYS, LABELS, LINKS, Label, PLACEHOLDERS};

/// A text without its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The text with marks in place of credentials.
    pub text: String,
    /// How many of which kind were taken out; empty when there was none.
    pub counts: BTreeMap<&'static str, usize>,
}

impl Redacted {
    /// How many credentials were taken out.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

const MARK: &str = "[redacted:";

/// Replaces every credential that is recognised.
pub fn redact(text: &str) -> Redacted {
    // What is found first wins where two overlap: the more specific kinds come first.
    let finders =
        [marks, pem_blocks, keys, web_tokens, aws_secrets, addresses, bearers, checked_numbers, labelled];
    let mut taken: BTreeMap<usize, (usize, &'static str)> = BTreeMap::new();
    for (start, end, kind) in finders.into_iter().flat_map(|finder| finder(text)) {
        // Those taken do not overlap, so only the last one that begins before the end can reach into this
        // one.
        if taken.range(..end).next_back().is_none_or(|(_, (other_end, _))| *other_end <= start) {
            taken.insert(start, (end, kind));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut counts = BTreeMap::new();
    let mut at = 0;
    for (start, (end, kind)) in taken {
        out.push_str(&text[at..start]);
        if kind.is_empty() {
            out.push_str(&text[start..end]);
        } else {
            out.push_str(MARK);
            out.push_str(kind);
            out.push(']');
            *counts.entry(kind).or_default() += 1;
        }
        at = end;
    }
    out.push_str(&text[at..]);
    Redacted { text: out, counts }
}

/// Marks of an earlier pass; their empty kind says "leave it".
fn marks(text: &str) -> Vec<Found> {
    let ends = |at: usize| {
        let name = run(text, at + MARK.len(), |b| b.is_ascii_lowercase() || b == b'_');
        text[name..].starts_with(']').then_some((at, name + 1, ""))
    };
    text.match_indices(MARK).filter_map(|(at, _)| ends(at)).collect()
}

/// Whether the byte before `at` could belong to a longer word.
fn joined_before(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn run(text: &str, from: usize, holds: impl Fn(u8) -> bool) -> usize {
    from + text.as_bytes()[from..].iter().take_while(|b| holds(**b)).count()
}

fn pem_blocks(text: &str) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    for (start, begin) in text.match_indices("-----BEGIN ") {
        if out.last().is_some_and(|(_, end, _)| start < *end) {
            continue;
        }
        let head = start + begin.len();
        let label = text[head..].split("-----").next().unwrap_or_default();
        let end = format!("-----END {label}-----");
        // A block that was cut off is redacted to the end of the text.
        let to = text[head..].find(&end).map_or(text.len(), |n| head + n + end.len());
        let kind = if label.contains("PRIVATE KEY") { "private_key" } else { "pem_block" };
        out.push((start, to, kind));
    }
    out
}

fn keys(text: &str) -> Vec<Found> {
    let mut out = Vec::new();
    for shape in KEYS {
        let mut seen = 0;
        for (start, prefix) in text.match_indices(shape.prefix) {
            if start < seen || joined_before(text, start) {
                continue;
            }
            let end = run(text, start + prefix.len(), |b| shape.body.holds(b));
            seen = end;
            let exact = shape.body == Body::Upper;
            let long_enough = end - start - prefix.len() >= shape.least;
            let too_long = exact
                && (end - start - prefix.len() != shape.least
                    || text[end..].starts_with(|c: char| c.is_alphanumeric()));
            if long_enough && !too_long {
                out.push((start, end, shape.kind));
            }
        }
    }
    out
}

/// JSON web tokens: three or five base64url parts, the first an encoded `{"`.
fn web_tokens(text: &str) -> Vec<Found> {
    let mut out = Vec::new();
    let mut seen = 0;
    for (start, _) in text.match_indices("eyJ") {
        if start < seen || joined_before(text, start) {
            continue;
        }
        let end = run(text, start, |b| Body::Url.holds(b) || b == b'.');
        seen = end;
        let token = text[start..end].trim_end_matches('.');
        let parts: Vec<&str> = token.split('.').collect();
        if matches!(parts.len(), 3 | 5) && parts[0].len() >= 10 && parts[1].len() >= 4 {
            out.push((start, start + token.len(), "jwt"));
        }
    }
    out
}

/// Forty characters of base64 with all kinds of characters, where the text speaks of AWS or holds a key id.
fn aws_secrets(text: &str) -> Vec<Found> {
    let lower = text.to_ascii_lowercase();
    if !["akia", "asia", "aws", "secret access"].iter().any(|hint| lower.contains(hint)) {
        return Vec::new();
    }
    let holds = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+');
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = run(text, at, holds);
        let part = &text.as_bytes()[at..end];
        let mixed = part.iter().any(u8::is_ascii_uppercase)
            && part.iter().any(u8::is_ascii_lowercase)
            && part.iter().any(u8::is_ascii_digit);
        if part.len() == 40 && mixed {
            out.push((at, end, "aws_secret_key"));
        }
        at = end + text[end..].chars().next().map_or(1, char::len_utf8);
    }
    out
}

/// `scheme://user:password@host`: user and password go, the host stays.
fn addresses(text: &str) -> Vec<Found> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("://") {
        if !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let start = at + 3;
        let stops =
            |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '`');
        let end = text[start..].find(stops).map_or(text.len(), |n| start + n);
        let Some(host) = text[start..end].rfind('@') else { continue };
        if text[start..start + host].split_once(':').is_some_and(|(_, password)| !password.is_empty()) {
            out.push((start, start + host, "url_credentials"));
        }
    }
    out
}

/// `Bearer …` and `Authorization: Basic …`.
fn bearers(text: &str) -> Vec<Found> {
    let lower = text.to_ascii_lowercase();
    let mut out = Vec::new();
    for (word, least, needs_header) in [("bearer ", 16, false), ("basic ", 8, true)] {
        for (at, _) in lower.match_indices(word) {
            let start = at + word.len();
            let end = run(text, start, |b| {
                b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
            });
            let token = text[start..end].trim_end_matches('.');
            let header = lower[..at].trim_end_matches([' ', '"', '\'']).ends_with("authorization:");
            let random =
                token.bytes().any(|b| b.is_ascii_digit()) && token.bytes().any(|b| b.is_ascii_alphabetic());
            if token.len() >= least && (header || (random && !needs_header)) && !joined_before(text, at) {
                out.push((start, start + token.len(), "bearer_token"));
            }
        }
    }
    out
}

/// `password: …`, `API_KEY=…`, "my password is …".
fn labelled(text: &str) -> Vec<Found> {
    let lower = text.to_ascii_lowercase();
    let mut out = Vec::new();
    for label in LABELS {
        let mut seen = 0;
        for (at, word) in lower.match_indices(label.word) {
            let ascii = word.is_ascii();
            // `DB_PASSWORD` and `dbPassword` are labels; "pins" and "tokenised" are other words.
            let inside = ascii
                && text[..at].ends_with(char::is_alphanumeric)
                && !text[at..].starts_with(char::is_uppercase);
            if at >= seen
                && !inside
                && let Some(found) = value_of(text, &lower, at + word.len(), label)
            {
                seen = found.1;
                out.push(found);
            }
        }
    }
    out
}

fn value_of(text: &str, lower: &str, from: usize, label: &Label) -> Option<Found> {
    let blank = |c: char| c == ' ' || c == '\t';
    let quoted_label = text[from..].trim_start_matches(['"', '\'', '`', '*', ')', ']']);
    let after_label = text.len() - quoted_label.len();
    let tail = quoted_label.trim_start_matches(blank);
    let (rest, explicit) = if let Some(rest) =
        [":=", "=>", "==", ":", "=", "："].iter().find_map(|sign| tail.strip_prefix(sign))
    {
        (rest, true)
    } else {
        let link = LINKS.iter().find(|link| lower[after_label..].starts_with(**link))?;
        (&text[after_label + link.len()..], false)
    };
    let rest = rest.trim_start_matches(|c: char| blank(c) || c == '*');
    let start = text.len() - rest.len();
    let (start, value, quoted) =
        match rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '“' | '«')) {
            Some(open) => {
                let inner = &rest[open.len_utf8()..];
                let close = match open {
                    '“' => '”',
                    '«' => '»',
                    same => same,
                };
                (start + open.len_utf8(), inner.split([close, '\n']).next().unwrap_or_default(), true)
            }
            None => (
                start,
                rest.split(|c: char| c.is_whitespace() || matches!(c, '&' | '<' | '"'))
                    .next()
                    .unwrap_or_default(),
                false,
            ),
        };
    let value = if quoted {
        value
    } else {
        value.trim_end_matches(['.', ',', ';', '!', '?', ')', ']', '}', '\'', '*', '。', '，'])
    };
    let alone = text[start + value.len()..]
        .trim_start_matches(['.', ',', ';', '!', '"', '\'', '}', ' ', '\t'])
        .chars()
        .next();
    let alone = alone.is_none_or(|c| c == '\n' || c == '\r');
    let secret = match label.kind {
        "pin" | "card_code" => (3..=8).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit()),
        _ if value.is_empty()
            || value.starts_with(MARK)
            || PLACEHOLDERS.contains(&value.to_lowercase().as_str()) =>
        {
            false
        }
        _ if label.any_word => {
            looks_random(value, 4)
                || (explicit && (quoted || alone))
                || (quoted && value.chars().count() >= 4)
        }
        _ => looks_random(value, 8) && value.bytes().any(|b| b.is_ascii_digit()),
    };
    secret.then_some((start, start + value.len(), label.kind))
}

/// Not a plain word: long enough and with a digit, a sign or a capital inside.
fn looks_random(value: &str, least: usize) -> bool {
    value.chars().count() >= least
        && !value.starts_with(['<', '{', '['])
        && (value.chars().any(|c| {
            c.is_numeric()
                || matches!(c, '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '+' | '=' | '~' | '_')
        }) || value.chars().skip(1).any(char::is_uppercase))
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
