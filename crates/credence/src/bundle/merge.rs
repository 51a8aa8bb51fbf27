//! Merging two memories that both went on: one commit with what the present lacks.
//!
//! Record by record, against what both had last in common: what only the other changed is taken over, what only this memory changed
//! stays, and where both changed the same record this memory's stays and the conflict is told. A record that is here under another id is
//! recognised ([`Alike`]); a statement that says the same joins its evidence to the one that is here. What was erased here does not come
//! back. So merging twice is merging once: what the first merge brought is known by id and content to the second.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::alike::Alike;
use crate::erasure::{ErasureReport, Tombstone, TombstoneKind};
use crate::history::{Actor, Cause, ContentId, Log, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::PropositionId;
use crate::proposition::{Proposition, Status};
use crate::text;
use crate::time::Timestamp;
use crate::unit::Unit;

/// A record that both changed, each in its own way. This memory's stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeConflict {
    /// Which.
    pub record: RecordId,
    /// As it is here, in a few words; empty: it was removed.
    pub here: String,
    /// As it is in the bundle; empty: it was removed.
    pub there: String,
    /// What stands against what, in words for a person.
    pub why: String,
}

/// A statement that is here already in other words of the same form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// Its id in the bundle.
    pub statement: PropositionId,
    /// The statement here that took its evidence over.
    pub into: PropositionId,
    /// What both say, cut for display.
    pub text: String,
}

/// Something of the bundle that is not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTaken {
    /// Which.
    pub record: RecordId,
    /// Why, in words for a person.
    pub why: String,
}

/// What a merge does. Counts are of records, by kind in the words of the log: `proposition`, `turn`, ….
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MergeReport {
    /// Records that were not here.
    pub added: BTreeMap<String, u32>,
    /// Records that only the bundle had changed.
    pub changed: BTreeMap<String, u32>,
    /// Records that only the bundle had removed.
    pub removed: BTreeMap<String, u32>,
    /// Records that are here as they are in the bundle.
    pub same: u32,
    /// Records that only this memory has changed since: they stay.
    pub newer_here: u32,
    /// Statements that were here under another id.
    pub joined: Vec<Joined>,
    /// Records that both changed: this memory's stay.
    pub conflicts: Vec<MergeConflict>,
    /// What is not taken over.
    pub not_taken: Vec<NotTaken>,
    /// Worth knowing, in words for a person.
    pub notes: Vec<String>,
}

/// A planned merge.
pub(super) struct Merge {
    pub(super) scope: Scope,
    pub(super) report: MergeReport,
    /// What the memory believes afterwards, by the content of its text: whose vectors may come along.
    pub(super) texts: BTreeSet<ContentId>,
}

/// Plans what `theirs` adds to `ours`, whose first `common` commits are the same.
pub(super) fn merge(ours: &Log, theirs: &Log, common: u64, bundle: &str, now: Timestamp) -> Merge {
    let base = ours.view_at(common).or_else(|_| theirs.view_at(common)).unwrap_or_default();
    let reason = format!("merged with a bundle of “{bundle}”");
    let (ours, theirs) = (ours.state(), theirs.state());
    let mut merger = Merger {
        ours,
        theirs,
        base,
        alike: Alike::of(ours, theirs),
        graves: ours.erasures().filter(|report| !report.lifted).collect(),
        scope: Scope::new(ScopeInfo::new(Cause::Import, Actor::Person, reason)),
        report: MergeReport::default(),
        now,
    };
    merger.run();
    let mut texts = BTreeSet::new();
    for p in ours.propositions() {
        texts.insert(ContentId::of_text(&p.text));
    }
    for draft in merger.scope.drafts() {
        if let Some(Record::Proposition(p)) = draft.value {
            texts.insert(ContentId::of_text(&p.text));
        }
    }
    Merge { scope: merger.scope, report: merger.report, texts }
}

struct Merger<'a> {
    ours: &'a State,
    theirs: &'a State,
    base: State,
    alike: Alike,
    graves: Vec<&'a ErasureReport>,
    scope: Scope,
    report: MergeReport,
    now: Timestamp,
}

