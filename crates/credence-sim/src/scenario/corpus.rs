//! Many files at once, and the corpus that is compiled in.
//!
//! Rules: files keep the order of their names; a file that cannot be used stays in the list with its problems; of two files with the same
//! id the first counts, and the second says so. A catalogue of strategies is told from a scenario by its members.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::Mode;
use super::problems::{Problem, Severity};
use super::read::{Read, read};
use super::{Scenario, yaml};
use crate::strategy::Catalog;

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A scenario, with its warnings.
    Scenario(Box<Read>),
    /// A catalogue of strategies.
    Strategies(Catalog),
    /// Nothing that can be used, and why.
    Unusable(Vec<Problem>),
}

/// A file of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What it is.
    pub content: Content,
}

/// Files that were read together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Corpus {
    /// In the order of names.
    pub files: Vec<File>,
}

impl Corpus {
    /// Reads files, given as name and text.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>, mode: Mode) -> Self {
        let mut files: Vec<(&str, &str)> = files.into_iter().collect();
        files.sort_unstable();
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        let file = |(name, text): (&str, &str)| {
            let mut content = content(text, mode);
            if let Content::Scenario(read) = &content {
                let id = read.scenario.id.clone();
                match taken.get(&id) {
                    Some(first) => content = Content::Unusable(vec![twice(&id, first)]),
                    None => drop(taken.insert(id, name.to_owned())),
                }
            }
            File { name: name.to_owned(), content }
        };
        Self { files: files.into_iter().map(file).collect() }
    }

    /// The scenarios, in the order of their files.
    pub fn scenarios(&self) -> impl Iterator<Item = &Scenario> {
        self.files.iter().filter_map(|file| match &file.content {
            Content::Scenario(read) => Some(&read.scenario),
            _ => None,
        })
    }
    /// A scenario by its id.
    pub fn get(&self, id: &str) -> Option<&Scenario> {
        self.scenarios().find(|scenario| scenario.id == id)
    }
    /// The scenarios of a category, which is compared exactly.
    pub fn by_category<'a>(&'a self, category: &'a str) -> impl Iterator<Item = &'a Scenario> {
        self.scenarios().filter(move |scenario| scenario.category == category)
    }
    /// Every problem, with the name of its file.
    pub fn problems(&self) -> impl Iterator<Item = (&str, &Problem)> {
        self.files.iter().flat_map(|file| {
            let problems = match &file.content {
                Content::Scenario(read) => read.problems.as_slice(),
                Content::Unusable(problems) => problems,
                Content::Strategies(_) => &[],
            };
            problems.iter().map(|problem| (file.name.as_str(), problem))
        })
    }
}

fn twice(id: &str, first: &str) -> Problem {
    Problem {
        line: 0,
        column: 0,
        path: "id".to_owned(),
        message: format!("{first} has the id `{id}` already"),
        remedy: "give each scenario an id of its own".to_owned(),
        severity: Severity::Error,
    }
}

fn content(text: &str, mode: Mode) -> Content {
    match yaml::to_json(text) {
        Ok(value) if is_catalog(&value) => match Catalog::read(&value) {
            Ok(catalog) => Content::Strategies(catalog),
            Err(problems) => Content::Unusable(
                problems
                    .into_iter()
                    .map(|found| Problem {
                        line: 0,
                        column: 0,
                        path: found.place,
                        message: found.problem,
                        remedy: String::new(),
                        severity: Severity::Error,
                    })
                    .collect(),
            ),
        },
        _ => match read(text, mode) {
            Ok(read) => Content::Scenario(Box::new(read)),
            Err(problems) => Content::Unusable(problems),
        },
    }
}

fn is_catalog(value: &Value) -> bool {
    value.get("strategies").is_some() && value.get("id").is_none()
}

/// A scenario of our own corpus, compiled in.
#[cfg(feature = "corpus")]
macro_rules! own {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../../../../tests/scenarios/", $id, ".yml")))),*]
    };
}

/// Our own corpus: ids with the text of their files, in the order of ids. Feature `corpus`.
#[cfg(feature = "corpus")]
pub const OWN: &[(&str, &str)] = own![
    "compliance-data-retention",
    "compliance-einkauf",
    "compliance-fraud-case",
    "compliance-gift-policy",
    "compliance-travel-approval",
    "compliance-whistleblower",
    "haushalt-katze",
    "health-diet-coach",
    "health-medication-plan",
    "health-peanut-allergy",
    "home-garden-year",
    "home-renovation",
    "household-flat-share",
    "household-trip-planning",
    "ops-capacity-review",
    "ops-certificate-rotation",
    "ops-database-failover",
    "ops-datacenter-move",
    "ops-night-handover",
    "ops-payment-outage",
    "ops-postmortem",
    "salud-lucia",
    "story-ash-and-ember",
    "story-clockwork-door",
    "story-der-glockenturm",
    "story-drowned-bell",
    "story-iron-gate",
    "story-lantern-road",
    "story-salt-caravan",
    "story-smugglers-cove",
    "story-three-heirs",
    "story-winter-court",
];

/// Our own corpus, read. Feature `corpus`.
#[cfg(feature = "corpus")]
pub fn own() -> Corpus {
    Corpus::read(OWN.iter().copied(), Mode::Strict)
}
