//! The control-flow graph with petgraph's traits, so that its algorithms run on functions and
//! results. Feature `petgraph`.
//!
//! ```
//! use petgraph::algo::dominators::simple_fast;
//! use petgraph::algo::{has_path_connecting, tarjan_scc};
//! use trellis_structurizer::ir::Block;
//! use trellis_structurizer::{Options, structurize, text};
//! use trellis_structurizer_analysis::petgraph::BlockGraph;
//!
//! let func = text::parse("a: h\nh: b x\nb: c d\nc: e\nd: e\ne: h\nx: ret")?;
//! let graph = BlockGraph::of(&func);
//! let [a, h, b, .., e, x] = std::array::from_fn::<_, 7, _>(|index| Block::from_u32(index as u32));
//! assert_eq!(simple_fast(&graph, a).immediate_dominator(e), Some(b));
//! assert!(tarjan_scc(&graph).iter().any(|component| component.len() == 5 && component.contains(&h)));
//! assert!(!has_path_connecting(&graph, x, a, None));
//!
//! // The result, with the edges from headers to merge blocks and continue targets.
//! let structured = structurize(func, &Options::default())?;
//! let graph = BlockGraph::structural(&structured);
//! assert_eq!(simple_fast(&graph, a).immediate_dominator(x), Some(h));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::vec::Vec;
use core::iter::Copied;
use core::slice::Iter;

use ::petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges,
    IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers,
    IntoNodeReferences, NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};
use ::petgraph::{Directed, Direction};
use trellis_entity::{Adjacency, EntityRef, SecondaryMap};
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::{Merge, Structured};

/// No position.
const NONE: u32 = u32::MAX;

/// The blocks of a function or of a result as a directed graph. An edge that a terminator names
/// several times is there several times.
///
/// It holds the edges in both directions and is made in linear time; a function that changes needs
/// a new one.
#[derive(Clone, Debug)]
pub struct BlockGraph {
    nodes: Vec<Block>,
    /// Index of each block in `nodes`.
    positions: SecondaryMap<Block, u32>,
    edges: Vec<Edge>,
    /// The edges by source, and by target.
    outgoing: Adjacency<Block, Edge>,
    incoming: Adjacency<Block, Edge>,
}

/// An edge of a [`BlockGraph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The source.
    pub source: Block,
    /// The target.
    pub target: Block,
    /// Its number: edges are numbered by source, then in the order of the source's terminator.
    pub number: u32,
}

impl BlockGraph {
    /// Makes the graph of a function: all blocks, reachable or not, and the edges of their
    /// terminators. Of a `BreakBranch` both edges count, as for the structurizer.
    pub fn of(func: &Function) -> Self {
        Self::new(func, func.blocks().collect(), |_| [None, None])
    }

    /// Makes the graph of a result: the blocks of its order, in that order, and the edges of their
    /// terminators.
    pub fn of_structured(structured: &Structured) -> Self {
        Self::new(&structured.func, structured.order.clone(), |_| [None, None])
    }

    /// Makes the structural graph of a result (SPIR-V 1.6, section 2.11): as
    /// [`of_structured`](Self::of_structured), with edges from each header to its merge block and
    /// continue target. They come before the terminator's edges.
    pub fn structural(structured: &Structured) -> Self {
        let more = |block| match structured.merges[block] {
            Merge::None => [None, None],
            Merge::Selection { merge, .. } => [Some(merge), None],
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => [Some(merge), Some(continue_target)],
        };
        Self::new(&structured.func, structured.order.clone(), more)
    }

    fn new(
        func: &Function,
        mut nodes: Vec<Block>,
        more: impl Fn(Block) -> [Option<Block>; 2],
    ) -> Self {
        nodes.retain(|&block| func.has_block(block));
        let mut positions = SecondaryMap::with_default(NONE);
        for (position, &block) in nodes.iter().enumerate() {
            positions[block] = position as u32;
        }
        let mut edges = Vec::with_capacity(nodes.len() * 2);
        for &source in &nodes {
            let targets = more(source).into_iter().flatten();
            let targets = targets.chain(func.successors(source));
            for target in targets.filter(|&to| positions[to] != NONE) {
                edges.push(Edge {
                    source,
                    target,
                    number: edges.len() as u32,
                });
            }
        }
        let by = |end: fn(&Edge) -> Block| {
            Adjacency::group(func.num_blocks(), || {
                edges.iter().map(|edge| (end(edge), *edge))
            })
        };
        BlockGraph {
            outgoing: by(|edge| edge.source),
            incoming: by(|edge| edge.target),
            nodes,
            positions,
            edges,
        }
    }

    /// Returns the edges that start at a block; none for a block that is not in the graph.
    pub fn outgoing(&self, block: Block) -> &[Edge] {
        self.outgoing.get(block)
    }

