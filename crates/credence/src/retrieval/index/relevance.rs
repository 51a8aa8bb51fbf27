//! Whether what was found has anything to do with the query.
//!
//! A rank says what is best, not what is good: the nearest of fifty facts about food is near to "multiply 17
//! by 23" too. The gate looks at two absolute signals, the share of the query's words that the text covers
//! and the cosine, and closes when both are weak.

use std::sync::Arc;

/// How far a text answers a query, apart from its rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevance {
    /// Share of the weights of the query's topic words that occur in the text, 0 to 1. Rare words weigh more.
    pub coverage: f64,
    /// Those words.
    pub words: Vec<Arc<str>>,
    /// Cosine of the two vectors, -1 to 1; `None` when one of them is missing.
    pub cosine: Option<f32>,
}

impl Relevance {
    /// How near, 0 to 1: the larger of coverage and cosine.
    pub fn nearness(&self) -> f64 {
        self.coverage.max(self.cosine.map_or(0.0, f64::from)).clamp(0.0, 1.0)
    }

    /// In words for a person.
    pub fn explain(&self) -> String {
        let words = if self.words.is_empty() {
            "shares no word".to_owned()
        } else {
            let list: Vec<String> = self.words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("shares {} ({:.0} % of the query)", list.join(", "), self.coverage * 100.0)
        };
        match self.cosine {
            Some(cosine) => format!("{words}; similarity {cosine:.2}"),
            None => words,
        }
    }
}

/// What opens for a text. Each threshold is inclusive.
///
/// The defaults were calibrated on LoCoMo with `cargo run --release -p credence --example locomo_recall --
/// --sweep`, over observations (one statement each, as a memory holds them): of the evidence among the first
/// ten hits they keep 95 % with vectors and 87 % by words alone; of sixteen kinds of request that no memory
/// answers ("multiply 17 by 23"), put to ten memories, nothing at all passes for 97 % and 94 %. They were
/// chosen at the knee, where more evidence begins to cost many strangers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Coverage that suffices for a text without a cosine (no vector model, or a script that it does not
    /// read).
    pub coverage_alone: f64,
    /// Coverage that suffices whatever the cosine.
    pub coverage: f64,
    /// Cosine that suffices whatever the coverage.
    pub cosine: f32,
    /// `coverage + cosine` that suffices when the text shares a word with the query.
    pub together: f64,
}

impl Gate {
    /// For search by words alone; cosines do not count.
    pub const LEXICAL: Gate =
        Gate { coverage_alone: 0.25, coverage: 0.25, cosine: f32::INFINITY, together: f64::INFINITY };
    /// For vectors of `credence-en-128`. Other models spread their cosines otherwise; give them a gate of
    /// their own.
    pub const WITH_VECTORS: Gate = Gate { coverage_alone: 0.25, coverage: 0.5, cosine: 0.45, together: 0.6 };

    /// The same gate, wider (below 1) or narrower (above): every threshold in proportion. 0 admits everything.
    pub fn scaled(self, factor: f64) -> Gate {
        Gate {
            coverage_alone: self.coverage_alone * factor,
            coverage: self.coverage * factor,
            // A gate without vectors has no cosine threshold to scale.
            cosine: if self.cosine.is_finite() { self.cosine * factor as f32 } else { self.cosine },
            together: if self.together.is_finite() { self.together * factor } else { self.together },
        }
    }

    /// Whether a text is related to the query.
    pub fn admits(&self, relevance: &Relevance) -> bool {
        let coverage = relevance.coverage;
        match relevance.cosine {
            None => coverage >= self.coverage_alone,
            Some(cosine) => {
                coverage >= self.coverage
                    || cosine >= self.cosine
                    || (coverage > 0.0 && coverage + f64::from(cosine) >= self.together)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_signal_or_both_together_open_the_gate() {
        let relevance =
            |coverage: f64, cosine: Option<f32>| Relevance { coverage, words: Vec::new(), cosine };
        for (coverage, cosine, with_vectors, lexical) in [
            (0.5, Some(0.0), true, true),
            (0.0, Some(0.45), true, false),
            (0.0, Some(0.44), false, false),
            (0.3, Some(0.3), true, true),
            (0.3, Some(0.25), false, true),
            (0.3, None, true, true),
            (0.2, None, false, false),
            (0.0, None, false, false),
        ] {
            let relevance = relevance(coverage, cosine);
            assert_eq!(Gate::WITH_VECTORS.admits(&relevance), with_vectors, "{relevance:?}");
            assert_eq!(Gate::LEXICAL.admits(&relevance), lexical, "{relevance:?}");
        }
    }

    #[test]
    fn a_scaled_gate_is_wider_or_narrower() {
        let relevance = Relevance { coverage: 0.3, words: Vec::new(), cosine: Some(0.2) };
        assert!(!Gate::WITH_VECTORS.admits(&relevance));
        assert!(Gate::WITH_VECTORS.scaled(0.5).admits(&relevance));
        assert!(Gate::LEXICAL.scaled(0.0).admits(&Relevance { coverage: 0.0, ..relevance.clone() }));
        assert!(!Gate::LEXICAL.scaled(2.0).admits(&relevance));
        assert_eq!(relevance.nearness(), 0.3);
    }

    #[test]
    fn the_explanation_is_for_people() {
        let relevance =
            Relevance { coverage: 0.621, words: vec!["pia".into(), "techno".into()], cosine: Some(0.408) };
        assert_eq!(relevance.explain(), "shares \"pia\", \"techno\" (62 % of the query); similarity 0.41");
        assert_eq!(Relevance { coverage: 0.0, words: Vec::new(), cosine: None }.explain(), "shares no word");
    }
}
