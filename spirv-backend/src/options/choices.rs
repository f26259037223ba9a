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
