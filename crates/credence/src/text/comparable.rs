//! A text as comparisons see it. Reading is what comparing costs, so each part is read once and only when it is asked for: who lays one text
//! beside many keeps it as a [`ComparableText`].

use std::cell::OnceCell;

use super::canonical::canonical;
use super::negation::{Polarity, Reading, marks_denial, polarity_of, read};
use super::particulars::Particulars;
use super::slot::{Slot, slot};

/// A text and what has been read of it so far.
#[derive(Debug, Clone, Default)]
pub struct ComparableText {
    text: String,
    canonical: OnceCell<String>,
    reading: OnceCell<Reading>,
    slot: OnceCell<Option<Slot>>,
    particulars: OnceCell<Particulars>,
    denial: OnceCell<bool>,
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
    pub(super) fn polarity(&self) -> Polarity {
        polarity_of(self.reading())
    }
    pub(super) fn marks_denial(&self) -> bool {
        *self.denial.get_or_init(|| marks_denial(&self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{difference, opposes};
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
                }
                assert_eq!((x.slot().cloned(), x.canonical()), (slot(a), canonical(a).as_str()));
            }
        }
    }
}
