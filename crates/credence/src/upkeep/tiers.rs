//! Tiered storage: units served by tier (core 11.5). Off by default: every active unit is served as it is.
//!
//! On: HOT units come from a cache, WARM ones are derived anew, COLD ones are left out of what is assembled, while sweeps
//! see them all. Pinned and CANON units are never left out. A commit that touches a unit or its statement takes it out of the cache,
//! and so does its age.
//!
//! What it saves, plainly: here all state is in memory, so there is no second store to spare. A hit saves the derivation of a view
//! (two copies and the two exponentials of decay), and its activation is at most `ttl_minutes` old. The effect that
//! a person notices is that COLD units leave the prompt. [`TierStats`] says how often the cache was of use.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::history::{Commit, RecordId, State};
use crate::id::PropositionId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;
use crate::unit::{self, Tier, UnitView};

/// How the cache was used since the memory was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TierStats {
    /// Units in the cache.
    pub cached: u32,
    /// HOT units that came from it.
    pub hits: u64,
    /// Units that were derived.
    pub derived: u64,
    /// Cached units that had become too old.
    pub expired: u64,
    /// Cached units that gave up their place to others.
    pub evicted: u64,
}

/// The working set as it is served to assembly.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ServedUnits {
    /// The most activated first, the older first among equals.
    pub views: Vec<UnitView>,
    /// Active units that were left out because they are COLD, in order of id.
    pub cold: Vec<PropositionId>,
    /// How the cache has been used so far.
    pub stats: TierStats,
}

#[derive(Debug, Clone)]
struct Cached {
    view: UnitView,
    at: Timestamp,
}

/// The HOT units of one memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct TierCache {
    hot: BTreeMap<PropositionId, Cached>,
    stats: TierStats,
}

impl TierCache {
    /// Forgets what a commit touched.
    pub(crate) fn apply(&mut self, commit: &Commit) {
        for revision in &commit.revisions {
            if let RecordId::Unit(id) | RecordId::Proposition(id) = revision.record {
                self.hot.remove(&id);
            }
        }
    }
    /// Forgets all: other settings would derive other views.
    pub(crate) fn clear(&mut self) {
        self.hot.clear();
    }

    fn get(&mut self, id: PropositionId, ttl_ms: i64, now: Timestamp) -> Option<UnitView> {
        let cached = self.hot.get(&id)?;
        // A clock that was set back makes nothing fresh.
        if now.0.abs_diff(cached.at.0) > ttl_ms.unsigned_abs() {
            self.stats.expired += 1;
            self.hot.remove(&id);
            return None;
        }
        self.stats.hits += 1;
        Some(cached.view.clone())
    }

    fn put(&mut self, view: &UnitView, most: usize, now: Timestamp) {
        while self.hot.len() >= most.max(1) {
            let oldest = self.hot.iter().min_by_key(|(id, cached)| (cached.at, **id)).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            self.hot.remove(&oldest);
            self.stats.evicted += 1;
        }
        self.hot.insert(view.id(), Cached { view: view.clone(), at: now });
    }

    fn serve(&mut self, state: &State, now: Timestamp, config: &Config) -> ServedUnits {
        let settings = config.tiered_storage;
        if !settings.enabled {
            return ServedUnits { views: unit::active(state, now, config), ..ServedUnits::default() };
        }
        let ttl_ms = i64::from(settings.ttl_minutes) * 60_000;
        let mut served = ServedUnits::default();
        for unit in state.units().filter(|unit| unit.is_active()) {
            let id = unit.proposition;
            if let Some(view) = self.get(id, ttl_ms, now) {
                served.views.push(view);
                continue;
            }
            let Some(view) = unit::view(state, id, now, config).filter(UnitView::is_active) else { continue };
            self.stats.derived += 1;
            match view.tier {
                Tier::Cold if !view.is_protected() => {
                    served.cold.push(id);
                    continue;
                }
                Tier::Hot => self.put(&view, settings.max_cache_size as usize, now),
                Tier::Cold | Tier::Warm => {}
            }
            served.views.push(view);
        }
        served.views.sort_by_key(|view| (std::cmp::Reverse(view.activation), view.id()));
        self.stats.cached = u32::try_from(self.hot.len()).unwrap_or(u32::MAX);
        served.stats = self.stats;
        served
    }
}

