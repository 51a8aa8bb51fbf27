//! Rows for the views, read out of the memory. Plain data that compares, so that a view is rebuilt only where its row
//! differs. Nothing here writes.

mod activity;
mod chat;
mod facts;

pub(crate) use activity::{Totals, Waiting, WindowRow, totals, waiting, windows};
pub(crate) use chat::{
    AnalysisState, Chip, Struck, TurnNotes, TurnRow, analysis_state, conversations, notes, turns, undone,
};
pub(crate) use facts::{FactFilter, FactRow, FactSort, counts, list, rows, status_label};
