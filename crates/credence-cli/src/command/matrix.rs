//! `credence matrix`: an experiment by a file.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use credence::config::properties::shown;
use credence::llm::Cancel;
use credence_sim::engine;
use credence_sim::experiment::{self, Analysis, Definition, Experiment, Limits, RunDigest};
use credence_sim::run::Condition;
use credence_sim::scenario::{Scenario, yaml};
use credence_sim::store::{Chosen, RunStore as _};
use futures::executor::block_on;
use serde::Deserialize;
use serde_json::Value;

use crate::args::Args;
use crate::cast::{self, Options, Players};
use crate::experiment::{Desk, stop_on_ctrl_c, tell, write_reports};
use crate::files::Sources;
use crate::store::FolderStore;

pub(crate) const HELP: &str = "\
credence matrix CONFIG.yml [options]

Plays conditions × scenarios × repetitions, keeps every run, and writes reports. Exit code 1: a run did not come to its end, or
Ctrl-C stopped the experiment: then the runs so far are kept and reported. The file:

  name: Ablations                     what it is called
  conditions: [FULL_AWMU, NO_AWMU]    names, or conditions spelled out; `all`: every built-in one
  scenarios: [story-iron-gate]        ids; `all`: every scenario there is
  repetitions: 10                     at least 2
  seed, maxTurns, tokenBudget         numbers; may be left out
  primary: [fact_survival]            metrics that conclusions rest on
  judgedBy: oracle                    or model
  options: {judge-mode: open}         beside adversary-escalation: by-count, judge-sees-units: 'true', models: scenario
  properties: {unit.budget: 8}        settings by their names, under which every run is played; docs/settings.md lists them
  limits: {alpha: 0.05, least_pairs: 10, judge_failures: 0.05, kappa: 0.7}
  outputDir: experiment-output        unless --out names another folder

  --out FOLDER           where runs and reports go
  --go-on                goes on with the newest experiment in that folder that was stopped or broken off and was begun by the same
                         file: its complete runs are not played again
  --property NAME=VALUE  a setting by its name; wins over the file; sim.benchmark-parallelism=1 plays one run after the other,
                         run-history.store=MEMORY writes reports alone; can be repeated
  --commit HASH          of the sources, for the manifest
  --scenarios PLACE      a file or folder with scenarios in place of the built-in ones; can be repeated
  --compatible           reads the predecessor's scenario files with its defaults";

