//! Walks the laid-out placement tree and writes blocks, merges and selectors.
//!
//! Work is a stack of steps: a *region* (a node and what its placement subtree holds), a *join*
//! (the block where the lanes that left a construct meet, and the items that follow it), a loop's
//! end. Everything that can arrive at a join has been emitted before it, so the join knows its
//! lanes' targets and decides then whether a selector is needed at all.

use rustc_hash::FxHashMap;
use trellis_entity::{EntitySet, PackedOption, SecondaryMap};

use crate::canonicalize::{Edge, Graph, Node, NodeKind};
use crate::construct::layout::{Layout, Role, live_edges};
use crate::construct::placement::Placement;
use crate::construct::targets::Targets;
use crate::construct::transfer::{Branch, Context, Destination, OpenFrame, destination};
use crate::graph::NONE;
use crate::ir::{Block, Function, SelectionHint, Terminator, Value};
use crate::result::{Error, Merge, Options, Report};
use crate::stage::{Remarks, Stage};

/// Which selector a test reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selector {
    /// The position of the lane's target.
    Escape,
    /// The code of the entry into an irreducible loop.
    Dispatch,
}

/// A conditional branch on a selector, whose condition SSA construction fills in: to `then` if
/// `selector <= bound`, else to `otherwise`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) block: Block,
    pub(crate) selector: Selector,
    pub(crate) bound: u32,
    pub(crate) then: Block,
    pub(crate) otherwise: Block,
}

/// The emitted graph, before phis and selectors are put in.
pub(crate) struct Emitted {
    pub(crate) func: Function,
    pub(crate) order: Vec<Block>,
    pub(crate) merges: SecondaryMap<Block, Merge>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) tests: Vec<Test>,
    pub(crate) report: Report,
    pub(crate) remarks: Remarks,
    /// How many values the input had.
    pub(crate) input_values: usize,
    /// How many blocks the input had.
    pub(crate) input_blocks: usize,
    /// Some path of the output is no path of the input: definitions may no longer dominate their
    /// uses.
    pub(crate) mixes_paths: bool,
}

/// How a two-way branch decides.
#[derive(Clone, Copy)]
enum Condition {
    Value(Value),
    Dispatch(u32),
}

/// One side of a two-way branch.
#[derive(Clone, Copy)]
enum Side {
    /// A child's region.
    Arm(Node),
    /// A block that ends the lane, made for this branch.
    End(Block),
    /// A transfer.
    Go(Edge, u32, Destination),
}

pub(super) enum Step {
    Region(Node, Context),
    /// Join block, items still to come (a range of the pool), context.
    Join(Block, (u32, u32), Context),
    LoopEnd(u32),
}

pub(crate) struct Emitter<'a> {
    pub(super) func: Function,
    pub(super) graph: &'a Graph,
    pub(super) placement: &'a Placement,
    pub(super) layout: &'a Layout,
    pub(super) block_of: Vec<Block>,
    /// A block before a loop header that a case falls into: a case label must not be where a back
    /// edge leads.
    pub(super) pre_header: FxHashMap<Node, Block>,
    pub(super) open: Vec<OpenFrame>,
    pub(super) alias: SecondaryMap<Block, PackedOption<Block>>,
    pub(super) arrivals: SecondaryMap<Block, Targets>,
    /// A join that is nobody's merge block: if no lane arrives it need not exist.
    pub(super) unowned: EntitySet<Block>,
    pub(super) items: Vec<Node>,
    pub(super) steps: Vec<Step>,
    pub(super) order: Vec<Block>,
    pub(super) merges: SecondaryMap<Block, Merge>,
    pub(super) branches: Vec<Branch>,
    pub(super) tests: Vec<Test>,
    pub(super) report: Report,
    pub(super) remarks: Remarks,
    /// Headers of block constructs.
    pub(super) block_constructs: Vec<Block>,
    pub(super) copies: bool,
    /// Whether blocks go that do nothing and would need a selector.
    pub(super) drops: bool,
    pub(super) mixes_paths: bool,
}

