//! Plain statements read as "subject, relation, value", with how many values the relation has and what is said about time.
//!
//! The reader knows a short list of sentence shapes and refuses everything else: questions, negations, hedges ("might",
//! "wants to") and sentences of several clauses. English is read here; German, French, Spanish, Portuguese, Russian and
//! Chinese by the patterns of [`super::slot_foreign`]. In other languages nothing is read, and conflicts are left to
//! the model. The relation is named in English whatever the language, so that statements in two languages can meet.

use super::cardinality::{Cardinality, cardinality, is_listed};
use super::dates;
use super::fold;
use super::language::Language;
use super::negation::{Polarity, polarity};
use super::slot_foreign;
use super::slot_shapes::{
    BASE_FORMS, ENDED, HEDGES, NOT_OWNED, PRONOUNS, SEVERAL_ROLES, SUBJECT_ADVERBS, Shape, TRAILING,
    UNIQUE_ROLES, VALUE_ENDS, VERBS,
};
use super::stem::is_past_form;

/// What a statement says about when it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// As it is said: "lives in Oslo".
    Now,
    /// From an event on: "moved to Oslo".
    Began,
    /// It did: "lived in Oslo", "used to live in Oslo".
    Past,
}

/// A statement as subject, relation and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// As written, without the possessive; "I" for "my".
    pub subject: String,
    /// The relation in English words, for example `lives in`, `works at`, `favourite colour`, `knows`.
    pub relation: String,
    /// As written, without trailing time and manner.
    pub value: String,
    /// How many values one subject has.
    pub cardinality: Cardinality,
    /// What is said about time.
    pub held: Held,
    /// Whether the subject names one and the same every time: "Nia", not "Nia's sister".
    pub is_unique: bool,
    /// The language that it was read in.
    pub language: Language,
}

impl Slot {
    pub(super) fn new(
        subject: String,
        relation: &str,
        value: String,
        held: Held,
        language: Language,
    ) -> Self {
        let is_unique = is_unique(&subject);
        let cardinality = cardinality(relation);
        Self { subject, relation: relation.to_owned(), value, cardinality, held, is_unique, language }
    }
}

/// "Nia's sister" may be one of several; "Nia's wife" and "Nia Berg" are one.
fn is_unique(subject: &str) -> bool {
    let folded = fold(subject).replace('’', "'");
    let words: Vec<&str> = folded.split(' ').collect();
    let owned = words.iter().position(|word| word.ends_with("'s") || word.ends_with("s'") || *word == "my");
    if let Some(at) = owned {
        return words.len() == at + 2 && UNIQUE_ROLES.contains(&words[at + 1]);
    }
    !folded.contains('的') && !words.iter().any(|word| SEVERAL_ROLES.contains(word))
}

/// One word as written and as it is compared.
struct Token<'a> {
    written: &'a str,
    folded: String,
}

/// Reads a plain statement; `None` where it is not one of the known shapes.
pub fn slot(text: &str) -> Option<Slot> {
    let text = text.trim();
    if text.ends_with(['?', '？']) || text.len() > 200 || polarity(text) != Polarity::Affirmed {
        return None;
    }
    english(text).or_else(|| slot_foreign::read(text))
}

/// Reads a statement by a predicate that a schema declares: "Nia collects stamps" by `collects`. The words before it are the
/// subject, those behind it the value; `None` for what is denied, asked or not plain.
pub fn slot_by(text: &str, predicate: &str) -> Option<Slot> {
    let text = text.trim();
    if text.ends_with(['?', '？']) || text.len() > 200 || polarity(text) != Polarity::Affirmed {
        return None;
    }
    let wanted = super::predicate_words(predicate);
    let tokens: Vec<Token> = text
        .trim_end_matches(['.', '!', '。'])
        .split_whitespace()
        .map(|written| Token { written, folded: folded(written) })
        .collect();
    let n = wanted.len();
    let fits = |at: &usize| {
        n > 0
            && tokens.len() > at + n
            && tokens[*at..at + n].iter().map(|token| &token.folded).eq(wanted.iter())
    };
    let at = (1..tokens.len()).find(fits)?;
    let hedged = tokens.iter().any(|token| HEDGES.contains(&token.folded.as_str()));
    let subject = subject(&tokens[..at], false).filter(|_| !hedged)?;
    finish(subject, &wanted.join(" "), &tokens[at + n..], Held::Now)
}

