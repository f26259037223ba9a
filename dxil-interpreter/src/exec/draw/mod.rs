//! Draws: the stages of the graphics pipeline one after the other, each for all vertices of the one
//! before. A stage gets its inputs by semantic. `stage` has the operations of a lane.

mod geometry;
mod mesh;
mod patches;
mod pixels;
mod raster;
mod tessellator;

use trellis_dxil_frontend::module::Module;
use trellis_dxil_frontend::shader::{EntryPoint, SemanticKind, Shader, ShaderKind};

use self::patches::Patches;
use super::buffer::from_component;
use super::stage::{Lane, Table};
use super::{Machine, Wave, wave_width};
use crate::dispatch::{Draw, Input, sort_primitives};
use crate::error::{Error, Quantity, bounded};
use crate::program::Program;
use crate::resource::{DrawOutputs, Resource};
use crate::signature::{Element, Signature};
use crate::{Options, decode};

pub(super) use raster::{Triangle, centroid, sample_offset};

/// Most vertices of a draw.
const MAX_VERTICES: u64 = 1 << 20;
/// Most bytes of a payload (D3D12's limit).
const MAX_PAYLOAD: u32 = 1 << 14;
/// Most words of the values between two stages.
pub(super) const MAX_WORDS: u64 = 1 << 24;

/// A shader of a draw.
struct Stage<'m> {
    entry: &'m EntryPoint,
    program: Program,
    /// A hull shader's function of patch constants.
    constants: Option<Program>,
}

/// Vertices between two stages: primitive after primitive.
struct Vertices {
    signature: Signature,
    /// Whether the inputs of the draw have each word; empty for outputs of a stage, which has all.
    given: Vec<bool>,
    table: Table,
    /// Vertices of a geometry shader's streams after the first.
    others: Vec<Table>,
    /// Vertices of a primitive, where a stage makes primitives; else 1.
    size: usize,
    positions: Vec<[f32; 4]>,
    /// Patch constants after a hull shader.
    patches: Option<Patches>,
    /// Vertices of an instance of the draw; `SV_PrimitiveID` begins with 0 in each.
    per_instance: usize,
}

/// A draw that runs.
struct Pipeline<'p> {
    draw: &'p Draw,
    options: &'p Options,
    machine: Machine<'p>,
    waves: Vec<Wave>,
}

/// Runs a draw with shaders of different stages.
pub(crate) fn run_draw(
    shaders: &[(&Module, &Shader)],
    draw: &Draw,
    options: &Options,
) -> Result<DrawOutputs, Error> {
    draw.check()?;
    let stages = stages(shaders, options)?;
    let resources = draw.bindings.iter().map(Resource::try_from);
    let resources = resources.collect::<Result<Vec<_>, _>>()?;
    let idle = Program::default();
    let mut machine = Machine::new(&idle, &resources, &draw.scenes, options)?;
    machine.stage.samples = draw.samples.max(1);
    machine.stage.first = draw.first;
    let mut pipeline = Pipeline {
        draw,
        options,
        machine,
        waves: Vec::new(),
    };
    let mut outputs = DrawOutputs::default();
    if let Some((first, rest)) = stages.split_first() {
        let mut vertices = pipeline.given(&first.program)?;
        // A mesh shader without an amplification shader.
        let size = first.entry.properties.mesh.map(|mesh| mesh.payload_size);
        let payload = draw.payload.as_ref().map_or_else(
            || Ok(vec![0; size.unwrap_or(0).min(MAX_PAYLOAD) as usize]),
            |payload| payload.bytes(Some(size.unwrap_or(0).into())),
        );
        let mut dispatches = vec![(draw.groups.unwrap_or([1; 3]), payload?)];
        for stage in std::iter::once(first).chain(rest) {
            let program = &stage.program;
            pipeline.enter(program)?;
            match stage.entry.kind {
                ShaderKind::Vertex => vertices = pipeline.vertex(program, &vertices)?,
                ShaderKind::Geometry => vertices = pipeline.geometry(stage, &vertices)?,
                ShaderKind::Amplification => dispatches = pipeline.amplification(stage)?,
                ShaderKind::Mesh => vertices = pipeline.mesh(stage, &dispatches)?,
                ShaderKind::Pixel => pipeline.rasterize(program, &vertices, &mut outputs)?,
                ShaderKind::Hull => vertices = pipeline.hull(stage, &vertices)?,
                ShaderKind::Domain => vertices = pipeline.domain(stage, &vertices)?,
                // Entry points of others are not chosen.
                _ => {}
            }
        }
        let last = rest.last().unwrap_or(first);
        if last.entry.kind == ShaderKind::Amplification {
            outputs.dispatched = dispatches;
        } else if last.entry.kind != ShaderKind::Pixel {
            vertices.capture(draw, &mut outputs)?;
            if last.entry.kind == ShaderKind::Vertex {
                outputs.emitted.clear();
            }
        }
    }
    outputs.resources = pipeline.machine.finish();
    Ok(outputs)
}

