//! Whether two statements cannot both hold, decided from the words alone.
//!
//! Four shapes are seen: one denies what the other says; they take opposite sides on one thing ("loves",
//! "can't stand"); they differ in one word and its opposite ("allowed", "forbidden"); they give two values to
//! what has one ("lives in Oslo", "lives in Bergen"). Everything else is left to a later step: the answer
//! `None` means "not seen here", never "compatible". Precision comes before recall, because what is found
//! here is acted on without a model.

use std::collections::BTreeSet;

use super::antonyms::{exclude, opposite_ends};
use super::canonical::canonical_words;
use super::comparable::ComparableText;
use super::language::{Language, candidates};
use super::negation::{Clause, Reading, longest, without_companions};
use super::preference::{Taste, taste};
use super::stem::{is_past_form, stem};

/// How two statements are opposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OppositionKind {
    /// The same statement, affirmed and denied.
    Negation,
    /// The same statement but for a word and its opposite.
    Antonym,
    /// Liking and disliking of one thing.
    Preference,
    /// Two values of what has one value at a time.
    Value,
}

/// Two statements that cannot both hold, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposition {
    /// Which shape was seen.
    pub kind: OppositionKind,
    /// The reason in words for a person.
    pub reason: String,
}

/// Articles, which two statements of one thing may differ by. The Chinese verb is here because its negation
/// holds it.
const ARTICLES: [&str; 28] = [
    "a", "an", "the", "some", "ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem",
    "le", "la", "les", "l", "un", "une", "des", "de", "du", "d", "el", "los", "las", "有",
];
/// Words of time and emphasis, which they may differ by as well.
const SOFT: &[&str] = &[
    "after all",
    "finalement",
    "al final",
    "después de todo",
    "at the moment",
    "these days",
    "as well",
    "now",
    "still",
    "currently",
    "really",
    "also",
    "just",
    "already",
    "actually",
    "today",
    "nowadays",
    "any more",
    "anymore",
    "definitely",
    "truly",
    "absolutely",
    "jetzt",
    "noch",
    "auch",
    "maintenant",
    "toujours",
    "ahora",
    "todavía",
    "сейчас",
    "теперь",
];

/// Why two statements cannot both hold; `None` when that is not plain from their words. A question opposes
/// nothing.
pub fn opposes(a: &str, b: &str) -> Option<Opposition> {
    ComparableText::new(a).opposes(&ComparableText::new(b))
}

impl ComparableText {
    /// As [`opposes`] has it.
    pub fn opposes(&self, other: &Self) -> Option<Opposition> {
        let asks = |text: &str| text.trim_end().ends_with(['?', '？', '؟']);
        if asks(self.text()) || asks(other.text()) || self.canonical() == other.canonical() {
            return None;
        }
        let (left, right) = (self.reading(), other.reading());
        opposed(left, right)
            .or_else(|| match are_alike(left, right) {
                true => opposed_in_one_language(self, other),
                false => None,
            })
            .or_else(|| value(self, other))
    }
}

fn opposed(left: &Reading, right: &Reading) -> Option<Opposition> {
    if left.language == Language::Other || left.clauses.is_empty() || right.clauses.is_empty() {
        return None;
    }
    preference(left, right).or_else(|| same_shape(left, right))
}

/// Whether half of the words of the shorter one stand in the other.
fn are_alike(left: &Reading, right: &Reading) -> bool {
    let words = |reading: &Reading| reading.clauses.iter().map(|clause| clause.words.len()).sum::<usize>();
    let stands = |word: &&String| right.clauses.iter().any(|clause| clause.words.contains(word));
    let common = left.clauses.iter().flat_map(|clause| &clause.words).filter(stands).count();
    2 * common >= words(left).min(words(right))
}

/// Where the few small words of a short statement fit several languages, both are read in each of them.
fn opposed_in_one_language(a: &ComparableText, b: &ComparableText) -> Option<Opposition> {
    let possible = candidates(&canonical_words(&format!("{} {}", a.text(), b.text())));
    possible.into_iter().find_map(|language| opposed(&a.read_as(language), &b.read_as(language)))
}

