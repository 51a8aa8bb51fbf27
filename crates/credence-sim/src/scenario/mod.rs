//! Scenarios: what is said to the narrator, which facts must hold, and how it is attacked.
//!
//! [`read`] makes a [`Scenario`] of a YAML file, or says everything that is wrong with it; [`check`] holds one that was made otherwise
//! against the same rules. [`write`](mod@write) gives it back as a file, [`display`] what is shown of it, [`Corpus`] reads many.
//! The files are described in `docs/scenarios.md`.

mod check;
mod corpus;
pub mod display;
mod fields;
mod model;
mod problems;
mod read;
mod read_assertion;
#[cfg(test)]
mod tests;
pub mod write;
pub mod yaml;

pub use check::{MOST_TURNS, check};
pub use corpus::{Content, Corpus, File};
#[cfg(feature = "corpus")]
pub use corpus::{OWN, own};
pub use fields::Mode;
pub use model::{
    AdversaryConfig, AdversaryMode, Assertion, CompactionPlan, DormancyPlan, Examples, Fact, ModelChoice,
    Oracle, Persona, Scenario, ScriptedTurn, Seed, Session, TrustChoice, TurnKind,
};
pub use problems::{Problem, Severity};
pub use read::{Read, read};
