//! Names in running text by rule: what is capitalised where a sentence gives no reason for a capital.
//!
//! Precise before complete, and only where capitals tell: in German every noun has one, in scripts without case none, and a
//! sentence that shouts tells nothing. There this reader finds nothing, and known names and models are left. A sentence's
//! first word counts when it is a first name, belongs to a longer name, or is capitalised inside another sentence too.

use std::collections::BTreeSet;

use super::lexicon::{Set, forms, is, is_adverb, is_first_name};
use super::mentions::name_at;
use super::token::{Tok, render, tokens};
use crate::text::{Language, is_stopword, language, sentences};

/// Words that make what they stand in an organization.
const ORGANIZATION_WORDS: [&str; 22] = [
    "inc",
    "ltd",
    "llc",
    "gmbh",
    "ag",
    "corp",
    "corporation",
    "company",
    "university",
    "institute",
    "bank",
    "college",
    "school",
    "club",
    "foundation",
    "association",
    "ministry",
    "hospital",
    "orchestra",
    "agency",
    "society",
    "party",
];

/// Titles that make what follows a person.
const TITLES: [&str; 8] = ["mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir"];

/// Names with the kind that their surroundings tell, which may be empty: in order of first mention, each once.
pub(crate) fn names_in(text: &str) -> Vec<(String, &'static str)> {
    if language(text) == Language::German {
        return Vec::new();
    }
    let read: Vec<Vec<Tok>> = sentences(text)
        .into_iter()
        .filter(|sentence| sentence.chars().any(char::is_lowercase))
        .map(tokens)
        .collect();
    let inside: BTreeSet<&str> = read
        .iter()
        .flat_map(|t| t.iter().skip(1))
        .filter(|t| t.is_capital())
        .map(|t| t.text.as_str())
        .collect();
    let mut found: Vec<(String, &'static str)> = Vec::new();
    for sentence in &read {
        let mut at = 0;
        while at < sentence.len() {
            let starts = at == 0 || is_opening(&sentence[at - 1]);
            let Some(len) = name_at(sentence, at).filter(|_| !(starts && is_common(&sentence[at]))) else {
                at += 1;
                continue;
            };
            let (name, first) = (render(&sentence[at..at + len]), &sentence[at]);
            let is_sure =
                !starts || len > 1 || is_first_name(&first.low) || inside.contains(first.text.as_str());
            if is_sure
                && !is_calendar_or_people(sentence, at, len)
                && !found.iter().any(|(known, _)| *known == name)
            {
                let kind = kind_of(sentence, at, len);
                found.push((name, kind));
            }
            at += len;
        }
    }
    found
}

/// After these a capital may be the beginning of a sentence's own.
fn is_opening(token: &Tok) -> bool {
    token.is("\"") || token.is(":") || token.is("(") || token.is("-") || token.is("•") || token.is("*")
}

/// A word that a sentence begins with for its own sake.
fn is_common(token: &Tok) -> bool {
    !is_first_name(&token.low)
        && (is_stopword(&token.low)
            || is_adverb(&token.low)
            || forms(&token.low) != 0
            || [Set::Preposition, Set::Determiner, Set::Wh, Set::Imperative, Set::ChatterStart, Set::Lead]
                .into_iter()
                .any(|set| is(set, &token.low)))
}

/// "March", "Mondays", and the adjective of a people alone name nothing to be told apart.
fn is_calendar_or_people(sentence: &[Tok], at: usize, len: usize) -> bool {
    let low = &sentence[at].low;
    len == 1
        && (is(Set::Month, low)
            || is(Set::Weekday, low.trim_end_matches('s'))
            || is(Set::Demonym, low)
            || low == "i")
}

fn kind_of(sentence: &[Tok], at: usize, len: usize) -> &'static str {
    let bare = |t: &Tok| t.low.trim_end_matches('.').to_owned();
    let name = &sentence[at..at + len];
    let before = at.checked_sub(1).map_or("", |n| sentence[n].low.as_str());
    if name.iter().any(|t| ORGANIZATION_WORDS.contains(&bare(t).as_str())) {
        "Organization"
    } else if is_first_name(&name[0].low) || TITLES.contains(&bare(&name[0]).as_str()) {
        "Person"
    } else if matches!(before, "in" | "near" | "towards") {
        "Place"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn names_are_found_and_what_only_begins_a_sentence_is_not() {
        let text = "Yesterday we met Ana Berg in Kleve. Breakfast was late, but Acme Corp paid. \
                    On Monday the British press wrote about Zorblax. Zorblax is new. I LOVE THIS. WE WILL WIN.";
        let found = names_in(text);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["Ana Berg", "Kleve", "Acme Corp", "Zorblax"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        for word in ["Yesterday", "Breakfast", "Monday", "British", "On", "WE WILL WIN"] {
            assert!(!names.contains(&word), "{word} in {names:?}");
        }
        assert!(found.contains(&("Ana Berg".into(), "Person")) && found.contains(&("Kleve".into(), "Place")));
        assert!(found.contains(&("Acme Corp".into(), "Organization")));
        assert!(names_in("Der Hund und die Katze haben im Garten mit dem Ball gespielt.").is_empty());
        assert!(names_in("我在青石科技上班。").is_empty());
    }
}