fn english(text: &str) -> Option<Slot> {
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
    let ended = tokens.iter().any(|token| ENDED.contains(&token.folded.as_str()));
    // "used to" belongs to its phrase; the other words only say that it is over.
    let tokens: Vec<Token> = without_adverbs(opened(tokens));
    let slot = attribute(&tokens).or_else(|| verb(&tokens))?;
    (!ended || slot.held == Held::Past).then_some(slot)
}

/// "In 2019 Nia lived in Oslo": a time that stands first goes.
fn opened(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let year = |token: &Token| token.folded.len() == 4 && token.folded.bytes().all(|b| b.is_ascii_digit());
    let skip = match tokens.as_slice() {
        [first, time, ..] if matches!(first.folded.as_str(), "in" | "until" | "since") && year(time) => 2,
        _ => 0,
    };
    tokens.into_iter().skip(skip).collect()
}

fn without_adverbs(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let adverb = |word: &str| word != "used" && ENDED.contains(&word);
    tokens.into_iter().filter(|token| !adverb(&token.folded)).collect()
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
    let relation = match noun.as_str() {
        "wife" | "husband" | "spouse" => "married to".to_owned(),
        "mother tongue" => "native language".to_owned(),
        "blood group" => "blood type".to_owned(),
        "date of birth" | "birth date" => "birthday".to_owned(),
        "birthplace" | "place of birth" => "born in".to_owned(),
        "zodiac sign" => "star sign".to_owned(),
        _ => noun,
    };
    is_listed(&relation).then(|| finish(subject, &relation, value, Held::Now)).flatten()
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
                "married to" if n == 1 && rest.first().is_none_or(|token| !is_name(token)) => None,
                "has" if rest.first().is_none_or(|token| is_auxiliary_of(&token.folded)) => None,
                "born" => born(subject, rest),
                relation => finish(subject, relation, rest, shape.held),
            };
        }
    }
    None
}

/// "Nia married Bo", not "Nia married young".
fn is_name(token: &Token) -> bool {
    token.written.chars().next().is_some_and(char::is_uppercase)
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
    let held = if verb == "turned" { Held::Began } else { Held::Now };
    (number && plain).then(|| Slot::new(subject, "age", years, held, Language::English))
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
    finish(subject, relation, value, Held::Now)
}

