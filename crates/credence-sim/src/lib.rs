//! The scenario runner: stories in which facts are told and then attacked, played against a real memory, judged, measured and
//! compared across conditions.
//!
//! Rules: a run uses the product itself (`credence::Memory`), never a copy of its logic; everything that may differ between two runs
//! (seed, models, settings, condition) is in the run's record; the same inputs give the same bytes, natively and in wasm; what failed,
//! was dropped or could not be judged is counted and shown; and no comparison is reported that the data cannot carry.
//!
//! `scenario` is what is played, `run` what happened; further folders each hold one step between the two.

pub mod adversary;
pub mod assertions;
pub mod engine;
pub mod experiment;
pub mod judge;
pub mod metrics;
pub mod narrator;
pub mod prompts;
pub mod random;
pub mod report;
pub mod run;
pub mod scan;
pub mod scenario;
pub mod stats;
pub mod store;
pub mod strategy;
#[cfg(test)]
mod testing;
pub mod verdict;
