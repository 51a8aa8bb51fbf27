//! The bytes of an answer's body to a [`ChatReply`], streamed or whole, in either dialect.
//!
//! The reader looks at what comes, not at what was asked: a server that ignores `stream` and answers with one
//! JSON body is read as well, and a web page (a wrong address) is named as such.

use super::classify::{self, ServerWords};
use super::preset::Dialect;
use super::secret::{Secret, redact};
use super::think::Filter;
use super::wire::{self, Delta};
use super::{ChatReply, Finish, ModelError, Usage, sse};

/// Reads one answer. Feed it with [`ReplyReader::push`], end with [`ReplyReader::finish`] or, when the caller
/// cancelled, [`ReplyReader::cancelled`].
#[derive(Debug)]
pub struct ReplyReader {
    dialect: Dialect,
    /// The model that was asked for, and the key, for the words of errors.
    model: String,
    key: Option<Secret>,
    body: Body,
    filter: Filter,
    reply: ChatReply,
    finish: Option<Finish>,
    is_done: bool,
}

#[derive(Debug)]
enum Body {
    /// Nothing but white space so far.
    Unknown(Vec<u8>),
    Events(sse::Decoder),
    Whole(Vec<u8>),
}

impl ReplyReader {
    /// A reader for an answer of `model`. The key is only used to take it out of error texts.
    pub fn new(dialect: Dialect, model: &str, key: Option<&Secret>) -> Self {
        Self {
            dialect,
            model: model.to_owned(),
            key: key.cloned(),
            body: Body::Unknown(Vec::new()),
            filter: Filter::new(),
            reply: ChatReply::default(),
            finish: None,
            is_done: false,
        }
    }

    /// Whether the server said that nothing follows: the rest of the body need not be awaited.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether answer text has been passed on. After that a retry would repeat it.
    pub fn has_text(&self) -> bool {
        !self.reply.text.is_empty()
    }

    /// Takes the next bytes of the body and passes the answer's text on.
    ///
    /// # Errors
    /// When the server reports a failure in its stream, or the stream is not what the interface promises.
    pub fn push(&mut self, bytes: &[u8], on_text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        if let Body::Unknown(head) = &mut self.body {
            head.extend_from_slice(bytes);
            let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
            let Some(first) = text.iter().find(|byte| !byte.is_ascii_whitespace()) else { return Ok(()) };
            let is_whole = matches!(first, b'{' | b'[' | b'<');
            let head = std::mem::take(head);
            self.body = if is_whole { Body::Whole(Vec::new()) } else { Body::Events(sse::Decoder::new()) };
            return self.push_known(&head, on_text);
        }
        self.push_known(bytes, on_text)
    }

    fn push_known(&mut self, bytes: &[u8], on_text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        match &mut self.body {
            Body::Unknown(_) => Ok(()),
            Body::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            Body::Events(decoder) => {
                let events = decoder.push(bytes);
                events.iter().try_for_each(|event| self.take_event(event, on_text))
            }
        }
    }

    fn take_event(&mut self, event: &sse::Event, on_text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        if self.is_done {
            return Ok(());
        }
        let deltas = wire::decode_event(self.dialect, event).map_err(|detail| self.malformed(&detail))?;
        self.take_deltas(deltas, on_text)
    }

    fn take_deltas(&mut self, deltas: Vec<Delta>, on_text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        for delta in deltas {
            match delta {
                Delta::Text(text) => {
                    let kept = &mut self.reply.text;
                    self.filter.push(&text, &mut |piece| {
                        kept.push_str(piece);
                        on_text(piece);
                    });
                }
                Delta::Reasoning(text) => self.reply.reasoning.push_str(&text),
                Delta::Finish(finish) => self.finish = Some(finish),
                Delta::Model(model) => self.reply.model = model,
                Delta::Usage { prompt, completion } => {
                    let usage = self.reply.usage.get_or_insert_with(Usage::default);
                    usage.prompt_tokens = prompt.unwrap_or(usage.prompt_tokens);
                    usage.completion_tokens = completion.unwrap_or(usage.completion_tokens);
                }
                Delta::Done => self.is_done = true,
                Delta::Failed(words) => return Err(self.failed(&words)),
            }
        }
        Ok(())
    }

