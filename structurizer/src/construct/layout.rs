//! Roles and order: which children are arms of a branch, which follow it, which frames they are in,
//! and everybody's position.
//!
//! A *frame* is what a `break` can leave: a loop or a switch. Positions number the placement tree
//! in emission order; a loop's continue target has the position after its body.

use rustc_hash::FxHashMap;

use crate::canonicalize::{Graph, Node, NodeKind};
use crate::construct::{blocks, collect, fall_through, placement::Placement};
use crate::graph::{NONE, ancestors::Ancestors};
use crate::ir::{Block, Function, Terminator};
use crate::result::Options;
use crate::stage::{Decision, Remarks, Stage};

/// Index into [`Layout::frames`]; 0 is the function itself.
pub(crate) type FrameId = u32;

/// What a node is to its parent in the placement tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Entered by its parent's branch alone (or, in a switch, by fall-through too): emitted inside
    /// the branch's construct.
    Arm,
    /// Follows its parent's construct.
    Item,
    /// Serves as continue target.
    Continue,
    /// Follows the loop that its parent heads.
    After,
}

/// A loop, a switch, or the function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Header of the loop or the switch's node; [`NONE`] for the function.
    pub(crate) head: Node,
    /// Innermost loop frame that this one is in or is; [`NONE`] for none.
    pub(crate) loop_frame: FrameId,
    /// Loop number, [`NONE`] for a switch or the function.
    pub(crate) loop_: u32,
    /// First and last position inside.
    pub(crate) start: u32,
    /// Last position inside.
    pub(crate) end: u32,
    /// A block construct around a long chain of breaks: lanes break out of it even where they could
    /// fall out.
    pub(crate) is_flat: bool,
    /// Switches and block constructs that a `continue` from here would leave, this one among them.
    pub(crate) switches: u32,
    /// More of them than one `continue` may leave ([`Options::max_continue_switches`]).
    pub(crate) is_deep: bool,
}

impl Frame {
    /// The function's.
    const FUNCTION: Self = Self {
        head: NONE,
        loop_frame: NONE,
        loop_: NONE,
        start: 0,
        end: NONE,
        is_flat: false,
        switches: 0,
        is_deep: false,
    };
}

/// Roles, frames and positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) role: Vec<Role>,
    pub(crate) frames: Vec<Frame>,
    /// How many switches one `continue` may leave.
    max_continue_switches: u32,
    /// Frame of a loop by loop number.
    pub(crate) loop_frame: Vec<FrameId>,
    /// Frame that a switch node opens; [`NONE`] for other nodes.
    pub(crate) switch_frame: Vec<FrameId>,
    /// Frame of the block construct that a node opens; [`NONE`] for other nodes. Empty if there is
    /// none.
    pub(crate) block_frame: Vec<FrameId>,
    /// The item that the merge block of a node's block construct leads to; [`NONE`] for other
    /// nodes. Empty if there is none.
    pub(crate) block_merge: Vec<Node>,
    /// Nodes whose block construct is around a long chain of breaks, sorted.
    pub(crate) collected: Vec<Node>,
    /// Frame in which a node's region stands.
    seq_frame: Vec<FrameId>,
    /// Position of each node; of a continue node the position of the continue target.
    pub(crate) position: Vec<u32>,
    /// Position of each loop's continue target.
    pub(crate) continue_position: Vec<u32>,
    /// Node at each position, [`NONE`] at a fresh continue target's.
    pub(crate) node_at: Vec<Node>,
    /// The case that a case falls into; [`NONE`] for none.
    pub(crate) falls_into: Vec<Node>,
    /// For a two-way branch: the arm that follows the other one instead of standing beside it.
    pub(crate) flat_arm: Vec<Node>,
    /// Arms of each switch in order.
    switch_arms: Vec<(Node, Vec<Node>)>,
    /// Which frame is in which.
    nesting: Ancestors,
}

impl Layout {
    /// Arms of a switch in the order of its cases.
    pub(crate) fn arms_of_switch(&self, node: Node) -> &[Node] {
        self.switch_arms
            .binary_search_by_key(&node, |s| s.0)
            .map_or(&[], |i| &self.switch_arms[i].1)
    }
}

