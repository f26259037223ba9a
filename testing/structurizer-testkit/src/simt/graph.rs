//! Runs a function by the model: the lowest block first.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function};

use super::lane::{Wave, lanes_of};
use super::order::{NONE, Order};
use super::{Config, SimError, Trace};

/// The location where a lane waits: a position, and [`ACTIVE`] or, for lanes that wait for the next
/// iteration of a loop, a key that sorts them after all positions of the loop, inner loops first,
/// and before the block after the loop.
type Key = (u32, i64);

const ACTIVE: i64 = 1;

/// The graph on which lanes move.
pub(super) trait Nodes {
    /// Returns the order of the nodes.
    fn order(&self) -> &Order;
    /// Returns the block that a node is; none for a node that only leads on.
    fn block(&self, node: u32) -> Option<Block>;
    /// Returns the node to which a lane goes from a node on its way to a block.
    fn next(&self, func: &Function, from: u32, to: Block) -> u32;
}

/// The function's own graph.
struct Own(Order);

impl Nodes for Own {
    fn order(&self) -> &Order {
        &self.0
    }
    fn block(&self, node: u32) -> Option<Block> {
        Some(Block::new(node as usize))
    }
    fn next(&self, _func: &Function, _from: u32, to: Block) -> u32 {
        to.index() as u32
    }
}

/// Where a lane is: its location, the node there, and the block that it is on its way to.
#[derive(Clone, Copy)]
struct Place {
    key: Key,
    node: u32,
    target: Block,
}

/// Runs a function under the model of the input: Lemma 20 of `docs/structurizer-correctness.md`. The
/// order is this module's own.
///
/// A `BreakBranch` leads to its target; its other edge still counts for loops. So does an edge from
/// each block in a convergence region to the header of the loop.
///
/// # Errors
/// If the function does not run, such as on an undefined condition.
pub fn run_graph(func: &Function, config: &Config) -> Result<Trace, SimError> {
    run_on(func, &Own(Order::new(func)), config)
}

/// Runs a function on a graph. Node 0 is the entry.
pub(super) fn run_on(
    func: &Function,
    graph: &impl Nodes,
    config: &Config,
) -> Result<Trace, SimError> {
    let Some(entry) = func.entry() else {
        return Ok(Trace::default());
    };
    let order = graph.order();
    let mut wave = Wave::new(func, *config, None);
    let start = Place {
        key: (order.position[0], ACTIVE),
        node: 0,
        target: entry,
    };
    let mut lanes: Vec<Option<Place>> = lanes_of(wave.all()).map(|_| Some(start)).collect();
    while let Some(lowest) = lanes.iter().flatten().map(|place| place.key).min() {
        if lowest.1 != ACTIVE {
            // Nothing of the loop runs any more: the next iteration starts.
            for place in lanes.iter_mut().flatten() {
                if place.key == lowest {
                    place.key = (order.position[place.node as usize], ACTIVE);
                }
            }
            continue;
        }
        let mut set = 0u64;
        let mut node = 0;
        for (lane, place) in lanes.iter().enumerate() {
            if let Some(place) = place.filter(|place| place.key == lowest) {
                set |= 1 << lane;
                node = place.node;
            }
        }
        let go = |target: Block| {
            let to = graph.next(func, node, target);
            Place {
                key: key_of(order, lowest.0, to),
                node: to,
                target,
            }
        };
        match graph.block(node) {
            Some(block) => {
                wave.run_block(block, set, |lane, target| lanes[lane] = target.map(go))?;
            }
            None => {
                for lane in lanes_of(set) {
                    lanes[lane] = lanes[lane].map(|place| go(place.target));
                }
            }
        }
    }
    Ok(wave.trace)
}

/// Returns the location of a lane that branches from a position to a node.
fn key_of(order: &Order, from: u32, to: u32) -> Key {
    let header_of = order.header_of[to as usize];
    if header_of != NONE {
        let l = &order.loops[header_of as usize];
        if (l.start..l.end).contains(&from) {
            return (l.end, -l.depth);
        }
    }
    (order.position[to as usize], ACTIVE)
}
