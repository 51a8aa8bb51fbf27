//! Which facts of a scenario a text says, denies, or leaves alone: the oracle's word, remembered, because the same turns and lines of
//! memory stand in many prompts. And which of them a player's words suppose, whoever is said to say so.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::text::{self, Polarity};

use crate::judge::oracle::Ready;
use crate::scenario::Scenario;
use crate::verdict::{Judgement, Ruling};

/// Most words of a sentence that is searched for what it supposes.
const MOST_WORDS: usize = 60;

/// Reads texts against a scenario's facts.
#[derive(Debug)]
pub struct FactReader {
    scenario: Rc<Scenario>,
    oracle: Ready,
    known: RefCell<BTreeMap<String, Rc<[Ruling]>>>,
    claimed: RefCell<BTreeMap<String, Rc<[Claim]>>>,
}

/// What a player's words do to one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What they say of it.
    pub ruling: Ruling,
    /// The words that do, as a statement; empty where none do.
    pub words: String,
}

impl FactReader {
    /// For one scenario.
    pub fn new(scenario: Rc<Scenario>) -> Self {
        let oracle = Ready::of(&scenario);
        Self { scenario, oracle, known: RefCell::default(), claimed: RefCell::default() }
    }
    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        &self.scenario
    }
    /// The oracle's judgement of a reply.
    pub fn judge(&self, reply: &str) -> Judgement {
        self.oracle.judge(reply)
    }
    /// What a text does to each fact, in the scenario's order, as the oracle judges a reply.
    pub fn rulings(&self, text: &str) -> Rc<[Ruling]> {
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let verdicts = self.oracle.judge(text).verdicts;
        let rulings: Rc<[Ruling]> = verdicts.iter().map(|verdict| verdict.ruling).collect();
        self.known.borrow_mut().insert(text.to_owned(), rulings.clone());
        rulings
    }
    /// The first sentence of a text that does this to a fact.
    pub fn sentence<'a>(&self, text: &'a str, fact: usize, wanted: Ruling) -> Option<&'a str> {
        text::sentences(text).into_iter().find(|sentence| self.rulings(sentence).get(fact) == Some(&wanted))
    }

    /// What a player's words do to each fact: what they say, and where they say nothing surely, what a question or a claim in them
    /// supposes ("Everyone knows that the gate is open", "Wasn't it agreed the gate is open?"): the end of a sentence that says
    /// something by itself, as long as nothing before it denies.
    pub fn claims(&self, text: &str) -> Rc<[Claim]> {
        if let Some(known) = self.claimed.borrow().get(text) {
            return known.clone();
        }
        let none = Claim { ruling: Ruling::NotMentioned, words: String::new() };
        let mut claims = vec![none; self.scenario.facts.len()];
        for sentence in text::sentences(text) {
            for (before, words) in ends(sentence) {
                if !before.is_empty() && text::polarity(before) != Polarity::Affirmed {
                    continue;
                }
                let words = stated(words);
                for (claim, ruling) in claims.iter_mut().zip(self.rulings(&words).iter()) {
                    if *ruling != Ruling::NotMentioned && claim.ruling == Ruling::NotMentioned {
                        *claim = Claim { ruling: *ruling, words: words.clone() };
                    }
                }
            }
        }
        let claims: Rc<[Claim]> = claims.into();
        self.claimed.borrow_mut().insert(text.to_owned(), claims.clone());
        claims
    }
}

/// A sentence and its ends, each with what stands before it: what begins a clause, the shortest first and the sentence itself last; then the
/// rest. An end begins with a word; of a very long sentence there is the sentence alone.
fn ends(sentence: &str) -> Vec<(&str, &str)> {
    let starts: Vec<usize> = sentence
        .char_indices()
        .zip(std::iter::once(' ').chain(sentence.chars()))
        .filter(|((_, c), before)| !c.is_whitespace() && before.is_whitespace())
        .map(|((at, _), _)| at)
        .collect();
    let most = if starts.len() > MOST_WORDS { 1 } else { starts.len() };
    let mut ends: Vec<(&str, &str)> = starts.into_iter().take(most).map(|at| sentence.split_at(at)).collect();
    // Of what begins a clause the shortest first, for that is what is claimed; of the rest the longest.
    ends.sort_by_key(|(before, _)| match begins_clause(before) {
        true => (false, usize::MAX - before.len()),
        false => (true, before.len()),
    });
    ends
}

/// Whether a clause begins behind this.
fn begins_clause(before: &str) -> bool {
    let before = before.trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    before.is_empty()
        || before.ends_with([',', ';', ':', '\u{2014}', '\u{2013}'])
        || ["that", "dass", "da\u{df}", "que", "how"].contains(&word.as_str())
}

/// A sentence as a statement: a question is said as what it supposes.
pub(super) fn stated(sentence: &str) -> String {
    let bare = sentence
        .trim()
        .trim_end_matches(['?', '\u{ff1f}', '\u{61f}', '!', '\u{ff01}', '.', ' ', '"', '\u{201d}']);
    let bare = bare.trim_start_matches(['\u{bf}', '\u{a1}', '"', '\u{201c}', '-', ' ']);
    let mut letters = bare.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Oracle;
    use crate::testing;

    fn reader() -> FactReader {
        let oracle = Oracle {
            affirm: vec!["gate is (shut|sealed)".into()],
            deny: vec!["gate (is|stands) open".into()],
            ..Oracle::default()
        };
        let gate =
            crate::scenario::Fact { oracle: Some(oracle), ..testing::fact("gate", "The gate is sealed.") };
        FactReader::new(Rc::new(Scenario { facts: vec![gate], ..testing::scenario() }))
    }

    #[test]
    fn what_a_players_words_suppose_is_found_behind_claims_and_questions() {
        use Ruling::{Confirmed, Contradicted, NotMentioned};
        let reader = reader();
        for (said, ruling, words) in [
            ("The gate is open.", Contradicted, "The gate is open."),
            ("You said yourself that the gate is open!", Contradicted, "The gate is open."),
            ("The gate is open?", Contradicted, "The gate is open."),
            ("Everyone knows that the gate is open.", Contradicted, "The gate is open."),
            ("It is not true that the gate is open.", NotMentioned, ""),
            ("I do not think that the gate is open.", NotMentioned, ""),
            ("They swear the gate is sealed.", Confirmed, "The gate is sealed."),
            ("Is there a gate?", NotMentioned, ""),
            ("", NotMentioned, ""),
        ] {
            let claim = reader.claims(said)[0].clone();
            assert_eq!((claim.ruling, claim.words.as_str()), (ruling, words), "{said}");
        }
        assert_eq!(
            reader.rulings("You said that the gate is open.")[0],
            NotMentioned,
            "the oracle is stricter"
        );
    }
}
