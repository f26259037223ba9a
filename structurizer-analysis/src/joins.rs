//! Where invocations that a branch divides meet again, and the loops that they leave at different
//! times.
//!
//! A walk for each divergent branch carries a label along each of its edges, in an order of the blocks
//! in which loops are contiguous. A block that two labels reach is a *join*: its phis depend on the
//! branch. The walk ends at a block that all labels come to. (The joins of disjoint paths of Rosemann,
//! Moll and Hack, "An abstract interpretation for SPMD divergence on reducible control flow graphs",
//! 2021; labels as in LLVM's uniformity analysis.)
//!
//! If labels leave the loop around the branch before they meet, others come back to its header in
//! the same iteration, since otherwise the branch would not be part of the loop. The loop then has
//! *divergent exits*: all of its exit edges are then like the edges of one divergent branch in the
//! loop around it.
//!
//! An irreducible loop counts as one node with divergent exits. In it, values and branches are
//! divergent whatever they depend on: invocations that meet there may have taken different
//! numbers of iterations.
//!
//! Cost: a walk is linear in the blocks between the branch and where its labels meet, so that nested
//! branches may take the product of their number and depth. So all walks together have a limit,
//! [`STEPS_PER_EDGE`], beyond which every block is a join and every loop has divergent exits.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use trellis_entity::{Adjacency, EntityRef};
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Block, Function, SelectionHint, Terminator, Type};

use crate::lists::successors;

/// How many edges all walks follow, per edge and block of the graph.
const STEPS_PER_EDGE: usize = 64;

/// The number of a loop, in the order of their first blocks; outer loops come first.
pub(crate) type LoopIndex = usize;

/// A loop of the function, with the blocks of convergence regions.
#[derive(Clone, Debug)]
struct Loop {
    header: Block,
    parent: Option<LoopIndex>,
    is_irreducible: bool,
    /// The outermost irreducible loop around it, itself included.
    irreducible: Option<LoopIndex>,
    /// The positions of its blocks.
    positions: Range<usize>,
    /// One past the last loop inside.
    end: LoopIndex,
    has_divergent_exits: bool,
}

/// The loops of a function, and its blocks in an order in which the blocks of a loop are contiguous.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    all: Vec<Loop>,
    order: Vec<Block>,
    /// The position of each block in the order; `usize::MAX` for one that is not reached.
    position: Vec<usize>,
    innermost: Vec<Option<LoopIndex>>,
    /// Every loop counts as one with divergent exits.
    leave_all_apart: bool,
}

/// A block or loop, on the level of the loop around it.
#[derive(Clone, Copy)]
enum Item {
    Block(Block),
    Loop(usize),
    EndOf(LoopIndex),
}

impl Loops {
    /// Finds the loops of a function with this graph.
    pub(crate) fn of(func: &Function, graph: &FlowGraph) -> Self {
        let forest = graph.loops();
        let mut headed: Vec<Option<usize>> = vec![None; func.num_blocks()];
        for (index, info) in forest.all().iter().enumerate() {
            headed[info.header.index()] = Some(index);
        }
        // The items of each loop, and last of the function. A header is first in reverse post-order.
        let outside = forest.all().len();
        let mut items: Vec<Vec<Item>> = vec![Vec::new(); outside + 1];
        for block in graph.reverse_post_order() {
            if let Some(index) = headed[block.index()] {
                let parent = forest.all()[index].parent.unwrap_or(outside);
                items[parent].push(Item::Loop(index));
            }
            let around = forest.innermost(block).map(|info| info.header.index());
            let around = around.and_then(|header| headed[header]);
            items[around.unwrap_or(outside)].push(Item::Block(block));
        }
        let mut loops = Self {
            all: Vec::with_capacity(outside),
            order: Vec::with_capacity(func.num_blocks()),
            position: vec![usize::MAX; func.num_blocks()],
            innermost: vec![None; func.num_blocks()],
            leave_all_apart: false,
        };
        let mut around: Vec<LoopIndex> = Vec::new();
        let mut work: Vec<Item> = items[outside].drain(..).rev().collect();
        while let Some(item) = work.pop() {
            match item {
                Item::Block(block) => {
                    loops.position[block.index()] = loops.order.len();
                    loops.innermost[block.index()] = around.last().copied();
                    loops.order.push(block);
                }
                Item::Loop(index) => {
                    let info = forest.all()[index];
                    let parent = around.last().copied();
                    let number = loops.all.len();
                    let outer = parent.and_then(|parent| loops.all[parent].irreducible);
                    loops.all.push(Loop {
                        header: info.header,
                        parent,
                        is_irreducible: info.irreducible,
                        irreducible: outer.or(info.irreducible.then_some(number)),
                        positions: loops.order.len()..loops.order.len(),
                        end: number + 1,
                        has_divergent_exits: false,
                    });
                    around.push(number);
                    work.push(Item::EndOf(number));
                    work.extend(items[index].drain(..).rev());
                }
                Item::EndOf(number) => {
                    loops.all[number].positions.end = loops.order.len();
                    loops.all[number].end = loops.all.len();
                    around.pop();
                }
            }
        }
        loops
    }

