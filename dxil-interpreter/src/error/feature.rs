//! Features of DXIL that the interpreter does not run.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::VectorOp;
use trellis_dxil_frontend::shader::ResourceKind;

/// A feature of DXIL that the interpreter does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Feature {
    /// A `dx.op` operation.
    #[error("{0}")]
    Operation(Op),
    /// Points or lines before a pixel shader.
    #[error("rasterization of points and lines")]
    PointsAndLines,
    /// An operation with vectors as operands.
    #[error("{0} with vectors")]
    OperationOnVectors(Op),
    /// A kind of resource.
    #[error("a resource of kind {0:?}")]
    Resource(ResourceKind),
    /// Integers of a width above 64.
    #[error("type i{bits}")]
    IntegerWidth {
        /// The width in bits.
        bits: u32,
    },
    /// A vector or aggregate as an operand of an instruction that is run on scalars only.
    #[error("a vector or aggregate as an operand of this instruction")]
    AggregateOperand,
    /// An alloca whose size is computed.
    #[error("an alloca whose size is not a constant")]
    ComputedAllocaSize,
    /// A bit cast between vectors of different lengths.
    #[error("a bit cast between vectors of different lengths")]
    VectorBitCast,
    /// A bit cast of a minimum-precision number, whose width differs from its type's here.
    #[error("a bit cast of a minimum-precision number")]
    MinimumPrecisionBitCast,
    /// The address of a function as a value.
    #[error("the address of a function")]
    FunctionAddress,
    /// A constant expression of vectors.
    #[error("constant expression {0:?}")]
    VectorExpression(VectorOp),
    /// A call through a pointer.
    #[error("a call through a pointer")]
    IndirectCall,
    /// A call of a function that the module declares and DXIL does not define.
    #[error("a call of `{function}`")]
    Call {
        /// The function's name.
        function: String,
    },
    /// A node of a work graph that is launched in another way than by broadcasting, by coalescing
    /// or as a thread.
    #[error("this way to launch a node")]
    NodeLaunch,
    /// An LLVM instruction that DXIL does not have.
    #[error("an instruction that DXIL does not have")]
    Instruction,
}
