//! Credence: a memory that a language model has to believe and a person can audit.
//!
//! This crate is the core: it turns conversations and documents into confidence-weighted propositions, resolves who and what they
//! are about, revises them as evidence comes in, asks a person where only they can know, keeps the memory tidy over time, recalls
//! what bears on a question, and records what was used and why. It has no clock, randomness, network, storage or browser type of its own; a host gives it
//! those as [`ports`].
//!
//! Start at [`memory::Memory`]. A turn goes [`agent`] → [`retrieval`] → the model, and beside it [`ingest`] → [`extraction`] →
//! [`resolution`] (behind [`filter`]) → [`revision`] → [`gate`] (with [`trust`]) → one commit of [`history`]. What a gate holds
//! waits in the [`inbox`]; [`maintenance`] and [`operation`] work on what is stored. `ARCHITECTURE.md` walks through it.
//!
//! Features: `testing` adds doubles for every port and the journal contract suite; nothing else changes.

pub mod agent;
pub mod assembly;
pub mod compaction;
pub mod config;
pub mod conflict;
pub mod conversation;
pub mod embedded;
pub mod embedding;
pub mod enforcement;
pub mod entity;
pub mod error;
pub mod event;
pub mod extraction;
pub mod filter;
pub mod gate;
pub mod history;
pub mod id;
pub mod import;
pub mod inbox;
pub mod ingest;
pub mod llm;
pub mod maintenance;
pub mod memory;
pub mod operation;
pub mod ports;
pub mod promotion;
pub mod prompt;
pub mod proposition;
pub mod resolution;
pub mod retrieval;
pub mod revision;
pub mod scale;
pub mod schema;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod time;
pub mod trust;
pub mod unit;
pub mod upkeep;

pub use error::Error;
pub use memory::Memory;
