//! How the members of a file's mappings are read: which keys there are, what kind of value each takes, and what is said of the rest.
//!
//! In [`Mode::Strict`] everything that is not understood is an error. In [`Mode::Compatible`] what the files of the predecessor have
//! and we cannot apply is left out with a warning that begins "not applied"; a number outside its range is moved to its nearest end.
//! Nothing is left out in silence.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::problems::{Problem, Severity, choose, nearest};
use super::yaml::{Entry, Node, Place, Value, flag, number};

/// How strictly a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Our own files.
    Strict,
    /// Files of the predecessor: its defaults, its older spellings, and warnings for what is not applied.
    Compatible,
}

/// The keys of a mapping.
pub(super) struct Keys {
    /// Those there are.
    pub(super) known: &'static [&'static str],
    /// Older spellings, each with the key that it means. In [`Mode::Strict`] they are errors, and read all the same, so that nothing else
    /// seems to be missing.
    pub(super) older: &'static [(&'static str, &'static str)],
}

/// One mapping that is being read.
pub(super) struct Object<'n> {
    pub(super) path: String,
    pub(super) place: Place,
    entries: &'n [Entry],
    older: &'static [(&'static str, &'static str)],
}

impl<'n> Object<'n> {
    /// A member that is there and not null.
    pub(super) fn get(&self, key: &str) -> Option<&'n Entry> {
        let find =
            |key: &str| self.entries.iter().find(|entry| entry.key == key && entry.node.value != Value::Null);
        let older = || self.older.iter().filter(|(_, means)| *means == key).find_map(|(old, _)| find(old));
        find(key).or_else(older)
    }
    /// The path of a member.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// What is read of one file, and what was found wrong with it.
pub(super) struct Reader {
    pub(super) mode: Mode,
    problems: Vec<Problem>,
    places: BTreeMap<String, Place>,
}

