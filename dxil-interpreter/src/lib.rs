//! Runs DXIL compute shaders on the CPU, block by block, before any translation. See `README.md`.

pub mod dispatch;
pub mod format;
pub mod half;