impl Merger<'_> {
    fn run(&mut self) {
        let theirs = self.theirs;
        for revision in theirs.revisions() {
            match &revision.value {
                Some(value) => {
                    let translated = self.alike.translated(value);
                    if translated.id() == revision.record {
                        self.meet(revision.record, Some(translated), revision.erased);
                    } else {
                        self.recognised(revision.record, translated);
                    }
                }
                None => self.meet(revision.record, None, revision.erased),
            }
        }
        if !self.scope.forgotten().is_empty() {
            let (state, scope) = (self.ours, &self.scope);
            crate::inbox::forget_questions(state, scope);
            crate::promotion::forget_reports(state, scope);
            crate::compaction::forget_summaries(state, scope);
            crate::enforcement::forget_violations(state, scope);
            crate::upkeep::forget_sweeps(state, scope);
        }
        crate::unit::follow(self.ours, &self.scope, self.now);
    }

    /// A record that both may know by the same id.
    fn meet(&mut self, record: RecordId, theirs: Option<Record>, erased: bool) {
        let Some(here) = self.ours.revision(record).cloned() else {
            if let Some(value) = theirs {
                self.add(record, value);
            }
            return;
        };
        let base = self.base.revision(record).map(|revision| revision.value.clone());
        let same = |a: Option<&Record>, b: Option<&Record>| content(a) == content(b);
        if same(here.value.as_ref(), theirs.as_ref()) {
            self.report.same += 1;
        } else if here.erased && here.value.is_none() {
            self.not_taken(record, "it was erased here for ever");
        } else if base.as_ref().is_some_and(|base| same(here.value.as_ref(), base.as_ref())) {
            self.take_over(record, theirs, erased);
        } else if base.as_ref().is_some_and(|base| same(theirs.as_ref(), base.as_ref())) {
            self.report.newer_here += 1;
        } else {
            match (here.value.as_ref(), theirs.as_ref()) {
                (Some(Record::Proposition(ours)), Some(Record::Proposition(theirs)))
                    if says_the_same(ours, theirs) =>
                {
                    self.join(ours, theirs);
                }
                // Where a source stands in its reading, and what was learned of a unit before both met, is each memory's own.
                _ if is_own(record, base.is_some()) => self.report.newer_here += 1,
                (here, theirs) => {
                    let why = match (here, theirs) {
                        (None, _) => "it was removed here, and changed there",
                        (_, None) => "it was changed here, and removed there",
                        _ => "both changed it, each in its own way",
                    };
                    let (here, there) = (shown(here), shown(theirs));
                    self.report.conflicts.push(MergeConflict { record, here, there, why: why.into() });
                }
            }
        }
    }

    /// A record that is here under another id.
    fn recognised(&mut self, id: RecordId, theirs: Record) {
        let record = theirs.id();
        match theirs {
            Record::Proposition(theirs) => {
                let Some(ours) = self.scope.proposition(self.ours, theirs.id) else { return };
                if is_believed(&ours) == is_believed(&theirs) {
                    self.join(&ours, &theirs);
                    if let RecordId::Proposition(statement) = id {
                        let text = text::excerpt(&ours.text, 120);
                        self.report.joined.push(Joined { statement, into: ours.id, text });
                    }
                } else {
                    let word =
                        |p: &Proposition| format!("{} ({})", text::excerpt(&p.text, 120), p.status.as_str());
                    self.report.conflicts.push(MergeConflict {
                        record,
                        here: word(&ours),
                        there: word(&theirs),
                        why: "both say it, and only one believes it".into(),
                    });
                }
            }
            Record::Entity(theirs) => {
                let Some(Record::Entity(mut ours)) = self.scope.get(self.ours, record) else { return };
                let learned = theirs.names().filter(|name| ours.learn_name(name)).count();
                if learned > 0 {
                    ours.revised = self.now;
                    self.scope.put(self.ours, ours, "names that the bundle knows");
                    count(&mut self.report.changed, record);
                } else {
                    self.report.same += 1;
                }
            }
            // The same conversation, read there: what was read need not be read again.
            other if self.ours.revision(record).is_none() => self.add(record, other),
            _ => self.report.same += 1,
        }
    }

    fn join(&mut self, ours: &Proposition, theirs: &Proposition) {
        let joined =
            ours.clone().with_evidence(theirs.grounding.clone(), theirs.provenance.clone(), self.now);
        let is_news = joined.grounding != ours.grounding || joined.provenance != ours.provenance;
        if is_news {
            self.scope.put(self.ours, joined, "evidence that the bundle has");
            count(&mut self.report.changed, RecordId::Proposition(ours.id));
        } else {
            self.report.same += 1;
        }
    }

    fn take_over(&mut self, record: RecordId, theirs: Option<Record>, erased: bool) {
        match theirs {
            Some(value) => {
                let is_active = matches!(&value, Record::Unit(unit) if self.ours.unit(unit.proposition).is_some_and(Unit::is_active));
                let value = if is_active { value } else { arriving(value) };
                self.scope.put(self.ours, value, "as the bundle has it");
                count(&mut self.report.changed, record);
            }
            None => {
                if erased {
                    self.report.notes.push(format!(
                        "{record} was erased there for ever; it leaves this memory, and its history stays here until you erase it here"
                    ));
                }
                self.scope.remove(self.ours, record, "removed in the bundle");
                count(&mut self.report.removed, record);
            }
        }
    }

    fn add(&mut self, record: RecordId, value: Record) {
        if let Some(why) = self.buried(&value) {
            self.not_taken(record, why);
            return;
        }
        let value = arriving(value);
        if let Record::Unit(unit) = &value {
            if self.scope.proposition(self.ours, unit.proposition).is_none() {
                self.not_taken(record, "its statement is not taken over");
                return;
            }
            if unit.canon().is_some() {
                let note =
                    format!("the unit of {} comes as CANON, as a person made it there", unit.proposition);
                self.report.notes.push(note);
            }
        }
        self.scope.put(self.ours, value, "");
        count(&mut self.report.added, record);
    }

    /// Why an erasure keeps a record out.
    fn buried(&self, value: &Record) -> Option<&'static str> {
        let lies = |kind: TombstoneKind, form: &str, since: Timestamp| {
            self.graves.iter().any(|report| {
                since < report.at && report.tombstones.contains(&Tombstone::of(kind, &report.salt, form))
            })
        };
        match value {
            Record::Proposition(p) => {
                let form = text::canonical(&p.text);
                lies(TombstoneKind::Statement, &form, p.created)
                    .then_some("the same statement was erased here for ever")
            }
            Record::Turn(turn) => {
                let form = text::canonical(&turn.text);
                lies(TombstoneKind::Text, &form, turn.at.at)
                    .then_some("the same words were erased here for ever")
            }
            _ => None,
        }
    }

    fn not_taken(&mut self, record: RecordId, why: &str) {
        self.report.not_taken.push(NotTaken { record, why: why.to_owned() });
    }
}

