//! The graph of a function's blocks with the search that numbers them.

use crate::analysis::cfg::Cfg;
use crate::analysis::dfs::Dfs;
use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function};

/// The graph of a function's blocks, and the search from its entry.
#[derive(Default)]
pub(crate) struct Flow {
    pub(crate) cfg: Cfg<Block>,
    pub(crate) dfs: Dfs<Block>,
}

impl Flow {
    /// Returns the graph of a function's blocks.
    #[cfg(test)]
    pub(crate) fn of(func: &Function) -> Self {
        let mut flow = Self::default();
        flow.compute(func);
        flow
    }

    /// Removes blocks that branch only, with one predecessor each, which leads to where they lead. The
    /// search meets the other blocks in the same order. Lists of predecessors stay as they were.
    pub(crate) fn bypass(&mut self, leads_to: &PrimaryMap<Block, Block>) {
        self.cfg.retarget(|to| leads_to[to]);
        self.dfs.remove(|block| leads_to[block] != block);
    }

    /// Makes it the graph of a function's blocks.
    pub(crate) fn compute(&mut self, func: &Function) {
        self.cfg.compute_of(func);
        self.dfs.compute(&self.cfg, Block::new(0));
    }
}