    fn directed(&self, block: Block, direction: Direction) -> Edges<'_> {
        match direction {
            Direction::Outgoing => self.outgoing(block).iter().copied(),
            Direction::Incoming => self.incoming.get(block).iter().copied(),
        }
    }
}

/// Edges of a block, in one direction.
pub type Edges<'a> = Copied<Iter<'a, Edge>>;

/// The other ends of a block's edges, in one direction.
#[derive(Clone, Debug)]
pub struct Neighbors<'a> {
    edges: Edges<'a>,
    direction: Direction,
}

impl Iterator for Neighbors<'_> {
    type Item = Block;
    fn next(&mut self) -> Option<Block> {
        self.edges.next().map(|edge| match self.direction {
            Direction::Outgoing => edge.target,
            Direction::Incoming => edge.source,
        })
    }
}

impl EdgeRef for Edge {
    type NodeId = Block;
    type EdgeId = u32;
    type Weight = ();
    fn source(&self) -> Block {
        self.source
    }
    fn target(&self) -> Block {
        self.target
    }
    fn weight(&self) -> &() {
        &()
    }
    fn id(&self) -> u32 {
        self.number
    }
}

/// The set of visited blocks.
#[derive(Clone, Debug, Default)]
pub struct Visited(SecondaryMap<Block, bool>);

impl VisitMap<Block> for Visited {
    fn visit(&mut self, block: Block) -> bool {
        !core::mem::replace(&mut self.0[block], true)
    }
    fn is_visited(&self, block: &Block) -> bool {
        self.0[*block]
    }
    fn unvisit(&mut self, block: Block) -> bool {
        core::mem::take(&mut self.0[block])
    }
}

impl GraphBase for BlockGraph {
    type NodeId = Block;
    type EdgeId = u32;
}

impl Data for BlockGraph {
    type NodeWeight = ();
    type EdgeWeight = ();
}

impl GraphProp for BlockGraph {
    type EdgeType = Directed;
}

impl NodeCount for BlockGraph {
    fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

impl EdgeCount for BlockGraph {
    fn edge_count(&self) -> usize {
        self.edges.len()
    }
}

impl NodeIndexable for BlockGraph {
    fn node_bound(&self) -> usize {
        self.nodes.len()
    }
    fn to_index(&self, block: Block) -> usize {
        self.positions[block] as usize
    }
    fn from_index(&self, index: usize) -> Block {
        let node = self.nodes.get(index).copied();
        node.unwrap_or_else(|| Block::new(index))
    }
}

impl NodeCompactIndexable for BlockGraph {}

impl Visitable for BlockGraph {
    type Map = Visited;
    fn visit_map(&self) -> Visited {
        Visited::default()
    }
    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
    }
}

impl<'a> IntoNeighbors for &'a BlockGraph {
    type Neighbors = Neighbors<'a>;
    fn neighbors(self, block: Block) -> Neighbors<'a> {
        self.neighbors_directed(block, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for &'a BlockGraph {
    type NeighborsDirected = Neighbors<'a>;
    fn neighbors_directed(self, block: Block, direction: Direction) -> Neighbors<'a> {
        Neighbors {
            edges: self.directed(block, direction),
            direction,
        }
    }
}

impl<'a> IntoEdgeReferences for &'a BlockGraph {
    type EdgeRef = Edge;
    type EdgeReferences = Edges<'a>;
    fn edge_references(self) -> Self::EdgeReferences {
        self.edges.iter().copied()
    }
}

impl<'a> IntoEdges for &'a BlockGraph {
    type Edges = Edges<'a>;
    fn edges(self, block: Block) -> Edges<'a> {
        self.directed(block, Direction::Outgoing)
    }
}

impl<'a> IntoEdgesDirected for &'a BlockGraph {
    type EdgesDirected = Edges<'a>;
    fn edges_directed(self, block: Block, direction: Direction) -> Edges<'a> {
        self.directed(block, direction)
    }
}

impl<'a> IntoNodeIdentifiers for &'a BlockGraph {
    type NodeIdentifiers = Copied<Iter<'a, Block>>;
    fn node_identifiers(self) -> Self::NodeIdentifiers {
        self.nodes.iter().copied()
    }
}

impl<'a> IntoNodeReferences for &'a BlockGraph {
    type NodeRef = (Block, &'a ());
    type NodeReferences = NodeReferences<'a>;
    fn node_references(self) -> NodeReferences<'a> {
        NodeReferences(self.nodes.iter())
    }
}

/// The blocks of a graph with their weight, which is nothing.
#[derive(Clone, Debug)]
pub struct NodeReferences<'a>(Iter<'a, Block>);

impl<'a> Iterator for NodeReferences<'a> {
    type Item = (Block, &'a ());
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|&block| (block, &()))
    }
}
