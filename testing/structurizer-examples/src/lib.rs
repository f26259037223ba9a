//! Tests of the examples of `trellis-structurizer-client` (`structurizer-client/examples`): random programs are
//! translated, and run or validated. A separate package, since the tests need a WebAssembly runtime
//! and a reader of WGSL. The runtime is wasmi, since wasmtime takes six CPU-minutes to compile;
//! feature `wasmtime`, which `.ci/run` enables, runs the programs in wasmtime as well.
