//! From a candidate to the proposition that it would be: resolved mentions, evidence with its locators, the speaker's voice,
//! and when it was said. Nothing is decided and nothing is written here.

use std::collections::BTreeMap;

use super::temporal::temporal;
use crate::embedded;
use crate::extraction::{Candidate, Window, WindowTurn};
use crate::id::PropositionId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{MentionRole, Proposition, Voice};
use crate::resolution::{Resolver, Said};
use crate::scale::{Confidence, Decay, Importance};
use crate::text;
use crate::time::Timestamp;

impl<P: Ports> Memory<P> {
    /// A proposition as the candidate, its turns and its resolved mentions make it.
    pub(crate) fn build(
        &self,
        resolver: &mut Resolver<'_>,
        window: &Window,
        candidate: &Candidate,
        id: PropositionId,
        now: Timestamp,
    ) -> Proposition {
        let turn = candidate.turns.iter().find(|n| **n < window.turns.len()).copied();
        let speaker = turn.filter(|_| !window.is_document()).and_then(|n| resolver.speaker(&window.turns[n]));
        let turns: Vec<&WindowTurn> = candidate.turns.iter().filter_map(|n| window.turns.get(*n)).collect();
        let said = Said { statement: &candidate.text, turns: &turns };
        let mentions = self.resolve_screened(resolver, candidate, speaker, said);
        let grounding = window.grounding(&candidate.turns);
        let provenance = candidate.turns.iter().filter_map(|n| window.provenance(*n)).collect();
        let said = turn.map(|n| window.moments[n]);
        Proposition {
            id,
            text: candidate.text.clone(),
            mentions,
            confidence: Confidence::clamped(candidate.confidence),
            decay: Decay::clamped(candidate.decay),
            importance: Importance::clamped(candidate.importance),
            reasoning: Some(candidate.reasoning.clone()).filter(|r| !r.is_empty()),
            grounding,
            provenance,
            voice: turn.map_or(Voice::User, |n| window.voice(n)),
            extractor: candidate.extractor.clone(),
            created: now,
            content_revised: now,
            metadata_revised: now,
            last_accessed: now,
            pinned: false,
            status: crate::proposition::Status::Active,
            level: 0,
            source_ids: Vec::new(),
            reinforce_count: 0,
            witnesses: Vec::new(),
            retracted: false,
            temporal: temporal(&candidate.text, candidate.valid_from, candidate.valid_to, said),
            metadata: BTreeMap::new(),
            uri: None,
        }
    }
}

/// The name that a statement about the user gives them: "User's name is Mara", by rules or by a model. A held statement has no
/// candidate any more.
pub(crate) fn stated_name<'a>(
    resolver: &Resolver<'_>,
    new: &Proposition,
    candidate: Option<&'a Candidate>,
) -> Option<std::borrow::Cow<'a, str>> {
    let about_user = new.mention_in(MentionRole::Subject).and_then(|m| m.entity);
    if new.voice != Voice::User || about_user.is_none() || about_user != resolver.user() {
        return None;
    }
    if let Some(name) = candidate.and_then(embedded::stated_name) {
        return Some(name.into());
    }
    let slot =
        text::slot(&new.text).filter(|slot| slot.relation == "name" && slot.held != text::Held::Past)?;
    slot.value.chars().any(char::is_alphabetic).then_some(slot.value.into())
}
