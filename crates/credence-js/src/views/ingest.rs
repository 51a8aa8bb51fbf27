//! Taking in as JavaScript sees it: receipts, what waits and why, progress, estimates, and taking back.

use credence::conversation::{AnalysisFailure, FailedRange};
use credence::ingest;
use serde::Serialize;
use tsify::Tsify;

use super::conversation::Problem;

/// What became of a document that was handed in. Nothing is analysed yet.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentReceipt {
    /// Id of the source to analyse; of the one that held the text first, when it is known.
    conversation: String,
    /// Passages.
    passages: u32,
    /// Nothing of it is left to analyse: its text was read before.
    is_known: bool,
}

impl super::Show<DocumentReceipt> for ingest::DocumentReceipt {
    fn show(&self) -> DocumentReceipt {
        self.clone().into()
    }
}

impl From<ingest::DocumentReceipt> for DocumentReceipt {
    fn from(receipt: ingest::DocumentReceipt) -> Self {
        let ingest::DocumentReceipt { conversation, passages, is_known } = receipt;
        Self { conversation: conversation.to_string(), passages, is_known }
    }
}

/// How far an analysis has come, in turns.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Turns done by this call.
    done: u32,
    /// Turns that waited when it began.
    total: u32,
}

impl From<ingest::Progress> for Progress {
    fn from(progress: ingest::Progress) -> Self {
        Self { done: progress.done, total: progress.total }
    }
}

/// A stretch of turns whose analysis failed by itself. Later ones went on.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedStretch {
    /// Index of the first turn.
    from: u32,
    /// One past the index of the last.
    to: u32,
    /// Why.
    failure: Problem,
    /// Tries so far.
    attempts: u32,
    /// When last tried (ms).
    at: i64,
}

impl From<FailedRange> for FailedStretch {
    fn from(range: FailedRange) -> Self {
        let FailedRange { from, to, code, reason, attempts, at } = range;
        Self { from, to, failure: Problem { code, reason }, attempts, at: at.0 }
    }
}

/// What of a conversation waits to be analysed.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Pending {
    /// Turns.
    turns: u32,
    /// Why they wait, when an analysis failed.
    failure: Option<Problem>,
    /// What failed by itself: {@link Memory.retryFailed} tries it again.
    failed: Vec<FailedStretch>,
}

impl From<ingest::Pending> for Pending {
    fn from(pending: ingest::Pending) -> Self {
        let problem = |failure: AnalysisFailure| Problem { code: failure.code, reason: failure.reason };
        Self {
            turns: pending.turns,
            failure: pending.failure.map(problem),
            failed: pending.failed.into_iter().map(Into::into).collect(),
        }
    }
}

/// A conversation or document that waits.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingSource {
    /// Its id.
    conversation: String,
    /// Its title.
    title: String,
    /// What of it, and why.
    pending: Pending,
    /// Whether it is being analysed at this moment.
    is_running: bool,
}

impl From<ingest::PendingSource> for PendingSource {
    fn from(source: ingest::PendingSource) -> Self {
        let ingest::PendingSource { conversation, title, pending, is_running } = source;
        Self { conversation: conversation.to_string(), title, pending: pending.into(), is_running }
    }
}

/// From the cheapest to the dearest course.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CostRange {
    /// When nothing worth keeping is said.
    min: u64,
    /// When much is, and much of it resembles what is known.
    max: u64,
}

impl From<ingest::Range> for CostRange {
    fn from(range: ingest::Range) -> Self {
        Self { min: range.min, max: range.max }
    }
}

/// An amount of money.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Money {
    /// At the cheapest.
    min: f64,
    /// At the dearest.
    max: f64,
    /// In what, as the settings say it.
    currency: String,
}

/// What analysing will cost. Without a model it costs nothing.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Estimate {
    /// Stretches of turns, each analysed as one.
    windows: u32,
    /// Turns or passages in them.
    turns: u32,
    /// Turns or passages that need nothing: analysed before, or their content is known.
    already_done: u32,
    /// Model calls.
    calls: CostRange,
    /// Tokens of the prompts.
    prompt_tokens: CostRange,
    /// Tokens of the answers.
    completion_tokens: CostRange,
    /// In money, where `settings.ingest.price` is given.
    money: Option<Money>,
}

impl From<ingest::Estimate> for Estimate {
    fn from(estimate: ingest::Estimate) -> Self {
        Self {
            windows: estimate.windows,
            turns: estimate.turns,
            already_done: estimate.already_done,
            calls: estimate.calls.into(),
            prompt_tokens: estimate.prompt_tokens.into(),
            completion_tokens: estimate.completion_tokens.into(),
            money: estimate.money.map(|money| Money {
                min: money.min,
                max: money.max,
                currency: money.currency,
            }),
        }
    }
}

/// What forgetting a conversation or document took along.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct ForgottenSource {
    /// Id of the commit: undoing it brings everything back.
    commit: Option<String>,
    /// Turns or passages.
    turns: u32,
    /// Ids of propositions that rested on it alone.
    removed: Vec<String>,
    /// Ids of propositions that rest on something else as well, or are pinned.
    kept: Vec<String>,
}

impl From<ingest::ForgottenSource> for ForgottenSource {
    fn from(forgotten: ingest::ForgottenSource) -> Self {
        Self {
            commit: forgotten.commit.map(|id| id.to_string()),
            turns: u32::try_from(forgotten.turns).unwrap_or(u32::MAX),
            removed: forgotten.removed.iter().map(ToString::to_string).collect(),
            kept: forgotten.kept.iter().map(ToString::to_string).collect(),
        }
    }
}
