//! Pixel shaders: quads of the pixels that a triangle covers, and their writes to targets.

use trellis_dxil_frontend::shader::SemanticKind;

use super::raster::{Triangle, Viewport, sample_offset};
use super::{Pipeline, Vertices};
use crate::dispatch::Draw;
use crate::error::{Error, Feature, unsupported};
use crate::exec::buffer::to_component;
use crate::exec::stage::{Lane, Table};
use crate::program::Program;
use crate::resource::DrawOutputs;
use crate::signature::Element;

/// Vertices of a primitive.
const CORNERS: usize = 3;

impl<'p> Pipeline<'p> {
    /// Rasterizes triangles and runs a pixel shader.
    pub(super) fn rasterize(
        &mut self,
        program: &'p Program,
        from: &Vertices,
        outputs: &mut DrawOutputs,
    ) -> Result<(), Error> {
        self.link(program, from, CORNERS);
        let draw = self.draw;
        outputs.clear(draw, program)?;
        if from.size != 1 && from.size != CORNERS {
            return Err(unsupported(Feature::PointsAndLines));
        }
        let per_instance = (from.per_instance / CORNERS).max(1);
        for number in 0..from.table.rows() / CORNERS {
            self.machine.spend(1)?;
            let Some(triangle) = from.triangle(draw, number * CORNERS) else {
                continue;
            };
            self.machine.stage.triangle = triangle;
            let lane = Lane {
                vertex: number * CORNERS,
                primitive: (number % per_instance) as u32,
                ..Lane::default()
            };
            self.quads(program, from, lane, outputs)?;
        }
        Ok(())
    }

    /// Runs a pixel shader for the quads of a triangle.
    fn quads(
        &mut self,
        program: &Program,
        from: &Vertices,
        lane: Lane,
        outputs: &mut DrawOutputs,
    ) -> Result<(), Error> {
        let samples = self.machine.stage.samples;
        let [start, end] = self.machine.stage.triangle.bounds;
        let runs = if program.per_sample { samples } else { 1 };
        let mut lanes = Vec::new();
        let columns = (start[0] & !1..end[0]).step_by(2).count();
        let rows = (start[1] & !1..end[1]).step_by(2).count();
        let mut quads: Vec<usize> = (0..rows * columns).collect();
        if let Some(noise) = &self.machine.noise {
            quads = noise.shuffled(&quads);
        }
        for quad in quads {
            let x = (start[0] & !1) + 2 * (quad % columns) as i32;
            let y = (start[1] & !1) + 2 * (quad / columns) as i32;
            self.machine.spend(1)?;
            let quad = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[dx, dy]| {
                let pixel = [x + dx, y + dy];
                let inside = (0..2).all(|axis| (start[axis]..end[axis]).contains(&pixel[axis]));
                let coverage = if inside {
                    self.coverage(from, lane.vertex, pixel)
                } else {
                    0
                };
                (pixel, coverage)
            });
            if quad.iter().all(|(_, coverage)| *coverage == 0) {
                continue;
            }
            for sample in 0..runs {
                let mask = if program.per_sample {
                    1 << sample
                } else {
                    u32::MAX
                };
                lanes.extend(quad.map(|(pixel, coverage)| Lane {
                    pixel,
                    sample,
                    coverage: coverage & mask,
                    is_helper: coverage & mask == 0,
                    ..lane
                }));
                if lanes.len() >= self.machine.width {
                    self.write(program, &lanes, outputs)?;
                    lanes.clear();
                }
            }
        }
        self.write(program, &lanes, outputs)
    }

    /// Returns the samples of a pixel that the triangle covers.
    fn coverage(&self, from: &Vertices, first: usize, pixel: [i32; 2]) -> u32 {
        let stage = &self.machine.stage;
        let covers = |&sample: &u32| {
            let offset = sample_offset(stage.samples, sample);
            let at = [0, 1].map(|axis| f64::from(pixel[axis]) + offset[axis]);
            stage.triangle.covers(at)
                && from.distances(SemanticKind::ClipDistance).all(|word| {
                    let weights = stage.triangle.perspective(at);
                    let corners = from.corners(first, word);
                    let terms = corners.iter().zip(weights);
                    terms.map(|(value, weight)| value * weight).sum::<f64>() >= 0.0
                })
        };
        let samples = (0..stage.samples).filter(covers);
        samples.fold(0, |mask, sample| mask | 1 << sample)
    }

    /// Runs lanes and writes their outputs.
    fn write(
        &mut self,
        program: &Program,
        lanes: &[Lane],
        outputs: &mut DrawOutputs,
    ) -> Result<(), Error> {
        let table = self.run(lanes)?;
        // The lanes that ran, some discarded.
        let lanes = std::mem::take(&mut self.machine.stage.lanes);
        let triangle = &self.machine.stage.triangle;
        for (row, lane) in lanes.iter().enumerate().filter(|(_, lane)| !lane.is_helper) {
            outputs.write(self.draw, program, triangle, lane, &table, row);
        }
        Ok(())
    }
}

impl Vertices {
    /// Returns the words of clip or cull distances.
    fn distances(&self, kind: SemanticKind) -> impl Iterator<Item = usize> {
        let words = self.signature.with(kind).flat_map(Element::words);
        words
            .map(|(_, word)| word)
            .filter(|&word| self.given.get(word).copied().unwrap_or(true))
    }

