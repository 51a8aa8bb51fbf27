//! Runs: one scenario played once under one condition.

mod condition;
mod record;

pub use condition::{Condition, MemoryKind};
pub use record::{
    AssertionResult, Cost, DiffCause, DiffEvent, DiffKind, Intervention, Played, RunRecord, RunSettings,
    RunStatus, Score, Sighting, TurnRecord, TurnTrace,
};
