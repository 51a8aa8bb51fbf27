//! The store as a folder: `runs/ID.json` and `experiments/ID.json`, each a file that `credence report` and the app read.
//!
//! A file is written beside its place and moved there, so that a crash leaves the old one. Ids that are no plain file names are refused.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use credence::time::Timestamp;
use credence_sim::experiment::{Analysis, Experiment};
use credence_sim::report::{self, Imported, file_stem};
use credence_sim::run::RunRecord;
use credence_sim::store::{Broken, ExperimentNote, Listing, RunNote, RunStore, Saved, StoreError};

/// Runs and experiments below a folder, which is made when something is saved.
#[derive(Debug, Clone)]
pub(crate) struct FolderStore {
    runs: PathBuf,
    experiments: PathBuf,
}

impl FolderStore {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { runs: folder.join("runs"), experiments: folder.join("experiments") }
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError(format!("{}: {error}", path.display()))
}

/// The file of an id; `None` where no file could have that name.
fn place(folder: &Path, id: &str) -> Option<PathBuf> {
    (!id.is_empty() && file_stem(id) == id).then(|| folder.join(format!("{id}.json")))
}

fn write(folder: &Path, id: &str, text: &str) -> Result<(), StoreError> {
    let path = place(folder, id)
        .ok_or_else(|| StoreError(format!("`{id}` is no name for a file; letters, digits, - and _ are")))?;
    let beside = path.with_extension("json.new");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, text))
        .and_then(|()| fs::rename(&beside, &path))
        .map_err(|error| failed(&path, &error))
}

fn read(path: &Path) -> Result<Option<Imported>, StoreError> {
    match fs::read_to_string(path) {
        Ok(text) => report::read(&text).map(Some).map_err(|error| failed(path, &error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, &error)),
    }
}

/// Every file of a folder, read; those that cannot be, by their stem and why.
fn all(folder: &Path) -> Result<(Vec<Imported>, Vec<Broken>), StoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), Vec::new())),
        Err(error) => return Err(failed(folder, &error)),
    };
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    for entry in entries {
        let path = entry.map_err(|error| failed(folder, &error))?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            match read(&path) {
                Ok(file) => found.extend(file),
                Err(error) => {
                    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    broken.push(Broken { id, why: error.to_string() });
                }
            }
        }
    }
    broken.sort_by(|a, b| a.id.cmp(&b.id));
    Ok((found, broken))
}

fn delete(folder: &Path, id: &str) -> Result<(), StoreError> {
    let Some(path) = place(folder, id) else { return Ok(()) };
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&path, &error)),
        _ => Ok(()),
    }
}

impl RunStore for FolderStore {
    async fn save_run(&self, run: &RunRecord, now: Timestamp) -> Result<Saved, StoreError> {
        write(&self.runs, &run.id, &report::run_json(run, now)).map(|()| Saved::default())
    }

    async fn run(&self, id: &str) -> Result<Option<RunRecord>, StoreError> {
        let Some(path) = place(&self.runs, id) else { return Ok(None) };
        Ok(match read(&path)? {
            Some(Imported::Run(run, _)) => Some(*run),
            _ => None,
        })
    }

    async fn runs(&self, scenario: Option<&str>) -> Result<Listing<RunNote>, StoreError> {
        let (files, broken) = all(&self.runs)?;
        let notes = files
            .into_iter()
            .filter_map(|file| match file {
                Imported::Run(run, saved) => Some(RunNote::of(&run, saved)),
                Imported::Experiment(..) => None,
            })
            .filter(|note| scenario.is_none_or(|scenario| note.scenario == scenario))
            .collect();
        Ok(Listing::of_runs(notes, broken))
    }

    async fn delete_run(&self, id: &str) -> Result<(), StoreError> {
        delete(&self.runs, id)
    }

    async fn save_experiment(&self, experiment: &Experiment) -> Result<(), StoreError> {
        let text = report::experiment_json(experiment, &Analysis::of(experiment));
        write(&self.experiments, &experiment.id, &text)
    }

    async fn experiment(&self, id: &str) -> Result<Option<Experiment>, StoreError> {
        let Some(path) = place(&self.experiments, id) else { return Ok(None) };
        Ok(match read(&path)? {
            Some(Imported::Experiment(experiment, _)) => Some(*experiment),
            _ => None,
        })
    }

    async fn experiments(&self) -> Result<Listing<ExperimentNote>, StoreError> {
        let (files, broken) = all(&self.experiments)?;
        let notes = files
            .into_iter()
            .filter_map(|file| match file {
                Imported::Experiment(experiment, _) => Some(ExperimentNote::of(&experiment)),
                Imported::Run(..) => None,
            })
            .collect();
        Ok(Listing::of_experiments(notes, broken))
    }

    async fn delete_experiment(&self, id: &str) -> Result<(), StoreError> {
        delete(&self.experiments, id)
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;

    /// A folder of this test alone, removed with its guard.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("credence-{name}-{}", std::process::id()));
            let _none = fs::remove_dir_all(&folder);
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _gone = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn sim_78_95_a_folder_keeps_the_contract_of_stores() {
        let folder = Folder::new("store");
        block_on(credence_sim::store::contract::suite(&FolderStore::new(&folder.0)));
    }

    #[test]
    fn ids_stay_in_their_folder_and_foreign_files_are_told() {
        let folder = Folder::new("ids");
        let store = FolderStore::new(&folder.0);
        assert_eq!(block_on(store.run("../../etc/passwd")), Ok(None));
        assert_eq!(block_on(store.delete_run("../x")), Ok(()));
        assert!(write(&store.runs, "a/b", "{}").unwrap_err().to_string().contains("no name for a file"));
        write(&store.runs, "r", "{}").unwrap();
        let [Broken { id, why }] = block_on(store.runs(None)).unwrap().broken.try_into().unwrap();
        assert!(id == "r" && why.contains("r.json") && why.contains("choose another file"), "{why}");
    }
}
