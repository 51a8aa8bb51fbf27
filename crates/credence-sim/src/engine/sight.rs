//! Which facts a narrator could see when it was asked, and where: in a line of memory, or in a turn that was shown. Read off the very messages
//! that were sent, by the same reading of facts that judges replies.

use credence::llm::Message;

use crate::narrator::{FactReader, PieceKind, Seen};
use crate::run::Sighting;
use crate::verdict::Ruling;

/// One sighting a fact, in the scenario's order. A static list stands among the instructions and counts as memory: `listed` are its lines.
pub(super) fn sightings(messages: &[Message], reader: &FactReader, listed: &[String]) -> Vec<Sighting> {
    let facts = &reader.scenario().facts;
    let mut found: Vec<Sighting> = facts
        .iter()
        .map(|fact| Sighting { fact: fact.id.clone(), in_memory: false, in_turns: false })
        .collect();
    if messages.is_empty() {
        return found;
    }
    let seen = Seen::of(messages);
    let memory = seen.pieces.iter().filter(|piece| piece.kind.is_memory()).map(|piece| piece.text.as_str());
    for line in memory.chain(listed.iter().map(String::as_str)) {
        mark(reader, line, &mut found, |sighting| sighting.in_memory = true);
    }
    let turns = seen.pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::Player | PieceKind::Own));
    for turn in turns.map(|piece| piece.text.as_str()).chain([seen.said.as_str()]) {
        mark(reader, turn, &mut found, |sighting| sighting.in_turns = true);
    }
    found
}

fn mark(reader: &FactReader, text: &str, found: &mut [Sighting], set: impl Fn(&mut Sighting)) {
    for (sighting, ruling) in found.iter_mut().zip(reader.rulings(text).iter()) {
        if *ruling == Ruling::Confirmed {
            set(sighting);
        }
    }
}
