//! Forgetting reaches the inbox: a question quotes statements, so what is forgotten leaves the questions too, answered ones
//! included.

use std::collections::BTreeSet;

use super::InboxItem;
use crate::history::{RecordId, Scope, State};
use crate::id::{PropositionId, TurnId};
use crate::proposition::Proposition;

/// Plans what the statements and turns that this plan removes mean for the inbox. A question whose own statement is gone or has
/// lost its last turn, or with nothing left to stand against, goes with it; others no longer quote what is gone.
pub(crate) fn forget_questions(state: &State, scope: &Scope) {
    let why = "what it asked about was forgotten";
    let (mut gone, mut turns) = (BTreeSet::new(), BTreeSet::new());
    for draft in scope.drafts().iter().filter(|draft| draft.value.is_none()) {
        match draft.record {
            RecordId::Proposition(id) => {
                gone.insert(id);
            }
            RecordId::Turn(id) => {
                turns.insert(id);
            }
            _ => {}
        }
    }
    for item in state.inbox_items() {
        let own = item.proposition.as_deref().is_some_and(|p| {
            let unheard = item.held.is_some()
                && !p.grounding.is_empty()
                && p.grounding.iter().all(|t| turns.contains(t));
            gone.contains(&p.id) || unheard
        });
        if !own && !item.other_propositions().any(|id| gone.contains(&id)) {
            continue;
        }
        let rest = match item.kind {
            kind if kind.is_about_candidates() => super::candidates::without(state, item, &gone),
            _ => without(state, item, &gone),
        };
        match rest.filter(|_| !own) {
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

/// Plans what statements and words that were taken back mean for the questions that are open: one about such a statement, or about one that was
/// held and was said in these turns alone, goes; one that has nothing left to stand against goes too. Answered ones tell what was and
/// stay.
pub(crate) fn retract_questions(
    state: &State,
    scope: &Scope,
    gone: &BTreeSet<PropositionId>,
    turns: &BTreeSet<TurnId>,
    why: &str,
) {
    for item in state.inbox_items().filter(|item| item.is_open()) {
        let own = item.proposition.as_deref().is_some_and(|p| {
            let unheard = item.held.is_some()
                && !p.grounding.is_empty()
                && p.grounding.iter().all(|turn| turns.contains(turn));
            gone.contains(&p.id) || unheard
        });
        let mut others = item.other_propositions().peekable();
        let is_moot = others.peek().is_some() && others.all(|id| gone.contains(&id));
        if own || is_moot {
            scope.remove(state, RecordId::Inbox(item.id), why);
        }
    }
}
