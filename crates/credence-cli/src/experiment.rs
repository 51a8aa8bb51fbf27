//! Playing an experiment from the command line: the host that plays, keeps and tells, and the files that come of it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use credence::llm::Cancel;
use credence::time::Timestamp;
use credence_sim::experiment::{Analysis, Experiment, Host, Progress};
use credence_sim::report;
use credence_sim::run::{Condition, RunRecord, RunSettings};
use credence_sim::scenario::Scenario;
use credence_sim::store::{Chosen, RunStore};

use crate::cast::Players;
use crate::endpoint::now;
use crate::files;
use crate::out::say;
use crate::store::FolderStore;

/// Plays with these players and keeps runs where the settings say.
pub(crate) struct Desk {
    pub(crate) players: Arc<Players>,
    pub(crate) store: Chosen<FolderStore>,
    pub(crate) commit: String,
    /// When the experiment was kept last while it is played.
    pub(crate) kept: Cell<Option<Instant>>,
    /// Stops the experiment once a person asked for it.
    pub(crate) cancel: Cancel,
}

/// How often an experiment is kept while it is played: its figures are computed each time.
const KEPT_EVERY: Duration = Duration::from_secs(60);

/// Whether a person pressed Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// The first Ctrl-C has the experiment end after the runs that are being played; the second ends the program at once.
pub(crate) fn stop_on_ctrl_c() -> Result<()> {
    ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("stopping after what is being played; once more to end at once, without a report");
    })
    .context("taking Ctrl-C")
}

/// What a shell expects of a program that SIGINT ended: 128 + 2.
const INTERRUPTED: i32 = 130;

impl Host for Desk {
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String> {
        self.players.play_apart(scenario, condition, settings).await
    }

    async fn keep(&self, run: RunRecord) -> Result<(), String> {
        self.store.save_run(&run, now()).await.map(drop).map_err(|error| error.to_string())
    }

    async fn so_far(&self, experiment: impl FnOnce() -> Experiment) {
        if self.kept.get().is_some_and(|last| last.elapsed() < KEPT_EVERY) {
            return;
        }
        let experiment = experiment();
        if experiment.complete().next().is_some() {
            if let Err(error) = self.store.save_experiment(&experiment).await {
                eprintln!("the experiment so far could not be kept: {error}");
            }
            self.kept.set(Some(Instant::now()));
        }
    }

    fn now(&self) -> Timestamp {
        now()
    }

    fn progress(&self, progress: &Progress) {
        if STOPPED.load(Ordering::Relaxed) {
            self.cancel.cancel();
        }
        let Some(last) = &progress.last else { return };
        let left =
            progress.left_ms.map_or_else(String::new, |left| format!(", about {} s left", left / 1000));
        eprintln!("[{}/{}{left}] {last}", progress.done, progress.total);
    }

    fn parallelism(&self) -> u32 {
        self.players.base.sim.benchmark_parallelism
    }

    fn commit(&self) -> String {
        self.commit.clone()
    }

    fn reader(&self) -> String {
        self.players.reader.clone()
    }

    fn versions(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("credence-cli".to_owned(), env!("CARGO_PKG_VERSION").to_owned())])
    }
}

/// Writes an experiment's reports below a folder and returns where: `NAME-ID.md`, `.cells.csv`, `.runs.csv` and `.manifest.json`.
pub(crate) fn write_reports(
    folder: &Path,
    experiment: &Experiment,
    analysis: &Analysis,
) -> Result<Vec<PathBuf>> {
    let stem =
        format!("{}-{}", report::file_stem(&experiment.definition.name), report::file_stem(&experiment.id));
    let manifest = serde_json::to_string_pretty(&experiment.manifest)? + "\n";
    let files = [
        ("md", report::markdown(experiment, analysis)),
        ("cells.csv", report::cells_csv(analysis)),
        ("runs.csv", report::runs_csv(experiment)),
        ("manifest.json", manifest),
    ];
    let mut written = Vec::new();
    for (ending, text) in files {
        let path = folder.join(format!("{stem}.{ending}"));
        files::write(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// What may be said of an experiment, and where its reports are.
pub(crate) fn tell(experiment: &Experiment, analysis: &Analysis, written: &[PathBuf]) {
    let story = report::narrative(experiment, analysis);
    for warning in &story.warnings {
        say!("warning: {warning}");
    }
    for sentence in story.conclusions.iter().chain(&story.observations) {
        say!("- {sentence}");
    }
    for path in written {
        say!("{}", path.display());
    }
}
