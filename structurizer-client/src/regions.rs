//! Convergence regions of loops that are declared in the input ([`ControlFlow::loop_merge`]).
//!
//! Code in a loop construct of SPIR-V runs with the invocations of one iteration, also where it
//! does not lead back to the header: `if (found) { x = subgroupAdd(1); break; }`. Such a block with
//! convergent instructions is put into the region of the innermost loop that has it in its
//! construct and not in its cycle, and the header of that loop into a region further out by the
//! same rule.
//!
//! The construct is the set of blocks that the header dominates and the merge block does not. Where
//! declarations are wrong, regions are wrong, too, and the result is still valid. Linear in the
//! function.
//!
//! [`ControlFlow::loop_merge`]: crate::ControlFlow::loop_merge

use alloc::vec;
use alloc::vec::Vec;

use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Block, Function};

/// Puts blocks with convergent instructions into regions of loops, which are given as
/// `(header, merge block)`.
pub(crate) fn set(func: &mut Function, loops: &[(Block, Block)], convergent: &[Block]) {
    if loops.is_empty() || convergent.is_empty() {
        return;
    }
    let index = |block: Block| block.as_u32() as usize;
    let graph = FlowGraph::of(func);
    let dominators = graph.dominators();
    let cycles = Cycles::of(func, &graph);
    let mut is_loop = vec![false; func.num_blocks()];
    let mut ends = vec![None; func.num_blocks()];
    for &(header, merge) in loops {
        is_loop[index(header)] = true;
        if let Some(end) = ends.get_mut(index(merge)) {
            *end = Some(header);
        }
    }
    // The header of the innermost construct around each block, and the number of constructs.
    let mut around: Vec<(Option<Block>, u32)> = vec![(None, 0); func.num_blocks()];
    let mut is_cycle = vec![false; func.num_blocks()];
    for block in graph.reverse_post_order() {
        let mut outer = match dominators.parent(block) {
            Some(up) if is_loop[index(up)] => (Some(up), around[index(up)].1 + 1),
            Some(up) => around[index(up)],
            None => (None, 0),
        };
        if let Some(header) = ends[index(block)]
            && dominators.dominates(header, block)
            && around[index(header)].1 < outer.1
        {
            outer = around[index(header)];
        }
        around[index(block)] = outer;
        for to in func.successors(block) {
            is_cycle[index(to)] |= dominators.dominates(to, block);
        }
    }
    let mut seen = vec![false; func.num_blocks()];
    for &block in convergent {
        let mut at = block;
        while let Some(header) = around[index(at)].0 {
            if is_cycle[index(header)] && !cycles.is_inside(at, header) {
                func.set_convergence_region(at, Some(header));
            }
            if core::mem::replace(&mut seen[index(header)], true) {
                break;
            }
            at = header;
        }
    }
}

/// The cycles of a function as intervals.
struct Cycles {
    /// The number of the innermost cycle of each block.
    of_block: Vec<Option<u32>>,
    /// The numbers of the cycles that each header's one contains, itself included.
    of_header: Vec<(u32, u32)>,
}

impl Cycles {
    fn of(func: &Function, graph: &FlowGraph) -> Self {
        let forest = graph.loops();
        let all = forest.all();
        // Outer loops come before those inside.
        let mut size = vec![1; all.len()];
        for (number, cycle) in all.iter().enumerate().rev() {
            if let Some(parent) = cycle.parent {
                size[parent] += size[number];
            }
        }
        let mut start = vec![0; all.len()];
        let (mut next, mut next_root) = (vec![0; all.len()], 0);
        let mut of_header = vec![(0, 0); func.num_blocks()];
        for (number, cycle) in all.iter().enumerate() {
            let from = match cycle.parent {
                Some(parent) => &mut next[parent],
                None => &mut next_root,
            };
            start[number] = *from;
            *from += size[number];
            next[number] = start[number] + 1;
            let interval = (start[number], start[number] + size[number]);
            of_header[cycle.header.as_u32() as usize] = interval;
        }
        let number = |block: Block| {
            let header = forest.innermost(block)?.header;
            Some(of_header[header.as_u32() as usize].0)
        };
        Self {
            of_block: func.blocks().map(number).collect(),
            of_header,
        }
    }

    /// Returns whether a block is in the cycle of a header.
    fn is_inside(&self, block: Block, header: Block) -> bool {
        let (start, end) = self.of_header[header.as_u32() as usize];
        let number = self.of_block[block.as_u32() as usize];
        number.is_some_and(|number| (start..end).contains(&number))
    }
}
