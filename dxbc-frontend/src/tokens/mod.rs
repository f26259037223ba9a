//! Token streams of shader models 4.0 to 5.1, decoded.
//!
//! A [`Program`] has all items of the stream in order: [`Instruction`]s and [`Declaration`]s.
//! Operands are in one pool per program, and so are tables and immediate constant buffers.
//!
//! The format is documented in `d3d12TokenizedProgramFormat.hpp` of the Windows SDK.

mod codes;
mod cursor;
mod declare;
mod decode;
mod op;
mod program;

pub use codes::{
    CustomDataClass, InputPrimitive, Interpolation, MinPrecision, OutputTopology, RegisterFile,
    ResinfoType, ResourceDimension, ReturnType, SamplerMode, SystemValue, TessDomain,
    TessOutputPrimitive, TessPartitioning,
};
pub use op::{Op, OpInfo, OpKind, OperandRole, OperandType, TABLE};
pub use program::{
    Binding, Components, Declaration, GlobalFlags, Index, Instruction, Item, ItemKind, Operand,
    OperandId, Program, SampledResource, SyncFlags, UavFlags, Words,
};
