//! The knowledge pipeline: which numbered facts of the specification are held by a test, and what analysing a conversation
//! costs in model calls and prompt tokens beside the predecessors' scheme.
//!
//! The facts are counted by `tests/support/coverage.rs`, which the tests share. The costs are measured by the example
//! `knowledge` of the core, whose front page says what is counted on either side. Goals: at most 2 calls a window, at most
//! half the tokens of one call a step, none at all without a model.

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use super::facts::facts;
use super::{Record, record};
use crate::coverage::Book;
use crate::run::{Cmd, step};

pub(super) fn run() -> Result<Vec<Record>> {
    let mut figures = facts("knowledge", Book::KNOWLEDGE)?;
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
    step("forgetting in such a memory");
    figures.append(&mut measured("knowledge", &["--", "--forgetting"])?);
    Ok(vec![figures])
}

/// The figures that an example prints.
pub(super) fn measured(example: &str, arguments: &[&str]) -> Result<Record> {
    figures(example, said(example, arguments)?)
}

/// The figures among what an example printed.
pub(super) fn figures(example: &str, said: Value) -> Result<Record> {
    match said {
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
