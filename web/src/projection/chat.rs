//! Conversations, their turns, and what memory made of each turn.

use std::collections::{BTreeMap, BTreeSet};

use credence::conversation::{BUILT_IN_MODEL, Speaker, TurnState};
use credence::enforcement::Compliance;
use credence::extraction::{AnalysisReport, Dropped, OutcomeKind};
use credence::history::{Cause, Record, RecordId};
use credence::id::{CommitId, ConversationId, PropositionId, TurnId, UseId};
use credence::proposition::{Extractor, Proposition, Status};
use credence::time::{Moment, Timestamp};

use crate::state::AppMemory;

/// One line of the list of conversations.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConversationRow {
    pub id: ConversationId,
    pub title: String,
    /// Of its last turn.
    pub at: Timestamp,
    pub turns: u32,
    pub imported: bool,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnRow {
    pub id: TurnId,
    pub conversation: ConversationId,
    /// Which of its wordings it says, from 0.
    pub chosen: u32,
    /// How many wordings it has.
    pub wordings: u32,
    pub index: u32,
    /// The person whose memory this is.
    pub is_user: bool,
    /// The model, as opposed to people.
    pub is_assistant: bool,
    pub speaker: String,
    pub text: String,
    pub at: Moment,
    pub state: TurnState,
    pub use_record: Option<UseId>,
    /// The model that answered; `None` for people.
    pub model: Option<String>,
    /// The last turn of its conversation.
    pub is_last: bool,
    /// What came of checking it, where it was checked.
    pub compliance: Option<Compliance>,
}

impl TurnRow {
    /// The built-in engine answered.
    pub(crate) fn is_built_in(&self) -> bool {
        self.model.as_deref() == Some(BUILT_IN_MODEL)
    }
}

/// A statement that a turn left behind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chip {
    pub proposition: PropositionId,
    pub text: String,
    pub kind: OutcomeKind,
    /// `None`: by rule.
    pub model: Option<String>,
    pub why: String,
    pub confidence: f64,
    /// The commit to undo, and what it did for this statement.
    pub commit: Option<CommitId>,
    pub records: Vec<RecordId>,
    pub undone: bool,
}

/// A statement that a turn put out of force.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Struck {
    pub proposition: PropositionId,
    pub text: String,
    pub status: Status,
    pub by: PropositionId,
}

/// What memory made of one turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TurnNotes {
    pub chips: Vec<Chip>,
    pub struck: Vec<Struck>,
    pub dropped: Vec<Dropped>,
}

/// How far the analysis of a conversation is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum AnalysisState {
    #[default]
    Idle,
    /// Turns wait.
    Pending(u32),
    Running,
    /// Why, and how many turns wait.
    Failed(String, u32),
}

impl AnalysisState {
    /// The word for checks and styles.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Pending(_) => "pending",
            Self::Running => "running",
            Self::Failed(..) => "failed",
        }
    }
}

/// Conversations, the one that was last spoken in first.
pub(crate) fn conversations(memory: &AppMemory) -> Vec<ConversationRow> {
    let state = memory.state();
    let mut rows: Vec<ConversationRow> = state
        .conversations()
        .map(|conversation| {
            let last = state.turns(conversation.id).next_back();
            ConversationRow {
                id: conversation.id,
                title: if conversation.title.is_empty() {
                    "New conversation".to_owned()
                } else {
                    conversation.title.clone()
                },
                // An imported conversation is listed by when it came, not by when it was held.
                at: match (&conversation.imported_from, last) {
                    (None, Some(turn)) => turn.at.at,
                    _ => conversation.created,
                },
                turns: last.map_or(0, |turn| turn.index + 1),
                imported: conversation.imported_from.is_some(),
            }
        })
        .collect();
    rows.sort_by(|a, b| b.at.cmp(&a.at).then(b.id.cmp(&a.id)));
    rows
}

/// The messages of a conversation, in order.
pub(crate) fn turns(memory: &AppMemory, conversation: ConversationId) -> Vec<TurnRow> {
    let state = memory.state();
    let mut rows: Vec<TurnRow> = state
        .turns(conversation)
        .map(|turn| TurnRow {
            id: turn.id,
            conversation,
            chosen: turn.chosen,
            wordings: u32::try_from(turn.alternatives.len().max(1)).unwrap_or(u32::MAX),
            index: turn.index,
            is_user: turn.speaker == Speaker::User,
            is_assistant: turn.speaker == Speaker::Assistant,
            speaker: match &turn.speaker {
                Speaker::User => "You".to_owned(),
                Speaker::Assistant => "Credence".to_owned(),
                Speaker::Person { name } | Speaker::Document { name } => name.clone(),
            },
            text: turn.text.clone(),
            at: turn.at,
            state: turn.state.clone(),
            use_record: turn.use_record,
            model: turn.model.clone(),
            is_last: false,
            compliance: turn.compliance.as_deref().cloned(),
        })
        .collect();
    if let Some(last) = rows.last_mut() {
        last.is_last = true;
    }
    rows
}

