//! `cargo xtask build`: the web app into `dist/`, byte for byte what Trunk makes of the same page.
//!
//! Here so that a first demo need not wait for Trunk to compile.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::args::Args;
use crate::html::{Page, Settings};
use crate::run::step;
use crate::{paths, setup, wasm};

/// The web app's package.
const PACKAGE: &str = "credence-web";

/// How much the compiler optimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Small and quick; minutes to build.
    Release,
    /// The page's development profile; quick to build.
    Dev,
}

pub(crate) fn command(mut args: Args) -> Result<()> {
    let mode = if args.flag("--dev") { Mode::Dev } else { Mode::Release };
    // The default, spelled out.
    args.flag("--release");
    args.finish()?;
    build(mode).map(drop)
}

/// Where the site lies.
pub(crate) fn dist() -> PathBuf {
    paths::root().join("dist")
}

/// Builds the site into `dist/` and returns the path of its wasm.
///
/// `dist/` is replaced only when the whole site is there, so that a failed build leaves the last good one.
pub(crate) fn build(mode: Mode) -> Result<PathBuf> {
    let page = read_page()?;
    let bin = &page.app.bin;
    let profile = if mode == Mode::Release { "release" } else { &page.app.dev_profile };
    let module = setup::while_installing(|| wasm::cargo_build(PACKAGE, Some(bin), profile))?;

    let staging = paths::target()?.join("xtask-site");
    step("running wasm-bindgen");
    wasm::bindgen(&module, &staging, bin, false)?;
    let module_name = format!("{bin}_bg.wasm");
    if mode == Mode::Release {
        wasm::strip(&staging.join(&module_name))?;
    }
    assemble(&page, &paths::root().join("web"), &staging)?;
    let dist = dist();
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("removing the old {}", dist.display()))?;
    }
    // The target folder may lie on another file system, where a rename cannot reach.
    if fs::rename(&staging, &dist).is_err() {
        copy_folder(&staging, &dist)?;
        fs::remove_dir_all(&staging)?;
    }
    let module = dist.join(module_name);
    wasm::report_size(&module)?;
    Ok(module)
}

fn read_page() -> Result<Page> {
    let read =
        |path: &str| fs::read_to_string(paths::root().join(path)).with_context(|| format!("reading {path}"));
    Page::read(&read("web/index.html")?, &Settings::read(&read("Trunk.toml")?)?)
}

/// Writes the page and copies what it asks for.
fn assemble(page: &Page, web: &Path, out: &Path) -> Result<()> {
    for asset in &page.assets {
        let source = web.join(&asset.source);
        let folder = out.join(&asset.folder);
        let name = source
            .file_name()
            .with_context(|| format!("`{}` in web/index.html names no file", asset.source))?;
        let target = folder.join(name);
        fs::create_dir_all(&folder)?;
        let copied =
            if asset.is_folder { copy_folder(&source, &target) } else { copy_file(&source, &target) };
        copied.with_context(|| format!("web/index.html asks for `{}`", asset.source))?;
    }
    fs::write(out.join("index.html"), &page.html).context("writing the page")
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).with_context(|| format!("copying {}", from.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("listing {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            copy_file(&entry.path(), &target)?;
        }
    }
    Ok(())
}
