//! Traces: the values that one invocation computes.

use std::fmt;

use trellis_dxil_frontend::module::{FunctionId, InstId};
use trellis_dxil_frontend::shader::ShaderKind;

use crate::scalar::Scalar;

/// The invocations of a stage that a trace follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// The stage.
    pub stage: ShaderKind,
    /// The `SV_DispatchThreadID` of a stage that runs in groups; `SV_VertexID` and `SV_InstanceID` of a vertex
    /// shader; column, row and `SV_SampleIndex` of a pixel shader; `SV_PrimitiveID` and the instance or control
    /// point of a hull or geometry shader; the primitive and the number of the point of a domain shader. Zeros follow.
    pub id: [u32; 3],
}

/// An instruction that ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The function.
    pub function: FunctionId,
    /// The instruction in it.
    pub inst: InstId,
    /// The scalars of its result; for an `llvm.dbg.value` the variable's.
    pub values: Vec<Value>,
}

/// A scalar; printed as a decimal number, integers as signed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub(crate) ty: Scalar,
    pub(crate) bits: u64,
}

impl Value {
    /// Returns whether it is an address or a handle.
    pub fn is_pointer(self) -> bool {
        self.ty == Scalar::Pointer
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Scalar::I1 => write!(f, "{}", self.bits != 0),
            Scalar::Pointer => write!(f, "{:#x}", self.bits),
            // The shortest text of an `f32` differs from the same `f64`'s.
            Scalar::F32 => write!(f, "{:?}", f32::from_bits(self.bits as u32)),
            ty if ty.is_float() => write!(f, "{:?}", ty.to_f64(self.bits)),
            ty => write!(f, "{}", ty.signed(self.bits)),
        }
    }
}
