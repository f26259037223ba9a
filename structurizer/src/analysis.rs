//! What a function's graph looks like: dominators, post-dominators, the frontiers of both, the loop
//! forest, reachability.
//!
//! Each is a value that is computed from a graph and never patched. The passes use them in a denser
//! form; here they are for clients, who decide about graphs before or after they are structured,
//! and for people who debug.
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

use crate::graph::{Cfg, NONE, dfs::Dfs, dominators, loops};
use crate::ir::{Block, Function};

/// The graph of a function: its blocks, and one edge for each pair of a block and a distinct
/// successor.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    cfg: Cfg,
    dfs: Dfs,
}

/// Which block each lane must have come by, or will come by, as a tree over the blocks that are
/// reached.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    tree: dominators::Dominators,
    /// The graph that the tree is of: for post-dominators reversed, with a virtual exit as root.
    cfg: Cfg,
    children: Cfg,
    blocks: u32,
}

/// A loop of the [`LoopForest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopInfo {
    /// Where control enters it; of an irreducible loop the entry that comes first in a depth-first
    /// search.
    pub header: Block,
    /// The loop around it, as index into [`LoopForest::all`].
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Whether some edge enters it beside its header.
    pub irreducible: bool,
}

/// Havlak's loop nesting forest: the cycles of any graph, reducible or not.
#[derive(Clone, Debug)]
pub struct LoopForest {
    all: Vec<LoopInfo>,
    of: Vec<u32>,
}

fn block(node: u32) -> Block {
    Block::from_u32(node)
}

impl FlowGraph {
    /// The graph of a function. A block without a terminator has no successors.
    pub fn of(func: &Function) -> Self {
        let n = func.num_blocks();
        let (mut start, mut succs, mut stamp) = (vec![0], Vec::with_capacity(n * 2), vec![NONE; n]);
        for from in func.blocks() {
            if func.terminator(from).is_some() {
                for to in func.successors(from) {
                    if std::mem::replace(&mut stamp[to.as_u32() as usize], from.as_u32())
                        != from.as_u32()
                    {
                        succs.push(to.as_u32());
                    }
                }
            }
            start.push(succs.len() as u32);
        }
        let cfg = Cfg::new(start, succs);
        let dfs = if n == 0 {
            Dfs::default()
        } else {
            Dfs::new(&cfg, 0)
        };
        Self { cfg, dfs }
    }

    /// The blocks that the entry reaches, in reverse post-order.
    pub fn reverse_post_order(&self) -> impl Iterator<Item = Block> + '_ {
        self.dfs.rpo.iter().map(|&node| block(node))
    }

    /// The blocks that a lane may come to from a block by one branch or more, in the order of their
    /// numbers. Linear in the graph.
    pub fn reachable_from(&self, from: Block) -> Vec<Block> {
        let mut seen = vec![false; self.cfg.len()];
        let mut work = vec![from.as_u32()];
        while let Some(node) = work.pop() {
            for &to in self.cfg.succs(node) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    work.push(to);
                }
            }
        }
        (0..self.cfg.len() as u32)
            .filter(|&node| seen[node as usize])
            .map(block)
            .collect()
    }

    /// The dominator tree, from the entry.
    pub fn dominators(&self) -> DominatorTree {
        DominatorTree::new(self.cfg.clone(), &self.dfs, self.cfg.len() as u32)
    }

    /// The post-dominator tree. Its root is a virtual exit behind all blocks that end a lane; from
    /// where no lane ends, the last block in reverse post-order leads to it, too.
    pub fn post_dominators(&self) -> DominatorTree {
        let n = self.cfg.len() as u32;
        let mut exits: Vec<u32> = self
            .dfs
            .rpo
            .iter()
            .copied()
            .filter(|&node| self.cfg.succs(node).is_empty())
            .collect();
        let mut seen = vec![false; n as usize];
        let mut work = exits.clone();
        let mut later = self.dfs.rpo.iter().rev();
        loop {
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut seen[node as usize], true) {
                    work.extend(
                        self.cfg
                            .preds(node)
                            .iter()
                            .filter(|&&p| self.dfs.reached(p)),
                    );
                }
            }
            let Some(&endless) = later.find(|&&node| !seen[node as usize]) else {
                break;
            };
            exits.push(endless);
            work.push(endless);
        }
        let (mut start, mut succs) = (vec![0], Vec::new());
        for node in 0..n {
            if self.dfs.reached(node) {
                succs.extend(
                    self.cfg
                        .preds(node)
                        .iter()
                        .filter(|&&p| self.dfs.reached(p)),
                );
            }
            start.push(succs.len() as u32);
        }
        exits.sort_unstable();
        succs.extend(&exits);
        start.push(succs.len() as u32);
        let reversed = Cfg::new(start, succs);
        let dfs = Dfs::new(&reversed, n);
        DominatorTree::new(reversed, &dfs, n)
    }

    /// The loops.
    pub fn loops(&self) -> LoopForest {
        let found = loops::Loops::new(&self.cfg, &self.dfs);
        let info = |l: usize| LoopInfo {
            header: block(found.headers[l]),
            parent: (found.parent[l] != NONE).then_some(found.parent[l] as usize),
            depth: found.depth[l],
            irreducible: found.irreducible[l],
        };
        LoopForest {
            all: (0..found.len()).map(info).collect(),
            of: found.of.clone(),
        }
    }
}

