//! What a server says about a failure, out of the many shapes of error bodies.

use serde_json::Value;

/// A failure in the server's own words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerWords {
    /// The message for people.
    pub message: String,
    /// Codes and types, in lower case.
    pub kinds: Vec<String>,
    /// The parameter that is to blame, where the server names it in a field of its own.
    pub param: Option<String>,
    /// The status that the body repeats, where it is one.
    pub status: Option<u16>,
    /// How long to wait, where the body says so in a field of its own, for example `36s`.
    pub delay: Option<String>,
}

impl ServerWords {
    /// Reads the body of an answer that is no success: JSON of any known shape, a web page, or plain text.
    pub fn of_body(body: &str) -> Self {
        let body = body.trim();
        if let Ok(value) = serde_json::from_str::<Value>(body) {
            return Self::of_json(&value);
        }
        if body.starts_with('<') {
            let title = between(body, "<title>", "</title>").unwrap_or_default();
            return Self { message: format!("a web page came: {}", title.trim()), ..Self::default() };
        }
        Self { message: body.to_owned(), ..Self::default() }
    }

    /// Reads the error inside an answer that began as a success; `None` when it holds none.
    pub fn in_answer(value: &Value) -> Option<Self> {
        let is_error = match value.get("error")? {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            _ => true,
        };
        is_error.then(|| Self::of_json(value))
    }

    fn of_json(value: &Value) -> Self {
        let mut words = Self::default();
        match value {
            // Gemini wraps its error in a list.
            Value::Array(items) => return items.first().map(Self::of_json).unwrap_or_default(),
            Value::String(text) => words.message.clone_from(text),
            _ => {}
        }
        words.take(value);
        for key in ["error", "detail", "errors"] {
            match value.get(key) {
                Some(Value::String(text)) if words.message.is_empty() => words.message.clone_from(text),
                Some(Value::Object(_)) => words.take(&value[key]),
                Some(Value::Array(items)) => items.iter().for_each(|item| words.take_field_error(item)),
                _ => {}
            }
        }
        words
    }

    /// Takes an error object's own fields.
    fn take(&mut self, error: &Value) {
        for key in ["message", "msg", "error_description", "title"] {
            if let Some(text) = error.get(key).and_then(Value::as_str) {
                self.append(text);
            }
        }
        for key in ["code", "type", "status", "reason"] {
            match error.get(key) {
                Some(Value::String(kind)) if !kind.is_empty() => self.kinds.push(kind.to_lowercase()),
                Some(Value::Number(number)) => {
                    let status = number.as_u64().and_then(|number| u16::try_from(number).ok());
                    self.status = status.filter(|status| (400..600).contains(status)).or(self.status);
                }
                _ => {}
            }
        }
        if let Some(param) = error.get("param").and_then(Value::as_str) {
            self.param = Some(param.to_owned());
        }
        // A gateway's own message is often empty of content; the provider's stands in `metadata.raw`.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            let inner = serde_json::from_str::<Value>(raw).map(|value| Self::of_json(&value));
            self.append(&inner.map_or_else(|_| raw.to_owned(), |inner| inner.message));
        }
        for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
            if let Some(delay) = detail.get("retryDelay").and_then(Value::as_str) {
                self.delay = Some(delay.to_owned());
            }
            if let Some(reason) = detail.get("reason").and_then(Value::as_str) {
                self.kinds.push(reason.to_lowercase());
            }
        }
    }

    /// `{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted", "type": "extra_forbidden"}`.
    fn take_field_error(&mut self, item: &Value) {
        let place = item.get("loc").and_then(Value::as_array);
        let field = place.into_iter().flatten().filter_map(Value::as_str).find(|part| *part != "body");
        if let Some(field) = field {
            self.append(field);
            if self.param.is_none() {
                self.param = Some(field.to_owned());
            }
        }
        self.take(item);
        if let Some(text) = item.as_str() {
            self.append(text);
        }
    }

    fn append(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.message.contains(text) {
            return;
        }
        if !self.message.is_empty() {
            self.message.push_str(": ");
        }
        self.message.push_str(text);
    }

    /// Whether a code, a type or the message contains `words` (lower case).
    pub fn has(&self, words: &str) -> bool {
        self.kinds.iter().any(|kind| kind.contains(words)) || self.message_has(words)
    }

    /// Whether [`ServerWords::has`] holds for one of them.
    pub fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.has(words))
    }

    /// Whether the message contains `words` (lower case).
    pub fn message_has(&self, words: &str) -> bool {
        self.message.to_lowercase().contains(words)
    }

    /// Whether [`ServerWords::message_has`] holds for one of them.
    pub fn message_has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.message_has(words))
    }

    /// Whether `word` (lower case) stands in the message as a word of its own.
    pub fn mentions_word(&self, word: &str) -> bool {
        position_of_word(&self.message.to_lowercase(), word).is_some()
    }
}

/// Where `word` stands in `text` as a word of its own (letters, digits and `_` make words).
pub(super) fn position_of_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        !text[..at].chars().next_back().is_some_and(is_part)
            && !text[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(inner, _)| inner)
}
