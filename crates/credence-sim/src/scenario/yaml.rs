//! A YAML file as a tree in which every key and value knows its line and column.
//!
//! Rules: one document of at most [`MOST_BYTES`], nested at most [`MOST_DEPTH`] deep; no aliases and no tags, so that a small file
//! cannot stand for a large one and nothing is read that is not written; a key stands once in its mapping. A plain scalar stays as it
//! is written until somebody asks for a number, a flag or a text: `sentence: 404` is then no text, and `id: no` is one (YAML 1.2).

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::Value as Json;

use super::problems::{Problem, Severity};

/// The largest file that is read.
pub const MOST_BYTES: usize = 1_000_000;
/// How deep a file may be nested. A scenario needs five.
pub const MOST_DEPTH: usize = 16;

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Place {
    /// From 1.
    pub(super) line: u32,
    /// From 1, in characters.
    pub(super) column: u32,
}

impl Place {
    fn of(span: &Span) -> Self {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { line: number(span.start.line()), column: number(span.start.col()).saturating_add(1) }
    }
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// A scalar without quotes, as it is written.
    Plain(String),
    /// A scalar in quotes or as a block.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) place: Place,
    pub(super) node: Node,
}

impl Value {
    /// What it is, for a person.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Plain(word) if flag(word).is_some() => "true or false",
            Self::Plain(word) if number(word).is_some() => "a number",
            Self::Plain(_) | Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

/// A plain scalar as a flag.
pub(super) fn flag(word: &str) -> Option<bool> {
    match word {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// A plain scalar as a number that is finite.
pub(super) fn number(word: &str) -> Option<f64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let starts = digits.strip_prefix('.').unwrap_or(digits).starts_with(|c: char| c.is_ascii_digit());
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if starts && plain { word.parse::<f64>().ok().filter(|n| n.is_finite()) } else { None }
}

fn is_null(word: &str) -> bool {
    matches!(word, "" | "~" | "null" | "Null" | "NULL")
}

/// What is being read.
enum Open {
    List(Place, Vec<Node>),
    /// The last member is a key whose value has not come yet.
    Map(Place, Vec<Entry>, Option<(String, Place)>),
}

/// Reads one document.
///
/// # Errors
/// What is no YAML, or breaks a rule of this page, with its place.
pub(super) fn parse(text: &str) -> Result<Node, Problem> {
    if text.len() > MOST_BYTES {
        return Err(refuse(
            Place { line: 1, column: 1 },
            &format!("the file has {} bytes, more than {MOST_BYTES}", text.len()),
            "split it: a file holds one scenario",
        ));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut open: Vec<Open> = Vec::new();
    let mut whole: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let marker = *error.marker();
            refuse(
                Place::of(&Span::empty(marker)),
                &format!("this is no YAML: {}", error.info()),
                "mend the line",
            )
        })?;
        let place = Place::of(&span);
        let done = match event {
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => {
                return Err(refuse(place, "a tag stands here", "leave out the word that begins with `!`"));
            }
            Event::Alias(_) => {
                return Err(refuse(place, "an alias stands here", "write out what it stands for"));
            }
            Event::DocumentStart(_) if whole.is_some() => {
                return Err(refuse(
                    place,
                    "a second document begins here",
                    "write it into a file of its own",
                ));
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(place, Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(place, Vec::new(), None));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(place, items)) => Some(Node { place, value: Value::List(items) }),
                Some(Open::Map(place, entries, _)) => Some(Node { place, value: Value::Map(entries) }),
                None => None,
            },
            Event::Scalar(word, style, _, None) => {
                let value = match style {
                    ScalarStyle::Plain if is_null(&word) => Value::Null,
                    ScalarStyle::Plain => Value::Plain(word.into_owned()),
                    _ => Value::Text(word.into_owned()),
                };
                Some(Node { place, value })
            }
            _ => None,
        };
        if open.len() > MOST_DEPTH {
            return Err(refuse(
                place,
                &format!("this is nested more than {MOST_DEPTH} deep"),
                "a scenario needs five",
            ));
        }
        if let Some(node) = done {
            match open.last_mut() {
                Some(top) => add(top, node)?,
                None => whole = Some(node),
            }
        }
    }
    whole.ok_or_else(|| refuse(Place { line: 1, column: 1 }, "the file is empty", "write a scenario into it"))
}

