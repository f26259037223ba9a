//! Errors of a conversion: the fault, its location, and the expected input.

mod entry_point;
mod feature;
mod input_location;
mod invalid;
mod kind;
mod untranslated;
mod verify;

use std::fmt;

use thiserror::Error;
use trellis_dxil_frontend::shader::source_name;

use crate::bindings::{BindingError, BoundResource};
use crate::stage_io::{StageElement, StageIoError};
pub use entry_point::EntryPointError;
pub use feature::{
    AggregateFeature, ConstantFeature, Feature, HandleFeature, InterfaceFeature, Limit,
    MemoryFeature, PointerFeature, TypePosition,
};
pub use input_location::InputLocation;
pub use invalid::{InternalError, InvalidKind};
pub use kind::ErrorKind;
pub use untranslated::{Untranslated, untranslated};
pub use verify::{
    InstructionLocation, InterfaceVariable, ModuleSection, PayloadRule, VariableRule, VerifyError,
    VerifyRule,
};

/// Where in the shader an error is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// Function name.
    pub function: String,
    /// Block number in file order.
    pub block: Option<u32>,
    /// Instruction number in file order.
    pub inst: Option<u32>,
}

impl Location {
    /// Returns the location of a whole function.
    pub(crate) fn function(name: &str) -> Self {
        Self {
            function: name.to_owned(),
            block: None,
            inst: None,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match source_name(&self.function) {
            "" => f.write_str("function without a name")?,
            name => write!(f, "function `{name}`")?,
        }
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
///
/// # Examples
///
/// ```
/// use trellis_spirv_backend::{Error, Options, convert};
///
/// match convert(b"not a shader", &Options::default()) {
///     Ok(output) => println!("{} words", output.words.len()),
///     Err(Error::Unsupported { feature, at }) => println!("{}: {feature} in {at}", feature.name()),
///     Err(Error::Read(error)) => println!("not a shader: {error}"),
///     Err(error) => println!("{error}"),
/// }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not a shader that can be read.
    #[error("cannot read the input: {0}")]
    Read(#[from] trellis_dxbc_frontend::Error),
    /// No entry point can be chosen.
    #[error(transparent)]
    EntryPoint(#[from] EntryPointError),
    /// Something that DXIL permits and this version does not translate.
    #[error("not supported: {feature} ({at})")]
    Unsupported {
        /// The operation, type, stage or construct.
        feature: Feature,
        /// Where.
        at: Location,
    },
    /// The module breaks a rule of DXIL.
    #[error("invalid shader: {detail} ({at})")]
    Invalid {
        /// The sort of rule.
        kind: InvalidKind,
        /// Description of the broken rule, and of the expected input.
        detail: String,
        /// Where.
        at: Location,
    },
    /// The binding model has no binding for a resource.
    #[error("no binding for {resource}: {reason}")]
    Binding {
        /// The resource.
        resource: BoundResource,
        /// The model's answer.
        reason: BindingError,
    },
    /// The model of stage inputs and outputs has no place for an element.
    #[error("no place for {element}: {reason}")]
    StageIo {
        /// The element.
        element: StageElement,
        /// The model's answer.
        reason: StageIoError,
    },
    /// The structurizer refused the function; its input was built wrongly.
    #[error("cannot structurize `{function}`: {source}")]
    Structurize {
        /// Function.
        function: String,
        /// Reason.
        source: trellis_structurizer::Error,
    },
    /// A step of the conversion found its input in an impossible state.
    #[error("internal error (a bug in Trellis): {what} ({at})")]
    Internal {
        /// The state.
        what: InternalError,
        /// Where.
        at: Location,
    },
    /// Trellis's own verifier rejects the output: a bug in Trellis, reported instead of wrong
    /// output.
    #[error("the output does not verify (a bug in Trellis): {0}")]
    Verify(VerifyError),
    /// spirv-val rejects the output: a bug in Trellis, reported instead of wrong output.
    #[error("spirv-val rejects the output (a bug in Trellis): {message}")]
    Validate {
        /// The message of spirv-val.
        message: String,
    },
    /// Validation was requested in a build without it.
    #[error("this build has no validator: build with `--features validate`")]
    NoValidator,
}

impl From<trellis_dxil_frontend::Error> for Error {
    #[cold]
    fn from(error: trellis_dxil_frontend::Error) -> Self {
        Self::Read(error.into())
    }
}

impl Error {
    /// Returns an error about something valid that has no translation.
    #[cold]
    pub(crate) fn unsupported(feature: impl Into<Feature>, at: Location) -> Self {
        Self::Unsupported {
            feature: feature.into(),
            at,
        }
    }

    /// Returns an error about a broken rule of DXIL.
    #[cold]
    pub(crate) fn invalid(kind: InvalidKind, detail: impl Into<String>, at: Location) -> Self {
        Self::Invalid {
            kind,
            detail: detail.into(),
            at,
        }
    }
}

/// An error whose location its caller adds: the result of functions that resolve handles and
/// addresses for several passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Not translated.
    Unsupported(Feature),
    /// A broken rule of DXIL.
    Invalid(InvalidKind, String),
}

impl Cause {
    /// A broken rule of DXIL.
    #[cold]
    pub(crate) fn invalid(kind: InvalidKind, detail: impl Into<String>) -> Self {
        Self::Invalid(kind, detail.into())
    }

    /// Returns the error at a location.
    pub(crate) fn at(self, at: Location) -> Error {
        match self {
            Self::Unsupported(feature) => Error::Unsupported { feature, at },
            Self::Invalid(kind, detail) => Error::Invalid { kind, detail, at },
        }
    }
}

impl<F: Into<Feature>> From<F> for Cause {
    fn from(feature: F) -> Self {
        Self::Unsupported(feature.into())
    }
}

#[cfg(test)]
mod tests {
    use super::Location;

    #[test]
    fn a_function_has_a_name_or_not() {
        let mut at = Location::function("\u{1}?main@@YAXXZ");
        at.block = Some(2);
        assert_eq!(at.to_string(), "function `main`, block 2");
        let unnamed = Location::function("");
        assert_eq!(unnamed.to_string(), "function without a name");
    }
}
