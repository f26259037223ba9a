//! The graph that is structured: one node for each reachable block, and some inserted ones.
//!
//! Edges remember which original edge they carry: an original edge `p → y` assigns the phis of `y`,
//! whatever nodes it is led through. A pass that changes the graph describes the change as an
//! [`Edit`]; when that is applied, all analyses are made again.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::analysis::cfg::Cfg;
use crate::analysis::dfs::Dfs;
use crate::analysis::flow::Flow;
use crate::analysis::loops::{Loop, Loops};
use crate::entity::{Adjacency, EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::{Block, Function};

/// A node of the graph. Nodes are numbered in reverse post-order: all edges but back edges lead to
/// higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(u32);
entity_impl!(Node, "n");

impl Node {
    /// The entry.
    pub(crate) const ENTRY: Self = Self(0);

    /// Returns whether an edge is a back edge.
    pub(crate) fn is_back_edge(from: Self, to: Self) -> bool {
        to <= from
    }
}

/// Code of a target of dispatch headers: the value of the dispatch selector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Code(u32);
entity_impl!(Code, "code");

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// An original block.
    Block(Block),
    /// A fresh block with one successor: an entry, a header or a shared latch.
    Empty,
    /// A comparison of the dispatch selector: first successor if `selector <= bound`, else the
    /// second. Without a bound there is one successor and no comparison.
    Dispatch {
        /// The greatest code of the first successor.
        bound: Option<Code>,
    },
    /// A switch on the dispatch selector. The first successor is the default; the cases of the
    /// others are in [`Graph::dispatch_cases`].
    DispatchSwitch,
}

/// A case of a switch on the dispatch selector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DispatchCase {
    /// The node that branches.
    pub(crate) from: Node,
    /// The code of the case.
    pub(crate) code: Code,
    /// The node that it leads to.
    pub(crate) to: Node,
}

/// An edge between nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The node that it leads to.
    pub(crate) to: Node,
    /// The original edge that it carries: its target block, whose phis it assigns. None after a
    /// dispatch header or a shared latch.
    pub(crate) assigns: PackedOption<Block>,
    /// The dispatch selector that is set on it, if any.
    pub(crate) code: PackedOption<Code>,
}

impl Edge {
    /// Returns an edge that carries no original edge.
    fn plain(to: Node) -> Self {
        Self {
            to,
            assigns: None.into(),
            code: None.into(),
        }
    }
}

/// The graph with its analyses.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    kinds: PrimaryMap<Node, NodeKind>,
    edges: Adjacency<Node, Edge>,
    node_of: PrimaryMap<Block, PackedOption<Node>>,
    cfg: Cfg<Node>,
    dfs: Dfs<Node>,
    loops: Loops<Node>,
    latch: PrimaryMap<Loop, Node>,
    back_edges: PrimaryMap<Loop, u32>,
    /// The cases of the switches on the dispatch selector, sorted.
    dispatch_cases: Vec<DispatchCase>,
    /// Dispatch headers that were made.
    pub(crate) dispatch_headers: u32,
    /// See [`Graph::name`]; made if there are inserted nodes.
    names: PrimaryMap<Node, PackedOption<Block>>,
    /// The inserted nodes in a row, while they are named.
    passed: Vec<Node>,
}

impl Graph {
    /// Returns the graph of a checked function.
    #[cfg(test)]
    pub(crate) fn of(func: &Function) -> Self {
        let mut graph = Self::default();
        graph.compute(func, &Flow::of(func));
        graph
    }

    /// Makes it the reachable blocks of a checked function as nodes, with one edge for each distinct
    /// successor. An entry that has predecessors gets a fresh one before it.
    pub(crate) fn compute(&mut self, func: &Function, flow: &Flow) {
        let Flow { cfg, dfs } = flow;
        let Self {
            kinds,
            edges,
            node_of,
            ..
        } = self;
        kinds.clear();
        kinds.reserve_all(dfs.rpo().len() + 1);
        edges.clear();
        edges.reserve(dfs.rpo().len() + 1);
        let entry_preds = cfg.preds(Block::new(0));
        if entry_preds.iter().any(|&pred| dfs.reached(pred)) {
            kinds.push(NodeKind::Empty);
            // Not an original edge: the entry has no phis that could be assigned on it.
            edges.push(Edge::plain(Node(1)));
            edges.end_list();
        }
        self.dfs.renumber(dfs, kinds.len());
        node_of.reset(func.num_blocks());
        for &block in dfs.rpo() {
            node_of[block] = kinds.push(NodeKind::Block(block)).into();
        }
        for &block in dfs.rpo() {
            edges.extend(cfg.succs(block).iter().filter_map(|&to| {
                Some(Edge {
                    assigns: to.into(),
                    ..Edge::plain(node_of[to].expand()?)
                })
            }));
            edges.end_list();
        }
        self.dispatch_cases.clear();
        self.dispatch_headers = 0;
        self.analyze();
    }

