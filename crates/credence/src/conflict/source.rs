//! Whose word stands against whose: how the source of an incoming statement stands to the source of a known one.
//!
//! Sources are compared by their exact ids (core 15 G9), never by parts of them: the user, the assistant, another person by name, a
//! document by its address. The same source may revise what it said itself. In the user's own memory nobody outranks the user: not
//! another person, not a document, not the assistant; the assistant, who can only have said what it was given, outranks nobody. Two
//! different people or documents stand beside each other, and nothing is known of which knows better. A host that knows its sources
//! brings a comparator of its own ([`crate::Memory::use_source_comparator`]). Source: core 4.8.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::conversation::{Origin, Speaker};
use crate::history::State;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Proposition, Voice};

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
    /// `user`, `assistant`, `person:` and the name, or `document:` and the address.
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

/// Who stands behind a statement: its voice, and the first of its turns or addresses that tells whose. `None` where nothing does.
pub fn source_of(state: &State, p: &Proposition) -> Option<Source> {
    let id = match p.voice {
        Voice::User => "user".to_owned(),
        Voice::Assistant => "assistant".to_owned(),
        Voice::Other => format!("person:{}", speaker(state, p)?),
        Voice::Document => format!("document:{}", document(state, p)?),
    };
    Some(Source { id, voice: p.voice })
}

fn speaker(state: &State, p: &Proposition) -> Option<String> {
    let name = |speaker: &Speaker| match speaker {
        Speaker::Person { name } => Some(name.trim().to_lowercase()),
        _ => None,
    };
    p.grounding.iter().filter_map(|turn| state.turn(*turn)).find_map(|turn| name(&turn.speaker))
}

fn document(state: &State, p: &Proposition) -> Option<String> {
    let of_turn = p.grounding.iter().filter_map(|turn| state.turn(*turn)).find_map(|turn| {
        match &state.conversation(turn.conversation)?.origin {
            Origin::Document { locator: Some(locator), .. } => Some(locator.identity()),
            Origin::Document { content, .. } => Some(format!("content:{content}")),
            Origin::Chat | Origin::Transcript { .. } => None,
        }
    });
    of_turn.or_else(|| p.provenance.first().map(|entry| entry.locator.identity()))
}

impl<P: Ports> Memory<P> {
    /// Lets the host say how sources stand to each other; `None` goes back to [`ByVoice`].
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
        match own {
            Some(comparator) => comparator.compare(&incoming, &existing),
            None => ByVoice.compare(&incoming, &existing),
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
        let (nia, bo) = (source("person:nia", Voice::Other), source("person:bo", Voice::Other));
        let page = source("document:uri:https://x.example", Voice::Document);
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
        let (a, b) = (source("person:nia", Voice::Other), source("person:nia b", Voice::Other));
        assert_eq!(ByVoice.compare(&a, &b), Unknown);
    }
}
