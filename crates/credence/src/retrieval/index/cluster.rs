//! Clusters: which texts lie so near to one another that they may say the same thing.
//!
//! Every key is an anchor in turn; its peers are the keys above it, so that no pair shows twice, whose cosine reaches the
//! threshold, at most `limit` of them. Clusters can overlap: a peer anchors a cluster of its own (dice 2.3).
//!
//! Exact, and quadratic: n keys are n²/2 pairs. Two things keep that bearable. Rows are taken a block against a block, so
//! that they are in the cache when they are met. And a pair is given up early: the rest of a dot product is at most the
//! product of the lengths of the rests (Cauchy-Schwarz), so once the beginning and that bound stay below the threshold,
//! the pair cannot reach it. The shipped model has most of a text's weight in its first components: of 50 million pairs of
//! statements 23 in 100 pass the first 32 and 4 the first 64. `cargo xtask bench knowledge` prints the time for 10,000.

use super::top::{Ranked, Top};
use super::vector::{Vectors, dot};

/// Rows of a block; the parts that every pair looks at then fit a first-level cache of 32 KiB twice.
const BLOCK: usize = 32;

/// Components after which a pair can be given up, and once more after twice as many.
const PART: usize = 32;

/// Added to the bound, so that rounding never gives up a pair that reaches the threshold.
const SLACK: f32 = 1e-4;

/// An anchor and its peers, nearest first, with their cosines.
pub type Cluster<K> = (K, Vec<(K, f32)>);

/// A text's vector, its beginning laid out for the first look.
struct Row<K> {
    key: K,
    /// The first and the second [`PART`] components; zero beyond the vector's end.
    parts: [[f32; PART]; 2],
    /// Length of what follows each part.
    rests: [f32; 2],
    vector: Box<[f32]>,
}

impl<K> Row<K> {
    fn new(key: K, vector: &[f32]) -> Self {
        let from = |start: usize| vector.get(start..).unwrap_or_default();
        let part = |start| {
            let mut part = [0.0; PART];
            part.iter_mut().zip(from(start)).for_each(|(place, value)| *place = *value);
            part
        };
        let length = |rest: &[f32]| dot(rest, rest).sqrt();
        let rests = [length(from(PART)), length(from(2 * PART))];
        Self { key, parts: [part(0), part(PART)], rests, vector: vector.into() }
    }

    /// The cosine with another row, if it reaches the threshold.
    fn cosine(&self, other: &Self, threshold: f32) -> Option<f32> {
        let mut begun = 0.0;
        for n in 0..2 {
            begun += dot_of_parts(&self.parts[n], &other.parts[n]);
            if begun + self.rests[n] * other.rests[n] + SLACK < threshold {
                return None;
            }
        }
        // In one piece, so that a cosine has the same bits here as in a search.
        let cosine = dot(&self.vector, &other.vector);
        (cosine >= threshold).then_some(cosine)
    }
}

