//! The budget of the working set: how many units there may be, and which ones leave when there are more.
//!
//! Rules (core 6, facts 157 to 164, with the fixes of core 15 G22):
//! - COUNT allows `unit.budget` units. INTERFERENCE_DENSITY allows fewer where the units crowd one another: the share of pairs that
//!   contradict or nearly repeat each other is the density, and from `density_reduction_threshold` on the budget shrinks by
//!   `density_reduction_factor` of it. (The founding table calls the factor a "fraction of cluster to evict"; what it has always
//!   scaled is the budget.)
//! - Who leaves first is a total order: activation, importance, when it was last touched, id, each ascending. Under
//!   INTERFERENCE_DENSITY the largest cluster gives first, one unit a cluster and round.
//! - Whether a unit may leave at all is not decided here. The caller asks the guard, and asks it about the whole set that leaves:
//!   two evictions that are allowed one by one may break a rule that counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;
use crate::time::Timestamp;

/// What the budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BudgetStrategy {
    /// Units.
    #[default]
    Count,
    /// Units, fewer of them where they interfere.
    InterferenceDensity,
}

/// `budget.*`. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BudgetSettings {
    /// Default COUNT.
    pub strategy: BudgetStrategy,
    /// Density from which a report warns; 0 to 1. Default 0.6 (core 12). INTERFERENCE_DENSITY alone.
    pub density_warning_threshold: f64,
    /// Density from which the budget shrinks; 0 to 1. Default 0.8 (core 12). INTERFERENCE_DENSITY alone.
    pub density_reduction_threshold: f64,
    /// How much of the density is taken off the budget; 0 to 1. Default 0.5 (core 12). INTERFERENCE_DENSITY alone.
    pub density_reduction_factor: f64,
}

impl Default for BudgetSettings {
    fn default() -> Self {
        Self {
            strategy: BudgetStrategy::Count,
            density_warning_threshold: 0.6,
            density_reduction_threshold: 0.8,
            density_reduction_factor: 0.5,
        }
    }
}

impl BudgetSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let shares = [
            ("density_warning_threshold", self.density_warning_threshold),
            ("density_reduction_threshold", self.density_reduction_threshold),
            ("density_reduction_factor", self.density_reduction_factor),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("budget.{name} must be 0 to 1, got {value}"));
            }
        }
        Ok(())
    }

    /// Whether it matters how units interfere.
    pub fn counts_interference(&self) -> bool {
        self.strategy == BudgetStrategy::InterferenceDensity
    }

    /// How many units there may be: `raw`, or fewer where they interfere this densely. Never below 1.
    pub fn effective(&self, raw: usize, density: f64) -> usize {
        if self.strategy == BudgetStrategy::Count || density < self.density_reduction_threshold {
            return raw;
        }
        let left = (raw as f64 * (1.0 - density * self.density_reduction_factor)).floor();
        // The factor and the density are shares, so `left` is between 0 and `raw`.
        raw.min((left as usize).max(1))
    }

    /// The warning that this density is worth, in words for a person.
    pub fn warning(&self, density: f64) -> Option<String> {
        let warns =
            self.strategy == BudgetStrategy::InterferenceDensity && density >= self.density_warning_threshold;
        warns.then(|| {
            format!("the units of the working set crowd one another: {:.0} % of their pairs contradict or nearly repeat each other", density * 100.0)
        })
    }
}

/// A unit as the budget sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Whose place.
    pub id: PropositionId,
    /// Activation as of now.
    pub activation: u16,
    /// How much its statement matters.
    pub importance: f64,
    /// When something last touched it.
    pub touched: Timestamp,
}

/// Pairs that interfere, each once, whatever the order of its two sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interference(BTreeSet<(PropositionId, PropositionId)>);

impl Interference {
    /// Adds a pair; a unit does not interfere with itself.
    pub fn add(&mut self, a: PropositionId, b: PropositionId) {
        if a != b {
            self.0.insert((a.min(b), a.max(b)));
        }
    }

    /// The share of all pairs among `places` that interfere, 0 to 1; 0 for fewer than two.
    pub fn density(&self, places: &[Place]) -> f64 {
        let n = places.len();
        if n < 2 {
            return 0.0;
        }
        let ids: BTreeSet<PropositionId> = places.iter().map(|place| place.id).collect();
        let among = self.0.iter().filter(|(a, b)| ids.contains(a) && ids.contains(b)).count();
        among as f64 / (n * (n - 1) / 2) as f64
    }

