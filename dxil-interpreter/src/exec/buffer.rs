//! Buffers: constants, raw, structured and typed; atomics and counters.
//!
//! Bounds are the bound resource's. A load beyond them gives 0 (in a typed buffer or
//! texture: 0 in the components that the format has, the format's default in the others), a store
//! or atomic operation does nothing (Direct3D 11.3 functional specification, 7.18 and 22.5).

use std::ops::Range;

use trellis_dxil_frontend::module::RmwOp;
use trellis_dxil_frontend::shader::{ComponentType, ResourceKind};

use super::noise::Noise;
use super::{Machine, Results};
use crate::action::ResourceOp;
use crate::alu;
use crate::dispatch::Kind;
use crate::error::{Error, Feature, InvalidKind, invalid, unsupported};
use crate::format::{Encoding, Format};
use crate::half;
use crate::memory;
use crate::program::View;
use crate::resource::Resource;
use crate::scalar::Scalar;

/// Returns the kind of a dispatch file that a shape of DXIL is.
pub(crate) fn kind_of(kind: ResourceKind) -> Option<Kind> {
    Some(match kind {
        ResourceKind::CBuffer => Kind::Constants,
        ResourceKind::RawBuffer => Kind::Raw,
        ResourceKind::StructuredBuffer => Kind::Structured,
        ResourceKind::TypedBuffer | ResourceKind::TBuffer => Kind::Typed,
        ResourceKind::Texture1D => Kind::Texture1D,
        ResourceKind::Texture2D | ResourceKind::Texture2DMS | ResourceKind::FeedbackTexture2D => {
            Kind::Texture2D
        }
        ResourceKind::Texture3D => Kind::Texture3D,
        ResourceKind::TextureCube => Kind::TextureCube,
        ResourceKind::Texture1DArray => Kind::Texture1DArray,
        ResourceKind::Texture2DArray
        | ResourceKind::Texture2DMSArray
        | ResourceKind::FeedbackTexture2DArray => Kind::Texture2DArray,
        ResourceKind::TextureCubeArray => Kind::TextureCubeArray,
        ResourceKind::Sampler => Kind::Sampler,
        _ => return None,
    })
}

/// Returns whether texels of a resource of this kind have several samples.
pub(crate) fn is_multisampled(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    )
}

/// Checks that the bound resource matches the shader's declaration.
pub(super) fn check(resource: &Resource, view: &View) -> Result<(), Error> {
    let kind = kind_of(view.kind).ok_or_else(|| unsupported(Feature::Resource(view.kind)))?;
    let mismatch = |declared: String, bound: String| {
        Err(Error::Mismatch {
            place: resource.place,
            declared,
            bound,
        })
    };
    if kind != resource.kind {
        return mismatch(format!("{kind:?}"), format!("{:?}", resource.kind));
    }
    if is_multisampled(view.kind) != (resource.samples > 1) {
        return mismatch(
            format!("{:?}", view.kind),
            format!("{:?} with {} sample(s)", resource.kind, resource.samples),
        );
    }
    if kind == Kind::Structured && resource.stride != view.stride {
        return mismatch(
            format!("a stride of {}", view.stride),
            format!("a stride of {}", resource.stride),
        );
    }
    if (kind == Kind::Typed || kind.is_texture()) && resource.format.is_none() {
        return mismatch("a format".to_owned(), "none".to_owned());
    }
    if let Some(format) = resource.format
        && view.kind != ResourceKind::TBuffer
        && is_integer(view.component).is_some_and(|integer| integer != format.is_integer())
    {
        return mismatch(format!("{:?}", view.component), format!("{format:?}"));
    }
    Ok(())
}

/// Returns whether an element type is an integer; `None` where the type does not determine the
/// format.
fn is_integer(component: ComponentType) -> Option<bool> {
    use ComponentType::*;
    match component {
        I1 | I16 | U16 | I32 | U32 | I64 | U64 => Some(true),
        F16 | F32 | SNormF16 | UNormF16 | SNormF32 | UNormF32 => Some(false),
        // Doubles are pairs of integers.
        F64 | SNormF64 | UNormF64 | Invalid | PackedS8x32 | PackedU8x32 => None,
    }
}

/// Returns a component of a texel, 32 bits, as a type of DXIL.
pub(super) fn from_component(ty: Scalar, component: u32) -> u64 {
    match ty {
        Scalar::F16 => u64::from(half::from_f32(f32::from_bits(component))),
        _ => u64::from(component) & ty.mask(),
    }
}

/// Computes the inverse of [`from_component`] for a store to `format`; a narrow integer is extended
/// by its sign, if the format has one.
pub(super) fn to_component(ty: Scalar, value: u64, format: Format) -> u32 {
    match ty {
        Scalar::F16 => half::to_f32(value as u16).to_bits(),
        Scalar::I8 | Scalar::I16 if format.encoding() == Encoding::Uint => {
            (value & ty.mask()) as u32
        }
        Scalar::I8 | Scalar::I16 => ty.signed(value) as u32,
        _ => value as u32,
    }
}

