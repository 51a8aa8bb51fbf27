//! Scenarios: what is said to the narrator, which facts must hold, and how it is attacked.
//!
//! [`read`] makes a [`Scenario`] of a YAML file, or says everything that is wrong with it; [`check`] holds one that was made otherwise
//! against the same rules.

mod check;
mod fields;
mod model;
mod problems;
mod read;
mod read_assertion;
pub mod yaml;

pub use check::{MOST_TURNS, STRATEGIES, check};
pub use fields::Mode;
pub use model::{
    AdversaryConfig, AdversaryMode, Assertion, CompactionPlan, DormancyPlan, Examples, Fact, ModelChoice,
    Oracle, Persona, Scenario, ScriptedTurn, Seed, Session, TrustChoice, TurnKind,
};
pub use problems::{Problem, Severity};
pub use read::{Read, read};
