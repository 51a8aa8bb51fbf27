//! `cargo xtask test`: every test there is, in stages, cheap ones first; one line a stage, and the sum at the end.
//!
//! A stage that fails does not stop the next ones, so that one run shows everything. The last line of the output is
//! `N passed, N failed`, the sum of what the stages' own runners counted.

mod counts;
mod stages;
mod trunk;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::args::Args;
use counts::Counts;

/// How a stage ended.
enum Outcome {
    /// It ran; its runner counted.
    Ran(Counts),
    /// It cannot run here, and why that is no failure.
    Skipped(&'static str),
}

struct Stage {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<Outcome>,
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", about: "formatting of every crate", run: stages::fmt },
    Stage { name: "clippy", about: "lints of the native crates", run: stages::clippy },
    Stage {
        name: "native",
        about: "tests and documentation examples of the native crates",
        run: stages::native,
    },
    Stage { name: "docs", about: "links of the core's documentation", run: stages::docs },
    Stage { name: "clippy-wasm", about: "lints of the browser crates", run: stages::clippy_wasm },
    Stage { name: "wasm", about: "tests in headless Chromium", run: stages::wasm },
    Stage { name: "pkg", about: "the npm package in Node and in a page", run: stages::pkg },
    Stage { name: "e2e", about: "the built site through the main job", run: stages::e2e },
    Stage { name: "trunk", about: "Trunk gives the same site, built and served", run: trunk::same_site },
];

/// Runs the asked stages; `false` when any test failed.
pub(crate) fn command(mut args: Args) -> Result<bool> {
    let list = args.flag("--list");
    let only = args.values("--only")?;
    args.finish()?;
    if list {
        for stage in STAGES {
            println!("{:12} {}", stage.name, stage.about);
        }
        return Ok(true);
    }
    if let Some(unknown) = only.iter().find(|name| STAGES.iter().all(|stage| stage.name != **name)) {
        bail!("there is no stage `{unknown}`; `cargo xtask test --list` names them");
    }
    let mut lines = Vec::new();
    let mut total = Counts::default();
    for stage in STAGES.iter().filter(|stage| only.is_empty() || only.iter().any(|name| name == stage.name)) {
        println!("── {}: {}", stage.name, stage.about);
        let begin = Instant::now();
        let outcome = (stage.run)();
        let line = report(stage.name, &outcome, begin.elapsed());
        println!("{line}");
        lines.push(line);
        match outcome {
            Ok(Outcome::Ran(counts)) => total += counts,
            Ok(Outcome::Skipped(_)) => {}
            Err(_) => total.failed += 1,
        }
    }
    println!("──");
    for line in lines {
        println!("{line}");
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(total.failed == 0)
}

fn report(name: &str, outcome: &Result<Outcome>, time: Duration) -> String {
    let words = match outcome {
        Ok(Outcome::Ran(counts)) if counts.failed == 0 => format!("ok, {} passed", counts.passed),
        Ok(Outcome::Ran(counts)) => format!("FAILED, {} passed and {} failed", counts.passed, counts.failed),
        Ok(Outcome::Skipped(why)) => format!("skipped: {why}"),
        Err(error) => format!("FAILED: {error:#}"),
    };
    format!("{name:12} {:6.1} s  {words}", time.as_secs_f64())
}
