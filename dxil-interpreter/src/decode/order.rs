//! The order in which the lanes of a wave run: a reverse post-order of the blocks in which every
//! loop is contiguous.
//!
//! A region's strongly connected components come in topological order. A component with a cycle is
//! a loop; the blocks by which it is entered are its headers. Without the edges to the headers, its
//! blocks are a region again. After the blocks of a loop comes a rank for its latch: lanes that
//! take a back edge wait there until no lane remains in the loop, however many back edges there
//! are, so that all start the next iteration together.

use trellis_entity::{PackedOption, PrimaryMap, entity_impl};

use crate::error::{Error, Quantity, bounded};
use crate::program::{Label, LoopId, Order};

const NONE: u32 = u32::MAX;
/// Most steps of the search, which are edges times nesting depth.
const MAX_WORK: u64 = 1 << 28;

/// The entry of the graph.
const ENTRY: Label = Label::from_u32(0);

/// A block, numbered within the current region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Node(u32);
entity_impl!(Node, "node");

enum Work {
    Region(PrimaryMap<Node, Label>),
    Place(Label),
    Open(LoopId),
    Close(LoopId),
}

struct Search<'g> {
    successors: &'g PrimaryMap<Label, Vec<Label>>,
    order: Order,
    /// Blocks of the current region have this region's number.
    region: PrimaryMap<Label, u32>,
    /// Node of a block in the current region.
    local: PrimaryMap<Label, PackedOption<Node>>,
    spent: u64,
}

/// Returns the order of a graph whose entry is block 0. Blocks that cannot be reached have rank
/// `u32::MAX`.
pub(super) fn order(successors: &PrimaryMap<Label, Vec<Label>>) -> Result<Order, Error> {
    let count = successors.len();
    let order = Order {
        rank: vec![NONE; count].into(),
        header_of: vec![PackedOption::default(); count].into(),
        loops: PrimaryMap::new(),
    };
    let mut search = Search {
        successors,
        order,
        region: vec![NONE; count].into(),
        local: vec![PackedOption::default(); count].into(),
        spent: 0,
    };
    let mut work = vec![Work::Region(reachable(successors))];
    let (mut rank, mut regions) = (0, 0);
    while let Some(next) = work.pop() {
        match next {
            Work::Place(block) => {
                search.order.rank[block] = rank;
                rank += 1;
            }
            Work::Open(number) => search.order.loops[number].0 = rank,
            Work::Close(number) => {
                search.order.loops[number].1 = rank;
                rank += 1;
            }
            Work::Region(blocks) => {
                for (node, &block) in blocks.iter() {
                    search.region[block] = regions;
                    search.local[block] = node.into();
                }
                search.split(&blocks, regions, &mut work)?;
                regions += 1;
            }
        }
    }
    Ok(search.order)
}

fn reachable(successors: &PrimaryMap<Label, Vec<Label>>) -> PrimaryMap<Node, Label> {
    let mut seen = PrimaryMap::from(vec![false; successors.len()]);
    let mut blocks = PrimaryMap::new();
    let mut stack = Vec::new();
    stack.extend(successors.is_valid(ENTRY).then_some(ENTRY));
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            blocks.push(block);
            stack.extend(&successors[block]);
        }
    }
    blocks
}

impl Search<'_> {
    /// Pushes the components of a region so that the topologically first is on top.
    fn split(
        &mut self,
        blocks: &PrimaryMap<Node, Label>,
        region: u32,
        work: &mut Vec<Work>,
    ) -> Result<(), Error> {
        let edges: PrimaryMap<Node, Vec<Node>> = blocks
            .values()
            .map(|&block| {
                let inside =
                    |&&to: &&Label| self.region[to] == region && self.order.header_of[to].is_none();
                self.successors[block]
                    .iter()
                    .filter(inside)
                    .filter_map(|&to| self.local[to].expand())
                    .collect()
            })
            .collect();
        self.spent += edges
            .values()
            .map(|targets| targets.len() as u64 + 1)
            .sum::<u64>();
        bounded(Quantity::LoopEdges, self.spent, MAX_WORK)?;
        // They come last first, which is the order for a stack.
        let components = components(&edges);
        let mut component_of = PrimaryMap::from(vec![NONE; blocks.len()]);
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node] = number as u32;
            }
        }
        let mut entered = PrimaryMap::from(vec![false; blocks.len()]);
        for (node, targets) in edges.iter() {
            for &to in targets {
                entered[to] |= component_of[node] != component_of[to];
            }
        }
        for component in components {
            let first = component[0];
            if component.len() == 1 && !edges[first].contains(&first) {
                work.push(Work::Place(blocks[first]));
                continue;
            }
            let number = self.order.loops.push((0, 0));
            let mut any = false;
            for &node in &component {
                // The entry of the graph needs no edge to be entered by.
                if entered[node] || blocks[node] == ENTRY {
                    self.order.header_of[blocks[node]] = number.into();
                    any = true;
                }
            }
            if !any {
                // Cannot be, as every region is entered from the entry or from its headers, which
                // stay in it.
                self.order.header_of[blocks[first]] = number.into();
            }
            work.push(Work::Close(number));
            work.push(Work::Region(
                component.iter().map(|&node| blocks[node]).collect(),
            ));
            work.push(Work::Open(number));
        }
        Ok(())
    }
}

