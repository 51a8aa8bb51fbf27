//! Runs: look at one snapshot, let every pass plan on top of the ones before it, land as one commit with the report.
//!
//! What takes time comes first: nearness and the model are asked on the snapshot. Planning asks nobody after that, so that it
//! can be done again, with the same answers, when another writer was faster. All of it goes in slices (`memory::slices`), on
//! snapshots. A pass that fails is recorded and the others go on; a cancelled run writes nothing. One run at a time a memory.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::abstraction;
use super::collector::{self, CustomMark, Meeting};
use super::compose::{Composer, Planned};
use super::contradiction::{self, Pair, pair};
use super::judge::Material;
use super::look::{Look, World, world};
use super::report::{Mark, MarkOutcome, Pass, PassReport, RunReport, RunTrigger};
use super::session;
use super::settings::MaintenanceConfig;
use crate::error::Error;
use crate::extraction::Cost;
use crate::history::{Actor, Cause, Scope, ScopeInfo, State};
use crate::id::{InboxId, PropositionId, RunId};
use crate::llm::Cancel;
use crate::memory::{Memory, Slices};
use crate::ports::Ports;
use crate::proposition::Status;

/// Steps of a run.
const STEPS: u32 = 3;

/// What a run shall do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MaintenanceOptions {
    /// Writes the report alone: what would have been done.
    pub dry_run: bool,
    /// The passes to take, whatever the settings say; `None`: those of the settings.
    pub passes: Option<BTreeSet<Pass>>,
    /// The caller's own reasons against statements.
    pub custom: Vec<CustomMark>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaintenanceProgress {
    /// Steps done: looking around and asking, which takes longest; planning; writing.
    pub done: u32,
    /// Steps in all.
    pub total: u32,
}

/// What became of a wish for a cycle.
#[derive(Debug, Clone, PartialEq)]
pub enum Consolidation {
    /// It ran.
    Ran(Rc<RunReport>),
    /// Too little was learned since the last one.
    NotDue {
        /// ACTIVE statements more or fewer than after the last cycle.
        growth: u32,
        /// What makes one due.
        needed: u32,
    },
    /// Cycles that start by themselves are off in the settings.
    Off,
}

/// Ends the run's claim on the memory however the run ends, also when its future is dropped.
pub(crate) struct Running<P: Ports>(pub(crate) Memory<P>);

impl<P: Ports> Drop for Running<P> {
    fn drop(&mut self) {
        self.0.maintaining().set(false);
    }
}

impl<P: Ports> Memory<P> {
    /// The reports of every run, newest first.
    pub fn runs(&self) -> Vec<RunReport> {
        self.state().runs().rev().cloned().collect()
    }

    /// What the collector would mark now: what has faded, what is there twice, what the caller has reasons against. By rules
    /// alone; writes nothing.
    pub fn collect(&self, custom: &[CustomMark]) -> Vec<Mark> {
        let config = self.config().maintenance;
        let state = self.state();
        let world = world(&state);
        let look = self.look(&state, &world, &config);
        let scope = Scope::new(ScopeInfo::new(Cause::Maintenance, Actor::Engine, ""));
        let mut composer = Composer::new(&state, &scope, config.hard_delete, look.now);
        // Every strategy marks what it sees now: one statement can have several reasons against it.
        let mut meeting = Meeting::default();
        look.active().for_each(|p| meeting.add(p));
        composer.take(collector::duplicates(&look, &meeting, &[], &crate::text::Texts::default()));
        composer.take(collector::decay_sweep(&look));
        composer.take(collector::custom(&look, custom));
        let (mut reports, _) = composer.finish();
        only_marked(&mut reports);
        reports.into_iter().flat_map(|report| report.marks).collect()
    }

    /// One maintenance run.
    ///
    /// # Errors
    /// [`Error::MaintenanceBusy`] while another is under way; [`Error::Cancelled`] when nothing was written because the
    /// caller cancelled; store errors. A model's failure is an error of its pass, in the report.
    pub async fn maintain(
        &self,
        options: &MaintenanceOptions,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(MaintenanceProgress),
    ) -> Result<Rc<RunReport>, Error> {
        self.run_maintenance(options, RunTrigger::Asked, cancel, on_progress).await
    }

    /// A cycle, now: every pass of the settings.
    ///
    /// # Errors
    /// As [`Memory::maintain`].
    pub async fn consolidate_now(
        &self,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(MaintenanceProgress),
    ) -> Result<Rc<RunReport>, Error> {
        self.maintain(&MaintenanceOptions::default(), cancel, on_progress).await
    }

    /// A cycle, if one is due: for a host to call whenever it is idle.
    ///
    /// # Errors
    /// As [`Memory::maintain`].
    pub async fn consolidate(
        &self,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(MaintenanceProgress),
    ) -> Result<Consolidation, Error> {
        let config = self.config().maintenance;
        if !config.automatic {
            return Ok(Consolidation::Off);
        }
        let (growth, needed) = (self.growth(), config.trigger_growth);
        if growth < needed {
            return Ok(Consolidation::NotDue { growth, needed });
        }
        let options = MaintenanceOptions::default();
        self.run_maintenance(&options, RunTrigger::Growth, cancel, on_progress).await.map(Consolidation::Ran)
    }

    /// ACTIVE statements more or fewer than after the last cycle; all of them before the first.
    pub fn growth(&self) -> u32 {
        let state = self.state();
        let active = count(state.propositions().filter(|p| p.status == Status::Active).count());
        active.abs_diff(state.runs().rev().find(|run| run.cycle).map_or(0, |run| run.active))
    }

