//! Reasoning blocks (`<think>…</think>`) out of streamed text, wherever the chunk borders fall.
//!
//! Rules, in the order in which they apply:
//! 1. A block in front of the answer is reasoning as it streams. If it never closes, all of it is reasoning.
//! 2. An answer that begins as JSON or as code keeps every tag: there a tag is data.
//! 3. Inside a code span or fence a tag is literal.
//! 4. A block further down is held back until it closes, then it is reasoning; if it never closes, the tag was
//!    meant literally and the text is given back as answer.
//!
//! A closing tag without an opening one stays in the text: what went before was already shown. The JSON reader
//! (`lenient`) sees whole answers and treats that case itself.

/// Names of the tags that enclose reasoning.
pub(crate) const TAGS: [&str; 3] = ["think", "thinking", "reasoning"];

/// Longest opening or closing tag in bytes, `</reasoning>`.
const LONGEST_TAG: usize = 12;

/// A streaming filter. Feed it with [`Filter::push`], end with [`Filter::finish`].
#[derive(Debug, Default)]
pub struct Filter {
    /// Text that cannot be decided yet.
    pending: String,
    state: State,
    code: CodeTracker,
    reasoning: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Only white space and reasoning blocks so far.
    #[default]
    Start,
    /// Inside a block in front of the answer; the index into [`TAGS`].
    Leading(usize),
    /// In the answer.
    Answer,
    /// Inside a block further down, which may turn out to be no block; the index into [`TAGS`].
    Held(usize),
    /// In an answer that keeps every tag.
    Verbatim,
}

impl Filter {
    /// A filter at the start of an answer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes streamed text and passes on what is certainly answer.
    pub fn push(&mut self, text: &str, on_text: &mut dyn FnMut(&str)) {
        self.pending.push_str(text);
        while self.step(on_text) {}
    }

    /// The end of the answer: passes on what was held back as answer, and returns all reasoning.
    pub fn finish(mut self, on_text: &mut dyn FnMut(&str)) -> String {
        match self.state {
            State::Leading(_) => self.reasoning.push_str(&self.pending),
            // White space in front of nothing is no answer.
            State::Start if self.pending.trim().is_empty() => {}
            _ if self.pending.is_empty() => {}
            _ => on_text(&self.pending),
        }
        self.reasoning.trim().to_owned()
    }

    /// Decides a piece of the pending text. `false`: more text is needed.
    fn step(&mut self, on_text: &mut dyn FnMut(&str)) -> bool {
        match self.state {
            State::Verbatim => {
                emit(&mut self.pending, usize::MAX, on_text);
                false
            }
            State::Start => self.step_start(),
            State::Leading(tag) => {
                let (end, is_closed) = find_close(&self.pending, tag);
                self.reasoning.extend(self.pending.drain(..end));
                if is_closed {
                    drain_tag(&mut self.pending);
                    self.reasoning.push('\n');
                    self.state = State::Start;
                }
                is_closed
            }
            State::Answer => self.step_answer(on_text),
            State::Held(tag) => {
                let (end, is_closed) = find_close(&self.pending, tag);
                if is_closed {
                    let block: String = self.pending.drain(..end).collect();
                    self.reasoning.push_str(block.get(TAGS[tag].len() + 2..).unwrap_or_default());
                    self.reasoning.push('\n');
                    drain_tag(&mut self.pending);
                    self.state = State::Answer;
                }
                is_closed
            }
        }
    }

    fn step_start(&mut self) -> bool {
        let trimmed = self.pending.trim_start();
        if trimmed.is_empty() {
            return false;
        }
        match opening_tag(trimmed) {
            Tag::Is(tag) => {
                let skipped = self.pending.len() - trimmed.len();
                self.pending.drain(..skipped);
                drain_tag(&mut self.pending);
                self.state = State::Leading(tag);
                true
            }
            Tag::Maybe => false,
            Tag::No => {
                if !self.reasoning.is_empty() {
                    self.pending = trimmed.to_owned();
                }
                let is_data = self.pending.trim_start().starts_with(['{', '[', '`']);
                self.state = if is_data { State::Verbatim } else { State::Answer };
                true
            }
        }
    }

    fn step_answer(&mut self, on_text: &mut dyn FnMut(&str)) -> bool {
        let mut from = 0;
        while let Some(at) = self.pending[from..].find(['<', '`', '\n']) {
            let at = from + at;
            self.code.text(&self.pending[from..at]);
            let mark = self.pending.as_bytes()[at];
            if mark != b'<' || self.code.is_inside() {
                self.code.text(&self.pending[at..=at]);
                from = at + 1;
                continue;
            }
            match opening_tag(&self.pending[at..]) {
                Tag::No => {
                    self.code.text("<");
                    from = at + 1;
                }
                Tag::Maybe => {
                    emit(&mut self.pending, at, on_text);
                    return false;
                }
                Tag::Is(tag) => {
                    emit(&mut self.pending, at, on_text);
                    self.state = State::Held(tag);
                    return true;
                }
            }
        }
        self.code.text(&self.pending[from..]);
        emit(&mut self.pending, usize::MAX, on_text);
        false
    }
}

fn emit(pending: &mut String, end: usize, on_text: &mut dyn FnMut(&str)) {
    let end = end.min(pending.len());
    if end > 0 {
        on_text(&pending[..end]);
        pending.drain(..end);
    }
}

enum Tag {
    Is(usize),
    Maybe,
    No,
}

/// Whether `text` begins with an opening tag.
fn opening_tag(text: &str) -> Tag {
    let mut verdict = Tag::No;
    for (index, name) in TAGS.iter().enumerate() {
        match starts_with(text, &format!("<{name}>")) {
            Some(true) => return Tag::Is(index),
            Some(false) => verdict = Tag::Maybe,
            None => {}
        }
    }
    verdict
}

