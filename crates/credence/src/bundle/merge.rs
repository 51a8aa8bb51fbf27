//! Merging two memories that both went on: one commit with what the present lacks.
//!
//! Record by record, against what both had last in common: what only the other changed is taken over, what only this memory changed
//! stays, and where both changed the same record this memory's stays and the conflict is told. A record that is here under another id is
//! recognised ([`Alike`]); a statement that says the same joins its evidence to the one that is here. What was erased here does not come
//! back. So merging twice is merging once: what the first merge brought is known by id and content to the second.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::alike::Alike;
use crate::conversation::{Conversation, Turn};
use crate::erasure::{ErasureReport, Tombstone, TombstoneKind};
use crate::history::{Actor, Cause, ContentId, Log, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::{EntityId, PropositionId, TurnId};
use crate::proposition::{Proposition, Status};
use crate::text;
use crate::time::Timestamp;
use crate::unit::Unit;

/// A sentence of fewer words is no sign that a turn is the one that was erased.
const QUOTED: usize = 3;

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
    // An erasure rewrites the past, so each side is compared with what was common as it is told there; where a policy dropped that, with
    // what the other side tells.
    let base = ours.view_at(common).or_else(|_| theirs.view_at(common)).unwrap_or_default();
    let base_there = theirs.view_at(common).or_else(|_| ours.view_at(common)).unwrap_or_default();
    let reason = format!("merged with a bundle of “{bundle}”");
    let (ours, theirs) = (ours.state(), theirs.state());
    let mut merger = Merger {
        ours,
        theirs,
        base,
        base_there,
        buried_turns: BTreeSet::new(),
        only_buried: None,
        tainted: BTreeSet::new(),
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
    /// What both had last in common, as it is told here.
    base: State,
    /// The same, as it is told there.
    base_there: State,
    /// Turns of the other memory that say what was erased here.
    buried_turns: BTreeSet<TurnId>,
    /// Entities of the other memory that nothing names but what stays out; known once statements have been looked at.
    only_buried: Option<BTreeSet<EntityId>>,
    /// Ids, as text, of what is not taken over because of an erasure: no report that names one is taken over either.
    tainted: BTreeSet<String>,
    alike: Alike,
    graves: Vec<&'a ErasureReport>,
    scope: Scope,
    report: MergeReport,
    now: Timestamp,
}

impl Merger<'_> {
    fn run(&mut self) {
        let theirs = self.theirs;
        self.find_buried_turns();
        for revision in theirs.revisions() {
            // Statements come first: what only those name that stay out, stays out as well.
            if matches!(revision.record, RecordId::Entity(_)) && self.only_buried.is_none() {
                self.only_buried = Some(self.named_by_buried_alone());
            }
            match &revision.value {
                Some(value) => {
                    let translated = self.untitled(self.alike.translated(value));
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

    fn find_buried_turns(&mut self) {
        let theirs = self.theirs;
        for turn in theirs.all_turns().filter(|turn| self.ours.turn(turn.id).is_none()) {
            if self.says_buried(turn) {
                self.buried_turns.insert(turn.id);
                self.tainted.insert(turn.conversation.to_string());
            }
        }
    }

    fn named_by_buried_alone(&self) -> BTreeSet<EntityId> {
        let (mut buried, mut others) = (BTreeSet::new(), BTreeSet::new());
        for p in self.theirs.propositions().filter(|_| !self.tainted.is_empty()) {
            let names = if self.tainted.contains(&p.id.to_string()) { &mut buried } else { &mut others };
            names.extend(p.entities());
        }
        buried.difference(&others).copied().collect()
    }

    /// The title of a conversation is often its first turn.
    fn untitled(&self, record: Record) -> Record {
        match record {
            Record::Conversation(talk) if self.tainted.contains(&talk.id.to_string()) => {
                Record::Conversation(Conversation { title: String::new(), ..talk })
            }
            other => other,
        }
    }

    /// A record that both may know by the same id.
    fn meet(&mut self, record: RecordId, theirs: Option<Record>, erased_there: bool) {
        let Some(here) = self.ours.revision(record).cloned() else {
            if let Some(value) = theirs {
                self.add(record, value);
            }
            return;
        };
        let same = |a: Option<&Record>, b: Option<&Record>| content(a) == content(b);
        let is_as_before = |base: &State, now: Option<&Record>| {
            base.revision(record).is_some_and(|revision| same(revision.value.as_ref(), now))
        };
        let is_unchanged_here = is_as_before(&self.base, here.value.as_ref());
        if same(here.value.as_ref(), theirs.as_ref()) {
            self.report.same += 1;
        } else if here.erased {
            self.not_taken(record, "it, or part of it, was erased here for ever");
        } else if erased_there && is_unchanged_here {
            self.take_over(record, theirs, true);
        } else if is_as_before(&self.base_there, theirs.as_ref()) {
            self.report.newer_here += 1;
        } else if is_unchanged_here {
            self.take_over(record, theirs, false);
        } else {
            let is_shared = self.base.revision(record).is_some();
            match (here.value.as_ref(), theirs.as_ref()) {
                (Some(Record::Proposition(ours)), Some(Record::Proposition(theirs)))
                    if says_the_same(ours, theirs) =>
                {
                    self.join(ours, theirs);
                }
                // Where a source stands in its reading, and what was learned of a unit before both met, is each memory's own.
                _ if is_own(record, is_shared) => self.report.newer_here += 1,
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

    /// Why an erasure keeps a record out: it says, or names, what was erased here, and is older than that.
    fn buried(&self, value: &Record) -> Option<&'static str> {
        if self.graves.is_empty() {
            return None;
        }
        let is_name = |name: &str, since| self.lies(TombstoneKind::Name, &text::name_form(name), since);
        match value {
            Record::Proposition(p)
                if self.lies(TombstoneKind::Statement, &text::canonical(&p.text), p.created) =>
            {
                Some("the same statement was erased here for ever")
            }
            Record::Proposition(p)
                if !p.grounding.is_empty()
                    && p.grounding.iter().all(|turn| self.buried_turns.contains(turn)) =>
            {
                Some("it rests on what was erased here for ever")
            }
            Record::Proposition(p) if p.mentions.iter().any(|mention| is_name(&mention.span, p.created)) => {
                Some("it names what was erased here for ever")
            }
            Record::Entity(entity) if entity.names().any(|name| is_name(name, entity.created)) => {
                Some("it was erased here for ever")
            }
            Record::Entity(entity)
                if self.only_buried.as_ref().is_some_and(|only| only.contains(&entity.id)) =>
            {
                Some("only what was erased here for ever names it")
            }
            Record::Turn(turn) if self.buried_turns.contains(&turn.id) => {
                Some("the same words were erased here for ever")
            }
            Record::Turn(_) | Record::Conversation(_) | Record::Bookmark(_) | Record::Ledger(_) => None,
            told => self.names_tainted(told).then_some("it tells of what was erased here for ever"),
        }
    }

    /// Whether a turn says, in a sentence of any of its wordings, what was erased here.
    fn says_buried(&self, turn: &Turn) -> bool {
        let wordings = turn.alternatives.iter().map(|alternative| &alternative.text);
        wordings.chain([&turn.text]).any(|wording| {
            let said = text::sentences(wording);
            // A word or two are said everywhere, and are no quotation.
            let mut long =
                said.iter().filter(|words| said.len() == 1 || words.split_whitespace().count() >= QUOTED);
            long.any(|words| self.lies(TombstoneKind::Text, &text::canonical(words), turn.at.at))
        })
    }

    fn lies(&self, kind: TombstoneKind, form: &str, since: Timestamp) -> bool {
        self.graves.iter().any(|report| {
            since < report.at && report.tombstones.contains(&Tombstone::of(kind, &report.salt, form))
        })
    }

    fn names_tainted(&self, record: &Record) -> bool {
        fn any(value: &Value, tainted: &BTreeSet<String>) -> bool {
            match value {
                Value::String(text) => tainted.contains(text),
                Value::Array(items) => items.iter().any(|item| any(item, tainted)),
                Value::Object(members) => {
                    members.iter().any(|(name, member)| tainted.contains(name) || any(member, tainted))
                }
                _ => false,
            }
        }
        !self.tainted.is_empty() && serde_json::to_value(record).is_ok_and(|value| any(&value, &self.tainted))
    }

    fn not_taken(&mut self, record: RecordId, why: &str) {
        self.tainted.insert(record.to_string());
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
        Record::Turn(turn) => Record::Turn(Turn { index: 0, ..turn.clone() }),
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
