//! The one guard of the working set: every change of a unit is put to it first, and it answers yes, yes with warnings, or no with a
//! reason (core 1.4, 9.2; core 15, G6 and G22).
//!
//! What it holds, whoever moves:
//!
//! - *A1*: the working set never grows above `unit.budget`.
//! - *A3a*: CANON is given by a person. *A3b*: nothing else lowers, evicts, archives, edits or puts to sleep what is CANON.
//! - *A3c*: authority goes one level a step, and never above its ceiling.
//! - *A3d*: what a person pinned is lowered, faded, edited and taken out by a person alone.
//! - A model that edits its own memory moves PROVISIONAL units only, and gives no evidence.
//! - The settings' rules: MUST stops everybody (forgetting a statement is no change of its unit, so it is not stopped), SHOULD is
//!   told. Rules look at the direction of a change: a floor stops what would fall below it and nothing else. Counts are taken
//!   of the set as the plan so far leaves it, so that several departures together cannot break what each alone would keep.

use serde::{Deserialize, Serialize};

use super::person::PersonAct;
use super::{Authority, InvariantKind, InvariantRule, Invariants, Strength, UnitSettings, UnitView};
use crate::id::{ContextId, PropositionId};
use crate::text;

/// What is to be done to a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It enters the working set.
    Promote,
    /// It comes back into the working set.
    Revive,
    /// Evidence is added.
    Reinforce,
    /// One level up.
    Raise,
    /// One level down.
    Demote,
    /// Activation goes up.
    SetActivation,
    /// Activation goes down.
    Decay,
    /// It leaves because it is not needed.
    Sleep,
    /// It leaves because another one needs its place.
    Evict,
    /// It is taken out by a decision.
    Archive,
    /// It becomes CANON.
    Canonize,
    /// It is no longer CANON.
    Decanonize,
    /// What it says changes.
    Edit,
}

impl Action {
    /// As words for a person: "may not be …".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Promote => "put into the working set",
            Self::Revive => "brought back into the working set",
            Self::Reinforce => "reinforced",
            Self::Raise => "raised",
            Self::Demote => "lowered",
            Self::SetActivation => "activated",
            Self::Decay => "faded",
            Self::Sleep => "put to sleep",
            Self::Evict => "evicted",
            Self::Archive => "archived",
            Self::Canonize => "made CANON",
            Self::Decanonize => "taken out of CANON",
            Self::Edit => "edited",
        }
    }
    /// Whether it takes a unit out of the working set.
    pub fn is_departure(self) -> bool {
        matches!(self, Self::Sleep | Self::Evict | Self::Archive)
    }
}

/// Who moves.
#[derive(Debug, Clone, Copy)]
pub enum Mover<'a> {
    /// A rule of ours, by name.
    Policy(&'a str),
    /// A model that edits its own memory.
    Model,
    /// The program that embeds Credence.
    Host,
    /// A person.
    Person(&'a PersonAct),
}

impl Mover<'_> {
    fn in_words(self) -> String {
        match self {
            Self::Policy(name) => name.to_owned(),
            Self::Model => "a model".to_owned(),
            Self::Host => "a program".to_owned(),
            Self::Person(_) => "a person".to_owned(),
        }
    }
}

/// What stands against a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objection {
    /// The unit, by its statement.
    pub unit: PropositionId,
    /// What was to be done.
    pub action: Action,
    /// Which rule: `A1` to `A3d`, `self-editing`, `standing`, or the id of a rule of the settings.
    pub rule: String,
    /// Whether it stops the change or is only told.
    pub strength: Strength,
    /// In words for a person.
    pub words: String,
}

/// A change that may be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Rules of the settings that were looked at.
    pub rules: usize,
    /// What stands against it without stopping it.
    pub warnings: Vec<Objection>,
}

/// What the rules of the settings say of a change, before anything is decided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// Rules that were looked at.
    pub rules: usize,
    /// Every rule that is broken, in order.
    pub violations: Vec<Objection>,
}

/// The guard of one memory.
#[derive(Debug, Clone, Copy)]
pub struct Guard<'a> {
    /// The settings in force.
    pub settings: &'a UnitSettings,
    /// The memory's name, for rules of one context.
    pub context: &'a ContextId,
}

