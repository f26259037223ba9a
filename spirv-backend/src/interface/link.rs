//! Pixel shaders behind a mesh shader. D3D joins the two by semantic when it makes a pipeline;
//! Vulkan joins them by location, and wants to know in both which values belong to a primitive. A
//! pixel shader does not say, so it is translated with the outputs of its mesh shader at hand
//! ([`crate::Options::mesh`]).

use rspirv::spirv::BuiltIn;
use trellis_dxil_frontend::shader::{
    EntryPoint, SemanticKind, Shader, ShaderKind, SignatureElement,
};

use super::boundary::Boundary;
use super::mesh::primitive_location;
use super::place::Place;
use crate::convert::choose;
use crate::emitter::Emitter;
use crate::error::{Error, Location};

/// The outputs of a mesh shader, as far as the pixel shader behind it must know them.
///
/// ```
/// let mesh = include_bytes!("../../../corpus/shaders/mesh/primitive_attributes.dxil");
/// let outputs = trellis_spirv_backend::MeshOutputs::read(mesh, None)?;
/// let color = outputs.place("COLOR", 0).expect("the shader writes it");
/// assert!(color.per_primitive);
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MeshOutputs {
    located: Vec<(String, u32, MeshPlace)>,
    system: Vec<SemanticKind>,
}

/// Where an output of a mesh shader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeshPlace {
    /// Location.
    pub location: u32,
    /// First component in the location.
    pub component: u32,
    /// A value for each primitive, not for each vertex.
    pub per_primitive: bool,
}

impl MeshOutputs {
    /// Reads them from a mesh shader: the entry point of that name, or the only one.
    ///
    /// # Errors
    /// The file cannot be read, has no such entry point, or the entry point is no mesh shader.
    pub fn read(bytes: &[u8], entry: Option<&str>) -> Result<Self, Error> {
        let input = trellis_dxil_frontend::read(bytes)?;
        Self::of(&input.shader, entry)
    }

    /// As [`MeshOutputs::read`], of a shader that was read before.
    ///
    /// # Errors
    /// There is no such entry point, or it is no mesh shader.
    pub fn of(shader: &Shader, entry: Option<&str>) -> Result<Self, Error> {
        let entry = choose(shader, entry)?;
        if entry.kind != ShaderKind::Mesh {
            let at = Location {
                function: entry.name.to_string(),
                ..Location::default()
            };
            return Err(Error::Invalid {
                what: format!("a {:?} shader where a mesh shader is expected", entry.kind),
                at,
            });
        }
        Ok(Self::of_entry(entry))
    }

    fn of_entry(entry: &EntryPoint) -> Self {
        let mut outputs = Self::default();
        let first = primitive_location(&entry.signatures);
        for (list, per_primitive, first) in [
            (&entry.signatures.output, false, 0),
            (&entry.signatures.patch_constant, true, first),
        ] {
            for element in list {
                let (Ok(row), Ok(component)) = (
                    u32::try_from(element.start_row),
                    u32::try_from(element.start_col),
                ) else {
                    continue;
                };
                if element.semantic != SemanticKind::Arbitrary {
                    outputs.system.push(element.semantic);
                    continue;
                }
                for (&index, row) in element.indices.iter().zip(row..) {
                    outputs.located.push((
                        element.name.to_string(),
                        index,
                        MeshPlace {
                            location: first.saturating_add(row),
                            component,
                            per_primitive,
                        },
                    ));
                }
            }
        }
        outputs
    }

    /// The place of a semantic and index that is not a system value. Semantics have no case.
    pub fn place(&self, semantic: &str, index: u32) -> Option<MeshPlace> {
        self.located
            .iter()
            .find(|(name, i, _)| *i == index && name.eq_ignore_ascii_case(semantic))
            .map(|found| found.2)
    }

    /// Whether the shader writes a built-in for each primitive.
    fn writes(&self, builtin: BuiltIn) -> bool {
        self.system.contains(&match builtin {
            BuiltIn::PrimitiveId => SemanticKind::PrimitiveID,
            BuiltIn::Layer => SemanticKind::RenderTargetArrayIndex,
            BuiltIn::ViewportIndex => SemanticKind::ViewPortArrayIndex,
            _ => return false,
        })
    }
}

/// Where the mesh shader in front of a pixel shader puts an input; `None` where that is no matter.
pub(super) fn mesh_place(
    e: &Emitter<'_>,
    boundary: Boundary,
    element: &SignatureElement,
) -> Result<Option<MeshPlace>, Error> {
    let Some(mesh) = e
        .options
        .mesh
        .as_ref()
        .filter(|_| boundary == Boundary::PixelInput)
    else {
        return Ok(None);
    };
    if super::access::place_of(e, boundary, element)? != Place::User {
        return Ok(None);
    }
    let index = element.indices.first().copied().unwrap_or(0);
    match mesh.place(&element.name, index) {
        Some(place) => Ok(Some(place)),
        None => Err(e.invalid(format!(
            "the mesh shader has no output {}{index}, which the pixel shader reads",
            element.name
        ))),
    }
}

/// Whether a built-in input of a pixel shader is one that the mesh shader in front of it writes for
/// each primitive.
pub(super) fn is_of_primitive(e: &Emitter<'_>, builtin: BuiltIn) -> bool {
    e.entry.kind == ShaderKind::Pixel
        && e.options
            .mesh
            .as_ref()
            .is_some_and(|mesh| mesh.writes(builtin))
}