/// [`dot`] for a length that the compiler knows: no test of any bound.
fn dot_of_parts(a: &[f32; PART], b: &[f32; PART]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for block in (0..PART).step_by(8) {
        for i in 0..8 {
            sums[i] += a[block + i] * b[block + i];
        }
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}

/// The clusters of `keys`, which must rise; keys without a vector take no part. The largest comes first, ties by anchor.
pub fn clusters<K: Ord + Copy>(
    vectors: &impl Vectors<K>,
    keys: impl Iterator<Item = K>,
    threshold: f32,
    limit: usize,
) -> Vec<Cluster<K>> {
    let mut clustering = Clustering::new(vectors, keys, threshold, limit);
    while clustering.step() {}
    clustering.finish()
}

/// The search in steps, for a thread that has other things to do. It holds its own copy of the vectors: what is inserted or
/// removed meanwhile takes no part.
pub struct Clustering<K> {
    rows: Vec<Row<K>>,
    /// The first anchor of the next step.
    next: usize,
    threshold: f32,
    limit: usize,
    found: Vec<Cluster<K>>,
}

impl<K: Ord + Copy> Clustering<K> {
    /// Begins; as [`clusters`].
    pub fn new(
        vectors: &impl Vectors<K>,
        keys: impl Iterator<Item = K>,
        threshold: f32,
        limit: usize,
    ) -> Self {
        let rows = keys.filter_map(|key| vectors.get(&key).map(|vector| Row::new(key, vector))).collect();
        Self { rows, next: 0, threshold, limit, found: Vec::new() }
    }
    /// Compares the next anchors with everything above them; whether more is to be done.
    pub fn step(&mut self) -> bool {
        if self.next < self.rows.len() {
            self.found.append(&mut anchored_in(&self.rows, self.next, self.threshold, self.limit));
            self.next += BLOCK;
        }
        self.next < self.rows.len()
    }
    /// What the steps so far have found.
    pub fn finish(self) -> Vec<Cluster<K>> {
        let mut found = self.found;
        // Stable: anchors rise within clusters of one size.
        found.sort_by_key(|(_, peers)| std::cmp::Reverse(peers.len()));
        found
    }
}

/// The clusters whose anchors are the rows of the block at `start`.
fn anchored_in<K: Ord + Copy>(
    rows: &[Row<K>],
    start: usize,
    threshold: f32,
    limit: usize,
) -> Vec<Cluster<K>> {
    let anchors = &rows[start..(start + BLOCK).min(rows.len())];
    let mut tops: Vec<Top<K, f32>> = anchors.iter().map(|_| Top::new(limit)).collect();
    for block in (start..rows.len()).step_by(BLOCK) {
        let end = (block + BLOCK).min(rows.len());
        for ((place, anchor), top) in anchors.iter().enumerate().zip(&mut tops) {
            for peer in &rows[block.max(start + place + 1)..end] {
                if let Some(cosine) = anchor.cosine(peer, threshold) {
                    top.push(Ranked { key: peer.key, score: f64::from(cosine), payload: cosine });
                }
            }
        }
    }
    let named = anchors.iter().zip(tops).map(|(anchor, top)| {
        let peers = top.into_sorted().into_iter().map(|peer| (peer.key, peer.payload)).collect();
        (anchor.key, peers)
    });
    named.filter(|(_, peers): &Cluster<K>| !peers.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::vector::FlatVectors;
    use super::*;

    fn unit(mut vector: Vec<f32>) -> Vec<f32> {
        let length = dot(&vector, &vector).sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    /// Numbers that look random and are the same everywhere.
    fn scattered(count: u32, dimension: usize) -> FlatVectors<u32> {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let mut vectors = FlatVectors::default();
        for key in 0..count {
            // Six directions with noise, so that there are clusters to find.
            let mut vector: Vec<f32> = (0..dimension).map(|_| next() * 0.9).collect();
            vector[(key % 6) as usize * 11] += 2.0;
            vectors.insert(key, &unit(vector));
        }
        vectors
    }

    #[test]
    fn giving_up_early_loses_no_pair() {
        let vectors = scattered(300, 70);
        for threshold in [-0.2, 0.0, 0.3, 0.5, 0.55, 0.7] {
            let found = clusters(&vectors, 0..300, threshold, 1_000);
            let mut plain: Vec<(u32, u32)> = Vec::new();
            for a in 0..300 {
                for b in a + 1..300 {
                    if dot(vectors.get(&a).unwrap(), vectors.get(&b).unwrap()) >= threshold {
                        plain.push((a, b));
                    }
                }
            }
            let mut pairs: Vec<(u32, u32)> =
                found.iter().flat_map(|(a, peers)| peers.iter().map(|(b, _)| (*a, *b))).collect();
            pairs.sort_unstable();
            assert_eq!(pairs, plain, "at {threshold}");
            assert!(found.is_sorted_by_key(|(a, peers)| (std::cmp::Reverse(peers.len()), *a)));
        }
    }

    #[test]
    fn keys_without_a_vector_take_no_part() {
        let mut vectors = FlatVectors::default();
        vectors.insert(2, &[1.0, 0.0]);
        vectors.insert(4, &[1.0, 0.0]);
        assert_eq!(clusters(&vectors, 0..9, 0.9, 3), [(2, vec![(4, 1.0)])]);
        assert!(clusters(&vectors, 0..9, 0.9, 0).is_empty());
    }
}