    /// Returns the reached blocks. The blocks of a loop are contiguous.
    pub(crate) fn order(&self) -> &[Block] {
        &self.order
    }

    /// Returns the header of a loop.
    pub(crate) fn header(&self, l: LoopIndex) -> Block {
        self.all[l].header
    }

    /// Returns the loop around a loop.
    pub(crate) fn parent(&self, l: LoopIndex) -> Option<LoopIndex> {
        self.all[l].parent
    }

    /// Returns whether some edge enters a loop elsewhere than at its header.
    pub(crate) fn is_irreducible(&self, l: LoopIndex) -> bool {
        self.all[l].is_irreducible
    }

    /// Returns the innermost loop around a block.
    pub(crate) fn innermost(&self, block: Block) -> Option<LoopIndex> {
        *self.innermost.get(block.index())?
    }

    /// Returns the outermost irreducible loop around a block.
    pub(crate) fn irreducible(&self, block: Block) -> Option<LoopIndex> {
        self.all[self.innermost(block)?].irreducible
    }

    /// Returns whether the entry leads to a block.
    pub(crate) fn is_reached(&self, block: Block) -> bool {
        self.position
            .get(block.index())
            .is_some_and(|&p| p != usize::MAX)
    }

    /// Returns whether a block is in a loop.
    pub(crate) fn contains(&self, l: LoopIndex, block: Block) -> bool {
        let position = self.position.get(block.index());
        position.is_some_and(|position| self.all[l].positions.contains(position))
    }

    /// Returns a loop and the loops inside.
    pub(crate) fn with_inner(&self, l: LoopIndex) -> Range<LoopIndex> {
        l..self.all[l].end
    }

    /// Returns the number of loops.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether invocations that run a block in a loop together may come to another block
    /// after different numbers of iterations of a loop around the first that the second is not in.
    pub(crate) fn leave_apart(&self, from: Block, to: Block) -> bool {
        let mut around = self.innermost(from);
        while let Some(l) = around.filter(|&l| !self.contains(l, to)) {
            if self.leave_all_apart || self.all[l].has_divergent_exits {
                return true;
            }
            around = self.all[l].parent;
        }
        false
    }
}

/// The effect of a divergent branch on a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// The phis of the block.
    Join(Block),
    /// The uses of values of the loop outside of it.
    Exits(LoopIndex),
    /// Every block is a join, and every loop has divergent exits.
    Everything,
}

/// A divergent branch, or the exits of a loop.
#[derive(Clone, Copy)]
enum Source {
    Branch(Block),
    Exits(LoopIndex),
}

/// A label; 0 is none.
type Label = u32;

