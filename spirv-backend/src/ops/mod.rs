//! DXIL operations → SPIR-V instructions, one file per family.
//!
//! [`dispatch::emit`] dispatches a `dx.op` call to its family, [`llvm::emit`] an LLVM instruction.
//! The families are the column `family` of the front end's `data/dx_ops.csv`: each `match` over
//! families and over the operations of one is exhaustive, so a new operation does not compile until
//! its family handles it or rejects it by name. A family appends straight-line instructions to the
//! current block and never makes blocks: lowering has expanded operations that need control flow.

pub(crate) mod arith;
pub(crate) mod atomic;
mod atomic_target;
pub(crate) mod bits;
pub(crate) mod buffer;
mod buffer_address;
pub(crate) mod cast;
pub(crate) mod cbuffer;
pub(crate) mod convert;
pub(crate) mod counter;
pub(crate) mod derivative;
mod descriptor_check;
pub(crate) mod discard;
pub(crate) mod dispatch;
mod elements;
mod emitter;
mod feedback;
mod float8;
mod float_atomic;
pub(crate) mod gather;
pub(crate) mod geometry;
pub(crate) mod hit_object;
pub(crate) mod image;
pub(crate) mod llvm;
pub(crate) mod math;
mod memory_number;
pub(crate) mod mesh;
pub(crate) mod node;
mod numbers;
pub(crate) mod packed;
mod pieces;
pub(crate) mod quad;
mod ray;
pub(crate) mod ray_query;
pub(crate) mod ray_tracing;
pub(crate) mod sample;
mod state;
mod subgroup;
pub(crate) mod sync;
pub(crate) mod system;
mod texel;
pub(crate) mod value_check;
pub(crate) mod vector;
mod vendor;
mod vendor_matrix;
pub(crate) mod wave;
pub(crate) mod wave_functions;
mod wave_match;

pub(crate) use emitter::Emitter;
