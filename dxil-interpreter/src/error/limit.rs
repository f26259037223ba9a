//! Bounds of time, memory and the width of waves.

use std::fmt;

/// A quantity that is limited so that every run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quantity {
    /// Instructions after calls are inlined.
    Instructions,
    /// Blocks after calls are inlined.
    Blocks,
    /// The depth of nested calls.
    NestedCalls,
    /// The depth of a constant.
    ConstantNesting,
    /// Scalars of one value.
    Scalars,
    /// Struct fields that are counted to find the offsets of elements.
    Fields,
    /// Bytes of global or local variables.
    VariableBytes,
    /// Bytes of the values and the local memory of a group.
    GroupBytes,
    /// Edges, each as often as loops are nested around it.
    LoopEdges,
    /// Records of a level of a work graph.
    Records,
    /// Bytes of the records of a level of a work graph.
    RecordBytes,
    /// Levels of a work graph.
    Levels,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instructions => "instructions after inlining",
            Self::Blocks => "blocks after inlining",
            Self::NestedCalls => "nested calls",
            Self::ConstantNesting => "nesting depth of a constant",
            Self::Scalars => "scalars of one value",
            Self::Fields => "struct fields before the accessed elements",
            Self::VariableBytes => "bytes of variables",
            Self::GroupBytes => "bytes of values and local memory of a group",
            Self::Records => "records of a level of a work graph",
            Self::RecordBytes => "bytes of the records of a level of a work graph",
            Self::Levels => "levels of a work graph",
            Self::LoopEdges => "edges times nesting depth of loops",
        })
    }
}

/// A rule for the width of waves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WaveWidthRule {
    /// The width is a power of two from 4 to a maximum.
    PowerOfTwo {
        /// The maximum.
        maximum: u32,
    },
    /// The width is in the range of the shader's `WaveSize`.
    Declared {
        /// The smallest width.
        minimum: u32,
        /// The largest width.
        maximum: u32,
    },
}

impl fmt::Display for WaveWidthRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerOfTwo { maximum } => {
                write!(f, "it must be a power of two from 4 to {maximum}")
            }
            Self::Declared { minimum, maximum } => {
                write!(f, "the shader's WaveSize is {minimum} to {maximum}")
            }
        }
    }
}
