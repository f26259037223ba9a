//! Stage 0: a graph in which every cycle is a loop with one header and one back edge.
//!
//! The function itself is not touched. The result is a [`Graph`] of *nodes*, one for each reachable
//! block and some of our own, whose edges remember which original edge they carry: an original edge
//! `p → y` assigns the phis of `y`, wherever it is led through.
//!
//! * Unreachable blocks are not in the graph. An entry that has predecessors gets a fresh one
//!   before it.
//! * An irreducible loop (Havlak's forest) gets a *dispatch header*: every edge that enters the
//!   loop, and every back edge to its header, goes there with the code of its target as dispatch
//!   selector, and a chain of comparisons leads on. Codes follow the loop forest's preorder, so
//!   that a loop nested inside is one interval of codes and one comparison, whatever the number of
//!   its entries. Never node splitting: it would copy convergent operations.
//! * Several back edges to one header share a latch, unless they are those of nested loops
//!   ([`shared_header`], which belongs to stage 7).
//!
//! Postcondition: reducible; each loop has exactly one back edge.

mod shared_header;

use crate::graph::{
    Cfg, NONE,
    dfs::Dfs,
    loops::{Loop, Loops},
};
use crate::ir::{Block, Function, Terminator};
use crate::result::Options;
use crate::stage::{Decision, Remarks, Stage};

/// A node: `0..` in the order of the entry, the original blocks, then inserted ones.
pub(crate) type Node = u32;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// An original block.
    Block(Block),
    /// A fresh block with one successor: an entry or a shared latch.
    Empty,
    /// A comparison of the dispatch selector: first successor if `selector <= bound`, else the
    /// second; with one successor only, no comparison.
    Dispatch {
        /// The greatest code of the first successor.
        bound: u32,
    },
}

/// An edge between nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// Where it leads.
    pub(crate) to: Node,
    /// The original edge that it carries: its target block, whose phis it assigns. `None` behind a
    /// dispatch header or a shared latch.
    pub(crate) assigns: Option<Block>,
    /// The dispatch selector that is set on it, [`NONE`] for none.
    pub(crate) code: u32,
}

/// The canonical graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Nodes; node 0 is the entry.
    pub(crate) kinds: Vec<NodeKind>,
    start: Vec<u32>,
    edges: Vec<Edge>,
    /// Node of each original block, [`NONE`] if unreachable.
    pub(crate) node_of: Vec<Node>,
    /// Plain graph of the nodes.
    pub(crate) cfg: Cfg,
    /// Search from the entry.
    pub(crate) dfs: Dfs,
    /// Loops; all reducible.
    pub(crate) loops: Loops,
    /// How many edges enter a node beside back edges.
    pub(crate) forward_preds: Vec<u32>,
    /// The one node with a back edge, for each loop.
    pub(crate) latch: Vec<Node>,
    /// How many back edges each loop has: one, once the graph is canonical.
    back_edges: Vec<u32>,
    /// Dispatch headers that were made.
    pub(crate) dispatch_headers: u32,
    /// Whether some terminator is a `BreakBranch`.
    pub(crate) has_break_branch: bool,
}

impl Graph {
    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }
    /// A block to call a node by: its own, or, for an inserted one, the first original block that
    /// it leads to.
    pub(crate) fn name(&self, mut node: Node) -> Block {
        // Inserted nodes follow each other in chains of dispatches; those are acyclic.
        for _ in 0..self.len() {
            if let NodeKind::Block(block) = self.kinds[node as usize] {
                return block;
            }
            match self.edges(node).first() {
                Some(edge) => node = edge.to,
                None => break,
            }
        }
        Block::from_u32(0)
    }
    /// Edges that leave a node: for a block in the order of its distinct successors.
    pub(crate) fn edges(&self, node: Node) -> &[Edge] {
        &self.edges[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }
}

/// A graph that is about to get further nodes: edges of the old ones may be turned elsewhere, but
/// none are added to them.
struct Draft {
    kinds: Vec<NodeKind>,
    start: Vec<u32>,
    edges: Vec<Edge>,
    /// Edges of the new nodes, at most two each.
    added: Vec<[Option<Edge>; 2]>,
}

