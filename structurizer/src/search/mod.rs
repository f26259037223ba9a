//! Program search: a plan by exhaustive search, for functions of few blocks.
//!
//! The plan of a function with crossing edges or irreducible loops depends on one linear order of its
//! blocks, which is near-linear to find and not always the best. Where it has tests of selectors or
//! breakable blocks, and the function is small, the structured programs with fewer of them are
//! searched ([`solve`]), and what is found is written as a plan of its own ([`write`](mod@write)),
//! construct for construct. It takes the place of `plan` and has no linear order: that the result is
//! right is shown by each edge, which leads to its target through tests of its own selector only, and
//! that it is valid by the rules of [`state`] on exits, which `verify` checks again.
//!
//! Invocations meet where those of the graph do: a structured program runs a block at one place, where
//! all invocations of an iteration wait for each other. So only loops matter, and a function with
//! convergent instructions is searched only for programs that have them in the loops of the graph
//! ([`Digraph::keeps_iterations`]); not at all if it is irreducible.
//!
//! A search takes at most [`MAX_STEPS`] steps, whatever the function is, and as many are taken for the
//! joins before it; each is a few hundred instructions. `structurizer_testkit::optimum` has an exhaustive
//! search by the same rules, which this one is held against.

mod graph;
mod joins;
mod number;
mod solve;
mod state;
mod write;

use alloc::vec;
use alloc::vec::Vec;

use graph::{Digraph, Set, nodes};
use joins::{Group, variants};
use solve::{Search, Steps};
use state::{Context, State};

use crate::entity::{EntityRef, EntityVec, PackedOption};
use crate::ir::{Block, Effects, Function, Terminator};
use crate::plan::blocks::Blocks;
use crate::remark::{Decision, Remarks};
use crate::result::Options;
use crate::rewrite::join::Joiner;
use crate::rewrite::{BlockList, conditions};
use crate::stage::Stage;

/// The most nodes of a function that is searched.
const MAX_FUNCTION: usize = 9;

/// The most blocks of a function that is looked at.
const MAX_BLOCKS: usize = 64;

/// How many choices a search tries, and how many sets of branches are looked at for joins before it.
const MAX_STEPS: u64 = 1 << 14;

/// A plan that was found.
pub(crate) struct Found {
    /// The function, if branches of it were joined.
    pub(crate) joined: Option<Joined>,
    pub(crate) blocks: Blocks,
}

/// A function whose branches were joined.
pub(crate) struct Joined {
    pub(crate) func: Function,
    /// Number of operands of phis that were added.
    pub(crate) operands: usize,
    /// How the stage `conditions` would explain it.
    pub(crate) remarks: Remarks,
}

/// Returns false for a function that is not searched: it is too large, or ends in some other way.
pub(crate) fn is_searched(func: &Function) -> bool {
    Chains::of(func).is_some()
}

/// Searches a plan of a function whose tests and breakable blocks cost less than `cost`. The function
/// may get `room` more entries.
pub(crate) fn run(
    func: &Function,
    options: &Options,
    cost: u32,
    room: usize,
    remarks: &mut Remarks,
) -> Option<Found> {
    let target = options.target;
    if target.multi_level || target.single_return {
        return None;
    }
    let chains = Chains::of(func)?;
    let graph = chains.graph(func)?;
    let mut steps = Steps(MAX_STEPS);
    let is_equal = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|node| chains.last(node));
        conditions::may_join(func, a, b)
    };
    let all = if options.stages.contains(Stage::Conditions) {
        variants(&graph, &is_equal, &mut Steps(MAX_STEPS))
    } else {
        vec![(graph, Vec::new())]
    };
    let contexts: Vec<Context<'_>> = all
        .iter()
        .map(|(graph, _)| Context::new(graph, options))
        .collect();
    let mut searches: Vec<Search<'_>> = contexts.iter().map(|&cx| Search::new(cx)).collect();
    let level = level(contexts.first()?);
    let mut bound = level - 1;
    while bound < cost.saturating_add(level) && steps.0 > 0 {
        let bound_now = bound.min(cost.checked_sub(1)?);
        for (search, (graph, groups)) in searches.iter_mut().zip(&all) {
            if search.cost(root(graph), bound_now, &mut steps).is_none() {
                continue;
            }
            if groups.is_empty() {
                let blocks = write::write(search, func, &chains, remarks)?;
                return Some(Found {
                    joined: None,
                    blocks,
                });
            }
            let joined = join(func, &chains, groups, room, options.remarks)?;
            let chains = Chains::of(&joined.func)?;
            let graph = chains.graph(&joined.func)?;
            let mut again = Search::new(Context::new(&graph, options));
            again.cost(root(&graph), bound_now, &mut Steps(MAX_STEPS))?;
            let blocks = write::write(&again, &joined.func, &chains, remarks)?;
            return Some(Found {
                joined: Some(joined),
                blocks,
            });
        }
        bound = bound.saturating_add(level);
    }
    None
}

