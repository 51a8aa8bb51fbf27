//! The collector: marks what has faded, what says the same as another, and what a caller has reasons against. Marking writes
//! nothing; the sweep (`compose`) does, with one outcome a mark. Source: dice 6.9 and 6.10.
//!
//! Beyond the source: a duplicate's evidence goes into the survivor in the same commit, nothing is a duplicate on nearness alone
//! (`same`), a statement whose time has not come is left alone, and what a sweep retired can come back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::compose::{Change, Picked, Planned};
use super::look::Look;
use super::report::{Pass, PassReport};
use super::same::{Sameness, compare, keys};
use crate::id::PropositionId;
use crate::proposition::{Proposition, Status};
use crate::text::{self, Texts};

/// Key of what has faded.
pub(crate) const STALE: &str = "stale";
/// Key of what comes back.
const REVIVED: &str = "revived";
/// Key of a duplicate.
pub(crate) const DUPLICATE: &str = "duplicate";

/// A caller's own reason to retire a statement: a source that is gone, a schema that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomMark {
    /// The statement.
    pub proposition: PropositionId,
    /// A short word for the kind of reason.
    pub key: String,
    /// The reason, in words for a person.
    pub description: String,
    /// Where it goes; STALE unless told otherwise. A live status is refused.
    #[serde(default = "stale")]
    pub to: Status,
    /// Takes it out of the memory altogether; needs `maintenance.hard_delete`.
    #[serde(default)]
    pub remove: bool,
}

fn stale() -> Status {
    Status::Stale
}

impl CustomMark {
    /// A reason to let a statement go stale.
    pub fn new(proposition: PropositionId, key: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            proposition,
            key: key.into(),
            description: description.into(),
            to: Status::Stale,
            remove: false,
        }
    }
}

/// What has faded goes stale, or is removed where the settings say so; what regained belief comes back.
pub(crate) fn decay_sweep(look: &Look<'_>) -> Planned {
    let mut report = PassReport::new(Pass::DecaySweep);
    let mut picked = Vec::new();
    let (policy, config) = (look.policy(), look.config);
    let (replaced, faded) =
        if config.revive { (look.replaced(), look.faded()) } else { (BTreeSet::new(), BTreeSet::new()) };
    let mut waiting = 0;
    for p in look.world.values() {
        let is_candidate = match p.status {
            Status::Active => true,
            Status::Stale => config.revive && faded.contains(&p.id) && !replaced.contains(&p.id),
            _ => false,
        };
        if !is_candidate {
            continue;
        }
        report.examined += 1;
        if p.temporal.valid_from.is_some_and(|from| from > look.now) && p.temporal.invalidated_at.is_none() {
            waiting += 1;
            continue;
        }
        let effective = look.effective(p);
        let Some(decided) = policy.decide(p, effective) else { continue };
        let worth = format!("it is worth {:.2} now", decided.utility);
        picked.push(if decided.to == Status::Active {
            let why = format!("{worth}, above {}", config.revive_above);
            Picked::new(p.id, REVIVED, why, Change::Move(Status::Active))
        } else if config.hard_delete && decided.utility < config.delete_below {
            let why = format!("{worth}, below {} where statements are removed", config.delete_below);
            Picked::new(p.id, STALE, why, Change::Remove)
        } else {
            let why = format!("{worth}, below {}", config.retire_below);
            Picked::new(p.id, STALE, why, Change::Move(Status::Stale))
        });
    }
    if waiting > 0 {
        report.notes.push(format!("{waiting} statements whose time has not come were left alone"));
    }
    Planned { report, picked }
}

/// What decides between duplicates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Pinned ones survive.
    pub pinned: bool,
    /// Then the surest now.
    pub effective: f64,
    /// Then the most reinforced; then the larger id.
    pub reinforce_count: u32,
}

/// Unites clusters that share members and names, for each that goes, who stays. Ids that are no candidates take no part.
/// In order of id.
pub fn survivors(
    candidates: &BTreeMap<PropositionId, Standing>,
    clusters: &[Vec<PropositionId>],
) -> Vec<(PropositionId, PropositionId)> {
    let mut parent: BTreeMap<PropositionId, PropositionId> = BTreeMap::new();
    fn root(parent: &BTreeMap<PropositionId, PropositionId>, mut id: PropositionId) -> PropositionId {
        while let Some(above) = parent.get(&id).filter(|above| **above != id) {
            id = *above;
        }
        id
    }
    for cluster in clusters {
        let members: Vec<PropositionId> =
            cluster.iter().copied().filter(|id| candidates.contains_key(id)).collect();
        for id in &members {
            parent.entry(*id).or_insert(*id);
        }
        for pair in members.windows(2) {
            let (a, b) = (root(&parent, pair[0]), root(&parent, pair[1]));
            parent.insert(a.max(b), a.min(b));
        }
    }
    let better = |a: PropositionId, b: PropositionId| {
        let (x, y) = (&candidates[&a], &candidates[&b]);
        let order = x.pinned.cmp(&y.pinned);
        let order = order.then(x.effective.total_cmp(&y.effective));
        let order = order.then(x.reinforce_count.cmp(&y.reinforce_count)).then(a.cmp(&b));
        if order.is_gt() { a } else { b }
    };
    let mut best: BTreeMap<PropositionId, PropositionId> = BTreeMap::new();
    for id in parent.keys() {
        let root = root(&parent, *id);
        let known = best.get(&root).copied().unwrap_or(*id);
        best.insert(root, better(known, *id));
    }
    let loser = |id: &PropositionId| {
        let survivor = best[&root(&parent, *id)];
        (survivor != *id).then_some((*id, survivor))
    };
    parent.keys().filter_map(loser).collect()
}

