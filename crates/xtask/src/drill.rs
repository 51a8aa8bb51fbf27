//! `cargo xtask drill`: builds the page of the drills (`tests/drills`) and has `tests/e2e/drills.mjs` make things go wrong in it. Progress goes
//! to standard error; Ctrl-C ends it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::args::Args;
use crate::run::Cmd;
use crate::{browser, paths, setup, wasm};

const PACKAGE: &str = "credence-drills";
/// Name of the generated files: `drills.js`, `drills_bg.wasm`.
const NAME: &str = "drills";

pub(crate) fn command(mut args: Args) -> Result<bool> {
    let quick = args.flag("--quick");
    let only = args.values("--only")?;
    args.finish()?;
    let mut options = Vec::new();
    options.extend(quick.then(|| "--quick".to_owned()));
    options.extend(only.into_iter().flat_map(|name| ["--only".to_owned(), name]));
    let figures = run(&options)?;
    println!("{}", Value::Object(figures.clone()));
    Ok(figures.get("failed") == Some(&Value::from(0)))
}

/// Runs the driver with these options and returns the figures that it printed; `failed` counts the drills that did not hold.
///
/// # Errors
/// When the page cannot be built or the driver cannot run.
pub(crate) fn run(options: &[String]) -> Result<Map<String, Value>> {
    setup::for_testing()?;
    let said = Cmd::new("node")
        .arg("tests/e2e/drills.mjs")
        .arg("--page")
        .arg(page()?)
        .args(options)
        .env("CHROME", browser::required(browser::chrome(), "Chromium")?)
        .folder(paths::root())
        .capture()?;
    serde_json::from_str(said.trim()).context("the figures of the drills")
}

/// The folder of the page's wasm and glue, built as what ships is.
fn page() -> Result<PathBuf> {
    let module = setup::while_installing(|| wasm::cargo_build(PACKAGE, None, "release"))?;
    let out = paths::target()?.join(NAME);
    wasm::bindgen(&module, &out, NAME, false)?;
    Ok(out)
}
