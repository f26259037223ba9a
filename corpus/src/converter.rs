//! What converts shaders: the seam between a batch and the backend.

use trellis_dxil_frontend::shader::ShaderKind;

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
    /// Its name.
    pub name: String,
    /// Pipeline stage, as [`stage_name`] has it.
    pub stage: &'static str,
}

/// Converts shaders, from any thread. A batch takes any; its tests have their own.
pub trait Converter: Sync {
    /// Reads a file's contents, once for all of its entry points.
    fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure>;
}

/// A file that was read.
pub trait Opened {
    /// The entry points, in the module's order.
    fn entries(&self) -> Vec<Entry>;

    /// Converts the entry point at this index of [`Opened::entries`]. A success has been verified.
    fn convert(&self, entry: usize) -> Result<Converted, Failure>;
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

#[cfg(test)]
mod tests {
    use trellis_dxil_frontend::shader::ShaderKind;

    use super::stage_name;
    use crate::manifest::Stage;

    #[test]
    fn stages_have_the_names_of_manifests() {
        for (kind, stage) in [
            (ShaderKind::Vertex, Stage::Vertex),
            (ShaderKind::Hull, Stage::Hull),
            (ShaderKind::Domain, Stage::Domain),
            (ShaderKind::Geometry, Stage::Geometry),
            (ShaderKind::Pixel, Stage::Pixel),
            (ShaderKind::Compute, Stage::Compute),
            (ShaderKind::Amplification, Stage::Amplification),
            (ShaderKind::Mesh, Stage::Mesh),
            (ShaderKind::Library, Stage::Library),
        ] {
            assert_eq!(stage_name(kind), stage.name());
        }
    }
}
