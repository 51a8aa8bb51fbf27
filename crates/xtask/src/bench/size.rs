//! Sizes: what a page has to load before it works, and what the npm package brings.

use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::{Record, record};
use crate::site::{self, Mode};
use crate::wasm::Size;
use crate::{paths, pkg};

/// The budget of the engine without the embedding model, gzip; the app adds its interface to that.
const ENGINE_GOAL_GZIP: u64 = 700_000;

/// Release builds of the app and the package, and the embedding model that both load as a file of its own.
pub(super) fn run() -> Result<Vec<Record>> {
    let app = site::build(Mode::Release)?;
    let mut records = vec![
        measure("app wasm", &app, None)?,
        measure("app glue", &app.with_file_name(glue_name(&app)), None)?,
    ];
    if paths::root().join("pkg").join("package.json").is_file() {
        let package = pkg::build()?;
        records.push(measure("package wasm", &package, Some(ENGINE_GOAL_GZIP))?);
        records.push(measure("package glue", &package.with_file_name(glue_name(&package)), None)?);
    }
    let embedding = paths::root().join("web").join("assets").join("embedding").join("credence-en-128.sem1");
    records.push(measure("embedding model", &embedding, None)?);
    Ok(records)
}

/// `NAME_bg.wasm` → `NAME.js`.
fn glue_name(module: &Path) -> String {
    let stem = module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    format!("{}.js", stem.trim_end_matches("_bg"))
}

fn measure(what: &str, path: &Path, goal: Option<u64>) -> Result<Record> {
    let size = Size::of(path)?;
    Ok(record([
        ("what", what.into()),
        ("raw_bytes", size.raw.into()),
        ("gzip_bytes", size.gzip.into()),
        ("goal_gzip_bytes", goal.map_or(Value::Null, Value::from)),
    ]))
}
