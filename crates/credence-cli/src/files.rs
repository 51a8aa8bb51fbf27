//! Files that commands read and write: scenarios from files, folders and the compiled-in corpus, and reports.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use credence_sim::scenario::{self, Corpus, Mode, Scenario};

use crate::args::{Args, Usage};

/// Where scenarios come from.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    places: Vec<PathBuf>,
    mode: Mode,
}

impl Sources {
    /// Takes `--scenarios PLACE…` and `--compatible`.
    pub(crate) fn take(args: &mut Args) -> Result<Self, Usage> {
        let places = args.values("--scenarios")?.into_iter().map(PathBuf::from).collect();
        let mode = if args.flag("--compatible") { Mode::Compatible } else { Mode::Strict };
        Ok(Self { places, mode })
    }

    /// How files are read.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The same, of these places alone.
    pub(crate) fn at(&self, places: Vec<PathBuf>) -> Self {
        Self { places, mode: self.mode }
    }

    /// Reads them; problems go to standard error, and a file that cannot be used does not stop the others.
    ///
    /// # Errors
    /// When there is no scenario to play at all, or a place cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<Scenario>> {
        let corpus = self.corpus()?;
        for (file, problem) in corpus.problems() {
            eprintln!("{file}: {problem}");
        }
        let scenarios: Vec<Scenario> = corpus.scenarios().cloned().collect();
        if scenarios.is_empty() {
            bail!("there is no scenario to play in the places that --scenarios names");
        }
        Ok(scenarios)
    }

    /// Files, folders or, where no place was named, the corpus that is compiled in.
    pub(crate) fn corpus(&self) -> Result<Corpus> {
        if self.places.is_empty() {
            return Ok(scenario::own());
        }
        let mut texts = Vec::new();
        for path in scenario_files(&self.places)? {
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push((path.display().to_string(), text));
        }
        Ok(Corpus::read(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())), self.mode))
    }
}

/// Files as they are; of folders, those that end in `.yml` or `.yaml`, by name.
fn scenario_files(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in places {
        if !place.is_dir() {
            found.push(place.clone());
            continue;
        }
        let entries = fs::read_dir(place).with_context(|| format!("listing {}", place.display()))?;
        let mut inside = Vec::new();
        for entry in entries {
            let path = entry.with_context(|| format!("listing {}", place.display()))?.path();
            if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") {
                inside.push(path);
            }
        }
        inside.sort();
        found.append(&mut inside);
    }
    Ok(found)
}

/// Writes a file, making its folder.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// A scenario by its id, or an error that names those that are near.
pub(crate) fn named<'a>(scenarios: &'a [Scenario], id: &str) -> Result<&'a Scenario> {
    scenarios.iter().find(|scenario| scenario.id == id).with_context(|| {
        format!("there is no scenario `{id}`; `credence scenarios` lists {} of them", scenarios.len())
    })
}
