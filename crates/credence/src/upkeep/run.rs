//! When the working set is looked after, and the one commit that comes of it.
//!
//! After each run of analysis [`Memory::keep_up`] settles what time has changed (REACTIVE, HYBRID), tells what attention and pressure
//! have begun, and sweeps when pressure calls for it and enough turns have passed (PROACTIVE, HYBRID). A drift of attention since the last
//! sweep spares the wait: the units that were kept hot belong to a talk that has moved on. A sweep can be asked for at any time.
//!
//! What takes time comes first, in slices: pairs by rules, and in a full sweep the model, once. Planning asks nobody, so that it is
//! made again with the same answers when another writer was faster. A cancelled sweep writes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ask::Scores;
use super::attention::{Attention, SignalKind};
use super::audit;
use super::pressure::{Pressure, SweepKind};
use super::report::{SweepReport, SweepTrigger};
use super::settings::{PreFilter, PressureSettings, ProactiveSettings};
use super::sweep::{Look, SWEEP, Swept, scores_of_rules, sweep};
use crate::error::Error;
use crate::event::Event;
use crate::extraction::Cost;
use crate::history::{Actor, Cause, Scope, ScopeInfo};
use crate::id::{InboxId, PropositionId, SweepId};
use crate::llm::{Cancel, ChatModel, Role};
use crate::maintenance::{Running, Sameness, compare};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::revision::{Beside, Fresh, Readings, beside};
use crate::text::Texts;
use crate::time::Timestamp;
use crate::unit::{self, Mover, Settled, UnitPlan, UnitView};

/// What became of looking after the working set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptUp {
    /// What time had changed.
    pub settled: Settled,
    /// The sweep, where one was due.
    pub sweep: Option<SweepReport>,
}

/// Pairs of units and what rules found of them.
type Pairs = Vec<(PropositionId, PropositionId, String)>;

/// The sweep that is due, and why.
pub(super) fn due(
    pressure: &Pressure,
    drifted: Option<Timestamp>,
    swept: Option<(u32, Timestamp)>,
    settings: &ProactiveSettings,
    thresholds: &PressureSettings,
) -> Option<(SweepKind, SweepTrigger)> {
    let kind = pressure.calls_for(thresholds)?;
    let Some((turn, at)) = swept else { return Some((kind, SweepTrigger::Pressure)) };
    if pressure.turn.saturating_sub(turn) >= settings.min_turns_between_sweeps {
        Some((kind, SweepTrigger::Pressure))
    } else {
        drifted.filter(|since| *since > at).map(|_| (kind, SweepTrigger::Drift))
    }
}

impl<P: Ports> Memory<P> {
    /// The reports of every sweep, newest first.
    pub fn sweeps(&self) -> Vec<SweepReport> {
        self.state().sweeps().rev().cloned().collect()
    }

    /// The sweep that is due now, and why; whatever `maintenance.mode` says.
    pub fn sweep_due(&self) -> Option<(SweepKind, SweepTrigger)> {
        let (attention, pressure) = (self.attention(), self.pressure());
        let drift = attention.signals.iter().find(|signal| signal.kind == SignalKind::ClusterDrift);
        let swept = self.gauges().borrow().swept();
        self.with_config(|config| {
            let settings = &config.maintenance.proactive;
            due(&pressure, drift.map(|signal| signal.since), swept, settings, &config.pressure)
        })
    }