/// Returns the shaders of a draw in the order of the pipeline.
fn stages<'m>(
    shaders: &[(&'m Module, &'m Shader)],
    options: &Options,
) -> Result<Vec<Stage<'m>>, Error> {
    let mut stages = Vec::with_capacity(shaders.len());
    for &(module, shader) in shaders {
        let entry = crate::entry_point(shader, "", |kind| rank(kind).is_some())?;
        let decode = |function| {
            let mut program = decode::decode(module, shader, entry, function, options)?;
            if !decode::has_threads(entry.kind) {
                program.threads = [wave_width(&program, options)?, 1, 1];
            }
            Ok::<_, Error>(program)
        };
        let hull = entry.properties.hull.as_ref();
        let constants = hull.and_then(|hull| hull.patch_constant_function);
        stages.push(Stage {
            entry,
            // A pass-through hull shader has one function.
            program: decode(entry.function.or(constants))?,
            constants: constants.map(|id| decode(Some(id))).transpose()?,
        });
    }
    stages.sort_by_key(|stage| rank(stage.entry.kind));
    let pairs = stages.windows(2);
    if let Some(pair) = pairs
        .into_iter()
        .find(|p| p[0].entry.kind == p[1].entry.kind)
    {
        let kind = pair[0].entry.kind;
        return Err(Error::StageTwice { kind });
    }
    Ok(stages)
}

/// Returns the position of a stage in the pipeline; `None` for stages that draws do not have.
fn rank(kind: ShaderKind) -> Option<u32> {
    Some(match kind {
        ShaderKind::Vertex | ShaderKind::Amplification => 0,
        ShaderKind::Hull => 1,
        ShaderKind::Domain => 2,
        ShaderKind::Geometry | ShaderKind::Mesh => 3,
        ShaderKind::Pixel => 4,
        _ => return None,
    })
}

fn same(input: &Input, name: &str, index: u32) -> bool {
    input.semantic.eq_ignore_ascii_case(name) && input.index == index
}

/// Returns the values of an input as components.
fn components(input: &Input, count: usize) -> Result<Vec<[u32; 4]>, Error> {
    let size = input.format.bytes();
    let bytes = input.data.bytes(Some((size * count) as u64))?;
    let values = bytes.chunks_exact(size);
    Ok(values.map(|value| input.format.decode(value)).collect())
}

/// Returns for each word of a signature the given word of another one with the same semantic.
fn links(to: &Signature, from: &Signature, given: &[bool]) -> Vec<Option<usize>> {
    let mut links = vec![None; to.words];
    for element in &to.elements {
        for (row, &index) in element.indices.iter().enumerate() {
            let found = from.find(&element.name, index, 0);
            let found = found.map(|(source, row)| (source.word(row), source.columns));
            let found = found.filter(|(word, _)| given.get(*word).copied().unwrap_or(true));
            if let Some((word, columns)) = found {
                for column in 0..columns.min(element.columns) {
                    links[element.word(row) + column] = Some(word + column);
                }
            }
        }
    }
    links
}