impl Machine<'_> {
    /// Operations on resources, for one lane.
    pub(super) fn resource_op(
        &mut self,
        op: ResourceOp,
        ty: Scalar,
        args: &[u64],
        out: &mut Results,
    ) -> Result<(), Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let (index, view) = self.resource(arg(0))?;
        match op {
            ResourceOp::CBufferLoad => out[0] = self.number(index, arg(1) & 0xffff_ffff, ty),
            ResourceOp::CBufferLoadRow => {
                let size = u64::from(self.bytes(ty));
                let row = (arg(1) & 0xffff_ffff) * 16;
                for (number, value) in out.iter_mut().enumerate().take((16 / size.max(2)) as usize)
                {
                    *value = self.number(index, row + number as u64 * size, ty);
                }
            }
            ResourceOp::BufferLoad => {
                self.load_buffer(index, view, ty, [arg(1), arg(2)], out)?;
            }
            ResourceOp::BufferStore => self.store_buffer(index, view, ty, args, arg(7))?,
            ResourceOp::UpdateCounter => out[0] = self.count(index, arg(1) as i8)?,
            ResourceOp::Dimensions => self.dimensions(index, arg(1), out),
            ResourceOp::Atomic => {
                let place = self.atomic_place(index, view, ty, [arg(2), arg(3), arg(4)]);
                self.note(place.is_none());
                let Some(place) = place else { return Ok(()) };
                let rmw = rmw(arg(1))?;
                let bytes = &mut self.resources[index].bytes;
                out[0] = memory::read(bytes, place.start as u64, ty);
                memory::write(
                    bytes,
                    place.start as u64,
                    ty,
                    alu::atomic(rmw, ty, out[0], arg(5)),
                );
            }
            ResourceOp::CompareExchange => {
                let place = self.atomic_place(index, view, ty, [arg(1), arg(2), arg(3)]);
                self.note(place.is_none());
                let Some(place) = place else { return Ok(()) };
                let bytes = &mut self.resources[index].bytes;
                out[0] = memory::read(bytes, place.start as u64, ty);
                if out[0] == arg(4) {
                    memory::write(bytes, place.start as u64, ty, arg(5));
                }
            }
            ResourceOp::TextureLoad => self.load_texture(index, ty, args, out),
            ResourceOp::SamplePosition => self.sample_position(index, arg(1) as u32, out),
            ResourceOp::TextureStoreSample => self.store_texture(index, ty, args, arg(9) as u32)?,
            ResourceOp::TextureStore => self.store_texture(index, ty, args, 0)?,
        }
        Ok(())
    }

    /// Bytes that a number takes in a buffer.
    fn bytes(&self, ty: Scalar) -> u32 {
        if ty == Scalar::I16 && !self.program.native16 {
            4
        } else {
            ty.bytes()
        }
    }

    /// Returns a number in a buffer; 0 out of bounds.
    fn number(&self, index: usize, at: u64, ty: Scalar) -> u64 {
        let wide = if self.bytes(ty) == 4 && ty == Scalar::I16 {
            Scalar::I32
        } else {
            ty
        };
        memory::read(&self.resources[index].bytes, at, wide) & ty.mask()
    }

    /// Returns the byte offset of an access to a raw or structured buffer, `None` beyond the
    /// structures; and how many bytes the view has from there on.
    fn address(&self, index: usize, view: View, at: [u64; 2], ty: Scalar) -> Option<u64> {
        let [first, second] = at.map(|n| n as u32);
        let at = if view.kind == ResourceKind::StructuredBuffer {
            let count = self.resources[index].bytes.len() as u64 / u64::from(view.stride.max(1));
            let at = u64::from(first) * u64::from(view.stride) + u64::from(second);
            // Vulkan has no index of a structure: the offset may wrap.
            let wraps = at > u64::from(u32::MAX) && self.noise.as_ref().is_some_and(Noise::flip);
            if u64::from(first) >= count && !wraps {
                return None;
            }
            at & u64::from(u32::MAX)
        } else {
            u64::from(first.wrapping_add(second))
        };
        // Bits below the unit of access, 4 bytes or less, do not count.
        Some(at & !(u64::from(self.bytes(ty).min(4)) - 1))
    }

    fn load_buffer(
        &self,
        index: usize,
        view: View,
        ty: Scalar,
        at: [u64; 2],
        out: &mut Results,
    ) -> Result<(), Error> {
        // Status: all was mapped.
        out[4] = 1;
        if matches!(view.kind, ResourceKind::TypedBuffer | ResourceKind::TBuffer) {
            let format = self.resources[index]
                .format
                .ok_or_else(|| invalid(InvalidKind::NoTexelFormat))?;
            let size = format.bytes();
            let start = (at[0] as u32 as usize).saturating_mul(size);
            let texel = self.resources[index]
                .bytes
                .get(start..start.saturating_add(size));
            self.note(texel.is_none());
            let components = format.decode(texel.unwrap_or_default());
            out.iter_mut()
                .zip(components)
                .for_each(|(value, component)| *value = from_component(ty, component));
            return Ok(());
        }
        let start = self.address(index, view, at, ty);
        self.note(start.is_none_or(|start| {
            start + u64::from(self.bytes(ty)) > self.resources[index].bytes.len() as u64
        }));
        if let Some(start) = start {
            let size = u64::from(self.bytes(ty));
            for (number, value) in out.iter_mut().take(4).enumerate() {
                *value = self.number(index, start + number as u64 * size, ty);
            }
        }
        Ok(())
    }

    /// `args`: handle, two coordinates, four values.
    fn store_buffer(
        &mut self,
        index: usize,
        view: View,
        ty: Scalar,
        args: &[u64],
        mask: u64,
    ) -> Result<(), Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        if matches!(view.kind, ResourceKind::TypedBuffer | ResourceKind::TBuffer) {
            let format = self.resources[index]
                .format
                .ok_or_else(|| invalid(InvalidKind::NoTexelFormat))?;
            let texel =
                format.encode([3, 4, 5, 6].map(|number| to_component(ty, arg(number), format)));
            let start = (arg(1) as u32 as usize).saturating_mul(texel.len());
            if let Some(place) = self.resources[index]
                .bytes
                .get_mut(start..start.saturating_add(texel.len()))
            {
                place.copy_from_slice(&texel);
            } else {
                self.note(true);
            }
            return Ok(());
        }
        let size = u64::from(self.bytes(ty));
        let Some(start) = self.address(index, view, [arg(1), arg(2)], ty) else {
            self.note(true);
            return Ok(());
        };
        let written = 64 - u64::from((mask & 15).leading_zeros());
        self.note(start + written * size > self.resources[index].bytes.len() as u64);
        let (wide, extend) = if size == 4 && ty == Scalar::I16 {
            (Scalar::I32, true)
        } else {
            (ty, false)
        };
        for number in (0..4).filter(|number| mask >> number & 1 == 1) {
            let value = arg(3 + number);
            let value = if extend {
                ty.signed(value) as u64
            } else {
                value
            };
            memory::write(
                &mut self.resources[index].bytes,
                start + number as u64 * size,
                wide,
                value,
            );
        }
        Ok(())
    }

    /// `IncrementCounter` gives the value before, `DecrementCounter` the value after.
    fn count(&mut self, index: usize, step: i8) -> Result<u64, Error> {
        let resource = &mut self.resources[index];
        let counter = resource.counter.as_mut().ok_or(Error::NoCounter {
            place: resource.place,
        })?;
        let before = *counter;
        *counter = before.wrapping_add(i32::from(step) as u32);
        Ok(u64::from(if step < 0 { *counter } else { before }))
    }

    /// Counts an access if it is out of bounds.
    fn note(&self, outside: bool) {
        self.out_of_bounds
            .set(self.out_of_bounds.get() + u64::from(outside));
    }

    /// Bytes of a number that an atomic operation works on; `None` out of bounds.
    fn atomic_place(
        &self,
        index: usize,
        view: View,
        ty: Scalar,
        at: [u64; 3],
    ) -> Option<Range<usize>> {
        let resource = &self.resources[index];
        let size = ty.bytes() as usize;
        let start = match view.kind {
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
                self.address(index, view, [at[0], at[1]], ty)?
            }
            ResourceKind::TypedBuffer => {
                u64::from(at[0] as u32)
                    * resource
                        .format
                        .filter(|format| format.bytes() >= size)?
                        .bytes() as u64
            }
            _ => super::texture::texel(resource, 0, 0, at.map(|n| n as u32))?.0 as u64,
        };
        let start = usize::try_from(start).ok()?;
        (start.checked_add(size)? <= resource.bytes.len()).then_some(start..start + size)
    }

    fn dimensions(&self, index: usize, mip: u64, out: &mut Results) {
        let resource = &self.resources[index];
        let bytes = resource.bytes.len() as u64;
        match resource.kind {
            Kind::Structured => {
                out[0] = bytes / u64::from(resource.stride.max(1));
                out[1] = u64::from(resource.stride);
            }
            Kind::Typed => {
                out[0] = bytes / resource.format.map_or(1, |format| format.bytes() as u64);
            }
            kind if kind.is_texture() => super::texture::dimensions(resource, mip as u32, out),
            _ => out[0] = bytes,
        }
    }
}

/// DXIL's numbers of atomic operations.
fn rmw(code: u64) -> Result<RmwOp, Error> {
    const ALL: [RmwOp; 9] = [
        RmwOp::Add,
        RmwOp::And,
        RmwOp::Or,
        RmwOp::Xor,
        RmwOp::Min,
        RmwOp::Max,
        RmwOp::UMin,
        RmwOp::UMax,
        RmwOp::Xchg,
    ];
    ALL.get(code as usize)
        .copied()
        .ok_or_else(|| invalid(InvalidKind::AtomicOperation { code }))
}
