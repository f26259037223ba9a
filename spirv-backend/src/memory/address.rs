//! Resolution of a pointer operand to its variable and offset: address arithmetic alone emits no
//! instructions.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{
    CastOp, Constant, Function, GlobalId, InstId, InstKind, Module, Type, TypeId, ValueId,
    ValueKind,
};

use super::layout::{Layouts, NoLayout};
use crate::error::{Cause, InvalidKind, Limit, MemoryFeature, PointerFeature};

/// The memory that an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Base {
    /// A global variable.
    Global(GlobalId),
    /// An `alloca` of the function.
    Alloca(InstId),
    /// The pointee of a parameter of the function: data that ray tracing shaders pass.
    Argument(u32),
    /// A phi or select of pointers: [`crate::legalize`] removes them.
    Chosen(InstId),
    /// The payload that a mesh shader receives: a call of `GetMeshPayload`.
    Payload(InstId),
    /// A record of a node: a call of `GetNodeRecordPtr`.
    Record(InstId),
}

/// A base with a byte offset: `constant + Σ index * scale`, modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub(crate) base: Base,
    pub(crate) constant: u64,
    /// (index value, bytes).
    pub(crate) terms: SmallVec<[(ValueId, u64); 2]>,
}

impl From<NoLayout> for Cause {
    fn from(_: NoLayout) -> Self {
        MemoryFeature::Layout.into()
    }
}

/// Steps from a pointer to its base; compilers make a handful.
const MAX_STEPS: usize = 256;

/// One step from a pointer to its base.
enum Origin<'m> {
    /// The pointer is a base.
    Base(Base),
    /// A cast of another pointer.
    Cast(ValueId),
    /// A `getelementptr`: the type of the base pointer's contents, the base pointer and the
    /// indices.
    Gep(TypeId, &'m [u32]),
}

fn origin<'m>(
    module: &'m Module,
    function: &'m Function,
    pointer: ValueId,
) -> Result<Origin<'m>, Cause> {
    let data = module
        .value(Some(function), pointer)
        .ok_or_else(|| Cause::invalid(InvalidKind::Value, format!("{pointer} does not exist")))?;
    Ok(match data.kind {
        ValueKind::Global(global) => Origin::Base(Base::Global(global)),
        ValueKind::Argument(index) => Origin::Base(Base::Argument(index)),
        ValueKind::Function(_) => return Err(PointerFeature::NotAVariable.into()),
        ValueKind::Constant(c) => match module.constants.get(c).map(|c| &c.value) {
            Some(&Constant::Gep {
                source, operands, ..
            }) => Origin::Gep(source, &module.const_operands[operands.range()]),
            Some(&Constant::Cast {
                op: CastOp::BitCast | CastOp::AddrSpaceCast,
                value,
            }) => Origin::Cast(value),
            _ => return Err(PointerFeature::NullOrUndef.into()),
        },
        ValueKind::Inst(inst) => match function.insts.get(inst).map(|i| i.kind) {
            Some(InstKind::Alloca { .. }) => Origin::Base(Base::Alloca(inst)),
            Some(InstKind::Gep {
                source, operands, ..
            }) => Origin::Gep(source, &function.pool[operands.range()]),
            Some(InstKind::Cast {
                op: CastOp::BitCast | CastOp::AddrSpaceCast,
                value,
            }) => Origin::Cast(value),
            Some(InstKind::Phi { .. } | InstKind::Select { .. }) => {
                Origin::Base(Base::Chosen(inst))
            }
            Some(InstKind::Call { .. }) => match DxCall::parse(module, function, inst) {
                Ok(Some(call)) if call.op == Dx::GetMeshPayload => {
                    Origin::Base(Base::Payload(inst))
                }
                Ok(Some(call)) if call.op == Dx::GetNodeRecordPtr => {
                    Origin::Base(Base::Record(inst))
                }
                _ => return Err(PointerFeature::UnknownOrigin.into()),
            },
            _ => return Err(PointerFeature::UnknownOrigin.into()),
        },
    })
}

/// Follows a pointer to its base.
///
/// # Errors
///
/// Fails for a pointer that is not derived from a variable, an argument, a payload or a record.
pub(crate) fn resolve(
    module: &Module,
    layouts: &mut Layouts,
    function: &Function,
    pointer: ValueId,
) -> Result<Address, Cause> {
    // The base comes last.
    let mut address = Address {
        base: Base::Argument(0),
        constant: 0,
        terms: SmallVec::new(),
    };
    let mut current = pointer;
    for _ in 0..MAX_STEPS {
        match origin(module, function, current)? {
            Origin::Base(base) => return Ok(Address { base, ..address }),
            Origin::Cast(value) => current = value,
            Origin::Gep(source, operands) => {
                current = ValueId::from_u32(operands[0]);
                address.step(module, layouts, function, source, &operands[1..])?;
            }
        }
    }
    Err(Limit::AddressSteps.into())
}

impl Address {
    /// Adds the offset of one `getelementptr`, whose types the reader has checked.
    fn step(
        &mut self,
        module: &Module,
        layouts: &mut Layouts,
        function: &Function,
        source: TypeId,
        indices: &[u32],
    ) -> Result<(), Cause> {
        let mut ty = source;
        for (i, &index) in indices.iter().enumerate() {
            let index = ValueId::from_u32(index);
            let known = signed_index(module, function, index);
            match module.types.get(ty) {
                _ if i == 0 => {}
                Some(Type::Array { element, .. } | Type::Vector { element, .. }) => ty = *element,
                _ => {
                    let number = known.unwrap_or_default() as u64;
                    let (offset, field) = layouts.field(module, ty, number)?;
                    self.constant = self.constant.wrapping_add(offset);
                    ty = field;
                    continue;
                }
            }
            if known == Some(0) {
                continue;
            }
            let size = layouts.of(module, ty)?.size;
            match known {
                Some(k) => {
                    self.constant = self.constant.wrapping_add((k as u64).wrapping_mul(size));
                }
                None => self.terms.push((index, size)),
            }
        }
        Ok(())
    }
}

/// Returns a constant index, sign-extended from its type: `getelementptr` indices are signed.
fn signed_index(module: &Module, function: &Function, index: ValueId) -> Option<i64> {
    let constant = module.constant(Some(function), index)?;
    let number = match constant.value {
        Constant::Int(number) => number,
        Constant::Null => return Some(0),
        _ => return None,
    };
    let width = match module.types.get(constant.ty) {
        Some(Type::Int(width @ 1..=63)) => *width,
        _ => return Some(number as i64),
    };
    let shift = 64 - width;
    Some(((number << shift) as i64) >> shift)
}