/// Lays out the placement tree.
pub(crate) fn layout(
    func: &Function,
    graph: &Graph,
    placement: &mut Placement,
    options: &Options,
    remarks: &mut Remarks,
) -> Layout {
    let n = graph.len();
    let new = || Layout {
        role: vec![Role::Item; n],
        frames: vec![Frame::FUNCTION],
        max_continue_switches: options.max_continue_switches,
        loop_frame: vec![NONE; graph.loops.len()],
        switch_frame: vec![NONE; n],
        block_frame: Vec::new(),
        block_merge: Vec::new(),
        collected: Vec::new(),
        seq_frame: vec![0; n],
        position: vec![NONE; n],
        continue_position: vec![NONE; graph.loops.len()],
        node_at: Vec::with_capacity(n + graph.loops.len()),
        falls_into: vec![NONE; n],
        flat_arm: vec![NONE; n],
        switch_arms: Vec::new(),
        nesting: Ancestors::new(1),
    };
    let mut tree = Intervals::new(graph, placement);
    let mut l = new();
    l.roles(func, graph, placement, &tree, options);
    let mut collected = FxHashMap::default();
    if options.stages.contains(Stage::InterleavedBreaks) {
        collected = collect::collect(func, graph, placement, &l, &tree);
        if !collected.is_empty() {
            tree = Intervals::new(graph, placement);
            l = new();
            l.roles(func, graph, placement, &tree, options);
            l.collected = collected.keys().copied().collect();
            l.collected.sort_unstable();
        }
    }
    let placement = &*placement;
    l.make_frames(graph, placement);
    if options.stages.contains(Stage::InterleavedBreaks) {
        l.block_merge = blocks::choose(func, graph, placement, &l, &tree, &collected);
        if !l.block_merge.is_empty() {
            l.make_frames(graph, placement);
        }
    }
    if options.stages.contains(Stage::MergeScopes) {
        l.choose_flat_arms(func, graph, placement, &tree);
    }
    if remarks.wanted() {
        l.remark(graph, remarks);
    }
    l.number(graph, placement);
    l
}

/// Preorder intervals of the placement tree with children in reverse post-order: subtree sizes and
/// ancestor queries.
pub(crate) struct Intervals {
    pub(crate) enter: Vec<u32>,
    pub(crate) size: Vec<u32>,
}

impl Intervals {
    fn new(graph: &Graph, placement: &Placement) -> Self {
        let n = graph.len();
        let mut size = vec![1u32; n];
        for &w in graph.dfs.rpo.iter().rev() {
            let p = placement.parent[w as usize];
            if p != NONE {
                size[p as usize] += size[w as usize];
            }
        }
        let mut enter = vec![0u32; n];
        let mut next = vec![1u32; n];
        for &w in &graph.dfs.rpo {
            let p = placement.parent[w as usize];
            if p != NONE {
                enter[w as usize] = next[p as usize];
                next[p as usize] += size[w as usize];
            }
            next[w as usize] = enter[w as usize] + 1;
        }
        Self { enter, size }
    }
    pub(crate) fn contains(&self, a: Node, b: Node) -> bool {
        self.enter[b as usize].wrapping_sub(self.enter[a as usize]) < self.size[a as usize]
    }
}

/// The edges of a node that control can take: a `BreakBranch` takes its first only.
pub(crate) fn live_edges(func: &Function, graph: &Graph, node: Node) -> usize {
    match graph.kinds[node as usize] {
        NodeKind::Block(b) if matches!(func.term(b), Terminator::BreakBranch { .. }) => 1,
        _ => graph.edges(node).len(),
    }
}

/// Whether a block ends in a switch with several distinct targets.
pub(crate) fn is_switch(func: &Function, graph: &Graph, node: Node) -> bool {
    let is = |b: Block| matches!(func.term(b), Terminator::Switch { .. });
    matches!(graph.kinds[node as usize], NodeKind::Block(b) if is(b)) && graph.edges(node).len() > 1
}

