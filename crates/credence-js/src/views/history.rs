//! History as JavaScript sees it: commits, revisions, and what an undo did.

use credence::history as core;
use credence::history::{Actor, Cause};
use credence::memory::{PropositionView, RevisionView, Undone as CoreUndone};
use credence::proposition::{DecayRule, effective_confidence};
use serde::Serialize;
use tsify::Tsify;

use super::Proposition;

/// Why a commit was made. Later releases may add words.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum CommitCause {
    Conversation,
    Extraction,
    Revision,
    Manual,
    Forget,
    Undo,
    Maintenance,
    Projection,
    Import,
    Sync,
    Promotion,
    Erasure,
    Retention,
    Repair,
    Branch,
}

/// Who made a commit: a person, Credence by its own rules, or the program that embeds it.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum CommitActor {
    Person,
    Engine,
    Host,
}

/// One change of memory: everything that it wrote came together.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Commit {
    /// Unique across devices.
    id: String,
    /// 1, 2, 3, … within the context.
    seq: u64,
    /// Id of the commit that it follows; `null` for the first.
    parent: Option<String>,
    /// When (ms); never before the commit that it follows.
    at: i64,
    /// Why.
    #[tsify(type = "CommitCause")]
    cause: Cause,
    /// Who.
    #[tsify(type = "CommitActor")]
    actor: Actor,
    /// In words.
    reason: String,
    /// Ids of the records that it wrote or removed: propositions (`P…`), entities (`E…`), conversations (`V…`), turns
    /// (`T…`), bookmarks (`B…`), analyses (`A…`), questions (`I…`), what was analysed (`L…`), maintenance runs (`M…`), entity
    /// reports (`N…`).
    records: Vec<String>,
}

impl From<&core::Commit> for Commit {
    fn from(commit: &core::Commit) -> Self {
        Self {
            id: commit.id.to_string(),
            seq: commit.seq,
            parent: commit.parent.map(|parent| parent.to_string()),
            at: commit.at.0,
            cause: commit.cause,
            actor: commit.actor,
            reason: commit.reason.clone(),
            records: commit.revisions.iter().map(|revision| revision.record.to_string()).collect(),
        }
    }
}

/// One state in the life of a proposition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Revision {
    /// A number within the context's log.
    revision: u64,
    /// Id of the commit that made it.
    commit: String,
    /// That commit's `seq`.
    seq: u64,
    /// When (ms).
    at: i64,
    /// Why the commit was made.
    #[tsify(type = "CommitCause")]
    cause: Cause,
    /// Who made it.
    #[tsify(type = "CommitActor")]
    actor: Actor,
    /// Why this proposition changed, in words.
    why: String,
    /// What it was after; `null` when it was removed. Its `effectiveConfidence` is what it was worth at `at`.
    value: Option<Proposition>,
    /// An earlier revision with the same content: the belief came back.
    same_as: Option<u64>,
}

impl Revision {
    /// `rule` is the memory's own, for what the proposition was worth then.
    pub(crate) fn new(revision: RevisionView, rule: DecayRule) -> Self {
        let id = revision.revision;
        let at = revision.at;
        let view = |proposition: credence::proposition::Proposition| {
            let effective = effective_confidence(&proposition, at, rule);
            PropositionView { proposition, revision: id, effective }
        };
        Self {
            revision: id.0,
            commit: revision.commit.to_string(),
            seq: revision.seq,
            at: at.0,
            cause: revision.cause,
            actor: revision.actor,
            why: revision.why,
            value: revision.value.map(|value| view(value).into()),
            same_as: revision.same_as.map(|same| same.0),
        }
    }
}

/// What an undo did.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Undone {
    /// Id of the commit that restores; `null` when nothing was left to restore. It can be undone in turn.
    commit: Option<String>,
    /// Ids of records that are again what they were.
    restored: Vec<String>,
    /// Ids of records that later commits have changed: left as they are.
    conflicts: Vec<String>,
    /// Ids of records whose earlier revision is gone from history: left as they are.
    lost: Vec<String>,
}

impl From<CoreUndone> for Undone {
    fn from(undone: CoreUndone) -> Self {
        let strings = |records: Vec<core::RecordId>| records.iter().map(ToString::to_string).collect();
        Self {
            commit: undone.commit.map(|commit| commit.to_string()),
            restored: strings(undone.restored),
            conflicts: strings(undone.conflicts),
            lost: strings(undone.lost),
        }
    }
}

/// One memory of a journal.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextSummary {
    /// Its name.
    context: String,
    /// The number of its commits.
    seq: u64,
    /// Id of its newest commit.
    head: String,
}

impl From<core::ContextSummary> for ContextSummary {
    fn from(summary: core::ContextSummary) -> Self {
        Self { context: summary.context.to_string(), seq: summary.seq, head: summary.head.to_string() }
    }
}
