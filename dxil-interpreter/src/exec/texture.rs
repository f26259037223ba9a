//! Textures without sampling: loads, stores, sizes.

use super::buffer::{from_component, to_component};
use super::{Machine, Results};
use crate::dispatch::Kind;
use crate::error::{Error, InvalidKind, invalid};
use crate::resource::Resource;
use crate::scalar::Scalar;

/// Returns the width, height and depth of a mip level.
pub(super) fn level(resource: &Resource, mip: u32) -> [u32; 3] {
    resource
        .size
        .map(|n| n.checked_shr(mip).unwrap_or(0).max(1))
}

/// Returns the byte offset and size of a sample of a texel; `None` out of bounds. Coordinates as
/// DXIL gives them: the position, then the layer.
pub(super) fn texel(
    resource: &Resource,
    mip: u32,
    sample: u32,
    at: [u32; 3],
) -> Option<(usize, usize)> {
    let size = resource.format?.bytes();
    let (position, layer) = match resource.kind {
        Kind::Texture1D => ([at[0], 0, 0], 0),
        Kind::Texture1DArray => ([at[0], 0, 0], at[1]),
        Kind::Texture2D => ([at[0], at[1], 0], 0),
        Kind::Texture2DArray | Kind::TextureCube | Kind::TextureCubeArray => {
            ([at[0], at[1], 0], at[2])
        }
        Kind::Texture3D => (at, 0),
        _ => return None,
    };
    let extent = level(resource, mip);
    if mip >= resource.mips
        || sample >= resource.samples
        || layer >= resource.layers
        || position
            .iter()
            .zip(extent)
            .any(|(&at, extent)| at >= extent)
    {
        return None;
    }
    let texels = |mip: u32| {
        level(resource, mip)
            .iter()
            .map(|&n| u64::from(n))
            .fold(1, u64::saturating_mul)
    };
    // Layers are contiguous, each with all of its mip levels.
    let per_layer = (0..resource.mips.min(32))
        .map(texels)
        .fold(0, u64::saturating_add);
    let before: u64 = (0..mip).map(texels).fold(0, u64::saturating_add);
    let [x, y, z] = position.map(u64::from);
    let [width, height, _] = extent.map(u64::from);
    let inside = (z * height + y).saturating_mul(width).saturating_add(x);
    let number = per_layer
        .saturating_mul(u64::from(layer))
        .saturating_add(before)
        .saturating_add(inside);
    let number = number
        .saturating_mul(u64::from(resource.samples))
        .saturating_add(u64::from(sample));
    let start = usize::try_from(number.saturating_mul(size as u64)).ok()?;
    (start.checked_add(size)? <= resource.bytes.len()).then_some((start, size))
}

/// Returns the components of a texel's sample; out of bounds they are decoded from zero bytes.
pub(super) fn components(resource: &Resource, mip: u32, sample: u32, at: [u32; 3]) -> [u32; 4] {
    let place = texel(resource, mip, sample, at);
    let bytes = place.and_then(|(start, size)| resource.bytes.get(start..start + size));
    let format = resource.format;
    format.map_or([0; 4], |format| format.decode(bytes.unwrap_or_default()))
}

/// Returns the number of directions in which texels are next to each other.
pub(super) fn directions(resource: &Resource) -> usize {
    match resource.kind {
        Kind::Texture1D | Kind::Texture1DArray => 1,
        Kind::Texture3D => 3,
        _ => 2,
    }
}

/// Writes width, height, depth or layers, and mip levels or samples in the last field; the sizes
/// are 0 for a mip level that does not exist.
pub(super) fn dimensions(resource: &Resource, mip: u32, out: &mut Results) {
    let several = resource.samples > 1;
    // Multisampled textures have one level, and the operand may be undefined.
    let mip = if several { 0 } else { mip };
    out[3] = u64::from(if several {
        resource.samples
    } else {
        resource.mips
    });
    if mip >= resource.mips {
        return;
    }
    let [width, height, depth] = level(resource, mip).map(u64::from);
    let layers = u64::from(resource.layers);
    let sizes = match resource.kind {
        Kind::Texture1D => [width, 0, 0],
        Kind::Texture1DArray => [width, layers, 0],
        Kind::Texture2D | Kind::TextureCube => [width, height, 0],
        Kind::Texture2DArray => [width, height, layers],
        // In cubes, as in D3D.
        Kind::TextureCubeArray => [width, height, layers / 6],
        _ => [width, height, depth],
    };
    out[..3].copy_from_slice(&sizes);
}

impl Machine<'_> {
    /// Loads a texel. `args`: handle, mip level or sample, three coordinates, three offsets (none
    /// of the layer).
    pub(super) fn load_texture(&self, index: usize, ty: Scalar, args: &[u64], out: &mut Results) {
        let arg = |index: usize| args.get(index).map_or(0, |&n| n as u32);
        let resource = &self.resources[index];
        let directions = directions(resource);
        let at = [0, 1, 2].map(|direction| {
            let offset = if direction < directions {
                arg(5 + direction)
            } else {
                0
            };
            arg(2 + direction).wrapping_add(offset)
        });
        let (mip, sample) = if resource.samples > 1 {
            (0, arg(1))
        } else {
            (arg(1), 0)
        };
        let components = components(resource, mip, sample, at);
        for (value, component) in out.iter_mut().zip(components) {
            *value = from_component(ty, component);
        }
        // The status: resident.
        out[4] = 1;
    }

    /// Stores a texel. `args`: handle, three coordinates, four values.
    pub(super) fn store_texture(
        &mut self,
        index: usize,
        ty: Scalar,
        args: &[u64],
        sample: u32,
    ) -> Result<(), Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let resource = &mut self.resources[index];
        let format = resource
            .format
            .ok_or_else(|| invalid(InvalidKind::NoTexelFormat))?;
        let texel_bytes =
            format.encode([4, 5, 6, 7].map(|number| to_component(ty, arg(number), format)));
        if let Some((start, size)) = texel(
            resource,
            0,
            sample,
            [1, 2, 3].map(|direction| arg(direction) as u32),
        ) {
            resource.bytes[start..start + size].copy_from_slice(&texel_bytes);
        }
        Ok(())
    }

    /// Writes the position of a sample in its texel, relative to the centre. It is (0, 0) for
    /// samples that do not exist, and for sample counts without standard positions.
    pub(super) fn sample_position(&self, index: usize, sample: u32, out: &mut Results) {
        let samples = self.resources[index].samples;
        let position = positions(samples).get(sample as usize);
        let position = position.copied().unwrap_or_default();
        for (value, sixteenths) in out.iter_mut().zip(position) {
            *value = u64::from((f32::from(sixteenths) / 16.0).to_bits());
        }
    }
}

/// Returns the standard positions of samples in sixteenths of a texel (Direct3D 11.3 functional
/// specification, 19.2.4).
pub(super) fn positions(samples: u32) -> &'static [[i8; 2]] {
    match samples {
        2 => &[[4, 4], [-4, -4]],
        4 => &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
        8 => &[
            [1, -3],
            [-1, 3],
            [5, 1],
            [-3, -5],
            [-5, 5],
            [-7, -1],
            [3, 7],
            [7, -7],
        ],
        16 => &[
            [1, 1],
            [-1, -3],
            [-3, 2],
            [4, -1],
            [-5, -2],
            [2, 5],
            [5, 3],
            [3, -5],
            [-2, 6],
            [0, -7],
            [-4, -6],
            [-6, 4],
            [-8, 0],
            [7, -4],
            [6, 7],
            [-7, -8],
        ],
        _ => &[],
    }
}
