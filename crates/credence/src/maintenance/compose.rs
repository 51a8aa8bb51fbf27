//! From what the passes picked out to one plan. Passes come one after the other and each sees what the ones before it planned;
//! where several mark one statement the strongest status wins (dice 6.8). Nothing is absorbed by what goes itself, and every
//! wish gets its outcome.

use std::collections::{BTreeMap, BTreeSet};

use super::look::{World, world};
use super::report::{Mark, MarkOutcome, PassReport};
use crate::history::{RecordId, Scope, State};
use crate::id::PropositionId;
use crate::inbox::{InboxItem, InboxKind};
use crate::proposition::{Proposition, Status, Voice};
use crate::revision::brings_evidence;
use crate::scale::Confidence;
use crate::time::Timestamp;
use crate::unit::Authority;

/// What a pass wants done with a marked statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// Another status, by the passage of time or a caller's reason.
    Move(Status),
    /// Retired for a statement that says the same and takes over its evidence.
    Absorb {
        /// Who stays.
        into: PropositionId,
        /// Where the absorbed one goes.
        to: Status,
        /// What new evidence adds to the confidence of who stays.
        gain: f64,
    },
    /// Retired because another statement holds.
    Lose {
        /// Who stays.
        to_winner: PropositionId,
        /// CONTRADICTED, or SUPERSEDED with its validity closed at this instant.
        moved_on: Option<Timestamp>,
    },
    /// Taken out of the memory.
    Remove,
    /// The marked statement is new.
    Add(Box<Proposition>),
    /// A person has to decide.
    Ask(Box<InboxItem>),
}

/// A mark and the wish behind it. Without a wish the mark's own outcome stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picked {
    pub(crate) mark: Mark,
    pub(crate) change: Option<Change>,
}

impl Picked {
    pub(crate) fn new(id: PropositionId, key: &str, why: impl Into<String>, change: Change) -> Self {
        let survivor = match &change {
            Change::Absorb { into, .. } => Some(*into),
            Change::Lose { to_winner, .. } => Some(*to_winner),
            _ => None,
        };
        let mark = Mark {
            proposition: id,
            key: key.to_owned(),
            why: why.into(),
            survivor,
            outcome: MarkOutcome::Marked,
        };
        Self { mark, change: Some(change) }
    }
}

/// What one pass found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planned {
    pub(crate) report: PassReport,
    pub(crate) picked: Vec<Picked>,
}

/// How strongly a status holds against another that was planned in the same run (dice 6.8).
fn strength(status: Status) -> u8 {
    match status {
        Status::Contradicted => 4,
        Status::Superseded => 3,
        Status::Stale => 2,
        Status::Promoted => 1,
        Status::Active => 0,
    }
}

/// The statement that stays, with the evidence of one that goes: grounding, provenance, counts, links. Its clocks stay, so
/// that tidying makes nothing look fresh; only evidence that is new, with a `gain`, makes it surer.
pub(crate) fn absorbed(stays: &Proposition, goes: &Proposition, gain: f64, now: Timestamp) -> Proposition {
    let is_new = brings_evidence(stays, goes);
    let mut next =
        stays.clone().with_evidence(goes.grounding.iter().copied(), goes.provenance.iter().cloned(), now);
    next.reinforce_count = if is_new {
        stays.reinforce_count.saturating_add(goes.reinforce_count).saturating_add(1)
    } else {
        stays.reinforce_count.max(goes.reinforce_count)
    };
    if goes.importance.get() > stays.importance.get() {
        next.importance = goes.importance;
    }
    if goes.voice == Voice::User {
        next.voice = Voice::User;
    }
    let links = |mine: &mut Vec<PropositionId>, theirs: &[PropositionId]| {
        for id in theirs.iter().filter(|id| **id != stays.id) {
            if !mine.contains(id) {
                mine.push(*id);
            }
        }
    };
    links(&mut next.temporal.supersedes, &[goes.id]);
    links(&mut next.temporal.supersedes, &goes.temporal.supersedes);
    links(&mut next.temporal.contradicts, &goes.temporal.contradicts);
    links(&mut next.source_ids, &goes.source_ids);
    if is_new && gain > 0.0 {
        let confidence = (stays.confidence.get() + gain).min(1.0);
        next = next.with_confidence(Confidence::clamped(confidence), now);
        next.last_accessed = now;
    }
    next
}

