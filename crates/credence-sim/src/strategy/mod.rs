//! Strategies: the ways in which a player tries to move a fact, in tiers.
//!
//! A [`Catalog`] is what an adversary chooses from. Ours (`catalog`) has the twenty of sim 2.2, worded afresh; another one is read from a file
//! of the same form (`read`), strictly. The order of a catalogue matters: the first strategy of a tier decides whether an attack spans turns.

mod catalog;
mod read;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use read::CatalogProblem;

/// How hard a strategy is to see through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Tier {
    /// Level 1.
    Basic,
    /// Level 2.
    Intermediate,
    /// Level 3.
    Advanced,
    /// Level 4.
    Expert,
}

impl Tier {
    /// The tiers, the easiest first.
    pub const ALL: [Self; 4] = [Self::Basic, Self::Intermediate, Self::Advanced, Self::Expert];

    /// 1 to 4.
    pub fn level(self) -> u8 {
        self as u8 + 1
    }
    /// The tier of a level; a level below 1 is the first, one above 4 the last.
    pub fn of_level(level: u8) -> Self {
        Self::ALL[usize::from(level.clamp(1, 4)) - 1]
    }
    /// The word of the catalogue.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "BASIC",
            Self::Intermediate => "INTERMEDIATE",
            Self::Advanced => "ADVANCED",
            Self::Expert => "EXPERT",
        }
    }
}

/// A strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Strategy {
    /// Unique in its catalogue; upper case.
    pub id: String,
    /// For people.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// How hard it is to see through.
    pub tier: Tier,
    /// The kinds of facts that it suits; at least one.
    pub categories: BTreeSet<String>,
    /// Whether it takes three turns: SETUP, BUILD and PAYOFF.
    pub multi_turn: bool,
    /// What an attacking model is told.
    pub guidance: String,
}

/// Strategies in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    strategies: Vec<Strategy>,
}

impl Catalog {
    /// Our own catalogue.
    pub fn ours() -> Self {
        Self { strategies: catalog::strategies() }
    }
    /// All, in order.
    pub fn all(&self) -> &[Strategy] {
        &self.strategies
    }
    /// By id, without regard to case.
    pub fn by_id(&self, id: &str) -> Option<&Strategy> {
        self.strategies.iter().find(|strategy| strategy.id.eq_ignore_ascii_case(id.trim()))
    }
    /// Those of a tier, in order.
    pub fn by_tier(&self, tier: Tier) -> impl Iterator<Item = &Strategy> {
        self.strategies.iter().filter(move |strategy| strategy.tier == tier)
    }
    /// Those of a tier and of the easier ones, in order.
    pub fn by_tier_at_or_below(&self, tier: Tier) -> impl Iterator<Item = &Strategy> {
        self.strategies.iter().filter(move |strategy| strategy.tier <= tier)
    }
    /// Those that suit a kind of fact, in order.
    pub fn by_category<'a>(&'a self, category: &'a str) -> impl Iterator<Item = &'a Strategy> {
        self.strategies.iter().filter(move |strategy| strategy.categories.contains(category))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_tiers() {
        assert_eq!(Tier::ALL.map(Tier::level), [1, 2, 3, 4]);
        assert_eq!([0, 1, 4, 9].map(Tier::of_level), [Tier::Basic, Tier::Basic, Tier::Expert, Tier::Expert]);
        for tier in Tier::ALL {
            assert_eq!(serde_json::to_value(tier).unwrap(), tier.as_str());
        }
    }

    #[test]
    fn lookups_keep_the_order() {
        let ours = Catalog::ours();
        let ids = |found: Vec<&Strategy>| found.iter().map(|s| s.id.clone()).collect::<Vec<_>>();
        assert_eq!(ours.by_id(" subtle_reframe ").unwrap().id, "SUBTLE_REFRAME");
        assert_eq!(ours.by_id("OTHER"), None);
        assert_eq!(
            ids(ours.by_tier(Tier::Expert).collect()),
            ["AGREEMENT_EXTRACTION", "CAUSAL_CHAIN_EROSION"]
        );
        assert_eq!(ours.by_tier_at_or_below(Tier::Intermediate).count(), 13);
        assert_eq!(
            ids(ours.by_category("npc_possession").collect()),
            ["SUBTLE_REFRAME", "FALSE_MEMORY_PLANT", "EMOTIONAL_OVERRIDE", "QUANTITY_SHIFT"]
        );
        assert_eq!(ours.by_category("weather").count(), 0);
    }
}
