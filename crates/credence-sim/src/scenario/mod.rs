//! Scenarios: what is said to the narrator, which facts must hold, and how it is attacked.

mod model;

pub use model::{
    AdversaryConfig, AdversaryMode, Assertion, CompactionPlan, DormancyPlan, Fact, ModelChoice, Oracle,
    Persona, Scenario, ScriptedTurn, Seed, Session, TrustChoice, TurnKind,
};
