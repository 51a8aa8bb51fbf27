//! Contradictions among stored statements: the weaker of two that cannot both hold is retired. Words decide first; what they
//! leave open a model may judge. Source: dice 6.8.
//!
//! Beyond the source: two values of a slot that has one at a time are no error but a change, so the older is SUPERSEDED with its
//! validity closed; of two equally sure statements the newer survives. What only a person may decide becomes a question in the
//! inbox, once: a pinned loser, a RELIABLE or CANON unit, and two values of what does not change. What a unit held its place against
//! when it was revised is left beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{Change, Picked, Planned};
use super::look::Look;
use super::report::{Mark, MarkOutcome, Pass, PassReport};
use crate::error::Error;
use crate::id::{InboxId, PropositionId};
use crate::inbox::{InboxItem, InboxKind};
use crate::memory::Slices;
use crate::ports::Clock;
use crate::proposition::{Proposition, Status};
use crate::revision::{Decision, Relation, Rules, aligned, decide_between, overlap, share_subject};
use crate::schema::KnowledgeSchema;
use crate::text::{self, OppositionKind, Texts};
use crate::time::Timestamp;
use crate::unit::Authority;

/// An unordered pair, the older id first.
pub(crate) type Pair = (PropositionId, PropositionId);

/// A pair in order.
pub(crate) fn pair(a: PropositionId, b: PropositionId) -> Pair {
    (a.min(b), a.max(b))
}

/// What a model said of pairs.
pub(crate) type Judged = BTreeMap<Pair, (Relation, String)>;

/// Whether two statements may be compared at all: both ACTIVE and about something in common.
pub(crate) fn comparable(a: &Proposition, b: &Proposition) -> bool {
    a.status == Status::Active && b.status == Status::Active && overlap(a, b)
}

/// Why two statements cannot both hold, and whether one is merely out of date.
pub(crate) fn opposed(newer: &Proposition, older: &Proposition, texts: &Texts) -> Option<(String, bool)> {
    if !share_subject(newer, older) || !newer.temporal_meets(older) {
        return None;
    }
    let opposition = texts.of(&newer.text).opposes(&texts.of(&aligned(newer, older)))?;
    Some((opposition.reason, opposition.kind == OppositionKind::Value))
}

trait Meets {
    fn temporal_meets(&self, other: &Self) -> bool;
}

impl Meets for Proposition {
    /// Statements of times that do not meet do not contradict.
    fn temporal_meets(&self, other: &Self) -> bool {
        let before = |a: &Self, b: &Self| matches!((a.temporal.valid_to, b.temporal.valid_from), (Some(end), Some(start)) if end <= start);
        !before(self, other) && !before(other, self)
    }
}

/// When a statement was made: what its source said, else when it was written.
fn said_at(p: &Proposition) -> Timestamp {
    p.temporal.observed_at.unwrap_or(p.created)
}

/// Plans the pass over pairs that lie near to one another.
pub(crate) async fn resolve(
    look: &Look<'_>,
    near: &BTreeSet<Pair>,
    judged: &Judged,
    texts: &Texts,
    schema: &KnowledgeSchema,
    next_id: &mut dyn FnMut() -> InboxId,
    slices: &mut Slices<'_, impl Clock>,
) -> Result<Planned, Error> {
    let mut report = PassReport::new(Pass::ContradictionResolution);
    let mut picked = Vec::new();
    let mut retired: BTreeSet<PropositionId> = BTreeSet::new();
    for (a, b) in near {
        slices.rest_small().await?;
        let (Some(a), Some(b)) = (look.world.get(a), look.world.get(b)) else { continue };
        if !comparable(a, b) || retired.contains(&a.id) || retired.contains(&b.id) {
            continue;
        }
        report.examined += 1;
        let (newer, older) = if (said_at(a), a.id) > (said_at(b), b.id) { (a, b) } else { (b, a) };
        let (why, moved_on) = match (opposed(newer, older, texts), judged.get(&pair(a.id, b.id))) {
            (Some(found), _) => found,
            (None, Some((Relation::Contradictory, reason))) => (reason.clone(), false),
            _ => continue,
        };
        let weaker = look.effective(newer) < look.effective(older);
        let (winner, loser) = if weaker && !moved_on { (older, newer) } else { (newer, older) };
        let why = if why.is_empty() { "the model sees a contradiction".to_owned() } else { why };
        let why = format!("{why}; what stands: {}", text::excerpt(&winner.text, 120));
        let unit = look.state.unit(loser.id).filter(|unit| unit.is_active());
        let is_firm = unit.is_some_and(|unit| unit.authority() >= Authority::Reliable);
        let kind = match is_disputed(newer, older, schema) {
            true => Some(InboxKind::ImmutableQuestioned),
            false if loser.pinned => Some(InboxKind::PinnedConflict),
            false => is_firm.then_some(InboxKind::UnitDispute),
        };
        if let Some(kind) = kind {
            picked.push(ask(look, kind, loser, winner, &why, next_id));
            continue;
        }
        if unit.is_some() && stand_in_dispute(winner, loser) {
            let outcome = MarkOutcome::Skipped { why: "a unit held its place against it".into() };
            picked.push(Picked { mark: mark(loser, winner, &why, outcome), change: None });
            continue;
        }
        let moved_on = moved_on.then(|| said_at(winner));
        let change = Change::Lose { to_winner: winner.id, moved_on };
        let key = if moved_on.is_some() { "moved-on" } else { "contradicted" };
        picked.push(Picked::new(loser.id, key, why, change));
        retired.insert(loser.id);
    }
    Ok(Planned { report, picked })
}

/// Whether revision left the two beside each other, knowing that they are opposed.
fn stand_in_dispute(a: &Proposition, b: &Proposition) -> bool {
    a.temporal.contradicts.contains(&b.id) || b.temporal.contradicts.contains(&a.id)
}

fn mark(held: &Proposition, against: &Proposition, why: &str, outcome: MarkOutcome) -> Mark {
    Mark {
        proposition: held.id,
        key: "contradicted".into(),
        why: why.to_owned(),
        survivor: Some(against.id),
        outcome,
    }
}

/// Whether the two give different values to what has one for good, so that neither may retire the other.
fn is_disputed(newer: &Proposition, older: &Proposition, schema: &KnowledgeSchema) -> bool {
    matches!(decide_between(newer, older, schema), Rules::Sure(Decision::Dispute { .. }))
}

/// What only a person may decide is not touched: the person is asked, once.
fn ask(
    look: &Look<'_>,
    kind: InboxKind,
    held: &Proposition,
    against: &Proposition,
    why: &str,
    next_id: &mut dyn FnMut() -> InboxId,
) -> Picked {
    let is_asked =
        |item: &InboxItem| item.is_between(against.id, held.id) || item.is_between(held.id, against.id);
    let known = look.state.inbox_items().any(is_asked);
    let mut mark = mark(held, against, why, MarkOutcome::Marked);
    if known {
        let what = match kind {
            InboxKind::UnitDispute => "it has a firm place in the working set",
            _ if held.pinned => "it is pinned",
            _ => "one of the two is wrong",
        };
        mark.outcome = MarkOutcome::Skipped { why: format!("{what}, and a person has been asked") };
        return Picked { mark, change: None };
    }
    let item =
        InboxItem::conflict(next_id(), kind, against.clone(), std::slice::from_ref(held), why, look.now);
    Picked { mark, change: Some(Change::Ask(Box::new(item))) }
}
