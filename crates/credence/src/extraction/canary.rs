//! Canaries: what a model copies from the examples of its prompt is no memory. The examples are made up, with names that
//! occur nowhere else; when one of them, or a statement of theirs, comes back without having been said, the candidate is
//! dropped. Slight paraphrase is caught; what a turn really says passes, even if it says the same as an example.

use std::collections::BTreeSet;

use super::candidate::WindowTurn;
use super::settings::Example;
use crate::text::{self, Particulars};

/// The words of the built-in example that stands in `extract/format.jinja` and `extract/brief.jinja`.
pub(super) const SAID: &str = "I keep bees on our roof.";
/// What it is worth.
pub(super) const PROPOSITION: &str = "Zephyrine keeps bees on her roof.";

/// Share of a candidate's content words that must be an example's before it can be a copy.
const COPIED: f64 = 0.6;

/// The examples of a prompt, ready to compare with.
pub(super) struct Canaries {
    examples: Vec<(BTreeSet<String>, String)>,
    names: BTreeSet<String>,
    said: BTreeSet<String>,
    said_text: String,
}

impl Canaries {
    /// The built-in example and the host's, against the turns that were read.
    pub(super) fn new(examples: &[Example], window: &[WindowTurn]) -> Self {
        let mut statements = vec![SAID.to_owned(), PROPOSITION.to_owned()];
        for example in examples {
            statements.push(example.said.clone());
            statements.extend(example.propositions.iter().cloned());
        }
        let said: Vec<&str> =
            window.iter().flat_map(|turn| [turn.speaker.as_str(), turn.text.as_str()]).collect();
        let said = said.join("\n");
        Self {
            names: statements.iter().flat_map(|s| Particulars::of(s).names).collect(),
            examples: statements
                .into_iter()
                .map(|s| (text::content_terms(&s).into_iter().collect(), s))
                .collect(),
            said: text::terms(&said).into_iter().collect(),
            said_text: text::fold(&said),
        }
    }

    /// What a statement was copied from; `None` when it was not.
    pub(super) fn source(&self, statement: &str) -> Option<String> {
        let unsaid = |name: &&String| !self.said_text.contains(name.as_str());
        let claimed = Particulars::of(statement).names;
        if let Some(name) = claimed.iter().filter(|name| self.names.contains(*name)).find(unsaid) {
            return Some(format!("only the prompt's example names `{name}`"));
        }
        let content: BTreeSet<String> =
            text::content_terms(statement).into_iter().filter(|term| !claimed.contains(term)).collect();
        let found = self.examples.iter().find(|(terms, _)| {
            let shared: Vec<&String> = content.intersection(terms).collect();
            let copied = shared.iter().filter(|term| !self.said.contains(**term)).count();
            shared.len() >= 2
                && shared.len() as f64 >= COPIED * content.len() as f64
                && copied * 2 >= shared.len()
        });
        found.map(|(_, example)| format!("it is the prompt's example: {}", text::excerpt(example, 120)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(statement: &str, turn: &str) -> Option<String> {
        let window = [WindowTurn {
            speaker: "Mara".into(),
            is_user: true,
            is_assistant: false,
            text: turn.into(),
            date: "2026-03-08".into(),
            context_only: false,
        }];
        let host = Example {
            said: "My brother Quillon repairs harpsichords.".into(),
            propositions: vec!["Quillon repairs harpsichords.".into()],
        };
        Canaries::new(&[host], &window).source(statement)
    }

    #[test]
    fn copies_of_examples_are_told_from_what_was_said() {
        for (statement, turn, is_copy) in [
            ("Zephyrine keeps bees on her roof.", "I like tea.", true),
            ("Mara keeps bees on the roof.", "I like tea.", true),
            ("Mara keeps some bees on her own roof.", "I like tea on the roof terrace.", true),
            ("Zephyrine is Mara's sister.", "My sister is a vet.", true),
            ("Mara's brother Quillon lives in Bonn.", "My brother lives in Bonn.", true),
            ("Mara repairs harpsichords.", "I repair bikes.", true),
            ("Mara keeps bees on her roof.", "I keep bees on our roof.", false),
            ("Mara keeps bees in the garden.", "I keep bees in the garden.", false),
            ("Zephyrine is Mara's sister.", "My sister is Zephyrine.", false),
            ("Mara fixed the roof.", "I fixed the roof.", false),
            ("Mara likes tea.", "I like tea.", false),
        ] {
            assert_eq!(source(statement, turn).is_some(), is_copy, "{statement} / {turn}");
        }
    }
}
