//! Scopes: the explicit boundary of a commit. Whoever opens a scope decides what belongs together; timing never does.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::commit::{Actor, Cause, Commit, ContentId, Revision, SCHEMA_VERSION};
use super::record::{Record, RecordId};
use super::state::State;
use crate::id::{CommitId, ContextId, PropositionId, RevisionId};
use crate::proposition::Proposition;
use crate::time::Timestamp;

/// What a commit says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeInfo {
    /// Why.
    pub cause: Cause,
    /// Who.
    pub actor: Actor,
    /// In words for a person.
    pub reason: String,
    /// The caller's own ids.
    pub ids: BTreeMap<String, String>,
}

impl ScopeInfo {
    /// A scope without ids.
    pub fn new(cause: Cause, actor: Actor, reason: impl Into<String>) -> Self {
        Self { cause, actor, reason: reason.into(), ids: BTreeMap::new() }
    }
    /// Adds one of the caller's ids.
    pub fn with_id(mut self, name: impl Into<String>, id: impl ToString) -> Self {
        self.ids.insert(name.into(), id.to_string());
        self
    }
}

/// A planned change of one record.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The record.
    pub record: RecordId,
    /// The revision that the change was decided on; `None`: the record did not exist.
    pub base: Option<RevisionId>,
    /// What it becomes; `None` removes it.
    pub value: Option<Record>,
    /// Why, in words for a person.
    pub why: String,
}

#[derive(Debug)]
struct Inner {
    info: ScopeInfo,
    /// In order of first change; one a record, the last value counts.
    drafts: Vec<Draft>,
    /// Where each record's draft stands.
    places: BTreeMap<RecordId, usize>,
    /// The commit that the first draft was made after.
    since: Option<u64>,
    /// Records that the plan only read, as they stood then.
    read: BTreeMap<RecordId, Option<RevisionId>>,
}

/// A plan that becomes one commit, or nothing. Entering again ([`Scope::nested`]) joins it: what the inner scope plans is
/// committed with the outer one and never by itself.
#[derive(Debug, Clone)]
pub struct Scope {
    inner: Rc<RefCell<Inner>>,
    outer: bool,
}

