//! Rows for the views, read out of the memory. Plain data that compares, so that a view is rebuilt only where its row
//! differs. Nothing here writes.

mod activity;
mod chat;
mod facts;
mod history;
mod units;

pub(crate) use activity::{Totals, Waiting, WindowRow, totals, waiting, windows};
pub(crate) use chat::{
    AnalysisState, Chip, Struck, TurnNotes, TurnRow, analysis_state, commit_of, conversations, notes, turns,
    undone,
};
pub(crate) use facts::{FactFilter, FactRow, FactSort, counts, list, rows, status_label};
pub(crate) use history::{
    ChangeRow, CommitRow, Growth, actor_label, cause_label, changes, commits, erasure, growth, statements_at,
};
pub(crate) use units::{
    UnitRow, WorkingSet, authority_label, authority_meaning, evidence_label, standing_words, tier_label,
    unit, working_set,
};
