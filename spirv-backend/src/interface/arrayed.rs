//! The parts of the interface specific to geometry, hull and domain shaders: arrays over the
//! vertices of a primitive or the control points of a patch, patch constants, and the locations of
//! all these.

use rspirv::spirv::{BuiltIn, GlslStd450Op as GLOp, Op, Word};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{
    EntryPoint, InputPrimitive, SemanticKind, ShaderKind, SignatureElement,
};

use super::Interface;
use super::access;
use super::boundary::{Boundary, Element};
use super::builtin::load_builtin;
use crate::error::{Error, InvalidKind};
use crate::mesh_outputs::primitive_location;
use crate::options::Options;
use crate::values::FunctionBuilder;
use crate::values::Shape;

/// Returns the primitive that a geometry shader reads in Vulkan, which has no patches before it:
/// the primitive with the same number of vertices, where there is one. The pipeline then draws this
/// primitive (a list of lines, say, for patches of two control points).
pub(crate) fn vulkan_primitive(primitive: InputPrimitive) -> InputPrimitive {
    match primitive {
        InputPrimitive::Patch(1) => InputPrimitive::Point,
        InputPrimitive::Patch(2) => InputPrimitive::Line,
        InputPrimitive::Patch(3) => InputPrimitive::Triangle,
        InputPrimitive::Patch(4) => InputPrimitive::LineAdjacency,
        InputPrimitive::Patch(6) => InputPrimitive::TriangleAdjacency,
        other => other,
    }
}

/// Returns the number of vertices of a geometry shader's input primitive; `None` for a patch, which
/// Vulkan's geometry shaders cannot read.
fn primitive_vertices(primitive: InputPrimitive) -> Option<u32> {
    match vulkan_primitive(primitive) {
        InputPrimitive::Point => Some(1),
        InputPrimitive::Line => Some(2),
        InputPrimitive::Triangle => Some(3),
        InputPrimitive::LineAdjacency => Some(4),
        InputPrimitive::TriangleAdjacency => Some(6),
        InputPrimitive::Patch(_) | InputPrimitive::Unknown(_) => None,
    }
}

/// Returns the length of the array that each element of a boundary is; `None` if elements are not
/// arrays.
pub(super) fn vertices(e: &FunctionBuilder<'_>, boundary: Boundary) -> Result<Option<u32>, Error> {
    if !boundary.is_arrayed() {
        return Ok(None);
    }
    let p = &e.entry.properties;
    let count = match boundary {
        Boundary::GeometryInput => p.geometry.and_then(|g| primitive_vertices(g.input)),
        Boundary::HullInput => p.hull.map(|h| h.input_control_points),
        Boundary::HullOutput => p.hull.map(|h| h.output_control_points),
        _ => p.domain.map(|d| d.input_control_points),
    };
    match count {
        Some(count @ 1..=32) => Ok(Some(count)),
        _ => Err(e.invalid_property(format!(
            "{boundary:?} of a stage that declares no vertex count from 1 to 32"
        ))),
    }
}

/// Returns the index of a vertex for an access chain. One that is computed is kept inside the
/// array.
pub(super) fn vertex_index(
    e: &mut FunctionBuilder<'_>,
    boundary: Boundary,
    vertex: ValueId,
) -> Result<Option<Word>, Error> {
    let Some(count) = vertices(e, boundary)? else {
        return Ok(None);
    };
    if let Some(constant) = e.const_int(vertex) {
        if constant >= u64::from(count) {
            return Err(e.invalid(
                InvalidKind::Operand,
                format!("vertex {constant} of {count}"),
            ));
        }
        return Ok(Some(e.b.const_u32(constant as u32)));
    }
    let id = e.id(vertex)?;
    if is_own_control_point(e, vertex)
        && vertices(e, Boundary::HullOutput)?.is_some_and(|own| own <= count)
    {
        return Ok(Some(id));
    }
    let (ty, last) = (e.b.ty_u32(), e.b.const_u32(count - 1));
    Ok(Some(e.b.ext(GLOp::UMin, ty, &[id, last])))
}