    /// The end of the body.
    ///
    /// # Errors
    /// As [`ReplyReader::push`], and when the body held no answer at all.
    pub fn finish(mut self, on_text: &mut dyn FnMut(&str)) -> Result<ChatReply, ModelError> {
        match std::mem::replace(&mut self.body, Body::Unknown(Vec::new())) {
            Body::Unknown(_) => return Err(self.malformed("the body is empty")),
            Body::Whole(body) => self.take_whole(&body, on_text)?,
            Body::Events(decoder) => {
                if let Some(event) = decoder.finish() {
                    self.take_event(&event, on_text)?;
                }
            }
        }
        let (finish, is_done) = (self.finish, self.is_done);
        let malformed = self.malformed("the stream ended before anything of an answer came");
        let mut reply = self.close(on_text);
        match finish {
            Some(finish) => reply.finish = finish,
            None if is_done => reply.finish = Finish::Stop,
            None if reply.text.is_empty() && reply.reasoning.is_empty() => return Err(malformed),
            None => {
                reply.notes.push("the stream ended without a finish reason; the answer may be cut".to_owned())
            }
        }
        if reply.finish == Finish::Length && reply.text.trim().is_empty() && !reply.reasoning.is_empty() {
            reply
                .notes
                .push("the model used its whole token limit for reasoning; raise the limit".to_owned());
        }
        Ok(reply)
    }

    /// The caller cancelled: what had come by then, or `None` when that was nothing.
    pub fn cancelled(self, on_text: &mut dyn FnMut(&str)) -> Option<ChatReply> {
        let mut reply = self.close(on_text);
        reply.finish = Finish::Cancelled;
        (!reply.text.is_empty()).then_some(reply)
    }

    fn close(mut self, on_text: &mut dyn FnMut(&str)) -> ChatReply {
        let text = &mut self.reply.text;
        let reasoning = self.filter.finish(&mut |piece| {
            text.push_str(piece);
            on_text(piece);
        });
        if !reasoning.is_empty() {
            if !self.reply.reasoning.is_empty() {
                self.reply.reasoning.push('\n');
            }
            self.reply.reasoning.push_str(&reasoning);
        }
        if self.reply.model.is_empty() {
            self.reply.model = self.model;
        }
        self.reply
    }

    fn take_whole(&mut self, body: &[u8], on_text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        let body = String::from_utf8_lossy(body);
        let body = body.trim_start_matches('\u{feff}').trim();
        if body.starts_with('<') {
            return Err(self.malformed(
                "a web page came instead of an answer; check the address, it usually ends in /v1",
            ));
        }
        let value: serde_json::Value = serde_json::from_str(body).map_err(|error| {
            self.malformed(&format!("the body is not JSON ({error}): {}", wire::excerpt(body)))
        })?;
        let deltas = wire::decode_body(self.dialect, &value).map_err(|detail| self.malformed(&detail))?;
        self.take_deltas(deltas, on_text)?;
        self.is_done = true;
        Ok(())
    }

    fn malformed(&self, detail: &str) -> ModelError {
        ModelError::Malformed { detail: redact(detail, self.key.as_ref()) }
    }

