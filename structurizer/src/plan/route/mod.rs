//! Routing: which blocks the output has, and to which block each branch leads.
//!
//! The walk follows the placement tree with a stack of steps: a *region* (a node and its subtree),
//! a *merge block* and the nodes that follow it, a loop's end. Everything that can arrive at a
//! merge block has been routed before it, so its pending targets are known, and whether a selector
//! is needed at all.

mod branch;
mod branch_merges;
mod destination;
mod exit_blocks;
mod labels;
mod latches;
mod merge;
mod pending;
mod region;
mod slots;
mod switch;
mod targets;
mod unused;

use alloc::vec::Vec;
use core::ops::Range;

use self::destination::{Continuation, Destination, OpenScope};
use self::labels::Labels;
use self::pending::PendingEdges;
use self::slots::Slots;
use self::switch::SwitchEdges;
use self::targets::Targets;
use self::unused::Unused;
use super::blocks::{
    Assigning, Blocks, Ending, OutEdge, OutEdgeData, PlannedBlock, Selector, SwitchTarget, Test,
};
use super::positions::Position;
use super::scopes::Scope;
use super::{Context, Shape};
use crate::analysis::loops::Loop;
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, SelectionHint};
use crate::maps::FxHashMap;
use crate::passes::{Edge, Node};
use crate::remark::{Decision, Remarks};
use crate::result::{Merge, StageError};
use crate::stage::Stage;

/// Routes the whole function.
pub(super) fn route(
    cx: Context<'_>,
    shape: &Shape,
    walk: &mut Walk,
    remarks: &mut Remarks,
) -> Result<Blocks, StageError> {
    let mut router = Router::new(cx, shape, walk, remarks);
    let start = Continuation::end_of(Scope::FUNCTION);
    router.walk.steps.push(Step::Region(Node::ENTRY, start));
    while let Some(step) = router.walk.steps.pop() {
        match step {
            Step::Region(node, at) => router.region(node, at)?,
            Step::Merge(block, following, at) => router.merge(block, following, at)?,
            Step::LoopEnd(l) => router.loop_end(l)?,
        }
    }
    // Aliases first: the steps after this one compare the blocks that edges lead to.
    router.resolve_aliases();
    router.remove_unused();
    router.close_loops();
    router.declare_merges();
    router.remark_breakable();
    router.walk.pending_edges = router.pending_edges.into_lists();
    Ok(router.out)
}

/// A step of the walk.
enum Step {
    Region(Node, Continuation),
    Merge(Block, NodeList, Continuation),
    LoopEnd(Loop),
}

/// A range of [`Walk::lists`], of 32 bits as nodes are: each is in few lists.
#[derive(Clone, Copy)]
struct NodeList {
    next: u32,
    end: u32,
}

impl NodeList {
    const EMPTY: Self = Self { next: 0, end: 0 };

    fn new(range: Range<usize>) -> Self {
        Self {
            next: range.start as u32,
            end: range.end as u32,
        }
    }

    fn range(self) -> Range<usize> {
        self.next as usize..self.end as usize
    }

    fn is_empty(self) -> bool {
        self.next == self.end
    }
}

/// State of a block with respect to the branches that lead to it.
#[derive(Clone, Default)]
struct Arrival {
    /// The block that replaces it, if it is not needed.
    alias: PackedOption<Block>,
    /// True if it is omitted when no branch reaches it: no header has it as merge block.
    is_optional: bool,
}

/// The walk's state in lists, which keep their memory between functions.
#[derive(Default)]
pub(crate) struct Walk {
    block_of: PrimaryMap<Node, Block>,
    /// A block before a loop header that a case falls into: a case label must not be where a back
    /// edge leads. Also where labelled blocks around a loop begin.
    pre_header: FxHashMap<Node, Block>,
    open: PrimaryMap<Scope, OpenScope>,
    arrivals: PrimaryMap<Block, Arrival>,
    /// The targets of the paths that arrive at blocks.
    pending: Slots<Targets>,
    /// Nodes that follow constructs: see [`NodeList`].
    lists: Vec<Node>,
    steps: Vec<Step>,
    /// Headers of breakable blocks, with the nodes that open them.
    breakable: Vec<(Block, Node)>,
    /// Fresh continue targets, with the headers of their loops: see [`latches`].
    latches: Vec<(Block, Block)>,
    latch_blocks: latches::Latches,
    /// Number of bypassed blocks one after the other before each block.
    bypassed_below: FxHashMap<Block, usize>,
    switch_edges: SwitchEdges,
    unused: Unused,
    pending_edges: pending::Lists,
}

/// The walk.
struct Router<'a> {
    cx: Context<'a>,
    shape: &'a Shape,
    walk: &'a mut Walk,
    out: Blocks,
    pending_edges: PendingEdges,
    /// The exits of constructs around, for targets with multi-level exits.
    labels: Option<Labels>,
    remarks: &'a mut Remarks,
}

fn internal(what: &'static str) -> StageError {
    StageError::Internal { what }
}