/// Returns true if a value is `SV_OutputControlPointID`, which is below the number of output
/// control points.
fn is_own_control_point(e: &FunctionBuilder<'_>, value: ValueId) -> bool {
    let call = e
        .def(value)
        .and_then(|(inst, _)| e.parse(inst).ok().flatten());
    call.is_some_and(|call| call.op == Dx::OutputControlPointID)
}

/// Returns the control point that this invocation of a hull shader writes.
pub(super) fn own_control_point(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Word {
    load_builtin(e, io, BuiltIn::InvocationId, Shape::U32)
}

/// Registers that a list of elements reaches over.
fn rows<'a>(elements: impl Iterator<Item = &'a SignatureElement>) -> u32 {
    elements
        .map(|e| {
            u32::try_from(e.start_row)
                .unwrap_or(0)
                .saturating_add(e.rows)
        })
        .max()
        .unwrap_or(0)
}

/// Returns the offset that is added to an element's register to get its location.
///
/// Patch constants come after the control points that hull and domain shader share, or at
/// [`crate::options::InterfaceOptions::patch_location`]: Vulkan counts both in one space, D3D each
/// in its own. Streams of a geometry shader come one after the other.
pub(super) fn location_base(e: &FunctionBuilder<'_>, element: Element<'_>) -> u32 {
    let signatures = &e.entry.signatures;
    match element.boundary {
        Boundary::PatchOutput | Boundary::PatchInput => patch_location(e.entry, e.options),
        Boundary::MeshPrimitive => primitive_location(signatures),
        Boundary::GeometryOutput => (0..element.stream).fold(0, |base: u32, stream| {
            base.saturating_add(rows(
                signatures.output.iter().filter(|o| o.stream == stream),
            ))
        }),
        _ => 0,
    }
}

/// Returns the location of register 0 of the patch constants of a hull or domain shader.
pub(crate) fn patch_location(entry: &EntryPoint, options: &Options) -> u32 {
    let control_points = if entry.kind == ShaderKind::Hull {
        &entry.signatures.output
    } else {
        &entry.signatures.input
    };
    options
        .interface
        .patch_location
        .unwrap_or_else(|| rows(control_points.iter()))
}

/// Returns true if an output that is a built-in is written to its location as well: a geometry or
/// hull shader after this stage could read it, and Vulkan has no built-in input for it there.
pub(super) fn has_copy(element: Element<'_>) -> bool {
    use SemanticKind as S;
    matches!(
        element.boundary,
        Boundary::VertexOutput | Boundary::DomainOutput
    ) && matches!(
        element.semantic,
        S::RenderTargetArrayIndex | S::ViewPortArrayIndex
    )
}

/// Emits a pass-through hull shader: each invocation copies its control point.
///
/// # Errors
/// Inputs and outputs are not the same.
pub(crate) fn copy_control_point(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
) -> Result<(), Error> {
    let signatures = &e.entry.signatures;
    let point = own_control_point(e, io);
    let mut done: Vec<Word> = Vec::new();
    for to in Boundary::HullOutput.all(signatures) {
        let mut inputs = Boundary::HullInput.all(signatures);
        let from = inputs.find(|from| {
            (&from.name, &from.indices, from.rows, from.cols, from.ty)
                == (&to.name, &to.indices, to.rows, to.cols, to.ty)
        });
        let ty = access::vertex_type(e, to)?;
        // A system value may have another type than an element of the same columns.
        let from_ty = from.map(|from| access::vertex_type(e, from)).transpose()?;
        let Some(from) = from.filter(|_| from_ty == Some(ty)) else {
            let what = "a pass-through hull shader with output";
            let detail = format!("{what} {} that is not an input", to.name);
            return Err(e.invalid(InvalidKind::Signature, detail));
        };
        let source = access::variable(e, io, from)?;
        let target = access::variable(e, io, to)?;
        // The distances of several elements are one variable.
        if done.contains(&target) {
            continue;
        }
        done.push(target);
        let [source, target] = [
            (Boundary::HullInput, source),
            (Boundary::HullOutput, target),
        ]
        .map(|(boundary, variable)| e.b.access(boundary.storage_class(), ty, variable, &[point]));
        let value = e.load(ty, source);
        e.b.op_void(Op::Store, &[target, value]);
    }
    Ok(())
}
