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
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for value in func.values() {
            let Some(definition) = definition(func, value) else {
                continue;
            };
            walk.visit(&preds, value, Some(definition), uses.get(value), usize::MAX);
            for (block, position) in walk.reached() {
                if block != definition {
                    starts.push((block, value));
                }
                if position == AT_END {
                    ends.push((block, value));
                }
            }
        }
        Self {
            starts: group(func.num_blocks(), &starts),
            ends: group(func.num_blocks(), &ends),
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

/// The position in a block of the edges to its successors: a value that is live here is needed after
/// the block. Positions before it are the caller's.
pub(crate) const AT_END: u32 = u32::MAX - 1;

/// The walks of all values, one after the other.
pub(crate) struct Walk {
    /// The last value that was found to be live in each block, and its last position there.
    seen: Vec<(Option<Value>, u32)>,
    /// The blocks in which the value is live.
    reached: Vec<Block>,
    /// Blocks at whose start the value is live and whose predecessors are to be visited.
    work: Vec<Block>,
}

impl Walk {
    pub(crate) fn new(blocks: usize) -> Self {
        Self {
            seen: vec![(None, 0); blocks],
            reached: Vec::new(),
            work: Vec::new(),
        }
    }

    /// Visits the blocks in which a value is live, from its uses, each a block and a position in it,
    /// back to the block of its definition. Stops at `limit` blocks at whose start it is live, and
    /// returns how many it visited. Each value is visited once.
    pub(crate) fn visit(
        &mut self,
        preds: &Adjacency<Block, Block>,
        value: Value,
        definition: Option<Block>,
        uses: &[(Block, u32)],
        limit: usize,
    ) -> usize {
        self.reached.clear();
        self.work.clear();
        for &(block, position) in uses {
            self.reach(value, definition, block, position);
        }
        let mut visited = 0;
        while let Some(block) = self.work.pop().filter(|_| visited < limit) {
            visited += 1;
            for &pred in preds.get(block) {
                self.reach(value, definition, pred, AT_END);
            }
        }
        visited
    }

    fn reach(&mut self, value: Value, definition: Option<Block>, block: Block, position: u32) {
        let (last, end) = &mut self.seen[block.index()];
        if *last == Some(value) {
            *end = position.max(*end);
            return;
        }
        (*last, *end) = (Some(value), position);
        self.reached.push(block);
        if definition != Some(block) {
            self.work.push(block);
        }
    }

    /// Returns the blocks in which the value of the last visit is live, each with the last position
    /// at which it is.
    pub(crate) fn reached(&self) -> impl Iterator<Item = (Block, u32)> + '_ {
        let blocks = self.reached.iter().copied();
        blocks.map(|block| (block, self.seen[block.index()].1))
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

/// Returns the uses of each value, with position 0 for those in a block. Operands of a phi for a block
/// that does not exist are omitted.
fn uses(func: &Function) -> Adjacency<Value, (Block, u32)> {
    let mut uses = Vec::new();
    for block in func.blocks() {
        for phi in func.phis(block) {
            for operand in func.phi_operands(phi).filter(|o| func.has_block(o.pred)) {
                uses.push((operand.value, (operand.pred, AT_END)));
            }
        }
        let of_insts = func.insts(block).flat_map(|inst| func.uses(inst)).copied();
        let of_terminator = func.terminator(block).and_then(Terminator::value);
        uses.extend(
            of_insts
                .chain(of_terminator)
                .map(|value| (value, (block, 0))),
        );
    }
    group(func.num_values(), &uses)
}
