//! A tolerant JSON reader: one value from one place of a text, with a list of what it forgave.
//!
//! It reads strict JSON exactly as strict JSON is read. Beyond that it forgives what models do wrong and still
//! refuses prose: bare words are no values in a list, an object needs keys, so that `[citation needed]` and
//! `{see above}` are no JSON.

mod strings;

use serde_json::{Map, Value};

use strings::closing_quotes;

/// Deepest nesting, as in serde_json.
const DEPTH: usize = 128;

/// Something that was forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repair {
    Comma,
    MissingComma,
    Quotes,
    InnerQuote,
    BareKey,
    BareValue,
    Literal,
    Number,
    Escape,
    Surrogate,
    Control,
    Comment,
    Bracket,
    Skipped,
}

impl Repair {
    /// For a person.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Comma => "a superfluous comma was ignored",
            Self::MissingComma => "a missing comma was supplied",
            Self::Quotes => "strings in single or typographic quotes were read",
            Self::InnerQuote => "a quote inside a string was not escaped",
            Self::BareKey => "a key without quotes was read",
            Self::BareValue => "a word without quotes was read as text",
            Self::Literal => "a foreign word for true, false or null was read",
            Self::Number => "a number in a foreign form was read",
            Self::Escape => "an unknown escape was kept as text",
            Self::Surrogate => "half a character was replaced by U+FFFD",
            Self::Control => "a raw control character inside a string was accepted",
            Self::Comment => "a comment was ignored",
            Self::Bracket => "a wrong or missing bracket was supplied",
            Self::Skipped => "unreadable text between list elements was skipped",
        }
    }
}

/// Why no value can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// Byte offset.
    pub(super) at: usize,
    /// What was expected and what stands there.
    pub(super) what: String,
}

/// A value that was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// Byte offset behind the value.
    pub(super) end: usize,
    pub(super) repairs: Vec<Repair>,
    /// The text ended inside the value.
    pub(super) is_cut: bool,
}

pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    fuel: &'a mut usize,
    repairs: Vec<Repair>,
}

/// Where a string or word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Member,
    Element,
}

/// A value and whether the text ended inside it; a scalar that was cut is no value.
struct Piece {
    value: Option<Value>,
    is_cut: bool,
}

impl Piece {
    fn whole(value: impl Into<Value>) -> Self {
        Self { value: Some(value.into()), is_cut: false }
    }
    fn cut(value: Option<Value>) -> Self {
        Self { value, is_cut: true }
    }
}

impl<'a> Reader<'a> {
    /// Reads the object or list that begins at byte `at`. `fuel` bounds the work over several attempts.
    pub(super) fn parse(text: &'a str, at: usize, fuel: &'a mut usize) -> Result<Parsed, Problem> {
        let mut reader = Self { text, at, depth: 0, fuel, repairs: Vec::new() };
        let piece = reader.value(Place::Member)?;
        let value = piece.value.unwrap_or_default();
        Ok(Parsed { value, end: reader.at, repairs: reader.repairs, is_cut: piece.is_cut })
    }

