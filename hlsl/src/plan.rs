//! Which instructions are statements, and which are printed inside their user.
//!
//! An instruction without effects whose result has one use, in its block, is part of that use, unless
//! the expression would be large. A read of memory is, too, if nothing is written in between. Addresses,
//! handles, components of vectors, constant buffers and inputs are always printed where they are used.
//! Linear.

use trellis_dxil_frontend::debug_info::VariableUses;
use trellis_dxil_frontend::dxop::{DxDeclarations, Effects, FamilyOp, Op};
use trellis_dxil_frontend::module::{
    Function, Inst, InstId, InstKind, Module, Type, ValueId, ValueKind,
};

use crate::Error;

/// Most operations in an expression, without its addresses.
const LARGE: u32 = 12;
/// Most operations in the expression of an address; printing is recursive.
const LARGEST: u32 = 100;

/// Where an instruction is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Nowhere: debug information, variables, and instructions that the structurizer represents in
    /// another form.
    Nowhere,
    /// In its users.
    Inside,
    /// As a statement.
    Statement,
}

/// Kind of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Nothing,
    /// Always inside of its users.
    Address,
    Pure,
    Read,
    /// Reads or writes, with others of its kind in order.
    Write,
}

/// The plan of a function.
pub(crate) struct Plan {
    places: Vec<Place>,
    pub(crate) classes: Vec<Class>,
    /// Number of uses of each local value.
    uses: Vec<u32>,
    /// Whether a phi or a terminator uses the value.
    ends: Vec<bool>,
    locals: u32,
}

impl Plan {
    pub(crate) fn of(
        module: &Module,
        function: &Function,
        ops: &DxDeclarations,
    ) -> Result<Self, Error> {
        let mut plan = Self {
            places: vec![Place::Nowhere; function.insts.len()],
            classes: Vec::with_capacity(function.insts.len()),
            uses: vec![0; function.values.len()],
            ends: vec![false; function.values.len()],
            locals: module.values.len() as u32,
        };
        let debug = VariableUses::new(module);
        // The only user of each value.
        let mut users: Vec<Option<InstId>> = vec![None; function.values.len()];
        let mut block_of = vec![0; function.insts.len()];
        for (block, data) in function.blocks.iter() {
            for id in data.insts {
                let inst = &function.insts[id];
                let is_debug = debug.parse(module, function, id).is_some();
                let class = match is_debug {
                    true => Class::Nothing,
                    false => classify(module, function, ops, id)?,
                };
                plan.classes.push(class);
                block_of[id.as_u32() as usize] = block.as_u32();
                let is_end = inst.kind.is_terminator() || matches!(inst.kind, InstKind::Phi { .. });
                for operand in function.operands(&inst.kind) {
                    if let Some(index) = plan.local(operand) {
                        plan.uses[index] += 1;
                        plan.ends[index] |= is_end;
                        users[index] = Some(id);
                    }
                }
            }
        }
        // Sizes of expressions, forward.
        let mut sizes: Vec<u32> = vec![0; function.values.len()];
        for (id, inst) in function.insts.iter() {
            let at = id.as_u32() as usize;
            let class = plan.classes[at];
            if class == Class::Nothing {
                continue;
            }
            let operands = function.operands(&inst.kind).filter_map(|o| plan.local(o));
            let size = operands.fold(1u32, |sum, index| sum.saturating_add(sizes[index]));
            let result = inst.result.expand().and_then(|v| plan.local(v));
            let Some(index) = result else {
                plan.places[at] = Place::Statement;
                continue;
            };
            let mut same_block = plan.has_one_user(index, at, &users, &block_of);
            // A component of a result is its user's.
            if let Some(user) = users[index].map(|user| &function.insts[user])
                && matches!(user.kind, InstKind::ExtractValue { .. })
                && let Some(component) = user.result.expand().and_then(|v| plan.local(v))
            {
                same_block &=
                    !plan.ends[component] && plan.has_one_user(component, at, &users, &block_of);
            }
            let is_inside = match class {
                Class::Address => {
                    let is_number = !is_opaque(module, inst);
                    !is_number || !plan.ends[index] && size <= LARGEST
                }
                Class::Pure | Class::Read => same_block && !plan.ends[index] && size <= LARGE,
                Class::Write | Class::Nothing => false,
            };
            if is_inside && size > LARGEST {
                return Err(Error::TooDeep);
            }
            plan.places[at] = if is_inside {
                Place::Inside
            } else {
                Place::Statement
            };
            sizes[index] = if is_inside { size } else { 0 };
        }
        plan.keep_reads_in_order(function, &users, &block_of);
        Ok(plan)
    }

    fn has_one_user(
        &self,
        index: usize,
        at: usize,
        users: &[Option<InstId>],
        block_of: &[u32],
    ) -> bool {
        let user = users[index].filter(|_| self.uses[index] == 1);
        user.is_some_and(|user| block_of[user.as_u32() as usize] == block_of[at])
    }