/// The walks.
pub(crate) struct Joins<'a> {
    func: &'a Function,
    /// The distinct successors of each block. A block in a convergence region leads to the loop's
    /// header as well.
    succs: Adjacency<Block, Block>,
    pub(crate) loops: Loops,
    /// Edges that may still be followed.
    steps: usize,
    /// True when there are no more.
    is_spent: bool,
    /// The label that reached each block in the current walk.
    labels: Vec<Label>,
    labelled: Vec<Block>,
    last_label: Label,
    /// The positions of blocks that labels reached and that were not visited yet.
    pending: BinaryHeap<Reverse<usize>>,
    /// A label left the loop around the source.
    leaves: bool,
    /// A label reached the header of the loop around the source.
    comes_back: bool,
    effects: Vec<Effect>,
    work: Vec<Source>,
}

impl<'a> Joins<'a> {
    pub(crate) fn new(func: &'a Function) -> Self {
        let with_regions = with_region_edges(func);
        let graph = with_regions.as_ref().unwrap_or(func);
        let succs = successors(graph);
        Self {
            func,
            loops: Loops::of(graph, &FlowGraph::of(graph)),
            steps: STEPS_PER_EDGE.saturating_mul(succs.items().len() + func.num_blocks()),
            succs,
            is_spent: false,
            labels: vec![0; func.num_blocks()],
            labelled: Vec::new(),
            last_label: 0,
            pending: BinaryHeap::new(),
            leaves: false,
            comes_back: false,
            effects: Vec::new(),
            work: Vec::new(),
        }
    }

    /// Finds the effects of all irreducible loops.
    pub(crate) fn leave_irreducible_loops(&mut self) {
        for l in 0..self.loops.len() {
            if self.loops.all[l].irreducible == Some(l) {
                self.diverge(l);
            }
        }
    }

    /// Finds the effects of a divergent branch.
    pub(crate) fn divide(&mut self, block: Block) {
        // Everything in an irreducible loop is divergent, and its exits are.
        if self.loops.irreducible(block).is_none() {
            self.work.push(Source::Branch(block));
        }
    }

    /// Takes steps for other work that the limit is to bound. Returns false if there are too few: then
    /// the next effect is [`Effect::Everything`].
    pub(crate) fn take_steps(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        self.is_spent |= left.is_none();
        left.is_some()
    }

    /// Returns an effect that was not returned before; none if there are no more.
    pub(crate) fn next_effect(&mut self) -> Option<Effect> {
        while self.effects.is_empty()
            && !self.is_spent
            && let Some(source) = self.work.pop()
        {
            let is_done = self.walk(source).is_some();
            self.is_spent |= !is_done;
            for block in self.labelled.drain(..) {
                self.labels[block.index()] = 0;
            }
            self.pending.clear();
            self.leaves = false;
            self.comes_back = false;
        }
        if self.is_spent {
            self.work.clear();
            self.effects.clear();
            let is_new = !core::mem::replace(&mut self.loops.leave_all_apart, true);
            return is_new.then_some(Effect::Everything);
        }
        self.effects.pop()
    }

    fn diverge(&mut self, l: LoopIndex) {
        if !core::mem::replace(&mut self.loops.all[l].has_divergent_exits, true) {
            self.effects.push(Effect::Exits(l));
            self.work.push(Source::Exits(l));
        }
    }

    /// Follows the labels of a source. Returns none if that takes too long, or where loops are entered
    /// in a way that the order of the blocks cannot show.
    fn walk(&mut self, source: Source) -> Option<()> {
        let around = match source {
            Source::Branch(block) => {
                let around = self.loops.innermost(block);
                self.leave_block(block, around, None)?;
                around
            }
            Source::Exits(l) => {
                let around = self.loops.all[l].parent;
                self.leave_loop(l, around)?;
                around
            }
        };
        while let Some(Reverse(position)) = self.pending.pop() {
            if self.pending.is_empty() && !self.leaves && !self.comes_back {
                return Some(());
            }
            let block = self.loops.order[position];
            let label = self.labels[block.index()];
            match self.loops.irreducible(block) {
                Some(l) => self.leave_loop(l, around)?,
                None => self.leave_block(block, around, Some(label))?,
            }
        }
        if let Some(l) = around.filter(|_| self.leaves) {
            self.diverge(l);
        }
        Some(())
    }

