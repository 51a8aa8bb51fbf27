//! The plan of a sweep: five steps on one state, planned as data, checked, and committed by `run` (core 10.3; core 15 G18).
//!
//! 1. *Audit*: every unit gets a score (`audit`); the model's where it was asked. In a full sweep rules look for contradictions
//!    between units first, in place of the predecessor's logic engine; of two that cannot both hold the one with less authority scores 0,
//!    and where both have the same, neither does and the report says so.
//! 2. *Refresh*: who does well gains activation, who does badly loses some; trust is evaluated anew where it is in doubt.
//! 3. *Consolidate*: two units that say the same become one with the evidence of both. A RELIABLE unit that has stood long and well
//!    is proposed as CANON: a question in the inbox, which a person alone answers.
//! 4. *Prune*: by the scores of step 1. Below the hard threshold a unit is archived; below the soft one, under pressure, it pays a penalty
//!    first, as the founding document has it, and is archived once it has nothing left to pay, as the predecessor does at once.
//! 5. *Validate*: what is left is held against what was there. If a protected unit or a level has changed, nothing is written.
//!
//! Every change asks the guard. What it stops is listed and counted as stopped, never as done.

use std::collections::{BTreeMap, BTreeSet};

use super::attention::{Attention, SignalKind};
use super::audit::{self, Prune, Refresh, audit_score};
use super::report::{AuditedUnit, SweepBlock, SweepEffect, SweepStep};
use super::settings::ProactiveSettings;
use crate::id::{InboxId, PropositionId};
use crate::inbox::{Asker, InboxKind, may_be_proposed, plan_request};
use crate::maintenance::absorbed;
use crate::proposition::Status;
use crate::text::Texts;
use crate::trust::{SourceRegistry, TrustInput, evaluate};
use crate::unit::{Action, ArchiveReason, Authority, Change, Objection, UnitPlan, UnitView};

/// The name under which sweeps move units.
pub(super) const SWEEP: &str = "maintenance sweep";

/// What is known when a sweep is planned.
pub(super) struct Look<'a> {
    pub(super) pressure: f64,
    pub(super) turn: u32,
    /// The turns of each unit's last use and first promotion.
    pub(super) ages: &'a BTreeMap<PropositionId, (u32, u32)>,
    pub(super) attention: &'a Attention,
    /// What the model said.
    pub(super) scores: &'a BTreeMap<PropositionId, f64>,
    /// Pairs that rules found to be opposed, and why.
    pub(super) opposed: &'a [(PropositionId, PropositionId, String)],
    /// Pairs that say the same, and why.
    pub(super) same: &'a [(PropositionId, PropositionId, String)],
}

impl Look<'_> {
    fn used(&self, unit: PropositionId) -> u32 {
        self.ages.get(&unit).map_or(self.turn, |(used, _)| *used)
    }
    /// User turns since it was first promoted.
    fn age(&self, unit: PropositionId) -> u32 {
        self.ages.get(&unit).map_or(0, |(_, promoted)| self.turn.saturating_sub(*promoted))
    }
}

/// What a sweep planned.
#[derive(Debug, Default)]
pub(super) struct Swept {
    pub(super) audited: Vec<AuditedUnit>,
    pub(super) effects: Vec<SweepEffect>,
    pub(super) blocked: Vec<SweepBlock>,
    pub(super) merged: Vec<(PropositionId, PropositionId)>,
    pub(super) proposed: Vec<InboxId>,
    pub(super) violations: Vec<Objection>,
    pub(super) notes: Vec<String>,
    /// Why what was planned must not be written.
    pub(super) broken: Vec<String>,
    pub(super) left: u32,
}

impl Swept {
    fn take(&mut self, step: SweepStep, planned: Result<Change, Objection>) {
        match planned {
            Ok(change) => {
                self.violations.extend(change.warnings.iter().cloned());
                if change.is_something() {
                    self.effects.push(SweepEffect { step, change });
                }
            }
            Err(objection) => self.blocked.push(SweepBlock { step, objection }),
        }
    }
}

/// The scores of the rules, lowest first: what `run` asks the model about, and step 1.
pub(super) fn scores_of_rules(
    views: &[UnitView],
    look: &Look<'_>,
    settings: &ProactiveSettings,
) -> Vec<AuditedUnit> {
    let horizon = settings.min_turns_between_sweeps;
    let score = |view: &UnitView| {
        let unit = view.id();
        let idle = look.turn.saturating_sub(look.used(unit));
        let dropped = look.attention.unit(unit).is_some_and(|window| window.has(SignalKind::HeatDrop));
        let used = if dropped { look.turn.saturating_sub(idle.max(horizon)) } else { look.used(unit) };
        // A drop in the first turns cannot reach back behind turn 0.
        let turn = if dropped { look.turn.max(horizon) } else { look.turn };
        AuditedUnit {
            unit,
            score: audit_score(turn, used, view.activation, view.tier, horizon),
            by_rules: None,
            idle_turns: idle,
            why: if dropped { "attention has dropped: it counts as unused".into() } else { String::new() },
        }
    };
    let mut audited: Vec<AuditedUnit> = views.iter().map(score).collect();
    audited.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.unit.cmp(&b.unit)));
    audited
}

