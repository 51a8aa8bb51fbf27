//! What a name is looked up by, and which spans are no names.

use super::kinds::{Family, family};
use crate::text;

/// The name of a user who has not given one.
pub const UNNAMED_USER: &str = "User";

/// First words that point instead of naming, when what follows is not capitalised ("the server", but "The Beatles").
const POINTERS: [&str; 26] = [
    "a", "an", "the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their",
    "some", "any", "every", "each", "another", "other", "all", "no", "one", "many", "several", "few",
];

/// Words that stand for anybody or anything.
const ANYBODY: &str = "i you he she it we they me him us them who someone somebody anyone anybody everyone everybody \
    nobody something anything everything nothing here there today tomorrow yesterday now then";

/// What two spellings of one name share.
pub fn name_key(name: &str) -> String {
    text::name_form(name)
}

/// Whether a span names nothing in particular.
pub fn is_vague(span: &str) -> bool {
    let span = span.trim();
    if !span.chars().any(char::is_alphanumeric) {
        return true;
    }
    let lower = span.to_lowercase();
    if ANYBODY.split_ascii_whitespace().any(|word| word == lower) {
        return true;
    }
    match span.split_once(char::is_whitespace) {
        Some((first, rest)) => {
            POINTERS.contains(&first.to_lowercase().as_str())
                && !rest.trim_start().starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        }
        None => POINTERS.contains(&lower.as_str()),
    }
}

/// Whether likeness says anything about this name. "Guitar" and "bass guitar" are words, and words that look alike are not
/// one thing; names are capitalised, carry a number, stand in a script without capitals, or are of a kind that has names.
pub(crate) fn is_proper(name: &str, kind: &str) -> bool {
    match family(kind) {
        Some(Family::Topic | Family::Date | Family::Food | Family::Language | Family::Event) => false,
        Some(Family::Person | Family::Organization | Family::Place) => true,
        _ => name
            .chars()
            .any(|c| c.is_uppercase() || c.is_numeric() || (c.is_alphabetic() && !c.is_lowercase())),
    }
}
