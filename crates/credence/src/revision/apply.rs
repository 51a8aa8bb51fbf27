//! From a decision to the scope: which records change, with which reason, and what the report says of it. The arithmetic is
//! in `arithmetic`.

use super::arithmetic::{brings_evidence, contradicted, generalized, merged, reinforced, superseded};
use super::decide::Decision;
use crate::extraction::{Outcome, OutcomeKind};
use crate::history::{Record, RecordId, Scope, State};
use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::text;
use crate::time::Timestamp;

/// Plans one decision and says what became of the statement.
pub(super) fn apply(
    state: &State,
    scope: &Scope,
    mut new: Proposition,
    decision: Decision,
    now: Timestamp,
    notes: &mut Vec<String>,
) -> Outcome {
    let stored = |id: &PropositionId| match scope.get(state, RecordId::Proposition(*id)) {
        Some(Record::Proposition(p)) => Some(p),
        _ => None,
    };
    let (id, statement) = (new.id, new.text.clone());
    let outcome = |kind, proposition, others: Vec<PropositionId>, why: String| Outcome {
        kind,
        proposition,
        others,
        conflict: None,
        text: statement.clone(),
        why,
    };
    match decision {
        Decision::Merge { into, why } | Decision::Reinforce { other: into, why }
            if stored(&into).is_none() =>
        {
            scope.put(state, new, "");
            outcome(OutcomeKind::New, id, vec![], format!("{why}, but it was forgotten meanwhile"))
        }
        Decision::Merge { into, why } => {
            if let Some(old) = stored(&into) {
                if brings_evidence(&old, &new) {
                    scope.put(state, merged(&old, &new, now), format!("said again: {why}"));
                } else {
                    notes.push(format!(
                        "`{}` rests on a turn that was counted already",
                        text::excerpt(&statement, 80)
                    ));
                }
            }
            outcome(OutcomeKind::Merged, into, vec![], why)
        }
        Decision::Reinforce { other, why } => {
            if let Some(old) = stored(&other).filter(|old| brings_evidence(old, &new)) {
                scope.put(
                    state,
                    reinforced(&old, &new, now),
                    format!("confirmed by a similar statement: {why}"),
                );
            }
            outcome(OutcomeKind::Reinforced, other, vec![], why)
        }
        Decision::Contradict { others, moved_on, why } => {
            let observed = new.temporal.observed_at.unwrap_or(now);
            for old in others.iter().filter_map(stored) {
                let link =
                    if moved_on { &mut new.temporal.supersedes } else { &mut new.temporal.contradicts };
                link.push(old.id);
                if old.pinned {
                    notes.push(format!(
                        "`{}` is pinned and stays beside what stands against it",
                        text::excerpt(&old.text, 80)
                    ));
                    continue;
                }
                let next = if moved_on { superseded(&old, observed, now) } else { contradicted(&old, now) };
                match next {
                    Ok(next) => {
                        scope.put(state, next, format!("{why}; now: {}", text::excerpt(&statement, 120)))
                    }
                    Err(error) => notes.push(error.to_string()),
                }
            }
            scope.put(state, new, why.clone());
            outcome(OutcomeKind::Contradicted, id, others, why)
        }
        Decision::Generalize { covered, why } => {
            let sources: Vec<Proposition> = covered.iter().filter_map(stored).collect();
            scope.put(state, generalized(&new, &sources), why.clone());
            outcome(OutcomeKind::Generalized, id, covered, why)
        }
        Decision::New { why } => {
            scope.put(state, new, "");
            outcome(OutcomeKind::New, id, vec![], why)
        }
    }
}
