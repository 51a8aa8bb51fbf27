//! Search by words: BM25 over stemmed terms, with postings that follow every insert and removal.
//!
//! `score(d) = sum over query terms t of idf(t) * tf * (K1 + 1) / (tf + K1 * (1 - B + B * len(d) / mean
//! length))` with `idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))`. Source: Robertson and Zaragoza, "The
//! Probabilistic Relevance Framework: BM25 and Beyond" (2009), in the variant whose idf is never negative.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::postings::{Posting, Postings};
use super::top::{Ranked, top};
use crate::text::{QueryTerm, query_terms, terms};

/// How soon repeats of a term stop counting. From the literature.
const K1: f64 = 1.2;
/// How much a text's length counts. From the literature.
const B: f64 = 0.75;
/// Texts without the term that coverage adds to the index, so that in a memory of three facts a name does not
/// weigh nothing. Chosen by us.
const PRIOR: f64 = 100.0;

#[derive(Debug, Clone)]
struct Document {
    len: u32,
    /// Distinct, sorted.
    terms: Vec<Arc<str>>,
}

/// The inverted index.
#[derive(Debug, Clone)]
pub struct LexicalIndex<K> {
    /// No term without any text.
    postings: BTreeMap<Arc<str>, Postings<K>>,
    documents: BTreeMap<K, Document>,
    total_len: u64,
}

impl<K> Default for LexicalIndex<K> {
    fn default() -> Self {
        Self { postings: BTreeMap::new(), documents: BTreeMap::new(), total_len: 0 }
    }
}

/// A query's terms that carry a topic, with their weights in this index.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalQuery {
    terms: Vec<WeightedTerm>,
    /// Sum of all coverage weights.
    total: f64,
}

#[derive(Debug, Clone, PartialEq)]
struct WeightedTerm {
    term: Arc<str>,
    word: Arc<str>,
    idf: f64,
    coverage: f64,
}

/// One text found by words.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalHit<K> {
    /// Which text.
    pub key: K,
    /// Its BM25 score, above 0.
    pub score: f64,
    /// What each matched query word gave; the score is their sum.
    pub parts: Vec<(Arc<str>, f64)>,
}

impl<K: Ord + Copy> LexicalIndex<K> {
    /// Adds a text or replaces the one of this key.
    pub fn insert(&mut self, key: K, text: &str) {
        self.remove(&key);
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let mut len = 0;
        for term in terms(text) {
            *counts.entry(term).or_default() += 1;
            len += 1;
        }
        let mut kept = Vec::with_capacity(counts.len());
        for (term, tf) in counts {
            let term = match self.postings.get_key_value(term.as_str()) {
                Some((term, _)) => term.clone(),
                None => Arc::from(term),
            };
            self.postings.entry(term.clone()).or_default().insert(Posting { key, tf, len });
            kept.push(term);
        }
        self.total_len += u64::from(len);
        self.documents.insert(key, Document { len, terms: kept });
    }

