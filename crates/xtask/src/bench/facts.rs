//! How much of a specification the tests hold: the beginning of the record of every benchmark that has one.

use anyhow::{Result, anyhow};

use super::{Record, record};
use crate::coverage::{Book, Coverage};
use crate::paths;
use crate::run::step;

/// Counts a book's numbered facts for the benchmark `what`; those without a test are told by number on standard error.
pub(super) fn facts(what: &str, book: Book) -> Result<Record> {
    let facts = Coverage::of(paths::root(), book).map_err(|problem| anyhow!(problem))?;
    for problem in &facts.problems {
        step(problem);
    }
    if !facts.missing.is_empty() {
        let numbers: Vec<String> = facts.missing.iter().map(u32::to_string).collect();
        step(&format!("facts without a test: {}", numbers.join(", ")));
    }
    Ok(record([
        ("what", what.into()),
        ("facts_covered", facts.covered.len().into()),
        ("facts_deviated", facts.deviated.len().into()),
        ("facts_later", facts.later.len().into()),
        ("facts_missing", facts.missing.len().into()),
    ]))
}
