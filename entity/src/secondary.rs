//! Annotations of entities that another map owns.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use crate::{EntityRange, EntityRef};

/// Data for entities that a [`PrimaryMap`](crate::PrimaryMap) owns. Every key has a value: reading
/// one that was never written gives the default, writing one grows the map.
#[derive(Clone)]
pub struct SecondaryMap<K: EntityRef, V: Clone> {
    values: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: EntityRef, V: Clone> SecondaryMap<K, V> {
    /// Returns an empty map; the default is that of `V`.
    pub fn new() -> Self
    where
        V: Default,
    {
        Self::with_default(V::default())
    }

    /// Returns an empty map with memory for `capacity` entities; the default is that of `V`.
    pub fn with_capacity(capacity: usize) -> Self
    where
        V: Default,
    {
        Self {
            values: Vec::with_capacity(capacity),
            default: V::default(),
            key: PhantomData,
        }
    }

    /// Returns an empty map with this default.
    pub const fn with_default(default: V) -> Self {
        Self {
            values: Vec::new(),
            default,
            key: PhantomData,
        }
    }

    /// Returns the value of `key` if the map has grown to it.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.index())
    }

    /// Returns the number of entities that the map has grown to.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether no value was ever written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the entities that the map has grown to, in index order.
    #[inline]
    pub fn keys(&self) -> EntityRange<K> {
        EntityRange::of_indices(0..self.values.len())
    }

    /// Returns the values that the map has grown to, in index order.
    #[inline]
    pub fn values(&self) -> core::slice::Iter<'_, V> {
        self.values.iter()
    }

    /// Returns the values that the map has grown to, in index order.
    #[inline]
    pub fn values_mut(&mut self) -> core::slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// Returns the entities that the map has grown to with their values, in index order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
        self.values
            .iter()
            .enumerate()
            .map(|(index, value)| (K::new(index), value))
    }

    /// Grows or shrinks the map to the first `len` entities.
    pub fn resize(&mut self, len: usize) {
        self.values.resize(len, self.default.clone());
    }

    /// Returns the number of entities that the map has room for without another allocation.
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// Gives every entity the default again and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    #[cold]
    fn grow(&mut self, index: usize) -> &mut V {
        self.values.resize(index + 1, self.default.clone());
        &mut self.values[index]
    }
}

impl<K: EntityRef, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef, V: Clone> Index<K> for SecondaryMap<K, V> {
    type Output = V;

    #[inline]
    fn index(&self, key: K) -> &V {
        self.values.get(key.index()).unwrap_or(&self.default)
    }
}

impl<K: EntityRef, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        let index = key.index();
        if index >= self.values.len() {
            return self.grow(index);
        }
        &mut self.values[index]
    }
}

/// Maps are equal if each key has equal values in both; how far they have grown does not matter.
impl<K: EntityRef, V: Clone + PartialEq> PartialEq for SecondaryMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let common = self.values.len().min(other.values.len());
        self.default == other.default
            && self.values[..common] == other.values[..common]
            && self.values[common..]
                .iter()
                .all(|value| *value == self.default)
            && other.values[common..]
                .iter()
                .all(|value| *value == self.default)
    }
}

impl<K: EntityRef, V: Clone + Eq> Eq for SecondaryMap<K, V> {}

impl<K: EntityRef, V: Clone + fmt::Debug> fmt::Debug for SecondaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