impl Reader {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, problems: Vec::new(), places: BTreeMap::new() }
    }
    pub(super) fn is_strict(&self) -> bool {
        self.mode == Mode::Strict
    }
    /// Everything that was found, in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by(|a, b| (a.line, a.column, &a.path).cmp(&(b.line, b.column, &b.path)));
        self.problems
    }
    pub(super) fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Remembers where a path stands.
    pub(super) fn mark(&mut self, path: &str, place: Place) {
        self.places.insert(path.to_owned(), place);
    }
    /// Whether an error of this path, or below it, was already found.
    pub(super) fn is_known(&self, path: &str) -> bool {
        let below = |other: &str| {
            other.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        !path.is_empty() && self.problems.iter().any(|problem| problem.is_error() && below(&problem.path))
    }
    /// Where a path stands: the place of the longest part of it that the file has.
    pub(super) fn place_of(&self, path: &str) -> Place {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return *place;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return self.places.get("").copied().unwrap_or_default(),
            }
        }
    }

    pub(super) fn say(
        &mut self,
        severity: Severity,
        place: Place,
        path: &str,
        message: String,
        remedy: String,
    ) {
        let Place { line, column } = place;
        self.problems.push(Problem { line, column, path: path.to_owned(), message, remedy, severity });
    }
    pub(super) fn error(&mut self, place: Place, path: &str, message: String, remedy: impl Into<String>) {
        self.say(Severity::Error, place, path, message, remedy.into());
    }
    /// What cannot be applied: an error in our own files, a warning in those of the predecessor.
    pub(super) fn refuse(&mut self, place: Place, path: &str, message: String, remedy: impl Into<String>) {
        if self.is_strict() {
            self.error(place, path, message, remedy);
        } else {
            self.say(Severity::Warning, place, path, format!("not applied: {message}"), remedy.into());
        }
    }

    /// A mapping. Keys that are not known are refused here.
    pub(super) fn object<'n>(&mut self, node: &'n Node, path: &str, keys: &Keys) -> Option<Object<'n>> {
        // A member's key was met before its value, and is where a person looks.
        self.places.entry(path.to_owned()).or_insert(node.place);
        let Value::Map(entries) = &node.value else {
            self.wrong_kind(node, path, "a mapping");
            return None;
        };
        let object = Object { path: path.to_owned(), place: node.place, entries, older: keys.older };
        for entry in entries {
            let key = entry.key.as_str();
            let path = object.path_of(key);
            self.places.insert(path.clone(), entry.place);
            let means = keys.older.iter().find(|(old, _)| *old == key).map(|(_, means)| *means);
            match means {
                _ if keys.known.contains(&key) => {}
                Some(means) if self.is_strict() => {
                    self.error(
                        entry.place,
                        &path,
                        format!("`{key}` is an older word"),
                        format!("write `{means}`"),
                    );
                }
                Some(means) => {
                    self.places.entry(object.path_of(means)).or_insert(entry.place);
                }
                None => self.refuse(
                    entry.place,
                    &path,
                    format!("there is no `{key}`"),
                    nearest(key, keys.known.iter().copied()).map_or_else(
                        || format!("there are {}", keys.known.join(", ")),
                        |near| format!("write `{near}`, if that is meant"),
                    ),
                ),
            }
        }
        Some(object)
    }

    fn wrong_kind(&mut self, node: &Node, path: &str, wanted: &str) {
        let hint = match &node.value {
            Value::Plain(word) if wanted == "a text" => format!("write \"{word}\" in quotes"),
            _ => format!("write {wanted}"),
        };
        self.error(node.place, path, format!("here stands {}, not {wanted}", node.value.kind()), hint);
    }

    fn text_of(&mut self, node: &Node, path: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Plain(word) if !self.is_strict() || (flag(word).is_none() && number(word).is_none()) => {
                Some(word.clone())
            }
            _ => {
                self.wrong_kind(node, path, "a text");
                None
            }
        }
    }
    /// A text that may be left out.
    pub(super) fn text(&mut self, of: &Object<'_>, key: &str) -> Option<String> {
        let entry = of.get(key)?;
        self.text_of(&entry.node, &of.path_of(key))
    }
    /// A list of texts; blank ones are left out.
    pub(super) fn texts(&mut self, of: &Object<'_>, key: &str) -> Vec<String> {
        let path = of.path_of(key);
        let mut texts = Vec::new();
        for (at, node) in self.list(of, key).iter().enumerate() {
            let path = format!("{path}[{at}]");
            match self.text_of(node, &path) {
                Some(text) if text.trim().is_empty() => {
                    self.refuse(node.place, &path, "this is blank".to_owned(), "leave the line out");
                }
                text => texts.extend(text),
            }
        }
        texts
    }
    /// A list; empty when it is left out.
    pub(super) fn list<'n>(&mut self, of: &Object<'n>, key: &str) -> &'n [Node] {
        let Some(entry) = of.get(key) else { return &[] };
        match &entry.node.value {
            Value::List(items) => items,
            _ => {
                self.wrong_kind(&entry.node, &of.path_of(key), "a list");
                &[]
            }
        }
    }
    /// True or false.
    pub(super) fn flag(&mut self, of: &Object<'_>, key: &str) -> Option<bool> {
        let entry = of.get(key)?;
        let read = match &entry.node.value {
            Value::Plain(word) => flag(word),
            _ => None,
        };
        if read.is_none() {
            self.wrong_kind(&entry.node, &of.path_of(key), "true or false");
        }
        read
    }
    /// A number within a range.
    pub(super) fn number(&mut self, of: &Object<'_>, key: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let entry = of.get(key)?;
        self.number_of(&entry.node, &of.path_of(key), range)
    }
    /// A number of a node, within a range.
    pub(super) fn number_of(&mut self, node: &Node, path: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let read = match &node.value {
            Value::Plain(word) => number(word),
            _ => None,
        };
        let Some(read) = read else {
            self.wrong_kind(node, path, "a number");
            return None;
        };
        if range.contains(&read) {
            return Some(read);
        }
        let (from, to) = (*range.start(), *range.end());
        self.refuse(
            node.place,
            path,
            format!("{read} is outside {from} to {to}"),
            format!("write a number from {from} to {to}"),
        );
        (!self.is_strict()).then(|| read.clamp(from, to))
    }
    /// A whole number within a range.
    pub(super) fn whole(&mut self, of: &Object<'_>, key: &str, range: RangeInclusive<u32>) -> Option<u32> {
        let entry = of.get(key)?;
        self.whole_of(&entry.node, &of.path_of(key), range)
    }
    /// A whole number of a node, within a range.
    pub(super) fn whole_of(&mut self, node: &Node, path: &str, range: RangeInclusive<u32>) -> Option<u32> {
        let read = self.number_of(node, path, f64::from(*range.start())..=f64::from(*range.end()))?;
        if read.fract() != 0.0 {
            self.error(node.place, path, format!("{read} is no whole number"), "write a whole number");
            return None;
        }
        // In range and whole, so that nothing is cut off.
        Some(read as u32)
    }
    /// A word of a list, with what it means.
    pub(super) fn word<T: Copy>(
        &mut self,
        of: &Object<'_>,
        key: &str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(of, key)?;
        let found = words.iter().find(|(word, _)| *word == text);
        if let Some((_, means)) = found {
            return Some(*means);
        }
        let place = of.get(key).map_or(of.place, |entry| entry.node.place);
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.error(place, &of.path_of(key), format!("there is no {key} `{text}`"), choose(&text, &known));
        None
    }
}