/// Collects the wishes of the passes, one pass after the other, and what they come to.
pub(crate) struct Composer<'a> {
    state: &'a State,
    scope: &'a Scope,
    hard_delete: bool,
    now: Timestamp,
    world: World,
    moved: BTreeMap<PropositionId, Status>,
    stands_for: BTreeMap<PropositionId, PropositionId>,
    reports: Vec<PassReport>,
}

impl<'a> Composer<'a> {
    pub(crate) fn new(state: &'a State, scope: &'a Scope, hard_delete: bool, now: Timestamp) -> Self {
        Self {
            state,
            scope,
            hard_delete,
            now,
            world: world(state),
            moved: BTreeMap::new(),
            stands_for: BTreeMap::new(),
            reports: Vec::new(),
        }
    }

    /// Every statement as it would be now.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }
    /// The statement that stands for another by now.
    pub(crate) fn standing_for(&self, mut id: PropositionId) -> PropositionId {
        while let Some(next) = self.stands_for.get(&id) {
            id = *next;
        }
        id
    }

    /// Takes a pass's wishes.
    pub(crate) fn take(&mut self, Planned { mut report, picked }: Planned) {
        for Picked { mut mark, change } in picked {
            if let Some(change) = change {
                mark.outcome = self.apply(&mark, change).unwrap_or_else(|why| MarkOutcome::Skipped { why });
            }
            report.marks.push(mark);
        }
        self.reports.push(report);
    }

    /// The passes' reports with every outcome, and how many statements are ACTIVE then.
    pub(crate) fn finish(mut self) -> (Vec<PassReport>, u32) {
        for report in &mut self.reports {
            for mark in &mut report.marks {
                // A later pass may have had the stronger reason.
                if matches!(mark.outcome, MarkOutcome::Transitioned { .. }) {
                    mark.outcome =
                        match (self.world.get(&mark.proposition), self.moved.get(&mark.proposition)) {
                            (None, _) => MarkOutcome::HardDeleted,
                            (_, Some(to)) => MarkOutcome::Transitioned { to: *to },
                            _ => continue,
                        };
                }
            }
            let done = |mark: &&Mark| !matches!(mark.outcome, MarkOutcome::Skipped { .. });
            let ids: BTreeSet<PropositionId> =
                report.marks.iter().filter(done).map(|mark| mark.proposition).collect();
            report.changed = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        }
        let active = self.world.values().filter(|p| p.status == Status::Active).count();
        (self.reports, u32::try_from(active).unwrap_or(u32::MAX))
    }

    fn put(&mut self, proposition: Proposition, why: String) {
        self.scope.put(self.state, proposition.clone(), why);
        self.world.insert(proposition.id, proposition);
    }

    fn get(&self, id: PropositionId) -> Result<Proposition, String> {
        self.world.get(&id).cloned().ok_or_else(|| "it is no longer in the memory".into())
    }

    fn apply(&mut self, mark: &Mark, change: Change) -> Result<MarkOutcome, String> {
        let id = mark.proposition;
        match change {
            Change::Add(proposition) => {
                self.put(*proposition, mark.why.clone());
                Ok(MarkOutcome::Written)
            }
            Change::Ask(item) => {
                let held = match item.kind {
                    InboxKind::UnitDispute => "it has a firm place in the working set",
                    _ => "it is pinned",
                };
                self.scope.put(self.state, *item, mark.why.clone());
                Err(format!("{held}: a person is asked in the inbox"))
            }
            Change::Remove => {
                self.free(id)?;
                if !self.hard_delete {
                    return Err("removal is off in the settings (maintenance.hard_delete)".into());
                }
                self.scope.remove(self.state, RecordId::Proposition(id), why(mark));
                self.world.remove(&id);
                Ok(MarkOutcome::HardDeleted)
            }
            Change::Move(to) => self.retire(mark, to, None),
            Change::Absorb { into, to, gain } => {
                let goes = self.free(id)?;
                let stays = self.standing(into)?;
                let already = self.moved.contains_key(&id);
                let outcome = self.retire(mark, to, None)?;
                if !already {
                    let next = absorbed(&stays, &goes, gain, self.now);
                    self.put(next, format!("takes over the evidence of another: {}", mark.why));
                    self.stands_for.insert(id, into);
                }
                Ok(outcome)
            }
            Change::Lose { to_winner, moved_on } => {
                self.free(id)?;
                let mut winner = self.standing(to_winner)?;
                let to = if moved_on.is_some() { Status::Superseded } else { Status::Contradicted };
                let outcome = self.retire(mark, to, moved_on)?;
                let links = match moved_on {
                    Some(_) => &mut winner.temporal.supersedes,
                    None => &mut winner.temporal.contradicts,
                };
                if !links.contains(&id) {
                    links.push(id);
                    winner.metadata_revised = self.now;
                    self.put(winner, why(mark));
                }
                Ok(outcome)
            }
        }
    }

