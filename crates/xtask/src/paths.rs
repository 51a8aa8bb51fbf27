//! Where things are: the checkout, cargo's target folder, and the tool cache that outlives a clone.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::run::Cmd;

/// The checkout's top folder.
pub(crate) fn root() -> &'static Path {
    // Compiled in by cargo; xtask always runs from the checkout that built it.
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest)
}

/// `$CREDENCE_CACHE`, else `$XDG_CACHE_HOME/credence`, else `~/.cache/credence`.
pub(crate) fn cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set("CREDENCE_CACHE") {
        return Ok(folder);
    }
    if let Some(folder) = set("XDG_CACHE_HOME") {
        return Ok(folder.join("credence"));
    }
    match set("HOME") {
        Some(home) => Ok(home.join(".cache").join("credence")),
        None => bail!("no folder for the tools: set HOME, or CREDENCE_CACHE to a folder that may be written"),
    }
}

/// The folder that holds `bin/NAME` of one version of a tool.
pub(crate) fn tool(name: &str, version: &str) -> Result<PathBuf> {
    Ok(cache()?.join("tools").join(format!("{name}-{version}")))
}

/// Cargo's target folder (`CARGO_TARGET_DIR` and configuration respected).
pub(crate) fn target() -> Result<PathBuf> {
    let folder = metadata(false)?["target_directory"].as_str().map(PathBuf::from);
    folder.context("`cargo metadata` names no target folder")
}

/// `cargo metadata` of the workspace; with `resolve`, dependencies of dependencies too.
pub(crate) fn metadata(resolve: bool) -> Result<Value> {
    let mut cmd = Cmd::cargo().args(["metadata", "--format-version=1"]);
    if !resolve {
        cmd = cmd.arg("--no-deps");
    }
    let text = cmd.capture()?;
    serde_json::from_str(&text).context("reading the answer of `cargo metadata`")
}

/// The version of a package in Cargo.lock.
pub(crate) fn locked_version(package: &str) -> Result<String> {
    let path = root().join("Cargo.lock");
    let text = fs::read_to_string(&path).with_context(|| {
        format!(
            "reading {}; it belongs to the checkout: restore it, or run `cargo generate-lockfile`",
            path.display()
        )
    })?;
    version_in_lock(&text, package).with_context(|| format!("{} has no package `{package}`", path.display()))
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_exact_package_in_a_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.50\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }

    #[test]
    fn the_root_is_the_folder_of_the_workspace_manifest() {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[workspace]"));
    }
}
