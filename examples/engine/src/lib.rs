//! A small engine whose shaders are DXIL: it draws a scene on Vulkan and saves a picture.
//!
//! Read [`pipeline`] first: [`pipeline::Pipeline::new`] takes the containers that a Direct3D 12 engine
//! has and makes a Vulkan pipeline of them, for any root signature. [`root_layout`] is the part of it
//! that needs no device. [`scene`] uses them as a program for Direct3D 12 would: it sets root parameters
//! by their numbers.

pub mod commands;
pub mod device;
pub mod error;
pub mod math;
pub mod memory;
pub mod mesh;
pub mod picture;
pub mod pipeline;
pub mod root_layout;
pub mod scene;

pub use error::Error;
