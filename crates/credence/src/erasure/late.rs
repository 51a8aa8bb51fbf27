//! What lands after an erasure and was read before it: another tab's use record, vector or answer that was under way.
//!
//! The store takes use records and vectors without looking at the log, so whoever writes one looks at the head afterwards; whoever erases looks for
//! use records that came in between. One of the two is later and sees the other.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::plan::bare;
use super::words::{Place, Words};
use crate::error::Error;
use crate::history::{Actor, Cause, ContentId, Journal, Scope, ScopeInfo, UseRecord};
use crate::id::UseId;
use crate::memory::{Memory, PropositionView, Rewriting};
use crate::ports::Ports;

impl<P: Ports> Memory<P> {
    /// Keeps a use record; of one that was read before an erasure the ids alone.
    pub(crate) async fn keep_use(&self, record: UseRecord) -> Result<Rc<UseRecord>, Error> {
        let journal = self.ports().journal();
        journal.append_use(&record).await?;
        self.notice_others().await?;
        if self.log().erased() <= record.seq {
            return Ok(Rc::new(record));
        }
        let rest = bare(&record);
        journal.append_use(&rest).await?;
        Ok(Rc::new(rest))
    }

    /// Use records that landed while an erasure at `seq` was under way, which knew those of `known`.
    pub(super) async fn settle_uses(&self, known: &BTreeSet<UseId>, seq: u64) -> Result<(), Error> {
        let journal = self.ports().journal();
        for record in journal.uses(self.context()).await? {
            if record.seq < seq && !known.contains(&record.id) {
                journal.append_use(&bare(&record)).await?;
            }
        }
        Ok(())
    }

    /// Takes vectors back that were made of texts as they stood at `seq`, where these were erased since.
    pub(crate) async fn settle_vectors(&self, seq: u64, texts: Vec<ContentId>) -> Result<(), Error> {
        self.notice_others().await?;
        if self.log().erased() <= seq {
            return Ok(());
        }
        let held: BTreeSet<ContentId> =
            self.state().propositions().map(|p| ContentId::of_text(&p.text)).collect();
        let late: Vec<ContentId> = texts.into_iter().filter(|text| !held.contains(text)).collect();
        if late.is_empty() {
            return Ok(());
        }
        let info =
            ScopeInfo::new(Cause::Erasure, Actor::Engine, "vectors that were under way were erased too");
        self.rewrite(|_, _| {
            let scope = Scope::new(info.clone());
            let dropped_vectors = late.clone();
            let rewriting = Rewriting {
                scope,
                commits: Vec::new(),
                uses: Vec::new(),
                dropped_uses: Vec::new(),
                dropped_vectors,
            };
            Ok(((), Some(rewriting)))
        })
        .await?;
        Ok(())
    }

    /// An answer without what was erased while it was given. `seq` and `supplied`: what its prompt was made of. `None`: it stands.
    pub(crate) async fn without_erased(
        &self,
        said: &str,
        seq: u64,
        supplied: &[PropositionView],
    ) -> Result<Option<String>, Error> {
        self.notice_others().await?;
        if self.log().erased() <= seq {
            return Ok(None);
        }
        let state = self.state();
        let mut words = Words::new(state.user().into_iter().flat_map(|user| user.names()));
        let gone = supplied.iter().filter(|view| state.proposition(view.proposition.id).is_none());
        gone.for_each(|view| words.erase_statement(&view.proposition));
        words.keep(state.propositions().map(|p| p.text.as_str()));
        Ok(words.cut(said, Place::Derived).map(|cut| cut.text))
    }

    /// Catches up where another writer moved the head.
    async fn notice_others(&self) -> Result<(), Error> {
        let head = self.ports().journal().head(self.context()).await?;
        if head.map(|head| head.head) != self.state().head().map(|head| head.id) {
            self.refresh().await?;
        }
        Ok(())
    }
}
