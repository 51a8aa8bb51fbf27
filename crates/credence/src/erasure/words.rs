//! Which words of a stored text go: the sentences that say what is erased, and the names of what is erased.
//!
//! A sentence says an erased statement when one of these holds; everything is decided on whole words, in any script, without a model:
//! - it holds a *keyword*: a word of the statement's other mentions than its subject, a name, a number of four digits or more, or a code, unless
//!   a statement, an entity or a name that stays has that word too;
//! - it has at least [`SHARE`] of the statement's own words, and two of them;
//! - its turn is evidence of the statement, and no sentence of that evidence has clearly more of the statement's words;
//! - it was said, word for word, in a turn that is erased. In derived texts (reports, titles, queries) the names and numbers of such a turn go too.
//!
//! Sentences are cut whole, never by half: half a sentence can still be understood. A name is replaced where it stands.
//! Source: history 2.7; case 33.

use std::collections::{BTreeMap, BTreeSet};

use unicode_segmentation::UnicodeSegmentation;

use crate::id::TurnId;
use crate::proposition::{MentionRole, Proposition};
use crate::text::{self, Particulars};

/// What stands in the place of what was erased.
pub const FORGOTTEN: &str = "[forgotten]";

/// Share of a statement's words from which a sentence says it.
const SHARE: f64 = 0.6;
/// Share of the best sentence's words from which another sentence of the same evidence goes too.
const BESIDE: f64 = 0.5;
/// A turn of so few words is an answer: as evidence it goes whole.
const ANSWER: usize = 3;
/// A sentence of fewer words is no quotation of an erased turn: "yes" is said everywhere.
const QUOTED: usize = 3;
/// From so many characters on a keyword is also found at the beginning of a longer word: inflected, compounded.
const INFLECTED: usize = 5;

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Somebody said it in this turn.
    Turn(TurnId),
    /// We wrote it about what was said.
    Derived,
}

/// A text without what goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) text: String,
    /// The sentences that went, in order.
    pub(super) sentences: Vec<String>,
}

/// A word or a run of unspaced characters, folded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Keyword(String);

impl Keyword {
    fn of(word: &str) -> Option<Self> {
        let word = text::fold(word);
        let word = word.trim_end_matches("'s").trim_end_matches("’s");
        let long = if word.starts_with(text::is_unspaced) { 2 } else { 3 };
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        let enough = word.chars().count() >= if is_number { 4 } else { long };
        (enough && !text::is_stopword(word)).then(|| Self(word.to_owned()))
    }
    fn is_in(&self, read: &Read) -> bool {
        if self.0.starts_with(text::is_unspaced) {
            return read.folded.contains(&self.0);
        }
        let starts = self.0.chars().count() >= INFLECTED;
        read.words.iter().any(|word| *word == self.0 || (starts && word.starts_with(&self.0)))
    }
}

/// A text, read for comparing.
struct Read {
    folded: String,
    words: Vec<String>,
    terms: BTreeSet<String>,
}

impl Read {
    fn of(said: &str) -> Self {
        let folded = text::fold(said);
        let words = folded.unicode_words().map(str::to_owned).collect();
        Self { words, terms: text::content_terms(said).into_iter().collect(), folded }
    }
}

/// The words that go, and those that stay.
#[derive(Default)]
pub(super) struct Words {
    /// Terms of each erased wording.
    statements: Vec<BTreeSet<String>>,
    keywords: BTreeSet<Keyword>,
    /// Go from derived texts alone.
    of_turns: BTreeSet<Keyword>,
    /// Canonical forms of sentences that erased turns said.
    quoted: BTreeSet<String>,
    /// Sentences of the evidence of erased statements.
    evidence: BTreeMap<TurnId, BTreeSet<String>>,
    /// Folded words of each erased name.
    names: BTreeSet<Vec<String>>,
    /// The terms that stand for the user: in every statement, and so in none.
    user: BTreeSet<String>,
}

