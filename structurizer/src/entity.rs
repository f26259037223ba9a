//! Maps and lists by typed index.
//!
//! Everything that is numbered densely (blocks, nodes, loops, scopes, positions) has an index type
//! of its own, made by `entity_impl!`. What belongs to such an index is in an [`EntityVec`] or, if
//! it is a list, in an [`Adjacency`]. Both have a fixed set of keys, unlike a
//! [`SecondaryMap`](trellis_entity::SecondaryMap): an index is one bounds check, and no map grows
//! by being written. An optional index is a [`PackedOption`], of the index's size.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut, Range};

use trellis_entity::ReservedValue;
pub(crate) use trellis_entity::{EntityRef, PackedOption, entity_impl};

/// An index type: what `entity_impl!` makes.
pub(crate) trait Entity: EntityRef + ReservedValue {}

impl<T: EntityRef + ReservedValue> Entity for T {}

/// One value for each index of a type.
#[derive(Clone)]
pub(crate) struct EntityVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V> EntityVec<K, V> {
    /// Returns an empty map with capacity for `len` values.
    pub(crate) fn with_capacity(len: usize) -> Self {
        Vec::with_capacity(len).into()
    }
    /// Returns a map of `len` equal values.
    pub(crate) fn filled(value: V, len: usize) -> Self
    where
        V: Clone,
    {
        vec![value; len].into()
    }
    /// Returns a map of `len` values that are computed from their indices, in order.
    pub(crate) fn from_fn(len: usize, value: impl FnMut(K) -> V) -> Self {
        (0..len).map(K::new).map(value).collect::<Vec<V>>().into()
    }
    /// Removes all values and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }
    /// Makes it a map of `len` equal values, in the memory that it has.
    pub(crate) fn refill(&mut self, value: V, len: usize)
    where
        V: Clone,
    {
        self.items.clear();
        self.items.resize(len, value);
    }
    /// Makes it a map of `len` values that are computed from their indices, in the memory that it
    /// has.
    pub(crate) fn refill_with(&mut self, len: usize, value: impl FnMut(K) -> V) {
        self.items.clear();
        self.items.extend((0..len).map(K::new).map(value));
    }
    /// Makes it a copy of another map, in the memory that it has.
    pub(crate) fn copy_of(&mut self, other: &Self)
    where
        V: Clone,
    {
        self.items.clone_from(&other.items);
    }
    /// Reserves capacity for `len` values in all.
    pub(crate) fn reserve_all(&mut self, len: usize) {
        if self.items.is_empty() && self.items.capacity() < len {
            // What it had is freed first, and there is nothing to copy.
            self.items = Vec::new();
        }
        self.items.reserve(len.saturating_sub(self.items.len()));
    }
    /// Does what [`EntityVec::push`] does, but a map that is full grows by half instead of by its size: for
    /// the longest ones, of which nobody knows before how long they get.
    pub(crate) fn push_to_long(&mut self, value: V) -> K {
        if self.items.len() == self.items.capacity() {
            self.items.reserve_exact(self.items.len() / 2 + 4);
        }
        self.push(value)
    }
    /// Adds a value and returns its index.
    pub(crate) fn push(&mut self, value: V) -> K {
        self.items.push(value);
        K::new(self.items.len() - 1)
    }
    /// Returns how many values there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
    /// Returns whether there are no values.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Returns the value of an index, if the map has that index.
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }
    /// Returns the indices in order.
    pub(crate) fn keys(
        &self,
    ) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::new)
    }
    /// Returns the values in the order of their indices.
    pub(crate) fn values(&self) -> &[V] {
        &self.items
    }
    /// Returns the indices with their values, in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }
}

impl<K: EntityRef, V: Default + Clone> EntityVec<K, V> {
    /// Returns a map of `len` default values.
    pub(crate) fn new(len: usize) -> Self {
        Self::filled(V::default(), len)
    }
    /// Makes it a map of `len` default values, in the memory that it has.
    pub(crate) fn reset(&mut self, len: usize) {
        self.refill(V::default(), len);
    }
}

impl<K, V> From<Vec<V>> for EntityVec<K, V> {
    fn from(items: Vec<V>) -> Self {
        Self {
            items,
            key: PhantomData,
        }
    }
}

impl<K, V> Default for EntityVec<K, V> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<K, V: fmt::Debug> fmt::Debug for EntityVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<K: EntityRef, V> Index<K> for EntityVec<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: EntityRef, V> IndexMut<K> for EntityVec<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

