//! DXBC containers.

mod error;

pub use error::{ContainerError, ContainerErrorKind, FourCC};
