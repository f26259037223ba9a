//! Arrays of vectors: variables whose accesses at run time all have a known component.
//!
//! DXC flattens arrays of vectors to arrays of numbers, with indices such as `4 * i + 2`. As an
//! array of vectors such a variable takes the driver a quarter of the work or less, and the
//! components of one element are loaded at once. The patterns choose only the form, in which any
//! access is possible.

use rspirv::spirv::{Op, Word};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::module::{InstKind, ValueId};

use super::address::{Base, resolve};
use super::layout::{Layout, Layouts};
use super::root::{Index, Root, StorageLocation};
use crate::values::FunctionBuilder;
use crate::values::known_bits::low_bits;

/// Common patterns of a function's accesses to each of its variables; computed at the first use of
/// one.
#[derive(Default)]
pub(super) struct Rows {
    /// Variables with accesses at addresses that are computed, and a power of two: the addresses modulo
    /// that many bytes are known.
    known: FxHashMap<Base, u64>,
    started: bool,
}

impl Rows {
    /// Forgets the function, and keeps memory for the next.
    pub(super) fn reset(&mut self) {
        let Self { known, started } = self;
        known.clear();
        *started = false;
    }

    /// Returns how many slots an element of a variable's array should have.
    pub(super) fn lanes(
        &mut self,
        e: &FunctionBuilder<'_>,
        layouts: &mut Layouts,
        base: Base,
        layout: Layout,
    ) -> u32 {
        if !std::mem::replace(&mut self.started, true) {
            self.find(e, layouts);
        }
        let known = self.known.get(&base).copied().unwrap_or(1);
        let is_row = |&lanes: &u32| {
            let row = u64::from(lanes) * layout.slot;
            known >= row && layout.size.is_multiple_of(row)
        };
        [4, 2].into_iter().find(is_row).unwrap_or(1)
    }

    fn find(&mut self, e: &FunctionBuilder<'_>, layouts: &mut Layouts) {
        for inst in e.function.insts.values() {
            let (InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. }) = inst.kind else {
                continue;
            };
            // An address that cannot be resolved is reported where it is emitted.
            let Ok(address) = resolve(e.module, layouts, e.function, ptr) else {
                continue;
            };
            if address.terms.is_empty() {
                continue;
            }
            let of_terms = (address.terms.iter()).map(|&(value, scale)| known(e, value, scale).0);
            let known = of_terms.min().unwrap_or(1);
            let least = self.known.entry(address.base).or_insert(known);
            *least = known.min(*least);
        }
    }
}

/// Returns a power of two, and a value times a number modulo that.
fn known(e: &FunctionBuilder<'_>, value: ValueId, scale: u64) -> (u64, u64) {
    let (bits, number) = low_bits(e, value);
    let bits = (bits + scale.trailing_zeros()).min(31);
    let modulus = 1 << bits;
    (modulus, number.wrapping_mul(scale) & (modulus - 1))
}

/// Returns the slot in an element of an array of vectors that an address without its constant has, if it is
/// one and that is known.
pub(super) fn slot_in_row(
    e: &FunctionBuilder<'_>,
    root: &Root,
    terms: &SmallVec<[(ValueId, u64); 2]>,
) -> Option<u32> {
    if root.lanes == 1 {
        return None;
    }
    let mut slot = 0u64;
    for &(value, scale) in terms {
        let (modulus, number) = known(e, value, scale);
        if modulus < u64::from(root.lanes) * root.bytes {
            return None;
        }
        slot = slot.wrapping_add(number / root.bytes);
    }
    Some(slot as u32 & (root.lanes - 1))
}

/// Returns the position of slot `id + constant`, where `low` has the lowest bits of `id`.
pub(super) fn row(
    e: &mut FunctionBuilder<'_>,
    root: &Root,
    (id, low): (Word, u32),
    constant: u32,
) -> Index {
    let slot = low.wrapping_add(constant) & (root.lanes - 1);
    // The first slot of the element: equal for all of its slots.
    let first = plus(e, id, constant.wrapping_sub(slot));
    Index::Row(shifted(e, root, first), slot)
}

/// Returns the element of an array of vectors, and the slot in it, that is `more` slots after a location.
pub(super) fn position(
    e: &mut FunctionBuilder<'_>,
    location: &StorageLocation,
    more: u32,
) -> (Word, Word) {
    let root = location.root;
    match location.index {
        Index::Constant(c) => {
            let slot = c.wrapping_add(more);
            let row = e.b.const_u32(slot / root.lanes);
            (row, e.b.const_u32(slot % root.lanes))
        }
        Index::Row(row, slot) => {
            let slot = slot.wrapping_add(more);
            let row = plus(e, row, slot / root.lanes);
            (row, e.b.const_u32(slot % root.lanes))
        }
        Index::Dynamic(id, c) => {
            let slot = plus(e, id, c.wrapping_add(more));
            let row = shifted(e, &root, slot);
            (row, e.b.word_with(Op::BitwiseAnd, slot, root.lanes - 1))
        }
        Index::Outside => (e.b.const_u32(0), e.b.const_u32(0)),
    }
}

fn plus(e: &mut FunctionBuilder<'_>, id: Word, number: u32) -> Word {
    if number == 0 {
        return id;
    }
    e.b.word_with(Op::IAdd, id, number)
}

/// Returns the element that a slot is in.
fn shifted(e: &mut FunctionBuilder<'_>, root: &Root, slot: Word) -> Word {
    e.b.word_with(Op::ShiftRightLogical, slot, root.lanes.trailing_zeros())
}
