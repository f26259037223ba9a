//! The function under construction and its read-only context: the vocabulary in which the families
//! of operations (`ops/`) are written.
//!
//! A family gets the SPIR-V id of a DXIL operand with [`FunctionBuilder::id`], appends instructions
//! to [`FunctionBuilder::b`], and sets results with [`FunctionBuilder::set`]. Where the
//! structurizer renamed a value (a phi that it inserted), `id` returns the new one, so a family
//! does not depend on control flow.

mod constant;
mod context;
mod float_constant;
mod float_range;
mod halves;
pub(crate) mod known_bits;
mod nonzero;
mod numbering;
mod shape;
mod sums;
mod uniform_word;
mod views;

use std::ops::Deref;

use rspirv::spirv::Word;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, ConstId, InstId, InstKind, TypeId, ValueId, ValueKind,
};
use trellis_entity::{EntitySet, PrimaryMap, SecondaryMap};
use trellis_structurizer::ir;

use crate::error::{Error, InvalidKind};
use crate::handles::HandleCache;
use crate::lower::Local;
use crate::module::{Builder, OptionalId};
pub(crate) use constant::half_to_float;
pub(crate) use context::FunctionContext;
pub(crate) use float_range::{FloatRange, float_constant, float_range};
pub(crate) use halves::{Half, Halves};
pub(crate) use nonzero::SinglePredecessors;
pub(crate) use numbering::Numbering;
pub(crate) use shape::{Shape, ShapeTypes, Shapes, float_bits, shapes_of};
pub(crate) use sums::{Sum, Sums};
pub(crate) use uniform_word::uniform_word;
pub(crate) use views::{AtomicViews, ViewKey};

/// A scalar type after the choice of representation for minimum precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    /// `i1`.
    Bool,
    /// Integer of 8, 16, 32 or 64 bits.
    Int(u32),
    /// Float of 16, 32 or 64 bits.
    Float(u32),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int(width) => write!(f, "i{width}"),
            Self::Float(width) => write!(f, "f{width}"),
        }
    }
}

impl Scalar {
    /// Returns the width in bits of the representation; 1 for a boolean.
    pub(crate) fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(w) | Scalar::Float(w) => w,
        }
    }
}

/// The function under construction: the module builder, and the SPIR-V ids of the values that
/// exist.
///
/// It reads as its [`FunctionContext`] (`Deref`), of which only the current instruction changes
/// while a function is translated.
pub(crate) struct FunctionBuilder<'a> {
    /// The function being translated and its module, read-only.
    pub(crate) context: FunctionContext<'a>,
    /// The SPIR-V module.
    pub(crate) b: Box<Builder>,
    /// SPIR-V types of the shapes that have one so far.
    pub(crate) shape_types: ShapeTypes,
    /// SPIR-V id of each module constant that has one so far.
    pub(crate) constant_ids: PrimaryMap<ConstId, OptionalId>,
    /// SPIR-V id of each structurizer value that has one so far.
    pub(crate) ids: SecondaryMap<ir::Value, OptionalId>,
    /// SPIR-V id of each value of the DXIL function that has one so far.
    pub(crate) locals: SecondaryMap<Local, OptionalId>,
    /// Values that the structurizer renamed in the current run: (original, replacement).
    pub(crate) renames: Vec<(Local, ir::Value)>,
    /// Instructions that the source marks as `precise`.
    pub(crate) precise: EntitySet<InstId>,
    /// The `f32` that are converted halves.
    pub(crate) halves: Halves,
    /// Instructions that are emitted once.
    pub(crate) numbering: Numbering,
    /// Sums of the current block.
    pub(crate) sums: Sums,
    /// The predecessor of each block that has one.
    pub(crate) single_predecessors: SinglePredecessors,
    /// Handles of the current function.
    pub(crate) handles: HandleCache,
}

impl<'a> Deref for FunctionBuilder<'a> {
    type Target = FunctionContext<'a>;

