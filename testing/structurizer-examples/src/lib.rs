//! Tests of the examples of `trellis-structurizer` (`structurizer/examples`): random programs are
//! translated, and run or validated. A package of its own, since the tests need a WebAssembly runtime
//! and a reader of WGSL.