    /// Removes a text; whether it was there.
    pub fn remove(&mut self, key: &K) -> bool {
        let Some(document) = self.documents.remove(key) else { return false };
        self.total_len -= u64::from(document.len);
        for term in document.terms {
            if let Some(list) = self.postings.get_mut(&term) {
                list.remove(key);
                if list.len() == 0 {
                    self.postings.remove(&term);
                }
            }
        }
        true
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Whether a text of this key is here.
    pub fn contains(&self, key: &K) -> bool {
        self.documents.contains_key(key)
    }

    /// Number of distinct terms.
    pub fn terms(&self) -> usize {
        self.postings.len()
    }

    /// Prepares a query. Stop words do not count, unless there is nothing else; repeats count once.
    pub fn query(&self, text: &str) -> LexicalQuery {
        let mut found: Vec<WeightedTerm> = Vec::new();
        for QueryTerm { term, word } in query_terms(text) {
            if found.iter().all(|known| *known.term != *term) {
                let df = self.postings.get(term.as_str()).map_or(0, Postings::len) as f64;
                let n = self.documents.len() as f64;
                let idf = |n: f64| libm::log(1.0 + (n - df + 0.5) / (df + 0.5));
                found.push(WeightedTerm {
                    term: term.into(),
                    word: word.into(),
                    idf: idf(n),
                    coverage: idf(n + PRIOR),
                });
            }
        }
        let total = found.iter().map(|term| term.coverage).sum();
        LexicalQuery { terms: found, total }
    }

    /// The best `limit` texts with at least one term of the query, best first, ties by key. Texts that
    /// `filter` refuses are not scored.
    pub fn search(
        &self,
        query: &LexicalQuery,
        limit: usize,
        filter: impl Fn(K) -> bool,
    ) -> Vec<LexicalHit<K>> {
        let mean = self.total_len as f64 / (self.documents.len().max(1)) as f64;
        let mut parts: Vec<(K, usize, f64)> = Vec::new();
        for (n, term) in query.terms.iter().enumerate() {
            for posting in self
                .postings
                .get(&term.term)
                .into_iter()
                .flat_map(Postings::iter)
                .filter(|posting| filter(posting.key))
            {
                let tf = f64::from(posting.tf);
                let norm = K1 * (1.0 - B + B * f64::from(posting.len) / mean);
                parts.push((posting.key, n, term.idf * tf * (K1 + 1.0) / (tf + norm)));
            }
        }
        parts.sort_unstable_by_key(|part| (part.0, part.1));
        let texts = parts.chunk_by(|a, b| a.0 == b.0);
        let scored = texts.map(|parts| Ranked {
            key: parts[0].0,
            score: parts.iter().map(|part| part.2).sum(),
            payload: parts,
        });
        top(scored, limit)
            .into_iter()
            .map(|found| LexicalHit {
                key: found.key,
                score: found.score,
                parts: found
                    .payload
                    .iter()
                    .map(|(_, n, score)| (query.terms[*n].word.clone(), *score))
                    .collect(),
            })
            .collect()
    }

    /// How much of the query a text covers: the share of the words' weights, from 0 to 1, and the words.
    pub fn coverage(&self, query: &LexicalQuery, key: &K) -> (f64, Vec<Arc<str>>) {
        let Some(document) = self.documents.get(key) else { return (0.0, Vec::new()) };
        let matched: Vec<&WeightedTerm> =
            query.terms.iter().filter(|term| document.terms.binary_search(&term.term).is_ok()).collect();
        let weight: f64 = matched.iter().map(|term| term.coverage).sum();
        let share = if query.total > 0.0 { weight / query.total } else { 0.0 };
        (share, matched.into_iter().map(|term| term.word.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> LexicalIndex<u32> {
        let mut index = LexicalIndex::default();
        for (key, text) in (0..).zip(texts) {
            index.insert(key, text);
        }
        index
    }
    fn found(index: &LexicalIndex<u32>, query: &str) -> Vec<u32> {
        index.search(&index.query(query), 10, |_| true).into_iter().map(|hit| hit.key).collect()
    }

    #[test]
    fn the_score_is_bm25_and_its_parts_add_up() {
        let index = index(&["tea", "coffee coffee", "milk"]);
        let hits = index.search(&index.query("coffee or tea"), 10, |_| true);
        let idf = libm::log(1.0 + 2.5 / 1.5);
        // Lengths 1, 2, 1: mean 4/3.
        let tea = idf * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 0.75));
        let coffee = idf * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 1.5));
        assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1, 0]);
        assert!((hits[0].score - coffee).abs() < 1e-12 && (hits[1].score - tea).abs() < 1e-12);
        for hit in hits {
            assert_eq!(hit.parts.iter().map(|(_, part)| part).sum::<f64>(), hit.score);
        }
    }

    #[test]
    fn words_meet_in_every_inflection_and_script() {
        let index = index(&["Pia loves techno", "用户喜欢茶", "Nia lives in São Paulo", "She drank tea"]);
        assert_eq!(found(&index, "who is loving techno?"), [0]);
        assert_eq!(found(&index, "喜欢什么茶"), [1]);
        assert_eq!(found(&index, "茶"), [1]);
        assert_eq!(found(&index, "living in Sao Paulo"), [2]);
        assert_eq!(found(&index, "What does she drink?"), [3]);
        assert!(found(&index, "multiply 17 by 23").is_empty() && found(&index, "").is_empty());
    }

    #[test]
    fn removal_leaves_nothing_behind() {
        let mut index = index(&["red kayak", "red house"]);
        let before = index.query("red house");
        index.insert(2, "blue kayak and a red whale");
        index.insert(2, "grey seal");
        assert!(index.remove(&2) && !index.remove(&2));
        assert_eq!((index.len(), index.terms(), index.query("red house")), (2, 3, before));
        assert!(found(&index, "whale seal blue grey").is_empty());
        index.remove(&0);
        index.remove(&1);
        assert!(index.is_empty() && index.terms() == 0 && index.total_len == 0);
    }

    #[test]
    fn coverage_weighs_rare_words_more_and_counts_unknown_ones() {
        let index = index(&["Pia loves techno", "Pia owns a kayak", "Pia is a vet"]);
        let query = index.query("Does Pia like kayaks?");
        let (kayak, words) = index.coverage(&query, &1);
        assert_eq!(words.iter().map(|word| &**word).collect::<Vec<_>>(), ["pia", "kayaks"]);
        let (name, _) = index.coverage(&query, &0);
        assert!(name > 0.0 && name < kayak - name && kayak < 1.0, "{name} {kayak}");
        assert_eq!(index.coverage(&index.query("kayak"), &1).0, 1.0);
        assert_eq!(index.coverage(&query, &9).0, 0.0);
    }

    #[test]
    fn filtered_texts_are_not_scored_and_ties_go_by_key() {
        let index = index(&["tea", "tea", "tea"]);
        let hits = index.search(&index.query("tea"), 1, |key| key != 0);
        assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [1]);
    }
}
