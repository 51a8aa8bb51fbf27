//! Which numbered facts of the behavioural specifications our tests hold, a [`Book`] each: dice (11.2) of knowledge, core (13) of the
//! working set, sim (9) of the scenario runner. `tests/coverage.rs` checks the books; `cargo xtask bench` counts with the same code.
//!
//! The rule. A test claims facts by its name: `dice_17_a_retraction_wins` claims 17, `core_22_23_24_entities` claims every
//! number of the leading run. A test is a function of a Rust file under an attribute that has the word `test`. Each fact
//! of the book's fixture is then, the first that applies:
//!
//! - *deviated*, when a row of `docs/deviations.md` names a test that claims it, in its last column, or says `dice fact N`
//!   (`core facts N, M and K`) in its text: we do something else, knowingly, and a test holds what we do;
//! - *covered*, when a test claims it;
//! - *later*, when the fixture says so;
//! - *missing*.
//!
//! A test of a property is counted by its name too: `prop_unit_budget_caps_the_set` holds `unit.budget`, and so does
//! `prop_unit_initial_rank_and_budget_…` ([`properties_held`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// One specification's numbered facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Book {
    /// What the names of its tests begin with.
    prefix: &'static str,
    /// The file of its numbers.
    facts: &'static str,
}

impl Book {
    /// What is known: statements, entities, revision, upkeep.
    pub const KNOWLEDGE: Self = Self { prefix: "dice", facts: "tests/fixtures/dice-facts.txt" };
    /// What is held before the model: units, trust, promotion, assembly, enforcement.
    pub const WORKING_SET: Self = Self { prefix: "core", facts: "tests/fixtures/core-facts.txt" };
    /// What is played: scenarios, runs, judges, metrics, experiments.
    pub const SCENARIOS: Self = Self { prefix: "sim", facts: "tests/fixtures/sim-facts.txt" };

    /// The facts that a test's name claims.
    fn claims(self, name: &str) -> Vec<u32> {
        let rest = name.strip_prefix(self.prefix).and_then(|rest| rest.strip_prefix('_'));
        rest.into_iter().flat_map(|rest| rest.split('_').map_while(|part| part.parse().ok())).collect()
    }
}

/// The table of deviations.
const DEVIATIONS: &str = "docs/deviations.md";

/// Folders with sources of ours.
const SOURCES: [&str; 3] = ["crates", "tests", "web"];

/// Where every fact stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// A test holds what the specification says.
    pub covered: BTreeSet<u32>,
    /// A test holds what we do instead.
    pub deviated: BTreeSet<u32>,
    /// Not built yet.
    pub later: BTreeSet<u32>,
    /// Nothing holds it.
    pub missing: BTreeSet<u32>,
    /// What is wrong with the books, in words: an unknown number in a test's name, a row of deviations without a test.
    pub problems: Vec<String>,
}

impl Coverage {
    /// Counts a book in the checkout whose top folder is `root`.
    ///
    /// # Errors
    /// In words, when a file cannot be read or the fixture cannot be understood.
    pub fn of(root: &Path, book: Book) -> Result<Self, String> {
        let facts = facts(&read(&root.join(book.facts))?).map_err(|why| format!("{}: {why}", book.facts))?;
        Ok(Self::new(book, &facts, &Sources::of(root)?, &rows(&read(&root.join(DEVIATIONS))?, book.prefix)))
    }

