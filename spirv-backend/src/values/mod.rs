//! The state of emission of one function, and the vocabulary in which the families of operations
//! (`ops/`) are written.
//!
//! A family asks for the SPIR-V id of a DXIL operand with [`Emitter::id`], appends instructions to
//! [`Emitter::b`], and hands over results with [`Emitter::set`]. Where the structurizer had to
//! rename a value (a phi that it inserted), `id` already answers with the new one, so a family
//! never knows about control flow.

mod constant;
mod shape;

use rspirv::spirv::{ExecutionMode, Word};
use trellis_dxil_frontend::module::{
    Constant, Function, Inst, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{EntryPoint, Shader};

use crate::error::{Error, Location};
use crate::lower::{Lowered, Source};
use crate::module::Builder;
use crate::options::{MinPrecision, Options};
pub(crate) use constant::half_to_float;
pub(crate) use shape::{Shape, float_bits};

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

impl Scalar {
    /// Width in bits of the representation; 1 for a boolean.
    pub(crate) fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(w) | Scalar::Float(w) => w,
        }
    }
}

/// What emission of one function works on.
pub(crate) struct Emitter<'a> {
    /// The module.
    pub(crate) module: &'a Module,
    /// The shader's description.
    pub(crate) shader: &'a Shader,
    /// The entry point.
    pub(crate) entry: &'a EntryPoint,
    /// The function that is being emitted.
    pub(crate) function: &'a Function,
    /// Options.
    pub(crate) options: &'a Options,
    /// The SPIR-V module.
    pub(crate) b: Builder,
    /// The module's operations and metadata kinds.
    pub(crate) source: &'a Source<'a>,
    /// The structured function that is being emitted.
    pub(crate) structured: &'a trellis_structurizer::ir::Function,
    /// SPIR-V id of each module constant; 0 is none yet.
    pub(crate) constant_ids: Vec<Word>,
    /// Maps between DXIL's values and the structurizer's.
    pub(crate) lowered: &'a Lowered,
    /// SPIR-V id of each structurizer value; 0 is none yet.
    pub(crate) ids: Vec<Word>,
    /// Values that the structurizer renamed in the current instruction: (original, replacement).
    pub(crate) renames: smallvec::SmallVec<
        [(
            trellis_structurizer::ir::Value,
            trellis_structurizer::ir::Value,
        ); 4],
    >,
    /// The last instruction was the end of its block.
    pub(crate) block_ended: bool,
    /// The instruction being emitted, for errors.
    pub(crate) current: Option<InstId>,
    /// Stage inputs and outputs.
    pub(crate) interface: crate::interface::Interface,
    /// Descriptors.
    pub(crate) resources: crate::resources::Resources,
    /// Local arrays, groupshared memory, constant tables.
    pub(crate) memory: crate::memory::Memory,
    /// Ray queries of the current function.
    pub(crate) ray_queries: crate::ops::ray_query::RayQueries,
    /// Ids for the `OpEntryPoint` interface.
    pub(crate) interface_ids: Vec<Word>,
    /// Execution modes of the entry point, in the order in which they were asked for.
    pub(crate) execution_modes: Vec<(ExecutionMode, smallvec::SmallVec<[Word; 3]>)>,
    /// Functions of the module whose body is emitted: SPIR-V id, 0 for the others.
    pub(crate) function_ids: Vec<Word>,
}

impl<'a> Emitter<'a> {
    /// Where we are.
    pub(crate) fn location(&self) -> Location {
        Location {
            function: self.function.name.to_string(),
            block: None,
            inst: self.current.map(InstId::as_u32),
        }
    }
    /// An error about something valid that has no translation here.
    pub(crate) fn unsupported(&self, what: impl Into<String>) -> Error {
        Error::Unsupported {
            what: what.into(),
            at: self.location(),
        }
    }
    /// An error about a broken rule of DXIL.
    pub(crate) fn invalid(&self, what: impl Into<String>) -> Error {
        Error::Invalid {
            what: what.into(),
            at: self.location(),
        }
    }

    /// The instruction that defines a value, if one does.
    pub(crate) fn def(&self, value: ValueId) -> Option<(InstId, &'a Inst)> {
        match self.module.value(Some(self.function), value)?.kind {
            ValueKind::Inst(i) => Some((i, self.function.insts.get(i.as_u32() as usize)?)),
            _ => None,
        }
    }
    /// Type of a value.
    pub(crate) fn value_type(&self, value: ValueId) -> Result<TypeId, Error> {
        self.module
            .value(Some(self.function), value)
            .map(|v| v.ty)
            .ok_or_else(|| self.invalid(format!("value {value} does not exist")))
    }
    /// Zero-extended constant integer if it is one.
    pub(crate) fn const_int(&self, value: ValueId) -> Option<u64> {
        self.module.const_int(Some(self.function), value)
    }
    /// Whether an operand is `undef` (DXIL's way of saying "no such operand").
    pub(crate) fn is_undef(&self, value: ValueId) -> bool {
        matches!(self.module.constant(Some(self.function), value), Some(c) if c.value == Constant::Undef)
    }

