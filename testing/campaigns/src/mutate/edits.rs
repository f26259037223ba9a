//! Random edits of a shader: of the file's bits, or of the module that was read.
//!
//! Edits of a module keep the reader's promises (types of operands, numbers in range), so that most
//! of the mutated shaders convert; flipped bits are mostly refused.

use std::collections::HashSet;
use std::fmt;

use structurizer_testkit::generate::Rng;
use trellis_dxil::Options;
use trellis_dxil::frontend::module::{
    BlockId, ConstId, Constant, Function, FunctionId, InstId, InstKind, Module, RmwOp, Type,
    TypeId, ValueId, ValueKind,
};

/// Most edits of a shader.
const MOST: usize = 3;

/// How often another place is tried where an edit does not fit.
const TRIES: usize = 40;

/// One edit.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Edit {
    /// Flips a bit of the file.
    Bit(usize),
    /// Replaces a constant.
    Constant(ConstId, Constant),
    /// Replaces an instruction.
    Inst(FunctionId, InstId, InstKind),
    /// Replaces an operand in a function's pool.
    Pool(FunctionId, u32, u32),
}

impl Edit {
    /// Returns whether the module is edited, not the file.
    pub(super) fn is_of_module(&self) -> bool {
        !matches!(self, Self::Bit(_))
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bit(bit) => write!(f, "flip bit {} of byte {}", bit % 8, bit / 8),
            Self::Constant(id, value) => write!(f, "{id} becomes {value:?}"),
            Self::Inst(function, inst, kind) => {
                write!(f, "{function}, {inst} becomes {kind:?}")
            }
            Self::Pool(function, index, value) => {
                write!(f, "{function}, entry {index} of the pool becomes {value}")
            }
        }
    }
}

/// Returns edits of a shader.
pub(super) fn random(bytes: &[u8], rng: &mut Rng) -> Vec<Edit> {
    let count = 1 + rng.below(MOST);
    let flips = |rng: &mut Rng| -> Vec<Edit> {
        (0..count)
            .map(|_| Edit::Bit(rng.below(bytes.len() * 8)))
            .collect()
    };
    if rng.chance(30) {
        return flips(rng);
    }
    let Ok(input) = trellis_dxil::read(bytes, &Options::default()) else {
        return flips(rng);
    };
    let places = Places::new(&input.module);
    let list: Vec<Edit> = (0..count)
        .filter_map(|_| (0..TRIES).find_map(|_| places.edit(rng)))
        .collect();
    if list.is_empty() { flips(rng) } else { list }
}

/// Returns the file after edits of its bits.
pub(super) fn bytes(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    for edit in edits {
        if let Edit::Bit(bit) = edit
            && let Some(byte) = copy.get_mut(bit / 8)
        {
            *byte ^= 1 << (bit % 8);
        }
    }
    copy
}

/// Edits a module.
pub(super) fn apply(module: &mut Module, edits: &[Edit]) {
    for edit in edits {
        match edit {
            Edit::Bit(_) => {}
            Edit::Constant(id, value) => module.constants[*id].value = value.clone(),
            Edit::Inst(function, inst, kind) => {
                module.functions[*function].insts[*inst].kind = *kind;
            }
            Edit::Pool(function, index, value) => {
                module.functions[*function].pool[*index as usize] = *value;
            }
        }
    }
}

/// The places of a module that can be edited.
struct Places<'m> {
    module: &'m Module,
    functions: Vec<FunctionId>,
    /// Constants that no address computation has: those may be indices of fields, on which types
    /// depend.
    constants: Vec<ConstId>,
}

impl<'m> Places<'m> {
    fn new(module: &'m Module) -> Self {
        let functions = { module.functions.iter() }
            .filter(|(_, function)| !function.is_declaration)
            .map(|(id, _)| id)
            .collect();
        let mut fixed: HashSet<ConstId> = HashSet::new();
        let constant = |function: Option<&Function>, value: u32| match module
            .value(function, ValueId::from_u32(value))
            .map(|data| data.kind)
        {
            Some(ValueKind::Constant(id)) => Some(id),
            _ => None,
        };
        for function in module.functions.values() {
            for inst in function.insts.values() {
                let (InstKind::Gep { .. }
                | InstKind::Alloca { .. }
                | InstKind::ShuffleVector { .. }) = inst.kind
                else {
                    continue;
                };
                fixed.extend(
                    { function.operands(&inst.kind) }
                        .filter_map(|value| constant(Some(function), value.as_u32())),
                );
            }
        }
        for function in std::iter::once(None).chain(module.functions.values().map(Some)) {
            fixed.extend({ module.const_operands.iter() }.filter_map(|&v| constant(function, v)));
        }
        let constants = { module.constants.iter() }
            .filter(|(id, data)| {
                matches!(data.value, Constant::Int(_) | Constant::Float(_)) && !fixed.contains(id)
            })
            .map(|(id, _)| id)
            .collect();
        Self {
            module,
            functions,
            constants,
        }
    }

    fn edit(&self, rng: &mut Rng) -> Option<Edit> {
        if rng.chance(40) {
            return self.constant(rng);
        }
        let id = *self.functions.get(rng.below(self.functions.len()))?;
        let function = &self.module.functions[id];
        let inst = InstId::from_u32(rng.below(function.insts.len()) as u32);
        self.inst(rng, id, inst)
    }