/// Returns how much the bound of the search grows at a time: what all costs are multiples of, or,
/// where that is little, the least cost of a construct.
fn level(cx: &Context<'_>) -> u32 {
    let (mut a, mut b) = (cx.test, cx.breakable_block);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a > 2 {
        a
    } else {
        cx.test.min(cx.breakable_block)
    }
}

/// Returns the state of a whole graph.
fn root(graph: &Digraph) -> State {
    State {
        blocks: graph.all(),
        entry: 1,
        ..State::default()
    }
}

/// Joins branches of a function.
fn join(
    func: &Function,
    chains: &Chains,
    groups: &[Group],
    room: usize,
    wants_remarks: bool,
) -> Option<Joined> {
    let mut joined = func.clone();
    let mut joiner = Joiner::new(room);
    let mut remarks = Remarks::new(wants_remarks);
    let mut blocks: Vec<Block> = (0..chains.blocks.len()).map(|n| chains.last(n)).collect();
    for group in groups {
        let members: BlockList = nodes(group.members).map(|n| blocks[n]).collect();
        let first = *members.first()?;
        let first_of = |n: usize| chains.blocks.get(n).map_or(blocks[n], |chain| chain[0]);
        let targets = nodes(group.targets).map(first_of).collect();
        let branches = members.len() as u32;
        let switch = joined
            .terminator(first)
            .filter(|end| matches!(end, Terminator::Switch { .. }));
        let group = conditions::Group {
            members,
            targets,
            switch,
        };
        let block = joiner.join(&mut joined, &group)?;
        blocks.push(block);
        remarks.add(
            Stage::Conditions,
            block,
            Decision::JoinedBranches { branches },
        );
    }
    let operands = joiner.finish(&mut joined);
    Some(Joined {
        func: joined,
        operands,
        remarks,
    })
}

/// The nodes of a function's graph: the blocks that are reached, in chains without branches.
struct Chains {
    /// The blocks of each node.
    blocks: Vec<BlockList>,
    /// The node of each block that a chain begins with.
    node: EntityVec<Block, PackedOption<Block>>,
}

impl Chains {
    /// Finds them; none if there are too many, or some end in a way that is not searched.
    fn of(func: &Function) -> Option<Self> {
        let mut reached = vec![Block::new(0)];
        let mut preds: EntityVec<Block, u32> = EntityVec::new(func.num_blocks());
        let mut next = 0;
        while let Some(&block) = reached.get(next) {
            next += 1;
            if matches!(func.term(block), Terminator::BreakBranch { .. }) {
                return None;
            }
            for to in distinct(func, block) {
                preds[to] += 1;
                if preds[to] == 1 && to.index() != 0 {
                    reached.push(to);
                }
            }
            if reached.len() > MAX_BLOCKS {
                return None;
            }
        }
        let mut chains = Self {
            blocks: Vec::new(),
            node: EntityVec::new(func.num_blocks()),
        };
        let follows = |block: Block| {
            let only = only_successor(func, block)?;
            (preds[only] == 1 && only.index() != 0).then_some(only)
        };
        let mut inside: EntityVec<Block, bool> = EntityVec::new(func.num_blocks());
        for &block in &reached {
            if let Some(next) = follows(block) {
                inside[next] = true;
            }
        }
        for &first in reached.iter().filter(|&&block| !inside[block]) {
            if chains.blocks.len() == MAX_FUNCTION {
                return None;
            }
            chains.node[first] = Block::new(chains.blocks.len()).into();
            let chain = core::iter::successors(Some(first), |&block| follows(block));
            chains.blocks.push(chain.collect());
        }
        Some(chains)
    }

    fn first(&self, node: usize) -> Block {
        self.blocks[node][0]
    }

    fn last(&self, node: usize) -> Block {
        self.blocks[node][self.blocks[node].len() - 1]
    }

    /// Returns the node that begins with a block.
    fn node(&self, block: Block) -> Option<usize> {
        self.node[block].expand().map(EntityRef::index)
    }

    /// Returns the graph; none if it has convergent instructions and is irreducible.
    fn graph(&self, func: &Function) -> Option<Digraph> {
        let mut graph = Digraph::default();
        for chain in &self.blocks {
            let node = graph.push()?;
            let last = self.last(node);
            let mut succs: Set = 0;
            for to in func.successors(last) {
                succs |= 1 << self.node(to)?;
            }
            graph.set_succs(node, succs);
            if succs.count_ones() > 1 && matches!(func.term(last), Terminator::Switch { .. }) {
                graph.switches |= 1 << node;
            }
            let mut insts = chain.iter().flat_map(|&block| func.insts(block));
            if insts.any(|inst| func.effects(inst).contains(Effects::CONVERGENT)) {
                graph.convergent |= 1 << node;
            }
        }
        graph.find_loops();
        (graph.convergent == 0 || graph.is_reducible).then_some(graph)
    }
}

/// Returns the successors of a block, each once.
fn distinct(func: &Function, block: Block) -> BlockList {
    let mut list: BlockList = func.successors(block).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Returns the one successor of a block that has one.
fn only_successor(func: &Function, block: Block) -> Option<Block> {
    let mut successors = func.successors(block);
    let first = successors.next()?;
    successors.all(|to| to == first).then_some(first)
}
