//! What a name is compared by, and which spans are no names.

use crate::text;

/// The name of a user who has not given one.
pub const UNNAMED_USER: &str = "User";

/// Kinds so general that they fit any other.
const GENERAL: [&str; 4] = ["thing", "entity", "concept", "other"];

/// First words that point instead of naming, when what follows is not capitalised ("the server", but "The Beatles").
const POINTERS: [&str; 26] = [
    "a", "an", "the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their",
    "some", "any", "every", "each", "another", "other", "all", "no", "one", "many", "several", "few",
];

/// Words that stand for anybody or anything.
const ANYBODY: [&str; 30] = [
    "i",
    "you",
    "he",
    "she",
    "it",
    "we",
    "they",
    "me",
    "him",
    "us",
    "them",
    "who",
    "someone",
    "somebody",
    "anyone",
    "anybody",
    "everyone",
    "everybody",
    "nobody",
    "something",
    "anything",
    "everything",
    "nothing",
    "here",
    "there",
    "today",
    "tomorrow",
    "yesterday",
    "now",
    "then",
];

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
    if ANYBODY.contains(&lower.as_str()) {
        return true;
    }
    match span.split_once(char::is_whitespace) {
        Some((first, rest)) => {
            POINTERS.contains(&first.to_lowercase().as_str())
                && !rest.trim_start().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        }
        None => POINTERS.contains(&lower.as_str()),
    }
}

/// Whether a thing with these labels may be of this kind: unknown and general kinds fit all.
pub fn compatible(labels: &[String], kind: &str) -> bool {
    let general =
        |kind: &str| kind.trim().is_empty() || GENERAL.contains(&kind.trim().to_lowercase().as_str());
    let kind = kind.trim();
    general(kind) || labels.iter().all(|l| general(l)) || labels.iter().any(|l| l.eq_ignore_ascii_case(kind))
}