    /// Scalar kind of a DXIL type, minimum precision resolved.
    pub(crate) fn scalar(&self, ty: TypeId) -> Result<Scalar, Error> {
        let relaxed = !self.shader.native_low_precision
            && self.options.min_precision == MinPrecision::Relaxed32;
        match self.module.types.get(ty.as_u32() as usize) {
            Some(Type::Int(1)) => Ok(Scalar::Bool),
            Some(Type::Int(16)) if relaxed => Ok(Scalar::Int(32)),
            Some(Type::Half) if relaxed => Ok(Scalar::Float(32)),
            Some(Type::Int(w @ (8 | 16 | 32 | 64))) => Ok(Scalar::Int(*w)),
            Some(Type::Half) => Ok(Scalar::Float(16)),
            Some(Type::Float) => Ok(Scalar::Float(32)),
            Some(Type::Double) => Ok(Scalar::Float(64)),
            other => Err(self.invalid(format!("expected a scalar type, found {other:?}"))),
        }
    }
    /// Whether a DXIL type is a minimum-precision type that is represented with 32 bits (its
    /// results want `RelaxedPrecision`).
    pub(crate) fn is_relaxed(&self, ty: TypeId) -> bool {
        !self.shader.native_low_precision
            && self.options.min_precision == MinPrecision::Relaxed32
            && matches!(
                self.module.types.get(ty.as_u32() as usize),
                Some(Type::Half | Type::Int(16))
            )
    }
    /// SPIR-V type of a scalar kind.
    pub(crate) fn scalar_type(&mut self, scalar: Scalar) -> Word {
        match scalar {
            Scalar::Bool => self.b.ty_bool(),
            Scalar::Int(w) => self.b.ty_int(w),
            Scalar::Float(w) => self.b.ty_float(w),
        }
    }
    /// SPIR-V type of a DXIL value type: scalar, or vector of scalars.
    pub(crate) fn spirv_type(&mut self, ty: TypeId) -> Result<Word, Error> {
        if let Some(Type::Vector { element, len }) = self.module.types.get(ty.as_u32() as usize) {
            let (element, len) = (*element, *len);
            if !(2..=4).contains(&len) {
                return Err(self.unsupported(format!("a vector of {len} components")));
            }
            let scalar = self.scalar(element)?;
            let element = self.scalar_type(scalar);
            return Ok(self.b.ty_vec(element, len));
        }
        let scalar = self.scalar(ty)?;
        Ok(self.scalar_type(scalar))
    }

    /// SPIR-V id of a DXIL operand that is a plain value (scalar or vector): instruction result,
    /// argument or constant.
    pub(crate) fn id(&mut self, value: ValueId) -> Result<Word, Error> {
        let data = self
            .module
            .value(Some(self.function), value)
            .ok_or_else(|| self.invalid(format!("value {value} does not exist")))?;
        match data.kind {
            ValueKind::Constant(c) => self.constant(c),
            ValueKind::Inst(_) | ValueKind::Argument(_) => {
                let Some(mut v) = self.lowered.value_of(value) else {
                    return Err(self.no_number(value));
                };
                if let Some(&(_, new)) = self.renames.iter().find(|(old, _)| *old == v) {
                    v = new;
                }
                self.structured_id(v)
            }
            ValueKind::Global(_) | ValueKind::Function(_) => Err(self.invalid(format!(
                "value {value} is an address, a number was expected"
            ))),
        }
    }
    /// Why a value has no id.
    #[cold]
    fn no_number(&self, value: ValueId) -> Error {
        self.invalid(format!("value {value} has no plain representation (a handle, pointer or aggregate used as a number)"))
    }
    /// SPIR-V id of a structurizer value that has been emitted (or is a constant of its own).
    pub(crate) fn structured_id(
        &mut self,
        value: trellis_structurizer::ir::Value,
    ) -> Result<Word, Error> {
        match self.ids.get(value.as_u32() as usize) {
            Some(&id) if id != 0 => Ok(id),
            _ => self.materialize(value),
        }
    }
    /// Hands over the id of component `component` of an instruction's result (0 for a scalar; the
    /// field for a struct such as `dx.types.ResRet`).
    pub(crate) fn set(&mut self, inst: InstId, component: u32, id: Word) {
        if let Some(value) = self.lowered.result_of(inst, component) {
            self.ids[value.as_u32() as usize] = id;
        }
    }
    /// Whether anything uses a component of an instruction's result: families may skip what is not
    /// used.
    pub(crate) fn is_used(&self, inst: InstId, component: u32) -> bool {
        self.lowered.is_used(inst, component)
    }
    /// Result type of an instruction.
    pub(crate) fn result_type(&self, inst: InstId) -> TypeId {
        self.function.insts[inst.as_u32() as usize].ty
    }
    /// Type of field `index` of an instruction's struct result.
    pub(crate) fn field_type(&self, inst: InstId, index: u32) -> Result<TypeId, Error> {
        match self.module.ty(self.result_type(inst)) {
            Type::Struct { fields, .. } => fields
                .get(index as usize)
                .copied()
                .ok_or_else(|| self.invalid("result struct has too few fields")),
            _ => Err(self.invalid("result is no struct")),
        }
    }
    /// Asks for an execution mode of the entry point; one that was asked for already is kept as it
    /// is.
    pub(crate) fn execution_mode(&mut self, mode: ExecutionMode, operands: &[Word]) {
        if !self
            .execution_modes
            .iter()
            .any(|(m, o)| *m == mode && o.as_slice() == operands)
        {
            self.execution_modes.push((mode, operands.into()));
        }
    }
    /// A variable of the current function (storage class `Function`).
    pub(crate) fn local_variable(&mut self, ptr_ty: Word, init: Option<Word>) -> Word {
        self.b.local_variable(ptr_ty, init)
    }
    /// Kind of an instruction.
    pub(crate) fn kind(&self, inst: InstId) -> InstKind {
        self.function.insts[inst.as_u32() as usize].kind
    }
}
