//! `credence re-evaluate`: kept runs judged again by a model, with the scores side by side.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use credence::llm::Cancel;
use credence_sim::judge::model::{JudgeMode, ModelJudge};
use credence_sim::judge::reevaluate::reevaluate;
use credence_sim::run::RunRecord;
use credence_sim::store::RunStore as _;
use futures::executor::block_on;

use crate::args::{Args, Usage};
use crate::cast::Options;
use crate::files::{self, Sources};
use crate::out::say;
use crate::store::FolderStore;

pub(crate) const HELP: &str = "\
credence re-evaluate FOLDER --endpoint URL --judge-model NAME [options]

Judges the runs of a kept experiment again and writes FOLDER/re-evaluation.csv; the runs themselves stay as they are. Exit code 1: a run or its
scenario is gone.

  --experiment ID        which one (default: the newest)
  --compare JUDGE        the judge to compare with: oracle (default) or model
  --mode MODE            hardened (default) or open
  --show-units           lets the judge see the working set
  --scenarios PLACE      a file or folder with scenarios in place of the built-in ones; can be repeated
  --compatible           reads the predecessor's files with its defaults";

pub(crate) fn run(mut args: Args) -> Result<bool> {
    let folder = PathBuf::from(args.needs("a folder with a kept experiment")?);
    let id = args.value("--experiment")?;
    let before = args.value("--compare")?.unwrap_or_else(|| "oracle".to_owned());
    let mode = match args.value("--mode")?.as_deref() {
        None | Some("hardened") => JudgeMode::Hardened,
        Some("open") => JudgeMode::Open,
        Some(other) => bail!(Usage::new(format!("--mode {other}: take hardened or open"))),
    };
    if !["oracle", "model"].contains(&before.as_str()) {
        bail!(Usage::new(format!("--compare {before}: take oracle or model")));
    }
    let show_units = args.flag("--show-units");
    let sources = Sources::take(&mut args)?;
    let cast = Options::take(&mut args)?;
    args.finish()?;
    let players = cast.players(&Vec::new())?;
    let endpoints = players.endpoints()?;
    if players.judge.is_empty() {
        bail!(Usage::new("--judge-model is missing"));
    }
    let store = FolderStore::new(&folder);
    let experiment = super::report::kept(&store, &folder, id)?;
    let scenarios = sources.read()?;
    let ids: Vec<String> = experiment.complete().map(|run| run.run.clone()).collect();
    let mut runs: BTreeMap<String, RunRecord> = BTreeMap::new();
    for id in &ids {
        runs.extend(block_on(store.run(id))?.map(|run| (id.clone(), run)));
    }
    let find = |id: &str| {
        let run = runs.get(id).ok_or_else(|| "the run is not kept any more".to_owned())?;
        let scenario = scenarios.iter().find(|scenario| scenario.id == run.scenario);
        Ok((run, scenario.ok_or_else(|| format!("there is no scenario `{}`", run.scenario))?))
    };
    let judge = ModelJudge { mode, show_units, model: Some(players.judge.clone()), ..ModelJudge::default() };
    let result = block_on(reevaluate(endpoints, &judge, &before, &ids, find, &Cancel::new()));
    for missing in &result.missing {
        eprintln!("{}: {}", missing.run, missing.why);
    }
    let figure = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:+.1}"));
    for shift in result.shifts() {
        say!(
            "{}: {} runs, survival {}, erosion {} (new less {before})",
            shift.condition,
            shift.runs,
            figure(shift.survival),
            figure(shift.erosion)
        );
    }
    let path = folder.join("re-evaluation.csv");
    files::write(&path, &result.csv())?;
    say!("{}", path.display());
    Ok(result.missing.is_empty())
}
