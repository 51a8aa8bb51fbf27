//! Decisions: what a new statement is to the stored ones, by rules where they are sure. What they leave open is asked of the
//! model (`settle`).

use serde::{Deserialize, Serialize};

use super::arithmetic::brings_evidence;
pub use super::compare::Neighbour;
use super::compare::{Fresh, Met, overlap, said};
use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::schema::KnowledgeSchema;
use crate::text::{Opposition, OppositionKind};
use crate::time::Timestamp;

/// How sure rules are of what they decide by words alone, chosen by us: above every threshold of the defence of units, and below
/// certainty.
pub const RULES_SURE: f64 = 0.95;

/// What is to be done with a new statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "lowercase")]
pub enum Decision {
    /// It is known: evidence joins.
    Merge {
        /// The known one.
        into: PropositionId,
        /// Why.
        why: String,
    },
    /// It makes a known one surer.
    Reinforce {
        /// The known one.
        other: PropositionId,
        /// Why.
        why: String,
    },
    /// It takes the place of older ones.
    Contradict {
        /// The older ones.
        others: Vec<PropositionId>,
        /// They were true and the world moved on (a slot with one value, something that is over), as opposed to being wrong.
        moved_on: bool,
        /// Why.
        why: String,
        /// How sure it is that they are opposed, 0 to 1: [`RULES_SURE`] where words decide, else the model's grade.
        #[serde(default = "ungraded")]
        confidence: f64,
    },
    /// It stands against known ones that no newer statement may replace by itself: both stay, and a person decides.
    Dispute {
        /// The known ones.
        others: Vec<PropositionId>,
        /// Why.
        why: String,
    },
    /// It is older than what stands against it: kept as what was, beside the newer one.
    Outdated {
        /// The newer one.
        by: PropositionId,
        /// Until when it held.
        until: Timestamp,
        /// It was true and the world moved on, as opposed to being wrong.
        moved_on: bool,
        /// Why.
        why: String,
    },
    /// It tells what was ("used to live in Oslo"), and what holds now is known.
    History {
        /// What holds now.
        later: Vec<PropositionId>,
        /// Why.
        why: String,
    },
    /// It is more abstract than known ones.
    Generalize {
        /// The known ones.
        covered: Vec<PropositionId>,
        /// Why.
        why: String,
    },
    /// Nothing of the kind is known.
    New {
        /// Why.
        why: String,
    },
}

/// What was held before decisions were graded.
fn ungraded() -> f64 {
    crate::conflict::UNGRADED
}

/// What rules make of a new statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Rules {
    /// They are sure.
    Sure(Decision),
    /// These neighbours are near enough that only a model can tell, nearest first; without one the statement is new.
    Ask(Vec<PropositionId>),
}

/// What a new statement meets.
pub struct Known<'a> {
    /// Live and stale statements, nearest first.
    pub near: &'a [Neighbour<'a>],
    /// Superseded and contradicted statements with the same words or from the same turns.
    pub retired: &'a [Neighbour<'a>],
    /// What relations are declared.
    pub schema: &'a KnowledgeSchema,
    /// Whether a model is asked about statements with a common entity alone.
    pub overlap_filter: bool,
}

/// What the words and times make of two stored statements: `newer` as if it were said beside `older` now.
pub(crate) fn decide_between(newer: &Proposition, older: &Proposition, schema: &KnowledgeSchema) -> Rules {
    let near = [Neighbour::new(older)];
    let known = Known { near: &near, retired: &[], schema, overlap_filter: true };
    decide_by_rules(newer, &known, |_| false)
}

/// Decides by the words and times alone. `ask` says which neighbours are near enough to ask a model about.
///
/// In order: the same statement; the same value of one slot; what is over; what excludes each other; another value of a
/// slot's past. A statement that stands earlier in time never replaces a later one (dice 4.2 and the replacement guard).
pub fn decide_by_rules(new: &Proposition, known: &Known<'_>, ask: impl Fn(&Proposition) -> bool) -> Rules {
    let fresh = Fresh::new(new, known.schema);
    let met: Vec<Met<'_>> = known.near.iter().map(|n| Met::new(&fresh, n)).collect();
    let retired: Vec<Met<'_>> = known.retired.iter().map(|n| Met::new(&fresh, n)).collect();
    if let Some(decision) = same(&fresh, &met, &retired)
        .or_else(|| over(&fresh, &met))
        .or_else(|| opposed(&fresh, &met).map(|decision| of_then(&fresh, decision, &retired)))
        .or_else(|| history(&fresh, &met))
    {
        return Rules::Sure(decision);
    }
    let open: Vec<PropositionId> = met
        .iter()
        .filter(|m| m.stored.status.is_live() && !m.in_run && ask(m.stored))
        .filter(|m| (!known.overlap_filter || overlap(new, m.stored)) && !m.is_beside(&fresh))
        .map(|m| m.stored.id)
        .collect();
    if open.is_empty() {
        Rules::Sure(Decision::New { why: "nothing like it is known".into() })
    } else {
        Rules::Ask(open)
    }
}

