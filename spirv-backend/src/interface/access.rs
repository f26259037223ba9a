//! `LoadInput` and `StoreOutput`.

use dxil_frontend::dxop::DxCall;
use dxil_frontend::module::ValueId;
use dxil_frontend::shader::{InterpolationMode, SignatureElement};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, GlslStd450Op as GLOp, Op, StorageClass, Word};

use super::boundary::Boundary;
use super::builtin::{self, builtin_variable, check_column, distance_range, distances, load_builtin, mask_pointer};
use super::element::{self, Stored};
use super::place::{Form, Place, place};
use crate::emitter::{Emitter, Scalar};
use crate::error::Error;
use crate::ops::values::Shape;

/// A pointer to one component and how it is stored there.
struct Component {
    pointer: Word,
    stored: Stored,
}

/// Place of an element, or an error that names it.
pub(super) fn place_of(e: &Emitter<'_>, boundary: Boundary, element: &SignatureElement) -> Result<Place, Error> {
    place(boundary, element, e.options).ok_or_else(|| e.unsupported(format!("the semantic {} ({:?}) at {boundary:?}", element.name, element.semantic)))
}

/// Variable of an element, declared if this is its first use.
pub(super) fn variable(e: &mut Emitter<'_>, boundary: Boundary, index: usize, element: &SignatureElement) -> Result<Word, Error> {
    if let Some(&id) = e.interface.variables(boundary).get(index)
        && id != 0
    {
        return Ok(id);
    }
    let id = match place_of(e, boundary, element)? {
        Place::User => {
            let per_vertex = boundary.is_input() && is_per_vertex(e, index);
            element::declare(e, boundary, element, per_vertex)?
        }
        Place::Builtin(builtin, form) => declare_builtin(e, boundary, element, builtin, form),
    };
    if let Some(slot) = e.interface.variables(boundary).get_mut(index) {
        *slot = id;
    }
    Ok(id)
}

/// Whether an input element is an array over the primitive's vertices.
pub(super) fn is_per_vertex(e: &Emitter<'_>, index: usize) -> bool {
    e.interface.per_vertex.get(index).copied().unwrap_or(false)
}

fn declare_builtin(e: &mut Emitter<'_>, boundary: Boundary, element: &SignatureElement, which: BuiltIn, form: Form) -> Word {
    let class = boundary.storage_class();
    let id = match form {
        Form::Plain(shape) => {
            let ty = e.shape_type(shape);
            builtin_variable(e, which, class, ty, matches!(shape.scalar, Scalar::Int(_)))
        }
        Form::FragCoord => {
            let ty = e.shape_type(Shape { lanes: 4, ..Shape::F32 });
            builtin_variable(e, which, class, ty, false)
        }
        Form::Flag => {
            let ty = e.b.ty_bool();
            builtin_variable(e, which, class, ty, false)
        }
        Form::Rebased(_) => {
            let ty = e.b.ty_u32();
            builtin_variable(e, which, class, ty, true)
        }
        Form::Mask => {
            let word = e.b.ty_u32();
            let ty = e.b.ty_array(word, 1);
            builtin_variable(e, which, class, ty, true)
        }
        Form::Distances => {
            let (_, size) = distance_range(signature(e, boundary), element);
            distances(e, which, boundary, size)
        }
    };
    if boundary.is_input() {
        // `FragCoord` has no centroid; decorated `Sample` it makes the shader run for each sample, as in D3D.
        let position_per_sample = which == BuiltIn::FragCoord && element.interpolation == InterpolationMode::LinearNoperspectiveSample;
        if position_per_sample || matches!(which, BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR) {
            element::location_in_pixel(e, id, element.interpolation);
        }
    } else {
        builtin::output_modes(e, element.semantic);
    }
    id
}

fn signature<'a>(e: &Emitter<'a>, boundary: Boundary) -> &'a [SignatureElement] {
    if boundary.is_input() { &e.entry.signatures.input } else { &e.entry.signatures.output }
}