    /// Makes the analyses of the nodes and edges, which are searched already.
    fn analyze(&mut self) {
        let Self {
            edges,
            cfg,
            dfs,
            loops,
            latch,
            back_edges,
            ..
        } = self;
        cfg.compute(|succs| add_successors(edges, succs));
        loops.compute(cfg, dfs);
        latch.clear();
        back_edges.clear();
        for l in loops.all() {
            let header = loops.header(l);
            let preds = cfg.preds(header);
            // Predecessors are in reverse post-order: sources of back edges are last.
            let back = &preds[preds.partition_point(|&p| p < header)..];
            latch.push(back.last().copied().unwrap_or(header));
            back_edges.push(back.len() as u32);
        }
        let is_inserted = |kind: &NodeKind| !matches!(kind, NodeKind::Block(_));
        if self.kinds.values().any(is_inserted) {
            self.name_all();
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }
    /// Returns the nodes in reverse post-order.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + use<> {
        self.kinds.keys()
    }
    /// Returns the nodes in the search's preorder.
    pub(crate) fn preorder(&self) -> &[Node] {
        self.dfs.preorder().as_slice()
    }
    /// Returns the kind of a node.
    pub(crate) fn kind(&self, node: Node) -> NodeKind {
        self.kinds[node]
    }
    /// Returns the original block of a node, if it is not an inserted one.
    pub(crate) fn block(&self, node: Node) -> Option<Block> {
        match self.kinds[node] {
            NodeKind::Block(block) => Some(block),
            NodeKind::Empty | NodeKind::Dispatch { .. } | NodeKind::DispatchSwitch => None,
        }
    }
    /// Returns the node of an original block, if the block is reachable.
    pub(crate) fn node_of(&self, block: Block) -> Option<Node> {
        self.node_of[block].expand()
    }
    /// Returns a block to call a node by: its own, or, for an inserted one, the first original
    /// block that it leads to.
    pub(crate) fn name(&self, node: Node) -> Block {
        let block = self.block(node);
        block.unwrap_or_else(|| self.names[node].expand().unwrap_or(Block::new(0)))
    }
    /// Finds the names of inserted nodes, if there are any.
    fn name_all(&mut self) {
        let mut names = core::mem::take(&mut self.names);
        names.reset(self.len());
        let mut passed = core::mem::take(&mut self.passed);
        for mut node in self.nodes() {
            // Inserted nodes follow each other in chains of dispatches; those are acyclic.
            let name = loop {
                if let Some(name) = names[node].expand().or(self.block(node)) {
                    break name;
                }
                passed.push(node);
                match self.edges(node).first() {
                    Some(edge) if passed.len() <= self.len() => node = edge.to,
                    _ => break Block::new(0),
                }
            };
            names[node] = name.into();
            for node in passed.drain(..) {
                names[node] = name.into();
            }
        }
        self.names = names;
        self.passed = passed;
    }
    /// Returns the edges that leave a node: for a block in the order of its distinct successors.
    pub(crate) fn edges(&self, node: Node) -> &[Edge] {
        &self.edges[node]
    }
    /// Returns the cases of a switch on the dispatch selector, by code.
    pub(crate) fn dispatch_cases(&self, node: Node) -> &[DispatchCase] {
        let start = self.dispatch_cases.partition_point(|case| case.from < node);
        let end = self
            .dispatch_cases
            .partition_point(|case| case.from <= node);
        self.dispatch_cases.get(start..end).unwrap_or(&[])
    }
    /// Returns the plain graph of the nodes.
    pub(crate) fn cfg(&self) -> &Cfg<Node> {
        &self.cfg
    }
    /// Returns the predecessors of a node in order, sources of back edges last.
    pub(crate) fn preds(&self, node: Node) -> &[Node] {
        self.cfg.preds(node)
    }
    /// Returns how many edges enter a node without back edges.
    pub(crate) fn forward_preds(&self, node: Node) -> usize {
        self.preds(node).iter().take_while(|&&p| p < node).count()
    }

