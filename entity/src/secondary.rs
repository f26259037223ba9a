//! Annotations of entities that another map owns.

use core::fmt;
use core::ops::{Deref, Index, IndexMut};

use crate::{EntityRef, PrimaryMap};

/// Data for entities that a [`PrimaryMap`] owns. Every key has a value: reading one that was never
/// written gives the default, writing one grows the map.
///
/// It dereferences to the values that it has grown to.
#[derive(Clone)]
pub struct SecondaryMap<K: EntityRef, V: Clone> {
    values: PrimaryMap<K, V>,
    default: V,
}

impl<K: EntityRef, V: Clone> SecondaryMap<K, V> {
    /// Returns an empty map; the default is `V`'s.
    pub fn new() -> Self
    where
        V: Default,
    {
        Self::with_default(V::default())
    }

    /// Returns an empty map with memory for `capacity` entities; the default is `V`'s.
    pub fn with_capacity(capacity: usize) -> Self
    where
        V: Default,
    {
        Self {
            values: PrimaryMap::with_capacity(capacity),
            default: V::default(),
        }
    }

    /// Returns an empty map with this default.
    pub const fn with_default(default: V) -> Self {
        Self {
            values: PrimaryMap::new(),
            default,
        }
    }

    /// Returns the values that the map has grown to, in index order.
    #[inline]
    pub fn values_mut(&mut self) -> core::slice::IterMut<'_, V> {
        self.values.values_mut()
    }

    /// Grows or shrinks the map to the first `len` entities.
    pub fn resize(&mut self, len: usize) {
        self.values.resize(len, self.default.clone());
    }

    /// Gives every entity the default again and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    #[cold]
    fn grow(&mut self, key: K) -> &mut V {
        self.resize(key.index() + 1);
        &mut self.values[key]
    }
}

impl<K: EntityRef, V: Clone> Deref for SecondaryMap<K, V> {
    type Target = PrimaryMap<K, V>;

    #[inline]
    fn deref(&self) -> &PrimaryMap<K, V> {
        &self.values
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
        self.values.get(key).unwrap_or(&self.default)
    }
}

impl<K: EntityRef, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        if !self.values.is_valid(key) {
            return self.grow(key);
        }
        &mut self.values[key]
    }
}

/// Maps are equal if each key has equal values in both; how far they have grown does not matter.
impl<K: EntityRef, V: Clone + PartialEq> PartialEq for SecondaryMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let (shorter, longer) = if self.len() < other.len() {
            (self, other)
        } else {
            (other, self)
        };
        self.default == other.default && longer.iter().all(|(key, value)| shorter[key] == *value)
    }
}

impl<K: EntityRef, V: Clone + Eq> Eq for SecondaryMap<K, V> {}

impl<K: EntityRef, V: Clone + fmt::Debug> fmt::Debug for SecondaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
