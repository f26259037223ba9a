//! Whether the invocations that run a block together come to it by the same edges.
//!
//! A block with a convergent instruction may be copied for some of its predecessors if all
//! invocations that run the block together come from these predecessors, or none does. Which
//! invocations meet is a matter of the branches before: those that run a block together do so in the
//! same iteration of each loop around it. Let d be the nearest dominator of a block b with the same
//! loops around it. Then all that run b together have run d together before, in the same iterations.
//! They stay together from there on, if each branch between d and b that leads to b by several edges
//! is uniform, and so they arrive by one edge. A branch that is not uniform does no harm where all
//! of its paths to b end with edges on one side: with edges from these predecessors, or with others.
//!
//! In an irreducible graph contexts depend on dispatch headers, which a copy may remove; no
//! convergent block is copied there. Linear in the function, for each question.

use alloc::vec;

use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators, loops::Loops};
use crate::entity::{EntityRef, EntityVec};
use crate::ir::{Block, Function, Terminator};

/// The edges by which a block leads to another one: a set of [`SOURCES`] and [`OTHERS`].
type Sides = u8;
const SOURCES: Sides = 1;
const OTHERS: Sides = 2;

/// Returns whether all invocations that run a block together come from some of its predecessors, or
/// none does. False where it is not certain.
pub(super) fn arrive_apart(func: &Function, to: Block, sources: &[Block]) -> bool {
    let cfg = Cfg::of(func);
    let dfs = Dfs::new(&cfg, Block::new(0));
    let loops = Loops::new(&cfg, &dfs);
    if loops.any_irreducible() {
        return false;
    }
    let dominators = Dominators::new(&cfg, &dfs);
    let around = loops.innermost(to);
    let mut first = dominators.idom(to);
    while let Some(block) = first.filter(|&block| loops.innermost(block) != around) {
        first = dominators.idom(block);
    }
    let Some(first) = first else {
        return false;
    };
    let mut sides: EntityVec<Block, Sides> = EntityVec::new(func.num_blocks());
    let mut reached = vec![first];
    let mut work = vec![to];
    while let Some(block) = work.pop() {
        for &pred in cfg.preds(block) {
            let via = match block == to {
                true if sources.contains(&pred) => SOURCES,
                true => OTHERS,
                false => sides[block],
            };
            if pred == to || !dfs.reached(pred) || sides[pred] | via == sides[pred] {
                continue;
            }
            if sides[pred] == 0 {
                reached.push(pred);
            }
            sides[pred] |= via;
            if pred != first {
                work.push(pred);
            }
        }
    }
    reached.iter().all(|&block| {
        let next = cfg.succs(block).iter();
        let leads = |&&next: &&Block| next == to || next != first && sides[next] != 0;
        sides[block] != SOURCES | OTHERS
            || func.is_uniform(block)
            || matches!(func.term(block), Terminator::BreakBranch { .. })
            || next.filter(leads).count() < 2
    })
}