    fn failed(&self, words: &ServerWords) -> ModelError {
        classify::classify_words(words, &self.model, self.key.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dialect: Dialect, body: &str, size: usize) -> (Result<ChatReply, ModelError>, String) {
        let mut reader = ReplyReader::new(dialect, "asked", None);
        let mut streamed = String::new();
        let mut sink = |text: &str| streamed.push_str(text);
        for chunk in body.as_bytes().chunks(size) {
            if let Err(error) = reader.push(chunk, &mut sink) {
                return (Err(error), streamed);
            }
        }
        let reply = reader.finish(&mut sink);
        (reply, streamed)
    }

    /// Whatever the chunks, the reply is the same and the streamed text is its text.
    fn check(dialect: Dialect, body: &str, assert: impl Fn(&ChatReply)) {
        for size in [1, 2, 3, 7, body.len().max(1)] {
            let (reply, streamed) = read(dialect, body, size);
            let reply = reply.unwrap();
            assert_eq!(reply.text, streamed);
            assert(&reply);
        }
    }

    #[test]
    fn a_stream_is_read_across_any_split() {
        let body = "\u{feff}: hi\n\ndata: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":\"<think>hm</think>北\"}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"京🌍\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5}}\n\ndata: [DONE]\n\ndata: trailing noise\n\n";
        check(Dialect::OpenAi, body, |reply| {
            assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("北京🌍", "hm"));
            assert_eq!((reply.model.as_str(), reply.finish), ("m-1", Finish::Stop));
            assert_eq!(reply.usage, Some(Usage { prompt_tokens: 3, completion_tokens: 5 }));
            assert_eq!(reply.notes, [""; 0]);
        });
    }

    #[test]
    fn a_stream_without_done_or_final_line_end_loses_nothing() {
        let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"length\"}]}";
        check(Dialect::OpenAi, body, |reply| {
            assert_eq!((reply.text.as_str(), reply.finish), ("ab", Finish::Length));
            assert_eq!(reply.model, "asked", "a server that names no model is taken at its word");
        });
        let cut = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        check(Dialect::OpenAi, cut, |reply| assert!(reply.notes[0].contains("may be cut")));
    }

    #[test]
    fn an_anthropic_stream_is_read() {
        let body = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"claude-x\",\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Hé\"}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":4}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
        check(Dialect::Anthropic, body, |reply| {
            assert_eq!(reply.text, "Hé");
            assert_eq!(reply.usage, Some(Usage { prompt_tokens: 9, completion_tokens: 4 }));
        });
    }

    #[test]
    fn a_whole_body_is_read_where_a_stream_was_asked_for() {
        let body = " {\"choices\":[{\"message\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}";
        check(Dialect::OpenAi, body, |reply| assert_eq!(reply.text, "hi"));
    }

    #[test]
    fn failures_inside_a_successful_answer_are_classified() {
        let check = |body: &str, code: &str, words: &str| {
            let error = read(Dialect::OpenAi, body, 5).0.unwrap_err();
            assert_eq!(error.code(), code, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        };
        check(
            "data: {\"error\":{\"message\":\"upstream died\",\"code\":502}}\n\n",
            "model-server",
            "upstream died",
        );
        check("data: {\"error\":{\"message\":\"slow\",\"code\":429}}\n\n", "model-rate-limited", "429");
        check("data: {oops\n\n", "model-malformed", "{oops");
        check("<!doctype html><title>App</title>", "model-malformed", "/v1");
        check("{\"hello\":1}", "model-malformed", "hello");
        check("{\"error\":\"model 'x' not found\"}", "model-unknown", "not found");
        check("", "model-malformed", "empty");
        check(": only a comment\n\n", "model-malformed", "before anything");
    }

    #[test]
    fn a_cancelled_answer_keeps_what_had_come() {
        let mut reader = ReplyReader::new(Dialect::OpenAi, "m", None);
        let mut streamed = String::new();
        let mut sink = |text: &str| streamed.push_str(text);
        let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"half <thi\"}}]}\n\n";
        reader.push(chunk.as_bytes(), &mut sink).unwrap();
        assert!(reader.has_text());
        let reply = reader.cancelled(&mut sink).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("half <thi", Finish::Cancelled));
        assert_eq!(streamed, "half <thi");
        assert_eq!(ReplyReader::new(Dialect::OpenAi, "m", None).cancelled(&mut |_| {}), None);
    }
}
