//! The scenario runner: which numbered facts of its specification a test holds, how the corpus reads, how far our statistics are from
//! scipy's, and whether an experiment played twice is the same.
//!
//! The facts are counted by `tests/support/coverage.rs`, which the tests share. The rest is told by the example `scenarios` of
//! `credence-sim`; where the predecessor's scenario files are not at hand, `upstream_loaded` is 0.

use anyhow::{Result, anyhow};

use super::knowledge::example;
use super::{Record, record};
use crate::coverage::{Book, Coverage};
use crate::paths;
use crate::run::step;

pub(super) fn run() -> Result<Vec<Record>> {
    let facts = Coverage::of(paths::root(), Book::SCENARIOS).map_err(|problem| anyhow!(problem))?;
    for problem in &facts.problems {
        step(problem);
    }
    if !facts.missing.is_empty() {
        let numbers: Vec<String> = facts.missing.iter().map(u32::to_string).collect();
        step(&format!("facts without a test: {}", numbers.join(", ")));
    }
    let mut figures = record([
        ("what", "scenarios".into()),
        ("facts_covered", facts.covered.len().into()),
        ("facts_deviated", facts.deviated.len().into()),
        ("facts_later", facts.later.len().into()),
        ("facts_missing", facts.missing.len().into()),
    ]);
    step("playing an experiment twice");
    match example("credence-sim", "scenarios", &[])? {
        serde_json::Value::Object(mut told) => figures.append(&mut told),
        other => return Err(anyhow!("the example `scenarios` printed no figures: {other}")),
    }
    Ok(vec![figures])
}
