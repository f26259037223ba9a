//! Inputs and outputs of the stages of the graphics pipeline, for one lane. `draw` runs the stages.

use trellis_dxil_frontend::dxop::{GeometryOp, MeshOp, SignatureOp};
use trellis_dxil_frontend::shader::{InterpolationMode, SemanticKind, ShaderKind};

use super::draw::{MAX_WORDS, Triangle, centroid, sample_offset};
use super::noise::Noise;
use super::{Machine, Results, Wave};
use crate::action::StageOp;
use crate::error::{Error, Quantity, bounded};
use crate::memory::{Pointer, Space};
use crate::program::Program;
use crate::scalar::Scalar;
use crate::signature::{Element, is_per_sample};

/// Returns whether the pipeline gives an input with this meaning if no stage before does.
pub(crate) fn is_generated(semantic: SemanticKind) -> bool {
    matches!(
        semantic,
        SemanticKind::VertexID
            | SemanticKind::InstanceID
            | SemanticKind::PrimitiveID
            | SemanticKind::IsFrontFace
            | SemanticKind::SampleIndex
            | SemanticKind::Coverage
            | SemanticKind::InnerCoverage
            | SemanticKind::RenderTargetArrayIndex
            | SemanticKind::ViewPortArrayIndex
            | SemanticKind::Barycentrics
            | SemanticKind::ViewID
            | SemanticKind::ShadingRate
    )
}

/// Rows of words: the values of a signature for vertices, patches or pixels.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    width: usize,
    rows: usize,
    words: Vec<u64>,
}

impl Table {
    pub(super) fn new(width: usize, rows: usize) -> Self {
        Self {
            width,
            rows,
            words: vec![0; width * rows],
        }
    }

    /// Returns the words of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a word; 0 if it does not exist.
    pub(super) fn get(&self, row: usize, word: usize) -> u64 {
        self.row(row).get(word).copied().unwrap_or(0)
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        let start = row.saturating_mul(self.width);
        let words = self.words.get(start..start.saturating_add(self.width));
        words.unwrap_or_default()
    }

    /// Writes a word, if it exists.
    pub(super) fn set(&mut self, row: usize, word: usize, value: u64) {
        let place = self.words.get_mut(row.saturating_mul(self.width) + word);
        if let Some(place) = place.filter(|_| word < self.width) {
            *place = value;
        }
    }

    /// Appends a row.
    pub(super) fn push(&mut self, row: &[u64]) {
        let (before, width) = (self.words.len(), self.width);
        self.words.extend(row.iter().take(width));
        self.words.resize(before + width, 0);
        self.rows += 1;
    }
}

/// The part of a stage's state that is a lane's own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// Row of its first input vertex.
    pub(super) vertex: usize,
    /// `SV_VertexID`.
    pub(super) number: u32,
    /// `SV_InstanceID`, `SV_GSInstanceID` or `SV_OutputControlPointID`.
    pub(super) instance: u32,
    /// `SV_PrimitiveID`.
    pub(super) primitive: u32,
    /// `SV_DomainLocation`.
    pub(super) location: [f32; 3],
    /// Column and row of its pixel.
    pub(super) pixel: [i32; 2],
    /// `SV_SampleIndex`.
    pub(super) sample: u32,
    /// Samples of the pixel that the triangle covers.
    pub(super) coverage: u32,
    /// A pixel that the triangle does not cover, or that was discarded.
    pub(super) is_helper: bool,
}

/// Source of an input.
enum Source {
    /// This word of the input vertices.
    Vertices(usize),
    /// A value that the pipeline gives.
    Value(u64),
}

/// An operation of a geometry shader on a stream.
pub(super) enum Emission {
    /// A vertex with these outputs.
    Vertex(usize, Vec<u64>),
    /// The end of a strip.
    Cut(usize),
}

/// State of a group of an amplification or mesh shader.
#[derive(Default)]
pub(super) struct Mesh {
    /// Vertices and primitives.
    pub(super) counts: Option<[u32; 2]>,
    /// Vertices of each primitive.
    pub(super) indices: Vec<[u32; 3]>,
    /// Bytes of the payload that an amplification shader passes.
    pub(super) payload_size: usize,
    /// Groups and payload that it dispatches.
    pub(super) dispatch: Option<([u32; 3], Vec<u8>)>,
}

