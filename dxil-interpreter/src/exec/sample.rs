//! Samples and gathers of textures (Direct3D 11.3 functional specification, 7.18).
//!
//! The choices where Direct3D leaves one: weights and levels of detail are not rounded to 8 bits;
//! levels come from the derivatives of a quad's first row and column, without anisotropy; texels are
//! weighted in `f64` and rounded once.

use trellis_dxil_frontend::dxop::{GatherOp, SampleOp};
use trellis_entity::EntityRange;

use super::buffer::from_component;
use super::texture::{components, directions, level};
use super::{Machine, Results, Wave};
use crate::dispatch::{Address, Compare, Filter, Kind};
use crate::error::Error;
use crate::format::{Encoding, Format};
use crate::program::{Operand, OperandId, Slot};
use crate::resource::{Resource, Sampler};
use crate::scalar::Scalar;

/// Positions of operands that all samples and gathers share: coordinates and offsets.
const COORDS: usize = 2;
const OFFSETS: usize = 6;
/// First operand after the offsets of a sample.
const REST: usize = 9;

/// A vector of up to three numbers.
type Vector = [f32; 3];

/// A texel's components as 32 bits each.
type Texel = [u32; 4];

/// A texture with the parameters of a sample.
struct Lookup<'m> {
    texture: &'m Resource,
    sampler: Sampler,
    /// Coordinates in the layer or face, from 0 to 1.
    at: Vector,
    /// Layer, or face of a cube map.
    layer: u32,
    offsets: [i64; 3],
    /// Reference value of a comparison.
    reference: Option<f32>,
}

/// Choice of the level of detail.
#[derive(Clone, Copy)]
enum Lod {
    /// A number, the operand at this position.
    Level(usize),
    Zero,
    /// From the derivatives of the lanes' coordinates, plus the operand at this position.
    Implicit(Option<usize>),
    /// From the derivatives in six operands, from this position on.
    Gradient(usize),
}

/// Returns how an operation chooses the level, and the positions of its reference value and its
/// least level; `None` for `CalculateLOD`.
fn operands(op: SampleOp) -> Option<(Lod, Option<usize>, Option<usize>)> {
    Some(match op {
        SampleOp::Sample => (Lod::Implicit(None), None, Some(REST)),
        SampleOp::SampleBias => (Lod::Implicit(Some(REST)), None, Some(REST + 1)),
        SampleOp::SampleLevel => (Lod::Level(REST), None, None),
        SampleOp::SampleGrad => (Lod::Gradient(REST), None, Some(REST + 6)),
        SampleOp::SampleCmp => (Lod::Implicit(None), Some(REST), Some(REST + 1)),
        SampleOp::SampleCmpLevelZero => (Lod::Zero, Some(REST), None),
        SampleOp::SampleCmpLevel => (Lod::Level(REST + 1), Some(REST), None),
        SampleOp::SampleCmpGrad => (Lod::Gradient(REST + 1), Some(REST), Some(REST + 7)),
        SampleOp::SampleCmpBias => (Lod::Implicit(Some(REST + 1)), Some(REST), Some(REST + 2)),
        SampleOp::CalculateLOD => return None,
    })
}

/// Returns whether an operation uses the coordinates of other lanes.
pub(crate) fn is_implicit(op: SampleOp) -> bool {
    operands(op).is_none_or(|operands| matches!(operands.0, Lod::Implicit(_)))
}

