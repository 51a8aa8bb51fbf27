//! Promotion: how a statement enters the working set. Confidence → dedup → conflict → trust → invariants → budget, all of it
//! planned as data, then one commit.
//!
//! Rules (core 5, with the fixes of core 15): nothing is written before the last gate, so that no unit makes way for a statement that
//! is then not admitted (G2); what cannot be decided is a question in the inbox and never a silent yes or no (G7); no candidate is
//! left out because there are many, and those of one run meet each other as they meet the working set (G12); promoting twice
//! is promoting once, and what was a unit before comes back with what it had earned (G14).
//!
//! By default a plain statement of the user enters as PROVISIONAL at `unit.initial_rank`. What documents and other people say enters
//! when its sources are trusted enough; below that, one question a source names all of it. What only the assistant said waits until
//! somebody else says it. What finds no room waits in the report and is offered again when there is some.
//!
//! `run` leads a run from what is asked to its commit; `plan` is the gates; `dedup` finds what is said already; `budget` says
//! how many units there may be and who leaves first, `room` who may; `report` is what a run leaves behind, `forget` what of
//! it goes with a forgotten statement. The questions, and what their answers do, are in `inbox`.

mod budget;
mod dedup;
mod forget;
mod plan;
mod report;
mod room;
mod run;

pub use budget::{BudgetSettings, BudgetStrategy, Interference, Leaving, Place, choose, leaving_order};
pub(crate) use forget::forget_reports;
pub(crate) use plan::{fresh_view, reads_like_an_order};
pub use report::{CandidateReport, ConflictAnswer, Fate, Funnel, GateAnswer, PromotionGate, PromotionReport};
pub(crate) use room::make_room;
