//! What goes out: plain objects with camelCase names, ids as strings, times as milliseconds since 1970-01-01T00:00:00Z,
//! and `null` (never a missing field) where there is nothing.

mod bundle;
mod conversation;
mod entity;
mod erasure;
mod event;
mod gauges;
mod health;
mod history;
mod import;
mod ingest;
mod past;
mod promotion;
mod prompt;
mod property;
mod proposition;
mod report;
mod show;
mod turns;
mod undo;
mod unit;
mod upkeep;

pub(crate) use bundle::{ImportPlan, ImportReport};
pub(crate) use conversation::{Answer, Conversation, Turn};
pub(crate) use entity::{DuplicatePair, Entity, EntityChange, EntityPage};
pub(crate) use erasure::{ErasurePreview, ErasureProgress, ErasureReport, Forgetting};
pub(crate) use event::MemoryEvent;
pub(crate) use gauges::{Attention, MentionGraph, Pressure, SweepReport};
pub(crate) use health::{HealthReport, Repaired};
pub(crate) use history::{Commit, ContextSummary, Revision, Undone};
pub(crate) use import::{ImportPreview, Imported, TakeInProgress};
pub(crate) use ingest::{DocumentReceipt, Estimate, ForgottenSource, Pending, PendingSource, Progress};
pub(crate) use past::{Belief, Changed, Derived, Life, MemoryAt, Replay, UsedByTurn};
pub(crate) use promotion::{DetectedConflicts, PromotionReport};
pub(crate) use prompt::{Assembled, Compaction, Compliance, EnforcementPhase, Summary, ToolUse, Xray};
pub(crate) use property::Property;
pub(crate) use proposition::{LeftOut, Proposition, PropositionDetail, Remembered, SearchHit, SearchResult};
pub(crate) use report::{AnalysisReport, Dropped, MentionTotals, Outcome};
pub(crate) use show::Show;
pub(crate) use turns::{Branched, TurnChange, Wording};
pub(crate) use undo::{HistoryCompaction, UndoPreview};
pub(crate) use unit::{CanonAnswer, Lineage, Settled, Superseded, TrustStep, Unit, UnitAct};
pub(crate) use upkeep::{Decision, InboxItem, MaintenanceProgress, MaintenanceReport};

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// The plain object of a view.
pub(crate) fn to_js(view: &impl Serialize) -> Result<JsValue, Failure> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    view.serialize(&serializer).map_err(|error| Failure {
        code: "engine-failed".into(),
        message: format!("a result has no JavaScript form: {error}"),
    })
}
