//! A run that was put aside goes on: its context's log is cut back to where the last whole turn ended, and played on from there.
//!
//! What a turn that was broken off in the middle had written is taken away with the rest of that turn: the log behind the cut, and use records of
//! steps behind it. Vectors are derived and stay.

use credence::history::{Contents, Journal};
use credence::id::ContextId;

use super::RunError;
use crate::run::{RunRecord, RunStatus};

/// The log's position that a record goes on from; 0: nothing was kept yet.
///
/// # Errors
/// A run that is over.
pub(super) fn position(record: &RunRecord) -> Result<u64, RunError> {
    if record.status != RunStatus::Unfinished {
        return Err(refused(record, "it is over; play it anew instead"));
    }
    let Some(last) = record.turns.last() else { return Ok(0) };
    let since = record.interventions.iter().filter(|act| act.turn > last.turn).map(|act| act.seq);
    Ok(since.chain([last.seq]).max().unwrap_or(last.seq))
}

/// Cuts a context back to a position.
///
/// # Errors
/// A context that does not reach so far; store errors.
pub(super) async fn cut<J: Journal>(
    journal: &J,
    context: &ContextId,
    record: &RunRecord,
    position: u64,
) -> Result<(), RunError> {
    let commits = journal.read(context, 0).await?;
    let found = commits.last().map_or(0, |commit| commit.seq);
    if found < position {
        return Err(refused(record, "the memory that it was played on is not here any more; play it anew"));
    }
    let uses = journal.uses(context).await?;
    let is_kept = |seq: u64| seq <= position;
    // A record of a step behind the last turn's end was written on a log that is cut away, or before the turn's first commit.
    let kept_uses: Vec<_> = uses.iter().filter(|used| used.seq < position).cloned().collect();
    if found == position && kept_uses.len() == uses.len() {
        return Ok(());
    }
    let mut contents = Contents {
        commits: commits.into_iter().filter(|commit| is_kept(commit.seq)).collect(),
        uses: kept_uses,
        ..Contents::default()
    };
    for space in journal.spaces(context).await? {
        let vectors = journal.vectors(context, &space).await?;
        contents.vectors.insert(space, vectors);
    }
    Ok(journal.replace(context, found, &contents).await?)
}

fn refused(record: &RunRecord, why: &str) -> RunError {
    RunError::Refused { problems: vec![format!("run {}: {why}", record.id)] }
}
