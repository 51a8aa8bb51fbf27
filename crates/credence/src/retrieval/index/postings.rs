//! The texts that one term occurs in, sorted by key.
//!
//! A term such as a name may be in every text. The list is therefore kept in blocks, so that adding or removing one of
//! a hundred thousand texts moves a few kilobytes, not the whole list.

/// A block that grows beyond this is split in two.
const BLOCK: usize = 512;

/// One text in one term's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting<K> {
    pub(super) key: K,
    /// How often the term occurs.
    pub(super) tf: u32,
    /// Terms of the text.
    pub(super) len: u32,
}

/// One term's list. No block is empty.
#[derive(Debug, Clone)]
pub(super) struct Postings<K> {
    blocks: Vec<Vec<Posting<K>>>,
    len: usize,
}

impl<K> Default for Postings<K> {
    fn default() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }
}

impl<K: Ord + Copy> Postings<K> {
    /// Number of texts.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// In the order of their keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Posting<K>> {
        self.blocks.iter().flatten()
    }

    /// The block that holds the key or would: the first that ends at it or behind it, else the last.
    fn block(&self, key: &K) -> usize {
        let at = self.blocks.partition_point(|block| block.last().is_some_and(|last| last.key < *key));
        at.min(self.blocks.len().saturating_sub(1))
    }

    /// Adds a text that is not in the list.
    pub(super) fn insert(&mut self, posting: Posting<K>) {
        if self.blocks.is_empty() {
            self.blocks.push(Vec::new());
        }
        let n = self.block(&posting.key);
        let block = &mut self.blocks[n];
        let at = block.partition_point(|other| other.key < posting.key);
        block.insert(at, posting);
        self.len += 1;
        if block.len() > BLOCK {
            let behind = block.split_off(BLOCK / 2);
            self.blocks.insert(n + 1, behind);
        }
    }

    /// Removes a text; nothing happens when it is not in the list.
    pub(super) fn remove(&mut self, key: &K) {
        let n = self.block(key);
        let Some(block) = self.blocks.get_mut(n) else { return };
        let Ok(at) = block.binary_search_by(|posting| posting.key.cmp(key)) else { return };
        block.remove(at);
        self.len -= 1;
        if block.is_empty() {
            self.blocks.remove(n);
        } else if block.capacity() > 4 * block.len() {
            block.shrink_to(2 * block.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_stays_sorted_through_any_changes() {
        let mut list = Postings::default();
        // 2,003 is prime, so the keys come in a scattered order.
        for n in 0..2003_u32 {
            list.insert(Posting { key: n * 700 % 2003, tf: 1, len: n });
        }
        assert!(list.len() == 2003 && list.blocks.len() > 3);
        assert!(list.iter().map(|posting| posting.key).eq(0..2003));
        for key in (0..2003).filter(|key| key % 3 != 0) {
            list.remove(&key);
            list.remove(&key);
        }
        assert!(list.iter().map(|posting| posting.key).eq((0..2003).step_by(3)));
        assert_eq!(list.len(), list.iter().count());
        for key in 0..2003 {
            list.remove(&key);
        }
        assert!(list.len() == 0 && list.blocks.is_empty());
    }
}
