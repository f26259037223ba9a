//! Errors that prevent a shader from being run to its end.

use trellis_dxil_frontend::shader::ShaderKind;

use crate::dispatch::{DispatchError, Place};

/// Why a run has no result.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The shader cannot be read.
    #[error(transparent)]
    Read(#[from] trellis_dxil_frontend::Error),
    /// The dispatch file is wrong.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// The entry point is of another stage.
    #[error("{entry} is a {kind:?} shader, only compute shaders run")]
    NotCompute {
        /// Its name.
        entry: String,
        /// Its stage.
        kind: ShaderKind,
    },
    /// The entry point does not exist, or there are several and none was selected.
    #[error("no entry point {wanted:?}; the shader has: {}", found.join(", "))]
    Entry {
        /// The requested name; empty for "the only one".
        wanted: String,
        /// Names of the available compute shaders.
        found: Vec<String>,
    },
    /// The shader uses what this model does not have.
    #[error("{what} is not supported")]
    Unsupported {
        /// The operation's or type's name.
        what: String,
    },
    /// The module breaks a rule of DXIL.
    #[error("invalid DXIL: {what}")]
    Invalid {
        /// The rule.
        what: String,
    },
    /// A limit that bounds time and memory is reached.
    #[error("{what}: more than the limit of {limit}")]
    Limit {
        /// Description of the exceeded quantity.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// More than [`crate::Options::steps`] instructions, counted by lane.
    #[error("the step limit of {limit} lane-instructions is reached")]
    Steps {
        /// The limit.
        limit: u64,
    },
    /// The width of waves is not a power of two from 4 to 128, or not one that the shader's
    /// `WaveSize` permits.
    #[error("a wave width of {width} is not possible: {rule}")]
    WaveWidth {
        /// The requested width.
        width: u32,
        /// Description of the permitted widths.
        rule: String,
    },
    /// The shader uses a resource that the inputs do not have.
    #[error("nothing is bound at {place}")]
    Unbound {
        /// Where.
        place: Place,
    },
    /// A bound resource is not what the shader declares.
    #[error("{place}: the shader has {declared}, the inputs have {bound}")]
    Mismatch {
        /// Where.
        place: Place,
        /// Value of the shader.
        declared: String,
        /// Value of the inputs.
        bound: String,
    },
    /// The shader counts with a counter that the inputs do not give the UAV.
    #[error("{place}: the shader uses the counter, the inputs have none")]
    NoCounter {
        /// The UAV.
        place: Place,
    },
    /// Lanes of a group wait at a barrier that others do not reach.
    #[error(
        "group {group:?}: thread {waiting} waits at a barrier that thread {other} does not reach"
    )]
    Barrier {
        /// The group.
        group: [u32; 3],
        /// A thread that waits, by its flattened number.
        waiting: u32,
        /// A thread that ended or waits elsewhere.
        other: u32,
    },
    /// Control reached `unreachable`.
    #[error("group {group:?}, thread {thread}: control reached an unreachable instruction")]
    Unreachable {
        /// The group.
        group: [u32; 3],
        /// The thread, by its flattened number.
        thread: u32,
    },
}

pub(crate) fn unsupported(what: impl Into<String>) -> Error {
    Error::Unsupported { what: what.into() }
}

pub(crate) fn invalid(what: impl Into<String>) -> Error {
    Error::Invalid { what: what.into() }
}
