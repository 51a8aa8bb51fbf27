//! How long clusters take among 10,000 statements.

use std::time::Instant;

use credence::embedding::StaticModel;
use credence::retrieval::Similarity;
use credence::retrieval::index::SearchIndex;

const COUNT: u32 = 10_000;

/// Rounds; the fastest counts, as the one that was least disturbed.
const ROUNDS: usize = 3;

/// Clusters that are found, and the milliseconds of the search alone.
pub(crate) fn time(embedding: &StaticModel) -> (usize, u64) {
    let mut index: SearchIndex<u32> = SearchIndex::default();
    for key in 0..COUNT {
        let text = sentence(key);
        index.insert(key, &text, Some(&embedding.embed(&text)));
    }
    let Similarity { threshold, top_k } = Similarity::default();
    let mut found = 0;
    let round = |_| {
        let start = Instant::now();
        found = index.clusters(0..COUNT, threshold as f32, top_k).len();
        start.elapsed().as_millis()
    };
    let fastest = (0..ROUNDS).map(round).min().unwrap_or_default();
    (found, u64::try_from(fastest).unwrap_or(u64::MAX))
}

/// Statements that differ as those of a memory do: a few say nearly the same, most do not.
fn sentence(n: u32) -> String {
    const WHO: [&str; 20] = [
        "Mara",
        "Ivo",
        "Anna Berg",
        "Jonas Ek",
        "The doctor",
        "My sister",
        "Her neighbour",
        "Tomas Vogel",
        "Linnea",
        "The teacher",
        "Oda",
        "Pia",
        "His father",
        "The landlord",
        "Kiko",
        "Professor Lindqvist",
        "My cousin",
        "Ana",
        "The gardener",
        "Rusk",
    ];
    let (seed, who) = pick(n, &WHO);
    sentence_about(seed, who)
}

/// A statement about somebody.
pub(crate) fn sentence_about(seed: u32, who: &str) -> String {
    const DOES: [&str; 25] = [
        "lives in",
        "loves",
        "hates",
        "works at",
        "bought",
        "is allergic to",
        "collects",
        "remembers",
        "moved to",
        "teaches",
        "plays",
        "repairs",
        "dreams of",
        "sold",
        "is afraid of",
        "studies",
        "paints",
        "cooks",
        "drinks",
        "lost",
        "visited",
        "founded",
        "writes about",
        "is proud of",
        "borrowed",
    ];
    const WHAT: [&str; 20] = [
        "Kleve",
        "the cello",
        "old maps",
        "a red kayak",
        "black coffee",
        "peanuts",
        "Icelandic",
        "physics",
        "thunder",
        "violins",
        "a brass band",
        "the harbour",
        "green tea",
        "the academy",
        "dinosaurs",
        "a small house",
        "the river",
        "bicycles",
        "Oslo",
        "winter",
    ];
    const WHEN: [&str; 16] = [
        "since the wedding",
        "every Sunday",
        "with two friends",
        "after the long illness",
        "for the choir",
        "before breakfast",
        "in the old garage",
        "because of the rain",
        "together with a dog",
        "although nobody asked",
        "near the station",
        "during the war",
        "without any money",
        "at the museum",
        "on a small island",
        "to please the children",
    ];
    let (seed, does) = pick(seed, &DOES);
    let (seed, what) = pick(seed, &WHAT);
    let (_, when) = pick(seed, &WHEN);
    format!("{who} {does} {what} {when}.")
}

/// Numbers that look random and are the same everywhere.
fn pick(seed: u32, list: &[&'static str]) -> (u32, &'static str) {
    let seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (seed, list[(seed >> 16) as usize % list.len()])
}
