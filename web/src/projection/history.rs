//! The log as rows: commits, what each changed, and what the memory held after any of them.

use std::collections::{BTreeMap, BTreeSet};

use credence::history::{Actor, Cause, ChangeKind, Record, RecordId};
use credence::id::{CommitId, ErasureId, PropositionId};
use credence::time::Timestamp;

use super::chat::undone;
use super::facts::status_label;
use crate::state::AppMemory;

/// One commit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommitRow {
    pub seq: u64,
    pub id: CommitId,
    pub at: Timestamp,
    pub cause: Cause,
    pub actor: &'static str,
    pub reason: String,
    /// The caller's own ids.
    pub ids: BTreeMap<String, String>,
    /// Records that it wrote.
    pub writes: usize,
    /// All that it wrote was put back by a later one.
    pub undone: bool,
    /// It cannot be put back: it changed no record, or destroyed what was there.
    pub lasting: bool,
}

/// What a commit, or a run of them, did to one record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangeRow {
    pub record: RecordId,
    pub kind: ChangeKind,
    /// What kind of thing it is.
    pub what: &'static str,
    pub before: Option<String>,
    pub after: Option<String>,
    /// As the last of its revisions says.
    pub why: String,
}

/// A statement as a view holds it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ThenRow {
    pub id: PropositionId,
    pub text: String,
    pub live: bool,
    pub status: &'static str,
    /// What has become of it since, where something has.
    pub since: Option<String>,
}

/// Live statements after each commit, and the causes in use.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Growth {
    /// One number a commit, the empty beginning first.
    pub live: Vec<usize>,
    /// Causes of commits, with how many.
    pub causes: BTreeMap<Cause, usize>,
}

/// Who made a commit, as it is shown.
pub(crate) fn actor_label(actor: Actor) -> &'static str {
    match actor {
        Actor::Person => "you",
        Actor::Engine => "Credence",
        Actor::Host => "the program",
    }
}

/// A cause as it is shown.
pub(crate) fn cause_label(cause: Cause) -> &'static str {
    match cause {
        Cause::Conversation => "said",
        Cause::Extraction => "read",
        Cause::Revision => "revised",
        Cause::Manual => "by hand",
        Cause::Forget => "forgotten",
        Cause::Undo => "undone",
        Cause::Maintenance => "tidied",
        Cause::Projection => "projected",
        Cause::Import => "imported",
        Cause::Sync => "synced",
        Cause::Promotion => "working set",
        Cause::Erasure => "erased",
        Cause::Retention => "compacted",
        Cause::Repair => "repaired",
        Cause::Branch => "branched",
        _ => "other",
    }
}

/// The newest commits of a cause, or of all, and how many there are.
pub(crate) fn commits(memory: &AppMemory, cause: Option<Cause>, most: usize) -> (Vec<CommitRow>, usize) {
    let undone = undone(memory);
    let log = memory.log();
    let wanted =
        || log.commits().iter().rev().filter(|commit| cause.is_none_or(|cause| commit.cause == cause));
    let rows = wanted().take(most).map(|commit| CommitRow {
        seq: commit.seq,
        id: commit.id,
        at: commit.at,
        cause: commit.cause,
        actor: actor_label(commit.actor),
        reason: commit.reason.clone(),
        ids: commit.ids.clone(),
        writes: commit.revisions.len(),
        undone: !commit.revisions.is_empty()
            && commit.revisions.iter().all(|revision| undone.contains(&(commit.id, revision.record))),
        lasting: commit.revisions.is_empty() || commit.cause.rewrites(),
    });
    (rows.collect(), wanted().count())
}

/// What an erasure did, as its commit tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ErasureRow {
    pub id: ErasureId,
    /// How many records, by kind of place: destroyed first, then redacted.
    pub destroyed: BTreeMap<String, u32>,
    pub redacted: BTreeMap<String, u32>,
    /// It may be learned again.
    pub lifted: bool,
}

/// The erasure of a commit, if it is one.
pub(crate) fn erasure(memory: &AppMemory, seq: u64) -> Option<ErasureRow> {
    let log = memory.log();
    let commit = log.commit_at(seq).ok()?;
    let id = commit.revisions.iter().find_map(|revision| match revision.record {
        RecordId::Erasure(id) => Some(id),
        _ => None,
    })?;
    let report = log.state().erasure(id)?;
    Some(ErasureRow {
        id,
        destroyed: report.cleaned.destroyed.clone(),
        redacted: report.cleaned.redacted.clone(),
        lifted: report.lifted,
    })
}

