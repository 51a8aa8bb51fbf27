//! `cargo xtask pkg`: the npm package's engine: `crates/credence-js` as wasm and its glue in `pkg/dist/wasm/`, then the
//! package's own build script (TypeScript), so that `npm pack` and `npm test` in `pkg/` find everything.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::args::Args;
use crate::run::{Cmd, step};
use crate::{browser, paths, setup, wasm};

const PACKAGE: &str = "credence-js";
/// Name of the generated files: `credence.js`, `credence_bg.wasm`.
const NAME: &str = "credence";

pub(crate) fn command(args: Args) -> Result<()> {
    args.finish()?;
    build().map(drop)
}

/// Builds the package and returns the path of its wasm.
///
/// The glue is wasm-bindgen's for the web: it takes the module's address in a page and the module's bytes in Node, so
/// that one set of files serves both.
pub(crate) fn build() -> Result<PathBuf> {
    let module = setup::while_installing(|| wasm::cargo_build(PACKAGE, None, "release"))?;
    let out = paths::root().join("pkg").join("dist").join("wasm");
    wasm::bindgen(&module, &out, NAME, true)?;
    let module = out.join(format!("{NAME}_bg.wasm"));
    wasm::strip(&module)?;
    if has_script("build")? {
        prepare()?;
        step("building the npm package's face");
        Cmd::new("npm").args(["run", "--silent", "build"]).folder(paths::root().join("pkg")).run()?;
    }
    wasm::report_size(&module)?;
    Ok(module)
}

/// Node.js and the package's development dependencies, where it has any.
pub(crate) fn prepare() -> Result<()> {
    browser::node()?;
    if paths::root().join("pkg").join("package-lock.json").is_file() {
        setup::npm("pkg")?;
    }
    Ok(())
}

/// Whether `pkg/package.json` has a script of this name.
pub(crate) fn has_script(name: &str) -> Result<bool> {
    let path = paths::root().join("pkg").join("package.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let manifest: Value =
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    Ok(manifest["scripts"][name].is_string())
}
