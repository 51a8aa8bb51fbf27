//! What the words and times of two stored statements show when they are laid beside each other: that they exclude each other, that
//! they can both hold, or nothing.
//!
//! The comparisons are those of a revision (`compare`), so that the working set and the memory below it never disagree about
//! what opposes what.

use super::compare::{Fresh, Met, Neighbour, apart, is_past};
use crate::proposition::Proposition;
use crate::schema::KnowledgeSchema;
use crate::text::Opposition;

/// What two statements are to each other, as far as words and times tell.
#[derive(Debug, Clone, PartialEq)]
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
        stored: String,
        /// They give two values to a relation that can have many, so that nothing but an amount can stand between them.
        is_many: bool,
    },
}

/// Lays a new statement beside a stored one.
pub(crate) fn beside(new: &Proposition, stored: &Proposition, schema: &KnowledgeSchema) -> Beside {
    let fresh = Fresh::new(new, schema);
    let met = Met::new(&fresh, &Neighbour::new(stored));
    let same = || met.is_the_same_as(&fresh) || met.fills_the_slot_of(&fresh);
    if !met.one_subject || same() || is_past(new) != is_past(stored) || apart(new, stored) {
        return Beside::Compatible;
    }
    if let Some(opposition) = met.opposes(&fresh) {
        return Beside::Opposed { opposition, is_immutable: met.is_immutable(&fresh) };
    }
    let is_many = met.is_beside(&fresh);
    Beside::Open { stored: met.text.into_owned(), is_many }
}
