//! Questions to history: what was known, what changed and why, what a turn was given, why something is believed, what came of it.
//!
//! Every answer is read off the log and the use records, and writes nothing. A question that needs what a retention policy dropped is
//! refused in words; where an answer can be given in part, it says that earlier steps were compacted. Answers serialise, so that pages and
//! programs show the same. (history 2.10, 2.11)

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CommitView, Memory, PropositionView, SourceView};
use crate::agent::Execution;
use crate::assembly::Xray;
use crate::conversation::Turn;
use crate::error::Error;
use crate::history::{Actor, Blame, Cause, ChangeKind, ContentId, Log, Purpose, Record, RecordId, UseRecord};
use crate::id::{CommitId, PropositionId, RevisionId, TurnId, UseId};
use crate::ports::Ports;
use crate::proposition::{Proposition, Status, effective_confidence};
use crate::time::Timestamp;
use crate::trust::TrustAudit;
use crate::unit::{self, UnitView};

/// A point of history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// After this commit; 0 is before the first.
    Commit(u64),
    /// At this instant: after the last commit at or before it, in commit order.
    Time(Timestamp),
}

/// What memory was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryAt {
    /// The position that it stood at.
    pub seq: u64,
    /// The commit that it stood at; `None` before the first.
    pub commit: Option<CommitView>,
    /// Every statement of then, whatever its status, each with what it was worth then.
    pub propositions: Vec<PropositionView>,
    /// The working set of then, the most activated first.
    pub units: Vec<UnitView>,
}

/// One step in the life of a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LifeStep {
    /// The revision.
    pub revision: RevisionId,
    /// The commit that made it.
    pub commit: CommitId,
    /// That commit's position.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Why the commit was made.
    pub cause: Cause,
    /// Who made it.
    pub actor: Actor,
    /// Why this record changed, in words for a person.
    pub why: String,
    /// What changed, by field; clocks are left out. Empty for the first step that is known.
    pub fields: Vec<FieldChange>,
    /// An earlier revision with the same content: the record came back to it.
    pub came_back: Option<RevisionId>,
    /// It was taken out.
    pub removed: bool,
    /// Its content was destroyed for ever.
    pub erased: bool,
}

/// A field before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldChange {
    /// Its name, as it is stored.
    pub field: String,
    /// Before; null where it was not there.
    pub from: Value,
    /// After; null where it is not there.
    pub to: Value,
}

/// The life of a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Life {
    /// Oldest first.
    pub steps: Vec<LifeStep>,
    /// Earlier steps were dropped by a retention policy.
    pub compacted: bool,
}

/// What one record did between two points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordChange {
    /// The record.
    pub record: RecordId,
    /// Added, changed or removed.
    pub kind: ChangeKind,
    /// What it was; `None` when it was not there.
    pub before: Option<Record>,
    /// What it became; `None` when it was removed.
    pub after: Option<Record>,
    /// Every step between, with who and why.
    pub steps: Vec<LifeStep>,
}

/// What lies between two points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed {
    /// The earlier position.
    pub from: u64,
    /// The later position.
    pub to: u64,
    /// The commits between, oldest first.
    pub commits: Vec<CommitView>,
    /// What ended otherwise than it began, in order of record.
    pub changes: Vec<RecordChange>,
}

/// One revision that a turn was given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsedRevision {
    /// Position in the list, from 1.
    pub rank: u32,
    /// The statement.
    pub proposition: PropositionId,
    /// The revision that was given.
    pub revision: RevisionId,
    /// Why it was chosen, in words for a person.
    pub why: String,
    /// What it said; `None` where that revision is gone from history.
    pub then: Option<Proposition>,
    /// What it says now; `None` when it was forgotten.
    pub now: Option<Proposition>,
    /// How it has changed since.
    pub since: Vec<LifeStep>,
}

/// What memory gave to one step of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsedByTurn {
    /// The use record.
    pub record: UseId,
    /// What for.
    pub purpose: Purpose,
    /// What was looked for.
    pub query: String,
    /// The position that memory stood at.
    pub seq: u64,
    /// What was given, in order.
    pub items: Vec<UsedRevision>,
}

