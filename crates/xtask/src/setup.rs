//! `cargo xtask setup`: looks for each need, gets what is missing, says one line a step, and can be run again at will.
//!
//! Tools are compiled once into the cache (`tools/NAME-VERSION/`), which outlives a clone; each version has a folder of
//! its own, so that two checkouts never disturb each other. Root is needed only for what apt has to bring.

use std::fs;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::run::{Cmd, on_path, step};
use crate::{browser, paths, wasm};

/// The newest Trunk that the workspace's compiler builds.
const TRUNK: &str = "0.21.14";

pub(crate) fn command(mut args: Args) -> Result<()> {
    let (tests, with_trunk) = (args.flag("--test"), args.flag("--trunk"));
    args.finish()?;
    for_building()?;
    if tests {
        for_testing()?;
    }
    if with_trunk {
        install_trunk()?;
    }
    say_path()
}

/// What `build` and `demo` need.
pub(crate) fn for_building() -> Result<()> {
    while_installing(|| Ok(()))
}

/// Gets what building needs while `work` runs, which may compile for the browser already; returns when both are done.
///
/// On a fresh machine with cores to spare a first demo waits for the longer of the two, not for their sum.
pub(crate) fn while_installing<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    wasm_target()?;
    let version = paths::locked_version("wasm-bindgen")?;
    if wasm_bindgen_on_path(&version).is_some() || is_installed("wasm-bindgen", &version)? {
        step(&format!("wasm-bindgen {version}: there"));
        return work();
    }
    thread::scope(|scope| {
        let cost = "about 3 minutes of processor time, once";
        let installing = scope.spawn(move || install("wasm-bindgen-cli", "wasm-bindgen", &version, cost));
        let done = work();
        // A thread that panicked has said so; the tool is missing then, and the next step says that.
        installing.join().unwrap_or(Ok(()))?;
        done
    })
}

/// What the tests need beyond that.
pub(crate) fn for_testing() -> Result<()> {
    step(&format!("Node.js {}", browser::node()?));
    chromium()?;
    npm("tests/e2e")
}

/// The folder of `wasm-bindgen` and `wasm-bindgen-test-runner` in the version that Cargo.lock has.
pub(crate) fn wasm_bindgen() -> Result<PathBuf> {
    let version = paths::locked_version("wasm-bindgen")?;
    if let Some(folder) = wasm_bindgen_on_path(&version) {
        return Ok(folder);
    }
    Ok(paths::tool("wasm-bindgen", &version)?.join("bin"))
}

/// The folder of Trunk, where it is installed in the version that we test with.
pub(crate) fn trunk() -> Result<Option<PathBuf>> {
    let ours = paths::tool("trunk", TRUNK)?.join("bin");
    if ours.join("trunk").is_file() {
        return Ok(Some(ours));
    }
    let theirs = on_path("trunk").filter(|path| {
        Cmd::new(path).arg("--version").answer().is_some_and(|answer| answer.ends_with(TRUNK))
    });
    Ok(theirs.and_then(|path| path.parent().map(PathBuf::from)))
}

/// Installs Trunk unless it is there.
pub(crate) fn install_trunk() -> Result<()> {
    match trunk()? {
        Some(folder) => step(&format!("trunk {TRUNK}: there ({})", folder.display())),
        None => install("trunk", "trunk", TRUNK, "about 10 minutes of processor time, once")?,
    }
    Ok(())
}

/// The standard library for the browser's target. Asked of the compiler itself, so that one that is not rustup's will do.
fn wasm_target() -> Result<()> {
    let has_it = || {
        let folder = Cmd::new("rustc").args(["--print", "target-libdir", "--target", wasm::TRIPLE]).answer();
        folder.and_then(|folder| fs::read_dir(folder).ok()).is_some_and(|mut files| {
            files
                .any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libcore-")))
        })
    };
    if has_it() {
        step(&format!("{}: there", wasm::TRIPLE));
        return Ok(());
    }
    step(&format!("{}: adding it with rustup", wasm::TRIPLE));
    let added = Cmd::new("rustup").args(["target", "add", wasm::TRIPLE]).run_quietly();
    if let Err(error) = added {
        bail!(
            "{error:#}\nThe compiler has no standard library for {}: see \"Without rustup\" in CONTRIBUTING.md",
            wasm::TRIPLE
        );
    }
    if !has_it() {
        bail!(
            "rustup added {}, but `rustc` on PATH is of another toolchain; put rustup's first on PATH",
            wasm::TRIPLE
        );
    }
    Ok(())
}

