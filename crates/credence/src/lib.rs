//! Credence: a memory that a language model has to believe and a person can audit.
//!
//! This crate is the core: it turns conversations and documents into confidence-weighted propositions, resolves who and what they
//! are about, revises them as evidence comes in, keeps a small working set of units that a model has to respect, asks a person where
//! only they can know, keeps the memory tidy over time, tells a model what bears on a question, holds its answers to that, and
//! records what was used and why. It has no clock, randomness, network, storage or browser type of its own; a host gives it
//! those as [`ports`].
//!
//! Start at [`memory::Memory`]. A question goes [`agent`] → [`assembly`] (with [`retrieval`]) → the model → [`enforcement`]. What was said
//! goes [`ingest`] → [`extraction`] → [`resolution`] (behind [`filter`]) → [`revision`] (with [`conflict`]) → [`gate`] → one commit
//! of [`history`], then [`promotion`] (with [`trust`]) into the working set of [`mod@unit`]s. What a gate holds waits in the [`inbox`].
//! [`upkeep`] looks after units, [`maintenance`] and [`operation`] after statements, [`compaction`] after long conversations.
//! `ARCHITECTURE.md` walks through it.
//!
//! Features: `testing` adds doubles for every port and the journal contract suite; nothing else changes.

pub mod agent;
pub mod assembly;
pub mod bundle;
pub mod compaction;
pub mod config;
pub mod conflict;
pub mod conversation;
pub mod embedded;
pub mod embedding;
pub mod enforcement;
pub mod entity;
pub mod erasure;
pub mod error;
pub mod event;
pub mod extraction;
pub mod filter;
pub mod gate;
pub mod health;
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
