//! Changing what is stored: each a single transaction that compares the head, so that nobody's commit can come between and a crash leaves all
//! of it or none.

use credence::history::{Cause, Commit, Contents, Damage, JournalError, Rewrite, StoredVector, UseRecord};
use credence::id::{CommitId, ContextId};
use indexed_db_futures::prelude::*;
use indexed_db_futures::typed_array::Float32ArraySlice;
use wasm_bindgen::JsValue;

use super::looking::{Look, Looked};
use super::migrations::current::{COMMITS, HEADS, META, SET_ASIDE, USES, VECTORS};
use super::rows::{self, CommitRow, HeadRow, UseRow};

/// Refuses a commit that does not follow this end.
pub(super) fn follows(end: Option<(CommitId, u64)>, commit: &Commit) -> Result<(), JournalError> {
    let found = end.map_or(0, |(_, seq)| seq);
    if commit.seq != found + 1 || commit.parent != end.map(|(id, _)| id) {
        let expected = commit.seq.saturating_sub(1);
        return Err(JournalError::Stale { context: commit.context.clone(), expected, found });
    }
    Ok(())
}

// What is written is not awaited: an error of any of it ends the transaction, and so comes out of its commit.
impl Look<'_> {
    fn put_commit(&self, commit: &Commit) -> Result<(), JournalError> {
        self.explained(self.store(COMMITS)?.put(CommitRow::new(commit)?).serde()).map(drop)
    }

    pub(super) fn put_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        self.explained(self.store(USES)?.put(UseRow::new(record)?).serde()).map(drop)
    }

    pub(super) fn put_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        let store = self.store(VECTORS)?;
        for StoredVector { text, vector } in vectors {
            let key = rows::key(&[context.as_str(), space, text.as_str()]);
            let put = store.put(Float32ArraySlice::new(vector)).with_key(key).without_key_type();
            self.explained(put.primitive())?;
        }
        Ok(())
    }

    /// The next commit and the head that it becomes. A row that stands in its place is an error of the transaction.
    pub(super) fn add_commit(&self, commit: &Commit) -> Result<(), JournalError> {
        self.explained(self.store(COMMITS)?.add(CommitRow::new(commit)?).serde())?;
        let head = HeadRow { context: commit.context.clone(), id: commit.id, seq: commit.seq };
        self.explained(self.store(HEADS)?.put(head).serde()).map(drop)
    }

    fn delete(&self, store: &str, key: JsValue) -> Result<(), JournalError> {
        self.explained(self.store(store)?.delete::<JsValue, _>(key).primitive()).map(drop)
    }

    /// Removes everything of a memory.
    pub(super) fn empty(&self, context: &ContextId) -> Result<(), JournalError> {
        for store in [COMMITS, USES, VECTORS, SET_ASIDE, META] {
            let range = rows::starting_with(&[context.as_str()]);
            self.explained(self.store(store)?.delete::<JsValue, _>(range).primitive())?;
        }
        self.delete(HEADS, JsValue::from_str(context.as_str()))
    }

    pub(super) async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        let context = &rewrite.appended.context;
        follows(self.end(context).await?, &rewrite.appended)?;
        for commit in rewrite.commits.iter().filter(|commit| commit.seq < rewrite.appended.seq) {
            self.put_commit(commit)?;
        }
        for record in &rewrite.uses {
            self.put_use(record)?;
        }
        for id in &rewrite.dropped_uses {
            self.delete(USES, rows::key(&[context.as_str(), &id.to_string()]))?;
        }
        if !rewrite.dropped_vectors.is_empty() {
            for space in self.different(VECTORS, &[context.as_str()]).await? {
                for text in &rewrite.dropped_vectors {
                    self.delete(VECTORS, rows::key(&[context.as_str(), &space, text.as_str()]))?;
                }
            }
        }
        if rewrite.appended.cause == Cause::Erasure {
            // Nobody can look into a row that could not be read: it may say what is erased.
            let range = rows::starting_with(&[context.as_str()]);
            self.explained(self.store(SET_ASIDE)?.delete::<JsValue, _>(range).primitive())?;
        }
        self.add_commit(&rewrite.appended)
    }

    pub(super) async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        let found = self.end(context).await?.map_or(0, |(_, seq)| seq);
        if found != expected {
            return Err(JournalError::Stale { context: context.clone(), expected, found });
        }
        self.empty(context)?;
        for commit in &contents.commits {
            self.add_commit(commit)?;
        }
        for record in &contents.uses {
            self.put_use(record)?;
        }
        for (space, vectors) in &contents.vectors {
            self.put_vectors(context, space, vectors)?;
        }
        Ok(())
    }

    /// Moves what is damaged now and among `damages`.
    pub(super) async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        let context = &appended.context;
        let Looked { chain, spoilt } = self.everything(context).await?;
        follows(chain.commits.last().map(|last| (last.id, last.seq)), appended)?;
        let aside = self.store(SET_ASIDE)?;
        let meant = spoilt.into_iter().filter(|spoilt| {
            damages
                .iter()
                .any(|damage| (&damage.store, &damage.key) == (&spoilt.damage.store, &spoilt.damage.key))
        });
        for (place, spoilt) in meant.enumerate() {
            let row = rows::aside(context, appended.seq, place, &spoilt.damage, &spoilt.row);
            self.explained(aside.put(row).primitive())?;
            // The row of `heads` is written with the appended commit.
            if spoilt.damage.store != HEADS {
                self.delete(&spoilt.damage.store, spoilt.key)?;
            }
            let seq = spoilt.damage.key.parse::<u64>().ok().filter(|_| spoilt.damage.store == COMMITS);
            let place = seq.filter(|seq| chain.broken.iter().any(|(broken, _)| broken == seq));
            let stand_in =
                place.and_then(|seq| chain.commits.get(usize::try_from(seq).ok()?.checked_sub(1)?));
            if let Some(commit) = stand_in {
                self.put_commit(commit)?;
            }
        }
        self.add_commit(appended)
    }
}