/// Plans a whole sweep into the plan's scope; `next_id` names the questions.
pub(super) fn sweep(plan: &UnitPlan<'_>, look: &Look<'_>, next_id: &mut dyn FnMut() -> InboxId) -> Swept {
    let before = plan.set();
    let mut swept = Swept::default();
    audit_all(plan, look, &before, &mut swept);
    let scores: BTreeMap<PropositionId, f64> =
        swept.audited.iter().map(|audited| (audited.unit, audited.score)).collect();
    refresh(plan, look, &before, &scores, &mut swept);
    merge(plan, look, &before, &mut swept);
    propose(plan, look, &scores, &mut swept, next_id);
    prune(plan, look, &scores, &mut swept);
    validate(plan, &before, &mut swept);
    swept
}

fn audit_all(plan: &UnitPlan<'_>, look: &Look<'_>, before: &[UnitView], swept: &mut Swept) {
    let settings = &plan.config.maintenance.proactive;
    swept.audited = scores_of_rules(before, look, settings);
    let authority: BTreeMap<PropositionId, Authority> =
        before.iter().map(|view| (view.id(), view.authority)).collect();
    let mut flagged: BTreeMap<PropositionId, String> = BTreeMap::new();
    for (a, b, why) in look.opposed {
        let (Some(x), Some(y)) = (authority.get(a), authority.get(b)) else { continue };
        match x.cmp(y) {
            std::cmp::Ordering::Less => drop(flagged.insert(*a, why.clone())),
            std::cmp::Ordering::Greater => drop(flagged.insert(*b, why.clone())),
            std::cmp::Ordering::Equal => swept.notes.push(format!(
                "{a} and {b} cannot both hold ({why}); both are {}, so neither is put before the other",
                x.as_str()
            )),
        }
    }
    for audited in &mut swept.audited {
        let of_rules = audited.score;
        if let Some(why) = flagged.get(&audited.unit) {
            audited.score = 0.0;
            audited.why = format!("it stands against a unit with more authority: {why}");
        } else if let Some(score) = look.scores.get(&audited.unit) {
            audited.score = *score;
            audited.why = "the model's score".into();
        } else {
            continue;
        }
        audited.by_rules = Some(of_rules);
    }
    swept.audited.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.unit.cmp(&b.unit)));
}

fn refresh(
    plan: &UnitPlan<'_>,
    look: &Look<'_>,
    before: &[UnitView],
    scores: &BTreeMap<PropositionId, f64>,
    swept: &mut Swept,
) {
    let settings = &plan.config.maintenance.proactive;
    let (mut registry, texts): (Option<SourceRegistry>, _) = (None, Texts::default());
    for view in before {
        let id = view.id();
        let score = scores.get(&id).copied().unwrap_or_default();
        let (attention, activation) = (look.attention.unit(id), i64::from(view.activation.get()));
        match audit::refresh(score, attention) {
            Refresh::Boost => {
                let to = activation + i64::from(settings.rank_boost_amount);
                swept.take(SweepStep::Refresh, plan.set_activation(id, to, "it does well"));
            }
            Refresh::Penalty if !view.is_protected() => {
                let to = activation - i64::from(settings.rank_penalty_amount);
                swept.take(SweepStep::Refresh, plan.set_activation(id, to, "it does badly"));
            }
            Refresh::Penalty | Refresh::Leave => {}
        }
        if audit::is_in_doubt(score, attention) {
            let registry = registry.get_or_insert_with(|| SourceRegistry::of(plan.state));
            let others = before.iter().map(|view| &view.proposition);
            let quality = plan.config.unit.quality_scoring.enabled;
            let input =
                TrustInput::new(plan.state, &view.proposition, others, registry, quality).reading(&texts);
            let audit = evaluate(&input, &plan.config.trust, SWEEP, plan.now);
            swept.take(SweepStep::Refresh, plan.assess(id, audit, "its score is in doubt"));
        }
    }
}

/// Who of two that say the same stays: protected, then authority, then activation, then the older one.
fn stays_first(a: &UnitView, b: &UnitView) -> std::cmp::Ordering {
    let rank = |view: &UnitView| (view.is_protected(), view.authority, view.activation);
    rank(b).cmp(&rank(a)).then(a.id().cmp(&b.id()))
}

