//! Translates Direct3D 12 shaders (DXIL, DXBC) to Vulkan SPIR-V.
//!
//! [`convert`] takes the bytes of a DXBC container or of DXIL bitcode and returns SPIR-V words that
//! have passed a verifier. [`Options`] choose the Vulkan version and the device features that the
//! output may require; a [`bindings::BindingModel`] gives each resource its descriptor set and
//! binding; [`reflect()`] describes a shader's resources and signatures. An [`Error`] names the
//! malformed or unsupported construct and its location, in types that a caller can match.
//!
//! # Examples
//!
//! ```
//! use trellis_dxil::{Error, Options, Target, convert};
//!
//! let dxil = include_bytes!("../examples/collatz.dxil");
//! let options = Options::default()
//!     .with_target(Target::Vulkan1_2)
//!     .with_names(false);
//! let output = convert(dxil, &options)?;
//! assert_eq!(output.words[0], 0x0723_0203);
//! assert_eq!(output.entry, "main");
//!
//! let error = convert(b"not a shader", &options).unwrap_err();
//! assert!(matches!(error, Error::Read(_)));
//! # Ok::<(), Error>(())
//! ```
//!
//! # The crates
//!
//! This crate re-exports the interface of `trellis-spirv-backend`. The whole interfaces of the
//! parts are [`frontend`], [`dxbc`] and [`structurizer`].

pub use trellis_dxbc_frontend as dxbc;
pub use trellis_dxil_frontend as frontend;
pub use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind, ShaderKind};
pub use trellis_spirv_backend::{
    ControlFlow, Converter, DisassembleError, Entry, EntryPointError, Error, ErrorKind, Feature,
    InternalError, InvalidKind, Location, MeshOutputs, MinPrecision, Options, Output, Reflection,
    Target, VerifyError, VerifyRule, bindings, check, control_flow, convert, convert_all,
    convert_entry, convert_linked, disassemble, entry_points, error, options, read, reflect,
    reflect_input, stage_io, statistics,
};
pub use trellis_structurizer as structurizer;