/// The file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Config {
    name: String,
    conditions: ListOrWord<Named>,
    scenarios: ListOrWord<String>,
    repetitions: u32,
    #[serde(default)]
    seed: u64,
    max_turns: Option<u32>,
    #[serde(default)]
    token_budget: u32,
    primary: Option<Vec<String>>,
    judged_by: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default)]
    properties: BTreeMap<String, Value>,
    #[serde(default)]
    limits: Limits,
    output_dir: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ListOrWord<T> {
    List(Vec<T>),
    Word(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Named {
    BuiltIn(String),
    Spelled(Condition),
}

pub(crate) fn run(mut args: Args) -> Result<bool> {
    let file = args.needs("the experiment's file")?;
    let out = args.value("--out")?.map(PathBuf::from);
    let goes_on = args.flag("--go-on");
    let commit = args.value("--commit")?.unwrap_or_default();
    let sources = Sources::take(&mut args)?;
    let (cast, own) = (Options::take(&mut args)?, cast::properties(&mut args)?);
    args.finish()?;
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {file}"))?;
    let config = read(&text).with_context(|| file.clone())?;
    let named = config.properties.iter().map(|(name, value)| (name.clone(), shown(value)));
    let players = Arc::new(cast.players(&named.chain(own).collect()).with_context(|| file.clone())?);
    let scenarios = sources.read()?;
    let folder = out.or_else(|| config.output_dir.clone()).unwrap_or_else(|| "experiment-output".into());
    let definition = definition(config, &scenarios, &players).with_context(|| file.clone())?;
    tell_what_is_not_applied(&definition, &scenarios);
    stop_on_ctrl_c()?;
    let cancel = Cancel::new();
    let store = Chosen::by(&players.base.sim, || FolderStore::new(&folder));
    let desk = Desk { players, store, commit, kept: Cell::default(), cancel: cancel.clone() };
    let played = if goes_on {
        let earlier = block_on(broken_off(&desk, &definition))?;
        let (done, total) = (earlier.complete().count(), earlier.manifest.planned_runs);
        eprintln!("going on with {}: {done} of {total} runs are complete", earlier.id);
        block_on(experiment::go_on(&earlier, &scenarios, &desk, &cancel))
    } else {
        block_on(experiment::run(&definition, &scenarios, &desk, &cancel))
    };
    let experiment = match played {
        Ok(experiment) => experiment,
        Err(problems) => {
            problems.iter().for_each(|problem| eprintln!("{file}: {problem}"));
            bail!("{file}: the experiment cannot be played as it is written");
        }
    };
    let whole = experiment.complete().count();
    if whole == 0 {
        let why = experiment.runs.iter().find_map(RunDigest::trouble);
        let why = why.unwrap_or_else(|| "it was stopped before".to_owned());
        bail!("no run was played to its end ({why}); nothing is reported");
    }
    block_on(desk.store.save_experiment(&experiment))?;
    let analysis = Analysis::of(&experiment);
    let written = write_reports(&folder, &experiment, &analysis)?;
    tell(&experiment, &analysis, &written);
    if experiment.cancelled {
        let (played, planned) = (experiment.runs.len(), experiment.manifest.planned_runs);
        eprintln!("stopped: {played} of {planned} runs were played, kept and reported");
    }
    Ok(whole == experiment.runs.len() && !experiment.cancelled)
}

/// The newest experiment of the folder that has runs left and was begun by the same definition.
async fn broken_off(desk: &Desk, definition: &Definition) -> Result<Experiment> {
    let listing = desk.store.experiments().await?;
    for broken in &listing.broken {
        eprintln!("{} cannot be read: {}", broken.id, broken.why);
    }
    for note in listing.notes.iter().filter(|note| note.cancelled) {
        if let Some(found) = desk.store.experiment(&note.id).await?
            && found.definition == *definition
        {
            return Ok(found);
        }
    }
    bail!(
        "there is no experiment to go on with: none of the folder was stopped or broken off that this file begins; leave --go-on out, or name its folder with --out"
    )
}

/// Models that scenarios name and that do not play, with the scenarios that do so.
fn tell_what_is_not_applied(definition: &Definition, scenarios: &[Scenario]) {
    let mut by_words: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for planned in definition.plan(scenarios) {
        let id = &definition.scenarios[planned.scenario];
        let Some(scenario) = scenarios.iter().find(|scenario| scenario.id == *id) else { continue };
        for what in engine::not_applied(scenario, &planned.settings) {
            let ids = by_words.entry(what).or_default();
            if !ids.contains(&id.as_str()) {
                ids.push(id);
            }
        }
    }
    for (what, ids) in by_words {
        eprintln!("not applied: {what} ({})", ids.join(", "));
    }
}

fn read(text: &str) -> Result<Config> {
    let value = yaml::to_json(text).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    Ok(serde_json::from_value(value)?)
}

fn definition(config: Config, scenarios: &[Scenario], players: &Players) -> Result<Definition> {
    let conditions = match config.conditions {
        ListOrWord::List(named) => named
            .into_iter()
            .map(|named| match named {
                Named::BuiltIn(name) => super::condition(&name),
                Named::Spelled(condition) => Ok(condition),
            })
            .collect::<Result<Vec<Condition>, _>>()?,
        ListOrWord::Word(word) if word == "all" => Condition::all(),
        ListOrWord::Word(word) => bail!("conditions: `{word}` is no list; write names in brackets, or `all`"),
    };
    let ids = match config.scenarios {
        ListOrWord::List(ids) => ids,
        ListOrWord::Word(word) if word == "all" => scenarios.iter().map(|one| one.id.clone()).collect(),
        ListOrWord::Word(word) => bail!("scenarios: `{word}` is no list; write ids in brackets, or `all`"),
    };
    let base = Definition::new(config.name, conditions, ids, config.repetitions, &players.narrator);
    Ok(Definition {
        seed: config.seed,
        max_turns: config.max_turns,
        token_budget: config.token_budget,
        judge: players.judge.clone(),
        adversary: players.adversary.clone(),
        primary: config.primary.unwrap_or_else(|| base.primary.clone()),
        judged_by: config.judged_by.unwrap_or_else(|| base.judged_by.clone()),
        options: config.options,
        limits: config.limits,
        ..base
    })
}