impl Machine<'_> {
    /// Samples for the lanes that are together here.
    pub(super) fn sample_op(
        &self,
        wave: &mut Wave,
        op: SampleOp,
        ty: Scalar,
        out: EntityRange<Slot>,
        args: EntityRange<OperandId>,
        lanes: &[usize],
    ) -> Result<(), Error> {
        let operands = &self.program.operands[args];
        let mut results = Vec::with_capacity(lanes.len());
        for &lane in lanes {
            let args: Vec<u64> = operands.iter().map(|&o| wave.get(o, lane)).collect();
            let slopes = self.slopes(wave, operands, COORDS, lane);
            results.push(self.sample(op, ty, &args, slopes)?);
        }
        for (&lane, result) in lanes.iter().zip(&results) {
            for (slot, &value) in out.zip(result) {
                wave.set(slot, lane, value);
            }
        }
        Ok(())
    }

    /// Returns how the coordinates change in the first row and column of a lane's quad.
    pub(super) fn slopes(
        &self,
        wave: &Wave,
        operands: &[Operand],
        first_coordinate: usize,
        lane: usize,
    ) -> [Vector; 2] {
        let first = lane & !3;
        [1, 2].map(|step| {
            [0, 1, 2].map(|axis| {
                let operand = operands.get(first_coordinate + axis);
                let at = |lane| f32::from_bits(operand.map_or(0, |&o| wave.get(o, lane)) as u32);
                let exists = self.program.has_quads() && first + step < wave.width;
                if exists {
                    at(first + step) - at(first)
                } else {
                    0.0
                }
            })
        })
    }

    fn sample(
        &self,
        op: SampleOp,
        ty: Scalar,
        args: &[u64],
        slopes: [Vector; 2],
    ) -> Result<Results, Error> {
        let number = |index: usize| f32::from_bits(args.get(index).map_or(0, |&n| n as u32));
        let mut lookup = self.look_up(args, 4)?;
        let texture = lookup.texture;
        let last = texture.mips.saturating_sub(1) as f32;
        let direction = [0, 1, 2].map(|axis| number(COORDS + axis));
        let Some((lod, reference, least)) = operands(op) else {
            let lod = level_of_detail(texture, direction, slopes);
            let clamped = args.get(5).is_some_and(|&n| n & 1 == 1);
            let lod = if clamped { lod.clamp(0.0, last) } else { lod };
            return Ok([u64::from(lod.to_bits()), 0, 0, 0, 0, 0, 0, 0, 0]);
        };
        lookup.reference = reference.map(number);
        let lod = match lod {
            Lod::Level(at) => number(at),
            Lod::Zero => 0.0,
            Lod::Implicit(bias) => {
                level_of_detail(texture, direction, slopes) + bias.map_or(0.0, number)
            }
            Lod::Gradient(at) => {
                let slope = |from: usize| [0, 1, 2].map(|axis| number(from + axis));
                level_of_detail(texture, direction, [slope(at), slope(at + 3)])
            }
        };
        let lod = lod.max(least.map_or(0.0, number));
        // A number that is not one counts as 0.
        let lod = if lod.is_nan() {
            0.0
        } else {
            lod.clamp(0.0, last)
        };
        let is_filtered = lookup.sampler.filter == Filter::Linear && !is_integer(texture);
        let texel = match lookup.sampler.filter {
            Filter::Linear if is_filtered => {
                let low = lookup.filtered(lod.floor() as u32);
                if lod.fract() == 0.0 {
                    low
                } else {
                    let high = lookup.filtered(lod.floor() as u32 + 1);
                    let weights = [1.0 - f64::from(lod.fract()), f64::from(lod.fract())];
                    weighted(&[low, high], &weights)
                }
            }
            _ => lookup.nearest((lod + 0.5).floor() as u32),
        };
        let mut results = result(ty, texel);
        let units = if is_filtered { 4.0 } else { 1.0 };
        if let Some(noise) = &self.noise
            && (is_filtered || ty == Scalar::F16)
        {
            noise.units(ty, &mut results[..4], units);
        }
        Ok(results)
    }

    /// Gathers for one lane.
    pub(super) fn gather(&self, op: GatherOp, ty: Scalar, args: &[u64]) -> Result<Results, Error> {
        let mut lookup = self.look_up(args, 6)?;
        let channel = match op {
            GatherOp::TextureGather => args.get(8).map_or(0, |&n| n as usize & 3),
            GatherOp::TextureGatherCmp => {
                lookup.reference = args.get(9).map(|&n| f32::from_bits(n as u32));
                0
            }
            GatherOp::TextureGatherRaw => 0,
        };
        let (corners, _) = lookup.corners(0);
        // The last row first, and there from left to right; then the first from right to left.
        let texels = [2, 3, 1, 0].map(|corner| corners[corner]);
        if ty == Scalar::I64 {
            // A texel of 64 bits is a pair of words.
            let pair = |texel: Texel| u64::from(texel[0]) | u64::from(texel[1]) << 32;
            let [a, b, c, d] = texels.map(pair);
            return Ok([a, b, c, d, 1, 0, 0, 0, 0]);
        }
        Ok(result(ty, texels.map(|texel| texel[channel])))
    }

    /// Returns the texture and sampler of the first two operands, with coordinates and offsets.
    /// Offsets are signed numbers of `bits` bits.
    fn look_up(&self, args: &[u64], bits: u32) -> Result<Lookup<'_>, Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let number = |index: usize| f32::from_bits(arg(index) as u32);
        let (texture, _) = self.resource(arg(0))?;
        let (sampler, _) = self.resource(arg(1))?;
        let texture = &self.resources[texture];
        let coordinates = [0, 1, 2].map(|axis| number(COORDS + axis));
        let array = |at| layer(at, texture.layers);
        let (at, layer) = match texture.kind {
            Kind::Texture1DArray => ([coordinates[0], 0.0, 0.0], array(coordinates[1])),
            Kind::Texture2DArray => (coordinates, array(coordinates[2])),
            Kind::TextureCube | Kind::TextureCubeArray => {
                let (face, at) = project(coordinates);
                let cube = if texture.kind == Kind::TextureCubeArray {
                    layer(number(COORDS + 3), texture.layers / 6)
                } else {
                    0
                };
                ([at[0], at[1], 0.0], cube * 6 + face)
            }
            _ => (coordinates, 0),
        };
        // Offsets are constants or undefined; in directions that a texture lacks they are not used.
        let unused = 32 - bits;
        let offsets = [0, 1, 2].map(|axis| match (axis, bits) {
            // A gather has two.
            (2, 6) => 0,
            _ => i64::from((arg(OFFSETS + axis) as u32 as i32) << unused >> unused),
        });
        let size = level(texture, 0);
        let varied = |axis: usize| match &self.noise {
            Some(noise) => noise.texel(at[axis] * size[axis] as f32) / size[axis] as f32,
            None => at[axis],
        };
        let at = [0, 1, 2].map(varied);
        Ok(Lookup {
            texture,
            sampler: self.resources[sampler].sampler,
            at,
            layer,
            offsets,
            reference: None,
        })
    }
}

