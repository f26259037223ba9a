//! Inputs evaluated at a position other than their interpolation mode's: `EvaluateAttribute*` and
//! `GetAttributeAtVertex`.

use rspirv::spirv::{BuiltIn, Capability, GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{InstId, ValueId};

use super::Interface;
use super::access::{
    assignment_of, from_stored, is_per_vertex, load_at_vertex, row_index, variable,
};
use super::assignment::{Assignment, Encoding};
use super::boundary::Boundary;
use super::builtin::check_column;
use super::element::Stored;
use crate::error::{Error, InvalidKind};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Returns, for each input element, true if an `AttributeAtVertex` reads it: then its
/// variable is an array over the vertices for all its readers.
pub(super) fn per_vertex_inputs(e: &FunctionBuilder<'_>) -> Vec<bool> {
    let list = &e.entry.signatures.input;
    let mut flags = vec![false; list.len()];
    if !e.source.ops.calls(Dx::AttributeAtVertex) {
        return flags;
    }
    for function in e.module.functions.values().filter(|f| !f.is_declaration) {
        for inst in 0..function.insts.len() as u32 {
            let Ok(Some(call)) = DxCall::parse(e.module, function, InstId::from_u32(inst)) else {
                continue;
            };
            if call.op != Dx::AttributeAtVertex {
                continue;
            }
            let id = call
                .operand(0)
                .and_then(|v| e.module.const_int(Some(function), v));
            if let Some(index) = list
                .iter()
                .position(|element| Some(u64::from(element.id)) == id)
            {
                flags[index] = true;
            }
        }
    }
    flags
}

/// Emits `AttributeAtVertex`. Vertex 0 is the provoking vertex in both APIs.
pub(super) fn attribute_at_vertex(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
) -> Result<(), Error> {
    let boundary = Boundary::PixelInput;
    let element = super::element_of(e, boundary)?;
    if assignment_of(e, element)? != Assignment::Location || !is_per_vertex(io, element.index) {
        return Err(e.unsupported_on(element.name.to_string()));
    }
    let column = e.arg_const(2)?;
    let (row, column) = (e.arg_value(1)?, check_column(e, &element, column)?);
    let vertex = e.arg_const(3)?;
    if vertex > 2 {
        return Err(e.invalid(
            InvalidKind::Operand,
            format!("GetAttributeAtVertex of vertex {vertex}"),
        ));
    }
    let result = e.shape(e.call.ty)?;
    let id = load_at_vertex(e, io, element, row, column, vertex as u32, result)?;
    e.set_new_result(result, id);
    Ok(())
}

/// Position in the pixel at which an input is evaluated.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// `EvalSnapped`: at an offset on a grid of 16 x 16.
    Snapped,
    /// `EvalSampleIndex`: at a sample.
    Sample,
    /// `EvalCentroid`: at the centroid.
    Centroid,
}

/// Emits `EvalSnapped`, `EvalSampleIndex`, `EvalCentroid`.
pub(super) fn evaluate(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    at: At,
) -> Result<(), Error> {
    let boundary = Boundary::PixelInput;
    let element = super::element_of(e, boundary)?;
    let column = e.arg_const(2)?;
    let (row, column) = (e.arg_value(1)?, check_column(e, &element, column)?);
    let (stored, lanes) = match assignment_of(e, element)? {
        Assignment::Location if !is_per_vertex(io, element.index) => {
            (Stored::new(e, element)?, u32::from(element.cols))
        }
        Assignment::Builtin(
            BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR,
            Encoding::Plain(shape),
        ) => (
            Stored {
                shape: Shape::F32,
                signed: false,
                signed_variable: false,
            },
            shape.lanes,
        ),
        _ => return Err(e.unsupported_on(element.name.to_string())),
    };
    // `GLSL.std.450` interpolates 32-bit floats alone.
    if stored.shape.scalar != Scalar::Float(32) {
        return Err(e.unsupported_on(format!("an input of {}", stored.shape.scalar)));
    }
    let base = variable(e, io, element)?;
    let component_ty = e.b.ty_f32();
    let ty = e.b.ty_vec(component_ty, lanes);
    let interpolant = match row_index(e, element, row)? {
        Some(row) => e.b.access(boundary.storage_class(), ty, base, &[row]),
        None => base,
    };
    e.b.caps.add(Capability::InterpolationFunction);
    let vector = match at {
        At::Centroid => e.b.ext(GLOp::InterpolateAtCentroid, ty, &[interpolant]),
        At::Sample => {
            let sample = e.arg_id(3)?;
            e.b.ext(GLOp::InterpolateAtSample, ty, &[interpolant, sample])
        }
        At::Snapped => {
            let (x, y) = (e.arg_value(3)?, e.arg_value(4)?);
            let offset = [snapped_offset(e, x)?, snapped_offset(e, y)?];
            let offset_ty = e.shape_type(Shape::F32.of_lanes(2));
            let offset = e.b.construct(offset_ty, &offset);
            e.b.ext(GLOp::InterpolateAtOffset, ty, &[interpolant, offset])
        }
    };
    let value = if lanes > 1 {
        e.b.extract(component_ty, vector, column)
    } else {
        vector
    };
    let result = e.shape(e.call.ty)?;
    let id = from_stored(e, stored, result, value)?;
    e.set_new_result(result, id);
    Ok(())
}

/// Returns an offset on D3D's grid of 16 x 16: the low 4 bits, signed, in sixteenths of a pixel.
fn snapped_offset(e: &mut FunctionBuilder<'_>, value: ValueId) -> Result<Word, Error> {
    if let Some(constant) = e.const_int(value) {
        return Ok(e.b.const_f32(snap(constant)));
    }
    let float = e.b.ty_f32();
    let (zero, four, sixteenth) = (
        e.b.const_u32(0),
        e.b.const_u32(4),
        e.b.const_f32(1.0 / 16.0),
    );
    let id = e.id(value)?;
    let low = e.b.word(Op::BitFieldSExtract, &[id, zero, four]);
    let number = e.b.op(Op::ConvertSToF, float, &[low]);
    Ok(e.b.op(Op::FMul, float, &[number, sixteenth]))
}

fn snap(value: u64) -> f32 {
    let low = (value & 15) as i8;
    f32::from(if low >= 8 { low - 16 } else { low }) / 16.0
}

#[cfg(test)]
mod tests {
    use super::snap;

    #[test]
    fn offsets_are_signed_sixteenths() {
        assert_eq!(
            [0, 7, 8, 15, 16, 0xFFFF_FFFF].map(snap),
            [0.0, 7.0 / 16.0, -0.5, -1.0 / 16.0, 0.0, -1.0 / 16.0]
        );
    }
}