    /// The statement, if it may be touched.
    fn free(&self, id: PropositionId) -> Result<Proposition, String> {
        let proposition = self.get(id)?;
        let unit = self.state.unit(id).filter(|unit| unit.is_active());
        if proposition.pinned {
            Err("it is pinned".into())
        } else if unit.is_some_and(|unit| unit.authority() == Authority::Canon) {
            Err("a person made it CANON".into())
        } else {
            Ok(proposition)
        }
    }

    /// A statement that stays live in this run.
    fn standing(&self, id: PropositionId) -> Result<Proposition, String> {
        let goes = || "what would stand for it is retired in this run itself".to_owned();
        self.get(id).map_err(|_| goes()).and_then(|p| if p.status.is_live() { Ok(p) } else { Err(goes()) })
    }

    fn retire(&mut self, mark: &Mark, to: Status, closed: Option<Timestamp>) -> Result<MarkOutcome, String> {
        let id = mark.proposition;
        let mut next = self.free(id)?;
        if self.moved.get(&id).is_some_and(|planned| strength(*planned) >= strength(to)) {
            return Ok(MarkOutcome::Transitioned { to });
        }
        // Moves are judged from where the statement stood when the run began.
        next.status = self.state.proposition(id).map_or(next.status, |before| before.status);
        next = next.with_status(to, self.now).map_err(|error| error.to_string())?;
        if let Some(end) = closed {
            let end = next.temporal.valid_from.map_or(end, |from| end.max(from));
            next.temporal.valid_to = Some(next.temporal.valid_to.map_or(end, |known| known.min(end)));
        }
        self.put(next, why(mark));
        self.moved.insert(id, to);
        Ok(MarkOutcome::Transitioned { to })
    }
}

fn why(mark: &Mark) -> String {
    format!("{}: {}", mark.key, mark.why)
}

#[cfg(test)]
mod tests {
    use super::super::report::Pass;
    use super::super::same::tests::fact;
    use super::*;
    use crate::history::{Actor, Cause, Log, Record, ScopeInfo};
    use crate::id::{CommitId, ContextId, TurnId};
    use uuid::Uuid;

    fn log(facts: &[Proposition]) -> Log {
        let mut log = Log::replay(vec![]).unwrap();
        let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
        for fact in facts {
            scope.put(log.state(), fact.clone(), "");
        }
        let id = CommitId::new(Uuid::from_u128(1));
        let commit = scope.to_commit(log.state(), &ContextId::new("t").unwrap(), id, Timestamp(1)).unwrap();
        log.push(commit).unwrap();
        log
    }
    fn planned(pass: Pass, picked: Vec<Picked>) -> Planned {
        Planned { report: PassReport::new(pass), picked }
    }
    fn run(facts: &[Proposition], passes: Vec<Planned>, hard: bool) -> (Vec<PassReport>, Vec<Proposition>) {
        let log = log(facts);
        let scope = Scope::new(ScopeInfo::new(Cause::Maintenance, Actor::Engine, ""));
        let mut composer = Composer::new(log.state(), &scope, hard, Timestamp(50));
        passes.into_iter().for_each(|planned| composer.take(planned));
        let (reports, _) = composer.finish();
        let drafts = scope.drafts().into_iter().filter_map(|draft| match draft.value {
            Some(Record::Proposition(p)) => Some(p),
            _ => None,
        });
        (reports, drafts.collect())
    }

