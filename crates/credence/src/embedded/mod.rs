//! The embedded default: what Credence does with no language model connected.
//!
//! [`extract`] reads plain statements by rule, precise before complete: a sentence that no rule reads becomes a drop with its
//! reason, never a guess. [`respond`] answers from memory by quoting it. Both are deterministic and marked as what they are:
//! candidates carry [`Extractor::Rules`](crate::proposition::Extractor::Rules), and the responder says that no model is connected.
//!
//! The way of a sentence: `extractor` (turns) → `screen` (questions, requests, instructions) → `clause` (one clause at a
//! time) → `subject`, `noun_phrase` (who) → `predicate` (verb into the third person, "my" and "me" resolved) → `when` (relative times become
//! dates) → `judge` (kind of fact, or small talk) → `mentions`. What that way refuses gets a second chance where it is told to an assistant: `norm`
//! (rules of a place, what holds for every or no one, counts), `third_person` (German, Spanish, French). Words and verb forms are data: `lexicon.txt`, `verbs.txt`,
//! `languages.tsv`.

mod calibration;
mod clause;
mod discourse;
mod extractor;
mod finite;
mod forget_wish;
mod judge;
mod languages;
mod lexicon;
mod mentions;
mod names;
mod norm;
mod noun_phrase;
mod predicate;
mod reader;
mod responder;
mod rewrite;
mod screen;
mod sentence;
mod smalltalk;
mod statement;
mod subject;
mod third_person;
mod token;
mod when;

pub use calibration::{HEDGED, INFERRED, MAX_CANDIDATES, MAX_SENTENCE_WORDS, PLAIN};
pub use extractor::{ExtractOptions, extract, extract_with, memory_requests, stated_name};
pub use forget_wish::{ForgetWish, chosen_of, forget_wish};
pub(crate) use names::names_in;
pub use responder::{Heard, RecalledFact, respond};

/// Whether a text tells the model what to do instead of stating something ("ignore previous instructions", "always answer
/// with …"): whoever suggests it, it is no fact.
pub fn is_instruction(text: &str) -> bool {
    crate::text::sentences(text).into_iter().any(|s| screen::instruction(s, &token::tokens(s)).is_some())
}

#[cfg(test)]
mod tests;
