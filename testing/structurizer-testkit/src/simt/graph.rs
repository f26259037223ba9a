//! Runs a function by the model: the lowest block first.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Function};

use super::lane::{Wave, lanes_of};
use super::order::{NONE, Order};
use super::{Config, SimError, Trace};

/// The location where a lane waits: a position, and [`ACTIVE`] or, for lanes that wait for the next
/// iteration of a loop, a key that sorts them after all positions of the loop, those of inner loops
/// first, and before the block after the loop.
type Key = (u32, i64);

const ACTIVE: i64 = 1;

/// Runs a function under the model of contract 3. The order is this module's own.
///
/// A `BreakBranch` leads to its target; its other edge still counts for what is a loop.
pub fn run_graph(func: &Function, config: &Config) -> Result<Trace, SimError> {
    let Some(entry) = func.entry() else {
        return Ok(Trace::default());
    };
    let order = Order::new(func);
    let mut wave = Wave::new(func, *config);
    let start: Key = (order.position[entry.index()], ACTIVE);
    let mut lanes: Vec<Option<(Key, Block)>> =
        lanes_of(wave.all()).map(|_| Some((start, entry))).collect();
    while let Some(lowest) = lanes.iter().flatten().map(|&(key, _)| key).min() {
        if lowest.1 != ACTIVE {
            // Nothing of the loop runs any more: the next iteration starts.
            for slot in lanes.iter_mut().flatten() {
                if slot.0 == lowest {
                    slot.0 = (order.position[slot.1.index()], ACTIVE);
                }
            }
            continue;
        }
        let mut set = 0u64;
        let mut block = entry;
        for (lane, slot) in lanes.iter().enumerate() {
            if let Some((key, at)) = slot
                && *key == lowest
            {
                set |= 1 << lane;
                block = *at;
            }
        }
        wave.run_block(block, set, |lane, target| {
            lanes[lane] = target.map(|to| (key_of(&order, lowest.0, to), to));
        })?;
    }
    Ok(wave.trace)
}

/// Returns the location of a lane that branches from a position to a block.
fn key_of(order: &Order, from: u32, to: Block) -> Key {
    let header_of = order.header_of[to.index()];
    if header_of != NONE {
        let l = &order.loops[header_of as usize];
        if (l.start..l.end).contains(&from) {
            return (l.end, -l.depth);
        }
    }
    (order.position[to.index()], ACTIVE)
}
