//! An erasure made once more, on another copy of the same memory: a backup from before it must not bring back what a person had destroyed.

use std::collections::BTreeSet;

use super::pace::Pace;
use super::plan::{Planned, Snapshot, Stamp, plan};
use super::report::ErasureReport;
use crate::error::Error;
use crate::history::{Actor, Cause, Log, Scope, ScopeInfo, UseRecord};
use crate::memory::{Rewriting, Slices};
use crate::ports::Clock;
use crate::time::{Moment, Timestamp};

/// A clock that stands: who plans with it makes no pauses.
struct Still(Timestamp);

impl Clock for Still {
    fn now(&self) -> Moment {
        Moment::utc(self.0)
    }
    async fn pause(&self) {}
}

/// What it takes to make a copy as if this erasure had been made in it: the same target goes, and report and tombstones are there. Where the copy
/// has nothing of the target, the report alone comes along, so that its tombstones go on. Returns how many records lose their content as well.
///
/// # Errors
/// Where a record cannot be stored.
pub(crate) async fn again(
    copy: &Log,
    uses: &[UseRecord],
    made: &ErasureReport,
) -> Result<(usize, Rewriting), Error> {
    let stamp = Stamp { id: made.id, at: made.at, salt: made.salt.clone() };
    let (still, mut tell) = (Still(made.at), |_| {});
    let mut pace = Pace::new(Slices::new(&still, None), &mut tell);
    let planned = plan(&Snapshot::of(copy), uses, &made.target, &stamp, &mut pace).await;
    let (gone, mut report, rewriting) = match planned {
        Ok(Planned { report, rewriting, .. }) => (report.records.len(), report, Some(rewriting)),
        // It was never in this copy, or is in it no more.
        Err(Error::NotFound { .. } | Error::Invalid { .. }) => (0, made.clone(), None),
        Err(other) => return Err(other),
    };
    let all: BTreeSet<_> = report.tombstones.iter().chain(&made.tombstones).cloned().collect();
    report.tombstones = all.into_iter().collect();
    let info = ScopeInfo::new(Cause::Erasure, Actor::Person, "forgotten for ever before this copy came back")
        .with_id("erasure", made.id);
    let scope = Scope::new(info);
    scope.put(copy.state(), report, "");
    let rewriting = match rewriting {
        Some(rewriting) => Rewriting { scope, ..rewriting },
        None => Rewriting {
            scope,
            commits: Vec::new(),
            uses: Vec::new(),
            dropped_uses: Vec::new(),
            dropped_vectors: Vec::new(),
        },
    };
    Ok((gone, rewriting))
}
