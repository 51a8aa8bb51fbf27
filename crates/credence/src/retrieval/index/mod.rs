//! The search index: texts and their vectors by key, in memory, in step with what it is told.
//!
//! Two searches run over the same keys, one by words ([`lexical`]) and one by direction ([`vector`]);
//! [`fusion`] joins their rankings, and [`relevance`] says, apart from rank, whether a hit has anything to do
//! with the query; [`cluster`] says which texts lie together. A removed key is never found again, an update replaces, and memory shrinks with the
//! content. Given the same calls the results are the same everywhere: no hash order, no clock, ties by key.

pub mod cluster;
pub mod fusion;
pub mod lexical;
mod postings;
pub mod relevance;
mod top;
pub mod vector;

use cluster::{Cluster, Clustering, clusters};
use fusion::{Explanation, Fused, Weights, fuse};
use lexical::LexicalIndex;
pub use relevance::{Background, Gate, Relevance};
use vector::{FlatVectors, Vectors, dot};

/// Fewest texts that either search contributes to the fusion.
const DEPTH: usize = 100;

/// One found text.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<K> {
    /// Which.
    pub key: K,
    /// What the results are ordered by, above 0 and at most 1. It compares hits of one search, not of two.
    pub score: f64,
    /// Whether it has anything to do with the query.
    pub relevance: Relevance,
    fused: Fused<K>,
}

impl<K> Hit<K> {
    /// The score as a tree that adds up to it.
    pub fn explain(&self) -> Explanation {
        self.fused.explain()
    }
    /// The score of the search by words, word by word; `None` when words did not find it.
    pub fn explain_words(&self) -> Option<Explanation> {
        self.fused.explain_words()
    }
}

/// Texts and vectors by key. `V` is how vectors are searched.
#[derive(Debug, Clone)]
pub struct SearchIndex<K, V = FlatVectors<K>> {
    lexical: LexicalIndex<K>,
    vectors: V,
    weights: Weights,
}

impl<K, V: Default> Default for SearchIndex<K, V> {
    fn default() -> Self {
        Self { lexical: LexicalIndex::default(), vectors: V::default(), weights: Weights::default() }
    }
}

impl<K: Ord + Copy, V: Vectors<K>> SearchIndex<K, V> {
    /// An index with other fusion weights than the measured ones.
    pub fn with_weights(vectors: V, weights: Weights) -> Self {
        Self { lexical: LexicalIndex::default(), vectors, weights }
    }

    /// Adds a text or replaces the one of this key, together with its vector; an earlier vector does not
    /// outlive its text. A vector that takes no part (all zero, not finite, of another dimension) leaves the
    /// text to search by words.
    pub fn insert(&mut self, key: K, text: &str, vector: Option<&[f32]>) {
        self.lexical.insert(key, text);
        match vector {
            Some(vector) => {
                self.vectors.insert(key, vector);
            }
            None => {
                self.vectors.remove(&key);
            }
        }
    }

    /// Gives a text its vector. `false` when there is no such text or the vector takes no part.
    pub fn set_vector(&mut self, key: &K, vector: &[f32]) -> bool {
        self.lexical.contains(key) && self.vectors.insert(*key, vector)
    }

    /// Takes a text's vector away: words alone find it.
    pub fn remove_vector(&mut self, key: &K) {
        self.vectors.remove(key);
    }

    /// Removes a text and its vector; whether it was there.
    pub fn remove(&mut self, key: &K) -> bool {
        self.vectors.remove(key);
        self.lexical.remove(key)
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.lexical.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lexical.is_empty()
    }

    /// Number of texts that have a vector.
    pub fn vectors(&self) -> usize {
        self.vectors.len()
    }

    /// Whether a text of this key is here.
    pub fn contains(&self, key: &K) -> bool {
        self.lexical.contains(key)
    }

    /// The default relevance gate for a search with or without a query vector.
    pub fn gate(&self, with_vector: bool) -> Gate {
        if with_vector { Gate::WITH_VECTORS } else { Gate::LEXICAL }
    }

    /// The best `limit` texts by words and, where the query has a vector, by direction; best first. `filter`
    /// comes before scoring, so that `limit` texts come back whenever so many admitted ones are found.
    pub fn search(
        &self,
        text: &str,
        vector: Option<&[f32]>,
        limit: usize,
        filter: impl Fn(K) -> bool,
    ) -> Vec<Hit<K>> {
        let depth = limit.saturating_mul(2).max(DEPTH);
        let query = self.lexical.query(text);
        let by_words = self.lexical.search(&query, depth, &filter);
        let by_direction = vector
            .map(|vector| self.vectors.nearest(vector, depth, &filter))
            .filter(|found| !found.is_empty());
        let mut fused = fuse(by_words, by_direction, self.weights);
        fused.truncate(limit);
        fused
            .into_iter()
            .map(|fused| {
                let (coverage, words) = self.lexical.coverage(&query, &fused.key);
                let cosine = fused.vector.map(|(_, cosine)| cosine).or_else(|| {
                    let (ours, theirs) = (vector?, self.vectors.get(&fused.key)?);
                    (ours.len() == theirs.len()).then(|| dot(ours, theirs))
                });
                Hit {
                    key: fused.key,
                    score: fused.score,
                    relevance: Relevance { coverage, words, cosine },
                    fused,
                }
            })
            .collect()
    }

    /// Which of these texts, whose keys must rise, lie together: see [`cluster`].
    pub fn clusters(&self, keys: impl Iterator<Item = K>, threshold: f32, limit: usize) -> Vec<Cluster<K>> {
        clusters(&self.vectors, keys, threshold, limit)
    }

    /// The same search in steps, on the vectors as they are now.
    pub fn clustering(&self, keys: impl Iterator<Item = K>, threshold: f32, limit: usize) -> Clustering<K> {
        Clustering::new(&self.vectors, keys, threshold, limit)
    }

    /// The `limit` nearest texts by direction alone, with their cosines.
    pub fn nearest(&self, vector: &[f32], limit: usize, filter: impl Fn(K) -> bool) -> Vec<(K, f32)> {
        self.vectors.nearest(vector, limit, &filter)
    }
}

#[cfg(test)]
mod tests;
