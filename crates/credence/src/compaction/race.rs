//! Two writers, one conversation: a summary is a record of its own, so that nothing of it shows that another writer has summed the same turns up,
//! or changed them, since it was written. It is looked at once more before it is committed.

use crate::history::{Log, Record, RecordId, Scope};
use crate::id::ConversationId;

/// The summaries of a plan whose conversation has another summary, or other turns, than when the plan was begun: they are to be made again.
pub(crate) fn overtaken(log: &Log, scope: &Scope) -> Vec<RecordId> {
    let Some(since) = scope.since() else { return Vec::new() };
    let moved = |conversation: ConversationId, to: u32| {
        let later = log.commits().iter().rev().take_while(|commit| commit.seq > since);
        later.flat_map(|commit| &commit.revisions).any(|revision| match &revision.value {
            Some(Record::Summary(summary)) => summary.conversation == conversation,
            Some(Record::Turn(turn)) => turn.conversation == conversation && turn.index < to,
            // Whose it was is no longer said.
            None => matches!(revision.record, RecordId::Summary(_) | RecordId::Turn(_)),
            _ => false,
        })
    };
    let drafts = scope.drafts();
    let fresh = drafts.iter().filter(|draft| draft.base.is_none());
    let overtaken = fresh.filter(|draft| match &draft.value {
        Some(Record::Summary(summary)) => moved(summary.conversation, summary.to),
        _ => false,
    });
    overtaken.map(|draft| draft.record).collect()
}
