//! The values of options that are choices.

use serde::{Deserialize, Serialize};

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

/// A component of a render target or of what a shader writes to it.
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