    pub(super) fn look<'a>(
        &self,
        state: &'a State,
        world: &'a World,
        config: &'a MaintenanceConfig,
    ) -> Look<'a> {
        Look { state, world, config, rule: self.decay_rule(), now: self.now().at }
    }

    async fn run_maintenance(
        &self,
        options: &MaintenanceOptions,
        trigger: RunTrigger,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(MaintenanceProgress),
    ) -> Result<Rc<RunReport>, Error> {
        if self.maintaining().replace(true) {
            return Err(Error::MaintenanceBusy);
        }
        let _running = Running(self.clone());
        let config = self.config().maintenance;
        let mut passes = options.passes.clone().unwrap_or_else(|| config.passes.clone());
        if options.custom.is_empty() {
            passes.remove(&Pass::Custom);
        } else {
            passes.insert(Pass::Custom);
        }
        let total = STEPS;
        let mut done = 0;
        let mut step = |on_progress: &mut dyn FnMut(MaintenanceProgress)| {
            done += 1;
            on_progress(MaintenanceProgress { done: done.min(total), total });
        };
        let mut cost = Cost::default();
        let mut material = Material::default();
        let mut slices = self.slices(Some(cancel));
        self.gather(&passes, &config, &mut material, &mut cost, cancel, &mut slices).await?;
        step(on_progress);
        let id = RunId::new(self.next_id());
        loop {
            slices.rest().await?;
            let what = if options.dry_run { "maintenance, dry run" } else { "maintenance" };
            let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, what).with_id("run", id);
            let scope = self.scope(info);
            let report = {
                let state = self.state().clone();
                let now = self.now().at;
                let draft = Scope::new(ScopeInfo::new(Cause::Maintenance, Actor::Engine, ""));
                let target = if options.dry_run { &draft } else { &scope };
                let mut composer = Composer::new(&state, target, config.hard_delete, now);
                for pass in &passes {
                    let look = Look { now, ..self.look(&state, composer.world(), &config) };
                    let planned =
                        self.plan_pass(*pass, &look, &composer, &material, options, &mut slices).await?;
                    composer.take(planned);
                    slices.rest().await?;
                }
                let (mut reports, active) = composer.finish();
                if options.dry_run {
                    only_marked(&mut reports);
                }
                let report = RunReport {
                    id,
                    at: now,
                    trigger,
                    dry: options.dry_run,
                    cycle: !options.dry_run && options.passes.is_none(),
                    active,
                    passes: reports,
                    judged: material.settled(|pass| !options.dry_run && passes.contains(&pass)),
                    calls: cost.calls,
                    prompt_tokens: cost.prompt_tokens,
                    completion_tokens: cost.completion_tokens,
                    notes: cost.notes.clone(),
                };
                scope.put(&state, report.clone(), "");
                report
            };
            step(on_progress);
            match self.commit(&scope).await {
                Ok(_) => {
                    step(on_progress);
                    return Ok(Rc::new(report));
                }
                // Somebody changed what the plan was decided on: plan again, with the same answers of the model.
                Err(Error::Conflict { .. }) => {}
                Err(other) => return Err(other),
            }
        }
    }

    async fn plan_pass(
        &self,
        pass: Pass,
        look: &Look<'_>,
        composer: &Composer<'_>,
        material: &Material,
        options: &MaintenanceOptions,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<Planned, Error> {
        let mut proposition_id = || PropositionId::new(self.next_id());
        let mut planned = match pass {
            Pass::SessionConsolidation => {
                session::consolidate(look, &material.texts, &mut proposition_id, slices).await?
            }
            Pass::Duplicates => {
                let mut meeting = Meeting::default();
                for p in look.active() {
                    meeting.add(p);
                    slices.rest_small().await?;
                }
                collector::duplicates(look, &meeting, &material.identical(), &material.texts)
            }
            Pass::Abstraction => abstraction::raise(look, &material.above, &mut proposition_id),
            Pass::ContradictionResolution => {
                let mut inbox_id = || InboxId::new(self.next_id());
                // What an earlier pass absorbed is compared as what stands for it.
                let now = |(a, b): &Pair| pair(composer.standing_for(*a), composer.standing_for(*b));
                let mut near: BTreeSet<Pair> = BTreeSet::new();
                for pair in &material.near {
                    near.extend(Some(now(pair)).filter(|(a, b)| a != b));
                    slices.rest_small().await?;
                }
                let judged = material.judged.iter().map(|(pair, said)| (now(pair), said.clone())).collect();
                let schema = self.with_config(|config| config.schema().clone());
                contradiction::resolve(look, &near, &judged, &material.texts, &schema, &mut inbox_id, slices)
                    .await?
            }
            Pass::DecaySweep => collector::decay_sweep(look),
            Pass::Custom => collector::custom(look, &options.custom),
        };
        planned.report.error = material.errors.get(&pass).cloned();
        planned.report.skipped = planned.report.skipped.or_else(|| material.skipped.get(&pass).cloned());
        planned.report.notes.extend(material.notes.get(&pass).into_iter().flatten().cloned());
        Ok(planned)
    }
}

/// A dry run's marks: nothing was written.
fn only_marked(reports: &mut [PassReport]) {
    for mark in reports.iter_mut().flat_map(|report| &mut report.marks) {
        if !matches!(mark.outcome, MarkOutcome::Skipped { .. }) {
            mark.outcome = MarkOutcome::Marked;
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