impl Words {
    pub(super) fn new<'a>(user_names: impl Iterator<Item = &'a str>) -> Self {
        Self { user: user_names.flat_map(text::content_terms).collect(), ..Self::default() }
    }

    /// A wording of a statement that goes, whether or not it stands now.
    pub(super) fn erase_statement(&mut self, statement: &Proposition) {
        let mut terms: BTreeSet<String> = text::content_terms(&statement.text).into_iter().collect();
        terms.retain(|term| !self.user.contains(term));
        if terms.is_empty() || self.statements.contains(&terms) {
            return;
        }
        self.statements.push(terms);
        let subjects: BTreeSet<String> = statement
            .mentions
            .iter()
            .filter(|mention| mention.role == MentionRole::Subject)
            .flat_map(|mention| text::words(&mention.span))
            .collect();
        let spans = statement.mentions.iter().filter(|mention| mention.role != MentionRole::Subject);
        let spoken = spans.flat_map(|mention| text::words(&mention.span)).chain(particular(&statement.text));
        let told = spoken.filter(|word| !subjects.contains(word) && !self.user.contains(word));
        self.keywords.extend(told.filter_map(|word| Keyword::of(&word)).collect::<Vec<_>>());
    }

    /// A turn that goes whole.
    pub(super) fn erase_turn(&mut self, said: &str) {
        for sentence in text::sentences(said) {
            if text::count_words(sentence) >= QUOTED {
                self.quoted.insert(text::canonical(sentence));
            }
        }
        self.of_turns.extend(particular(said).iter().filter_map(|word| Keyword::of(word)));
    }

    /// A name that goes.
    pub(super) fn erase_name(&mut self, name: &str) {
        let words: Vec<String> = text::fold(name).unicode_words().map(str::to_owned).collect();
        let says_little = words.len() == 1 && words.iter().all(|word| text::is_stopword(word));
        if !words.is_empty() && !says_little {
            self.names.insert(words);
        }
    }

    /// The turns that a statement rests on: which of their sentences say it.
    pub(super) fn erase_evidence(&mut self, statement: &str, turns: &[(TurnId, &str)]) {
        let mut wanted: BTreeSet<String> = text::content_terms(statement).into_iter().collect();
        wanted.retain(|term| !self.user.contains(term));
        let read: Vec<(TurnId, &str, usize)> = turns
            .iter()
            .flat_map(|(id, said)| text::sentences(said).into_iter().map(|sentence| (*id, sentence)))
            .map(|(id, sentence)| (id, sentence, wanted.intersection(&Read::of(sentence).terms).count()))
            .collect();
        let best = read.iter().map(|(.., common)| *common).max().unwrap_or(0);
        for (id, sentence, common) in read {
            let is_answer = turns.iter().any(|(turn, said)| *turn == id && text::count_words(said) <= ANSWER);
            if is_answer || common as f64 >= BESIDE * best as f64 {
                self.evidence.entry(id).or_default().insert(text::canonical(sentence));
            }
        }
    }

    /// Words that also belong to what stays do not tell what goes.
    pub(super) fn keep<'a>(&mut self, texts: impl Iterator<Item = &'a str>) {
        for kept in texts {
            let read = Read::of(kept);
            self.keywords.retain(|word| !word.is_in(&read));
            self.of_turns.retain(|word| !word.is_in(&read));
        }
    }

    fn says(&self, sentence: &str, place: Place) -> bool {
        let read = Read::of(sentence);
        if self.keywords.iter().any(|word| word.is_in(&read)) {
            return true;
        }
        if read.words.len() < 2
            && self.quoted.is_empty()
            && self.evidence.is_empty()
            && self.of_turns.is_empty()
        {
            return false;
        }
        let shares = |wanted: &BTreeSet<String>| {
            let common = wanted.intersection(&read.terms).count();
            common >= 2 && common as f64 >= SHARE * wanted.len() as f64
        };
        if self.statements.iter().any(shares) {
            return true;
        }
        if self.quoted.is_empty() && self.evidence.is_empty() && self.of_turns.is_empty() {
            return false;
        }
        let form = text::canonical(sentence);
        match place {
            Place::Turn(id) => {
                self.evidence.get(&id).is_some_and(|sentences| sentences.contains(&form))
                    || self.quoted.contains(&form)
            }
            Place::Derived => {
                let told = self.of_turns.iter().any(|word| word.is_in(&read));
                told || self.quoted.iter().chain(self.evidence.values().flatten()).any(|q| quotes(&form, q))
            }
        }
    }

    /// The text without what goes; `None` where nothing does.
    pub(super) fn cut(&self, said: &str, place: Place) -> Option<Cut> {
        let (mut left, mut gone, mut end) = (String::new(), Vec::new(), 0);
        for sentence in text::sentences(said) {
            let start = sentence.as_ptr() as usize - said.as_ptr() as usize;
            if !self.says(sentence, place) {
                continue;
            }
            let between = &said[end..start];
            // What stands between two cut sentences without a word is no sentence: one mark stands for both.
            if !left.ends_with(FORGOTTEN) || between.chars().any(char::is_alphanumeric) {
                left.push_str(between);
                left.push_str(FORGOTTEN);
            }
            gone.push(sentence.to_owned());
            end = start + sentence.len();
        }
        left.push_str(&said[end..]);
        let named = self.without_names(&left);
        match (named, gone.is_empty()) {
            (None, true) => None,
            (named, _) => Some(Cut { text: named.unwrap_or(left), sentences: gone }),
        }
    }

    /// The text with every erased name replaced; `None` where none stands in it.
    pub(super) fn without_names(&self, said: &str) -> Option<String> {
        if self.names.is_empty() {
            return None;
        }
        let all: Vec<(usize, &str, String)> =
            said.unicode_word_indices().map(|(at, word)| (at, word, text::fold(word))).collect();
        let (mut left, mut end, mut n) = (String::new(), 0, 0);
        while n < all.len() {
            let found = self.names.iter().filter_map(|name| Some((name.len(), stands(&all[n..], name)?)));
            match found.max_by_key(|(count, _)| *count) {
                Some((count, length)) => {
                    let last = &all[n + count - 1];
                    left.push_str(&said[end..all[n].0]);
                    left.push_str(FORGOTTEN);
                    end = last.0 + length;
                    n += count;
                }
                None => n += 1,
            }
        }
        left.push_str(&said[end..]);
        (end > 0).then_some(left)
    }
}

