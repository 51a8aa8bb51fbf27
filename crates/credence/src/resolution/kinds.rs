//! Kinds of things: which labels name one kind, which pairs exclude each other, and which leave it open.
//!
//! Extractors name kinds freely ("Company", "Organisation", "Startup"). Labels of one family are one kind; two families that
//! exclude each other keep homonyms apart for good (Mercury the cat, the planet, the company); everything else is unsure,
//! which makes a candidate and never a merge. A label that is in no family is a family of its own.

use crate::text;

/// Kinds so general that they fit any other.
const GENERAL: [&str; 5] = ["thing", "entity", "concept", "other", "__entity__"];

/// A family of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    Person,
    Animal,
    Organization,
    Place,
    Product,
    Work,
    Event,
    Topic,
    Date,
    Celestial,
    Food,
    Language,
}

use Family::{
    Animal, Celestial, Date, Event, Food, Language, Organization, Person, Place, Product, Topic, Work,
};

const LABELS: [(Family, &str); 12] = [
    (
        Person,
        "person people human man woman child boy girl user assistantuser speaker individual friend relative family \
         colleague coworker contact character",
    ),
    (Animal, "animal pet cat dog bird horse fish rabbit hamster"),
    (
        Organization,
        "organization organisation company business startup employer corporation institution agency team club band brand \
         bank university school ngo charity government",
    ),
    (
        Place,
        "place location city town village country state region district neighbourhood neighborhood street address island \
         continent mountain river lake",
    ),
    (Product, "product device software app application tool car vehicle game model gadget hardware"),
    (Work, "work book novel film movie song album series show podcast play painting artwork"),
    (Event, "event meeting party conference festival holiday concert appointment"),
    (Topic, "topic subject field hobby activity interest genre sport skill idea"),
    (Date, "date time day weekday month year"),
    (Celestial, "planet star moon galaxy comet asteroid"),
    (Food, "food dish drink beverage ingredient meal"),
    (Language, "language"),
];

/// Families that do not exclude each other: a school is an organisation and a place, a game a product and a topic.
const OPEN: [(Family, Family); 12] = [
    (Organization, Place),
    (Organization, Product),
    (Organization, Topic),
    (Organization, Event),
    (Product, Work),
    (Product, Topic),
    (Product, Food),
    (Work, Topic),
    (Event, Topic),
    (Event, Date),
    (Food, Topic),
    (Language, Topic),
];

/// How the kind of a mention fits the labels of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// One kind, or one of the two says nothing about it.
    Same,
    /// They may be one kind.
    Unsure,
    /// They exclude each other.
    Different,
}

/// The part of a label behind its last dot: hosts write `com.example.Person`.
pub(crate) fn label_of(kind: &str) -> &str {
    let kind = kind.trim();
    kind.rsplit('.').next().map(str::trim).filter(|last| !last.is_empty()).unwrap_or(kind)
}

/// Whether a label says nothing: blank, or a kind that fits everything.
pub(crate) fn is_general(kind: &str) -> bool {
    let folded = text::fold(label_of(kind));
    folded.is_empty() || GENERAL.contains(&folded.as_str())
}

pub(crate) fn family(kind: &str) -> Option<Family> {
    let folded = text::fold(label_of(kind));
    LABELS
        .iter()
        .find(|(_, labels)| labels.split_ascii_whitespace().any(|label| label == folded))
        .map(|(family, _)| *family)
}

fn fit_one(a: &str, b: &str) -> Fit {
    if text::fold(label_of(a)) == text::fold(label_of(b)) {
        return Fit::Same;
    }
    match (family(a), family(b)) {
        (Some(a), Some(b)) if a == b => Fit::Same,
        (Some(a), Some(b)) if OPEN.contains(&(a, b)) || OPEN.contains(&(b, a)) => Fit::Unsure,
        (Some(_), Some(_)) => Fit::Different,
        _ => Fit::Unsure,
    }
}

/// How what is sought, with these kinds, fits an entity with these labels. The best pair counts.
pub(crate) fn fit<'a>(labels: &[String], kinds: impl IntoIterator<Item = &'a str>) -> Fit {
    let mut specific = kinds.into_iter().filter(|kind| !is_general(kind)).peekable();
    if specific.peek().is_none() || labels.iter().all(|label| is_general(label)) {
        return Fit::Same;
    }
    let labels: Vec<&String> = labels.iter().filter(|label| !is_general(label)).collect();
    specific.flat_map(|kind| labels.iter().map(move |label| fit_one(label, kind))).min().unwrap_or(Fit::Same)
}

/// Whether a thing with these labels may be of this kind: unknown and general kinds fit all.
pub fn compatible(labels: &[String], kind: &str) -> bool {
    fit(labels, [kind]) == Fit::Same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_meet_exclude_each_other_or_leave_it_open() {
        let table = [
            ("Company", "Organisation", Fit::Same),
            ("com.example.Person", "person", Fit::Same),
            ("Cat", "Animal", Fit::Same),
            ("Thing", "Planet", Fit::Same),
            ("", "Planet", Fit::Same),
            ("Animal", "Planet", Fit::Different),
            ("Planet", "Organization", Fit::Different),
            ("Place", "Person", Fit::Different),
            ("School", "Place", Fit::Unsure),
            ("Composer", "Person", Fit::Unsure),
            ("Saas", "saas", Fit::Same),
            ("Saas", "Trip", Fit::Unsure),
        ];
        for (label, kind, expected) in table {
            assert_eq!(fit(&[label.to_owned()], [kind]), expected, "{label} / {kind}");
            assert_eq!(fit(&[kind.to_owned()], [label]), expected, "{kind} / {label}");
        }
        assert_eq!(
            fit(&["Saas".into(), "Person".into()], ["Trip", "Human"]),
            Fit::Same,
            "one pair is enough"
        );
        assert!(compatible(&["Thing".into()], "Person") && !compatible(&["Animal".into()], "Person"));
    }
}
