//! Whether two statements cannot both hold, decided from the words alone.
//!
//! Four shapes are seen: one denies what the other says; they take opposite sides on one thing ("loves",
//! "can't stand"); they differ in one word and its opposite ("allowed", "forbidden"); they give two values to
//! what has one ("lives in Oslo", "lives in Bergen"). Everything else is left to a later step: the answer
//! `None` means "not seen here", never "compatible". Precision comes before recall, because what is found
//! here is acted on without a model.

use std::collections::BTreeSet;

use super::canonical::canonical;
use super::language::Language;
use super::negation::{Clause, Reading, longest, read, without_companions};
use super::preference::{Taste, taste};
use super::slot::slot;
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

/// Words that exclude each other when said of one thing at one time, as stems. Chosen by us. Left out on
/// purpose: pairs that can hold together ("buys" and "sells", "young" and "old" at heart) and pairs of
/// degree.
const ANTONYMS: &[[&str; 2]] = &[
    ["allow|permit|allowed|permitted", "forbidden|prohibit|bann|disallow|prohibited"],
    ["alive|living", "dead|deceas"],
    ["open|opened", "clos|shut"],
    ["marry", "single|unmarry|divorc|widow"],
    ["enabl", "disabl"],
    ["on", "off"],
    ["tru", "fals"],
    ["true", "fals"],
    ["employ", "unemploy|jobless"],
    ["guilty", "innocent"],
    ["present", "absent"],
    ["accept", "reject|declin|refus"],
    ["approv", "reject|declin|disapprov"],
    ["hot", "cold"],
    ["insid", "outsid"],
    ["abov", "below"],
    ["before", "after"],
    ["asleep", "awak"],
    ["healthy", "sick|ill"],
    ["rich", "poor"],
    ["happy", "sad|unhappy"],
    ["safe", "unsaf|dangerou"],
    ["possibl", "impossibl"],
    ["legal", "illegal"],
    ["public", "private|privat"],
    ["male", "female|femal"],
    ["pass", "fail"],
    ["lock", "unlock"],
    ["onlin", "offlin"],
    ["availabl", "unavailabl"],
    ["requir|mandatory", "optional"],
    ["friend", "enemy"],
    ["right", "wrong"],
    ["correct", "incorrect|wrong"],
    ["valid", "invalid"],
    ["full", "empty"],
    ["win", "lose"],
    ["erlaubt", "verboten"],
    ["lebt", "tot"],
    ["offen", "geschlossen"],
    ["verheiratet", "ledig|geschieden"],
    ["permis", "interdit"],
    ["ouvert", "ferme|fermé"],
    ["permitido", "prohibido"],
    ["abierto", "cerrado"],
    ["разрешено", "запрещено"],
    ["открыт", "закрыт"],
];

/// Articles, which two statements of one thing may differ by. The Chinese verb is here because its negation
/// holds it.
const ARTICLES: [&str; 28] = [
    "a", "an", "the", "some", "ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem",
    "le", "la", "les", "l", "un", "une", "des", "de", "du", "d", "el", "los", "las", "有",
];
/// Words of time and emphasis, which they may differ by as well.
const SOFT: &[&str] = &[
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
    let asks = |text: &str| text.trim_end().ends_with(['?', '？', '؟']);
    if asks(a) || asks(b) || canonical(a) == canonical(b) {
        return None;
    }
    let (left, right) = (read(a), read(b));
    if left.language == Language::Other || left.clauses.is_empty() || right.clauses.is_empty() {
        return None;
    }
    preference(&left, &right).or_else(|| same_shape(&left, &right)).or_else(|| value(a, b))
}

/// The share of words that two texts have in common (Jaccard, on stems), without the words that deny; 0 where either has none or
/// is in a language that is not read.
pub fn overlap(a: &str, b: &str) -> f64 {
    let stems = |text: &str| -> BTreeSet<String> {
        read(text).clauses.iter().flat_map(|clause| &clause.words).map(|word| stem(word)).collect()
    };
    let (ours, theirs) = (stems(a), stems(b));
    if ours.is_empty() || theirs.is_empty() {
        return 0.0;
    }
    ours.intersection(&theirs).count() as f64 / ours.union(&theirs).count() as f64
}

fn preference(left: &Reading, right: &Reading) -> Option<Opposition> {
    let ([left], [right]) = (left.clauses.as_slice(), right.clauses.as_slice()) else { return None };
    let (one, other) = (taste(left)?, taste(right)?);
    let same = plain(&one.subject) == plain(&other.subject) && plain(&one.object) == plain(&other.object);
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
        if ours.len() != theirs.len() {
            return None;
        }
        let differing: Vec<usize> = (0..ours.len()).filter(|&i| stem(&ours[i]) != stem(&theirs[i])).collect();
        match differing.as_slice() {
            [] => {}
            [at] if antonyms.is_none() && are_antonyms(&ours[*at], &theirs[*at]) => {
                antonyms = Some((ours.swap_remove(*at), theirs.swap_remove(*at)));
            }
            _ => return None,
        }
        if differing.is_empty() && !same_tense(one, &ours, other, &theirs) {
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

fn are_antonyms(a: &str, b: &str) -> bool {
    let holds = |side: &str, word: &str| side.split('|').any(|entry| entry == word || entry == stem(word));
    ANTONYMS
        .iter()
        .any(|pair| (holds(pair[0], a) && holds(pair[1], b)) || (holds(pair[0], b) && holds(pair[1], a)))
}

fn value(a: &str, b: &str) -> Option<Opposition> {
    let (one, other) = (slot(a)?, slot(b)?);
    let reason = one.conflict(&other)?;
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
            ("", "Pia"),
        ] {
            silent(a, b);
        }
    }
}
