//! Witnesses: who brought how much of a statement's confidence, and what is left of it when one of them is taken back.
//!
//! A statement that was said once has one witness and keeps no list. From the first merge or reinforcement on it keeps what each one said:
//! the turns, how sure, and how it was counted. Without one of them, the others are counted as if it had never been there; what else
//! has changed the confidence since (a contradiction, a sweep) keeps its share, because it is applied as a ratio. A statement that was
//! strengthened before such lists were kept, or whose confidence a person set, keeps its confidence, and the report says so.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::id::TurnId;
use crate::proposition::{Proposition, Status};
use crate::scale::{Confidence, Decay};
use crate::time::Timestamp;

/// How a witness was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Share {
    /// It said the same: the gain of a merge.
    Merged,
    /// It said something similar: the gain of a reinforcement.
    Reinforced,
}

impl Share {
    /// Gain, cap and fade (dice 4.3).
    pub(super) fn numbers(self) -> (f64, f64, f64) {
        match self {
            Self::Merged => (0.3, 0.99, 0.7),
            Self::Reinforced => (0.1, 0.95, 0.85),
        }
    }
}

/// One who said it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The turns that it rests on; none for what was typed in by hand or came from outside any conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnId>,
    /// How it was counted; the first one is what the others are counted on.
    pub share: Share,
    /// How sure it was; 0 to 1.
    pub confidence: Confidence,
    /// How fast it said that this fades; 0 to 1.
    pub decay: Decay,
}

impl Witness {
    pub(super) fn of(p: &Proposition, share: Share) -> Self {
        Self { turns: p.grounding.clone(), share, confidence: p.confidence, decay: p.decay }
    }
}

/// Confidence and decay that witnesses make together; `None` without one.
fn together(witnesses: &[Witness]) -> Option<(f64, f64)> {
    let (first, rest) = witnesses.split_first()?;
    let mut made = (first.confidence.get(), first.decay.get());
    for witness in rest {
        let (gain, cap, fade) = witness.share.numbers();
        made.0 = (made.0 + gain * witness.confidence.get()).min(cap).max(made.0);
        made.1 *= fade;
    }
    Some(made)
}

/// What is left of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Left {
    /// It does not rest on those turns.
    Untouched,
    /// Other evidence stands; `counted`: it is known what the witness had brought.
    Weaker { statement: Box<Proposition>, counted: bool },
    /// Nothing that it rests on stands.
    Nothing(Box<Proposition>),
}

/// A statement without the evidence of these turns. `says_it` tells whether turns that are left still say it.
pub(super) fn without(
    p: &Proposition,
    lost: &BTreeSet<TurnId>,
    says_it: &dyn Fn(&[TurnId]) -> bool,
    now: Timestamp,
) -> Left {
    let pieces: BTreeSet<String> = lost.iter().map(ToString::to_string).collect();
    let is_lost = |piece: &Option<String>| piece.as_ref().is_some_and(|piece| pieces.contains(piece));
    let mut next = p.clone();
    next.grounding.retain(|turn| !lost.contains(turn));
    next.provenance.retain(|entry| !is_lost(&entry.chunk_id));
    if next.grounding == p.grounding && next.provenance == p.provenance {
        return Left::Untouched;
    }
    next.metadata_revised = now;
    // Evidence of no turn: typed in, or from outside any conversation.
    let turns: BTreeSet<String> = p.grounding.iter().map(ToString::to_string).collect();
    let is_loose =
        next.provenance.iter().any(|entry| entry.chunk_id.as_ref().is_none_or(|id| !turns.contains(id)));
    let stands = if p.witnesses.is_empty() {
        is_loose || says_it(&next.grounding)
    } else {
        next.witnesses = p.witnesses.iter().filter_map(|witness| left_of(witness, lost, says_it)).collect();
        !next.witnesses.is_empty()
    };
    if !stands && p.source_ids.is_empty() {
        next.witnesses.clear();
        (next.grounding, next.retracted) = (Vec::new(), true);
        next.provenance.retain(|entry| entry.chunk_id.is_none());
        if next.status.is_live() {
            next.status = Status::Stale;
        }
        return Left::Nothing(Box::new(next));
    }
    let counted = !p.witnesses.is_empty() || p.reinforce_count == 0;
    let gone = p.witnesses.len() - next.witnesses.len();
    if gone > 0
        && let (Some(before), Some(after)) = (together(&p.witnesses), together(&next.witnesses))
    {
        next.confidence = Confidence::clamped(in_proportion(p.confidence.get(), before.0, after.0));
        next.decay = Decay::clamped(in_proportion(p.decay.get(), before.1, after.1));
        next.reinforce_count = p.reinforce_count.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX));
        next.content_revised = now;
        if next.reinforce_count == 0 && next.witnesses.len() == 1 {
            next.witnesses.clear();
        }
    }
    Left::Weaker { statement: Box::new(next), counted }
}

