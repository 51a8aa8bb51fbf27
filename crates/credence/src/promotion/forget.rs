//! Forgetting reaches the reports of promotion: what they say of a forgotten statement goes with it, and so does what they say of
//! others in its words.

use super::report::{CandidateReport, PromotionReport};
use crate::history::{RecordId, Scope, State};

/// Plans what the statements that this plan removes mean for the reports.
pub(crate) fn forget_reports(state: &State, scope: &Scope) {
    let why = "what it told of was forgotten";
    let gone = scope.forgotten();
    let tells_of = |candidate: &CandidateReport| {
        gone.contains(&candidate.proposition)
            || candidate.duplicate_of.is_some_and(|of| gone.contains(&of))
            || candidate.conflicts.iter().any(|conflict| gone.contains(&conflict.with))
    };
    for report in state.promotions().filter(|report| report.candidates.iter().any(tells_of)) {
        let mut rest: PromotionReport = report.clone();
        rest.candidates.retain(|candidate| !tells_of(candidate));
        // Notes are words of rules and models about some of the candidates, nobody knows which.
        rest.notes.clear();
        rest.violations.retain(|violation| !gone.contains(&violation.unit));
        if rest.candidates.is_empty() {
            scope.remove(state, RecordId::Promotion(report.id), why);
        } else {
            scope.put(state, rest, why);
        }
    }
}
