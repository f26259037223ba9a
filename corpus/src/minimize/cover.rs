//! A small set of sets that has all elements of all sets.
//!
//! The greedy algorithm takes the set with most new elements each time, which results in at most
//! ln(n) + 1 times the least number of sets (Chvátal, "A greedy heuristic for the set-covering
//! problem", 1979). Numbers of new elements only fall, so that a heap with old numbers finds the
//! best set: the first one whose number is still true (Minoux's lazy evaluation). Sets that the
//! later ones made unnecessary are dropped at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A set of elements, which are numbers below the number of elements, each once; and its cost: of equally good
/// sets the cheapest is taken.
type Set<C> = (Box<[u32]>, C);

/// Returns the indices of sets that have all elements, in the order in which they were taken.
pub(super) fn cover<C: Copy + Ord>(sets: &[Set<C>], elements: usize) -> Vec<usize> {
    let mut covered = vec![0_u32; elements];
    let gain = |covered: &[u32], set: &[u32]| {
        let new = set.iter();
        new.filter(|&&e| covered.get(e as usize) == Some(&0))
            .count()
    };
    let entries = sets.iter().enumerate();
    let mut heap: BinaryHeap<(usize, Reverse<C>, usize)> = entries
        .map(|(index, (set, cost))| (set.len(), Reverse(*cost), index))
        .collect();
    let mut taken = Vec::new();
    while let Some((old, cost, index)) = heap.pop() {
        let Some((set, _)) = sets.get(index) else {
            continue;
        };
        let new = gain(&covered, set);
        if new == 0 {
            continue;
        }
        if new < old {
            heap.push((new, cost, index));
            continue;
        }
        count(&mut covered, set, |number| number + 1);
        taken.push(index);
    }
    let mut expensive = taken.clone();
    expensive.sort_by_key(|&index| Reverse(sets[index].1));
    for index in expensive {
        let set = &sets[index].0;
        let mut all = set.iter();
        if all.all(|&element| covered.get(element as usize).is_some_and(|&n| n > 1)) {
            count(&mut covered, set, |number| number - 1);
            taken.retain(|&other| other != index);
        }
    }
    taken
}

fn count(covered: &mut [u32], set: &[u32], change: impl Fn(u32) -> u32) {
    for &element in set {
        if let Some(number) = covered.get_mut(element as usize) {
            *number = change(*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cover;

    fn covered(sets: &[(u32, &[u32])]) -> Vec<usize> {
        let sets: Vec<_> = sets.iter().map(|&(c, s)| (s.into(), c)).collect();
        cover(&sets, 10)
    }

    #[test]
    fn the_best_set_is_first_and_equal_ones_are_decided_by_cost() {
        assert_eq!(covered(&[(1, &[1]), (2, &[1, 2, 3]), (3, &[4])]), [1, 2]);
        assert_eq!(covered(&[(5, &[1, 2]), (4, &[1, 2]), (6, &[2, 1])]), [1]);
        assert_eq!(covered(&[]), [] as [usize; 0]);
    }

    /// Greedily the middle set is first, and then not needed.
    #[test]
    fn a_set_that_others_made_unnecessary_is_dropped() {
        let sets: &[(u32, &[u32])] = &[(1, &[0, 1, 2]), (2, &[3, 4, 5]), (9, &[1, 2, 3, 4])];
        assert_eq!(covered(sets), [0, 1]);
    }
}