fn left_of(
    witness: &Witness,
    lost: &BTreeSet<TurnId>,
    says_it: &dyn Fn(&[TurnId]) -> bool,
) -> Option<Witness> {
    let mut left = witness.clone();
    left.turns.retain(|turn| !lost.contains(turn));
    let stands = left.turns.len() == witness.turns.len() || says_it(&left.turns);
    stands.then_some(left)
}

/// `value` as it would be had it come from `after` in place of `before`.
fn in_proportion(value: f64, before: f64, after: f64) -> f64 {
    if value == before || before == 0.0 { after } else { value * after / before }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::{contradicted, merged, reinforced};
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::Extractor;

    fn turn(n: u128) -> TurnId {
        TurnId::new(Uuid::from_u128(n))
    }
    fn said(n: u128, confidence: f64) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(n));
        let confidence = Confidence::new(confidence).unwrap();
        let mut p = Proposition::new(id, "x", confidence, Extractor::Rules, Timestamp(0)).unwrap();
        (p.decay, p.grounding) = (Decay::new(0.2).unwrap(), vec![turn(n)]);
        p
    }
    fn weaker(p: &Proposition, lost: u128) -> Proposition {
        match without(p, &BTreeSet::from([turn(lost)]), &|turns| !turns.is_empty(), Timestamp(9)) {
            Left::Weaker { statement, counted: true } => *statement,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_witness_less_is_as_if_it_had_never_been_there() {
        let now = Timestamp(1);
        let (a, b, c) = (said(1, 0.6), said(2, 0.5), said(3, 0.4));
        let all = reinforced(&merged(&a, &b, now), &c, now);
        let near = |one: &Proposition, other: &Proposition| {
            assert!((one.confidence.get() - other.confidence.get()).abs() < 1e-12, "{one:?} {other:?}");
            assert!((one.decay.get() - other.decay.get()).abs() < 1e-12, "{one:?} {other:?}");
            assert_eq!((&one.grounding, one.reinforce_count), (&other.grounding, other.reinforce_count));
        };
        near(&weaker(&all, 2), &reinforced(&a, &c, now));
        near(&weaker(&all, 3), &merged(&a, &b, now));
        near(&weaker(&all, 1), &reinforced(&b, &c, now));
        near(&weaker(&weaker(&all, 2), 3), &a);
    }

    #[test]
    fn what_else_changed_the_confidence_keeps_its_share() {
        let now = Timestamp(1);
        let (a, b) = (said(1, 0.6), said(2, 0.5));
        let left = weaker(&contradicted(&merged(&a, &b, now), now).unwrap(), 2);
        assert!((left.confidence.get() - contradicted(&a, now).unwrap().confidence.get()).abs() < 1e-12);
        assert_eq!(left.status, Status::Contradicted);
    }

    #[test]
    fn a_statement_without_its_last_witness_is_retracted_and_begins_anew() {
        let only = BTreeSet::from([turn(1)]);
        let Left::Nothing(gone) = without(&said(1, 0.6), &only, &|turns| !turns.is_empty(), Timestamp(9))
        else {
            panic!("nothing is left")
        };
        assert!(gone.retracted && gone.status == Status::Stale && gone.grounding.is_empty());
        let back = merged(&gone, &said(2, 0.4), Timestamp(9));
        assert_eq!((back.confidence.get(), back.reinforce_count, back.retracted), (0.4, 0, false));
        assert_eq!((back.status, back.grounding), (Status::Active, vec![turn(2)]));
    }

    #[test]
    fn a_statement_of_before_keeps_its_confidence_and_that_is_known() {
        let mut old = said(1, 0.9);
        (old.grounding, old.reinforce_count) = (vec![turn(1), turn(2)], 1);
        match without(&old, &BTreeSet::from([turn(2)]), &|turns| !turns.is_empty(), Timestamp(9)) {
            Left::Weaker { statement, counted: false } => assert_eq!(statement.confidence.get(), 0.9),
            other => panic!("{other:?}"),
        }
    }
}