    /// Looks after the working set, as `maintenance.mode` has it. Called after each run of analysis; a host may call it whenever it
    /// is idle, since time alone changes what is due.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; store errors. While maintenance is under way there is no sweep, and that is no error.
    pub async fn keep_up(&self, cancel: &Cancel) -> Result<KeptUp, Error> {
        let mode = self.with_config(|config| config.maintenance.mode);
        let mut kept = KeptUp::default();
        self.keep_policy().await?;
        if self.state().units().next().is_none() {
            return Ok(kept);
        }
        if mode.settles() {
            kept.settled = self.settle_units().await?;
        }
        self.tell_upkeep(self.now().at);
        if mode.sweeps()
            && let Some((kind, trigger)) = self.sweep_due()
        {
            match self.run_sweep(kind, trigger, false, cancel).await {
                Ok(report) => kept.sweep = Some(report),
                Err(Error::MaintenanceBusy) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(kept)
    }

    /// [`Memory::keep_up`] behind a run whose own work is done: what fails here is told, and fails nothing else.
    pub(crate) async fn keep_up_after(&self, cancel: &Cancel) {
        match self.keep_up(cancel).await {
            Ok(_) | Err(Error::Cancelled) => {}
            Err(error) => self.emit(&Event::UpkeepFailed { reason: error.to_string() }),
        }
    }

    /// Sweeps the working set now; `dry` writes the report alone, with what would have been done.
    ///
    /// # Errors
    /// [`Error::MaintenanceBusy`] while another sweep or a maintenance run is under way; [`Error::Cancelled`]; store errors.
    pub async fn sweep(&self, kind: SweepKind, dry: bool, cancel: &Cancel) -> Result<SweepReport, Error> {
        self.run_sweep(kind, SweepTrigger::Asked, dry, cancel).await
    }

    async fn run_sweep(
        &self,
        kind: SweepKind,
        trigger: SweepTrigger,
        dry: bool,
        cancel: &Cancel,
    ) -> Result<SweepReport, Error> {
        if self.maintaining().replace(true) {
            return Err(Error::MaintenanceBusy);
        }
        let _running = Running(self.clone());
        let mut cost = Cost::default();
        let scores = self.scores(kind, &mut cost, cancel).await?;
        let id = SweepId::new(self.next_id());
        loop {
            let (now, config) = (self.now().at, self.config());
            let (opposed, same) = self.compare_units(kind, now, cancel).await?;
            let (pressure, attention, ages) = self.read_gauges(now);
            let what = if dry { "sweep of the working set, dry run" } else { "sweep of the working set" };
            let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, what).with_id("sweep", id);
            let scope = self.scope(info);
            let report = {
                let state = self.state().clone();
                let draft = Scope::new(ScopeInfo::new(Cause::Maintenance, Actor::Engine, ""));
                let (context, mover) = (self.context(), Mover::Policy(SWEEP));
                let plan = UnitPlan { state: &state, scope: &draft, config: &config, context, now, mover };
                let look = Look {
                    pressure: pressure.score,
                    turn: pressure.turn,
                    ages: &ages,
                    attention: &attention,
                    scores: &scores.by_unit,
                    opposed: &opposed,
                    same: &same,
                };
                let swept = sweep(&plan, &look, &mut || InboxId::new(self.next_id()));
                if !dry && swept.broken.is_empty() {
                    for change in draft.drafts() {
                        match change.value {
                            Some(record) => scope.put(&state, record, change.why),
                            None => scope.remove(&state, change.record, change.why),
                        }
                    }
                }
                let report = report(id, now, (kind, trigger, dry), &pressure, swept, &scores, &cost);
                scope.put(&state, report.clone(), report.summary());
                report
            };
            match self.commit(&scope).await {
                Ok(_) => return Ok(report),
                // Another writer has swept meanwhile: what called for it is done, and is not done twice.
                Err(Error::Conflict { .. })
                    if trigger != SweepTrigger::Asked && self.sweep_due().is_none() =>
                {
                    return Err(Error::MaintenanceBusy);
                }
                // Somebody changed what the plan was decided on: plan again, with the same answers of the model.
                Err(Error::Conflict { .. }) => {}
                Err(other) => return Err(other),
            }
        }
    }

    fn read_gauges(&self, now: Timestamp) -> (Pressure, Attention, BTreeMap<PropositionId, (u32, u32)>) {
        let gauges = self.gauges().borrow();
        self.with_config(|config| (gauges.pressure(config), gauges.attention(config, now), gauges.ages()))
    }

    /// The model's scores of what rules leave open; none where it is not asked. A failed call leaves the scores of the rules.
    async fn scores(&self, kind: SweepKind, cost: &mut Cost, cancel: &Cancel) -> Result<Scores, Error> {
        let config = self.config();
        let settings = &config.maintenance.proactive;
        let mut scores = Scores::default();
        if kind == SweepKind::Light || !settings.llm_audit_enabled {
            return Ok(scores);
        }
        if !self.ports().chat().is_connected(Role::Revise) {
            scores.notes.push("no model is connected: the scores are those of the rules".into());
            return Ok(scores);
        }
        let now = self.now().at;
        let views = unit::active(&self.state(), now, &config);
        let (pressure, attention, ages) = self.read_gauges(now);
        let (opposed, same, none) = (Vec::new(), Vec::new(), BTreeMap::new());
        let look = Look {
            pressure: pressure.score,
            turn: pressure.turn,
            ages: &ages,
            attention: &attention,
            scores: &none,
            opposed: &opposed,
            same: &same,
        };
        let audited = scores_of_rules(&views, &look, settings);
        let is_open = |view: &&UnitView| {
            let found = audited.iter().find(|audited| audited.unit == view.id());
            found.is_some_and(|audited| audit::is_open(audited.score, kind, settings))
        };
        let open: Vec<&UnitView> = views.iter().filter(is_open).collect();
        if open.is_empty() {
            return Ok(scores);
        }
        match self.ask_scores(&open, cost, cancel).await {
            Ok(found) => Ok(found),
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(error) => {
                scores.notes.push(format!("the model could not be asked, the rules' scores stand: {error}"));
                Ok(scores)
            }
        }
    }

    /// Pairs of active units that cannot both hold, in a full sweep, and pairs that say the same.
    async fn compare_units(
        &self,
        kind: SweepKind,
        now: Timestamp,
        cancel: &Cancel,
    ) -> Result<(Pairs, Pairs), Error> {
        let config = self.config();
        let views = unit::active(&self.state(), now, &config);
        let filters = kind == SweepKind::Full && config.maintenance.proactive.pre_filter == PreFilter::Rules;
        let (mut opposed, mut same, texts) = (Pairs::new(), Pairs::new(), Texts::default());
        let readings = Readings::new(config.schema(), &texts);
        let mut slices = self.slices(Some(cancel));
        slices.rest().await?;
        for (n, a) in views.iter().enumerate() {
            let x = &a.proposition;
            let fresh = Fresh::reading(x, &readings);
            for b in &views[n + 1..] {
                let y = &b.proposition;
                if let Sameness::Same(why) = compare(x, y, &texts) {
                    same.push((a.id(), b.id(), why));
                } else if filters && let Beside::Opposed { opposition, .. } = beside(&fresh, y) {
                    opposed.push((a.id(), b.id(), opposition.reason));
                }
                slices.rest_small().await?;
            }
        }
        Ok((opposed, same))
    }
}

fn report(
    id: SweepId,
    at: Timestamp,
    (kind, trigger, dry): (SweepKind, SweepTrigger, bool),
    pressure: &Pressure,
    swept: Swept,
    scores: &Scores,
    cost: &Cost,
) -> SweepReport {
    let mut notes = scores.notes.clone();
    notes.extend(cost.notes.iter().cloned());
    notes.extend(swept.notes);
    if dry && !swept.proposed.is_empty() {
        // A question that was not written has no name to be found by.
        notes.push(format!("CANON would be proposed for {}", swept.proposed.len()));
    }
    let rolled_back = !swept.broken.is_empty();
    SweepReport {
        id,
        at,
        kind,
        trigger,
        dry,
        turn: pressure.turn,
        pressure: pressure.score,
        audited: swept.audited,
        // What was not written was not done.
        effects: if rolled_back { Vec::new() } else { swept.effects },
        blocked: swept.blocked,
        merged: if rolled_back { Vec::new() } else { swept.merged },
        proposed: if rolled_back || dry { Vec::new() } else { swept.proposed },
        violations: swept.violations,
        left: if rolled_back { pressure.active } else { swept.left },
        rolled_back: swept.broken,
        calls: cost.calls,
        prompt_tokens: cost.prompt_tokens,
        completion_tokens: cost.completion_tokens,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(score: f64, turn: u32) -> Pressure {
        Pressure { score, turn, ..Pressure::default() }
    }

    #[test]
    fn core_215_when_a_sweep_is_due() {
        let (settings, thresholds) = (ProactiveSettings::default(), PressureSettings::default());
        let due = |pressure: Pressure, swept: Option<u32>| {
            due(&pressure, None, swept.map(|turn| (turn, Timestamp(50))), &settings, &thresholds).is_some()
        };
        assert!(due(at(0.5, 15), None));
        assert!(!due(at(0.2, 15), None));
        assert!(!due(at(0.5, 10), Some(5)));
        assert!(due(at(0.5, 15), Some(5)));
        let off = PressureSettings { enabled: false, ..thresholds };
        assert_eq!(
            super::due(&at(0.9, 15), None, None, &settings, &off),
            None,
            "a gauge that is off calls for nothing"
        );
    }

    #[test]
    fn a_drift_since_the_last_sweep_spares_the_wait() {
        let (settings, thresholds) = (ProactiveSettings::default(), PressureSettings::default());
        let due = |since| {
            let swept = Some((5, Timestamp(50)));
            due(&at(0.9, 6), Some(Timestamp(since)), swept, &settings, &thresholds)
        };
        assert_eq!(due(60), Some((SweepKind::Full, SweepTrigger::Drift)));
        assert_eq!(due(40), None, "that one was swept for");
    }

    #[test]
    fn prop_maintenance_proactive_min_turns_between_sweeps_spaces_them() {
        let thresholds = PressureSettings::default();
        let due = |between| {
            let settings =
                ProactiveSettings { min_turns_between_sweeps: between, ..ProactiveSettings::default() };
            due(&at(0.5, 10), None, Some((5, Timestamp(0))), &settings, &thresholds).is_some()
        };
        assert!(due(5) && !due(6));
    }
}
