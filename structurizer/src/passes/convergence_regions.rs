//! Convergence regions: the blocks that a client put into a loop which they leave get an edge back
//! to its header, the second one of a [`Terminator::BreakBranch`], which is never taken and not
//! written.
//!
//! So the loop forest, and all that rests on it, has these blocks in the loop, with all blocks on
//! paths from the header to them. A block with several successors, or with none, is split: its
//! terminator is moved to a fresh block after the loop. Some blocks need no edge: those that are in
//! the loop anyway, or because they lead on to another block of the region.
//!
//! Precondition: a checked function. Postcondition: a checked function without regions, with the
//! same traces. Near-linear in the function and the operands that are added: one per edge for each
//! phi of a header.

use alloc::vec::Vec;

use crate::analysis::ancestors::Ancestors;
use crate::analysis::cfg::Cfg;
use crate::analysis::dfs::Dfs;
use crate::analysis::loops::{Loop, Loops};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, Function, Terminator, Value};
use crate::result::StageError;

/// The results of the pass, and its scratch memory.
#[derive(Default)]
pub(crate) struct Regions {
    /// The blocks that got an edge, each with the header.
    pub(crate) edges: Vec<(Block, Block)>,
    cfg: Cfg<Block>,
    /// The blocks that are in a region, each with the header.
    regions: Vec<(Block, Block)>,
    /// The loops without and with an edge for each of these.
    before: Forest,
    after: Forest,
    /// The block that got the terminator of each block: itself, unless it was split.
    moved: PrimaryMap<Block, Block>,
    phis: Vec<Value>,
}

impl Regions {
    /// Adds the edges, and removes the regions.
    ///
    /// # Errors
    /// [`StageError::ResultTooLarge`] if the function would have more entries than it may.
    pub(crate) fn run(
        &mut self,
        func: &mut Function,
        max_entries: usize,
    ) -> Result<(), StageError> {
        self.edges.clear();
        if !func.blocks().any(|b| func.convergence_region(b).is_some()) {
            return Ok(());
        }
        self.cfg.compute_of(func);
        self.find_edges(func);
        let Self {
            edges,
            cfg,
            moved,
            phis,
            ..
        } = self;
        for block in func.blocks() {
            func.set_convergence_region(block, None);
        }
        let mut entries = func.num_entries();
        for &(_, header) in edges.iter() {
            entries += 2 + func.phis(header).count();
            if entries > max_entries {
                return Err(StageError::ResultTooLarge { limit: max_entries });
            }
        }
        moved.refill_with(cfg.len(), |block| block);
        for &(block, header) in edges.iter() {
            let (terminator, stay) = (func.term(block), header);
            let target = if let Terminator::Branch(to) = terminator {
                to
            } else {
                let rest = func.add_block();
                func.set_terminator(rest, terminator);
                moved[block] = rest;
                rest
            };
            func.set_terminator(block, Terminator::BreakBranch { target, stay });
        }
        // Before the headers get operands for the new edges, which start at the blocks themselves.
        for block in cfg.nodes() {
            if cfg.preds(block).iter().any(|&pred| moved[pred] != pred) {
                func.rename_predecessors(block, |pred| moved[pred]);
            }
        }
        for &(block, header) in edges.iter() {
            phis.clear();
            phis.extend(func.phis(header));
            for &phi in phis.iter() {
                let hole = func.hole(func.value_type(phi));
                func.add_phi_operand(phi, block, hole);
            }
        }
        Ok(())
    }

    /// Finds the blocks that need an edge, each with the header that it leads to.
    fn find_edges(&mut self, func: &Function) {
        let Self {
            edges,
            cfg,
            regions,
            before,
            after,
            ..
        } = self;
        let in_region = |block| Some((block, func.convergence_region(block)?));
        regions.clear();
        regions.extend(func.blocks().filter_map(in_region));
        before.find(cfg, &[]);
        after.find(cfg, regions);
        // An edge is not needed if the block leads on to a part of the loop without it. If the block is
        // in no loop inside, that part does not lead back to the block but by the header.
        let leads_on = |block: Block, header: Block| {
            let mut targets = cfg.succs(block).iter();
            after.loops.innermost(block) == after.headed_by(header)
                && targets.any(|&to| to != header && after.is_inside(to, header))
        };
        let needs_edge = |&(block, header): &(Block, Block)| {
            let is_reached = before.dfs.reached(block);
            is_reached && !before.is_inside(block, header) && !leads_on(block, header)
        };
        edges.clear();
        edges.extend(regions.iter().copied().filter(needs_edge));
    }
}

/// The loops of a graph.
#[derive(Default)]
struct Forest {
    cfg: Cfg<Block>,
    dfs: Dfs<Block>,
    loops: Loops<Block>,
    nesting: Ancestors<Loop>,
}

