//! Errors of a conversion: what, where, and what was expected.

use thiserror::Error;
use trellis_dxil_frontend::shader::source_name;

/// Where in the shader an error stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// Function name.
    pub function: String,
    /// Block number in file order.
    pub block: Option<u32>,
    /// Instruction number in file order.
    pub inst: Option<u32>,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "function `{}`", source_name(&self.function))?;
        if let Some(block) = self.block {
            write!(f, ", block {block}")?;
        }
        if let Some(inst) = self.inst {
            write!(f, ", instruction {inst}")?;
        }
        Ok(())
    }
}

/// Why a shader could not be converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are no DXIL that can be read.
    #[error("cannot read the input: {0}")]
    Read(#[from] trellis_dxil_frontend::Error),
    /// The module has no entry point of that name (or none, or several and no choice was made).
    #[error("no entry point {wanted}; the module has: {available}")]
    NoEntry {
        /// What was asked for.
        wanted: String,
        /// Names that exist.
        available: String,
    },
    /// Something that DXIL permits and this version does not translate.
    #[error("not supported: {what} ({at})")]
    Unsupported {
        /// Name of the operation, type, stage or feature.
        what: String,
        /// Where.
        at: Location,
    },
    /// The module breaks a rule of DXIL.
    #[error("invalid DXIL: {what} ({at})")]
    Invalid {
        /// What is wrong and what was expected.
        what: String,
        /// Where.
        at: Location,
    },
    /// The binding model has no place for a resource.
    #[error("no binding for {resource}: {why}")]
    Binding {
        /// The resource's class, register and space.
        resource: String,
        /// The model's answer.
        why: String,
    },
    /// The structurizer refused the function; its input was built wrongly.
    #[error("cannot structurize `{function}`: {source}")]
    Structurize {
        /// Function.
        function: String,
        /// Reason.
        source: trellis_structurizer::Error,
    },
    /// Our own verifier rejects the output: a bug in Trellis, reported instead of wrong output.
    #[error("the output does not verify (a bug in Trellis): {0}")]
    Verify(String),
    /// spirv-val rejects the output: a bug in Trellis, reported instead of wrong output.
    #[error("spirv-val rejects the output (a bug in Trellis): {0}")]
    Validate(String),
    /// Validation was asked for in a build without it.
    #[error("this build has no validator: build with `--features validate`")]
    NoValidator,
}
