//! Draws: attributes by semantic, a vertex shader before other stages, captured outputs of the
//! last stage.

use ash::vk;
use spirv::BuiltIn;
use trellis_dxil_interpreter::format::Format;

use crate::case::{self, Input};
use crate::spirv_module::Variable;
use crate::stages::Stages;
use crate::vulkan::{Attribute, Draw, Job, StageCode, Work};
use crate::{edit, formats, passthrough};

/// Location of one output in the transform feedback buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    /// Number of the buffer: the stream.
    stream: usize,
    offset: usize,
    /// Bytes of a value.
    pub size: usize,
    stride: usize,
}

impl Captured {
    /// Returns the values of all vertices.
    pub fn gather(&self, captured: &[Vec<u8>]) -> Vec<u8> {
        let captured = captured.get(self.stream).map_or(&[][..], Vec::as_slice);
        captured
            .chunks_exact(self.stride.max(1))
            .flat_map(|vertex| {
                vertex
                    .get(self.offset..self.offset + self.size)
                    .unwrap_or_default()
            })
            .copied()
            .collect()
    }
}

/// The layout of the buffers of transform feedback after a draw.
#[derive(Clone, Default, Debug)]
pub struct Capture {
    /// The outputs of the case, in its order.
    pub outputs: Vec<Captured>,
    /// Bytes of a vertex of each stream; 0 for a stream of which nothing is captured.
    pub strides: Vec<u32>,
    /// Vertices of a primitive.
    pub vertices: usize,
}

/// Most vertices that are captured of a stage that makes vertices.
const MOST_VERTICES: u64 = 1 << 14;

/// Returns the semantic and index of a stage variable's first row, from its name: `in.TEXCOORD1`,
/// `in.var.TEXCOORD1`, or the built-in.
pub fn semantic(variable: &Variable) -> (String, u32) {
    let built_in = match variable.built_in {
        Some(BuiltIn::Position | BuiltIn::FragCoord) => Some("SV_Position"),
        Some(BuiltIn::ClipDistance) => Some("SV_ClipDistance"),
        Some(BuiltIn::CullDistance) => Some("SV_CullDistance"),
        Some(BuiltIn::Layer) => Some("SV_RenderTargetArrayIndex"),
        Some(BuiltIn::ViewportIndex) => Some("SV_ViewportArrayIndex"),
        Some(BuiltIn::PointSize) => Some("PointSize"),
        Some(BuiltIn::PrimitiveId) => Some("SV_PrimitiveID"),
        _ => None,
    };
    if let Some(name) = built_in {
        return (name.to_owned(), 0);
    }
    let name = variable.name.as_str();
    let name = ["in.var.", "out.var.", "in.", "out."]
        .into_iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.to_owned(), name[stem.len()..].parse().unwrap_or(0))
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Sets the job up for a draw with the given stages. Returns where the captured outputs will
/// be.
///
/// # Errors
/// The case lacks an input or names an output that does not exist.
pub fn prepare(job: &mut Job, stages: &Stages<'_>, draw: &case::Draw) -> Result<Capture, String> {
    let (topology, control_points) = stages.topology();
    let mut made = Draw {
        count: [draw.vertices, draw.instances],
        first: draw.first,
        topology,
        attributes: Vec::new(),
        stride: 0,
        vertices: Vec::new(),
        size: draw.size.map(|n| n.max(1)),
        layers: draw.layers.max(1),
        samples: draw.samples.max(1),
        viewports: draw.viewports.max(1),
        constants: vec![(
            trellis_spirv_backend::Options::default()
                .interface
                .sample_count_spec_id,
            draw.samples.max(1),
        )],
        targets: draw
            .targets
            .iter()
            .map(|t| formats::vulkan(t.format))
            .collect(),
        depth: draw.depth.is_some(),
        control_points,
        capture: Vec::new(),
        groups: stages.is_mesh().then_some(draw.groups.unwrap_or([1; 3])),
    };
    if stages.is_mesh() {
        // There are no vertices to read, and none to capture.
        job.work = Work::Draw(made);
        return Ok(Capture::default());
    }
    let captured = if stages.last().stage == vk::ShaderStageFlags::FRAGMENT {
        Capture::default()
    } else {
        outputs(job, stages, draw, &mut made)?
    };
    let vertices = (draw.first[0] + draw.vertices) as usize;
    let columns = columns(job, stages, draw, vertices)?;
    interleave(&columns, vertices, &mut made);
    job.work = Work::Draw(made);
    Ok(captured)
}

/// Returns the attributes, for the vertex shader of the case or for the generated one.
fn columns(
    job: &mut Job,
    stages: &Stages<'_>,
    draw: &case::Draw,
    vertices: usize,
) -> Result<Vec<Column>, String> {
    let first = stages.first();
    let mut columns = Vec::new();
    if first.stage == vk::ShaderStageFlags::VERTEX {
        if stages.topology().0 == vk::PrimitiveTopology::LINE_LIST && draw.vertices % 2 == 1 {
            return Err("a vertex shader is run over an even number of vertices".to_owned());
        }
        for variable in first.inputs.iter().filter(|v| v.location.is_some()) {
            for row in 0..variable.rows {
                let location = variable.location.unwrap_or(0) + row;
                columns.push(column(&draw.inputs, variable, row, location, vertices)?);
            }
        }
        return Ok(columns);
    }
    let handed: Vec<&Variable> = first
        .inputs
        .iter()
        .filter(|v| passthrough::is_passed_through(v))
        .collect();
    columns.push(positions(&draw.inputs, vertices)?);
    for variable in &handed {
        for row in 0..variable.rows {
            let location = columns.len() as u32;
            columns.push(column(&draw.inputs, variable, row, location, vertices)?);
        }
    }
    let words = passthrough::vertex_shader(&handed)?;
    job.stages.insert(
        0,
        StageCode {
            stage: vk::ShaderStageFlags::VERTEX,
            words,
            entry: "main".to_owned(),
        },
    );
    Ok(columns)
}