/// Builds the canonical graph of a checked function.
pub(crate) fn canonicalize(func: &Function, options: &Options, remarks: &mut Remarks) -> Graph {
    let mut graph = reachable(func);
    if remarks.wanted() {
        let went = remarks.blocks();
        for block in func.blocks().filter(|b| {
            graph.node_of[b.as_u32() as usize] == NONE && went.binary_search(b).is_err()
        }) {
            remarks.add(Stage::Canonicalize, block, Decision::Unreachable);
        }
        if graph.kinds[0] == NodeKind::Empty {
            remarks.add(
                Stage::Canonicalize,
                Block::from_u32(0),
                Decision::EntrySplit,
            );
        }
    }
    if options.stages.contains(Stage::LoopTransposition)
        && graph.back_edges.iter().any(|&count| count > 1)
    {
        graph = shared_header::separate(graph, func, remarks);
    }
    // Dispatch headers and latches leave the loops what they are, so one round is enough; were it
    // not, a later stage's error is better than no end.
    for _ in 0..MAX_ROUNDS {
        if !graph.loops.irreducible.iter().any(|&i| i)
            && graph.back_edges.iter().all(|&count| count <= 1)
        {
            break;
        }
        graph = make_regular(graph, remarks);
    }
    graph
}

/// How often loops are made regular.
const MAX_ROUNDS: u32 = 4;

fn plain(to: Node, target: Block) -> Edge {
    Edge {
        to,
        assigns: Some(target),
        code: NONE,
    }
}

/// The reachable blocks as nodes, distinct edges only.
fn reachable(func: &Function) -> Graph {
    let n = func.num_blocks();
    let mut node_of = vec![NONE; n];
    let mut stamp = vec![NONE; n];
    let mut order: Vec<Block> = Vec::with_capacity(n);
    let mut has_break_branch = false;
    let entry = Block::from_u32(0);
    order.push(entry);
    node_of[0] = 0;
    let mut entry_has_preds = false;
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        next += 1;
        for to in func.successors(block) {
            entry_has_preds |= to == entry;
            if node_of[to.as_u32() as usize] == NONE {
                node_of[to.as_u32() as usize] = order.len() as u32;
                order.push(to);
            }
        }
    }
    let shift = u32::from(entry_has_preds);
    let mut kinds = Vec::with_capacity(order.len() + 1);
    let mut start = Vec::with_capacity(order.len() + 2);
    let mut edges = Vec::with_capacity(order.len() * 2);
    start.push(0);
    if entry_has_preds {
        kinds.push(NodeKind::Empty);
        // Not an original edge: the entry has no phis that could be assigned on it.
        edges.push(Edge {
            to: 1,
            assigns: None,
            code: NONE,
        });
        start.push(1);
        for node in node_of.iter_mut().filter(|n| **n != NONE) {
            *node += 1;
        }
    }
    for (i, &block) in order.iter().enumerate() {
        kinds.push(NodeKind::Block(block));
        has_break_branch |= matches!(func.term(block), Terminator::BreakBranch { .. });
        for to in func.successors(block) {
            let slot = &mut stamp[to.as_u32() as usize];
            if *slot != i as u32 {
                *slot = i as u32;
                edges.push(plain(node_of[to.as_u32() as usize], to));
            }
        }
        start.push(edges.len() as u32);
    }
    debug_assert_eq!(kinds.len(), order.len() + shift as usize);
    pack(kinds, start, edges, node_of, 0, has_break_branch)
}

fn pack(
    kinds: Vec<NodeKind>,
    start: Vec<u32>,
    edges: Vec<Edge>,
    node_of: Vec<Node>,
    dispatch_headers: u32,
    has_break_branch: bool,
) -> Graph {
    let cfg = Cfg::new(start.clone(), edges.iter().map(|e| e.to).collect());
    let dfs = Dfs::new(&cfg, 0);
    let loops = Loops::new(&cfg, &dfs);
    let forward = |n: u32| {
        cfg.preds(n)
            .iter()
            .filter(|&&p| dfs.rpo_number[p as usize] < dfs.rpo_number[n as usize])
            .count() as u32
    };
    let forward_preds = (0..cfg.len() as u32).map(forward).collect();
    let mut graph = Graph {
        kinds,
        start,
        edges,
        node_of,
        cfg,
        dfs,
        loops,
        forward_preds,
        latch: Vec::new(),
        back_edges: Vec::new(),
        dispatch_headers,
        has_break_branch,
    };
    (graph.latch, graph.back_edges) = back_edges(&graph);
    graph
}