fn count(counts: &mut BTreeMap<String, u32>, record: RecordId) {
    *counts.entry(record.kind().as_str().to_owned()).or_default() += 1;
}

/// A unit sleeps until it is needed: the budget here is not the one that it came from.
fn arriving(record: Record) -> Record {
    match record {
        Record::Unit(unit) => Record::Unit(unit.arriving()),
        other => other,
    }
}

/// A record's content; a turn's place in its conversation is no part of it, because turns of two writers move behind one another.
fn content(record: Option<&Record>) -> Option<ContentId> {
    let placed = match record? {
        Record::Turn(turn) => Record::Turn(crate::conversation::Turn { index: 0, ..turn.clone() }),
        other => other.clone(),
    };
    Some(ContentId::of(Some(&arriving(placed))))
}

/// Whether a record tells of this memory's own work alone.
fn is_own(record: RecordId, is_shared: bool) -> bool {
    match record {
        RecordId::Bookmark(_) | RecordId::Ledger(_) => true,
        RecordId::Unit(_) => !is_shared,
        _ => false,
    }
}

fn is_believed(p: &Proposition) -> bool {
    matches!(p.status, Status::Active | Status::Promoted | Status::Stale)
}

/// Whether two states of a statement differ in nothing but how well it is supported.
fn says_the_same(a: &Proposition, b: &Proposition) -> bool {
    let support = |p: &Proposition| {
        let blank =
            Proposition { grounding: Vec::new(), provenance: Vec::new(), reinforce_count: 0, ..p.clone() };
        Proposition {
            confidence: a.confidence,
            decay: a.decay,
            importance: a.importance,
            reasoning: None,
            ..blank
        }
    };
    ContentId::of(Some(&support(a).into())) == ContentId::of(Some(&support(b).into()))
}

/// A record in a few words.
fn shown(record: Option<&Record>) -> String {
    match record {
        None => String::new(),
        Some(Record::Proposition(p)) => format!("{} ({})", text::excerpt(&p.text, 120), p.status.as_str()),
        Some(Record::Entity(entity)) => entity.name.clone(),
        Some(Record::Conversation(conversation)) => conversation.title.clone(),
        Some(Record::Turn(turn)) => text::excerpt(&turn.text, 120),
        Some(Record::Unit(unit)) => {
            format!("{}, activation {}", unit.authority().as_str(), unit.stored_activation().get())
        }
        Some(other) => other.id().to_string(),
    }
}