    fn new(book: Book, facts: &BTreeMap<u32, bool>, sources: &Sources, rows: &[Row]) -> Self {
        let mut coverage = Self::default();
        let mut claimed = BTreeSet::new();
        for name in &sources.tests {
            for number in book.claims(name) {
                if facts.contains_key(&number) {
                    claimed.insert(number);
                } else {
                    coverage.problems.push(format!("`{name}` claims fact {number}, which there is not"));
                }
            }
        }
        let mut deviated = BTreeSet::new();
        for row in rows {
            let (known, unknown): (Vec<&String>, Vec<&String>) =
                row.tests.iter().partition(|name| sources.functions.contains(*name));
            for name in unknown {
                coverage.problems.push(format!("{}: there is no function `{name}`", row.id));
            }
            if known.is_empty() {
                coverage.problems.push(format!("{}: no test is named", row.id));
            }
            deviated.extend(&row.facts);
            deviated.extend(known.into_iter().flat_map(|name| book.claims(name)));
        }
        for (number, later) in facts {
            let place = match number {
                number if deviated.contains(number) => &mut coverage.deviated,
                number if claimed.contains(number) => &mut coverage.covered,
                _ if *later => &mut coverage.later,
                _ => &mut coverage.missing,
            };
            place.insert(*number);
        }
        coverage
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Every fact, and whether it is for later.
fn facts(text: &str) -> Result<BTreeMap<u32, bool>, String> {
    let mut facts = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let wrong = || format!("`{line}` is not like `1-9 now`, `3 now: what` or `7 later: why`");
        let (numbers, class) = line.split_once(' ').ok_or_else(wrong)?;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else { return Err(wrong()) };
        let later = match class.split(':').next() {
            Some("now") => false,
            Some("later") => true,
            _ => return Err(wrong()),
        };
        for number in first..=last {
            if facts.insert(number, later).is_some() {
                return Err(format!("fact {number} stands in two lines"));
            }
        }
    }
    Ok(facts)
}

/// Which of these properties, by their dotted names, a test holds.
///
/// # Errors
/// In words, when a file cannot be read.
pub fn properties_held<'a>(
    root: &Path,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, String> {
    let names: Vec<&str> = names.into_iter().collect();
    let tests = Sources::of(root)?.tests;
    Ok(tests.iter().flat_map(|test| properties_of(test, &names)).collect())
}

/// The properties that a test's name claims: each that stands in it whole, `prop_unit_budget_…`, and each whose last part stands in the name of
/// a test of its section, `prop_unit_min_rank_max_rank_…`. Of two that begin at one place the longer is meant. Numbers of facts may
/// come first, `core_177_prop_…`.
fn properties_of<'a>(test: &str, names: &[&'a str]) -> BTreeSet<&'a str> {
    let is_claim = |lead: &str| {
        let mut words = lead.split('_');
        words.next() == Some("core") && words.all(|word| word.parse::<u32>().is_ok())
    };
    let numbered = || test.split_once("_prop_").filter(|(lead, _)| is_claim(lead)).map(|(_, rest)| rest);
    let Some(rest) = test.strip_prefix("prop_").or_else(numbered) else { return BTreeSet::new() };
    let words = |name: &str| format!("_{}_", name.replace(['.', '-'], "_"));
    let said = words(rest);
    let mut found: Vec<(usize, usize, &'a str)> = Vec::new();
    for name in names {
        let (section, last) = name.rsplit_once('.').unwrap_or(("", name));
        let parts = said.starts_with(&words(section)).then(|| words(last));
        for claim in std::iter::once(words(name)).chain(parts) {
            found.extend(said.match_indices(&claim).map(|(at, claim)| (at, claim.len(), *name)));
        }
    }
    let meant = |(at, length, _): &&(usize, usize, &'a str)| {
        !found.iter().any(|(other, longer, _)| other == at && longer > length)
    };
    found.iter().filter(meant).map(|(_, _, name)| *name).collect()
}

/// Names of functions in the sources.
#[derive(Debug, Default)]
struct Sources {
    functions: BTreeSet<String>,
    tests: BTreeSet<String>,
}

impl Sources {
    fn of(root: &Path) -> Result<Self, String> {
        let mut sources = Self::default();
        for folder in SOURCES {
            sources.walk(&root.join(folder))?;
        }
        Ok(sources)
    }

    fn walk(&mut self, folder: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "dist", "node_modules"].contains(&name.as_str()) {
                    self.walk(&path)?;
                }
            } else if name.ends_with(".rs") {
                self.scan(&read(&path)?);
            }
        }
        Ok(())
    }

    fn scan(&mut self, text: &str) {
        let mut under_test = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[") {
                under_test |= line.contains("test");
            } else if let Some(name) = function(line) {
                if under_test {
                    self.tests.insert(name.to_owned());
                }
                self.functions.insert(name.to_owned());
                under_test = false;
            } else if !line.starts_with("//") {
                under_test = false;
            }
        }
    }
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    const BEFORE: [&str; 5] = ["pub", "pub(crate)", "pub(super)", "const", "async"];
    let (before, rest) = line.split_once("fn ")?;
    let name = rest.split(['(', '<']).next()?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (plain && before.split_whitespace().all(|word| BEFORE.contains(&word))).then_some(name)
}

/// A row of the deviations.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    id: String,
    /// Names of functions in the last column; what is no such name (a file, a module, a word) is a remark.
    tests: Vec<String>,
    /// Numbers that its text names.
    facts: Vec<u32>,
}

