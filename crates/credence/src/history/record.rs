//! What a revision can hold: the kinds of record that make up a memory, and their identities.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::compaction::Summary;
use crate::conversation::{Bookmark, Conversation, Turn};
use crate::entity::{Entity, EntityReport};
use crate::erasure::ErasureReport;
use crate::extraction::AnalysisReport;
use crate::id::{
    AnalysisId, ConversationId, EntityId, EntityReportId, ErasureId, IdError, InboxId, LedgerId, PromotionId,
    PropositionId, RunId, SummaryId, SweepId, TurnId,
};
use crate::inbox::InboxItem;
use crate::ingest::LedgerEntry;
use crate::maintenance::RunReport;
use crate::promotion::PromotionReport;
use crate::proposition::Proposition;
use crate::unit::Unit;
use crate::upkeep::SweepReport;

/// The kinds of record, in the order that state keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A statement.
    Proposition,
    /// What statements are about.
    Entity,
    /// A thread of turns.
    Conversation,
    /// One turn.
    Turn,
    /// How far a conversation has been analysed.
    Bookmark,
    /// The report of one analysed window.
    Analysis,
    /// A question to the person.
    Inbox,
    /// What was analysed, known again by its content.
    Ledger,
    /// The report of one maintenance run.
    Run,
    /// The report of one window of an entity-only run.
    EntityReport,
    /// A statement's standing in the working set.
    Unit,
    /// The report of one promotion run.
    Promotion,
    /// The summary of a conversation's earlier turns.
    Summary,
    /// The report of one sweep over the working set.
    Sweep,
    /// The report of one erasure.
    Erasure,
}

impl RecordKind {
    /// The word that stored records carry.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposition => "proposition",
            Self::Entity => "entity",
            Self::Conversation => "conversation",
            Self::Turn => "turn",
            Self::Bookmark => "bookmark",
            Self::Analysis => "analysis",
            Self::Inbox => "inbox",
            Self::Ledger => "ledger",
            Self::Run => "run",
            Self::EntityReport => "entityreport",
            Self::Unit => "unit",
            Self::Promotion => "promotion",
            Self::Summary => "summary",
            Self::Sweep => "sweep",
            Self::Erasure => "erasure",
        }
    }
}

/// Identity of a record. Written as the id's own text; a bookmark is `B` and its conversation's digits, a
/// unit `W` and its statement's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordId {
    /// A statement.
    Proposition(PropositionId),
    /// What statements are about.
    Entity(EntityId),
    /// A thread of turns.
    Conversation(ConversationId),
    /// One turn.
    Turn(TurnId),
    /// A conversation's bookmark.
    Bookmark(ConversationId),
    /// A window's report.
    Analysis(AnalysisId),
    /// A question to the person.
    Inbox(InboxId),
    /// An analysed content.
    Ledger(LedgerId),
    /// A maintenance run's report.
    Run(RunId),
    /// The report of one window of an entity-only run.
    EntityReport(EntityReportId),
    /// A statement's standing in the working set.
    Unit(PropositionId),
    /// The report of one promotion run.
    Promotion(PromotionId),
    /// The summary of a conversation's earlier turns.
    Summary(SummaryId),
    /// The report of one sweep over the working set.
    Sweep(SweepId),
    /// The report of one erasure.
    Erasure(ErasureId),
}

impl RecordId {
    /// Which kind of record it names.
    pub fn kind(self) -> RecordKind {
        match self {
            Self::Proposition(_) => RecordKind::Proposition,
            Self::Entity(_) => RecordKind::Entity,
            Self::Conversation(_) => RecordKind::Conversation,
            Self::Turn(_) => RecordKind::Turn,
            Self::Bookmark(_) => RecordKind::Bookmark,
            Self::Analysis(_) => RecordKind::Analysis,
            Self::Inbox(_) => RecordKind::Inbox,
            Self::Ledger(_) => RecordKind::Ledger,
            Self::Run(_) => RecordKind::Run,
            Self::EntityReport(_) => RecordKind::EntityReport,
            Self::Unit(_) => RecordKind::Unit,
            Self::Promotion(_) => RecordKind::Promotion,
            Self::Summary(_) => RecordKind::Summary,
            Self::Sweep(_) => RecordKind::Sweep,
            Self::Erasure(_) => RecordKind::Erasure,
        }
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proposition(id) => id.fmt(f),
            Self::Entity(id) => id.fmt(f),
            Self::Conversation(id) => id.fmt(f),
            Self::Turn(id) => id.fmt(f),
            Self::Bookmark(id) => write!(f, "B{}", id.uuid().simple()),
            Self::Analysis(id) => id.fmt(f),
            Self::Inbox(id) => id.fmt(f),
            Self::Ledger(id) => id.fmt(f),
            Self::Run(id) => id.fmt(f),
            Self::EntityReport(id) => id.fmt(f),
            Self::Unit(id) => write!(f, "W{}", id.uuid().simple()),
            Self::Promotion(id) => id.fmt(f),
            Self::Summary(id) => id.fmt(f),
            Self::Sweep(id) => id.fmt(f),
            Self::Erasure(id) => id.fmt(f),
        }
    }
}