impl Walk {
    /// Removes everything and keeps the memory.
    fn clear(&mut self) {
        let Self {
            block_of,
            pre_header,
            open,
            arrivals,
            pending,
            lists,
            steps,
            breakable,
            latches,
            bypassed_below,
            // Filled where they are used.
            switch_edges: _,
            latch_blocks: _,
            unused: _,
            pending_edges: _,
        } = self;
        block_of.clear();
        pre_header.clear();
        open.clear();
        arrivals.clear();
        pending.clear();
        lists.clear();
        steps.clear();
        breakable.clear();
        latches.clear();
        bypassed_below.clear();
    }
}

impl<'a> Router<'a> {
    fn new(
        cx: Context<'a>,
        shape: &'a Shape,
        walk: &'a mut Walk,
        remarks: &'a mut Remarks,
    ) -> Self {
        let graph = cx.graph;
        let input = cx.func.num_blocks();
        // Usually enough; the lists grow where it is not.
        let nodes = graph.len();
        let fresh = match graph.dispatch_headers > 0 {
            true => nodes + nodes / 2,
            false => nodes,
        };
        let mut out = Blocks::default();
        out.blocks.reserve_all(input + fresh);
        out.order.reserve(nodes + fresh);
        out.edges.reserve_all(nodes + fresh);
        out.needs_ssa_repair = graph.dispatch_headers > 0;
        out.report.dispatch_headers = graph.dispatch_headers;
        walk.clear();
        walk.block_of.reserve_all(graph.len());
        walk.arrivals.reserve_all(input + fresh);
        walk.pending.reserve(input + fresh);
        walk.open.refill(OpenScope::closed(), shape.scopes.len());
        let lists = core::mem::take(&mut walk.pending_edges);
        let pending_edges = PendingEdges::new(remarks.wanted(), input + fresh, lists);
        let mut router = Self {
            cx,
            shape,
            walk,
            out,
            pending_edges,
            labels: (cx.options.target.multi_level).then(|| Labels::new(graph.len())),
            remarks,
        };
        router.walk.arrivals.resize(input, Arrival::default());
        router.out.blocks.resize(input, PlannedBlock::default());
        for node in graph.nodes() {
            let block = graph.block(node).unwrap_or_else(|| router.fresh());
            router.walk.block_of.push(block);
        }
        if router.labels.is_some() {
            // Labelled blocks around a loop begin before its header.
            for l in graph.loops().all() {
                if shape.roles.loop_exits(&shape.tree, l).nth(1).is_some() {
                    let before = router.fresh();
                    router.walk.pre_header.insert(graph.header(l), before);
                }
            }
        }
        router
    }

    fn add_block(&mut self) -> Block {
        self.walk.arrivals.push(Arrival::default());
        self.out.blocks.push(PlannedBlock::default())
    }
    /// Returns a new block.
    fn fresh(&mut self) -> Block {
        self.out.report.blocks += 1;
        self.add_block()
    }
    /// Returns the block of a node.
    fn block(&self, node: Node) -> Block {
        self.walk.block_of[node]
    }
    /// Returns the block by which a node's region is entered from outside.
    fn entry(&self, node: Node) -> Block {
        let before = self.walk.pre_header.get(&node);
        before.copied().unwrap_or(self.block(node))
    }
    /// Returns the position of a node.
    fn position(&self, node: Node) -> Result<Position, StageError> {
        let position = self.shape.positions.of(node);
        position.ok_or_else(|| internal("a node without a position"))
    }
    /// Returns the position of the first of the following nodes, or else of the continuation.
    fn next_position(
        &self,
        following: NodeList,
        at: Continuation,
    ) -> Result<PackedOption<Position>, StageError> {
        match self.walk.lists[following.range()].first() {
            Some(&node) => Ok(self.position(node)?.into()),
            None => Ok(at.position),
        }
    }
    /// Returns the target of an edge.
    fn target(&self, from: Node, to: Node) -> Result<Position, StageError> {
        match self.shape.continue_targets.continues(self.cx, from, to) {
            Some(l) => self.continue_position(l),
            None => self.position(to),
        }
    }
    fn continue_position(&self, l: Loop) -> Result<Position, StageError> {
        let position = self.shape.positions.of_continue(l);
        position.ok_or_else(|| internal("a loop without a continue position"))
    }
    fn destination(&self, at: Continuation, target: Position) -> Result<Destination, StageError> {
        self.find_destination(at, target)
            .ok_or_else(|| internal("a branch leads nowhere"))
    }
    fn list(&mut self, nodes: impl IntoIterator<Item = Node>) -> NodeList {
        let next = self.walk.lists.len();
        self.walk.lists.extend(nodes);
        NodeList::new(next..self.walk.lists.len())
    }

    // ---- edges --------------------------------------------------------------------------------