/// Returns the strongly connected components by Tarjan's algorithm, with an explicit stack; in
/// reverse topological order.
fn components(edges: &PrimaryMap<Node, Vec<Node>>) -> Vec<Vec<Node>> {
    let count = edges.len();
    let mut number = PrimaryMap::from(vec![NONE; count]);
    let mut low = PrimaryMap::from(vec![0u32; count]);
    let mut open = PrimaryMap::from(vec![false; count]);
    let (mut stack, mut result, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for root in edges.keys() {
        if number[root] != NONE {
            continue;
        }
        calls.push((root, 0usize));
        while let Some((node, edge)) = calls.last_mut() {
            let node = *node;
            if *edge == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                open[node] = true;
            }
            let target = edges[node].get(*edge).copied();
            *edge += 1;
            if let Some(to) = target {
                if number[to] == NONE {
                    calls.push((to, 0));
                } else if open[to] {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
            if low[node] == number[node] {
                let start = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = stack.split_off(start);
                for &member in &component {
                    open[member] = false;
                }
                result.push(component);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of a graph, with ranks by number.
    struct Ranks {
        order: Order,
        rank: Vec<u32>,
        loops: Vec<(u32, u32)>,
    }

    impl Ranks {
        fn arrival(&self, from: u32, to: u32) -> u32 {
            self.order
                .arrival(Label::from_u32(from), Label::from_u32(to))
        }
    }

    fn ranks(edges: &[&[u32]]) -> Ranks {
        let labels = |targets: &&[u32]| targets.iter().copied().map(Label::from_u32).collect();
        let order = order(&edges.iter().map(labels).collect()).expect("small");
        Ranks {
            rank: order.rank.values().copied().collect(),
            loops: order.loops.values().copied().collect(),
            order,
        }
    }

    #[test]
    fn a_join_comes_after_both_sides() {
        let order = ranks(&[&[1, 2], &[3], &[3], &[]]);
        assert!(
            order.rank[3] > order.rank[1] && order.rank[3] > order.rank[2] && order.rank[0] == 0
        );
    }

    #[test]
    fn what_follows_a_loop_comes_after_its_latch() {
        // 0 → 1 (header) → 2 (exits to 4) → 3 → 1
        let order = ranks(&[&[1], &[2], &[3, 4], &[1], &[]]);
        let (first, latch) = order.loops[0];
        assert_eq!((first, order.rank[1]), (1, 1));
        assert!(order.rank[3] < latch && latch < order.rank[4]);
        assert_eq!(order.arrival(3, 1), latch);
        assert_eq!(order.arrival(0, 1), order.rank[1]);
        assert_eq!(order.arrival(2, 4), order.rank[4]);
    }

    #[test]
    fn nested_loops_have_latches_of_their_own() {
        // 0 → 1 (outer) → 2 (inner, repeats itself) → 3 → 1; 3 → 4
        let order = ranks(&[&[1], &[2], &[2, 3], &[1, 4], &[]]);
        let inner = order.arrival(2, 2);
        let outer = order.arrival(3, 1);
        assert!(
            order.rank[2] < inner
                && inner < order.rank[3]
                && order.rank[3] < outer
                && outer < order.rank[4]
        );
    }

    #[test]
    fn a_cycle_with_two_entries_is_one_loop() {
        let order = ranks(&[&[1, 2], &[2, 3], &[1], &[]]);
        assert_eq!(order.loops.len(), 1);
        assert_eq!(order.arrival(1, 2), order.arrival(2, 1));
        assert!(order.rank[3] > order.loops[0].1);
    }

    #[test]
    fn an_inner_loop_that_only_the_outer_header_enters() {
        // 0 ⇄ 1, 1 repeats: both edges into 1 come from a header or itself.
        let order = ranks(&[&[1], &[1, 0, 2], &[]]);
        assert_eq!(order.loops.len(), 2);
        assert!(order.arrival(1, 1) < order.arrival(1, 0));
        assert!(order.rank[2] > order.arrival(1, 0));
    }
}
