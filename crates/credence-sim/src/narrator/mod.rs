//! Who narrates: the models of a run, by role, and two narrators that need no network.
//!
//! - [`Simulated`](simulated::Simulated): a seeded narrator that forgets and yields by what stands in its prompt and by nothing else. It is a model of
//!   nothing real; `docs/simulated-narrator.md` has its formulas.
//! - [`scripted`]: says what the scenario says, and says loudly where the scenario says nothing.
//! - any [`ChatModel`](credence::llm::ChatModel) of the host.
//!
//! `cast` puts narrator, judge and adversary behind one port, each with a model of its own, and counts what they cost; `reader` tells which facts
//! a text says or denies; `prompt` takes a prompt apart as a narrator sees it.

mod cast;
mod prompt;
mod reader;
pub mod scripted;
pub mod simulated;

pub use cast::{Cast, Narrator, NoModel, OnStage, SCRIPTED};
pub use prompt::{Piece, PieceKind, Seen};
pub use reader::{Claim, FactReader};

/// A model's name as a run's narrator. One that is called like a narrator of ours is told apart from it, for the name decides who narrates.
pub fn by_model(name: &str) -> String {
    if [simulated::Simulated::NAME, SCRIPTED].contains(&name) {
        format!("{name} (model)")
    } else {
        name.to_owned()
    }
}
