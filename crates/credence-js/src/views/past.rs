//! Answers to questions about history as JavaScript sees them. Records of any kind are in the engine's own form, as they are stored.

use credence::agent;
use credence::history::{Actor, Cause, ChangeKind, Purpose, Record, RecordId};
use credence::llm::Finish;
use credence::memory as core;
use credence::memory::CameBy;
use credence::proposition::{Proposition as CoreProposition, Status};
use serde::Serialize;
use serde_json::Value;
use tsify::Tsify;

use super::conversation::{ToolChange, Turn};
use super::entity::CommitLine;
use super::proposition::Source;
use super::show::{Show, shown_as_is, stored, view};
use super::unit::{TrustAudit, Unit};
use super::{Proposition, ToolUse, Xray};

shown_as_is! { Actor Cause ChangeKind Purpose Finish CameBy Status }

view! {
    /// What memory was.
    MemoryAt of core::MemoryAt {
        /// The `seq` that it stood at.
        seq: u64,
        /// The commit that it stood at; `null` before the first.
        commit: Option<CommitLine>,
        /// Every statement of then, whatever its status, each with what it was worth then.
        propositions: Vec<Proposition>,
        /// The working set of then, the most activated first.
        units: Vec<Unit>,
    }
}

view! {
    /// A field before and after.
    FieldChange of core::FieldChange {
        /// Its name, as it is stored.
        field: String,
        /// Before; `null` where it was not there.
        #[tsify(type = "unknown")]
        from: Value,
        /// After; `null` where it is not there.
        #[tsify(type = "unknown")]
        to: Value,
    }
}

view! {
    /// One step in the life of a record.
    LifeStep of core::LifeStep {
        /// The revision.
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
        /// Why this record changed, in words.
        why: String,
        /// What changed, by field. Empty for the first step that is known.
        fields: Vec<FieldChange>,
        /// An earlier revision with the same content.
        came_back: Option<u64>,
        /// It was taken out.
        removed: bool,
        /// Its content was destroyed for ever.
        erased: bool,
    }
}

view! {
    /// The life of a record.
    Life of core::Life {
        /// Oldest first.
        steps: Vec<LifeStep>,
        /// Earlier steps were dropped by a retention policy.
        compacted: bool,
    }
}

/// What one record did between two points.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordChange {
    /// Id of the record.
    record: String,
    /// What happened to it.
    #[tsify(type = "\"added\" | \"changed\" | \"removed\"")]
    kind: ChangeKind,
    /// What it was, as it is stored; `null` when it was not there.
    #[tsify(type = "unknown")]
    before: Value,
    /// What it became, as it is stored; `null` when it was removed.
    #[tsify(type = "unknown")]
    after: Value,
    /// Every step between, with who and why.
    steps: Vec<LifeStep>,
}

impl Show<RecordChange> for core::RecordChange {
    fn show(&self) -> RecordChange {
        let (record, before, after): (&RecordId, &Option<Record>, &Option<Record>) =
            (&self.record, &self.before, &self.after);
        RecordChange {
            record: record.show(),
            kind: self.kind,
            before: stored(before),
            after: stored(after),
            steps: self.steps.show(),
        }
    }
}

view! {
    /// What lies between two points.
    Changed of core::Changed {
        /// The earlier `seq`.
        from: u64,
        /// The later `seq`.
        to: u64,
        /// The commits between, oldest first.
        commits: Vec<CommitLine>,
        /// What ended otherwise than it began.
        changes: Vec<RecordChange>,
    }
}

/// What a statement said at one revision.
#[derive(Serialize, Tsify)]
pub(crate) struct Said {
    /// Its words.
    text: String,
    /// Where it stood.
    #[tsify(type = "Status")]
    status: Status,
    /// How sure its source left us: 0 to 1.
    confidence: f64,
}

impl Show<Said> for CoreProposition {
    fn show(&self) -> Said {
        Said { text: self.text.clone(), status: self.status, confidence: self.confidence.get() }
    }
}

view! {
    /// One revision that a turn was given.
    UsedRevision of core::UsedRevision {
        /// From 1.
        rank: u32,
        /// Id of the statement.
        proposition: String,
        /// The revision that was given.
        revision: u64,
        /// Why it was chosen, in words.
        why: String,
        /// What it said; `null` where that revision is gone from history.
        then: Option<Said>,
        /// What it says now; `null` when it was forgotten.
        now: Option<Said>,
        /// How it has changed since.
        since: Vec<LifeStep>,
    }
}

/// What memory gave to one step of a turn.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsedByTurn {
    /// Id of the use record.
    #[serde(rename = "use")]
    used: String,
    /// What for. Later releases may add words.
    #[tsify(type = "\"assembly\" | \"search\" | \"tool\" | \"oracle\" | \"scenario\"")]
    purpose: Purpose,
    /// What was looked for.
    query: String,
    /// The `seq` that memory stood at.
    seq: u64,
    /// What was given, in order.
    items: Vec<UsedRevision>,
}