    /// Carries a label along the edges of a block, or a new one along each.
    fn leave_block(
        &mut self,
        block: Block,
        around: Option<LoopIndex>,
        label: Option<Label>,
    ) -> Option<()> {
        let count = self.succs.get(block).len();
        if !self.take_steps(count + 1) {
            return None;
        }
        for index in 0..count {
            let to = self.succs.get(block)[index];
            self.arrive(block, to, around, label)?;
        }
        Some(())
    }

    /// Carries a new label along each exit edge of a loop.
    fn leave_loop(&mut self, l: LoopIndex, around: Option<LoopIndex>) -> Option<()> {
        for position in self.loops.all[l].positions.clone() {
            let block = self.loops.order[position];
            let count = self.succs.get(block).len();
            if !self.take_steps(count + 1) {
                return None;
            }
            for index in 0..count {
                let to = self.succs.get(block)[index];
                if !self.loops.contains(l, to) {
                    self.arrive(block, to, around, None)?;
                }
            }
        }
        Some(())
    }

    /// Carries a label to a block, or a new one.
    fn arrive(
        &mut self,
        from: Block,
        to: Block,
        around: Option<LoopIndex>,
        label: Option<Label>,
    ) -> Option<()> {
        let (from_position, position) = (
            self.loops.position[from.index()],
            self.loops.position[to.index()],
        );
        let is_outside = around.is_some_and(|l| !self.loops.contains(l, to));
        let is_back = !is_outside && position <= from_position;
        if is_back && !self.is_header_around(from, to) {
            return None;
        }
        if is_back && around.is_none_or(|l| self.loops.all[l].header != to) {
            // Of a loop inside, whose blocks all have the label of its header.
            return Some(());
        }
        let label = label.unwrap_or_else(|| self.new_label());
        let old = self.labels[to.index()];
        if old == label {
            return Some(());
        }
        if old != 0 {
            self.labels[to.index()] = self.new_label();
            self.effects.push(Effect::Join(to));
            return Some(());
        }
        self.labels[to.index()] = label;
        self.labelled.push(to);
        if is_back {
            self.comes_back = true;
        } else if !is_outside {
            self.pending.push(Reverse(position));
        } else {
            self.leaves |= !self.is_end(to);
        }
        Some(())
    }

    fn new_label(&mut self) -> Label {
        self.last_label += 1;
        self.last_label
    }

    fn is_header_around(&self, block: Block, header: Block) -> bool {
        let l = self.loops.innermost(header);
        l.is_some_and(|l| self.loops.all[l].header == header && self.loops.contains(l, block))
    }

    /// Returns whether invocations do nothing but end in a block.
    fn is_end(&self, block: Block) -> bool {
        let ends = matches!(
            self.func.terminator(block),
            Some(Terminator::Kill | Terminator::Unreachable | Terminator::Return(None))
        );
        ends && self.func.is_empty_block(block)
    }
}

/// Returns a graph of a function's blocks in which a further edge leads from each block of a
/// convergence region to the header of the loop; none if there are no regions.
fn with_region_edges(func: &Function) -> Option<Function> {
    if func.blocks().all(|b| func.convergence_region(b).is_none()) {
        return None;
    }
    let mut graph = Function::with_capacity(func.num_blocks(), 0, 1);
    let value = graph.add_constant(0, Type::SELECTOR);
    for _ in func.blocks() {
        graph.add_block();
    }
    for block in func.blocks() {
        let targets = func.successors(block).chain(func.convergence_region(block));
        let targets: Vec<(u64, Block)> = (0u64..).zip(targets).collect();
        let terminator = match targets.split_first() {
            None => Terminator::Return(None),
            Some((&(_, default), cases)) => Terminator::Switch {
                value,
                default,
                cases: graph.add_cases(cases),
                hint: SelectionHint::None,
            },
        };
        graph.set_terminator(block, terminator);
    }
    Some(graph)
}
