//! Retraction: what rested on turns whose words no longer stand, and what comes back for it.
//!
//! | what | becomes |
//! |---|---|
//! | a statement that rests on those turns alone | STALE and retracted, with the reason; said anew, it begins anew |
//! | one with other evidence | loses this grounding, and what exactly this witness had brought ([`super::witness`]) |
//! | one that is pinned or CANON | loses the grounding and stays: a person stands behind it |
//! | what a retracted statement had retired | comes back as it was, unless something else stands against it as well |
//! | what something else has retired since | stays retired, by that |
//! | its unit | is archived, or loses the evidence that came from there |
//! | a question about it that is open | goes |
//!
//! What rests on statements that go is looked at by `cascade`. All of it is planned into the scope of the change that took the words back:
//! one commit, one undo. (history 2.11, 2.12)

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::cascade::Dependant;
use super::witness::{Left, without};
use crate::conversation::Speaker;
use crate::error::Error;
use crate::history::{Actor, ContentId, Log, Record, RecordId, Revision, Scope, State};
use crate::id::{PropositionId, TurnId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Proposition, Voice};
use crate::text;
use crate::time::Timestamp;
use crate::trust::sources_of;
use crate::unit::{ArchiveReason, Authority, Mover, Standing};

/// What was taken back with the words of turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Retraction {
    /// Statements that rested on them alone.
    pub retracted: Vec<PropositionId>,
    /// Statements that lost this evidence and stand on other.
    pub weakened: Vec<PropositionId>,
    /// Statements that rest on nothing any more and stay, because a person pinned them or made them CANON.
    pub kept: Vec<PropositionId>,
    /// Statements that came back, because what had retired them went.
    pub revived: Vec<PropositionId>,
    /// What rested on statements that went, and what became of it.
    pub dependants: Vec<Dependant>,
    /// What else is worth knowing, in words for a person.
    pub notes: Vec<String>,
}

/// Where a retraction is planned.
#[derive(Clone, Copy)]
struct Desk<'a> {
    state: &'a State,
    scope: &'a Scope,
    log: &'a Log,
    now: Timestamp,
}

impl<P: Ports> Memory<P> {
    /// Plans what follows when the words of these turns no longer stand. The turns themselves are the caller's.
    pub(crate) fn retract(
        &self,
        state: &State,
        scope: &Scope,
        lost: &BTreeSet<TurnId>,
        why: &str,
        now: Timestamp,
    ) -> Result<Retraction, Error> {
        let log = self.log();
        let desk = Desk { state, scope, log: &log, now };
        let mut done = Retraction::default();
        let (mut gone, mut weaker): (Vec<Proposition>, Vec<PropositionId>) = (Vec::new(), Vec::new());
        for p in state.propositions() {
            match without(p, lost, &|left| desk.says_it(p, left, lost), now) {
                Left::Untouched => {}
                Left::Weaker { .. } => weaker.push(p.id),
                Left::Nothing(_) if p.pinned || desk.is_canon(p.id) => done.kept.push(p.id),
                Left::Nothing(next) => {
                    scope.put(state, *next, why);
                    gone.push(p.clone());
                }
            }
        }
        done.retracted = gone.iter().map(|p| p.id).collect();
        for p in &gone {
            desk.bring_back(p, &mut done);
        }
        for id in weaker.iter().chain(&done.kept) {
            let Some(p) = scope.proposition(state, *id) else { continue };
            match without(&p, lost, &|left| desk.says_it(&p, left, lost), now) {
                Left::Weaker { statement, counted } => {
                    if !counted {
                        done.notes.push(format!(
                            "how much this witness brought to \u{201c}{}\u{201d} is not known; its confidence stays",
                            text::excerpt(&p.text, 80)
                        ));
                    }
                    let statement = self.with_config(|config| config.trust.scored(*statement, now));
                    scope.put(state, desk.as_it_was(statement), why);
                }
                // Pinned or CANON: the person's word stands in for what it rested on.
                Left::Nothing(bare) => {
                    let status = p.status;
                    let left = Proposition { retracted: false, status, witnesses: Vec::new(), ..*bare };
                    scope.put(state, left, why);
                }
                Left::Untouched => {}
            }
        }
        done.weakened = weaker;
        desk.unlink(&done.retracted, why);
        done.dependants = self.cascade(state, scope, &done.retracted, now);
        self.retract_units(&desk, lost, &mut done, why)?;
        crate::inbox::retract_questions(state, scope, &done.retracted.iter().copied().collect(), lost, why);
        Ok(done)
    }