fn finish(subject: String, relation: &str, value: &[Token], held: Held) -> Option<Slot> {
    let skip = usize::from(relation == "birthday" && value.first().is_some_and(|token| token.folded == "on"));
    let mut value = &value[skip..];
    // A value ends where time, company, reason or another clause begins.
    if let Some(end) = value.iter().position(|token| VALUE_ENDS.contains(&token.folded.as_str())) {
        value = &value[..end];
    }
    // "Oslo in 2019": the time is no part of the value, unless it is the value.
    let is_date = matches!(relation, "birthday" | "year of birth");
    if let Some(end) = (1..value.len()).find(|at| !is_date && is_time(&value[*at..])) {
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
    (words > 0 && words <= 8 && !value.is_empty())
        .then(|| Slot::new(subject, relation, value, held, Language::English))
}

/// "in 2019", "on 8 May", "around April 2023".
fn is_time(rest: &[Token]) -> bool {
    let [preposition, time @ ..] = rest else { return false };
    let folded: Vec<String> = time.iter().map(|token| token.folded.clone()).collect();
    let year = folded.first().is_some_and(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()));
    matches!(preposition.folded.as_str(), "in" | "on" | "around" | "at")
        && (year || dates::date_at(&folded).is_some())
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

    fn check(text: &str, subject: &str, relation: &str, value: &str, cardinality: Cardinality) {
        let found = slot(text).unwrap_or_else(|| panic!("{text} is a plain statement"));
        assert_eq!(
            (found.subject.as_str(), found.relation.as_str(), found.value.as_str(), found.cardinality),
            (subject, relation, value, cardinality),
            "{text}"
        );
    }

    #[test]
    fn single_valued_shapes() {
        use Cardinality::{Immutable, One};
        check("Nia lives in Oslo.", "Nia", "lives in", "Oslo", One);
        check("I live in São Paulo now", "I", "lives in", "São Paulo", One);
        check("Nia has moved to Bergen, Norway with Bo", "Nia", "lives in", "Bergen, Norway", One);
        check("Nia moved from Oslo to Bergen", "Nia", "lives in", "Bergen", One);
        check("Dr. Nia Berg works for Acme Inc. as a nurse", "Dr. Nia Berg", "works at", "Acme Inc.", One);
        check("My name is Ada", "I", "name", "Ada", One);
        check("Nia's birthday is on 3 May", "Nia", "birthday", "3 May", Immutable);
        check("Nia was born in 1990", "Nia", "year of birth", "1990", Immutable);
        check("Nia was born in Oslo", "Nia", "born in", "Oslo", Immutable);
        check("Nia is 34 years old", "Nia", "age", "34", One);
        check("Nia recently got married to Bo", "Nia", "married to", "Bo", One);
        check("Nia and Bo live in Oslo", "Nia and Bo", "lives in", "Oslo", One);
        check("Nia's favourite meal is soup, made by Bo", "Nia", "favourite meal", "soup", One);
        check("Nia is married to Bo", "Nia", "married to", "Bo", One);
        check("Nia's husband is Bo", "Nia", "married to", "Bo", One);
        check("Nia's favorite color is teal", "Nia", "favourite colour", "teal", One);
        check("The capital of Norway is Oslo", "Norway", "capital", "Oslo", One);
    }

    #[test]
    fn many_valued_shapes() {
        use Cardinality::Many;
        check("Nia knows Bo.", "Nia", "knows", "Bo", Many);
        check("The user speaks Polish", "The user", "speaks", "Polish", Many);
        check("Nia owns a red kayak", "Nia", "owns", "a red kayak", Many);
        check("Nia has visited Rome", "Nia", "visited", "Rome", Many);
        check("Nia likes tea", "Nia", "likes", "tea", Many);
    }

    #[test]
    fn what_was_is_told_from_what_is() {
        let held = |text: &str| slot(text).map(|slot| (slot.held, slot.value));
        let past = Some((Held::Past, "Oslo".to_owned()));
        for text in [
            "Nia used to live in Oslo.",
            "Nia lived in Oslo until 2020",
            "In 2019 Nia lived in Oslo",
            "Nia formerly lived in Oslo",
            "Nia once lived in Oslo",
        ] {
            assert_eq!(held(text), past, "{text}");
        }
        assert_eq!(held("Nia moved to Oslo in 2019"), Some((Held::Began, "Oslo".to_owned())));
        assert_eq!(held("Nia lives in Oslo"), Some((Held::Now, "Oslo".to_owned())));
        assert_eq!(held("Nia once lives in Oslo"), None);
        assert!(!slot("Nia's sister lives in Oslo").unwrap().is_unique);
        assert!(slot("Nia's wife lives in Oslo").unwrap().is_unique);
    }

    #[test]
    fn a_declared_predicate_makes_a_slot() {
        let found = slot_by("Nia plays for Rovers since 2019.", "PLAYS_FOR").unwrap();
        assert_eq!(
            (found.subject.as_str(), found.relation.as_str(), found.value.as_str()),
            ("Nia", "plays for", "Rovers")
        );
        assert_eq!(slot_by("Nia does not play for Rovers", "plays for"), None);
        assert_eq!(slot_by("Nia sings", "plays for"), None);
    }

    #[test]
    fn what_is_not_plain_is_not_read() {
        for text in [
            "Does Nia live in Oslo?",
            "Nia does not live in Oslo",
            "Nia might live in Oslo",
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
            "",
        ] {
            assert_eq!(slot(text), None, "{text}");
        }
    }
}
