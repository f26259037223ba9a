//! The bytes that the parts of a [`Workspace`](crate::Workspace) keep.

use alloc::vec::Vec;

use trellis_entity::{EntityRef, EntitySet, PackedOption, PrimaryMap, SecondaryMap};

use crate::maps::{FxHashMap, FxHashSet};
use crate::result::Report;

/// What keeps memory between functions.
pub(crate) trait KeptBytes {
    /// Returns the bytes on the heap that are kept, without those that elements of lists own.
    fn kept_bytes(&self) -> usize;
}

impl<T> KeptBytes for Vec<T> {
    fn kept_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<K: EntityRef, V> KeptBytes for PrimaryMap<K, V> {
    fn kept_bytes(&self) -> usize {
        self.capacity() * size_of::<V>()
    }
}

impl<K: EntityRef, V: Clone> KeptBytes for SecondaryMap<K, V> {
    fn kept_bytes(&self) -> usize {
        self.capacity() * size_of::<V>()
    }
}

impl<K: EntityRef> KeptBytes for EntitySet<K> {
    fn kept_bytes(&self) -> usize {
        self.capacity() / 8
    }
}

impl<K, V> KeptBytes for FxHashMap<K, V> {
    fn kept_bytes(&self) -> usize {
        self.capacity() * (size_of::<(K, V)>() + 1)
    }
}

impl<T> KeptBytes for FxHashSet<T> {
    fn kept_bytes(&self) -> usize {
        self.capacity() * (size_of::<T>() + 1)
    }
}

impl<T: KeptBytes> KeptBytes for Option<T> {
    fn kept_bytes(&self) -> usize {
        self.as_ref().map_or(0, T::kept_bytes)
    }
}

/// What is not on the heap.
macro_rules! keeps_nothing {
    ($($type:ty),*) => {
        $(impl KeptBytes for $type {
            fn kept_bytes(&self) -> usize {
                0
            }
        })*
    };
}
keeps_nothing!(bool, u32, u64, usize, (u64, u64));

impl KeptBytes for Report {
    fn kept_bytes(&self) -> usize {
        0
    }
}

impl<T: trellis_entity::ReservedValue> KeptBytes for PackedOption<T> {
    fn kept_bytes(&self) -> usize {
        0
    }
}

/// Implements [`KeptBytes`] as the sum of all fields of a structure.
macro_rules! sum_of_kept_bytes {
    ($type:ident $(<$index:ident>)? { $($field:ident),* $(,)? }) => {
        impl$(<$index: crate::entity::Entity>)? crate::memory::KeptBytes for $type$(<$index>)? {
            fn kept_bytes(&self) -> usize {
                let Self { $($field),* } = self;
                let fields = [$(crate::memory::KeptBytes::kept_bytes($field)),*];
                fields.iter().sum()
            }
        }
    };
}
pub(crate) use sum_of_kept_bytes;
