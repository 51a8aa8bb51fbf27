//! How many values one subject has of a relation, and whether they ever change: the one table, for the relations that
//! [`super::slot`] reads in any of its languages. A memory's own schema may say more about its own relations.
//!
//! It decides what a newer value does to an older one: the home moves on, another acquaintance joins, another birthplace is
//! a question to a person. What is not listed has many values, because a wrong "many" keeps a fact too long and a wrong
//! "one" loses one. Chosen by us after the evolving predicates of dice 4.4.

use serde::{Deserialize, Serialize};

/// How many values a relation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cardinality {
    /// Any number: another value stands beside the first (knows, visited).
    #[default]
    Many,
    /// One at a time: another value replaces the first (lives in).
    One,
    /// One for good: another value puts one of them in doubt and asks a person (was born in).
    Immutable,
}

/// One at a time. Besides these every `favourite …`.
const ONE: [&str; 24] = [
    "lives in",
    "works at",
    "works as",
    "name",
    "first name",
    "last name",
    "surname",
    "full name",
    "age",
    "married to",
    "engaged to",
    "hometown",
    "home town",
    "nationality",
    "height",
    "weight",
    "job",
    "employer",
    "boss",
    "manager",
    "capital",
    "address",
    "shoe size",
    "marital status",
];

/// One for good.
const IMMUTABLE: [&str; 19] = [
    "born in",
    "birthplace",
    "place of birth",
    "birthday",
    "date of birth",
    "birth date",
    "year of birth",
    "birth name",
    "maiden name",
    "mother",
    "father",
    "biological mother",
    "biological father",
    "native language",
    "mother tongue",
    "blood type",
    "blood group",
    "star sign",
    "zodiac sign",
];

/// The cardinality of a relation as [`super::Slot::relation`] names it.
pub fn cardinality(relation: &str) -> Cardinality {
    if IMMUTABLE.contains(&relation) {
        Cardinality::Immutable
    } else if ONE.contains(&relation) || relation.starts_with("favourite ") {
        Cardinality::One
    } else {
        Cardinality::Many
    }
}

/// Whether the table lists it: a noun ("blood type") names a relation of its owner only then.
pub(super) fn is_listed(relation: &str) -> bool {
    cardinality(relation) != Cardinality::Many
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_move_acquaintances_join_and_birthplaces_stay() {
        assert_eq!(cardinality("lives in"), Cardinality::One);
        assert_eq!(cardinality("favourite colour"), Cardinality::One);
        assert_eq!(cardinality("born in"), Cardinality::Immutable);
        assert_eq!(cardinality("knows"), Cardinality::Many);
        assert_eq!(cardinality("collects"), Cardinality::Many, "what is not listed may be many");
        assert!(ONE.iter().all(|relation| !IMMUTABLE.contains(relation)));
    }
}