/// For each loop a node with a back edge, and how many there are.
fn back_edges(graph: &Graph) -> (Vec<Node>, Vec<u32>) {
    let mut latch = vec![NONE; graph.loops.len()];
    let mut count = vec![0; graph.loops.len()];
    for l in 0..graph.loops.len() {
        let header = graph.loops.headers[l];
        for &p in graph.cfg.preds(header) {
            if graph.dfs.reached(p) && graph.dfs.is_ancestor(header, p) {
                latch[l] = p;
                count[l] += 1;
            }
        }
    }
    (latch, count)
}

impl Draft {
    fn of(graph: &Graph) -> Self {
        Self {
            kinds: graph.kinds.clone(),
            start: graph.start.clone(),
            edges: graph.edges.clone(),
            added: Vec::new(),
        }
    }
    fn add(&mut self, kind: NodeKind) -> Node {
        self.kinds.push(kind);
        self.added.push([None; 2]);
        self.kinds.len() as Node - 1
    }
    /// Gives a new node an edge that carries no original one.
    fn lead(&mut self, node: Node, to: Node) {
        let old = self.kinds.len() - self.added.len();
        let edge = Some(Edge {
            to,
            assigns: None,
            code: NONE,
        });
        match &mut self.added[node as usize - old] {
            [first @ None, _] => *first = edge,
            [_, second] => *second = edge,
        }
    }
    /// Turns the edges from an old node to another elsewhere.
    fn redirect(&mut self, from: Node, to: Node, elsewhere: Node) {
        let edges = self.start[from as usize] as usize..self.start[from as usize + 1] as usize;
        self.edges[edges]
            .iter_mut()
            .filter(|e| e.to == to)
            .for_each(|e| e.to = elsewhere);
    }
    fn pack(mut self, graph: Graph, dispatch_headers: u32) -> Graph {
        for list in self.added {
            self.edges.extend(list.into_iter().flatten());
            self.start.push(self.edges.len() as u32);
        }
        pack(
            self.kinds,
            self.start,
            self.edges,
            graph.node_of,
            dispatch_headers,
            graph.has_break_branch,
        )
    }
}

/// Dispatch headers for irreducible loops, and one latch for each loop that has several back edges.
fn make_regular(graph: Graph, remarks: &mut Remarks) -> Graph {
    let mut draft = Draft::of(&graph);
    let mut made = graph.dispatch_headers;
    // Where the edges to a loop's header go instead: to its dispatch header from outside, to its
    // latch from inside.
    let mut dispatch_header = vec![NONE; graph.loops.len()];
    if graph.loops.irreducible.iter().any(|&i| i) {
        made += dispatch(&graph, &mut draft, &mut dispatch_header, remarks);
    }
    for (l, &count) in graph.back_edges.iter().enumerate() {
        if count < 2 {
            continue;
        }
        let header = graph.loops.headers[l];
        let latch = draft.add(NodeKind::Empty);
        if remarks.wanted() {
            remarks.add(
                Stage::Canonicalize,
                graph.name(header),
                Decision::SharedLatch { back_edges: count },
            );
        }
        let first = if dispatch_header[l] == NONE {
            header
        } else {
            dispatch_header[l]
        };
        for &p in graph.cfg.preds(header) {
            if graph.dfs.reached(p) && graph.dfs.is_ancestor(header, p) {
                let edges = graph.start[p as usize] as usize..graph.start[p as usize + 1] as usize;
                for (edge, was) in draft.edges[edges.clone()]
                    .iter_mut()
                    .zip(&graph.edges[edges])
                {
                    if was.to == header {
                        edge.to = latch;
                    }
                }
            }
        }
        draft.lead(latch, first);
    }
    draft.pack(graph, made)
}

/// The chain of loops that an edge enters beside their headers or returns to, outermost first, as
/// far as they have a dispatch header.
fn dispatched_loops(graph: &Graph, codes: &Codes, from: Node, to: Node, chain: &mut Vec<Loop>) {
    chain.clear();
    let loops = &graph.loops;
    let mut l = loops.of[to as usize];
    while l != NONE {
        let is_inside = codes.contains(l, from);
        if is_inside && loops.headers[l as usize] != to {
            break;
        }
        if loops.irreducible[l as usize] {
            chain.push(l);
        }
        if is_inside {
            break;
        }
        l = loops.parent[l as usize];
    }
    chain.reverse();
}