    fn deref(&self) -> &FunctionContext<'a> {
        &self.context
    }
}

impl FunctionBuilder<'_> {
    /// Returns the SPIR-V type of a DXIL value type: scalar, or vector of scalars.
    pub(crate) fn spirv_type(&mut self, ty: TypeId) -> Result<Word, Error> {
        let shape = self.shape(ty)?;
        Ok(self.shape_type(shape))
    }

    /// Returns the SPIR-V id of a DXIL operand that is a plain value (scalar or vector):
    /// instruction result, argument or constant.
    #[inline]
    pub(crate) fn id(&mut self, value: ValueId) -> Result<Word, Error> {
        let Some(local) = self.lowered.local_of(value) else {
            return self.constant_id(value);
        };
        match self.locals[local].expand() {
            Some(id) if self.renames.is_empty() => Ok(id),
            _ => self.other_id(local),
        }
    }
    /// Returns the SPIR-V id of an operand that nothing computes.
    fn constant_id(&mut self, value: ValueId) -> Result<Word, Error> {
        match self.value_data(value)?.kind {
            ValueKind::Constant(c) => self.constant(c),
            ValueKind::Inst(_) | ValueKind::Argument(_) => Err(self.no_number(value)),
            ValueKind::Global(_) | ValueKind::Function(_) => Err(self.invalid(
                InvalidKind::Type,
                format!("value {value} is an address where a number is required"),
            )),
        }
    }
    /// Returns true if an instruction's result must be exact: the source is `precise`, it is arithmetic
    /// without fast-math flags, or an option treats all arithmetic as `precise`.
    #[inline(always)]
    pub(crate) fn is_precise(&self, id: InstId) -> bool {
        self.options.workarounds.force_precise
            || matches!(
                self.kind(id),
                InstKind::Binary {
                    op: BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem,
                    flags,
                    ..
                } if !flags.has(ArithFlags::FAST)
            )
            || self.precise.contains(id)
    }
    /// Returns true if the structurizer renamed a value in the current instruction.
    pub(crate) fn is_renamed(&self, value: ValueId) -> bool {
        let renamed = |local| self.renames.iter().any(|(old, _)| *old == local);
        self.lowered.local_of(value).is_some_and(renamed)
    }
    /// Returns the SPIR-V id of a value that may be renamed, or that no instruction computes: a phi, or a
    /// constant.
    fn other_id(&mut self, local: Local) -> Result<Word, Error> {
        if let Some(&(_, new)) = self.renames.iter().find(|(old, _)| *old == local) {
            return self.structured_id(new);
        }
        if let Some(id) = self.locals[local].expand() {
            return Ok(id);
        }
        let Some(value) = self.lowered.structured[local].expand() else {
            return Err(self.invalid(
                InvalidKind::Value,
                format!("{local} is used before its definition"),
            ));
        };
        let id = self.structured_id(value)?;
        self.locals[local] = id.into();
        Ok(id)
    }
    /// Returns the error about a value without an id.
    #[cold]
    fn no_number(&self, value: ValueId) -> Error {
        self.invalid(
            InvalidKind::Type,
            format!("value {value} is a handle, pointer or aggregate where a number is required"),
        )
    }
    /// Returns the SPIR-V id of a structurizer value that has been emitted (or is its own
    /// constant).
    pub(crate) fn structured_id(&mut self, value: ir::Value) -> Result<Word, Error> {
        match self.ids[value].expand() {
            Some(id) => Ok(id),
            None => self.materialize(value),
        }
    }
    /// Hands over the id of component `component` of an instruction's result (0 for a scalar; the
    /// field for a struct such as `dx.types.ResRet`).
    pub(crate) fn set(&mut self, inst: InstId, component: u32, id: Word) {
        if let Some(local) = self.lowered.result_of(inst, component) {
            self.locals[local] = id.into();
        }
    }
}
