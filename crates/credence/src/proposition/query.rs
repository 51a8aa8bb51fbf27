//! Queries over propositions: filters that are all applied, then one stable order, then a limit. A query is
//! always put to one context's state; there is no unscoped form (dice 2.1).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{DecayRule, Proposition, Status, effective_confidence};
use crate::id::EntityId;
use crate::time::Timestamp;

/// The order of results; ties keep the order of ids, that is, of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By id: creation order.
    #[default]
    None,
    /// Most believed now first.
    EffectiveConfidenceDesc,
    /// Newest first.
    CreatedDesc,
    /// Most recently touched first.
    RevisedDesc,
    /// Most recently used by revision first.
    LastAccessedDesc,
    /// Most reinforced first.
    ReinforceCountDesc,
    /// Most important first.
    ImportanceDesc,
}

/// Filters, order and limit. `Default` asks for everything in creation order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PropositionQuery {
    /// At least one of these entities is mentioned; empty: no filter.
    pub any_entities: Vec<EntityId>,
    /// Every one of these entities is mentioned.
    pub all_entities: Vec<EntityId>,
    /// One of these statuses; empty: no filter.
    pub statuses: BTreeSet<Status>,
    /// Words that must all occur in the text (without regard to case); empty: no filter.
    pub text: String,
    /// Inclusive.
    pub min_level: Option<u32>,
    /// Inclusive.
    pub max_level: Option<u32>,
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// Inclusive.
    pub created_before: Option<Timestamp>,
    /// Against the later of the two clocks, inclusive.
    pub revised_after: Option<Timestamp>,
    /// Against the later of the two clocks, inclusive.
    pub revised_before: Option<Timestamp>,
    /// Inclusive.
    pub accessed_after: Option<Timestamp>,
    /// Inclusive.
    pub accessed_before: Option<Timestamp>,
    /// Effective confidence at the query's instant is at least this.
    pub min_effective_confidence: Option<f64>,
    /// The instant for effective confidence; default: the caller's now.
    pub effective_as_of: Option<Timestamp>,
    /// How confidence decays.
    pub decay: DecayRule,
    /// At least.
    pub min_importance: Option<f64>,
    /// At least.
    pub min_reinforce_count: Option<u32>,
    /// `metadata["dice.trust.score"]` is at least this; a missing or non-finite score passes (dice 2.1).
    pub min_trust_score: Option<f64>,
    /// Equal.
    pub pinned: Option<bool>,
    /// Order of results.
    pub order: Order,
    /// Most results.
    pub limit: Option<usize>,
}

impl PropositionQuery {
    /// Live propositions only.
    pub fn live() -> Self {
        Self { statuses: [Status::Active, Status::Promoted].into(), ..Self::default() }
    }

    /// Whether `p` passes every filter at `now`.
    pub fn matches(&self, p: &Proposition, now: Timestamp) -> bool {
        let mentions = |e: &EntityId| p.entities().any(|m| m == *e);
        let trust = || {
            let score = p.metadata.get("dice.trust.score").and_then(serde_json::Value::as_f64);
            self.min_trust_score.is_none_or(|min| score.is_none_or(|s| !s.is_finite() || s >= min))
        };
        let words = || {
            let text = p.text.to_lowercase();
            self.text.to_lowercase().split_whitespace().all(|w| text.contains(w))
        };
        (self.any_entities.is_empty() || self.any_entities.iter().any(mentions))
            && self.all_entities.iter().all(mentions)
            && (self.statuses.is_empty() || self.statuses.contains(&p.status))
            && within(p.level, self.min_level, self.max_level)
            && within(p.created, self.created_after, self.created_before)
            && within(p.last_touched(), self.revised_after, self.revised_before)
            && within(p.last_accessed, self.accessed_after, self.accessed_before)
            && self.min_importance.is_none_or(|min| p.importance.get() >= min)
            && self.min_reinforce_count.is_none_or(|min| p.reinforce_count >= min)
            && self.pinned.is_none_or(|pinned| p.pinned == pinned)
            && trust()
            && words()
            && self.min_effective_confidence.is_none_or(|min| self.effective(p, now) >= min)
    }

    /// Filters, orders and cuts. `candidates` must come in id order for ties to be stable.
    pub fn run<'a>(
        &self,
        candidates: impl Iterator<Item = &'a Proposition>,
        now: Timestamp,
    ) -> Vec<&'a Proposition> {
        let mut found: Vec<&Proposition> = candidates.filter(|p| self.matches(p, now)).collect();
        match self.order {
            Order::None => {}
            Order::EffectiveConfidenceDesc => {
                found.sort_by(|a, b| desc(self.effective(a, now), self.effective(b, now)));
            }
            Order::CreatedDesc => found.sort_by_key(|p| std::cmp::Reverse(p.created)),
            Order::RevisedDesc => found.sort_by_key(|p| std::cmp::Reverse(p.last_touched())),
            Order::LastAccessedDesc => found.sort_by_key(|p| std::cmp::Reverse(p.last_accessed)),
            Order::ReinforceCountDesc => found.sort_by_key(|p| std::cmp::Reverse(p.reinforce_count)),
            Order::ImportanceDesc => found.sort_by(|a, b| desc(a.importance.get(), b.importance.get())),
        }
        if let Some(limit) = self.limit {
            found.truncate(limit);
        }
        found
    }

    fn effective(&self, p: &Proposition, now: Timestamp) -> f64 {
        effective_confidence(p, self.effective_as_of.unwrap_or(now), self.decay)
    }
}

fn within<T: PartialOrd + Copy>(value: T, min: Option<T>, max: Option<T>) -> bool {
    min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max)
}

fn desc(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}
