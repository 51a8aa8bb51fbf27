//! What every pass looks at: one state with what the passes before it have planned, one instant, one set of numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::policy::DecayStatusPolicy;
use super::report::{MarkOutcome, Pass, RunReport};
use super::settings::MaintenanceConfig;
use crate::history::State;
use crate::id::PropositionId;
use crate::proposition::{DecayRule, Proposition, Status, effective_confidence};
use crate::time::Timestamp;

/// Every statement as the run would leave it so far.
pub(crate) type World = BTreeMap<PropositionId, Proposition>;

/// Every statement of a state.
pub(crate) fn world(state: &State) -> World {
    state.propositions().map(|p| (p.id, p.clone())).collect()
}

/// What a pass decides on.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) state: &'a State,
    pub(crate) world: &'a World,
    pub(crate) config: &'a MaintenanceConfig,
    pub(crate) rule: DecayRule,
    pub(crate) now: Timestamp,
}

impl<'a> Look<'a> {
    /// ACTIVE statements, in order of creation. PROMOTED ones are held by the working set and are not swept (dice 6.9).
    pub(crate) fn active(&self) -> impl Iterator<Item = &'a Proposition> + use<'a> {
        self.world.values().filter(|p| p.status == Status::Active)
    }
    pub(crate) fn effective(&self, p: &Proposition) -> f64 {
        effective_confidence(p, self.now, self.rule)
    }
    pub(crate) fn policy(&self) -> DecayStatusPolicy {
        DecayStatusPolicy::of(self.config)
    }
    /// When this pass was last done in full; what has not been touched since need not meet each other again.
    pub(crate) fn last_done(&self, pass: Pass) -> Option<Timestamp> {
        let whole = |run: &&RunReport| {
            !run.dry
                && run.pass(pass).is_some_and(|report| report.skipped.is_none() && report.error.is_none())
        };
        self.state.runs().rev().find(whole).map(|run| run.at)
    }
    /// Whether a statement was touched since this pass was last done.
    pub(crate) fn is_fresh(&self, p: &Proposition, since: Option<Timestamp>) -> bool {
        since.is_none_or(|since| p.last_touched() > since || p.created >= since)
    }
    /// Statements that a live one has replaced, contradicts or covers: time alone does not bring these back.
    pub(crate) fn replaced(&self) -> BTreeSet<PropositionId> {
        let live = self.world.values().filter(|p| p.status.is_live());
        live.flat_map(|p| p.temporal.supersedes.iter().chain(&p.temporal.contradicts).copied()).collect()
    }
    /// Statements that a sweep made stale because they had faded, and that nobody has touched since.
    pub(crate) fn faded(&self) -> BTreeSet<PropositionId> {
        let mut last: BTreeMap<PropositionId, Timestamp> = BTreeMap::new();
        for run in self.state.runs().filter(|run| !run.dry) {
            for mark in run.marks().filter(|mark| mark.key == super::collector::STALE) {
                if mark.outcome == (MarkOutcome::Transitioned { to: Status::Stale }) {
                    last.insert(mark.proposition, run.at);
                }
            }
        }
        let untouched = |(id, at): &(PropositionId, Timestamp)| {
            self.world.get(id).is_some_and(|p| p.metadata_revised == *at)
        };
        last.into_iter().filter(untouched).map(|(id, _)| id).collect()
    }
}