/// Dispatch headers for the irreducible loops; how many there are.
fn dispatch(graph: &Graph, draft: &mut Draft, header: &mut [Node], remarks: &mut Remarks) -> u32 {
    let codes = Codes::new(graph);
    let mut made = 0;
    for (header, &irreducible) in header.iter_mut().zip(&graph.loops.irreducible) {
        if irreducible {
            *header = draft.add(NodeKind::Dispatch { bound: 0 });
            made += 1;
        }
    }
    // Where each dispatch header leads: (loop, last code, next hop).
    let mut hops: Vec<(Loop, u32, Node)> = Vec::new();
    // The loop that a hop was noted for last: many edges lead to one place.
    let mut noted = vec![NONE; draft.kinds.len()];
    let mut chain = Vec::new();
    for from in 0..graph.len() as Node {
        for i in graph.start[from as usize] as usize..graph.start[from as usize + 1] as usize {
            let to = graph.edges[i].to;
            dispatched_loops(graph, &codes, from, to, &mut chain);
            let Some(&first) = chain.first() else {
                continue;
            };
            for (k, &l) in chain.iter().enumerate() {
                let (bound, hop) = match chain.get(k + 1) {
                    Some(&inner) => (codes.of_loop[inner as usize].1, header[inner as usize]),
                    None => (codes.of_node[to as usize], to),
                };
                if std::mem::replace(&mut noted[hop as usize], l) != l {
                    hops.push((l, bound, hop));
                }
            }
            draft.edges[i].to = header[first as usize];
            draft.edges[i].code = codes.of_node[to as usize];
        }
    }
    hops.sort_unstable();
    hops.dedup();
    for list in hops.chunk_by(|a, b| a.0 == b.0) {
        let l = list[0].0 as usize;
        if remarks.wanted() {
            remarks.add(
                Stage::Canonicalize,
                graph.name(graph.loops.headers[l]),
                Decision::DispatchHeader {
                    targets: list.len() as u32,
                },
            );
        }
        let mut node = header[l];
        let last = list.len() - 1;
        for (k, &(_, bound, hop)) in list.iter().enumerate() {
            draft.lead(node, hop);
            if k < last {
                draft.kinds[node as usize] = NodeKind::Dispatch { bound };
                if k + 1 < last {
                    let next = draft.add(NodeKind::Dispatch { bound: 0 });
                    draft.lead(node, next);
                    node = next;
                }
            }
        }
    }
    made
}

/// Codes of the nodes in the loop forest's preorder.
struct Codes {
    of_node: Vec<u32>,
    /// First and last code inside each loop.
    of_loop: Vec<(u32, u32)>,
}

impl Codes {
    fn new(graph: &Graph) -> Self {
        let loops = &graph.loops;
        // Sizes (a loop counts its nodes and those inside), then starts from the outside in.
        let mut size = vec![0u32; loops.len()];
        for &node in &graph.dfs.preorder {
            if loops.of[node as usize] != NONE {
                size[loops.of[node as usize] as usize] += 1;
            }
        }
        for l in (0..loops.len()).rev() {
            if loops.parent[l] != NONE {
                size[loops.parent[l] as usize] += size[l];
            }
        }
        let mut of_loop = vec![(0, 0); loops.len()];
        let mut next = vec![0u32; loops.len() + 1];
        let root = loops.len();
        for l in 0..loops.len() {
            let outer = if loops.parent[l] == NONE {
                root
            } else {
                loops.parent[l] as usize
            };
            of_loop[l] = (next[outer], next[outer] + size[l] - 1);
            next[outer] += size[l];
            next[l] = of_loop[l].0;
        }
        let mut of_node = vec![NONE; graph.len()];
        for &node in &graph.dfs.preorder {
            let l = if loops.of[node as usize] == NONE {
                root
            } else {
                loops.of[node as usize] as usize
            };
            of_node[node as usize] = next[l];
            next[l] += 1;
        }
        Self { of_node, of_loop }
    }
    fn contains(&self, l: Loop, node: Node) -> bool {
        let (first, last) = self.of_loop[l as usize];
        (first..=last).contains(&self.of_node[node as usize])
    }
}
