//! Maintenance: memory hygiene over time. A run looks at one state, every pass plans as data, and all of it lands as one
//! commit together with its report ([`RunReport`]), so that the ordinary undo takes all of it back.
//!
//! The passes, in order: `session` (what was learned since the last cycle meets what was known), `collector` (duplicates; what
//! has faded; a caller's own reasons), `abstraction` (statements above many), `contradiction` (pairs that cannot both hold).
//! `policy` decides when belief changes a standing, `same` when two statements are one, `judge` asks a model, in one batched
//! call, what words leave open, and `compose` lets the strongest wish win. `run` leads through it on what `look` shows; `settings`
//! and `report` are what goes in and comes out. `forget` is what goes along with a statement that a person forgets.
//!
//! Rules: pinned statements are never touched; nothing is removed unless the settings say so; what is retired keeps its
//! history and hands its evidence on; tidying makes nothing look fresh or surer than its evidence; without a model the
//! passes that need one say so. Source: dice 6.7 to 6.10 and the fixes of its section 13.

mod abstraction;
mod collector;
mod compose;
mod contradiction;
mod forget;
mod judge;
mod look;
mod policy;
mod report;
mod run;
mod same;
mod session;
mod settings;

pub use collector::{CustomMark, Standing, survivors};
pub(crate) use compose::absorbed;
pub(crate) use forget::{forget_with, says_the_same};
pub use policy::{DecayStatusPolicy, Move};
pub use report::{Mark, MarkOutcome, Pass, PassReport, RunReport, RunTrigger};
pub(crate) use run::Running;
pub use run::{Consolidation, MaintenanceOptions, MaintenanceProgress};
pub(crate) use same::{Likeness, Sameness, compare, similarity};
pub use settings::MaintenanceConfig;