    fn constant(&self, rng: &mut Rng) -> Option<Edit> {
        let id = *self.constants.get(rng.below(self.constants.len()))?;
        let data = &self.module.constants[id];
        let bits = match self.module.ty(data.ty) {
            Type::Int(bits) => *bits,
            Type::Half => 16,
            Type::Float => 32,
            _ => 64,
        };
        let mask = u64::MAX >> 64_u32.saturating_sub(bits.clamp(1, 64));
        let (Constant::Int(old) | Constant::Float(old)) = data.value else {
            return None;
        };
        let new = match rng.below(7) {
            0 => rng.below(9) as u64,
            // Numbers of operations.
            1 => rng.below(320) as u64,
            2 => old.wrapping_add(1),
            3 => old.wrapping_sub(1),
            4 => old ^ 1 << rng.below(bits.clamp(1, 64) as usize),
            5 => u64::MAX,
            _ => rng.next_u64(),
        } & mask;
        let value = match data.value {
            Constant::Int(_) => Constant::Int(new),
            _ => Constant::Float(new),
        };
        (new != old).then_some(Edit::Constant(id, value))
    }

    /// Returns a value of a type that a function has.
    fn value(&self, rng: &mut Rng, function: &Function, ty: TypeId) -> Option<ValueId> {
        let before = self.module.values.len();
        let count = before + function.values.len();
        (0..TRIES).find_map(|_| {
            let value = ValueId::from_u32(rng.below(count) as u32);
            let data = self.module.value(Some(function), value)?;
            (data.ty == ty).then_some(value)
        })
    }

    fn inst(&self, rng: &mut Rng, id: FunctionId, inst: InstId) -> Option<Edit> {
        let function = &self.module.functions[id];
        let old = function.insts.get(inst)?.kind;
        let mut kind = old;
        let like = |value: ValueId, rng: &mut Rng| {
            let ty = self.module.value(Some(function), value)?.ty;
            self.value(rng, function, ty)
        };
        // Another instruction, for its operation.
        let other = function.insts[InstId::from_u32(rng.below(function.insts.len()) as u32)];
        match &mut kind {
            InstKind::Binary { op, lhs, rhs, .. } => match rng.below(3) {
                0 => std::mem::swap(lhs, rhs),
                1 => *rhs = like(*rhs, rng)?,
                _ => match other.kind {
                    InstKind::Binary { op: new, .. } if other.ty == function.insts[inst].ty => {
                        *op = new;
                    }
                    _ => return None,
                },
            },
            InstKind::Cmp { lhs, rhs, .. } => match rng.below(2) {
                0 => std::mem::swap(lhs, rhs),
                _ => *lhs = like(*lhs, rng)?,
            },
            InstKind::Select { cond, then, else_ } => match rng.below(3) {
                0 => std::mem::swap(then, else_),
                1 => *cond = like(*cond, rng)?,
                _ => *then = like(*then, rng)?,
            },
            InstKind::Cast { value, .. } => *value = like(*value, rng)?,
            InstKind::Br { target } => *target = block(rng, function)?,
            InstKind::CondBr { cond, then, else_ } => match rng.below(4) {
                0 => std::mem::swap(then, else_),
                1 => *cond = like(*cond, rng)?,
                2 => *then = block(rng, function)?,
                _ => *else_ = *then,
            },
            InstKind::Switch { default, .. } => *default = block(rng, function)?,
            InstKind::Store {
                ptr, value, align, ..
            } => match rng.below(3) {
                0 => *ptr = like(*ptr, rng)?,
                1 => *align = 1 << rng.below(5),
                _ => *value = like(*value, rng)?,
            },
            InstKind::Load { ptr, align, .. } => match rng.below(2) {
                0 => *ptr = like(*ptr, rng)?,
                _ => *align = 1 << rng.below(5),
            },
            InstKind::AtomicRmw { op, value, .. } => match rng.below(2) {
                0 => *op = RmwOp::ALL[rng.below(RmwOp::ALL.len())],
                _ => *value = like(*value, rng)?,
            },
            InstKind::Phi { incoming } => {
                let index = incoming.start + 2 * rng.below(incoming.len() / 2) as u32;
                return self.pool(rng, id, index);
            }
            InstKind::Call { args, .. } => {
                let index = args.start + rng.below(args.len()) as u32;
                return self.pool(rng, id, index);
            }
            _ => return None,
        }
        (kind != old).then_some(Edit::Inst(id, inst, kind))
    }

    /// Replaces a value in the pool by one of the same type.
    fn pool(&self, rng: &mut Rng, id: FunctionId, index: u32) -> Option<Edit> {
        let function = &self.module.functions[id];
        let old = *function.pool.get(index as usize)?;
        // Arguments that are metadata have other numbers.
        let ty = { self.module.value(Some(function), ValueId::from_u32(old)) }?.ty;
        let new = self.value(rng, function, ty)?.as_u32();
        (new != old).then_some(Edit::Pool(id, index, new))
    }
}

/// Returns a block that is not the entry.
fn block(rng: &mut Rng, function: &Function) -> Option<BlockId> {
    let count = function.blocks.len();
    (count > 1).then(|| BlockId::from_u32(1 + rng.below(count - 1) as u32))
}