impl<'p> Pipeline<'p> {
    /// Returns the values that the draw gives for a signature, and the words that it gives.
    fn values(&self, signature: &Signature, count: usize) -> Result<(Table, Vec<bool>), Error> {
        let words = count.saturating_mul(signature.words.max(4)) as u64;
        bounded(Quantity::StageWords, words, MAX_WORDS)?;
        let mut table = Table::new(signature.words, count);
        let mut given = vec![false; signature.words];
        for input in &self.draw.inputs {
            let name = &input.semantic;
            // First word, number of words.
            let found = match signature.distances(name, input.index) {
                Some((element, word)) => Some((element, word, 1)),
                None => signature
                    .find(name, input.index, 0)
                    .map(|(element, row)| (element, element.word(row), element.columns)),
            };
            let Some((element, word, words)) = found else {
                continue;
            };
            given[word..word + words].fill(true);
            for (vertex, value) in components(input, count)?.iter().enumerate() {
                for (column, &component) in value.iter().enumerate().take(words) {
                    let component = from_component(element.ty, component);
                    table.set(vertex, word + column, component);
                }
            }
        }
        Ok((table, given))
    }

    /// Returns the vertices of the draw as inputs of the first stage.
    fn given(&self, program: &'p Program) -> Result<Vertices, Error> {
        let (draw, signature) = (self.draw, &program.signatures.inputs);
        let count = draw.first[0] as usize + draw.vertices as usize;
        let (mut table, mut given) = self.values(signature, count)?;
        let mut inputs = draw.inputs.iter();
        let positions: Vec<[f32; 4]> = match inputs.find(|input| same(input, "SV_Position", 0)) {
            Some(input) => components(input, count)?
                .iter()
                .map(|value| value.map(f32::from_bits))
                .collect(),
            // A triangle that covers the target.
            None => [
                [-1.0, -1.0, 0.5, 1.0],
                [-1.0, 3.0, 0.5, 1.0],
                [3.0, -1.0, 0.5, 1.0],
            ]
            .repeat(count.div_ceil(3)),
        };
        if let Some((element, 0)) = signature.find("SV_Position", 0, 0) {
            given[element.word(0)..element.word(0) + element.columns].fill(true);
            for (vertex, position) in positions.iter().enumerate().take(count) {
                for (column, at) in position.iter().enumerate().take(element.columns) {
                    table.set(vertex, element.word(0) + column, at.to_bits().into());
                }
            }
        }
        let mut vertices = Vertices {
            signature: signature.clone(),
            given,
            table,
            others: Vec::new(),
            size: 1,
            positions,
            patches: None,
            per_instance: draw.vertices as usize,
        };
        if program.kind != Some(ShaderKind::Vertex) {
            vertices = vertices.repeated(draw)?;
        }
        Ok(vertices)
    }

    /// Begins to run a stage.
    fn enter(&mut self, program: &'p Program) -> Result<(), Error> {
        let width = wave_width(program, self.options)?;
        self.machine.enter(program, width as usize);
        self.waves = self.machine.waves()?;
        Ok(())
    }

    /// Sets the input vertices of the stage; a lane reads `size` of them.
    fn link(&mut self, program: &Program, from: &Vertices, size: usize) {
        let links = links(&program.signatures.inputs, &from.signature, &from.given);
        let stage = &mut self.machine.stage;
        stage.inputs = from.table.clone();
        (stage.links, stage.vertices) = (links, size);
    }

    /// Runs lanes, and returns their outputs.
    fn run(&mut self, lanes: &[Lane]) -> Result<Table, Error> {
        let words = self.machine.program.signatures.outputs.words;
        let all = words.max(1).saturating_mul(lanes.len()) as u64;
        bounded(Quantity::StageWords, all, MAX_WORDS)?;
        self.machine.spend(all)?;
        let mut table = Table::new(words, 0);
        let stage = &mut self.machine.stage;
        stage.emitted.clear();
        stage.emitted.resize_with(lanes.len(), Vec::new);
        stage.emitted_words = 0;
        for (number, batch) in lanes.chunks(self.machine.width).enumerate() {
            self.machine.stage.first_lane = number * self.machine.width;
            self.machine.stage.lanes = batch.to_vec();
            self.machine.stage.outputs = Table::new(words, batch.len());
            self.machine
                .run_group(&mut self.waves, batch.len() as u32)?;
            for lane in 0..batch.len() {
                table.push(self.machine.stage.outputs.row(lane));
            }
        }
        Ok(table)
    }

