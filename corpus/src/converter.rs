//! The interface between a batch and the backend that converts its shaders.

use trellis_dxil::{Entry, Output};

use crate::failure::Failure;

/// Converts shaders, from any thread. The tests of a batch have their own implementation.
pub trait Converter: Sync {
    /// Parses a file's contents, once for all of its entry points.
    fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure>;
}

/// A parsed file.
pub trait Opened {
    /// Returns the entry points, in the module's order.
    fn entries(&self) -> Vec<Entry>;

    /// Converts the entry point at this index of [`Opened::entries`]. A returned
    /// output has been verified.
    fn convert(&self, entry: usize) -> Result<Output, Failure>;
}

#[cfg(test)]
mod tests {
    use trellis_dxil::frontend::shader::ShaderKind;

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
            assert_eq!(kind.name(), stage.name());
        }
    }
}