    fn assigns(&self, node: Node, edge: Edge) -> PackedOption<Assigning> {
        let (Some(origin), Some(target)) = (self.cx.graph.block(node), edge.assigns.expand())
        else {
            return None.into();
        };
        Assigning { origin, target }.into()
    }
    /// Adds the edge that carries an edge of a node to the block on the way to its target.
    fn branch_to_target(
        &mut self,
        from: Block,
        node: Node,
        edge: Edge,
        target: Position,
        to: Block,
    ) -> OutEdge {
        self.walk.pending.get_mut(to).insert(target);
        self.pending_edges.add(to, (node, edge.to), target);
        self.out.edges.push_to_long(OutEdgeData {
            from,
            to,
            assigns: self.assigns(node, edge),
            code: edge.code,
            selector: target.into(),
        })
    }
    /// Adds the edge that carries an edge of a node to that very node.
    fn branch_into(&mut self, from: Block, node: Node, edge: Edge, to: Block) -> OutEdge {
        self.out.edges.push_to_long(OutEdgeData {
            from,
            to,
            assigns: self.assigns(node, edge),
            code: edge.code,
            selector: None.into(),
        })
    }
    /// Adds an edge between two blocks that sets nothing.
    fn add_edge(&mut self, from: Block, to: Block) -> OutEdge {
        self.out.edges.push_to_long(OutEdgeData {
            from,
            to,
            assigns: None.into(),
            code: None.into(),
            selector: None.into(),
        })
    }
    /// Adds an edge that forwards the pending paths of a block that have these targets.
    fn forward(&mut self, from: Block, to: Block, targets: Targets) -> OutEdge {
        let selector = targets.only().into();
        self.pending_edges.forward(from, to, &targets);
        self.walk.pending.get_mut(to).unite(targets);
        self.out.edges.push_to_long(OutEdgeData {
            from,
            to,
            assigns: None.into(),
            code: None.into(),
            selector,
        })
    }
    /// Adds an edge and a fresh block that branches on to a target: for a branch that has two
    /// edges to one block.
    fn branch_by_block(
        &mut self,
        from: Block,
        node: Node,
        edge: Edge,
        target: Position,
        to: Block,
    ) -> OutEdge {
        let block = self.fresh();
        self.out.order.push(block);
        let first = self.add_edge(from, block);
        let next = self.branch_to_target(block, node, edge, target, to);
        self.end(block, Ending::Branch(next));
        first
    }

    // ---- blocks -------------------------------------------------------------------------------

    fn end(&mut self, block: Block, ending: Ending) {
        self.out.blocks[block].ending = ending;
    }
    fn selection(&mut self, header: Block, merge: Block, hint: SelectionHint) {
        self.out.blocks[header].merge = Merge::Selection { merge, hint };
    }
    /// Ends a block in a comparison of a selector.
    fn test(
        &mut self,
        block: Block,
        selector: Selector,
        bound: u32,
        then: OutEdge,
        otherwise: OutEdge,
    ) {
        self.end(block, Ending::Test);
        self.out.tests.push(Test {
            block,
            selector,
            bound,
            then,
            otherwise,
        });
    }
    /// Returns the block in which a loop header branches. It may branch conditionally itself only
    /// if the branch needs no construct; else its branch moves to a block after it, at `at` in the
    /// order (before blocks that were made for the branch already).
    fn split_header(&mut self, block: Block, is_header: bool, at: usize) -> Block {
        if !is_header {
            return block;
        }
        let next = self.fresh();
        let edge = self.add_edge(block, next);
        self.end(block, Ending::Branch(edge));
        self.out.order.insert(at, next);
        next
    }

    // ---- the end ------------------------------------------------------------------------------

    fn real(&self, block: Block) -> Block {
        self.walk.arrivals[block].alias.expand().unwrap_or(block)
    }

    /// Replaces unneeded merge blocks by the blocks that follow them.
    fn resolve_aliases(&mut self) {
        for i in 0..self.out.edges.len() {
            let edge = OutEdge::new(i);
            self.out.edges[edge].to = self.real(self.out.edges[edge].to);
        }
        for &block in &self.out.order {
            if let Merge::Selection { merge, .. } | Merge::Loop { merge, .. } =
                &mut self.out.blocks[block].merge
            {
                *merge = self.walk.arrivals[*merge].alias.expand().unwrap_or(*merge);
            }
        }
    }

    /// Records a remark for each remaining breakable block.
    fn remark_breakable(&mut self) {
        if !self.remarks.wanted() {
            return;
        }
        let graph = self.cx.graph;
        for &(header, node) in &self.walk.breakable {
            if self.labels.is_some() {
                if let Ending::Breakable(_) = self.out.blocks[header].ending {
                    let to = graph.name(node);
                    let edges: Vec<_> = graph.preds(node).iter().map(|&p| (p, node)).collect();
                    self.remarks.add_for_edges(
                        Stage::Construction,
                        header,
                        Decision::BreakableBlock { to },
                        pending::named(graph, &edges),
                    );
                }
                continue;
            }
            if let (Ending::Breakable(_), Some(to)) = (
                self.out.blocks[header].ending,
                self.shape.breakable.merge_of(node),
            ) {
                let to = graph.name(to);
                let edges = pending::named(graph, self.shape.breakable.reasons(node));
                self.remarks.add_for_edges(
                    Stage::BreakableBlocks,
                    graph.name(node),
                    Decision::BreakableBlock { to },
                    edges,
                );
            }
        }
    }
}
