//! Takes what goes out of a stored record, field by field, without knowing the fields: whatever a record holds in words, now or in a later
//! release, is looked at.
//!
//! A record becomes JSON, and then: every text loses its sentences and names; a member of a list that tells of what goes (it has its id) is
//! left out; an entry whose name says it goes. What comes out is read as a record again. Where that fails, because a word of what goes is also a word
//! that we store for a kind or a state, such words stay; where it fails still, nothing of the record is left.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::words::{Place, Words};

/// Lists that others count into: their members keep their places, and hold ids alone.
const COUNTED: [&str; 2] = ["slots", "turns"];

/// What came of a value.
#[derive(Debug, PartialEq)]
pub(super) enum Redacted<T> {
    /// Nothing of what goes was in it.
    Untouched,
    /// Without what goes.
    Changed(T),
    /// It cannot be without it.
    Unreadable,
}

pub(super) struct Redactor<'a> {
    pub(super) words: &'a Words,
    /// Ids of what goes.
    pub(super) gone: &'a BTreeSet<String>,
    /// What came of derived texts before: every revision repeats most of them.
    known: RefCell<HashMap<String, Option<String>>>,
}

impl<'a> Redactor<'a> {
    pub(super) fn new(words: &'a Words, gone: &'a BTreeSet<String>) -> Self {
        Self { words, gone, known: RefCell::default() }
    }

    /// The value without what goes. `place`: where its texts stand.
    pub(super) fn redact<T: Serialize + DeserializeOwned>(&self, value: &T, place: Place) -> Redacted<T> {
        let Ok(before) = serde_json::to_value(value) else { return Redacted::Unreadable };
        for spares_words in [false, true] {
            let mut after = before.clone();
            self.visit(&mut after, place, spares_words);
            if after == before {
                return Redacted::Untouched;
            }
            if let Ok(read) = serde_json::from_value(after) {
                return Redacted::Changed(read);
            }
        }
        Redacted::Unreadable
    }

    /// One text.
    pub(super) fn text(&self, said: &str, place: Place) -> Option<String> {
        if place != Place::Derived {
            return self.words.cut(said, place).map(|cut| cut.text);
        }
        if let Some(known) = self.known.borrow().get(said) {
            return known.clone();
        }
        let left = self.words.cut(said, place).map(|cut| cut.text);
        self.known.borrow_mut().insert(said.to_owned(), left.clone());
        left
    }

    fn visit(&self, value: &mut Value, place: Place, spares_words: bool) {
        match value {
            Value::String(said) => {
                if is_id(said) || (spares_words && is_word_of_ours(said)) {
                    return;
                }
                if let Some(left) = self.text(said, place) {
                    *said = left;
                }
            }
            Value::Array(members) => {
                members.retain(|member| !(member.is_object() && self.tells(member)));
                members.iter_mut().for_each(|member| self.visit(member, place, spares_words));
            }
            Value::Object(fields) => {
                fields.retain(|name, _| self.text(name, Place::Derived).is_none());
                for (name, field) in fields.iter_mut() {
                    match field {
                        Value::Array(members) if COUNTED.contains(&name.as_str()) => {
                            members.iter_mut().for_each(|member| self.visit(member, place, spares_words));
                        }
                        _ => self.visit(field, place, spares_words),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether something is told of what goes: the id stands in it, not counting what its own lists tell.
    fn tells(&self, value: &Value) -> bool {
        match value {
            Value::String(id) => self.gone.contains(id),
            Value::Object(fields) => fields.values().any(|field| self.tells(field)),
            _ => false,
        }
    }
}

/// A kind or a state, as we store it: `kebab-case`, and one word.
fn is_word_of_ours(said: &str) -> bool {
    said.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

/// An id or a digest: no words.
fn is_id(said: &str) -> bool {
    let digits = said.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(said);
    digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}
