//! Operations: new statements made from stored ones by a model. *Abstract* says in more general words what a group shows;
//! *contrast* says in what two groups differ.
//!
//! Rules: one batched call; the model names its sources by the small numbers that it was shown; what rests on no shown
//! source, names what no source names, stands against a source or repeats one is dropped with its reason (`check`). What is
//! kept stands one level above its highest source, fades as its sources do on average, matters as much as the one that
//! matters most, is never surer than the surest, and inherits what its sources are about together. Source: dice 7.3
//! with the fix of its section 13.

mod build;
mod reply;
mod synthesis;

pub(crate) use build::{build, check};
pub(crate) use reply::Suggested;
pub(crate) use synthesis::Group;
pub use synthesis::{DroppedStatement, Synthesis, SynthesisOptions};
