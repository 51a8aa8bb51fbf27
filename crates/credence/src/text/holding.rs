//! Whether a text says what a statement says: the check behind summaries and answers, by words alone.
//!
//! Three steps, each on whole terms and never on substrings. No sentence may exclude the statement. Enough of its terms must be
//! there (core 8: a share of the significant words, which is blind to denial and short numbers and therefore only the first step).
//! And the sentences that speak of it must give its numbers, dates and names and take its side, clause by clause. What is
//! merely worded otherwise passes; what cannot be read in a language's clauses is compared by its words of denial.

use std::collections::BTreeSet;

use super::dates::compatible;
use super::language::is_stopword;
use super::negation::{Polarity, marks_denial, polarity};
use super::opposition::opposes;
use super::particulars::{DifferenceKind, Particulars};
use super::sentences::sentences;
use super::words::{content_terms, terms, words};

/// How a text holds a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Holding {
    /// The statement has no word that could be looked for.
    Nothing,
    /// It is said. The share of its terms that were found, 0 to 1.
    Held(f64),
    /// It is not said. The share of its terms that were found, below the floor.
    Missing(f64),
    /// The text speaks of it and says something else.
    Altered {
        /// In what.
        kind: DifferenceKind,
        /// The sentence.
        sentence: String,
        /// What is different, in words for a person.
        reason: String,
    },
}

/// Whether `text` holds `statement`. `floor` is the least share of the statement's terms, 0 to 1; at 0 nothing can be missing, but
/// what is contradicted still counts as altered. An empty text holds nothing, whatever the floor.
pub fn holding(statement: &str, text: &str, floor: f64) -> Holding {
    if words(statement).iter().all(|word| is_stopword(word)) {
        return Holding::Nothing;
    }
    let all: Vec<&str> = sentences(text);
    if all.is_empty() {
        return Holding::Missing(0.0);
    }
    for sentence in &all {
        if let Some(found) = opposes(statement, sentence) {
            return altered(DifferenceKind::Opposition, sentence, found.reason);
        }
    }
    let wanted: BTreeSet<String> = content_terms(statement).into_iter().collect();
    let share = share(&wanted, &terms(text).into_iter().collect());
    if share < floor {
        return Holding::Missing(share);
    }
    if floor == 0.0 {
        return Holding::Held(share);
    }
    match particular_lost(statement, &wanted, text, &all) {
        Some((kind, sentence, reason)) => altered(kind, sentence, reason),
        None => Holding::Held(share),
    }
}

fn altered(kind: DifferenceKind, sentence: &str, reason: String) -> Holding {
    Holding::Altered { kind, sentence: sentence.to_owned(), reason }
}

/// The share of `wanted` that `there` has; 1 when nothing is wanted.
fn share(wanted: &BTreeSet<String>, there: &BTreeSet<String>) -> f64 {
    if wanted.is_empty() { 1.0 } else { wanted.intersection(there).count() as f64 / wanted.len() as f64 }
}

/// A sentence and what of it is compared.
struct Piece<'a> {
    text: &'a str,
    terms: BTreeSet<String>,
    particulars: Particulars,
}

impl<'a> Piece<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, terms: terms(text).into_iter().collect(), particulars: Particulars::of(text) }
    }
}

/// The number, date, name or side of the statement that the sentences speaking of it do not have, and where.
fn particular_lost<'a>(
    statement: &str,
    wanted: &BTreeSet<String>,
    text: &str,
    all: &[&'a str],
) -> Option<(DifferenceKind, &'a str, String)> {
    let ours = Particulars::of(statement);
    let names: BTreeSet<String> = ours.names.iter().flat_map(|name| terms(name)).collect();
    let matter: BTreeSet<&String> = wanted.difference(&names).collect();
    let speaks = |piece: &Piece<'_>| {
        matter.iter().any(|term| piece.terms.contains(*term)) || names.is_subset(&piece.terms)
    };
    let pieces: Vec<Piece<'a>> = all.iter().map(|sentence| Piece::of(sentence)).filter(speaks).collect();
    // The best one stands for all of them when something has to be shown.
    let best = pieces.iter().max_by_key(|piece| {
        (wanted.intersection(&piece.terms).count(), std::cmp::Reverse(piece.text.len()))
    })?;

    let known = |there: &dyn Fn(&Particulars) -> bool| pieces.iter().any(|piece| there(&piece.particulars));
    if let Some(number) = ours.numbers.iter().find(|n| !known(&|p| p.numbers.contains(*n))) {
        return Some((DifferenceKind::Number, best.text, lost("number", number, &best.particulars.numbers)));
    }
    if let Some((number, unit)) =
        ours.units.iter().find(|(n, unit)| !known(&|p| p.units.get(*n).is_none_or(|there| there == *unit)))
    {
        return Some((DifferenceKind::Unit, best.text, format!("the unit of {number} is {unit}")));
    }
    if let Some(date) = ours.dates.iter().find(|d| !known(&|p| p.dates.iter().any(|t| compatible(d, t)))) {
        return Some((DifferenceKind::Date, best.text, lost("date", date, &best.particulars.dates)));
    }
    // Whom a statement is about may be named a sentence earlier; whom else it names stands where it is spoken of.
    let everywhere: BTreeSet<String> = terms(text).into_iter().collect();
    let first = words(statement).into_iter().next().unwrap_or_default();
    let first = first.strip_suffix("'s").unwrap_or(&first);
    let named = |name: &String| {
        let name_terms = terms(name);
        let stands = |there: &BTreeSet<String>| name_terms.iter().all(|term| there.contains(term));
        pieces.iter().any(|piece| stands(&piece.terms)) || name == first && stands(&everywhere)
    };
    if let Some(name) = ours.names.iter().find(|name| !named(name)) {
        return Some((DifferenceKind::Name, best.text, lost("name", name, &BTreeSet::new())));
    }
    let side = denies(statement)?;
    let clause = clause_about(wanted, best.text);
    (denies(clause) == Some(!side))
        .then(|| (DifferenceKind::Polarity, best.text, "one of the two denies".to_owned()))
}