/// State of the stage that runs.
#[derive(Default)]
pub(super) struct Stage {
    pub(super) lanes: Vec<Lane>,
    /// Vertices that the stage reads.
    pub(super) inputs: Table,
    /// For each word of the input signature the word of `inputs` with its value.
    pub(super) links: Vec<Option<usize>>,
    /// Input vertices of a lane.
    pub(super) vertices: usize,
    /// A row for each lane; while a patch-constant function runs, for each control point.
    pub(super) outputs: Table,
    /// One row of patch constants, or a mesh shader's outputs for primitives.
    pub(super) patch: Table,
    /// Emissions of each lane of all batches.
    pub(super) emitted: Vec<Vec<Emission>>,
    /// Words of all emitted vertices.
    pub(super) emitted_words: u64,
    /// Number of the batch's first lane in `emitted`.
    pub(super) first_lane: usize,
    pub(super) mesh: Mesh,
    pub(super) triangle: Triangle,
    /// Samples of a pixel.
    pub(super) samples: u32,
    /// First vertex and first instance.
    pub(super) first: [u32; 2],
}

impl Stage {
    /// Returns whether a lane runs only for the derivatives of its quad.
    pub(super) fn is_helper(&self, lane: usize) -> bool {
        self.lanes.get(lane).is_some_and(|lane| lane.is_helper)
    }

    /// Returns a component of a value that the pipeline gives.
    fn system(&self, kind: SemanticKind, lane: &Lane, column: usize) -> u32 {
        let triangle = &self.triangle;
        match kind {
            SemanticKind::VertexID => lane.number,
            SemanticKind::InstanceID
            | SemanticKind::GSInstanceID
            | SemanticKind::OutputControlPointID => lane.instance,
            SemanticKind::PrimitiveID => lane.primitive,
            SemanticKind::DomainLocation => lane.location.get(column).map_or(0, |at| at.to_bits()),
            SemanticKind::StartVertexLocation => self.first[0],
            SemanticKind::StartInstanceLocation => self.first[1],
            SemanticKind::SampleIndex => lane.sample,
            SemanticKind::Coverage => lane.coverage,
            SemanticKind::IsFrontFace if triangle.is_front => u32::MAX,
            SemanticKind::RenderTargetArrayIndex => triangle.layer,
            SemanticKind::ViewPortArrayIndex => triangle.viewport,
            _ => 0,
        }
    }

    /// Returns the position in the target at which an input of a pixel is interpolated.
    fn position(&self, lane: &Lane, mode: InterpolationMode) -> [f64; 2] {
        let offset = match mode {
            _ if is_per_sample(mode) => sample_offset(self.samples, lane.sample),
            InterpolationMode::LinearCentroid | InterpolationMode::LinearNoperspectiveCentroid => {
                centroid(self.samples, lane.coverage)
            }
            _ => [0.5; 2],
        };
        [0, 1].map(|axis| f64::from(lane.pixel[axis]) + offset[axis])
    }

    /// Returns the word of the input vertices with a component, or the component's value if the
    /// pipeline gives it.
    fn linked(&self, element: &Element, word: usize, lane: &Lane) -> Result<Source, Error> {
        if let Some(word) = self.links.get(word).copied().flatten() {
            return Ok(Source::Vertices(word));
        }
        if is_generated(element.semantic) {
            let value = self.system(element.semantic, lane, word - element.word(0));
            return Ok(Source::Value(u64::from(value)));
        }
        Err(element.missing(word))
    }

