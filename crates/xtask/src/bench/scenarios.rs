//! The scenario runner: which numbered facts of its specification a test holds, how the corpus reads, how far our statistics are from
//! scipy's, and whether an experiment played twice is the same.
//!
//! The facts are counted by `tests/support/coverage.rs`, which the tests share. The rest is told by the example `scenarios` of
//! `credence-sim`; where the predecessor's scenario files are not at hand, `upstream_loaded` is 0.

use anyhow::Result;

use super::Record;
use super::facts::facts;
use super::knowledge::{example, figures};
use crate::coverage::Book;
use crate::run::step;

pub(super) fn run() -> Result<Vec<Record>> {
    let mut told = facts("scenarios", Book::SCENARIOS)?;
    step("playing an experiment twice");
    told.append(&mut figures("scenarios", example("credence-sim", "scenarios", &[])?)?);
    Ok(vec![told])
}
