//! The text form of a function and of a structured function: made to be written by hand.
//!
//! ```text
//! graph    = { line }                      one item per line; `#` starts a comment
//! item     = constant | block | edges | phi | inst | merge | terminator
//!
//! constant = %name = const PAYLOAD : TYPE          defined everywhere
//!          | %name = undef : TYPE
//!          | %name = selector NUMBER               a constant that the structurizer made
//!          | %name = bool true|false : TYPE        a constant that the structurizer made
//! block    = NAME :                                phis, instructions and a terminator follow
//! phi      = %name = phi : TYPE { [ NAME %value ] }
//! inst     = { %name : TYPE } = op PAYLOAD { EFFECT } { %value }
//!          | op PAYLOAD { EFFECT } { %value }      without a result
//!          | %name = test le|eq %selector NUMBER   a selector test
//!          | %name = select : TYPE %cond %value %value
//!                                                 the value if %cond is true comes first
//! EFFECT   = side | conv | reads
//! merge    = merge NAME [flatten|branch]           OpSelectionMerge (structured functions)
//!          | loop NAME NAME [HINT]                 OpLoopMerge: merge block, continue target
//!          | hint HINT                             the hint of this loop header in the source
//!          | region NAME                           the convergence region of the loop with this header
//! HINT     = unroll | dont_unroll | unroll_count NUMBER
//! terminator = br NAME
//!          | if %cond NAME NAME [uniform] [flatten|branch]
//!          | switch %value NAME { LITERAL=NAME } [uniform] [flatten|branch]
//!                                                 the default comes first
//!          | break NAME NAME                       target, then the edge that is never taken
//!          | ret [%value] | kill [PAYLOAD] | unreachable
//! TYPE     = NUMBER | bool | sel                   the last two are the reserved types
//!
//! edges    = NAME : [ { FLAG.. } ] TAIL [ | merge ]         a whole block on one line
//! TAIL     = NAME                                  a branch
//!          | NAME NAME                             a conditional branch
//!          | switch NAME { [LITERAL=] NAME }       the default first; literals count from 0
//!          | break NAME NAME | ret | kill [PAYLOAD] | unreachable
//! FLAG     = empty | conv | pure | uniform | flatten | branch | HINT
//! ```
//!
//! Blocks are numbered in the order of their labels, the first is the entry. In the short form a
//! block gets an instruction whose payload is the block's number, with a side effect (`conv`:
//! convergent as well; `pure`: none; `empty`: there is no instruction), and branches on the
//! instruction's result (`empty`: on a constant). So a test graph is as short as
//!
//! ```text
//! a: b c
//! b: d
//! c: d
//! d: ret
//! ```
//!
//! Fields of a line are separated by blanks; the signs `: = [ ] { } |` are separate tokens. A text has at most
//! [`MAX_BYTES`] bytes and [`MAX_BLOCKS`] blocks, so that structurizing a text from anywhere takes at most some
//! hundred megabytes; clients that need more build the function themselves.

mod build;
mod lex;
mod parse;
mod print;
mod short;
mod syntax;

use alloc::string::String;

use thiserror::Error;

pub use parse::{parse, parse_structured};
pub use print::{print, print_structured};

/// The most bytes of a text.
pub const MAX_BYTES: usize = 1 << 24;
/// The most blocks of a text.
pub const MAX_BLOCKS: usize = 1 << 17;

/// An error in a text, with its position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
#[non_exhaustive]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// Description of the expected text.
    pub expected: String,
    /// Description of the text that was found.
    pub found: String,
}
