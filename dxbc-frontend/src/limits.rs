//! Named limits that guard the counts of a file.
//!
//! Most counts need no limit: each is checked against the remaining tokens, so that memory stays
//! proportional to the input. The limits here bound quantities that are not proportional to it.

/// Largest token stream, in bytes: 16 MiB. It keeps all indices within 32 bits, and the decoded
/// stream within 500 MiB.
pub const MAX_PROGRAM_BYTES: usize = 1 << 24;
/// Deepest nesting of relative indices: `cb0[x0[r0.x].y]` is 2. FXC writes at most 1.
pub const MAX_INDEX_DEPTH: u32 = 3;
/// Most registers of one `x#` array and most `r#` registers; D3D's limit is 4,096 of both together.
pub const MAX_TEMPS: u32 = 4096;
