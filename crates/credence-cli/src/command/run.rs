//! `credence run`: one scenario, once, under one condition.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use credence::config::RunHistoryStore;
use credence_sim::engine::{self, Progress};
use credence_sim::metrics::{NAMES, Unit};
use credence_sim::report;
use credence_sim::run::{RunRecord, RunSettings, RunStatus};
use credence_sim::scenario::Scenario;
use futures::executor::block_on;

use crate::args::{Args, Usage};
use crate::cast::{self, Options};
use crate::endpoint::now;
use crate::files::{self, Sources};
use crate::out::say;

pub(crate) const HELP: &str = "\
credence run SCENARIO [options]

Plays a scenario once and prints its turns and its score. SCENARIO is an id or a file. Exit code 1: the run did not come to its end, or an
assertion of the scenario did not hold.

  --condition NAME       what memory may do (default FULL_AWMU)
  --seed N               of every random choice (default 0)
  --turns N              turns to play (default: as the scenario says)
  --token-budget N       tokens that memory may spend of each prompt (default 0: as many as it needs)
  --option NAME=WORD     adversary-escalation=by-count, judge-mode=open, judge-sees-units=true or models=scenario;
                         can be repeated
  --property NAME=VALUE  a setting by its name, such as sim.adversary-budget=10 or unit.budget=8; can be repeated
  --out FOLDER           keeps the run as FOLDER/RUN.json
  --scenarios PLACE      a file or folder with scenarios in place of the built-in ones; can be repeated
  --compatible           reads the predecessor's files with its defaults";

pub(crate) fn run(mut args: Args) -> Result<bool> {
    let name = args.needs("a scenario's id or file")?;
    let condition = super::condition(args.value("--condition")?.as_deref().unwrap_or("FULL_AWMU"))?;
    let seed = args.parsed("--seed", "a whole number")?.unwrap_or(0);
    let turns = args.parsed("--turns", "a number of turns")?;
    let token_budget = args.parsed("--token-budget", "a number of tokens")?.unwrap_or(0);
    let mut options = BTreeMap::new();
    for said in args.values("--option")? {
        let (name, word) =
            said.split_once('=').ok_or_else(|| Usage::new(format!("--option {said}: write NAME=WORD")))?;
        options.insert(name.to_owned(), word.to_owned());
    }
    let out = args.value("--out")?.map(PathBuf::from);
    let sources = Sources::take(&mut args)?;
    let (cast, properties) = (Options::take(&mut args)?, cast::properties(&mut args)?);
    args.finish()?;
    let players = cast.players(&properties)?;
    if out.is_some() && players.base.sim.run_history == RunHistoryStore::Memory {
        bail!(Usage::new("--out keeps the run, and run-history.store=MEMORY keeps none; give one"));
    }
    let scenario = find(&name, &sources)?;
    let settings = RunSettings {
        seed,
        repetition: 0,
        max_turns: turns.unwrap_or(scenario.max_turns),
        token_budget,
        narrator: players.narrator.clone(),
        judge: players.judge.clone(),
        adversary: players.adversary.clone(),
        options,
    };
    for what in engine::not_applied(&scenario, &settings) {
        eprintln!("not applied: {what}");
    }
    let played = block_on(players.play(&scenario, &condition, &settings, &mut told));
    let run = played.map_err(anyhow::Error::msg)?;
    say!("{}", summary(&run));
    if let Some(folder) = out {
        let path = folder.join(format!("{}.json", report::file_stem(&run.id)));
        files::write(&path, &report::run_json(&run, now()))?;
        say!("{}", path.display());
    }
    Ok(run.status == RunStatus::Complete && run.assertions.iter().all(|assertion| assertion.passed))
}

/// The scenario of a file, or the one with an id.
fn find(name: &str, sources: &Sources) -> Result<Scenario> {
    if name.ends_with(".yml") || name.ends_with(".yaml") {
        let scenarios = sources.at(vec![PathBuf::from(name)]).read()?;
        return scenarios.into_iter().next().with_context(|| format!("{name} holds no scenario"));
    }
    files::named(&sources.read()?, name).cloned()
}

fn told(progress: Progress<'_>) {
    if let Progress::Turn { turn, .. } = progress {
        say!("[{}] player: {}", turn.turn, turn.player);
        match &turn.failed {
            None => say!("[{}] narrator: {}", turn.turn, turn.reply),
            Some(why) => say!("[{}] no answer: {why}", turn.turn),
        }
    }
}

/// How it ended, its assertions and its scores.
fn summary(run: &RunRecord) -> String {
    let mut text = match &run.status {
        RunStatus::Complete => format!("\nrun {} is complete\n", run.id),
        RunStatus::Cancelled => format!("\nrun {} was stopped\n", run.id),
        RunStatus::Unfinished => format!("\nrun {} is not over\n", run.id),
        RunStatus::Failed { reason } => format!("\nrun {} failed: {reason}\n", run.id),
    };
    for assertion in &run.assertions {
        let outcome = if assertion.passed { "held" } else { "BROKEN" };
        text.push_str(&format!("{outcome} {}: {}\n", assertion.name, assertion.details));
    }
    for (judge, score) in &run.scores {
        text.push_str(&format!("\njudged by the {judge}\n"));
        for metric in NAMES {
            let Some(value) = score.values.get(metric.name).copied().flatten() else { continue };
            let unit = if metric.unit == Unit::Percent { " %" } else { "" };
            text.push_str(&format!("  {:36} {value:.1}{unit}\n", metric.title));
        }
    }
    text
}
