//! What a commit did to single statements, in the words of dice 9.1: derived from the commit itself, so that it is told alike for our
//! own commits and those of other tabs, and only once they are durable.
//!
//! Differences to the source: a revival is a change of status like any other (there it looks like a plain save), and pinning is
//! told (there it is defined and never sent).

use serde::{Deserialize, Serialize};

use crate::extraction::OutcomeKind;
use crate::history::{Commit, Log, Record, RecordId, Revision};
use crate::id::PropositionId;
use crate::proposition::{Proposition, Status};

/// What happened to a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FactEvent {
    /// An analysis found something new.
    Discovered {
        /// The new statement.
        proposition: PropositionId,
    },
    /// An analysis found what was known.
    Merged {
        /// The statement that holds it.
        proposition: PropositionId,
    },
    /// An analysis found something similar.
    Reinforced {
        /// The statement that became surer.
        proposition: PropositionId,
    },
    /// An analysis found what retires others.
    Contradicted {
        /// The new statement.
        proposition: PropositionId,
        /// Those that it stands against.
        originals: Vec<PropositionId>,
    },
    /// An analysis found what covers others.
    Generalized {
        /// The new statement.
        proposition: PropositionId,
        /// Those that it covers.
        sources: Vec<PropositionId>,
    },
    /// A statement was stored, new or changed.
    Persisted {
        /// Which.
        proposition: PropositionId,
    },
    /// A statement has another status.
    StatusChanged {
        /// Which.
        proposition: PropositionId,
        /// Before.
        previous: Status,
        /// Now.
        status: Status,
        /// In words for a person; may be empty.
        reason: String,
    },
    /// A person pinned a statement.
    Pinned {
        /// Which.
        proposition: PropositionId,
    },
    /// A person took a pin off.
    Unpinned {
        /// Which.
        proposition: PropositionId,
    },
    /// A statement was taken out.
    Forgotten {
        /// Which.
        proposition: PropositionId,
        /// In words for a person; may be empty.
        reason: String,
    },
}

/// What a commit of this log did to statements: first what its analyses found, then what was written, in order of revision.
pub fn facts(log: &Log, commit: &Commit) -> Vec<FactEvent> {
    let mut found = Vec::new();
    let mut written = Vec::new();
    for revision in &commit.revisions {
        match (&revision.record, &revision.value) {
            (RecordId::Proposition(id), value) => {
                let now = match value {
                    Some(Record::Proposition(now)) => Some(now),
                    _ => None,
                };
                changed(*id, before(log, revision).as_ref(), now, &revision.why, &mut written);
            }
            (_, Some(Record::Analysis(report))) if revision.previous.is_none() => {
                found.extend(report.outcomes.iter().map(|outcome| {
                    let (proposition, others) = (outcome.proposition, outcome.others.clone());
                    match outcome.kind {
                        // What is in dispute or tells what was retires nothing.
                        OutcomeKind::New | OutcomeKind::Disputed | OutcomeKind::Outdated => {
                            FactEvent::Discovered { proposition }
                        }
                        OutcomeKind::Merged => FactEvent::Merged { proposition },
                        OutcomeKind::Reinforced => FactEvent::Reinforced { proposition },
                        OutcomeKind::Contradicted => {
                            FactEvent::Contradicted { proposition, originals: others }
                        }
                        OutcomeKind::Generalized => FactEvent::Generalized { proposition, sources: others },
                    }
                }));
            }
            _ => {}
        }
    }
    found.extend(written);
    found
}

fn before(log: &Log, revision: &Revision) -> Option<Proposition> {
    let previous = revision.previous?;
    let step = log.history(revision.record).rev().find(|step| step.revision.id == previous)?;
    match &step.revision.value {
        Some(Record::Proposition(value)) => Some(value.clone()),
        _ => None,
    }
}

fn changed(
    proposition: PropositionId,
    before: Option<&Proposition>,
    now: Option<&Proposition>,
    why: &str,
    written: &mut Vec<FactEvent>,
) {
    let reason = why.to_owned();
    let Some(now) = now else {
        written.push(FactEvent::Forgotten { proposition, reason });
        return;
    };
    match before {
        Some(before) if before.status != now.status => written.push(FactEvent::StatusChanged {
            proposition,
            previous: before.status,
            status: now.status,
            reason,
        }),
        _ => written.push(FactEvent::Persisted { proposition }),
    }
    match (before.is_some_and(|before| before.pinned), now.pinned) {
        (false, true) => written.push(FactEvent::Pinned { proposition }),
        (true, false) => written.push(FactEvent::Unpinned { proposition }),
        _ => {}
    }
}
