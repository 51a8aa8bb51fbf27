//! `cargo xtask experiment`: the experiment of `tests/experiments/` on our own scenarios, by the command line of the product.
//!
//! `--offline` takes the simulated narrator; otherwise a model at an endpoint narrates. Runs and reports go below cargo's target folder unless
//! `--out` names another; the last lines say where.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::paths;
use crate::run::{Cmd, step};

/// The experiment.
const CONFIG: &str = "tests/experiments/offline.yml";

pub(crate) fn command(mut args: Args) -> Result<()> {
    let offline = args.flag("--offline");
    let endpoint = args.value("--endpoint")?;
    let model = args.value("--model")?;
    let out = match args.value("--out")? {
        Some(folder) => PathBuf::from(folder),
        None => paths::target()?.join("experiment"),
    };
    args.finish()?;
    let mut words = Vec::new();
    match (offline, endpoint, model) {
        (true, None, None) => {}
        (false, Some(endpoint), Some(model)) => {
            words = vec!["--endpoint".to_owned(), endpoint, "--model".to_owned(), model]
        }
        _ => bail!("say who narrates: --offline, or --endpoint URL and --model NAME"),
    }
    let commit = Cmd::new("git").args(["rev-parse", "--short=12", "HEAD"]).answer().unwrap_or_default();
    step(&format!("playing {CONFIG}"));
    let mut cmd = Cmd::cargo()
        .args([
            "run",
            "--quiet",
            "--profile",
            "bench",
            "--package",
            "credence-cli",
            "--bin",
            "credence",
            "--",
        ])
        .args(["matrix", CONFIG, "--scenarios", "tests/scenarios", "--out"])
        .arg(out)
        .args(words);
    if !commit.is_empty() {
        cmd = cmd.args(["--commit", &commit]);
    }
    cmd.run()
}