/// How many words two texts have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Jaccard's share, on stems and without the words that deny; 0 where either has none or is in a language that is not read.
    pub share: f64,
    /// Whether one of them has no word that the other lacks.
    pub is_nested: bool,
}

/// Counts the words that two texts have in common.
pub fn overlap(a: &str, b: &str) -> Overlap {
    ComparableText::new(a).overlap(&ComparableText::new(b))
}

impl ComparableText {
    /// As [`overlap`] has it.
    pub fn overlap(&self, other: &Self) -> Overlap {
        shared(self.stems(), other.stems())
    }
}

/// The stems of a text's words, without those that deny.
pub(super) fn stems(reading: &Reading) -> BTreeSet<String> {
    reading.clauses.iter().flat_map(|clause| &clause.words).map(|word| stem(word)).collect()
}

fn shared(ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> Overlap {
    if ours.is_empty() || theirs.is_empty() {
        return Overlap { share: 0.0, is_nested: false };
    }
    let common = ours.intersection(theirs).count();
    let share = common as f64 / ours.union(theirs).count() as f64;
    Overlap { share, is_nested: common == ours.len().min(theirs.len()) }
}

fn preference(left: &Reading, right: &Reading) -> Option<Opposition> {
    let ([left], [right]) = (left.clauses.as_slice(), right.clauses.as_slice()) else { return None };
    let (one, other) = (taste(left)?, taste(right)?);
    let same = plain(liking(&one.subject)) == plain(liking(&other.subject))
        && plain(&one.object) == plain(&other.object);
    if !same || !Taste::clash(&one, &other) {
        return None;
    }
    let reason = format!(
        "{} and {} are opposite attitudes of {} towards {}",
        one.quote(),
        other.quote(),
        one.subject.join(" "),
        one.object.join(" ")
    );
    Some(Opposition { kind: OppositionKind::Preference, reason })
}

/// "A Ivo le encanta" is about Ivo.
fn liking(subject: &[String]) -> &[String] {
    match subject {
        [a, name @ .., le] if a == "a" && matches!(le.as_str(), "le" | "les") && !name.is_empty() => name,
        _ => subject,
    }
}

/// The words that have to agree: without articles and soft words.
fn plain(words: &[String]) -> Vec<String> {
    let words = without_companions(words, SOFT);
    words.iter().filter(|word| !ARTICLES.contains(&word.as_str())).map(|word| stem(word)).collect()
}

/// Negation and antonyms: clause by clause the same words, but for one difference.
fn same_shape(left: &Reading, right: &Reading) -> Option<Opposition> {
    if left.clauses.len() != right.clauses.len() {
        return None;
    }
    let mut denied: Option<String> = None;
    let mut antonyms: Option<(String, String)> = None;
    for (one, other) in left.clauses.iter().zip(&right.clauses) {
        let (mut ours, mut theirs) = (content(one), content(other));
        let ends = opposite_ends(&ours, &theirs, left.language);
        if let Some(ends) = ends.filter(|_| antonyms.is_none() && one.negated == other.negated) {
            antonyms = Some(ends);
            continue;
        }
        if ours.len() != theirs.len() {
            return None;
        }
        let differing: Vec<usize> = (0..ours.len())
            .filter(|&i| stem(&ours[i]) != stem(&theirs[i]) && !some_and_none(&ours[i], &theirs[i]))
            .collect();
        match differing.as_slice() {
            [] => {}
            [at] if antonyms.is_none() && exclude(&ours[*at], &theirs[*at], left.language) => {
                antonyms = Some((ours.swap_remove(*at), theirs.swap_remove(*at)));
            }
            _ => return None,
        }
        if !same_tense(one, &ours, other, &theirs) {
            return None;
        }
        if one.negated != other.negated {
            if denied.is_some() {
                return None;
            }
            denied = Some(one.words.join(" "));
        }
    }
    match (denied, antonyms) {
        (Some(what), None) => Some(Opposition {
            kind: OppositionKind::Negation,
            reason: format!("one says \"{what}\", the other denies it"),
        }),
        (None, Some((one, other))) => Some(Opposition {
            kind: OppositionKind::Antonym,
            reason: format!("\"{one}\" and \"{other}\" exclude each other and all else is the same"),
        }),
        _ => None,
    }
}

/// "Nobody lives here" denies "someone lives here".
fn some_and_none(a: &str, b: &str) -> bool {
    const NONE: [&str; 2] = ["nobody", "niemand"];
    const SOME: [&str; 4] = ["somebody", "someone", "anybody", "jemand"];
    (NONE.contains(&a) && SOME.contains(&b)) || (NONE.contains(&b) && SOME.contains(&a))
}

fn content(clause: &Clause) -> Vec<String> {
    let words = without_companions(&clause.words, SOFT);
    words.into_iter().filter(|word| !ARTICLES.contains(&word.as_str())).collect()
}

/// "did not attend" answers "attended"; "liked" does not answer "does not like", which may both be true.
fn same_tense(one: &Clause, ours: &[String], other: &Clause, theirs: &[String]) -> bool {
    let past = |clause: &Clause, words: &[String]| {
        clause.past_auxiliary || words.iter().any(|word| is_past_form(word))
    };
    past(one, ours) == past(other, theirs)
}

fn value(a: &ComparableText, b: &ComparableText) -> Option<Opposition> {
    let reason = a.slot()?.conflict(b.slot()?)?;
    Some(Opposition { kind: OppositionKind::Value, reason })
}

/// The phrase that `rest` starts with and its length.
pub(super) fn starts_with<'a>(phrases: &'a [&'a str], rest: &[String]) -> Option<(usize, &'a str)> {
    let n = longest(phrases, rest)?;
    phrases
        .iter()
        .find(|phrase| phrase.split(' ').eq(rest[..n].iter().map(String::as_str)))
        .map(|phrase| (n, *phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposed(a: &str, b: &str, kind: OppositionKind) {
        for (x, y) in [(a, b), (b, a)] {
            let found = opposes(x, y);
            assert_eq!(found.as_ref().map(|o| o.kind), Some(kind), "{x} / {y}: {found:?}");
        }
    }
    fn silent(a: &str, b: &str) {
        assert_eq!(opposes(a, b), None, "{a} / {b}");
        assert_eq!(opposes(b, a), None, "{b} / {a}");
    }

    #[test]
    fn denial() {
        // Case 23.
        opposed("Night deploys are allowed.", "Night deploys are not allowed.", OppositionKind::Negation);
        for (a, b) in [
            ("Pia works at Acme", "Pia no longer works at Acme."),
            ("Pia smokes", "Pia doesn't smoke"),
            ("Pia attended the meeting", "Pia did not attend the meeting"),
            ("Pia has a cat", "Pia has no cats"),
            ("Pia eats meat", "Pia never eats meat"),
            ("Pia smokes", "Pia stopped smoking"),
            ("Pia isst Fleisch", "Pia isst kein Fleisch"),
            ("Pia ist verheiratet", "Pia ist nicht mehr verheiratet"),
            ("Pia habite à Oslo", "Pia n'habite plus à Oslo"),
            ("Pia vive en Madrid", "Pia ya no vive en Madrid"),
            ("Пиа ест мясо", "Пиа больше не ест мясо"),
            ("用户吃肉", "用户不吃肉"),
            ("用户有猫", "用户没有猫"),
        ] {
            opposed(a, b, OppositionKind::Negation);
        }
    }

    #[test]
    fn likes_and_dislikes() {
        // Case 21.
        opposed("Pia loves techno.", "Pia can't stand techno any more.", OppositionKind::Preference);
        for (a, b) in [
            ("Pia enjoys hiking", "Pia hates hiking"),
            ("The user likes tea", "User dislikes tea."),
            ("Pia loves techno", "Pia does not like techno"),
            ("Pia is a big fan of jazz", "Pia detests jazz"),
            ("I love techno", "I really can't stand techno anymore"),
            ("Pia liebt Techno", "Pia hasst Techno"),
            ("Pia mag Techno", "Pia mag Techno nicht mehr"),
            ("Pia adore la techno", "Pia déteste la techno"),
            ("A Pia le gusta el techno", "A Pia ya no le gusta el techno"),
            ("Пиа любит техно", "Пиа ненавидит техно"),
            ("用户喜欢茶", "用户讨厌茶"),
            ("用户喜欢茶", "用户不喜欢茶"),
        ] {
            opposed(a, b, OppositionKind::Preference);
        }
    }

    #[test]
    fn opposite_words() {
        for (a, b) in [
            ("Night deploys are allowed", "Night deploys are forbidden"),
            ("Bo is alive", "Bo is dead."),
            ("The shop is open on Sundays", "The shop is closed on Sundays"),
            ("Pia is single", "Pia is married"),
            ("Rauchen ist erlaubt", "Rauchen ist verboten"),
            ("Die Tür ist offen", "Die Tür ist verschlossen"),
            ("Der Kater lebt", "Der Kater ist tot"),
            ("La puerta está abierta", "La puerta está cerrada"),
            ("La porte est ouverte", "La porte est fermée"),
            ("Le conseil a approuvé le plan", "Le conseil a rejeté le plan"),
        ] {
            opposed(a, b, OppositionKind::Antonym);
        }
    }

    #[test]
    fn two_values_of_one() {
        opposed("Nia lives in Oslo.", "Nia lives in Bergen.", OppositionKind::Value);
        opposed("Nia lives in Oslo.", "Nia moved to Bergen.", OppositionKind::Value);
        opposed("Nia is 34 years old", "Nia is 35 years old", OppositionKind::Value);
    }

    #[test]
    fn overlap_counts_words_and_not_substrings() {
        let found = overlap("The king is not breathing alive", "The king is alive");
        assert_eq!(found, Overlap { share: 0.8, is_nested: true });
        assert!(!overlap("The north gate is open", "The south gate is not open").is_nested);
        assert_eq!(overlap("", "Pia"), Overlap { share: 0.0, is_nested: false });
        assert_eq!(
            overlap("ピアはお茶が好きです", "ピアはお茶が好きです").share,
            0.0,
            "a language that is not read"
        );
    }

    #[test]
    fn silence_when_in_doubt() {
        for (a, b) in [
            ("Nia knows Bo.", "Nia knows Cy."),
            ("Pia loves techno", "Bo hates techno"),
            ("Pia loves techno", "Pia hates trance"),
            ("Pia likes tea", "Pia does not love tea"),
            ("Pia liked techno", "Pia does not like techno"),
            ("Night deploys are not allowed", "Night deploys are forbidden"),
            ("Pia is not only a vet", "Pia is a vet"),
            ("Pia likes tea but not coffee", "Pia likes coffee but not tea"),
            ("Does Pia like tea?", "Pia does not like tea"),
            ("Pia loves techno", "Pia loves techno!"),
            ("Pia likes techno", "Pia likes techno a lot"),
            ("Pia lives in Oslo", "Pia lives in Oslo with Bo"),
            ("Pia lives in Norway", "Pia lives in Oslo"),
            ("Pia has 2 cats", "Pia has 3 cats"),
            ("Pia might hate tea", "Pia likes tea"),
            ("Bo thinks Pia hates tea", "Pia likes tea"),
            ("Pia buys apples", "Pia sells apples"),
            ("The shop was closed", "The shop is open"),
            ("The door is open in summer", "The door is closed in winter"),
            ("La porte était fermée", "La porte est ouverte"),
            ("", "Pia"),
        ] {
            silent(a, b);
        }
    }
}
