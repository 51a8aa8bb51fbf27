//! Joining two rankings into one, and explaining the score.
//!
//! Weighted reciprocal rank fusion: a text's score is the sum over rankings of `weight / (K + rank)`, brought
//! to 1 for a text that is first in all of them. Ranks join what scores cannot: BM25 is unbounded, a cosine
//! is not. Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and
//! individual Rank Learning Methods" (SIGIR 2009).

use std::collections::BTreeMap;

use super::lexical::LexicalHit;

/// Flattens the first ranks. From the paper.
const K: f64 = 60.0;

/// How much each ranking counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Search by words.
    pub lexical: f64,
    /// Search by direction.
    pub vector: f64,
}

impl Default for Weights {
    /// Words 1, direction 0.4. Measured on LoCoMo (`cargo run --release -p credence --example locomo_recall
    /// -- --sweep`) with the vectors of `credence-en-128`: best over observations (flat from 0.3 to 0.5);
    /// over raw turns 0.2 is a little better.
    fn default() -> Self {
        Self { lexical: 1.0, vector: 0.4 }
    }
}

/// A number and what it is made of. Where there are parts, the value is their sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What the number is, in words for a person.
    pub label: String,
    /// The number.
    pub value: f64,
    /// What it is the sum of; empty for a number that stands for itself.
    pub parts: Vec<Explanation>,
}

/// A text's place in one ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// From 1.
    pub rank: usize,
    /// What it adds to the fused score.
    pub contribution: f64,
}

/// A text's places in both rankings, and the words that it was found by.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused<K> {
    /// Which text.
    pub key: K,
    /// Above 0, at most 1.
    pub score: f64,
    /// Where search by words put it, its BM25 score by word.
    pub lexical: Option<(Place, LexicalHit<K>)>,
    /// Where search by direction put it, and its cosine.
    pub vector: Option<(Place, f32)>,
}

/// Joins two rankings, each best first. Ties by key.
pub fn fuse<K: Ord + Copy>(
    lexical: Vec<LexicalHit<K>>,
    vector: Option<Vec<(K, f32)>>,
    weights: Weights,
) -> Vec<Fused<K>> {
    let best = (weights.lexical + if vector.is_some() { weights.vector } else { 0.0 }) / (K + 1.0);
    let place =
        |weight: f64, i: usize| Place { rank: i + 1, contribution: weight / (K + (i + 1) as f64) / best };
    let empty = |key| Fused { key, score: 0.0, lexical: None, vector: None };
    let mut found: BTreeMap<K, Fused<K>> = BTreeMap::new();
    for (i, hit) in lexical.into_iter().enumerate() {
        let key = hit.key;
        found.entry(key).or_insert_with(|| empty(key)).lexical = Some((place(weights.lexical, i), hit));
    }
    for (i, (key, cosine)) in vector.into_iter().flatten().enumerate() {
        found.entry(key).or_insert_with(|| empty(key)).vector = Some((place(weights.vector, i), cosine));
    }
    let mut all: Vec<Fused<K>> = found.into_values().collect();
    for hit in &mut all {
        let by_words = hit.lexical.as_ref().map_or(0.0, |(place, _)| place.contribution);
        hit.score = by_words + hit.vector.map_or(0.0, |(place, _)| place.contribution);
    }
    // The map's order is the keys', and the sort is stable.
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all
}

impl<K> Fused<K> {
    /// The score as a tree of what it is made of.
    pub fn explain(&self) -> Explanation {
        let leaf = |label: String, value: f64| Explanation { label, value, parts: Vec::new() };
        let mut parts = Vec::new();
        if let Some((place, _)) = &self.lexical {
            parts.push(leaf(format!("place {} by words", place.rank), place.contribution));
        }
        if let Some((place, cosine)) = &self.vector {
            parts.push(leaf(
                format!("place {} by meaning, cosine {cosine:.2}", place.rank),
                place.contribution,
            ));
        }
        Explanation { label: "fused score".into(), value: self.score, parts }
    }

    /// The BM25 score behind the place by words, word by word.
    pub fn explain_words(&self) -> Option<Explanation> {
        let (_, hit) = self.lexical.as_ref()?;
        let leaf = |(word, value): &(std::sync::Arc<str>, f64)| Explanation {
            label: word.to_string(),
            value: *value,
            parts: Vec::new(),
        };
        Some(Explanation {
            label: "BM25".into(),
            value: hit.score,
            parts: hit.parts.iter().map(leaf).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(key: u32, score: f64) -> LexicalHit<u32> {
        LexicalHit { key, score, parts: vec![("tea".into(), score)] }
    }

    #[test]
    fn places_add_up_and_first_in_all_is_one() {
        let weights = Weights { lexical: 2.0, vector: 1.0 };
        let fused = fuse(vec![hit(1, 9.0), hit(2, 8.0)], Some(vec![(1, 0.9), (3, 0.5), (2, 0.4)]), weights);
        assert_eq!(fused.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1, 2, 3]);
        assert!((fused[0].score - 1.0).abs() < 1e-12);
        let expected = (2.0 / 62.0 + 1.0 / 63.0) / (3.0 / 61.0);
        assert!((fused[1].score - expected).abs() < 1e-12);
        for hit in &fused {
            let explained = hit.explain();
            assert_eq!(explained.parts.iter().map(|part| part.value).sum::<f64>(), hit.score);
        }
        assert_eq!(fused[0].explain().parts[1].label, "place 1 by meaning, cosine 0.90");
        assert_eq!(fused[0].explain_words().unwrap().parts[0].label, "tea");
        assert!(fused[2].explain_words().is_none());
    }

    #[test]
    fn without_vectors_the_order_is_that_of_the_words() {
        let fused = fuse(vec![hit(7, 3.0), hit(1, 3.0)], None, Weights::default());
        assert_eq!(fused.iter().map(|hit| hit.key).collect::<Vec<_>>(), [7, 1]);
        assert!((fused[0].score - 1.0).abs() < 1e-12);
    }
}
