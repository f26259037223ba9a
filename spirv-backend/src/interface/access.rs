//! Loads of inputs and stores of outputs: `LoadInput`, `StoreOutput`, and their forms for control
//! points and patch constants.

use rspirv::spirv::{BuiltIn, Decoration, GlslStd450Op as GLOp, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::{InterpolationMode, ShaderKind};

use super::Interface;
use super::arrayed;
use super::assignment::{Assignment, Encoding, assignment};
use super::boundary::{Boundary, Element, Side};
use super::builtin::{
    self, builtin_variable, check_column, distance_range, load_builtin, mask_pointer,
};
use super::capture;
use super::element::{self, Stored};
use super::mesh;
use super::swizzle;
use super::view;
use crate::error::{Error, Feature, InvalidKind};
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// A pointer to one component and how it is stored there.
struct Component {
    pointer: Word,
    stored: Stored,
}

/// Returns the assignment of an element, or an error that names it.
#[inline]
pub(super) fn assignment_of(
    e: &FunctionBuilder<'_>,
    element: Element<'_>,
) -> Result<Assignment, Error> {
    assignment(element, e.options).ok_or_else(|| {
        e.unsupported(Feature::Semantic {
            name: element.name.to_string(),
            semantic: element.semantic,
            boundary: format!("{:?}", element.boundary),
        })
    })
}

/// Returns the variable of an element, declared if this is its first use.
pub(super) fn variable(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    element: Element<'_>,
) -> Result<Word, Error> {
    let known = io.variables(element.boundary).get(element.index);
    if let Some(id) = known.and_then(|id| id.expand()) {
        return Ok(id);
    }
    let vertices = match element.boundary {
        Boundary::PixelInput => is_per_vertex(io, element.index).then_some(3),
        Boundary::MeshVertex => Some(mesh::outputs(e)?.vertices),
        Boundary::MeshPrimitive => Some(mesh::outputs(e)?.primitives),
        _ => arrayed::vertices(e, element.boundary)?,
    };
    let id = match assignment_of(e, element)? {
        Assignment::Location => {
            let place = io.places.take(e, element)?;
            element::declare(e, element, place, vertices)?
        }
        Assignment::Builtin(which, encoding) => {
            let vertices = vertices.filter(|_| element.boundary != Boundary::PixelInput);
            declare_builtin(e, io, element, (which, encoding), vertices)
        }
    };
    if let Some(slot) = io.variables(element.boundary).get_mut(element.index) {
        *slot = id.into();
    }
    capture::variable(e, io, element, id);
    if arrayed::has_copy(element) {
        check_size(e, element, 1)?;
        let place = io.places.take(e, element)?;
        let copy = element::declare(e, element, place, None)?;
        io.copies.push((element.index, copy));
    }
    Ok(id)
}

/// Returns true if an input element of a pixel shader is an array over the primitive's vertices.
pub(super) fn is_per_vertex(io: &Interface, index: usize) -> bool {
    io.per_vertex.get(index).copied().unwrap_or(false)
}

/// Returns the type of an element's variable, of one vertex.
pub(super) fn vertex_type(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
) -> Result<Word, Error> {
    match assignment_of(e, element)? {
        Assignment::Location => element::element_type(e, element),
        Assignment::Builtin(_, encoding) => Ok(builtin_type(e, element, encoding)),
    }
}

pub(super) fn builtin_type(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
    encoding: Encoding,
) -> Word {
    match encoding {
        Encoding::Plain(shape) => e.shape_type(shape),
        Encoding::FragCoord => e.shape_type(Shape::F32.of_lanes(4)),
        Encoding::Flag => e.b.ty_bool(),
        Encoding::Rebased(_) => e.b.ty_u32(),
        Encoding::Mask => {
            let word = e.b.ty_u32();
            e.b.ty_array(word, 1)
        }
        Encoding::Distances => {
            let (_, size) =
                distance_range(element.boundary.elements(&e.entry.signatures), &element);
            let float = e.b.ty_f32();
            e.b.ty_array(float, size)
        }
        Encoding::Factors(size) => {
            let float = e.b.ty_f32();
            e.b.ty_array(float, size)
        }
    }
}

fn declare_builtin(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    element: Element<'_>,
    (which, encoding): (BuiltIn, Encoding),
    vertices: Option<u32>,
) -> Word {
    let is_of_primitive = element.boundary == Boundary::MeshPrimitive;
    // Elements with factors may be apart in the signature.
    let is_shared = is_of_primitive || matches!(encoding, Encoding::Factors(_));
    if is_shared && let Some(known) = io.builtin(which, element.boundary.is_input()) {
        return known;
    }
    let mut ty = match mesh::is_signed(element.boundary, encoding) {
        true => e.b.ty_int_signed(32, true),
        false => builtin_type(e, element, encoding),
    };
    if let Some(vertices) = vertices {
        ty = e.b.ty_array(ty, vertices);
    }
    let integer = match encoding {
        Encoding::Plain(shape) => matches!(shape.scalar, Scalar::Int(_)),
        Encoding::Rebased(_) | Encoding::Mask => true,
        _ => false,
    };
    let id = builtin_variable(e, io, which, element.boundary.storage_class(), ty, integer);
    if is_of_primitive {
        e.b.decorate(id, Decoration::PerPrimitiveEXT, &[]);
    }
    if matches!(encoding, Encoding::Factors(_)) {
        e.b.decorate(id, Decoration::Patch, &[]);
    }
    if element.boundary.is_input() {
        // `FragCoord` has no centroid; decorated `Sample` it makes the shader run for each sample,
        // as in D3D.
        let position_per_sample = which == BuiltIn::FragCoord
            && element.interpolation == InterpolationMode::LinearNoperspectiveSample;
        if position_per_sample
            || matches!(which, BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR)
        {
            element::location_in_pixel(e, id, element.interpolation);
        }
    } else {
        builtin::output_modes(e, element.semantic);
    }
    id
}

/// Returns the boundary that an operation reads or writes.
fn boundary_of(e: &FunctionBuilder<'_>) -> Result<Boundary, Error> {
    let kind = e.entry.kind;
    let found = match (e.call.op, kind) {
        (Dx::LoadInput, _) => Boundary::input(kind),
        (Dx::StoreOutput, _) => Boundary::output(kind),
        (Dx::LoadOutputControlPoint, ShaderKind::Hull) => Some(Boundary::HullOutput),
        (Dx::LoadOutputControlPoint, ShaderKind::Domain) => Some(Boundary::DomainInput),
        (Dx::LoadPatchConstant, _) => Boundary::patch(kind),
        (Dx::StorePatchConstant, ShaderKind::Hull) => Some(Boundary::PatchOutput),
        _ => None,
    };
    found.ok_or_else(|| {
        e.unsupported(Feature::OperationInStage {
            op: e.call.op,
            stage: kind,
        })
    })
}

/// Emits `LoadInput`, `LoadOutputControlPoint` and `LoadPatchConstant`.
pub(super) fn load(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<(), Error> {
    let boundary = boundary_of(e)?;
    let element = super::element_of(e, boundary)?;
    let row = e.arg_value(1)?;
    let column = e.arg_const(2)?;
    let column = check_column(e, &element, column)?;
    let assignment = assignment_of(e, element)?;
    let result = e.shape(e.call.ty)?;
    if super::is_ignored(e, &element) {
        let ty = e.shape_type(result);
        let zero = e.b.const_null(ty);
        e.set_result(0, zero);
        return Ok(());
    }
    let word = Stored::plain(Shape::U32);
    let id = match assignment {
        Assignment::Builtin(which, Encoding::Flag) => {
            variable(e, io, element)?;
            let flag = load_builtin(e, io, which, Shape::of(Scalar::Bool));
            let value = e.bool_to_u32(flag, u32::MAX, 0);
            from_stored(e, word, result, value)?
        }
        Assignment::Builtin(which, Encoding::Rebased(base)) => {
            let (index, base) = (
                load_builtin(e, io, which, Shape::U32),
                load_builtin(e, io, base, Shape::U32),
            );
            let value = e.b.word(Op::ISub, &[index, base]);
            from_stored(e, word, result, value)?
        }
        _ => {
            // Of an array over the vertices of a pixel shader's input, the provoking one is read.
            let vertex = if boundary.is_arrayed() {
                let vertex = e.arg_value(3)?;
                arrayed::vertex_index(e, boundary, vertex)?
            } else {
                (boundary == Boundary::PixelInput && is_per_vertex(io, element.index))
                    .then(|| e.b.const_u32(0))
            };
            let component = component(e, io, element, row, column, vertex)?;
            let ty = component.stored.component_type(e);
            let mut value = e.load(ty, component.pointer);
            if assignment == Assignment::Builtin(BuiltIn::FragCoord, Encoding::FragCoord)
                && column == 3
            {
                let one = e.b.const_f32(1.0);
                value = e.b.op(Op::FDiv, ty, &[one, value]);
            }
            from_stored(e, component.stored, result, value)?
        }
    };
    e.set_new_result(result, id);
    Ok(())
}

/// Emits `StoreOutput` and `StorePatchConstant`.
pub(super) fn store(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<(), Error> {
    let boundary = boundary_of(e)?;
    let element = super::element_of(e, boundary)?;
    let row = e.arg_value(1)?;
    let column = e.arg_const(2)?;
    let column = check_column(e, &element, column)?;
    if super::is_ignored(e, &element) {
        return Ok(());
    }
    let value = e.arg_value(3)?;
    let from = e.value_shape(value)?;
    let id = e.id(value)?;
    let vertex = if boundary == Boundary::HullOutput {
        Some(arrayed::own_control_point(e, io))
    } else {
        None
    };
    if let Some(swizzle) = swizzle::of(e, element)? {
        for target in swizzle.targets(column) {
            let place = component(e, io, element, row, target, None)?;
            let stored = to_stored(e, from, place.stored, id)?;
            e.b.op_void(Op::Store, &[place.pointer, stored]);
        }
        return Ok(());
    }
    let component = component(e, io, element, row, column, vertex)?;
    let mut stored = to_stored(e, from, component.stored, id)?;
    let assignment = assignment_of(e, element)?;
    if let (Assignment::Builtin(BuiltIn::Layer | BuiltIn::ViewportIndex, _), Some(offset)) =
        (assignment, view::offset(e, io, element.semantic)?)
    {
        stored = e.b.word(Op::IAdd, &[stored, offset]);
    }
    if let Some(most) = e.options.interface.max_tessellation_factor
        && matches!(assignment, Assignment::Builtin(_, Encoding::Factors(_)))
    {
        let (float, most) = (e.b.ty_f32(), e.b.const_f32(most as f32));
        // A factor that is NaN stays one: the patch is culled.
        let is_greater = e.b.ty_bool();
        let is_greater = e.b.op(Op::FOrdGreaterThan, is_greater, &[stored, most]);
        stored = e.b.op(Op::Select, float, &[is_greater, most, stored]);
    }
    e.b.op_void(Op::Store, &[component.pointer, stored]);
    let written = (component.stored, stored);
    capture::store(e, io, element, (row, column), written)?;
    if let Some(&(_, copy)) = io
        .copies
        .iter()
        .find(|(of, _)| *of == element.index && boundary.side() == Side::Output)
    {
        let shape = Stored::new(e, element)?;
        let stored = to_stored(e, from, shape, id)?;
        e.b.op_void(Op::Store, &[copy, stored]);
    }
    Ok(())
}

/// Rejects a system value of more than one column, or of more rows than it has.
fn check_size(e: &FunctionBuilder<'_>, element: Element<'_>, rows: u32) -> Result<(), Error> {
    if element.rows <= rows && element.cols <= 1 {
        return Ok(());
    }
    Err(e.invalid(
        InvalidKind::Signature,
        format!(
            "{} of {} rows and {} columns",
            element.name, element.rows, element.cols
        ),
    ))
}

/// Returns the pointer to a component of an element. `vertex`: of an element that is an array over
/// vertices, the index.
fn component(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    element: Element<'_>,
    row: ValueId,
    column: u32,
    vertex: Option<Word>,
) -> Result<Component, Error> {
    let id = variable(e, io, element)?;
    let class = element.boundary.storage_class();
    let mut chain: smallvec::SmallVec<[Word; 4]> = vertex.into_iter().collect();
    let stored = match assignment_of(e, element)? {
        Assignment::Location => {
            chain.extend(row_index(e, element, row)?);
            if swizzle::columns(e, element)? > 1 {
                chain.push(e.b.const_u32(column));
            }
            Stored::new(e, element)?
        }
        Assignment::Builtin(_, Encoding::Mask) => {
            return Ok(Component {
                pointer: mask_pointer(e, io, class),
                stored: Stored::plain(Shape::U32),
            });
        }
        Assignment::Builtin(_, Encoding::Distances) => {
            chain.push(distance_index(e, element, row, column)?);
            Stored::plain(Shape::F32)
        }
        Assignment::Builtin(_, Encoding::Factors(size)) => {
            check_size(e, element, size)?;
            // An element of one row is still the first of its array.
            let first = e.b.const_u32(0);
            let index = row_index(e, element, row)?.unwrap_or(first);
            chain.push(index);
            Stored::plain(Shape::F32)
        }
        Assignment::Builtin(_, Encoding::FragCoord) => {
            chain.push(e.b.const_u32(column));
            Stored::plain(Shape::F32)
        }
        Assignment::Builtin(_, Encoding::Plain(shape)) => {
            if column >= shape.lanes {
                return Err(e.invalid(
                    InvalidKind::Signature,
                    format!("column {column} of {}", element.name),
                ));
            }
            if shape.lanes > 1 {
                chain.push(e.b.const_u32(column));
            }
            Stored::plain(shape)
        }
        Assignment::Builtin(which, Encoding::Flag | Encoding::Rebased(_)) => {
            return Err(e.invalid(InvalidKind::Type, format!("a pointer to {which:?}")));
        }
    };
    Ok(Component {
        pointer: access_chain(e, class, stored, id, &chain),
        stored,
    })
}

pub(super) fn access_chain(
    e: &mut FunctionBuilder<'_>,
    class: StorageClass,
    stored: Stored,
    base: Word,
    chain: &[Word],
) -> Word {
    if chain.is_empty() {
        return base;
    }
    let ty = stored.component_type(e);
    e.b.access(class, ty, base, chain)
}

/// Returns the index of a row for an access chain; `None` for an element of one row. A dynamic
/// index is kept inside the array.
pub(super) fn row_index(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
    row: ValueId,
) -> Result<Option<Word>, Error> {
    if let Some(constant) = e.const_int(row) {
        if constant >= u64::from(element.rows) {
            return Err(e.invalid(
                InvalidKind::Signature,
                format!(
                    "row {constant} of element {} ({}), which has {}",
                    element.id, element.name, element.rows
                ),
            ));
        }
        return Ok((element.rows > 1).then(|| e.b.const_u32(constant as u32)));
    }
    if element.rows == 1 {
        return Ok(None);
    }
    let (ty, last, row) = (e.b.ty_u32(), e.b.const_u32(element.rows - 1), e.id(row)?);
    Ok(Some(e.b.ext(GLOp::UMin, ty, &[row, last])))
}

/// Returns the index of a component in the array of clip or cull distances.
pub(super) fn distance_index(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
    row: ValueId,
    column: u32,
) -> Result<Word, Error> {
    let (first, _) = distance_range(element.boundary.elements(&e.entry.signatures), &element);
    let columns = u32::from(element.cols);
    match (e.const_int(row), row_index(e, element, row)?) {
        (Some(row), _) => Ok(e.b.const_u32(first + row as u32 * columns + column)),
        (None, None) => Ok(e.b.const_u32(first + column)),
        (None, Some(row)) => {
            let (columns, offset) = (e.b.const_u32(columns), e.b.const_u32(first + column));
            let scaled = e.b.word(Op::IMul, &[row, columns]);
            Ok(e.b.word(Op::IAdd, &[scaled, offset]))
        }
    }
}

/// Loads a component of an input that is an array over the vertices.
pub(super) fn load_at_vertex(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    element: Element<'_>,
    row: ValueId,
    column: u32,
    vertex: u32,
    result: Shape,
) -> Result<Word, Error> {
    let vertex = e.b.const_u32(vertex);
    let component = component(e, io, element, row, column, Some(vertex))?;
    let ty = component.stored.component_type(e);
    let value = e.load(ty, component.pointer);
    from_stored(e, component.stored, result, value)
}

/// Converts a component from its stored type to its DXIL type.
pub(super) fn from_stored(
    e: &mut FunctionBuilder<'_>,
    stored: Stored,
    result: Shape,
    value: Word,
) -> Result<Word, Error> {
    match (stored.shape.scalar, result.scalar) {
        (Scalar::Float(_), Scalar::Float(width)) => Ok(e.resize_float(stored.shape, width, value)),
        (Scalar::Int(from), Scalar::Int(to)) => {
            let value = if stored.signed_variable {
                let ty = e.b.ty_int(from);
                e.b.bitcast(ty, value)
            } else {
                value
            };
            Ok(e.resize_int(
                Shape {
                    relaxed: false,
                    ..stored.shape
                },
                to,
                stored.signed,
                value,
            ))
        }
        (from, to) => Err(e.invalid(
            InvalidKind::Type,
            format!("an input of {from:?} read as {to:?}"),
        )),
    }
}

/// Converts a value from DXIL's representation to how it is stored.
pub(super) fn to_stored(
    e: &mut FunctionBuilder<'_>,
    from: Shape,
    stored: Stored,
    value: Word,
) -> Result<Word, Error> {
    match (from.scalar, stored.shape.scalar) {
        (Scalar::Float(_), Scalar::Float(width)) => Ok(e.resize_float(from, width, value)),
        (Scalar::Int(_), Scalar::Int(width)) => {
            let value = e.resize_int(from, width, stored.signed, value);
            if !stored.signed_variable {
                return Ok(value);
            }
            let ty = e.b.ty_int_signed(width, true);
            Ok(e.b.bitcast(ty, value))
        }
        (from, to) => Err(e.invalid(
            InvalidKind::Type,
            format!("an output of {to:?} written as {from:?}"),
        )),
    }
}
