//! Plain statements read as "subject, relation, value", with whether the relation has one value at a time.
//!
//! The reader knows a short list of English sentence shapes and refuses everything else: questions,
//! negations, hedges ("might", "wants to", "used to") and sentences of several clauses. English only; in
//! other languages nothing is read, and conflicts are left to the model.

use super::dates;
use super::fold;
use super::negation::{Polarity, polarity};
use super::slot_shapes::{
    BASE_FORMS, FUNCTIONAL_NOUNS, HEDGES, NOT_OWNED, PRONOUNS, SUBJECT_ADVERBS, Shape, TRAILING, VALUE_ENDS,
    VERBS,
};
use super::stem::is_past_form;

/// A statement as subject, relation and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// As written, without the possessive; "I" for "my".
    pub subject: String,
    /// The relation in words, for example `lives in`, `works at`, `favourite colour`, `knows`.
    pub relation: String,
    /// As written, without trailing time and manner.
    pub value: String,
    /// Whether one subject has one value at a time.
    pub single_valued: bool,
}

/// One word as written and as it is compared.
struct Token<'a> {
    written: &'a str,
    folded: String,
}

/// Reads a plain statement; `None` where it is not one of the known shapes.
pub fn slot(text: &str) -> Option<Slot> {
    let text = text.trim();
    if text.ends_with('?') || text.len() > 200 || polarity(text) != Polarity::Affirmed {
        return None;
    }
    let text = text.trim_end_matches(['.', '!', '。']);
    if text.contains(['.', ';', ':', '?', '!', '\n'])
        && text.split_inclusive(['.', ';', ':', '?', '!', '\n']).any(ends_clause)
    {
        return None;
    }
    let tokens: Vec<Token> =
        text.split_whitespace().map(|written| Token { written, folded: folded(written) }).collect();
    // "May" within a sentence is the month.
    let month = |token: &Token| token.written.starts_with("May");
    if tokens.iter().any(|token| HEDGES.contains(&token.folded.as_str()) && !month(token)) {
        return None;
    }
    attribute(&tokens).or_else(|| verb(&tokens))
}

/// A piece that ends at sentence punctuation and not inside an abbreviation or number.
fn ends_clause(piece: &str) -> bool {
    piece.ends_with([';', ':', '?', '!', '\n'])
        || (piece.ends_with('.')
            && piece.trim_end_matches('.').rsplit(' ').next().is_some_and(|w| w.len() > 3))
}

fn folded(written: &str) -> String {
    let edge = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '+' | '#' | '$' | '€');
    fold(written.trim_matches(edge)).replace('’', "'")
}

/// "X's birthday is Y", "my favourite colour is Y", "the capital of X is Y".
fn attribute(tokens: &[Token]) -> Option<Slot> {
    let is = tokens.iter().position(|token| token.folded == "is")?;
    let (head, value) = (&tokens[..is], &tokens[is + 1..]);
    let folded: Vec<&str> = head.iter().map(|token| token.folded.as_str()).collect();
    let (subject, noun) = if let ["the", noun, "of", ..] = folded.as_slice() {
        (subject(&head[3..], false)?, (*noun).to_owned())
    } else {
        let owner = head.iter().position(|token| {
            token.folded.ends_with("'s") || token.folded.ends_with("s'") || token.folded == "my"
        })?;
        let subject = if head[owner].folded == "my" {
            "I".to_owned()
        } else {
            unpossessed(&subject(&head[..=owner], false)?)
        };
        (subject, folded[owner + 1..].join(" "))
    };
    let noun = noun.replace("favorite", "favourite").replace("color", "colour");
    let functional = noun.starts_with("favourite ") || FUNCTIONAL_NOUNS.contains(&noun.as_str());
    let relation = match noun.as_str() {
        "wife" | "husband" | "spouse" => "married to".to_owned(),
        _ => noun,
    };
    functional.then(|| finish(subject, relation, value, true)).flatten()
}

