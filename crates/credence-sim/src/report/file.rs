//! Experiments and runs as JSON files, and the way back. A file says what it is and in which form, so that neither is taken for the other.

use credence::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::experiment::{Analysis, Experiment};
use crate::run::RunRecord;

/// What an experiment's file says that it is.
const EXPERIMENT: &str = "credence-experiment";
/// What a run's file says that it is.
const RUN: &str = "credence-run";
/// The newest form of either.
const FORM: u64 = 1;

#[derive(Serialize)]
struct ExperimentFile<'a> {
    kind: &'static str,
    schema: u64,
    experiment: &'a Experiment,
    /// For programs that read figures; it is computed anew when the file is read here.
    analysis: &'a Analysis,
}

#[derive(Serialize, Deserialize)]
struct RunFile<R> {
    kind: String,
    schema: u64,
    /// When it was saved, by the host's clock; a run's own clock is made up.
    #[serde(default)]
    saved: Timestamp,
    run: R,
}

/// An experiment with its figures, indented; instants are milliseconds since 1970, figures that are not there `null`.
pub fn experiment_json(experiment: &Experiment, analysis: &Analysis) -> String {
    pretty(&ExperimentFile { kind: EXPERIMENT, schema: FORM, experiment, analysis })
}

/// A run with all its turns and prompts, saved at an instant of the host's clock.
pub fn run_json(run: &RunRecord, saved: Timestamp) -> String {
    // Prompts make it long enough without indentation.
    serde_json::to_string(&RunFile { kind: RUN.to_owned(), schema: FORM, saved, run }).unwrap_or_default()
        + "\n"
}

fn pretty(value: &impl Serialize) -> String {
    // Records have text keys and plain values: there is nothing that JSON could refuse.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// What a file held.
#[derive(Debug, Clone, PartialEq)]
pub enum Imported {
    /// An experiment, with its figures computed anew.
    Experiment(Box<Experiment>, Box<Analysis>),
    /// A run, and when it was saved.
    Run(Box<RunRecord>, Timestamp),
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// It is no JSON, or cut off.
    #[error("this is no whole JSON file ({0}); export it again")]
    NotJson(String),
    /// It is JSON of something else.
    #[error("this file says that it is {0}, and not a run or an experiment of Credence; choose another file")]
    Other(String),
    /// Its form is newer than this version.
    #[error("this file has form {0}, and this version reads forms up to {FORM}; update Credence")]
    Newer(u64),
    /// Something in it is not as it should be.
    #[error("this file cannot be read: {0}; export it again")]
    Broken(String),
}

/// Reads an experiment's or a run's file.
///
/// # Errors
/// [`ImportError`], in words with what to do.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ImportError::NotJson(error.to_string()))?;
    let kind = value["kind"].as_str().unwrap_or_default();
    if kind != EXPERIMENT && kind != RUN {
        let said = if kind.is_empty() { "nothing of the kind".to_owned() } else { format!("`{kind}`") };
        return Err(ImportError::Other(said));
    }
    match value["schema"].as_u64() {
        Some(form) if form > FORM => return Err(ImportError::Newer(form)),
        Some(1..) => {}
        _ => return Err(ImportError::Broken("it does not say its form".to_owned())),
    }
    let broken = |error: serde_json::Error| ImportError::Broken(error.to_string());
    if kind == RUN {
        let file: RunFile<RunRecord> = serde_json::from_value(value).map_err(broken)?;
        return Ok(Imported::Run(Box::new(file.run), file.saved));
    }
    let experiment = value.get("experiment").cloned().unwrap_or_default();
    let experiment: Experiment = serde_json::from_value(experiment).map_err(broken)?;
    let analysis = Analysis::of(&experiment);
    Ok(Imported::Experiment(Box::new(experiment), Box::new(analysis)))
}
