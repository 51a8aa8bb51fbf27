//! The pages: each composes components over rows and asks `actions` for everything that waits.

pub(crate) mod activity;
pub(crate) mod branch;
pub(crate) mod chat;
pub(crate) mod entities;
pub(crate) mod entity;
pub(crate) mod experiments;
pub(crate) mod forget;
mod forget_span;
pub(crate) mod memory;
pub(crate) mod proposition;
pub(crate) mod restore;
pub(crate) mod run;
pub(crate) mod settings;
pub(crate) mod simulate;
pub(crate) mod timeline;
