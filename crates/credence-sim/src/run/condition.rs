//! Conditions: what a run's memory is allowed to do. Two runs that differ in nothing but their condition can be compared.
//!
//! Rules (simulator 4.2; core 14.3 E2, E9; G25). Seven ablations switch off one thing of the product each. Five baselines say what
//! the product is compared with, from nothing to everything: without them a comparison cannot tell governance from repetition. And a
//! twin of the full product under another name shows how far two samples of the same thing lie apart. What an override changes is
//! the seeds' own numbers, never the units' later life; it can be applied again without changing more.

use std::borrow::Cow;

use credence::unit::Authority;
use serde::{Deserialize, Serialize};

use crate::scenario::Seed;

/// What stands between the turns and the narrator's prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryKind {
    /// Nothing: the last turns alone.
    None,
    /// Every seed, and every fact from the turn on that tells it, as a list that nothing changes.
    StaticList,
    /// Every turn from the first, sittings notwithstanding; no memory.
    FullHistory,
    /// Statements found for the question; no working set, no authority, no enforcement.
    RetrievalOnly,
    /// The product.
    #[default]
    Governed,
}

/// A condition. The subsystems below act in [`MemoryKind::Governed`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Unique in an experiment; not blank.
    pub name: String,
    /// What memory there is.
    #[serde(default)]
    pub memory: MemoryKind,
    /// Whether memory goes into the prompt.
    pub injection: bool,
    /// Every seed's authority instead of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_authority: Option<Authority>,
    /// Every seed's activation instead of its own, 100 to 900; what lies outside counts as the nearer end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_activation: Option<u16>,
    /// Whether evidence and time move activation.
    pub rank_mutation: bool,
    /// Whether evidence moves authority.
    pub authority_promotion: bool,
    /// Whether sources are weighed.
    pub trust: bool,
    /// Whether answers are checked.
    pub compliance: bool,
    /// Whether units are reinforced, swept and fall asleep.
    pub lifecycle: bool,
}

impl Condition {
    /// Names of [`Self::all`], ablations first.
    pub const NAMES: [&'static str; 12] = [
        "FULL_AWMU",
        "NO_AWMU",
        "FLAT_AUTHORITY",
        "NO_RANK_DIFFERENTIATION",
        "NO_TRUST",
        "NO_COMPLIANCE",
        "NO_LIFECYCLE",
        "NO_MEMORY",
        "STATIC_LIST",
        "FULL_HISTORY",
        "RETRIEVAL_ONLY",
        "GOVERNED_AGAIN",
    ];

    /// The product with everything on, under a name of one's own: what a custom condition begins with.
    ///
    /// # Errors
    /// A blank name.
    pub fn named(name: &str) -> Result<Self, String> {
        let condition = Self { name: name.trim().to_owned(), ..Self::full() };
        condition.check().map(|()| condition)
    }

    /// The product with everything on, `FULL_AWMU`.
    pub fn full() -> Self {
        Self {
            name: "FULL_AWMU".to_owned(),
            memory: MemoryKind::Governed,
            injection: true,
            seed_authority: None,
            seed_activation: None,
            rank_mutation: true,
            authority_promotion: true,
            trust: true,
            compliance: true,
            lifecycle: true,
        }
    }

