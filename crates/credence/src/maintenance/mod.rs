//! Maintenance: memory hygiene over time. A run looks at one snapshot, plans as data, and lands as one commit together with its
//! report, so that the ordinary undo takes all of it back. Source: `spec/dice.md` 6.7 to 6.10.

mod report;

pub use report::{Mark, MarkOutcome, Pass, PassReport, RunReport, RunTrigger};