/// How sure a statement was after one of its revisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfidenceStep {
    /// The revision.
    pub revision: RevisionId,
    /// Its commit's position.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// 0 to 1.
    pub confidence: f64,
    /// Where it stood.
    pub status: Status,
    /// Turns that it rested on.
    pub grounding: Vec<TurnId>,
    /// Why, in words for a person.
    pub why: String,
}

/// Why a statement is believed, or was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Belief {
    /// The statement as it stands, or last stood.
    pub view: PropositionView,
    /// The turns that it rests on.
    pub sources: Vec<SourceView>,
    /// Its confidence over its revisions, oldest first, each change once.
    pub path: Vec<ConfidenceStep>,
    /// Earlier steps were dropped by a retention policy.
    pub compacted: bool,
    /// The evaluations of its unit's trust, oldest first; empty where it was never a unit.
    pub audits: Vec<TrustAudit>,
    /// What it was made from: the statements that it stands above.
    pub made_from: Vec<PropositionView>,
    /// What it took the place of or stands against.
    pub instead_of: Vec<PropositionId>,
}

/// How a statement came of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CameBy {
    /// It sums the other up, or rests on it.
    Abstraction,
    /// It took the other's place when the world moved on.
    Supersession,
    /// It stands against the other.
    Contradiction,
}

/// A statement that came of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Derived {
    /// The statement.
    pub view: PropositionView,
    /// What it came of directly.
    pub from: PropositionId,
    /// How.
    pub by: CameBy,
    /// How many steps from the statement that was asked about; 1 for the nearest.
    pub depth: u32,
}

/// A turn, whole: what it was given, what was sent, how, and what came back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replay {
    /// The turn with the wording that this was.
    pub turn: Turn,
    /// The prompt that was put together, message by message, and the record of what memory gave to it.
    pub xray: Xray,
    /// The model, its options and tool calls; `None` for turns of before, and where nothing was asked of a model.
    pub execution: Option<Execution>,
    /// What memory gave to the searches that the model made meanwhile.
    pub searches: Vec<UseRecord>,
}

impl<P: Ports> Memory<P> {
    fn seq_of(&self, when: When) -> u64 {
        match when {
            When::Commit(seq) => seq,
            When::Time(at) => self.log().seq_at(at),
        }
    }

    /// What memory was after a commit or at an instant.
    ///
    /// # Errors
    /// [`Error::History`] for a commit that there is not, and for a point before the horizon of a compacted history.
    pub fn memory_at(&self, when: When) -> Result<MemoryAt, Error> {
        let (seq, rule) = (self.seq_of(when), self.decay_rule());
        let log = self.log();
        let view = log.view_at(seq)?;
        let at = view.head().map_or(self.now().at, |head| head.at);
        let shown = |p: &Proposition| {
            Some(PropositionView {
                proposition: p.clone(),
                revision: view.revision(RecordId::Proposition(p.id))?.id,
                effective: effective_confidence(p, at, rule),
            })
        };
        Ok(MemoryAt {
            seq,
            commit: log.commit_at(seq).ok().map(|commit| CommitView::of(commit)),
            propositions: view.propositions().filter_map(shown).collect(),
            units: self.with_config(|config| unit::active(&view, at, config)),
        })
    }

    /// What changed after one point up to and including another, and why.
    ///
    /// # Errors
    /// Those of [`Memory::memory_at`]; [`Error::History`] for points in the wrong order.
    pub fn changed_between(&self, from: When, to: When) -> Result<Changed, Error> {
        let (from, to) = (self.seq_of(from), self.seq_of(to));
        let log = self.log();
        let delta = log.delta(from, to)?;
        let change = |change: crate::history::Change| {
            let steps = life(&log, change.record);
            let value = |revision| value_of(&log, change.record, revision);
            RecordChange {
                record: change.record,
                kind: change.kind,
                before: change.before.and_then(value),
                after: value(change.after),
                steps: steps.into_iter().filter(|step| step.seq > from && step.seq <= to).collect(),
            }
        };
        let commits = log.commits().iter().filter(|commit| commit.seq > from && commit.seq <= to);
        Ok(Changed {
            from,
            to,
            commits: commits.map(|commit| CommitView::of(commit)).collect(),
            changes: delta.changes.into_iter().map(change).collect(),
        })
    }

