//! The values of options that are choices.

use serde::{Deserialize, Serialize};

use crate::bindings::HeapBinding;

/// Representation of DXIL's minimum-precision types (`min16float`, `min16int`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MinPrecision {
    /// 32 bits, decorated `RelaxedPrecision`: needs no feature.
    #[default]
    #[serde(rename = "relaxed")]
    Relaxed32,
    /// 16 bits.
    #[serde(rename = "native")]
    Native16,
}

/// How floats become integers. D3D defines that a number that does not fit becomes the nearest integer
/// that does, and NaN becomes 0; SPIR-V leaves both undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FloatToInt {
    /// By instructions that clamp the number first: right on every device.
    #[default]
    Saturate,
    /// Conversions to 32 bits, and of 16-bit floats to 16-bit integers, use the device's
    /// instructions, for devices whose instructions behave as D3D defines, such as desktop GPUs.
    /// Other widths saturate by instructions. (A driver may turn a conversion to an integer and
    /// back into a truncation, which differs for numbers that do not fit.)
    Native,
}

/// A component of a render target or of a shader's output to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Component {
    /// The first: red.
    R,
    /// The second: green.
    G,
    /// The third: blue.
    B,
    /// The fourth: alpha.
    A,
}

/// How an `if` or `switch` is to be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum BranchHint {
    /// Without a branch (`Flatten`).
    Flatten,
    /// With a branch (`DontFlatten`).
    Branch,
}

/// How a loop is to be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LoopHint {
    /// Written out (`Unroll`).
    Unroll,
    /// As a loop (`DontUnroll`).
    Loop,
}

/// How the views of D3D's view instancing are rendered.
///
/// With `instances` by Vulkan's multiview; without it, and in shaders that write the layer
/// themselves, by a draw per view, with `offsets`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ViewInstancing {
    /// The shader is the last one before the rasterizer: it writes the layer and the viewport index
    /// of the view, or adds them to the shader's.
    pub last_stage: bool,
    /// `SpecId` of the specialization constant with 2 bits for each view index: its view instance,
    /// which is `SV_ViewID`.
    pub instances: Option<u32>,
    /// `SpecId` of the specialization constant with 8 bits for each view instance: its viewport
    /// index.
    pub viewports: Option<u32>,
    /// Set and binding of a uniform block of one word: the view instance in the lower 16 bits, and
    /// its layer in the upper ones.
    pub offsets: Option<HeapBinding>,
    /// Set and binding of a uniform block of one word with a bit for each view instance: primitives
    /// of the last stage before the rasterizer are not drawn in a view whose bit is 0.
    pub mask: Option<HeapBinding>,
}

/// Where descriptors of the heap of resources are described, and where a shader reports the first use of one
/// that is not what the operation expects.
///
/// The buffers are words. `heap` has the number of descriptors, the number of the heap, and three words for
/// each descriptor: the number of its resource, the time of its creation, and bits for its kinds: 1 sampled
/// image, 2 storage image, 4 uniform buffer, 8 storage buffer, 16 and 32 texel buffers of both kinds,
/// 64 acceleration structure, 256 device address.
///
/// `report` has in words 0 and 1 the lower and upper half of `shader`, then index of the descriptor, number of the
/// heap, number of the resource, how many faults there were, number of the operation, bit of the expected kind,
/// bits of the kinds, and what is wrong: 1 beyond the heap, 2 another kind, 4 the resource does not exist,
/// 8 created after word 10. From word 11 on there is a bit for each resource: it exists.
///
/// An index that is wrong becomes the number of descriptors, where a null descriptor must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptorChecks {
    /// Set and binding of the storage buffer with the report.
    pub report: HeapBinding,
    /// Set and binding of the storage buffer that describes the descriptors.
    pub heap: HeapBinding,
    /// A number for the shader.
    pub shader: u64,
}

/// Where a shader reports 32-bit floats that are infinite or not a number, the first one of each invocation.
///
/// `values` has four words for each of a power of two of entries: the lower and upper half of `shader`, the number of
/// the operation, and the float. The entry is the number times 97, exclusive or both halves, modulo the number of
/// entries. The words of `control` have two bits for each of 16 entries: bit `n` that entry `n` is taken, and
/// bit `16 + n` that it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueChecks {
    /// Set and binding of the storage buffer with the bits, which are 0 at first.
    pub control: HeapBinding,
    /// Set and binding of the storage buffer with the values.
    pub values: HeapBinding,
    /// A number for the shader.
    pub shader: u64,
    /// Only what is stored to resources and stage outputs is checked, not each result.
    pub stores_only: bool,
}

/// The UAV that a vendor's intrinsics are encoded with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntrinsicsUav {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
}

impl IntrinsicsUav {
    /// The UAV of AGS where a shader does not choose another.
    pub const AGS: Self = Self {
        register: 0,
        space: 0x7FFF_0ADE,
    };
}
