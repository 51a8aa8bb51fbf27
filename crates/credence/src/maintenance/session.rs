//! Session consolidation: what was learned since the last cycle meets what was known before. In the source the session's facts
//! are not stored yet; here they are, as ACTIVE statements of level 0, so that "promote" means "stays" and "discard" means STALE.
//!
//! Likeness over 0.9, or the very words, reinforce the known statement; from 0.7 the two become a third (dice 6.7); and both only where words
//! show that they say the same (`same`): likeness alone would lose details. What goes is retired with its evidence handed on.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{Change, Picked, Planned};
use super::look::Look;
use super::report::{Pass, PassReport};
use super::same::{Likeness, Sameness, compare, keys, similarity};
use crate::error::Error;
use crate::id::PropositionId;
use crate::memory::Slices;
use crate::ports::Clock;
use crate::proposition::{Proposition, Status};
use crate::scale::Confidence;
use crate::text::{self, Texts};

/// Likeness from which statements are merged, and above which one reinforces the other (dice 6.7).
const MERGE_FROM: f64 = 0.7;
const REINFORCE_ABOVE: f64 = 0.9;
/// What a reinforcement adds to a confidence, up to 1 (dice 6.7).
const GAIN: f64 = 0.1;

/// Key of a statement that confirms another, and of two that become a third.
pub(crate) const CONFIRMS: &str = "confirms";
pub(crate) const MERGED: &str = "merged";

/// Plans the pass. `next_id` names merged statements.
pub(crate) async fn consolidate(
    look: &Look<'_>,
    texts: &Texts,
    next_id: &mut dyn FnMut() -> PropositionId,
    slices: &mut Slices<'_, impl Clock>,
) -> Result<Planned, Error> {
    let mut report = PassReport::new(Pass::SessionConsolidation);
    let since = look.last_done(Pass::SessionConsolidation);
    let facts: Vec<&Proposition> = look.active().filter(|p| p.level == 0).collect();
    let mut gone = vec![false; facts.len()];
    // Only statements that meet under a key can say the same; comparing all with all would be quadratic.
    let mut meeting: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let (mut picked, mut apart) = (Vec::new(), 0);
    for (n, new) in facts.iter().enumerate() {
        slices.rest_small().await?;
        let keys = keys(new);
        let known: BTreeSet<usize> =
            keys.iter().flatten().filter_map(|key| meeting.get(key)).flatten().copied().collect();
        for key in keys.into_iter().flatten() {
            meeting.entry(key).or_default().push(n);
        }
        if since.is_some_and(|since| new.created <= since) {
            continue;
        }
        report.examined += 1;
        let likeness = Likeness::of(new);
        let mut best: Option<(f64, usize)> = None;
        for k in known.into_iter().filter(|k| !gone[*k]) {
            let score = similarity(&likeness, &Likeness::of(facts[k]));
            if score < MERGE_FROM || best.is_some_and(|(top, _)| score <= top) {
                continue;
            }
            match compare(facts[k], new, texts) {
                Sameness::Same(_) => best = Some((score, k)),
                Sameness::Apart(_) | Sameness::Open => apart += 1,
            }
        }
        let Some((score, k)) = best else {
            if since.is_some() && new.confidence.get() < look.config.discard_below {
                let why = format!("confidence {} and nothing supports it", new.confidence);
                picked.push(Picked::new(new.id, "discarded", why, Change::Move(Status::Stale)));
            }
            continue;
        };
        let known = facts[k];
        let why = format!("likeness {score:.2} to: {}", known.text);
        let is_verbatim = text::canonical(&known.text) == text::canonical(&new.text);
        if known.pinned && new.pinned {
            continue;
        }
        if score > REINFORCE_ABOVE || is_verbatim || known.pinned || new.pinned {
            let (stays, goes) = if new.pinned { (n, k) } else { (k, n) };
            let change = Change::Absorb { into: facts[stays].id, to: Status::Superseded, gain: GAIN };
            picked.push(Picked::new(facts[goes].id, CONFIRMS, why, change));
            gone[goes] = true;
        } else {
            let third = merge(known, new, next_id(), look);
            let id = third.id;
            picked.push(Picked::new(id, MERGED, why.clone(), Change::Add(Box::new(third))));
            for source in [known, new] {
                let change = Change::Absorb { into: id, to: Status::Superseded, gain: 0.0 };
                picked.push(Picked::new(source.id, MERGED, why.clone(), change));
            }
            (gone[k], gone[n]) = (true, true);
        }
    }
    if apart > 0 {
        report.notes.push(format!("{apart} pairs are alike in their words and were kept apart"));
    }
    Ok(Planned { report, picked })
}

/// A third statement in the words of the surer one, with the mean of both confidences. Its clock is the later of the two:
/// merging is no new evidence. The evidence of both comes when they are absorbed.
fn merge(known: &Proposition, new: &Proposition, id: PropositionId, look: &Look<'_>) -> Proposition {
    let surer = if new.confidence.get() > known.confidence.get() { new } else { known };
    Proposition {
        id,
        confidence: Confidence::clamped((known.confidence.get() + new.confidence.get()) / 2.0),
        content_revised: known.content_revised.max(new.content_revised),
        created: look.now,
        metadata_revised: look.now,
        ..surer.clone()
    }
}
