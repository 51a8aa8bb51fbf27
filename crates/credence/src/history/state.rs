//! State: the fold of a log up to a commit. The present is the fold of all of it; a view at a commit is the same fold,
//! stopped there.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::commit::{Commit, Revision};
use super::record::{Record, RecordId};
use crate::compaction::Summary;
use crate::conversation::{Bookmark, Conversation, Turn};
use crate::entity::{Entity, EntityReport};
use crate::erasure::ErasureReport;
use crate::extraction::AnalysisReport;
use crate::id::{
    AnalysisId, CommitId, ConversationId, EntityId, EntityReportId, ErasureId, InboxId, LedgerId,
    PromotionId, PropositionId, RevisionId, RunId, SummaryId, SweepId, TurnId,
};
use crate::inbox::InboxItem;
use crate::ingest::LedgerEntry;
use crate::maintenance::RunReport;
use crate::promotion::PromotionReport;
use crate::proposition::Proposition;
use crate::time::Timestamp;
use crate::unit::Unit;
use crate::upkeep::SweepReport;

/// The commit that a state stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The commit.
    pub id: CommitId,
    /// Its position.
    pub seq: u64,
    /// Its monotone time.
    pub at: Timestamp,
}

/// One revision per record: everything that a memory holds after a commit. Cloning costs one pointer a record.
#[derive(Debug, Clone, Default)]
pub struct State {
    head: Option<Head>,
    last_revision: u64,
    records: BTreeMap<RecordId, Rc<Revision>>,
    turns: BTreeMap<ConversationId, BTreeMap<(u32, TurnId), ()>>,
}

