//! Values that no phi may have are computed again where they are used.
//!
//! In a function whose structured form needs a phi of such a type, each block gets copies of the
//! definitions that it uses, with the operands of such types, so that each of these values is used
//! only in its own block. Other operands of the copies are used across blocks, and may have phis.

use rspirv::spirv::{Op, StorageClass};
use rustc_hash::FxHashMap;
use trellis_structurizer_client::{Edits, Phi, Value};

use crate::Error;
use crate::assemble::Changes;
use crate::body::Body;
use crate::module::{Module, name_of};

/// Words of copies in a function of few words, and for each word of a larger one.
const SPARE_WORDS: usize = 1 << 20;
const MAX_GROWTH: usize = 16;

/// Returns a phi of a type that allows none.
pub(crate) fn forbidden_phi<'a>(module: &Module<'_>, edits: &'a Edits) -> Option<&'a Phi> {
    let mut phis = edits.blocks.iter().flat_map(|edit| &edit.phis);
    phis.find(|phi| module.ty(phi.ty.0).no_phi)
}

/// Returns the id of a value of the input that a phi carries; 0 if there is none.
pub(crate) fn source(edits: &Edits, phi: &Phi) -> u32 {
    let phis = edits.blocks.iter().flat_map(|edit| &edit.phis);
    let phis: FxHashMap<Value, &Phi> = phis.map(|phi| (phi.value, phi)).collect();
    let mut seen = vec![phi.value];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        if let Value::Client(id) = value {
            return id;
        }
        for &(_, operand) in phis.get(&value).map_or(&[][..], |phi| &phi.operands) {
            if !seen.contains(&operand) {
                seen.push(operand);
            }
        }
    }
    0
}

/// Copies the definitions. The function was checked before, so that definitions dominate their uses.
pub(crate) fn rematerialize(
    module: &Module<'_>,
    function: u32,
    body: &mut Body,
    changes: &mut Changes,
) -> Result<(), Error> {
    let successors = body.successors(module)?;
    let order = Body::reverse_post_order(&successors);
    let limit = body.words.len() * MAX_GROWTH + SPARE_WORDS;
    let mut copying = Copying {
        module,
        function,
        limit,
        block_of: FxHashMap::default(),
        block: 0,
        copies: FxHashMap::default(),
        insts: Vec::new(),
    };
    for &block in &order {
        let of = &body.blocks[block];
        for &inst in of.phis.iter().chain(&of.insts) {
            copying.block_of.insert(inst, block);
        }
        for &phi in &of.phis {
            if let Some(id) = body.insts[phi].result
                && copying.is_no_phi(body, id)
            {
                return Err(Error::NoPhi { id });
            }
        }
    }
    for &block in &order {
        copying.block = block;
        copying.copies.clear();
        let insts = std::mem::take(&mut body.blocks[block].insts);
        for inst in insts {
            copying.use_copies(body, inst, changes)?;
            copying.insts.push(inst);
        }
        let terminator = body.blocks[block].terminator;
        copying.use_copies(body, terminator, changes)?;
        body.blocks[block].insts = std::mem::take(&mut copying.insts);
    }
    Ok(())
}

struct Copying<'a> {
    module: &'a Module<'a>,
    function: u32,
    /// The most words that the function may have.
    limit: usize,
    /// The block of each instruction.
    block_of: FxHashMap<usize, usize>,
    block: usize,
    /// The copies of values in the block.
    copies: FxHashMap<u32, u32>,
    /// The instructions of the block so far.
    insts: Vec<usize>,
}

impl Copying<'_> {
    fn is_no_phi(&self, body: &Body, id: u32) -> bool {
        let ty = body.type_of(self.module, id);
        ty.is_some_and(|ty| self.module.ty(ty).no_phi)
    }

    /// Returns the instruction to copy for a use of a value in the block.
    fn definition(&self, body: &Body, id: u32) -> Option<usize> {
        let inst = body.local(id).filter(|_| self.is_no_phi(body, id))?;
        (self.block_of.get(&inst) != Some(&self.block)).then_some(inst)
    }

    /// Makes an instruction of the block use copies.
    fn use_copies(
        &mut self,
        body: &mut Body,
        inst: usize,
        changes: &mut Changes,
    ) -> Result<(), Error> {
        let uses: Vec<u32> = body.uses(inst).collect();
        let location = body.insts[inst].location;
        let mut needed: Vec<u32> = uses.clone();
        while let Some(&id) = needed.last() {
            let Some(of) = (self.definition(body, id)).filter(|_| !self.copies.contains_key(&id))
            else {
                needed.pop();
                continue;
            };
            let operands: Vec<u32> = body.uses(of).collect();
            let is_missing =
                |id: &u32| self.definition(body, *id).is_some() && !self.copies.contains_key(id);
            let missing = needed.len();
            needed.extend(operands.iter().copied().filter(is_missing));
            // Operands first: the loop comes back to this one.
            if needed.len() > missing {
                continue;
            }
            needed.pop();
            if !self.is_pure(body, of) {
                return Err(Error::NoPhi { id });
            }
            let copy = changes.fresh()?;
            let made = body.copy(of, copy, location, &self.with_copies(&operands));
            if body.words.len() > self.limit {
                return Err(Error::TooManyCopies {
                    function: self.function,
                });
            }
            self.copies.insert(id, copy);
            self.block_of.insert(made, self.block);
            self.insts.push(made);
        }
        body.set_uses(inst, &self.with_copies(&uses));
        Ok(())
    }

    fn with_copies(&self, uses: &[u32]) -> Vec<u32> {
        let copy = |id: &u32| self.copies.get(id).copied().unwrap_or(*id);
        uses.iter().map(copy).collect()
    }

    /// Returns whether an instruction gives the same result wherever it is.
    fn is_pure(&self, body: &Body, inst: usize) -> bool {
        let op = body.insts[inst].op;
        match op {
            Op::CopyObject
            | Op::CopyLogical
            | Op::Bitcast
            | Op::Select
            | Op::Undef
            | Op::SampledImage
            | Op::Image
            | Op::ImageTexelPointer
            | Op::UntypedImageTexelPointerEXT
            | Op::CompositeExtract
            | Op::CompositeConstruct
            | Op::CompositeInsert
            | Op::ConvertUToPtr
            | Op::ConvertUToAccelerationStructureKHR
            | Op::ConvertUToImageNV
            | Op::ConvertUToSamplerNV
            | Op::ConvertUToSampledImageNV => true,
            // Descriptors do not change while a shader runs.
            Op::Load => {
                let pointer = body.type_of(self.module, body.word(inst, 3));
                let class = pointer.and_then(|ty| self.module.ty(ty).storage_class);
                class == Some(StorageClass::UniformConstant as u32)
            }
            _ => name_of(op as u32).contains("AccessChain"),
        }
    }
}
