//! The bias: the names in enforced facts, made a little more likely.
//!
//! A name is a word that begins with a capital and is no common word; its share of a fact's words is the fact's coverage, and a fact
//! without one takes no part (core 7.7). Scripts without capitals have none. The endpoint has to say which token a word begins with and
//! to take a bias; otherwise the layer says so and nothing is sent. Only a word's first token is moved, and by little: the
//! predecessor adds 100, which forces the token and destroys the text (deviation D163).

use std::collections::{BTreeMap, BTreeSet};

use unicode_segmentation::UnicodeSegmentation;

use super::Enforced;
use crate::id::PropositionId;
use crate::text;
use crate::unit::Authority;

/// Most biased tokens of a request (core 7.7; OpenAI's own limit).
const MOST_TOKENS: usize = 300;

/// The names of one fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The unit.
    pub unit: PropositionId,
    /// CANON or RELIABLE.
    pub authority: Authority,
    /// In order, each once.
    pub names: Vec<String>,
    /// Share of the fact's words that are names; above 0 to 1.
    pub coverage: f64,
}

/// The names of all facts that have some, CANON first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Constraints {
    /// In order of authority.
    pub constraints: Vec<Constraint>,
    /// The mean coverage; 0 without constraints.
    pub coverage: f64,
}

/// Reads the names of enforced facts; below RELIABLE a fact takes no part.
pub fn constraints(facts: &[Enforced]) -> Constraints {
    let mut constraints: Vec<Constraint> = facts
        .iter()
        .filter(|fact| fact.authority.is_at_least(Authority::Reliable))
        .filter_map(|fact| {
            let words: Vec<&str> = fact.text.unicode_words().collect();
            let is_name =
                |word: &&str| word.starts_with(char::is_uppercase) && !text::is_stopword(&text::fold(word));
            let found: Vec<&str> = words.iter().copied().filter(is_name).collect();
            let mut seen = BTreeSet::new();
            let coverage = found.len() as f64 / words.len().max(1) as f64;
            let names = found.into_iter().filter(|name| seen.insert(*name)).map(str::to_owned).collect();
            (coverage > 0.0).then_some(Constraint {
                unit: fact.unit,
                authority: fact.authority,
                names,
                coverage,
            })
        })
        .collect();
    constraints.sort_by_key(|constraint| std::cmp::Reverse(constraint.authority));
    let sum: f64 = constraints.iter().map(|constraint| constraint.coverage).sum();
    let coverage = if constraints.is_empty() { 0.0 } else { sum / constraints.len() as f64 };
    Constraints { constraints, coverage }
}

impl Constraints {
    /// Every name, each once, in order.
    pub fn names(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let all = self.constraints.iter().flat_map(|constraint| &constraint.names);
        all.filter(|name| seen.insert(*name)).cloned().collect()
    }
}

/// What a request adds to the scores of tokens.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bias {
    /// By the token's number in the model's own vocabulary.
    pub tokens: BTreeMap<u32, f64>,
    /// Tokens for which there was no place.
    pub overflow: u32,
}

/// The bias of `strength` on the names of CANON facts and half of it on those of RELIABLE ones. `tokens` has each name's
/// first token. CANON goes first when there are too many, and a token of both keeps the larger bias.
pub fn bias(constraints: &Constraints, tokens: &BTreeMap<String, u32>, strength: f64) -> Bias {
    let mut bias = Bias::default();
    for constraint in &constraints.constraints {
        let strength = if constraint.authority == Authority::Canon { strength } else { strength / 2.0 };
        for token in constraint.names.iter().filter_map(|name| tokens.get(name)) {
            if bias.tokens.contains_key(token) {
                continue;
            }
            if bias.tokens.len() < MOST_TOKENS {
                bias.tokens.insert(*token, strength);
            } else {
                bias.overflow = bias.overflow.saturating_add(1);
            }
        }
    }
    bias
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(n: u128, text: &str, authority: Authority) -> Enforced {
        Enforced { unit: PropositionId::new(uuid::Uuid::from_u128(n)), text: text.into(), authority }
    }

    #[test]
    fn core_187_names_are_what_is_constrained() {
        let one = constraints(&[fact(1, "Baron Krell is the leader", Authority::Canon)]);
        assert_eq!(one.constraints[0].names, ["Baron", "Krell"]);
        assert_eq!((one.constraints[0].coverage, one.coverage), (0.4, 0.4));
        let none = constraints(&[
            fact(1, "the baron is the leader", Authority::Canon),
            fact(2, "Baron Krell is the leader", Authority::Unreliable),
        ]);
        assert_eq!(none, Constraints::default());
        let two = constraints(&[
            fact(1, "The gate of Orin", Authority::Reliable),
            fact(2, "Krell rules", Authority::Canon),
        ]);
        assert_eq!(two.names(), ["Krell", "Orin"], "CANON first, and \u{201c}The\u{201d} is no name");
        assert_eq!(two.coverage, (0.25 + 0.5) / 2.0);
    }

    #[test]
    fn core_184_a_small_bias_within_a_limit() {
        let facts =
            [fact(1, "Krell hates Orin", Authority::Reliable), fact(2, "Krell is dead", Authority::Canon)];
        let tokens = BTreeMap::from([("Krell".to_owned(), 7), ("Orin".to_owned(), 8)]);
        let small = bias(&constraints(&facts), &tokens, 2.0);
        assert_eq!(
            small.tokens,
            BTreeMap::from([(7, 2.0), (8, 1.0)]),
            "the larger bias of a common token stays"
        );
        let names: Vec<String> = (0..400).map(|n| format!("N{n}x")).collect();
        let many = [fact(1, &names.join(" "), Authority::Reliable)];
        let tokens = names.iter().cloned().zip(0..).collect();
        let full = bias(&constraints(&many), &tokens, 2.0);
        assert_eq!((full.tokens.len(), full.overflow), (300, 100));
    }
}
