//! The canonical form of a statement: two texts with one form are the same statement, whatever the case,
//! punctuation, white space, compatibility shapes or contractions.
//!
//! Source: dice 4.2 and the fix that its section 13 asks for. The form keeps all that can change
//! what is said: letters and numbers of every script, accents, signs and decimal points, currency, percent
//! and degree signs, comparison signs, the `+` and `#` of "C++" and "C#", pictographs, and every word
//! (negations above all). It is made for equality, not for reading. It errs on the side of "different": what
//! it keeps apart, a later step can still join; what it joined would be lost.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::chars::{
    digit, fold_into, is_apostrophe, is_currency, is_invisible, is_optional_mark, is_pictograph, is_unspaced,
};
use super::contraction::expand;

/// The canonical form, its words joined by one space. Empty only for a text without any visible character.
pub fn canonical(text: &str) -> String {
    let words = canonical_words(text);
    let mut out = String::with_capacity(text.len());
    for word in &words {
        let glued =
            word.chars().next().is_some_and(is_unspaced) && out.chars().next_back().is_some_and(is_unspaced);
        if !out.is_empty() && !glued {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.is_empty() { super::fold(text).split_whitespace().collect::<Vec<_>>().join(" ") } else { out }
}

/// The words of the canonical form, contractions spelled out.
pub(crate) fn canonical_words(text: &str) -> Vec<String> {
    let kept = keep_meaning(text);
    let raw: Vec<&str> = kept.split_whitespace().collect();
    let mut words = Vec::with_capacity(raw.len());
    for (i, word) in raw.iter().enumerate() {
        expand(word, raw.get(i + 1).copied(), &mut words);
    }
    words
}

/// Shapes whose compatibility form would change the meaning: `10²` is not 102, `1½` not 11/2, `№` not "no".
fn before_normalisation(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for c in text.chars() {
        match c {
            '™' | '℠' | '®' | '©' => {}
            '№' => out.push_str(" #"),
            '⁄' => out.push('/'),
            '−' | '﹣' | '－' => out.push('-'),
            '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' => {
                if !matches!(last, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹') {
                    out.push('^');
                }
                out.push(c);
            }
            '¼'..='¾' | '⅐'..='⅞' => {
                out.push(' ');
                out.extend(std::iter::once(c).nfkc().map(|c| if c == '⁄' { '/' } else { c }));
            }
            '=' if last == '!' => {
                out.pop();
                out.push('≠');
            }
            _ => out.push(c),
        }
        last = c;
    }
    out
}

/// Folded text with everything replaced by a space that cannot change what is said.
fn keep_meaning(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    // What is left out goes before composition, so that nothing composes across it the next time.
    for c in before_normalisation(text).nfkc().filter(|&c| !is_invisible(c) && !is_optional_mark(c)) {
        fold_into(c, &mut folded);
    }
    let chars: Vec<char> = folded.nfc().collect();
    let mut out = String::with_capacity(folded.len());
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1).copied();
        match kept(c, before, after, &chars[i + 1..]) {
            Keep::Inside(c) => out.push(c),
            Keep::Text(s) => out.push_str(s),
            Keep::Alone(c) => out.extend([' ', c, ' ']),
            Keep::Nothing => {}
            Keep::Break => out.push(' '),
        }
    }
    out
}

/// What becomes of one character.
enum Keep {
    /// It belongs to the word that it stands in.
    Inside(char),
    /// It is written in another way.
    Text(&'static str),
    /// It is a word of its own.
    Alone(char),
    /// It vanishes without parting its neighbours.
    Nothing,
    /// It parts words and vanishes.
    Break,
}

fn kept(c: char, before: Option<char>, after: Option<char>, rest: &[char]) -> Keep {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || is_combining_mark(c));
    let number = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    if let Some(value) = digit(c) {
        return Keep::Inside(char::from_digit(value, 10).unwrap_or(c));
    }
    if c.is_alphanumeric() || is_combining_mark(c) || is_currency(c) {
        return Keep::Inside(c);
    }
    let between_numbers = number(before) && number(after);
    match c {
        _ if is_apostrophe(c) => {
            if in_word(before) && in_word(after) {
                Keep::Inside('\'')
            } else {
                Keep::Nothing
            }
        }
        ',' | '٬' if between_numbers && (c == '٬' || opens_thousands(rest)) => Keep::Nothing,
        '٫' if between_numbers => Keep::Inside('.'),
        '.' | ',' | ':' | '/' | '*' if between_numbers => Keep::Inside(c),
        '-' | '–' if between_numbers => Keep::Inside('-'),
        '.' if number(after) && !in_word(before) => Keep::Text("0."),
        '-' | '–' | '+' if starts_word(before) && opens_number(rest) => {
            Keep::Inside(if c == '+' { '+' } else { '-' })
        }
        '+' | '#' if in_word(before) || before == Some(c) => Keep::Inside(c),
        '#' if number(after) => Keep::Inside('#'),
        '@' | '_' | '^' if in_word(before) && in_word(after) => Keep::Inside(c),
        '%' | '‰' | '°' => Keep::Inside(c),
        '&' => Keep::Text(" and "),
        '<' | '>' | '=' | '≤' | '≥' | '≠' | '±' | '×' | '÷' | '≈' => Keep::Alone(c),
        _ if is_pictograph(c) => Keep::Alone(c),
        _ => Keep::Break,
    }
}

