//! `cargo xtask demo`: the app in front of a newcomer with one command; with `--check`, in front of the end-to-end check.

use std::fs;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result};

use crate::args::Args;
use crate::run::{Cmd, step};
use crate::serve::Server;
use crate::site::{self, Mode};
use crate::{browser, paths, setup};

/// Where the app is served unless asked otherwise.
const PORT: u16 = 8080;

/// Runs the demo, or the check; `false` when the check failed.
pub(crate) fn command(mut args: Args) -> Result<bool> {
    let check = args.flag("--check");
    let (open, port) = (!args.flag("--no-open"), args.port()?);
    let mode = if args.flag("--release") { Mode::Release } else { Mode::Dev };
    args.finish()?;
    if check {
        setup::for_testing()?;
        return Ok(self::check()?.passed);
    }
    site::build(mode)?;
    serve(port, open)?;
    Ok(true)
}

/// `cargo xtask serve`: what is in `dist/`, without building.
pub(crate) fn serve_command(mut args: Args) -> Result<()> {
    let port = args.port()?;
    args.finish()?;
    serve(port, false)
}

fn serve(port: Option<u16>, open: bool) -> Result<()> {
    let server = Server::bind(&site::dist(), Some(port.unwrap_or(PORT)))?;
    let address = format!("http://{}/", server.address()?);
    println!("Credence is at {address}  (Ctrl-C ends)");
    if open && !browser::open(&address) {
        step("no browser could be opened from here: open the address yourself");
    }
    server.run();
    Ok(())
}

/// What a check came to.
pub(crate) struct Checked {
    pub(crate) passed: bool,
    /// One line a step, as printed.
    pub(crate) lines: Vec<String>,
}

/// Builds the release site, serves it and drives Chromium through the main job.
pub(crate) fn check() -> Result<Checked> {
    site::build(Mode::Release)?;
    let server = Server::bind(&site::dist(), None)?;
    let address = format!("http://{}/", server.address()?);
    thread::spawn(move || server.run());
    let out = evidence()?;
    let (passed, lines) = Cmd::new("node")
        .args(["tests/e2e/check.mjs", "--site", &address, "--out"])
        .arg(&out)
        .env("CHROME", browser::required(browser::chrome(), "Chromium")?)
        .tee()?;
    Ok(Checked { passed, lines })
}

/// The folder of failure screenshots, emptied.
fn evidence() -> Result<PathBuf> {
    let out = paths::target()?.join("e2e");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("emptying {}", out.display()))?;
    }
    fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    Ok(out)
}
