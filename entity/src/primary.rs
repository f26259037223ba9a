//! The map that owns entities.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use crate::{EntityRange, EntityRef};

/// Owns the data of all entities `K`, in the order in which they were made; entities are never
/// removed one by one.
#[derive(PartialEq, Eq, Hash)]
pub struct PrimaryMap<K: EntityRef, V> {
    values: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityRef, V> PrimaryMap<K, V> {
    /// Returns an empty map.
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            key: PhantomData,
        }
    }

    /// Returns an empty map with memory for `capacity` entities.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::from(Vec::with_capacity(capacity))
    }

    /// Returns a map of `len` values that are computed from their keys, in order.
    pub fn from_fn(len: usize, value: impl FnMut(K) -> V) -> Self {
        (0..len).map(K::new).map(value).collect()
    }

    /// Makes it a map of `len` values that are computed from their keys, in the memory that it has.
    pub fn refill_with(&mut self, len: usize, value: impl FnMut(K) -> V) {
        self.values.clear();
        self.values.extend((0..len).map(K::new).map(value));
    }

    /// Adds an entity with its data.
    #[inline]
    pub fn push(&mut self, value: V) -> K {
        let key = self.next_key();
        self.values.push(value);
        key
    }

    /// Returns the entity that the next [`push`](Self::push) hands out.
    #[inline]
    pub fn next_key(&self) -> K {
        K::new(self.values.len())
    }

    /// Returns whether `key` is an entity of this map.
    #[inline]
    pub fn is_valid(&self, key: K) -> bool {
        key.index() < self.values.len()
    }

    /// Returns the data of `key`, if it is an entity of this map.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.index())
    }

    /// Returns the data of `key`, if it is an entity of this map.
    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.values.get_mut(key.index())
    }

    /// Returns the data of consecutive entities, if all are in this map.
    #[inline]
    pub fn get_range(&self, range: EntityRange<K>) -> Option<&[V]> {
        self.values.get(range.indices())
    }

    /// Returns the number of entities.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no entities.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the entities in index order.
    #[inline]
    pub fn keys(&self) -> EntityRange<K> {
        EntityRange::of_indices(0..self.values.len())
    }

    /// Returns the data in index order.
    #[inline]
    pub fn values(&self) -> core::slice::Iter<'_, V> {
        self.values.iter()
    }

    /// Returns the data in index order.
    #[inline]
    pub fn values_mut(&mut self) -> core::slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// Returns the data in index order.
    #[inline]
    pub fn into_values(self) -> alloc::vec::IntoIter<V> {
        self.values.into_iter()
    }

    /// Returns the entities with their data, in index order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
        self.values
            .iter()
            .enumerate()
            .map(|(index, value)| (K::new(index), value))
    }

    /// Returns the entities with their data, in index order.
    #[inline]
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> + ExactSizeIterator {
        self.values
            .iter_mut()
            .enumerate()
            .map(|(index, value)| (K::new(index), value))
    }

    /// Returns the first entity whose data satisfies `predicate`.
    #[inline]
    pub fn position(&self, predicate: impl FnMut(&V) -> bool) -> Option<K> {
        self.values.iter().position(predicate).map(K::new)
    }

    /// Returns the data of all entities.
    #[inline]
    pub fn as_slice(&self) -> &[V] {
        &self.values
    }

    /// Returns the last entity with its data.
    pub fn last(&self) -> Option<(K, &V)> {
        let key = self.values.len().checked_sub(1)?;
        Some((K::new(key), self.values.last()?))
    }

    /// Returns the data of the last entity.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut V> {
        self.values.last_mut()
    }

    /// Returns the number of entities that the map has room for without another allocation.
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// Reserves capacity for `additional` more entities.
    pub fn reserve(&mut self, additional: usize) {
        self.values.reserve(additional);
    }

    /// Reserves capacity for `len` values in all.
    pub fn reserve_all(&mut self, len: usize) {
        if self.values.is_empty() && self.values.capacity() < len {
            // The old memory is freed first: there is nothing to copy.
            self.values = Vec::new();
        }
        self.values.reserve(len.saturating_sub(self.values.len()));
    }

    /// As [`PrimaryMap::push`], but a full map grows by half instead of doubling: for the longest
    /// maps, whose final length is not known.
    #[inline]
    pub fn push_to_long(&mut self, value: V) -> K {
        if self.values.len() == self.values.capacity() {
            self.values.reserve_exact(self.values.len() / 2 + 4);
        }
        self.push(value)
    }

    /// Frees the memory that the map has for more entities.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
    }

    /// Keeps the first `len` entities, or adds entities with `value`.
    pub fn resize(&mut self, len: usize, value: V)
    where
        V: Clone,
    {
        self.values.resize(len, value);
    }

    /// Keeps the first `len` entities.
    pub fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    /// Removes all entities and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }
}

impl<K: EntityRef, V: Clone> PrimaryMap<K, V> {
    /// Returns a map of `len` equal values.
    pub fn filled(value: V, len: usize) -> Self {
        Self::from(alloc::vec![value; len])
    }

    /// Makes it a map of `len` equal values, in the memory that it has.
    pub fn refill(&mut self, value: V, len: usize) {
        self.values.clear();
        self.values.resize(len, value);
    }

    /// Returns a map of `len` default values.
    pub fn with_len(len: usize) -> Self
    where
        V: Default,
    {
        Self::filled(V::default(), len)
    }

    /// Makes it a map of `len` default values, in the memory that it has.
    pub fn reset(&mut self, len: usize)
    where
        V: Default,
    {
        self.refill(V::default(), len);
    }
}

impl<K: EntityRef, V: Clone> Clone for PrimaryMap<K, V> {
    fn clone(&self) -> Self {
        Self {
            values: self.values.clone(),
            key: PhantomData,
        }
    }

    /// Copies the other map into the memory of this one.
    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
    }
}

impl<K: EntityRef, V> From<PrimaryMap<K, V>> for Vec<V> {
    /// Returns the values, in index order.
    fn from(map: PrimaryMap<K, V>) -> Self {
        map.values
    }
}

impl<K: EntityRef, V> From<Vec<V>> for PrimaryMap<K, V> {
    fn from(values: Vec<V>) -> Self {
        Self {
            values,
            key: PhantomData,
        }
    }
}

impl<K: EntityRef, V> FromIterator<V> for PrimaryMap<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Self {
        Self::from(Vec::from_iter(values))
    }
}

impl<K: EntityRef, V> Extend<V> for PrimaryMap<K, V> {
    fn extend<I: IntoIterator<Item = V>>(&mut self, values: I) {
        self.values.extend(values);
    }
}

impl<K: EntityRef, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;

    #[inline]
    fn index(&self, key: K) -> &V {
        &self.values[key.index()]
    }
}

impl<K: EntityRef, V> IndexMut<K> for PrimaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.values[key.index()]
    }
}

impl<K: EntityRef, V> Index<EntityRange<K>> for PrimaryMap<K, V> {
    type Output = [V];

    #[inline]
    fn index(&self, range: EntityRange<K>) -> &[V] {
        &self.values[range.indices()]
    }
}

impl<K: EntityRef, V> IndexMut<EntityRange<K>> for PrimaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, range: EntityRange<K>) -> &mut [V] {
        &mut self.values[range.indices()]
    }
}

impl<K: EntityRef, V: fmt::Debug> fmt::Debug for PrimaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