    /// Units lose what came from those turns; those of retracted statements leave; those of what came back come back.
    fn retract_units(
        &self,
        desk: &Desk<'_>,
        lost: &BTreeSet<TurnId>,
        done: &mut Retraction,
        why: &str,
    ) -> Result<(), Error> {
        let Desk { state, scope, log, .. } = *desk;
        if state.units().next().is_none() {
            return Ok(());
        }
        let uses: BTreeSet<(String, u32)> = lost
            .iter()
            .filter_map(|id| state.turn(*id))
            .filter(|turn| turn.speaker == Speaker::Assistant)
            .map(|turn| (turn.conversation.to_string(), turn.index))
            .collect();
        let mut refused = Vec::new();
        self.planning(state, scope, Mover::Policy("retraction"), |plan| {
            for unit in state.units() {
                let id = unit.proposition;
                let (before, after) = (state.proposition(id), scope.proposition(state, id));
                let sources: BTreeSet<String> = match (before, &after) {
                    (Some(before), Some(after)) => {
                        let left = sources_of(state, after);
                        sources_of(state, before)
                            .into_iter()
                            .filter(|source| !left.contains(source))
                            .collect()
                    }
                    _ => BTreeSet::new(),
                };
                plan.withdraw(log, id, &sources, &uses, why);
            }
            for id in &done.retracted {
                let is_there = plan
                    .view(*id)
                    .is_some_and(|view| !matches!(view.unit.standing(), Standing::Archived { .. }));
                if is_there && let Err(no) = plan.archive(*id, ArchiveReason::Revision, None, why) {
                    // Nothing believes its statement any more: it leaves all the same, and the rule is told.
                    refused.push(format!("{} ({})", no.words, no.rule));
                }
            }
            Ok(())
        })?;
        done.notes.extend(refused);
        let mut back = Vec::new();
        for id in &done.revived {
            let record = RecordId::Unit(*id);
            let archived = log.history(record).last().filter(|step| {
                let left = |value: &Option<Record>| matches!(value, Some(Record::Unit(unit)) if matches!(unit.standing(), Standing::Archived { .. }));
                left(&step.revision.value)
                    && step.commit.actor != Actor::Person
                    && step.commit.revisions.iter().any(|r| r.record == RecordId::Proposition(*id))
            });
            let before = archived.and_then(|step| value_of(log, record, step.revision.previous?));
            if let Some(before) = before {
                scope.put(state, before, "what had taken its place was taken back");
                back.push(record);
            }
        }
        self.planning(state, scope, Mover::Policy("the budget"), |plan| {
            plan.fit(&back)?;
            Ok(())
        })?;
        Ok(())
    }
}

/// What a record was at a revision; `None`: it was not there, or that is gone from history.
pub(crate) fn value_of(log: &Log, record: RecordId, revision: crate::id::RevisionId) -> Option<Record> {
    log.history(record).find(|step| step.revision.id == revision)?.revision.value.clone()
}

