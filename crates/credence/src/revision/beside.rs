//! What the words and times of two stored statements show when they are laid beside each other: that they exclude each other, that
//! they can both hold, or nothing.
//!
//! The comparisons are those of a revision (`compare`), so that the working set and the memory below it never disagree about
//! what opposes what.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::compare::{Fresh, Met, Neighbour, Readings, apart, is_past, share_subject};
use crate::proposition::Proposition;
use crate::text::{self, ComparableText, Opposition};

/// What two statements are to each other, as far as words and times tell.
#[derive(Debug, Clone)]
pub(crate) enum Beside {
    /// They cannot both hold.
    Opposed {
        /// In what.
        opposition: Opposition,
        /// They give two values to what never changes: one of them is wrong.
        is_immutable: bool,
    },
    /// They can both hold: other subjects, other times, the same statement.
    Compatible,
    /// The words do not tell.
    Open {
        /// The stored statement as it reads in the new one's words for their common subject.
        stored: Rc<ComparableText>,
        /// They give two values to a relation that can have many, so that nothing but an amount can stand between them.
        is_many: bool,
    },
}

/// What shows at a glance whether two statements are worth laying beside each other. Reading a pair closely costs a hundred times as
/// much, and in a working set most pairs have nothing in common but whom they are about.
#[derive(Debug, Clone)]
pub(crate) struct Glance {
    words: BTreeSet<String>,
    relation: Option<String>,
    /// Words are not told apart by spaces: nothing can be said at a glance.
    is_unspaced: bool,
}

impl Glance {
    /// The glance at one statement.
    pub(crate) fn of(statement: &Proposition, readings: &Readings<'_>) -> Self {
        let text = &statement.text;
        let is_spaced = |c: char| c.is_lowercase() || c.is_uppercase() || !c.is_alphabetic();
        Self {
            words: text::words(&text::fold(text)).into_iter().collect(),
            relation: readings.slot(text).map(|slot| slot.relation),
            is_unspaced: !text.chars().all(is_spaced),
        }
    }
    /// Whether the two may speak of one matter: they fill slots of one relation, or share more than a third of the shorter one's words.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let one_relation = self.relation.is_some() && self.relation == other.relation;
        let shared = self.words.intersection(&other.words).count();
        let shorter = self.words.len().min(other.words.len());
        one_relation || self.is_unspaced || other.is_unspaced || 3 * shared > shorter
    }
}

/// Lays a new statement beside a stored one.
pub(crate) fn beside(fresh: &Fresh<'_>, stored: &Proposition) -> Beside {
    let new = fresh.new;
    if !share_subject(new, stored) || is_past(new) != is_past(stored) || apart(new, stored) {
        return Beside::Compatible;
    }
    let met = Met::new(fresh, &Neighbour::new(stored));
    let same = || met.is_the_same_as(fresh) || met.fills_the_slot_of(fresh);
    if same() {
        return Beside::Compatible;
    }
    if let Some(opposition) = met.opposes(fresh) {
        return Beside::Opposed { opposition, is_immutable: met.is_immutable(fresh) };
    }
    let is_many = met.is_beside(fresh);
    Beside::Open { stored: met.read, is_many }
}