macro_rules! typed {
    ($($(#[$doc:meta])* $one:ident, $many:ident: $kind:ident($id:ty) -> $type:ty;)*) => {$(
        $(#[$doc])*
        pub fn $one(&self, id: $id) -> Option<&$type> {
            match self.records.get(&RecordId::$kind(id))?.value.as_ref()? {
                Record::$kind(value) => Some(value),
                _ => None,
            }
        }
        /// Every record of this kind, in order of id, that is, of creation.
        pub fn $many(&self) -> impl DoubleEndedIterator<Item = &$type> + '_ {
            self.records
                .range(RecordId::$kind(<$id>::new(uuid::Uuid::nil()))..=RecordId::$kind(<$id>::new(uuid::Uuid::max())))
                .filter_map(|(_, revision)| match revision.value.as_ref() {
                    Some(Record::$kind(value)) => Some(value),
                    _ => None,
                })
        }
    )*};
}

impl State {
    /// The commit that this state stands at; `None` before the first.
    pub fn head(&self) -> Option<Head> {
        self.head
    }
    /// The head's position; 0 before the first commit.
    pub fn seq(&self) -> u64 {
        self.head.map_or(0, |head| head.seq)
    }
    /// The last revision id that was given out.
    pub fn last_revision(&self) -> RevisionId {
        RevisionId(self.last_revision)
    }
    /// The present revision of a record, removals included.
    pub fn revision(&self, id: RecordId) -> Option<&Rc<Revision>> {
        self.records.get(&id)
    }
    /// Present revisions of every record, removals included, in order of record.
    pub fn revisions(&self) -> impl Iterator<Item = &Rc<Revision>> {
        self.records.values()
    }

    typed! {
        /// A statement, unless unknown or removed.
        proposition, propositions: Proposition(PropositionId) -> Proposition;
        /// An entity, unless unknown or removed.
        entity, entities: Entity(EntityId) -> Entity;
        /// A conversation, unless unknown or removed.
        conversation, conversations: Conversation(ConversationId) -> Conversation;
        /// A turn, unless unknown or removed.
        turn, all_turns: Turn(TurnId) -> Turn;
        /// A conversation's bookmark, once it has one.
        bookmark, bookmarks: Bookmark(ConversationId) -> Bookmark;
        /// The report of a window.
        analysis, analyses: Analysis(AnalysisId) -> AnalysisReport;
        /// A question to the person, open or answered.
        inbox_item, inbox_items: Inbox(InboxId) -> InboxItem;
        /// What was analysed, by its content.
        ledger_entry, ledger: Ledger(LedgerId) -> LedgerEntry;
        /// The report of a maintenance run.
        run, runs: Run(RunId) -> RunReport;
        /// The report of a window of an entity-only run.
        entity_report, entity_reports: EntityReport(EntityReportId) -> EntityReport;
        /// A statement's standing in the working set, once it has been promoted.
        unit, units: Unit(PropositionId) -> Unit;
        /// The report of a promotion run.
        promotion, promotions: Promotion(PromotionId) -> PromotionReport;
        /// The summary of a conversation's earlier turns.
        summary, summaries: Summary(SummaryId) -> Summary;
        /// The report of a sweep.
        sweep, sweeps: Sweep(SweepId) -> SweepReport;
        /// The report of an erasure, with its tombstones.
        erasure, erasures: Erasure(ErasureId) -> ErasureReport;
    }

    /// The turns of a conversation, in order.
    pub fn turns(&self, conversation: ConversationId) -> impl DoubleEndedIterator<Item = &Turn> + '_ {
        let keys = self.turns.get(&conversation).into_iter().flat_map(BTreeMap::keys);
        keys.filter_map(|(_, id)| self.turn(*id))
    }
    /// The index that a conversation's next turn takes.
    pub fn next_turn_index(&self, conversation: ConversationId) -> u32 {
        let last = self.turns.get(&conversation).and_then(|turns| turns.last_key_value());
        last.map_or(0, |((index, _), ())| index + 1)
    }
    /// The entity that `id` stands for: itself, or what it was merged into, through every merge. `None`: unknown or removed.
    pub fn keeper(&self, id: EntityId) -> Option<&Entity> {
        let mut entity = self.entity(id)?;
        // Merges cannot form a ring; the bound keeps a damaged import from hanging the reader.
        for _ in 0..=self.records.len() {
            match entity.merged_into {
                Some(next) => entity = self.entity(next)?,
                None => return Some(entity),
            }
        }
        None
    }
    /// Entities that stand for themselves: those that were merged away left out.
    pub fn present_entities(&self) -> impl DoubleEndedIterator<Item = &Entity> + '_ {
        self.entities().filter(|entity| entity.merged_into.is_none())
    }
    /// The entity of the person whose memory this is.
    pub fn user(&self) -> Option<&Entity> {
        self.entities().find(|entity| entity.is_user)
    }

    /// The state that these revisions make up, at `head`; one a record, in order of record.
    pub(super) fn at(head: &Commit, revisions: impl Iterator<Item = Rc<Revision>>) -> Self {
        let mut state = Self {
            head: Some(Head { id: head.id, seq: head.seq, at: head.at }),
            records: revisions.map(|revision| (revision.record, revision)).collect(),
            ..Self::default()
        };
        for revision in state.records.values() {
            state.last_revision = state.last_revision.max(revision.id.0);
            if let Some(Record::Turn(turn)) = &revision.value {
                state.turns.entry(turn.conversation).or_default().insert((turn.index, turn.id), ());
            }
        }
        state
    }

    /// Moves on by one commit. The caller guarantees that `commit` follows the head.
    pub(super) fn apply(&mut self, commit: &Commit) {
        for revision in &commit.revisions {
            self.put(revision.clone());
        }
        self.head = Some(Head { id: commit.id, seq: commit.seq, at: commit.at });
    }

    fn put(&mut self, revision: Rc<Revision>) {
        if let Some(old) = self.records.get(&revision.record)
            && let Some(Record::Turn(turn)) = &old.value
        {
            self.turns.entry(turn.conversation).or_default().remove(&(turn.index, turn.id));
        }
        if let Some(Record::Turn(turn)) = &revision.value {
            self.turns.entry(turn.conversation).or_default().insert((turn.index, turn.id), ());
        }
        self.last_revision = self.last_revision.max(revision.id.0);
        self.records.insert(revision.record, revision);
    }
}
