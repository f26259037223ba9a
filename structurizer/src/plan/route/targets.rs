//! Sets of pending targets. A merge block forwards its set to its successors, in parts: no
//! position is ever in two sets that come from one, so a set is moved, split and united, never
//! copied, and n targets that pass n merge blocks cost near-linear time.

use alloc::collections::BTreeSet;

use smallvec::SmallVec;

use crate::plan::positions::Position;

/// Maximum number of positions in the sorted list; larger sets are search trees.
const FEW: usize = 16;

/// Positions in order.
#[derive(Clone, Debug)]
pub(crate) enum Targets {
    /// A sorted list: nearly always.
    Few(SmallVec<[Position; 4]>),
    /// Returns out of an unrolled loop, entries of an irreducible one.
    Many(BTreeSet<Position>),
}

impl Default for Targets {
    fn default() -> Self {
        Self::Few(SmallVec::new())
    }
}

impl Targets {
    /// Returns how many positions there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Few(list) => list.len(),
            Self::Many(set) => set.len(),
        }
    }
    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns whether a position is in the set.
    pub(crate) fn contains(&self, position: Position) -> bool {
        match self {
            Self::Few(list) => list.binary_search(&position).is_ok(),
            Self::Many(set) => set.contains(&position),
        }
    }
    /// Returns the lowest position.
    pub(crate) fn min(&self) -> Option<Position> {
        match self {
            Self::Few(list) => list.first().copied(),
            Self::Many(set) => set.first().copied(),
        }
    }
    /// Returns the highest position.
    pub(crate) fn max(&self) -> Option<Position> {
        match self {
            Self::Few(list) => list.last().copied(),
            Self::Many(set) => set.last().copied(),
        }
    }
    /// Returns the position if there is only one.
    pub(crate) fn only(&self) -> Option<Position> {
        if self.len() == 1 { self.min() } else { None }
    }
    /// Returns the lowest position that is not below a bound.
    pub(crate) fn first_from(&self, bound: Position) -> Option<Position> {
        match self {
            Self::Few(list) => list.get(list.partition_point(|&t| t < bound)).copied(),
            Self::Many(set) => set.range(bound..).next().copied(),
        }
    }
    /// Adds a position.
    pub(crate) fn insert(&mut self, position: Position) {
        match self {
            Self::Few(list) => {
                if let Err(at) = list.binary_search(&position) {
                    list.insert(at, position);
                    if list.len() > FEW {
                        *self = Self::Many(list.iter().copied().collect());
                    }
                }
            }
            Self::Many(set) => {
                set.insert(position);
            }
        }
    }
    /// Removes a position; returns whether it was in the set.
    pub(crate) fn remove(&mut self, position: Position) -> bool {
        match self {
            Self::Few(list) => match list.binary_search(&position) {
                Ok(at) => {
                    list.remove(at);
                    true
                }
                Err(_) => false,
            },
            Self::Many(set) => set.remove(&position),
        }
    }
    /// Removes and returns the targets below a bound.
    pub(crate) fn take_below(&mut self, bound: Position) -> Self {
        if self.max().is_none_or(|max| max < bound) {
            return core::mem::take(self);
        }
        match self {
            Self::Few(list) => {
                let at = list.partition_point(|&t| t < bound);
                Self::Few(list.drain(..at).collect())
            }
            Self::Many(set) => {
                let above = set.split_off(&bound);
                Self::Many(core::mem::replace(set, above))
            }
        }
    }
    /// Adds the positions of another set, the smaller set to the larger.
    pub(crate) fn unite(&mut self, mut other: Self) {
        if other.len() > self.len() {
            core::mem::swap(self, &mut other);
        }
        match other {
            Self::Few(list) => list.into_iter().for_each(|t| self.insert(t)),
            Self::Many(set) => set.into_iter().for_each(|t| self.insert(t)),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::Targets;
    use crate::plan::positions::Position;
    use structurizer_testkit::generate::Rng;

    fn list(targets: &Targets) -> Vec<Position> {
        let mut list = Vec::new();
        let mut next = targets.min();
        while let Some(t) = next {
            list.push(t);
            next = targets.first_from(Position::from_u32(t.as_u32() + 1));
        }
        list
    }

    #[test]
    fn agrees_with_a_plain_set() {
        let mut rng = Rng::new(11);
        for _ in 0..2000 {
            let sizes = [rng.below(40), rng.below(40)];
            let [(mut a, mut plain), (b, plain_b)] = sizes.map(|size| {
                let (mut targets, mut plain) = (Targets::default(), BTreeSet::new());
                for _ in 0..size {
                    let t = Position::from_u32(rng.below(60) as u32);
                    targets.insert(t);
                    plain.insert(t);
                }
                (targets, plain)
            });
            a.unite(b);
            plain.extend(plain_b);
            assert_eq!(list(&a), plain.iter().copied().collect::<Vec<_>>());
            let t = Position::from_u32(rng.below(60) as u32);
            assert_eq!(a.contains(t), plain.contains(&t));
            assert_eq!(a.remove(t), plain.remove(&t));
            let bound = Position::from_u32(rng.below(60) as u32);
            let below = a.take_below(bound);
            assert_eq!(
                list(&below),
                plain.range(..bound).copied().collect::<Vec<_>>()
            );
            assert_eq!(list(&a), plain.range(bound..).copied().collect::<Vec<_>>());
            assert_eq!(
                (a.len(), a.max()),
                (
                    plain.range(bound..).count(),
                    plain.range(bound..).last().copied()
                )
            );
            assert_eq!(a.only().is_some(), a.len() == 1);
        }
    }
}