impl From<core::UsedByTurn> for UsedByTurn {
    fn from(used: core::UsedByTurn) -> Self {
        let core::UsedByTurn { record, purpose, query, seq, items } = used;
        Self { used: record.show(), purpose, query, seq, items: items.show() }
    }
}

/// How sure a statement was after one of its revisions.
#[derive(Serialize, Tsify)]
pub(crate) struct ConfidenceStep {
    /// The revision.
    revision: u64,
    /// Its commit's `seq`.
    seq: u64,
    /// When (ms).
    at: i64,
    /// 0 to 1.
    confidence: f64,
    /// Where it stood.
    #[tsify(type = "Status")]
    status: Status,
    /// Ids of the turns that it rested on.
    turns: Vec<String>,
    /// Why, in words.
    why: String,
}

impl Show<ConfidenceStep> for core::ConfidenceStep {
    fn show(&self) -> ConfidenceStep {
        ConfidenceStep {
            revision: self.revision.show(),
            seq: self.seq,
            at: self.at.show(),
            confidence: self.confidence,
            status: self.status,
            turns: self.grounding.show(),
            why: self.why.clone(),
        }
    }
}

/// Why a statement is believed, or was.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Belief {
    /// As it stands, or last stood.
    proposition: Proposition,
    /// The turns that it rests on.
    sources: Vec<Source>,
    /// Its confidence over its revisions, oldest first.
    path: Vec<ConfidenceStep>,
    /// Earlier steps were dropped by a retention policy.
    compacted: bool,
    /// The evaluations of its unit's trust, oldest first.
    audits: Vec<TrustAudit>,
    /// Statements that it was made from.
    made_from: Vec<Proposition>,
    /// Ids of statements that it took the place of or stands against.
    instead_of: Vec<String>,
}

impl From<core::Belief> for Belief {
    fn from(belief: core::Belief) -> Self {
        Self {
            proposition: belief.view.into(),
            sources: belief.sources.show(),
            path: belief.path.show(),
            compacted: belief.compacted,
            audits: belief.audits.show(),
            made_from: belief.made_from.show(),
            instead_of: belief.instead_of.show(),
        }
    }
}

/// A statement that came of another.
#[derive(Serialize, Tsify)]
pub(crate) struct Derived {
    /// The statement.
    proposition: Proposition,
    /// Id of what it came of directly.
    from: String,
    /// It sums the other up, took its place, or stands against it.
    #[tsify(type = "\"abstraction\" | \"supersession\" | \"contradiction\"")]
    by: CameBy,
    /// How many steps from the statement that was asked about; 1 for the nearest.
    depth: u32,
}

impl From<core::Derived> for Derived {
    fn from(derived: core::Derived) -> Self {
        let core::Derived { view, from, by, depth } = derived;
        Self { proposition: view.into(), from: from.show(), by, depth }
    }
}

view! {
    /// How an answer was made.
    Execution of agent::Execution {
        /// The model that was asked for by name; `null`: the one chosen for the role.
        asked: Option<String>,
        /// The model that answered, as the server names it.
        model: String,
        /// 0 to 2; `null`: the model's own.
        temperature: Option<f64>,
        /// Most tokens of the answer; `null`: the model's own.
        max_tokens: Option<u32>,
        /// Milliseconds that were waited for each byte; `null`: the adapter's own.
        timeout_ms: Option<u32>,
        /// How the answer ended.
        #[tsify(type = "\"stop\" | \"length\" | \"filtered\" | \"cancelled\"")]
        finish: Finish,
        /// Tokens of the prompt as the server counted them.
        prompt_tokens: Option<u32>,
        /// Tokens of the answer as the server counted them.
        completion_tokens: Option<u32>,
        /// What the model looked up, in order.
        searches: Vec<ToolUse>,
        /// What of memory it asked to change, in order.
        changes: Vec<ToolChange>,
        /// What the adapter changed or noticed.
        notes: Vec<String>,
    }
}

/// A turn, whole: what it was given, what was sent, how, and what came back.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Replay {
    /// The turn with the wording that this was.
    turn: Turn,
    /// The prompt, and what memory gave to it.
    xray: Xray,
    /// The model, its options and tool calls; `null` where nothing was asked of a model.
    execution: Option<Execution>,
    /// Ids of the use records of the searches that the model made meanwhile.
    searches: Vec<String>,
}

impl From<core::Replay> for Replay {
    fn from(replay: core::Replay) -> Self {
        Self {
            searches: replay.searches.iter().map(|record| record.id.show()).collect(),
            turn: replay.turn.into(),
            xray: replay.xray.into(),
            execution: replay.execution.show(),
        }
    }
}
