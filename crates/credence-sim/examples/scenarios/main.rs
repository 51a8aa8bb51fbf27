//! Figures of the scenario runner as one JSON object, for `cargo xtask bench scenarios`: how the corpora read, how far the statistics are from
//! scipy's, and what an experiment with a control comes to that is played twice on the simulated narrator.
//!
//! - `upstream_loaded`: the predecessor's files that can be used, scenarios and a list of strategies, of the folder that `CREDENCE_SHARED`
//!   names or that lies beside the checkout; 0 where it is not at hand.
//! - `corpus`: our own files that read strictly, without a warning.
//! - `scipy_max_diff`: the largest difference of any figure, in units of scipy's where that is above 1.
//! - `aa_significant`: whether the control's two halves differ in a primary metric.
//! - `matrix_repeat_equal`: whether the second time gave the same bytes, runs and figures, with other runs beside.

mod offline;
mod scipy;

use std::fs;
use std::path::{Path, PathBuf};

use credence_sim::experiment::{Analysis, CheckKind, Definition, Outcome};
use credence_sim::run::Condition;
use credence_sim::scenario::{Content, Corpus, Mode};
use serde_json::json;

/// Scenarios of the experiment: the first of the corpus that are played to their end.
const SCENARIOS: usize = 3;
/// Repetitions of each.
const REPETITIONS: u32 = 4;

fn main() {
    match figures() {
        Ok(figures) => println!("{figures}"),
        Err(words) => {
            eprintln!("error: {words}");
            std::process::exit(1);
        }
    }
}

fn figures() -> Result<serde_json::Value, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("CREDENCE_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let upstream = corpus(&shared.join("data/scenarios"), Mode::Compatible)?;
    let usable = upstream.files.iter().filter(|file| !matches!(file.content, Content::Unusable(_)));
    let own = corpus(&root.join("tests/scenarios"), Mode::Strict)?;
    let clean = own.files.iter().filter(|file| match &file.content {
        Content::Scenario(read) => read.problems.is_empty(),
        Content::Strategies(_) | Content::Unusable(_) => false,
    });
    let figures = scipy::compare()?;
    let worst = figures.iter().max_by(|a, b| a.off().total_cmp(&b.off())).ok_or("the fixture is empty")?;
    eprintln!("{} figures beside scipy's; furthest off is {}", figures.len(), worst.place);
    let scenarios: Vec<_> = own.scenarios().take(SCENARIOS).cloned().collect();
    let conditions = ["FULL_AWMU", "NO_MEMORY", "GOVERNED_AGAIN"].into_iter().filter_map(Condition::by_name);
    let ids = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
    let order = Definition::new("Bench", conditions.collect(), ids, REPETITIONS, offline::NARRATOR);
    let (first, first_runs) = offline::played(&order, &scenarios, 1)?;
    let (second, second_runs) = offline::played(&order, &scenarios, 4)?;
    let analysis = Analysis::of(&first);
    let control = analysis.checks.iter().find(|check| check.kind == CheckKind::Control);
    Ok(json!({
        "upstream_loaded": usable.count(),
        "corpus": clean.count(),
        "scipy_max_diff": worst.off(),
        "runs": first.complete().count(),
        "aa_significant": control.is_none_or(|check| check.outcome == Outcome::Blocks),
        "matrix_repeat_equal": first.runs == second.runs && first_runs == second_runs,
    }))
}

/// The scenarios of a folder; none where it is not there.
fn corpus(folder: &Path, mode: Mode) -> Result<Corpus, String> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Corpus::default()) };
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            texts.push((path.display().to_string(), text));
        }
    }
    Ok(Corpus::read(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())), mode))
}
