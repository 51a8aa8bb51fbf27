//! A text as comparisons see it. Reading is what comparing costs, so each part is read once and only when it is asked for: who lays one text
//! beside many keeps it as a [`ComparableText`], and who lays many beside many keeps them in [`Texts`].

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::canonical::canonical;
use super::language::Language;
use super::negation::{Polarity, Reading, marks_denial, polarity_of, read, read_as};
use super::opposition::{Opposition, stems};
use super::particulars::{Particulars, written_alike};
use super::slot::{Slot, slot};
use super::variation::{Item, is_hedged};
use super::words::content_terms;

/// A text and what has been read of it so far.
#[derive(Debug, Clone, Default)]
pub struct ComparableText {
    text: String,
    canonical: OnceCell<String>,
    reading: OnceCell<Reading>,
    slot: OnceCell<Option<Slot>>,
    particulars: OnceCell<Particulars>,
    denial: OnceCell<bool>,
    hedged: OnceCell<bool>,
    stems: OnceCell<BTreeSet<String>>,
    content: OnceCell<BTreeSet<String>>,
    written: OnceCell<Vec<String>>,
    /// Read as one of another language than its own, where words fit several.
    read_as: ByLanguage<Reading>,
    /// Its words, amounts and dates, as each language has them.
    items: ByLanguage<Vec<Item>>,
}

/// What was read of a text in each language so far; few texts are read in more than two.
type ByLanguage<T> = RefCell<Vec<(Language, Rc<T>)>>;

/// What is known of a language, or read now.
fn in_language<T>(known: &ByLanguage<T>, language: Language, read: impl FnOnce() -> T) -> Rc<T> {
    let found = known.borrow().iter().find(|(of, _)| *of == language).map(|(_, read)| read.clone());
    found.unwrap_or_else(|| {
        let read = Rc::new(read());
        known.borrow_mut().push((language, read.clone()));
        read
    })
}

impl ComparableText {
    /// Reads nothing yet.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// As [`canonical`] has it.
    pub fn canonical(&self) -> &str {
        self.canonical.get_or_init(|| canonical(&self.text))
    }
    /// As [`slot`] has it.
    pub fn slot(&self) -> Option<&Slot> {
        self.slot.get_or_init(|| slot(&self.text)).as_ref()
    }
    /// Its numbers, dates and names.
    pub fn particulars(&self) -> &Particulars {
        self.particulars.get_or_init(|| Particulars::of(&self.text))
    }
    pub(super) fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| read(&self.text))
    }
    /// As [`polarity`](super::polarity) has it.
    pub fn polarity(&self) -> Polarity {
        polarity_of(self.reading())
    }
    /// As [`is_hedged`] has it.
    pub(crate) fn is_hedged(&self) -> bool {
        *self.hedged.get_or_init(|| is_hedged(&self.text))
    }
    /// The stems of its words, without those that deny.
    pub(super) fn stems(&self) -> &BTreeSet<String> {
        self.stems.get_or_init(|| stems(self.reading()))
    }
    /// Its content words, as [`content_terms`] has them.
    pub(crate) fn content(&self) -> &BTreeSet<String> {
        self.content.get_or_init(|| content_terms(&self.text).into_iter().collect())
    }
    /// Word for word, dates and numbers in one form.
    pub(super) fn written(&self) -> &[String] {
        self.written.get_or_init(|| written_alike(&self.text))
    }
    /// Whether the two are the same word for word but for how they write dates and numbers.
    pub fn is_the_same_but_written(&self, other: &Self) -> bool {
        self.written() == other.written()
    }
    /// Reads now what comparisons ask for most, for who goes on without a pause later.
    pub(crate) fn read_through(&self) {
        let _read = (self.canonical(), self.reading(), self.content());
    }
    pub(super) fn read_as(&self, language: Language) -> Rc<Reading> {
        in_language(&self.read_as, language, || read_as(&self.text, language))
    }
    pub(super) fn items(&self, language: Language, read: impl FnOnce() -> Vec<Item>) -> Rc<Vec<Item>> {
        in_language(&self.items, language, read)
    }
    pub(super) fn marks_denial(&self) -> bool {
        *self.denial.get_or_init(|| marks_denial(&self.text))
    }
}

