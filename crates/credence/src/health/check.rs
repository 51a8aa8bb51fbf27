//! What is wrong with a log: commit by commit, and in what the records of the present say of one another. A record that was removed is known;
//! one that was never here is not. Where a commit could not be read or retention dropped revisions, gaps are explained and no finding.

use std::collections::BTreeMap;

use super::{Findings, Trouble};
use crate::history::{Commit, ContentId, RecordId, State};
use crate::id::{EntityId, PropositionId, RevisionId};
use crate::time::Timestamp;

/// Looks at commits in order.
#[derive(Debug, Default)]
pub(super) struct LogCheck {
    at: Option<Timestamp>,
    revision: u64,
    last: BTreeMap<RecordId, RevisionId>,
    /// Something before is known to be missing.
    gaps: bool,
}

impl LogCheck {
    pub(super) fn commit(&mut self, commit: &Commit, findings: &mut Findings) {
        let seq = commit.seq;
        if let Some(rewritten) = &commit.rewritten {
            self.gaps |= rewritten.unreadable.is_some() || rewritten.dropped > 0;
            if let Some(reason) = &rewritten.unreadable {
                findings.add(Trouble::UnreadableCommit, || format!("commit {seq}: {reason}"));
            }
        }
        if self.at.is_some_and(|at| commit.at < at) {
            findings.add(Trouble::TimeRunsBack, || format!("commit {seq}"));
        }
        self.at = Some(commit.at);
        for revision in &commit.revisions {
            let (id, record) = (revision.id, revision.record);
            if id.0 != self.revision + 1 && !self.gaps {
                findings.add(Trouble::RevisionsMissing, || format!("before {id} in commit {seq}"));
            }
            self.revision = id.0;
            let before = self.last.insert(record, id);
            if revision.previous != before && !self.gaps {
                findings.add(Trouble::SuccessionBroken, || format!("{record}, {id} in commit {seq}"));
            }
            if revision.value.as_ref().is_some_and(|value| value.id() != record) {
                findings.add(Trouble::WrongRecord, || format!("{record}, {id} in commit {seq}"));
            } else if !revision.erased && ContentId::of(revision.value.as_ref()) != revision.content_id {
                findings.add(Trouble::ContentDiffers, || format!("{record}, {id} in commit {seq}"));
            }
        }
    }
}

/// Whether a record is here or was.
fn knows(state: &State, record: RecordId) -> bool {
    state.revision(record).is_some()
}

pub(super) fn knows_entity(state: &State, id: EntityId) -> bool {
    knows(state, RecordId::Entity(id))
}

pub(super) fn knows_statement(state: &State, id: PropositionId) -> bool {
    knows(state, RecordId::Proposition(id))
}

/// Looks at what the records of the present say of one another.
pub(super) fn present(state: &State, findings: &mut Findings) {
    for statement in state.propositions() {
        let id = statement.id;
        for turn in statement.grounding.iter().filter(|turn| !knows(state, RecordId::Turn(**turn))) {
            findings.add(Trouble::UnknownTurn, || format!("{id} rests on {turn}"));
        }
        let entities = statement.mentions.iter().flat_map(|mention| mention.entity);
        for entity in entities.filter(|entity| !knows_entity(state, *entity)) {
            findings.add(Trouble::UnknownEntity, || format!("{id} mentions {entity}"));
        }
        let temporal = &statement.temporal;
        let others = statement.source_ids.iter().chain(&temporal.supersedes).chain(&temporal.contradicts);
        for other in others.filter(|other| !knows_statement(state, **other)) {
            findings.add(Trouble::UnknownStatement, || format!("{id} points at {other}"));
        }
    }
    for entity in state.entities() {
        for other in entity_links(entity).filter(|other| !knows_entity(state, *other)) {
            findings.add(Trouble::UnknownEntity, || format!("{} points at {other}", entity.id));
        }
    }
    for unit in state.units().filter(|unit| !knows_statement(state, unit.proposition)) {
        findings.add(Trouble::UnitWithoutStatement, || unit.proposition.to_string());
    }
    let mut lost = BTreeMap::new();
    for turn in state.all_turns().filter(|turn| !knows(state, RecordId::Conversation(turn.conversation))) {
        *lost.entry(turn.conversation).or_insert(0_usize) += 1;
    }
    for (conversation, turns) in lost {
        findings.add(Trouble::TurnsWithoutConversation, || format!("{conversation}, {turns} turns"));
    }
    let bookmarks = state.bookmarks().map(|bookmark| bookmark.conversation);
    // One whose turns are here comes back with them.
    for id in
        bookmarks.filter(|id| !knows(state, RecordId::Conversation(*id)) && state.turns(*id).next().is_none())
    {
        findings.add(Trouble::BookmarkWithoutConversation, || id.to_string());
    }
}

/// The entities that an entity points at.
fn entity_links(entity: &crate::entity::Entity) -> impl Iterator<Item = EntityId> + '_ {
    let duplicates = entity.possible_duplicates.iter().map(|other| other.entity);
    entity.merged_into.into_iter().chain(entity.distinct_from.iter().copied()).chain(duplicates)
}
