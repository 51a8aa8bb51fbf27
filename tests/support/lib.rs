//! Helpers that the whole-system tests share.

pub mod conflict_pairs;
pub mod coverage;
