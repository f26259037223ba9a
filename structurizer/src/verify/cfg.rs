//! The bare graph that the verifier reads: for each block how it ends, its merge instruction and
//! its edges.

use alloc::vec::Vec;

use trellis_entity::{PrimaryMap, entity_impl};

use super::dominators::Edges;

/// The position of a block in the order of its function; the entry has position 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u32);
entity_impl!(Position, "block ");

impl Position {
    /// The position of the entry.
    pub const ENTRY: Position = Position(0);
    /// The reserved value.
    pub(super) const NONE: Position = Position(u32::MAX);
}

/// Terminator of a block, as far as control flow needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEnd {
    /// A function termination instruction.
    Exit,
    /// `OpBranch`: one successor.
    Branch,
    /// `OpBranchConditional`: two successors.
    Conditional,
    /// `OpSwitch`: the default, then the targets in the order of the operands.
    Switch,
}

/// The merge instruction of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockMerge {
    /// There is none.
    None,
    /// `OpSelectionMerge`
    Selection {
        /// The merge block.
        merge: Position,
    },
    /// `OpLoopMerge`
    Loop {
        /// The merge block.
        merge: Position,
        /// The continue target.
        continue_target: Position,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockInfo {
    pub(super) end: BlockEnd,
    pub(super) merge: BlockMerge,
    /// Edges: from `start` merge and continue edges, from `branches` to `stop` branch edges.
    start: u32,
    branches: u32,
    stop: u32,
}

/// The blocks of one function in their order in the module, the entry first.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    blocks: PrimaryMap<Position, BlockInfo>,
    edges: Vec<Position>,
}

impl Cfg {
    /// Returns a graph without blocks, with capacity for `blocks`.
    pub fn with_capacity(blocks: usize) -> Self {
        Cfg {
            blocks: PrimaryMap::with_capacity(blocks),
            edges: Vec::with_capacity(blocks * 3),
        }
    }

    /// Removes all blocks and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.edges.clear();
    }

    /// Adds the next block and returns its position. Targets may be added later.
    pub fn add_block(
        &mut self,
        end: BlockEnd,
        merge: BlockMerge,
        successors: impl IntoIterator<Item = Position>,
    ) -> Position {
        let start = self.edges.len() as u32;
        match merge {
            BlockMerge::None => {}
            BlockMerge::Selection { merge } => self.edges.push(merge),
            BlockMerge::Loop {
                merge,
                continue_target,
            } => self.edges.extend([merge, continue_target]),
        }
        let branches = self.edges.len() as u32;
        self.edges.extend(successors);
        self.blocks.push(BlockInfo {
            end,
            merge,
            start,
            branches,
            stop: self.edges.len() as u32,
        })
    }

    /// Replaces the target of each edge, for a client that adds blocks before it knows the positions
    /// of their targets.
    ///
    /// # Errors
    /// The first target without a position.
    pub fn retarget(
        &mut self,
        position: impl Fn(Position) -> Option<Position>,
    ) -> Result<(), Position> {
        for edge in &mut self.edges {
            *edge = position(*edge).ok_or(*edge)?;
        }
        for info in self.blocks.values_mut() {
            let start = info.start as usize;
            match &mut info.merge {
                BlockMerge::None => {}
                BlockMerge::Selection { merge } => *merge = self.edges[start],
                BlockMerge::Loop {
                    merge,
                    continue_target,
                } => (*merge, *continue_target) = (self.edges[start], self.edges[start + 1]),
            }
        }
        Ok(())
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns whether there is one block, and it ends the function.
    pub fn is_single_exit(&self) -> bool {
        let first = self.blocks.get(Position::ENTRY);
        self.len() == 1 && self.edges.is_empty() && first.is_some_and(|b| b.end == BlockEnd::Exit)
    }

    /// Returns whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the blocks in order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Position, &BlockInfo)> + Clone {
        self.blocks.iter()
    }

    /// Returns whether there is a block at this position.
    pub(super) fn contains(&self, block: Position) -> bool {
        self.blocks.is_valid(block)
    }

    /// Returns how a block ends.
    pub(super) fn end(&self, block: Position) -> BlockEnd {
        self.blocks[block].end
    }

    /// Returns the merge instruction of a block.
    pub(super) fn merge(&self, block: Position) -> BlockMerge {
        self.blocks[block].merge
    }

    /// Returns the targets of a block's branches.
    pub(super) fn successors(&self, block: Position) -> &[Position] {
        self.edges(Edges::Branches, block)
    }

    /// Returns the targets of a block's edges.
    pub(super) fn edges(&self, edges: Edges, block: Position) -> &[Position] {
        let (start, stop) = self.range(edges, block);
        &self.edges[start as usize..stop as usize]
    }

    /// Returns the numbers of a block's edges.
    pub(super) fn range(&self, edges: Edges, block: Position) -> (u32, u32) {
        let info = &self.blocks[block];
        match edges {
            Edges::Structural => (info.start, info.stop),
            Edges::Branches => (info.branches, info.stop),
        }
    }

    /// Returns the target of an edge.
    pub(super) fn target(&self, edge: u32) -> Position {
        self.edges[edge as usize]
    }
}
