//! What converts one shader: the seam between a batch and the backend.

use dxil_frontend::bitcode::read_module;
use dxil_frontend::container::Source;
use dxil_frontend::shader::{Shader, ShaderKind};

use crate::failure::Failure;
use crate::report::Counts;

/// One converted and verified entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// Entry point.
    pub entry: String,
    /// Pipeline stage, as [`stage_name`] has it.
    pub stage: &'static str,
    /// What the structurizer did.
    pub structurizer: Counts,
}

/// One entry point of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, as the option `entry` takes it.
    pub name: String,
    /// Pipeline stage, as [`stage_name`] has it.
    pub stage: &'static str,
}

/// Converts shaders, from any thread. A batch takes any; tests have their own.
pub trait Converter: Sync {
    /// Lists the entry points, in the module's order.
    fn entries(&self, bytes: &[u8]) -> Result<Vec<Entry>, Failure>;

    /// Converts the named entry point, or the only one. If there are several and none is named, the failure is of
    /// [`Kind::NoEntry`](crate::failure::Kind::NoEntry). A success has been verified.
    fn convert(&self, bytes: &[u8], entry: Option<&str>) -> Result<Converted, Failure>;
}

/// A stage's name in reports and listings; for the stages that manifests know it is the manifest's.
pub fn stage_name(kind: ShaderKind) -> &'static str {
    match kind {
        ShaderKind::Pixel => "pixel",
        ShaderKind::Vertex => "vertex",
        ShaderKind::Geometry => "geometry",
        ShaderKind::Hull => "hull",
        ShaderKind::Domain => "domain",
        ShaderKind::Compute => "compute",
        ShaderKind::Library => "library",
        ShaderKind::RayGeneration => "ray-generation",
        ShaderKind::Intersection => "intersection",
        ShaderKind::AnyHit => "any-hit",
        ShaderKind::ClosestHit => "closest-hit",
        ShaderKind::Miss => "miss",
        ShaderKind::Callable => "callable",
        ShaderKind::Mesh => "mesh",
        ShaderKind::Amplification => "amplification",
        ShaderKind::Node => "node",
    }
}

/// Lists the entry points of a container's program or of bitcode, in the module's order.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Failure> {
    let shader = read_shader(bytes).map_err(|error| Failure::from(&error))?;
    Ok(shader.entry_points.iter().map(|entry| Entry { name: entry.name.to_string(), stage: stage_name(entry.kind) }).collect())
}

fn read_shader(bytes: &[u8]) -> Result<Shader, dxil_frontend::Error> {
    let (bitcode, offset, container) = match Source::open(bytes)? {
        Source::Bitcode(bitcode) => (bitcode, 0, None),
        Source::Container(container) => {
            let program = container.main_program()?;
            (program.bitcode, program.offset, Some(container))
        }
    };
    Shader::read(&read_module(bitcode, offset)?, container.as_ref())
}
