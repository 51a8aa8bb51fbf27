//! `cargo xtask experiment`: the experiment of `tests/experiments/` on our own scenarios, by the command line of the product.
//!
//! `--offline` takes the simulated narrator; otherwise a model at an endpoint narrates, in an experiment that a small one plays within the hour.
//! `--config` names another file. Runs and reports go below cargo's target folder unless `--out` names another; the last lines say where.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::paths;
use crate::run::{Cmd, step};

/// With the simulated narrator.
const OFFLINE: &str = "tests/experiments/offline.yml";

/// With a model.
const MODEL: &str = "tests/experiments/small-model.yml";

pub(crate) fn command(mut args: Args) -> Result<()> {
    let offline = args.flag("--offline");
    let endpoint = args.value("--endpoint")?;
    let model = args.value("--model")?;
    let reader = args.value("--memory-model")?;
    let config = args.value("--config")?.unwrap_or_else(|| if offline { OFFLINE } else { MODEL }.to_owned());
    let out = match args.value("--out")? {
        Some(folder) => PathBuf::from(folder),
        None => paths::target()?.join("experiment"),
    };
    args.finish()?;
    let mut words = Vec::new();
    match (offline, endpoint, model) {
        (true, None, None) if reader.is_none() => {}
        (false, Some(endpoint), Some(model)) => {
            let said = ["--endpoint", &endpoint, "--model", &model, "--memory-model"];
            words = said.map(str::to_owned).to_vec();
            words.push(reader.unwrap_or_else(|| "none".to_owned()));
        }
        _ => bail!("say who narrates: --offline, or --endpoint URL and --model NAME [--memory-model NAME]"),
    }
    let commit = Cmd::new("git").args(["rev-parse", "--short=12", "HEAD"]).answer().unwrap_or_default();
    step(&format!("playing {config}"));
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
        .args(["matrix", &config, "--scenarios", "tests/scenarios", "--out"])
        .arg(out)
        .args(words);
    if !commit.is_empty() {
        cmd = cmd.args(["--commit", &commit]);
    }
    cmd.run()
}