/// Statements by the keys under which those that say the same meet.
#[derive(Debug, Default)]
pub(crate) struct Meeting(BTreeMap<String, Vec<PropositionId>>);

impl Meeting {
    /// Takes a statement in; in order of id.
    pub(crate) fn add(&mut self, p: &Proposition) {
        for key in keys(p).into_iter().flatten() {
            self.0.entry(key).or_default().push(p.id);
        }
    }
}

/// Statements that say the same become one. Every ACTIVE statement is in `meeting`; `judged` are pairs that a model takes for one;
/// words overrule it.
pub(crate) fn duplicates(
    look: &Look<'_>,
    meeting: &Meeting,
    judged: &[(PropositionId, PropositionId)],
    texts: &Texts,
) -> Planned {
    let mut report = PassReport::new(Pass::Duplicates);
    let active: BTreeMap<PropositionId, &Proposition> = look.active().map(|p| (p.id, p)).collect();
    report.examined = u32::try_from(active.len()).unwrap_or(u32::MAX);
    let mut clusters: Vec<Vec<PropositionId>> = Vec::new();
    for members in meeting.0.values() {
        let mut first: Vec<PropositionId> = Vec::new();
        for id in members {
            let same = |other: &&PropositionId| {
                matches!(compare(active[id], active[*other], texts), Sameness::Same(_))
            };
            match first.iter().find(same) {
                Some(other) => clusters.push(vec![*other, *id]),
                None => first.push(*id),
            }
        }
    }
    clusters.extend(judged.iter().map(|(a, b)| vec![*a, *b]));
    let standing = |p: &Proposition| Standing {
        pinned: p.pinned,
        effective: look.effective(p),
        reinforce_count: p.reinforce_count,
    };
    let candidates = active.iter().map(|(id, p)| (*id, standing(p))).collect();
    let mut picked = Vec::new();
    for (goes, stays) in survivors(&candidates, &clusters) {
        let (lost, kept) = (active[&goes], active[&stays]);
        let why = match compare(lost, kept, texts) {
            Sameness::Same(why) => why,
            Sameness::Open => "the model takes both for one".into(),
            Sameness::Apart(why) => {
                report.notes.push(format!("`{}` was kept apart: {why}", text::excerpt(&lost.text, 80)));
                continue;
            }
        };
        let why = format!("{why}: {}", text::excerpt(&kept.text, 120));
        picked.push(Picked::new(
            goes,
            DUPLICATE,
            why,
            Change::Absorb { into: stays, to: Status::Stale, gain: 0.0 },
        ));
    }
    Planned { report, picked }
}

/// What the caller marked.
pub(crate) fn custom(look: &Look<'_>, marks: &[CustomMark]) -> Planned {
    let mut report = PassReport::new(Pass::Custom);
    report.examined = u32::try_from(marks.len()).unwrap_or(u32::MAX);
    let mut picked = Vec::new();
    for mark in marks {
        let (id, change) = (mark.proposition, Change::Move(mark.to));
        let change = if mark.remove { Change::Remove } else { change };
        let refused = match look.world.get(&id) {
            None => Some("there is no such statement"),
            Some(p) if p.status != Status::Active => Some("it is not ACTIVE"),
            Some(_) if mark.to.is_live() && !mark.remove => Some("a mark can only retire"),
            Some(_) => None,
        };
        let mut pick = Picked::new(id, &mark.key, mark.description.clone(), change);
        if let Some(why) = refused {
            pick.change = None;
            pick.mark.outcome = super::report::MarkOutcome::Skipped { why: why.into() };
        }
        picked.push(pick);
    }
    Planned { report, picked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn id(n: u128) -> PropositionId {
        PropositionId::new(Uuid::from_u128(n))
    }
    fn standing(rows: &[(u128, f64, u32)]) -> BTreeMap<PropositionId, Standing> {
        let of = |(n, effective, reinforce_count): &(u128, f64, u32)| {
            (id(*n), Standing { pinned: false, effective: *effective, reinforce_count: *reinforce_count })
        };
        rows.iter().map(of).collect()
    }

    #[test]
    fn dice_131_overlapping_clusters_have_one_survivor() {
        let candidates = standing(&[(1, 0.5, 0), (2, 0.9, 0), (3, 0.7, 0)]);
        let expected = [(id(1), id(2)), (id(3), id(2))];
        assert_eq!(survivors(&candidates, &[vec![id(1), id(2)], vec![id(2), id(3)]]), expected);
        assert_eq!(survivors(&candidates, &[vec![id(2), id(3)], vec![id(1), id(2)]]), expected);
    }

    #[test]
    fn dice_132_ties_go_to_the_more_reinforced_then_to_the_larger_id() {
        let counts = standing(&[(1, 0.5, 5), (2, 0.5, 1)]);
        assert_eq!(survivors(&counts, &[vec![id(1), id(2)]]), [(id(2), id(1))]);
        let tie = standing(&[(1, 0.5, 1), (2, 0.5, 1)]);
        assert_eq!(survivors(&tie, &[vec![id(2), id(1)]]), [(id(1), id(2))]);
    }

    #[test]
    fn pinned_ones_survive_and_strangers_take_no_part() {
        let mut candidates = standing(&[(1, 0.2, 0), (2, 0.9, 9)]);
        candidates.get_mut(&id(1)).unwrap().pinned = true;
        let clusters = [vec![id(1), id(2), id(7)]];
        assert_eq!(survivors(&candidates, &clusters), [(id(2), id(1))]);
        assert!(survivors(&candidates, &[vec![id(7), id(8)], vec![id(1)]]).is_empty());
    }
}
