//! Draws: inputs of the first stage by semantic, render targets, outputs of the last stage before the
//! rasterizer.

use serde::{Deserialize, Serialize};

use super::{
    Binding, Data, Dispatch, DispatchError, MAX_SAMPLES, MAX_TOTAL, Scene, Tolerance, is_one, one,
};
use crate::format::Format;

/// Most texels of a target, each sample counted.
const MAX_TEXELS: u64 = 1 << 24;

/// Most viewports (`D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE`).
const MAX_VIEWPORTS: u32 = 16;

/// A draw with a shader and the shaders of `stages`. The first stage, a vertex shader or another,
/// reads the inputs. Without a pixel shader the outputs of the last stage are captured.
///
/// ```
/// use trellis_dxil_interpreter::dispatch::Draw;
/// let draw = Draw::from_json(r#"{
///   "vertices": 3, "size": [4, 4],
///   "inputs": [{ "semantic": "COLOR", "format": "R32_FLOAT", "data": {"f32": [0, 1, 2]} }],
///   "targets": [{ "format": "R8G8B8A8_UNORM" }]
/// }"#)?;
/// assert_eq!(draw.texels(), 16);
/// # Ok::<(), trellis_dxil_interpreter::dispatch::DispatchError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// Groups of the amplification shader, or of the mesh shader where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<[u32; 3]>,
    /// Vertices. Three make the triangle that covers the whole target, if the shader is a pixel
    /// shader without `position` among its inputs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub vertices: u32,
    /// The other shaders, as files in the folder of the shader: `triangles.ds.dxil`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<String>,
    /// Instances.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub instances: u32,
    /// First vertex and first instance.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first: [u32; 2],
    /// Lanes of a wave that the expectations hold for; any if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// Width and height of the targets.
    #[serde(default, skip_serializing_if = "is_default")]
    pub size: [u32; 2],
    /// Layers of the targets; 0 is one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub layers: u32,
    /// Samples of a texel of the targets, a power of two; 0 is one. A texel's samples are next to
    /// each other in the targets' contents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub samples: u32,
    /// Viewports, stripes of the targets from left to right; 0 is one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub viewports: u32,
    /// Inputs by semantic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Render targets (`SV_Target0`, …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// The depth buffer, if the shader writes depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Target>,
    /// Outputs of the last stage before the rasterizer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Output>,
    /// The order of primitives is not defined, as after a tessellator: primitives are sorted before
    /// outputs are compared.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unordered: bool,
    /// Vertices that a geometry or domain shader emits, for each stream.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emitted: Vec<u32>,
    /// Payload of the mesh shader, if there is no amplification shader; zeros if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Data>,
    /// Dispatches of an amplification shader, if no mesh shader follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dispatched: Vec<Dispatched>,
    /// Resources.
    #[serde(default)]
    pub bindings: Vec<Binding>,
    /// Acceleration structures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
}

/// An input of the shader's stage, a value for each vertex.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Semantic, such as `TEXCOORD`.
    pub semantic: String,
    /// Semantic index.
    #[serde(default)]
    pub index: u32,
    /// Format of a value.
    pub format: Format,
    /// Values.
    pub data: Data,
}

/// A render target and its expected contents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Format; ignored for depth, which is `D32_FLOAT`.
    pub format: Format,
    /// Contents after the run; zeros before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Data>,
    /// Permitted difference from `expect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
}

/// An output of the last stage before the rasterizer, a value for each vertex.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Semantic, such as `SV_Position`.
    pub semantic: String,
    /// Semantic index.
    #[serde(default)]
    pub index: u32,
    /// Stream of a geometry shader.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stream: u32,
    /// Values, with 32 bits per component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Data>,
    /// Permitted difference from `expect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
}

