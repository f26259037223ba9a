//! Sets of entities.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::{EntityRange, EntityRef};

/// A set of entities: one bit for each up to the largest that was ever inserted.
#[derive(Clone)]
pub struct EntitySet<K: EntityRef> {
    words: Vec<u64>,
    len: usize,
    key: PhantomData<K>,
}

/// Returns the word of an entity's bit and the mask in it.
#[inline]
fn bit(index: usize) -> (usize, u64) {
    (index / 64, 1 << (index % 64))
}

impl<K: EntityRef> EntitySet<K> {
    /// Returns an empty set.
    pub const fn new() -> Self {
        Self {
            words: Vec::new(),
            len: 0,
            key: PhantomData,
        }
    }

    /// Returns an empty set with memory for the entities below `capacity`.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            words: Vec::with_capacity(capacity.div_ceil(64)),
            len: 0,
            key: PhantomData,
        }
    }

    /// Returns whether `key` is in the set.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        let (word, mask) = bit(key.index());
        self.words.get(word).is_some_and(|bits| bits & mask != 0)
    }

    /// Returns whether all entities of a range are in the set.
    #[inline]
    pub fn contains_all(&self, range: EntityRange<K>) -> bool {
        let mut index = range.start().index();
        let end = index + range.len();
        while index < end {
            let (word, _) = bit(index);
            let until = end.min((word + 1) * 64);
            let mask = (u64::MAX >> (64 - (until - index))) << (index % 64);
            if self.words.get(word).is_none_or(|bits| bits & mask != mask) {
                return false;
            }
            index = until;
        }
        true
    }

    /// Adds `key`; returns whether it is new.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        let (word, mask) = bit(key.index());
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & mask == 0;
        self.words[word] |= mask;
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes `key`; returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        let (word, mask) = bit(key.index());
        let Some(bits) = self.words.get_mut(word) else {
            return false;
        };
        let was_in = *bits & mask != 0;
        *bits &= !mask;
        self.len -= usize::from(was_in);
        was_in
    }

    /// Returns the number of entities in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns how many entities, from the first on, the set has room for without another
    /// allocation.
    pub fn capacity(&self) -> usize {
        self.words.capacity() * 64
    }

    /// Removes all entities and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }

    /// Returns the entities in index order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            core::iter::successors((bits != 0).then_some(bits), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| K::new(word * 64 + rest.trailing_zeros() as usize))
        })
    }
}

impl<K: EntityRef> Default for EntitySet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef> Extend<K> for EntitySet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: EntityRef> FromIterator<K> for EntitySet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        set.extend(keys);
        set
    }
}

impl<K: EntityRef> fmt::Debug for EntitySet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
