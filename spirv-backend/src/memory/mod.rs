//! Local arrays, groupshared memory, constant tables.

/// Variables that stand for memory inside the shader.
#[derive(Default)]
pub(crate) struct Memory {}