/// Whether a sign may stand here: after nothing, white space, an opening mark or another sign of value.
fn starts_word(before: Option<char>) -> bool {
    before.is_none_or(|c| {
        c.is_whitespace()
            || is_currency(c)
            || matches!(c, '(' | '[' | '"' | '“' | '«' | '=' | '<' | '>' | '≤' | '≥' | '~' | ':')
    })
}

/// Whether a number follows: digits, or a currency sign or decimal point and then digits.
fn opens_number(rest: &[char]) -> bool {
    match rest {
        [c, ..] if digit(*c).is_some() => true,
        [c, d, ..] => (is_currency(*c) || *c == '.') && digit(*d).is_some(),
        _ => false,
    }
}

/// Whether exactly three digits follow, as after the comma of "1,000".
fn opens_thousands(rest: &[char]) -> bool {
    rest.iter().take_while(|c| digit(**c).is_some()).count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) {
        assert_eq!(canonical(a), canonical(b), "{a:?} and {b:?} are one statement");
    }
    fn differ(a: &str, b: &str) {
        assert_ne!(canonical(a), canonical(b), "{a:?} and {b:?} are two statements");
    }

    #[test]
    fn case_punctuation_space_and_contractions_do_not_matter() {
        // Case 22: the third time with other punctuation and case.
        same("Pia loves techno.", "pia LOVES  techno!!");
        same("Alice is a software engineer.", "Alice is a Software Engineer");
        same("Pia can't stand techno", "Pia cannot stand techno.");
        same("I’m left-handed", "I am left handed");
        same("It cost $1,000", "it cost $1000");
        same("Der Fluß ist GROẞ", "der fluss ist gross");
        same("Ｔｅａ　for two", "Tea for two");
        same("\"Dune\" is her favourite book", "Dune is her favourite book");
        same("用户喜欢茶。", "用户 喜欢 茶");
        same("می‌خواهم", "میخواهم");
        same("مُحَمَّد", "محمد");
        same("٥ قطط", "5 قطط");
        same("nai\u{308}ve", "naïve");
    }

    #[test]
    fn what_changes_the_statement_is_kept() {
        // dice 11.2, fact 98.
        differ("用户喜欢茶", "用户住在柏林");
        differ("Пиа любит чай", "Пиа живёт в Осло");
        differ("The offset is -5", "The offset is 5");
        differ("It is −5 degrees", "It is 5 degrees");
        differ("Height 3.5", "Height 35");
        differ("Factor .5", "Factor 5");
        differ("at 12:30", "at 1230");
        differ("on 3/4", "on 34");
        differ("about 10²", "about 102");
        differ("1½ cups", "11/2 cups");
        differ("costs 5 $", "costs 5 €");
        differ("grew 5%", "grew 5");
        differ("Ada writes C++", "Ada writes C#");
        differ("Ada writes C", "Ada writes C#");
        differ("x < 3", "x > 3");
        differ("a != b", "a = b");
        differ("a.b@c.de", "a@b.c.de");
        differ("résumé", "resume");
        differ("rated 👍", "rated 👎");
        differ("Night deploys are allowed", "Night deploys are not allowed");
        differ("हिन्दी", "हन्द");
        differ("a\u{328}\u{301}x", "ax");
    }

    #[test]
    fn never_empty_while_there_is_something_to_see() {
        for text in ["用户", "я", "ـ", "ア", "ก", "?!", "𝒳", "🙂", "ﷺ", "½"] {
            assert!(!canonical(text).is_empty(), "{text:?}");
        }
        assert_eq!(canonical(" \n\t "), "");
        differ("?", "!");
    }
}
