//! What each stage of the tests runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::Outcome;
use super::counts::Counts;
use crate::run::{Cmd, step};
use crate::{browser, demo, paths, pkg as package, serve, setup, wasm as module};

/// The longest that one crate's tests may take in the browser, in seconds.
const BROWSER_SECONDS: &str = "300";

/// Where the model server of the browser tests listens, if that port is free.
const ENDPOINT_PORT: u16 = 47_816;

pub(super) fn fmt() -> Result<Outcome> {
    checked(Cmd::cargo().args(["fmt", "--all", "--check"]))
}

pub(super) fn clippy() -> Result<Outcome> {
    checked(Cmd::cargo().args(["clippy", "--all-targets", "--quiet", "--", "-D", "warnings"]))
}

/// Links between pages of the core's documentation lead somewhere.
pub(super) fn docs() -> Result<Outcome> {
    let cmd = Cmd::cargo().args(["doc", "--quiet", "--no-deps", "--package", "credence"]);
    checked(cmd.env("RUSTDOCFLAGS", "-D warnings"))
}

pub(super) fn native() -> Result<Outcome> {
    counted(Cmd::cargo().args(["test", "--no-fail-fast"]))
}

pub(super) fn clippy_wasm() -> Result<Outcome> {
    setup::for_building()?;
    let mut cmd = Cmd::cargo().args(["clippy", "--all-targets", "--quiet", "--target", module::TRIPLE]);
    for package in Package::all()?.iter().filter(|package| package.browser_only) {
        cmd = cmd.args(["--package", &package.name]);
    }
    checked(cmd.args(["--", "-D", "warnings"]))
}

pub(super) fn wasm() -> Result<Outcome> {
    setup::for_building()?;
    setup::for_testing()?;
    let runner = setup::wasm_bindgen()?.join("wasm-bindgen-test-runner");
    let driver = browser::required(browser::chromedriver(), "chromedriver")?;
    // Compiled into the tests: a port that changed from run to run would compile them anew each time.
    let port = serve::free_port(ENDPOINT_PORT)?;
    let server = Cmd::new("node").args(["tests/browser/endpoint-server.mjs", &port.to_string()]);
    let (_endpoint, address) = server.serve()?;
    let mut counts = Counts::default();
    for package in Package::all()?.iter().filter(|package| package.wasm_tests) {
        let mut cmd = Cmd::cargo().args([
            "test",
            "--no-fail-fast",
            "--target",
            module::TRIPLE,
            "--package",
            &package.name,
        ]);
        for suite in &package.browser_suites {
            cmd = cmd.args(["--test", suite]);
        }
        let (success, lines) = cmd
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner)
            .env("CHROMEDRIVER", &driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_SECONDS)
            // The product's own page is not isolated either, and an isolated one sees other network errors.
            .env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1")
            .env("CREDENCE_TEST_ENDPOINT", &address)
            .tee()?;
        counts += Counts::of_run(success, &lines);
        if !success && !package.folder.join("webdriver.json").is_file() {
            step(&format!(
                "{} has no webdriver.json beside its Cargo.toml, without which Chromium may not start; copy that of crates/credence-browser",
                package.name
            ));
        }
    }
    Ok(Outcome::Ran(counts))
}

pub(super) fn pkg() -> Result<Outcome> {
    let folder = paths::root().join("pkg");
    if !folder.join("package.json").is_file() {
        return Ok(Outcome::Skipped("there is no pkg/package.json"));
    }
    setup::for_testing()?;
    package::build()?;
    package::prepare()?;
    let chrome = browser::required(browser::chrome(), "Chromium")?;
    counted(Cmd::new("npm").args(["test", "--silent"]).folder(folder).env("CHROME", chrome))
}

pub(super) fn e2e() -> Result<Outcome> {
    setup::for_testing()?;
    // The doubles that the check leans on are tested first.
    let tests = doubles(&paths::root().join("tests").join("e2e"))?;
    let (success, lines) = Cmd::new("node").arg("--test").args(tests).tee()?;
    let mut counts = Counts::of_run(success, &lines);
    let checked = demo::check()?;
    counts += Counts::of_run(checked.passed, &checked.lines);
    Ok(Outcome::Ran(counts))
}

fn doubles(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut tests: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    tests.sort();
    Ok(tests)
}

/// A command that is one test.
fn checked(cmd: Cmd) -> Result<Outcome> {
    let (success, _) = cmd.tee()?;
    Ok(Outcome::Ran(Counts::one(success)))
}

/// A command whose runner counts.
fn counted(cmd: Cmd) -> Result<Outcome> {
    let (success, lines) = cmd.tee()?;
    Ok(Outcome::Ran(Counts::of_run(success, &lines)))
}

/// A member of the workspace, as far as the stages ask.
struct Package {
    name: String,
    folder: PathBuf,
    /// Not among the default members: it compiles for the browser alone.
    browser_only: bool,
    /// It has tests that run in a browser.
    wasm_tests: bool,
    /// Which of its test targets those are (`package.metadata.xtask.browser-tests`); empty means all.
    browser_suites: Vec<String>,
}

impl Package {
    fn all() -> Result<Vec<Self>> {
        let metadata = paths::metadata(false)?;
        let list = |name: &str| metadata[name].as_array().cloned().unwrap_or_default();
        let defaults = list("workspace_default_members");
        list("packages").iter().map(|package| Self::read(package, &defaults)).collect()
    }

    fn read(package: &Value, defaults: &[Value]) -> Result<Self> {
        let text = |name: &str| {
            package[name].as_str().map(str::to_owned).with_context(|| format!("a package has no {name}"))
        };
        let name = text("name")?;
        let manifest = PathBuf::from(text("manifest_path")?);
        let folder = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
        let browser_only = !defaults.contains(&package["id"]);
        let dependencies = package["dependencies"].as_array();
        let wasm_tests =
            dependencies.is_some_and(|all| all.iter().any(|dep| dep["name"] == "wasm-bindgen-test"));
        let suites = package["metadata"]["xtask"]["browser-tests"].as_array().into_iter().flatten();
        let browser_suites = suites.filter_map(|suite| suite.as_str().map(str::to_owned)).collect();
        Ok(Self { name, folder, browser_only, wasm_tests, browser_suites })
    }
}
