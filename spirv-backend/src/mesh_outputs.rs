//! The interface between a mesh shader and the pixel shader that follows it. D3D links the two by
//! semantic when it creates a pipeline. Vulkan links them by location, and both shaders must
//! decorate per-primitive variables with `PerPrimitiveEXT`. The DXIL of a pixel shader does not
//! contain this information, so its translation takes it from the mesh shader
//! ([`crate::Options::mesh`]).

use rspirv::spirv::BuiltIn;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use trellis_dxil_frontend::shader::{EntryPoint, SemanticKind, Shader, ShaderKind, Signatures};

use crate::entry::choose;
use crate::error::{Error, InvalidKind, Location};

/// The outputs of a mesh shader that the translation of the following pixel shader needs: the
/// location of each user-defined semantic, and the system values per primitive.
///
/// ```
/// let mesh = include_bytes!("../tests/data/primitive_attributes.dxil");
/// let outputs = trellis_spirv_backend::MeshOutputs::read(mesh, None)?;
/// let color = outputs.location("COLOR", 0).expect("the shader writes it");
/// assert!(color.per_primitive);
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// Serialized, it is an object with the list `outputs` and the flags `primitive_id`, `layer` and
/// `viewport_index`; absent fields are 0, false or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeshOutputs {
    outputs: Vec<MeshOutput>,
    primitive_id: bool,
    layer: bool,
    viewport_index: bool,
}

/// An output with a user-defined semantic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeshOutput {
    semantic: String,
    #[serde(default)]
    index: u32,
    location: u32,
    #[serde(default, deserialize_with = "component")]
    component: u32,
    #[serde(default)]
    per_primitive: bool,
}

/// Reads the number of a component of a location: 0 to 3.
fn component<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let component = u32::deserialize(deserializer)?;
    if component < 4 {
        return Ok(component);
    }
    let found = Unexpected::Unsigned(component.into());
    Err(D::Error::invalid_value(found, &"a component from 0 to 3"))
}

/// Location of an output of a mesh shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeshLocation {
    /// The variable's `Location`.
    pub location: u32,
    /// The variable's `Component`: the first component in the location.
    pub component: u32,
    /// True for a per-primitive output, false for a per-vertex output.
    pub per_primitive: bool,
}

impl MeshOutputs {
    /// Reads the outputs of a mesh shader: the entry point `entry`, or the only one of the module.
    ///
    /// # Errors
    /// The file cannot be read, the entry point does not exist, or it is not a mesh shader.
    pub fn read(bytes: &[u8], entry: Option<&str>) -> Result<Self, Error> {
        let input = trellis_dxbc_frontend::read(bytes)?;
        Self::of(&input.shader, entry)
    }

    /// Like [`MeshOutputs::read`], for a shader that was read before.
    ///
    /// # Errors
    /// The entry point does not exist, or it is not a mesh shader.
    pub fn of(shader: &Shader, entry: Option<&str>) -> Result<Self, Error> {
        let entry = choose(shader, entry)?;
        if entry.kind != ShaderKind::Mesh {
            return Err(Error::invalid(
                InvalidKind::Stage,
                format!(
                    "a {} shader where a mesh shader is required",
                    entry.kind.name()
                ),
                Location::function(&entry.name),
            ));
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
                match element.semantic {
                    SemanticKind::Arbitrary => {
                        let rows = element.indices.iter().zip(row..);
                        outputs.outputs.extend(rows.map(|(&index, row)| MeshOutput {
                            semantic: element.name.to_string(),
                            index,
                            location: first.saturating_add(row),
                            component,
                            per_primitive,
                        }));
                    }
                    SemanticKind::PrimitiveID => outputs.primitive_id = true,
                    SemanticKind::RenderTargetArrayIndex => outputs.layer = true,
                    SemanticKind::ViewPortArrayIndex => outputs.viewport_index = true,
                    _ => {}
                }
            }
        }
        outputs
    }

    /// Returns the location of a user-defined semantic and index. Semantics are compared without
    /// case.
    pub fn location(&self, semantic: &str, index: u32) -> Option<MeshLocation> {
        self.outputs
            .iter()
            .find(|output| output.index == index && output.semantic.eq_ignore_ascii_case(semantic))
            .map(|output| MeshLocation {
                location: output.location,
                component: output.component,
                per_primitive: output.per_primitive,
            })
    }

    /// Returns whether the shader writes a built-in per primitive.
    pub(crate) fn writes(&self, builtin: BuiltIn) -> bool {
        match builtin {
            BuiltIn::PrimitiveId => self.primitive_id,
            BuiltIn::Layer => self.layer,
            BuiltIn::ViewportIndex => self.viewport_index,
            _ => false,
        }
    }
}

/// Returns the location of register 0 of the per-primitive signature. Per-primitive outputs have
/// the locations after the per-vertex outputs, since Vulkan has one location space for both.
pub(crate) fn primitive_location(signatures: &Signatures) -> u32 {
    let located = signatures
        .output
        .iter()
        .filter(|e| e.semantic == SemanticKind::Arbitrary);
    located
        .filter_map(|e| u32::try_from(e.start_row).ok()?.checked_add(e.rows))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::primitive_location;
    use trellis_dxil_frontend::shader::{
        ComponentType, InterpolationMode, SemanticKind, SignatureElement, Signatures,
    };

    fn element(semantic: SemanticKind, start_row: i32, rows: u32) -> SignatureElement {
        SignatureElement {
            id: 0,
            name: "A".into(),
            ty: ComponentType::F32,
            semantic,
            indices: Default::default(),
            interpolation: InterpolationMode::Linear,
            rows,
            cols: 4,
            start_row,
            start_col: 0,
            stream: 0,
            dynamic_mask: 0,
            usage_mask: 0xF,
        }
    }

    #[test]
    fn primitives_follow_the_vertices_that_have_locations() {
        let mut signatures = Signatures::default();
        assert_eq!(primitive_location(&signatures), 0);
        signatures.output = vec![
            element(SemanticKind::Arbitrary, 1, 3),
            element(SemanticKind::Arbitrary, 0, 1),
            element(SemanticKind::Position, 7, 1),
        ];
        assert_eq!(primitive_location(&signatures), 4);
    }
}
