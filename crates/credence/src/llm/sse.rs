//! Server-sent events out of a byte stream, however the network cut it.
//!
//! The format is the WHATWG one (`text/event-stream`): lines end in `\n`, `\r` or `\r\n`; `data:` lines add up
//! with `\n` between them; a blank line ends an event; lines that begin with `:` are comments. Two deviations,
//! both because model servers need them: an event that the end of the stream cuts off is still delivered by
//! [`Decoder::finish`], and `id` and `retry` are ignored (a model call cannot be resumed).

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// The `event:` field; empty when the server names none.
    pub name: String,
    /// The `data:` lines.
    pub data: String,
}

/// An incremental decoder. Text is decoded line by line, never chunk by chunk, so that a character that
/// the network cut in two arrives whole.
#[derive(Debug, Default)]
pub struct Decoder {
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    /// The last byte was `\r`: a `\n` that follows belongs to the same line end.
    after_cr: bool,
    /// A byte order mark is only skipped in front of the first line.
    past_start: bool,
}

impl Decoder {
    /// A decoder at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and returns the events that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            let follows_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if follows_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The end of the stream: the event that was still open, if it had data.
    pub fn finish(mut self) -> Option<Event> {
        if !self.line.is_empty() {
            // A blank last line would end the event, and that is what comes next anyway.
            let _ = self.end_line();
        }
        self.dispatch()
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.past_start, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.name = value.to_owned(),
            // Comments have an empty field name; `id`, `retry` and unknown fields say nothing to us.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Event> {
        let mut decoder = Decoder::new();
        let mut events: Vec<Event> = chunks.into_iter().flat_map(|chunk| decoder.push(chunk)).collect();
        events.extend(decoder.finish());
        events
    }
    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into() }
    }

    const SAMPLE: &str = "\u{feff}: keep-alive\r\n\r\nevent: delta\r\ndata: 北京🌍\r\n\r\ndata:line one\ndata: line two\n\nid: 7\rdata: {\"a\":1}\r\rretry: 10\n\ndata\n\ndata: [DONE]";

    fn expected() -> Vec<Event> {
        vec![
            event("delta", "北京🌍"),
            event("", "line one\nline two"),
            event("", "{\"a\":1}"),
            event("", ""),
            event("", "[DONE]"),
        ]
    }

    #[test]
    fn every_split_in_two_and_byte_by_byte_give_the_same_events() {
        let bytes = SAMPLE.as_bytes();
        assert_eq!(decode([bytes]), expected());
        assert_eq!(decode(bytes.chunks(1)), expected());
        for at in 0..=bytes.len() {
            assert_eq!(decode([&bytes[..at], &bytes[at..]]), expected(), "split at byte {at}");
        }
        assert!(decode(bytes.chunks(1)).iter().all(|event| !event.data.contains('\u{fffd}')));
    }

    #[test]
    fn every_split_in_three_gives_the_same_text() {
        let bytes = "data: 北京🌍\r\n\r\ndata: x\r\n\r\n".as_bytes();
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let events = decode([&bytes[..first], &bytes[first..second], &bytes[second..]]);
                assert_eq!(events, [event("", "北京🌍"), event("", "x")], "splits at {first} and {second}");
            }
        }
    }

    #[test]
    fn one_leading_space_is_dropped_and_no_more() {
        assert_eq!(decode([b"data:  two\n\n".as_slice()]), [event("", " two")]);
        assert_eq!(decode([b"data:\n\n".as_slice()]), [event("", "")]);
        assert_eq!(decode([b"datax: no\nevent: only\n\n".as_slice()]), []);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_in_any_chunks_give_the_events_of_the_whole(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
            size in 1usize..7,
        ) {
            proptest::prop_assert_eq!(decode(bytes.chunks(size)), decode([bytes.as_slice()]));
        }
    }
}