fn merge(plan: &UnitPlan<'_>, look: &Look<'_>, before: &[UnitView], swept: &mut Swept) {
    let mut gone: BTreeSet<PropositionId> = BTreeSet::new();
    for (a, b, why) in look.same {
        if gone.contains(a) || gone.contains(b) {
            continue;
        }
        let of =
            |id: &PropositionId| before.iter().any(|view| view.id() == *id).then(|| plan.view(*id)).flatten();
        let (Some(a), Some(b)) = (of(a), of(b)) else { continue };
        let (stays, goes) = if stays_first(&a, &b).is_le() { (a, b) } else { (b, a) };
        let allowed = plan.check(Action::Archive, &goes).and_then(|_| plan.check(Action::Reinforce, &stays));
        let retired = goes.proposition.clone().with_status(Status::Superseded, plan.now);
        let retired = match (allowed, retired) {
            (Ok(_), Ok(retired)) => retired,
            (Err(objection), _) => {
                swept.blocked.push(SweepBlock { step: SweepStep::Consolidate, objection });
                continue;
            }
            (Ok(_), Err(error)) => {
                swept.notes.push(format!("{} was not merged: {error}", goes.id()));
                continue;
            }
        };
        let whole = absorbed(&stays.proposition, &goes.proposition, 0.0, plan.now);
        plan.scope.put(plan.state, whole, format!("takes over the evidence of another: {why}"));
        plan.scope.put(plan.state, retired, format!("another unit says the same: {why}"));
        match plan.merge(goes.id(), stays.id(), why) {
            Ok(changes) => {
                changes.map(Ok).into_iter().for_each(|done| swept.take(SweepStep::Consolidate, done))
            }
            Err(objection) => swept.take(SweepStep::Consolidate, Err(objection)),
        }
        swept.merged.push((goes.id(), stays.id()));
        gone.insert(goes.id());
    }
}

/// Asks whether RELIABLE units that have stood long and well, with much behind them, shall be CANON. What is about to leave is not
/// asked about.
fn propose(
    plan: &UnitPlan<'_>,
    look: &Look<'_>,
    scores: &BTreeMap<PropositionId, f64>,
    swept: &mut Swept,
    next_id: &mut dyn FnMut() -> InboxId,
) {
    let settings = &plan.config.maintenance.proactive;
    let asker = Asker::Policy { name: SWEEP.into() };
    for view in plan.set() {
        let (id, evidence) = (view.id(), view.unit.evidence().len());
        let (age, score) = (look.age(id), scores.get(&id).copied().unwrap_or_default());
        let stands = view.authority == Authority::Reliable
            && evidence >= settings.candidacy_min_reinforcements as usize
            && score >= settings.candidacy_min_audit_score
            && age >= settings.candidacy_min_age
            && audit::prune(score, look.pressure, look.attention.unit(id), settings) == Prune::Not;
        if !stands || !may_be_proposed(plan.state, &view) {
            continue;
        }
        let reason = format!(
            "{evidence} pieces of evidence stand behind it, it entered the working set {age} turns ago, and its score is {score:.2}"
        );
        let (kind, wish) = (InboxKind::Canonization, (&asker, reason.as_str()));
        let item = plan_request(plan.state, plan.scope, &view, kind, wish, plan.now, &mut *next_id);
        swept.proposed.extend(item.map(|item| item.id));
    }
}

fn prune(plan: &UnitPlan<'_>, look: &Look<'_>, scores: &BTreeMap<PropositionId, f64>, swept: &mut Swept) {
    let settings = &plan.config.maintenance.proactive;
    let penalty = i64::from(settings.rank_penalty_amount);
    for audited in swept.audited.clone() {
        let id = audited.unit;
        let Some(view) = plan.view(id).filter(|view| view.is_active() && !view.is_protected()) else {
            continue;
        };
        let score = scores.get(&id).copied().unwrap_or_default();
        let archive = |why: String| plan.archive(id, ArchiveReason::ProactiveMaintenance, None, &why);
        let planned = match audit::prune(score, look.pressure, look.attention.unit(id), settings) {
            Prune::Not => continue,
            Prune::Hard => {
                archive(format!("its score is {score:.2}, below {}", settings.hard_prune_threshold))
            }
            Prune::Soft if view.activation.get() <= plan.config.unit.min_rank => {
                archive(format!("its score is {score:.2} under pressure, and its activation is spent"))
            }
            Prune::Soft => {
                let to = i64::from(view.activation.get()) - penalty;
                plan.set_activation(id, to, &format!("its score is {score:.2} under pressure"))
            }
        };
        swept.take(SweepStep::Prune, planned);
    }
}

fn validate(plan: &UnitPlan<'_>, before: &[UnitView], swept: &mut Swept) {
    let after = plan.set();
    swept.left = u32::try_from(after.len()).unwrap_or(u32::MAX);
    let found = |id: PropositionId| after.iter().find(|view| view.id() == id);
    for view in before {
        let id = view.id();
        match found(id) {
            Some(now) if now.authority > view.authority => {
                swept.broken.push(format!("{id} would gain authority, which no sweep gives"));
            }
            Some(now) if view.is_protected() && now.authority != view.authority => {
                swept.broken.push(format!("{id} is protected and would lose authority"));
            }
            None if view.is_protected() => swept.broken.push(format!("{id} is protected and would leave")),
            _ => {}
        }
    }
    for (goes, stays) in &swept.merged {
        if found(*stays).is_none() {
            swept.broken.push(format!("{stays} took over from {goes} and would leave"));
        }
    }
}
