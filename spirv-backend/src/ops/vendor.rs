//! Operations of vendors' intrinsics that DXIL does not have ([`crate::vendor`]).

use rspirv::spirv::{BuiltIn, Capability, Op, Scope, Word};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::shader::ShaderKind;

use super::{Emitter, float8, hit_object, vendor_matrix};
use crate::error::{Error, Feature, InvalidKind};
use crate::interface;
use crate::resources::{add_address, load_at, widen};
use crate::values::Shape;
use crate::vendor::{NUMBER, OPERANDS, Private, WITH_RECORD};

/// Returns the private operation that a call is; `None` for one of DXIL's.
pub(super) fn private(e: &Emitter<'_>) -> Result<Option<Private>, Error> {
    if e.call.op != Dx::AtomicCompareExchange
        || !e.is_undef(e.arg_value(0)?)
        || !e.options.vendor.applies(e.shader)
    {
        return Ok(None);
    }
    let number = e.arg_const(NUMBER)?;
    let op = Private::from_number(number)
        .ok_or_else(|| e.invalid(InvalidKind::Operand, format!("private operation {number}")))?;
    Ok(Some(op))
}

/// Emits a private operation.
pub(super) fn emit(e: &mut Emitter<'_>, op: Private) -> Result<(), Error> {
    let id = match op {
        Private::DeviceClock => {
            e.b.caps.add(Capability::ShaderClockKHR);
            e.b.caps.extension("SPV_KHR_shader_clock");
            let (ty, scope) = (e.b.ty_int(64), e.b.const_u32(Scope::Device as u32));
            e.b.op(Op::ReadClockKHR, ty, &[scope])
        }
        Private::DrawIndex => {
            let kinds = [
                ShaderKind::Vertex,
                ShaderKind::Mesh,
                ShaderKind::Amplification,
            ];
            only_in(e, "the number of a draw", &kinds)?;
            e.builtin(BuiltIn::DrawIndex, Shape::U32)
        }
        Private::MakeHit => {
            let with_record = e.arg_const(NUMBER)? >> 8 == u64::from(WITH_RECORD);
            hit_object::begin_hit(e, with_record)?
        }
        Private::LoadWord => load_word(e)?,
        Private::Barycentric => barycentric(e)?,
        Private::Float8 => {
            let (word, code) = (e.arg_id(OPERANDS)?, e.arg_const(NUMBER)? >> 8);
            float8::convert(e, word, code)
        }
        _ => return vendor_matrix::emit(e, op),
    };
    e.set_result(0, id);
    Ok(())
}

/// Rejects an operation outside of the stages `kinds`.
fn only_in(e: &Emitter<'_>, what: &str, kinds: &[ShaderKind]) -> Result<(), Error> {
    if kinds.contains(&e.entry.kind) {
        return Ok(());
    }
    Err(e.unsupported(Feature::VendorIntrinsic {
        library: "AGS",
        operation: format!("{what} in a {} shader", e.entry.kind.name()),
        needs: None,
    }))
}

/// Loads the word at an address of two words and an offset.
fn load_word(e: &mut Emitter<'_>) -> Result<Word, Error> {
    let (word, long) = (e.b.ty_u32(), e.b.ty_int(64));
    let pair = e.b.ty_vec(word, 2);
    let words = [e.arg_id(OPERANDS)?, e.arg_id(OPERANDS + 1)?];
    let address = e.b.construct(pair, &words);
    let address = e.b.bitcast(long, address);
    let offset = e.arg_id(OPERANDS + 2)?;
    let offset = widen(e, offset);
    let address = add_address(e, address, offset);
    Ok(load_at(e, address, word, 4))
}

fn barycentric(e: &mut Emitter<'_>) -> Result<Word, Error> {
    only_in(e, "a barycentric coordinate", &[ShaderKind::Pixel])?;
    let perspective = e.arg_const(OPERANDS)? != 0;
    let index = e.arg_const(OPERANDS + 1)?.min(2) as u32;
    let builtin = if perspective {
        BuiltIn::BaryCoordKHR
    } else {
        BuiltIn::BaryCoordNoPerspKHR
    };
    let (float, word) = (e.b.ty_f32(), e.b.ty_u32());
    let triple = e.b.ty_vec(float, 3);
    let whole = interface::load_builtin_of(&mut e.f, &mut e.interface, builtin, triple);
    let part = e.b.extract(float, whole, index);
    Ok(e.b.bitcast(word, part))
}
