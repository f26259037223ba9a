//! Named limits that guard the counts of a file.
//!
//! Most counts need no named limit: each is checked against the number that the remaining bits can
//! hold, so that memory stays proportional to the input. The limits here bound quantities that are
//! not proportional to it (nesting, expansion), or keep every index within 32 bits.

/// Largest bitcode program, in bytes: 256 MiB. It keeps each count below 2^30, since a record takes
/// at least three bits: all `u32` indices hold.
pub const MAX_MODULE_BYTES: usize = 1 << 28;
/// Deepest nesting of blocks that the reader enters (module, function, constants is 3); blocks that
/// it skips may be deeper.
pub const MAX_BLOCK_DEPTH: usize = 8;
/// Deepest nesting of a type, pointers included; a pointer to a named structure counts as a leaf.
pub const MAX_TYPE_DEPTH: u32 = 256;
/// Deepest nesting of a constant (aggregates and expressions).
pub const MAX_CONSTANT_DEPTH: u32 = 256;
/// Widest integer in bits, LLVM's. DXIL uses 1, 8, 16, 32 and 64; more than 64 bits are only a
/// vector as a whole ([`Type::WideInt`](crate::module::Type::WideInt)).
pub const MAX_INT_BITS: u64 = (1 << 23) - 1;
/// Longest vector, in elements.
pub const MAX_VECTOR_LEN: u64 = 1 << 16;
/// Most cases that the ranges of one `switch` may expand to.
pub const MAX_SWITCH_RANGE_CASES: u64 = 1 << 16;

/// Most operands of one abbreviation.
pub const MAX_ABBREVIATION_OPERANDS: u64 = 4096;
/// Largest alignment field: `log2(alignment) + 1`, hence 512 MiB.
pub const MAX_ALIGN_EXPONENT: u64 = 30;
/// Most bytes of a name in debug information, in the form that [`debug_info`](crate::debug_info)
/// gives it: nodes share strings, so that decoding all of them would be quadratic otherwise.
pub const MAX_NAME_BYTES: usize = 4096;
