//! `credence scenarios`: what there is, and what is wrong with files.

use std::path::PathBuf;

use anyhow::{Result, bail};
use credence_sim::scenario::{Content, Mode, display};

use crate::args::{Args, Usage};
use crate::files::Sources;
use crate::out::say;

pub(crate) const HELP: &str = "\
credence scenarios [--scenarios PLACE] [--compatible]
credence scenarios check FILE… [--compatible]

Lists scenarios, or reads files and folders and says everything that is wrong with each, with its line and the remedy. Exit code 1: a file
cannot be used; warnings alone are 0.

  --scenarios PLACE      a file or folder in place of the built-in scenarios; can be repeated
  --compatible           reads the predecessor's files with its defaults";

pub(crate) fn run(mut args: Args) -> Result<bool> {
    let word = args.word();
    let sources = Sources::take(&mut args)?;
    match word.as_deref() {
        None => {
            args.finish()?;
            list(&sources)
        }
        Some("check") => {
            let places: Vec<PathBuf> = args.rest()?.into_iter().map(PathBuf::from).collect();
            if places.is_empty() {
                bail!(Usage::new("name the files to check"));
            }
            check(&sources.at(places))
        }
        Some(other) => bail!(Usage::new(format!("`{other}` is not understood here; `check FILE…` is"))),
    }
}

fn list(sources: &Sources) -> Result<bool> {
    for scenario in sources.read()? {
        let sizes = format!("{} turns, {} facts", scenario.max_turns, scenario.facts.len());
        say!("{:36} {:14} {sizes:20} {}", scenario.id, scenario.category, display::title(&scenario));
    }
    Ok(true)
}

fn check(sources: &Sources) -> Result<bool> {
    let corpus = sources.corpus()?;
    for (file, problem) in corpus.problems() {
        say!("{file}: {problem}");
    }
    let bad = corpus.files.iter().filter(|file| matches!(file.content, Content::Unusable(_))).count();
    say!("{} files can be used, {bad} cannot", corpus.files.len() - bad);
    if bad > 0 && sources.mode() == Mode::Strict {
        say!("--compatible reads the predecessor's files");
    }
    Ok(bad == 0)
}
