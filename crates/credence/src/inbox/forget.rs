//! Forgetting reaches the inbox: a question quotes statements, so what is forgotten leaves the questions too, answered ones
//! included.

use std::collections::BTreeSet;

use super::InboxItem;
use crate::history::{RecordId, Scope, State};
use crate::id::PropositionId;
use crate::proposition::Proposition;

/// Plans what the statements that this plan removes mean for the inbox. A question whose own statement is gone, or with nothing
/// left to stand against, goes with it; others no longer quote what is gone.
pub(crate) fn forget_questions(state: &State, scope: &Scope) {
    let why = "what it asked about was forgotten";
    let gone: BTreeSet<PropositionId> = scope
        .drafts()
        .iter()
        .filter(|draft| draft.value.is_none())
        .filter_map(|draft| match draft.record {
            RecordId::Proposition(id) => Some(id),
            _ => None,
        })
        .collect();
    for item in state.inbox_items() {
        let own = item.proposition.as_ref().is_some_and(|p| gone.contains(&p.id));
        if !own && !item.other_propositions().any(|id| gone.contains(&id)) {
            continue;
        }
        match without(state, item, &gone).filter(|_| !own) {
            Some(rest) => scope.put(state, rest, why),
            None => scope.remove(state, RecordId::Inbox(item.id), why),
        }
    }
}

/// The question without the statements that are gone; `None` when nothing is left to ask.
fn without(state: &State, item: &InboxItem, gone: &BTreeSet<PropositionId>) -> Option<InboxItem> {
    let mut rest = item.clone();
    rest.others.retain(|record| !matches!(record, RecordId::Proposition(id) if gone.contains(id)));
    if let Some(held) = &mut rest.held {
        held.forget(gone);
        return Some(rest);
    }
    let others: Vec<Proposition> =
        rest.other_propositions().filter_map(|id| state.proposition(id).cloned()).collect();
    let newer = rest.proposition.as_deref().filter(|_| !others.is_empty())?.clone();
    rest.question = InboxItem::conflict(rest.id, rest.kind, newer, &others, &rest.why, rest.created).question;
    Some(rest)
}