    /// Units that hang together by pairs, largest first, then by their least id. Who interferes with nobody is in none.
    pub fn clusters(&self, places: &[Place]) -> Vec<BTreeSet<PropositionId>> {
        let ids: BTreeSet<PropositionId> = places.iter().map(|place| place.id).collect();
        let mut near: BTreeMap<PropositionId, Vec<PropositionId>> = BTreeMap::new();
        for (a, b) in self.0.iter().filter(|(a, b)| ids.contains(a) && ids.contains(b)) {
            near.entry(*a).or_default().push(*b);
            near.entry(*b).or_default().push(*a);
        }
        let mut seen = BTreeSet::new();
        let mut clusters = Vec::new();
        for start in near.keys() {
            let (mut cluster, mut open) = (BTreeSet::new(), vec![*start]);
            while let Some(id) = open.pop() {
                if seen.insert(id) {
                    cluster.insert(id);
                    open.extend(near.get(&id).into_iter().flatten());
                }
            }
            if !cluster.is_empty() {
                clusters.push(cluster);
            }
        }
        clusters.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.first().cmp(&b.first())));
        clusters
    }
}

/// Who gives up its place before whom.
pub fn leaving_order(
    places: &[Place],
    interference: &Interference,
    settings: &BudgetSettings,
) -> Vec<PropositionId> {
    let mut order: Vec<&Place> = places.iter().collect();
    order.sort_by(|a, b| {
        a.activation
            .cmp(&b.activation)
            .then_with(|| a.importance.total_cmp(&b.importance))
            .then_with(|| a.touched.cmp(&b.touched))
            .then_with(|| a.id.cmp(&b.id))
    });
    let order: Vec<PropositionId> = order.into_iter().map(|place| place.id).collect();
    if settings.strategy == BudgetStrategy::Count {
        return order;
    }
    let clusters = interference.clusters(places);
    let queues: Vec<Vec<PropositionId>> = clusters
        .iter()
        .map(|cluster| order.iter().filter(|id| cluster.contains(id)).copied().collect())
        .collect();
    let rounds = queues.iter().map(Vec::len).max().unwrap_or(0);
    let crowded = (0..rounds).flat_map(|round| queues.iter().filter_map(move |queue| queue.get(round)));
    let mut first: Vec<PropositionId> = crowded.copied().collect();
    let rest: Vec<PropositionId> = order.into_iter().filter(|id| !first.contains(id)).collect();
    first.extend(rest);
    first
}

/// Who leaves, and who would have but may not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaving {
    /// In the order in which they leave.
    pub out: Vec<PropositionId>,
    /// Those that were passed over, each with the reason.
    pub stay: Vec<(PropositionId, String)>,
}

