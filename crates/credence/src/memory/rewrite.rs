//! Reading a log anew, and changing stored history: what erasure, retention and repair share.
//!
//! A [`Rewriting`] is planned on the log as it is, lands in one storage transaction together with the commit that says so, and then the whole
//! log is read again, so that no cache of this memory can still hold what was taken out. Other tabs learn of it from that commit.

use std::rc::Rc;

use super::{MAX_RACES, Memory, Slices};
use crate::config::Config;
use crate::error::Error;
use crate::event::Event;
use crate::history::{
    Commit, ContentId, Damage, Journal, JournalError, Log, Rewrite, SCHEMA_VERSION, Scope, UseRecord,
};
use crate::id::{CommitId, UseId};
use crate::ports::{Clock, Ports};
use crate::retrieval::Recaller;
use crate::upkeep::Gauges;

/// What is read off a log when a memory opens or is read anew.
pub(super) struct Folded {
    pub(super) log: Log,
    pub(super) recaller: Recaller,
    pub(super) gauges: Gauges,
}

impl Folded {
    /// Folds commits in slices, so that a page can draw in between.
    pub(super) async fn of(commits: Vec<Commit>, config: &Config, clock: &impl Clock) -> Result<Self, Error> {
        let (mut log, mut recaller, mut gauges) = (Log::default(), Recaller::default(), Gauges::default());
        let mut slices = Slices::new(clock, None);
        for commit in commits {
            let commit = log.push(commit)?;
            gauges.apply(&commit, &config.unit.tier);
            slices.rest_small().await?;
        }
        for proposition in log.state().propositions() {
            recaller.add(proposition);
            slices.rest_small().await?;
        }
        // What is on by now was told when it began.
        gauges.tell(config, clock.now().at);
        Ok(Self { log, recaller, gauges })
    }
}

/// A planned change of stored history.
pub(crate) struct Rewriting {
    /// What the commit at its end says of itself, and the records that it writes. None of these is among the rewritten.
    pub(crate) scope: Scope,
    /// Commits in place of stored ones with the same position and id.
    pub(crate) commits: Vec<Commit>,
    /// Use records in place of stored ones with the same id.
    pub(crate) uses: Vec<UseRecord>,
    /// Use records that go.
    pub(crate) dropped_uses: Vec<UseId>,
    /// Texts whose vectors go.
    pub(crate) dropped_vectors: Vec<ContentId>,
}

impl<P: Ports> Memory<P> {
    /// Plans a change of history on the log and the use records as they are and writes it; plans anew when somebody else was faster. `None`
    /// from the plan: nothing is to be done. Returns what the plan returned and the commit at its end.
    ///
    /// # Errors
    /// What `plan` returns, and those of the journal; nothing was written then.
    pub(crate) async fn rewrite<T>(
        &self,
        mut plan: impl FnMut(&Log, &[UseRecord]) -> Result<(T, Option<Rewriting>), Error>,
    ) -> Result<(T, Option<Rc<Commit>>), Error> {
        self.rewrite_in_slices(async |uses| plan(&self.log(), uses)).await
    }

    /// The same for a plan that makes pauses. Other changes of this memory wait for it, so that the log stays as it was when the plan began.
    ///
    /// # Errors
    /// Those of [`Memory::rewrite`].
    pub(crate) async fn rewrite_in_slices<T>(
        &self,
        mut plan: impl AsyncFnMut(&[UseRecord]) -> Result<(T, Option<Rewriting>), Error>,
    ) -> Result<(T, Option<Rc<Commit>>), Error> {
        let _writing = self.inner.writing.lock().await;
        let journal = self.inner.ports.journal();
        for _ in 0..MAX_RACES {
            let uses = journal.uses(&self.inner.context).await?;
            let (planned, rewriting) = plan(&uses).await?;
            let Some(rewriting) = rewriting else { return Ok((planned, None)) };
            let appended = self.closing(&rewriting.scope);
            let Rewriting { commits, uses, dropped_uses, dropped_vectors, .. } = rewriting;
            let rewrite = Rewrite { appended, commits, uses, dropped_uses, dropped_vectors };
            match journal.rewrite(&rewrite).await {
                Ok(()) => {
                    self.reread(false).await?;
                    return Ok((planned, self.log().commits().last().cloned()));
                }
                Err(JournalError::Stale { .. }) => {
                    self.catch_up().await?;
                }
                Err(other) => return Err(other.into()),
            }
        }
        let (expected, found) = (self.state().seq(), self.state().seq() + 1);
        Err(JournalError::Stale { context: self.inner.context.clone(), expected, found }.into())
    }

    /// Moves damaged rows out of the way, together with what `plan` changes in the records. Returns what the plan returned and the commit.
    ///
    /// # Errors
    /// Those of the journal; nothing was written then.
    pub(crate) async fn repair_rows<T>(
        &self,
        damages: &[Damage],
        mut plan: impl FnMut(&Log) -> (T, Scope),
    ) -> Result<(T, Option<Rc<Commit>>), Error> {
        let _writing = self.inner.writing.lock().await;
        for _ in 0..MAX_RACES {
            let (planned, scope) = plan(&self.log());
            match self.inner.ports.journal().repair(&self.closing(&scope), damages).await {
                Ok(()) => {
                    self.reread(false).await?;
                    return Ok((planned, self.log().commits().last().cloned()));
                }
                Err(JournalError::Stale { .. }) => {
                    self.catch_up().await?;
                }
                Err(other) => return Err(other.into()),
            }
        }
        let (expected, found) = (self.state().seq(), self.state().seq() + 1);
        Err(JournalError::Stale { context: self.inner.context.clone(), expected, found }.into())
    }

    /// The commit of a scope, which may say something without changing a record.
    pub(crate) fn closing(&self, scope: &Scope) -> Commit {
        let (id, now, log) = (CommitId::new(self.next_id()), self.now().at, self.log());
        let (state, context) = (log.state(), &self.inner.context);
        let head = state.head();
        scope.to_commit(state, context, id, now).unwrap_or_else(|| {
            let info = scope.info();
            Commit {
                schema: SCHEMA_VERSION,
                id,
                context: context.clone(),
                seq: state.seq() + 1,
                parent: head.map(|head| head.id),
                at: head.map_or(now, |head| now.max(head.at)),
                clock: now,
                cause: info.cause,
                actor: info.actor,
                reason: info.reason,
                ids: info.ids,
                revisions: Vec::new(),
                rewritten: None,
            }
        })
    }

    /// Reads the whole log again and forgets every cache. `remote`: another tab or device is the reason.
    pub(super) async fn reread(&self, remote: bool) -> Result<(), Error> {
        let inner = &self.inner;
        let commits = inner.ports.journal().read(&inner.context, 0).await?;
        let config = self.config();
        let Folded { log, recaller, gauges } = Folded::of(commits, &config, inner.ports.clock()).await?;
        let commit = log.commits().last().cloned();
        *inner.log.borrow_mut() = log;
        *inner.recaller.borrow_mut() = recaller;
        *inner.gauges.borrow_mut() = gauges;
        inner.vectors_loaded.set(false);
        *inner.entity_vectors.borrow_mut() = Default::default();
        *inner.known_names.borrow_mut() = Default::default();
        *inner.conflict_index.borrow_mut() = Default::default();
        inner.tier_cache.borrow_mut().clear();
        self.emit(&Event::Rewritten { commit, remote });
        Ok(())
    }
}
