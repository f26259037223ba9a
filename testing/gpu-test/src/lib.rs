//! Runs converted shaders on Vulkan devices and compares their outputs with the DXIL interpreter
//! and with DXC's own SPIR-V. See `README.md`.

pub mod bind;
pub mod case;
pub mod compare;
pub mod draw;
pub mod edit;
pub mod execute;
pub mod formats;
pub mod generate;
pub mod graph;
pub mod html;
pub mod install;
pub mod interpret;
pub mod mesh;
pub mod passthrough;
pub mod pretty;
pub mod rays;
pub mod reference;
pub mod spirv_module;
pub mod stages;
pub mod suite;
pub mod table;
pub mod vulkan;
pub mod worker_process;
