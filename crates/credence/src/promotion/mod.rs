//! Promotion: how a statement enters the working set. Confidence → dedup → conflict → trust → invariants → budget, all of it
//! planned as data, then one commit.
//!
//! `budget` says how many units there may be and who leaves first, `report` is what a run leaves behind.

mod budget;
mod report;

pub use budget::{BudgetSettings, BudgetStrategy, Interference, Leaving, Place, choose, leaving_order};
pub use report::{CandidateReport, ConflictAnswer, Fate, Funnel, GateAnswer, PromotionGate, PromotionReport};