impl Layout {
    fn roles(
        &mut self,
        func: &Function,
        graph: &Graph,
        placement: &Placement,
        tree: &Intervals,
        options: &Options,
    ) {
        for &w in &graph.dfs.rpo {
            let p = placement.parent[w as usize];
            if p == NONE {
                continue;
            }
            self.role[w as usize] = if placement.is_after[w as usize] {
                Role::After
            } else if graph.forward_preds[w as usize] == 1 {
                Role::Arm
            } else {
                Role::Item
            };
        }
        for &node in &placement.continue_node {
            if node != NONE {
                self.role[node as usize] = Role::Continue;
            }
        }
        for &w in &graph.dfs.preorder {
            if is_switch(func, graph, w) {
                if options.stages.contains(Stage::FallThrough) {
                    fall_through::choose(self, func, graph, placement, tree, w);
                }
                self.order_switch(graph, placement, w);
            }
        }
        self.switch_arms.sort_unstable_by_key(|s| s.0);
    }

    /// Arms in the order of the switch's edges, the default last, each followed by the case that it
    /// falls into.
    fn order_switch(&mut self, graph: &Graph, placement: &Placement, switch: Node) {
        let edges = graph.edges(switch);
        let mut is_target = rustc_hash::FxHashSet::default();
        for e in edges {
            if placement.parent[e.to as usize] == switch && self.falls_into[e.to as usize] != NONE {
                is_target.insert(self.falls_into[e.to as usize]);
            }
        }
        let mut arms = Vec::new();
        for e in edges[1..].iter().chain(&edges[..1]) {
            // An arm of another block: the target of a back edge or of an edge out of the region.
            let is_own = placement.parent[e.to as usize] == switch;
            if self.role[e.to as usize] != Role::Arm || !is_own || is_target.contains(&e.to) {
                continue;
            }
            let mut arm = e.to;
            while arm != NONE {
                arms.push(arm);
                arm = self.falls_into[arm as usize];
            }
        }
        self.switch_arms.push((switch, arms));
    }

    fn make_frames(&mut self, graph: &Graph, placement: &Placement) {
        self.frames.truncate(1);
        self.nesting = Ancestors::new(1);
        self.block_frame = vec![NONE; self.block_merge.len()];
        for &(node, _) in &self.switch_arms {
            self.switch_frame[node as usize] = 0;
        }
        for &w in &graph.dfs.rpo {
            let p = placement.parent[w as usize];
            let seq = if p == NONE {
                0
            } else if self.role[w as usize] == Role::After {
                self.seq_frame[p as usize]
            } else if self.role[w as usize] == Role::Arm && self.switch_frame[p as usize] != NONE {
                self.switch_frame[p as usize]
            } else if self.role[w as usize] == Role::Item && self.is_behind_block(graph, p, w) {
                self.outer_frame(graph, p)
            } else {
                self.body_frame(graph, p)
            };
            self.seq_frame[w as usize] = seq;
            let own = graph.loops.of[w as usize];
            if own != NONE && graph.loops.headers[own as usize] == w {
                let id = self.frames.len() as FrameId;
                self.nesting.push(seq);
                self.frames.push(Frame {
                    head: w,
                    loop_frame: id,
                    loop_: own,
                    start: NONE,
                    ..Frame::FUNCTION
                });
                self.loop_frame[own as usize] = id;
            }
            if self.block_merge_of(w) != NONE {
                let outer = self.outer_frame(graph, w);
                self.block_frame[w as usize] = self.frames.len() as FrameId;
                self.nesting.push(outer);
                self.frames.push(Frame {
                    is_flat: self.collected.binary_search(&w).is_ok(),
                    ..self.switch_in(outer, w)
                });
            }
            if self.switch_frame[w as usize] != NONE {
                let outer = self.body_frame(graph, w);
                self.switch_frame[w as usize] = self.frames.len() as FrameId;
                self.nesting.push(outer);
                self.frames.push(self.switch_in(outer, w));
            }
        }
    }

