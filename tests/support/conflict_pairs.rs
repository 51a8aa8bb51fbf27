//! The labelled pairs of `tests/fixtures/conflict-pairs.tsv`, and how well a detector does on them.
//!
//! A detector is a function from a pair to what it says of it, so that this page needs none. Pairs come in six kinds (denial,
//! antonym, number, date, value, and none), four languages, and three sets, which are counted apart.

use std::collections::BTreeMap;

/// The pairs, as the fixture has them.
const PAIRS: &str = include_str!("../fixtures/conflict-pairs.tsv");

/// What a pair is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    /// Rules were written with it in view.
    Open,
    /// It was put aside before that.
    Held,
    /// It was written when the rules were done.
    Late,
}

/// One pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// `en`, `de`, `es` or `fr`.
    pub language: &'static str,
    /// `negation`, `antonym`, `number`, `date`, `value` or `none`.
    pub kind: &'static str,
    /// Whether the two cannot both hold.
    pub is_conflict: bool,
    /// What it is there for.
    pub set: Set,
    /// What is known.
    pub unit: &'static str,
    /// What comes in.
    pub statement: &'static str,
}

/// What a detector says of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// A conflict, and it acts on it.
    Conflict,
    /// Perhaps one: somebody has to look.
    Perhaps,
    /// Nothing.
    Nothing,
}

/// Counts over some of the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Conflicts among them.
    pub conflicts: u32,
    /// Conflicts that were found.
    pub found: u32,
    /// Conflicts that were found or suspected.
    pub seen: u32,
    /// Pairs without a conflict that were called one.
    pub wrong: u32,
    /// Pairs without a conflict that were suspected.
    pub doubted: u32,
    /// All of them.
    pub pairs: u32,
}

impl Tally {
    /// The share of what was called a conflict that is one; 1 where nothing was.
    pub fn precision(&self) -> f64 {
        share(self.found, self.found + self.wrong)
    }
    /// The share of conflicts that were found; 1 where there are none.
    pub fn recall(&self) -> f64 {
        share(self.found, self.conflicts)
    }
    /// The share of conflicts that were found or suspected.
    pub fn seen(&self) -> f64 {
        share(self.seen, self.conflicts)
    }
    fn add(&mut self, pair: &Pair, said: Said) {
        let count = |yes: bool| u32::from(yes);
        self.pairs += 1;
        self.conflicts += count(pair.is_conflict);
        self.found += count(pair.is_conflict && said == Said::Conflict);
        self.seen += count(pair.is_conflict && said != Said::Nothing);
        self.wrong += count(!pair.is_conflict && said == Said::Conflict);
        self.doubted += count(!pair.is_conflict && said == Said::Perhaps);
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) }
}

/// How a detector did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Score {
    /// By kind and language.
    pub cells: BTreeMap<(&'static str, &'static str), Tally>,
    /// By set.
    pub sets: BTreeMap<Set, Tally>,
    /// Over all.
    pub all: Tally,
}

impl Score {
    /// Over one set.
    pub fn of(&self, set: Set) -> Tally {
        self.sets.get(&set).copied().unwrap_or_default()
    }
}

/// All pairs, in the fixture's order.
///
/// # Errors
/// In words, for the first line that cannot be understood.
pub fn pairs() -> Result<Vec<Pair>, String> {
    let lines =
        PAIRS.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let pair = |(at, line): (usize, &'static str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[language, kind, _, set, unit, statement] = fields.as_slice() else {
            return Err(format!("conflict-pairs.tsv, line {}: six fields are needed", at + 1));
        };
        let set = match set {
            "open" => Set::Open,
            "held" => Set::Held,
            "late" => Set::Late,
            other => return Err(format!("conflict-pairs.tsv, line {}: there is no set `{other}`", at + 1)),
        };
        Ok(Pair { language, kind, is_conflict: kind != "none", set, unit, statement })
    };
    lines.map(pair).collect()
}

/// Counts what a detector says of every pair.
///
/// # Errors
/// When the fixture cannot be understood.
pub fn score(mut says: impl FnMut(&Pair) -> Said) -> Result<Score, String> {
    let mut score = Score::default();
    for pair in pairs()? {
        let said = says(&pair);
        score.cells.entry((pair.kind, pair.language)).or_default().add(&pair, said);
        score.sets.entry(pair.set).or_default().add(&pair, said);
        score.all.add(&pair, said);
    }
    Ok(score)
}