/// The texts of one run, each read once however many it is laid beside, and each pair of them laid side by side once however often the run
/// is planned. Clones share what was read. A run has one schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts(Rc<RefCell<Known>>);

#[derive(Debug, Default)]
struct Known {
    texts: BTreeMap<String, Rc<ComparableText>>,
    /// What kept pairs apart, by first and second text.
    opposed: BTreeMap<String, BTreeMap<String, Option<Opposition>>>,
    /// The slots that texts fill under the run's schema.
    slots: BTreeMap<String, Option<Slot>>,
}

impl Texts {
    /// The text with what has been read of it.
    pub(crate) fn of(&self, text: &str) -> Rc<ComparableText> {
        let mut known = self.0.borrow_mut();
        if let Some(text) = known.texts.get(text) {
            return text.clone();
        }
        let read = Rc::new(ComparableText::new(text));
        known.texts.insert(text.to_owned(), read.clone());
        read
    }

    /// The slot that a text fills, by whoever reads it under the run's one schema.
    pub(crate) fn slot(&self, text: &str, read: impl FnOnce() -> Option<Slot>) -> Option<Slot> {
        if let Some(known) = self.0.borrow().slots.get(text) {
            return known.clone();
        }
        let slot = read();
        self.0.borrow_mut().slots.insert(text.to_owned(), slot.clone());
        slot
    }

    /// As [`ComparableText::opposes`] has it, kept for the next time that the run asks.
    pub(crate) fn opposition(&self, text: &str, other: &str) -> Option<Opposition> {
        if let Some(known) = self.0.borrow().opposed.get(text).and_then(|others| others.get(other)) {
            return known.clone();
        }
        let found = self.of(text).opposes(&self.of(other));
        let mut known = self.0.borrow_mut();
        known.opposed.entry(text.to_owned()).or_default().insert(other.to_owned(), found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::{difference, opposes, overlap, polarity, same_but_written, variation};
    use super::*;

    #[test]
    fn what_is_read_once_compares_as_what_is_read_anew() {
        let texts = [
            "Nia lives in Bonn.",
            "Nia lives in Rome.",
            "Nia does not live in Bonn.",
            "Nia likes tea.",
            "Nia hates tea.",
            "Nia has 2 cats.",
            "Nia has three cats.",
            "Nia has two cats.",
            "The bridge was built in 1402.",
            "The bridge was built in 1420.",
            "Die Messe kostet 30 Euro.",
            "Die Messe kostet 40 Euro.",
            "La porte est ouverte",
            "La porte est fermée",
            "Nia might like tea.",
            "Does Nia like tea?",
            "Ivo loves Ana",
            "Ana loves Ivo",
            "用户不吃肉",
            "",
        ];
        let read: Vec<ComparableText> = texts.iter().map(|text| ComparableText::new(*text)).collect();
        for _ in 0..2 {
            for (a, x) in texts.iter().zip(&read) {
                for (b, y) in texts.iter().zip(&read) {
                    assert_eq!(x.opposes(y), opposes(a, b), "{a} / {b}");
                    assert_eq!(x.difference(y), difference(a, b), "{a} / {b}");
                    assert_eq!(x.variation(y), variation(a, b), "{a} / {b}");
                    assert_eq!(x.overlap(y), overlap(a, b), "{a} / {b}");
                    assert_eq!(x.is_the_same_but_written(y), same_but_written(a, b), "{a} / {b}");
                }
                assert_eq!((x.slot().cloned(), x.canonical()), (slot(a), canonical(a).as_str()));
                assert_eq!((x.polarity(), x.is_hedged()), (polarity(a), is_hedged(a)));
            }
        }
    }
}