/// Takes the first `excess` units of `order` that may leave. `may_leave` is asked with those that leave already, so that a rule
/// that counts sees the whole set.
pub fn choose(
    order: &[PropositionId],
    excess: usize,
    mut may_leave: impl FnMut(&[PropositionId], PropositionId) -> Result<(), String>,
) -> Leaving {
    let mut leaving = Leaving::default();
    for id in order {
        if leaving.out.len() == excess {
            break;
        }
        match may_leave(&leaving.out, *id) {
            Ok(()) => leaving.out.push(*id),
            Err(why) => leaving.stay.push((*id, why)),
        }
    }
    leaving
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn id(n: u128) -> PropositionId {
        PropositionId::new(Uuid::from_u128(n))
    }
    /// Places numbered from 1 with these activations.
    fn places(activations: &[u16]) -> Vec<Place> {
        let place = |(n, activation): (usize, &u16)| Place {
            id: id(n as u128 + 1),
            activation: *activation,
            importance: 0.5,
            touched: Timestamp(0),
        };
        activations.iter().enumerate().map(place).collect()
    }
    fn pairs(pairs: &[(u128, u128)]) -> Interference {
        let mut found = Interference::default();
        pairs.iter().for_each(|(a, b)| found.add(id(*a), id(*b)));
        found
    }
    fn dense() -> BudgetSettings {
        BudgetSettings { strategy: BudgetStrategy::InterferenceDensity, ..BudgetSettings::default() }
    }
    fn out(places: &[Place], pairs: &Interference, settings: &BudgetSettings, excess: usize) -> Vec<u128> {
        let order = leaving_order(places, pairs, settings);
        choose(&order, excess, |_, _| Ok(())).out.iter().map(|id| id.uuid().as_u128()).collect()
    }

    #[test]
    fn core_157_a_count_is_the_budget() {
        assert_eq!(BudgetSettings::default().effective(20, 1.0), 20);
    }

    #[test]
    fn core_158_the_least_activation_leaves_first() {
        let (none, count) = (Interference::default(), BudgetSettings::default());
        assert_eq!(out(&places(&[800, 500, 200]), &none, &count, 1), [3]);
        assert_eq!(out(&places(&[300, 400, 700]), &none, &count, 2), [1, 2]);
    }

    #[test]
    fn ties_are_broken_by_importance_then_recency_then_id() {
        let mut three = places(&[500, 500, 500]);
        let none = Interference::default();
        assert_eq!(out(&three, &none, &BudgetSettings::default(), 3), [1, 2, 3]);
        three[0].touched = Timestamp(9);
        assert_eq!(out(&three, &none, &BudgetSettings::default(), 3), [2, 3, 1]);
        three[1].importance = 0.9;
        assert_eq!(out(&three, &none, &BudgetSettings::default(), 3), [3, 1, 2]);
    }

    #[test]
    fn core_159_who_may_not_leave_is_passed_over_with_the_reason() {
        let four = places(&[100, 200, 300, 400]);
        let order = leaving_order(&four, &Interference::default(), &BudgetSettings::default());
        let protected =
            |_: &[PropositionId], who| if who == id(1) { Err("it is pinned".to_owned()) } else { Ok(()) };
        let leaving = choose(&order, 1, protected);
        assert_eq!(leaving, Leaving { out: vec![id(2)], stay: vec![(id(1), "it is pinned".into())] });
        let counted =
            |out: &[PropositionId], _| if out.is_empty() { Ok(()) } else { Err("two must stay".into()) };
        assert_eq!(choose(&order, 3, counted).out, [id(1)], "the second would break what the first left");
    }

    #[test]
    fn core_160_161_density_shrinks_the_budget_and_never_to_nothing() {
        let settings = dense();
        let three = places(&[500, 500, 500]);
        assert_eq!(settings.effective(20, Interference::default().density(&three)), 20);
        let third = pairs(&[(1, 2)]).density(&three);
        assert!((third - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(settings.effective(20, third), 20);
        let whole = pairs(&[(1, 2), (2, 1)]).density(&places(&[500, 500]));
        assert_eq!((whole, settings.effective(20, whole)), (1.0, 10));
        assert_eq!(settings.effective(1, 1.0), 1);
    }

    #[test]
    fn core_162_the_cluster_gives_before_who_stands_alone() {
        let four = places(&[100, 500, 500, 50]);
        assert_eq!(out(&four, &pairs(&[(1, 2), (2, 3)]), &dense(), 1), [1]);
        assert_eq!(out(&four, &pairs(&[(1, 2), (2, 3)]), &dense(), 4), [1, 2, 3, 4], "then the rest");
    }

    #[test]
    fn core_163_without_clusters_the_least_leaves_and_protection_holds_inside_them() {
        assert_eq!(out(&places(&[300, 200, 400]), &Interference::default(), &dense(), 1), [2]);
        let three = places(&[100, 200, 300]);
        let order = leaving_order(&three, &pairs(&[(1, 2), (2, 3)]), &dense());
        let leaving =
            choose(&order, 1, |_, who| if who == id(1) { Err("it is CANON".into()) } else { Ok(()) });
        assert_eq!(leaving.out, [id(2)]);
    }

    #[test]
    fn core_164_density_and_clusters() {
        assert_eq!(pairs(&[(1, 2), (2, 3), (1, 3)]).density(&places(&[1, 1, 1])), 1.0);
        let five = places(&[1, 1, 1, 1, 1]);
        let clusters = pairs(&[(4, 5), (1, 2), (9, 1)]).clusters(&five);
        assert_eq!(clusters, [BTreeSet::from([id(1), id(2)]), BTreeSet::from([id(4), id(5)])]);
    }

    #[test]
    fn prop_budget_density_warning_threshold_decides_when_a_report_warns() {
        let eager = BudgetSettings { density_warning_threshold: 0.3, ..dense() };
        assert!(eager.warning(0.4).is_some_and(|words| words.contains("40 %")));
        assert_eq!(dense().warning(0.4), None);
        assert_eq!(BudgetSettings::default().warning(1.0), None, "a count does not look at density");
    }

    #[test]
    fn prop_budget_density_reduction_threshold_and_density_reduction_factor_shape_the_budget() {
        assert_eq!(dense().effective(20, 0.7), 20);
        assert_eq!(BudgetSettings { density_reduction_threshold: 0.7, ..dense() }.effective(20, 0.7), 13);
        assert_eq!(BudgetSettings { density_reduction_factor: 1.0, ..dense() }.effective(20, 0.9), 1);
        let wrong = BudgetSettings { density_reduction_factor: 1.5, ..dense() };
        assert_eq!(
            wrong.validate(),
            Err("budget.density_reduction_factor must be 0 to 1, got 1.5".to_owned())
        );
    }
}
