//! Random HLSL programs whose converted SPIR-V must compute the same as their DXIL, and their DXIL
//! the same as their syntax. See `README.md`.

pub mod compiler;
pub mod control_flow;
pub mod evaluate;
pub mod failure;
pub mod hlsl;
pub mod judge;
pub mod levels;
pub mod program;
pub mod random;
pub mod shapes;
pub mod shrink;
pub mod typed;
