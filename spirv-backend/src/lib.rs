//! Translates DXIL modules to Vulkan SPIR-V.
//!
//! [`convert`] takes bytes and [`Options`], and returns SPIR-V words. Its steps are:
//!
//! ```text
//! bytes ─ trellis_dxil_frontend::read ─▶ module + shader
//!       ─ lower ─▶ structurizer function ─ structurize ─▶ structured function
//!       ─ emit (ops, interface, resources, memory) ─▶ words ─ verify ─▶ output
//! ```
//!
//! The caller decides which descriptor of Vulkan each D3D resource becomes:
//! [`bindings::BindingModel`].

pub mod bindings;
pub mod check;
pub mod error;
pub mod options;
pub mod reflect;
pub mod stage_io;
pub mod statistics;

mod control_flow;
mod convert;
mod debug_info;
mod disassemble;
mod emit;
mod entry;
mod handles;
mod integer;
mod interface;
mod legalize;
mod lower;
mod memory;
mod mesh_outputs;
mod module;
pub mod nodes;
mod ops;
mod resources;
mod spirv_val;
mod stage;
mod target;
mod values;
mod vendor;
mod verify;

pub use control_flow::{ControlFlow, control_flow};
pub use convert::{
    Converter, Entry, Output, convert, convert_all, convert_entry, convert_linked, entry_points,
    read,
};
pub use disassemble::{DisassembleError, disassemble};
pub use error::{
    EntryPointError, Error, ErrorKind, Feature, InternalError, InvalidKind, Location, VerifyError,
    VerifyRule,
};
pub use mesh_outputs::{MeshLocation, MeshOutputs};
pub use options::{
    DebugOptions, Extensions, FloatToInt, InterfaceOptions, MinPrecision, Options, Quirks, Target,
    Workarounds,
};
pub use reflect::{Reflection, reflect, reflect_input};