impl Lookup<'_> {
    /// Returns the texel that a position is in.
    fn nearest(&self, mip: u32) -> Texel {
        let size = level(self.texture, mip);
        let at = [0, 1, 2].map(|axis| {
            let at = i64::from((self.at[axis] * size[axis] as f32).floor() as i32);
            if is_cube(self.texture) {
                at.clamp(0, i64::from(size[axis]) - 1)
            } else {
                at + self.offsets[axis]
            }
        });
        self.fetch(mip, at).unwrap_or_default()
    }

    /// Returns the texels around a position, weighted.
    fn filtered(&self, mip: u32) -> Texel {
        let (corners, weights) = self.corners(mip);
        weighted(&corners, &weights)
    }

    /// Returns the texels around a position and their weights: bit 0 of the number is the direction
    /// x, bit 1 is y, bit 2 is z.
    fn corners(&self, mip: u32) -> ([Texel; 8], [f64; 8]) {
        let (size, directions) = (level(self.texture, mip), directions(self.texture));
        let (mut first, mut part) = ([0; 3], [0.0; 3]);
        for axis in 0..directions {
            let at = self.at[axis] * size[axis] as f32 - 0.5;
            first[axis] = i64::from(at.floor() as i32);
            part[axis] = f64::from(at - at.floor());
        }
        let (mut texels, mut weights, mut missing) = ([[0; 4]; 8], [0.0; 8], None);
        for corner in 0..1 << directions {
            let bit = |axis: usize| (corner >> axis & 1) as i64;
            let offset = |axis: usize| {
                if is_cube(self.texture) {
                    0
                } else {
                    self.offsets[axis]
                }
            };
            let at = [0, 1, 2].map(|axis| first[axis] + bit(axis) + offset(axis));
            weights[corner] = (0..directions)
                .map(|axis| {
                    if bit(axis) == 1 {
                        part[axis]
                    } else {
                        1.0 - part[axis]
                    }
                })
                .product();
            match self.fetch(mip, at) {
                Some(texel) => texels[corner] = texel,
                None => missing = Some(corner),
            }
        }
        // Three faces meet in a corner of a cube map: the fourth texel is the mean of the others.
        if let Some(missing) = missing {
            let others = [0, 1, 2, 3].map(|corner| f64::from(u8::from(corner != missing)) / 3.0);
            let mean = weighted(&texels[..4], &others);
            texels[missing] = mean;
        }
        (texels, weights)
    }

    /// Returns a texel, after a comparison 1 or 0 in all components; `None` for one in the corner of
    /// a cube map that does not exist.
    fn fetch(&self, mip: u32, at: [i64; 3]) -> Option<Texel> {
        let texture = self.texture;
        let size = level(texture, mip);
        let place = if is_cube(texture) {
            let edge = i64::from(size[0]);
            let inside = |n: i64| (0..edge).contains(&n);
            if !inside(at[0]) && !inside(at[1]) {
                return None;
            }
            let (cube, face) = (self.layer / 6, self.layer % 6);
            let (face, x, y) = over_edge(face, at[0], at[1], edge);
            Some([x as u32, y as u32, cube * 6 + face])
        } else {
            let inside = |axis: usize| {
                if axis < directions(texture) {
                    address(self.sampler.address, at[axis], i64::from(size[axis]))
                } else {
                    Some(0)
                }
            };
            match (inside(0), inside(1), inside(2)) {
                (Some(x), Some(y), Some(z)) => Some(match texture.kind {
                    Kind::Texture1DArray => [x as u32, self.layer, 0],
                    Kind::Texture2DArray => [x as u32, y as u32, self.layer],
                    _ => [x as u32, y as u32, z as u32],
                }),
                _ => None,
            }
        };
        // The colour of the border is transparent black.
        let texel = place.map_or([0; 4], |place| components(texture, mip, 0, place));
        let Some(reference) = self.reference else {
            return Some(texel);
        };
        let encoding = texture.format.map(Format::encoding);
        let reference = if encoding == Some(Encoding::Unorm) {
            reference.clamp(0.0, 1.0)
        } else {
            reference
        };
        let passes = compare(self.sampler.compare, reference, f32::from_bits(texel[0]));
        Some([if passes { 1.0_f32 } else { 0.0 }.to_bits(); 4])
    }
}

