//! Outputs of mesh shaders: arrays over the vertices and over the primitives of the group, and the
//! indices of the primitives.
//!
//! D3D has separate registers for per-vertex and per-primitive outputs, Vulkan has one location
//! space for both: primitive locations come after vertex locations ([`primitive_location`]).
//! Source: SPV_EXT_mesh_shader; Vulkan specification, "Mesh Shading" and "Interface Matching".

use crate::module::OptionalId;
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, GlslStd450Op as GLOp, Op, StorageClass, Word,
};
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::MeshTopology;

use super::Interface;
use super::access::{access_chain, assignment_of, distance_index, row_index, to_stored, variable};
use super::assignment::{Assignment, Encoding};
use super::boundary::Boundary;
use super::builtin::{builtin_variable, check_column};
use super::element::Stored;
use super::view;
use crate::error::{Error, Feature, InvalidKind};
use crate::target::Target;
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Most vertices, and most primitives, of a group in D3D.
const MAX_OUTPUTS: u32 = 256;

/// The outputs of a mesh shader.
pub(super) struct Outputs {
    pub(super) vertices: u32,
    pub(super) primitives: u32,
    lines: bool,
}

/// Declares the variables that must exist even if the shader does not write them, because the pixel
/// shader may read them.
pub(super) fn declare(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<(), Error> {
    let signatures = &e.entry.signatures;
    for boundary in [Boundary::MeshVertex, Boundary::MeshPrimitive] {
        for element in boundary.all(signatures) {
            // A built-in that is not written has no effect, one that is declared and not written
            // would have any.
            if assignment_of(e, element)? == Assignment::Location {
                variable(e, io, element)?;
            }
        }
    }
    Ok(())
}

/// Returns the outputs of the mesh shader.
pub(super) fn outputs(e: &FunctionBuilder<'_>) -> Result<Outputs, Error> {
    let Some(mesh) = e.entry.properties.mesh else {
        return Err(e.invalid_property("a mesh shader without its output properties"));
    };
    let (vertices, primitives) = (mesh.max_vertices, mesh.max_primitives);
    if vertices > MAX_OUTPUTS || primitives > MAX_OUTPUTS {
        return Err(e.invalid_property(format!("a mesh shader with {vertices} vertices and {primitives} primitives; there are at most {MAX_OUTPUTS} of each")));
    }
    let lines = match mesh.topology {
        MeshTopology::Line => true,
        MeshTopology::Triangle => false,
        // DXC writes no topology for a shader without primitives that declares none.
        MeshTopology::Unknown(0) if primitives == 0 => false,
        MeshTopology::Unknown(topology) => {
            return Err(e.invalid_property(format!("a mesh shader of topology {topology}")));
        }
    };
    // A shader may output none, but in SPIR-V the maximum is at least 1.
    Ok(Outputs {
        vertices: vertices.max(1),
        primitives: primitives.max(1),
        lines,
    })
}

/// Adds the execution modes of a mesh or amplification shader.
pub(crate) fn modes(e: &mut FunctionBuilder<'_>, mesh: bool) -> Result<(), Error> {
    if e.options.target.spirv_version() < (1, 4) {
        return Err(e.unsupported(Feature::StageTarget {
            stage: e.entry.kind,
            spirv: (1, 4),
            minimum: Target::Vulkan1_2,
        }));
    }
    e.b.caps.add(Capability::MeshShadingEXT);
    if mesh {
        let outputs = outputs(e)?;
        e.b.execution_mode(ExecutionMode::OutputVertices, &[outputs.vertices]);
        e.b.execution_mode(ExecutionMode::OutputPrimitivesEXT, &[outputs.primitives]);
        let mode = match outputs.lines {
            true => ExecutionMode::OutputLinesEXT,
            false => ExecutionMode::OutputTrianglesEXT,
        };
        e.b.execution_mode(mode, &[]);
    }
    Ok(())
}

/// Emits `EmitIndices`: the vertices of a primitive, as one vector.
pub(crate) fn emit_indices(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<(), Error> {
    let outputs = outputs(e)?;
    let (lanes, builtin) = if outputs.lines {
        (2, BuiltIn::PrimitiveLineIndicesEXT)
    } else {
        (3, BuiltIn::PrimitiveTriangleIndicesEXT)
    };
    let primitive = e.arg_id(0)?;
    let primitive = possible_item(e, primitive, outputs.primitives);
    view::write_fixed(e, io, Some(primitive))?;
    let mut vertices = SmallVec::<[Word; 3]>::new();
    for index in 0..lanes {
        vertices.push(e.arg_id(1 + index as usize)?);
    }
    let ty = e.shape_type(Shape::U32.of_lanes(lanes));
    let array = e.b.ty_array(ty, outputs.primitives);
    let variable = builtin_variable(e, io, builtin, StorageClass::Output, array, true);
    let pointer = e.b.access(StorageClass::Output, ty, variable, &[primitive]);
    let value = e.b.construct(ty, &vertices);
    e.b.op_void(Op::Store, &[pointer, value]);
    Ok(())
}

/// Returns the number of a vertex or primitive that is written; by a quirk one that the shader has
/// declared.
fn possible_item(e: &mut FunctionBuilder<'_>, item: Word, declared: u32) -> Word {
    if !e.options.quirks.robust_mesh_outputs {
        return item;
    }
    let (word, last) = (e.b.ty_u32(), e.b.const_u32(declared.saturating_sub(1)));
    e.b.ext(GLOp::UMin, word, &[item, last])
}

/// Stores a number that is a built-in of a primitive.
pub(super) fn store_number(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    which: BuiltIn,
    primitive: Word,
    value: Word,
) -> Result<(), Error> {
    let count = outputs(e)?.primitives;
    let known = io.builtin(which, false);
    let signed = e.b.ty_int_signed(32, true);
    let variable = known.unwrap_or_else(|| {
        let array = e.b.ty_array(signed, count);
        let id = builtin_variable(e, io, which, StorageClass::Output, array, false);
        e.b.decorate(id, Decoration::PerPrimitiveEXT, &[]);
        id
    });
    let pointer =
        e.b.access(StorageClass::Output, signed, variable, &[primitive]);
    let value = e.b.bitcast(signed, value);
    e.b.op_void(Op::Store, &[pointer, value]);
    Ok(())
}

/// Components of one row of a vertex or primitive, which DXIL stores one by one. They are kept
/// until a store to another row, the end of the block or a call, and become one store if the row is
/// complete. Nothing reads an output, so it may be written later in its block.
pub(crate) struct Row {
    boundary: Boundary,
    element: usize,
    /// The row's number, as DXIL has it.
    row: ValueId,
    /// The vertex or primitive.
    item: Word,
    /// Variable, vertex or primitive, and the row where there are several.
    chain: SmallVec<[Word; 3]>,
    stored: Stored,
    /// Components that were stored.
    components: SmallVec<[OptionalId; 4]>,
}

/// Emits `StoreVertexOutput` and `StorePrimitiveOutput`, which store a component.
pub(crate) fn store(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<(), Error> {
    let boundary = match e.call.op {
        Dx::StoreVertexOutput => Boundary::MeshVertex,
        _ => Boundary::MeshPrimitive,
    };
    if e.entry.properties.mesh.is_none() {
        return Err(e.invalid_property("a mesh shader without its properties"));
    }
    let element = super::element_of(e, boundary)?;
    if super::is_ignored(e, &element) {
        return Ok(());
    }
    let (row, column, value) = (e.arg_value(1)?, e.arg_const(2)?, e.arg_value(3)?);
    let column = check_column(e, &element, column)?;
    let (item, from, id) = (e.arg_id(4)?, e.value_shape(value)?, e.id(value)?);
    let mut open = io.row.as_mut();
    if let Some(open) = open
        .as_mut()
        .filter(|r| (r.boundary, r.element, r.row, r.item) == (boundary, element.index, row, item))
    {
        let value = to_stored(e, from, open.stored, id)?;
        if let Some(slot) = open.components.get_mut(column as usize) {
            *slot = value.into();
        }
        return Ok(());
    }
    let base = variable(e, io, element)?;
    let declared = match boundary {
        Boundary::MeshPrimitive => outputs(e)?.primitives,
        _ => outputs(e)?.vertices,
    };
    let place = possible_item(e, item, declared);
    let mut chain: SmallVec<[Word; 3]> = smallvec::smallvec![base, place];
    let (stored, lanes) = match assignment_of(e, element)? {
        Assignment::Location => {
            chain.extend(row_index(e, element, row)?);
            (Stored::new(e, element)?, u32::from(element.cols))
        }
        Assignment::Builtin(_, Encoding::Distances) => {
            chain.push(distance_index(e, element, row, column)?);
            (Stored::plain(Shape::F32), 1)
        }
        Assignment::Builtin(_, Encoding::Flag) => {
            store_flag(e, base, &chain[1..], id);
            return Ok(());
        }
        Assignment::Builtin(_, Encoding::Plain(shape)) if column < shape.lanes => (
            Stored {
                signed_variable: is_signed(boundary, Encoding::Plain(shape)),
                ..Stored::plain(shape)
            },
            shape.lanes,
        ),
        Assignment::Builtin(which, _) => {
            return Err(e.invalid(
                InvalidKind::Signature,
                format!("column {column} of {which:?} as output of a mesh shader"),
            ));
        }
    };
    let mut value = to_stored(e, from, stored, id)?;
    if let Some(offset) = view::offset(e, io, element.semantic)? {
        let ty = stored.component_type(e);
        value = e.b.op(Op::IAdd, ty, &[value, offset]);
    }
    if lanes == 1 {
        let pointer = access_chain(e, StorageClass::Output, stored, base, &chain[1..]);
        e.b.op_void(Op::Store, &[pointer, value]);
        return Ok(());
    }
    flush(e, io);
    let mut components = SmallVec::from_elem(OptionalId::NONE, lanes as usize);
    components[column as usize] = value.into();
    io.row = Some(Row {
        boundary,
        element: element.index,
        row,
        item,
        chain,
        stored,
        components,
    });
    Ok(())
}

/// Emits the store of the row that was collected.
pub(crate) fn flush(e: &mut FunctionBuilder<'_>, io: &mut Interface) {
    let Some(row) = io.row.take() else {
        return;
    };
    let component = row.stored.component_type(e);
    let stored = row.components.iter().map(|value| value.expand());
    if let Some(complete) = stored.clone().collect::<Option<SmallVec<[Word; 4]>>>() {
        let ty = e.b.ty_vec(component, complete.len() as u32);
        let pointer_ty = e.b.ty_ptr(StorageClass::Output, ty);
        let pointer = e.b.op(Op::AccessChain, pointer_ty, &row.chain);
        let value = e.b.construct(ty, &complete);
        e.b.op_void(Op::Store, &[pointer, value]);
        return;
    }
    for (column, value) in stored.enumerate() {
        let Some(value) = value else {
            continue;
        };
        let mut chain: SmallVec<[Word; 4]> = row.chain[1..].into();
        chain.push(e.b.const_u32(column as u32));
        let pointer = access_chain(e, StorageClass::Output, row.stored, row.chain[0], &chain);
        e.b.op_void(Op::Store, &[pointer, value]);
    }
}

/// Stores an integer where Vulkan has a boolean.
fn store_flag(e: &mut FunctionBuilder<'_>, base: Word, chain: &[Word], value: Word) {
    let flag = e.is_nonzero(value);
    let ty = e.b.ty_bool();
    let pointer = e.b.access(StorageClass::Output, ty, base, chain);
    e.b.op_void(Op::Store, &[pointer, flag]);
}

/// Returns true if a built-in variable is signed: SPIRV-Tools (v2025.3) requires signed layers,
/// shading rates and numbers of primitives, for which Vulkan requires only integers.
pub(super) fn is_signed(boundary: Boundary, encoding: Encoding) -> bool {
    boundary == Boundary::MeshPrimitive
        && matches!(
            encoding,
            Encoding::Plain(Shape {
                scalar: Scalar::Int(32),
                lanes: 1,
                ..
            })
        )
}