/// A list of values for each index of a type, in compressed form: all lists are ranges of one
/// vector, in the order of the indices.
#[derive(Clone)]
pub(crate) struct Adjacency<K, V> {
    /// Start of the list of each index, followed by the end of the last list. Empty until lists are
    /// added, so that an adjacency without lists has no memory.
    start: Vec<u32>,
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V> Adjacency<K, V> {
    /// Returns lists for no index yet, with capacity.
    pub(crate) fn with_capacity(lists: usize, items: usize) -> Self {
        let mut start = Vec::with_capacity(lists + 1);
        start.push(0);
        Self {
            start,
            items: Vec::with_capacity(items),
            key: PhantomData,
        }
    }
    /// Removes all lists and keeps the memory: lists may be built again.
    pub(crate) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.items.clear();
    }
    /// Makes it a copy of another adjacency, in the memory that it has.
    pub(crate) fn copy_of(&mut self, other: &Self)
    where
        V: Clone,
    {
        self.start.clone_from(&other.start);
        self.items.clone_from(&other.items);
    }
    /// Adds a value to the list that is being built.
    pub(crate) fn push(&mut self, item: V) {
        self.items.push(item);
    }
    /// Adds values to the list that is being built.
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = V>) {
        self.items.extend(items);
    }
    /// Ends the list that is being built and starts the next one; returns the ended one's index.
    pub(crate) fn end_list(&mut self) -> K {
        self.start.push(self.items.len() as u32);
        K::new(self.start.len() - 2)
    }
    /// Groups pairs by their index, by counting: pairs of one index keep their order. `pairs` is
    /// called twice.
    pub(crate) fn group<I: Iterator<Item = (K, V)>>(len: usize, pairs: impl Fn() -> I) -> Self
    where
        V: Copy,
    {
        let mut lists = Self::default();
        lists.regroup(len, pairs);
        lists
    }
    /// Does what [`Adjacency::group`] does, in the memory that it has.
    pub(crate) fn regroup<I: Iterator<Item = (K, V)>>(&mut self, len: usize, pairs: impl Fn() -> I)
    where
        V: Copy,
    {
        let Self { start, items, .. } = self;
        // While pairs are put in place, the start of the list of `k` is at `k + 1`.
        start.clear();
        start.resize(len + 2, 0);
        items.clear();
        let mut any = None;
        for (key, value) in pairs() {
            start[key.index() + 2] += 1;
            any = Some(value);
        }
        let mut sum = 0;
        for count in start.iter_mut() {
            sum += *count;
            *count = sum;
        }
        if let Some(any) = any {
            items.resize(usize_of(sum), any);
        }
        for (key, value) in pairs() {
            let at = &mut start[key.index() + 1];
            items[usize_of(*at)] = value;
            *at += 1;
        }
        start.pop();
    }
    /// Returns how many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
    /// Returns where the list of an index is in [`Adjacency::items`].
    pub(crate) fn range(&self, key: K) -> Range<usize> {
        usize_of(self.start[key.index()])..usize_of(self.start[key.index() + 1])
    }
    /// Returns all values, list by list.
    #[cfg(test)]
    pub(crate) fn items(&self) -> &[V] {
        &self.items
    }
    /// Returns all values, list by list, to change.
    pub(crate) fn items_mut(&mut self) -> &mut [V] {
        &mut self.items
    }
    /// Returns the indices with their lists, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &[V])> {
        let lists = self.start.windows(2);
        lists
            .map(|w| &self.items[usize_of(w[0])..usize_of(w[1])])
            .enumerate()
            .map(|(i, list)| (K::new(i), list))
    }
}

impl<K: EntityRef, V: EntityRef> Adjacency<K, V> {
    /// Makes it the lists of the opposite direction, each in order, for `len` indices.
    pub(crate) fn transpose(&mut self, of: &Adjacency<V, K>, len: usize) {
        self.regroup(len, || {
            of.iter()
                .flat_map(|(key, list)| list.iter().map(move |&value| (value, key)))
        });
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
    fn index(&self, key: K) -> &[V] {
        &self.items[self.range(key)]
    }
}

/// Indices have 32 bits, slices are indexed by `usize`.
fn usize_of(index: u32) -> usize {
    index as usize
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{Adjacency, EntityRef, EntityVec};
    use crate::ir::Block;

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

    #[test]
    fn a_map_is_indexed_by_its_type() {
        let mut map: EntityVec<Block, u32> = EntityVec::from_fn(3, |b: Block| b.as_u32() * 2);
        map[Block::new(1)] = 7;
        assert_eq!(map.values(), [0, 7, 4]);
        assert_eq!(map.push(1), Block::new(3));
        assert_eq!(map.get(Block::new(9)), None);
    }
}
