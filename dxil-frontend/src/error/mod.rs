//! Errors in an input.

/// Declares enums whose variants have a text, which is their documentation and the output of
/// [`Display`](std::fmt::Display); arguments of the text follow it.
#[doc(hidden)]
#[macro_export]
macro_rules! described {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident
                    $({ $( $(#[$field_meta:meta])* $field:ident: $ty:ty ),+ $(,)? })?
                    $(($part:ident: $part_ty:ty))?
                    => $text:literal $(, $arg:expr)*;
            )+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the text describes its fields")]
        pub enum $name {
            $(
                #[doc = concat!("\"", $text, "\"")]
                $(#[$variant_meta])*
                $variant $({ $( $(#[$field_meta])* $field: $ty ),+ })? $(($part_ty))?,
            )+
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(
                        Self::$variant $({ $($field),+ })? $(($part))? => {
                            write!(f, $text $(, $arg)*)
                        }
                    )+
                }
            }
        }
    )+};
}

mod container;
mod dxop;
mod shader;

use std::fmt;

use crate::ids::{MdId, Name, TypeId};

pub use container::{ContainerError, ContainerErrorKind, FourCC};
pub use dxop::{DxOpError, DxOpErrorKind};
pub use shader::{ShaderError, ShaderErrorKind};

/// Any failure to read DXIL.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The bitcode of a program is malformed or uses something that DXIL does not permit.
    #[error(transparent)]
    Bitcode(Box<BitcodeError>),
    /// The container or one of its parts is malformed.
    #[error(transparent)]
    Container(Box<ContainerError>),
    /// The metadata that describes the shader is malformed.
    #[error(transparent)]
    Shader(Box<ShaderError>),
    /// The listing of a module is too long.
    #[error(transparent)]
    Listing(#[from] ListingTooLong),
    /// A call of a `dx.op` function is malformed.
    #[error(transparent)]
    DxOp(Box<DxOpError>),
    /// Libraries cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl From<ContainerError> for Error {
    #[cold]
    fn from(e: ContainerError) -> Self {
        Self::Container(Box::new(e))
    }
}

impl From<ShaderError> for Error {
    #[cold]
    fn from(e: ShaderError) -> Self {
        Self::Shader(Box::new(e))
    }
}

impl From<DxOpError> for Error {
    #[cold]
    fn from(e: DxOpError) -> Self {
        Self::DxOp(Box::new(e))
    }
}

/// A listing is too long for the size of the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the listing exceeds {limit} bytes, the limit for a module of this size")]
#[non_exhaustive]
pub struct ListingTooLong {
    /// The limit in bytes.
    pub limit: usize,
}

/// Why libraries cannot be linked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// An input, by its index, is not a library.
    #[error("input {0} is not a library (lib_6_x)")]
    NotLibrary(usize),
    /// A library, by its index, has minimum precision and others native 16-bit types, or vice versa.
    #[error("library {0} differs from others in -enable-16bit-types")]
    LowPrecision(usize),
    /// Two libraries define a symbol.
    #[error("two libraries define `{0}`")]
    Duplicate(Name),
    /// The type of a symbol differs between libraries.
    #[error("the type of `{0}` differs between libraries")]
    Type(Name),
    /// The properties of a resource, by its global variable, differ between libraries.
    #[error("the properties of resource `{0}` differ between libraries")]
    Resource(Name),
    /// The library does not define an export.
    #[error("the library defines no function `{0}` to export")]
    Export(Name),
}

/// A failure inside a bitcode program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bitcode: {kind} ({place}byte offset {offset:#x})")]
#[non_exhaustive]
pub struct BitcodeError {
    /// Absolute byte offset: of the record for an error in its content, else of the bits that could
    /// not be read.
    pub offset: usize,
    /// Position in the module.
    pub place: Place,
    /// Kind of the error, with the expected value.
    pub kind: BitcodeErrorKind,
}

/// Position of an error in a module. Parts that are unknown or do not apply are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// LLVM's block id.
    pub block: Option<u32>,
    /// Record code.
    pub record: Option<u32>,
    /// Index of the function in [`crate::module::Module::functions`].
    pub function: Option<u32>,
    /// Basic block of the function.
    pub basic_block: Option<u32>,
    /// Instruction of the function.
    pub instruction: Option<u32>,
}

impl Place {
    /// Returns the place of a block.
    pub(crate) fn of_block(block: u32) -> Self {
        Self {
            block: Some(block),
            ..Self::default()
        }
    }

    /// Returns the place of a record of a block.
    pub(crate) fn of_record(block: u32, record: u32) -> Self {
        Self {
            record: Some(record),
            ..Self::of_block(block)
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut part =
            |label: &str, value: Option<u32>| value.map_or(Ok(()), |v| write!(f, "{label} {v}, "));
        part("function", self.function)?;
        part("basic block", self.basic_block)?;
        part("instruction", self.instruction)?;
        if let Some(block) = self.block {
            write!(f, "{} block, ", block_name(block))?;
        }
        self.record.map_or(Ok(()), |v| write!(f, "record {v}, "))
    }
}

/// LLVM's name of a block id.
pub fn block_name(id: u32) -> &'static str {
    match id {
        0 => "BLOCKINFO",
        8 => "MODULE",
        9 => "PARAMATTR",
        10 => "PARAMATTR_GROUP",
        11 => "CONSTANTS",
        12 => "FUNCTION",
        13 => "IDENTIFICATION",
        14 => "VALUE_SYMTAB",
        15 => "METADATA",
        16 => "METADATA_ATTACHMENT",
        17 => "TYPE",
        18 => "USELIST",
        _ => "unknown",
    }
}

described! {
    /// Kind of an error in a bitcode program.
    BitcodeErrorKind {
        /// Neither `BC C0DE` nor the wrapper's magic number.
        Magic {
            /// First four bytes, little-endian.
            found: u32,
        } => "magic number {found:#010x}, expected 0xdec04342 (`BC` C0DE) or 0x0b17c0de (wrapper)";
        Wrapper { offset: u32, size: u32, available: usize } =>
            "wrapper header names bytes {offset}..{offset}+{size}, the input has {available}";
        UnexpectedEnd { wanted: u64 } => "unexpected end: {wanted} more bits expected";
        BlockLength { words: u64, available: u64 } =>
            "block of {words} words, but {available} words remain";
        BlockEnd { found: u64, expected: u64 } =>
            "block ends {found} bits after its start, its length field is {expected} bits";
        UnknownAbbreviation { id: u32, count: usize } =>
            "abbreviation {id} is not defined here; {count} are";
        /// An abbreviation that cannot be.
        Abbreviation { reason: &'static str } => "abbreviation {reason}";
        /// A count beyond a named limit of [`crate::limits`] or larger than the remaining bits can
        /// hold.
        Limit { what: &'static str, count: u64, limit: u64 } =>
            "{what}: {count} exceeds the limit of {limit}";
        /// A required block is missing.
        Missing { what: &'static str } => "{what} missing";
        NestedBlock { id: u32 } => "nested block {id} ({}), none permitted here", block_name(*id);
        /// A record code that the format does not permit to skip.
        UnknownRecord { code: u32 } => "unknown record code {code}";
        /// Valid LLVM that DXIL does not permit.
        Unsupported { what: &'static str } => "{what}: not part of DXIL";
        /// A record with too few or too many fields.
        RecordLength { found: usize, expected: &'static str } =>
            "record has {found} fields, expected {expected}";
        /// A field outside of its range.
        Field { field: &'static str, found: u64, expected: &'static str } =>
            "{field} is {found}, expected {expected}";
        /// An index beyond its table.
        Index { what: &'static str, index: u64, count: u64 } =>
            "{what} {index} out of range, there are {count}";
        /// An operand's type is not of the class that the operation needs.
        OperandType { what: &'static str, found: TypeId, expected: &'static str } =>
            "{what} has type {found}, expected {expected}";
        /// Two types that must be the same differ.
        TypeMismatch { what: &'static str, found: TypeId, expected: TypeId } =>
            "{what} has type {found}, expected {expected}";
        TypeCycle { ty: TypeId } => "{ty} contains itself";
        UnresolvedValue { value: u32, count: u32 } =>
            "forward reference to value {value}, which is never defined ({count} values)";
        UnresolvedMetadata { id: MdId } => "reference to metadata {id}, which is never defined";
        ConstantCycle { value: u32 } => "constant with value number {value} contains itself";
        /// A control-flow rule is broken.
        ControlFlow { what: &'static str } => "{what}";
    }
}

impl BitcodeErrorKind {
    /// Returns the error without its place, which [`Error::within`] adds further out.
    #[cold]
    pub(crate) fn into_error(self) -> Error {
        Error::Bitcode(Box::new(BitcodeError {
            offset: usize::MAX,
            place: Place::default(),
            kind: self,
        }))
    }
    /// Returns the error at an absolute byte offset.
    #[cold]
    pub(crate) fn at(self, offset: usize) -> Error {
        Error::Bitcode(Box::new(BitcodeError {
            offset,
            place: Place::default(),
            kind: self,
        }))
    }
}

impl Error {
    /// Fills in missing parts of the location: the innermost context wins.
    #[cold]
    #[must_use]
    pub(crate) fn within(mut self, offset: usize, outer: Place) -> Self {
        if let Self::Bitcode(error) = &mut self {
            if error.offset == usize::MAX {
                error.offset = offset;
            }
            let place = &mut error.place;
            place.record = place.record.or(if place.block.is_none() {
                outer.record
            } else {
                None
            });
            place.block = place.block.or(outer.block);
            place.function = place.function.or(outer.function);
            place.basic_block = place.basic_block.or(outer.basic_block);
            place.instruction = place.instruction.or(outer.instruction);
        }
        self
    }
}
