//! Why a call fails, and the exception that it raises: `trellis.Error`, with these fields.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use trellis_corpus::failure::{Failure, Kind};
use trellis_dxil::error::{ErrorKind, InputLocation};
use trellis_dxil::{EntryPointError, Error};

/// The kind of a wrong option.
pub(crate) const OPTIONS: &str = "options";
/// The kind of a graph that cannot be structurized.
pub(crate) const GRAPH: &str = "graph";
/// The kind of inputs that cannot be listed.
pub(crate) const INPUTS: &str = "inputs";
/// The kind of a batch that cannot be run.
pub(crate) const BATCH: &str = "batch";

/// A failed call: in a box, as results are small otherwise.
#[derive(Debug)]
pub(crate) struct Fault(Box<Details>);

/// Known facts about a failed call.
#[derive(Debug, Default)]
struct Details {
    kind: &'static str,
    message: String,
    location: InputLocation,
    entry_point: Option<String>,
    feature: Option<String>,
    operation: Option<String>,
    extension: Option<&'static str>,
    rule: Option<&'static str>,
    help: Option<&'static str>,
    /// The names among which an entry point is to be chosen.
    available: Vec<String>,
}

impl Fault {
    /// Creates a fault with only a kind and a message.
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            message: message.into(),
            ..Details::default()
        }))
    }

    /// Names the entry point that was converted.
    pub(crate) fn with_entry(mut self, entry: impl Into<Option<String>>) -> Self {
        self.0.entry_point = entry.into();
        self
    }

    /// Returns the exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py)
            .map_or_else(|error| error, PyErr::from_value)
    }

    /// Makes the exception, which is a class in Python: with the stable interface, a class of this
    /// module cannot be derived from `Exception`.
    pub(crate) fn exception<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let fault = &*self.0;
        let fields = PyDict::new(py);
        let location = &fault.location;
        fields.set_item("part", &location.part)?;
        fields.set_item("byte_offset", location.byte_offset)?;
        fields.set_item("function", &location.function)?;
        fields.set_item("block", location.block)?;
        fields.set_item("instruction", location.instruction)?;
        fields.set_item("entry_point", &fault.entry_point)?;
        fields.set_item("feature", &fault.feature)?;
        fields.set_item("operation", &fault.operation)?;
        fields.set_item("extension", fault.extension)?;
        fields.set_item("rule", fault.rule)?;
        fields.set_item("help", fault.help)?;
        fields.set_item("available", &fault.available)?;
        py.import("trellis._errors")?
            .getattr("_make")?
            .call1((fault.kind, &fault.message, fields))
    }
}

/// Returns a suggested fix in the terms of this package: failures name options of the command.
fn help_of(failure: &Failure) -> &'static str {
    match failure.kind {
        Kind::Conversion(ErrorKind::Read) => {
            "the input must be a complete DXBC container of shader models 4 to 6, or LLVM bitcode"
        }
        Kind::Conversion(ErrorKind::EntryPoint) => "choose one of `available` with `entry_point`",
        Kind::Conversion(ErrorKind::Invalid) => {
            "the shader violates a rule of DXIL; `trellis.disassemble` shows the instruction"
        }
        Kind::Conversion(ErrorKind::Binding) => "add the resource to the option `bindings`",
        Kind::Conversion(ErrorKind::StageIo) => {
            "change the entry of the element in the option `stage_io`; `trellis.reflect` lists the elements"
        }
        Kind::Conversion(ErrorKind::NoValidator) => "remove the option `debug.validate`",
        _ => failure.help(),
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let help = help_of(&failure);
        let mut fault = Self::new(failure.kind.name(), failure.message);
        fault.0.location = *failure.location;
        fault.0.feature = failure.feature;
        fault.0.operation = failure.operation;
        fault.0.rule = failure.invalid.map(trellis_dxil::InvalidKind::name);
        fault.0.help = Some(help);
        fault
    }
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        let mut fault = Self::from(Failure::from(error));
        match error {
            Error::Unsupported { feature, .. } => fault.0.extension = feature.extension(),
            Error::EntryPoint(
                EntryPointError::NotFound { available, .. }
                | EntryPointError::Ambiguous { available },
            ) => fault.0.available.clone_from(available),
            _ => {}
        }
        fault
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}