fn wasm_bindgen_on_path(version: &str) -> Option<PathBuf> {
    let path = on_path("wasm-bindgen")?;
    let answer = Cmd::new(&path).arg("--version").answer()?;
    let folder = path.parent()?.to_owned();
    (answer.split_whitespace().nth(1)? == version && folder.join("wasm-bindgen-test-runner").is_file())
        .then_some(folder)
}

/// Whether a version of a tool is in the cache.
fn is_installed(binary: &str, version: &str) -> Result<bool> {
    Ok(paths::tool(binary, version)?.join("bin").join(binary).is_file())
}

/// Compiles a tool of crates.io into the cache.
fn install(package: &str, binary: &str, version: &str, cost: &str) -> Result<()> {
    let root = paths::tool(binary, version)?;
    step(&format!("{binary} {version}: compiling it ({cost})"));
    fs::create_dir_all(&root)
        .with_context(|| format!("making {}; set CREDENCE_CACHE to another folder", root.display()))?;
    let compile = |locked: &[&str]| {
        Cmd::cargo()
            .args(["install", package, "--version", &format!("={version}")])
            .args(locked)
            .arg("--root")
            .arg(&root)
            // Away from the checkout: its configuration and target folder are not the tool's.
            .folder(&root)
            .env("CARGO_TARGET_DIR", root.join("build"))
            // Half the time for a tool that runs for a second.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            .run_silently()
    };
    if compile(&["--locked"]).is_err() {
        // A mirror of the registry may lack a version that the tool's lock file names; a compatible one will do.
        step(&format!("{binary} {version}: not with its own lock file here, trying compatible versions"));
        compile(&[])?;
    }
    // The intermediate files are ten times the tool.
    fs::remove_dir_all(root.join("build")).with_context(|| format!("tidying {}", root.display()))
}

/// Chromium and its driver, from the machine or from apt.
fn chromium() -> Result<()> {
    if let (Some(chrome), Some(driver)) = (browser::chrome(), browser::chromedriver()) {
        step(&format!("browser: {} and {}", chrome.display(), driver.display()));
        return Ok(());
    }
    const ADVICE: &str =
        "install Chromium or Chrome and its chromedriver, or name them in CHROME and CHROMEDRIVER";
    if on_path("apt-get").is_none() {
        bail!("no browser to test with: {ADVICE}");
    }
    step("browser: installing chromium and chromium-driver with apt-get");
    let packages = ["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"];
    let installed = apt_get(&packages).or_else(|_| apt_get(&["update"]).and_then(|()| apt_get(&packages)));
    installed.with_context(|| ADVICE.to_owned())?;
    browser::required(browser::chrome(), "Chromium")?;
    browser::required(browser::chromedriver(), "chromedriver")?;
    Ok(())
}

/// apt-get as root, or through a sudo that asks no question.
fn apt_get(args: &[&str]) -> Result<()> {
    let root = Cmd::new("id").arg("-u").answer().is_some_and(|id| id == "0");
    let cmd = if root {
        Cmd::new("apt-get")
    } else if Cmd::new("sudo").args(["-n", "true"]).succeeds() {
        Cmd::new("sudo").args(["-n", "apt-get"])
    } else {
        bail!(
            "apt-get needs root, and sudo asks for a password: run `sudo apt-get {}` yourself",
            args.join(" ")
        );
    };
    cmd.args(args).env("DEBIAN_FRONTEND", "noninteractive").run_quietly()
}

/// The npm packages of a folder, exactly as its lock file has them and without running their scripts.
pub(crate) fn npm(folder: &str) -> Result<()> {
    let place = paths::root().join(folder);
    let lock = fs::read(place.join("package-lock.json"))
        .with_context(|| format!("reading {folder}/package-lock.json"))?;
    let mark = place.join("node_modules").join(".installed-lock");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        step(&format!("{folder}: npm packages there"));
        return Ok(());
    }
    step(&format!("{folder}: getting its npm packages"));
    Cmd::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .folder(&place)
        .run_quietly()?;
    fs::create_dir_all(place.join("node_modules"))?;
    fs::write(&mark, lock).with_context(|| format!("writing {}", mark.display()))
}

/// Says how to put the tools on PATH, for who wants to run them directly.
fn say_path() -> Result<()> {
    let mut folders = vec![wasm_bindgen()?];
    folders.extend(trunk()?);
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    step(&format!("to run the tools yourself: export PATH=\"{}:$PATH\"", folders.join(":")));
    Ok(())
}
