//! What a text denies: its clauses, each with whether it is negated and the words that are left without the
//! negation.
//!
//! Negation is read from whole words, never from substrings ("note", "notable" and "Nora" deny nothing), per
//! clause, since "Pia does not eat meat and does not drink" denies twice without affirming. In English and
//! German two negators of one clause cancel; in French, Spanish, Portuguese and Russian, where "never" comes
//! together with "not", only the main particle is counted. Idioms that only look negated ("not only", "can't
//! wait") are left alone.
//!
//! Read: English, German, French, Spanish, Portuguese, Russian, Chinese. Lists chosen by us.

use super::canonical::canonical_words;
use super::chars::{is_apostrophe, is_han};
use super::grammar::{Grammar, grammar};
use super::language::{Language, guess};

/// Whether a text affirms or denies what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Polarity {
    /// No clause is negated.
    Affirmed,
    /// Every clause that could be negated is; for one clause: it is.
    Negated,
    /// Some clauses are negated and some are not: "likes tea but not coffee".
    Mixed,
    /// A language or script whose negation is not read here.
    Unknown,
}

/// The polarity of a text.
pub fn polarity(text: &str) -> Polarity {
    polarity_of(&read(text))
}

/// The same of a text that has been read.
pub(super) fn polarity_of(reading: &Reading) -> Polarity {
    if reading.language == Language::Other {
        return Polarity::Unknown;
    }
    let negated = reading.clauses.iter().filter(|clause| clause.negated).count();
    match negated {
        0 => Polarity::Affirmed,
        _ if negated == reading.clauses.len() => Polarity::Negated,
        _ => Polarity::Mixed,
    }
}

/// Whether a text holds a word that denies, in any language we know one of. Coarser than [`polarity`]: it serves to keep
/// statements apart, in languages whose clauses are not read, and never to call one the opposite of another.
pub(super) fn marks_denial(text: &str) -> bool {
    const WORDS: &str = "not no never nicht kein keine keinen nie pas jamais no nunca não nem не нет никогда non mai niet geen nooit \
        nie nigdy inte aldrig ikke aldri ei eivät ne není nikdy nem nu değil yok δεν όχι không tidak bukan لا ليس ليست لم لن לא אין \
        नहीं 안 못";
    const PARTS: [&str; 12] =
        ["ない", "ません", "なかった", "않", "없", "ไม่", "不", "没", "n't", "n’t", "無", "未"];
    let folded = super::fold(text);
    let words = super::words(&folded);
    PARTS.iter().any(|part| folded.contains(part))
        || words.iter().any(|word| WORDS.split_ascii_whitespace().any(|mark| mark == word))
}

/// A text as its clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    /// What it is taken to be written in.
    pub(crate) language: Language,
    /// In order; clauses without any word are left out.
    pub(crate) clauses: Vec<Clause>,
}

/// One clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Whether it is denied.
    pub(crate) negated: bool,
    /// Canonical words without negators, the auxiliary of an English negation, and words such as "any more".
    pub(crate) words: Vec<String>,
    /// The auxiliary that fell away with the negation was a past form ("did not").
    pub(crate) past_auxiliary: bool,
}

/// Reads a text clause by clause. A leading "No," that answers somebody is not a negation of what follows.
pub(crate) fn read(text: &str) -> Reading {
    read_as(text, guess(&canonical_words(text)))
}

/// Reads a text as one of a known language.
pub(crate) fn read_as(text: &str, language: Language) -> Reading {
    let Some(grammar) = grammar(language) else { return Reading { language, clauses: Vec::new() } };
    let mut clauses = Vec::new();
    for (i, part) in clause_parts(without_interjection(text)).into_iter().enumerate() {
        let words = reading_words(part, language);
        let breaks = |word: &String| grammar.conjunctions.contains(&word.as_str());
        for (j, piece) in words.split(breaks).enumerate() {
            let clause = read_clause(piece, language, grammar);
            // An emptied clause ("or not") says nothing but its own negation; the first one may be a bare
            // "No".
            if !clause.words.is_empty() || (i == 0 && j == 0 && clause.negated) {
                clauses.push(clause);
            }
        }
    }
    Reading { language, clauses }
}

/// "No, she left." answers; "No cats" does not.
fn without_interjection(text: &str) -> &str {
    const WORDS: [&str; 12] =
        ["no", "nope", "nah", "nein", "nee", "nö", "non", "não", "нет", "不", "没有", "never mind"];
    let text = text.trim_start();
    let Some(end) = text.find([',', '.', '!', ';', ':', '–', '—', '，', '。', '！']) else {
        return text;
    };
    let head = super::fold(text[..end].trim());
    let rest = &text[end..];
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    if WORDS.contains(&head.as_str()) && !rest.is_empty() { rest } else { text }
}

/// Cuts at punctuation that ends a clause, not inside numbers and not in "no. 5".
fn clause_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |(_, c)| *c);
        let numbering = c == '.' && text[at + 1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        let inside = numbering
            || (matches!(c, '.' | ',' | ':') && before.is_alphanumeric() && after.is_alphanumeric());
        let ends = matches!(
            c,
            ',' | ';'
                | ':'
                | '.'
                | '!'
                | '?'
                | '…'
                | '('
                | ')'
                | '—'
                | '。'
                | '，'
                | '；'
                | '！'
                | '？'
                | '、'
                | '：'
        );
        if ends && !inside {
            parts.push(&text[start..at]);
            start = at + c.len_utf8();
        }
        before = c;
    }
    parts.push(&text[start..]);
    parts
}

