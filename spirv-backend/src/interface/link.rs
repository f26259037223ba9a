//! Links a pixel shader to the mesh shader before it ([`crate::mesh_outputs`]).

use rspirv::spirv::BuiltIn;
use trellis_dxil_frontend::shader::ShaderKind;

use super::Interface;
use super::assignment::Assignment;
use super::boundary::{Boundary, Element};
use crate::error::{Error, InvalidKind};
use crate::mesh_outputs::MeshLocation;
use crate::values::FunctionBuilder;

/// Returns the location that the mesh shader before a pixel shader assigns to an input; `None` if
/// no mesh shader is given or the input is a built-in.
pub(super) fn mesh_location(
    e: &FunctionBuilder<'_>,
    element: Element<'_>,
) -> Result<Option<MeshLocation>, Error> {
    let Some(mesh) = e
        .options
        .mesh
        .as_ref()
        .filter(|_| element.boundary == Boundary::PixelInput)
    else {
        return Ok(None);
    };
    if super::access::assignment_of(e, element)? != Assignment::Location {
        return Ok(None);
    }
    let index = element.semantic_index();
    match mesh.location(&element.name, index) {
        Some(location) => Ok(Some(location)),
        None => Err(e.invalid(
            InvalidKind::Signature,
            format!(
                "the mesh shader has no output {}{index}, which the pixel shader reads",
                element.name
            ),
        )),
    }
}

/// Returns true if a built-in input of a pixel shader is one that the mesh shader before it writes
/// for each primitive. Where only the model of the places shows that there is a mesh shader, all
/// that a mesh shader may write are.
pub(super) fn is_of_primitive(e: &FunctionBuilder<'_>, io: &Interface, builtin: BuiltIn) -> bool {
    e.entry.kind == ShaderKind::Pixel
        && match &e.options.mesh {
            Some(mesh) => mesh.writes(builtin),
            None => {
                io.places.follows_mesh()
                    && matches!(
                        builtin,
                        BuiltIn::PrimitiveId | BuiltIn::Layer | BuiltIn::ViewportIndex
                    )
            }
        }
}
