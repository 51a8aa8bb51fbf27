//! The journal in memory: for tests, for a browser that refuses to store, and for short-lived programs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::commit::Commit;
use super::journal::{Contents, ContextSummary, Damage, Journal, JournalError, Rewrite, StoredVector};
use super::use_record::UseRecord;
use crate::id::{ContextId, UseId};

#[derive(Default)]
struct Shelf {
    commits: Vec<Commit>,
    uses: BTreeMap<UseId, UseRecord>,
    vectors: BTreeMap<String, BTreeMap<String, StoredVector>>,
}

impl Shelf {
    fn head(&self) -> Option<ContextSummary> {
        let last = self.commits.last()?;
        Some(ContextSummary { context: last.context.clone(), head: last.id, seq: last.seq })
    }

    /// Refuses a commit that does not follow the head.
    fn check(&self, commit: &Commit) -> Result<(), JournalError> {
        let head = self.commits.last();
        let found = head.map_or(0, |c| c.seq);
        if commit.seq != found + 1 || commit.parent != head.map(|c| c.id) {
            let expected = commit.seq.saturating_sub(1);
            return Err(JournalError::Stale { context: commit.context.clone(), expected, found });
        }
        Ok(())
    }
}

/// Keeps commit logs in memory. Clones share the same logs, as two tabs share a database.
#[derive(Clone, Default)]
pub struct MemoryJournal {
    shelves: Rc<RefCell<BTreeMap<ContextId, Shelf>>>,
}

impl MemoryJournal {
    /// An empty journal.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Journal for MemoryJournal {
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError> {
        Ok(self.shelves.borrow().get(context).and_then(Shelf::head))
    }

    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        Ok(self.shelves.borrow().values().filter_map(Shelf::head).collect())
    }

    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        let shelves = self.shelves.borrow();
        let commits = shelves.get(context).map(|shelf| shelf.commits.as_slice()).unwrap_or_default();
        Ok(commits.iter().filter(|c| c.seq > after).cloned().collect())
    }

    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        let mut shelves = self.shelves.borrow_mut();
        let shelf = shelves.entry(commit.context.clone()).or_default();
        shelf.check(commit)?;
        shelf.commits.push(commit.clone());
        Ok(())
    }

    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        let mut shelves = self.shelves.borrow_mut();
        shelves.entry(record.context.clone()).or_default().uses.insert(record.id, record.clone());
        Ok(())
    }

    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        Ok(self.shelves.borrow().get(context).and_then(|shelf| shelf.uses.get(&id).cloned()))
    }

    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        let mut uses: Vec<UseRecord> = self
            .shelves
            .borrow()
            .get(context)
            .map(|s| s.uses.values().cloned().collect())
            .unwrap_or_default();
        uses.sort_by_key(|u| (u.at, u.id));
        Ok(uses)
    }

    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        let mut shelves = self.shelves.borrow_mut();
        let kept = shelves.entry(context.clone()).or_default().vectors.entry(space.to_owned()).or_default();
        for vector in vectors {
            kept.insert(vector.text.as_str().to_owned(), vector.clone());
        }
        Ok(())
    }

    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        let shelves = self.shelves.borrow();
        let kept = shelves.get(context).and_then(|shelf| shelf.vectors.get(space));
        Ok(kept.map(|kept| kept.values().cloned().collect()).unwrap_or_default())
    }

    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        let shelves = self.shelves.borrow();
        Ok(shelves.get(context).map(|shelf| shelf.vectors.keys().cloned().collect()).unwrap_or_default())
    }

    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        let mut shelves = self.shelves.borrow_mut();
        let shelf = shelves.entry(rewrite.appended.context.clone()).or_default();
        shelf.check(&rewrite.appended)?;
        for commit in &rewrite.commits {
            if let Ok(place) = shelf.commits.binary_search_by_key(&commit.seq, |stored| stored.seq) {
                shelf.commits[place] = commit.clone();
            }
        }
        for record in &rewrite.uses {
            shelf.uses.insert(record.id, record.clone());
        }
        for id in &rewrite.dropped_uses {
            shelf.uses.remove(id);
        }
        for vectors in shelf.vectors.values_mut() {
            for text in &rewrite.dropped_vectors {
                vectors.remove(text.as_str());
            }
        }
        shelf.commits.push(rewrite.appended.clone());
        Ok(())
    }

    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        let mut shelves = self.shelves.borrow_mut();
        let found = shelves.get(context).and_then(Shelf::head).map_or(0, |head| head.seq);
        if found != expected {
            return Err(JournalError::Stale { context: context.clone(), expected, found });
        }
        let keyed = |vectors: &Vec<StoredVector>| {
            vectors.iter().map(|vector| (vector.text.as_str().to_owned(), vector.clone())).collect()
        };
        let shelf = Shelf {
            commits: contents.commits.clone(),
            uses: contents.uses.iter().map(|record| (record.id, record.clone())).collect(),
            vectors: contents
                .vectors
                .iter()
                .map(|(space, vectors)| (space.clone(), keyed(vectors)))
                .collect(),
        };
        shelves.insert(context.clone(), shelf);
        Ok(())
    }

    /// Finds nothing: what is in memory was never text.
    async fn inspect(&self, _: &ContextId) -> Result<Vec<Damage>, JournalError> {
        Ok(Vec::new())
    }

    async fn repair(&self, appended: &Commit, _: &[Damage]) -> Result<(), JournalError> {
        self.append(appended).await
    }

    async fn set_aside(&self, _: &ContextId) -> Result<Vec<Damage>, JournalError> {
        Ok(Vec::new())
    }

    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        self.shelves.borrow_mut().remove(context);
        Ok(())
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::MemoryJournal;

    macro_rules! native {
        ($name:ident, $case:expr) => {
            #[test]
            fn $name() {
                futures::executor::block_on($case);
            }
        };
    }

    crate::journal_contract!(native, async { MemoryJournal::new() });
}