/// Returns the layer of an array that a coordinate selects.
pub(super) fn layer(at: f32, layers: u32) -> u32 {
    let last = f64::from(layers.saturating_sub(1));
    f64::from(at).round_ties_even().clamp(0.0, last) as u32
}

fn is_cube(texture: &Resource) -> bool {
    matches!(texture.kind, Kind::TextureCube | Kind::TextureCubeArray)
}

fn is_integer(texture: &Resource) -> bool {
    texture.format.is_some_and(Format::is_integer)
}

/// Returns texels' components and the status of an access to memory that is there.
fn result(ty: Scalar, texel: Texel) -> Results {
    let [a, b, c, d] = texel.map(|component| from_component(ty, component));
    [a, b, c, d, 1, 0, 0, 0, 0]
}

/// Returns the sum of texels with their weights. One with a weight of 0 is not used.
fn weighted(texels: &[Texel], weights: &[f64]) -> Texel {
    [0, 1, 2, 3].map(|component| {
        let number = |texel: &Texel| f64::from(f32::from_bits(texel[component]));
        let sum: f64 = { texels.iter().zip(weights) }
            .filter(|&(_, &weight)| weight != 0.0)
            .map(|(texel, weight)| number(texel) * weight)
            .sum();
        (sum as f32).to_bits()
    })
}

/// Returns the texel that a position outside is in; `None` for the border.
fn address(mode: Address, at: i64, size: i64) -> Option<i64> {
    match mode {
        Address::Clamp => Some(at.clamp(0, size - 1)),
        Address::Wrap => Some(at.rem_euclid(size)),
        Address::Mirror => {
            let at = at.rem_euclid(2 * size);
            Some(at.min(2 * size - 1 - at))
        }
        Address::Border => (0..size).contains(&at).then_some(at),
    }
}

/// Returns the result of a comparison sampler; a sampler without a comparison never passes.
fn compare(compare: Option<Compare>, reference: f32, texel: f32) -> bool {
    match compare.unwrap_or(Compare::Never) {
        Compare::Never => false,
        Compare::Less => reference < texel,
        Compare::Equal => reference == texel,
        Compare::LessEqual => reference <= texel,
        Compare::Greater => reference > texel,
        Compare::NotEqual => reference != texel,
        Compare::GreaterEqual => reference >= texel,
        Compare::Always => true,
    }
}

/// Returns the face of a cube map that a direction is in, and the coordinates there with the length
/// of the major axis, all signed (Direct3D 11.3 functional specification, 7.18.4).
fn face([x, y, z]: Vector) -> (u32, Vector) {
    let [ax, ay, az] = [x, y, z].map(f32::abs);
    if az >= ax && az >= ay {
        if z < 0.0 {
            (5, [-x, -y, az])
        } else {
            (4, [x, -y, az])
        }
    } else if ay >= ax {
        if y < 0.0 {
            (3, [x, -z, ay])
        } else {
            (2, [x, z, ay])
        }
    } else if x < 0.0 {
        (1, [z, -y, ax])
    } else {
        (0, [-z, -y, ax])
    }
}

