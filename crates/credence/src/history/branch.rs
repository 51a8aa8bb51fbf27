//! Branches: a memory that begins as another one's past.
//!
//! A branch holds the other memory's commits up to one of them: the same commits, ids and revisions, under its own name. With them go the use
//! records of the steps that belong to that past, and the vectors of its statements. The commit that follows says where it came from, so that
//! a branch is known as one. From there on the two have nothing in common: what either learns later is unknown to the other, and what waited
//! to be analysed at the fork is analysed in each.

use std::collections::BTreeSet;

use super::commit::{Actor, Cause, Commit, ContentId, SCHEMA_VERSION};
use super::journal::{Contents, Journal, JournalError};
use super::log::Log;
use super::record::Record;
use super::use_record::UseRecord;
use crate::conversation::Turn;
use crate::error::Error;
use crate::id::{CommitId, ContextId, UseId};
use crate::time::Timestamp;

/// What the commit says that begins a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchNote {
    /// Its id.
    pub id: CommitId,
    /// When.
    pub at: Timestamp,
    /// Who branched.
    pub actor: Actor,
    /// In words for a person; blank: where it came from.
    pub reason: String,
}

/// Stores a branch of the memory `from`, as it was after its commit `at`, under the name `to`. Returns the head of the branch: the commit
/// that says where it came from.
///
/// # Errors
/// [`Error::History`] for a commit that there is not, or that lies before the horizon of a compacted history; [`Error::Invalid`] when there
/// is a memory of that name already; those of the journal. Nothing was written then.
pub async fn branch(
    journal: &impl Journal,
    from: &ContextId,
    at: u64,
    to: &ContextId,
    note: BranchNote,
) -> Result<Commit, Error> {
    if journal.head(to).await?.is_some() {
        return Err(taken(to));
    }
    let log = Log::replay(journal.read(from, 0).await?)?;
    let view = log.view_at(at)?;
    let fork = log.commit_at(at)?.clone();
    let mut commits: Vec<Commit> = log
        .commits()
        .iter()
        .take_while(|commit| commit.seq <= at)
        .map(|commit| Commit { context: to.clone(), ..Commit::clone(commit) })
        .collect();
    let belonging: BTreeSet<UseId> = view.all_turns().flat_map(Turn::uses).collect();
    let uses = journal.uses(from).await?.into_iter();
    let uses = uses.filter(|record| record.seq < at || belonging.contains(&record.id));
    let uses = uses.map(|record| UseRecord { context: to.clone(), ..record }).collect();
    let texts: BTreeSet<ContentId> =
        commits.iter().flat_map(|commit| &commit.revisions).filter_map(text).collect();
    let mut contents = Contents { uses, ..Contents::default() };
    for space in journal.spaces(from).await? {
        let mut vectors = journal.vectors(from, &space).await?;
        vectors.retain(|vector| texts.contains(&vector.text));
        contents.vectors.insert(space, vectors);
    }
    let BranchNote { id, at: clock, actor, reason } = note;
    let reason = match reason.trim() {
        "" => format!("branched off `{from}` after its commit {at}"),
        words => words.to_owned(),
    };
    let ids = [("from", from.to_string()), ("seq", at.to_string()), ("commit", fork.id.to_string())];
    let head = Commit {
        schema: SCHEMA_VERSION,
        id,
        context: to.clone(),
        seq: at + 1,
        parent: Some(fork.id),
        at: clock.max(fork.at),
        clock,
        cause: Cause::Branch,
        actor,
        reason,
        ids: ids.into_iter().map(|(name, id)| (name.to_owned(), id)).collect(),
        revisions: Vec::new(),
        rewritten: None,
    };
    commits.push(head.clone());
    contents.commits = commits;
    match journal.replace(to, 0, &contents).await {
        Ok(()) => Ok(head),
        Err(JournalError::Stale { .. }) => Err(taken(to)),
        Err(other) => Err(other.into()),
    }
}

fn taken(to: &ContextId) -> Error {
    Error::Invalid {
        what: "context",
        problem: format!("there is a memory `{to}` already; choose another name"),
    }
}

fn text(revision: &std::rc::Rc<super::Revision>) -> Option<ContentId> {
    match &revision.value {
        Some(Record::Proposition(proposition)) => Some(ContentId::of_text(&proposition.text)),
        _ => None,
    }
}
