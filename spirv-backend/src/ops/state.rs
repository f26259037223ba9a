//! State that families of operations record while functions are emitted.

use rspirv::spirv::{Op, Word};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::module::{InstId, ValueId};

use crate::values::Shape;
use crate::vendor::wave_matrix::Element;

/// State of the function that is being emitted.
#[derive(Default)]
pub(super) struct FunctionState {
    pub(super) ray_queries: RayQueries,
    /// Variables of hit objects by number; 0 for one that is not declared yet.
    pub(super) hit_objects: Vec<Word>,
    /// The hit that the next trace of its block is.
    pub(super) hit: Option<MadeHit>,
    /// Matrices of a wave by the operation that made them.
    pub(super) matrices: FxHashMap<InstId, Made>,
}

/// Ray queries of a function.
#[derive(Default)]
pub(super) struct RayQueries {
    /// `asked_for_t` and `array` are known.
    pub(super) are_known: bool,
    /// Queries by allocation.
    pub(super) queries: FxHashMap<InstId, Query>,
    /// Handles of the queries whose `CommittedRayT` the function reads, sorted.
    pub(super) asked_for_t: Vec<ValueId>,
    /// All queries of the function, if one is chosen at run time.
    pub(super) array: Option<QueryArray>,
    /// Elements of the array by the index, in the current block.
    pub(super) elements: Vec<(Word, Query)>,
    /// The block of `known`: functions finished, blocks finished.
    pub(super) block: (usize, usize),
    /// Results in the current block since the state of a query last changed: DXIL reads each
    /// component by itself.
    pub(super) known: Vec<(Op, Word, Option<u32>, Word)>,
}

/// A query object.
#[derive(Clone, Copy)]
pub(super) struct Query {
    /// Pointer to it.
    pub(super) variable: Word,
    /// Flags of the allocation; the flags of each ray are added.
    pub(super) flags: QueryFlags,
    /// Pointer to the ray's `TMax`, if `CommittedRayT` is used.
    pub(super) t_max: Option<Word>,
}

/// Flags of a query.
#[derive(Clone, Copy)]
pub(super) struct QueryFlags {
    /// All that may be set.
    pub(super) any: u64,
    /// Their id where the queries that may be meant have different ones.
    pub(super) chosen: Option<Word>,
}

/// Queries in an array.
#[derive(Clone, Copy)]
pub(super) struct QueryArray {
    pub(super) variable: Word,
    /// `TMax` of each.
    pub(super) t_max: Option<Word>,
}

/// A hit that the shader makes.
pub(super) struct MadeHit {
    /// The block: functions finished, blocks finished.
    pub(super) block: (usize, usize),
    /// The number of its record is given.
    pub(super) with_record: bool,
    /// Numbers of the instance, primitive and geometry, and the kind of hit.
    pub(super) numbers: [Word; 4],
}

/// Words that a lane has of a matrix.
pub(super) const WORDS: usize = 8;

/// The result of a private operation.
#[derive(Clone)]
pub(super) enum Made {
    Matrix(Matrix),
    /// Words that are not yet all of a matrix.
    Words(SmallVec<[Word; WORDS]>),
}

/// A matrix in its variable.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) element: Element,
    pub(super) used_as: u32,
    pub(super) variable: Word,
    /// The matrix, in the block that made it.
    pub(super) id: Word,
    pub(super) block: (usize, usize),
}

/// A function that wave operations call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaveFunction {
    /// `(is_live, word…)`: the mask of the live lanes with the same words.
    Match {
        /// Number of words.
        words: usize,
    },
    /// `(is_live, value, mask)`: the values of the lower live lanes of this lane's mask.
    MultiPrefix {
        /// How they are combined.
        combine: Combine,
        /// Type of the value.
        shape: Shape,
    },
}

/// A binary operation that is reduced or scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Combine {
    /// Sum.
    Sum,
    /// Product.
    Product,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}
