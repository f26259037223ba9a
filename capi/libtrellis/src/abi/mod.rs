//! Types and numbers of the interface.

// In the order of the header, which the blank lines keep.
mod numbers;

mod handles;

mod structs;

mod functions;

pub use functions::*;
pub use handles::*;
pub use numbers::*;
pub use structs::*;
