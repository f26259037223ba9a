//! Lists by entity.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, Range};

use crate::EntityRef;

/// A list of values for each index of a type, in compressed form: all lists are ranges of one
/// vector, in the order of the indices.
///
/// ```
/// use trellis_entity::{Adjacency, EntityRef, entity_impl};
///
/// #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
/// struct Block(u32);
/// entity_impl!(Block, "block");
///
/// let edges = [(2, 0), (0, 2), (0, 1)].map(|(a, b)| (Block::new(a), Block::new(b)));
/// let succs = Adjacency::group(3, || edges.into_iter());
/// assert_eq!(succs[Block::new(0)], [Block::new(2), Block::new(1)]);
/// assert!(succs[Block::new(1)].is_empty());
/// ```
#[derive(Clone)]
pub struct Adjacency<K, V> {
    /// Start of the list of each index, followed by the end of the last list. Empty until lists are
    /// added, so that an adjacency without lists has no memory.
    start: Vec<u32>,
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V> Adjacency<K, V> {
    /// Returns lists for no index yet, with capacity.
    pub fn with_capacity(lists: usize, items: usize) -> Self {
        let mut start = Vec::with_capacity(lists + 1);
        start.push(0);
        Self {
            start,
            items: Vec::with_capacity(items),
            key: PhantomData,
        }
    }
    /// Removes all lists and keeps the memory: lists may be built again.
    pub fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.items.clear();
    }
    /// Reserves memory for a number of lists, of a value or two each.
    pub fn reserve(&mut self, lists: usize) {
        self.start.reserve(lists + 1);
        self.items.reserve(lists + lists / 2);
    }
    /// Makes it a copy of another adjacency, in the memory that it has.
    pub fn copy_of(&mut self, other: &Self)
    where
        V: Clone,
    {
        self.start.clone_from(&other.start);
        self.items.clone_from(&other.items);
    }
    /// Adds a value to the list that is being built.
    pub fn push(&mut self, item: V) {
        self.items.push(item);
    }
    /// Adds values to the list that is being built.
    pub fn extend(&mut self, items: impl IntoIterator<Item = V>) {
        self.items.extend(items);
    }
    /// Ends the list that is being built and starts the next one; returns the ended one's index.
    pub fn end_list(&mut self) -> K {
        self.start.push(self.items.len() as u32);
        K::new(self.start.len() - 2)
    }
    /// Groups pairs by their index, which is below `len`, by counting: pairs of one index keep their order.
    /// `pairs` is called twice.
    pub fn group<I: Iterator<Item = (K, V)>>(len: usize, pairs: impl Fn() -> I) -> Self
    where
        V: Copy,
    {
        let mut lists = Self::default();
        lists.regroup(len, pairs);
        lists
    }
    /// As [`Adjacency::group`], but reuses the memory.
    pub fn regroup<I: Iterator<Item = (K, V)>>(&mut self, len: usize, pairs: impl Fn() -> I)
    where
        V: Copy,
    {
        let mut any = None;
        self.count(
            len,
            pairs().map(|(key, value)| {
                any = Some(value);
                key
            }),
        );
        if let Some(any) = any {
            self.items.resize(self.total(), any);
        }
        for (key, value) in pairs() {
            self.place(key, value);
        }
        self.start.pop();
    }
    /// Removes all lists, and makes room for one value per key in the list of its index. While
    /// values are put in place, the start of the list of `k` is at `k + 1`.
    fn count(&mut self, len: usize, keys: impl Iterator<Item = K>) {
        let Self { start, items, .. } = self;
        start.clear();
        start.resize(len + 2, 0);
        items.clear();
        let counts = &mut start[2..];
        keys.for_each(|key| counts[key.index()] += 1);
        let mut sum = 0;
        for count in counts {
            sum += *count;
            *count = sum;
        }
    }
    /// Returns how many values were counted.
    fn total(&self) -> usize {
        self.start.last().map_or(0, |&sum| usize_of(sum))
    }
    /// Puts a value that was counted into its list.
    #[inline]
    fn place(&mut self, key: K, value: V) {
        let at = &mut self.start[key.index() + 1];
        self.items[usize_of(*at)] = value;
        *at += 1;
    }
    /// Returns how many lists there are.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns the list of an index; empty if there is none.
    pub fn get(&self, key: K) -> &[V] {
        let Some(&[start, end]) = self.start.get(key.index()..key.index() + 2) else {
            return &[];
        };
        &self.items[usize_of(start)..usize_of(end)]
    }
    /// Returns where the list of an index is in [`Adjacency::items`].
    #[inline]
    pub fn range(&self, key: K) -> Range<usize> {
        usize_of(self.start[key.index()])..usize_of(self.start[key.index() + 1])
    }
    /// Returns all values, list by list.
    pub fn items(&self) -> &[V] {
        &self.items
    }
    /// Returns all values, list by list, to change.
    pub fn items_mut(&mut self) -> &mut [V] {
        &mut self.items
    }
    /// Returns the indices with their lists, in order.
    pub fn iter(&self) -> impl Iterator<Item = (K, &[V])> {
        let lists = self.start.windows(2);
        lists
            .map(|w| &self.items[usize_of(w[0])..usize_of(w[1])])
            .enumerate()
            .map(|(i, list)| (K::new(i), list))
    }
}

impl<K: EntityRef, V: EntityRef> Adjacency<K, V> {
    /// Makes it the lists of the opposite direction, each in order, for `len` indices.
    pub fn transpose(&mut self, of: &Adjacency<V, K>, len: usize) {
        self.count(len, of.items.iter().copied());
        self.items.resize(of.items.len(), V::new(0));
        for (value, list) in of.iter() {
            for &key in list {
                self.place(key, value);
            }
        }
        self.start.pop();
    }
}

impl<K: EntityRef, V> Default for Adjacency<K, V> {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            items: Vec::new(),
            key: PhantomData,
        }
    }
}

impl<K: EntityRef + fmt::Debug, V: fmt::Debug> fmt::Debug for Adjacency<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: EntityRef, V> Index<K> for Adjacency<K, V> {
    type Output = [V];
    #[inline]
    fn index(&self, key: K) -> &[V] {
        &self.items[self.range(key)]
    }
}

/// Indices have 32 bits, slices are indexed by `usize`.
#[inline]
fn usize_of(index: u32) -> usize {
    index as usize
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::Adjacency;
    use crate::EntityRef;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Block(u32);
    crate::entity_impl!(Block, "block");

    #[test]
    fn groups_keep_the_order_and_transpose_back() {
        let edges = [(2, 0), (0, 2), (0, 1), (2, 2)].map(|(a, b)| (Block::new(a), Block::new(b)));
        let succs = Adjacency::group(3, || edges.into_iter());
        let list = |i: usize| {
            succs[Block::new(i)]
                .iter()
                .map(|b| b.index())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            [list(0), list(1), list(2)],
            [vec![2, 1], vec![], vec![0, 2]]
        );
        let mut preds = Adjacency::default();
        preds.transpose(&succs, 3);
        assert_eq!(preds[Block::new(2)], [Block::new(0), Block::new(2)]);
        assert_eq!(preds.items().len(), 4);
        assert_eq!(Adjacency::<Block, Block>::default().len(), 0);
    }
}
