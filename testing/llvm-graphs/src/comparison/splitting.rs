//! A model of "Beyond Relooper" (Ramsey, "Beyond Relooper: recursive translation of unstructured
//! control flow to structured control flow", ICFP 2022): the number of blocks, without code.
//!
//! Every branch leaves any number of constructs, as in WebAssembly, so no selector is needed and a
//! reducible graph keeps its blocks and branches. Other graphs are made reducible by node splitting:
//! while collapsing blocks into their only predecessors does not end with one, the smallest region
//! that has several predecessors is copied for all but one of them.

use trellis_structurizer::ir::Function;

/// The most blocks of a graph after node splitting.
const MOST: usize = 100_000;

/// Numbers of blocks after node splitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Blocks of the graph, with copies.
    pub blocks: usize,
    /// Of these, copies.
    pub copies: usize,
}

/// Returns the numbers of blocks of a function; none if node splitting makes too many copies.
pub fn beyond_relooper(func: &Function) -> Option<Split> {
    let index = |block: trellis_structurizer::ir::Block| block.as_u32() as usize;
    let mut graph: Vec<Vec<usize>> = func
        .blocks()
        .map(|block| func.successors(block).map(index).collect())
        .collect();
    let before = order(&graph).len();
    while let Some(region) = irreducible_region(&graph) {
        split(&mut graph, &region);
        if graph.len() > MOST {
            return None;
        }
    }
    let blocks = order(&graph).len();
    let copies = blocks - before;
    Some(Split { blocks, copies })
}

/// Returns the blocks that are reached, in reverse post-order.
fn order(graph: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        let Some(&to) = graph[*block].get(*next) else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut seen[to], true) {
            stack.push((to, 0));
        }
    }
    order.reverse();
    order
}

/// A region that is entered at its first block only, from several others.
struct Region {
    blocks: Vec<usize>,
    /// The blocks of one of the regions that lead there.
    pred: Vec<usize>,
}

/// Collapses the graph; returns a region to be copied if more than one remains.
fn irreducible_region(graph: &[Vec<usize>]) -> Option<Region> {
    let order = order(graph);
    // The region of each block, and the blocks of each.
    let mut region: Vec<usize> = (0..graph.len()).collect();
    let mut blocks: Vec<Vec<usize>> = (0..graph.len()).map(|block| vec![block]).collect();
    loop {
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
        for &block in &order {
            for &to in &graph[block] {
                let (from, to) = (region[block], region[to]);
                if from != to && !preds[to].contains(&from) {
                    preds[to].push(from);
                }
            }
        }
        let mut changed = false;
        for &block in &order {
            let at = region[block];
            if at != block || at == 0 {
                continue;
            }
            if let [only] = preds[at][..] {
                // It may have been merged in this round.
                let into = region[only];
                if into != at {
                    let moved = std::mem::take(&mut blocks[at]);
                    for &block in &moved {
                        region[block] = into;
                    }
                    blocks[into].extend(moved);
                    changed = true;
                    break;
                }
            }
        }
        if !changed {
            let left = order
                .iter()
                .filter(|&&block| region[block] == block && block != 0);
            let smallest = left.min_by_key(|&&at| blocks[at].len() * (preds[at].len() - 1))?;
            return Some(Region {
                blocks: blocks[*smallest].clone(),
                pred: blocks[preds[*smallest][0]].clone(),
            });
        }
    }
}

/// Copies a region for one of its predecessors.
fn split(graph: &mut Vec<Vec<usize>>, region: &Region) {
    let first = graph.len();
    let copy = |to: usize| {
        let at = region.blocks.iter().position(|&block| block == to);
        at.map_or(to, |at| first + at)
    };
    let copies: Vec<Vec<usize>> = region
        .blocks
        .iter()
        .map(|&block| graph[block].iter().map(|&to| copy(to)).collect())
        .collect();
    graph.extend(copies);
    for &block in &region.pred {
        for to in &mut graph[block] {
            if *to == region.blocks[0] {
                *to = first;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_structurizer::text::parse;

    fn of(text: &str) -> Split {
        let func = parse(text).expect("the text is a graph");
        beyond_relooper(&func).expect("it is small")
    }

    #[test]
    fn only_irreducible_graphs_are_split() {
        let reducible = of("a: b c\nb: d\nc: d e\nd: ret\ne: c");
        assert_eq!((reducible.blocks, reducible.copies), (5, 0));
        let two_entries = of("a: b c\nb: c\nc: b d\nd: ret");
        assert_eq!((two_entries.blocks, two_entries.copies), (5, 1));
    }
}