impl Desk<'_> {
    /// Whether turns still say a statement: one of them speaks in its voice, and of the same thing.
    fn says_it(&self, p: &Proposition, left: &[TurnId], lost: &BTreeSet<TurnId>) -> bool {
        let words: BTreeSet<String> = text::content_terms(&p.text).into_iter().collect();
        left.iter().filter(|turn| !lost.contains(turn)).filter_map(|turn| self.state.turn(*turn)).any(
            |turn| {
                let voice = match turn.speaker {
                    Speaker::User => Voice::User,
                    Speaker::Assistant => Voice::Assistant,
                    Speaker::Person { .. } => Voice::Other,
                    Speaker::Document { .. } => Voice::Document,
                };
                voice == p.voice && text::content_terms(&turn.text).iter().any(|word| words.contains(word))
            },
        )
    }

    fn is_canon(&self, id: PropositionId) -> bool {
        self.state.unit(id).is_some_and(|unit| unit.is_active() && unit.authority() == Authority::Canon)
    }

    /// A statement that is what it was once, with the clocks that it had then: it fades as if nothing had come in between.
    fn as_it_was(&self, p: Proposition) -> Proposition {
        let (record, content) = (RecordId::Proposition(p.id), ContentId::of(Some(&p.clone().into())));
        let same = self.log.history(record).rev().find(|step| step.revision.content_id == content);
        match same.and_then(|step| step.revision.value.clone()) {
            Some(Record::Proposition(was)) => was,
            _ => p,
        }
    }

    /// Takes back the links that statements which went had put on others when they came.
    fn unlink(&self, gone: &[PropositionId], why: &str) {
        let links = |p: &Proposition| -> BTreeSet<PropositionId> {
            p.temporal.supersedes.iter().chain(&p.temporal.contradicts).copied().collect()
        };
        let came: Vec<(PropositionId, u64)> = gone
            .iter()
            .filter_map(|id| Some((*id, self.log.history(RecordId::Proposition(*id)).next()?.commit.seq)))
            .collect();
        let named = |p: &&Proposition| !gone.contains(&p.id) && links(p).iter().any(|id| gone.contains(id));
        for p in self.state.propositions().filter(named) {
            let record = RecordId::Proposition(p.id);
            let put_there = |(id, seq): &&(PropositionId, u64)| {
                let step = self.log.history(record).find(|step| step.commit.seq == *seq);
                let before = step.and_then(|step| value_of(self.log, record, step.revision.previous?));
                matches!(before, Some(Record::Proposition(before)) if !links(&before).contains(id))
            };
            let own: Vec<PropositionId> = came.iter().filter(put_there).map(|(id, _)| *id).collect();
            if let Some(mut next) = self.scope.proposition(self.state, p.id).filter(|_| !own.is_empty()) {
                next.temporal.supersedes.retain(|id| !own.contains(id));
                next.temporal.contradicts.retain(|id| !own.contains(id));
                next.metadata_revised = self.now;
                self.scope.put(self.state, self.as_it_was(next), why);
            }
        }
    }

    /// Whether a statement stands against or in the place of `id`, other than those that went.
    fn is_retired_by_another(&self, id: PropositionId, gone: &[PropositionId]) -> bool {
        let names =
            |p: &Proposition| p.temporal.supersedes.contains(&id) || p.temporal.contradicts.contains(&id);
        self.state.propositions().any(|p| p.id != id && !gone.contains(&p.id) && !p.retracted && names(p))
    }

    /// Plans what comes back when `gone` goes: what it had retired, and what had been retired with that.
    fn bring_back(&self, gone: &Proposition, done: &mut Retraction) {
        let names = gone.temporal.supersedes.iter().chain(&gone.temporal.contradicts).copied();
        let retired: Vec<PropositionId> = names.filter(|id| !done.retracted.contains(id)).collect();
        if !gone.status.is_live() {
            self.hand_on(gone, &retired);
            return;
        }
        let mut open: Vec<(PropositionId, Option<u64>)> = retired.into_iter().map(|id| (id, None)).collect();
        while let Some((id, with)) = open.pop() {
            let Some(now) = self.scope.proposition(self.state, id) else { continue };
            if now.status.is_live() || now.retracted || self.is_retired_by_another(id, &done.retracted) {
                continue;
            }
            let Some(seq) = with.or_else(|| self.retired_at(id, &done.retracted)) else { continue };
            let Some((before, after)) = self.retirement_in(id, seq) else { continue };
            let Some(mut back) = between(&now, &after, &before) else { continue };
            back.temporal.valid_to = before.temporal.valid_to;
            let why = format!("what had taken its place was taken back: {}", text::excerpt(&gone.text, 120));
            self.scope.put(self.state, back, why);
            done.revived.push(id);
            let rested =
                self.state.propositions().filter(|p| p.source_ids.contains(&id) && !p.status.is_live());
            let with_it = rested.filter(|p| self.retirement_in(p.id, seq).is_some());
            open.extend(with_it.map(|p| (p.id, Some(seq))));
        }
    }

    /// A statement that goes had been retired itself: what it had retired stays so, by what retired it, and until then.
    fn hand_on(&self, gone: &Proposition, retired: &[PropositionId]) {
        let later: Vec<Proposition> = self
            .state
            .propositions()
            .filter(|p| p.temporal.supersedes.contains(&gone.id) && !p.retracted && p.id != gone.id)
            .cloned()
            .collect();
        for mut heir in later {
            heir.temporal.supersedes.extend(retired.iter().filter(|id| **id != heir.id).copied());
            heir.metadata_revised = self.now;
            self.scope.put(self.state, heir, "what stood between was taken back");
            for id in retired {
                if let Some(mut old) = self.scope.proposition(self.state, *id)
                    && let Some(end) = gone.temporal.valid_to
                    && old.temporal.valid_to == gone.temporal.valid_from
                {
                    old.temporal.valid_to = Some(end);
                    old.metadata_revised = self.now;
                    self.scope.put(self.state, old, "what had ended it was taken back");
                }
            }
        }
    }

    /// The commit in which a statement lost to others that are all gone by now; `None` where one of them stands, or a person or a sweep
    /// retired it.
    fn retired_at(&self, id: PropositionId, gone: &[PropositionId]) -> Option<u64> {
        let steps: Vec<u64> =
            self.log.history(RecordId::Proposition(id)).map(|step| step.commit.seq).collect();
        let seq = steps.into_iter().rev().find(|seq| self.retirement_in(id, *seq).is_some())?;
        let commit = self.log.commit_at(seq).ok()?;
        let retiring = commit.revisions.iter().filter_map(|revision| match &revision.value {
            Some(Record::Proposition(p)) if p.id != id => {
                (p.temporal.supersedes.contains(&id) || p.temporal.contradicts.contains(&id)).then_some(p.id)
            }
            _ => None,
        });
        let is_gone =
            |by: &PropositionId| gone.contains(by) || self.state.proposition(*by).is_none_or(|p| p.retracted);
        let retiring: Vec<PropositionId> = retiring.collect();
        (!retiring.is_empty() && retiring.iter().all(is_gone)).then_some(seq)
    }

    /// A statement before and after a commit that retired it.
    fn retirement_in(&self, id: PropositionId, seq: u64) -> Option<(Proposition, Proposition)> {
        let record = RecordId::Proposition(id);
        let step = self.log.history(record).find(|step| step.commit.seq == seq)?;
        let revision: &Revision = &step.revision;
        let (Some(Record::Proposition(after)), Some(Record::Proposition(before))) =
            (revision.value.clone(), value_of(self.log, record, revision.previous?))
        else {
            return None;
        };
        (before.status.is_live() && !after.status.is_live()).then_some((before, after))
    }
}

/// `now` with the step from `before` to `after` taken out: every field that is still as the step left it goes back. `None` where the result
/// is no statement.
pub(crate) fn between(now: &Proposition, after: &Proposition, before: &Proposition) -> Option<Proposition> {
    let fields = |p: &Proposition| match serde_json::to_value(p) {
        Ok(serde_json::Value::Object(fields)) => Some(fields),
        _ => None,
    };
    let (mut now, after, before) = (fields(now)?, fields(after)?, fields(before)?);
    let names: BTreeSet<&String> = after.keys().chain(before.keys()).collect();
    for name in names {
        if now.get(name) == after.get(name) {
            match before.get(name) {
                Some(value) => now.insert(name.clone(), value.clone()),
                None => now.remove(name),
            };
        }
    }
    serde_json::from_value(serde_json::Value::Object(now)).ok()
}
