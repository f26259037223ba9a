//! Why a call fails: the status, the text, and the location.

use std::ptr;

use trellis_c_support::handle::{HandleError, Object};
use trellis_dxil::error::InputLocation;
use trellis_dxil::{Error, ErrorKind};

use crate::abi::{self, Location, Status};
use crate::text::Text;

/// A failed call.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    text: String,
    location: InputLocation,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: Status, text: impl Into<String>) -> Self {
        Self {
            status,
            text: text.into(),
            location: InputLocation::default(),
        }
    }

    /// An argument that is null, out of range, or not defined.
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(abi::TRELLIS_INVALID_ARGUMENT, text)
    }

    /// A panic, with its text.
    pub(crate) fn panic(text: &str) -> Self {
        let text = format!("internal error (a bug in Trellis): {text}");
        Self::new(abi::TRELLIS_INTERNAL, text)
    }
}

impl From<HandleError> for Failure {
    fn from(error: HandleError) -> Self {
        let status = match error {
            HandleError::Busy => abi::TRELLIS_BUSY,
            _ => abi::TRELLIS_INVALID_HANDLE,
        };
        Self::new(status, error.to_string())
    }
}

impl From<trellis_dxil::dxbc::Error> for Failure {
    fn from(error: trellis_dxil::dxbc::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<trellis_dxil::frontend::Error> for Failure {
    fn from(error: trellis_dxil::frontend::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Read => abi::TRELLIS_UNREADABLE,
            ErrorKind::EntryPoint => abi::TRELLIS_NO_ENTRY,
            ErrorKind::Unsupported => abi::TRELLIS_UNSUPPORTED,
            ErrorKind::Invalid => abi::TRELLIS_INVALID_SHADER,
            ErrorKind::Binding => abi::TRELLIS_NO_BINDING,
            ErrorKind::StageIo => abi::TRELLIS_NO_STAGE_IO,
            ErrorKind::NoValidator => abi::TRELLIS_UNAVAILABLE,
            // Structurizer, internal, verifier, validator, and kinds to come.
            _ => abi::TRELLIS_INTERNAL,
        };
        Self {
            status,
            text: error.to_string(),
            location: error.input_location(),
        }
    }
}

/// The object of an error handle.
#[derive(Debug)]
pub(crate) struct ErrorObject {
    pub(crate) status: Status,
    pub(crate) text: Text,
    part: Option<Text>,
    function: Option<Text>,
    location: InputLocation,
}

impl Object for ErrorObject {
    const MAGIC: u32 = 0x7E87_0002;
}

impl From<Failure> for ErrorObject {
    fn from(failure: Failure) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(Text::new);
        Self {
            status: failure.status,
            // Names of shaders are in it, which may have zeros: in C, the text would end there.
            text: Text::new(&failure.text.replace('\0', "\\0")),
            part: text(&failure.location.part),
            function: text(&failure.location.function),
            location: failure.location,
        }
    }
}

impl ErrorObject {
    /// Returns the location, which points to the texts of this.
    pub(crate) fn location(&self) -> Location {
        let at = |text: &Option<Text>| text.as_ref().map_or(ptr::null(), Text::as_ptr);
        let length = |text: &Option<Text>| text.as_ref().map_or(0, Text::len);
        Location {
            part: at(&self.part),
            part_length: length(&self.part),
            function: at(&self.function),
            function_length: length(&self.function),
            byte_offset: (self.location.byte_offset).unwrap_or(abi::TRELLIS_UNKNOWN_OFFSET),
            block: self.location.block.unwrap_or(abi::TRELLIS_UNKNOWN),
            instruction: self.location.instruction.unwrap_or(abi::TRELLIS_UNKNOWN),
        }
    }
}