    /// Returns an input of a pixel at a position.
    fn interpolated(
        &self,
        element: &Element,
        word: usize,
        lane: &Lane,
        at: [f64; 2],
        noise: Option<&Noise>,
    ) -> Result<u64, Error> {
        let column = word - element.word(0);
        let triangle = &self.triangle;
        let weights = match element.mode {
            InterpolationMode::LinearNoperspective
            | InterpolationMode::LinearNoperspectiveCentroid
            | InterpolationMode::LinearNoperspectiveSample => triangle.linear(at),
            _ => triangle.perspective(at),
        };
        match element.semantic {
            SemanticKind::Position => {
                let depth = triangle.depth(at);
                let value = Scalar::F32.round([at[0], at[1], depth[0], depth[1]][column & 3]);
                return Ok(match noise {
                    Some(noise) if column > 1 => {
                        noise.interpolated(Scalar::F32, value, [0.0, 1.0, 1.0])
                    }
                    _ => value,
                });
            }
            SemanticKind::Barycentrics => {
                let weight = weights.get(column).copied().unwrap_or(0.0);
                let value = Scalar::F32.round(weight);
                return Ok(noise.map_or(value, |noise| {
                    noise.interpolated(Scalar::F32, value, [0.0, 1.0, 1.0])
                }));
            }
            _ => {}
        }
        let word = match self.linked(element, word, lane)? {
            Source::Vertices(word) => word,
            Source::Value(value) => return Ok(value),
        };
        let values = [0, 1, 2].map(|corner| self.inputs.get(lane.vertex + corner, word));
        if element.mode == InterpolationMode::Constant || !element.ty.is_float() {
            return Ok(values[0]);
        }
        let terms = values.iter().zip(weights);
        let sum = terms.map(|(&value, weight)| element.ty.to_f64(value) * weight);
        let value = element.ty.round(sum.sum());
        let corners = values.map(|value| element.ty.to_f64(value));
        Ok(noise.map_or(value, |noise| {
            noise.interpolated(element.ty, value, corners)
        }))
    }
}

impl Machine<'_> {
    /// Runs an operation of a stage.
    pub(super) fn stage_op(
        &mut self,
        wave: &mut Wave,
        op: StageOp,
        lane: usize,
        args: &[u64],
        out: &mut Results,
    ) -> Result<(), Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let number = wave.first as usize + lane;
        if let StageOp::Mesh(op) = op {
            return self.mesh_op(wave, op, lane, args, out);
        }
        let stage = &mut self.stage;
        let lane = stage.lanes.get(number).copied().unwrap_or_default();
        match op {
            StageOp::Signature(op) => {
                let program: &Program = self.program;
                let noise = self.noise.as_ref();
                out[0] = stage.signature(program, op, number, &lane, args, noise)?;
            }
            StageOp::System(kind) => {
                out[0] = u64::from(stage.system(kind, &lane, arg(0) as usize));
            }
            StageOp::SampleCount => out[0] = u64::from(stage.samples),
            StageOp::SamplePosition => {
                let offset = sample_offset(stage.samples, arg(0) as u32);
                for (value, offset) in out.iter_mut().zip(offset) {
                    *value = Scalar::F32.round(offset - 0.5);
                }
            }
            StageOp::Discard => {
                if let Some(lane) = stage.lanes.get_mut(number).filter(|_| arg(0) & 1 == 1) {
                    lane.is_helper = true;
                }
            }
            StageOp::Geometry(op) => stage.emit(op, number, arg(0) as usize)?,
            // Run above.
            StageOp::Mesh(_) => {}
            StageOp::IsHelperLane => out[0] = u64::from(lane.is_helper),
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Runs an operation of an amplification or mesh shader.
    fn mesh_op(
        &mut self,
        wave: &mut Wave,
        op: MeshOp,
        lane: usize,
        args: &[u64],
        out: &mut Results,
    ) -> Result<(), Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let program: &Program = self.program;
        let signatures = &program.signatures;
        let stage = &mut self.stage;
        let words = [1, 2, 3].map(|index| arg(index) as u32);
        match op {
            // The threads of a group agree.
            MeshOp::SetMeshOutputCounts => stage.mesh.counts = Some([arg(0) as u32, words[0]]),
            MeshOp::EmitIndices => {
                if let Some(place) = stage.mesh.indices.get_mut(arg(0) as u32 as usize) {
                    *place = words;
                }
            }
            MeshOp::GetMeshPayload => out[0] = Pointer::new(Space::Record, 0).0,
            MeshOp::StoreVertexOutput => {
                if let Some((_, word)) = signatures.outputs.at(arg(0), arg(1), arg(2)) {
                    stage.outputs.set(arg(4) as u32 as usize, word, arg(3));
                }
            }
            MeshOp::StorePrimitiveOutput => {
                if let Some((_, word)) = signatures.patch.at(arg(0), arg(1), arg(2)) {
                    stage.patch.set(arg(4) as u32 as usize, word, arg(3));
                }
            }
            MeshOp::DispatchMesh => {
                if stage.mesh.dispatch.is_none() {
                    let size = stage.mesh.payload_size;
                    self.spend(size as u64)?;
                    let payload = Pointer(arg(3));
                    let bytes = self.memory(wave, lane, payload).map(|bytes| &*bytes);
                    let bytes = bytes.and_then(|bytes| bytes.get(payload.offset() as usize..));
                    let mut payload: Vec<u8> = bytes
                        .unwrap_or_default()
                        .iter()
                        .copied()
                        .take(size)
                        .collect();
                    payload.resize(size, 0);
                    let grid = [arg(0) as u32, words[0], words[1]];
                    self.stage.mesh.dispatch = Some((grid, payload));
                }
            }
        }
        Ok(())
    }
}

