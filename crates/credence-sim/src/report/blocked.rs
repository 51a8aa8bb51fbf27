//! What a failed check forbids, and why, in words: the same in sentences, tables and pages.

use crate::experiment::{Analysis, Check, CheckKind, Comparison, Outcome};
use crate::metrics;

/// Why nothing is concluded of a comparison, to stand behind "because"; `None`: nothing forbids it.
pub(super) fn reasons(analysis: &Analysis, comparison: &Comparison) -> Option<String> {
    let blocked = analysis.blocked(&comparison.first, &comparison.second, &comparison.metric);
    let mut why: Vec<&str> = blocked.iter().map(|check| short(check.kind)).collect();
    why.dedup();
    (!why.is_empty()).then(|| why.join(", and because "))
}

fn short(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Runs => "runs are missing",
        CheckKind::Seeds => "the runs are no pairs",
        CheckKind::Inputs => "more than the condition differs",
        CheckKind::Judging => "too many turns were not judged",
        CheckKind::Agreement => "the judges do not agree",
        CheckKind::Control => "the control shows a difference",
        CheckKind::Pairs => "there are too few pairs with a value of it",
        CheckKind::Interventions => "a person changed the memory meanwhile",
        CheckKind::Ceiling | CheckKind::Degraded | CheckKind::Kept => "a check failed",
    }
}

/// What a check forbids: of which conditions and in which metrics; `None`: nothing. `said` is how a condition's name is shown.
pub fn forbids(check: &Check, said: impl Fn(&str) -> String) -> Option<String> {
    if check.outcome != Outcome::Blocks {
        return None;
    }
    let whom = match check.about.as_slice() {
        [] => "every comparison".to_owned(),
        [one] => format!("every comparison of {}", said(one)),
        many => {
            let names: Vec<String> = many.iter().map(|name| said(name)).collect();
            format!("the comparison of {}", names.join(" and "))
        }
    };
    let metrics: Vec<&str> = check
        .metrics
        .iter()
        .map(|name| metrics::named(name).map_or(name.as_str(), |metric| metric.title))
        .collect();
    Some(match metrics.as_slice() {
        [] => format!("{whom} in every metric"),
        _ => format!("{whom} in {} only", metrics.join(", ")),
    })
}
