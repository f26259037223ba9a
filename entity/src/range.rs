//! Ranges of consecutive entities.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use crate::EntityRef;

/// Consecutive entities: `start` up to, and without, `end`. It is a value to store and an iterator.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntityRange<K> {
    start: u32,
    end: u32,
    key: PhantomData<K>,
}

impl<K: EntityRef> EntityRange<K> {
    /// Returns the entities from `start` up to, and without, `end`; none if `end` is before
    /// `start`.
    #[inline]
    pub fn new(start: K, end: K) -> Self {
        Self::of_indices(start.index()..end.index())
    }

    #[inline]
    pub(crate) fn of_indices(indices: Range<usize>) -> Self {
        debug_assert!(indices.end <= u32::MAX as usize);
        let start = indices.start as u32;
        Self {
            start,
            end: start.max(indices.end as u32),
            key: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn indices(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the entity where the range starts, even if the range is empty.
    #[inline]
    pub fn start(self) -> K {
        K::new(self.start as usize)
    }

    /// Returns the entity after the last one.
    #[inline]
    pub fn end(self) -> K {
        K::new(self.end as usize)
    }

    /// Returns the first entity.
    #[inline]
    pub fn first(self) -> Option<K> {
        { self }.next()
    }

    /// Returns the last entity.
    #[inline]
    pub fn last(self) -> Option<K> {
        { self }.next_back()
    }

    /// Returns the number of entities.
    #[inline]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the range has no entities.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether `key` is in the range.
    #[inline]
    pub fn contains(self, key: K) -> bool {
        self.indices().contains(&key.index())
    }
}

impl<K> Default for EntityRange<K> {
    fn default() -> Self {
        Self {
            start: 0,
            end: 0,
            key: PhantomData,
        }
    }
}

impl<K: EntityRef> Iterator for EntityRange<K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        (self.start < self.end).then(|| {
            self.start += 1;
            K::new(self.start as usize - 1)
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.indices().len(), Some(self.indices().len()))
    }
}

impl<K: EntityRef> DoubleEndedIterator for EntityRange<K> {
    #[inline]
    fn next_back(&mut self) -> Option<K> {
        (self.start < self.end).then(|| {
            self.end -= 1;
            K::new(self.end as usize)
        })
    }
}

impl<K: EntityRef> ExactSizeIterator for EntityRange<K> {}
impl<K: EntityRef> core::iter::FusedIterator for EntityRange<K> {}

impl<K: EntityRef> fmt::Debug for EntityRange<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}..{:?}", self.start(), self.end())
    }
}
