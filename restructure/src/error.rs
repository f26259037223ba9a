//! The errors of [`restructure`](crate::restructure).

use thiserror::Error;

/// Why a module has no structured form. Ids are the module's.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The words do not start with the header of a module in this machine's byte order.
    #[error("not a SPIR-V module: the header is missing or incomplete")]
    Header,
    /// An instruction has no words, or more than there are.
    #[error("the instruction at word {word} has a wrong word count")]
    WordCount {
        /// The position of its first word in the module.
        word: usize,
    },
    /// An instruction of a function is not one of rspirv's grammar, or has wrong operands.
    #[error("cannot read function %{function}: {message}")]
    Instruction {
        /// The function.
        function: u32,
        /// The parser's message.
        message: String,
    },
    /// An instruction is where it may not be: outside of a block, or in a function.
    #[error("the {name} at word {word} is not allowed there")]
    Layout {
        /// The name of the instruction.
        name: &'static str,
        /// The position of its first word in the module.
        word: usize,
    },
    /// A function has no end, or its last block has none.
    #[error("function %{function} has no end")]
    NoEnd {
        /// The function.
        function: u32,
    },
    /// Two instructions define the same id.
    #[error("%{id} is defined twice")]
    DefinedTwice {
        /// The id.
        id: u32,
    },
    /// An id is not less than the bound in the header.
    #[error("%{id} is not less than the bound of the module")]
    Bound {
        /// The id.
        id: u32,
    },
    /// The result would need more ids than there are.
    #[error("the module has no more free ids")]
    NoFreeId,
    /// A branch leads to an id that is not a block of the function.
    #[error("a branch leads to %{id}, which is not a block of the function")]
    NoBlock {
        /// The id.
        id: u32,
    },
    /// A value is not defined, or its definition does not dominate a use.
    #[error("%{id} is used where its definition does not dominate, or it has none")]
    NotDefined {
        /// The value.
        id: u32,
    },
    /// A switch has a case twice.
    #[error("the switch in block %{block} has the literal {literal} twice")]
    RepeatedLiteral {
        /// The block.
        block: u32,
        /// The literal, zero-extended.
        literal: u64,
    },
    /// A value of a type that no phi may have (an image, a sampler, a pointer of logical addressing)
    /// is a phi in the input, or would have to be one: it cannot be computed again where it is used,
    /// as its instruction has effects or reads memory.
    #[error(
        "%{id} is needed where only a phi could carry it, its type allows none, and it cannot be computed again"
    )]
    NoPhi {
        /// The value.
        id: u32,
    },
    /// So many values that no phi may have would have to be computed again that the result would be
    /// much larger than the input.
    #[error(
        "function %{function} would grow too much: values that no phi may have are used in too many blocks"
    )]
    TooManyCopies {
        /// The function.
        function: u32,
    },
    /// The structurizer refuses the function: it is not well formed, or larger than the limits allow.
    #[error("function %{function}: {error}")]
    Structurizer {
        /// The function.
        function: u32,
        /// Its error, in which blocks have numbers in the order of the function.
        error: trellis_structurizer_client::Error,
    },
}