/// Emits the whole function.
pub(crate) fn emit(
    mut func: Function,
    graph: &Graph,
    placement: &Placement,
    layout: &Layout,
    options: &Options,
    remarks: Remarks,
) -> Result<Emitted, Error> {
    let input_values = func.num_values();
    let input_blocks = func.num_blocks();
    // Room for what usually comes: a graph with dispatch headers grows about three times, others
    // less than twice.
    let room = graph.len() * if graph.dispatch_headers > 0 { 4 } else { 2 };
    func.reserve_blocks(room.saturating_sub(graph.len()));
    let open = vec![OpenFrame::CLOSED; layout.frames.len()];
    let mut e = Emitter {
        block_of: Vec::with_capacity(graph.len()),
        pre_header: FxHashMap::default(),
        func,
        graph,
        placement,
        layout,
        open,
        alias: SecondaryMap::with_capacity(input_blocks + room),
        arrivals: SecondaryMap::with_capacity(input_blocks + room),
        unowned: EntitySet::new(),
        items: Vec::new(),
        steps: Vec::new(),
        order: Vec::with_capacity(room),
        merges: SecondaryMap::with_capacity(input_blocks + room),
        branches: Vec::with_capacity(room + room / 2),
        tests: Vec::new(),
        report: Report::default(),
        remarks,
        block_constructs: Vec::new(),
        copies: options.stages.contains(Stage::Duplication),
        drops: options.stages.contains(Stage::DegenerateBlocks),
        mixes_paths: graph.dispatch_headers > 0,
    };
    for &kind in &graph.kinds {
        let block = match kind {
            NodeKind::Block(b) => b,
            _ => e.fresh(),
        };
        e.block_of.push(block);
    }
    e.report.dispatch_headers = graph.dispatch_headers;
    e.steps.push(Step::Region(
        0,
        Context {
            follow_position: NONE,
            follow: None,
            frame: 0,
        },
    ));
    while let Some(step) = e.steps.pop() {
        match step {
            Step::Region(node, context) => e.region(node, context)?,
            Step::Join(block, items, context) => e.join(block, items, context)?,
            Step::LoopEnd(l) => e.loop_end(l)?,
        }
    }
    e.resolve_aliases();
    e.drop_idle_constructs();
    Ok(Emitted {
        func: e.func,
        order: e.order,
        merges: e.merges,
        branches: e.branches,
        tests: e.tests,
        report: e.report,
        remarks: e.remarks,
        input_values,
        input_blocks,
        mixes_paths: e.mixes_paths,
    })
}

pub(super) fn internal(what: &'static str) -> Error {
    Error::Internal { what }
}

