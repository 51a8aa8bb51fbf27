//! Which units concern what an incoming statement is about, so that a model is not asked about the others.
//!
//! Rules (core 4.5): where both statements know their entities, a shared one decides; otherwise shared subject words do:
//! capitalised words and what stands behind an article or "about". A statement that shares nothing with any unit is compared
//! with all of them, so the filter never reduces to zero. Articles are those of English, German, French and Spanish; in
//! scripts without capitals, every content word counts.

use std::collections::BTreeSet;

use crate::id::EntityId;
use crate::proposition::Proposition;
use crate::text;

/// Words behind which a subject stands, folded.
const BEFORE_SUBJECT: &str = "the a an this that these those about regarding concerning my our his her their your \
    der die das den dem des ein eine einen einem einer über mein meine unser unsere sein seine ihr ihre \
    le la les l un une des ce cette ces sur mon ma mes notre son sa ses leur \
    el los las lo una unos unas este esta sobre acerca mi mis nuestro nuestra su sus";

/// What a statement is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Subjects {
    entities: BTreeSet<EntityId>,
    words: BTreeSet<String>,
}

impl Subjects {
    /// Reads a statement.
    pub(super) fn of(proposition: &Proposition) -> Self {
        let mut words = subject_words(&proposition.text);
        let spans = proposition.mentions.iter().map(|mention| mention.span.as_str());
        let slot = text::slot(&proposition.text).map(|slot| slot.subject);
        for span in spans.chain(slot.as_deref()) {
            words.extend(text::content_terms(span));
        }
        Self { entities: proposition.entities().collect(), words }
    }

    fn meets(&self, other: &Self) -> bool {
        if !self.entities.is_empty() && !other.entities.is_empty() {
            return !self.entities.is_disjoint(&other.entities);
        }
        !self.words.is_disjoint(&other.words)
    }
}

/// Which of `units` to compare with, as places; all of them when none shares a subject.
pub(super) fn related(incoming: &Subjects, units: &[Subjects]) -> Vec<usize> {
    let shared: Vec<usize> = (0..units.len()).filter(|at| incoming.meets(&units[*at])).collect();
    if shared.is_empty() { (0..units.len()).collect() } else { shared }
}

/// The terms of a text that may name what it is about.
fn subject_words(text: &str) -> BTreeSet<String> {
    let mut subjects = BTreeSet::new();
    let mut behind = false;
    for written in text.split_whitespace() {
        let opened = written.rsplit_once(['\'', '’']).filter(|(head, _)| head.chars().count() <= 2);
        let bare = opened.map_or(written, |(_, tail)| tail).trim_matches(|c: char| !c.is_alphanumeric());
        let folded = text::fold(bare);
        let capital = bare.chars().next().is_some_and(char::is_uppercase);
        let caseless = bare.chars().any(|c| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase());
        let names = behind || opened.is_some() || capital || caseless;
        if names && !text::is_stopword(&folded) {
            subjects.extend(text::terms(bare));
        }
        behind = BEFORE_SUBJECT.split_ascii_whitespace().any(|word| word == folded);
    }
    subjects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::{Extractor, Mention, MentionRole};
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn about(text: &str, entities: &[u128]) -> Subjects {
        let id = PropositionId::new(Uuid::from_u128(1));
        let mut p =
            Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Rules, Timestamp(0)).unwrap();
        p.mentions = entities
            .iter()
            .map(|n| Mention {
                entity: Some(EntityId::new(Uuid::from_u128(*n))),
                ..Mention::new("it", "Thing", MentionRole::Other)
            })
            .collect();
        Subjects::of(&p)
    }

    #[test]
    fn core_113_subjects_stand_behind_articles_and_in_capitals() {
        for (text, subject) in [
            ("Mars is a red planet", "mar"),
            ("about dragons", "dragon"),
            ("The king is dead", "king"),
            ("Der König ist tot", "konig"),
            ("L'épée est brisée", "epee"),
            ("El rey ha muerto", "rey"),
            ("国王死了", "国王"),
        ] {
            assert!(subject_words(text).contains(subject), "{text}: {:?}", subject_words(text));
        }
        assert_eq!(subject_words("it is so"), BTreeSet::new());
        assert!(
            !subject_words("The king is dead").contains("the"),
            "upstream counts the article that begins a sentence"
        );
    }

    #[test]
    fn core_114_a_filter_never_reduces_to_zero() {
        let units = [about("The king is dead", &[]), about("The queen rules", &[])];
        assert_eq!(related(&about("The king lives", &[]), &units), [0]);
        assert_eq!(related(&about("it is so", &[]), &units), [0, 1], "no subjects");
        assert_eq!(related(&about("The dragon sleeps", &[]), &units), [0, 1], "no overlap");
        assert_eq!(related(&about("The king lives", &[]), &[]), [0; 0]);
    }

    #[test]
    fn entities_go_before_words() {
        let units = [about("Ana is a nurse", &[1]), about("Ana is a pilot", &[2]), about("Ana sings", &[])];
        assert_eq!(related(&about("Ana is a vet", &[2]), &units), [1, 2]);
    }
}
