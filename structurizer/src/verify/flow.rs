//! Predecessors and dominators over branch edges, which the rules about values need.

use super::cfg::{Cfg, Position};
use super::dominators::{Dominators, Edges};
use super::predecessors::Predecessors;

/// The predecessors of the blocks of a [`Cfg`], and which blocks dominate others, over branch edges
/// alone. [`Flow::read`] fills it in the memory that it has.
///
/// ```
/// use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Flow, Position};
///
/// let [entry, then, merge] = [0, 1, 2].map(Position::from_u32);
/// let mut cfg = Cfg::default();
/// cfg.add_block(BlockEnd::Conditional, BlockMerge::Selection { merge }, [then, merge]);
/// cfg.add_block(BlockEnd::Branch, BlockMerge::None, [merge]);
/// cfg.add_block(BlockEnd::Exit, BlockMerge::None, []);
/// let mut flow = Flow::default();
/// flow.read(&cfg);
/// assert_eq!(flow.predecessors(merge), [entry, then]);
/// assert!(flow.dominates(&cfg, entry, merge) && !flow.dominates(&cfg, then, merge));
/// ```
#[derive(Debug, Default)]
pub struct Flow {
    predecessors: Predecessors<Position>,
    dominators: Dominators,
    are_dominators_known: bool,
}

impl Flow {
    /// Reads the edges of a graph.
    pub fn read(&mut self, cfg: &Cfg) {
        let edges = cfg.blocks().flat_map(|(block, _)| {
            let targets = cfg.successors(block).iter();
            targets.map(move |&to| (block, to))
        });
        self.predecessors.fill(cfg.len(), edges);
        self.are_dominators_known = false;
    }

    /// Returns the predecessors of a block, one for each edge.
    pub fn predecessors(&self, block: Position) -> &[Position] {
        self.predecessors.of(block)
    }

    /// Returns whether `a` dominates `b`, which is what SPIR-V requires of a use. A block that no
    /// branch reaches is dominated by all. `cfg` is the graph that was read, and
    /// [`verify_cfg`](super::verify_cfg) accepts it: the target of a back edge dominates its source.
    pub fn dominates(&mut self, cfg: &Cfg, a: Position, b: Position) -> bool {
        // Most functions are checked without: structural dominance is stricter.
        if !self.are_dominators_known {
            self.dominators.compute(cfg, Edges::Branches);
            self.are_dominators_known = true;
        }
        let tree = &self.dominators;
        !tree.reached(b) || (tree.reached(a) && tree.dominates(a, b))
    }
}