    /// Makes reads statements if memory is written between them and their use.
    fn keep_reads_in_order(
        &mut self,
        function: &Function,
        users: &[Option<InstId>],
        block_of: &[u32],
    ) {
        // The statement that an instruction is part of, if it is one, and the writes before it.
        let mut root: Vec<u32> = (0..function.insts.len() as u32).collect();
        let mut writes = Vec::with_capacity(function.insts.len());
        let mut count = 0;
        for class in &self.classes {
            writes.push(count);
            count += u32::from(*class == Class::Write);
        }
        for (id, inst) in function.insts.iter().rev() {
            let at = id.as_u32() as usize;
            let index = inst.result.expand().and_then(|v| self.local(v));
            if self.places[at] != Place::Inside {
                continue;
            }
            let one = index.filter(|&index| self.has_one_user(index, at, users, block_of));
            let user = one.and_then(|index| users[index]);
            root[at] = user.map_or(u32::MAX, |user| root[user.as_u32() as usize]);
            let writes_there = writes.get(root[at] as usize);
            if self.classes[at] == Class::Read && writes_there != writes.get(at) {
                self.places[at] = Place::Statement;
                root[at] = at as u32;
            }
        }
    }

    /// Returns the index of a local value.
    pub(crate) fn local(&self, value: ValueId) -> Option<usize> {
        let index = value.as_u32().checked_sub(self.locals)? as usize;
        (index < self.uses.len()).then_some(index)
    }

    pub(crate) fn place(&self, id: InstId) -> Place {
        self.places[id.as_u32() as usize]
    }
}

/// Returns true for a result that no variable holds: a handle or a pointer.
pub(crate) fn is_opaque(module: &Module, inst: &Inst) -> bool {
    match module.ty(inst.ty) {
        Type::Pointer { .. } => true,
        Type::Struct {
            name: Some(name), ..
        } => {
            name.ends_with("Handle")
                || &**name == "dx.types.HitObject"
                || !name.starts_with("dx.types.")
        }
        _ => false,
    }
}

fn classify(
    module: &Module,
    function: &Function,
    ops: &DxDeclarations,
    id: InstId,
) -> Result<Class, Error> {
    let inst = &function.insts[id];
    Ok(match inst.kind {
        InstKind::Phi { .. } | InstKind::Alloca { .. } => Class::Nothing,
        ref kind if kind.is_terminator() => Class::Nothing,
        InstKind::Load { .. } if is_opaque(module, inst) => Class::Address,
        InstKind::Load { .. } => Class::Read,
        InstKind::Gep { .. } => Class::Address,
        InstKind::ExtractValue { .. } => Class::Address,
        InstKind::Cast { .. } | InstKind::Select { .. } if is_opaque(module, inst) => {
            Class::Address
        }
        InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CmpXchg { .. }
        | InstKind::Fence { .. } => Class::Write,
        InstKind::Call { callee, .. } => {
            let Some(call) = ops.parse(module, function, id)? else {
                let name = match module.value(None, callee).map(|v| v.kind) {
                    Some(ValueKind::Function(f)) => &*module.function(f).name,
                    _ => "",
                };
                return Ok(
                    match name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime") {
                        true => Class::Nothing,
                        false => Class::Write,
                    },
                );
            };
            let effects = call.op.effects();
            match call.op.classify() {
                FamilyOp::Handle(_) if is_heap(module, function, ops, id) => Class::Write,
                FamilyOp::Handle(_) | FamilyOp::CBuffer(_) => Class::Address,
                FamilyOp::System(_)
                    if effects.any(Effects(Effects::READ_NONE.0 | Effects::READ_ONLY.0)) =>
                {
                    Class::Address
                }
                _ if call.op == Op::LoadInput => Class::Address,
                // Its results are variables that it sets.
                _ if call.op == Op::GetDimensions => Class::Write,
                _ if effects.any(Effects(
                    Effects::CONVERGENT.0
                        | Effects::WAVE.0
                        | Effects::QUAD.0
                        | Effects::IMPLICIT_LOD.0,
                )) =>
                {
                    Class::Write
                }
                _ if effects.any(Effects::READ_NONE) => Class::Pure,
                _ if effects.any(Effects::READ_ONLY) => Class::Read,
                _ => Class::Write,
            }
        }
        _ => Class::Pure,
    })
}

/// Returns true for the annotation of a resource of the heap, which is a variable.
pub(crate) fn is_heap(
    module: &Module,
    function: &Function,
    ops: &DxDeclarations,
    id: InstId,
) -> bool {
    let Ok(Some(call)) = ops.parse(module, function, id) else {
        return false;
    };
    let inner = call.operand(0).filter(|_| call.op == Op::AnnotateHandle);
    let Some(ValueKind::Inst(inner)) = inner
        .and_then(|v| module.value(Some(function), v))
        .map(|v| v.kind)
    else {
        return false;
    };
    matches!(ops.parse(module, function, inner), Ok(Some(call)) if call.op == Op::CreateHandleFromHeap)
}