    /// Who or what changed a record, when, from what to what. Empty for an unknown one.
    pub fn life_of(&self, record: RecordId) -> Life {
        let log = self.log();
        Life { steps: life(&log, record), compacted: is_compacted(&log, record) }
    }

    /// Which revisions of which statements a turn used, the prompt's first, then those of the model's searches, and how they have
    /// changed since. Empty for a turn that was given nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`]; store errors.
    pub async fn used_by_turn(&self, turn: TurnId) -> Result<Vec<UsedByTurn>, Error> {
        let turn =
            self.state().turn(turn).cloned().ok_or_else(|| Error::NotFound { record: turn.to_string() })?;
        let mut records = Vec::new();
        if let Some(record) = turn.use_record {
            records.extend(self.use_record(record).await?);
        }
        for search in
            records.first().and_then(|record| record.execution.clone()).into_iter().flat_map(|e| e.searches)
        {
            records.extend(self.use_record(search.record).await?);
        }
        let log = self.log();
        let used = records.into_iter().map(|record| UsedByTurn {
            record: record.id,
            purpose: record.purpose,
            query: record.query,
            seq: record.seq,
            items: record
                .items
                .into_iter()
                .map(|item| {
                    let id = RecordId::Proposition(item.proposition);
                    let steps = life(&log, id);
                    UsedRevision {
                        rank: item.rank,
                        proposition: item.proposition,
                        revision: item.revision,
                        why: item.why,
                        then: statement(value_of(&log, id, item.revision)),
                        now: log.state().proposition(item.proposition).cloned(),
                        since: steps.into_iter().filter(|step| step.revision > item.revision).collect(),
                    }
                })
                .collect(),
        });
        Ok(used.collect())
    }

    /// Why a statement is believed: its sources, its confidence over time, what its trust was found to be, and what it was made from.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a statement that never was, or of which nothing is left.
    pub fn why_believed(&self, id: PropositionId) -> Result<Belief, Error> {
        let detail = self.proposition(id)?;
        let record = RecordId::Proposition(id);
        let log = self.log();
        let mut path: Vec<ConfidenceStep> = Vec::new();
        for step in log.history(record) {
            let why = why_of(&step);
            let Some(p) = statement(step.revision.value.clone()) else { continue };
            let same = |last: &ConfidenceStep| {
                last.confidence == p.confidence.get()
                    && last.status == p.status
                    && last.grounding == p.grounding
            };
            if path.last().is_some_and(same) {
                continue;
            }
            path.push(ConfidenceStep {
                revision: step.revision.id,
                seq: step.commit.seq,
                at: step.commit.at,
                confidence: p.confidence.get(),
                status: p.status,
                grounding: p.grounding,
                why,
            });
        }
        let now = self.now().at;
        let p = &detail.view.proposition;
        let made_from = p.source_ids.iter().filter_map(|id| self.present_view(*id, now)).collect();
        let instead_of = p.temporal.supersedes.iter().chain(&p.temporal.contradicts).copied().collect();
        Ok(Belief {
            compacted: is_compacted(&log, record),
            audits: self.trust_trail(id).into_iter().map(|step| step.audit).collect(),
            view: detail.view,
            sources: detail.sources,
            path,
            made_from,
            instead_of,
        })
    }

