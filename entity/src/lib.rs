//! Typed 32-bit indices ("entities") and the dense containers that they index.
//!
//! An *entity* is a `struct Name(u32)` that numbers the members of one arena: blocks, values,
//! types. A [`PrimaryMap`] owns the members and hands out their entities; a [`SecondaryMap`] or an
//! [`EntitySet`] annotates them; an [`Adjacency`] has a list for each; a [`PackedOption`] is an
//! optional entity of four bytes. All
//! look-ups are array accesses, and all walks are in index order, so results depend on the input
//! alone.
//!
//! The names and the behaviour follow Cranelift's `cranelift-entity`, which is the model; there are
//! no lists in a shared pool and no iteration-order guarantees beyond index order. Indices that
//! come from a file are checked with [`PrimaryMap::get`]; `map[entity]` panics out of range, as a
//! slice does.
//!
//! # Examples
//!
//! ```
//! use trellis_entity::{PackedOption, PrimaryMap, SecondaryMap, entity_impl};
//!
//! /// A basic block.
//! #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
//! pub struct Block(u32);
//! entity_impl!(Block, "block");
//!
//! let mut names = PrimaryMap::new();
//! let entry: Block = names.push("entry");
//! let exit = names.push("exit");
//!
//! let mut idom: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
//! idom[exit] = entry.into();
//!
//! assert_eq!(idom[exit].expand(), Some(entry));
//! assert_eq!(idom[entry].expand(), None);
//! assert_eq!(format!("{exit} is {}", names[exit]), "block1 is exit");
//! ```
//!
//! The crate needs `alloc` only. The feature `std` (default) adds nothing yet.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod adjacency;
mod packed_option;
mod primary;
mod range;
mod secondary;
mod set;

use core::fmt::Debug;
use core::hash::Hash;

pub use adjacency::Adjacency;
pub use packed_option::PackedOption;
pub use primary::PrimaryMap;
pub use range::EntityRange;
pub use secondary::SecondaryMap;
pub use set::EntitySet;

/// A typed index. [`entity_impl!`] implements it.
pub trait EntityRef: Copy + Eq + Ord + Hash + Debug {
    /// Returns the entity with this index.
    ///
    /// # Panics
    /// If the index does not fit into 32 bits, or is the reserved one (`u32::MAX`), in a debug
    /// build.
    fn new(index: usize) -> Self;

    /// Returns the index.
    fn index(self) -> usize;
}

/// An entity type that keeps one value, `u32::MAX`, free to mean "none". [`entity_impl!`]
/// implements it.
pub trait ReservedValue: Copy + Eq {
    /// Returns the value that is not an entity.
    fn reserved_value() -> Self;

    /// Returns whether this is the value that is not an entity.
    fn is_reserved_value(self) -> bool {
        self == Self::reserved_value()
    }
}

