//! Errors that prevent a shader from being run to its end.

mod feature;
mod invalid;
mod limit;
mod node;

use trellis_dxil_frontend::shader::ShaderKind;

use crate::dispatch::{DispatchError, Place};
use crate::program::View;
pub use feature::Feature;
pub use invalid::InvalidKind;
pub use limit::{Quantity, WaveWidthRule};
pub use node::NodeRule;

/// Why a run has no result.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The shader cannot be read.
    #[error(transparent)]
    Read(#[from] trellis_dxbc_frontend::Error),
    /// The dispatch file is wrong.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// The entry point is of a stage that does not run in this way: a compute shader in a draw, or
    /// another one in a dispatch.
    #[error("`{entry}` is a {kind} shader, which this kind of inputs does not run")]
    Stage {
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
        /// Names of the available entry points.
        found: Vec<String>,
    },
    /// Two shaders of a draw are of the same stage.
    #[error("the draw has two {kind} shaders")]
    StageTwice {
        /// The stage.
        kind: ShaderKind,
    },
    /// A stage reads an input that no stage before it writes and the draw does not give.
    #[error("the inputs have no values for {semantic}{index}")]
    NoInput {
        /// Its semantic.
        semantic: String,
        /// Its semantic index.
        index: u32,
    },
    /// The draw names an output that the last stage does not have.
    #[error("the last stage has no output {semantic}{index}")]
    NoOutput {
        /// Its semantic.
        semantic: String,
        /// Its semantic index.
        index: u32,
    },
    /// The shader uses a feature that this model does not have.
    #[error("{feature} is not supported")]
    Unsupported {
        /// The operation, type or construct.
        feature: Feature,
    },
    /// The module breaks a rule of DXIL.
    #[error("invalid shader: {kind}")]
    Invalid {
        /// The rule.
        kind: InvalidKind,
    },
    /// A limit that bounds time and memory is reached.
    #[error("{quantity}: more than the limit of {limit}")]
    Limit {
        /// The quantity that is limited.
        quantity: Quantity,
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
    #[error("wave width {width} is not valid: {rule}")]
    WaveWidth {
        /// The requested width.
        width: u32,
        /// The rule that it breaks.
        rule: WaveWidthRule,
    },
    /// The shader uses a resource that the inputs do not have.
    #[error("no resource is bound at {place}")]
    Unbound {
        /// Where.
        place: Place,
    },
    /// The shader uses a resource of a heap that the inputs do not have.
    #[error("no resource is bound at heap[{index}], where the shader has {:?}", view.kind)]
    NotInHeap {
        /// Index.
        index: u32,
        /// The resource that the shader has there.
        view: View,
    },
    /// A bound resource does not match the shader's declaration.
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
    /// A node of a work graph, or an entry of the graph, breaks a rule.
    #[error("node `{node}`: {rule}")]
    Node {
        /// The node.
        node: String,
        /// The rule.
        rule: NodeRule,
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

pub(crate) fn unsupported(feature: Feature) -> Error {
    Error::Unsupported { feature }
}

impl From<trellis_dxil_frontend::Error> for Error {
    fn from(error: trellis_dxil_frontend::Error) -> Self {
        Self::Read(error.into())
    }
}

/// Checks that a quantity is not above its limit.
pub(crate) fn bounded(quantity: Quantity, found: u64, limit: u64) -> Result<(), Error> {
    if found > limit {
        Err(Error::Limit { quantity, limit })
    } else {
        Ok(())
    }
}

pub(crate) fn invalid(kind: InvalidKind) -> Error {
    Error::Invalid { kind }
}
