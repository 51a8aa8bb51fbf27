//! Search by direction: the nearest of unit vectors by their dot product.
//!
//! [`Vectors`] is the face; [`FlatVectors`] looks at every vector and is exact. An approximate index for
//! large memories takes the same face: `SearchIndex` only ever asks for the nearest of a key filter.

use std::collections::BTreeMap;

use super::top::{Ranked, top};

/// A store of unit vectors that finds the nearest.
pub trait Vectors<K> {
    /// Adds a vector or replaces the one of this key. `false` when the vector takes no part: it is all zero
    /// ("no opinion"), not finite, or of another dimension than those that are here; the key has no vector
    /// then.
    fn insert(&mut self, key: K, vector: &[f32]) -> bool;
    /// Removes a vector; whether there was one.
    fn remove(&mut self, key: &K) -> bool;
    /// The vector of a key.
    fn get(&self, key: &K) -> Option<&[f32]>;
    /// Number of vectors.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The `limit` nearest vectors that `filter` admits, with their cosines, nearest first, ties by key.
    /// Empty for a zero query and for one of another dimension.
    fn nearest(&self, query: &[f32], limit: usize, filter: &dyn Fn(K) -> bool) -> Vec<(K, f32)>;
}

/// All vectors in one block of memory, scanned from end to end. Exact; the reference for any other index.
#[derive(Debug, Clone)]
pub struct FlatVectors<K> {
    dimension: usize,
    /// Row after row.
    rows: Vec<f32>,
    /// The key of each row.
    keys: Vec<K>,
    row_of: BTreeMap<K, usize>,
}

impl<K> Default for FlatVectors<K> {
    fn default() -> Self {
        Self { dimension: 0, rows: Vec::new(), keys: Vec::new(), row_of: BTreeMap::new() }
    }
}

impl<K: Ord + Copy> Vectors<K> for FlatVectors<K> {
    fn insert(&mut self, key: K, vector: &[f32]) -> bool {
        let usable = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
        self.remove(&key);
        if self.keys.is_empty() {
            self.dimension = vector.len();
        }
        if !usable || vector.len() != self.dimension {
            return false;
        }
        self.row_of.insert(key, self.keys.len());
        self.keys.push(key);
        self.rows.extend_from_slice(vector);
        true
    }

    fn remove(&mut self, key: &K) -> bool {
        let Some(row) = self.row_of.remove(key) else { return false };
        // The last row moves into the gap.
        let last = self.keys.len() - 1;
        self.keys.swap_remove(row);
        if row != last {
            self.rows.copy_within(last * self.dimension.., row * self.dimension);
            self.row_of.insert(self.keys[row], row);
        }
        self.rows.truncate(last * self.dimension);
        if self.rows.capacity() > 4 * self.rows.len() {
            self.rows.shrink_to(2 * self.rows.len());
            self.keys.shrink_to(2 * self.keys.len());
        }
        true
    }

    fn get(&self, key: &K) -> Option<&[f32]> {
        self.row_of.get(key).map(|row| &self.rows[row * self.dimension..][..self.dimension])
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn nearest(&self, query: &[f32], limit: usize, filter: &dyn Fn(K) -> bool) -> Vec<(K, f32)> {
        let usable = query.len() == self.dimension
            && query.iter().any(|x| *x != 0.0)
            && query.iter().all(|x| x.is_finite());
        if !usable {
            return Vec::new();
        }
        let rows = self.keys.iter().zip(self.rows.chunks_exact(self.dimension));
        let scored = rows.filter(|(key, _)| filter(**key)).map(|(key, row)| {
            let cosine = dot(query, row);
            Ranked { key: *key, score: f64::from(cosine), payload: cosine }
        });
        top(scored, limit).into_iter().map(|found| (found.key, found.payload)).collect()
    }
}

/// The dot product, in eight sums side by side, which compilers turn into vector instructions; the order of
/// the additions is fixed, so that every machine finds the same bits.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        for i in 0..8 {
            sums[i] += x[i] * y[i];
        }
    }
    let pairs = [sums[0] + sums[4], sums[1] + sums[5], sums[2] + sums[6], sums[3] + sums[7]];
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_first_and_filtered_before_the_cut() {
        let mut vectors = FlatVectors::default();
        for (key, vector) in [(1, [1.0, 0.0]), (2, [0.6, 0.8]), (3, [0.0, 1.0]), (4, [1.0, 0.0])] {
            assert!(vectors.insert(key, &vector));
        }
        assert_eq!(vectors.nearest(&[1.0, 0.0], 3, &|_| true), [(1, 1.0), (4, 1.0), (2, 0.6)]);
        assert_eq!(vectors.nearest(&[1.0, 0.0], 1, &|key| key > 1), [(4, 1.0)]);
        assert!(vectors.nearest(&[0.0, 0.0], 3, &|_| true).is_empty());
        assert!(vectors.nearest(&[1.0], 3, &|_| true).is_empty());
    }

    #[test]
    fn what_has_no_direction_takes_no_part() {
        let mut vectors = FlatVectors::default();
        assert!(!vectors.insert(1, &[0.0, 0.0]) && !vectors.insert(1, &[f32::NAN, 1.0]));
        assert!(vectors.insert(1, &[1.0, 0.0]));
        assert!(!vectors.insert(2, &[1.0, 0.0, 0.0]), "another dimension");
        assert!(!vectors.insert(1, &[0.0, 0.0]), "and the old vector is gone");
        assert!(vectors.is_empty());
        assert!(vectors.insert(2, &[1.0, 0.0, 0.0]), "an empty store takes any dimension");
    }

    #[test]
    fn removal_keeps_the_others_and_frees_memory() {
        let mut vectors = FlatVectors::default();
        for key in 0..100_u32 {
            vectors.insert(key, &[key as f32 + 1.0, 1.0]);
        }
        let full = vectors.rows.capacity();
        for key in 0..97 {
            assert!(vectors.remove(&key));
        }
        assert!(!vectors.remove(&0));
        assert_eq!(
            (vectors.len(), vectors.get(&98), vectors.get(&5)),
            (3, Some([99.0, 1.0].as_slice()), None)
        );
        assert!(vectors.rows.capacity() < full / 4);
        let keys: Vec<u32> =
            vectors.nearest(&[1.0, 0.0], 9, &|_| true).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, [99, 98, 97]);
    }

    #[test]
    fn the_blocked_product_is_the_plain_one() {
        let a: Vec<f32> = (0..19).map(|i| i as f32).collect();
        assert_eq!(dot(&a, &a), (0..19).map(|i| (i * i) as f32).sum::<f32>());
        assert_eq!(dot(&[], &[]), 0.0);
    }
}
