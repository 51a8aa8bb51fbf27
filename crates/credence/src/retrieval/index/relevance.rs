//! Whether what was found has anything to do with the query.
//!
//! A rank says what is best, not what is good: the nearest of fifty facts about food is near to "multiply 17
//! by 23" too. The gate looks at two absolute signals, the share of the query's words that the text covers
//! and the cosine, and closes when both are weak.

use std::sync::Arc;

use super::vector::dot;

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

/// How near to each other a model puts texts that have nothing to do with one another: where its cosines begin and how far they
/// spread. Models differ: for strangers some give 0.07, others 0.7.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background {
    /// Mean cosine of strangers.
    pub mean: f32,
    /// Its standard deviation.
    pub deviation: f32,
}

/// Fewest vectors that say something: 28 pairs.
const FEWEST: usize = 8;

/// Smallest deviation that is believed: below it a model has one direction for everything.
const LEAST_DEVIATION: f32 = 0.02;

impl Background {
    /// Of `credence-en-128`, measured on the texts by which other models are measured (`retrieval::recaller`).
    pub const REFERENCE: Background = Background { mean: 0.036, deviation: 0.104 };

    /// Of a model, by the vectors that it gave to texts of unrelated matter, all of unit length. `None` when fewer than eight have
    /// a direction.
    pub fn of(strangers: &[Vec<f32>]) -> Option<Self> {
        let with_direction: Vec<&Vec<f32>> =
            strangers.iter().filter(|vector| vector.iter().any(|x| *x != 0.0)).collect();
        if with_direction.len() < FEWEST {
            return None;
        }
        let mut cosines = Vec::new();
        for (n, a) in with_direction.iter().enumerate() {
            cosines.extend(with_direction[..n].iter().map(|b| f64::from(dot(a, b))));
        }
        let count = cosines.len() as f64;
        let mean = cosines.iter().sum::<f64>() / count;
        let variance = cosines.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / count;
        let deviation = (libm::sqrt(variance) as f32).max(LEAST_DEVIATION);
        Some(Self { mean: mean as f32, deviation })
    }

    /// The cosine that [`Self::REFERENCE`]'s model would have for texts as far above strangers.
    fn normal(self, cosine: f32) -> f32 {
        if self == Self::REFERENCE {
            return cosine;
        }
        let reference = Self::REFERENCE;
        reference.mean + (cosine - self.mean) / self.deviation * reference.deviation
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
    /// What the vectors' model has for strangers: its cosines are moved to the scale of the thresholds first.
    pub background: Background,
}

impl Gate {
    /// For search by words alone; cosines do not count.
    pub const LEXICAL: Gate = Gate {
        coverage_alone: 0.25,
        coverage: 0.25,
        cosine: f32::INFINITY,
        together: f64::INFINITY,
        background: Background::REFERENCE,
    };
    /// For vectors of `credence-en-128`. Other models spread their cosines otherwise: see [`Gate::on`].
    pub const WITH_VECTORS: Gate = Gate {
        coverage_alone: 0.25,
        coverage: 0.5,
        cosine: 0.45,
        together: 0.6,
        background: Background::REFERENCE,
    };

    /// The same gate for vectors of another model.
    pub fn on(self, background: Background) -> Gate {
        Gate { background, ..self }
    }

    /// How near a text is on the gate's scale, 0 to 1: the larger of coverage and cosine.
    pub fn nearness(&self, relevance: &Relevance) -> f64 {
        let cosine = relevance.cosine.map_or(0.0, |cosine| f64::from(self.background.normal(cosine)));
        relevance.coverage.max(cosine).clamp(0.0, 1.0)
    }

    /// The same gate, wider (below 1) or narrower (above): every threshold in proportion. 0 admits everything.
    pub fn scaled(self, factor: f64) -> Gate {
        Gate {
            coverage_alone: self.coverage_alone * factor,
            coverage: self.coverage * factor,
            // A gate without vectors has no cosine threshold to scale.
            cosine: if self.cosine.is_finite() { self.cosine * factor as f32 } else { self.cosine },
            together: if self.together.is_finite() { self.together * factor } else { self.together },
            background: self.background,
        }
    }

    /// Whether a text is related to the query.
    pub fn admits(&self, relevance: &Relevance) -> bool {
        let coverage = relevance.coverage;
        match relevance.cosine {
            None => coverage >= self.coverage_alone,
            Some(cosine) => {
                let cosine = self.background.normal(cosine);
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
        assert_eq!(Gate::WITH_VECTORS.nearness(&relevance), 0.3);
    }

    #[test]
    fn a_model_that_puts_everything_near_is_read_on_the_same_scale() {
        // Strangers at 0.7 with a deviation of 0.04: what the reference has at 0.45 is at 0.86 here.
        let gate = Gate::WITH_VECTORS.on(Background { mean: 0.7, deviation: 0.04 });
        let at = |coverage, cosine| Relevance { coverage, words: Vec::new(), cosine: Some(cosine) };
        assert!(!gate.admits(&at(0.0, 0.85)) && gate.admits(&at(0.0, 0.87)));
        assert!(!gate.admits(&at(0.3, 0.79)) && gate.admits(&at(0.3, 0.81)), "words and direction together");
        assert!(gate.nearness(&at(0.0, 0.7)) < 0.1 && gate.nearness(&at(0.0, 0.9)) > 0.4);
        let axis = |n: usize| (0..8).map(|i| if i == n { 1.0 } else { 0.0 }).collect::<Vec<f32>>();
        let apart: Vec<Vec<f32>> = (0..8).map(axis).collect();
        assert_eq!(Background::of(&apart), Some(Background { mean: 0.0, deviation: LEAST_DEVIATION }));
        assert_eq!(Background::of(&apart[..7]), None, "too few");
        assert_eq!(Background::of(&vec![vec![0.0; 8]; 20]), None, "no direction");
    }

    #[test]
    fn the_explanation_is_for_people() {
        let relevance =
            Relevance { coverage: 0.621, words: vec!["pia".into(), "techno".into()], cosine: Some(0.408) };
        assert_eq!(relevance.explain(), "shares \"pia\", \"techno\" (62 % of the query); similarity 0.41");
        assert_eq!(Relevance { coverage: 0.0, words: Vec::new(), cosine: None }.explain(), "shares no word");
    }
}