/// How far the analysis of a conversation is; `running` says whether this page is at it.
pub(crate) fn analysis_state(
    memory: &AppMemory,
    conversation: ConversationId,
    running: bool,
) -> AnalysisState {
    if running {
        return AnalysisState::Running;
    }
    let pending = memory.pending(conversation);
    match pending.failure {
        Some(failure) => AnalysisState::Failed(failure.reason, pending.turns),
        None if pending.turns > 0 => AnalysisState::Pending(pending.turns),
        None => AnalysisState::Idle,
    }
}

/// What memory made of each turn of a conversation.
pub(crate) fn notes(memory: &AppMemory, conversation: ConversationId) -> BTreeMap<TurnId, TurnNotes> {
    let undone = undone(memory);
    let state = memory.state();
    let turns: Vec<(u32, TurnId, bool)> =
        state.turns(conversation).map(|turn| (turn.index, turn.id, turn.speaker == Speaker::User)).collect();
    let mut notes: BTreeMap<TurnId, TurnNotes> = BTreeMap::new();
    for report in state.analyses().filter(|report| report.conversation == conversation) {
        let window: Vec<&(u32, TurnId, bool)> =
            turns.iter().filter(|(index, ..)| (report.from..report.to).contains(index)).collect();
        // Where a report belongs as a whole: under the last thing that the person said in it.
        let Some((_, home, _)) = window.iter().rev().find(|(.., user)| *user).or(window.last()) else {
            continue;
        };
        let commit = commit_of(memory, RecordId::Analysis(report.id));
        for outcome in &report.outcomes {
            let Some(proposition) = last_value(memory, outcome.proposition) else { continue };
            let grounded = window.iter().map(|(_, id, _)| *id).find(|id| proposition.grounding.contains(id));
            let under = notes.entry(grounded.unwrap_or(*home)).or_default();
            under.chips.push(chip(report, outcome, &proposition, commit, &undone));
            if outcome.kind == OutcomeKind::Contradicted {
                let struck = outcome.others.iter().filter_map(|id| last_value(memory, *id));
                under.struck.extend(struck.map(|old| Struck {
                    proposition: old.id,
                    text: old.text.clone(),
                    status: old.status,
                    by: outcome.proposition,
                }));
            }
        }
        if !report.dropped.is_empty() {
            notes.entry(*home).or_default().dropped.extend(report.dropped.iter().cloned());
        }
    }
    notes
}

fn chip(
    report: &AnalysisReport,
    outcome: &credence::extraction::Outcome,
    proposition: &Proposition,
    commit: Option<CommitId>,
    undone: &BTreeSet<(CommitId, RecordId)>,
) -> Chip {
    let own = RecordId::Proposition(outcome.proposition);
    let records = std::iter::once(outcome.proposition).chain(outcome.others.iter().copied());
    Chip {
        proposition: outcome.proposition,
        text: outcome.text.clone(),
        kind: outcome.kind,
        model: match &report.extractor {
            Extractor::Model { model } => Some(model.clone()),
            _ => None,
        },
        why: outcome.why.clone(),
        confidence: proposition.confidence.get(),
        commit,
        records: records.map(RecordId::Proposition).collect(),
        undone: commit.is_some_and(|commit| undone.contains(&(commit, own))),
    }
}

/// A proposition as it stands, or as it last stood before it was taken out.
fn last_value(memory: &AppMemory, id: PropositionId) -> Option<Proposition> {
    if let Some(present) = memory.state().proposition(id) {
        return Some(present.clone());
    }
    let log = memory.log();
    log.history(RecordId::Proposition(id)).rev().find_map(|step| match &step.revision.value {
        Some(Record::Proposition(value)) => Some(value.clone()),
        _ => None,
    })
}

/// The commit that a record came with; a report has no other.
pub(crate) fn commit_of(memory: &AppMemory, record: RecordId) -> Option<CommitId> {
    memory.log().history(record).next().map(|step| step.commit.id)
}

/// What stands undone: the commit and the record. An undo that was itself undone no longer counts.
pub(crate) fn undone(memory: &AppMemory) -> BTreeSet<(CommitId, RecordId)> {
    let log = memory.log();
    let mut standing = BTreeSet::new();
    let mut targets: BTreeMap<CommitId, CommitId> = BTreeMap::new();
    for commit in log.commits().iter().filter(|commit| commit.cause == Cause::Undo) {
        let Some(target) = commit.ids.get("undone").and_then(|id| id.parse::<CommitId>().ok()) else {
            continue;
        };
        for revision in &commit.revisions {
            match targets.get(&target) {
                Some(original) => standing.remove(&(*original, revision.record)),
                None => standing.insert((target, revision.record)),
            };
        }
        if !targets.contains_key(&target) {
            targets.insert(commit.id, target);
        }
    }
    standing
}
