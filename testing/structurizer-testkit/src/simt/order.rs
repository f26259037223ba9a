//! A loop-contiguous reverse post-order, by strongly connected components.
//!
//! The obvious way, independent of the passes: the components of a region in topological order;
//! each component with a cycle is a loop, whose entries are its headers; without the edges to the
//! headers the component is a region again. A block in a convergence region has an edge to the header
//! of the loop.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function};

/// No loop, no position.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) depth: i64,
    pub(super) start: u32,
    /// One past the last position of the loop.
    pub(super) end: u32,
    headers: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Position of each block; [`NONE`] if unreachable.
    pub(super) position: Vec<u32>,
    /// The loop that a block is a header of.
    pub(super) header_of: Vec<u32>,
    pub(super) loops: Vec<Loop>,
}

/// Returns whether each cycle of the reachable graph has a single entry.
pub fn is_reducible(func: &Function) -> bool {
    Order::new(func).is_reducible()
}

/// A part of the graph still to be put in order, last first.
enum Work {
    Region(Vec<u32>, i64),
    Place(u32),
    Open(u32),
    Close(u32),
}

impl Order {
    /// Returns whether each loop has one entry.
    pub(super) fn is_reducible(&self) -> bool {
        self.loops.iter().all(|l| l.headers == 1)
    }

    pub(super) fn new(func: &Function) -> Self {
        let count = func.num_blocks();
        let mut order = Order {
            position: vec![NONE; count],
            header_of: vec![NONE; count],
            loops: Vec::new(),
        };
        let reached = reached(func);
        // Blocks of the current region have this stamp.
        let mut region_of = vec![NONE; count];
        let mut stamp = 0;
        let mut placed = 0;
        let mut work = vec![Work::Region(reached, 0)];
        while let Some(next) = work.pop() {
            match next {
                Work::Place(block) => {
                    order.position[block as usize] = placed;
                    placed += 1;
                }
                Work::Open(index) => order.loops[index as usize].start = placed,
                Work::Close(index) => order.loops[index as usize].end = placed,
                Work::Region(blocks, depth) => {
                    for &block in &blocks {
                        region_of[block as usize] = stamp;
                    }
                    order.split(func, &blocks, depth, &region_of, stamp, &mut work);
                    stamp += 1;
                }
            }
        }
        order
    }

    /// Pushes the components of a region, the first on top.
    fn split(
        &mut self,
        func: &Function,
        blocks: &[u32],
        depth: i64,
        region_of: &[u32],
        stamp: u32,
        work: &mut Vec<Work>,
    ) {
        let edges: Vec<Vec<u32>> = blocks
            .iter()
            .map(|&block| {
                let block = Block::new(block as usize);
                let successors = func.successors(block).chain(func.convergence_region(block));
                successors
                    .map(|to| to.index() as u32)
                    .filter(|&to| {
                        region_of[to as usize] == stamp && self.header_of[to as usize] == NONE
                    })
                    .collect()
            })
            .collect();
        let mut local = vec![NONE; region_of.len().min(func.num_blocks())];
        for (index, &block) in blocks.iter().enumerate() {
            local[block as usize] = index as u32;
        }
        let components = components(&edges, &local);
        // Components come in reverse topological order, so the first one ends up on top of the
        // stack.
        let mut component_of = vec![NONE; blocks.len()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node as usize] = number as u32;
            }
        }
        let mut entered = vec![false; blocks.len()];
        for (node, targets) in edges.iter().enumerate() {
            for &to in targets {
                let to = local[to as usize] as usize;
                entered[to] |= component_of[node] != component_of[to];
            }
        }
        for component in components {
            let cyclic = component.len() > 1
                || edges[component[0] as usize].contains(&blocks[component[0] as usize]);
            if !cyclic {
                work.push(Work::Place(blocks[component[0] as usize]));
                continue;
            }
            let index = self.loops.len() as u32;
            let mut headers = 0;
            for &node in &component {
                let block = blocks[node as usize];
                // Entered from the component before, or from around the region: the entry, or a
                // block that a header of the loop around precedes.
                let from_outside = entered[node as usize] || block == 0;
                if from_outside {
                    self.header_of[block as usize] = index;
                    headers += 1;
                }
            }
            self.loops.push(Loop {
                depth: depth + 1,
                start: 0,
                end: 0,
                headers,
            });
            let inside = component
                .iter()
                .map(|&node| blocks[node as usize])
                .collect();
            work.push(Work::Close(index));
            work.push(Work::Region(inside, depth + 1));
            work.push(Work::Open(index));
        }
    }
}

fn reached(func: &Function) -> Vec<u32> {
    let mut seen = vec![false; func.num_blocks()];
    let mut list = Vec::new();
    let mut stack: Vec<u32> = func
        .entry()
        .map(|block| block.index() as u32)
        .into_iter()
        .collect();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block as usize], true) {
            list.push(block);
            stack.extend(
                func.successors(Block::new(block as usize))
                    .map(|to| to.index() as u32),
            );
        }
    }
    list
}

/// Returns the strongly connected components by Tarjan's algorithm, in reverse topological order.
/// `edges` name blocks, `local` turns them into indices of `edges`.
fn components(edges: &[Vec<u32>], local: &[u32]) -> Vec<Vec<u32>> {
    let count = edges.len();
    let (mut number, mut low) = (vec![NONE; count], vec![0u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut result, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..count {
        if number[root] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
            if *edge == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node as u32);
                on_stack[node] = true;
            }
            let target = edges[node]
                .get(*edge)
                .map(|&to| local[to as usize] as usize);
            *edge += 1;
            match target {
                Some(to) if number[to] == NONE => calls.push((to, 0)),
                Some(to) => {
                    if on_stack[to] {
                        low[node] = low[node].min(number[to]);
                    }
                }
                None => {
                    calls.pop();
                    if let Some(&(caller, _)) = calls.last() {
                        low[caller] = low[caller].min(low[node]);
                    }
                    if low[node] == number[node] {
                        let at = stack
                            .iter()
                            .rposition(|&other| other as usize == node)
                            .unwrap_or(0);
                        let component = stack.split_off(at);
                        for &node in &component {
                            on_stack[node as usize] = false;
                        }
                        result.push(component);
                    }
                }
            }
        }
    }
    result
}
