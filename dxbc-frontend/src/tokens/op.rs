//! Opcodes, and the table of facts about them.

/// Facts about an opcode, as the table has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OpInfo {
    /// The opcode.
    pub op: Op,
    /// Mnemonic, as FXC's listing has it, without suffixes.
    pub name: &'static str,
    /// Whether it is an instruction.
    pub kind: OpKind,
    /// Roles of the operands of an instruction, in order. Declarations have none: see
    /// [`Declaration`](super::Declaration).
    pub operands: &'static [OperandRole],
    /// Lowest shader model that has it, major and minor version.
    pub min_shader_model: (u8, u8),
}

/// Kind of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpKind {
    /// An instruction.
    Instruction,
    /// A declaration.
    Declaration,
    /// A number without a meaning.
    Reserved,
}

/// Role of an instruction's operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandRole {
    /// A register that is written, or `null`.
    Dest(OperandType),
    /// A value that is read.
    Source(OperandType),
    /// `t#`, `u#`, or `rasterizer`.
    Resource,
    /// `s#`.
    Sampler,
    /// `u#`, `g#`, or `t#`.
    Memory,
    /// `l#` or `fb#`.
    Label,
    /// `m#`, a stream of a geometry shader.
    Stream,
    /// `fp#[..][..]`, a method of an interface.
    Interface,
}

/// Type as which an instruction reads or writes an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandType {
    /// 32-bit float.
    Float,
    /// Signed 32-bit integer.
    Int,
    /// Unsigned 32-bit integer, or bits.
    Uint,
    /// 64-bit float, in two components.
    Double,
    /// 32 bits of any type, such as of `mov`. A modifier negates a float.
    Any,
}

include!(concat!(env!("OUT_DIR"), "/dxbc_ops.rs"));

impl Op {
    /// Returns the opcode with this number; `None` if there is none.
    pub fn from_code(code: u32) -> Option<Self> {
        TABLE.get(code as usize).map(|info| info.op)
    }

    /// Returns the facts about it.
    pub fn info(self) -> &'static OpInfo {
        &TABLE[self as usize]
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().name)
    }
}
