//! The analyses of a function's blocks, for clients.
//!
//! The passes use them in a denser form; here they are for clients, which need them before or after
//! structurization and for debugging.
//!
//! ```
//! use trellis_structurizer::analysis::FlowGraph;
//! let func = trellis_structurizer::text::parse("b0: b1\nb1: b2 b3\nb2: b1\nb3: ret\n")?;
//! let [_, header, latch, exit] = std::array::from_fn(|i| func.blocks().nth(i).unwrap());
//! let graph = FlowGraph::of(&func);
//! assert!(graph.dominators().dominates(header, exit));
//! assert_eq!(graph.dominators().frontier(latch), [header]);
//! assert_eq!(graph.post_dominators().parent(latch), Some(header));
//! assert_eq!(graph.loops().innermost(latch).map(|l| l.header), Some(header));
//! # Ok::<(), trellis_structurizer::text::ParseError>(())
//! ```

use alloc::vec;
use alloc::vec::Vec;

use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators, loops};
use crate::entity::{Adjacency, EntityRef, PackedOption, PrimaryMap};
use crate::ir::{Block, Function};

/// The graph of a function: its blocks, and one edge for each pair of a block and a distinct
/// successor.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    cfg: Cfg<Block>,
    dfs: Dfs<Block>,
}

/// Dominator or post-dominator tree of the reachable blocks: the blocks that each invocation must
/// have passed, or will pass.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    tree: dominators::Dominators<Block>,
    /// The graph that the tree is of: for post-dominators reversed, with a virtual exit as root.
    cfg: Cfg<Block>,
    children: Adjacency<Block, Block>,
    /// The virtual exit, or the block after the last one.
    end: Block,
}

/// A loop of the [`LoopForest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopInfo {
    /// Block at which control enters it; for an irreducible loop, the entry that comes first in a
    /// depth-first search.
    pub header: Block,
    /// The loop around it, as index into [`LoopForest::all`].
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// True if some edge enters it at a block other than its header.
    pub irreducible: bool,
}

/// Havlak's loop nesting forest: the cycles of any graph, reducible or not.
#[derive(Clone, Debug)]
pub struct LoopForest {
    all: Vec<LoopInfo>,
    of: PrimaryMap<Block, PackedOption<loops::Loop>>,
}

impl FlowGraph {
    /// Returns the graph of a function, from its first block. A block without a terminator has no
    /// successors.
    pub fn of(func: &Function) -> Self {
        Self::from_entry(func, Block::new(0))
    }

    /// Returns the graph of a function that is entered at a block. A result is entered at the first
    /// block of its [`order`](crate::Structured::order): a fresh one where the input's entry heads a
    /// loop.
    ///
    /// # Panics
    /// If the function has blocks, and not this one.
    pub fn from_entry(func: &Function, entry: Block) -> Self {
        let cfg = Cfg::of(func);
        let dfs = if cfg.len() == 0 {
            Dfs::default()
        } else {
            Dfs::new(&cfg, entry)
        };
        Self { cfg, dfs }
    }

