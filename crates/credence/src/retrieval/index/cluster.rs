//! Clusters: which texts lie so near to one another that they may say the same thing.
//!
//! Every key is an anchor in turn; its peers are the keys above it, so that no pair shows twice, whose cosine reaches the
//! threshold, at most `limit` of them. Clusters can overlap: a peer anchors a cluster of its own (dice 2.3).
//!
//! Exact, and quadratic: n keys are n²/2 pairs. Two things keep that bearable. Rows are taken a block against a block, so
//! that they are in the cache when they are met. And a pair is given up early: the rest of a dot product is at most the
//! product of the lengths of the rests (Cauchy-Schwarz), so once the beginning and that bound stay below the threshold,
//! the pair cannot reach it. `cargo xtask bench knowledge` prints the time for 10,000 texts.

use super::top::{Ranked, Top};
use super::vector::{Vectors, dot};

/// Rows of a block: 64 rows of 128 components are 32 KiB, what a first-level cache holds.
const BLOCK: usize = 64;

/// Components after which a pair can be given up.
const STEPS: [usize; 3] = [16, 32, 64];

/// Added to the bound, so that rounding never gives up a pair that reaches the threshold.
const SLACK: f32 = 1e-4;

/// An anchor and its peers, nearest first, with their cosines.
pub type Cluster<K> = (K, Vec<(K, f32)>);

struct Rows<'a, K> {
    keys: Vec<K>,
    vectors: Vec<&'a [f32]>,
    /// Length of what follows each of [`STEPS`].
    tails: Vec<[f32; STEPS.len()]>,
}

/// The clusters of `keys`, which must rise; keys without a vector take no part. The largest comes first, ties by anchor.
pub fn clusters<K: Ord + Copy>(
    vectors: &impl Vectors<K>,
    keys: impl Iterator<Item = K>,
    threshold: f32,
    limit: usize,
) -> Vec<Cluster<K>> {
    let mut rows = Rows { keys: Vec::new(), vectors: Vec::new(), tails: Vec::new() };
    for key in keys {
        if let Some(vector) = vectors.get(&key) {
            rows.keys.push(key);
            rows.vectors.push(vector);
            rows.tails.push(STEPS.map(|step| {
                let tail = vector.get(step..).unwrap_or_default();
                dot(tail, tail).sqrt()
            }));
        }
    }
    let mut found = Vec::new();
    for start in (0..rows.keys.len()).step_by(BLOCK) {
        found.append(&mut anchored_in(&rows, start, threshold, limit));
    }
    // Stable: anchors rise within clusters of one size.
    found.sort_by_key(|(_, peers)| std::cmp::Reverse(peers.len()));
    found
}

/// The clusters whose anchors are the rows of the block at `start`.
fn anchored_in<K: Ord + Copy>(
    rows: &Rows<'_, K>,
    start: usize,
    threshold: f32,
    limit: usize,
) -> Vec<Cluster<K>> {
    let count = rows.keys.len();
    let anchors = start..(start + BLOCK).min(count);
    let mut peers: Vec<Top<K, f32>> = anchors.clone().map(|_| Top::new(limit)).collect();
    for block in (start..count).step_by(BLOCK) {
        let end = (block + BLOCK).min(count);
        for anchor in anchors.clone() {
            for peer in block.max(anchor + 1)..end {
                if let Some(cosine) = rows.cosine(anchor, peer, threshold) {
                    let score = f64::from(cosine);
                    peers[anchor - start].push(Ranked { key: rows.keys[peer], score, payload: cosine });
                }
            }
        }
    }
    let named = anchors.zip(peers).map(|(anchor, peers)| {
        let peers = peers.into_sorted().into_iter().map(|peer| (peer.key, peer.payload)).collect();
        (rows.keys[anchor], peers)
    });
    named.filter(|(_, peers): &Cluster<K>| !peers.is_empty()).collect()
}

impl<K> Rows<'_, K> {
    /// The cosine of two rows, if it reaches the threshold.
    fn cosine(&self, a: usize, b: usize, threshold: f32) -> Option<f32> {
        let (x, y) = (self.vectors[a], self.vectors[b]);
        let (mut begun, mut from) = (0.0, 0);
        for (n, step) in STEPS.into_iter().enumerate() {
            if step >= x.len() {
                break;
            }
            begun += dot(&x[from..step], &y[from..step]);
            from = step;
            if begun + self.tails[a][n] * self.tails[b][n] + SLACK < threshold {
                return None;
            }
        }
        // In one piece, so that a cosine has the same bits here as in a search.
        let cosine = dot(x, y);
        (cosine >= threshold).then_some(cosine)
    }
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
