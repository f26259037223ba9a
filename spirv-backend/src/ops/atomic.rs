//! Atomic operations on buffers and textures. D3D's are relaxed and visible to the whole device.

use rspirv::spirv::{MemorySemantics, Op};
use trellis_dxil_frontend::dxop::AtomicOp;
use trellis_dxil_frontend::shader::ResourceClass;

use super::atomic_target::AtomicTarget;
use super::{Emitter, float_atomic, vendor};
use crate::error::{Error, InvalidKind};
use crate::resources::{Texel, arg_handle};
use crate::vendor::FloatAtomic;

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: AtomicOp) -> Result<(), Error> {
    if let Some(op) = vendor::private(e)? {
        return vendor::emit(e, op);
    }
    let handle = arg_handle(e, 0)?;
    if handle.desc.class != ResourceClass::Uav {
        return Err(e.invalid_resource("of an SRV"));
    }
    match op {
        AtomicOp::AtomicBinOp => {
            let number = e.arg_const(1)?;
            if let Some(op) = FloatAtomic::from_number(number)
                && e.options.vendor.nvapi.is_some()
            {
                return float_atomic::emit(e, &handle, op);
            }
            let instruction = usize::try_from(number).ok();
            let instruction = instruction.and_then(|i| INSTRUCTIONS.get(i).copied());
            let instruction = instruction.ok_or_else(|| {
                let detail = format!("AtomicBinOp {number}, expected 0 to 8");
                e.invalid(InvalidKind::Operand, detail)
            })?;
            let target = AtomicTarget::of(e, &handle, 2)?;
            if target.texel == Texel::Float && instruction != Op::AtomicExchange {
                let operand = format!("{instruction:?} on an image of floats");
                return Err(e.unsupported_on(operand));
            }
            let value = target.operand(e, 5)?;
            target.emit(e, instruction, &[value]);
        }
        AtomicOp::AtomicCompareExchange => {
            let target = AtomicTarget::of(e, &handle, 1)?;
            if target.texel == Texel::Float {
                return Err(e.unsupported_on("an image of floats"));
            }
            let (compare, new) = (target.operand(e, 4)?, target.operand(e, 5)?);
            let relaxed = e.b.const_u32(MemorySemantics::RELAXED.bits());
            target.emit(e, Op::AtomicCompareExchange, &[relaxed, new, compare]);
        }
    }
    Ok(())
}

/// DXIL's `AtomicBinOpCode`.
const INSTRUCTIONS: [Op; 9] = [
    Op::AtomicIAdd,
    Op::AtomicAnd,
    Op::AtomicOr,
    Op::AtomicXor,
    Op::AtomicSMin,
    Op::AtomicSMax,
    Op::AtomicUMin,
    Op::AtomicUMax,
    Op::AtomicExchange,
];
