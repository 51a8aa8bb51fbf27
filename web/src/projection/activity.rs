//! What was done in the background, window by window, and what still waits.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence::conversation::FailedRange;
use credence::extraction::{AnalysisReport, DropReason, OutcomeKind};
use credence::filter::MentionTotals;
use credence::history::RecordId;
use credence::id::{AnalysisId, CommitId, ConversationId, TurnId};
use credence::resolution::ResolutionKind;
use credence::time::Timestamp;

use super::chat::undone;
use crate::state::AppMemory;

/// One analysed window.
#[derive(Debug, Clone)]
pub(crate) struct WindowRow {
    pub id: AnalysisId,
    /// Where it was said; `None` for what was remembered by hand.
    pub place: Option<(ConversationId, TurnId)>,
    pub title: String,
    pub at: Timestamp,
    /// The commit that landed it, and the statements and entities that it wrote: what an undo takes back. The bookmark stays
    /// where it is, so that the turns are not read again.
    pub commit: Option<CommitId>,
    pub written: Vec<RecordId>,
    /// Whether all of that was undone.
    pub undone: bool,
    pub report: Arc<AnalysisReport>,
}

impl PartialEq for WindowRow {
    /// A report never changes once it is written.
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.undone, &self.title) == (other.id, other.undone, &other.title)
    }
}

/// A conversation with turns that were not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub conversation: ConversationId,
    pub title: String,
    /// Turns behind the bookmark.
    pub turns: u32,
    /// Why, how often it was tried, and when last.
    pub failure: Option<(String, u32, Timestamp)>,
    /// Parts that failed by themselves and were put aside while the rest went on.
    pub failed: Vec<FailedRange>,
}

/// Sums over every window.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Totals {
    pub windows: usize,
    pub calls: u64,
    pub tokens: u64,
    pub outcomes: BTreeMap<OutcomeKind, usize>,
    pub dropped: BTreeMap<DropReason, usize>,
    pub mentions: MentionTotals,
    pub resolutions: BTreeMap<ResolutionKind, usize>,
}

fn title(memory: &AppMemory, conversation: ConversationId) -> String {
    match memory.state().conversation(conversation) {
        None => "Remembered by hand".to_owned(),
        Some(found) if found.title.is_empty() => "New conversation".to_owned(),
        Some(found) => found.title.clone(),
    }
}

/// The last `most` windows, newest first, and how many there are.
pub(crate) fn windows(memory: &AppMemory, most: usize) -> (Vec<WindowRow>, usize) {
    let undone = undone(memory);
    let state = memory.state();
    let log = memory.log();
    let row = |report: &AnalysisReport| {
        let landed = log.history(RecordId::Analysis(report.id)).next().map(|step| step.commit);
        let commit = landed.as_ref().map(|commit| commit.id);
        let taken_back = |record: &RecordId| {
            matches!(record, RecordId::Proposition(_) | RecordId::Entity(_) | RecordId::Inbox(_))
        };
        let revisions = landed.iter().flat_map(|commit| &commit.revisions);
        let written: Vec<RecordId> = revisions.map(|revision| revision.record).filter(taken_back).collect();
        let first =
            state.turns(report.conversation).find(|turn| turn.index >= report.from).map(|turn| turn.id);
        WindowRow {
            id: report.id,
            place: first.map(|turn| (report.conversation, turn)),
            title: title(memory, report.conversation),
            at: report.at,
            undone: commit.is_some_and(|commit| {
                let mut statements =
                    written.iter().filter(|r| matches!(r, RecordId::Proposition(_))).peekable();
                statements.peek().is_some() && statements.all(|record| undone.contains(&(commit, *record)))
            }),
            commit,
            written,
            report: Arc::new(report.clone()),
        }
    };
    let rows = state.analyses().rev().take(most).map(row).collect();
    (rows, state.analyses().count())
}

/// Conversations and documents that wait: failed ones first.
pub(crate) fn waiting(memory: &AppMemory) -> Vec<Waiting> {
    let mut rows: Vec<Waiting> = memory
        .pending_all()
        .into_iter()
        .map(|source| Waiting {
            conversation: source.conversation,
            title: title(memory, source.conversation),
            turns: source.pending.turns,
            failure: source.pending.failure.map(|failure| (failure.reason, failure.attempts, failure.at)),
            failed: source.pending.failed,
        })
        .collect();
    rows.sort_by_key(|row| row.failure.is_none());
    rows
}

/// Sums over every window.
pub(crate) fn totals(memory: &AppMemory) -> Totals {
    let mut totals = Totals { mentions: memory.mention_totals(), ..Totals::default() };
    for report in memory.state().analyses() {
        totals.windows += 1;
        totals.calls += u64::from(report.calls);
        totals.tokens += u64::from(report.prompt_tokens) + u64::from(report.completion_tokens);
        for outcome in &report.outcomes {
            *totals.outcomes.entry(outcome.kind).or_insert(0) += 1;
        }
        for resolved in &report.resolutions {
            *totals.resolutions.entry(resolved.outcome).or_insert(0) += 1;
        }
        for dropped in &report.dropped {
            *totals.dropped.entry(dropped.reason).or_insert(0) += 1;
        }
    }
    totals
}
