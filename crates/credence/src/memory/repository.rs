//! What a host does to stored statements directly: save, look along the threads between them, keep their sources in order,
//! clear whole memories (dice 2.2).
//!
//! Finding is one thing, a [`PropositionQuery`] put to [`Memory::propositions`]; there is no second set of finders. Every
//! change is one commit, so history, undo and export know of it. Saving decides nothing: two statements with one text
//! stay two, because only revision ([`Memory::remember`], an analysed window) knows whether they mean the same. What is
//! near to what, and clusters, are on the page `retrieval::similar`.

use std::rc::Rc;

use super::{Memory, PropositionView};
use crate::error::Error;
use crate::history::{Actor, Cause, Commit, ContextSummary, Journal, JournalError, ScopeInfo};
use crate::id::{ContextId, PropositionId};
use crate::ports::Ports;
use crate::proposition::{Proposition, PropositionQuery, ProvenanceEntry};

impl<P: Ports> Memory<P> {
    /// Writes statements as they are, new ones and changed ones, in one commit. `Ok(None)`: nothing differs from what is
    /// stored.
    ///
    /// # Errors
    /// [`Error::Proposition`] when one cannot be, or when its stored status may not become the one given; nothing is
    /// written then.
    pub async fn save(
        &self,
        propositions: &[Proposition],
        actor: Actor,
    ) -> Result<Option<Rc<Commit>>, Error> {
        let info = ScopeInfo::new(Cause::Manual, actor, "saved");
        let (_, commit) = self
            .change(info, |state, scope| {
                for proposition in propositions {
                    if let Some(stored) = state.proposition(proposition.id) {
                        stored
                            .status
                            .transition(proposition.status)
                            .map_err(crate::proposition::PropositionError::from)?;
                    }
                    scope.put(state, proposition.clone(), "");
                }
                Ok(())
            })
            .await?;
        Ok(commit)
    }

    /// Every pinned statement, whatever its status, in order of creation.
    pub fn pinned(&self) -> Vec<PropositionView> {
        self.propositions(&PropositionQuery::pinned())
    }

    /// The statements that an abstraction rests on, in its order, those that still exist.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown or removed statement.
    pub fn source_propositions(&self, id: PropositionId) -> Result<Vec<PropositionView>, Error> {
        let now = self.now().at;
        let ids = self.stored(id)?.source_ids;
        Ok(ids.into_iter().filter_map(|id| self.present_view(id, now)).collect())
    }

    /// The abstractions that rest on a statement, in order of creation; empty for an unknown one.
    pub fn abstractions_of(&self, id: PropositionId) -> Vec<PropositionView> {
        let now = self.now().at;
        let rests = |p: &&Proposition| p.source_ids.contains(&id);
        let ids: Vec<PropositionId> = self.state().propositions().filter(rests).map(|p| p.id).collect();
        ids.into_iter().filter_map(|id| self.present_view(id, now)).collect()
    }

    /// Where a statement comes from.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown or removed statement.
    pub fn provenance_of(&self, id: PropositionId) -> Result<Vec<ProvenanceEntry>, Error> {
        Ok(self.stored(id)?.provenance)
    }

    /// Adds sources. Those that are there already are no change, so adding twice is adding once.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown or removed statement; [`Error::Proposition`] for a source that cannot be.
    pub async fn add_provenance(
        &self,
        id: PropositionId,
        entries: &[ProvenanceEntry],
        actor: Actor,
    ) -> Result<Option<Rc<Commit>>, Error> {
        self.change_provenance(id, actor, "sources added", |stored| {
            let fresh = entries.iter().filter(|entry| !stored.contains(entry));
            stored.iter().chain(fresh).cloned().collect()
        })
        .await
    }

    /// Puts these sources in place of those that are there. `Ok(None)`: they are there already.
    ///
    /// # Errors
    /// As [`Memory::add_provenance`].
    pub async fn set_provenance(
        &self,
        id: PropositionId,
        entries: &[ProvenanceEntry],
        actor: Actor,
    ) -> Result<Option<Rc<Commit>>, Error> {
        self.change_provenance(id, actor, "sources replaced", |_| entries.to_vec()).await
    }

    /// Takes every source away. The turns that the statement rests on stay. `Ok(None)`: there was none.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown or removed statement.
    pub async fn clear_provenance(
        &self,
        id: PropositionId,
        actor: Actor,
    ) -> Result<Option<Rc<Commit>>, Error> {
        self.change_provenance(id, actor, "sources cleared", |_| Vec::new()).await
    }

    async fn change_provenance(
        &self,
        id: PropositionId,
        actor: Actor,
        what: &str,
        change: impl Fn(&[ProvenanceEntry]) -> Vec<ProvenanceEntry>,
    ) -> Result<Option<Rc<Commit>>, Error> {
        let now = self.now().at;
        let info = ScopeInfo::new(Cause::Manual, actor, what);
        self.change_proposition(id, info, what, |p| {
            let wanted = change(&p.provenance);
            let changed = p.clone().with_provenance(wanted, now);
            // The clock alone is no change.
            Ok(if changed.provenance == p.provenance { p } else { changed })
        })
        .await
    }

    fn stored(&self, id: PropositionId) -> Result<Proposition, Error> {
        self.state().proposition(id).cloned().ok_or_else(|| Error::NotFound { record: id.to_string() })
    }
}

/// A memory that was cleared, and how many commits it had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared {
    /// Its name.
    pub context: ContextId,
    /// Its commits; all are gone, with its use records and vectors.
    pub commits: u64,
}

/// Erases one memory from a journal: commits, use records and vectors. `None`: there was no such memory. Handles that are
/// open on it are to be dropped; their next commit is refused.
///
/// # Errors
/// As the journal; the memory is then whole.
pub async fn clear_context(
    journal: &impl Journal,
    context: &ContextId,
) -> Result<Option<Cleared>, JournalError> {
    let known = journal.contexts().await?.into_iter().find(|known| known.context == *context);
    // Use records and vectors can outlive an empty log, so an unknown name is erased as well.
    journal.erase(context).await?;
    Ok(known.map(cleared))
}

/// Erases every memory whose name begins with `prefix`, in order of name. A blank prefix is refused by clearing nothing:
/// whoever wants every memory gone names each.
///
/// # Errors
/// As the journal, at the first memory that could not be erased; those before it are gone.
pub async fn clear_prefix(journal: &impl Journal, prefix: &str) -> Result<Vec<Cleared>, JournalError> {
    let mut gone = Vec::new();
    if prefix.trim().is_empty() {
        return Ok(gone);
    }
    for known in journal.contexts().await? {
        if known.context.as_str().starts_with(prefix) {
            journal.erase(&known.context).await?;
            gone.push(cleared(known));
        }
    }
    Ok(gone)
}

fn cleared(known: ContextSummary) -> Cleared {
    Cleared { context: known.context, commits: known.seq }
}