/// Returns the face of a direction and the coordinates there, from 0 to 1.
fn project(direction: Vector) -> (u32, [f32; 2]) {
    let (face, [s, t, major]) = face(direction);
    (face, [s, t].map(|n| (n / major + 1.0) * 0.5))
}

/// Returns the texel over the edge of a face: the one next to it on the neighbouring face.
fn over_edge(from: u32, x: i64, y: i64, edge: i64) -> (u32, i64, i64) {
    if (0..edge).contains(&x) && (0..edge).contains(&y) {
        return (from, x, y);
    }
    let [s, t] = [x, y].map(|n| (2 * n + 1) as f32 / edge as f32 - 1.0);
    let direction = match from {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    };
    let (face, at) = project(direction);
    let [x, y] = at.map(|n| ((n * edge as f32).floor() as i64).clamp(0, edge - 1));
    (face, x, y)
}

/// Returns the logarithm of the distance between neighbours in texels, from the derivatives of the
/// coordinates; minus infinity for 0.
pub(super) fn level_of_detail(texture: &Resource, at: Vector, slopes: [Vector; 2]) -> f32 {
    let size = texture.size.map(|n| n as f32);
    let directions = directions(texture);
    let lengths = slopes.map(|slope| {
        let slope = if is_cube(texture) {
            on_face(at, slope)
        } else {
            slope
        };
        let squares = (0..directions).map(|axis| (slope[axis] * size[axis]).powi(2));
        squares.sum::<f32>().sqrt()
    });
    lengths[0].max(lengths[1]).log2()
}

/// Returns the derivative of the coordinates on a cube map's face.
fn on_face(at: Vector, slope: Vector) -> Vector {
    let (number, [s, t, major]) = face(at);
    // The same components of the slope, with the signs of the face.
    let [x, y, z] = slope;
    let [ds, dt, dm] = match number {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    };
    let derivative = |n: f32, dn: f32| 0.5 * (dn * major - n * dm) / (major * major);
    [derivative(s, ds), derivative(t, dt), 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_outside_follow_the_mode() {
        let all = |mode| [-5, -1, 0, 3, 4, 9].map(|at| address(mode, at, 4));
        assert_eq!(all(Address::Clamp), [0, 0, 0, 3, 3, 3].map(Some));
        assert_eq!(all(Address::Wrap), [3, 3, 0, 3, 0, 1].map(Some));
        assert_eq!(all(Address::Mirror), [3, 0, 0, 3, 3, 1].map(Some));
        let border = [None, None, Some(0), Some(3), None, None];
        assert_eq!(all(Address::Border), border);
    }

    /// Each texel at an edge has a neighbour at an edge of another face, whose neighbour over its
    /// edge at that place is the first one.
    #[test]
    fn neighbours_over_the_edges_of_a_cube_are_mutual() {
        const EDGE: i64 = 4;
        for from in 0..6 {
            for n in 0..EDGE {
                for (x, y, ix, iy) in [
                    (-1, n, 0, n),
                    (EDGE, n, EDGE - 1, n),
                    (n, -1, n, 0),
                    (n, EDGE, n, EDGE - 1),
                ] {
                    let (face, u, v) = over_edge(from, x, y, EDGE);
                    assert_ne!(face, from);
                    let back = [(-1, v), (EDGE, v), (u, -1), (u, EDGE)]
                        .map(|(u, v)| over_edge(face, u, v, EDGE));
                    assert!(back.contains(&(from, ix, iy)), "{from} {x} {y}: {back:?}");
                }
            }
        }
    }

    #[test]
    fn directions_have_the_faces_of_direct3d() {
        assert_eq!(project([1.0, 0.0, 0.0]), (0, [0.5, 0.5]));
        assert_eq!(project([-1.0, 0.0, 0.5]), (1, [0.75, 0.5]));
        assert_eq!(project([0.5, 1.0, 0.0]), (2, [0.75, 0.5]));
        assert_eq!(project([0.0, -2.0, 1.0]), (3, [0.5, 0.25]));
        assert_eq!(project([0.0, 0.5, 1.0]), (4, [0.5, 0.25]));
        assert_eq!(project([0.5, 0.0, -1.0]), (5, [0.25, 0.5]));
    }
}