/// What lies between two views.
pub(crate) fn changes(memory: &AppMemory, from: u64, to: u64) -> Vec<ChangeRow> {
    let log = memory.log();
    let Ok(delta) = log.delta(from, to) else { return Vec::new() };
    let revision = |record: RecordId, id| {
        log.history(record).find(|step| step.revision.id == id).map(|step| step.revision)
    };
    delta
        .changes
        .into_iter()
        .map(|change| {
            let before = change
                .before
                .and_then(|id| revision(change.record, id))
                .and_then(|r| r.value.as_ref().map(words));
            let after = revision(change.record, change.after);
            let why = after.as_ref().map(|r| r.why.clone()).unwrap_or_default();
            let after = after.and_then(|r| r.value.as_ref().map(words));
            ChangeRow {
                record: change.record,
                kind: change.kind,
                what: kind_of(change.record),
                before,
                after,
                why,
            }
        })
        .collect()
}

/// What a record says, in a line.
fn words(record: &Record) -> String {
    match record {
        Record::Proposition(p) if p.status.is_live() => p.text.clone(),
        Record::Proposition(p) => format!("{} ({})", p.text, status_label(p.status).to_lowercase()),
        Record::Entity(entity) => entity.name.clone(),
        Record::Conversation(conversation) => conversation.title.clone(),
        Record::Turn(turn) => credence::text::excerpt(&turn.text, 200),
        Record::Bookmark(bookmark) => format!("read up to turn {}", bookmark.analysed_until),
        Record::Analysis(report) => {
            format!("{} kept, {} left aside", report.outcomes.len(), report.dropped.len())
        }
        Record::Inbox(item) => item.question.clone(),
        Record::Unit(unit) => {
            let standing = super::standing_words(unit.standing()).unwrap_or("in force");
            format!(
                "{}, activation {}, {standing}",
                super::authority_label(unit.authority()),
                unit.stored_activation().get()
            )
        }
        Record::Summary(summary) => credence::text::excerpt(&summary.text, 200),
        Record::Ledger(_)
        | Record::Run(_)
        | Record::EntityReport(_)
        | Record::Promotion(_)
        | Record::Sweep(_)
        | Record::Erasure(_) => String::new(),
    }
}

fn kind_of(record: RecordId) -> &'static str {
    match record {
        RecordId::Proposition(_) => "statement",
        RecordId::Entity(_) => "entity",
        RecordId::Conversation(_) => "conversation",
        RecordId::Turn(_) => "turn",
        RecordId::Bookmark(_) => "bookmark",
        RecordId::Analysis(_) => "report of reading",
        RecordId::Inbox(_) => "question",
        RecordId::Ledger(_) => "ledger entry",
        RecordId::Run(_) => "report of tidying",
        RecordId::EntityReport(_) => "report of a search for names",
        RecordId::Unit(_) => "unit",
        RecordId::Promotion(_) => "report of promotion",
        RecordId::Summary(_) => "summary",
        RecordId::Sweep(_) => "report of a sweep",
        RecordId::Erasure(_) => "report of an erasure",
    }
}

/// Live statements after every commit.
pub(crate) fn growth(memory: &AppMemory) -> Growth {
    let log = memory.log();
    let mut growth = Growth { live: vec![0], causes: BTreeMap::new() };
    let mut live = BTreeSet::new();
    for commit in log.commits() {
        *growth.causes.entry(commit.cause).or_default() += 1;
        for revision in &commit.revisions {
            if let RecordId::Proposition(id) = revision.record {
                match &revision.value {
                    Some(Record::Proposition(p)) if p.status.is_live() => live.insert(id),
                    _ => live.remove(&id),
                };
            }
        }
        growth.live.push(live.len());
    }
    growth
}

/// The statements that the memory held after a commit, those in force first.
pub(crate) fn statements_at(memory: &AppMemory, seq: u64) -> Vec<ThenRow> {
    let log = memory.log();
    let Ok(view) = log.view_at(seq) else { return Vec::new() };
    let mut rows: Vec<ThenRow> = view
        .propositions()
        .map(|then| ThenRow {
            id: then.id,
            text: then.text.clone(),
            live: then.status.is_live(),
            status: status_label(then.status),
            since: match log.state().proposition(then.id) {
                None => Some("forgotten since".to_owned()),
                Some(now) if now.text != then.text => Some("reworded since".to_owned()),
                Some(now) if now.status != then.status => {
                    Some(format!("{} since", status_label(now.status).to_lowercase()))
                }
                Some(_) => None,
            },
        })
        .collect();
    rows.sort_by(|a, b| b.live.cmp(&a.live).then(b.id.cmp(&a.id)));
    rows
}
