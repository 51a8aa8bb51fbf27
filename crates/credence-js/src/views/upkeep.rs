//! Questions that wait for a person, and maintenance runs, as JavaScript sees them.

use credence::inbox::{self, Asker, ClosedAs, InboxKind, Verdict};
use credence::maintenance::{self, Mark, MarkOutcome, Pass, RunTrigger};
use credence::unit::Authority;
use serde::Serialize;
use serde_json::json;
use tsify::Tsify;

use super::show::{Show, shown_as_is, view};

/// A question to the person.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct InboxItem {
    /// Stable for life: what {@link Memory.decide} takes.
    id: String,
    /// A gate held a change; a statement stands against a pinned one; against a value that is not supposed to change; against a
    /// unit that kept its place; what a statement rests on no longer stands; statements of a source are not trusted enough for
    /// the working set; or could not be judged; a unit shall become CANON; or no longer be. Later releases may add words.
    #[tsify(
        type = "\"review\" | \"pinned-conflict\" | \"immutable-questioned\" | \"unit-dispute\" | \"support-lost\" | \"promotion-review\" | \"quarantine\" | \"canonization\" | \"decanonization\""
    )]
    kind: InboxKind,
    /// The question, in words.
    question: String,
    /// Who asks and why.
    why: String,
    /// The statement in question.
    statement: Option<AskedStatement>,
    /// Nothing of the statement was stored yet: accepting stores it.
    is_held: bool,
    /// Ids of the records that it is about: what would be changed, or what stands against the statement.
    others: Vec<String>,
    /// Asked when (ms).
    created: i64,
    /// Id of the conversation whose statements wait at the door of the working set.
    source: Option<String>,
    /// Id of the promotion report, of {@link Memory.promotions}, that says what the gates said.
    promotion: Option<String>,
    /// What was asked of CANON, and by whom.
    canon: Option<CanonRequest>,
    /// The answer, once there is one.
    decision: Option<Decision>,
    /// Why nobody has to answer any more.
    closed: Option<ClosedQuestion>,
}

view! {
    /// The end of a question that nobody had to answer.
    ClosedQuestion of inbox::Closed {
        /// What it asked about has changed meanwhile, or new evidence settled it.
        #[serde(rename = "as")]
        #[tsify(type = "\"stale\" | \"settled\"")]
        as_: ClosedAs,
        /// When (ms).
        at: i64,
        /// In words.
        why: String,
    }
}

/// A wish about CANON.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CanonRequest {
    /// Who asked.
    #[tsify(type = "\"person\" | \"host\" | \"model\" | { policy: string }")]
    asker: serde_json::Value,
    /// Why, in their words.
    reason: String,
    /// The unit's authority then.
    #[tsify(type = "UnitAuthority")]
    authority: Authority,
}

impl Show<CanonRequest> for inbox::CanonRequest {
    fn show(&self) -> CanonRequest {
        let asker = match &self.asker {
            Asker::Person => json!("person"),
            Asker::Host => json!("host"),
            Asker::Model => json!("model"),
            Asker::Policy { name } => json!({ "policy": name }),
        };
        CanonRequest { asker, reason: self.reason.clone(), authority: self.authority }
    }
}

impl Show<Decision> for inbox::Decided {
    fn show(&self) -> Decision {
        self.clone().into()
    }
}

shown_as_is! { ClosedAs }

/// A statement that is asked about.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedStatement {
    /// Its id; one of a stored proposition, unless the item is held.
    proposition: String,
    /// One self-contained sentence.
    text: String,
    /// How sure the source left us: 0 to 1.
    confidence: f64,
    /// Ids of the turns that it rests on.
    turns: Vec<String>,
}

impl From<inbox::InboxItem> for InboxItem {
    fn from(item: inbox::InboxItem) -> Self {
        Self {
            id: item.id.to_string(),
            kind: item.kind,
            question: item.question,
            why: item.why,
            is_held: item.held.is_some(),
            statement: item.proposition.map(|p| AskedStatement {
                proposition: p.id.to_string(),
                confidence: p.confidence.get(),
                turns: p.grounding.iter().map(ToString::to_string).collect(),
                text: p.text,
            }),
            others: item.others.iter().map(ToString::to_string).collect(),
            created: item.created.0,
            source: item.source.show(),
            promotion: item.promotion.show(),
            canon: item.canon.show(),
            decision: item.decision.show(),
            closed: item.closed.show(),
        }
    }
}