impl Scope {
    /// Opens a scope.
    pub fn new(info: ScopeInfo) -> Self {
        Self {
            inner: Rc::new(RefCell::new(Inner {
                info,
                drafts: Vec::new(),
                places: BTreeMap::new(),
                since: None,
                read: BTreeMap::new(),
            })),
            outer: true,
        }
    }
    /// Joins this scope. The outer cause, actor and reason stand; ids that the outer scope lacks are added.
    pub fn nested(&self, info: ScopeInfo) -> Self {
        let mut inner = self.inner.borrow_mut();
        for (name, id) in info.ids {
            inner.info.ids.entry(name).or_insert(id);
        }
        Self { inner: self.inner.clone(), outer: false }
    }
    /// Whether committing this handle writes; a nested one leaves that to its outer scope.
    pub fn is_outer(&self) -> bool {
        self.outer
    }
    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        self.inner.borrow().drafts.is_empty()
    }
    /// What is planned, in order.
    pub fn drafts(&self) -> Vec<Draft> {
        self.inner.borrow().drafts.clone()
    }
    /// The number of the last commit when the plan was begun; `None` while nothing is planned.
    pub fn since(&self) -> Option<u64> {
        self.inner.borrow().since
    }
    /// The statements that this plan removes.
    pub fn forgotten(&self) -> BTreeSet<PropositionId> {
        let inner = self.inner.borrow();
        let removed = inner.drafts.iter().filter(|draft| draft.value.is_none());
        let id = |draft: &Draft| match draft.record {
            RecordId::Proposition(id) => Some(id),
            _ => None,
        };
        removed.filter_map(id).collect()
    }
    /// What the commit will say about itself.
    pub fn info(&self) -> ScopeInfo {
        self.inner.borrow().info.clone()
    }

    /// A statement as this plan would leave it; `None` where it is unknown or would be removed.
    pub fn proposition(&self, state: &State, id: PropositionId) -> Option<Proposition> {
        match self.get(state, RecordId::Proposition(id)) {
            Some(Record::Proposition(proposition)) => Some(proposition),
            _ => None,
        }
    }

    /// Plans a record's new value. `state` is what the decision was made on.
    pub fn put(&self, state: &State, record: impl Into<Record>, why: impl Into<String>) {
        let record = record.into();
        self.draft(state, record.id(), Some(record), why.into());
    }
    /// Plans a removal; the record's history stays.
    pub fn remove(&self, state: &State, record: RecordId, why: impl Into<String>) {
        self.draft(state, record, None, why.into());
    }
    /// Says that the plan was decided on this record as `state` has it, although it does not change it: it falls when the record has moved.
    pub fn rests_on(&self, state: &State, record: RecordId) {
        let stood = state.revision(record).map(|revision| revision.id);
        self.inner.borrow_mut().read.entry(record).or_insert(stood);
    }
    /// Whether this plan changes the record.
    pub fn plans(&self, record: RecordId) -> bool {
        self.inner.borrow().places.contains_key(&record)
    }
    /// The record as this plan would leave it, whatever `state` says.
    pub fn get(&self, state: &State, record: RecordId) -> Option<Record> {
        let inner = self.inner.borrow();
        match inner.places.get(&record) {
            Some(place) => inner.drafts[*place].value.clone(),
            None => state.revision(record).and_then(|revision| revision.value.clone()),
        }
    }

    fn draft(&self, state: &State, record: RecordId, value: Option<Record>, why: String) {
        let mut inner = self.inner.borrow_mut();
        let inner = &mut *inner;
        inner.since.get_or_insert(state.seq());
        match inner.places.get(&record) {
            Some(place) => {
                let draft = &mut inner.drafts[*place];
                draft.value = value;
                if !why.is_empty() {
                    draft.why = if draft.why.is_empty() { why } else { format!("{}; {why}", draft.why) };
                }
            }
            None => {
                let base = state.revision(record).map(|revision| revision.id);
                inner.places.insert(record, inner.drafts.len());
                inner.drafts.push(Draft { record, base, value, why });
            }
        }
    }

    /// The records whose base is no longer what `state` holds, changed by the plan or only read: it was made on something that has since
    /// changed. A plan of nothing rests on nothing.
    pub fn conflicts(&self, state: &State) -> Vec<RecordId> {
        let inner = self.inner.borrow();
        if inner.drafts.is_empty() {
            return Vec::new();
        }
        let drafted = inner.drafts.iter().map(|draft| (draft.record, draft.base));
        let read = inner.read.iter().filter(|(record, _)| !inner.places.contains_key(record));
        let all = drafted.chain(read.map(|(record, base)| (*record, *base)));
        let moved = all.filter(|(record, base)| state.revision(*record).map(|r| r.id) != *base);
        moved.map(|(record, _)| record).collect()
    }

    /// The commit that this plan makes on `state`; `None` when nothing would change. Turns of other writers may have taken
    /// a planned turn's place: it moves behind them.
    pub fn to_commit(
        &self,
        state: &State,
        context: &ContextId,
        id: CommitId,
        clock: Timestamp,
    ) -> Option<Commit> {
        let inner = self.inner.borrow();
        let mut next = state.last_revision().0;
        let mut indices = BTreeMap::new();
        let mut revisions = Vec::new();
        for draft in &inner.drafts {
            let mut value = draft.value.clone();
            if let Some(Record::Turn(turn)) = &mut value
                && draft.base.is_none()
            {
                let free =
                    indices.entry(turn.conversation).or_insert(state.next_turn_index(turn.conversation));
                turn.index = turn.index.max(*free);
                *free = turn.index + 1;
            }
            let content_id = ContentId::of(value.as_ref());
            let current = state.revision(draft.record);
            let unchanged = match current {
                Some(revision) => revision.value == value,
                None => value.is_none(),
            };
            if unchanged {
                continue;
            }
            next += 1;
            revisions.push(Rc::new(Revision {
                id: RevisionId(next),
                record: draft.record,
                previous: current.map(|revision| revision.id),
                content_id,
                value,
                why: draft.why.clone(),
                erased: false,
            }));
        }
        if revisions.is_empty() {
            return None;
        }
        let head = state.head();
        Some(Commit {
            schema: SCHEMA_VERSION,
            id,
            context: context.clone(),
            seq: state.seq() + 1,
            parent: head.map(|head| head.id),
            at: head.map_or(clock, |head| clock.max(head.at)),
            clock,
            cause: inner.info.cause,
            actor: inner.info.actor,
            reason: inner.info.reason.clone(),
            ids: inner.info.ids.clone(),
            revisions,
            rewritten: None,
        })
    }
}
