//! Tokens of one sentence: words with their contractions taken apart, punctuation, and the way back to text.

/// One word or punctuation mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tok {
    /// As written.
    pub(super) text: String,
    /// In lower case with plain apostrophes; a contracted verb in full (`'m` is `am`), except `'s` and `'d`, which
    /// can be two verbs.
    pub(super) low: String,
    /// No space stands before it.
    pub(super) glued: bool,
}

impl Tok {
    /// A word of our own.
    pub(super) fn word(text: &str) -> Self {
        Self { text: text.to_owned(), low: text.to_lowercase(), glued: false }
    }
    /// Whether it starts with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
    /// Whether it is a mark and not a word.
    pub(super) fn is_mark(&self) -> bool {
        !self.text.chars().any(char::is_alphanumeric)
    }
    pub(super) fn is(&self, low: &str) -> bool {
        self.low == low
    }
}

fn plain_apostrophes(text: &str) -> String {
    text.replace(['\u{2019}', '\u{2018}', '\u{02bc}'], "'")
}

/// Splits a sentence into tokens.
pub(super) fn tokens(sentence: &str) -> Vec<Tok> {
    let mut out: Vec<Tok> = Vec::new();
    let chars: Vec<char> = sentence.chars().collect();
    let mut word = String::new();
    let mut glued = false;
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|j| chars.get(j)).copied();
        let after = chars.get(i + 1).copied();
        let between = |test: fn(char) -> bool| before.is_some_and(test) && after.is_some_and(test);
        let inside = match c {
            '\'' | '\u{2019}' => {
                before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric)
            }
            '-' => between(char::is_alphanumeric),
            ':' => between(char::is_alphanumeric),
            '.' | ',' => between(|x| x.is_ascii_digit()) || (c == '.' && is_dotted(&chars, i)),
            '"' | '\u{201c}' | '\u{201d}' | '(' | ')' | ';' | '!' | '?' | '\u{2013}' | '\u{2014}'
            | '\u{2026}' | '[' | ']' => false,
            _ => !c.is_whitespace(),
        };
        if inside {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            push_word(&mut out, &std::mem::take(&mut word), glued);
            glued = true;
        }
        if c.is_whitespace() {
            glued = false;
        } else {
            let text = match c {
                '\u{2013}' | '\u{2014}' => "-".to_owned(),
                '\u{201c}' | '\u{201d}' => "\"".to_owned(),
                _ => c.to_string(),
            };
            out.push(Tok { low: text.clone(), text, glued });
            glued = matches!(c, '(' | '[' | '"' | '\u{201c}') && (before.is_none_or(char::is_whitespace));
        }
    }
    if !word.is_empty() {
        push_word(&mut out, &word, glued);
    }
    out
}

/// Whether the full stop at `i` belongs to a word such as `U.S.`, `p.m.` or `Dr.`.
fn is_dotted(chars: &[char], i: usize) -> bool {
    let start = chars[..i].iter().rposition(|c| c.is_whitespace()).map_or(0, |p| p + 1);
    let word: String = chars[start..i].iter().collect();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let abbreviation = super::sentence::ABBREVIATIONS.contains(&word.to_lowercase().as_str());
    // A sentence that goes on behind a single capital holds an initial: "J. R. R. Tolkien".
    let goes_on = chars[i..].iter().any(|c| c.is_alphanumeric());
    let mut only = word.trim_start_matches(['(', '"', '\u{201c}']).chars();
    let initial = only.next().is_some_and(char::is_uppercase) && only.next().is_none() && goes_on;
    abbreviation
        || initial
        || (letters > 0
            && word.split('.').all(|part| part.chars().count() <= 1)
            && (word.contains('.') || chars.get(i + 1).is_some_and(|c| c.is_alphabetic())))
}

/// Contractions and slang that stand for several words.
const SLANG: [(&str, &[&str]); 18] = [
    ("'em", &["them"]),
    ("im", &["I", "am"]),
    ("ive", &["I", "have"]),
    ("gonna", &["going", "to"]),
    ("wanna", &["want", "to"]),
    ("gotta", &["have", "to"]),
    ("dont", &["don't"]),
    ("doesnt", &["doesn't"]),
    ("didnt", &["didn't"]),
    ("cant", &["can't"]),
    ("isnt", &["isn't"]),
    ("wasnt", &["wasn't"]),
    ("havent", &["haven't"]),
    ("cuz", &["because"]),
    ("'cause", &["because"]),
    ("cause", &["because"]),
    ("fave", &["favorite"]),
    ("y'all", &["you"]),
];

fn push_word(out: &mut Vec<Tok>, word: &str, glued: bool) {
    let low = plain_apostrophes(&word.to_lowercase());
    if let Some((_, words)) = SLANG.iter().find(|(s, _)| *s == low) {
        // "'cause" is a conjunction; "cause" only where a subject may follow, which the caller cannot know here.
        if low != "cause" {
            for (i, w) in words.iter().enumerate() {
                out.push(Tok { glued: glued && i == 0, ..Tok::word(w) });
            }
            return;
        }
    }
    for (tail, full) in
        [("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "'d"), ("'s", "'s")]
    {
        if let Some(stem) = low.strip_suffix(tail)
            && !stem.is_empty()
        {
            let cut = word.len() - word.chars().rev().take(tail.len()).map(char::len_utf8).sum::<usize>();
            out.push(Tok { text: word[..cut].to_owned(), low: stem.to_owned(), glued });
            out.push(Tok { text: plain_apostrophes(&word[cut..]), low: full.to_owned(), glued: true });
            return;
        }
    }
    if let Some(stem) = low.strip_suffix("in'") {
        let whole = format!("{stem}ing");
        if super::lexicon::has(&whole, super::lexicon::ING) {
            out.push(Tok { glued, ..Tok::word(&whole) });
            return;
        }
    }
    out.push(Tok { text: plain_apostrophes(word), low, glued });
}

/// Puts tokens back together.
pub(super) fn render(tokens: &[Tok]) -> String {
    let mut out = String::new();
    for t in tokens {
        let mark = matches!(t.text.as_str(), "," | ";" | ":" | ")" | "!" | "?" | ".");
        if !out.is_empty() && !t.glued && !mark {
            out.push(' ');
        }
        out.push_str(&t.text);
    }
    out
}

/// The words of a sentence as a lower-case phrase with single spaces, for phrase searches.
pub(super) fn phrase(tokens: &[Tok]) -> String {
    let mut out = String::from(" ");
    for t in tokens.iter().filter(|t| !t.is_mark()) {
        out.push_str(&t.low);
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_the_way_there_and_back() {
        for text in [
            "I don't like it (much), but my sister's dog, Rex, does",
            "São Paulo is 8.5 km from the U.S. border at 7:30 p.m.",
            "We read \"Charlotte's Web\" at St. John's well-known café",
        ] {
            assert_eq!(render(&tokens(text)), text);
        }
    }

    #[test]
    fn contractions_come_apart() {
        let low: Vec<_> = tokens("I\u{2019}m lovin' what they've said").into_iter().map(|t| t.low).collect();
        assert_eq!(low, ["i", "am", "loving", "what", "they", "have", "said"]);
        assert_eq!(render(&tokens("I wanna go")), "I want to go");
    }
}
