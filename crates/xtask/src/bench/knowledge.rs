//! The knowledge pipeline: which numbered facts of the specification are held by a test, and what analysing a conversation
//! costs in model calls and prompt tokens beside the predecessors' scheme.
//!
//! The facts are counted by `tests/support/coverage.rs`, which the tests share. The costs are measured by the example
//! `knowledge` of the core, whose front page says what is counted on either side. Goals: at most 2 calls a window, at most
//! half the tokens of one call a step, none at all without a model.

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use super::{Record, record};
use crate::coverage::{Book, Coverage};
use crate::paths;
use crate::run::{Cmd, step};

pub(super) fn run() -> Result<Vec<Record>> {
    let facts = Coverage::of(paths::root(), Book::KNOWLEDGE).map_err(|problem| anyhow!(problem))?;
    for problem in &facts.problems {
        step(problem);
    }
    if !facts.missing.is_empty() {
        let numbers: Vec<String> = facts.missing.iter().map(u32::to_string).collect();
        step(&format!("facts without a test: {}", numbers.join(", ")));
    }
    let mut figures = record([
        ("what", "knowledge".into()),
        ("facts_covered", facts.covered.len().into()),
        ("facts_deviated", facts.deviated.len().into()),
        ("facts_later", facts.later.len().into()),
        ("facts_missing", facts.missing.len().into()),
    ]);
    step("analysing the conversation");
    figures.append(&mut measured("knowledge", &[])?);
    Ok(vec![figures])
}

/// Milliseconds of what a host does with a large memory.
pub(super) fn scale() -> Result<Vec<Record>> {
    step("filling a memory with 10,000 statements");
    let mut figures = record([("what", "scale".into())]);
    figures.append(&mut measured("knowledge", &["--", "--scale"])?);
    step("a working set of 200 in such a memory");
    figures.append(&mut measured("knowledge", &["--", "--units"])?);
    Ok(vec![figures])
}

/// The figures that an example prints.
pub(super) fn measured(example: &str, arguments: &[&str]) -> Result<Record> {
    match said(example, arguments)? {
        Value::Object(figures) => Ok(figures),
        other => Err(anyhow!("the example `{example}` printed no figures: {other}")),
    }
}

/// What an example of the core prints.
pub(super) fn said(name: &str, arguments: &[&str]) -> Result<Value> {
    example("credence", name, arguments)
}

/// What a package's example prints.
pub(super) fn example(package: &str, name: &str, arguments: &[&str]) -> Result<Value> {
    let said = Cmd::cargo()
        .args(["run", "--quiet", "--profile", "bench", "--package", package, "--example", name])
        .args(arguments)
        .capture()?;
    serde_json::from_str(&said).with_context(|| format!("what the example `{name}` printed"))
}