    /// Returns the loop nesting forest.
    pub(crate) fn loops(&self) -> &Loops<Node> {
        &self.loops
    }
    /// Returns the loop headed by a node, if any.
    pub(crate) fn loop_headed_by(&self, node: Node) -> Option<Loop> {
        self.loops.headed_by(node)
    }
    /// Returns the header of a loop.
    pub(crate) fn header(&self, l: Loop) -> Node {
        self.loops.header(l)
    }
    /// Returns the loop on whose level a node is, if any: for a header the loop around its own.
    pub(crate) fn level_of(&self, node: Node) -> PackedOption<Loop> {
        self.loops.level_of(node)
    }
    /// Returns the node with a back edge of each loop: the only one, once each loop has one.
    pub(crate) fn latches(&self) -> &PrimaryMap<Loop, Node> {
        &self.latch
    }
    /// Returns the node with a back edge of a loop: the only one, once each loop has one.
    pub(crate) fn latch(&self, l: Loop) -> Node {
        self.latch[l]
    }
    /// Returns how many back edges a loop has.
    pub(crate) fn back_edges(&self, l: Loop) -> u32 {
        self.back_edges[l]
    }
}

/// A change of a graph: further nodes, and edges of the old nodes that lead elsewhere. No edges are
/// added to old nodes.
#[derive(Default)]
pub(crate) struct Edit {
    kinds: PrimaryMap<Node, NodeKind>,
    edges: Adjacency<Node, Edge>,
    /// Edges of the new nodes.
    added: Vec<SmallVec<[Edge; 2]>>,
    dispatch_cases: Vec<DispatchCase>,
    /// The dispatch header of each loop that has one.
    pub(super) headers: PrimaryMap<Loop, PackedOption<Node>>,
    /// The graph with the change, in which nodes have the numbers of before.
    cfg: Cfg<Node>,
    dfs: Dfs<Node>,
}

impl Edit {
    /// Makes it the change that changes nothing.
    pub(super) fn start(&mut self, graph: &Graph) {
        self.kinds.clone_from(&graph.kinds);
        self.edges.copy_of(&graph.edges);
        self.added.clear();
        self.dispatch_cases.clone_from(&graph.dispatch_cases);
    }
    /// Adds a node without edges.
    pub(super) fn add_node(&mut self, kind: NodeKind) -> Node {
        self.added.push(SmallVec::new());
        self.kinds.push(kind)
    }
    /// Changes the kind of a node.
    pub(super) fn set_kind(&mut self, node: Node, kind: NodeKind) {
        self.kinds[node] = kind;
    }
    /// Adds an edge that carries no original one to a new node.
    pub(super) fn add_edge(&mut self, node: Node, to: Node) {
        let old = self.edges.len();
        if let Some(edges) = self.added.get_mut(node.index() - old) {
            edges.push(Edge::plain(to));
        }
    }
    /// Adds a case of a switch on the dispatch selector.
    pub(super) fn add_dispatch_case(&mut self, case: DispatchCase) {
        self.dispatch_cases.push(case);
    }
    /// Returns the edges of an old node, to redirect.
    pub(super) fn edges_mut(&mut self, node: Node) -> &mut [Edge] {
        let range = self.edges.range(node);
        &mut self.edges.items_mut()[range]
    }
    /// Changes the graph, whose nodes are numbered again.
    pub(super) fn apply(&mut self, graph: &mut Graph, dispatch_headers: u32) {
        for list in self.added.drain(..) {
            self.edges.extend(list);
            self.edges.end_list();
        }
        let Self { kinds, edges, .. } = self;
        self.cfg.compute(|succs| add_successors(edges, succs));
        self.dfs.compute(&self.cfg, Node::ENTRY);
        graph.dfs.renumber(&self.dfs, 0);
        let old = self.dfs.rpo();
        let mut numbers: PrimaryMap<Node, Node> = PrimaryMap::filled(Node::ENTRY, kinds.len());
        graph.kinds.clear();
        for &node in old {
            numbers[node] = graph.kinds.push(kinds[node]);
        }
        graph.edges.clear();
        for &node in old {
            graph.edges.extend(edges[node].iter().map(|&edge| Edge {
                to: numbers[edge.to],
                ..edge
            }));
            graph.edges.end_list();
        }
        for (node, kind) in graph.kinds.iter() {
            if let NodeKind::Block(block) = *kind {
                graph.node_of[block] = node.into();
            }
        }
        for case in &mut self.dispatch_cases {
            (case.from, case.to) = (numbers[case.from], numbers[case.to]);
        }
        self.dispatch_cases.sort_unstable();
        core::mem::swap(&mut graph.dispatch_cases, &mut self.dispatch_cases);
        graph.dispatch_headers = dispatch_headers;
        graph.analyze();
    }
}

/// Adds the targets of the edges of each node.
fn add_successors(edges: &Adjacency<Node, Edge>, succs: &mut Adjacency<Node, Node>) {
    succs.reserve(edges.len());
    for (_, list) in edges.iter() {
        succs.extend(list.iter().map(|e| e.to));
        succs.end_list();
    }
}