/// Canonical words, Han runs as single characters, French elisions opened.
fn reading_words(part: &str, language: Language) -> Vec<String> {
    let mut out = Vec::new();
    for word in canonical_words(part) {
        if language == Language::Chinese && word.contains(is_han) {
            let mut spaced = String::new();
            for c in word.chars() {
                if is_han(c) { spaced.extend([' ', c, ' ']) } else { spaced.push(c) }
            }
            out.extend(spaced.split_whitespace().map(str::to_owned));
        } else if language == Language::French && word.contains(is_apostrophe) {
            out.extend(word.split('\'').map(str::to_owned));
        } else {
            out.push(word);
        }
    }
    out
}

fn read_clause(words: &[String], language: Language, grammar: &Grammar) -> Clause {
    let english = language == Language::English;
    let particle = words.iter().any(|word| grammar.particles.contains(&word.as_str()));
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    let (mut primary, mut secondary, mut past_auxiliary) = (0, 0, false);
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        if let Some(n) = longest(grammar.idioms, rest) {
            kept.extend_from_slice(&rest[..n]);
            at += n;
        } else if let Some(n) = longest(grammar.primary, rest).filter(|_| !(english && is_number_mark(rest)))
        {
            primary += 1;
            past_auxiliary |= rest[0] == "did";
            // A negator that is also the subject or object stays as a word.
            if matches!(rest[0].as_str(), "nobody" | "nothing" | "nowhere" | "niemand" | "nichts") {
                kept.push(rest[0].clone());
            }
            at += n;
        } else if let Some(n) = english.then(|| ending(rest)).flatten() {
            primary += 1;
            at += n;
        } else if let Some(n) = longest(grammar.secondary, rest) {
            secondary += 1;
            at += n;
        } else if particle && let Some(n) = longest(grammar.with_particle, rest) {
            secondary += 1;
            at += n;
        } else if particle && longest(grammar.particles, rest).is_some() {
            at += 1;
        } else {
            kept.push(words[at].clone());
            at += 1;
        }
    }
    let negated = if primary > 0 { primary % 2 == 1 } else { secondary > 0 };
    if negated {
        kept = without_companions(&kept, grammar.companions);
    }
    Clause { negated, words: kept, past_auxiliary }
}

/// "No. 5" and "no 5" number something.
fn is_number_mark(rest: &[String]) -> bool {
    rest[0] == "no" && rest.get(1).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
}

/// "stopped smoking", "gave up drinking": the verb that ends what the next one says. Its length in words.
fn ending(rest: &[String]) -> Option<usize> {
    let n = match rest {
        [a, b, ..] if matches!(a.as_str(), "gave" | "gives" | "given") && b == "up" => 2,
        [a, ..] if matches!(a.as_str(), "stopped" | "stops" | "quit" | "quits") => 1,
        _ => return None,
    };
    rest.get(n).is_some_and(|next| next.len() > 5 && next.ends_with("ing")).then_some(n)
}

/// The number of words of the longest phrase that `rest` starts with.
pub(crate) fn longest(phrases: &[&str], rest: &[String]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| phrase_len(phrase, rest)).max()
}

fn phrase_len(phrase: &str, rest: &[String]) -> Option<usize> {
    let mut n = 0;
    for part in phrase.split(' ') {
        if rest.get(n)? != part {
            return None;
        }
        n += 1;
    }
    Some(n)
}

pub(crate) fn without_companions(words: &[String], companions: &[&str]) -> Vec<String> {
    let mut out = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        match longest(companions, &words[at..]) {
            Some(n) => at += n,
            None => {
                out.push(words[at].clone());
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Polarity) {
        assert_eq!(polarity(text), expected, "{text}");
    }

    #[test]
    fn english() {
        for text in [
            "Night deploys are not allowed.",
            "Pia can't stand techno any more.",
            "Pia no longer works at Acme",
            "Pia never eats meat",
            "Pia hardly sleeps",
            "There is no budget",
            "Pia doesnt eat meat and doesn't drink",
            "Nobody likes Pia",
            "No, Pia doesn't like tea",
            "Pia stopped smoking",
        ] {
            check(text, Polarity::Negated);
        }
        for text in [
            "Night deploys are allowed.",
            "Pia likes tea",
            "Nora takes notes in Notting Hill",
            "No, Pia likes tea.",
            "Pia is not only a vet",
            "Pia can't wait for June",
            "Pia lives at no. 5",
            "It is never not raining",
            "Pia stopped at the shop",
            "Pia can not not laugh",
        ] {
            check(text, Polarity::Affirmed);
        }
        check("Pia likes tea but not coffee", Polarity::Mixed);
    }

    #[test]
    fn other_languages() {
        for text in [
            "Pia mag Techno nicht mehr",
            "Pia hat keine Katze",
            "Pia war noch nie in Rom",
            "Pia n'aime pas la techno",
            "Pia ne mange jamais de viande",
            "Pia n’habite plus à Oslo",
            "A Pia no le gusta el techno",
            "Pia ya no vive en Madrid",
            "Pia nunca come carne",
            "Pia no come nunca carne",
            "Pia não gosta de chá",
            "Пиа не любит техно",
            "Пиа никогда не ест мясо",
            "用户不喜欢茶",
            "用户没有猫",
        ] {
            check(text, Polarity::Negated);
        }
        for text in [
            "Pia mag nicht nur Techno",
            "Pia mange plus de viande que Bo",
            "Pia vive en Madrid",
            "O gato está no telhado",
            "Пиа любит техно",
            "用户喜欢茶",
            "这个餐厅很不错",
            "用户不得不走",
        ] {
            check(text, Polarity::Affirmed);
        }
        check("ピアはテクノが好きです", Polarity::Unknown);
    }
}