    /// The frame of a switch or a block construct.
    fn switch_in(&self, outer: FrameId, head: Node) -> Frame {
        let Frame {
            loop_frame,
            switches,
            ..
        } = self.frames[outer as usize];
        let switches = switches + 1;
        Frame {
            head,
            loop_frame,
            start: NONE,
            switches,
            is_deep: switches > self.max_continue_switches,
            ..Frame::FUNCTION
        }
    }

    /// Frame in which a node's own terminator stands, but for a switch's own frame.
    pub(crate) fn body_frame(&self, graph: &Graph, node: Node) -> FrameId {
        match self.block_frame.get(node as usize) {
            Some(&frame) if frame != NONE => frame,
            _ => self.outer_frame(graph, node),
        }
    }
    /// The same, without the block construct that the node opens.
    fn outer_frame(&self, graph: &Graph, node: Node) -> FrameId {
        let own = graph.loops.of[node as usize];
        if own != NONE && graph.loops.headers[own as usize] == node {
            self.loop_frame[own as usize]
        } else {
            self.seq_frame[node as usize]
        }
    }
    /// Frame in which a node's region stands.
    pub(crate) fn seq_frame(&self, node: Node) -> FrameId {
        self.seq_frame[node as usize]
    }
    /// The item that the merge block of a node's block construct leads to; [`NONE`] if it opens
    /// none.
    pub(crate) fn block_merge_of(&self, node: Node) -> Node {
        self.block_merge.get(node as usize).copied().unwrap_or(NONE)
    }
    /// Whether an item of a node stands behind the block construct that the node opens.
    pub(crate) fn is_behind_block(&self, graph: &Graph, node: Node, item: Node) -> bool {
        let merge = self.block_merge_of(node);
        merge != NONE && graph.dfs.rpo_number[item as usize] >= graph.dfs.rpo_number[merge as usize]
    }
    /// The outermost frame that a branch from one frame to another leaves.
    pub(crate) fn outermost_left(&self, from: FrameId, to: FrameId) -> Option<FrameId> {
        let common = self.nesting.common(from, to);
        (common != from).then(|| self.nesting.at_depth(from, self.nesting.depth(common) + 1))
    }

    /// The loop whose continue target an edge leads to, if it does.
    pub(crate) fn continues(
        graph: &Graph,
        placement: &Placement,
        from: Node,
        to: Node,
    ) -> Option<u32> {
        let l = graph.loops.of[to as usize];
        if l == NONE {
            return None;
        }
        let back = graph.loops.headers[l as usize] == to && graph.dfs.is_ancestor(to, from);
        (back || placement.continue_node[l as usize] == to).then_some(l)
    }

    /// An arm all of whose ways out are direct (break, continue, return) never falls through, so
    /// the other arm may follow it without nesting. The ways out that are not direct are counted by
    /// differences over the placement tree.
    fn choose_flat_arms(
        &mut self,
        func: &Function,
        graph: &Graph,
        placement: &Placement,
        tree: &Intervals,
    ) {
        let mut falls = vec![0i64; graph.len()];
        for &u in &graph.dfs.rpo {
            for edge in &graph.edges(u)[..live_edges(func, graph, u)] {
                let (frame, stop) = match Self::continues(graph, placement, u, edge.to) {
                    Some(l) => (self.loop_frame[l as usize], graph.loops.headers[l as usize]),
                    None => (
                        self.seq_frame[edge.to as usize],
                        placement.parent[edge.to as usize],
                    ),
                };
                // The edge leaves all frames below the common one; it is direct up to the outermost
                // of them.
                let at = self
                    .outermost_left(self.body_frame(graph, u), frame)
                    .map_or(u, |f| self.frames[f as usize].head);
                falls[at as usize] += 1;
                falls[stop as usize] -= 1;
            }
        }
        for &w in graph.dfs.rpo.iter().rev() {
            let p = placement.parent[w as usize];
            if p != NONE {
                falls[p as usize] += falls[w as usize];
            }
        }
        for &u in &graph.dfs.rpo {
            if self.switch_frame[u as usize] != NONE || live_edges(func, graph, u) != 2 {
                continue;
            }
            let [a, b] = [graph.edges(u)[0].to, graph.edges(u)[1].to];
            let is_arm =
                |c: Node| self.role[c as usize] == Role::Arm && placement.parent[c as usize] == u;
            if !is_arm(a) || !is_arm(b) {
                continue;
            }
            self.flat_arm[u as usize] = match (falls[a as usize] == 0, falls[b as usize] == 0) {
                (true, true) if tree.size[b as usize] < tree.size[a as usize] => a,
                (true, _) => b,
                (false, true) => a,
                (false, false) => NONE,
            };
        }
    }

