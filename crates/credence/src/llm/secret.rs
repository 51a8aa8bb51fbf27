//! The key of an endpoint: a value that does not print, does not serialise, and is taken out of any text.

use std::fmt;

/// A key of an endpoint. It has no `Display` and no `Serialize`, and its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Why a pasted text cannot be a key. The text itself is never repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// Nothing was entered.
    #[error("the key is empty")]
    Empty,
    /// Shorter than [`SHORTEST`] characters: it could not be told from ordinary words when logs are redacted.
    #[error("the key is shorter than {SHORTEST} characters")]
    TooShort,
    /// A header can only carry printable ASCII without spaces.
    #[error(
        "the key has a character that no key has at position {position} (a space, a line break or a letter outside ASCII); paste it again"
    )]
    BadCharacter {
        /// Counted from 1, in characters.
        position: usize,
    },
}

/// Fewest characters of a key.
pub const SHORTEST: usize = 4;

/// What stands in a text where a key was.
const REDACTED: &str = "[redacted key]";

/// How provider keys begin, and the fewest characters that follow before it counts as one.
const KEY_PREFIXES: [(&str, usize); 11] = [
    ("sk-", 8),
    ("sk_", 8),
    ("gsk_", 8),
    ("xai-", 8),
    ("hf_", 8),
    ("pplx-", 8),
    ("r8_", 8),
    ("nvapi-", 8),
    ("AIza", 16),
    ("AQ.", 16),
    ("eyJ", 16),
];

impl Secret {
    /// Reads a pasted key: surrounding space, quotes and a leading `Bearer ` are dropped.
    ///
    /// # Errors
    /// When nothing is left, when it is too short, or when a header could not carry it.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let text = text.trim().trim_matches(['"', '\'']).trim();
        let text = match text.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("bearer ") => text[7..].trim(),
            _ => text,
        };
        if text.is_empty() {
            return Err(SecretError::Empty);
        }
        if let Some(at) = text.chars().position(|c| !c.is_ascii_graphic()) {
            return Err(SecretError::BadCharacter { position: at + 1 });
        }
        if text.len() < SHORTEST {
            return Err(SecretError::TooShort);
        }
        Ok(Self(text.to_owned()))
    }

    /// The key itself, for a request header or the storage that the user chose, and for nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// `text` without `secret`, in plain and in percent-encoded form, and without anything that looks like a
/// provider's key or a bearer token (servers echo keys, also half-masked ones, in their error texts).
pub fn redact(text: &str, secret: Option<&Secret>) -> String {
    let mut text = text.to_owned();
    if let Some(secret) = secret {
        text = text.replace(secret.expose(), REDACTED);
        let encoded = percent_encoded(secret.expose());
        if encoded != secret.expose() {
            text = text.replace(&encoded, REDACTED);
        }
    }
    redact_shapes(&text)
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Characters that occur in keys, and in their masked forms.
fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '-' | '_' | '.' | '*' | '+' | '/' | '=' | '\u{2022}' | '\u{2026}')
}

fn redact_shapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        // A key begins where a word begins: `task-force` holds no `sk-` key.
        let at_word_start = before.is_none_or(|c: char| !c.is_alphanumeric());
        if at_word_start {
            if let Some(length) = key_length(rest) {
                out.push_str(REDACTED);
                rest = &rest[length..];
                before = Some(']');
                continue;
            }
            if let Some(scheme) = rest.get(..7).filter(|s| s.eq_ignore_ascii_case("bearer ")) {
                let token = rest[7..].len() - rest[7..].trim_start_matches(is_key_char).len();
                if token >= SHORTEST {
                    out.push_str(scheme);
                    out.push_str(REDACTED);
                    rest = &rest[7 + token..];
                    before = Some(']');
                    continue;
                }
            }
        }
        out.push(first);
        before = Some(first);
        rest = &rest[first.len_utf8()..];
    }
    out
}

fn key_length(rest: &str) -> Option<usize> {
    KEY_PREFIXES.iter().find_map(|(prefix, fewest)| {
        let tail = rest.strip_prefix(prefix)?;
        let body = tail.trim_start_matches(is_key_char);
        let body = tail.len() - body.len();
        // A sentence may end right after the key: its full stop is not part of it.
        let tail = tail[..body].trim_end_matches('.');
        (tail.chars().count() >= *fewest).then_some(prefix.len() + tail.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Secret {
        Secret::parse(text).unwrap()
    }

    #[test]
    fn a_pasted_key_is_cleaned_or_refused_without_being_repeated() {
        assert_eq!(key("  sk-abc123\n").expose(), "sk-abc123");
        assert_eq!(key("Bearer tok-9").expose(), "tok-9");
        assert_eq!(key("\"quoted-key\"").expose(), "quoted-key");
        assert_eq!(Secret::parse("  "), Err(SecretError::Empty));
        assert_eq!(Secret::parse("abc"), Err(SecretError::TooShort));
        assert_eq!(Secret::parse("abc def"), Err(SecretError::BadCharacter { position: 4 }));
        assert_eq!(Secret::parse("schlüssel"), Err(SecretError::BadCharacter { position: 5 }));
        assert_eq!(format!("{:?}", key("hush-hush")), "Secret(..)");
    }

    #[test]
    fn keys_leave_texts_whatever_their_form() {
        let own = key("my/own+key");
        let check = |text: &str, want: &str| assert_eq!(redact(text, Some(&own)), want, "{text}");
        check("got my/own+key.", "got [redacted key].");
        check("url ?key=my%2Fown%2Bkey&x", "url ?key=[redacted key]&x");
        check("Incorrect API key provided: sk-proj-****abcd.", "Incorrect API key provided: [redacted key].");
        check("authorization: Bearer abcdef.ghi", "authorization: Bearer [redacted key]");
        check("key AIzaSyA1234567890abcdef bad", "key [redacted key] bad");
        check("task-force and risk-averse words", "task-force and risk-averse words");
        check("ask for sk-1", "ask for sk-1");
        check("日本 sk-ant-api03-AAAABBBB 北京🌍", "日本 [redacted key] 北京🌍");
    }
}
