//! Forgetting reaches the reports of sweeps: what they say of a forgotten unit goes with it.

use crate::history::{Scope, State};

/// Plans what the statements that this plan removes mean for the reports of sweeps.
pub(crate) fn forget_sweeps(state: &State, scope: &Scope) {
    let gone = scope.forgotten();
    for report in state.sweeps() {
        let mut rest = report.clone();
        rest.audited.retain(|one| !gone.contains(&one.unit));
        rest.effects.retain(|effect| !gone.contains(&effect.change.unit));
        rest.blocked.retain(|block| !gone.contains(&block.objection.unit));
        rest.merged.retain(|(from, into)| !gone.contains(from) && !gone.contains(into));
        rest.violations.retain(|violation| !gone.contains(&violation.unit));
        if rest != *report {
            // Notes are words about some of the units, nobody knows which.
            rest.notes.clear();
            scope.put(state, rest, "what it told of was forgotten");
        }
    }
}
