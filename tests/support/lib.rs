//! Helpers that the whole-system tests share.

pub mod coverage;