    fn remark(&self, graph: &Graph, remarks: &mut Remarks) {
        let chosen = |list: &[Node]| -> Vec<(Node, Node)> {
            list.iter()
                .enumerate()
                .filter(|c| *c.1 != NONE)
                .map(|(n, &c)| (n as Node, c))
                .collect()
        };
        for (node, to) in chosen(&self.block_merge) {
            remarks.add(
                Stage::InterleavedBreaks,
                graph.name(node),
                Decision::BlockConstruct { to: graph.name(to) },
            );
        }
        for (node, arm) in chosen(&self.flat_arm) {
            remarks.add(
                Stage::MergeScopes,
                graph.name(arm),
                Decision::Follows {
                    branch: graph.name(node),
                },
            );
        }
        for (from, to) in chosen(&self.falls_into) {
            remarks.add(
                Stage::FallThrough,
                graph.name(to),
                Decision::FallsInto {
                    from: graph.name(from),
                },
            );
        }
    }

    fn number(&mut self, graph: &Graph, placement: &Placement) {
        enum Step {
            Node(Node),
            Continue(u32),
            CloseSwitch(FrameId),
        }
        let mut stack = vec![Step::Node(0)];
        let mut steps = Vec::new();
        while let Some(step) = stack.pop() {
            let position = self.node_at.len() as u32;
            let w = match step {
                Step::CloseSwitch(f) => {
                    self.frames[f as usize].end = position - 1;
                    continue;
                }
                Step::Continue(l) => {
                    self.continue_position[l as usize] = position;
                    self.frames[self.loop_frame[l as usize] as usize].end = position;
                    let node = placement.continue_node[l as usize];
                    if node != NONE {
                        self.position[node as usize] = position;
                    }
                    self.node_at.push(node);
                    continue;
                }
                Step::Node(w) => w,
            };
            self.position[w as usize] = position;
            self.node_at.push(w);
            steps.clear();
            let frame = self.switch_frame[w as usize];
            if frame == NONE {
                let flat = self.flat_arm[w as usize];
                steps.extend(
                    placement
                        .children(w, false)
                        .filter(|&c| self.role[c as usize] == Role::Arm && c != flat)
                        .map(Step::Node),
                );
                if flat != NONE {
                    steps.push(Step::Node(flat));
                }
            } else {
                self.frames[frame as usize].start = position + 1;
                steps.extend(self.arms_of_switch(w).iter().map(|&c| Step::Node(c)));
                steps.push(Step::CloseSwitch(frame));
            }
            let block = self.block_frame.get(w as usize).copied().unwrap_or(NONE);
            if block != NONE {
                self.frames[block as usize].start = position + 1;
            }
            for item in placement
                .children(w, false)
                .filter(|&c| self.role[c as usize] == Role::Item)
            {
                if block != NONE && item == self.block_merge_of(w) {
                    steps.push(Step::CloseSwitch(block));
                }
                steps.push(Step::Node(item));
            }
            let own = graph.loops.of[w as usize];
            if own != NONE && graph.loops.headers[own as usize] == w {
                self.frames[self.loop_frame[own as usize] as usize].start = position;
                steps.push(Step::Continue(own));
            }
            steps.extend(
                placement
                    .children(w, true)
                    .filter(|&c| self.role[c as usize] == Role::After)
                    .map(Step::Node),
            );
            stack.extend(steps.drain(..).rev());
        }
    }
}
