//! Seeded choice: a counter that is scrambled, so that a number depends on its seed and its place alone, the same natively and in wasm.
//!
//! Source: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014), with its published
//! constants. It is for repeatable runs and resampling, never for secrets.

/// The generator. Equal seeds give equal sequences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

/// The step of the counter: 2⁶⁴ over the golden ratio, made odd.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl SplitMix64 {
    /// Begins a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Begins the sequence of a seed and of what it is for (`["adversary", "7"]`), so that one more choice in one place moves no other.
    pub fn keyed(seed: u64, purpose: &[&str]) -> Self {
        // FNV-1a over the words, a zero byte behind each.
        let bytes = purpose.iter().flat_map(|word| word.bytes().chain([0]));
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        Self(seed ^ bytes.fold(0xCBF2_9CE4_8422_2325, fold))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number from 0 (inclusive) to 1 (exclusive), of 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next whole number below `bound`; 0 where `bound` is 0. Its bias is below `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// One of them; `None` where there are none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.below(of.len());
        of.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut numbers = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_keep_their_bounds() {
        let mut numbers = SplitMix64::new(7);
        assert!((0..1000).map(|_| numbers.unit()).all(|x| (0.0..1.0).contains(&x)));
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[numbers.below(5)] += 1);
        assert!(seen.iter().all(|count| (150..250).contains(count)), "{seen:?}");
        assert_eq!((numbers.below(0), numbers.pick::<u8>(&[])), (0, None));
    }

    #[test]
    fn sequences_of_other_purposes_share_nothing() {
        let of = |seed, words: &[&str]| SplitMix64::keyed(seed, words).bits();
        assert_eq!(of(1, &["a", "b"]), of(1, &["a", "b"]));
        let firsts = [of(1, &["a", "b"]), of(1, &["ab"]), of(2, &["a", "b"]), of(1, &["b", "a"]), of(1, &[])];
        assert!((1..5).all(|at| !firsts[at..].contains(&firsts[at - 1])), "{firsts:?}");
    }
}
