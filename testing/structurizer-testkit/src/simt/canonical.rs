//! Runs a function by the model of its canonical graph: that with one dispatch header per
//! irreducible loop.
//!
//! Which invocations meet in an irreducible loop depends on the dispatch header that the passes put
//! in front of it: invocations that enter at different blocks wait for each other there. The graph
//! is read off the structurizer's own pictures of its stages ([`trace`]), since which block of an
//! irreducible loop is entered first is its choice; the order, the schedule and the lanes are the
//! model's own.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function, SelectionHint, Terminator, Type};
use trellis_structurizer::{Changes, Error, Options, Snapshot, Stage, Stages, trace};

use super::graph::{Nodes, run_on};
use super::order::Order;
use super::{Config, SimError, Trace};

/// The graph of a function with the nodes that the structurizer's passes insert.
#[derive(Clone, Debug)]
pub struct CanonicalGraph {
    /// Of each node, the block that it is, if it was not inserted.
    block_of: Vec<Option<Block>>,
    /// Of each block, its node; none if no path reaches it.
    node_of: Vec<Option<u32>>,
    successors: Vec<Vec<u32>>,
    order: Order,
}

impl CanonicalGraph {
    /// Returns the stages that leave the function itself as it is, so that a block of the input is
    /// one of the graph.
    #[must_use]
    pub fn stages(of: Stages) -> Stages {
        let changes = |stage: &&trellis_structurizer::StageInfo| {
            stage.is_optional && stage.changes == Changes::Function
        };
        let table = Stage::TABLE.iter().filter(changes);
        table.fold(of, |stages, info| stages.without(info.stage))
    }

    /// Returns the canonical graph of a function, by the graph stages of `stages`.
    ///
    /// # Errors
    /// Those of [`trace`].
    pub fn of(func: &Function, stages: Stages) -> Result<Self, Error> {
        let mut options = Options::default();
        options.verify = false;
        options.stages = Self::stages(stages);
        let trace = trace(func.clone(), &options)?;
        let is_before_plan = |snapshot: &&Snapshot| {
            let stage = snapshot.stage;
            stage.is_none_or(|stage| stage <= Stage::Reducibility)
        };
        let last = trace.snapshots.iter().rfind(is_before_plan);
        let nodes = last.map_or(&[][..], |snapshot| &snapshot.nodes);
        let mut node_of = vec![None; func.num_blocks()];
        for (node, block) in (0u32..).zip(nodes.iter().map(|node| node.block)) {
            if let Some(block) = block {
                node_of[block.index()] = Some(node);
            }
        }
        let successors: Vec<Vec<u32>> = nodes.iter().map(|n| n.successors.clone()).collect();
        Ok(Self {
            block_of: nodes.iter().map(|node| node.block).collect(),
            node_of,
            order: Order::new(&skeleton(&successors)),
            successors,
        })
    }

    /// Returns whether each loop of the graph has one entry.
    #[must_use]
    pub fn is_reducible(&self) -> bool {
        self.order.is_reducible()
    }

    /// Returns the number of nodes that the passes inserted.
    #[must_use]
    pub fn num_inserted(&self) -> usize {
        self.block_of.iter().filter(|block| block.is_none()).count()
    }

    /// Returns whether a node is another one, or leads to it through inserted nodes alone.
    fn leads(&self, node: u32, to: u32) -> bool {
        let (mut seen, mut stack) = (vec![node], vec![node]);
        while let Some(node) = stack.pop() {
            if node == to {
                return true;
            }
            if self.block_of[node as usize].is_none() {
                for &next in &self.successors[node as usize] {
                    if !seen.contains(&next) {
                        seen.push(next);
                        stack.push(next);
                    }
                }
            }
        }
        false
    }
}

impl Nodes for CanonicalGraph {
    fn next(&self, func: &Function, from: u32, to: Block) -> u32 {
        let successors = &self.successors[from as usize];
        let Some(target) = self.node_of[to.index()] else {
            unreachable!("a branch to {to}, which no path reaches");
        };
        if let Some(block) = self.block_of[from as usize] {
            // The edges of a block stay in their order when they are redirected.
            let mut distinct: Vec<Block> = Vec::new();
            for block in func.successors(block) {
                if !distinct.contains(&block) {
                    distinct.push(block);
                }
            }
            let index = distinct.iter().position(|&block| block == to);
            return index.map_or(target, |index| successors[index]);
        }
        let leads = successors.iter().find(|&&node| self.leads(node, target));
        leads.copied().unwrap_or(target)
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn block(&self, node: u32) -> Option<Block> {
        self.block_of[node as usize]
    }
}

/// Makes a function of blocks and edges alone.
fn skeleton(successors: &[Vec<u32>]) -> Function {
    let mut func = Function::new();
    let value = func.add_constant(0, Type::SELECTOR);
    for _ in successors {
        func.add_block();
    }
    for (node, list) in successors.iter().enumerate() {
        let targets: Vec<Block> = list.iter().map(|&to| Block::new(to as usize)).collect();
        let terminator = match targets.split_first() {
            None => Terminator::Return(None),
            Some((&default, rest)) => Terminator::Switch {
                value,
                default,
                cases: func.add_cases(&(0u64..).zip(rest.iter().copied()).collect::<Vec<_>>()),
                hint: SelectionHint::None,
            },
        };
        func.set_terminator(Block::new(node), terminator);
    }
    func
}

/// Runs a function under the model of the input on its canonical graph: as [`run_graph`]
/// does, but invocations also wait for each other in the nodes that the passes inserted.
///
/// # Errors
/// As [`run_graph`].
///
/// [`run_graph`]: super::run_graph
pub fn run_canonical(
    func: &Function,
    graph: &CanonicalGraph,
    config: &Config,
) -> Result<Trace, SimError> {
    run_on(func, graph, config)
}
