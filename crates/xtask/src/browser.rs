//! Chromium, its driver and Node.js: where they are on this machine, and how the default browser is opened.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run::{Cmd, on_path};

/// The browser that the tests drive: `$CHROME`, else the first one of the usual names.
pub(crate) fn chrome() -> Option<PathBuf> {
    const NAMES: [&str; 5] =
        ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
    const MAC: [&str; 2] = [
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ];
    chosen("CHROME")
        .or_else(|| NAMES.iter().find_map(|name| on_path(name)))
        .or_else(|| MAC.iter().map(PathBuf::from).find(|path| path.is_file()))
}

/// Its WebDriver: `$CHROMEDRIVER`, else `chromedriver` on PATH or where Debian's package of old put it.
pub(crate) fn chromedriver() -> Option<PathBuf> {
    let debian = || Some(PathBuf::from("/usr/lib/chromium/chromedriver")).filter(|path| path.is_file());
    chosen("CHROMEDRIVER").or_else(|| on_path("chromedriver")).or_else(debian)
}

fn chosen(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The oldest Node.js whose test runner and fetch the tests use.
const NODE_MAJOR: u32 = 20;

/// Checks that Node.js is there and new enough; returns its version.
pub(crate) fn node() -> Result<String> {
    let Some(version) = Cmd::new("node").arg("--version").answer() else {
        bail!(
            "Node.js is not on PATH; install version {NODE_MAJOR} or newer with its npm (Debian: `apt-get install nodejs npm`)"
        );
    };
    let major = version.trim_start_matches('v').split('.').next().and_then(|text| text.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR => Ok(version),
        _ => bail!("Node.js {version} is too old; install version {NODE_MAJOR} or newer"),
    }
}

/// Opens an address in the person's browser. A machine without one is no failure: the address has been printed.
pub(crate) fn open(address: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        Cmd::new("open").arg(address)
    } else if cfg!(windows) {
        Cmd::new("cmd").args(["/C", "start", "", address])
    } else {
        Cmd::new("xdg-open").arg(address)
    };
    opener.succeeds()
}

/// A path as the tests' environment wants it.
pub(crate) fn required(found: Option<PathBuf>, what: &str) -> Result<PathBuf> {
    let path = found.with_context(|| format!("{what} was not found; `cargo xtask setup --test` gets it"))?;
    if !Path::new(&path).is_file() {
        bail!("{what}: there is no file {}", path.display());
    }
    Ok(path)
}