/// Puts a finished node where it belongs.
fn add(open: &mut Open, node: Node) -> Result<(), Problem> {
    match open {
        Open::List(_, items) => items.push(node),
        Open::Map(_, entries, waiting) => match waiting.take() {
            Some((key, place)) => entries.push(Entry { key, place, node }),
            None => {
                let (Value::Plain(key) | Value::Text(key)) = node.value else {
                    return Err(refuse(node.place, "a key is no word here", "write a name before the colon"));
                };
                if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                    return Err(refuse(
                        node.place,
                        &format!("`{key}` stands here again; it was given in line {}", first.place.line),
                        "keep one of the two",
                    ));
                }
                *waiting = Some((key, node.place));
            }
        },
    }
    Ok(())
}

fn refuse(place: Place, message: &str, remedy: &str) -> Problem {
    Problem {
        line: place.line,
        column: place.column,
        path: String::new(),
        message: message.to_owned(),
        remedy: remedy.to_owned(),
        severity: Severity::Error,
    }
}

/// A YAML file as a JSON value, for data files whose reader takes that: numbers, flags and nulls by the rules of YAML 1.2.
///
/// # Errors
/// What [`MOST_BYTES`], [`MOST_DEPTH`] and the other rules of this page refuse, with its place.
pub fn to_json(text: &str) -> Result<Json, Problem> {
    parse(text).map(json)
}

fn json(node: Node) -> Json {
    match node.value {
        Value::Null => Json::Null,
        Value::Text(text) => Json::String(text),
        Value::Plain(word) => match (flag(&word), word.parse::<i64>(), number(&word)) {
            (Some(flag), ..) => Json::Bool(flag),
            (_, Ok(whole), _) => Json::from(whole),
            (_, _, Some(number)) => Json::from(number),
            _ => Json::String(word),
        },
        Value::List(items) => items.into_iter().map(json).collect(),
        Value::Map(entries) => entries.into_iter().map(|entry| (entry.key, json(entry.node))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scalars_are_what_yaml_1_2_says() {
        let value =
            to_json("a: no\nb: '1'\nc: 1\nd: -1.5e2\ne: true\nf: ~\ng:\nh: 1.2.3\ni: .5\nj: 007x").unwrap();
        assert_eq!(
            value,
            serde_json::json!({
                "a": "no", "b": "1", "c": 1, "d": -150.0, "e": true, "f": null, "g": null, "h": "1.2.3", "i": 0.5, "j": "007x"
            })
        );
    }

    #[test]
    fn every_node_knows_its_line_and_column() {
        let root = parse("id: x\nturns:\n  - prompt: |\n      Hello\n    type: ATTACK\n").unwrap();
        let Value::Map(entries) = &root.value else { panic!("{root:?}") };
        assert_eq!((entries[1].place.line, entries[1].place.column), (2, 1));
        let Value::List(turns) = &entries[1].node.value else { panic!() };
        let Value::Map(turn) = &turns[0].value else { panic!() };
        assert_eq!((turn[1].place.line, turn[1].place.column), (5, 5));
        assert_eq!((turn[1].node.place.line, turn[1].node.place.column), (5, 11));
        assert_eq!(turn[0].node.value, Value::Text("Hello\n".to_owned()));
    }

    #[test]
    fn bombs_aliases_tags_and_double_keys_are_refused_with_their_place() {
        let deep = "[".repeat(40) + &"]".repeat(40);
        let large = "#".repeat(MOST_BYTES + 1);
        for (text, line, word) in [
            ("a: &x [1]\nb: [*x, *x]", 2, "alias"),
            ("a: 1\nb: !!python/object x", 2, "tag"),
            ("a: 1\nb: 2\na: 3", 3, "again"),
            ("a: 1\n---\nb: 2", 2, "second document"),
            (deep.as_str(), 1, "deep"),
            (large.as_str(), 1, "bytes"),
            ("", 1, "empty"),
            ("a: [1, 2\nb: 3", 2, "no YAML"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.message.contains(word), "{word}: {problem}");
            assert_eq!(problem.line, line, "{problem}");
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_is_read_or_refused(text in "[a-z:\\-\\[\\]{}#&*!|>'\"%@`?, \n\t0-9é😀]{0,200}") {
            if let Err(problem) = parse(&text) {
                prop_assert!(problem.line >= 1 && !problem.message.is_empty());
            }
        }
    }
}
