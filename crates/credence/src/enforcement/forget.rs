//! Forgetting reaches what the checks of answers kept: a violation quotes the fact that an answer contradicts.

use crate::conversation::Turn;
use crate::history::{Record, RecordId, Scope, State};

/// Plans what the statements that this plan removes mean for the reports on answers: quotations go, with the words around them; what
/// came of each answer stays.
pub(crate) fn forget_violations(state: &State, scope: &Scope) {
    let gone = scope.forgotten();
    let quotes = |turn: &&Turn| {
        let report = turn.compliance.iter();
        report.flat_map(|c| &c.attempts).flat_map(|a| &a.violations).any(|v| gone.contains(&v.unit))
    };
    for turn in state.all_turns().filter(quotes) {
        let record = RecordId::Turn(turn.id);
        let Some(Record::Turn(mut rest)) = scope.get(state, record) else { continue };
        let Some(report) = &mut rest.compliance else { continue };
        for attempt in &mut report.attempts {
            let before = attempt.violations.len();
            attempt.violations.retain(|violation| !gone.contains(&violation.unit));
            if attempt.violations.len() < before {
                attempt.warnings.clear();
            }
        }
        if !report.reason.is_empty() {
            report.reason = "it was about a fact that was forgotten".to_owned();
        }
        scope.put(state, rest, "it quoted what was forgotten");
    }
}