impl Forest {
    /// Finds the loops of a graph with further edges, which are in the order of their sources.
    fn find(&mut self, cfg: &Cfg<Block>, further: &[(Block, Block)]) {
        let mut further = further.iter().peekable();
        self.cfg.compute(|succs| {
            for block in cfg.nodes() {
                succs.extend(cfg.succs(block).iter().copied());
                while let Some(&(_, to)) = further.next_if(|edge| edge.0 == block) {
                    succs.push(to);
                }
                succs.end_list();
            }
        });
        self.dfs.compute(&self.cfg, Block::new(0));
        self.loops.compute(&self.cfg, &self.dfs);
        self.loops.find_nesting(&mut self.nesting);
    }

    fn headed_by(&self, header: Block) -> PackedOption<Loop> {
        self.loops.headed_by(header).into()
    }

    /// Returns whether a block is in the loop with a header.
    fn is_inside(&self, block: Block, header: Block) -> bool {
        let (l, innermost) = (self.headed_by(header), self.loops.innermost(block));
        let depth = self.nesting.depth(l);
        self.nesting.at_depth(innermost, depth) == l
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{Cfg, Forest, Regions};
    use crate::analysis::dominators::Dominators;
    use crate::ir::{Block, Function};
    use crate::text::parse;
    use structurizer_testkit::generate::{End, Rng, Shape, random, random_reducible};

    fn forest(cfg: &Cfg<Block>, further: &[(Block, Block)]) -> Forest {
        let mut forest = Forest::default();
        forest.find(cfg, further);
        forest
    }

    fn function(shape: &Shape) -> Function {
        let line = |(block, end): (usize, Vec<usize>)| {
            let targets: Vec<String> = end.iter().map(|to| format!(" b{to}")).collect();
            match targets.len() {
                0 => format!("b{block}: ret\n"),
                1 | 2 => format!("b{block}:{}\n", targets.concat()),
                _ => format!("b{block}: switch{}\n", targets.concat()),
            }
        };
        let ends = shape.ends.iter().map(End::targets);
        parse(&ends.enumerate().map(line).collect::<String>()).unwrap()
    }

    /// Puts some blocks into the regions of headers that dominate them.
    fn mark_regions(func: &mut Function, cfg: &Cfg<Block>, rng: &mut Rng) {
        let forest = forest(cfg, &[]);
        let dominators = Dominators::new(cfg, &forest.dfs);
        let reached = |block: &Block| forest.dfs.reached(*block);
        let is_header = |&header: &Block| {
            let mut preds = cfg.preds(header).iter().copied().filter(reached);
            preds.any(|pred| dominators.dominates(header, pred))
        };
        let headers: Vec<Block> = func.blocks().filter(reached).filter(is_header).collect();
        let percent = [30, 80, 100][rng.below(3)];
        for block in func.blocks().filter(reached) {
            let around = headers.iter().filter(|&&h| dominators.dominates(h, block));
            let around: Vec<&Block> = around.collect();
            if let Some(&&header) = around.get(rng.below(around.len()))
                && rng.chance(percent)
            {
                func.set_convergence_region(block, Some(header));
            }
        }
    }

    /// All blocks are in the same loops without the edges that are omitted.
    #[test]
    fn omitted_edges_are_not_needed() {
        let mut rng = Rng::new(7);
        let (mut given, mut needed) = (0, 0);
        let mut regions = Regions::default();
        for count in 0..6000 {
            let blocks = 4 + count % 30;
            let shape = match count % 3 {
                0 => random(&mut rng, blocks),
                _ => random_reducible(&mut rng, blocks),
            };
            let mut func = function(&shape);
            let cfg = Cfg::of(&func);
            mark_regions(&mut func, &cfg, &mut rng);
            crate::check(&func).unwrap();
            let region = |block| Some((block, func.convergence_region(block)?));
            let all: Vec<(Block, Block)> = func.blocks().filter_map(region).collect();
            regions.cfg.compute_of(&func);
            regions.find_edges(&func);
            let few = &regions.edges;
            let (expected, found) = (forest(&cfg, &all), forest(&cfg, few));
            for &(block, header) in &all {
                assert!(
                    found.is_inside(block, header),
                    "{}",
                    crate::text::print(&func)
                );
            }
            for block in func.blocks() {
                let header = |forest: &Forest| {
                    let l = forest.loops.innermost(block).expand();
                    l.map(|l| forest.loops.header(l))
                };
                let text = || crate::text::print(&func);
                assert_eq!(header(&found), header(&expected), "{block} of {}", text());
            }
            (given, needed) = (given + all.len(), needed + few.len());
        }
        assert!(needed > 1000 && given > 2 * needed, "{needed} of {given}");
    }
}
