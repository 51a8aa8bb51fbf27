//! Retrieval: the one door through which memory is read for a reasoning step.
//!
//! Every read that a tool or a person's search makes goes through [`Memory::search`](crate::Memory::search), and a prompt's
//! through [`Memory::assemble`](crate::Memory::assemble), which looks behind the same gate: it ranks by words and vectors,
//! closes a relevance gate (an unrelated question gets nothing, case 37; on the scale of the vector model in force), and
//! writes a use record of what was supplied, in order, with what was left out and why. Listing and looking at single records
//! is not retrieval and writes nothing, nor is the comparing of statements with one another that maintenance does
//! ([`Memory::similar`](crate::Memory::similar), [`Memory::clusters`](crate::Memory::clusters)).

pub mod index;

mod door;
mod recaller;
mod similar;

pub use door::{Recall, Recalled, Search};
pub(crate) use recaller::{Near, Recaller, Standing};
pub use similar::{Cluster, Similar, Similarity};