fn rows(text: &str, prefix: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| line.starts_with("| D"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            let spans = cells.last().into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
            let names = spans.filter_map(|span| span.rsplit("::").next());
            let is_name = |name: &&str| {
                name.contains('_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            Row {
                id: cells.first().copied().unwrap_or_default().to_owned(),
                tests: names.filter(is_name).map(str::to_owned).collect(),
                facts: named_facts(line, prefix),
            }
        })
        .collect()
}

/// The numbers after each `dice fact` or `dice facts`: a list with commas and `and`.
fn named_facts(text: &str, prefix: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for rest in text.split(&format!("{prefix} fact")).skip(1) {
        let words = rest.trim_start_matches('s').split([' ', ',']).filter(|word| !word.is_empty());
        for word in words.filter(|word| *word != "and") {
            let Ok(number) = word.trim_end_matches(['.', ':', ';', ')', '|']).parse() else { break };
            found.push(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_claim_the_leading_run_of_numbers() {
        assert_eq!(Book::KNOWLEDGE.claims("dice_22_23_24_any_2_of_3"), [22, 23, 24]);
        assert_eq!(Book::WORKING_SET.claims("core_7_tiers_ascend"), [7]);
        assert_eq!(Book::KNOWLEDGE.claims("dice_worked_values"), [0; 0]);
        assert_eq!(Book::KNOWLEDGE.claims("core_1_worked_example"), [0; 0]);
    }

    #[test]
    fn names_claim_the_properties_that_they_spell() {
        let names = [
            "unit.budget",
            "unit.auto-activate",
            "unit.auto-activate-threshold",
            "unit.tier.hot",
            "chat.max",
        ];
        let of = |test| properties_of(test, &names).into_iter().collect::<Vec<_>>();
        assert_eq!(of("prop_unit_budget_caps"), ["unit.budget"]);
        let two = of("prop_unit_auto_activate_threshold_and_budget");
        assert_eq!(two, ["unit.auto-activate-threshold", "unit.budget"]);
        assert_eq!(of("prop_chat_max_words_and_budget_of_another_section"), ["chat.max"]);
        assert_eq!(of("core_7_8_prop_chat_max_counts"), ["chat.max"]);
        assert_eq!(of("core_7_what_prop_chat_max_counts"), [""; 0]);
        assert_eq!(of("unit_budget_caps"), [""; 0]);
    }

    #[test]
    fn a_test_is_a_function_under_a_test_attribute() {
        let mut sources = Sources::default();
        sources.scan(
            "#[test]\n/// Why.\nfn dice_1_a() {}\nfn dice_2_b() {}\n    #[cfg_attr(x, wasm_bindgen_test)]\n    #[cfg_attr(y, test)]\n    pub async fn dice_3_c<T>() {\n// fn dice_4_d()\nlet f = \"fn dice_5_e()\";\n#[test]\n\nstruct X;\nfn dice_6_f()",
        );
        assert_eq!(sources.tests.into_iter().collect::<Vec<_>>(), ["dice_1_a", "dice_3_c"]);
        assert_eq!(sources.functions.len(), 4);
    }

    #[test]
    fn each_fact_has_one_place() {
        let facts = facts("# a remark\n1-4 now\n\n5 later: for a reason\n6-7 later\n").unwrap();
        let mut sources = Sources::default();
        sources.scan("#[test]\nfn dice_1_2_x() {}\n#[test]\nfn dice_6_y() {}\n#[test]\nfn dice_9_z() {}\n");
        let rows = rows(
            "| id | source |\n| D1 | a | b | c | `dice_1_2_x` in `x.rs` |\n| D2 | dice facts 3, 5 and 1000: b | c | a suite |\n| D3 | a | `m::no_such` |\n",
            "dice",
        );
        let coverage = Coverage::new(Book::KNOWLEDGE, &facts, &sources, &rows);
        let numbers = |set: &BTreeSet<u32>| set.iter().copied().collect::<Vec<u32>>();
        assert_eq!(numbers(&coverage.deviated), [1, 2, 3, 5]);
        assert_eq!((numbers(&coverage.covered), numbers(&coverage.later)), (vec![6], vec![7]));
        assert_eq!(numbers(&coverage.missing), [4]);
        assert_eq!(
            coverage.problems,
            [
                "`dice_9_z` claims fact 9, which there is not",
                "D2: no test is named",
                "D3: there is no function `no_such`",
                "D3: no test is named"
            ]
        );
    }

    #[test]
    fn a_line_that_says_nothing_is_refused() {
        assert!(facts("1-3 maybe").is_err() && facts("x now").is_err());
        assert!(facts("1-3 now\n3 later").unwrap_err().contains("two lines"));
    }
}
