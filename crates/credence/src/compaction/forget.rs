//! Forgetting reaches summaries: one that says what was forgotten, or sums up a conversation that is gone, goes in the same commit. The
//! turns that it stood in for then stand for themselves, and the next summary is made without it.

use std::collections::BTreeSet;

use super::Summary;
use crate::history::{Record, RecordId, Scope, State};
use crate::id::ConversationId;
use crate::text::{Holding, holding};

/// Share of a forgotten statement's words from which a summary says it.
const SAID: f64 = 0.5;

/// Plans what the statements and conversations that this plan removes mean for the summaries.
pub(crate) fn forget_summaries(state: &State, scope: &Scope) {
    let (mut statements, mut conversations) = (Vec::new(), BTreeSet::<ConversationId>::new());
    for draft in scope.drafts().iter().filter(|draft| draft.value.is_none()) {
        match draft.record {
            RecordId::Proposition(id) => {
                let old = state.revision(draft.record).and_then(|revision| revision.value.as_ref());
                if let Some(Record::Proposition(p)) = old {
                    statements.push((id, p.text.clone()));
                }
            }
            RecordId::Conversation(id) => {
                conversations.insert(id);
            }
            _ => {}
        }
    }
    let says = |summary: &Summary| {
        statements.iter().any(|(id, text)| {
            summary.protected.contains(id)
                || matches!(holding(text, &summary.text, SAID), Holding::Held(_) | Holding::Altered { .. })
        })
    };
    for summary in state.summaries() {
        let record = RecordId::Summary(summary.id);
        if conversations.contains(&summary.conversation) {
            scope.remove(state, record, "its conversation was forgotten");
        } else if says(summary) {
            scope.remove(state, record, "it says what was forgotten");
        } else if summary.attempts.iter().any(|attempt| {
            attempt.losses.iter().any(|loss| statements.iter().any(|(id, _)| *id == loss.proposition))
        }) {
            // What a try lost is quoted in the record: the quotation goes, the summary stays.
            let mut rest = summary.clone();
            for attempt in &mut rest.attempts {
                attempt.losses.retain(|loss| statements.iter().all(|(id, _)| *id != loss.proposition));
            }
            scope.put(state, rest, "it quoted what was forgotten");
        }
    }
}