impl Guard<'_> {
    /// Whether `mover` may do this to `target`, with the working set as the plan so far leaves it.
    pub fn check(
        &self,
        mover: Mover<'_>,
        action: Action,
        target: &UnitView,
        set: &[UnitView],
    ) -> Result<Checked, Objection> {
        if let Some((rule, words)) = self.standing_order(mover, action, target, set) {
            return Err(objection(target, action, rule, Strength::Must, words));
        }
        let Evaluation { rules, violations } = self.evaluate(action, target, set);
        match violations.iter().find(|violation| violation.strength == Strength::Must) {
            Some(stop) => Err(stop.clone()),
            None => Ok(Checked { rules, warnings: violations }),
        }
    }

    /// What no setting changes: the rule's name and why it stops the change.
    fn standing_order(
        &self,
        mover: Mover<'_>,
        action: Action,
        target: &UnitView,
        set: &[UnitView],
    ) -> Option<(&'static str, String)> {
        use Action::*;
        let (canon, pinned) = (target.authority == Authority::Canon, target.proposition.pinned);
        let person = matches!(mover, Mover::Person(_));
        let moves_down = matches!(action, Demote | Decay | Sleep | Evict | Archive | Edit);
        let who = mover.in_words();
        let done = action.in_words();
        match action {
            Canonize | Decanonize if !person => {
                return Some(("A3a", format!("CANON is a person's to give and to take; {who} is none")));
            }
            Canonize if canon => return Some(("standing", "it is CANON already".into())),
            Decanonize if !canon => return Some(("standing", "it is not CANON".into())),
            Promote | Revive if set.len() >= self.settings.budget as usize => {
                let budget = self.settings.budget;
                return Some(("A1", format!("the working set is full: {} of {budget}", set.len())));
            }
            Raise if canon => return Some(("A3c", "nothing is above CANON".into())),
            Raise if target.unit.earned().next() > target.unit.ceiling() => {
                let ceiling = Authority::from(target.unit.ceiling()).as_str();
                return Some(("A3c", format!("its sources allow {ceiling} at most")));
            }
            Demote if canon => {
                return Some((
                    "A3b",
                    "CANON is taken back by an act of its own, and by a person alone".into(),
                ));
            }
            _ => {}
        }
        if matches!(mover, Mover::Model) {
            if matches!(action, Reinforce | Raise) {
                return Some(("self-editing", "what a model says of its own memory is no evidence".into()));
            }
            if target.authority > Authority::Provisional {
                let level = target.authority.as_str();
                return Some((
                    "self-editing",
                    format!("a model moves PROVISIONAL units only, this is {level}"),
                ));
            }
        }
        if person || !moves_down {
            return None;
        }
        if pinned {
            return Some(("A3d", format!("it is pinned, so it is {done} by a person alone, not by {who}")));
        }
        // CANON fades with time like any other unit, but no policy pushes it down.
        canon.then(|| ("A3b", format!("it is CANON, so it is {done} by a person alone, not by {who}")))
    }

    /// What the rules of the settings say, whether or not they stop it.
    pub fn evaluate(&self, action: Action, target: &UnitView, set: &[UnitView]) -> Evaluation {
        let rules = self.settings.invariants.of(self.context);
        let broken = rules.iter().filter_map(|rule| {
            let words = broken(rule, action, target, set)?;
            Some(objection(target, action, &rule.id, rule.strength, words))
        });
        Evaluation { violations: broken.collect(), rules: rules.len() }
    }
}

pub(super) fn objection(
    target: &UnitView,
    action: Action,
    rule: &str,
    strength: Strength,
    words: String,
) -> Objection {
    Objection { unit: target.id(), action, rule: rule.to_owned(), strength, words }
}

/// How a change breaks a rule, in words; `None` where it does not.
fn broken(rule: &InvariantRule, action: Action, target: &UnitView, set: &[UnitView]) -> Option<String> {
    let level = rule.minimum_authority;
    let lowered = |from: Authority| match action {
        Action::Demote | Action::Decanonize => from.is_at_least(level) && !from.previous().is_at_least(level),
        _ => false,
    };
    if !rule.matches(target) {
        return None;
    }
    match rule.kind {
        InvariantKind::AuthorityFloor => {
            lowered(target.authority).then(|| format!("it may not fall below {}", level.as_str()))
        }
        InvariantKind::EvictionImmunity => matches!(action, Action::Evict | Action::Sleep)
            .then(|| format!("it keeps its place: it may not be {}", action.in_words())),
        InvariantKind::ArchiveProhibition => matches!(action, Action::Archive | Action::Sleep)
            .then(|| format!("it stays: it may not be {}", action.in_words())),
        InvariantKind::MinAuthorityCount => {
            let counted = |view: &UnitView| view.authority.is_at_least(level) && rule.matches(view);
            let leaves =
                target.is_active() && counted(target) && (action.is_departure() || lowered(target.authority));
            let left = set.iter().filter(|view| counted(view)).count().saturating_sub(1);
            (leaves && left < rule.minimum_count as usize).then(|| {
                let (least, level) = (rule.minimum_count, level.as_str());
                format!("{least} of {level} or above have to stay, and {left} would be left")
            })
        }
    }
}

impl InvariantRule {
    /// Whether the rule is about this unit: its pattern's words stand together in the unit's text, whole and whatever their case.
    fn matches(&self, view: &UnitView) -> bool {
        let Some(pattern) = &self.unit_text_pattern else { return true };
        let (pattern, said) = (text::words(pattern), text::words(&view.proposition.text));
        pattern.is_empty() || said.windows(pattern.len()).any(|run| run == pattern)
    }
}

impl Invariants {
    /// The rules in force in a context: those of every context first, then its own, each in the order given.
    pub fn of(&self, context: &ContextId) -> Vec<&InvariantRule> {
        if !self.enabled {
            return Vec::new();
        }
        let everywhere = self.rules.iter().filter(|rule| rule.context_id.is_none());
        let own = self.rules.iter().filter(|rule| rule.context_id.as_ref() == Some(context));
        everywhere.chain(own).collect()
    }
    /// Puts a rule in force, in place of one with the same id and context.
    pub fn register(&mut self, rule: InvariantRule) {
        let same = |old: &&mut InvariantRule| (&old.id, &old.context_id) == (&rule.id, &rule.context_id);
        match self.rules.iter_mut().find(same) {
            Some(old) => *old = rule,
            None => self.rules.push(rule),
        }
    }
    /// Takes the rules of that id out of force; whether there was one.
    pub fn deregister(&mut self, id: &str) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.id != id);
        self.rules.len() < before
    }
}
