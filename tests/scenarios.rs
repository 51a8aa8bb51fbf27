//! Scenarios as a whole: the predecessor's files are read, every one of them.
//!
//! Those files are no part of the project. They are read from `data/scenarios` below the folder that `CREDENCE_SHARED` names, else
//! below the folder `shared` beside the checkout; where it is not there, their tests say so and pass.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use credence_sim::scenario::{AdversaryMode, Mode, Read, Scenario, read};

/// The files of a folder with their names, in the order of names.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a file of it can be read"))
        })
        .collect();
    out.sort();
    out
}

/// The predecessor's files but for its catalogue of strategies; `None`: they are not here.
fn predecessors() -> Option<Vec<(String, String)>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let shared = std::env::var_os("CREDENCE_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let folder = shared.join("data/scenarios");
    if !folder.is_dir() {
        println!(
            "skipped: the predecessor's scenarios are not here; name the folder above data/scenarios in CREDENCE_SHARED"
        );
        return None;
    }
    Some(files(&folder).into_iter().filter(|(name, _)| !name.starts_with("strategy-catalog")).collect())
}

fn loaded() -> Option<BTreeMap<String, Read>> {
    let mut out = BTreeMap::new();
    for (name, text) in predecessors()? {
        match read(&text, Mode::Compatible) {
            Ok(read) => {
                assert!(out.insert(read.scenario.id.clone(), read).is_none(), "{name}: the id is there twice")
            }
            Err(problems) => {
                panic!("{name}: {}", problems.iter().map(|p| format!("\n  {p}")).collect::<String>())
            }
        }
    }
    Some(out)
}

#[test]
fn every_file_of_the_predecessor_is_read_with_the_counts_of_its_corpus() {
    let Some(all) = loaded() else { return };
    let turns =
        |wanted: fn(&Scenario) -> usize| all.values().map(|read| wanted(&read.scenario)).sum::<usize>();
    assert_eq!(all.len(), 33);
    assert_eq!(turns(|scenario| scenario.turns.len()), 513);
    assert_eq!(turns(|scenario| scenario.turns.iter().filter(|turn| turn.kind.is_judged()).count()), 211);
    assert_eq!(turns(|scenario| scenario.facts.len()), 172);
    assert_eq!(turns(|scenario| scenario.seeds.len()), 95);
    let mut categories: BTreeMap<&str, usize> = BTreeMap::new();
    for read in all.values() {
        *categories.entry(&read.scenario.category).or_default() += 1;
    }
    let expected = [
        ("adversarial", 18),
        ("baseline", 2),
        ("compaction", 1),
        ("dormancy", 2),
        ("drift", 5),
        ("extraction", 2),
        ("multi-session", 1),
        ("trust", 2),
    ];
    assert_eq!(categories, BTreeMap::from(expected));
    let adaptive =
        all.values().filter(|read| read.scenario.adversary_mode == AdversaryMode::Adaptive).count();
    assert_eq!(adaptive, 3);
}
