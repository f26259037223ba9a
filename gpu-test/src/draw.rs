//! Draws: attributes by semantic, a vertex shader in front of pixel shaders, captured outputs of vertex shaders.

use ash::vk;
use dxil_interpreter::format::Format;
use spirv::BuiltIn;

use crate::case::{self, Input};
use crate::spirv_module::{SpirvModule, Variable};
use crate::vulkan::{Attribute, Draw, Job, StageCode, Work};
use crate::{edit, formats, passthrough};

/// Where transform feedback put one output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    offset: usize,
    size: usize,
    stride: usize,
}

impl Captured {
    /// The values of all vertices.
    pub fn gather(&self, captured: &[u8]) -> Vec<u8> {
        captured.chunks_exact(self.stride.max(1)).flat_map(|vertex| vertex.get(self.offset..self.offset + self.size).unwrap_or_default()).copied().collect()
    }
}

/// Semantic and index of a stage variable's first row, from its name: `in.TEXCOORD1`, `in.var.TEXCOORD1`, or the built-in.
pub fn semantic(variable: &Variable) -> (String, u32) {
    let built_in = match variable.built_in {
        Some(BuiltIn::Position | BuiltIn::FragCoord) => Some("SV_Position"),
        Some(BuiltIn::ClipDistance) => Some("SV_ClipDistance"),
        Some(BuiltIn::CullDistance) => Some("SV_CullDistance"),
        Some(BuiltIn::Layer) => Some("SV_RenderTargetArrayIndex"),
        Some(BuiltIn::ViewportIndex) => Some("SV_ViewportArrayIndex"),
        Some(BuiltIn::PointSize) => Some("PointSize"),
        _ => None,
    };
    if let Some(name) = built_in {
        return (name.to_owned(), 0);
    }
    let name = variable.name.as_str();
    let name = ["in.var.", "out.var.", "in.", "out."].into_iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.to_owned(), name[stem.len()..].parse().unwrap_or(0))
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Sets the job up for a draw. The answer says where the outputs of a vertex shader will be.
///
/// # Errors
/// The case lacks an input or names an output that is not there.
pub fn prepare(job: &mut Job, module: &SpirvModule, draw: &case::Draw) -> Result<Vec<Captured>, String> {
    let mut made = Draw {
        count: [draw.vertices, draw.instances],
        first: draw.first,
        topology: vk::PrimitiveTopology::TRIANGLE_LIST,
        attributes: Vec::new(),
        stride: 0,
        vertices: Vec::new(),
        size: draw.size.map(|n| n.max(1)),
        targets: draw.targets.iter().map(|t| formats::vulkan(t.format)).collect(),
        depth: draw.depth.is_some(),
        capture: 0,
    };
    let located: Vec<&Variable> = module.inputs.iter().filter(|v| v.location.is_some()).collect();
    let vertices = (draw.first[0] + draw.vertices) as usize;
    let mut columns = Vec::new();
    let captured = if module.stage == vk::ShaderStageFlags::VERTEX {
        // Captured vertex by vertex; points would need a size.
        made.topology = vk::PrimitiveTopology::LINE_LIST;
        if draw.vertices % 2 == 1 {
            return Err("a vertex shader is run over an even number of vertices".to_owned());
        }
        for variable in located {
            for row in 0..variable.rows {
                columns.push(column(&draw.inputs, variable, row, variable.location.unwrap_or(0) + row, vertices)?);
            }
        }
        outputs(job, module, draw, &mut made)?
    } else {
        columns.push(positions(&draw.inputs, vertices)?);
        for variable in &located {
            for row in 0..variable.rows {
                columns.push(column(&draw.inputs, variable, row, columns.len() as u32, vertices)?);
            }
        }
        let words = passthrough::vertex_shader(&located)?;
        job.stages.insert(0, StageCode { stage: vk::ShaderStageFlags::VERTEX, words, entry: "main".to_owned() });
        Vec::new()
    };
    interleave(&columns, vertices, &mut made);
    job.work = Work::Draw(made);
    Ok(captured)
}

/// The values of one attribute.
struct Column {
    location: u32,
    format: Format,
    data: Vec<u8>,
}

fn column(inputs: &[Input], variable: &Variable, row: u32, location: u32, vertices: usize) -> Result<Column, String> {
    let (name, first) = semantic(variable);
    let found = inputs.iter().find(|i| same(&i.semantic, &name) && i.index == first + row);
    let input = found.ok_or_else(|| format!("the shader reads {name}{}, which the case lacks", first + row))?;
    let data = input.data.bytes(Some((vertices * input.format.bytes()) as u64)).map_err(|error| error.to_string())?;
    Ok(Column { location, format: input.format, data })
}

/// Positions in front of a pixel shader: the case's own, or a triangle that covers everything.
fn positions(inputs: &[Input], vertices: usize) -> Result<Column, String> {
    let format = Format::R32G32B32A32_FLOAT;
    let data = match inputs.iter().find(|i| same(&i.semantic, "SV_Position")) {
        Some(input) => input.data.bytes(Some((vertices * format.bytes()) as u64)).map_err(|error| error.to_string())?,
        None => [[-1.0f32, -1.0, 0.5, 1.0], [-1.0, 3.0, 0.5, 1.0], [3.0, -1.0, 0.5, 1.0]].as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect(),
    };
    Ok(Column { location: 0, format, data })
}

fn interleave(columns: &[Column], vertices: usize, made: &mut Draw) {
    for column in columns {
        made.attributes.push(Attribute { location: column.location, format: formats::vulkan(column.format), offset: made.stride });
        made.stride += column.format.bytes().next_multiple_of(4) as u32;
    }
    for vertex in 0..vertices {
        for column in columns {
            let size = column.format.bytes();
            let mut value = column.data.get(vertex * size..(vertex + 1) * size).unwrap_or_default().to_vec();
            value.resize(size.next_multiple_of(4), 0);
            made.vertices.extend(value);
        }
    }
}

/// Lets the vertex shader's outputs be captured.
fn outputs(job: &mut Job, module: &SpirvModule, draw: &case::Draw, made: &mut Draw) -> Result<Vec<Captured>, String> {
    let mut variables = Vec::new();
    let mut places = Vec::new();
    let mut stride = 0;
    for variable in &module.outputs {
        let size = variable.rows * variable.columns * 4;
        places.push((variable, stride));
        variables.push((variable.id, stride));
        stride += size;
    }
    made.capture = u64::from(stride) * u64::from(draw.vertices) * u64::from(draw.instances);
    let mut captured = Vec::new();
    for output in &draw.outputs {
        let fits = |variable: &Variable| {
            let (name, first) = semantic(variable);
            // The distances of all semantics are one array.
            let rows = if variable.built_in.is_some() { 1 } else { variable.rows };
            same(&name, &output.semantic) && (first..first + rows).contains(&output.index)
        };
        let missing = || format!("the shader does not write {}{}", output.semantic, output.index);
        let (variable, offset) = places.iter().find(|(v, _)| fits(v)).ok_or_else(missing)?;
        let row = if variable.built_in.is_some() { 0 } else { output.index - semantic(variable).1 };
        let rows = if variable.built_in.is_some() { variable.rows } else { 1 };
        let (offset, size) = (offset + row * variable.columns * 4, rows * variable.columns * 4);
        captured.push(Captured { offset: offset as usize, size: size as usize, stride: stride as usize });
    }
    if stride > 0 {
        for stage in &mut job.stages {
            stage.words = edit::capture(&stage.words, &variables, stride);
        }
    }
    Ok(captured)
}