    /// Every statement that came of this one, over as many steps as there are: what sums it up or rests on it, what took its place,
    /// what stands against it. The nearest first; each once.
    pub fn derived_from(&self, id: PropositionId) -> Vec<Derived> {
        let (state, now) = (self.state(), self.now().at);
        let mut above: BTreeMap<PropositionId, BTreeSet<(PropositionId, CameBy)>> = BTreeMap::new();
        for p in state.propositions() {
            let ways = [
                (&p.source_ids, CameBy::Abstraction),
                (&p.temporal.supersedes, CameBy::Supersession),
                (&p.temporal.contradicts, CameBy::Contradiction),
            ];
            for (sources, by) in ways {
                for source in sources {
                    above.entry(*source).or_default().insert((p.id, by));
                }
            }
        }
        let (mut found, mut seen, mut open, mut depth) = (Vec::new(), BTreeSet::from([id]), vec![id], 0);
        while !open.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for from in open {
                for (derived, by) in above.get(&from).into_iter().flatten() {
                    if seen.insert(*derived)
                        && let Some(view) = self.present_view(*derived, now)
                    {
                        found.push(Derived { view, from, by: *by, depth });
                        next.push(*derived);
                    }
                }
            }
            open = next;
        }
        found
    }

    /// A turn, whole: the prompt, the model with its options and tool calls, and the output; of the wording that is chosen. `None` for a turn
    /// that nothing was given to: it was said by somebody.
    ///
    /// # Errors
    /// [`Error::NotFound`]; store errors.
    pub async fn replay(&self, turn: TurnId) -> Result<Option<Replay>, Error> {
        let turn =
            self.state().turn(turn).cloned().ok_or_else(|| Error::NotFound { record: turn.to_string() })?;
        let Some(record) = turn.use_record else { return Ok(None) };
        let Some(xray) = self.xray(record).await? else { return Ok(None) };
        let execution = xray.record.execution.clone();
        let mut searches = Vec::new();
        for search in execution.iter().flat_map(|execution| &execution.searches) {
            searches.extend(self.use_record(search.record).await?);
        }
        Ok(Some(Replay { turn, xray, execution, searches }))
    }
}

fn value_of(log: &Log, record: RecordId, revision: RevisionId) -> Option<Record> {
    crate::revision::value_of(log, record, revision)
}

fn statement(value: Option<Record>) -> Option<Proposition> {
    match value {
        Some(Record::Proposition(p)) => Some(p),
        _ => None,
    }
}

fn why_of(step: &Blame) -> String {
    if step.revision.why.is_empty() { step.commit.reason.clone() } else { step.revision.why.clone() }
}

/// Whether steps of a record were dropped: the first that is left follows one that is not there.
fn is_compacted(log: &Log, record: RecordId) -> bool {
    log.history(record).next().is_some_and(|step| step.revision.previous.is_some())
}

fn life(log: &Log, record: RecordId) -> Vec<LifeStep> {
    let mut seen: BTreeMap<ContentId, RevisionId> = BTreeMap::new();
    let mut before: Option<Option<Record>> = None;
    let step = |step: Blame| {
        let value = step.revision.value.clone();
        let fields =
            before.as_ref().map(|before| fields(before.as_ref(), value.as_ref())).unwrap_or_default();
        before = Some(value);
        let content = &step.revision.content_id;
        let came_back = seen.get(content).copied();
        seen.entry(content.clone()).or_insert(step.revision.id);
        LifeStep {
            revision: step.revision.id,
            commit: step.commit.id,
            seq: step.commit.seq,
            at: step.commit.at,
            cause: step.commit.cause,
            actor: step.commit.actor,
            why: why_of(&step),
            fields,
            came_back,
            removed: step.revision.value.is_none(),
            erased: step.revision.erased,
        }
    };
    log.history(record).map(step).collect()
}

/// Fields that differ, by name; those that only say when are left out.
fn fields(before: Option<&Record>, after: Option<&Record>) -> Vec<FieldChange> {
    let of = |record: Option<&Record>| match serde_json::to_value(record) {
        Ok(mut value) => match value.get_mut("value").map(Value::take) {
            Some(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        },
        Err(_) => serde_json::Map::new(),
    };
    let (before, after) = (of(before), of(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let names = names.into_iter().filter(|name| !crate::history::is_clock(name));
    let changed = names.filter(|name| before.get(*name) != after.get(*name));
    changed
        .map(|name| FieldChange {
            field: name.clone(),
            from: before.get(name).cloned().unwrap_or_default(),
            to: after.get(name).cloned().unwrap_or_default(),
        })
        .collect()
}