fn lost(what: &str, value: &str, instead: &BTreeSet<String>) -> String {
    if instead.is_empty() {
        format!("the {what} {value} is missing")
    } else {
        let instead = instead.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        format!("the {what} is {value}, not {instead}")
    }
}

/// Whether a text denies; `None` when it does both.
fn denies(text: &str) -> Option<bool> {
    match polarity(text) {
        Polarity::Affirmed => Some(false),
        Polarity::Negated => Some(true),
        Polarity::Mixed => None,
        Polarity::Unknown => Some(marks_denial(text)),
    }
}

/// Words between which a clause ends, beside commas and semicolons.
const JOINING: [&str; 16] = [
    "and", "but", "while", "und", "aber", "et", "mais", "y", "pero", "e", "mas", "и", "но", "а", "who",
    "although",
];

/// The clause of a sentence that has most of the statement's terms, as short as it can be without losing one of them.
fn clause_about<'a>(wanted: &BTreeSet<String>, sentence: &'a str) -> &'a str {
    let score = |clause: &str| wanted.intersection(&terms(clause).into_iter().collect()).count();
    let parts = sentence.split([',', ';', '，', '；', '、', ':', '：', '(', ')', '–', '—']);
    let Some(part) = parts.rev().max_by_key(|part| score(part)).filter(|part| score(part) > 0) else {
        return sentence;
    };
    let most = score(part);
    joined(part).into_iter().find(|clause| score(clause) == most).unwrap_or(part)
}

/// A part of a sentence, taken apart at the words that join clauses.
fn joined(part: &str) -> Vec<&str> {
    let (mut clauses, mut start, mut at) = (Vec::new(), 0, 0);
    for word in part.split(' ') {
        if JOINING.contains(&super::fold(word).as_str()) {
            clauses.push(&part[start..at]);
            start = at + word.len();
        }
        at += word.len() + 1;
    }
    clauses.push(&part[start..]);
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(statement: &str, text: &str) {
        assert!(
            matches!(holding(statement, text, 0.5), Holding::Held(_)),
            "{statement} / {text}: {:?}",
            holding(statement, text, 0.5)
        );
    }
    fn altered(statement: &str, text: &str, word: &str) {
        match holding(statement, text, 0.5) {
            Holding::Altered { reason, .. } => {
                assert!(reason.contains(word), "{statement} / {text}: {reason}")
            }
            other => panic!("{statement} / {text}: {other:?}"),
        }
    }

    #[test]
    fn core_189_190_the_share_of_words_that_are_there() {
        let five = "Amber lanterns guard harbour gates";
        let two = "The lanterns and the gates were seen.";
        assert!(
            matches!(holding("amber lanterns guard harbours", "Amber lanterns guard.", 0.5), Holding::Held(s) if s == 0.75)
        );
        assert!(matches!(holding(five, two, 0.5), Holding::Missing(s) if s == 0.4));
        assert!(!matches!(holding(five, two, 0.2), Holding::Missing(_)));
        assert!(matches!(holding(five, "Nothing of the kind.", 0.0), Holding::Held(s) if s == 0.0));
        assert!(matches!(
            holding("amber lanterns guard harbours", "Amber lanterns guard.", 1.0),
            Holding::Missing(_)
        ));
        assert!(
            matches!(holding("amber lanterns guard harbours", "Amber lanterns.", 0.5), Holding::Held(s) if s == 0.5)
        );
        assert!(
            matches!(holding("The cat sat", "Concatenated satellites", 0.5), Holding::Missing(s) if s == 0.0),
            "substrings are no words"
        );
    }

    #[test]
    fn core_191_empty_texts_and_stop_words() {
        for text in ["", "  \n", "..."] {
            assert_eq!(holding("Pia owns a kayak", text, 0.0), Holding::Missing(0.0));
        }
        assert_eq!(holding("it is what it was", "Pia owns a kayak", 1.0), Holding::Nothing);
    }

    #[test]
    fn denial_numbers_dates_and_names_count() {
        altered("Baron Krell is not dead", "Baron Krell is dead.", "den");
        altered("The north gate is open", "The north gate is not open.", "den");
        altered("Pia has 2 cats", "Pia lives alone. She has 3 cats.", "not 3");
        altered("Pia ran 5 km", "Pia ran 5 miles on Sunday.", "km");
        altered("The vault opens on 3 May 2026", "The vault opens on 4 May 2026.", "not 2026-05-04");
        altered("Krell gave the key to Orin", "Krell gave the key to Vesna.", "orin");
        altered("Pia eats no meat", "Pia, who is a vet, eats meat.", "den");
        altered("用户有两只猫", "用户有三只猫。", "not 3");
    }

    #[test]
    fn other_words_for_the_same_hold() {
        held("Pia has two cats", "Pia is a vet. She has 2 cats.");
        held("Pia lives in Oslo", "Pia, who never smokes, lives in Oslo.");
        held("Pia eats no meat", "Pia likes tea but does not eat meat.");
        held("The vault opens on 3 May 2026", "They learned that the vault opens on 2026-05-03.");
        held("Krell gave the key to Orin", "The key was given to Orin by Krell.");
        held("Pia isst kein Fleisch", "Pia mag Tee, isst aber kein Fleisch.");
        held("用户喜欢茶", "用户住在柏林，喜欢茶。");
    }
}