/// `Some(true)`: begins with `tag`. `Some(false)`: all of `text` is a beginning of `tag`. ASCII case is ignored.
fn starts_with(text: &str, tag: &str) -> Option<bool> {
    let length = text.len().min(tag.len());
    let is_same = text.as_bytes()[..length].eq_ignore_ascii_case(&tag.as_bytes()[..length]);
    is_same.then_some(length == tag.len())
}

/// Where the block's content ends, and whether its closing tag is there. An end that may be the beginning
/// of the closing tag is not content yet.
fn find_close(text: &str, tag: usize) -> (usize, bool) {
    let close = format!("</{}>", TAGS[tag]);
    for (at, _) in text.match_indices('<') {
        match starts_with(&text[at..], &close) {
            Some(true) => return (at, true),
            Some(false) => return (at, false),
            None => {}
        }
    }
    (text.len(), false)
}

/// Removes the tag that `pending` begins with.
fn drain_tag(pending: &mut String) {
    if let Some(end) = pending.find('>').filter(|end| *end < LONGEST_TAG) {
        pending.drain(..=end);
    }
}

/// Whether text stands inside a Markdown code span or fence: a run of backticks opens, a run of the same
/// length closes; a span shorter than a fence also ends with its line, so that a stray backtick hides nothing.
#[derive(Debug, Default)]
struct CodeTracker {
    open: usize,
    run: usize,
}

impl CodeTracker {
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c == '`' {
                self.run += 1;
                continue;
            }
            self.end_run();
            if c == '\n' && self.open < 3 {
                self.open = 0;
            }
        }
    }
    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run > 0 {
            match self.open {
                0 => self.open = run,
                open if open == run => self.open = 0,
                _ => {}
            }
        }
    }
    fn is_inside(&mut self) -> bool {
        self.end_run();
        self.open > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter<'a>(chunks: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let (mut filter, mut answer) = (Filter::new(), String::new());
        for chunk in chunks {
            filter.push(chunk, &mut |text| answer.push_str(text));
        }
        let reasoning = filter.finish(&mut |text| answer.push_str(text));
        (answer, reasoning)
    }

    /// Every input is tried whole, character by character and at every split.
    fn check(input: &str, answer: &str, reasoning: &str) {
        let want = (answer.to_owned(), reasoning.to_owned());
        assert_eq!(filter([input]), want, "{input:?} whole");
        let characters: Vec<String> = input.chars().map(String::from).collect();
        assert_eq!(filter(characters.iter().map(String::as_str)), want, "{input:?} by character");
        for (at, _) in input.char_indices() {
            assert_eq!(filter([&input[..at], &input[at..]]), want, "{input:?} split at {at}");
        }
    }

    #[test]
    fn blocks_leave_the_answer() {
        check("<think>a [1] {\"x\":2}</think>\n\nHello", "Hello", "a [1] {\"x\":2}");
        check("\n<Thinking>北京🌍</THINKING>Yes", "Yes", "北京🌍");
        check("<think>a</think><reasoning>b</reasoning> c", "c", "a\nb");
        check("Sure. <think>hm</think>Hello", "Sure. Hello", "hm");
        check("<think></think>\n\nok", "ok", "");
        check("<think>1 < 2 </thin </think>ok", "ok", "1 < 2 </thin");
        check("<think>a</think>{\"text\":\"<think>b</think>\"}", "{\"text\":\"<think>b</think>\"}", "a");
    }

    #[test]
    fn an_unclosed_block_is_reasoning_in_front_and_text_further_down() {
        check("<think>it was cut", "", "it was cut");
        check("<think>cut </thi", "", "cut </thi");
        check("The tag <think> opens it. 1 < 2", "The tag <think> opens it. 1 < 2", "");
    }

    #[test]
    fn text_that_only_looks_like_a_tag_stays() {
        check("a <thinker> b", "a <thinker> b", "");
        check("a <think", "a <think", "");
        check("<thin", "<thin", "");
        check("<", "<", "");
        check("  two spaces", "  two spaces", "");
        check("   ", "", "");
        check("x</think>y", "x</think>y", "");
        check("write `<think>` and `</think>`", "write `<think>` and `</think>`", "");
        check("```\n<think>\n</think>\n```\n", "```\n<think>\n</think>\n```\n", "");
        check("so:\n```\n<think>\n</think>\n```\n", "so:\n```\n<think>\n</think>\n```\n", "");
        check("a stray ` here\n<think>x</think>y", "a stray ` here\ny", "x");
        check("{\"a\":\"<think>x</think>\"}", "{\"a\":\"<think>x</think>\"}", "");
    }

    proptest::proptest! {
        #[test]
        fn splits_never_change_the_outcome_and_tagless_text_passes_whole(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec!["<think>", "</think>", "<", "th", ">", "`", "\n", "é🌍", " a ", "{", "<reasoning>", "</reasoning>"]),
                0..14,
            ),
            at in 0usize..80,
        ) {
            let whole: String = pieces.concat();
            let expected = filter([whole.as_str()]);
            let cut = (0..=whole.len()).rev().find(|i| *i <= at && whole.is_char_boundary(*i)).unwrap_or(0);
            proptest::prop_assert_eq!(filter([&whole[..cut], &whole[cut..]]), expected.clone());
            if !whole.contains("<think>") && !whole.contains("<reasoning>") && !whole.trim().is_empty() {
                proptest::prop_assert_eq!(expected.0, whole);
            }
        }
    }
}