    /// Runs a vertex shader.
    fn vertex(&mut self, program: &'p Program, from: &Vertices) -> Result<Vertices, Error> {
        self.link(program, from, 1);
        let draw = self.draw;
        let count = u64::from(draw.vertices) * u64::from(draw.instances);
        bounded(Quantity::Vertices, count, MAX_VERTICES)?;
        let instances = (0..draw.instances).flat_map(|instance| {
            (0..draw.vertices).map(move |number| Lane {
                vertex: draw.first[0] as usize + number as usize,
                number,
                instance,
                ..Lane::default()
            })
        });
        let lanes: Vec<Lane> = instances.collect();
        let table = self.run(&lanes)?;
        let signature = &program.signatures.outputs;
        Ok(Vertices::outputs(signature, table, draw.vertices as usize))
    }
}

impl Vertices {
    /// Returns outputs of a stage.
    fn outputs(signature: &Signature, table: Table, per_instance: usize) -> Self {
        let word = signature.with(SemanticKind::Position).next();
        let word = word.map(|element| element.word(0));
        let position = |row: usize| {
            let word = word.unwrap_or(usize::MAX);
            [0, 1, 2, 3].map(|column| {
                let value = table.get(row, word.saturating_add(column));
                f32::from_bits(value as u32)
            })
        };
        Self {
            signature: signature.clone(),
            given: Vec::new(),
            others: Vec::new(),
            size: 1,
            patches: None,
            positions: (0..table.rows()).map(position).collect(),
            table,
            per_instance,
        }
    }

    /// Returns the vertices once for each instance of the draw.
    fn repeated(self, draw: &Draw) -> Result<Self, Error> {
        let words = self.signature.words.max(4) as u64;
        let count = u64::from(draw.vertices) * u64::from(draw.instances);
        bounded(Quantity::Vertices, count, MAX_VERTICES)?;
        bounded(Quantity::StageWords, count.saturating_mul(words), MAX_WORDS)?;
        let mut table = Table::new(self.signature.words, 0);
        let mut positions = Vec::new();
        for _ in 0..draw.instances {
            for vertex in draw.first[0] as usize..self.table.rows() {
                table.push(self.table.row(vertex));
                positions.push(self.positions.get(vertex).copied().unwrap_or_default());
            }
        }
        Ok(Self {
            table,
            positions,
            ..self
        })
    }
    /// Stores the outputs that the draw names, with 32 bits per component.
    fn capture(&self, draw: &Draw, outputs: &mut DrawOutputs) -> Result<(), Error> {
        let tables = || std::iter::once(&self.table).chain(&self.others);
        let elements = self.signature.elements.iter();
        let streams = elements
            .map(|element| usize::from(element.stream) + 1)
            .max();
        let counts = tables().map(|table| table.rows() as u32);
        outputs.emitted = counts.take(streams.unwrap_or(0)).collect();
        let mut sizes = Vec::with_capacity(draw.outputs.len());
        for output in &draw.outputs {
            let (name, index) = (&*output.semantic, output.index);
            let found = self.signature.find(name, index, output.stream as u8);
            let found = found.zip(tables().nth(output.stream as usize));
            let of_patches = self.patches.as_ref().and_then(|patches| {
                let found = patches.signature.find(name, index, 0);
                found.map(|found| (found, &patches.table))
            });
            let Some(((element, row), table)) = found.or(of_patches) else {
                let semantic = name.to_owned();
                return Err(Error::NoOutput { semantic, index });
            };
            let word = element.word(row);
            // The distances of all semantics are one array.
            let words: Vec<usize> = match element.semantic {
                kind @ (SemanticKind::ClipDistance | SemanticKind::CullDistance) => self
                    .signature
                    .with(kind)
                    .flat_map(Element::words)
                    .map(|(_, word)| word)
                    .collect(),
                _ => (word..word + element.columns).collect(),
            };
            let mut bytes = Vec::with_capacity(table.rows() * words.len() * 4);
            for row in 0..table.rows() {
                for &word in &words {
                    let value = element.widened(table.get(row, word));
                    bytes.extend(value.to_le_bytes());
                }
            }
            outputs.outputs.push((bytes, element.ty.is_float()));
            sizes.push(words.len() * 4);
        }
        if draw.unordered {
            let (mut lists, kinds): (Vec<_>, Vec<_>) = outputs.outputs.drain(..).unzip();
            sort_primitives(&mut lists, &sizes, self.size);
            outputs.outputs = lists.into_iter().zip(kinds).collect();
        }
        Ok(())
    }
}
