//! Forgetting reaches summaries: one that says what was forgotten, or sums up a conversation that is gone, goes in the same commit. The
//! turns that it stood in for then stand for themselves, and the next summary is made without it.

use std::collections::{BTreeMap, BTreeSet};

use super::Summary;
use crate::error::Error;
use crate::history::{Record, RecordId, Scope, State};
use crate::id::{ConversationId, PropositionId};
use crate::memory::Slices;
use crate::ports::Clock;
use crate::text::{Holding, holding};

/// Share of a forgotten statement's words from which a summary says it.
const SAID: f64 = 0.5;

/// What a plan removes, as far as summaries are concerned.
struct Gone {
    statements: BTreeMap<PropositionId, String>,
    conversations: BTreeSet<ConversationId>,
}

impl Gone {
    fn of(state: &State, scope: &Scope) -> Self {
        let mut gone = Self { statements: BTreeMap::new(), conversations: BTreeSet::new() };
        for draft in scope.drafts().iter().filter(|draft| draft.value.is_none()) {
            match draft.record {
                RecordId::Proposition(id) => {
                    let old = state.revision(draft.record).and_then(|revision| revision.value.as_ref());
                    if let Some(Record::Proposition(p)) = old {
                        gone.statements.insert(id, p.text.clone());
                    }
                }
                RecordId::Conversation(id) => {
                    gone.conversations.insert(id);
                }
                _ => {}
            }
        }
        gone
    }

    /// Whether a summary goes with its conversation, or by the ids that it keeps: nothing has to be read for that.
    fn has(&self, summary: &Summary) -> bool {
        self.conversations.contains(&summary.conversation)
            || summary.protected.iter().any(|id| self.statements.contains_key(id))
    }

    /// Plans what becomes of one summary; `says`: it says one of the statements.
    fn settle(&self, state: &State, scope: &Scope, summary: &Summary, says: bool) {
        let record = RecordId::Summary(summary.id);
        if self.conversations.contains(&summary.conversation) {
            scope.remove(state, record, "its conversation was forgotten");
        } else if says || self.has(summary) {
            scope.remove(state, record, "it says what was forgotten");
        } else if summary
            .attempts
            .iter()
            .any(|attempt| attempt.losses.iter().any(|loss| self.statements.contains_key(&loss.proposition)))
        {
            // What a try lost is quoted in the record: the quotation goes, the summary stays.
            let mut rest = summary.clone();
            for attempt in &mut rest.attempts {
                attempt.losses.retain(|loss| !self.statements.contains_key(&loss.proposition));
            }
            scope.put(state, rest, "it quoted what was forgotten");
        }
    }
}

fn says(summary: &Summary, text: &str) -> bool {
    matches!(holding(text, &summary.text, SAID), Holding::Held(_) | Holding::Altered { .. })
}

/// Plans what the statements and conversations that this plan removes mean for the summaries.
pub(crate) fn forget_summaries(state: &State, scope: &Scope) {
    let gone = Gone::of(state, scope);
    for summary in state.summaries() {
        let says_it = !gone.has(summary) && gone.statements.values().any(|text| says(summary, text));
        gone.settle(state, scope, summary, says_it);
    }
}

/// The same with pauses: each summary is read beside each statement that goes.
///
/// # Errors
/// [`Error::Cancelled`] when that was wanted.
pub(crate) async fn forget_summaries_in_slices<C: Clock>(
    state: &State,
    scope: &Scope,
    slices: &mut Slices<'_, C>,
) -> Result<(), Error> {
    let gone = Gone::of(state, scope);
    for summary in state.summaries() {
        let mut says_it = false;
        if !gone.has(summary) {
            for text in gone.statements.values() {
                slices.rest_small().await?;
                if says(summary, text) {
                    says_it = true;
                    break;
                }
            }
        }
        gone.settle(state, scope, summary, says_it);
    }
    Ok(())
}
