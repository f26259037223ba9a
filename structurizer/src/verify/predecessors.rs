//! Predecessor lists in compressed form.

use alloc::vec::Vec;

use trellis_entity::{EntityRef, PrimaryMap};

use super::cfg::{Cfg, Position};

/// The predecessors of the blocks of a [`Cfg`], over branch edges alone, as ranges of one pool.
///
/// ```
/// use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position, Predecessors};
///
/// let [entry, then, merge] = [0, 1, 2].map(Position::from_u32);
/// let mut cfg = Cfg::default();
/// cfg.add_block(BlockEnd::Conditional, BlockMerge::Selection { merge }, [then, merge]);
/// cfg.add_block(BlockEnd::Branch, BlockMerge::None, [merge]);
/// cfg.add_block(BlockEnd::Exit, BlockMerge::None, []);
/// let mut predecessors = Predecessors::default();
/// predecessors.read(&cfg);
/// assert_eq!(predecessors.of(merge), [entry, then]);
/// ```
#[derive(Debug, Default)]
pub struct Predecessors {
    /// End of the list of each block; it starts at the end of the previous block's list.
    ends: PrimaryMap<Position, u32>,
    pool: Vec<Position>,
}

impl Predecessors {
    /// Reads the edges of a graph, in the memory that it has. Linear: the edges are walked twice.
    pub fn read(&mut self, cfg: &Cfg) {
        let Self { ends, pool } = self;
        ends.refill(0, cfg.len());
        let mut total = 0;
        for (block, _) in cfg.blocks() {
            for &to in cfg.successors(block) {
                ends[to] += 1;
                total += 1;
            }
        }
        let mut next = 0;
        for end in ends.values_mut() {
            next += core::mem::replace(end, next);
        }
        // Each end is now a start, and moves to the end as the list is filled.
        pool.clear();
        pool.resize(total, Position::ENTRY);
        for (block, _) in cfg.blocks() {
            for &to in cfg.successors(block) {
                let end = &mut ends[to];
                pool[*end as usize] = block;
                *end += 1;
            }
        }
    }

    /// Returns the predecessors of a block, one for each edge, in the order of blocks.
    #[inline]
    pub fn of(&self, block: Position) -> &[Position] {
        let start = match block.index().checked_sub(1) {
            Some(before) => self.ends[Position::new(before)],
            None => 0,
        };
        &self.pool[start as usize..self.ends[block] as usize]
    }
}