/// A dispatch of an amplification shader.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatched {
    /// Groups of the mesh shader.
    pub groups: [u32; 3],
    /// Their payload.
    pub payload: Data,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Draw {
    /// Reads and checks a file's text.
    ///
    /// # Errors
    /// See [`DispatchError`].
    pub fn from_json(text: &str) -> Result<Self, DispatchError> {
        let draw: Self = super::read(text)?;
        draw.check()?;
        Ok(draw)
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        // Only maps whose keys are not strings can fail; this has none.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Checks the targets and the resources.
    ///
    /// # Errors
    /// There cannot be targets like these, or a binding makes no sense.
    pub fn check(&self) -> Result<(), DispatchError> {
        let samples = self.samples;
        if !samples.max(1).is_power_of_two() || samples > MAX_SAMPLES {
            return Err(DispatchError::Samples { samples });
        }
        let texels = self.texels();
        if texels > MAX_TEXELS {
            let limit = MAX_TEXELS;
            return Err(DispatchError::Texels { texels, limit });
        }
        let outputs = 16 * self.outputs.len() + 4 * usize::from(self.depth.is_some());
        let targets = self.targets.iter().map(|target| target.format.bytes());
        let bytes = texels.saturating_mul((targets.sum::<usize>() + outputs) as u64);
        if bytes > MAX_TOTAL {
            return Err(DispatchError::TooMuch { bytes });
        }
        let limit = MAX_VIEWPORTS.min(self.size[0].max(1));
        if self.viewports > limit {
            let viewports = self.viewports;
            return Err(DispatchError::Viewports { viewports, limit });
        }
        let dispatch = Dispatch {
            bindings: self.bindings.clone(),
            scenes: self.scenes.clone(),
            ..Dispatch::default()
        };
        dispatch.check()
    }

    /// Returns the number of texels of a target, each layer and sample counted.
    pub fn texels(&self) -> u64 {
        let sizes = [self.size[0], self.size[1], self.layers, self.samples];
        let sizes = sizes.iter().map(|&n| u64::from(n.max(1)));
        sizes.fold(1, u64::saturating_mul)
    }
}

/// Puts the primitives of captured outputs in an order that depends on their values only: the order
/// of a tessellator's primitives is not defined, nor the vertex with which a triangle begins.
/// `sizes`: bytes of a value of each output; `vertices`: of a primitive.
pub fn sort_primitives(outputs: &mut [Vec<u8>], sizes: &[usize], vertices: usize) {
    let count = outputs
        .iter()
        .zip(sizes)
        .map(|(bytes, size)| bytes.len() / (*size).max(1))
        .max()
        .unwrap_or(0);
    let vertex = |index: usize| -> Vec<&[u8]> {
        outputs
            .iter()
            .zip(sizes)
            .map(|(bytes, &size)| {
                bytes
                    .get(index * size..(index + 1) * size)
                    .unwrap_or_default()
            })
            .collect()
    };
    let mut primitives: Vec<Vec<Vec<&[u8]>>> = (0..count / vertices.max(1))
        .map(|primitive| {
            let mut list: Vec<_> = (0..vertices)
                .map(|v| vertex(primitive * vertices + v))
                .collect();
            // A rotation keeps the winding; the ends of a line do not have one.
            if vertices == 3 {
                let first = (0..3).min_by(|&a, &b| list[a].cmp(&list[b])).unwrap_or(0);
                list.rotate_left(first);
            }
            list
        })
        .collect();
    primitives.sort();
    let sorted: Vec<Vec<u8>> = (0..outputs.len())
        .map(|output| {
            primitives
                .iter()
                .flatten()
                .flat_map(|vertex| vertex[output].iter().copied())
                .collect()
        })
        .collect();
    for (output, bytes) in outputs.iter_mut().zip(sorted) {
        *output = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitives_have_one_order_and_keep_their_winding() {
        let values = |list: &[[u8; 2]]| {
            [
                list.iter().map(|v| v[0]).collect::<Vec<_>>(),
                list.iter().map(|v| v[1]).collect(),
            ]
        };
        let mut a = values(&[[3, 0], [1, 0], [2, 0], [1, 1], [1, 2], [0, 9]]);
        let mut b = values(&[[0, 9], [1, 1], [1, 2], [1, 0], [2, 0], [3, 0]]);
        let mut mirrored = values(&[[0, 9], [1, 2], [1, 1], [1, 0], [2, 0], [3, 0]]);
        for outputs in [&mut a, &mut b, &mut mirrored] {
            sort_primitives(outputs, &[1, 1], 3);
        }
        assert_eq!(a, values(&[[0, 9], [1, 1], [1, 2], [1, 0], [2, 0], [3, 0]]));
        assert_eq!(a, b);
        assert_ne!(a, mirrored);
    }
}
