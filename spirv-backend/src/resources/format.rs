//! The format that a writable image has in its type: operations on its texels as numbers need one.

use rspirv::spirv::ImageFormat;
use trellis_dxil_frontend::module::Type;
use trellis_dxil_frontend::shader::{Resource, ResourceClass};

use super::Resources;
use super::handle::range;
use crate::handles::{Handle, Origin, ResourceDesc, Texel};
use crate::values::FunctionContext;

impl Resources {
    /// Returns true if atomic operations work on an image.
    pub(super) fn is_atomic(&self, origin: Origin, desc: &ResourceDesc) -> bool {
        desc.is_feedback() || self.atomics.has(origin, desc)
    }

    /// Returns the halves of a texel of an image on which atomic operations on halves are used; `None`
    /// for another, and where it is not declared that there are two or four.
    pub(crate) fn halves(&self, e: &FunctionContext<'_>, handle: &Handle) -> Option<u32> {
        let at = handle.origin.range()?;
        if !self.halves.has(handle.origin, &handle.desc)
            || handle.desc.texel() != Some(Texel::Float)
        {
            return None;
        }
        let lanes = lanes(e, range(e.shader, at))?;
        matches!(lanes, 2 | 4).then_some(lanes)
    }

    /// Returns the format that a writable image has in its type, or `Unknown`.
    pub(super) fn format(&self, e: &FunctionContext<'_>, handle: &Handle) -> ImageFormat {
        let (origin, desc) = (handle.origin, &handle.desc);
        match (self.halves(e, handle), desc.texel()) {
            _ if desc.class != ResourceClass::Uav => ImageFormat::Unknown,
            (Some(2), _) => ImageFormat::Rg16f,
            (Some(_), _) => ImageFormat::Rgba16f,
            (None, Some(texel)) if self.is_atomic(origin, desc) || self.reads.has(origin, desc) => {
                texel.atomic_format()
            }
            _ => ImageFormat::Unknown,
        }
    }
}

/// Returns the components of the texels of a declared texture or typed buffer, by its symbol's type: a
/// struct with one texel.
fn lanes(e: &FunctionContext<'_>, resource: &Resource) -> Option<u32> {
    let types = &e.module.types;
    let mut ty = types.get(resource.symbol_type?)?;
    // Arrays of arrays of resources are one array in DXIL.
    if let Type::Array { element, .. } = ty {
        ty = types.get(*element)?;
    }
    if let Type::Struct { fields, .. } = ty {
        ty = types.get(*fields.first()?)?;
    }
    match ty {
        Type::Vector { len, .. } => Some(*len),
        _ => None,
    }
}
