//! Sampler feedback: a sample marks the regions of a texture that it would have read.
//!
//! Direct3D's maps are opaque. Here a map is a texture of 64-bit texels (`R32G32_UINT`) in the layout of
//! the translation, which `spirv-backend/src/ops/feedback.rs` describes: the low four bits of its width
//! and height are the logarithms of a region's size, and a texel has four bits for each level: the
//! region, the next in X, the next in Y, and the next in both.

use trellis_dxil_frontend::dxop::SamplerFeedbackOp;
use trellis_entity::EntityRange;

use super::sample::{layer, level_of_detail};
use super::texture::texel;
use super::{Machine, Wave};
use crate::error::Error;
use crate::program::OperandId;

/// Operand positions: map, texture, sampler, four coordinates.
const TEXTURE: usize = 1;
const COORDS: usize = 3;
/// First operand after the coordinates.
const REST: usize = 7;
/// Levels that a texel has bits for.
const LEVELS: u32 = 16;
/// Most samples of an anisotropic filter.
const ANISOTROPY: f32 = 16.0;

/// Returns whether an operation uses the coordinates of other lanes.
pub(crate) fn is_implicit_feedback(op: SamplerFeedbackOp) -> bool {
    matches!(
        op,
        SamplerFeedbackOp::WriteSamplerFeedback | SamplerFeedbackOp::WriteSamplerFeedbackBias
    )
}

/// The part of a sample that all levels share.
struct Sample {
    at: [f32; 2],
    /// Width and height of the first level.
    size: [u32; 2],
    layer: u32,
    /// The absolute change of the coordinates between neighbours, where the level is implicit.
    extent: Option<[f32; 2]>,
}

impl Machine<'_> {
    /// Marks the texels that the lanes that are together here would sample.
    pub(super) fn feedback_op(
        &mut self,
        wave: &Wave,
        op: SamplerFeedbackOp,
        args: EntityRange<OperandId>,
        lanes: &[usize],
    ) -> Result<(), Error> {
        let operands = &self.program.operands[args];
        for &lane in lanes {
            if self.stage.is_helper(wave.first as usize + lane) {
                continue;
            }
            let slopes = self.slopes(wave, operands, COORDS, lane);
            let args: Vec<u64> = operands.iter().map(|&o| wave.get(o, lane)).collect();
            self.feedback(op, &args, slopes)?;
        }
        Ok(())
    }

    fn feedback(
        &mut self,
        op: SamplerFeedbackOp,
        args: &[u64],
        slopes: [[f32; 3]; 2],
    ) -> Result<(), Error> {
        let number = |index: usize| f32::from_bits(args.get(index).map_or(0, |&n| n as u32));
        let handle = |index: usize| args.get(index).copied().unwrap_or(0);
        let (map, _) = self.resource(handle(0))?;
        let (texture, _) = self.resource(handle(TEXTURE))?;
        let texture = &self.resources[texture];
        let at = [0, 1, 2].map(|axis| number(COORDS + axis));
        let last = texture.mips.clamp(1, LEVELS) - 1;
        let implicit = || {
            if self.program.has_quads() {
                level_of_detail(texture, at, slopes)
            } else {
                0.0
            }
        };
        let least = |index: usize, lod: f32| lod.max(number(index));
        let lod = match op {
            SamplerFeedbackOp::WriteSamplerFeedback => least(REST, implicit()),
            SamplerFeedbackOp::WriteSamplerFeedbackBias => {
                least(REST + 1, implicit() + number(REST))
            }
            SamplerFeedbackOp::WriteSamplerFeedbackLevel => number(REST),
            SamplerFeedbackOp::WriteSamplerFeedbackGrad => {
                let slope = |from: usize| [0, 1, 2].map(|axis| number(from + axis));
                let lod = level_of_detail(texture, at, [slope(REST), slope(REST + 3)]);
                least(REST + 6, lod)
            }
        };
        let extent = (is_implicit_feedback(op) && self.program.has_quads())
            .then(|| [0, 1].map(|axis| slopes[0][axis].abs().max(slopes[1][axis].abs())));
        let sample = Sample {
            at: [at[0], at[1]],
            size: [texture.size[0], texture.size[1]],
            layer: layer(at[2], texture.layers),
            extent,
        };
        // The two levels of a trilinear filter, in steps of an eighth bit.
        let lod = if lod.is_nan() {
            0.0
        } else {
            lod.clamp(0.0, last as f32)
        };
        let steps = (lod * 256.0).round_ties_even() as u32;
        let fine = steps >> 8;
        self.mark(map, &sample, fine);
        if steps & 255 != 0 && fine < last {
            self.mark(map, &sample, fine + 1);
        }
        Ok(())
    }

    /// Marks the regions that a bilinear filter reads of a level.
    fn mark(&mut self, map: usize, sample: &Sample, level: u32) {
        let map = &mut self.resources[map];
        let (mut low, mut bits) = ([0; 2], 1_u64);
        for axis in 0..2 {
            let size = (sample.size[axis] >> level).max(1) as f32;
            let scale = 1.0 / (1_u32 << (map.size[axis] & 15)) as f32;
            let at = sample.at[axis];
            let at = (at - at.floor()) * (size * scale);
            let texels = sample
                .extent
                .map_or(1.0, |extent| (extent[axis] * size).clamp(1.0, ANISOTROPY));
            let reach = (0.5 * texels * scale).min(0.5);
            let (first, end) = ((at - reach).max(0.0) as u32, (at + reach) as u32);
            low[axis] = first;
            // The bits of both directions are multiplied.
            if first != end {
                bits *= if axis == 0 { 3 } else { 5 };
            }
        }
        let Some((start, 8)) = texel(map, 0, 0, [low[0], low[1], sample.layer]) else {
            return;
        };
        let bytes = (bits << (4 * level)).to_le_bytes();
        for (byte, bits) in map.bytes[start..start + 8].iter_mut().zip(bytes) {
            *byte |= bits;
        }
    }
}
