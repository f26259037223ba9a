//! What DXIL permits and the interpreter does not run.

use std::fmt;

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::VectorOp;
use trellis_dxil_frontend::shader::ResourceKind;

/// A feature of DXIL that the interpreter does not have. [`Display`](fmt::Display) describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Feature {
    /// A `dx.op` operation.
    Operation(Op),
    /// An operation with vectors as operands.
    OperationOnVectors(Op),
    /// A kind of resource.
    Resource(ResourceKind),
    /// Integers of a width above 64.
    IntegerWidth {
        /// The width in bits.
        bits: u32,
    },
    /// A vector or aggregate as an operand of an instruction that is run on scalars only.
    AggregateOperand,
    /// An alloca whose size is computed.
    ComputedAllocaSize,
    /// A bit cast between vectors of different lengths.
    VectorBitCast,
    /// A bit cast of a minimum-precision number, whose width is not that of its type here.
    MinimumPrecisionBitCast,
    /// The address of a function as a value.
    FunctionAddress,
    /// A constant expression of vectors.
    VectorExpression(VectorOp),
    /// A call through a pointer.
    IndirectCall,
    /// A call of a function that the module declares and DXIL does not define.
    Call {
        /// The function's name.
        function: String,
    },
    /// A node of a work graph that is launched in another way than by broadcasting, by coalescing
    /// or as a thread.
    NodeLaunch,
    /// An LLVM instruction that DXIL does not have.
    Instruction,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(op) => f.write_str(op.name()),
            Self::OperationOnVectors(op) => write!(f, "{} with vectors", op.name()),
            Self::Resource(kind) => write!(f, "a resource of kind {kind:?}"),
            Self::IntegerWidth { bits } => write!(f, "type i{bits}"),
            Self::AggregateOperand => {
                f.write_str("a vector or aggregate as an operand of this instruction")
            }
            Self::ComputedAllocaSize => f.write_str("an alloca whose size is not a constant"),
            Self::VectorBitCast => f.write_str("a bit cast between vectors of different lengths"),
            Self::MinimumPrecisionBitCast => {
                f.write_str("a bit cast of a minimum-precision number")
            }
            Self::FunctionAddress => f.write_str("the address of a function"),
            Self::VectorExpression(op) => write!(f, "constant expression {op:?}"),
            Self::IndirectCall => f.write_str("a call through a pointer"),
            Self::Call { function } => write!(f, "a call of `{function}`"),
            Self::NodeLaunch => f.write_str("this way to launch a node"),
            Self::Instruction => f.write_str("an instruction that DXIL does not have"),
        }
    }
}
