//! The options of a run by name, each with the words that it takes. An unknown name or word is refused before anything is played.

use std::collections::BTreeMap;

use crate::judge::model::JudgeMode;

/// Names with the words that they take; the first word holds where nothing is said.
pub const OPTIONS: [(&str, [&str; 2]); 4] = [
    ("adversary-escalation", ["by-outcome", "by-count"]),
    ("judge-mode", ["hardened", "open"]),
    ("judge-sees-units", ["false", "true"]),
    ("models", ["chosen", "scenario"]),
];

/// Everything that is wrong with options, in words for a person.
pub fn option_problems(options: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, word) in options {
        match OPTIONS.iter().find(|(known, _)| known == name) {
            None => {
                let known = OPTIONS.map(|(known, _)| known).join(", ");
                found.push(format!("options: there is no `{name}`; there are {known}"));
            }
            Some((_, words)) if !words.contains(&word.trim()) => {
                found.push(format!("options: {name} is {}, and not `{word}`", words.join(" or ")));
            }
            Some(_) => {}
        }
    }
    found
}

/// How much guidance the judge has, and whether it sees the working set; what is wrong was refused before.
pub(super) fn judging(options: &BTreeMap<String, String>) -> (JudgeMode, bool) {
    let says = |name: &str, word: &str| options.get(name).is_some_and(|said| said.trim() == word);
    let mode = if says("judge-mode", "open") { JudgeMode::Open } else { JudgeMode::Hardened };
    (mode, says("judge-sees-units", "true"))
}
