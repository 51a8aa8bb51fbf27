//! Queries over propositions: filters that are all applied, then one stable order, then a limit (dice 2.1).
//!
//! A query is always put to one context. It names none itself: [`PropositionQuery::run`] takes a [`State`], a state is the
//! fold of one log, and a log refuses a commit of another context. So there is no way to ask two memories at once, and
//! none to forget the filter. What "now" is, is fixed once a query, whatever the number of statements.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::time::Duration;

use super::{DecayRule, Proposition, Status, effective_confidence};
use crate::history::State;
use crate::id::{EntityId, TurnId};
use crate::text;
use crate::time::Timestamp;

/// Where a trust scorer keeps what it found, in a proposition's metadata (dice 1.1).
pub const TRUST_SCORE: &str = "dice.trust.score";

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
    /// This entity, or one that was merged into it, is mentioned; `None`: no filter. A merged entity means its keeper here and
    /// below. Beside the two lists below it is one more condition.
    pub entity: Option<EntityId>,
    /// At least one of these entities is mentioned; empty: no filter.
    pub any_entities: Vec<EntityId>,
    /// Every one of these entities is mentioned.
    pub all_entities: Vec<EntityId>,
    /// One of these statuses; empty: no filter.
    pub statuses: BTreeSet<Status>,
    /// It rests on this turn; `None`: no filter.
    pub grounding: Option<TurnId>,
    /// Words, or parts of words, that must all occur in the text, without regard to case and to how accents are encoded;
    /// empty: no filter.
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
    /// The instant for effective confidence; default: the caller's now, fixed once a query.
    pub effective_as_of: Option<Timestamp>,
    /// How confidence decays; default: as the memory's settings say, and outside a memory [`DecayRule::default`].
    pub decay: Option<DecayRule>,
    /// At least.
    pub min_importance: Option<f64>,
    /// At least.
    pub min_reinforce_count: Option<u32>,
    /// [`TRUST_SCORE`] in the metadata is at least this. A score that is missing, no number or not finite passes (dice 2.1):
    /// nobody has judged such a statement, and what nobody judged is not hidden.
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
        Self::default().with_statuses([Status::Active, Status::Promoted])
    }
    /// Those that mention an entity.
    pub fn mentioning(entity: EntityId) -> Self {
        Self { entity: Some(entity), ..Self::default() }
    }
    /// Those that mention at least one of these entities; without any, everything.
    pub fn mentioning_any(entities: impl IntoIterator<Item = EntityId>) -> Self {
        Self { any_entities: entities.into_iter().collect(), ..Self::default() }
    }
    /// Those that mention every one of these entities.
    pub fn mentioning_all(entities: impl IntoIterator<Item = EntityId>) -> Self {
        Self { all_entities: entities.into_iter().collect(), ..Self::default() }
    }
    /// Those that rest on a turn.
    pub fn resting_on(turn: TurnId) -> Self {
        Self { grounding: Some(turn), ..Self::default() }
    }
    /// Those that are pinned, whatever their status.
    pub fn pinned() -> Self {
        Self { pinned: Some(true), ..Self::default() }
    }
    /// In this status alone.
    pub fn with_status(self, status: Status) -> Self {
        self.with_statuses([status])
    }
    /// In one of these statuses; without any, in every status.
    pub fn with_statuses(mut self, statuses: impl IntoIterator<Item = Status>) -> Self {
        self.statuses = statuses.into_iter().collect();
        self
    }
    /// Of this level of abstraction or above.
    pub fn from_level(mut self, level: u32) -> Self {
        self.min_level = Some(level);
        self
    }
    /// First written within these instants, both included.
    pub fn created_between(mut self, from: Timestamp, to: Timestamp) -> Self {
        (self.created_after, self.created_before) = (Some(from), Some(to));
        self
    }
    /// First written within the last `age` before `now`.
    pub fn created_since(mut self, age: Duration, now: Timestamp) -> Self {
        self.created_after = Some(before(now, age));
        self
    }
    /// Last touched within these instants, both included.
    pub fn revised_between(mut self, from: Timestamp, to: Timestamp) -> Self {
        (self.revised_after, self.revised_before) = (Some(from), Some(to));
        self
    }
    /// Last touched within the last `age` before `now`.
    pub fn revised_since(mut self, age: Duration, now: Timestamp) -> Self {
        self.revised_after = Some(before(now, age));
        self
    }
    /// Last met by revision within these instants, both included.
    pub fn accessed_between(mut self, from: Timestamp, to: Timestamp) -> Self {
        (self.accessed_after, self.accessed_before) = (Some(from), Some(to));
        self
    }
    /// Last met by revision within the last `age` before `now`.
    pub fn accessed_since(mut self, age: Duration, now: Timestamp) -> Self {
        self.accessed_after = Some(before(now, age));
        self
    }
    /// Of at least this effective confidence, 0 to 1.
    pub fn believed_at_least(mut self, effective: f64) -> Self {
        self.min_effective_confidence = Some(effective);
        self
    }
    /// Judges effective confidence at this instant instead of now.
    pub fn as_of(mut self, instant: Timestamp) -> Self {
        self.effective_as_of = Some(instant);
        self
    }
    /// In this order.
    pub fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self
    }
    /// At most so many, the first of the order.
    pub fn limited(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The instant that effective confidence is judged at.
    pub fn instant(&self, now: Timestamp) -> Timestamp {
        self.effective_as_of.unwrap_or(now)
    }

    /// Whether one proposition passes every filter at `now`.
    ///
    /// Entities are compared as they are; [`PropositionQuery::matches_in`] follows merges.
    pub fn matches(&self, p: &Proposition, now: Timestamp) -> bool {
        self.passes(p, now, |id| id)
    }

    /// Whether one proposition of `state` passes every filter at `now`. Who was merged into another stands for that one, in the
    /// query and in the mentions.
    pub fn matches_in(&self, state: &State, p: &Proposition, now: Timestamp) -> bool {
        self.passes(p, now, |id| state.keeper(id).map_or(id, |keeper| keeper.id))
    }

    fn passes(&self, p: &Proposition, now: Timestamp, keeper: impl Fn(EntityId) -> EntityId) -> bool {
        let mentions = |e: &EntityId| {
            let meant = keeper(*e);
            p.entities().any(|m| m == meant || keeper(m) == meant)
        };
        let trust = || {
            let score = p.metadata.get(TRUST_SCORE).and_then(serde_json::Value::as_f64);
            self.min_trust_score.is_none_or(|min| score.is_none_or(|s| !s.is_finite() || s >= min))
        };
        let words = || {
            if self.text.is_empty() {
                return true;
            }
            let text = text::fold(&p.text);
            text::fold(&self.text).split_whitespace().all(|w| text.contains(w))
        };
        self.entity.as_ref().is_none_or(mentions)
            && (self.any_entities.is_empty() || self.any_entities.iter().any(mentions))
            && self.all_entities.iter().all(mentions)
            && (self.statuses.is_empty() || self.statuses.contains(&p.status))
            && self.grounding.is_none_or(|turn| p.grounding.contains(&turn))
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

    /// Filters, orders and cuts one context's propositions. Ties keep the order of ids, that is, of creation. Cost: one look
    /// at every proposition, and a sort of those that pass.
    pub fn run<'a>(&self, state: &'a State, now: Timestamp) -> Vec<&'a Proposition> {
        let mut found: Vec<&Proposition> =
            state.propositions().filter(|p| self.matches_in(state, p, now)).collect();
        match self.order {
            Order::None => {}
            Order::EffectiveConfidenceDesc => {
                let mut scored: Vec<(f64, &Proposition)> =
                    found.into_iter().map(|p| (self.effective(p, now), p)).collect();
                scored.sort_by(|a, b| desc(a.0, b.0));
                found = scored.into_iter().map(|(_, p)| p).collect();
            }
            Order::CreatedDesc => found.sort_by_key(|p| Reverse(p.created)),
            Order::RevisedDesc => found.sort_by_key(|p| Reverse(p.last_touched())),
            Order::LastAccessedDesc => found.sort_by_key(|p| Reverse(p.last_accessed)),
            Order::ReinforceCountDesc => found.sort_by_key(|p| Reverse(p.reinforce_count)),
            Order::ImportanceDesc => found.sort_by(|a, b| desc(a.importance.get(), b.importance.get())),
        }
        if let Some(limit) = self.limit {
            found.truncate(limit);
        }
        found
    }

    fn effective(&self, p: &Proposition, now: Timestamp) -> f64 {
        effective_confidence(p, self.instant(now), self.decay.unwrap_or_default())
    }
}

fn before(now: Timestamp, age: Duration) -> Timestamp {
    now.plus_ms(-i64::try_from(age.as_millis()).unwrap_or(i64::MAX))
}

fn within<T: PartialOrd + Copy>(value: T, min: Option<T>, max: Option<T>) -> bool {
    min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max)
}

fn desc(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}
