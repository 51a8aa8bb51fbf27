//! Grounding: whether the turns that a candidate cites support it. A check of words, not of meaning: it catches what a model
//! invented, mixed in from its prompt's example, or took from the wrong place; it cannot judge an inference.

use std::collections::BTreeSet;

use super::candidate::{Candidate, WindowTurn};
use crate::text;

/// Names that a statement may use without its turns saying them: speakers and known entities.
#[derive(Debug, Clone, Default)]
pub struct Ground {
    free: BTreeSet<String>,
    known_names: Vec<String>,
    known_terms: BTreeSet<String>,
}

impl Ground {
    /// Starts from the window's speakers and the names that memory knows.
    pub fn new<'a>(window: &[WindowTurn], known_names: impl Iterator<Item = &'a str>) -> Self {
        let mut ground = Self::default();
        for turn in window {
            ground.free.extend(text::terms(&turn.speaker));
        }
        for name in known_names {
            ground.known_names.push(text::fold(name));
            // A known name is no claim; a known thing in lower case ("techno") still is.
            if name.chars().next().is_some_and(char::is_uppercase) {
                ground.known_terms.extend(text::content_terms(name));
            }
        }
        ground
    }

    /// Checks one candidate against its cited turns and the two before each, where pronouns point. `Err` says what is
    /// not supported.
    pub fn check(&self, candidate: &Candidate, window: &[WindowTurn], floor: f64) -> Result<(), String> {
        let mut near: BTreeSet<usize> = BTreeSet::new();
        for turn in &candidate.turns {
            near.extend(turn.saturating_sub(2)..=*turn);
        }
        let source: Vec<&str> =
            near.iter().filter_map(|n| window.get(*n)).map(|turn| turn.text.as_str()).collect();
        let source = source.join("\n");
        let said: BTreeSet<String> = text::terms(&source).into_iter().collect();
        let everything =
            text::fold(&window.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join("\n"));

        let claimed = text::Particulars::of(&candidate.text);
        let given = text::Particulars::of(&source);
        if let Some(number) = claimed.numbers.iter().find(|n| !given.numbers.contains(*n)) {
            return Err(format!("the turns do not say {number}"));
        }
        for name in &claimed.names {
            let supported = self.free.contains(name)
                || self.free.contains(&text::stem(name))
                || everything.contains(name.as_str())
                || self.known_names.iter().any(|known| known.contains(name.as_str()));
            if !supported {
                return Err(format!("nobody in the window says `{name}`"));
            }
        }
        let content: Vec<String> = text::content_terms(&candidate.text)
            .into_iter()
            .filter(|term| !self.free.contains(term) && !term.chars().all(|c| c.is_ascii_digit()))
            .filter(|term| !self.known_terms.contains(term))
            .collect();
        if content.is_empty() {
            return Ok(());
        }
        let supported = content.iter().filter(|term| said.contains(*term) || near_word(term, &said)).count();
        if (supported as f64) < floor * content.len() as f64 {
            let missing: Vec<&str> =
                content.iter().filter(|t| !said.contains(*t)).map(String::as_str).take(4).collect();
            return Err(format!(
                "{supported} of its {} words are in the turns it cites; missing: {}",
                content.len(),
                missing.join(", ")
            ));
        }
        Ok(())
    }
}

/// Forms that stemming leaves apart ("adopted", "adoption"): a common beginning of at least four letters and two thirds of
/// the shorter word.
fn near_word(term: &str, said: &BTreeSet<String>) -> bool {
    said.iter().any(|word| {
        let common = term.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
        let shorter = term.chars().count().min(word.chars().count());
        common >= 4 && common * 3 >= shorter * 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposition::Extractor;

    fn check(statement: &str, turns: &[&str], cited: &[usize]) -> Result<(), String> {
        let window: Vec<WindowTurn> = turns
            .iter()
            .map(|text| WindowTurn {
                speaker: "Mara".into(),
                is_user: true,
                is_assistant: false,
                text: (*text).into(),
                date: "2026-03-08".into(),
                context_only: false,
            })
            .collect();
        let candidate = Candidate {
            text: statement.into(),
            mentions: vec![],
            confidence: 1.0,
            decay: 0.0,
            importance: 0.5,
            reasoning: String::new(),
            turns: cited.to_vec(),
            extractor: Extractor::Model { model: "m".into() },
            valid_from: None,
            valid_to: None,
        };
        Ground::new(&window, ["Ivo Brandt"].into_iter()).check(&candidate, &window, 0.5)
    }

    #[test]
    fn paraphrase_passes_and_invention_does_not() {
        assert_eq!(check("Mara owns a red kayak.", &["I bought myself a red kayak."], &[0]), Ok(()));
        assert_eq!(
            check(
                "Mara adopted a parrot called Pip.",
                &["My sister is a vet.", "She just adopted a parrot called Pip."],
                &[1]
            ),
            Ok(())
        );
        assert!(
            check("Mara enjoys playing the violin in an orchestra.", &["I bought a red kayak."], &[0])
                .is_err()
        );
        assert!(
            check("Zephyrine keeps bees on her roof.", &["I keep bees."], &[0])
                .unwrap_err()
                .contains("zephyrine")
        );
        assert!(check("Mara has 3 cats.", &["I have two cats."], &[0]).unwrap_err().contains('3'));
        assert_eq!(check("Mara has 2 cats.", &["I have two cats."], &[0]), Ok(()));
        assert_eq!(
            check("Mara knows Ivo Brandt.", &["I know him well."], &[0]),
            Ok(()),
            "a known name needs no repetition"
        );
    }

    #[test]
    fn other_scripts_are_checked_by_their_own_words() {
        assert_eq!(check("Mara 在青石科技上班。", &["我在青石科技上班，老板叫李文昊。"], &[0]), Ok(()));
        assert!(check("Mara 喜欢在海边钓鱼和冲浪。", &["我在青石科技上班。"], &[0]).is_err());
    }
}