fn same(fresh: &Fresh<'_>, met: &[Met<'_>], retired: &[Met<'_>]) -> Option<Decision> {
    let merge = |m: &Met<'_>, why: &str| Some(Decision::Merge { into: m.stored.id, why: why.into() });
    let live = || met.iter().filter(|m| m.stored.status.is_live());
    if let Some(m) = live().find(|m| m.is_the_same_as(fresh)) {
        return merge(m, "the same statement");
    }
    if let Some(m) = live().find(|m| m.fills_the_slot_of(fresh)) {
        return merge(m, "the same fact in other words");
    }
    if let Some(m) = met.iter().find(|m| !m.stored.status.is_live() && m.is_the_same_as(fresh)) {
        return merge(m, "the same statement, which had faded");
    }
    // What was retired comes back with news alone: a turn that is read twice is none, nor is a witness of that time. What a
    // person asks for by hand has no turn and is news.
    let known = || retired.iter().filter(|m| m.is_the_same_as(fresh) || m.fills_the_slot_of(fresh));
    if let Some(m) =
        known().find(|m| !fresh.new.grounding.is_empty() && !brings_evidence(m.stored, fresh.new))
    {
        return merge(m, "read before, and retired since");
    }
    let then = known().find(|m| m.stored.temporal.valid_to.is_some_and(|to| said(fresh.new) < to))?;
    merge(then, "one more source for what held then")
}

/// An older statement that is known as retired already is one more source for it.
fn of_then(fresh: &Fresh<'_>, decision: Decision, retired: &[Met<'_>]) -> Decision {
    let known = retired.iter().find(|m| m.is_the_same_as(fresh));
    match (decision, known) {
        (Decision::Outdated { why, .. }, Some(known)) => Decision::Merge { into: known.stored.id, why },
        (decision, _) => decision,
    }
}

/// "Used to": what it ends, or what ended it.
fn over(fresh: &Fresh<'_>, met: &[Met<'_>]) -> Option<Decision> {
    let live = || met.iter().filter(|m| m.stored.status.is_live());
    let others: Vec<PropositionId> =
        live().filter(|m| m.is_ended_by(fresh) && !m.is_after(fresh)).map(|m| m.stored.id).collect();
    if !others.is_empty() {
        return Some(Decision::Contradict {
            others,
            moved_on: true,
            why: "it says that this is over".into(),
            confidence: RULES_SURE,
        });
    }
    let end = live().find(|m| m.ends(fresh) && m.is_after(fresh))?;
    let until = end.stored.temporal.valid_to.unwrap_or_else(|| end.cut_off(fresh.new));
    let why = "a later statement says that this is over".into();
    Some(Decision::Outdated { by: end.stored.id, until, moved_on: true, why })
}

fn opposed(fresh: &Fresh<'_>, met: &[Met<'_>]) -> Option<Decision> {
    let opposed: Vec<(&Met<'_>, Opposition)> = met
        .iter()
        .filter(|m| m.stored.status.is_live())
        .filter_map(|m| Some((m, m.opposes(fresh)?)))
        .collect();
    let (_, first) = opposed.first()?;
    let immutable: Vec<&(&Met<'_>, Opposition)> =
        opposed.iter().filter(|(m, o)| o.kind == OppositionKind::Value && m.is_immutable(fresh)).collect();
    if let Some((_, first)) = immutable.first() {
        let others = immutable.iter().map(|(m, _)| m.stored.id).collect();
        let why = format!("{}, and it does not change: one of the two is wrong", first.reason);
        return Some(Decision::Dispute { others, why });
    }
    let moved_on = opposed.iter().all(|(_, opposition)| opposition.kind == OppositionKind::Value);
    let later = opposed.iter().filter(|(m, _)| m.is_after(fresh)).min_by_key(|(m, _)| m.cut_off(fresh.new));
    if let Some((m, opposition)) = later {
        let until = m.cut_off(fresh.new);
        let why = format!("{}; what is known is newer", opposition.reason);
        return Some(Decision::Outdated { by: m.stored.id, until, moved_on, why });
    }
    let others = opposed.iter().map(|(m, _)| m.stored.id).collect();
    Some(Decision::Contradict { others, moved_on, why: first.reason.clone(), confidence: RULES_SURE })
}

fn history(fresh: &Fresh<'_>, met: &[Met<'_>]) -> Option<Decision> {
    let later: Vec<PropositionId> =
        met.iter().filter(|m| m.stored.status.is_live() && m.follows(fresh)).map(|m| m.stored.id).collect();
    (!later.is_empty())
        .then(|| Decision::History { later, why: "it tells what was; what holds now is known".into() })
}