    /// Returns the blocks that the entry reaches, in reverse post-order.
    pub fn reverse_post_order(&self) -> impl Iterator<Item = Block> + '_ {
        self.dfs.rpo().iter().copied()
    }

    /// Returns the blocks that an invocation may reach from a block by one branch or more, in the
    /// order of their numbers. Linear in the graph.
    pub fn reachable_from(&self, from: Block) -> Vec<Block> {
        let mut seen: PrimaryMap<Block, bool> = PrimaryMap::with_len(self.cfg.len());
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            for &to in self.cfg.succs(node) {
                if !core::mem::replace(&mut seen[to], true) {
                    work.push(to);
                }
            }
        }
        seen.keys().filter(|&node| seen[node]).collect()
    }

    /// Returns the dominator tree, from the entry.
    pub fn dominators(&self) -> DominatorTree {
        DominatorTree::new(self.cfg.clone(), &self.dfs, Block::new(self.cfg.len()))
    }

    /// Returns the post-dominator tree. Its root is a virtual exit after all blocks that end an
    /// invocation; from where no invocation ends, the last block in reverse post-order leads to it,
    /// too.
    pub fn post_dominators(&self) -> DominatorTree {
        let reached_preds = |node: Block| {
            let preds = self.cfg.preds(node).iter().copied();
            preds.filter(|&p| self.dfs.reached(p))
        };
        let mut exits: Vec<Block> = self
            .reverse_post_order()
            .filter(|&node| self.cfg.succs(node).is_empty())
            .collect();
        let mut seen: PrimaryMap<Block, bool> = PrimaryMap::with_len(self.cfg.len());
        let mut work = exits.clone();
        let mut later = self.dfs.rpo().iter().rev();
        loop {
            while let Some(node) = work.pop() {
                if !core::mem::replace(&mut seen[node], true) {
                    work.extend(reached_preds(node));
                }
            }
            let Some(&endless) = later.find(|&&node| !seen[node]) else {
                break;
            };
            exits.push(endless);
            work.push(endless);
        }
        let mut succs = Adjacency::with_capacity(self.cfg.len() + 1, 0);
        for node in self.cfg.nodes() {
            if self.dfs.reached(node) {
                succs.extend(reached_preds(node));
            }
            succs.end_list();
        }
        exits.sort_unstable();
        succs.extend(exits);
        let end = succs.end_list();
        let reversed = Cfg::new(succs);
        let dfs = Dfs::new(&reversed, end);
        DominatorTree::new(reversed, &dfs, end)
    }

    /// Returns the loops.
    pub fn loops(&self) -> LoopForest {
        let found = loops::Loops::new(&self.cfg, &self.dfs);
        let info = |l: loops::Loop| LoopInfo {
            header: found.header(l),
            parent: found.parent(l).expand().map(EntityRef::index),
            depth: found.depth_of(l.into()),
            irreducible: found.is_irreducible(l),
        };
        LoopForest {
            all: found.all().map(info).collect(),
            of: PrimaryMap::from_fn(self.cfg.len(), |node| found.innermost(node)),
        }
    }
}

impl DominatorTree {
    fn new(cfg: Cfg<Block>, dfs: &Dfs<Block>, end: Block) -> Self {
        let tree = dominators::Dominators::new(&cfg, dfs);
        let children = Adjacency::group(cfg.len(), || {
            cfg.nodes()
                .filter_map(|node| Some((tree.idom(node)?, node)))
        });
        Self {
            tree,
            children,
            cfg,
            end,
        }
    }

    /// Returns the immediate dominator; none for the entry, for blocks that only the virtual exit
    /// post-dominates, and for unreachable blocks.
    pub fn parent(&self, of: Block) -> Option<Block> {
        let exists = of.index() < self.cfg.len();
        let up = exists.then(|| self.tree.idom(of)).flatten();
        up.filter(|&up| up < self.end)
    }
    /// Returns the blocks whose immediate dominator a block is, by number.
    pub fn children(&self, of: Block) -> impl Iterator<Item = Block> + '_ {
        self.children[of].iter().copied()
    }
    /// Returns whether `a` dominates `b`: each block dominates itself, and none that is not reached
    /// dominates or is dominated.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a, b)
    }
    /// Returns the (post-)dominance frontier of a block, by number: where its dominance ends, the
    /// blocks that it does not strictly dominate although it dominates one before them (Cytron and
    /// others, 1991). Linear in the number of blocks that it dominates; all frontiers of a graph
    /// together may be quadratic, so they are computed one by one. Empty for a block that is not
    /// reached.
    pub fn frontier(&self, of: Block) -> Vec<Block> {
        let mut found = Vec::new();
        let mut work = if self.dominates(of, of) {
            vec![of]
        } else {
            Vec::new()
        };
        while let Some(node) = work.pop() {
            for &to in self.cfg.succs(node) {
                if to == of || !self.tree.dominates(of, to) {
                    found.push(to);
                }
            }
            work.extend(&self.children[node]);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&node| node < self.end);
        found
    }
}

impl LoopForest {
    /// Returns all loops, outer ones before those inside.
    pub fn all(&self) -> &[LoopInfo] {
        &self.all
    }
    /// Returns the innermost loop that a block is in, if any; a header is in its own.
    pub fn innermost(&self, of: Block) -> Option<&LoopInfo> {
        self.all.get(self.of.get(of)?.expand()?.index())
    }
}
