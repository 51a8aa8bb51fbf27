//! What a person asks of an erasure: a preview, the erasure, and lifting its tombstones.

use std::collections::BTreeSet;

use super::pace::{ErasureProgress, Pace};
use super::plan::{Planned, Snapshot, Stamp, plan};
use super::report::{ErasurePreview, ErasureReport, ErasureTarget};
use crate::error::Error;
use crate::history::{Actor, Cause, Journal, Scope, ScopeInfo};
use crate::id::ErasureId;
use crate::llm::Cancel;
use crate::memory::Memory;
use crate::ports::Ports;

impl<P: Ports> Memory<P> {
    fn erasure_stamp(&self) -> Stamp {
        let salt = self.next_id().simple().to_string();
        Stamp { id: ErasureId::new(self.next_id()), at: self.now().at, salt }
    }

    /// What [`Memory::erase`] would do: every statement, every turn with the sentences that would go, and how much elsewhere. Writes nothing.
    ///
    /// # Errors
    /// Those of [`Memory::erase`].
    pub async fn preview_erasure(&self, target: &ErasureTarget) -> Result<ErasurePreview, Error> {
        self.preview_erasure_with(target, &Cancel::new(), &mut |_| {}).await
    }

    /// The same, with progress and a way to stop it.
    ///
    /// # Errors
    /// Those of [`Memory::erase_with`].
    pub async fn preview_erasure_with(
        &self,
        target: &ErasureTarget,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(ErasureProgress),
    ) -> Result<ErasurePreview, Error> {
        self.refresh().await?;
        let uses = self.ports().journal().uses(self.context()).await?;
        let log = Snapshot::of(&self.log());
        let mut pace = Pace::new(self.slices(Some(cancel)), on_progress);
        let mut preview = plan(&log, &uses, target, &self.erasure_stamp(), &mut pace).await?.preview;
        let unreadable = self.ports().journal().inspect(self.context()).await?.len();
        if unreadable > 0 {
            preview.notes.push(format!(
                "{unreadable} stored {} cannot be read: nobody can tell what stands there, so all of it goes too",
                if unreadable == 1 { "row" } else { "rows" }
            ));
        }
        Ok(preview)
    }

    /// Rows that cannot be read may hold what is to be forgotten: they are set aside, and an erasure takes with it what was.
    async fn set_unreadable_aside(&self) -> Result<(), Error> {
        let damages = self.ports().journal().inspect(self.context()).await?;
        if !damages.is_empty() {
            let info = ScopeInfo::new(
                Cause::Repair,
                Actor::Person,
                "rows that cannot be read are set aside before something is forgotten for ever",
            );
            self.repair_rows(&damages, |_| ((), Scope::new(info.clone()))).await?;
        }
        Ok(())
    }

    /// Destroys the content of the target, and of everything that was derived from it, in all of history, for ever: it cannot be undone. What is
    /// left of it are ids, commits, this report and tombstones, by which it is not learned again from what was said before. Rows that cannot be read
    /// go too. Cost: two reads of everything that is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] where nothing of the target is stored; [`Error::Invalid`] for the entity that stands for the user, and for a span that ends
    /// before it begins; [`Error::Busy`] while the conversation is being analysed; store errors. Nothing was written then.
    pub async fn erase(&self, target: &ErasureTarget) -> Result<ErasureReport, Error> {
        self.erase_with(target, &Cancel::new(), &mut |_| {}).await
    }

    /// The same, with progress of its plan and a way to stop it until it is written. Other changes of this memory wait meanwhile.
    ///
    /// # Errors
    /// Those of [`Memory::erase`], and [`Error::Cancelled`]; nothing was written then, but where rows cannot be read they are set aside by then, as
    /// a repair does.
    pub async fn erase_with(
        &self,
        target: &ErasureTarget,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(ErasureProgress),
    ) -> Result<ErasureReport, Error> {
        if let ErasureTarget::Source { id } = target
            && self.analysing().borrow().contains(id)
        {
            return Err(Error::Busy);
        }
        self.refresh().await?;
        self.set_unreadable_aside().await?;
        let stamp = self.erasure_stamp();
        let mut known = BTreeSet::new();
        let mut pace = Pace::new(self.slices(Some(cancel)), on_progress);
        let (report, commit) = self
            .rewrite_in_slices(async |uses| {
                known = uses.iter().map(|record| record.id).collect();
                let log = Snapshot::of(&self.log());
                let Planned { report, rewriting, .. } = plan(&log, uses, target, &stamp, &mut pace).await?;
                Ok((report, Some(rewriting)))
            })
            .await?;
        if let Some(commit) = commit {
            self.settle_uses(&known, commit.seq).await?;
        }
        Ok(report)
    }

    /// Lets what an erasure destroyed be learned again from old sources. Its content does not come back by that. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown erasure; store errors.
    pub async fn lift_tombstones(&self, erasure: ErasureId) -> Result<bool, Error> {
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, "what was erased may be learned again")
            .with_id("erasure", erasure);
        let (_, commit) = self
            .change(info, |state, scope| {
                let Some(report) = state.erasure(erasure) else {
                    return Err(Error::NotFound { record: erasure.to_string() });
                };
                let lifted = ErasureReport { lifted: true, tombstones: Vec::new(), ..report.clone() };
                scope.put(state, lifted, "a person lifted the tombstones");
                Ok(())
            })
            .await?;
        Ok(commit.is_some())
    }
}