    /// A built-in condition by its name, whatever its case; `None` for another name.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = Self::NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()))?;
        let full = Self { name: name.to_owned(), ..Self::full() };
        let baseline = |memory| Self {
            memory,
            rank_mutation: false,
            authority_promotion: false,
            trust: false,
            compliance: false,
            lifecycle: false,
            ..full.clone()
        };
        Some(match name {
            "NO_AWMU" => Self { injection: false, rank_mutation: false, authority_promotion: false, ..full },
            "FLAT_AUTHORITY" => {
                Self { seed_authority: Some(Authority::Reliable), authority_promotion: false, ..full }
            }
            "NO_RANK_DIFFERENTIATION" => Self { seed_activation: Some(500), rank_mutation: false, ..full },
            "NO_TRUST" => Self { trust: false, ..full },
            "NO_COMPLIANCE" => Self { compliance: false, ..full },
            "NO_LIFECYCLE" => {
                Self { rank_mutation: false, authority_promotion: false, lifecycle: false, ..full }
            }
            "NO_MEMORY" => Self { injection: false, ..baseline(MemoryKind::None) },
            "STATIC_LIST" => baseline(MemoryKind::StaticList),
            "FULL_HISTORY" => Self { injection: false, ..baseline(MemoryKind::FullHistory) },
            "RETRIEVAL_ONLY" => baseline(MemoryKind::RetrievalOnly),
            _ => full,
        })
    }

    /// Every built-in condition, in the order of [`Self::NAMES`].
    pub fn all() -> Vec<Self> {
        Self::NAMES.into_iter().filter_map(Self::by_name).collect()
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// A blank name.
    pub fn check(&self) -> Result<(), String> {
        match self.name.trim() {
            "" => Err("a condition needs a name".to_owned()),
            _ => Ok(()),
        }
    }

    /// The seeds as a run under this condition begins with them.
    pub fn seeds<'a>(&self, seeds: &'a [Seed]) -> Cow<'a, [Seed]> {
        if self.seed_authority.is_none() && self.seed_activation.is_none() {
            return Cow::Borrowed(seeds);
        }
        let overridden = seeds.iter().map(|seed| Seed {
            authority: self.seed_authority.unwrap_or(seed.authority),
            activation: self.seed_activation.map_or(seed.activation, |activation| activation.clamp(100, 900)),
            ..seed.clone()
        });
        Cow::Owned(overridden.collect())
    }

    /// Whether the product's working set is what memory is.
    pub fn is_governed(&self) -> bool {
        self.memory == MemoryKind::Governed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(authority: Authority, activation: u16) -> Seed {
        Seed { text: "The bridge is down.".into(), authority, activation }
    }

    fn numbers(condition: &Condition, seeds: &[Seed]) -> Vec<(Authority, u16)> {
        condition.seeds(seeds).iter().map(|seed| (seed.authority, seed.activation)).collect()
    }

    #[test]
    fn sim_75_overrides_of_seeds_and_names_of_conditions() {
        use Authority::{Canon, Provisional, Reliable, Unreliable};
        let of = |name| Condition::by_name(name).unwrap();
        let two = [seed(Provisional, 700), seed(Canon, 300)];
        assert_eq!(numbers(&of("FLAT_AUTHORITY"), &two), [(Reliable, 700), (Reliable, 300)]);
        let two = [seed(Canon, 800), seed(Provisional, 200)];
        assert_eq!(numbers(&of("NO_RANK_DIFFERENTIATION"), &two), [(Canon, 500), (Provisional, 500)]);
        assert_eq!(numbers(&of("FLAT_AUTHORITY"), &[]), []);
        for (given, taken) in [(50, 100), (1000, 900), (450, 450)] {
            let custom = Condition { seed_activation: Some(given), ..Condition::full() };
            assert_eq!(numbers(&custom, &two), [(Canon, taken), (Provisional, taken)]);
        }
        let lower = Condition { seed_authority: Some(Unreliable), ..Condition::full() };
        let once = lower.seeds(&two).into_owned();
        assert_eq!(numbers(&lower, &two), [(Unreliable, 800), (Unreliable, 200)]);
        assert_eq!(lower.seeds(&once).into_owned(), once, "twice is once");
        assert_eq!(of("full_awmu").seeds(&two).into_owned(), two);
        assert!(Condition::named(" ").is_err() && Condition::named("").is_err());
        assert_eq!(Condition::named(" mine ").unwrap().name, "mine");
        assert!(serde_json::from_str::<Condition>(r#"{"injection": true}"#).is_err(), "no name");
    }

    #[test]
    fn every_condition_differs_from_the_product_but_the_twin() {
        let full = Condition::full();
        assert_eq!(Condition::all().len(), Condition::NAMES.len());
        for condition in Condition::all() {
            assert_eq!(condition.check(), Ok(()));
            let same = Condition { name: full.name.clone(), ..condition.clone() } == full;
            let twin = ["FULL_AWMU", "GOVERNED_AGAIN"].contains(&condition.name.as_str());
            assert_eq!(same, twin, "{}", condition.name);
            let json = serde_json::to_string(&condition).unwrap();
            assert_eq!(serde_json::from_str::<Condition>(&json).unwrap(), condition);
        }
        assert_eq!(Condition::by_name("HALF_AWMU"), None);
    }
}
