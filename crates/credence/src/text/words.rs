//! Words and search terms.
//!
//! Words follow Unicode's text segmentation (UAX 29), folded. Terms are what the lexical index holds: English
//! stems, accents removed from Latin letters, French and Italian elisions opened ("l'eau" is "eau"), and, for
//! scripts that write without spaces, each Han character and each pair of neighbouring characters, so that a
//! word is found inside a run without a dictionary.

use unicode_segmentation::UnicodeSegmentation;

use super::chars::{
    fold, is_apostrophe, is_han, is_invisible, is_optional_mark, is_unspaced, without_accents,
};
use super::contraction::expand;
use super::language::is_stopword;
use super::stem::stem;

/// The folded words of a text, in order, by UAX 29. Characters of unspaced scripts come one by one.
pub fn words(text: &str) -> Vec<String> {
    clean(text).unicode_words().map(str::to_owned).collect()
}

/// Number of words, where a pair of characters of an unspaced script counts as one word.
pub fn count_words(text: &str) -> usize {
    let (unspaced, spaced): (Vec<String>, Vec<String>) =
        words(text).into_iter().partition(|word| word.starts_with(is_unspaced));
    spaced.len() + unspaced.len().div_ceil(2)
}

/// The search terms of a text, in order, repeats kept.
pub fn terms(text: &str) -> Vec<String> {
    marked_terms(text).into_iter().map(|term| term.term).collect()
}

/// The terms that carry a topic: without stop words. A text of stop words alone keeps them all, so that it
/// can still be searched for.
pub fn content_terms(text: &str) -> Vec<String> {
    query_terms(text).into_iter().map(|term| term.term).collect()
}

/// One search term of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// What the index holds.
    pub term: String,
    /// The folded word that it came from, for people to read.
    pub word: String,
}

/// [`content_terms`] with the words that they came from.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let all = marked_terms(text);
    let only_stops = all.iter().all(|term| term.stop);
    all.into_iter()
        .filter(|term| only_stops || !term.stop)
        .map(|Marked { term, word, .. }| QueryTerm { word: word.unwrap_or_else(|| term.clone()), term })
        .collect()
}

/// How many words of a text carry a topic; none where all are stop words.
pub(crate) fn topic_words(text: &str) -> usize {
    marked_terms(text).iter().filter(|term| !term.stop).count()
}

/// A term, the word behind it where that is another one, and whether that word is a stop word.
struct Marked {
    term: String,
    word: Option<String>,
    stop: bool,
}

fn marked_terms(text: &str) -> Vec<Marked> {
    let clean = clean(text);
    let mut out = Vec::new();
    let mut rest = clean.as_str();
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if unspaced {
            unspaced_terms(run, &mut out)
        } else {
            spaced_terms(run, &mut out)
        }
        rest = after;
    }
    out
}

fn clean(text: &str) -> String {
    fold(text)
        .chars()
        .filter(|&c| !is_invisible(c) && !is_optional_mark(c))
        .map(|c| if is_apostrophe(c) { '\'' } else { c })
        .collect()
}

fn spaced_terms(run: &str, out: &mut Vec<Marked>) {
    let mut parts = Vec::new();
    for word in run.unicode_words() {
        let word = match word.split_once('\'') {
            Some(("l" | "d" | "j" | "m" | "n" | "s" | "c" | "qu" | "dell" | "un", after))
                if after.len() > 1 =>
            {
                after
            }
            _ => word,
        };
        expand(word, None, &mut parts);
    }
    for part in parts {
        let term = stem(&without_accents(&part));
        if !term.is_empty() {
            let stop = is_stopword(&part);
            let word = (term != part).then_some(part);
            out.push(Marked { term, word, stop });
        }
    }
}

fn unspaced_terms(run: &str, out: &mut Vec<Marked>) {
    let letters: Vec<&str> = run.graphemes(true).collect();
    for (i, letter) in letters.iter().enumerate() {
        if letters.len() == 1 || letter.starts_with(is_han) {
            out.push(Marked { term: (*letter).to_owned(), word: None, stop: false });
        }
        if let Some(next) = letters.get(i + 1) {
            out.push(Marked { term: format!("{letter}{next}"), word: None, stop: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_an_ascii_idea() {
        assert_eq!(words("Pia's 3.5 kg Kürbis"), ["pia's", "3.5", "kg", "kürbis"]);
        assert_eq!(words("Пиа любит чай"), ["пиа", "любит", "чай"]);
        assert_eq!(count_words("用户喜欢茶 very much"), 5);
    }

    #[test]
    fn terms_meet_across_inflection_accents_and_elision() {
        assert_eq!(terms("Pia's cats loved cafés"), ["pia", "cat", "love", "cafe"]);
        assert_eq!(terms("l’eau"), ["eau"]);
        assert_eq!(terms("She doesn't"), ["she", "do", "not"]);
        assert_eq!(content_terms("Where does Pia live?"), ["pia", "live"]);
        assert_eq!(content_terms("who is it"), ["who", "be", "it"]);
    }

    #[test]
    fn unspaced_scripts_give_characters_and_pairs() {
        assert_eq!(terms("喜欢茶"), ["喜", "喜欢", "欢", "欢茶", "茶"]);
        assert_eq!(terms("テクノ"), ["テク", "クノ"]);
        assert_eq!(terms("茶tea"), ["茶", "tea"]);
        assert!(terms("ภาษาไทย").contains(&"ภา".to_owned()));
    }
}
