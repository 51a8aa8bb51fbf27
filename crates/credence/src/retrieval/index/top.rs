//! The best few of many, in an order that never depends on how they came.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Something with a score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked<K, P> {
    pub(super) key: K,
    pub(super) score: f64,
    pub(super) payload: P,
}

/// The order of results: higher scores first, ties by smaller key. Scores are never NaN.
fn before<K: Ord, P>(a: &Ranked<K, P>, b: &Ranked<K, P>) -> Ordering {
    b.score.total_cmp(&a.score).then_with(|| a.key.cmp(&b.key))
}

/// Heap entry whose greatest is the worst result.
struct Worst<K, P>(Ranked<K, P>);

impl<K: Ord, P> PartialEq for Worst<K, P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl<K: Ord, P> Eq for Worst<K, P> {}
impl<K: Ord, P> PartialOrd for Worst<K, P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K: Ord, P> Ord for Worst<K, P> {
    fn cmp(&self, other: &Self) -> Ordering {
        before(&self.0, &other.0)
    }
}

/// Keeps the first `limit` of whatever it is shown.
pub(super) struct Top<K, P> {
    heap: BinaryHeap<Worst<K, P>>,
    limit: usize,
}

impl<K: Ord, P> Top<K, P> {
    pub(super) fn new(limit: usize) -> Self {
        Self { heap: BinaryHeap::new(), limit }
    }
    pub(super) fn push(&mut self, item: Ranked<K, P>) {
        if self.heap.len() < self.limit {
            self.heap.push(Worst(item));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && before(&item, &worst.0).is_lt()
        {
            *worst = Worst(item);
        }
    }
    /// What was kept, in order.
    pub(super) fn into_sorted(self) -> Vec<Ranked<K, P>> {
        self.heap.into_sorted_vec().into_iter().map(|worst| worst.0).collect()
    }
}

/// The first `limit` of all, in order.
pub(super) fn top<K: Ord, P>(all: impl Iterator<Item = Ranked<K, P>>, limit: usize) -> Vec<Ranked<K, P>> {
    let mut top = Top::new(limit);
    all.for_each(|item| top.push(item));
    top.into_sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_first_ties_by_key_whatever_the_order() {
        let items = [(3, 0.5), (1, 0.5), (2, 0.9), (0, 0.1), (4, -0.2)];
        let ranked = |order: &mut dyn Iterator<Item = (i32, f64)>, limit| {
            let all = order.map(|(key, score)| Ranked { key, score, payload: () });
            top(all, limit).into_iter().map(|item| item.key).collect::<Vec<_>>()
        };
        assert_eq!(ranked(&mut items.into_iter(), 3), [2, 1, 3]);
        assert_eq!(ranked(&mut items.into_iter().rev(), 3), [2, 1, 3]);
        assert_eq!(ranked(&mut items.into_iter(), 99), [2, 1, 3, 0, 4]);
        assert!(ranked(&mut items.into_iter(), 0).is_empty());
    }
}
