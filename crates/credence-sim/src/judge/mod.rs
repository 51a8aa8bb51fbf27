//! Judges: what a reply does to each fact that must hold.
//!
//! Rules. A judge sees facts, player's words and reply, and by default nothing that tells which condition was played. Each fact gets one verdict, in the
//! scenario's order: what a judge leaves out is filled in as not mentioned and marked, what it says of anything else is dropped and listed. Doubt
//! contradicts nothing. A judge that fails says so in the record; its turn is then evaluated by nobody and counted, never taken for a clean one.
//!
//! `oracle` judges without a model (`doubt` has its words), `model` asks one and `read` reads what it says, `agreement` says how far two judges agree,
//! `reevaluate` judges stored runs again.

pub mod agreement;
mod doubt;
pub mod model;
pub mod oracle;
mod read;
pub mod reevaluate;

use crate::scenario::Scenario;

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// Its facts must hold.
    pub scenario: &'a Scenario,
    /// The working set when the narrator was asked; a judge looks at it only when told to.
    pub units: &'a [credence::unit::UnitView],
    /// What the player said.
    pub player: &'a str,
    /// What the narrator said.
    pub reply: &'a str,
}
