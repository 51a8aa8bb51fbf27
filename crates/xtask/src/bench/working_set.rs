//! The working set: which numbered facts of its specification a test holds, and which properties a test proves live.
//!
//! Both are counted by `tests/support/coverage.rs`, which the tests share. The properties, and how the conflict rules fare on the
//! labelled pairs, are told by the example `working_set` of the core. Its figures by kind and language go to standard error.

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use super::facts::facts;
use super::knowledge::{measured, said};
use super::{Record, record};
use crate::coverage::{Book, properties_held};
use crate::paths;
use crate::run::step;

pub(super) fn run() -> Result<Vec<Record>> {
    let mut figures = facts("working set", Book::WORKING_SET)?;
    let mut told = measured("working_set", &[])?;
    let names: Vec<String> =
        serde_json::from_value(told.remove("properties").unwrap_or(Value::Null)).context("the properties")?;
    let live = properties_held(paths::root(), names.iter().map(String::as_str))
        .map_err(|problem| anyhow!(problem))?;
    let dead: Vec<&str> = names.iter().map(String::as_str).filter(|name| !live.contains(name)).collect();
    if !dead.is_empty() {
        step(&format!("properties without a test: {}", dead.join(", ")));
    }
    figures.append(&mut record([
        ("properties_live", live.len().into()),
        ("properties_total", names.len().into()),
    ]));
    figures.append(&mut told);
    step(&format!("conflict rules by kind and language\n{}", super::table(&kinds()?)));
    Ok(vec![figures])
}

/// How the rules fare on each kind of pair in each language.
fn kinds() -> Result<Vec<Record>> {
    serde_json::from_value(said("working_set", &["--", "--kinds"])?).context("the kinds of pairs")
}
