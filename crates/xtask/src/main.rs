//! `cargo xtask COMMAND`: everything that a contributor, a newcomer or CI runs.
//!
//! This page reads the command line and nothing else. Each command is a module: [`setup`] (tools), [`site`] (the web
//! app into `dist/`), [`demo`] (serve and open, or check), [`test`] (every test there is), [`pkg`] (the npm package's
//! wasm), [`drill`] (things that go wrong in a browser), [`bench`] (named figures), [`experiment`] (conditions
//! compared). Standard output carries what the command is for; progress goes to standard error.

mod args;
mod bench;
mod browser;
#[expect(unreachable_pub, reason = "shared with the tests, where it is a library's public module")]
#[path = "../../../tests/support/coverage.rs"]
mod coverage;
mod demo;
mod drill;
mod experiment;
mod html;
mod paths;
mod pkg;
mod run;
mod serve;
mod setup;
mod site;
mod test;
mod wasm;

use std::process::ExitCode;

use anyhow::{Result, bail};

use args::Args;

const HELP: &str = "\
cargo xtask COMMAND

  demo [--port N] [--no-open] [--release]
                       set up what is missing, build the app, serve it on 127.0.0.1:8080 (or the next free port),
                       open the browser; Ctrl-C ends
  demo --check         build the release site and drive Chromium through the main job; PASS or FAIL
  setup [--test] [--trunk]
                       get the tools for building; --test: also those for the tests; --trunk: also Trunk
  build [--dev]        build the web app into dist/ (release by default) and print the size of its wasm
  serve [--port N]     serve dist/ as it is
  pkg                  build the npm package's wasm and scripts into pkg/dist/
  test [--only STAGE]… every test there is, stage by stage; `test --list` names the stages
  drill [--quick] [--only NAME]…
                       make things go wrong in Chromium while memory is written (kills, two tabs, a full disk, a blocked
                       upgrade, a clock set back, no store), and look at what is stored afterwards
  bench [NAME] [--json]
                       a benchmark's figures, as a table or one JSON object a line; without a name: the list
  experiment --offline [--config FILE] [--out FOLDER]
                       the product beside its baselines on our own scenarios, with the simulated narrator; --endpoint URL
                       --model NAME in place of --offline: with a model, in a smaller experiment
";

fn main() -> ExitCode {
    match dispatch() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command. `false` means that it ran and reported failure in its own words.
fn dispatch() -> Result<bool> {
    let mut args = Args::from_env();
    let command = args.positional();
    match command.as_deref() {
        Some("demo") => demo::command(args),
        Some("setup") => setup::command(args).map(|()| true),
        Some("build") => site::command(args).map(|()| true),
        Some("serve") => demo::serve_command(args).map(|()| true),
        Some("pkg") => pkg::command(args).map(|()| true),
        Some("test") => test::command(args),
        Some("drill") => drill::command(args),
        Some("bench") => bench::command(args).map(|()| true),
        Some("experiment") => experiment::command(args).map(|()| true),
        // Called by Trunk's hook (Trunk.toml), not by people.
        Some("strip-wasm") => wasm::strip_command(args).map(|()| true),
        Some("help") | None => {
            print!("{HELP}");
            Ok(true)
        }
        Some(other) => bail!("there is no command `{other}`; `cargo xtask help` lists them"),
    }
}
