//! Numbers of targets, so that each test is one comparison.
//!
//! A test sends invocations on whose selector is at most some number. What it decides between are two
//! sets of nodes, so the numbers of one set must all be below those of the other one.

use alloc::vec::Vec;

use super::graph::{MAX_NODES, Set, nodes};

/// How many orders of the nodes are tried.
const MAX_STEPS: usize = 1 << 12;

/// Returns a number for each node, so that one set of each pair is below the other one; none if there
/// are none, or they are not found in time. `order` has the nodes in the order that is tried first.
pub(super) fn numbers(order: &[usize], pairs: &[[Set; 2]]) -> Option<[u32; MAX_NODES]> {
    let mut placed: Set = 0;
    // The nodes that were placed, by their indices in `order`.
    let mut stack: Vec<usize> = Vec::new();
    let mut next = 0;
    for _ in 0..MAX_STEPS {
        let is_next = |&at: &usize| {
            let node = order[at];
            placed >> node & 1 == 0 && pairs.iter().all(|pair| may_place(placed, node, *pair))
        };
        if let Some(at) = (next..order.len()).find(is_next) {
            stack.push(at);
            placed |= 1 << order[at];
            next = 0;
        } else if stack.len() == order.len() {
            let mut numbers = [0; MAX_NODES];
            for (number, &at) in (0u32..).zip(&stack) {
                numbers[order[at]] = number;
            }
            return Some(numbers);
        } else {
            let at = stack.pop()?;
            placed &= !(1 << order[at]);
            next = at + 1;
        }
    }
    None
}

/// Returns whether a node may be placed after some others: not between those of the other set.
fn may_place(placed: Set, node: usize, pair: [Set; 2]) -> bool {
    let [a, b] = pair;
    let fits =
        |own: Set, other: Set| own >> node & 1 == 0 || placed & other == 0 || other & !placed == 0;
    fits(a, b) && fits(b, a)
}

/// Returns the largest number of some nodes.
pub(super) fn largest(numbers: &[u32; MAX_NODES], set: Set) -> u32 {
    nodes(set).map(|node| numbers[node]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{largest, numbers};

    #[test]
    fn sets_are_apart() {
        let pairs = [[0b1001, 0b0110], [0b0010, 0b0001], [0b0100, 0b1000]];
        let found = numbers(&[0, 1, 2, 3], &pairs[..2]).unwrap();
        for [a, b] in &pairs[..2] {
            let is_below = |a, b| super::nodes(b).all(|n| found[n] > largest(&found, a));
            assert!(is_below(*a, *b) || is_below(*b, *a), "{found:?}");
        }
        assert!(numbers(&[0, 1, 2, 3], &[]).is_some());
        // Each two of three are apart from the third one's neighbours.
        let impossible = [[0b0011, 0b1100], [0b0101, 0b1010], [0b1001, 0b0110]];
        assert!(numbers(&[0, 1, 2, 3], &impossible).is_none());
    }
}
