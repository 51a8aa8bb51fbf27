//! Gauges: what upkeep reads off the log, kept in step with it commit by commit. A memory that is opened again folds the same
//! commits and so has the same gauges; nothing of this is stored.
//!
//! What counts: a new user turn of a chat is a turn. A statement that an analysis or a promotion found to stand against an active
//! unit is a conflict, once a turn for the same two. New evidence is a reinforcement and a use. A lost level is a demotion
//! unless a person took it. A summary is a compaction. Other authority or another tier is an event like any other. A unit that leaves
//! takes its marks with it. Tiers are those of the settings in force when the commit was folded.

use std::collections::{BTreeMap, BTreeSet};

use super::attention::{Attention, MarkKind, Marks, SignalKind};
use super::pressure::{Pressure, SweepKind, Turns};
use super::signal::UpkeepSignal;
use crate::config::Config;
use crate::conversation::{Origin, Speaker};
use crate::extraction::{AnalysisReport, OutcomeKind};
use crate::history::{Actor, Cause, Commit, Record, RecordId};
use crate::id::{ConversationId, PropositionId};
use crate::time::Timestamp;
use crate::unit::{Activation, Authority, TierSettings, Unit};

/// What is known of a unit from its last revision, and what happened around it.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    authority: Authority,
    activation: Activation,
    evidence: usize,
    /// Whether the unit itself is in the working set.
    active: bool,
    /// Whether its statement is believed.
    live: bool,
    marks: Marks,
    /// The turn of its first promotion.
    promoted: u32,
    /// The last turn in which it was promoted, woken, or gained evidence.
    used: u32,
}

impl Trace {
    fn is_active(&self) -> bool {
        self.active && self.live
    }
}

/// A signal of its unit, or a breach: what was told, so that it is told once.
type Told = BTreeMap<(Option<PropositionId>, Option<SignalKind>, Option<SweepKind>), (Timestamp, u32)>;

/// See the module's page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gauges {
    units: BTreeMap<PropositionId, Trace>,
    turns: Turns,
    chats: BTreeSet<ConversationId>,
    /// Conflicts of the turn under way: what stands against which unit.
    met: BTreeSet<(PropositionId, PropositionId)>,
    /// The turn and time of the last sweep that was not a dry run.
    swept: Option<(u32, Timestamp)>,
    told: Told,
}

impl Gauges {
    /// Moves on by one commit.
    pub(crate) fn apply(&mut self, commit: &Commit, tiers: &TierSettings) {
        for revision in &commit.revisions {
            match &revision.value {
                Some(Record::Conversation(conversation))
                    if conversation.origin == Origin::Chat && conversation.imported_from.is_none() =>
                {
                    self.chats.insert(conversation.id);
                }
                Some(Record::Turn(turn))
                    if revision.previous.is_none()
                        && commit.cause == Cause::Conversation
                        && turn.speaker == Speaker::User
                        && self.chats.contains(&turn.conversation) =>
                {
                    self.turns.next();
                    self.met.clear();
                }
                Some(Record::Analysis(report)) if revision.previous.is_none() => {
                    self.analysed(report, commit.at);
                }
                Some(Record::Promotion(report)) if revision.previous.is_none() => {
                    for candidate in &report.candidates {
                        let units: Vec<_> = candidate.conflicts.iter().map(|met| met.with).collect();
                        self.conflict(candidate.proposition, &units, commit.at);
                    }
                }
                Some(Record::Sweep(report)) if !report.dry => {
                    self.swept = Some((self.turns.last().turn, commit.at));
                }
                Some(Record::Summary(_)) => self.turns.now().compactions += 1,
                _ => {}
            }
        }
        // Conflicts first: a unit that leaves in this commit was still there when they were found.
        for revision in &commit.revisions {
            match (revision.record, &revision.value) {
                (RecordId::Unit(_), Some(Record::Unit(unit))) => self.moved(unit, commit, tiers),
                (RecordId::Unit(id), _) => {
                    self.units.remove(&id);
                }
                _ => {}
            }
        }
        for revision in &commit.revisions {
            if let RecordId::Proposition(id) = revision.record
                && let Some(trace) = self.units.get_mut(&id)
            {
                trace.live = matches!(&revision.value, Some(Record::Proposition(p)) if p.status.is_live());
                if !trace.live {
                    trace.marks.clear();
                }
            }
        }
        let active = self.units.values().filter(|trace| trace.is_active()).count();
        self.turns.now().active = u32::try_from(active).unwrap_or(u32::MAX);
    }