/// A person's answer to a question.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    /// Yes or no.
    #[tsify(type = "\"accept\" | \"reject\"")]
    verdict: Verdict,
    /// When (ms).
    at: i64,
    /// What came of it, in words.
    effect: String,
}

impl From<inbox::Decided> for Decision {
    fn from(decided: inbox::Decided) -> Self {
        let inbox::Decided { verdict, at, effect } = decided;
        Self { verdict, at: at.0, effect }
    }
}

/// What became of a marked proposition.
#[derive(Serialize, Tsify)]
#[serde(tag = "is", rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum MarkResult {
    /// A dry run: nothing was written.
    Marked,
    /// It moved to another status.
    Transitioned {
        #[tsify(type = "Status")]
        to: String,
    },
    /// It gained evidence or was made; its status stays.
    Written,
    /// It was taken out of the memory.
    HardDeleted,
    /// It was left as it is.
    Skipped { why: String },
}

/// A proposition that a pass picked out.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct MaintenanceMark {
    /// Its id.
    proposition: String,
    /// A short key: `stale`, `duplicate`, `revived`, …, or the caller's own.
    key: String,
    /// Why, in words.
    why: String,
    /// Id of the proposition that stands in its place or above it.
    survivor: Option<String>,
    /// What became of it.
    #[tsify(type = "MarkResult")]
    outcome: MarkOutcome,
}

impl From<&Mark> for MaintenanceMark {
    fn from(mark: &Mark) -> Self {
        Self {
            proposition: mark.proposition.to_string(),
            key: mark.key.clone(),
            why: mark.why.clone(),
            survivor: mark.survivor.map(|id| id.to_string()),
            outcome: mark.outcome.clone(),
        }
    }
}

/// One pass of a maintenance run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct PassReport {
    /// Which.
    #[tsify(type = "MaintenancePass")]
    pass: Pass,
    /// Propositions, or pairs of them, that were looked at.
    examined: u32,
    /// Propositions that it changed, or would change.
    changed: u32,
    /// Why it, or a part of it, was not done.
    skipped: Option<String>,
    /// Why it failed; the other passes went on.
    error: Option<String>,
    /// Each proposition that it picked out.
    marks: Vec<MaintenanceMark>,
    /// What is worth knowing: what was kept apart, dropped, or waits for a person.
    notes: Vec<String>,
}

impl From<&maintenance::PassReport> for PassReport {
    fn from(report: &maintenance::PassReport) -> Self {
        Self {
            pass: report.pass,
            examined: report.examined,
            changed: report.changed,
            skipped: report.skipped.clone(),
            error: report.error.clone(),
            marks: report.marks.iter().map(Into::into).collect(),
            notes: report.notes.clone(),
        }
    }
}

/// One maintenance run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MaintenanceReport {
    /// Stable for life.
    id: String,
    /// When (ms).
    at: i64,
    /// Somebody asked for it, or enough was learned.
    #[tsify(type = "\"asked\" | \"growth\"")]
    trigger: RunTrigger,
    /// Whether nothing but this report was written.
    dry_run: bool,
    /// Live propositions once it was done.
    active: u32,
    /// Each pass, in order.
    passes: Vec<PassReport>,
    /// Model calls.
    calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    prompt_tokens: u32,
    /// Tokens of all answers.
    completion_tokens: u32,
    /// Repairs and other things worth knowing of the run as a whole.
    notes: Vec<String>,
}

impl From<&maintenance::RunReport> for MaintenanceReport {
    fn from(report: &maintenance::RunReport) -> Self {
        Self {
            id: report.id.to_string(),
            at: report.at.0,
            trigger: report.trigger,
            dry_run: report.dry,
            active: report.active,
            passes: report.passes.iter().map(Into::into).collect(),
            calls: report.calls,
            prompt_tokens: report.prompt_tokens,
            completion_tokens: report.completion_tokens,
            notes: report.notes.clone(),
        }
    }
}

/// How far a maintenance run has come.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MaintenanceProgress {
    /// Steps done: looking around and asking, which takes longest; planning; writing.
    done: u32,
    /// Steps in all.
    total: u32,
}

impl From<maintenance::MaintenanceProgress> for MaintenanceProgress {
    fn from(progress: maintenance::MaintenanceProgress) -> Self {
        Self { done: progress.done, total: progress.total }
    }
}