/// Whether a name begins here; then how many bytes of its last word belong to it, so that what is appended stays ("Pia's").
fn stands(words: &[(usize, &str, String)], name: &[String]) -> Option<usize> {
    let (last, before) = name.split_last()?;
    let there = words.get(..name.len())?;
    if before.iter().zip(there).any(|(wanted, (.., word))| wanted != word) {
        return None;
    }
    let (_, raw, word) = there.last()?;
    let rest = word.strip_prefix(last.as_str())?;
    match rest {
        "" | "s" => Some(raw.len()),
        _ if rest.starts_with(['\'', '’']) => Some(raw.find(['\'', '’']).unwrap_or(raw.len())),
        _ => None,
    }
}

/// Whether one canonical form has the other in it, word for word, and that is a quotation and no chance.
fn quotes(form: &str, said: &str) -> bool {
    let (short, long) = if form.len() <= said.len() { (form, said) } else { (said, form) };
    // An excerpt may end within a word; it begins with one.
    let bounded = |at: usize| long[..at].is_empty() || long[..at].ends_with(' ');
    form == said
        || (text::count_words(short) >= QUOTED && long.match_indices(short).any(|(at, _)| bounded(at)))
}

/// Words of a text that hardly stand in another by chance: names, codes, long numbers.
fn particular(said: &str) -> Vec<String> {
    let found = Particulars::of(said);
    let mixed = |word: &&str| word.chars().any(char::is_alphabetic) && word.chars().any(char::is_numeric);
    let codes = said.unicode_words().filter(mixed).map(text::fold);
    let digits =
        said.unicode_words().filter(|word| word.chars().all(|c| c.is_ascii_digit())).map(str::to_owned);
    found.names.iter().flat_map(|name| text::words(name)).chain(codes).chain(digits).collect()
}
