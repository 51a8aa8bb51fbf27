//! Replacing a memory by a copy of it, without what was erased for ever here since: an erasure is a decision about the content, not about the
//! copy that happened to be here. Whoever wants it back says so ([`Choice::BringBack`](super::Choice::BringBack)).

use std::collections::BTreeSet;

use super::BundleError;
use crate::erasure::{ErasureReport, again};
use crate::history::{Commit, Contents, Log, RecordId};
use crate::id::{CommitId, ContextId};
use crate::ports::Ids;
use crate::time::Timestamp;

/// Erasures of ours that a copy does not know of and that are in force, oldest first.
fn unknown_to<'a>(ours: &'a Log, theirs: &Log) -> Vec<&'a ErasureReport> {
    let mut all: Vec<&ErasureReport> = ours
        .state()
        .erasures()
        .filter(|made| !made.lifted && theirs.state().erasure(made.id).is_none())
        .collect();
    all.sort_by_key(|made| (made.at, made.id));
    all
}

/// Records that stand in theirs and whose content was erased in ours: how many stay gone, and how many come back because nothing forbids it.
pub(super) fn stay_and_return(ours: &Log, theirs: &Log) -> (usize, usize) {
    let in_force: BTreeSet<RecordId> =
        unknown_to(ours, theirs).into_iter().flat_map(|made| made.records.iter().copied()).collect();
    let erased = ours.state().revisions().filter(|revision| revision.erased && revision.value.is_none());
    let stands = |record| theirs.state().revision(record).is_some_and(|revision| revision.value.is_some());
    let records = erased.map(|revision| revision.record).filter(|record| stands(*record));
    let (stay, back): (Vec<RecordId>, Vec<RecordId>) = records.partition(|record| in_force.contains(record));
    (stay.len(), back.len())
}

/// Makes the erasures of ours in a copy that is to take its place; how many records that cost, and how many erasures were carried over.
///
/// # Errors
/// [`BundleError::Invalid`] where the copy could not be opened afterwards.
pub(super) async fn without_erased(
    ours: &Log,
    copy: &mut Contents,
    context: &ContextId,
    at: Timestamp,
    ids: &impl Ids,
) -> Result<(usize, usize), BundleError> {
    let mut log = Log::replay(copy.commits.clone())?;
    let (mut records, mut erasures) = (0, 0);
    for made in unknown_to(ours, &log) {
        let (gone, rewriting) =
            again(&log, &copy.uses, made).await.map_err(|problem| BundleError::Invalid {
                place: format!("“{context}”"),
                problem: format!("what was forgotten for ever here could not be taken out of it: {problem}"),
            })?;
        records += gone;
        erasures += 1;
        let state = log.state();
        let id = CommitId::new(ids.next());
        let appended: Option<Commit> = rewriting.scope.to_commit(state, context, id, at);
        for commit in rewriting.commits {
            if let Ok(place) = copy.commits.binary_search_by_key(&commit.seq, |stored| stored.seq) {
                copy.commits[place] = commit;
            }
        }
        for record in rewriting.uses {
            if let Some(stored) = copy.uses.iter_mut().find(|stored| stored.id == record.id) {
                *stored = record;
            }
        }
        copy.uses.retain(|record| !rewriting.dropped_uses.contains(&record.id));
        let gone: BTreeSet<_> = rewriting.dropped_vectors.into_iter().collect();
        copy.vectors.values_mut().for_each(|kept| kept.retain(|vector| !gone.contains(&vector.text)));
        copy.commits.extend(appended);
        log = Log::replay(copy.commits.clone())?;
    }
    copy.vectors.retain(|_, kept| !kept.is_empty());
    Ok((records, erasures))
}