impl Emitter<'_> {
    pub(super) fn fresh(&mut self) -> Block {
        self.report.blocks += 1;
        self.func.add_block()
    }
    pub(super) fn block(&self, node: Node) -> Block {
        self.block_of[node as usize]
    }
    /// The block by which a node's region is entered from outside.
    pub(super) fn entry(&self, node: Node) -> Block {
        self.pre_header
            .get(&node)
            .copied()
            .unwrap_or(self.block(node))
    }
    /// The original block of a node, for phi operands.
    pub(super) fn origin(&self, node: Node) -> Option<Block> {
        match self.graph.kinds[node as usize] {
            NodeKind::Block(b) => Some(b),
            _ => None,
        }
    }
    pub(super) fn header_of(&self, node: Node) -> Option<u32> {
        let l = self.graph.loops.of[node as usize];
        (l != NONE && self.graph.loops.headers[l as usize] == node).then_some(l)
    }
    /// Position of the target of an edge.
    pub(super) fn target(&self, from: Node, to: Node) -> u32 {
        match Layout::continues(self.graph, self.placement, from, to) {
            Some(l) => self.layout.continue_position[l as usize],
            None => self.layout.position[to as usize],
        }
    }
    pub(super) fn destination(&self, context: Context, target: u32) -> Result<Destination, Error> {
        destination(&self.layout.frames, &self.open, context, target)
            .ok_or_else(|| internal("a branch leads nowhere"))
    }

    // ---- branches
    // ------------------------------------------------------------------------------------------------------------------------

    /// Records the branch that carries an edge of a node to its destination.
    pub(super) fn go(&mut self, from: Block, node: Node, edge: Edge, target: u32, to: Block) {
        let assigns = edge.assigns.and_then(|y| Some((self.origin(node)?, y)));
        self.branches.push(Branch {
            from,
            to,
            assigns,
            code: edge.code,
            selector: target,
        });
        self.arrivals[to].insert(target);
    }
    /// Records a branch into a child's region.
    pub(super) fn enter(&mut self, from: Block, node: Node, edge: Edge) -> Block {
        let to = self.entry(edge.to);
        let assigns = edge.assigns.and_then(|y| Some((self.origin(node)?, y)));
        self.branches.push(Branch {
            from,
            to,
            assigns,
            code: edge.code,
            selector: NONE,
        });
        to
    }
    /// Records a branch between two of our blocks that sets nothing.
    pub(super) fn link(&mut self, from: Block, to: Block) {
        self.branches.push(Branch {
            from,
            to,
            assigns: None,
            code: NONE,
            selector: NONE,
        });
    }
    /// Records a branch that passes lanes with these targets on.
    pub(super) fn pass(&mut self, from: Block, to: Block, targets: Targets) {
        let selector = targets.only().unwrap_or(NONE);
        self.branches.push(Branch {
            from,
            to,
            assigns: None,
            code: NONE,
            selector,
        });
        self.arrivals[to].unite(targets);
    }
    /// A block of its own for an edge whose branch needs a place, with the branch in it.
    pub(super) fn edge_block(
        &mut self,
        from: Block,
        node: Node,
        edge: Edge,
        target: u32,
        to: Block,
    ) -> Block {
        let block = self.fresh();
        self.order.push(block);
        self.link(from, block);
        self.go(block, node, edge, target, to);
        self.func.set_terminator(block, Terminator::Branch(to));
        block
    }
    // ---- regions
    // -------------------------------------------------------------------------------------------------------------------------

    fn region(&mut self, node: Node, context: Context) -> Result<(), Error> {
        let block = self.block(node);
        if let Some(&before) = self.pre_header.get(&node) {
            self.order.push(before);
            self.link(before, block);
            self.func.set_terminator(before, Terminator::Branch(block));
        }
        self.order.push(block);
        let Some(l) = self.header_of(node) else {
            return self.body(node, block, context, false);
        };
        let after: Vec<Node> = self
            .placement
            .children(node, true)
            .filter(|&c| self.layout.role[c as usize] == Role::After)
            .collect();
        let frame = self.layout.loop_frame[l as usize];
        let merge = self.fresh();
        let continue_node = self.placement.continue_node[l as usize];
        let continue_target = if continue_node == NONE {
            self.fresh()
        } else {
            self.block(continue_node)
        };
        let follow_position = after.first().map_or(context.follow_position, |&a| {
            self.layout.position[a as usize]
        });
        self.open[frame as usize] = OpenFrame {
            merge: Some(merge),
            continue_target: Some(continue_target),
            follow_position,
            outer: context,
        };
        let hint = self
            .origin(node)
            .map(|b| self.func.loop_hint(b))
            .unwrap_or_default();
        self.merges[block] = Merge::Loop {
            merge,
            continue_target,
            hint,
        };
        let items = self.pool(&after);
        self.steps.push(Step::Join(merge, items, context));
        self.steps.push(Step::LoopEnd(l));
        let inside = Context {
            follow_position: self.layout.continue_position[l as usize],
            follow: Some(continue_target),
            frame,
        };
        self.body(node, block, inside, true)
    }

    pub(super) fn pool(&mut self, items: &[Node]) -> (u32, u32) {
        let start = self.items.len() as u32;
        self.items.extend_from_slice(items);
        (start, self.items.len() as u32)
    }

    /// The items of a node, those inside its block construct if it opens one.
    pub(super) fn items_of(&self, node: Node) -> Vec<Node> {
        let inside = |&c: &Node| {
            self.layout.role[c as usize] == Role::Item
                && !self.layout.is_behind_block(self.graph, node, c)
        };
        self.placement
            .children(node, false)
            .filter(inside)
            .collect()
    }

    /// The terminator of a node, in `block` (its own, which may be a loop header).
    fn body(
        &mut self,
        node: Node,
        block: Block,
        context: Context,
        is_header: bool,
    ) -> Result<(), Error> {
        let count = live_edges(&self.func, self.graph, node);
        let edges = &self.graph.edges(node)[..count];
        match *edges {
            [] => Ok(()),
            [edge] => self.one_way(node, block, edge, context),
            [a, b] if self.layout.switch_frame[node as usize] == NONE => {
                self.two_way(node, block, [a, b], context, is_header)
            }
            _ => self.switch(node, block, context, is_header),
        }
    }

    fn one_way(
        &mut self,
        node: Node,
        block: Block,
        edge: Edge,
        context: Context,
    ) -> Result<(), Error> {
        let items = self.items_of(node);
        let mut context = context;
        if let Some(&first) = items.first() {
            // Only a branch with a second edge that is never taken has items: what follows when
            // control comes back from its one way.
            let join = self.fresh();
            self.unowned.insert(join);
            let items = self.pool(&items);
            self.steps.push(Step::Join(join, items, context));
            context = Context {
                follow_position: self.layout.position[first as usize],
                follow: Some(join),
                frame: context.frame,
            };
        }
        if self.is_arm(node, edge.to) {
            let to = self.enter(block, node, edge);
            self.func.set_terminator(block, Terminator::Branch(to));
            self.steps.push(Step::Region(edge.to, context));
            return Ok(());
        }
        let target = self.target(node, edge.to);
        let d = self.destination(context, target)?;
        if let Some(end) = self.end_block(edge, d, context) {
            self.link(block, end);
            self.func.set_terminator(block, Terminator::Branch(end));
        } else {
            self.go(block, node, edge, target, d.block);
            self.func.set_terminator(block, Terminator::Branch(d.block));
        }
        Ok(())
    }

    fn is_arm(&self, node: Node, to: Node) -> bool {
        self.layout.role[to as usize] == Role::Arm
            && self.placement.parent[to as usize] == node
            && self
                .graph
                .loops
                .headers
                .get(self.graph.loops.of[node as usize] as usize)
                != Some(&to)
    }

    fn side(&mut self, node: Node, edge: Edge, context: Context) -> Result<Side, Error> {
        if self.is_arm(node, edge.to) {
            return Ok(Side::Arm(edge.to));
        }
        let target = self.target(node, edge.to);
        if self.is_item(node, edge.to) {
            // It goes to the join that the branch is about to get.
            return Ok(Side::Go(
                edge,
                target,
                Destination {
                    block: self.block(edge.to),
                    direct: false,
                    natural: true,
                },
            ));
        }
        let d = self.destination(context, target)?;
        if let Some(end) = self.end_block(edge, d, context) {
            return Ok(Side::End(end));
        }
        Ok(Side::Go(edge, target, d))
    }

    fn is_item(&self, node: Node, to: Node) -> bool {
        self.layout.role[to as usize] == Role::Item && self.placement.parent[to as usize] == node
    }

    /// A loop header may branch conditionally itself only where no construct of its own is needed;
    /// else its branch moves to a block behind it, which stands at `at` in the order (before blocks
    /// that were made for the branch already).
    pub(super) fn split_header(&mut self, block: Block, is_header: bool, at: usize) -> Block {
        if !is_header {
            return block;
        }
        let next = self.fresh();
        self.link(block, next);
        let terminator = self.func.term(block);
        self.func.set_terminator(next, terminator);
        self.func.set_terminator(block, Terminator::Branch(next));
        self.order.insert(at, next);
        next
    }

    fn condition(&self, node: Node) -> (Condition, SelectionHint) {
        match self.graph.kinds[node as usize] {
            NodeKind::Dispatch { bound } => (Condition::Dispatch(bound), SelectionHint::None),
            NodeKind::Block(b) => match self.func.term(b) {
                Terminator::CondBranch { cond, hint, .. } => (Condition::Value(cond), hint),
                _ => (Condition::Dispatch(NONE), SelectionHint::None),
            },
            NodeKind::Empty => (Condition::Dispatch(NONE), SelectionHint::None),
        }
    }

    fn set_two_way(&mut self, block: Block, condition: Condition, then: Block, otherwise: Block) {
        match condition {
            Condition::Value(cond) => self.func.set_terminator(
                block,
                Terminator::CondBranch {
                    cond,
                    then,
                    else_: otherwise,
                    hint: SelectionHint::None,
                },
            ),
            Condition::Dispatch(bound) => self.tests.push(Test {
                block,
                selector: Selector::Dispatch,
                bound,
                then,
                otherwise,
            }),
        }
    }

    /// Starts a node's block construct, if it opens one: a switch with a default case only before
    /// its branch. Gives the block of the branch and the context inside.
    fn open_block_construct(
        &mut self,
        node: Node,
        block: Block,
        context: Context,
        is_header: bool,
    ) -> (Block, Context, bool) {
        let item = self.layout.block_merge_of(node);
        if item == NONE {
            return (block, context, is_header);
        }
        let frame = self.layout.block_frame[node as usize];
        let block = self.split_header(block, is_header, self.order.len());
        let (branch, merge) = (self.fresh(), self.fresh());
        self.order.push(branch);
        self.link(block, branch);
        let terminator = self.func.term(block);
        self.func.set_terminator(branch, terminator);
        let (value, cases) = (self.func.selector_constant(0), self.func.add_cases(&[]));
        self.func.set_terminator(
            block,
            Terminator::Switch {
                value,
                default: branch,
                cases,
                hint: SelectionHint::None,
            },
        );
        self.merges[block] = Merge::Selection {
            merge,
            hint: SelectionHint::None,
        };
        self.report.block_constructs += 1;
        self.block_constructs.push(block);
        let behind: Vec<Node> = self
            .placement
            .children(node, false)
            .filter(|&c| {
                self.layout.role[c as usize] == Role::Item
                    && self.layout.is_behind_block(self.graph, node, c)
            })
            .collect();
        let follow_position = self.layout.position[item as usize];
        self.open[frame as usize] = OpenFrame {
            merge: Some(merge),
            continue_target: None,
            follow_position,
            outer: context,
        };
        let behind = self.pool(&behind);
        self.steps.push(Step::Join(merge, behind, context));
        (
            branch,
            Context {
                follow_position,
                follow: Some(merge),
                frame,
            },
            false,
        )
    }

    fn two_way(
        &mut self,
        node: Node,
        block: Block,
        edges: [Edge; 2],
        context: Context,
        is_header: bool,
    ) -> Result<(), Error> {
        let (condition, hint) = self.condition(node);
        let (block, context, is_header) =
            self.open_block_construct(node, block, context, is_header);
        let at = self.order.len();
        let sides = [
            self.side(node, edges[0], context)?,
            self.side(node, edges[1], context)?,
        ];
        // Forms that need no construct: one side is a break or continue and the other goes on, or
        // both are.
        let direct = |s: &Side| matches!(s, Side::Go(_, _, d) if d.direct);
        if sides.iter().any(&direct)
            && sides
                .iter()
                .all(|s| direct(s) || matches!(s, Side::Arm(_) | Side::End(_)))
        {
            self.two_way_flat(node, block, edges, sides, condition, context);
            return Ok(());
        }
        let block = self.split_header(block, is_header, at);
        let join = self.fresh();
        self.merges[block] = Merge::Selection { merge: join, hint };
        let mut items = self.items_of(node);
        let flat = match sides {
            [Side::Arm(_), Side::Arm(_)] => self.layout.flat_arm[node as usize],
            [Side::Arm(a), Side::End(_)] | [Side::End(_), Side::Arm(a)] => a,
            _ => NONE,
        };
        if flat != NONE {
            items.insert(0, flat);
        }
        let follow_position = items.first().map_or(context.follow_position, |&i| {
            self.layout.position[i as usize]
        });
        let inner = Context {
            follow_position,
            follow: Some(join),
            frame: context.frame,
        };
        let items = self.pool(&items);
        self.steps.push(Step::Join(join, items, context));
        let mut to = [join; 2];
        let mut regions = [None; 2];
        let mut join_taken = false;
        for i in 0..2 {
            to[i] = match sides[i] {
                Side::Arm(arm) if arm != flat => {
                    regions[i] = Some(arm);
                    self.enter(block, node, edges[i])
                }
                Side::End(end) => {
                    self.link(block, end);
                    end
                }
                Side::Go(edge, target, d) if d.direct => {
                    self.go(block, node, edge, target, d.block);
                    d.block
                }
                _ if join_taken => {
                    let target = self.target(node, edges[i].to);
                    self.edge_block(block, node, edges[i], target, join)
                }
                _ => {
                    join_taken = true;
                    let target = self.target(node, edges[i].to);
                    self.go(block, node, edges[i], target, join);
                    join
                }
            };
        }
        for arm in regions.into_iter().rev().flatten() {
            self.steps.push(Step::Region(arm, inner));
        }
        self.set_two_way(block, condition, to[0], to[1]);
        Ok(())
    }

    fn two_way_flat(
        &mut self,
        node: Node,
        block: Block,
        edges: [Edge; 2],
        sides: [Side; 2],
        condition: Condition,
        context: Context,
    ) {
        let mut to = [block; 2];
        let mut taken = None;
        for i in 0..2 {
            to[i] = match sides[i] {
                Side::Arm(arm) => {
                    self.steps.push(Step::Region(arm, context));
                    self.enter(block, node, edges[i])
                }
                Side::End(end) => {
                    self.link(block, end);
                    end
                }
                Side::Go(edge, target, d) if taken == Some(d.block) => {
                    self.edge_block(block, node, edge, target, d.block)
                }
                Side::Go(edge, target, d) => {
                    taken = Some(d.block);
                    self.go(block, node, edge, target, d.block);
                    d.block
                }
            };
        }
        self.set_two_way(block, condition, to[0], to[1]);
    }

    // ---- ends
    // ----------------------------------------------------------------------------------------------------------------------------

    fn loop_end(&mut self, l: u32) -> Result<(), Error> {
        let header = self.graph.loops.headers[l as usize];
        let frame = self.layout.loop_frame[l as usize];
        let node = self.placement.continue_node[l as usize];
        let header_block = self.block(header);
        let Some(mut block) = self.open[frame as usize].continue_target else {
            return Err(internal("a loop without a continue target"));
        };
        if node != NONE && self.arrivals[block].is_empty() {
            // Nobody gets here: the block's own instructions would have no definitions to read.
            block = self.fresh();
            if let Merge::Loop {
                continue_target, ..
            } = &mut self.merges[header_block]
            {
                *continue_target = block;
            }
        }
        self.order.push(block);
        if node == NONE || block != self.block(node) {
            self.link(block, header_block);
            self.func
                .set_terminator(block, Terminator::Branch(header_block));
            return Ok(());
        }
        let edges = self.graph.edges(node).to_vec();
        let context = Context {
            follow_position: NONE,
            follow: None,
            frame,
        };
        let mut to = Vec::with_capacity(2);
        for edge in edges {
            if edge.to == header {
                let assigns = edge.assigns.and_then(|y| Some((self.origin(node)?, y)));
                self.branches.push(Branch {
                    from: block,
                    to: header_block,
                    assigns,
                    code: edge.code,
                    selector: NONE,
                });
                to.push(header_block);
            } else {
                let target = self.target(node, edge.to);
                let d = self.destination(context, target)?;
                self.go(block, node, edge, target, d.block);
                to.push(d.block);
            }
        }
        match *to {
            [only] => self.func.set_terminator(block, Terminator::Branch(only)),
            [then, otherwise] => {
                let (condition, _) = self.condition(node);
                self.set_two_way(block, condition, then, otherwise);
            }
            _ => return Err(internal("a continue target with a switch")),
        }
        Ok(())
    }

    // ---- the end
    // -------------------------------------------------------------------------------------------------------------------------

    fn real(&self, block: Block) -> Block {
        self.alias[block].expand().unwrap_or(block)
    }

    fn resolve_aliases(&mut self) {
        for i in 0..self.order.len() {
            let block = self.order[i];
            match &mut self.merges[block] {
                Merge::None => {}
                Merge::Selection { merge, .. } | Merge::Loop { merge, .. } => {
                    *merge = self.alias[*merge].expand().unwrap_or(*merge);
                }
            }
            let terminator = match self.func.term(block) {
                Terminator::Branch(to) => Terminator::Branch(self.real(to)),
                Terminator::CondBranch {
                    cond,
                    then,
                    else_,
                    hint,
                } => Terminator::CondBranch {
                    cond,
                    then: self.real(then),
                    else_: self.real(else_),
                    hint,
                },
                Terminator::Switch {
                    value,
                    default,
                    cases,
                    hint,
                } => {
                    for k in 0..cases.len() {
                        let to = self.real(self.func.cases(cases)[k].target);
                        self.func.cases_mut(cases)[k].target = to;
                    }
                    Terminator::Switch {
                        value,
                        default: self.real(default),
                        cases,
                        hint,
                    }
                }
                other => other,
            };
            self.func.set_terminator(block, terminator);
        }
        for i in 0..self.branches.len() {
            self.branches[i].to = self.real(self.branches[i].to);
        }
        for i in 0..self.tests.len() {
            let t = self.tests[i];
            self.tests[i] = Test {
                then: self.real(t.then),
                otherwise: self.real(t.otherwise),
                ..t
            };
        }
    }
}