fn unpossessed(name: &str) -> String {
    let name = name.trim();
    ["'s", "’s", "'", "’"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
}

/// "X lives in Y" and its kind.
fn verb(tokens: &[Token]) -> Option<Slot> {
    for at in 1..tokens.len().min(6) {
        for shape in VERBS {
            let Some(n) = matches_at(shape, &tokens[at..]).or_else(|| moved_from(shape, &tokens[at..]))
            else {
                continue;
            };
            let subject = subject(&tokens[..at], BASE_FORMS.contains(&tokens[at].folded.as_str()))?;
            let rest = &tokens[at + n..];
            return match shape.relation {
                "age" => age(subject, &tokens[at + n - 1].folded, rest),
                "has" if rest.first().is_none_or(|token| is_auxiliary_of(&token.folded)) => None,
                "born" => born(subject, rest),
                relation => finish(subject, relation.to_owned(), rest, shape.single_valued),
            };
        }
    }
    None
}

/// "has seen", "has to go": no possession.
fn is_auxiliary_of(next: &str) -> bool {
    NOT_OWNED.contains(&next) || next.ends_with("ed") || is_past_form(next)
}

/// The subject, if it is plainly one: a short noun phrase that names somebody or something. A verb in its base form
/// ("live", "work") needs the speaker or several subjects before it; after one name it belongs to something else
/// ("Maria's volunteer work at the shelter").
fn subject(tokens: &[Token], base_form: bool) -> Option<String> {
    let adverb = |token: &Token| SUBJECT_ADVERBS.contains(&token.folded.as_str());
    let tokens: Vec<&Token> = tokens.iter().filter(|token| !adverb(token)).collect();
    let words: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
    let (first, last) = (*words.first()?, *words.last()?);
    let unclear = |word: &&str| {
        matches!(*word, "to" | "that" | "who" | "which" | "one" | "having" | "of" | "her" | "his")
    };
    let aside = tokens.iter().any(|token| token.written.contains([',', '(', ')']));
    let several = last == "i" || words.contains(&"and") || last.ends_with('s');
    let plain = words.len() <= 4 && !words.iter().any(unclear) && !aside && !PRONOUNS.contains(&first);
    let name = tokens.iter().map(|token| token.written).collect::<Vec<_>>().join(" ");
    (plain && (several || !base_form)).then(|| name.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
}

fn matches_at(shape: &Shape, rest: &[Token]) -> Option<usize> {
    shape
        .phrases
        .iter()
        .filter_map(|phrase| {
            let words: Vec<&str> = phrase.split(' ').collect();
            (rest.len() >= words.len() && words.iter().zip(rest).all(|(word, token)| *word == token.folded))
                .then_some(words.len())
        })
        .max()
}

/// "moved from X to Y": the words up to and with "to".
fn moved_from(shape: &Shape, rest: &[Token]) -> Option<usize> {
    let moves = shape.relation == "lives in" && rest[0].folded == "moved" && rest.get(1)?.folded == "from";
    moves.then(|| rest.iter().take(8).position(|token| token.folded == "to").map(|at| at + 1)).flatten()
}

/// "is 34 years old", "turned 34"; a bare "is 34" only of the speaker, since anything may be 34.
fn age(subject: String, verb: &str, rest: &[Token]) -> Option<Slot> {
    let years = rest.first()?.folded.clone();
    let after: Vec<&str> = rest[1..].iter().map(|token| token.folded.as_str()).collect();
    let number = years.len() <= 3 && years.bytes().all(|b| b.is_ascii_digit());
    let bare = after.is_empty() && (verb == "turned" || subject == "I");
    let plain =
        bare || matches!(after.as_slice(), ["years", "old"] | ["year", "old"] | ["years", "of", "age"]);
    (number && plain).then(|| Slot { subject, relation: "age".into(), value: years, single_valued: true })
}

/// "was born on 3 May", "was born in 1990", "was born in Oslo".
fn born(subject: String, rest: &[Token]) -> Option<Slot> {
    let preposition = rest.first()?.folded.as_str();
    let value = &rest[1..];
    let first = value.first()?.folded.as_str();
    let year = first.len() == 4 && first.bytes().all(|b| b.is_ascii_digit());
    let relation = match preposition {
        "on" => "birthday",
        "in" if year => "year of birth",
        "in" if first.chars().next()?.is_alphabetic() && !dates::is_month(first) => "born in",
        _ => return None,
    };
    finish(subject, relation.into(), value, true)
}

fn finish(subject: String, relation: String, value: &[Token], single_valued: bool) -> Option<Slot> {
    let skip = usize::from(relation == "birthday" && value.first().is_some_and(|token| token.folded == "on"));
    let mut value = &value[skip..];
    // A value ends where time, company, reason or another clause begins.
    if let Some(end) = value.iter().position(|token| VALUE_ENDS.contains(&token.folded.as_str())) {
        value = &value[..end];
    }
    // "Bergen, Norway" is one place; elsewhere a comma begins an aside.
    let place = relation.ends_with(" in");
    if let Some(end) = value.iter().position(|token| token.written.ends_with(',')).filter(|_| !place) {
        value = &value[..=end];
    }
    while let Some(n) = TRAILING.iter().find_map(|phrase| trailing(phrase, value)) {
        value = &value[..value.len() - n];
    }
    let words = value.len();
    let value = join(value);
    let value = value.trim_matches(|c: char| matches!(c, ',' | '"' | '“' | '”' | ' ')).to_owned();
    (words > 0 && words <= 8 && !value.is_empty()).then_some(Slot { subject, relation, value, single_valued })
}

fn trailing(phrase: &str, value: &[Token]) -> Option<usize> {
    let words: Vec<&str> = phrase.split(' ').collect();
    let start = value.len().checked_sub(words.len())?;
    words.iter().zip(&value[start..]).all(|(word, token)| *word == token.folded).then_some(words.len())
}

fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.written).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, subject: &str, relation: &str, value: &str, single: bool) {
        let found = slot(text);
        let expected = Slot {
            subject: subject.into(),
            relation: relation.into(),
            value: value.into(),
            single_valued: single,
        };
        assert_eq!(found, Some(expected), "{text}");
    }

    #[test]
    fn single_valued_shapes() {
        check("Nia lives in Oslo.", "Nia", "lives in", "Oslo", true);
        check("I live in São Paulo now", "I", "lives in", "São Paulo", true);
        check("Nia has moved to Bergen, Norway with Bo", "Nia", "lives in", "Bergen, Norway", true);
        check("Nia moved from Oslo to Bergen", "Nia", "lives in", "Bergen", true);
        check("Dr. Nia Berg works for Acme Inc. as a nurse", "Dr. Nia Berg", "works at", "Acme Inc.", true);
        check("My name is Ada", "I", "name", "Ada", true);
        check("Nia's birthday is on 3 May", "Nia", "birthday", "3 May", true);
        check("Nia was born in 1990", "Nia", "year of birth", "1990", true);
        check("Nia was born in Oslo", "Nia", "born in", "Oslo", true);
        check("Nia is 34 years old", "Nia", "age", "34", true);
        check("Nia recently got married to Bo", "Nia", "married to", "Bo", true);
        check("Nia and Bo live in Oslo", "Nia and Bo", "lives in", "Oslo", true);
        check("Nia's favourite meal is soup, made by Bo", "Nia", "favourite meal", "soup", true);
        check("Nia is married to Bo", "Nia", "married to", "Bo", true);
        check("Nia's husband is Bo", "Nia", "married to", "Bo", true);
        check("Nia's favorite color is teal", "Nia", "favourite colour", "teal", true);
        check("The capital of Norway is Oslo", "Norway", "capital", "Oslo", true);
    }

    #[test]
    fn many_valued_shapes() {
        check("Nia knows Bo.", "Nia", "knows", "Bo", false);
        check("The user speaks Polish", "The user", "speaks", "Polish", false);
        check("Nia owns a red kayak", "Nia", "owns", "a red kayak", false);
        check("Nia has visited Rome", "Nia", "visited", "Rome", false);
        check("Nia likes tea", "Nia", "likes", "tea", false);
    }

    #[test]
    fn what_is_not_plain_is_not_read() {
        for text in [
            "Does Nia live in Oslo?",
            "Nia does not live in Oslo",
            "Nia might live in Oslo",
            "Nia used to live in Oslo",
            "Nia wants to live in Oslo",
            "Joanna makes desserts that work for everyone",
            "John admires Maria's volunteer work at the shelter",
            "Gina started her own store",
            "Evan feels lucky to have a partner",
            "Joanna has also done that",
            "Joanna has written a story",
            "One of Nia's favourite dishes is soup",
            "Max, the cat, is 8 years old",
            "She lives in Oslo",
            "It is 34",
            "Nia has to go",
            "If Nia lives in Oslo, she skis",
            "Nia is tall",
            "Nia's email is nia@example.org",
            "用户住在柏林",
            "",
        ] {
            assert_eq!(slot(text), None, "{text}");
        }
    }
}