impl Stage {
    /// Emits a vertex with a lane's outputs, or ends a strip.
    fn emit(&mut self, op: GeometryOp, number: usize, stream: usize) -> Result<(), Error> {
        let row = self.outputs.row(number).to_vec();
        let Some(emitted) = self.emitted.get_mut(self.first_lane + number) else {
            return Ok(());
        };
        if op != GeometryOp::CutStream {
            self.emitted_words += row.len() as u64 + 1;
            bounded(Quantity::StageWords, self.emitted_words, MAX_WORDS)?;
            emitted.push(Emission::Vertex(stream, row));
        }
        if op != GeometryOp::EmitStream {
            emitted.push(Emission::Cut(stream));
        }
        Ok(())
    }

    /// Runs an operation on an element of a signature. A component that does not exist is 0.
    fn signature(
        &mut self,
        program: &Program,
        op: SignatureOp,
        number: usize,
        lane: &Lane,
        args: &[u64],
        noise: Option<&Noise>,
    ) -> Result<u64, Error> {
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let signature = program.signatures.of(op);
        let Some((element, word)) = signature.at(arg(0), arg(1), arg(2)) else {
            return Ok(0);
        };
        let pixel =
            |offset: [f64; 2]| [0, 1].map(|axis| f64::from(lane.pixel[axis]) + offset[axis]);
        match op {
            SignatureOp::LoadInput if program.kind == Some(ShaderKind::Pixel) => {
                let at = self.position(lane, element.mode);
                self.interpolated(element, word, lane, at, noise)
            }
            SignatureOp::LoadInput | SignatureOp::AttributeAtVertex => {
                let vertex = arg(3) as u32 as usize;
                Ok(match self.linked(element, word, lane)? {
                    Source::Vertices(word) if vertex < self.vertices => {
                        self.inputs.get(lane.vertex + vertex, word)
                    }
                    Source::Vertices(_) => 0,
                    Source::Value(value) => value,
                })
            }
            SignatureOp::EvalSnapped => {
                // Signed numbers of four bits, in sixteenths of a pixel.
                let offset = [3, 4]
                    .map(|index| 0.5 + f64::from((arg(index) as u32 as i32) << 28 >> 28) / 16.0);
                self.interpolated(element, word, lane, pixel(offset), noise)
            }
            SignatureOp::EvalSampleIndex => {
                let offset = sample_offset(self.samples, arg(3) as u32);
                self.interpolated(element, word, lane, pixel(offset), noise)
            }
            SignatureOp::EvalCentroid => {
                let offset = centroid(self.samples, lane.coverage);
                self.interpolated(element, word, lane, pixel(offset), noise)
            }
            SignatureOp::StoreOutput => {
                self.outputs.set(number, word, arg(3));
                Ok(0)
            }
            SignatureOp::LoadOutputControlPoint => Ok(self.outputs.get(arg(3) as usize, word)),
            SignatureOp::LoadPatchConstant => Ok(self.patch.get(0, word)),
            SignatureOp::StorePatchConstant => {
                self.patch.set(0, word, arg(3));
                Ok(0)
            }
        }
    }
}
