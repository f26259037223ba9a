//! Liveness of all values.
//!
//! For each value a walk from its uses backwards to its definition visits the blocks at whose start
//! it is live, and no others (Boissinot and others, "Computing liveness sets for SSA-form programs",
//! 2011, the variant by variable). It holds for any graph: neither dominators nor loops are needed.
//!
//! Cost: time and memory are linear in the function and in the result, which is the number of pairs
//! of a block and a value that is live at its start or end: at worst the product of both.

use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{Adjacency, EntityRef};
use trellis_structurizer::ir::{Block, Function, Terminator, Value, ValueKind};

use crate::lists::{group, predecessors};

/// Where a value is used: in a block, or at its end by a phi of a successor.
#[derive(Clone, Copy)]
struct Use {
    block: Block,
    at_end: bool,
}

/// The values that are live at the start and at the end of each block.
///
/// A value is live at a point if a path leads from there to a use without passing the definition.
/// The operand of a phi is used at the end of its predecessor; the phi is defined at the start of its
/// block, and is not in the list of that start. Phis and results are in the lists; values that are
/// defined everywhere ([constants](ValueKind::Constant) and undefined values) are not. Blocks that
/// the entry does not reach are treated like others.
///
/// ```
/// use trellis_structurizer_analysis::Liveness;
/// let func = trellis_structurizer::text::parse(
///     "a:\n %x:1 = op 1\n %c:1 = op 2\n if %c b d\nb:\n op 3 side %x\n br d\nd:\n ret",
/// )?;
/// let [x, c] = std::array::from_fn(|i| func.values().nth(i).unwrap());
/// let [a, b, d] = std::array::from_fn(|i| func.blocks().nth(i).unwrap());
/// let liveness = Liveness::of(&func);
/// assert_eq!(liveness.live_out(a), [x]);
/// assert!(liveness.is_live_at_start(x, b) && !liveness.is_live_at_end(x, b));
/// assert!(!liveness.is_live_at_end(c, a) && liveness.live_in(d).is_empty());
/// # Ok::<(), trellis_structurizer::text::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Liveness {
    starts: Adjacency<Block, Value>,
    ends: Adjacency<Block, Value>,
}

impl Liveness {
    /// Computes the liveness of all values of a function, before or after structurization.
    pub fn of(func: &Function) -> Self {
        let preds = predecessors(func);
        let uses = uses(func);
        let mut walk = Walk::new(func.num_blocks());
        for value in func.values() {
            let Some(definition) = definition(func, value) else {
                continue;
            };
            for &Use { block, at_end } in uses.get(value) {
                if at_end {
                    walk.live_at_end(value, definition, block);
                } else {
                    walk.live_at_start(value, definition, block);
                }
            }
            while let Some(block) = walk.work.pop() {
                for &pred in preds.get(block) {
                    walk.live_at_end(value, definition, pred);
                }
            }
        }
        Self {
            starts: group(func.num_blocks(), &walk.starts),
            ends: group(func.num_blocks(), &walk.ends),
        }
    }

    /// Returns the values that are live at the start of a block, in the order of their numbers.
    pub fn live_in(&self, block: Block) -> &[Value] {
        self.starts.get(block)
    }

    /// Returns the values that are live at the end of a block, in the order of their numbers.
    pub fn live_out(&self, block: Block) -> &[Value] {
        self.ends.get(block)
    }

    /// Returns whether a value is live at the start of a block, by binary search.
    pub fn is_live_at_start(&self, value: Value, block: Block) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }

    /// Returns whether a value is live at the end of a block, by binary search.
    pub fn is_live_at_end(&self, value: Value, block: Block) -> bool {
        self.live_out(block).binary_search(&value).is_ok()
    }
}

/// The walks of all values, one after the other.
struct Walk {
    starts: Vec<(Block, Value)>,
    ends: Vec<(Block, Value)>,
    /// The last value that was found to be live at the start of each block.
    at_start: Vec<Option<Value>>,
    /// The last value that was found to be live at the end of each block.
    at_end: Vec<Option<Value>>,
    /// Blocks at whose start the value is live and whose predecessors are to be visited.
    work: Vec<Block>,
}

impl Walk {
    fn new(blocks: usize) -> Self {
        Self {
            starts: Vec::new(),
            ends: Vec::new(),
            at_start: vec![None; blocks],
            at_end: vec![None; blocks],
            work: Vec::new(),
        }
    }

    fn live_at_start(&mut self, value: Value, definition: Block, block: Block) {
        if block != definition && self.at_start[block.index()].replace(value) != Some(value) {
            self.starts.push((block, value));
            self.work.push(block);
        }
    }

    fn live_at_end(&mut self, value: Value, definition: Block, block: Block) {
        if self.at_end[block.index()].replace(value) != Some(value) {
            self.ends.push((block, value));
            self.live_at_start(value, definition, block);
        }
    }
}

/// Returns the block of a value's definition; none if it is defined everywhere.
pub(crate) fn definition(func: &Function, value: Value) -> Option<Block> {
    match func.value_kind(value) {
        ValueKind::Phi(block) => Some(block),
        ValueKind::Result { inst, .. } => Some(func.inst_block(inst)),
        ValueKind::Constant { .. }
        | ValueKind::SelectorConstant(_)
        | ValueKind::BoolConstant(_)
        | ValueKind::Undef => None,
    }
}

/// Returns the uses of each value. Operands of a phi for a block that does not exist are omitted.
fn uses(func: &Function) -> Adjacency<Value, Use> {
    let mut uses = Vec::new();
    for block in func.blocks() {
        for phi in func.phis(block) {
            for operand in func.phi_operands(phi).filter(|o| func.has_block(o.pred)) {
                let at_end = Use {
                    block: operand.pred,
                    at_end: true,
                };
                uses.push((operand.value, at_end));
            }
        }
        let of_insts = func.insts(block).flat_map(|inst| func.uses(inst)).copied();
        let of_terminator = func.terminator(block).and_then(Terminator::value);
        for value in of_insts.chain(of_terminator) {
            let inside = Use {
                block,
                at_end: false,
            };
            uses.push((value, inside));
        }
    }
    group(func.num_values(), &uses)
}