/// Emits `LoadInput`.
pub(super) fn load_input(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let Some(boundary) = Boundary::input(e.entry.kind) else { return Err(e.unsupported(format!("LoadInput in a {:?} shader", e.entry.kind))) };
    let (index, element) = super::element_of(e, call, boundary)?;
    let row = e.arg_value(call, 1)?;
    let column = e.arg_const(call, 2)?;
    let column = check_column(e, element, column)?;
    let place = place_of(e, boundary, element)?;
    let result = e.shape(call.ty)?;
    let id = match place {
        Place::Builtin(which, Form::Flag) => {
            variable(e, boundary, index, element)?;
            let flag = load_builtin(e, which, Shape::of(Scalar::Bool));
            let word = e.bool_to_u32(flag, u32::MAX, 0);
            from_stored(e, Stored { shape: Shape::U32, signed: false, signed_variable: false }, result, word)?
        }
        Place::Builtin(which, Form::Rebased(base)) => {
            let (index, base) = (load_builtin(e, which, Shape::U32), load_builtin(e, base, Shape::U32));
            let ty = e.b.ty_u32();
            let word = e.b.op_ids(Op::ISub, ty, &[index, base]);
            from_stored(e, Stored { shape: Shape::U32, signed: false, signed_variable: false }, result, word)?
        }
        _ => {
            let component = component(e, boundary, index, element, row, column, None)?;
            let ty = component.stored.component_type(e);
            let mut value = e.load(ty, component.pointer);
            if place == Place::Builtin(BuiltIn::FragCoord, Form::FragCoord) && column == 3 {
                let one = e.b.const_f32(1.0);
                value = e.b.op_ids(Op::FDiv, ty, &[one, value]);
            }
            from_stored(e, component.stored, result, value)?
        }
    };
    e.set_new(call.inst, result, id);
    Ok(())
}

/// Emits `StoreOutput`.
pub(super) fn store_output(e: &mut Emitter<'_>, call: &DxCall<'_>) -> Result<(), Error> {
    let Some(boundary) = Boundary::output(e.entry.kind) else { return Err(e.unsupported(format!("StoreOutput in a {:?} shader", e.entry.kind))) };
    let (index, element) = super::element_of(e, call, boundary)?;
    let row = e.arg_value(call, 1)?;
    let column = e.arg_const(call, 2)?;
    let column = check_column(e, element, column)?;
    let value = e.arg_value(call, 3)?;
    let from = e.value_shape(value)?;
    let id = e.id(value)?;
    let component = component(e, boundary, index, element, row, column, None)?;
    let id = to_stored(e, from, component.stored, id)?;
    e.b.op_void(Op::Store, [Operand::IdRef(component.pointer), Operand::IdRef(id)]);
    Ok(())
}

/// Pointer to a component of an element. `vertex`: of an element per vertex, which vertex (0, the provoking one, if not said).
fn component(
    e: &mut Emitter<'_>,
    boundary: Boundary,
    index: usize,
    element: &SignatureElement,
    row: ValueId,
    column: u32,
    vertex: Option<u32>,
) -> Result<Component, Error> {
    let id = variable(e, boundary, index, element)?;
    let class = boundary.storage_class();
    let plain = |shape: Shape| Stored { shape: Shape { lanes: 1, ..shape }, signed: false, signed_variable: false };
    let (stored, chain) = match place_of(e, boundary, element)? {
        Place::User => {
            let mut chain = smallvec::SmallVec::<[Word; 4]>::new();
            if boundary.is_input() && is_per_vertex(e, index) {
                chain.push(e.b.const_u32(vertex.unwrap_or(0)));
            }
            chain.extend(row_index(e, element, row)?);
            if element.cols > 1 {
                chain.push(e.b.const_u32(column));
            }
            (Stored::new(e, boundary, element)?, chain)
        }
        Place::Builtin(_, Form::Mask) => return Ok(Component { pointer: mask_pointer(e, class), stored: plain(Shape::U32) }),
        Place::Builtin(_, Form::Distances) => (plain(Shape::F32), smallvec::smallvec![distance_index(e, boundary, element, row, column)?]),
        Place::Builtin(_, Form::FragCoord) => (plain(Shape::F32), smallvec::smallvec![e.b.const_u32(column)]),
        Place::Builtin(_, Form::Plain(shape)) => {
            if column >= shape.lanes {
                return Err(e.invalid(format!("column {column} of {}", element.name)));
            }
            let chain = if shape.lanes > 1 { smallvec::smallvec![e.b.const_u32(column)] } else { smallvec::SmallVec::new() };
            (plain(shape), chain)
        }
        Place::Builtin(which, Form::Flag | Form::Rebased(_)) => return Err(e.invalid(format!("a pointer to {which:?}"))),
    };
    Ok(Component { pointer: access_chain(e, class, stored, id, &chain), stored })
}