    fn value(&mut self, place: Place) -> Result<Piece, Problem> {
        self.skip_space()?;
        match self.peek() {
            None => Ok(Piece::cut(None)),
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::list),
            Some(c) if closing_quotes(c).is_some() => {
                Ok(self.string(place)?.map_or(Piece::cut(None), Piece::whole))
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            Some(c) if c.is_alphabetic() => self.word(place),
            Some(c) => Err(self.expected("a value", c)),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Piece, Problem>) -> Result<Piece, Problem> {
        if self.depth == DEPTH {
            return Err(self.problem(format!("nested deeper than {DEPTH} levels")));
        }
        self.depth += 1;
        let piece = read(self);
        self.depth -= 1;
        piece
    }

    fn object(&mut self) -> Result<Piece, Problem> {
        self.bump()?;
        let mut members = Map::new();
        loop {
            self.skip_space()?;
            let Some(c) = self.peek() else { return Ok(Piece::cut(Some(members.into()))) };
            let key = match c {
                '}' => {
                    self.bump()?;
                    return Ok(Piece::whole(members));
                }
                ',' => {
                    self.bump()?;
                    self.note(Repair::Comma);
                    continue;
                }
                ']' if !members.is_empty() => {
                    // The closing brace is missing; the bracket belongs to the list around.
                    self.note(Repair::Bracket);
                    return Ok(Piece::whole(members));
                }
                c if closing_quotes(c).is_some() => self.string(Place::Key)?,
                c if is_word_start(c) => {
                    let word = self.take_while(is_word_part)?;
                    (!self.is_end()).then(|| {
                        self.note(Repair::BareKey);
                        word.to_owned()
                    })
                }
                c => return Err(self.expected("a key in quotes or `}`", c)),
            };
            self.skip_space()?;
            let (Some(key), Some(c)) = (key, self.peek()) else {
                return Ok(Piece::cut(Some(members.into())));
            };
            if c != ':' {
                return Err(self.expected("`:` after a key", c));
            }
            self.bump()?;
            let piece = self.value(Place::Member)?;
            if let Some(value) = piece.value {
                members.insert(key, value);
            }
            if piece.is_cut {
                return Ok(Piece::cut(Some(members.into())));
            }
            self.separator('}')?;
        }
    }

    fn list(&mut self) -> Result<Piece, Problem> {
        self.bump()?;
        let mut items = Vec::new();
        loop {
            self.skip_space()?;
            let Some(c) = self.peek() else { return Ok(Piece::cut(Some(items.into()))) };
            match c {
                ']' => {
                    self.bump()?;
                    return Ok(Piece::whole(items));
                }
                ',' => {
                    self.bump()?;
                    self.note(Repair::Comma);
                    continue;
                }
                '}' if !items.is_empty() => {
                    self.note(Repair::Bracket);
                    return Ok(Piece::whole(items));
                }
                _ => {}
            }
            let start = self.at;
            match self.value(Place::Element) {
                // An element that was cut is dropped whole: half a statement is another statement.
                Ok(piece) if piece.is_cut => return Ok(Piece::cut(Some(items.into()))),
                Ok(piece) => items.extend(piece.value),
                // `...` and remarks between elements; a list that begins with them is prose.
                Err(problem) if items.is_empty() || problem.at != start => return Err(problem),
                Err(_) => {
                    self.note(Repair::Skipped);
                    self.take_while(|c| !matches!(c, ',' | ']' | '{' | '[' | '"'))?;
                    continue;
                }
            }
            self.separator(']')?;
        }
    }

    /// What follows a member or element: a comma, the end, or (forgiven) the next one.
    fn separator(&mut self, end: char) -> Result<(), Problem> {
        self.skip_space()?;
        match self.peek() {
            Some(',') => {
                self.bump()?;
                self.skip_space()?;
                if self.peek() == Some(end) {
                    self.note(Repair::Comma);
                }
            }
            Some('}' | ']') | None => {}
            Some(c) if closing_quotes(c).is_some() || (end == ']' && matches!(c, '{' | '[')) => {
                self.note(Repair::MissingComma);
            }
            Some(c) if end == '}' && is_word_start(c) => self.note(Repair::MissingComma),
            // The list's own loop decides whether this can be skipped.
            Some(_) if end == ']' => {}
            Some(c) => return Err(self.expected("`,` or `}` after a value", c)),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Piece, Problem> {
        let start = self.at;
        let token =
            self.take_while(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_' | '%' | ':'))?;
        if self.is_end() {
            // `0.9` may have been about to become `0.95`.
            return Ok(Piece::cut(None));
        }
        if let Ok(value @ Value::Number(_)) = serde_json::from_str(token) {
            return Ok(Piece::whole(value));
        }
        let unsigned = token.trim_start_matches(['+', '-']);
        if unsigned.is_empty() || !unsigned.contains(|c: char| c.is_alphanumeric()) {
            return Err(Problem { at: start, what: format!("expected a value, found `{token}`") });
        }
        if unsigned.eq_ignore_ascii_case("infinity") || unsigned.eq_ignore_ascii_case("nan") {
            self.note(Repair::Number);
            return Ok(Piece::whole(Value::Null));
        }
        // `+1`, `.5`, `5.`, `007`, `1e999`.
        let is_plain =
            unsigned.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
        match token.trim_start_matches('+').parse::<f64>() {
            Ok(number) if is_plain => {
                self.note(Repair::Number);
                let integer =
                    (number.fract() == 0.0 && number.abs() < 9e15).then(|| Value::from(number as i64));
                Ok(Piece::whole(integer.unwrap_or_else(|| Value::from(number))))
            }
            // `2026-11-30`, `90%`: a reading as a number would be an invention.
            _ => {
                self.note(Repair::BareValue);
                Ok(Piece::whole(token))
            }
        }
    }

    fn word(&mut self, place: Place) -> Result<Piece, Problem> {
        let start = self.at;
        let word = self.take_while(is_word_part)?;
        let (value, is_strict) = match word {
            "true" => (Value::Bool(true), true),
            "false" => (Value::Bool(false), true),
            "null" => (Value::Null, true),
            "True" | "TRUE" => (Value::Bool(true), false),
            "False" | "FALSE" => (Value::Bool(false), false),
            "None" | "NULL" | "Null" | "undefined" | "NaN" | "nan" | "Infinity" => (Value::Null, false),
            _ if self.is_end() => return Ok(Piece::cut(None)),
            // `"relation": CONTRADICTS`; in a list it would be prose.
            word if place == Place::Member => {
                self.note(Repair::BareValue);
                let after = self.text[self.at..].trim_start_matches([' ', '\t']);
                if !after.starts_with([',', '}', '\n', '\r']) {
                    return Err(Problem {
                        at: start,
                        what: format!("expected a value, found the word `{word}`"),
                    });
                }
                return Ok(Piece::whole(word));
            }
            word => {
                return Err(Problem {
                    at: start,
                    what: format!("expected a value, found the word `{word}`"),
                });
            }
        };
        if !is_strict {
            self.note(Repair::Literal);
        }
        Ok(Piece::whole(value))
    }

    /// White space and comments.
    fn skip_space(&mut self) -> Result<(), Problem> {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}')?;
            let rest = &self.text[self.at..];
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return Ok(());
            };
            self.burn(length)?;
            self.at += length;
            self.note(Repair::Comment);
        }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> Result<&'a str, Problem> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.burn(length)?;
        self.at += length;
        Ok(&rest[..length])
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Result<Option<char>, Problem> {
        let c = self.peek();
        self.burn(1)?;
        self.at += c.map_or(0, char::len_utf8);
        Ok(c)
    }

    fn is_end(&self) -> bool {
        self.at == self.text.len()
    }

    fn burn(&mut self, work: usize) -> Result<(), Problem> {
        match self.fuel.checked_sub(work) {
            Some(left) => {
                *self.fuel = left;
                Ok(())
            }
            None => {
                *self.fuel = 0;
                Err(self.problem("too many places where JSON may begin".to_owned()))
            }
        }
    }

    fn note(&mut self, repair: Repair) {
        if !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    fn expected(&self, wanted: &str, found: char) -> Problem {
        self.problem(format!("expected {wanted}, found `{found}`"))
    }

    fn problem(&self, what: String) -> Problem {
        Problem { at: self.at, what }
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-')
}
