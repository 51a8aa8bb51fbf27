//! What is wrong with a scenario file: where, what, and how to mend it.
//!
//! A problem is an error (nothing of the file is used) or a warning (the file is used; what is named is not applied, or will mislead).
//! Reading collects all of them in one pass. Their order is that of the file.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What follows from a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The scenario is not used.
    Error,
    /// It is used.
    Warning,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// From 1; 0: it is about no single place of a file.
    pub line: u32,
    /// In characters, from 1; 0 where `line` is 0.
    pub column: u32,
    /// The place by names, such as `turns[2].type`; empty: the whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
    /// What follows.
    pub severity: Severity,
}

impl Problem {
    /// Whether the scenario cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        match self.line {
            0 => write!(f, "{word}")?,
            line => write!(f, "line {line}, column {}: {word}", self.column)?,
        }
        if !self.path.is_empty() {
            write!(f, " in {}", self.path)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

/// The word of `known` that `word` was probably meant to be: the nearest by edits, at most a third of its length away, case and
/// separators aside.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(word);
    let most = (wanted.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "write one of a, b or c", with the nearest first where one is near.
pub(super) fn choose(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("write `{near}`, if that is meant; there are {}", known.join(", ")),
        None => format!("write one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_offered_and_a_far_one_is_not() {
        let known = ["maxTurns", "warmUpTurns", "setting"];
        for (word, near) in [
            ("maxturns", Some("maxTurns")),
            ("max_turns", Some("maxTurns")),
            ("warmupTurn", Some("warmUpTurns")),
            ("seting", Some("setting")),
            ("colour", None),
        ] {
            assert_eq!(nearest(word, known), near, "{word}");
        }
    }

    #[test]
    fn a_problem_reads_as_one_line() {
        let problem = Problem {
            line: 3,
            column: 7,
            path: "turns[0].type".to_owned(),
            message: "there is no type `ATACK`".to_owned(),
            remedy: "write `ATTACK`".to_owned(),
            severity: Severity::Error,
        };
        assert_eq!(
            problem.to_string(),
            "line 3, column 7: error in turns[0].type: there is no type `ATACK`; write `ATTACK`"
        );
    }
}