/// Implements [`EntityRef`], [`ReservedValue`], `Display` and `Debug` for a `struct Name(u32)`, and
/// the constant functions `from_u32` and `as_u32`.
///
/// The second argument is the prefix of the text form: `entity_impl!(Block, "block")` writes
/// `block7`.
#[macro_export]
macro_rules! entity_impl {
    ($entity:ident, $prefix:literal) => {
        #[allow(
            dead_code,
            unreachable_pub,
            reason = "private entities and those that need only one"
        )]
        impl $entity {
            /// Returns the entity with this number.
            #[inline]
            pub const fn from_u32(number: u32) -> Self {
                debug_assert!(number < u32::MAX);
                Self(number)
            }

            /// Returns the number.
            #[inline]
            pub const fn as_u32(self) -> u32 {
                self.0
            }
        }

        impl $crate::EntityRef for $entity {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                Self(index as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::ReservedValue for $entity {
            #[inline]
            fn reserved_value() -> Self {
                Self(u32::MAX)
            }
        }

        impl ::core::fmt::Display for $entity {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl ::core::fmt::Debug for $entity {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Node(u32);
    entity_impl!(Node, "n");

    fn n(number: u32) -> Node {
        Node::from_u32(number)
    }

    #[test]
    fn primary_map_hands_out_entities_in_order() {
        let mut map = PrimaryMap::new();
        assert_eq!(map.next_key(), n(0));
        let (a, b) = (map.push('a'), map.push('b'));
        assert_eq!((a, b, map.len()), (n(0), n(1), 2));
        assert_eq!((map[a], map.get(n(2))), ('a', None));
        map[b] = 'c';
        assert_eq!(map.iter().collect::<Vec<_>>(), [(a, &'a'), (b, &'c')]);
        assert_eq!(map.keys().rev().collect::<Vec<_>>(), [b, a]);
        assert_eq!(map.position(|&c| c == 'c'), Some(b));
        let collected: PrimaryMap<Node, char> = ['a', 'c'].into_iter().collect();
        assert_eq!(collected, map);
    }

    #[test]
    fn secondary_map_has_a_default_for_absent_keys() {
        let mut map = SecondaryMap::with_default(7);
        assert_eq!(map[n(100)], 7);
        map[n(2)] = 1;
        assert_eq!(
            map.iter().collect::<Vec<_>>(),
            [(n(0), &7), (n(1), &7), (n(2), &1)]
        );
        assert_eq!((map.get(n(2)), map.get(n(3))), (Some(&1), None));
        let mut longer = map.clone();
        longer.resize(10);
        assert_eq!(longer, map);
        longer[n(9)] = 8;
        assert_ne!(longer, map);
    }

    #[test]
    fn packed_option_round_trips() {
        let mut option = PackedOption::from(n(3));
        assert_eq!((option.expand(), option.is_some()), (Some(n(3)), true));
        assert_eq!(option.take(), Some(n(3)));
        assert_eq!(option, PackedOption::default());
        assert_eq!(option, None.into());
        assert_eq!(size_of::<PackedOption<Node>>(), 4);
    }

    #[test]
    fn set_matches_a_tree_set() {
        let (mut set, mut model) = (EntitySet::new(), alloc::collections::BTreeSet::new());
        for step in 0..500u32 {
            let key = n(step.wrapping_mul(2_654_435_761) >> 24);
            if step % 3 == 0 {
                assert_eq!(set.remove(key), model.remove(&key));
            } else {
                assert_eq!(set.insert(key), model.insert(key));
            }
            assert_eq!(set.len(), model.len());
        }
        assert!(set.iter().eq(model.iter().copied()));
        assert!((0..300).all(|i| set.contains(n(i)) == model.contains(&n(i))));
        set.clear();
        assert!(set.is_empty() && !set.contains(n(0)));
    }

    #[test]
    fn range_indexes_a_map() {
        let map: PrimaryMap<Node, u32> = (0..6).map(|i| i * i).collect();
        let range = EntityRange::new(n(2), n(5));
        assert_eq!((&map[range], range.len()), (&[4, 9, 16][..], 3));
        assert_eq!(
            range.into_iter().rev().collect::<Vec<_>>(),
            [n(4), n(3), n(2)]
        );
        assert!(range.contains(n(4)) && !range.contains(n(5)));
        assert_eq!(map.get_range(EntityRange::new(n(5), n(7))), None);
        assert_eq!((range.first(), range.last()), (Some(n(2)), Some(n(4))));
        assert!(EntityRange::<Node>::default().is_empty());
    }

    #[test]
    fn a_set_has_all_of_a_range() {
        let mut set: EntitySet<Node> = (3..140).map(n).collect();
        set.remove(n(70));
        for (start, end) in [
            (0, 5),
            (3, 5),
            (3, 70),
            (3, 71),
            (64, 70),
            (71, 140),
            (71, 141),
            (9, 9),
        ] {
            let range = EntityRange::new(n(start), n(end));
            let all = (start..end).all(|number| set.contains(n(number)));
            assert_eq!(set.contains_all(range), all, "{start}..{end}");
        }
    }
}
