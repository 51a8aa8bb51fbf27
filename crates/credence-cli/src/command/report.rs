//! `credence report`: the reports of kept experiments, written anew from what was kept.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use credence_sim::experiment::{Analysis, Experiment, deltas};
use credence_sim::store::RunStore as _;
use futures::executor::block_on;

use crate::args::Args;
use crate::experiment::{tell, write_reports};
use crate::out::say;
use crate::store::FolderStore;

pub(crate) const HELP: &str = "\
credence report FOLDER [options]

Computes the figures of a kept experiment anew, writes its reports into FOLDER, and prints what may be said.

  --experiment ID        which one (default: the newest)
  --list                 lists the kept experiments, newest first, and writes nothing
  --baseline FOLDER      prints how far the means of the primary metrics moved since the newest experiment kept there";

pub(crate) fn run(mut args: Args) -> Result<bool> {
    let folder = PathBuf::from(args.needs("a folder with kept experiments")?);
    let id = args.value("--experiment")?;
    let baseline = args.value("--baseline")?.map(PathBuf::from);
    let list = args.flag("--list");
    args.finish()?;
    let store = FolderStore::new(&folder);
    if list {
        let listing = block_on(store.experiments())?;
        for broken in &listing.broken {
            eprintln!("{} cannot be read: {}", broken.id, broken.why);
        }
        for note in listing.notes {
            let [conditions, scenarios, repetitions] = note.sizes;
            let partial = if note.cancelled { ", stopped" } else { "" };
            let sizes = format!("{conditions} × {scenarios} × {repetitions}{partial}");
            say!("{}  {}  {} ({sizes})", note.id, note.ended, note.name);
        }
        return Ok(true);
    }
    let experiment = kept(&store, &folder, id)?;
    let analysis = Analysis::of(&experiment);
    let written = write_reports(&folder, &experiment, &analysis)?;
    tell(&experiment, &analysis, &written);
    if let Some(folder) = baseline {
        moved(&experiment, &analysis, &kept(&FolderStore::new(&folder), &folder, None)?);
    }
    Ok(true)
}

/// Prints how far the primary metrics' means moved since an earlier experiment.
fn moved(experiment: &Experiment, analysis: &Analysis, earlier: &Experiment) {
    if earlier.manifest.scenario_hashes != experiment.manifest.scenario_hashes {
        say!("warning: the scenarios are not those of the earlier experiment");
    }
    if earlier.definition.narrator != experiment.definition.narrator {
        say!("warning: {} narrated the earlier experiment", earlier.definition.narrator);
    }
    for delta in deltas(analysis, &Analysis::of(earlier)) {
        if experiment.definition.primary.contains(&delta.metric) {
            let place = format!("{}:{} {}", delta.condition, delta.scenario, delta.metric);
            say!("{place}: {:.2} then, {:.2} now ({:+.2})", delta.then, delta.now, delta.change);
        }
    }
}

/// An experiment by its id, or the newest.
pub(crate) fn kept(store: &FolderStore, folder: &Path, id: Option<String>) -> Result<Experiment> {
    let id = match id {
        Some(id) => id,
        None => match block_on(store.experiments())?.notes.into_iter().next() {
            Some(note) => note.id,
            None => bail!("{} keeps no experiment; `credence matrix` plays one", folder.display()),
        },
    };
    let found = block_on(store.experiment(&id))?;
    found.with_context(|| format!("{} keeps no experiment `{id}`; --list lists them", folder.display()))
}
