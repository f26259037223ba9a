//! Why a call fails: the number for the caller and a line for the log.

use trellis_c_support::handle::HandleError;
use trellis_spirv_backend::Error;

use crate::abi::{ResultCode, result};

/// A failed call.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ResultCode,
    /// The line for the log; empty for a failure that is an answer.
    pub(crate) text: String,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(code: ResultCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { code, text }
    }

    /// An argument that is null, or a number that is not defined.
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(result::ERROR_INVALID_ARGUMENT, text)
    }

    /// An answer that there is nothing.
    pub(crate) fn answer(code: ResultCode) -> Self {
        Self::new(code, "")
    }
}

impl From<HandleError> for Failure {
    fn from(error: HandleError) -> Self {
        Self::argument(error.to_string())
    }
}

impl From<trellis_dxbc_frontend::Error> for Failure {
    fn from(error: trellis_dxbc_frontend::Error) -> Self {
        Self::new(result::ERROR_PARSER, error.to_string())
    }
}

impl From<trellis_dxil_frontend::Error> for Failure {
    fn from(error: trellis_dxil_frontend::Error) -> Self {
        Self::new(result::ERROR_PARSER, error.to_string())
    }
}

impl From<trellis_dxil_frontend::container::ContainerError> for Failure {
    fn from(error: trellis_dxil_frontend::container::ContainerError) -> Self {
        Self::new(result::ERROR_PARSER, error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Read(_) | Error::Invalid { .. } => result::ERROR_PARSER,
            Error::Unsupported { .. } => result::ERROR_UNSUPPORTED_FEATURE,
            Error::Verify(_) | Error::Validate { .. } => result::ERROR_FAILED_VALIDATION,
            _ => result::ERROR_GENERIC,
        };
        Self::new(code, error.to_string())
    }
}
