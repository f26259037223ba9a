//! The errors of [`structurize`](crate::structurize).

use thiserror::Error;

use crate::check::CheckError;
use crate::equivalence::Difference;
use crate::result::StageError;
use crate::verify::VerifyError;

/// The error of a run without a result.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The client's function is not well formed.
    #[error("malformed function: {0}")]
    Malformed(#[from] CheckError),
    /// The function is larger than [`Options::max_blocks`](crate::Options::max_blocks).
    #[error("the function has {blocks} blocks, the limit is {limit}")]
    TooLarge {
        /// Number of blocks of the function.
        blocks: usize,
        /// The limit.
        limit: usize,
    },
    /// The result would be larger than [`Options::max_growth`](crate::Options::max_growth) allows.
    #[error("the structured function would have more than {limit} blocks, values and operands")]
    ResultTooLarge {
        /// The limit: [`Options::max_entries`](crate::Options::max_entries).
        limit: usize,
    },
    /// The verifier rejects the result: a bug here, reported instead of wrong output.
    #[error("the structured function does not verify: {0}")]
    Verify(#[from] VerifyError),
    /// The result behaves differently from the function: a bug here, reported instead of wrong
    /// output.
    #[error("the structured function behaves differently: {0}")]
    Differs(#[from] Difference),
    /// A pass broke its own rule: a bug here, reported instead of wrong output.
    #[error("internal error of the structurizer: {what}")]
    Internal {
        /// The rule.
        what: &'static str,
    },
}

impl From<StageError> for Error {
    fn from(error: StageError) -> Self {
        match error {
            StageError::ResultTooLarge { limit } => Self::ResultTooLarge { limit },
            StageError::Internal { what } => Self::Internal { what },
        }
    }
}