impl<P: Ports> Memory<P> {
    /// The working set as the settings let it be served to a prompt: all of it, or by tier.
    pub fn served_units(&self) -> ServedUnits {
        let now = self.now().at;
        self.with_config(|config| self.serve_units(&self.state(), now, config))
    }
    /// The same, of a state and settings at hand.
    pub(crate) fn serve_units(&self, state: &State, now: Timestamp, config: &Config) -> ServedUnits {
        self.tier_cache().borrow_mut().serve(state, now, config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Actor, Cause, Log, Scope, ScopeInfo};
    use crate::id::{CommitId, ContextId};
    use crate::proposition::{Extractor, Proposition};
    use crate::scale::Confidence;
    use crate::unit::{Activation, Earned, Unit};
    use uuid::Uuid;

    fn id(n: u128) -> PropositionId {
        PropositionId::new(Uuid::from_u128(n))
    }
    /// Units numbered from 1 with these activations; the last one is pinned.
    fn log(activations: &[i64]) -> Log {
        let mut log = Log::default();
        let scope = Scope::new(ScopeInfo::new(Cause::Promotion, Actor::Engine, ""));
        for (n, activation) in activations.iter().enumerate() {
            let at = id(n as u128 + 1);
            let confidence = Confidence::clamped(0.9);
            let mut p =
                Proposition::new(at, "Nia sails.", confidence, Extractor::Rules, Timestamp(0)).unwrap();
            p.pinned = n + 1 == activations.len();
            scope.put(log.state(), p, "");
            let activation = Activation::clamped(*activation);
            let unit = Unit::promoted(at, activation, Earned::Reliable, None, Timestamp(0));
            scope.put(log.state(), unit, "");
        }
        push(&mut log, &scope);
        log
    }
    fn push(log: &mut Log, scope: &Scope) -> std::rc::Rc<Commit> {
        let id = CommitId::new(Uuid::from_u128(u128::from(log.state().seq()) + 1));
        let context = ContextId::new("t").unwrap();
        let commit = scope.to_commit(log.state(), &context, id, Timestamp(0)).unwrap();
        log.push(commit).unwrap()
    }
    fn on() -> Config {
        let mut config = Config::default();
        config.tiered_storage.enabled = true;
        config
    }
    fn ids(served: &ServedUnits) -> Vec<u128> {
        served.views.iter().map(|view| view.id().uuid().as_u128()).collect()
    }

    #[test]
    fn prop_tiered_storage_enabled_leaves_cold_units_out_of_what_is_served() {
        let log = log(&[200, 500, 800, 150]);
        let mut cache = TierCache::default();
        let off = cache.serve(log.state(), Timestamp(0), &Config::default());
        assert_eq!((ids(&off), off.stats), (vec![3, 2, 1, 4], TierStats::default()));
        let first = cache.serve(log.state(), Timestamp(0), &on());
        assert_eq!((ids(&first), first.cold.as_slice()), (vec![3, 2, 4], &[id(1)][..]), "a pin stays");
        let second = cache.serve(log.state(), Timestamp(1), &on());
        assert_eq!(ids(&second), ids(&first));
        assert_eq!((second.stats.hits, second.stats.cached, second.stats.derived), (1, 1, 7));
    }

    #[test]
    fn prop_tiered_storage_ttl_minutes_and_tiered_storage_max_cache_size() {
        let log = log(&[800, 810, 820]);
        let served = |cache: &mut TierCache, minutes: i64, config: &Config| {
            cache.serve(log.state(), Timestamp(minutes * 60_000), config).stats
        };
        let mut cache = TierCache::default();
        served(&mut cache, 0, &on());
        assert_eq!(served(&mut cache, 60, &on()).hits, 3);
        assert_eq!(served(&mut cache, 61, &on()).expired, 3, "an hour is the default");
        let mut short = on();
        short.tiered_storage.ttl_minutes = 5;
        let mut cache = TierCache::default();
        served(&mut cache, 0, &short);
        assert_eq!(served(&mut cache, 6, &short).expired, 3);
        let mut small = on();
        small.tiered_storage.max_cache_size = 2;
        let stats = served(&mut TierCache::default(), 0, &small);
        assert_eq!((stats.cached, stats.evicted), (2, 1));
    }

    #[test]
    fn a_commit_takes_what_it_touches_out_of_the_cache() {
        let mut log = log(&[800, 810]);
        let mut cache = TierCache::default();
        cache.serve(log.state(), Timestamp(0), &on());
        let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
        let mut p = log.state().proposition(id(1)).unwrap().clone();
        p.text = "Nia rows.".into();
        scope.put(log.state(), p, "");
        cache.apply(&push(&mut log, &scope));
        let served = cache.serve(log.state(), Timestamp(0), &on());
        assert_eq!(served.views[1].proposition.text, "Nia rows.");
        assert_eq!((served.stats.hits, served.stats.derived), (1, 3));
    }
}
