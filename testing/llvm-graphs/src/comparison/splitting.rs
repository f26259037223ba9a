//! A model of "Beyond Relooper" (Ramsey, "Beyond Relooper: recursive translation of unstructured
//! control flow to structured control flow", ICFP 2022): the constructs that it makes, without code.
//!
//! A graph is translated along its dominator tree. A block with several forward predecessors follows
//! a labelled block that branches leave to get there, a loop header starts a loop, and every other
//! block is where its one predecessor branches. Branches leave any number of constructs, as in
//! WebAssembly, so no selector is needed. The translation takes reducible graphs; others are made
//! reducible by node splitting: while collapsing blocks into their only predecessors does not end
//! with one, the smallest region that has several predecessors is copied for all but one of them.

use trellis_structurizer::ir::Function;

/// The most blocks of a graph after node splitting.
const MOST: usize = 100_000;

/// The constructs of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nested {
    /// Blocks of the graph, with copies.
    pub blocks: usize,
    /// Of these, copies.
    pub copies: usize,
    /// Labelled blocks.
    pub labels: usize,
    /// Loops.
    pub loops: usize,
    /// The deepest nesting.
    pub depth: usize,
}

/// Returns the constructs of a function; none if node splitting makes too many copies.
pub fn beyond_relooper(func: &Function) -> Option<Nested> {
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
    let mut nested = translate(&graph);
    nested.copies = nested.blocks - before;
    Some(nested)
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

/// Collapses the graph; returns a region to be copied if more than one is left.
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

/// Returns the immediate dominator of each block of a reducible graph, by its place in the order.
fn dominators(order: &[usize], preds: &[Vec<usize>]) -> Vec<usize> {
    let mut idom = vec![usize::MAX; order.len()];
    idom[0] = 0;
    let meet = |idom: &[usize], mut a: usize, mut b: usize| {
        while a != b {
            if a > b {
                a = idom[a];
            } else {
                b = idom[b];
            }
        }
        a
    };
    // One round is enough, as all but the back edges come from blocks before.
    for at in 1..order.len() {
        for &pred in preds[at].iter().filter(|&&pred| pred < at) {
            idom[at] = match idom[at] {
                usize::MAX => pred,
                known => meet(&idom, known, pred),
            };
        }
    }
    idom
}

fn translate(graph: &[Vec<usize>]) -> Nested {
    let order = order(graph);
    let mut place = vec![usize::MAX; graph.len()];
    for (at, &block) in order.iter().enumerate() {
        place[block] = at;
    }
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (at, &block) in order.iter().enumerate() {
        for &to in &graph[block] {
            preds[place[to]].push(at);
        }
    }
    let idom = dominators(&order, &preds);
    let is_header = |at: usize| preds[at].iter().any(|&pred| pred >= at);
    let is_merge = |at: usize| preds[at].iter().filter(|&&pred| pred < at).count() > 1;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for at in 1..order.len() {
        children[idom[at]].push(at);
    }
    let mut nested = Nested {
        blocks: order.len(),
        ..Nested::default()
    };
    let mut depth = vec![0; order.len()];
    for at in 0..order.len() {
        if is_header(at) {
            nested.loops += 1;
            depth[at] += 1;
        }
        // The last one in the order follows the outermost block.
        let base = depth[at];
        let merges: Vec<usize> = children[at]
            .iter()
            .rev()
            .copied()
            .filter(|&c| is_merge(c))
            .collect();
        nested.labels += merges.len();
        for (outside, &child) in merges.iter().enumerate() {
            depth[child] = base + outside;
        }
        let own = base + merges.len();
        let branches = usize::from(graph[order[at]].len() > 1);
        for &child in children[at].iter().filter(|&&c| !is_merge(c)) {
            depth[child] = own + branches;
        }
        nested.depth = nested.depth.max(own);
    }
    nested
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_structurizer::text::parse;

    fn of(text: &str) -> Nested {
        let func = parse(text).expect("the text is a graph");
        beyond_relooper(&func).expect("it is small")
    }

    #[test]
    fn constructs_of_small_graphs() {
        let diamond = of("a: b c\nb: d\nc: d\nd: ret");
        assert_eq!((diamond.labels, diamond.loops, diamond.copies), (1, 0, 0));
        let looped = of("a: b\nb: c d\nc: b\nd: ret");
        assert_eq!((looped.labels, looped.loops, looped.copies), (0, 1, 0));
    }

    #[test]
    fn irreducible_graphs_are_split() {
        let two_entries = of("a: b c\nb: c\nc: b d\nd: ret");
        assert_eq!((two_entries.blocks, two_entries.copies), (5, 1));
        assert_eq!(two_entries.loops, 1);
    }
}