fn access_chain(e: &mut Emitter<'_>, class: StorageClass, stored: Stored, base: Word, chain: &[Word]) -> Word {
    if chain.is_empty() {
        return base;
    }
    let ty = stored.component_type(e);
    let ptr_ty = e.b.ty_ptr(class, ty);
    let mut operands = smallvec::SmallVec::<[Word; 6]>::new();
    operands.push(base);
    operands.extend_from_slice(chain);
    e.b.op_ids(Op::AccessChain, ptr_ty, &operands)
}

/// Index of a row for an access chain; `None` for an element of one row. A dynamic index is kept inside the array.
pub(super) fn row_index(e: &mut Emitter<'_>, element: &SignatureElement, row: ValueId) -> Result<Option<Word>, Error> {
    if let Some(constant) = e.const_int(row) {
        if constant >= u64::from(element.rows) {
            return Err(e.invalid(format!("row {constant} of element {} ({}), which has {}", element.id, element.name, element.rows)));
        }
        return Ok((element.rows > 1).then(|| e.b.const_u32(constant as u32)));
    }
    if element.rows == 1 {
        return Ok(None);
    }
    let (ty, last, row) = (e.b.ty_u32(), e.b.const_u32(element.rows - 1), e.id(row)?);
    Ok(Some(e.b.ext(GLOp::UMin, ty, &[row, last])))
}

/// Index of a component in the array of clip or cull distances.
fn distance_index(e: &mut Emitter<'_>, boundary: Boundary, element: &SignatureElement, row: ValueId, column: u32) -> Result<Word, Error> {
    let (first, _) = distance_range(signature(e, boundary), element);
    let columns = u32::from(element.cols);
    match (e.const_int(row), row_index(e, element, row)?) {
        (Some(row), _) => Ok(e.b.const_u32(first + row as u32 * columns + column)),
        (None, None) => Ok(e.b.const_u32(first + column)),
        (None, Some(row)) => {
            let (ty, columns, offset) = (e.b.ty_u32(), e.b.const_u32(columns), e.b.const_u32(first + column));
            let scaled = e.b.op_ids(Op::IMul, ty, &[row, columns]);
            Ok(e.b.op_ids(Op::IAdd, ty, &[scaled, offset]))
        }
    }
}

/// Loads a component of an element per vertex.
pub(super) fn load_at_vertex(
    e: &mut Emitter<'_>,
    boundary: Boundary,
    (index, element): (usize, &SignatureElement),
    row: ValueId,
    column: u32,
    vertex: u32,
    result: Shape,
) -> Result<Word, Error> {
    let component = component(e, boundary, index, element, row, column, Some(vertex))?;
    let ty = component.stored.component_type(e);
    let value = e.load(ty, component.pointer);
    from_stored(e, component.stored, result, value)
}

/// Converts a component from how it is stored to how DXIL wants it.
pub(super) fn from_stored(e: &mut Emitter<'_>, stored: Stored, result: Shape, value: Word) -> Result<Word, Error> {
    match (stored.shape.scalar, result.scalar) {
        (Scalar::Float(_), Scalar::Float(width)) => Ok(e.resize_float(stored.shape, width, value)),
        (Scalar::Int(from), Scalar::Int(to)) => {
            let value = if stored.signed_variable {
                let ty = e.b.ty_int(from);
                e.b.bitcast(ty, value)
            } else {
                value
            };
            Ok(e.resize_int(Shape { relaxed: false, ..stored.shape }, to, stored.signed, value))
        }
        (from, to) => Err(e.invalid(format!("an input of {from:?} read as {to:?}"))),
    }
}

/// Converts a value from DXIL's representation to how it is stored.
fn to_stored(e: &mut Emitter<'_>, from: Shape, stored: Stored, value: Word) -> Result<Word, Error> {
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
        (from, to) => Err(e.invalid(format!("an output of {to:?} written as {from:?}"))),
    }
}