    /// Returns a word of the corners of a triangle as floats.
    fn corners(&self, first: usize, word: usize) -> [f64; CORNERS] {
        let value = |row| f64::from(f32::from_bits(self.table.get(row, word) as u32));
        [first, first + 1, first + 2].map(value)
    }

    /// Returns the triangle whose first vertex is at a row; `None` if it has no area or is culled.
    fn triangle(&self, draw: &Draw, first: usize) -> Option<Triangle> {
        let mut culled = self.signature.with(SemanticKind::CullPrimitive);
        if culled.any(|element| self.table.get(first, element.word(0)) != 0) {
            return None;
        }
        let mut distances = self.distances(SemanticKind::CullDistance);
        if distances.any(|word| !self.corners(first, word).iter().any(|&at| at >= 0.0)) {
            return None;
        }
        // Indices out of range count as 0.
        let number = |kind: SemanticKind, count: u32| {
            let element = self.signature.with(kind).next();
            let word = element.map(|element| element.word(0));
            let word = word.filter(|&word| self.given.get(word).copied().unwrap_or(true));
            let number = word.map_or(0, |word| self.table.get(first, word) as u32);
            if number < count.max(1) { number } else { 0 }
        };
        let viewport = number(SemanticKind::ViewPortArrayIndex, draw.viewports);
        let width = draw.size[0].max(1) / draw.viewports.max(1);
        let place = Viewport {
            left: (viewport * width) as i32,
            size: [width as i32, draw.size[1].max(1) as i32],
        };
        let corners = [first, first + 1, first + 2]
            .map(|row| self.positions.get(row).copied().unwrap_or_default());
        let mut triangle = Triangle::new(corners, place)?;
        triangle.layer = number(SemanticKind::RenderTargetArrayIndex, draw.layers);
        triangle.viewport = viewport;
        Some(triangle)
    }
}

impl DrawOutputs {
    /// Clears targets to zeros and the depth buffer to 1.
    fn clear(&mut self, draw: &Draw, program: &Program) -> Result<(), Error> {
        let texels = draw.texels() as usize;
        let targets = draw.targets.iter();
        self.targets = targets
            .map(|t| vec![0; t.format.bytes() * texels])
            .collect();
        if draw.depth.is_some() {
            self.depth = 1f32.to_le_bytes().repeat(texels);
        }
        let signature = &program.signatures.outputs;
        for output in &draw.outputs {
            let found = signature.find(&output.semantic, output.index, 0);
            let Some((element, _)) = found else {
                let (semantic, index) = (output.semantic.clone(), output.index);
                return Err(Error::NoOutput { semantic, index });
            };
            let bytes = vec![0; element.columns * 4 * texels];
            self.outputs.push((bytes, element.ty.is_float()));
        }
        Ok(())
    }

    /// Writes the outputs of a pixel to its samples.
    fn write(
        &mut self,
        draw: &Draw,
        program: &Program,
        triangle: &Triangle,
        lane: &Lane,
        table: &Table,
        row: usize,
    ) {
        let (signature, samples) = (&program.signatures.outputs, draw.samples.max(1));
        let [width, height] = draw.size.map(|size| size.max(1) as usize);
        let [x, y] = lane.pixel.map(|at| at as usize);
        let texel = (triangle.layer as usize * height + y) * width + x;
        let mask = signature.with(SemanticKind::Coverage).next();
        let mask = mask.map_or(u64::MAX, |element| table.get(row, element.word(0)));
        let mask = lane.coverage & mask as u32;
        let depth = signature.elements.iter().find(|element| {
            matches!(
                element.semantic,
                SemanticKind::Depth
                    | SemanticKind::DepthLessEqual
                    | SemanticKind::DepthGreaterEqual
            )
        });
        let put = |bytes: &mut Vec<u8>, texel: usize, value: &[u8]| {
            let start = texel * value.len();
            if let Some(place) = bytes.get_mut(start..start + value.len()) {
                place.copy_from_slice(value);
            }
        };
        for sample in (0..samples).filter(|sample| mask >> sample & 1 == 1) {
            let texel = texel * samples as usize + sample as usize;
            for element in signature.with(SemanticKind::Target) {
                for (part, &index) in element.indices.iter().enumerate() {
                    let target = draw.targets.get(index as usize);
                    let bytes = self.targets.get_mut(index as usize);
                    let Some((target, bytes)) = target.zip(bytes) else {
                        continue;
                    };
                    let mut components = [0; 4];
                    for (column, component) in
                        components.iter_mut().enumerate().take(element.columns)
                    {
                        let value = table.get(row, element.word(part) + column);
                        *component = to_component(element.ty, value, target.format);
                    }
                    put(bytes, texel, &target.format.encode(components));
                }
            }
            if draw.depth.is_some() {
                let offset = sample_offset(samples, sample);
                let at = [0, 1].map(|axis| f64::from(lane.pixel[axis]) + offset[axis]);
                let depth = depth.map_or(triangle.depth(at)[0] as f32, |element| {
                    f32::from_bits(table.get(row, element.word(0)) as u32)
                });
                put(&mut self.depth, texel, &depth.clamp(0.0, 1.0).to_le_bytes());
            }
            for (output, (bytes, _)) in draw.outputs.iter().zip(&mut self.outputs) {
                let found = signature.find(&output.semantic, output.index, 0);
                let Some((element, part)) = found else {
                    continue;
                };
                let words = element.word(part)..element.word(part) + element.columns;
                let words = words.map(|word| element.widened(table.get(row, word)));
                let value: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
                put(bytes, texel, &value);
            }
        }
    }
}
