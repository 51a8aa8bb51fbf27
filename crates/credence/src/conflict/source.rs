//! Whose word stands against whose: how the source of an incoming statement stands to the source of a known one.
//!
//! Sources are compared by their exact ids (core 15 G9), never by parts of them. Where the host has scored both
//! (`trust.source_authority.scores`), the scores tell which knows better. Otherwise the same source may revise what it said
//! itself. In the user's own memory nobody outranks the user: not another person, not a document, not the assistant; the
//! assistant, who can only have said what it was given, outranks nobody. Two different people or documents stand beside each
//! other, and nothing is known of which knows better. A host that knows its sources brings a comparator of its own
//! ([`crate::Memory::use_source_comparator`]). Source: core 4.8.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::history::State;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Proposition, Voice};
use crate::trust::{USER_SOURCE, sources_of};

/// How the incoming source stands to the known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SourceRelation {
    /// The very same source speaks again.
    SameSource,
    /// The incoming one knows better.
    IncomingOutranks,
    /// The known one knows better.
    ExistingOutranks,
    /// Nothing is known of which knows better.
    Unknown,
}

/// Who stands behind a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// As the source registry has it (`trust::sources_of`): `user`, another speaker's name, an address; or `assistant`.
    pub id: String,
    /// Whose words.
    pub voice: Voice,
}

/// Compares two sources. A host that knows its own brings one.
pub trait SourceComparator {
    /// How `incoming` stands to `existing`.
    fn compare(&self, incoming: &Source, existing: &Source) -> SourceRelation;
}

/// Compares by exact id and by voice; see the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByVoice;

impl SourceComparator for ByVoice {
    fn compare(&self, incoming: &Source, existing: &Source) -> SourceRelation {
        let rank = |voice: Voice| match voice {
            Voice::User => 2,
            Voice::Other | Voice::Document => 1,
            Voice::Assistant => 0,
        };
        match rank(incoming.voice).cmp(&rank(existing.voice)) {
            _ if incoming.id == existing.id => SourceRelation::SameSource,
            std::cmp::Ordering::Greater => SourceRelation::IncomingOutranks,
            std::cmp::Ordering::Less => SourceRelation::ExistingOutranks,
            std::cmp::Ordering::Equal => SourceRelation::Unknown,
        }
    }
}

/// Who stands behind a statement, by the ids of the source registry. `None` where nothing tells.
pub fn source_of(state: &State, p: &Proposition) -> Option<Source> {
    let id = match p.voice {
        Voice::User => USER_SOURCE.to_owned(),
        Voice::Assistant => "assistant".to_owned(),
        Voice::Other | Voice::Document => {
            sources_of(state, p).into_iter().find(|source| source != USER_SOURCE)?
        }
    };
    Some(Source { id, voice: p.voice })
}

impl<P: Ports> Memory<P> {
    /// Lets the host say how sources stand to each other; `None` goes back to the scores of the settings and [`ByVoice`].
    pub fn use_source_comparator(&self, comparator: Option<Rc<dyn SourceComparator>>) {
        *self.source_comparator().borrow_mut() = comparator;
    }

    /// How the source of `incoming` stands to that of `existing`; unknown where one of them has none.
    pub(crate) fn source_relation(
        &self,
        state: &State,
        incoming: &Proposition,
        existing: &Proposition,
    ) -> SourceRelation {
        let (Some(incoming), Some(existing)) = (source_of(state, incoming), source_of(state, existing))
        else {
            return SourceRelation::Unknown;
        };
        let own = self.source_comparator().borrow().clone();
        if let Some(comparator) = own {
            return comparator.compare(&incoming, &existing);
        }
        let scored = self.with_config(|config| {
            let scores = &config.trust.source_authority;
            scores.score(&incoming.id).zip(scores.score(&existing.id))
        });
        match scored {
            Some((new, known)) if incoming.id != existing.id && new > known => {
                SourceRelation::IncomingOutranks
            }
            Some((new, known)) if incoming.id != existing.id && new < known => {
                SourceRelation::ExistingOutranks
            }
            _ => ByVoice.compare(&incoming, &existing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SourceRelation::*;
    use super::*;

    fn source(id: &str, voice: Voice) -> Source {
        Source { id: id.into(), voice }
    }

    #[test]
    fn nobody_outranks_the_user_in_their_own_memory() {
        let (user, assistant) = (source("user", Voice::User), source("assistant", Voice::Assistant));
        let (nia, bo) = (source("nia", Voice::Other), source("bo", Voice::Other));
        let page = source("uri:https://x.example", Voice::Document);
        let relation = |incoming, existing| ByVoice.compare(incoming, existing);
        for other in [&assistant, &nia, &page] {
            assert_eq!(relation(other, &user), ExistingOutranks);
            assert_eq!(relation(&user, other), IncomingOutranks);
            assert_eq!(relation(other, other), SameSource);
        }
        assert_eq!(relation(&nia, &bo), Unknown);
        assert_eq!(relation(&page, &nia), Unknown);
        assert_eq!(relation(&assistant, &page), ExistingOutranks);
        assert_eq!(relation(&user, &user), SameSource);
    }

    /// Ids are compared whole: "admin" is not "dm" (G9).
    #[test]
    fn ids_are_compared_whole() {
        let (a, b) = (source("dm", Voice::Other), source("admin", Voice::Other));
        assert_eq!(ByVoice.compare(&a, &b), Unknown);
    }
}