    #[test]
    fn dice_129_the_strongest_status_wins_in_one_write() {
        let (a, b) = (fact(1, "Pia loves tea"), fact(2, "Pia hates tea"));
        for flipped in [false, true] {
            let mut picked = vec![
                Picked::new(a.id, "covered", "", Change::Move(Status::Superseded)),
                Picked::new(a.id, "opposed", "", Change::Lose { to_winner: b.id, moved_on: None }),
                Picked::new(a.id, "stale", "", Change::Move(Status::Stale)),
            ];
            if flipped {
                picked.reverse();
            }
            let passes = picked.into_iter().map(|p| planned(Pass::DecaySweep, vec![p])).collect();
            let (reports, written) = run(&[a.clone(), b.clone()], passes, false);
            let of_a: Vec<&Proposition> = written.iter().filter(|p| p.id == a.id).collect();
            assert_eq!((of_a.len(), of_a[0].status), (1, Status::Contradicted));
            for mark in reports.iter().flat_map(|report| &report.marks) {
                assert_eq!(mark.outcome, MarkOutcome::Transitioned { to: Status::Contradicted });
            }
        }
    }

    #[test]
    fn dice_130_without_the_setting_nothing_is_removed() {
        let facts = [fact(1, "one"), fact(2, "two")];
        let remove =
            || facts.iter().map(|f| Picked::new(f.id, "faded", "", Change::Remove)).collect::<Vec<_>>();
        let (reports, written) = run(&facts, vec![planned(Pass::DecaySweep, remove())], false);
        assert!(written.is_empty());
        assert_eq!(reports[0].changed, 0);
        assert!(
            reports[0]
                .marks
                .iter()
                .all(|m| matches!(&m.outcome, MarkOutcome::Skipped { why } if why.contains("hard_delete")))
        );
        let (reports, _) = run(&facts, vec![planned(Pass::DecaySweep, remove())], true);
        assert!(reports[0].marks.iter().all(|m| m.outcome == MarkOutcome::HardDeleted));
    }

    #[test]
    fn evidence_goes_with_the_chain_and_never_in_a_circle() {
        let mut facts = [fact(1, "one"), fact(2, "two"), fact(3, "three")];
        for (n, fact) in facts.iter_mut().enumerate() {
            fact.grounding = vec![TurnId::new(Uuid::from_u128(n as u128))];
        }
        let [a, b, c] = [facts[0].id, facts[1].id, facts[2].id];
        let absorb = |from, into| {
            Picked::new(from, "duplicate", "", Change::Absorb { into, to: Status::Stale, gain: 0.0 })
        };
        let passes = vec![
            planned(Pass::SessionConsolidation, vec![absorb(a, b)]),
            planned(Pass::Duplicates, vec![absorb(b, a), absorb(b, c)]),
        ];
        let (reports, written) = run(&facts, passes, false);
        assert!(
            matches!(&reports[1].marks[0].outcome, MarkOutcome::Skipped { why } if why.contains("itself"))
        );
        let last = written.iter().find(|p| p.id == c).unwrap();
        assert_eq!((last.status, last.grounding.len(), last.reinforce_count), (Status::Active, 3, 2));
        assert_eq!(last.temporal.supersedes, [b, a]);
        assert_eq!(last.content_revised, Timestamp(0), "tidying makes nothing look fresh");
    }

    #[test]
    fn pinned_statements_stay_whatever_is_wished() {
        let mut pinned = fact(1, "one");
        pinned.pinned = true;
        let other = fact(2, "two");
        let wishes = [
            Change::Move(Status::Stale),
            Change::Absorb { into: other.id, to: Status::Stale, gain: 0.1 },
            Change::Lose { to_winner: other.id, moved_on: None },
            Change::Remove,
        ];
        for wish in wishes {
            let picked = vec![Picked::new(pinned.id, "x", "", wish)];
            let (reports, written) =
                run(&[pinned.clone(), other.clone()], vec![planned(Pass::Custom, picked)], true);
            assert!(written.is_empty());
            assert_eq!(reports[0].marks[0].outcome, MarkOutcome::Skipped { why: "it is pinned".into() });
        }
    }
}