/// The values of one attribute.
struct Column {
    location: u32,
    format: Format,
    data: Vec<u8>,
}

fn column(
    inputs: &[Input],
    variable: &Variable,
    row: u32,
    location: u32,
    vertices: usize,
) -> Result<Column, String> {
    let (name, first) = semantic(variable);
    let found = inputs
        .iter()
        .find(|i| same(&i.semantic, &name) && i.index == first + row);
    let input = found.ok_or_else(|| {
        format!(
            "the shader reads {name}{}, which the case lacks",
            first + row
        )
    })?;
    let data = input
        .data
        .bytes(Some((vertices * input.format.bytes()) as u64))
        .map_err(|error| error.to_string())?;
    Ok(Column {
        location,
        format: input.format,
        data,
    })
}

/// Positions: the case's own, or a triangle that covers everything.
fn positions(inputs: &[Input], vertices: usize) -> Result<Column, String> {
    let format = Format::R32G32B32A32_FLOAT;
    let data = match inputs.iter().find(|i| same(&i.semantic, "SV_Position")) {
        Some(input) => input
            .data
            .bytes(Some((vertices * format.bytes()) as u64))
            .map_err(|error| error.to_string())?,
        None => [
            [-1.0f32, -1.0, 0.5, 1.0],
            [-1.0, 3.0, 0.5, 1.0],
            [3.0, -1.0, 0.5, 1.0],
        ]
        .as_flattened()
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect(),
    };
    Ok(Column {
        location: 0,
        format,
        data,
    })
}

fn interleave(columns: &[Column], vertices: usize, made: &mut Draw) {
    for column in columns {
        made.attributes.push(Attribute {
            location: column.location,
            format: formats::vulkan(column.format),
            offset: made.stride,
        });
        made.stride += column.format.bytes().next_multiple_of(4) as u32;
    }
    for vertex in 0..vertices {
        for column in columns {
            let size = column.format.bytes();
            let mut value = column
                .data
                .get(vertex * size..(vertex + 1) * size)
                .unwrap_or_default()
                .to_vec();
            value.resize(size.next_multiple_of(4), 0);
            made.vertices.extend(value);
        }
    }
}

/// Finds the bytes of an output of the file among the captured variables, each with its offset.
fn locate(
    output: &case::Output,
    places: &[(&Variable, u32)],
    strides: &[u32],
) -> Result<Captured, String> {
    let fits = |variable: &Variable| {
        let (name, first) = semantic(variable);
        // The distances of all semantics are one array.
        let rows = if variable.built_in.is_some() {
            1
        } else {
            variable.rows
        };
        same(&name, &output.semantic)
            && (first..first + rows).contains(&output.index)
            && variable.stream == output.stream
    };
    let missing = || {
        format!(
            "the shader does not write {}{} of stream {}",
            output.semantic, output.index, output.stream
        )
    };
    let (variable, offset) = places.iter().find(|(v, _)| fits(v)).ok_or_else(missing)?;
    let (row, rows) = if variable.built_in.is_some() {
        (0, variable.rows)
    } else {
        (output.index - semantic(variable).1, 1)
    };
    Ok(Captured {
        stream: variable.stream as usize,
        offset: (offset + row * variable.columns * 4) as usize,
        size: (rows * variable.columns * 4) as usize,
        stride: strides[variable.stream as usize] as usize,
    })
}

/// Captures the outputs of the last stage, each stream in a separate buffer.
fn outputs(
    job: &mut Job,
    stages: &Stages<'_>,
    draw: &case::Draw,
    made: &mut Draw,
) -> Result<Capture, String> {
    let module = stages.last();
    let streams = module
        .outputs
        .iter()
        .map(|v| v.stream as usize + 1)
        .max()
        .unwrap_or(0);
    let mut strides = vec![0u32; streams];
    let mut places = Vec::new();
    for variable in &module.outputs {
        let stride = &mut strides[variable.stream as usize];
        places.push((variable, *stride));
        *stride += variable.rows * variable.columns * 4;
    }
    let vertices = if module.stage == vk::ShaderStageFlags::VERTEX {
        u64::from(draw.vertices) * u64::from(draw.instances)
    } else {
        MOST_VERTICES
    };
    let captured = draw
        .outputs
        .iter()
        .map(|output| locate(output, &places, &strides))
        .collect::<Result<_, _>>()?;
    if strides.iter().any(|stride| *stride > 0) {
        made.capture = strides
            .iter()
            .map(|stride| u64::from(*stride) * vertices)
            .collect();
        let variables: Vec<_> = places
            .iter()
            .map(|(v, offset)| edit::Capture {
                id: v.id,
                buffer: v.stream,
                offset: *offset,
                stride: strides[v.stream as usize],
            })
            .collect();
        if let Some(stage) = job.stages.last_mut() {
            stage.words = edit::capture(&stage.words, &variables)?;
        }
    }
    Ok(Capture {
        outputs: captured,
        strides,
        vertices: stages.captured_vertices(),
    })
}