impl DominatorTree {
    fn new(cfg: Cfg, dfs: &Dfs, blocks: u32) -> Self {
        let tree = dominators::Dominators::new(&cfg, dfs);
        let mut start = vec![0u32; cfg.len() + 1];
        for &up in tree.idom.iter().filter(|&&up| up != NONE) {
            start[up as usize + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut fill = start.clone();
        let mut list = vec![0; start.last().map_or(0, |&end| end as usize)];
        for (node, &up) in tree.idom.iter().enumerate().filter(|&(_, &up)| up != NONE) {
            list[fill[up as usize] as usize] = node as u32;
            fill[up as usize] += 1;
        }
        Self {
            tree,
            children: Cfg::new(start, list),
            cfg,
            blocks,
        }
    }

    /// The immediate dominator; `None` for the entry, for what only the virtual exit
    /// post-dominates, and for what is not reached.
    pub fn parent(&self, of: Block) -> Option<Block> {
        self.tree
            .idom
            .get(of.as_u32() as usize)
            .filter(|&&up| up < self.blocks)
            .map(|&up| block(up))
    }
    /// The blocks whose immediate dominator a block is, by number.
    pub fn children(&self, of: Block) -> impl Iterator<Item = Block> + '_ {
        self.children
            .succs(of.as_u32())
            .iter()
            .map(|&node| block(node))
    }
    /// Whether `a` dominates `b`: each block dominates itself, and none that is not reached
    /// dominates or is dominated.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.as_u32(), b.as_u32())
    }
    /// The (post-)dominance frontier of a block, by number: where its dominance ends, the blocks
    /// that it does not strictly dominate although it dominates one before them (Cytron and others,
    /// 1991). Linear in what the block dominates; all frontiers of a graph together may be
    /// quadratic, so they are computed one by one. Empty for a block that is not reached.
    pub fn frontier(&self, of: Block) -> Vec<Block> {
        let mut found = Vec::new();
        let mut work = if self.dominates(of, of) {
            vec![of.as_u32()]
        } else {
            Vec::new()
        };
        while let Some(node) = work.pop() {
            for &to in self.cfg.succs(node) {
                if to == of.as_u32() || !self.tree.dominates(of.as_u32(), to) {
                    found.push(to);
                }
            }
            work.extend(self.children.succs(node));
        }
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .filter(|&node| node < self.blocks)
            .map(block)
            .collect()
    }
}

impl LoopForest {
    /// All loops, outer ones before those inside.
    pub fn all(&self) -> &[LoopInfo] {
        &self.all
    }
    /// The innermost loop that a block is in; a header is in its own.
    pub fn innermost(&self, of: Block) -> Option<&LoopInfo> {
        self.all.get(*self.of.get(of.as_u32() as usize)? as usize)
    }
}