    /// A statement stands against units.
    fn conflict(&mut self, incoming: PropositionId, units: &[PropositionId], at: Timestamp) {
        let mut is_new = false;
        for id in units {
            if let Some(trace) = self.units.get_mut(id).filter(|trace| trace.is_active())
                && self.met.insert((incoming, *id))
            {
                trace.marks.push(at, MarkKind::Conflict);
                is_new = true;
            }
        }
        if is_new {
            self.turns.now().conflicts += 1;
        }
    }

    fn analysed(&mut self, report: &AnalysisReport, at: Timestamp) {
        for outcome in &report.outcomes {
            if matches!(outcome.kind, OutcomeKind::Contradicted | OutcomeKind::Disputed) {
                self.conflict(outcome.proposition, &outcome.others, at);
            }
        }
    }

    fn moved(&mut self, unit: &Unit, commit: &Commit, tiers: &TierSettings) {
        let turn = self.turns.last().turn;
        let (authority, activation) = (unit.authority(), unit.stored_activation());
        let (evidence, active) = (unit.evidence().len(), unit.is_active());
        let Some(trace) = self.units.get_mut(&unit.proposition) else {
            let mut marks = Marks::default();
            if active {
                marks.push(commit.at, MarkKind::General);
            }
            let (promoted, used) = (turn, turn);
            let trace = Trace { authority, activation, evidence, active, live: true, marks, promoted, used };
            self.units.insert(unit.proposition, trace);
            return;
        };
        if active {
            if evidence > trace.evidence || !trace.active {
                trace.used = turn;
            }
            if evidence > trace.evidence {
                trace.marks.push(commit.at, MarkKind::Reinforcement);
            }
            let tier = |activation| tiers.of(activation);
            for changed in
                [!trace.active, authority != trace.authority, tier(activation) != tier(trace.activation)]
            {
                if changed {
                    trace.marks.push(commit.at, MarkKind::General);
                }
            }
        } else {
            trace.marks.clear();
        }
        let lost = authority < trace.authority && commit.actor != Actor::Person;
        (trace.authority, trace.activation, trace.evidence, trace.active) =
            (authority, activation, evidence, active);
        if lost {
            self.turns.now().demotions += 1;
        }
    }

    /// The turn and time of the last sweep.
    pub(super) fn swept(&self) -> Option<(u32, Timestamp)> {
        self.swept
    }
    /// The turns of each unit's last use and first promotion.
    pub(super) fn ages(&self) -> BTreeMap<PropositionId, (u32, u32)> {
        self.units.iter().map(|(id, trace)| (*id, (trace.used, trace.promoted))).collect()
    }

    /// Attention, as of `now`.
    pub(crate) fn attention(&self, config: &Config, now: Timestamp) -> Attention {
        let active = self.units.iter().filter(|(_, trace)| trace.is_active());
        Attention::of(active.map(|(id, trace)| (*id, &trace.marks)), &config.attention, now)
    }
    /// Pressure, as of the turn under way.
    pub(crate) fn pressure(&self, config: &Config) -> Pressure {
        Pressure::of(&self.turns, config.unit.budget, &config.pressure)
    }

    /// What has begun since this was last asked; what has ended may begin again.
    pub(crate) fn tell(&mut self, config: &Config, now: Timestamp) -> Vec<UpkeepSignal> {
        let mut on = Told::new();
        let mut news = Vec::new();
        for signal in self.attention(config, now).signals {
            let key = (signal.unit, Some(signal.kind), None);
            on.insert(key, (signal.since, 0));
            if self.told.get(&key).is_none_or(|(since, _)| *since != signal.since) {
                news.push(UpkeepSignal::Attention(signal));
            }
        }
        let pressure = self.pressure(config);
        for breach in &pressure.breaches {
            let key = (None, None, Some(breach.sweep));
            on.insert(key, (Timestamp(0), breach.since));
            if !self.told.contains_key(&key) {
                news.push(UpkeepSignal::Pressure { breach: *breach, score: pressure.score });
            }
        }
        self.told = on;
        news
    }
}