/// The digits of another record's id behind a letter of its own.
fn borrowed(prefix: &'static str, text: &str) -> Result<Uuid, IdError> {
    let digits = text.get(1..).filter(|digits| digits.len() == 32);
    let uuid = digits.and_then(|digits| Uuid::try_parse(digits).ok());
    uuid.ok_or_else(|| IdError { prefix, found: text.chars().take(48).collect() })
}

impl FromStr for RecordId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        match text.as_bytes().first() {
            Some(b'P') => text.parse().map(Self::Proposition),
            Some(b'E') => text.parse().map(Self::Entity),
            Some(b'V') => text.parse().map(Self::Conversation),
            Some(b'T') => text.parse().map(Self::Turn),
            Some(b'A') => text.parse().map(Self::Analysis),
            Some(b'I') => text.parse().map(Self::Inbox),
            Some(b'M') => text.parse().map(Self::Run),
            Some(b'L') => text.parse().map(Self::Ledger),
            Some(b'N') => text.parse().map(Self::EntityReport),
            Some(b'G') => text.parse().map(Self::Promotion),
            Some(b'S') => text.parse().map(Self::Summary),
            Some(b'K') => text.parse().map(Self::Sweep),
            Some(b'X') => text.parse().map(Self::Erasure),
            Some(b'B') => borrowed("B", text).map(|uuid| Self::Bookmark(ConversationId::new(uuid))),
            Some(b'W') => borrowed("W", text).map(|uuid| Self::Unit(PropositionId::new(uuid))),
            _ => Err(IdError {
                prefix: "P, E, V, T, B, A, I, L, M, N, W, G, S, K or X",
                found: text.chars().take(48).collect(),
            }),
        }
    }
}

impl Serialize for RecordId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RecordId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A whole record, as one revision holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "lowercase")]
pub enum Record {
    /// A statement.
    Proposition(Proposition),
    /// What statements are about.
    Entity(Entity),
    /// A thread of turns.
    Conversation(Conversation),
    /// One turn.
    Turn(Turn),
    /// How far a conversation has been analysed.
    Bookmark(Bookmark),
    /// The report of one analysed window.
    Analysis(AnalysisReport),
    /// A question to the person.
    Inbox(InboxItem),
    /// What was analysed, known again by its content.
    Ledger(LedgerEntry),
    /// The report of one maintenance run.
    Run(RunReport),
    /// The report of one window of an entity-only run.
    EntityReport(EntityReport),
    /// A statement's standing in the working set.
    Unit(Unit),
    /// The report of one promotion run.
    Promotion(PromotionReport),
    /// The summary of a conversation's earlier turns.
    Summary(Summary),
    /// The report of one sweep over the working set.
    Sweep(SweepReport),
    /// The report of one erasure.
    Erasure(ErasureReport),
}

impl Record {
    /// Its identity.
    pub fn id(&self) -> RecordId {
        match self {
            Self::Proposition(r) => RecordId::Proposition(r.id),
            Self::Entity(r) => RecordId::Entity(r.id),
            Self::Conversation(r) => RecordId::Conversation(r.id),
            Self::Turn(r) => RecordId::Turn(r.id),
            Self::Bookmark(r) => RecordId::Bookmark(r.conversation),
            Self::Analysis(r) => RecordId::Analysis(r.id),
            Self::Inbox(r) => RecordId::Inbox(r.id),
            Self::Ledger(r) => RecordId::Ledger(r.id),
            Self::Run(r) => RecordId::Run(r.id),
            Self::EntityReport(r) => RecordId::EntityReport(r.id),
            Self::Unit(r) => RecordId::Unit(r.proposition),
            Self::Promotion(r) => RecordId::Promotion(r.id),
            Self::Summary(r) => RecordId::Summary(r.id),
            Self::Sweep(r) => RecordId::Sweep(r.id),
            Self::Erasure(r) => RecordId::Erasure(r.id),
        }
    }
}

macro_rules! into_record {
    ($($kind:ident($type:ty)),*) => {$(
        impl From<$type> for Record { fn from(value: $type) -> Self { Record::$kind(value) } }
    )*};
}
into_record!(
    Proposition(Proposition),
    Entity(Entity),
    Conversation(Conversation),
    Turn(Turn),
    Bookmark(Bookmark),
    Analysis(AnalysisReport),
    Inbox(InboxItem),
    Ledger(LedgerEntry),
    Run(RunReport),
    EntityReport(EntityReport),
    Unit(Unit),
    Promotion(PromotionReport),
    Summary(Summary),
    Sweep(SweepReport),
    Erasure(ErasureReport)
);
